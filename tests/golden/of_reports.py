"""Situations of the report's rooms: simulated studies, sizes of effects, shared examples, systems.

Each builds small results of the library by hand or from few draws, and says what the program says.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from core.data import EffectTable, PValueTable, Reading, ScoreTable, read_results
from core.data.overlap.find import Overlap, find_overlap
from core.data.result_set import ResultSet
from core.data.roles import FileUse, Matched
from core.effects.across import compare_across
from core.effects.dataset_effects import LeftOut
from core.effects.distributions import distribution_tests
from core.effects.friedman import friedman, quade
from core.effects.meta_analysis import meta_analysis
from core.effects.post_hoc import nemenyi, post_hoc
from core.effects.subsets import between_groups, leave_one_out, prediction_experiment
from core.reliability.levels import level_study
from core.reliability.pairs import PairFamily, metric_study
from core.reliability.prior_odds import prior_odds_study
from core.reliability.repeated_runs import run_to_run
from core.reliability.sample_size import subsample_significance
from core.reliability.toys import toy_study
from core.replicability.assessment import assess
from core.replicability.combinations import combination_names
from core.replicability.counting import count_in_group, counted_groups
from core.replicability.identification import identify_datasets
from core.replicability.sensitivity import find_sensitivity, find_unsettled
from core.sections import across, effects, gains, runs, sizes
from core.sections import reliability as choices
from core.sections import simulation as simulated
from core.sections import systems as leaderboard
from core.sections.answers import (
    dependence_lines,
    depends_on_sentence,
    levels_sentence,
    without_sentence,
)
from core.sections.parts import Bullets, Paragraph, Part, Table, stopped_parts
from core.sections.results import files_parts
from core.simulation.families import family_of
from core.simulation.like_my_data import like_my_data
from core.simulation.planning import datasets_needed, over_claim_curve, power_curve
from core.simulation.runs import draw_one, simulate_identification, simulate_k_hat
from core.simulation.scenarios import PRESETS, Block, Scenario
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import standings
from core.systems.counting import count_matrix
from core.systems.gain_confidence import gain_confidence, groups_before
from core.systems.sizes import calibrate_iid, thresholds_by_size
from core.words import simulation as scenarios
from core.words.counting import group_sentence
from core.words.overlap import (
    NO_EXAMPLES,
    contradicted_sentence,
    effect_sentence,
    overlap_notes,
    overlap_sentence,
)
from core.words.reading import columns_as_understood, files_sentence, reasons, zeros_of
from core.words.simulation import draw_sentence, draw_tiles
from core.words.subject import Subject
from core.words.testing import counted_twice_sentence, unsettled_sentences
from core.words.verdicts import effect_table_sentence, verdict
from tests.core.made import cut_off_study
from tests.core.words.made import combined, counted, outcomes, overlap

OURS = {"a": "ours", "b": "base"}


def _table(frame: Any) -> str:
    return " ‖ ".join(" | ".join(map(str, row)) for row in (frame, *frame.itertuples(index=False)))


def _said(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Table):
            yield _table(part.frame)
        elif isinstance(part, Bullets):
            yield from part.items
        elif isinstance(part, Paragraph):
            yield part.text


def _promises() -> Iterator[str]:
    proved = ("bonferroni", "fisher")
    for one in (
        counted((400, 30, 100, 52, 30)),
        counted((1, 1, 1, 1, 1), n=20),
        counted((0, 0, 0, 0, 0), n=1),
        counted((400, 51, 52, 100, 30), proved=proved),
        counted((400, 70, 80, 90, 75), proved=combination_names()),
        counted((4, 1, 2, 0, 0), n=10_000, alpha=0.0001),
        counted((0, 0, 0, 0, 0), n=300, n_asked=1_000),
        simulate_k_hat(Scenario((Block(5, effect=2.0),)), n_repetitions=300, rng=1),
        simulate_k_hat(Scenario((Block(1),)), n_repetitions=300, rng=0),
    ):
        yield simulated.promise_sentence(one)
        yield from _said(stopped_parts(one.n_repetitions, one.n_asked, "studies"))
    yield simulated.claim_sentence(counted((1, 1, 1, 1, 1), n=20), at_least=3)
    for preset in (one for one in PRESETS if one.printed):
        for alpha in (0.1, 0.05):
            found = simulate_k_hat(preset.scenario, n_repetitions=2_000, alpha=alpha, rng=1)
            yield from _said(simulated.printed_parts(found, preset))


def _studies() -> Iterator[str]:
    scenario = Scenario((Block(4, effect=8.0), Block(6)))
    draw = draw_one(scenario, 5, repetition=2)
    yield draw_sentence(draw)
    for block in (Block(1), Block(1, effect=2.0), Block(3, effect=2.0)):
        yield draw_sentence(draw_one(Scenario((block,)), 0))
    tally = simulate_k_hat(scenario, n_repetitions=3, rng=5)
    yield from (f"{tile.heading}: {tile.figure}; {tile.detail}" for tile in draw_tiles(draw, tally))
    yield from (scenarios.shift_sentence(shift, alpha=0.05) for shift in (2.0, 0.0, -1.0))
    for d, n, exactly in ((0.05, 50, True), (0.05, 50, False), (0.02, 5_000, False)):
        yield scenarios.accuracy_sentence(d, n, 0.1, alpha=0.05, exactly=exactly)
    yield from (scenarios.drawing_sentence(rho=rho, share_differing=0.1) for rho in (0.5, 0.0))
    for words in scenarios.SCENARIO_WORDS.values():
        yield f"{words.title}: {words.meaning}"


def _my_data() -> Iterator[str]:
    rng = np.random.default_rng(1)
    scores = {d: {s: (rng.random(40) < q) * 1.0 for s, q in (("A", 0.6), ("B", 0.5))} for d in "DE"}
    ids = [f"{a}{b}{c}" for a in ("ba", "de", "fi", "go") for b in ("lum", "per", "sot", "ran")
           for c in ("ing", "ed", "ly", "ous", "ness")]  # fmt: skip
    for examples in (None, {"D": ids[:40], "E": ids[40:]}, {"D": ids[:40], "E": ids[20:60]}):
        data: Any = ResultSet.from_scores(scores, examples=examples)
        yield scenarios.my_data_sentence(like_my_data(data, a="A", b="B"))
    rounded = replace(like_my_data(data, a="A", b="B"), is_exact=np.array([True, False]))
    yield scenarios.my_data_sentence(rounded)


def _planning() -> Iterator[str]:
    dependent = simulate_identification(Scenario((Block(10, rho=0.9),)), n_repetitions=2_000, rng=0)
    some = simulate_identification(Scenario((Block(3, effect=9.0),)), n_repetitions=100, rng=0)
    for names in (dependent, some, replace(some, proved=())):
        yield simulated.names_sentence(names)
    for curve in (
        over_claim_curve([1, 100], n_repetitions=4_000, rng=0),
        over_claim_curve([2, 9], n_repetitions=500, rho=0.5, rng=0),
        over_claim_curve([1], n_repetitions=300, rng=0),
    ):
        yield simulated.over_claims_sentence(curve)
    for how, of, at_least in (
        ({"effect": 3.0}, [2, 4, 6], 2),
        ({"effect": 0.1}, [3], 3),
        ({"share_better": 0.5, "effect": 9.0, "rho": 0.5}, [4, 10, 12], 5),
        ({}, [4], 1),
    ):
        power = power_curve(
            lambda n, how=how: family_of(int(n), **how),  # type: ignore[misc]
            of,
            at_least=at_least,
            n_repetitions=300,
            rng=0,
        )
        yield simulated.power_sentence(power, quantity="number of datasets", target=0.8)
    for how in ({"effect": 9.0}, {"effect": 0.5}, {}, {"effect": 9.0, "rho": 0.5}):
        found = datasets_needed(
            lambda n, how=how: family_of(n, **how),  # type: ignore[misc]
            3,
            estimator="fisher" if "rho" in how else "bonferroni",
            n_repetitions=200,
            most=20,
            rng=0,
        )
        yield simulated.needed_sentence(found)


CLEAR = [0.10, 0.11, 0.12, 0.09, 0.10, 0.11]
CLOSE = [0.100, 0.101, 0.102, 0.099, 0.100, 0.101]
OPEN = [0.10, -0.11, 0.12, -0.09, 0.03, 0.01]


def _effects() -> Iterator[str]:
    unknown = "the highest possible score is not known"
    for made in (
        combined(CLEAR, [1e-4] * 6),
        combined(OPEN, [1e-4] * 6),
        combined(CLOSE, [1e-4] * 6, level=0.9),
        combined([-0.1, -0.2, -0.4, -0.35], [1e-4] * 4, tau2="dersimonian-laird"),
        combined([1.0, 2.0, 3.0]),
        combined([0.2], [0.01]),
        combined([0.2], [0.01], effect="given", metric=None),
        combined([0.0], [0.01]),
        combined([0.2]),
        combined([0.25] * 5, [1e-4] * 5),
        combined([0.0] * 3),
        combined([0.25] * 5),
        combined([0.0] * 3, effect="given", metric=None),
        combined([0.1, -0.1], [1e-3] * 2),
        combined([-0.7, -0.9, -0.3], [1e-3, 2e-3, 1e-3], effect="given", metric=None),
        combined([0.1], [1e-3], complete=False, not_done=tuple("abcdefghijkl")),
        combined([1e-12, 2e-12, 3e-12], [1e-24] * 3),
        combined([0.1, 0.2], metric="loss", higher_is_better=False),
        combined([0.1, 0.11, 0.12, 1.0], [1e-2, 1e-2, 1e-2, 0.0]),
        combined([0.10, 0.11, 0.12, 0.09], [1e-4] * 4, n_differing=(5, 6, 7, 400)),
        combined(
            [0.1, 0.2],
            [1e-3, 1e-3],
            left_out=(
                LeftOut(dataset="x", reason="the second system is perfect"),
                *(LeftOut(dataset=d, reason=unknown, needs_maximum=True) for d in "yz"),
            ),
        ),
    ):
        yield effects.lead_sentence(made, **OURS)
        yield effects.differing_sentence(made, **OURS)
        yield from effects.front_cautions(made, b="base")
        yield from effects.further_cautions(made)


def _effects_further() -> Iterator[str]:
    values, variances = [0.1, 0.3, 0.2, 0.9, 0.7], [1e-2] * 5
    for own in ([0.0, 0.01, 0.02, 0.5], [0.1] * 4, [-0.2, -0.1, -0.15, 0.9]):
        influence = leave_one_out(own, [1e-4] * 4)
        yield from _said(across.influence_parts(influence, ["a", "b", "c", "giant"]))
    yield from _said(across.distribution_parts(distribution_tests([1, 2, 3, 4, 5, 6, 7, 8, 90])))
    yield across.groups_sentence(
        between_groups(np.array(values), np.array(variances), list("aaabb"))
    )
    yield across.groups_sentence(
        between_groups(np.array(values), np.array(variances), list("abcde"))
    )
    rng = np.random.default_rng(1)
    experiment = prediction_experiment(
        rng.normal(size=12), np.full(12, 0.1), sizes=(5, 7), n_repetitions=8, rng=1
    )
    yield from _said(across.experiment_parts(experiment))
    made = combined(values, variances)
    yield from _said(across.how_parts(made, made.random))
    yield across.gumbel_line(meta_analysis(values, variances, model="gumbel"))


def _across() -> Iterator[str]:
    better = [0.9, 0.8, 0.85, 0.7, 0.95, 0.6, 0.77]
    worse = [0.8, 0.75, 0.8, 0.6, 0.9, 0.5, 0.7]
    lost = [*(0.61 + 0.0001 * i for i in range(12)), 0.5012]
    for a, b, variance in (
        (better, worse, None),
        (better[:5], worse[:5], None),
        (better, better, None),
        (lost, [0.6] * 13, None),
        (lost, [0.6] * 13, 1e-4),
        ([*lost[:-1], 0.4512], [0.6] * 13, None),
        ([0.61, 0.615, 0.58, 0.7, 0.71, 0.72, 0.73], [0.6] * 7, None),
    ):
        found = compare_across(a, b, systems=("ours", "base"))
        yield across.across_sentence(found, alpha=0.05)
        difference = np.array(a) - np.array(b)
        mean = combined(difference, None if variance is None else [variance] * len(a))
        yield across.disagreement_sentence(mean, found, alpha=0.05)
    scores = np.random.default_rng(0).normal(size=(12, 4)) + np.array([0.0, 0.1, 3.0, 3.1])
    alike: Any = [[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 3, 2], [2, 1, 3], [3, 2, 1.0]]
    for table in (scores, alike, np.ones((6, 3)), [[3, 3, 1]] * 6):
        ranked = friedman(table)
        yield across.friedman_sentence(nemenyi(ranked))
    ranked = friedman(scores, systems=tuple("wxyz"))
    for each in (nemenyi(ranked), post_hoc(ranked, by_wilcoxon=True), post_hoc(ranked)):
        yield across.letters_note(each)
        yield across.names_of_best(each)
    yield across.names_of_best(post_hoc(ranked, "w", procedure="bonferroni-dunn"))
    yield across.quade_line(quade(ranked))
    for table in ([[1, 2, 3]] * 30, [*alike, [1, 2, 3]]):
        ranked = friedman(table, systems=tuple("wxy"))
        yield across.names_of_best(nemenyi(ranked))
        yield across.names_of_best(post_hoc(ranked, "w", procedure="bonferroni-dunn"))


def _ids(**ids: list[str]) -> Overlap:
    scores = {name: dict.fromkeys("AB", [0.0] * len(each)) for name, each in ids.items()}
    return find_overlap(ResultSet.from_scores(scores, examples=ids))


def _texts(**given: tuple[Iterable[int], list[int]]) -> Overlap:
    columns = ("text", "context")
    return overlap(
        {name: codes for name, (codes, _) in given.items()},
        columns=columns,
        texts=tuple(np.array(texts) for _, texts in given.values()),
        text_columns=columns,
    )


def _sharing(n: int, *shared: int) -> dict[str, list[int]]:
    return {f"d{i}": [*shared, *range(100 * i, 100 * i + 20)] for i in range(1, n + 1)}


def _shared_examples() -> Iterator[str]:
    # Some in all, others in many, and two that share more.
    many = _sharing(18, 1)
    for i in range(1, 16):
        many[f"d{i}"] += [2, 3]
    many["d4"] += many["d9"][3:10]
    for codes in (many, _sharing(18, 1), _sharing(18, 1, 2, 3)):
        yield overlap_sentence(overlap(codes))
    copied = (np.random.default_rng(1).random((500, 2)) < 0.7).astype(float)
    copies = ResultSet(
        datasets=("hi", "hi_copy"),
        systems=("A", "B"),
        values={"score": (copied, copied)},
        higher_is_better={"score": True},
    )
    for found in (
        overlap({"x": range(9), "y": range(9, 20), "z": range(20, 40)}),
        overlap({"x": range(9), "y": range(9, 18), "z": [99]}),
        overlap({"x": range(10), "y": range(8, 12), "z": [50, 51]}),
        overlap({"REL": range(60), "WS": range(100), "SIM": range(40, 100)}),
        overlap({"a": range(60), "all": range(100), "b": range(40, 97)}),
        overlap({"inner": range(20), "outer": range(90)}),
        overlap({"x": range(20), "y": range(20)}),
        overlap({"nli-de": range(9), "nli-fr": range(9, 18)}),
        overlap({"x": [0, 1, -1], "y": [2, 3, 4]}),
        overlap({"x": [7] * 4, "y": [8] * 4}),
        overlap({"x": [0, 1]}),
        _ids(x=["1", "2"], y=["1", "2", "3"]),
        _ids(x=["car", "sea"], y=["gem", "boy"]),
        _ids(x=["a3f", "b77c", "c0d"], y=["gem", "boy", "oven"]),
        _texts(x=(range(9), [1, 2, 3]), y=(range(10, 19), [3, 2, 7]), z=(range(20, 30), [99])),
        _texts(x=(range(9), [1, 2]), y=(range(10, 19), [2, 7]), z=([0, 50], [1, 99])),
        _texts(x=(range(9), [4]), y=(range(10, 20), [5])),
        find_overlap(copies),
    ):
        yield from (overlap_sentence(found), effect_sentence(found), *overlap_notes(found))
        yield contradicted_sentence(found)
    yield NO_EXAMPLES
    yield counted_twice_sentence(copies, find_overlap(copies).same_scores)


def _subject(a: str, b: str, datasets: Iterable[str]) -> Subject:
    return Subject(system_a=a, system_b=b, datasets=tuple(datasets))


REDSHIFT = (0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823)
MATE = _subject("Mate", "Redshift", ("BC", "BN", "MZ", "NW", "PT", "TC", "WB"))


def _columns() -> Iterator[str]:
    for text in (
        "dataset,family,ours,base,p,year\nx,f,1,0,.1,2001\ny,f,1,0,.1,2002\nz,g,1,0,.1,2003\n",
        "dataset,example,text,gold,ours,base\nx,1,one thing,y,y,n\nx,2,another,n,n,n\n",
        "dataset,example,correct_a,correct_b,total\nx,1,2,3,4\nx,2,2,1,4\n",
        "dataset,both_right,a_right_b_wrong,a_wrong_b_right,both_wrong\nx,5,4,3,2\n",
        "dataset,effect,se\nx,.1,.2\ny,.2,.1\n",
    ):
        reading = read_results(text.encode()).reading
        assert reading is not None
        understood = dict(columns_as_understood(reading))
        yield "; ".join(f"{column}: {words}" for column, words in understood.items())


def _files() -> Iterator[str]:
    def matched(dataset: str, system: str, n: int, n_matched: int) -> Matched:
        return Matched(
            dataset=dataset, system=system, n_examples=n, n_matched=n_matched, left_over=()
        )

    used = FileUse(path="a", kind="table", content="10 rows")
    aside = FileUse(path="b", kind="", used=False, reason="It is a log.")
    whole = (matched("gsm8k", "a", 1319, 1319), matched("gsm8k", "b", 1319, 1319))
    partly = (matched("arc", "a", 1000, 990), matched("arc", "b", 990, 990))
    for files, rows in (
        ((used,), whole),
        ((used, used), partly),
        ((used, aside, aside), (*whole, *partly)),
        ((), (*whole, matched("boolq", "a", 7, 7), matched("boolq", "b", 7, 7))),
        ((), (matched("arc", "a", 7, 7),)),
    ):
        yield files_sentence(
            reading := Reading(
                source_name="files",
                layout="scores in rows",
                roles={},
                columns=(),
                remarks=(),
                separator=",",
                encoding="UTF-8",
                files=files,
                matched=rows,
            )
        )
        yield from reasons(reading)
        yield from _said(files_parts(reading))
    for effects_there in ([0.1], [0.1, -0.3, 0.2]):
        yield effect_table_sentence(
            EffectTable(
                datasets=tuple(f"d{i}" for i in range(len(effects_there))),
                effects=np.array(effects_there),
                standard_errors=np.full(len(effects_there), 0.1),
            )
        )


def _depth() -> Iterator[str]:
    mate: Any = assess(REDSHIFT, (1.0,) * 7, alternative="greater")
    yield from dependence_lines(mate.answer_a, MATE)
    for combination in combination_names():
        bound = partial(count_in_group, REDSHIFT, combination=combination)
        for group in counted_groups({"news": (1, 2, 3), "web": (6,), "all": range(7)}, bound):
            yield group_sentence(group, MATE, claim="a-better", alpha=0.05, combination=combination)
    for combination in ("bonferroni", "fisher"):
        found = find_sensitivity(REDSHIFT, combination=combination)
        yield depends_on_sentence(found, MATE)
        yield levels_sentence(found)
        yield without_sentence(found, MATE)
    subject = _subject("ours", "base", "xyz")
    p_values = {"F1": np.array([0.0001, 0.0002, 0.4]), "BLEU": np.array([0.0003, 0.5, 0.6])}
    none = {"F1": np.array([0.02, 0.02, 0.03]), "BLEU": np.array([0.02, 0.04, 0.5])}
    for values in (p_values, none):
        both = np.concatenate(list(values.values()))
        family = PairFamily(datasets=(*"xyz", *"xyz"), p_values=both, alpha=0.05)
        yield choices.family_sentence(family, choice="metric", claim=subject.claim("a-better"))
    for ours, theirs in (
        ((0.001, 0.9, 0.999), (0.999, 0.1, 0.001)),
        ((0.001, 0.015, 0.99), (0.999, 0.985, 0.02)),
        ((0.9, 0.9, 0.9), (0.1, 0.1, 0.1)),
        ((0.001, 0.9, 0.999), None),
    ):
        half = assess(ours, (1, 1, -1), alternative="greater", p_values_b=theirs, alpha=0.025)
        yield verdict(half, subject).statement.text
    for cell, below in (("0", 0.001), ("0.0", 0.0)):
        content = f"dataset,A,B,p_value\nx,.5,.4,{cell}\n".encode()
        table = read_results(content, name="zeros.csv", roles={"zero_reads_below": below})
        assert isinstance(table, PValueTable)
        yield zeros_of(table)


def _unsettled() -> Iterator[str]:
    for p_values, low, high in (
        ([0.0487], [0.043], [0.054]),
        ([0.052, *[0.9] * 19], [0.045, *[0.9] * 19], [0.06, *[0.9] * 19]),
        ([0.025, 0.9], [0.02, 0.9], [0.03, 0.9]),
        ([0.05 / 3] * 3, [0.04 / 3] * 3, [0.06 / 3] * 3),
    ):
        n = len(p_values)
        found, names = find_unsettled(low, high), identify_datasets(p_values)
        yield from unsettled_sentences(found, names, [f"d{i}" for i in range(n)])


def _nested(n_right: Mapping[str, int], *, n: int = 200, n_datasets: int = 4) -> ResultSet:
    columns = {name: (np.arange(n) < right).astype(float) for name, right in n_right.items()}
    return ResultSet.from_scores({f"d{k}": columns for k in range(n_datasets)}, metric="accuracy")


def _leaderboards() -> Iterator[str]:
    families: Any = ("pair", "all")
    top = _nested({"low": 60, "middle": 100, "high": 150, "top": 151})
    yield leaderboard.alone_sentence(count_matrix(compare_all_pairs(top)))
    outcomes = {
        f"d{k}": {
            name: (np.arange(200) < right).astype(float)
            for name, right in {"top": 151, "low": 60, "middle": 149 if k else 100}.items()
        }
        for k in range(4)
    }
    turning = {
        name: {
            s: (np.arange(200) < right).astype(float)
            for s, right in zip("xyz", rights, strict=True)
        }
        for name, rights in (("d0", (150, 100, 60)), ("d1", (150, 100, 60)), ("d2", (60, 100, 150)))
    }
    by_fisher = count_matrix(compare_all_pairs(top), combination="fisher")
    yield from _said(leaderboard.promise_parts(by_fisher.pairs, by_fisher, by_fisher))
    for table in ((72, 72, 71), (71, 71, 71), (73, 72, 71)):
        ranks = friedman([table] * 30)
        board = standings(
            ScoreTable(datasets=ranks.datasets, systems=ranks.systems, values=ranks.scores)
        )
        yield across.scores_lead(board)
    for data in (
        top,
        ResultSet.from_scores(outcomes, metric="accuracy"),
        _nested({"x": 100, "y": 101, "z": 102}),
        ResultSet.from_scores(turning, metric="accuracy"),
        _nested({"low": 60, "one": 150, "other": 150}, n_datasets=1),
        _nested({"top": 105, **{f"near{k}": 100 for k in range(6)}}, n_datasets=1),
    ):
        pairs = compare_all_pairs(data)
        for family in families:
            counts = count_matrix(pairs, family=family)
            yield leaderboard.lead_sentence(counts)
            yield from _said(leaderboard.promise_parts(pairs, counts, counts))
            first, second, *_ = counts.systems
            yield leaderboard.pair_sentence(counts, standings(pairs), first, second)


def _noisy(m: int, *sizes: int) -> ResultSet:
    rng = np.random.default_rng(4)
    rights = enumerate(np.linspace(0.5, 0.62, m))
    names = {f"{'ab'[k % 2]}:{k}": right for k, right in rights}
    return ResultSet.from_scores(
        {
            f"d{d}": {name: (rng.random(n) < right).astype(float) for name, right in names.items()}
            for d, n in enumerate(sizes)
        },
        metric="accuracy",
    )


def _gains() -> Iterator[str]:
    for m, sizes_there in ((60, [400]), (4, [400]), (40, [400, 300]), (40, [400, 900])):
        data = _noisy(m, *sizes_there)
        pairs, groups_there = compare_all_pairs(data), groups_before(data.systems, ":")
        points = gain_confidence(pairs, groups=groups_there)
        found = points.thresholds()
        said = _said(gains.gains_parts(points, found, metric="accuracy", dataset=None))
        # The notes are the same of all.
        yield from [*said][:-4]
    own = replace(found["same group"], reason="")
    many = {
        f"g{k}": replace(own, value=value, n_distinct_pairs=k)
        for k, value in enumerate((0.04, 0.02, 0.03, 0.05))
    }
    yield gains.thresholds_sentence(many, metric="accuracy")
    for groups in (("big", "big", "small", "small", "x"), "xx", "xy"):
        yield gains.groups_sentence({f"s{i}": group for i, group in enumerate(groups)})
    yield from map(gains.of_bootstrap, (["mcnemar"], ["paired-bootstrap"]))
    for m, is_grouped in ((40, False), (40, True), (4, False)):
        data = _noisy(m, 300, 300)
        of = groups_before(data.systems, ":") if is_grouped else None
        curves = [
            thresholds_by_size(data, d, groups=of, n_subsets=2, sizes=[100, 200], n_resamples=199)
            for d in data.datasets
        ]
        yield from map(gains.sizes_sentence, curves)
        at_one = [
            replace(
                c, points=tuple(p for p in c.points if (p.size, p.selection) == (200, "random"))
            )
            for c in curves
        ]
        yield gains.one_size_sentence(at_one, 200)
        yield gains.one_size_sentence(at_one[:1], 200)
        yield gains.iid_sentence(calibrate_iid(data, "d0", size=60, n_draws=4, n_resamples=99))


def _choices() -> Iterator[str]:
    data = ResultSet.from_scores(
        {"clear": outcomes(60, 5), "hangs": outcomes(12, 5), "level": outcomes(20, 20)}
    )
    metrics = metric_study(data, a="A", b="B", tests=["mcnemar", "mcnemar-mid-p"])
    yield choices.choices_sentence(metrics)
    yield choices.theory_sentence(2, alpha=0.05)
    for datasets, p_values in (("aabc", [0.001, 0.002, 0.003, 0.9]), ("abcd", [0.02] * 4)):
        family = PairFamily(datasets=tuple(datasets), p_values=np.array(p_values))
        yield choices.family_sentence(family)
    genres = {name: ["novel"] * 100 + ["news"] * 100 for name in data.datasets}
    levels = level_study(data, a="A", b="B", covariate=genres, name="genre", n_resamples=99)
    yield choices.levels_sentence(levels)
    yield choices.without_reach_sentence(levels)
    for few in ("clear",), ("clear", "level"):
        tagged = {name: ["novel"] + ["news" if name in few else "novel"] * 199 for name in genres}
        small = level_study(data, a="A", b="B", covariate=tagged, name="genre", n_resamples=99)
        yield choices.without_reach_sentence(small)
    subsamples = subsample_significance(data, a="A", b="B", n_subsamples=200, rng=3)
    yield sizes.sizes_sentence(subsamples)
    yield from map(sizes.dataset_sentence, subsamples.datasets)
    for own, stated in ((0, 0.05), (0, 2.0), (0, -0.1), (1, 0.5)):
        yield sizes.power_of_stated(subsamples.datasets[own], stated)[0]
    for looked_at in (
        choices.LookedAt(metrics=metrics, sizes=subsamples),
        choices.LookedAt(metrics=metrics.at_level(0.0001)),
        choices.LookedAt(metrics=metric_study(data, a="A", b="B", tests=["mcnemar"])),
    ):
        if looked_at.metrics:
            yield choices.choices_sentence(looked_at.metrics)
        yield choices.summary_sentence(looked_at, data.datasets, alpha=0.05)


def _along_and_runs() -> Iterator[str]:
    rng = np.random.default_rng(1)
    length = np.tile(np.arange(1.0, 41.0), 5)
    along = {
        name: cut_off_study(
            rng.normal(shift, 1.0),
            np.zeros(200),
            length,
            n_random=99,
            dataset=name,
            name="length",
        )
        for name, shift in (
            ("planted", np.where(length <= 20, 2.0, 0.0)),
            ("even", np.full(200, 1.0)),
            ("behind", np.full(200, -2.0)),
        )
    }
    for some in (("planted", "even", "behind"), ("even", "behind"), ("even",)):
        yield runs.cut_offs_sentence({name: along[name] for name in some})
    yield from map(runs.cut_off_sentence, along.values())
    base = rng.normal(0.0, 1.0, 80)
    b = np.column_stack([base + rng.normal(0.0, 0.5, 80) for _ in range(2)])
    studies = {}
    for name, shifts in (("lucky", (0.6, 0.0, -0.5)), ("steady", (0.8, 0.8, 0.8))):
        a = np.column_stack([base + shift + rng.normal(0.0, 0.5, 80) for shift in shifts])
        studies[name] = run_to_run(a, b, test="paired-t", n_resamples=199)
        yield runs.dataset_runs_sentence(name, studies[name])
    for some in (("lucky", "steady"), ("steady",)):
        yield runs.runs_sentence({name: studies[name] for name in some})
    yield from _said(runs.runs_parts(studies))
    yield from _said(
        runs.dataset_runs_parts("lucky", studies["lucky"], ["a1", "a2", "a3"], ["b", "b"])
    )
    for study in (prior_odds_study(0.01, prior_odds=odds) for odds in (0.1, 1.0, 2.0)):
        yield sizes.prior_odds_sentence(study)
    yield from _said(sizes.prior_odds_parts(study))
    for name in ("sample-sizes", "two-metrics"):
        toy = toy_study(name, n_repetitions=2_000)
        yield sizes.toy_sentence(toy)
    yield from _said(sizes.toy_parts(toy))


REPORTS: Mapping[str, Callable[[], Iterable[str]]] = {
    "Simulation: promises held, broken, proved and undecided": _promises,
    "Simulation: single studies and scenarios": _studies,
    "Simulation: like one's own data": _my_data,
    "Simulation: names, wins by chance, power and datasets needed": _planning,
    "Effect size: the answer": _effects,
    "Effect size: further looks": _effects_further,
    "Over datasets: tests of two and of many": _across,
    "Datasets that share examples": _shared_examples,
    "Columns as they are understood": _columns,
    "Several files, and a table of effects": _files,
    "Groups, sensitivity, metrics and both directions": _depth,
    "What more resamples would settle": _unsettled,
    "Many systems: leaderboards and pairs": _leaderboards,
    "Many systems: gains that are usually enough": _gains,
    "Reliability: metrics, tests, levels and sizes": _choices,
    "Reliability: covariates, runs and prior odds": _along_and_runs,
}
