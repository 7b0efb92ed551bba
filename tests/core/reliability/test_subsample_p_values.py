"""A subsample's p-value is the one that its test gives on the subsample alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.data.result_set import ResultSet
from core.data.side_data import clusters_of_labels
from core.reliability.sample_size import DatasetSubsamples, subsample_significance, units_of
from core.reliability.subsamples import (
    method_of_rows,
    p_values_of_rows,
    random_orders,
    resampling_stream,
)
from core.significance.differences import clusters_of, paired_differences
from core.significance.run import run_dataset_tests
from core.significance.settings import TEST_ALTERNATIVES, Asked, Method, Settings, TestAlternative
from core.significance.single import run_significance_test
from core.types import FloatArray, IntArray
from tests.core.made import counts_of, set_of


def asked(rng: int = 0, **settings: Any) -> Asked:
    return Asked(settings=Settings(with_interval=False, **settings), rng=np.random.default_rng(rng))


SHARES = (0.1, 0.5, 0.9, 1.0)
N_SUBSAMPLES = 3
N_RESAMPLES = 1_099
SEED = 11

Scores = tuple[FloatArray, FloatArray]


def outcomes(n: int) -> Scores:
    rng = np.random.default_rng(1)
    a = (rng.random(n) < 0.7).astype(float)
    return a, np.where(rng.random(n) < 0.25, 1.0 - a, a)


def ratings(n: int) -> Scores:
    rng = np.random.default_rng(2)
    return rng.integers(1, 6, n) / 1.0, rng.integers(0, 6, n) / 1.0


def percentages(n: int) -> Scores:
    rng = np.random.default_rng(3)
    return np.round(rng.normal(52, 9, n), 1), np.round(rng.normal(50, 9, n), 1)


def measurements(n: int) -> Scores:
    rng = np.random.default_rng(4)
    return rng.normal(0.15, 1, n), rng.normal(0, 1, n)


def measurements_with_ties(n: int) -> Scores:
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.1, 1, n), rng.normal(0, 1, n)
    same = rng.random(n) < 0.4
    return a, np.where(same, a, b)


def few_measurements(n: int) -> Scores:
    """Seven values that no step divides: the bootstrap draws how often each comes."""
    rng = np.random.default_rng(6)
    return rng.normal(0.1, 1, 7)[rng.integers(0, 7, n)], np.zeros(n)


def a_clear_lead(n: int) -> Scores:
    a, b = outcomes(n)
    return a, np.where(np.arange(n) % 3 == 0, 0.0, np.minimum(a, b))


MAKERS: dict[str, Callable[[int], Scores]] = {
    "outcomes": outcomes,
    "ratings": ratings,
    "percentages": percentages,
    "measurements": measurements,
    "ties": measurements_with_ties,
    "few": few_measurements,
    "lead": a_clear_lead,
}


def own_p_values(
    own: DatasetSubsamples,
    a: FloatArray,
    b: FloatArray,
    share: float,
    *,
    clusters: IntArray | None = None,
    gold: FloatArray | None = None,
    **how: Any,
) -> list[float]:
    """Each subsample drawn anew and given to the test."""
    size = units_of(share, own.whole.n_units)
    found = []
    for chunk in random_orders(own.whole.n_units, N_SUBSAMPLES, seed=SEED, dataset=own.dataset):
        for order in chunk[:, :size]:
            places = order
            if clusters is not None:
                places = np.concatenate([np.flatnonzero(clusters == unit) for unit in order])
            found.append(
                run_significance_test(
                    a[places],
                    b[places],
                    test=own.full.test,
                    clusters=None if clusters is None else clusters[places],
                    gold=None if gold is None else gold[places],
                    n_resamples=N_RESAMPLES,
                    rng=resampling_stream(SEED, own.dataset, own.full.test, size),
                    **how,
                ).p_value
            )
    return found


COUNTS = ("mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "mcnemar-chi2-corrected")
OTHERS = ("wilcoxon", "paired-bootstrap", "approximate-randomization", "sign", "paired-t")
CASES = [
    *(("outcomes", test) for test in (*COUNTS, *OTHERS)),
    *((maker, test) for maker in MAKERS if maker != "outcomes" for test in OTHERS),
]
NAMES: dict[str, Method] = {"exact": "exact", "normal": "normal", "monte-carlo": "monte-carlo"}


def subsampled(results: ResultSet, test: str, **asked: Any) -> DatasetSubsamples:
    study = subsample_significance(
        results,
        a="A",
        b="B",
        test=test,
        shares=SHARES,
        n_subsamples=N_SUBSAMPLES,
        n_resamples=N_RESAMPLES,
        rng=SEED,
        **asked,
    )
    return study.datasets[0]


@pytest.mark.parametrize(("maker", "test"), CASES)
def test_a_subsample_has_the_p_value_of_its_own_test(maker: str, test: str) -> None:
    a, b = MAKERS[maker](300)
    results = ResultSet.from_scores({"one": {"A": a, "B": b}})
    # Each size with another alternative, in turn.
    for place in range(len(SHARES) - 1):
        alternative = TEST_ALTERNATIVES[(CASES.index((maker, test)) + place) % 3]
        own = subsampled(results, test, alternative=alternative)
        point = own.points[place]
        method = NAMES[point.method] if test in OTHERS[:3] else "auto"
        expected = own_p_values(own, a, b, point.share, method=method, alternative=alternative)
        # Of exact tests both promise six digits however small the tail; resamples are the same.
        assert point.p_values.tolist() == pytest.approx(expected, rel=1e-6, abs=0)
        assert maker in ("few", "lead") or not point.out_of_reach.any()


def test_more_examples_than_are_drawn_at_once_are_each_drawn_as_often() -> None:
    n, a = 300_000, np.random.default_rng(1).normal(1e-3, 1.0, 300_000)
    found = p_values_of_rows(
        paired_differences(a, np.zeros(n)),
        np.arange(n)[np.newaxis],
        asked(rng=2, n_resamples=19, method="monte-carlo"),
        test="paired-bootstrap",
    )
    own = run_significance_test(
        a, np.zeros(n), test="paired-bootstrap", n_resamples=19, rng=np.random.default_rng(2)
    )
    assert found.p_values.tolist() == [own.p_value]


@pytest.mark.parametrize("unit", [1.0, 1e-9])
@pytest.mark.parametrize(("largest", "beyond"), [(2.9, True), (3.0, False)])
def test_three_gains_of_1_and_one_of_3_reach_twice_their_mean(
    largest: float, beyond: bool, unit: float
) -> None:
    gains, none = np.array([1.0, 1.0, 1.0, largest]) * unit, np.zeros(4)
    sides: tuple[tuple[FloatArray, FloatArray, TestAlternative], ...]
    sides = ((gains, none, "greater"), (none, gains, "less"))
    for a, b, side in sides:
        found = p_values_of_rows(
            paired_differences(a, b),
            np.arange(4)[np.newaxis],
            asked(alternative=side, n_resamples=9, method="monte-carlo"),
            test="paired-bootstrap",
        )
        assert found.out_of_reach.tolist() == [beyond]


@pytest.mark.parametrize(
    ("maker", "size", "test", "method"),
    [
        ("outcomes", 270, "mcnemar", "exact"),
        ("outcomes", 270, "mcnemar-chi2", "normal"),
        ("outcomes", 270, "wilcoxon", "exact"),
        ("ratings", 50, "wilcoxon", "exact"),
        ("ratings", 51, "wilcoxon", "normal"),
        *(
            (maker, 1_500, test, method)
            for test in ("paired-bootstrap", "approximate-randomization")
            for maker, method in (("ratings", "exact"), ("fine", "monte-carlo"))
        ),
    ],
)
def test_what_takes_longer_than_resamples_or_a_normal_approximation_is_not_exact(
    maker: str, size: int, test: str, method: str
) -> None:
    fine = np.random.default_rng(1).integers(-30_000, 30_000, 2_000) / 1e4
    scores = (fine, 0.0 * fine) if maker == "fine" else MAKERS[maker](2_000)
    assert method_of_rows(paired_differences(*scores), size, test) == method


@pytest.mark.parametrize("test", ["paired-bootstrap", "approximate-randomization"])
@pytest.mark.parametrize("sizes", ["equal", "several"])
def test_whole_clusters_are_drawn(test: str, sizes: str) -> None:
    a, b = ratings(240)
    labels = np.arange(240) // 6 if sizes == "equal" else np.sort(np.arange(240) ** 2 % 41)
    clusters = clusters_of(labels, n_examples=240).codes
    results = ResultSet.from_scores(
        {"one": {"A": a, "B": b}}, clusters={"one": [str(label) for label in labels]}
    )
    own = subsampled(results, test)
    assert own.unit == "clusters"
    for point in own.points[:-1]:
        method = NAMES.get(point.method, "auto")
        expected = own_p_values(own, a, b, point.share, method=method, clusters=clusters)
        assert point.p_values.tolist() == pytest.approx(expected, rel=1e-6)


def shared_totals(n: int) -> FloatArray:
    """Corrects of two systems out of the same totals."""
    rng = np.random.default_rng(3)
    totals = rng.integers(3, 40, n)
    return np.stack([[rng.binomial(totals, p), totals] for p in (0.8, 0.77)]).T.swapaxes(1, 2) * 1.0


def seldom_given(n: int) -> FloatArray:
    """Both systems give the class on every other example, so that resamples may have no precision."""
    given = np.random.default_rng(9).integers(1, 30, (n, 2, 3)).astype(float)
    given[1::2, :, :2] = 0.0
    return given


COUNTED = {
    "ratio": shared_totals(80),
    "ratio of other totals": counts_of("ratio", 80),
    # Few different ones.
    "f1": np.random.default_rng(4).integers(0, 2, (200, 2, 3)).astype(float),
    "bleu": counts_of("bleu", 90),
    "precision": seldom_given(60),
}


@pytest.mark.parametrize(
    ("clustered", "alternative"),
    [(False, "greater"), (False, "less"), (False, "two-sided"), (True, "less")],
)
@pytest.mark.parametrize("test", ["paired-bootstrap", "approximate-randomization"])
@pytest.mark.parametrize("name", COUNTED)
def test_metrics_of_counts_are_those_of_the_subsample(
    name: str, test: str, clustered: bool, alternative: TestAlternative
) -> None:
    counted, kind = COUNTED[name], name.split()[0]
    codes = np.arange(len(counted)) // 3 if clustered else None
    labels = None if codes is None else clusters_of_labels({"d": codes.tolist()}, "d")
    own = subsampled(set_of(kind, counted, clusters=labels), test, alternative=alternative)
    for point in own.points[:-1]:
        expected = own_p_values(
            own,
            counted[:, 0],
            counted[:, 1],
            point.share,
            method="monte-carlo" if point.method == "monte-carlo" else "auto",
            alternative=alternative,
            clusters=codes,
            metric=kind,
        )
        assert point.p_values.tolist() == pytest.approx(expected, rel=1e-6)
        assert (point.method == "monte-carlo") or test == "approximate-randomization"


def test_correlations_are_those_of_the_subsample() -> None:
    rng = np.random.default_rng(8)
    gold = rng.normal(0, 1, 60)
    a, b = (gold + rng.normal(0, s, 60) for s in (0.8, 1.0))
    own = subsampled(set_of("spearman", np.column_stack([a, b]), gold_scores=(gold,)), "williams")
    for point in own.points[:-1]:
        assert point.method == "one-by-one"
        expected = own_p_values(own, a, b, point.share, metric="spearman", gold=gold)
        assert point.p_values.tolist() == expected


def test_the_whole_dataset_has_the_p_value_of_its_analysis() -> None:
    for maker, test in CASES:
        a, b = MAKERS[maker](120)
        results = ResultSet.from_scores({"one": {"A": a, "B": b}})
        how = {"a": "A", "b": "B", "test": test, "n_resamples": 99, "rng": SEED}
        study = subsample_significance(results, n_subsamples=1, **how)  # type: ignore[arg-type]
        table = run_dataset_tests(results, **how)  # type: ignore[arg-type]
        assert study.datasets[0].p_value == table.p_values[0], (maker, test)


def test_a_lower_score_may_be_the_better_one() -> None:
    a, b = percentages(200)
    lower = ResultSet.from_scores({"one": {"A": a, "B": b}}, higher_is_better=False)
    higher = ResultSet.from_scores({"one": {"A": b, "B": a}})
    found = [
        subsample_significance(results, a="A", b="B", test="paired-t", n_subsamples=5).datasets[0]
        for results in (lower, higher)
    ]
    for one, other in zip(found[0].points, found[1].points, strict=True):
        assert one.p_values == pytest.approx(other.p_values, rel=1e-12)
