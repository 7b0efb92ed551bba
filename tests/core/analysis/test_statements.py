"""What an analysis says in front: the same on every page, and only of the datasets in use."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.analysis import Analysis, AnalysisSettings, Origin, analyse, analysis_of, statements
from core.analysis.gate import decide
from core.charts.theme import LIGHT
from core.command_line.running import answer_lines
from core.data import PValueTable, ResultSet, ScoreTable, read_results
from core.export.as_json import to_json
from core.export.record import settings_records
from core.export.report import chosen_sections, markdown_report
from core.methods.results import methods_paragraphs, results_sentences
from core.sections.answers import claims_parts, claims_records, staircase_parts
from core.sections.effects import effects_parts
from core.sections.parts import Figure, Grid, Paragraph
from core.significance.run import run_dataset_tests
from core.words.counting import counting_tiles
from core.words.verdicts import verdict
from tests.read_as import read_as


def of_examples(*wins: tuple[int, int], n: int = 40) -> bytes:
    """A dataset for each pair: examples that only the first system has right, and only the second."""
    lines = ["dataset,example,ours,base"]
    for d, (first, second) in enumerate(wins):
        for i in range(n):
            one = i < first
            other = first <= i < first + second
            lines.append(f"w{d},{i},{int(one)},{int(other)}")
    return ("\n".join(lines) + "\n").encode()


def of(
    content: bytes, settings: AnalysisSettings | None = None, *, name: str = "mine.csv"
) -> Analysis:
    data = read_results(content, name=name)
    assert isinstance(data, PValueTable | ResultSet)
    return analyse(data, settings, origin=Origin(title=name))


B_AHEAD = of_examples((3, 3), (2, 14), (1, 15), (4, 6))


def test_where_b_alone_is_shown_to_be_better_every_lead_says_so_in_the_same_words() -> None:
    analysis = of(B_AHEAD)
    question = analysis.questions[0]
    # What charts and tables begin with is the claim that is shown.
    assert question.claim == analysis.question.claim == "b-better"
    said = statements.lead(analysis, question)
    assert said == verdict(analysis.assessment, analysis.subject).statement.text
    assert "2 of 4 datasets" in said
    counted = next(one for one in results_sentences(analysis) if "confidence" in one)
    assert "base is better than ours on at least 2 of 4 datasets" in counted
    # As the verdict, and among what is to be quoted.
    assert markdown_report(analysis).replace("\\", "").count(said) == 2
    # A claim that was chosen has a lead of its own.
    chosen = next(q for q in analysis.questions if q.claim == "a-better")
    assert statements.lead(analysis, chosen) != said
    assert statements.stated(analysis, chosen) == (chosen,)
    assert [q.claim for q in statements.stated(analysis, question)] == ["a-better", "b-better"]


def test_names_and_the_common_practice_are_said_of_both_systems_where_the_lead_is() -> None:
    analysis = of(B_AHEAD)
    said = statements.about_the_count(analysis, analysis.questions[0])
    for fact in ("No dataset is significant", "w1 and w2", "ours ahead on 0", "base ahead on 2"):
        assert any(fact in text for text in said), fact


def test_where_the_lead_speaks_of_both_systems_each_count_has_its_signature() -> None:
    analysis = of(B_AHEAD)
    question = analysis.questions[0]
    other = statements.stated(analysis, question)[0]
    lines = statements.signatures(analysis, question)
    assert lines == {
        "the count for ours": analysis.signature(other),
        "the count for base": analysis.signature(question),
    }
    assert ["claim:a-better" in line for line in lines.values()] == [True, False]
    assert f"(“{lines['the count for base']}”)" in " ".join(methods_paragraphs(analysis))
    of_settings = {row[0]: row[1] for row in settings_records(analysis).rows}
    assert of_settings["signature of the count for base"] == lines["the count for base"]
    # A claim that was chosen has its own alone.
    assert statements.signatures(analysis, other) == {"the count": analysis.signature(other)}


def test_where_b_alone_is_shown_to_be_better_its_claims_are_drawn_and_listed() -> None:
    analysis = of(B_AHEAD)
    (picture,), (table, *_) = staircase_parts(analysis), claims_parts(analysis)
    assert isinstance(picture, Figure)
    assert isinstance(table, Grid)
    assert "at least 2 of 4 datasets" in picture.alt
    assert picture.draw(theme=LIGHT).layout.xaxis.title.text == "u: B better on at least u of 4"
    assert "“base is better than ours on at least u of 4”" in table.caption
    assert table.marked == (True, True, False, False)
    holds = [(row[0], row[1]) for row in claims_records(analysis).rows if row[3] == "yes"]
    assert holds == [("base is better than ours", 1), ("base is better than ours", 2)]
    # Where both are shown A's comes first.
    both = of(of_examples((3, 3), (2, 14), (15, 1)))
    assert [q.claim for q in both.questions] == ["a-better", "b-better"]


def test_a_dataset_that_one_reading_alone_names_is_named_nowhere_and_said_to_hang_on_it() -> None:
    table = read_as(PValueTable, b"Dataset,A,B,p\nx,90,88,.99\ny,80,82,.01\nz,70,71,.03\n")
    analysis = analyse(replace(table, alternative="greater"), AnalysisSettings())
    assert analysis.question.key == "b-better/greater"
    names = analysis.identification(analysis.question, "holm")
    own = analysis.question.answer
    assert not names.rejected.any()
    assert not own.named.any()
    assert not own.named_apart.any()
    assert (names.adjusted_p_values[0], own.p_values[0]) == (0.99, pytest.approx(0.01))
    hangs = "; read as one-sided for A, B is significantly better than A on x."
    lines = list(answer_lines(analysis, ""))
    assert sum(hangs in line for line in lines) == 1
    assert not [line for line in lines if "x (Holm)" in line]
    # Another reading, where it is asked for, has names of its own.
    other = next(one for one in analysis.questions if one.key == "b-better/less")
    assert not other.headline
    assert analysis.identification(other, "holm").rejected.tolist() == [False, True, False]


def test_a_reading_with_a_smaller_p_value_is_not_the_most_cautious_one() -> None:
    for p_value, cautious in ((".3", False), (".08", True)):
        analysis = of(f"dataset,ours,base,p_value\nx,.9,.8,{p_value}\n".encode())
        (said,) = [line for line in answer_lines(analysis, "") if "We read them" in line]
        assert ("the most cautious reading" in said) is cautious, said
        assert ("one-sided for base: p = .7000" in said) is not cautious, said


def test_what_stands_in_for_a_test_is_said_of_each_system_by_name_and_of_no_difference() -> None:
    table = b"dataset,ours,base,p_value\nx,1,2,.001\ny,3,2,.001\nz,5,3,.001\n"
    data = read_as(PValueTable, table, name="mine.csv", roles={"alternative": "two-sided"})
    analysis = analyse(data, AnalysisSettings(), origin=Origin(title="mine.csv"))
    said = " ".join(statements.about_the_count(analysis, analysis.questions[0]))
    assert "base is not behind (1 of 3)" in said
    assert "ours is not behind (2 of 3)" in said
    differ = next(question for question in analysis.questions if question.claim == "differ")
    assert "is not behind" not in " ".join(statements.about_the_count(analysis, differ))


def test_only_examples_of_the_datasets_in_use_are_counted() -> None:
    content = of_examples((3, 3), (2, 14), (5, 5), n=30) + b"last,1,1,0\nlast,2,1,0\n"
    whole = statements.what_was_read(of(content))
    assert "4 datasets, 2 systems, 92 examples" in whole
    part = statements.what_was_read(of(content, AnalysisSettings(excluded=("w0", "last"))))
    assert "2 of 4 datasets" in part
    assert "60 examples" in part


def test_datasets_that_one_system_wins_on_every_example_decide_the_average() -> None:
    # The lead was once of the three others alone: base ahead.
    rows = of_examples(*[(100, 0)] * 4, *[(0, 5)] * 2, (0, 6), n=100)
    (lead, differing, *_) = (
        part.text for part in effects_parts(of(rows)) if isinstance(part, Paragraph)
    )
    average = (4.0 - 0.05 - 0.05 - 0.06) / 7.0
    assert lead.startswith(
        f"ours is ahead of base by {average:.2f} in accuracy on average over 7 datasets"
    )
    assert "leave out 4" in differing


def test_scores_on_examples_without_a_name_leave_open_which_is_better() -> None:
    rng = np.random.default_rng(4)
    rows = "dataset,example,ours,base\n" + "".join(
        f"d{d},{i},{rng.random():.3f},{rng.random():.3f}\n" for d in range(3) for i in range(12)
    )
    plain = of(rows.encode())
    assert statements.leaves_direction_open(plain.data, plain.settings, plain.origin)
    right = of(B_AHEAD)
    assert not statements.leaves_direction_open(right.data, right.settings, right.origin)


@pytest.mark.parametrize(
    ("metric", "is_open"),
    [
        ("attack success rate", True),
        ("gap", True),
        ("CIDEr", False),
        ("accuracy", False),
        ("WER", False),
    ],
)
@pytest.mark.parametrize("ids", [("",), ("1,", "2,", "3,")], ids=["averages", "examples"])
def test_a_metric_that_nobody_knows_leaves_open_which_score_is_better(
    metric: str, is_open: bool, ids: tuple[str, ...]
) -> None:
    cells = ((d, i, s) for d in "xyz" for i in ids for s in ("ours", "base"))
    rows = "".join(f"{d},{i}{s},{10 + n % 3}\n" for n, (d, i, s) in enumerate(cells))
    header = f"dataset,{'example,' if len(ids) > 1 else ''}system,{metric}\n"
    data = read_results((header + rows).encode())
    assert isinstance(data, ScoreTable | ResultSet)
    is_asked = statements.leaves_direction_open(data, AnalysisSettings(), Origin(title="mine"))
    assert is_asked is is_open


def small_gains_and_large_losses(
    n: int = 200, *, decimals: int | None = 3, more: tuple[str, ...] = ()
) -> ResultSet:
    """On four datasets a small gain of "small" on 90% of examples and a large loss on 10%."""
    rng = np.random.default_rng(7)
    scores = {}
    for name in ("d0", "d1", "d2", "d3", *more):
        base = rng.random(n)
        loses = rng.permutation(n) < n // 10
        gain = np.where(loses, rng.uniform(-0.6, -0.4, n), rng.uniform(0.01, 0.03, n))
        if name in more:
            gain = np.abs(gain)
        scores[name] = {"small": base + gain, "base": base}
    if decimals is not None:
        scores = {d: {s: x.round(decimals) for s, x in own.items()} for d, own in scores.items()}
    return ResultSet.from_scores(scores)


def test_a_lower_mean_on_all_datasets_is_by_default_better_on_none() -> None:
    for decimals in [3, None]:
        analysis = analyse(small_gains_and_large_losses(decimals=decimals))
        differences = analysis.table.differences
        assert (differences < 0.0).all(), decimals
        answer_a, answer_b = analysis.assessment.answer_a, analysis.assessment.answer_b
        assert (answer_a.k_hat, answer_b.k_hat) == (0, 4), decimals
        assert not answer_a.named_apart.any(), decimals
        said = statements.lead(analysis, analysis.question)
        assert "base is better than small on all 4 datasets" in said.partition(". ")[0], decimals
        assert analysis.other_sides == [], decimals


def test_tests_of_ranks_and_signs_say_what_they_test_and_where_the_mean_says_the_opposite() -> None:
    for test in ["wilcoxon", "sign"]:
        data = small_gains_and_large_losses()
        for swapped in (False, True):
            analysis = analyse(data, AnalysisSettings(test=test, swapped=swapped))
            answer = analysis.assessment.answer_b if swapped else analysis.assessment.answer_a
            assert answer.k_hat == 4, test
            front = analysis.cautions[0]
            for fact in (
                "all 4 datasets with p ≤ .05 for small",
                "worse",
                "base",
                "whole 95% interval",
            ):
                assert fact in front, (swapped, fact)
            assert all(name in front for name in data.datasets), test
            lines = list(answer_lines(analysis))
            said = verdict(analysis.assessment, analysis.subject)
            claim = "small tends to score higher than base on all 4 datasets"
            assert claim in said.statement.text, test
            assert [f"Caution: {front}" in line for line in lines].index(True) < [
                claim in line for line in lines
            ].index(True), test
            (section,) = chosen_sections(analysis, ["verdict"])
            assert section.parts[0] == Paragraph(text=front, tone="caution"), test
            assert results_sentences(analysis)[0] == front, test
            assert json.loads(to_json(analysis))["cautions"][0] == front, test
            methods = " ".join(methods_paragraphs(analysis))
            stated = [
                said.statement.text,
                *(tile.heading for tile in said.tiles),
                *statements.about_the_count(analysis, analysis.question),
                *statements.names_and_count(analysis, analysis.question),
                statements.other_names(analysis, analysis.question, "holm"),
                statements.lead(analysis, analysis.question),
                methods,
            ]
            assert not [one for one in stated if "is better" in one or " better on" in one], test


def test_at_a_margin_too_a_mean_that_contradicts_the_ranks_is_said_and_decides_nothing() -> None:
    # Each mean difference lies near −.032, each pseudo-median near .02.
    data = small_gains_and_large_losses(80)
    for claim, margin, contradicted in [
        ("not-worse", 0.01, True),
        ("better-by", 0.005, True),
        ("equivalent", 0.025, True),
        ("not-worse", 0.06, False),
        ("equivalent", 0.06, False),
    ]:
        chosen = AnalysisSettings(claim=claim, margin=margin, test="wilcoxon")
        analysis = analyse(data, chosen)
        assert analysis.assessment.answer_a is not None
        assert analysis.assessment.answer_a.k_hat == 4, claim
        said = analysis.cautions[0] if contradicted else ""
        assert analysis.other_sides == [said] * contradicted, claim
        facts = ("all 4 datasets", "its mean score contradicts that small is", "pseudo-median")
        assert all(fact in said for fact in facts) == contradicted, claim
        assert "by the pseudo-median of the differences" in " ".join(methods_paragraphs(analysis))
        said = statements.lead(analysis, analysis.question)
        assert f"{margin} in the pseudo-median on all 4 datasets" in said, claim
        outcome = decide(data, 1, chosen).outcome
        assert outcome == ("not decided" if contradicted else "shown"), claim


def test_only_datasets_whose_mean_says_the_opposite_are_said_to() -> None:
    data = small_gains_and_large_losses(more=("true",))
    front = analyse(data, AnalysisSettings(test="wilcoxon")).cautions[0]
    assert "On 4 of the 5 datasets" in front
    assert "true" not in front
    alone = analyse(data, AnalysisSettings(test="wilcoxon", excluded=("d0", "d1", "d2", "d3")))
    assert alone.other_sides == []
    # Where lower is better the same gains are losses, and the words turn.
    turned = replace(data, higher_is_better={"score": False})
    lower = analyse(turned, AnalysisSettings(test="wilcoxon"))
    assert "with p ≤ .05 for base" in lower.cautions[0]
    assert "base tends to score lower than small" in statements.lead(lower, lower.question)


@pytest.mark.parametrize(
    ("column", "said"),
    [("seed", "further runs on the same test sets"), ("fold", "share training data"), ("item", "")],
)
def test_rows_that_are_runs_or_folds_are_told_from_examples(column: str, said: str) -> None:
    rows = "".join(f"{d},{i},{i / 4},{i % 3}\n" for d in "xy" for i in range(1, 6))
    analysis = of(f"dataset,{column},ours,base\n{rows}".encode())
    told = [said in one for one in analysis.cautions if "not test examples" in one]
    assert told == [True] * bool(said)
    # Each dataset has its own first run, which is no example that two of them share.
    assert bool(statements.same_ids(analysis)) == (not said)


def test_where_no_result_could_be_significant_it_is_said_of_every_exact_test() -> None:
    # Four examples differ on w0 and six on w1: 2^−4 is above .05, and 2^−6 is not.
    content = of_examples((4, 0), (6, 0))
    for test in ("mcnemar", "approximate-randomization", "wilcoxon"):
        cautions = of(content, AnalysisSettings(test=test)).cautions
        (found,) = [one for one in cautions if "no result could be" in one]
        assert found.startswith(
            "On w0 no result could be significant: with so few examples that differ"
        ), test
        assert ".0625, above α = .05" in found, test
    assert not [one for one in of(of_examples((6, 0))).cautions if "no result could be" in one]


def test_few_examples_with_rare_losses_are_cautioned_beside_the_count() -> None:
    rng = np.random.default_rng(3)
    base = rng.random(60).round(2)
    loses = np.arange(60) % 15 == 0
    gain = np.where(loses, -0.3, rng.integers(5, 25, 60) / 100)
    scores = {
        # Rare large losses of A; the same of B; plain; few; 0 and 1.
        "skewed": {"a": base + gain, "b": base},
        "for b": {"a": base, "b": base + gain},
        "plain": {"a": base + rng.integers(0, 25, 60) / 100, "b": base},
        "few": {"a": base[:12] + 0.1 + rng.integers(0, 9, 12) / 100, "b": base[:12]},
    }
    data = ResultSet.from_scores(
        {d: {s: x.round(2) for s, x in own.items()} for d, own in scores.items()}
    )
    for swapped in (False, True):
        analysis = analyse(data, AnalysisSettings(swapped=swapped))
        first, second = [one for one in analysis.cautions if "p may be too small" in one]
        of_a, of_b = (second, first) if swapped else (first, second)
        assert "On skewed and few" in of_a
        assert "On for b " in of_b
        # The rates that the default was measured to have.
        assert "28% of studies with 12 examples" in of_a
    # Ranks have no mean; and of a dataset that nothing counts nothing is to be cautioned.
    for settings in (AnalysisSettings(test="wilcoxon"), AnalysisSettings(alpha=1e-9)):
        assert not [one for one in analyse(data, settings).cautions if "too small for" in one]
    outcomes = ResultSet.from_scores({"d": {"a": np.ones(12), "b": np.arange(12) % 3 == 0}})
    assert not [one for one in analyse(outcomes).cautions if "too small for" in one]


DATASETS = ("one", "two", "three", "four", "five")


@pytest.fixture
def stopped() -> Analysis:
    """Two of five datasets are tested, with a small p-value on one of them."""
    scores = {
        name: {"ours": [1.0] * 12 if name == "one" else [1.0, 0.0] * 6, "base": [0.0, 1.0] * 6}
        for name in DATASETS
    }
    data = ResultSet.from_scores(scores)
    tested = run_dataset_tests(
        ResultSet.from_scores({name: scores[name] for name in DATASETS[:2]}),
        a="ours",
        b="base",
        rng=0,
    )
    assert (tested.p_values <= 0.05).tolist() == [True, False]
    return analysis_of(data, tested.with_untested(DATASETS), AnalysisSettings(), origin=Origin())


def test_the_common_practice_counts_among_the_datasets_that_are_tested(stopped: Analysis) -> None:
    assert stopped.subject.n_untested == 3
    question = stopped.questions[0]
    tiles = counting_tiles([question], stopped.subject)
    assert tiles[-1].figure == "1 of 2 tested so far"
    # A sentence on it waits for all of them.
    assert statements.common_practice(stopped, question) == ""
    tiles = counting_tiles([question], replace(stopped.subject, n_untested=5))
    assert tiles[-1].figure == "none tested yet"


def test_nothing_is_said_to_hang_on_a_p_value_that_stands_in_for_a_test(stopped: Analysis) -> None:
    report = markdown_report(stopped)
    assert "Sensitivity is shown once every dataset is tested" in report
    assert "would still count" not in report
    assert "it rises to" not in report


def test_a_whole_table_has_nothing_untested(stopped: Analysis) -> None:
    assert isinstance(stopped.data, ResultSet)
    whole = run_dataset_tests(stopped.data, a="ours", b="base", rng=np.random.default_rng(0))
    analysis = analysis_of(stopped.data, whole, AnalysisSettings(), origin=Origin())
    assert analysis.subject.n_untested == 0
    assert "would still count" in statements.common_practice(analysis, analysis.questions[0])


@pytest.mark.parametrize(
    ("header", "row", "last", "same"),
    [
        ("A,B", ".5,.5", "1,1", "score"),
        ("A,B", ".5,.5", "1,0", ""),
        # Other predictions of the same score are not called one output.
        ("gold,A,B", "a,a,a", "a,b,b", "predictions"),
        ("gold,A,B", "a,a,a", "a,b,c", ""),
        ("tp_A,fp_A,fn_A,tp_B,fp_B,fn_B", "3,1,2,3,1,2", "3,1,2,3,1,2", "counts"),
    ],
)
def test_two_systems_with_the_same_output_on_every_example_are_pointed_out(
    header: str, row: str, last: str, same: str
) -> None:
    lines = [f"{d},{d}{i},{last if d == 'y' and i == 19 else row}" for d in "xy" for i in range(20)]
    data = read_as(ResultSet, "\n".join([f"dataset,example,{header}", *lines]).encode())
    cautions = " ".join(analyse(data, AnalysisSettings(n_resamples=99)).cautions)
    assert cautions.count("A and B have the same") == bool(same)
    assert f"A and B have the same {same} on all 40 examples." in cautions or not same
