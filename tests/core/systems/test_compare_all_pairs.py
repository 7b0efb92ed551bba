"""Every pair gets the p-value that a test of it alone gives; ranks, wins and ties over datasets."""

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from core.data.result_set import ResultSet
from core.data.score_table import ScoreTable
from core.errors import DataError
from core.significance import differences as single_differences
from core.significance import resamples as single_resamples
from core.significance.settings import Method, Settings
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped
from core.systems import bootstrap
from core.systems.all_pairs import compare_all_pairs
from core.systems.bootstrap import (
    averaged_columns,
    bootstrap_pairs,
    resample_counts,
    summed_columns,
)
from core.systems.comparisons import ranks_of, resamples_needed, standings, with_ties
from core.systems.gain_confidence import gain_confidence
from core.types import FloatArray
from tests.core.made import set_of
from tests.core.systems.made import in_turn, resamples, result_set, scores_of

N, M, B = 40, 6, 300


def fed(monkeypatch, counts):
    """Give the test of single pairs these resamples in the place of its own."""

    def sums_of_draws(values, size, n_resamples, rng, keep_going):
        assert (size, n_resamples) == (counts.shape[1], counts.shape[0])
        return counts @ values

    taken = {"rows": 0}

    def drawn_counts(n, size, n_resamples, rng):
        first = taken["rows"] % counts.shape[0]
        taken["rows"] += n_resamples
        return counts[first : first + n_resamples].astype(np.intp)

    monkeypatch.setattr(single_differences, "draw_sums", sums_of_draws)
    monkeypatch.setattr(single_resamples, "drawn_counts", drawn_counts)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("kind", ["0/1", "one decimal", "apart", "ratio", "f1", "aer"])
def test_every_pair_has_the_p_value_of_the_single_test_on_the_same_resamples(
    monkeypatch, kind, higher
):
    counts = resamples(N, B)
    fed(monkeypatch, counts)
    asked: dict[str, Any] = {"test": "paired-bootstrap", "method": "monte-carlo", "n_resamples": B}
    asked["higher_is_better"] = higher
    if kind in ("ratio", "f1", "aer"):
        width = {"ratio": 2, "f1": 3, "aer": 4}[kind]
        scores = np.random.default_rng(3).integers(1, 9, size=(N, M, width)).astype(float)
        scores[..., -1] += 8.0
        results = set_of(kind, scores, systems="uvwxyz", higher=higher)
        columns: Any = summed_columns(results, "d", results.systems, metric=kind)
        asked["metric"] = kind
    else:
        scores = scores_of(kind, N, M)
        columns = averaged_columns(scores if higher else 0.0 - scores)
    monkeypatch.setattr(bootstrap, "resample_counts", lambda *_, **__: in_turn(counts))
    how: Any = {"rng": np.random.default_rng(0), "keep_going": None, "on_share": lambda _: None}
    own = Settings(method="monte-carlo", n_resamples=B)
    p_values = bootstrap_pairs(columns, settings=own, **how).p_values
    for i, j in itertools.permutations(range(M), 2):
        single = run_significance_test(scores[:, i], scores[:, j], **asked)
        assert p_values[i, j] == single.p_value_greater


def test_tests_of_scores_equal_those_of_single_pairs():
    of_outcomes = ("mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "sign", "wilcoxon")
    of_scores = ("wilcoxon", "sign", "paired-t", "approximate-randomization")
    cases: list[tuple[str, Any, bool]] = [
        *(("0/1", test, test != "mcnemar-mid-p") for test in of_outcomes),
        *((kind, test, False) for kind in ("one decimal", "continuous") for test in of_scores),
        ("one decimal", "paired-bootstrap", True),
    ]
    for kind, test, higher in cases:
        scores = scores_of(kind, 30, 4)
        results = result_set(scores, higher_is_better=higher)
        method: Any = "exact" if test == "paired-bootstrap" else "auto"
        pairs = compare_all_pairs(results, test=test, method=method, rng=3)
        assert not pairs.out_of_reach.size
        for i, j in itertools.combinations(range(4), 2):
            single = run_significance_test(
                scores[:, i], scores[:, j], test=test, higher_is_better=higher, rng=3
            )
            room = 0.0 if single.exact or test == "paired-t" else 0.02
            for found, alone in (
                (pairs.p_values[0, i, j], single.p_value_greater),
                (pairs.p_values[0, j, i], single.p_value_less),
            ):
                assert found == pytest.approx(alone, rel=1e-9, abs=room), (kind, test)


def test_auto_obeys_the_fixed_rule():
    assert compare_all_pairs(result_set(scores_of("0/1", 50, 3))).tests == ("mcnemar",)
    decimals = result_set(scores_of("one decimal", 50, 3))
    exact = compare_all_pairs(decimals)
    assert (exact.tests, exact.methods) == (("approximate-randomization",), ("exact",))
    assert exact.n_resamples == (None,)
    measured = compare_all_pairs(result_set(scores_of("continuous", 50, 3)))
    assert (measured.tests, measured.methods) == (("paired-t",), ("student",))
    # At a margin between the scores' steps they are on no steps.
    between: Any = {"claim": "not-worse", "margin": 0.123456789}
    assert compare_all_pairs(decimals, **between).tests == ("paired-t",)
    # So few that all their swaps can be tried.
    few = compare_all_pairs(result_set(scores_of("continuous", 20, 3)))
    assert (few.tests, few.methods) == (("approximate-randomization",), ("exact",))
    # One system off the others' steps decides for all pairs of the dataset.
    off = scores_of("one decimal", 50, 3)
    off[:, 2] += np.random.default_rng(1).random(50)
    assert compare_all_pairs(result_set(off)).tests == ("paired-t",)
    counted = np.random.default_rng(0).integers(1, 5, size=(30, 3, 2)).astype(float)
    counted[..., 1] = 5.0
    of_counts = set_of("ratio", counted, systems="xyz")
    assert compare_all_pairs(of_counts).tests == ("paired-bootstrap",)
    # One system that is not 0/1 decides for the whole dataset.
    mixed = scores_of("0/1", 50, 3)
    mixed[0, 2] = 0.5
    assert compare_all_pairs(result_set(mixed)).tests == ("approximate-randomization",)
    clustered = result_set(scores_of("0/1", 40, 3), clusters={"d0": [k // 4 for k in range(40)]})
    assert compare_all_pairs(clustered).tests == ("approximate-randomization",)


@pytest.mark.parametrize("metric", ["mean", "ratio"])
def test_clusters_are_drawn_whole(metric):
    labels = np.arange(40) // 3
    # Equal within each, so that as single examples they would have other p-values.
    scores = (scores_of("one decimal", 14, 3) + 0.5 * np.arange(3))[labels]
    if metric == "ratio":
        scores = np.stack([scores, np.full_like(scores, 30.0)], axis=-1)
    clusters = result_set(scores_of("0/1", 40, 3), clusters={"d0": labels}).clusters
    results = set_of(metric, scores, datasets=["d0"], systems="xyz", clusters=clusters)
    asked: dict[str, Any] = {"test": "paired-bootstrap", "n_resamples": 4_000, "rng": 1}
    ours = compare_all_pairs(results, **asked)
    means = scores.mean(axis=0)
    assert ours.scores[0] == pytest.approx(means if metric == "mean" else means[:, 0] / 30.0)
    for i, j in itertools.combinations(range(3), 2):
        single = run_significance_test(
            scores[:, i], scores[:, j], metric=metric, clusters=labels, **asked
        )
        assert ours.p_values[0, i, j] == pytest.approx(single.p_value_greater, abs=0.03)


def test_a_pair_does_not_depend_on_other_systems_and_a_dataset_not_on_others():
    first, second = scores_of("one decimal", 80, 5, 1), scores_of("one decimal", 60, 5, 2)
    asked: dict[str, Any] = {"test": "paired-bootstrap", "n_resamples": 999}
    compare = partial(compare_all_pairs, result_set(first, second), **asked)
    both, few = compare(), compare(systems=["s4", "s1"], datasets=["d1"])
    assert few.p_value("s4", "s1", "d1") == both.p_value("s4", "s1", "d1")
    assert not np.array_equal(compare(rng=1).p_values, both.p_values, equal_nan=True)


@pytest.mark.parametrize("m", [2, 4, 9, 30])
def test_the_usual_resamples_are_the_fewest_ten_thousands_that_serve_the_first_thresholds(m):
    for n in range(1, 60):
        own, of_all = (Fraction(1, 20 * claims) for claims in (n, m * (m - 1) * n))
        enough = (b for b in range(10_000, 200_000, 10_000) if own * b >= 100 and of_all * b >= 2)
        assert resamples_needed(n, n_systems=m) + 1 == next(enough, 200_000)


def test_counts_are_those_of_draws_with_replacement():
    n_parts, parts = resample_counts(50, 700, np.random.default_rng(1))
    counts = np.concatenate([next(parts) for _ in range(n_parts)])
    assert next(parts, None) is None
    assert counts.shape == (700, 50)
    assert (counts.sum(axis=1) == 50).all()
    # Binomial(50, 1/50) in each place: mean 1, variance .98.
    assert counts.var() == pytest.approx(0.98, rel=0.03)
    # More places than 16 bits tell apart.
    ((many,),) = resample_counts(1 << 17, 1, np.random.default_rng(1))[1]
    assert many[1 << 16 :].sum() == pytest.approx(1 << 16, rel=0.02)


def test_what_the_bootstrap_cannot_reach_is_marked_as_the_single_test_marks_it():
    scores = scores_of("one decimal", 40, 4)
    scores[:, :2] += [20.0, 50.0]
    # Reached, but only by resamples of hardly anything else, of which none is drawn.
    scores[0, 1] += 80.0
    counts = np.stack([scores, np.full_like(scores, 40.0)], axis=-1)
    cases: list[tuple[Method, FloatArray, str]] = [
        ("monte-carlo", scores, "mean"),
        ("monte-carlo", counts, "ratio"),
        ("auto", (scores > 10.0).astype(float), "mean"),
    ]
    for method, table, metric in cases:
        asked: Any = {"test": "paired-bootstrap", "method": method, "n_resamples": 199}
        pairs = compare_all_pairs(set_of(metric, table, systems="wxyz"), **asked)
        assert pairs.shared == (method == "monte-carlo",)
        beyond = {tuple(row) for row in pairs.out_of_reach.tolist()}
        for i, j in itertools.combinations(range(4), 2):
            single = run_significance_test(table[:, i], table[:, j], metric=metric, **asked)
            assert ((0, i, j) in beyond, (0, j, i) in beyond) == single.out_of_reach
        assert (0, 0, 2) in beyond
        assert f"{len(beyond)} p-values are of a bootstrap that cannot reach" in pairs.notes[-1]
        assert set(pairs.to_frame()["out_of_reach"]) == {"a", ""}


def test_notes_tell_the_error_of_p_values_by_their_resamples_and_what_is_missing():
    tables = [scores_of(kind, 40, 3) for kind in ("one decimal", "continuous")]
    error = f"the standard error of a p-value of .05 is {binom(999, 0.05).std() / 999:.4f}."

    def compared(test, *tables, **asked):
        return compare_all_pairs(result_set(*tables), test=test, n_resamples=999, rng=7, **asked)

    shared = compared("paired-bootstrap", *tables)
    (note,) = shared.notes
    assert note.startswith("All pairs of a dataset were judged on the same 999 resamples")
    assert note.endswith(error)
    assert "resamples:999|seed:7" in shared.signature
    # Randomization of the first is exact.
    for drawn, where in ((tables, "On 1 of 2 datasets"), (tables[1:], "On the dataset")):
        alone = compared("approximate-randomization", *drawn)
        by_itself = (
            f"{where} each pair was tested by itself, with 999 resamples where it is not exact"
        )
        assert alone.notes == (f"{by_itself}: {error}",)
    exact = compared("sign", *tables, on_progress=lambda done, _: done < 3)
    assert exact.notes == ("Stopped after 1 of 2 datasets: the others are missing.",)
    assert "seed" not in exact.signature


def test_where_lower_is_better_gains_and_ranks_are_turned_and_scores_are_as_given():
    tables = [scores_of("one decimal", 40, 4, seed) for seed in (5, 6)]
    pairs = compare_all_pairs(result_set(*tables, higher_is_better=False))
    frame = pairs.to_frame()
    rows = [(d, *two) for d in range(2) for two in itertools.combinations(range(4), 2)]
    assert len(frame) == len(rows) == 2 * pairs.n_pairs
    for row, (d, i, j) in zip(frame.itertuples(), rows, strict=True):
        assert (row.dataset, row.system_a, row.system_b) == (f"d{d}", f"s{i}", f"s{j}")
        a, b = tables[d].mean(axis=0)[[i, j]]
        assert (row.score_a, row.score_b, row.gain) == pytest.approx((a, b, b - a))
        assert row.gain == pairs.gains(f"d{d}")[i, j]
        assert (row.p_a_better, row.p_b_better) == tuple(pairs.p_values[d, [i, j], [j, i]])
    means = [table.mean(axis=0).tolist() for table in tables]
    behind = np.mean([[sum(other <= own for other in row) for own in row] for row in means], axis=0)
    for ranked in (standings(pairs), standings(score_table(means, higher_is_better=False))):
        assert ranked.mean_ranks.tolist() == behind.tolist()


def test_stopping_keeps_the_datasets_that_are_done():
    results = result_set(*(scores_of("one decimal", 40, 4, k) for k in range(3)))
    seen = []

    def stop_in_the_second(done, total):
        seen.append((done, total))
        return done < 6

    pairs = compare_all_pairs(results, on_progress=stop_in_the_second)
    assert pairs.datasets == ("d0",)
    assert not pairs.complete
    assert "datasets:d0|asked:3" in pairs.signature
    assert seen[-1][0] < 18
    told: list[tuple[int, int]] = []
    whole = compare_all_pairs(results, on_progress=lambda *now: told.append(now))
    assert np.array_equal(pairs.p_values[0], whole.p_values[0], equal_nan=True)
    assert sorted(set(told)) == [(done, 18) for done in range(19)]
    with pytest.raises(Stopped):
        compare_all_pairs(results, on_progress=lambda _done, _total: False)


@pytest.mark.parametrize(
    ("test", "kind"),
    [
        ("wilcoxon", "continuous"),
        ("sign", "0/1"),
        ("paired-bootstrap", "one decimal"),
        ("paired-bootstrap", "continuous"),
    ],
)
def test_a_stop_is_heard_within_a_dataset_and_told_how_far_it_was(test, kind):
    n_pairs, told = 300 * 299 // 2, []

    def stop_at_the_sixth(done, total):
        assert total == n_pairs
        told.append(done)
        return len(told) < 6

    many = result_set(scores_of(kind, 20, 300))
    with pytest.raises(Stopped):
        compare_all_pairs(many, test=test, n_resamples=99_999, on_progress=stop_at_the_sixth)
    assert len(told) == 6
    assert told[-1] < n_pairs / 2


def test_what_does_not_fit_is_refused(monkeypatch):
    results = result_set(scores_of("one decimal", 30, 3))
    two = result_set(scores_of("one decimal", 30, 3), scores_of("one decimal", 30, 3))
    # A p-value has 8 bytes, and one dataset 3 × 3 of them.
    monkeypatch.setattr("core.systems.all_pairs._MOST_BYTES", 143)
    with pytest.raises(ValueError, match="must be fewer: 3 systems on 2 datasets"):
        compare_all_pairs(two)
    with pytest.raises(DataError, match="must be 0 or 1 for McNemar"):
        compare_all_pairs(results, test="mcnemar")
    for k, name in enumerate("xyz"):
        counts = np.ones((30, 3, 2)) * (np.arange(3) != k)[:, np.newaxis]
        with pytest.raises(DataError, match=f"'ratio' is not defined for '{name}'"):
            compare_all_pairs(set_of("ratio", counts, systems="xyz"))
    uneven = result_set(scores_of("continuous", 30, 3))
    with pytest.raises(DataError, match="Dataset 'd0': `method` 'exact' must have"):
        compare_all_pairs(uneven, test="paired-bootstrap", method="exact")
    for keywords, words in (
        ({"test": "none"}, "`test` must be one of"),
        ({"systems": ["s0"]}, "`systems` must name at least 2"),
        ({"systems": ["s0", "s0"]}, "each once"),
        ({"datasets": ["x"]}, "`datasets` must be one of"),
        ({"n_resamples": 0}, "`n_resamples` must be"),
        ({"method": "monte-carlo", "test": "sign"}, "`method` 'monte-carlo' must come with"),
    ):
        with pytest.raises(ValueError, match=words):
            compare_all_pairs(results, **keywords)
    pairs = compare_all_pairs(results)
    with pytest.raises(ValueError, match="different systems"):
        pairs.p_value("s0", "s0", "d0")
    with pytest.raises(ValueError, match="read-only"):
        pairs.p_values[0, 0, 1] = 0.0


@pytest.mark.parametrize("claim", ["better-by", "not-worse", "equivalent"])
def test_at_a_margin_every_ordered_pair_has_the_p_value_of_its_single_test(claim: str) -> None:
    rng = np.random.default_rng(5)
    ratings = rng.integers(0, 40, (30, 4)) / 10.0
    measured = rng.normal(size=(30, 4))
    outcomes = (rng.random((30, 4)) < [0.5, 0.7, 0.8, 0.8]).astype(float)
    for scores, test, margin in (
        (outcomes, "mcnemar", 0.1),
        (ratings, "approximate-randomization", 0.3),
        (measured, "paired-t", 0.3),
    ):
        names = [f"s{k}" for k in range(4)]
        results = ResultSet.from_scores({"d": dict(zip(names, scores.T, strict=True))})
        pairs = compare_all_pairs(results, claim=claim, margin=margin)
        assert pairs.tests == (test,)
        for i, j in itertools.permutations(range(4), 2):
            single = run_significance_test(
                scores[:, i], scores[:, j], test=test, claim=claim, margin=margin
            )
            assert pairs.p_value(names[i], names[j], "d") == pytest.approx(single.p_value)
        assert f"claim:{claim}|margin:{margin}" in pairs.signature
        assert {"p_a", "p_b", "claim", "margin"} <= set(pairs.to_frame())
    seldom = ResultSet.from_scores(
        {"d": {"a": ratings[:, 0], "b": ratings[:, 0], "c": measured[:, 0]}}
    )
    with pytest.raises(DataError, match=r"of 'a' and 'b': .* never differ"):
        compare_all_pairs(seldom, claim=claim, margin=0.1)


def score_table(values, **keywords):
    return ScoreTable(
        datasets=tuple(f"d{k}" for k in range(len(values))),
        systems=tuple("abcd"[: len(values[0])]),
        values=np.array(values),
        **keywords,
    )


def test_ranks_share_their_mean_and_wins_are_counted():
    found = standings(score_table([[3.0, 1.0, 1.0], [2.0, 5.0, 2.0], [0.1, 0.3, 0.2]]))
    assert found.ranks.tolist() == [[1.0, 2.5, 2.5], [2.5, 1.0, 2.5], [3.0, 1.0, 2.0]]
    assert found.mean_ranks == pytest.approx([6.5 / 3, 4.5 / 3, 7.0 / 3])
    assert found.win_tie_loss("a", "b") == (1, 0, 2)
    assert found.win_tie_loss("b", "c") == (2, 1, 0)
    frame = found.to_frame()
    assert frame["system"].tolist() == ["b", "a", "c"]
    assert frame["wins"].tolist() == [4, 2, 1]
    assert frame["ties"].tolist() == [1, 1, 2]
    assert frame["losses"].tolist() == [1, 3, 3]
    assert frame["n_best"].tolist() == [2, 1, 0]


def test_means_of_the_same_decimals_in_another_order_are_the_same():
    first = np.array([0.1, 0.2, 0.3, 0.7, 0.4, 0.9, 0.6])
    # Their plain sums differ in the last digit.
    assert sum(first) != sum(first[::-1])
    noisy = np.array([[sum(first) / 7, sum(first[::-1]) / 7, 0.1], [0.3, 0.1 + 0.2, 0.2]])
    for unit in (1.0, 1e-15, 1e9):
        tied = with_ties(noisy * unit)
        assert (tied[:, 0] == tied[:, 1]).all()
        assert (tied[:, 2] == noisy[:, 2] * unit).all()
        assert ranks_of(tied).tolist() == [[1.5, 1.5, 3.0]] * 2
    pairs = compare_all_pairs(result_set(np.random.default_rng(0).random((40, 3))))
    scores = np.array([[sum(first) / 7, sum(first[::-1]) / 7, 0.1]])
    rounded = replace(pairs, scores=scores)
    assert standings(rounded).win_tie_loss("s0", "s1") == (0, 1, 0)
    assert standings(rounded).to_frame()["n_best"].tolist() == [1, 1, 0]
    assert rounded.gains("d0")[0, 1] == rounded.gains("d0")[1, 0] == 0.0
    point = gain_confidence(rounded)
    assert (point.gains[0], point.p_values[0]) == (0.0, pairs.p_value("s0", "s1", "d0"))
