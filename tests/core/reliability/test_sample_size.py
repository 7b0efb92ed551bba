"""What subsamples of datasets say of how a p-value depends on the size."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.data.result_set import ResultSet
from core.reliability.power import StatedEffect, power_at
from core.reliability.sample_size import (
    SHARES,
    DatasetSubsamples,
    SubsamplePoint,
    SubsampleStudy,
    shares_given_full,
    subsample_significance,
    units_of,
)
from core.significance.settings import TEST_ALTERNATIVES, TestAlternative
from core.significance.stopping import Stopped
from tests.core.made import set_of

# A true claim fails one of these tests with at most this chance, for another seed.
UNLIKELY = 1e-4


def studied(results: ResultSet, **asked: Any) -> SubsampleStudy:
    return subsample_significance(results, **{"a": "A", "b": "B", **asked})


def compared(n: int, shift: float, *, n_datasets: int = 1, seed: int = 0) -> ResultSet:
    rng = np.random.default_rng(seed)
    return ResultSet.from_scores(
        {f"set {i}": {"A": rng.normal(shift, 1, n), "B": np.zeros(n)} for i in range(n_datasets)}
    )


def with_whole(n: int, z: float) -> ResultSet:
    """A dataset whose t statistic is z."""
    rng = np.random.default_rng(5)
    noise = rng.normal(0, 1, n)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    return ResultSet.from_scores({"one": {"A": noise + z / np.sqrt(n), "B": np.zeros(n)}})


def point_of(significant: int, n: int, share: float) -> SubsamplePoint:
    p_values = np.where(np.arange(n) < significant, 0.01, 0.5)
    return SubsamplePoint(
        share=share,
        n_units=100,
        n_examples=100,
        p_values=p_values,
        out_of_reach=np.zeros(n, dtype=np.bool_),
        method="exact",
        alpha=0.05,
    )


@cache
def small_study() -> SubsampleStudy:
    return studied(compared(100, 0.1, n_datasets=3), n_subsamples=10, test="paired-t", rng=3)


def table_row(shares: Sequence[int], *, whole_significant: bool) -> DatasetSubsamples:
    """A dataset with so many of 100 subsamples significant at each size."""
    own = small_study().datasets[0]
    smaller = [point_of(k, 100, s) for k, s in zip(shares, (0.1, 0.25, 0.5, 0.75), strict=True)]
    return replace(own, points=(*smaller, point_of(int(whole_significant), 1, 1.0)))


@pytest.mark.parametrize(
    ("shares", "whole_significant", "mark"),
    [
        # Søgaard et al. (2014), Table 4: Emails, Reviews, Weblogs, WSJ.
        ((14, 15, 19, 22), False, "vanishes"),
        ((33, 52, 78, 97), True, ""),
        ((42, 68, 100, 100), True, ""),
        ((28, 27, 60, 80), True, ""),
        # What equal systems give is no mark, nor is little more.
        ((5, 4, 6, 2), False, ""),
        ((9, 9, 9, 9), False, ""),
        # P(X >= 10) = .028 of 100 at .05, P(X >= 11) = .011, beside .05/4.
        ((10, 5, 5, 5), False, ""),
        ((11, 5, 5, 5), False, "vanishes"),
        ((9, 23, 25, 41), True, "fragile"),
        ((9, 23, 25, 49), True, "fragile"),
        ((9, 23, 25, 50), True, ""),
    ],
)
def test_significance_that_vanishes_with_more_data_is_marked(
    shares: tuple[int, ...], whole_significant: bool, mark: str
) -> None:
    assert table_row(shares, whole_significant=whole_significant).mark == mark


@pytest.mark.parametrize(
    ("z", "alternative"),
    [(-1.0, "two-sided"), (0.5, "greater"), (1.4, "two-sided"), (2.5, "greater")],
)
def test_the_whole_p_value_foretells_the_shares_of_its_subsamples(
    z: float, alternative: TestAlternative
) -> None:
    n_subsamples = 400
    study = studied(
        with_whole(2_000, z),
        test="paired-t",
        n_subsamples=n_subsamples,
        alternative=alternative,
        rng=1,
    )
    (own,) = study.datasets
    for point, told in zip(own.points, own.shares_given_full, strict=True):
        # Nested subsamples of one dataset: 4 standard errors, and the normal approximation.
        assert abs(point.share_significant - told) <= 4 * np.sqrt(0.25 / n_subsamples) + 0.01


@pytest.mark.parametrize(
    ("p_value", "printed"), [(0.083, (14, 15, 19, 22)), (0.049, (9, 23, 25, 41))]
)
def test_printed_shares_are_those_that_the_whole_p_value_foretells(
    p_value: float, printed: tuple[int, ...]
) -> None:
    # Søgaard et al. (2014), Table 4 and the p-values of LAS: Emails and Newsgroups. How many
    # subsamples there were is not printed; 100 is the least that gives whole per cent.
    told = shares_given_full(p_value, [0.1, 0.25, 0.5, 0.75], alpha=0.05)
    for count, share in zip(printed, told, strict=True):
        assert stats.binomtest(count, 100, share).pvalue > 0.01


def outcomes(n: int, effect: float, disagreement: float, *, n_datasets: int) -> ResultSet:
    """Independent datasets in which A alone has (q + d)/2 right, and B alone (q − d)/2."""
    rng = np.random.default_rng(2014)
    scores = {}
    for i in range(n_datasets):
        draw = rng.random(n)
        wins = draw < (disagreement + effect) / 2
        losses = ~wins & (draw < disagreement)
        both = ~wins & ~losses & (rng.random(n) < 0.6)
        scores[f"set {i}"] = {"A": (wins | both) * 1.0, "B": (losses | both) * 1.0}
    return ResultSet.from_scores(scores)


@pytest.mark.parametrize(
    ("test", "effect", "binary"),
    [
        ("mcnemar", 0.06, True),
        ("mcnemar", 0.0, True),
        ("mcnemar-mid-p", 0.0, True),
        ("mcnemar-chi2-corrected", -0.06, True),
        ("approximate-randomization", 0.06, True),
        ("paired-t", 0.2, False),
        ("wilcoxon", 0.0, False),
        ("paired-bootstrap", 0.2, False),
        ("sign", 0.2, False),
    ],
)
def test_outcomes_and_means_are_significant_as_often_as_theory_says(
    test: str, effect: float, binary: bool
) -> None:
    n = 120
    results = outcomes(400, effect, 0.2, n_datasets=n)
    shares: tuple[float, ...] = SHARES
    if not binary:
        results, shares = compared(160, effect, n_datasets=n, seed=7), (0.25, 1.0)
    study = studied(results, test=test, shares=shares, n_subsamples=1, n_resamples=199, rng=2)
    sizes = [point.n_examples for point in study.datasets[0].points]
    assert sizes == ([40, 100, 200, 300, 400] if binary else [40, 160])
    seen: dict[str, Any] = {"disagreement": 0.2} if binary else {"standard_deviation": 1.0}
    theory = power_at(StatedEffect(effect=effect, test=test, **seen), sizes)
    for place, power in enumerate(theory.power.tolist()):
        count = sum(own.points[place].n_significant for own in study.datasets)
        assert stats.binomtest(count, n, power).pvalue > UNLIKELY
        if binary and effect == 0.0 and test != "mcnemar-mid-p":
            above = stats.binomtest(count, n, 0.05, alternative="greater").pvalue
            assert above > UNLIKELY
            assert theory.attained_level[place] <= 0.05


def test_further_datasets_shares_and_subsamples_change_none_of_the_others() -> None:
    results = compared(100, 0.1, n_datasets=3)
    for test in ("paired-t", "paired-bootstrap"):
        asked: dict[str, Any] = {"test": test, "n_resamples": 99, "rng": 4}
        (few,) = studied(
            results, shares=(0.5,), n_subsamples=5, datasets=["set 2"], **asked
        ).datasets
        many = studied(results, shares=(0.1, 0.5, 0.9), n_subsamples=20, **asked).datasets[2]
        assert few.dataset == many.dataset == "set 2"
        assert (many.points[1].p_values[:5] == few.points[0].p_values).all(), test
        assert few.p_value == many.p_value


def test_a_stopped_study_keeps_its_datasets() -> None:
    results = compared(60, 0.1, n_datasets=3)
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> bool:
        told.append((done, total))
        return done < 60

    study = studied(results, test="sign", n_subsamples=10, on_progress=tell)
    assert not study.complete
    assert [own.dataset for own in study.datasets] == ["set 0"]
    assert {total for _, total in told} == {3 * 41}
    with pytest.raises(Stopped):
        studied(results, on_progress=lambda *_: False)


def test_another_level_needs_no_further_test() -> None:
    study = small_study()
    strict = study.at_level(0.01)
    again = studied(
        compared(100, 0.1, n_datasets=3),
        n_subsamples=10,
        test="paired-t",
        rng=3,
        alpha=0.01,
    )
    assert strict.to_frame().equals(again.to_frame())
    assert strict.signature == again.signature
    assert not strict.to_frame().equals(study.to_frame())


@pytest.mark.parametrize("alternative", TEST_ALTERNATIVES)
def test_the_whole_dataset_alone_has_no_mark_and_clusters_no_expected_share(
    alternative: TestAlternative,
) -> None:
    data = compared(40, 3.0)
    whole = studied(data, shares=[1.0], n_subsamples=2, test="paired-t").datasets[0]
    assert (whole.significant, whole.mark) == (True, "")
    for share, n in ((0.01, 1), (0.03, 1), (0.05, 2)):
        assert units_of(share, 40) == n
    labels = {"set 0": [i // 4 for i in range(40)]}
    scores = {"set 0": {name: data.scores("set 0", name) for name in "AB"}}
    clustered = studied(
        ResultSet.from_scores(scores, clusters=labels), n_subsamples=2, alternative=alternative
    )
    with pytest.raises(ValueError, match="these come in clusters"):
        clustered.datasets[0].expected(0.1)


def test_marked_datasets_are_named_and_disagree_where_either_system_wins() -> None:
    study = small_study()
    rows = (
        replace(table_row((9, 23, 25, 41), whole_significant=True), dataset="u"),
        replace(table_row((14, 15, 19, 22), whole_significant=False), dataset="v"),
    )
    marked = replace(study, datasets=(*rows, *study.datasets[1:]))
    assert (marked.marked("fragile"), marked.marked("vanishes")) == (("u",), ("v",))
    outcomes = {"A": [1, 1, 0, 0, 1, 0], "B": [0, 1, 1, 0, 1, 0]}
    (own,) = studied(ResultSet.from_scores({"one": outcomes}), n_subsamples=2).datasets
    assert own.disagreement == pytest.approx(2 / 6)


def test_a_signature_names_resamples_where_any_are_drawn_and_the_data_where_they_are_known():
    data = compared(40, 0.3)
    for test, drawn in (("paired-t", False), ("paired-bootstrap", True)):
        study = studied(data, test=test, n_subsamples=3, n_resamples=77)
        assert ("|resamples:77|" in study.signature) == drawn
        assert f"|data:{data.fingerprint[:8]}|" in study.signature


@pytest.mark.parametrize("alternative", TEST_ALTERNATIVES)
def test_what_is_out_of_the_bootstraps_reach_is_not_significant(
    alternative: TestAlternative,
) -> None:
    # No gain is twice the mean one.
    gains, none = np.random.default_rng(7).uniform(1.0, 1.3, 40), np.zeros(40)
    right, measured, behind = (
        ResultSet.from_scores({"one": {"A": a, "B": b}})
        for a, b in ((np.ones(40), none), (gains, none), (none, gains))
    )
    ratio = set_of("ratio", np.tile([[[3.0, 4.0], [1.0, 4.0]]], (40, 1, 1)))
    for results in (right, measured, behind, ratio):
        # A lead is out of reach; that the other system does not lead is not.
        beyond = alternative != ("greater" if results is behind else "less")
        study = studied(results, test="paired-bootstrap", n_subsamples=7, alternative=alternative)
        for point in study.datasets[0].points:
            assert point.n_out_of_reach == beyond * point.n_subsamples
            assert point.n_significant == 0
            assert np.isnan(point.median) == beyond
        # Nothing is expected of what is out of reach.
        assert any(study.datasets[0].shares_given_full) != beyond


def test_the_stated_effect_stands_beside_the_dataset_at_the_same_sizes() -> None:
    own = small_study().datasets[0]
    stated = own.expected(0.3)
    assert stated.n_examples.tolist() == [point.n_examples for point in own.points]
    beside = power_at(
        StatedEffect(effect=0.3, test="paired-t", standard_deviation=own.standard_deviation),
        stated.n_examples,
    )
    assert stated.power.tolist() == beside.power.tolist()


def test_arguments_out_of_range_are_named() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"shares": (0.0,)}, "`shares` must lie above 0"),
        ({"shares": (1.5,)}, "`shares` must lie above 0"),
        ({"shares": ()}, "`shares` must lie above 0"),
        ({"alpha": 0}, "`alpha` must lie strictly"),
        ({"b": "A"}, "must be different systems"),
        ({"a": "C"}, "`a` must be one of"),
        ({"datasets": ("elsewhere",)}, "`datasets` must be one of"),
        ({"datasets": ()}, "`datasets` must name at least one"),
        ({"n_subsamples": 0}, "`n_subsamples` must"),
        ({"alternative": "smaller"}, "`alternative` must be one of"),
    )
    for settings, message in wrong:
        with pytest.raises(ValueError, match=message):
            studied(compared(20, 0.0), **settings)


@pytest.mark.parametrize("test", ["approximate-randomization", "wilcoxon"])
def test_what_takes_long_by_itself_is_told_of_often_and_large_sizes_are_not_left_for_last(
    test: str,
) -> None:
    rng = np.random.default_rng(31)
    data = ResultSet.from_scores(
        {"d": {"A": rng.integers(0, 9, 40) * 1.0, "B": rng.integers(0, 9, 40) * 1.0}}
    )
    told: list[int] = []

    def listen(done: int, _total: int) -> bool:
        told.append(done)
        return True

    study = studied(
        data,
        test=test,
        shares=(0.2, 0.5),
        n_subsamples=200,
        on_progress=listen,
    )
    assert study.complete
    assert max(np.diff(sorted(set(told)))) <= 64
    assert told == sorted(told)
    # The first of more subsamples are those of fewer, whatever is told between them.
    fewer = studied(data, test=test, shares=(0.2, 0.5), n_subsamples=21)
    for more, few in zip(study.datasets[0].points, fewer.datasets[0].points, strict=True):
        assert more.p_values[: few.p_values.size] == pytest.approx(few.p_values, rel=1e-9)
