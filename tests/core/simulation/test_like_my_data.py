"""Studies like one's own: every null is true, and shared examples keep their dependence."""

from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from core.data.result_set import ResultSet
from core.data.side_data import Inputs
from core.significance.single import run_significance_test
from core.simulation.like_my_data import LikeMyData, contributions, like_my_data
from core.simulation.runs import simulate_k_hat
from tests.core.made import counts_of, set_of

N_DRAWS = 20_000
SMALLEST_P_VALUE = 1e-4
randomization = partial(run_significance_test, test="approximate-randomization")
LEVELS = (0.001, 0.01, 0.05, 0.2, 0.5)
WORDS = [
    f"{first}{second}{last}"
    for first in ("ba", "de", "fi", "go", "lu", "my", "pe", "ra", "so", "tu")
    for second in ("ber", "den", "fil", "gor", "lum", "mit", "pes", "ran", "sok", "tur")
    for last in ("ing", "ed", "ly", "ous", "ness", "able")
]


def valid(p_values: np.ndarray) -> bool:
    """Whether each column is consistent with P(p <= t) <= t."""
    hits = [[int(np.count_nonzero(column <= t)) for t in LEVELS] for column in p_values.T]
    return all(
        binomtest(count, len(p_values), level, alternative="greater").pvalue >= SMALLEST_P_VALUE
        for counts in hits
        for count, level in zip(counts, LEVELS, strict=True)
    )


def drawn(source: LikeMyData, n: int = N_DRAWS) -> np.ndarray:
    return source.draw(np.random.default_rng(1), n)


@cache
def shared_outcomes() -> tuple[ResultSet, dict[str, list[str]], dict[str, tuple[float, float]]]:
    """0/1 outcomes of 600 words; four datasets of them, the last one the union of two."""
    rng = np.random.default_rng(3)
    outcome = {word: (float(rng.random() < 0.7), float(rng.random() < 0.6)) for word in WORDS}
    held = {
        "first": WORDS[:200],
        "second": WORDS[150:400],
        "alone": WORDS[400:450],
        "union": WORDS[:400],
    }
    scores = {
        name: {"A": [outcome[w][0] for w in words], "B": [outcome[w][1] for w in words]}
        for name, words in held.items()
    }
    return ResultSet.from_scores(scores, examples=held), held, outcome


def continuous(metric: str, rng: np.random.Generator) -> ResultSet:
    """Three datasets that share half of their examples, as `metric` needs them."""
    n, kind = 120, {"score": "mean", "loss": "mean"}.get(metric, metric)
    gold = rng.normal(size=400)
    if kind in ("spearman", "pearson"):
        values: Any = gold[:, np.newaxis] + rng.normal(size=(400, 2))
    elif kind == "f1":
        values = rng.integers(0, 6, size=(400, 2, 3)).astype(np.float64)
    elif kind == "bleu":
        values = counts_of("bleu", 400)
    else:
        values = rng.normal(size=(400, 2)) ** 3
    parts = [slice(0, n), slice(n // 2, n // 2 + n), slice(n, 2 * n)]
    codes = np.arange(400, dtype=np.int32)
    return ResultSet(
        datasets=("D", "E", "F"),
        systems=("A", "B"),
        values={metric: tuple(values[part] for part in parts)},
        higher_is_better={metric: metric != "loss"},
        kinds={metric: kind},
        gold_scores=tuple(gold[part] for part in parts)
        if kind in ("spearman", "pearson")
        else None,
        inputs=Inputs(columns=("text",), codes=tuple(codes[part] for part in parts)),
    )


def test_zero_one_outcomes_give_mcnemars_exact_p_values() -> None:
    data, held, outcome = shared_outcomes()
    source = like_my_data(data, a="A", b="B")
    p_values = drawn(source)
    for column, words, units in zip(p_values.T, held.values(), source.n_units, strict=True):
        m = sum(outcome[word][0] != outcome[word][1] for word in words)
        assert units == m
        attainable = binom.sf(np.arange(m + 1) - 1, m, 0.5)
        found, counts = np.unique(column, return_counts=True)
        nearest = np.abs(found[:, np.newaxis] - attainable).argmin(axis=1)
        assert found == pytest.approx(attainable[nearest], abs=1e-12)
        for b, count in zip(nearest.tolist(), counts.tolist(), strict=True):
            assert binomtest(count, N_DRAWS, binom.pmf(b, m, 0.5)).pvalue > 1e-6
    assert source.is_exact.all()
    assert valid(p_values)


def test_dependence_is_that_of_flipping_each_example_wherever_it_stands() -> None:
    data, held, outcome = shared_outcomes()
    source = like_my_data(data, a="A", b="B")
    # By hand: one coin a word, McNemar's table made anew for each dataset.
    rng = np.random.default_rng(5)
    coins = rng.integers(0, 2, size=(4000, len(WORDS)))
    by_hand = np.empty((4000, 4))
    for index, words in enumerate(held.values()):
        b = np.zeros(4000, dtype=np.intp)
        m = 0
        for word in words:
            a_wins, b_wins = outcome[word]
            if a_wins != b_wins:
                m += 1
                b += coins[:, WORDS.index(word)] == int(a_wins)
        by_hand[:, index] = binom.sf(b - 1, m, 0.5)
    found = np.corrcoef(drawn(source), rowvar=False)
    assert np.abs(found - np.corrcoef(by_hand, rowvar=False)).max() < 5.0 / np.sqrt(4000)
    assert found[0, 3] > 0.5
    assert abs(found[0, 2]) < 5.0 / np.sqrt(N_DRAWS)
    differing = {
        name: {w for w in words if outcome[w][0] != outcome[w][1]} for name, words in held.items()
    }
    held_twice = [w for w in WORDS if sum(w in words for words in differing.values()) > 1]
    assert source.n_shared == len(held_twice)


@pytest.mark.parametrize("metric", ["score", "loss", "spearman", "pearson", "f1", "bleu"])
def test_p_values_of_every_kind_of_metric_are_valid_and_those_of_randomization(metric: str) -> None:
    data = continuous(metric, np.random.default_rng(7))
    source = like_my_data(data, a="A", b="B", metric=metric)
    p_values = drawn(source)
    assert valid(p_values)
    # Nor are they far too large.
    for column in p_values.T:
        assert (
            binomtest(int(np.sum(column <= 0.2)), N_DRAWS, 0.19, alternative="less").pvalue > 1e-4
        )
    # Of F1 a few of the 120 have equal statistics by chance.
    assert 115 < source.n_shared <= 120
    # The data's own p-values, beside the test that exchanges statistics and ranks themselves.
    for index, dataset in enumerate(data.datasets):
        a, b = (data.scores(dataset, system, metric) for system in "AB")
        how: dict[str, Any] = {"gold": data.gold(dataset), "metric": data.kind_of(metric)}
        how["higher_is_better"] = data.is_higher_better(metric)
        reference = randomization(a, b, n_resamples=19_999, rng=1, **how)
        assert source.observed_p_values[index] == pytest.approx(reference.p_value, abs=0.02)


@pytest.mark.parametrize("kind", ["ratio", "f1"])
def test_one_statistic_that_differs_gives_the_exact_test(kind: str) -> None:
    # Correct of as many words; or true positives alone, which F1 rises with.
    rng = np.random.default_rng(12)
    fixed = rng.integers(5, 30, size=(70, 1, 2 if kind == "f1" else 1)).repeat(2, axis=1)
    correct = rng.binomial(fixed[..., :1], [[0.8], [0.75]])
    values = np.concatenate([correct, fixed], axis=2).astype(np.float64)
    source = like_my_data(set_of(kind, values, datasets="D"), a="A", b="B")
    assert source.is_exact.all()
    reference = randomization(correct[:, 0, 0], correct[:, 1, 0], method="exact")
    assert source.observed_p_values[0] == pytest.approx(reference.p_value, abs=1e-12)
    lower = set_of(kind, values, datasets="D", higher=False)
    turned = like_my_data(lower, a="A", b="B").observed_p_values[0]
    assert turned == pytest.approx(reference.p_value_less, abs=1e-12)
    # Of measurements there is none, nor of two statistics that differ or of nine decimals.
    measured = np.concatenate([correct * [[np.pi], [np.e]], fixed], axis=2)
    swapped = np.array([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]] * 5)
    for of, table in (
        (kind, measured),
        ("f1", swapped),
        ("mean", rng.normal(size=(70, 2)).round(9)),
    ):
        data = set_of(of, table, datasets="D")
        assert not like_my_data(data, a="A", b="B").is_exact.any()


def test_what_differs_without_a_bearing_on_the_score_is_no_evidence() -> None:
    # Without a true positive F1 is 0 however many are false.
    rng = np.random.default_rng(12)
    values = np.zeros((40, 2, 3))
    values[:, :, 1] = rng.integers(1, 9, size=(40, 2))
    source = like_my_data(set_of("f1", values, datasets="D"), a="A", b="B")
    assert (source.observed_p_values.tolist(), source.n_units.tolist()) == ([1.0], [0])


def test_what_speaks_for_a_on_one_dataset_and_for_b_on_another_does_so_in_every_study() -> None:
    outcomes = np.array([[1.0, 0.0]] * 4 + [[0.0, 1.0]])
    data = ResultSet.from_scores(
        {
            "D": dict(zip("AB", outcomes.T, strict=True)),
            "E": dict(zip("BA", outcomes.T, strict=True)),
        },
        examples={"D": WORDS[:5], "E": WORDS[:5]},
    )
    for d, e in drawn(like_my_data(data, a="A", b="B"), 2):
        wins = np.abs(binom.sf(np.arange(6) - 1, 5, 0.5) - d).argmin()
        assert e == pytest.approx(binom.cdf(wins, 5, 0.5))


def test_labels_and_their_metrics_are_valid() -> None:
    rng = np.random.default_rng(8)
    gold = {name: rng.choice(list("xyz"), size=90) for name in ("D", "E")}
    predictions = {
        name: {
            s: np.where(rng.random(90) < 0.6, right, rng.choice(list("xyz"), size=90)) for s in "AB"
        }
        for name, right in gold.items()
    }
    data = ResultSet.from_predictions(
        {name: right.tolist() for name, right in gold.items()},
        {name: {s: p.tolist() for s, p in of.items()} for name, of in predictions.items()},
        examples=dict.fromkeys(gold, WORDS[:90]),
    )
    for metric in ("macro-F1", "MCC", "F1 of x"):
        source = like_my_data(data, a="A", b="B", metric=metric)
        assert valid(drawn(source, 5000))
        for index, name in enumerate(gold):
            how: dict[str, Any] = {"positive": "x"} if metric == "F1 of x" else {}
            how |= {"gold": gold[name], "metric": data.kind_of(metric)}
            a, b = predictions[name].values()
            reference = randomization(a, b, n_resamples=19_999, rng=1, **how)
            assert source.observed_p_values[index] == pytest.approx(reference.p_value, abs=0.03)


def test_shares_in_matthews_correlation_are_its_slope_in_every_digit() -> None:
    # What an example adds to the covariances of indicators (Gorodkin 2004), pooled over both systems.
    rng = np.random.default_rng(8)
    right, a, b = (rng.choice(4, size=400, p=(0.6, 0.3, 0.08, 0.02)) for _ in range(3))
    a[:300], b[:200] = right[:300], right[:200]
    data = ResultSet.from_predictions(
        {"D": right.tolist()}, {"D": {"A": a.tolist(), "B": b.tolist()}}
    )
    x, *said = (np.eye(4)[codes] for codes in (right, a, b))
    x = x - x.mean(axis=0)
    apart = np.stack(said) - np.mean(said, axis=(0, 1))
    xx, yy = np.sum(x**2), np.sum(apart**2) / 2
    r = np.sum(x * apart) / 2 / np.sqrt(xx * yy)
    shares = np.sum(x * apart, axis=2) / np.sqrt(xx * yy) - r / 2 * np.sum(apart**2, axis=2) / yy
    found = contributions(data, "D", "A", "B", "MCC").values
    assert found == pytest.approx(shares[0] - shares[1], rel=1e-12, abs=1e-16)


def test_a_penalty_that_begins_at_these_lengths_counts_by_half() -> None:
    # Outputs of 52 and 46 words are together as long as both references: BLEU's slope has a bend.
    counts = np.array(
        [[[52, 49, 30, 20, 9, 5, 52, 50, 48, 46], [46, 49, 30, 20, 9, 5, 52, 50, 48, 46]]]
    )
    data = set_of("bleu", counts.astype(float), datasets="D")
    score = 100.0 * np.prod([30 / 52, 20 / 50, 9 / 48, 5 / 46]) ** 0.25
    found = contributions(data, "D", "A", "B", "bleu").values
    assert found == pytest.approx([score / 49 / 2 * 6], rel=1e-12)


def test_whole_clusters_change_places_also_across_datasets() -> None:
    rng = np.random.default_rng(9)
    outcomes = np.repeat(rng.choice([-1.0, 1.0], size=12), 10)
    zeros = np.zeros(120)
    documents = [f"document {i // 10}" for i in range(120)]
    own = [f"sentence {i}" for i in range(120)]
    data = ResultSet.from_scores(
        {"D": {"A": outcomes, "B": zeros}, "E": {"A": outcomes, "B": zeros}},
        # E holds one sentence of each document of D, and others.
        examples={
            "D": WORDS[:120],
            "E": [WORDS[i] if i % 10 == 0 else WORDS[200 + i] for i in range(120)],
        },
        clusters={"D": documents, "E": own},
    )
    source = like_my_data(data, a="A", b="B")
    assert source.n_units.tolist() == [12, 120]
    p_values = drawn(source)
    assert valid(p_values)
    attainable = binom.sf(np.arange(13) - 1, 12, 0.5)
    found = np.unique(p_values[:, 0])
    steps = [attainable[np.abs(attainable - p).argmin()] for p in found]
    assert found == pytest.approx(np.array(steps), abs=1e-12)
    # The documents' signs come to E through the sentences that both hold.
    assert np.corrcoef(p_values, rowvar=False)[0, 1] > 0.1
    # Examples of a cluster of E alone are tied as well.
    tied = ResultSet.from_scores(
        {"D": {"A": outcomes, "B": zeros}, "E": {"A": outcomes, "B": zeros}},
        examples={"D": WORDS[:120], "E": WORDS[:120]},
        clusters={"D": own, "E": documents},
    )
    assert like_my_data(tied, a="A", b="B").n_units.tolist() == [12, 12]


NUMBERS = [str(number) for number in range(1, 61)]
HASHES = [f"{number * 2654435761 % 2**32:08x}" for number in range(120)]


@pytest.mark.parametrize(
    ("first", "second", "more"),
    [
        (NUMBERS, NUMBERS, True),
        (HASHES[:60], HASHES[60:], True),
        (WORDS[::10], WORDS[1::10], False),
        (WORDS[:60], WORDS[30:90], False),
    ],
    ids=["counters", "other names", "other words", "shared words"],
)
def test_what_cannot_be_told_of_shared_examples_proves_nothing_of_fishers_count(
    first: list[str], second: list[str], more: bool
) -> None:
    rng = np.random.default_rng(4)
    scores = {name: {s: rng.normal(size=60).tolist() for s in "AB"} for name in ("D", "E")}
    data = ResultSet.from_scores(scores, examples={"D": first, "E": second})
    source = like_my_data(data, a="A", b="B")
    assert source.may_share_more == more
    assert ("fisher" in source.proved) == (not more and not source.n_shared)
    # A single dataset shares with none.
    assert "fisher" in like_my_data(data, a="A", b="B", without=["E"]).proved


def test_other_questions_on_the_same_passages_may_be_shared_examples() -> None:
    data = continuous("score", np.random.default_rng(7))
    codes = np.arange(360, dtype=np.int32).reshape(3, 120)
    columns = ("passage", "question")
    for passages, more in ((codes, False), (codes % 120, True)):
        texts = tuple(np.hstack([passages, 400 + codes]))
        inputs = Inputs(columns=columns, codes=tuple(codes), texts=texts, text_columns=columns)
        source = like_my_data(replace(data, inputs=inputs), a="A", b="B")
        assert source.may_share_more == more


def test_shared_examples_break_fishers_count_and_not_bonferronis() -> None:
    rng = np.random.default_rng(11)
    outcomes = rng.integers(0, 2, size=(300, 2)).astype(np.float64)
    picks = [np.sort(rng.choice(300, size=240, replace=False)) for _ in range(12)]
    data = ResultSet.from_scores(
        {f"D{i}": {"A": outcomes[p, 0], "B": outcomes[p, 1]} for i, p in enumerate(picks)},
        examples={f"D{i}": [WORDS[j] for j in p] for i, p in enumerate(picks)},
    )
    source = like_my_data(data, a="A", b="B")
    simulation = simulate_k_hat(source, n_repetitions=20_000, rng=1)
    assert simulation.overcount("fisher").position == "above"
    assert simulation.overcount("bonferroni").position != "above"
    assert simulation.scenario.startswith(
        f"like {data.fingerprint[:8]}: A and B exchanged by score"
    )


def test_datasets_left_out_take_no_part_and_tie_nothing() -> None:
    data, held, _ = shared_outcomes()
    whole = like_my_data(data, a="A", b="B")
    left = like_my_data(data, a="A", b="B", without=["union"])
    names = tuple(name for name in data.datasets if name != "union")
    alone = ResultSet.from_scores(
        {
            name: {system: data.scores(name, system).tolist() for system in data.systems}
            for name in names
        },
        examples={name: held[name] for name in names},
    )
    as_if_never_there = like_my_data(alone, a="A", b="B")
    assert left.n_datasets == len(names)
    assert left.n_shared == as_if_never_there.n_shared < whole.n_shared
    assert np.array_equal(drawn(left, 200), drawn(as_if_never_there, 200))
    place = data.datasets.index("union") + 1
    assert left.signature == f"{whole.signature}, without {place}"


def test_what_cannot_be_is_refused() -> None:
    data, _, _ = shared_outcomes()
    with pytest.raises(ValueError, match="'C'"):
        like_my_data(data, a="A", b="C")
    table = np.array([[1.0, 2.0], [1.0, 3.0]])
    constant = set_of("spearman", table, datasets="D", gold_scores=(np.array([1.0, 2.0]),))
    with pytest.raises(ValueError, match="The correlation on dataset 'D' is not defined"):
        like_my_data(constant, a="A", b="B")
    with pytest.raises(ValueError, match="The F1 of dataset 'D' has no slope"):
        like_my_data(set_of("f1", np.zeros((3, 2, 3)), datasets="D"), a="A", b="B")
