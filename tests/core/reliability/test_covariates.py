"""P-values along a covariate: real tests of real parts, and chance that is chance."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, ttest_rel

from core.data.result_set import ResultSet
from core.reliability.choices import FIRST_ORDER_NOTE
from core.reliability.covariates import (
    NORMAL_BOOTSTRAP,
    T_NOTE,
    CutOffStudy,
    cut_off_test,
    dataset_cut_off_study,
)
from core.sections.runs import cut_off_sentence
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped
from tests.core.made import cut_off_study, set_of

# The (s + 1)/(R + 1) of so many random orders is at most .05 with chance .05, not less.
N_RANDOM = 39
# Of so many, flags at twice the rate would be seen with a chance of .87 (of 800: .99).
N_STUDIES = 500


def outcomes(n: int, seed: int, gain: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """0/1 outcomes and a covariate with ties; A gains on the lowest third of it."""
    rng = np.random.default_rng(seed)
    covariate = rng.integers(1, 31, size=n).astype(float)
    a = (rng.random(n) < 0.6 + gain * (covariate <= 10)).astype(float)
    b = (rng.random(n) < 0.6).astype(float)
    return a, b, covariate


def random_study(rng: np.random.Generator, covariate: np.ndarray) -> CutOffStudy:
    """Of scores that have nothing to do with it."""
    a, b = rng.normal(size=(2, covariate.size))
    return cut_off_study(a, b, covariate, n_random=1)


@pytest.mark.parametrize("test", ["mcnemar", "paired-t"])
def test_each_p_value_is_the_tests_own_on_that_part(test: Any) -> None:
    a, b, covariate = outcomes(160, 1, 0.2)
    if test == "paired-t":
        rng = np.random.default_rng(2)
        a, b = rng.integers(0, 11, size=(2, 60)) / 10.0
        covariate = rng.normal(size=60)
    study = cut_off_study(a, b, covariate, n_random=2)
    assert study.test == test
    for curve, held in ((study.at_most, np.less_equal), (study.at_least, np.greater_equal)):
        for place, cut_off in enumerate(curve.cut_offs):
            part = held(covariate, cut_off)
            own = run_significance_test(a[part], b[part], test=test)
            assert curve.n_examples[place] == part.sum()
            assert curve.p_values[place] == pytest.approx(own.p_value, rel=1e-9)
            assert curve.differences[place] == pytest.approx(own.difference, abs=1e-12)
    whole = run_significance_test(a, b, test=test)
    assert study.p_value_of_all == pytest.approx(whole.p_value, rel=1e-9)


def test_a_planted_cut_off_is_found() -> None:
    a, b, covariate = outcomes(1_500, 4, 0.25)
    study = cut_off_study(a, b, covariate, n_random=199)
    side, cut_off = study.smallest_at
    assert (side, 9.0 <= cut_off <= 12.0) == ("at most", True)
    assert 9.0 <= study.largest_contrast_at <= 12.0
    assert study.dependence_p_value == 1 / 200
    assert study.depends
    place = int(np.searchsorted(study.cut_offs, cut_off))
    assert study.at_most.p_values[place] < study.at_most.low[place]
    assert study.verdict_changes
    assert not study.at_level(1e-60).verdict_changes


@pytest.mark.parametrize("turned", [False, True])
def test_a_difference_that_depends_is_found_where_a_is_better_throughout_or_worse(
    turned: bool,
) -> None:
    rng = np.random.default_rng(5)
    covariate = rng.normal(size=800)
    gain = np.where(covariate < 0.0, 1.5, 0.5)
    scores = rng.normal(size=800) + gain, np.zeros(800)
    a, b = scores[::-1] if turned else scores
    study = cut_off_study(a, b, covariate, n_random=199)
    assert study.depends
    assert abs(study.largest_contrast_at) < 0.15


def test_a_covariate_that_says_nothing_is_flagged_at_rate_alpha() -> None:
    rng = np.random.default_rng(6)
    found = []
    for seed in range(N_STUDIES):
        # On every second no difference at all, on the others one that depends on nothing.
        differences, covariate = rng.normal([[0.3 * (seed % 2)], [0.0]], size=(2, 60))
        study = cut_off_study(differences, np.zeros(60), covariate, n_random=N_RANDOM, rng=seed)
        found.append(study.depends)
    assert binomtest(sum(found), N_STUDIES, 0.05).pvalue > 1e-3


@pytest.mark.parametrize("binary", [False, True])
def test_a_spread_that_grows_with_the_covariate_is_no_dependence(binary: bool) -> None:
    rng = np.random.default_rng(17)
    flagged = 0
    for seed in range(160):
        covariate = rng.integers(3, 40, 300)
        if binary:
            differ, ahead = rng.random(300) < covariate / 40, rng.random(300) < 0.5
            a, b = (differ & ahead) * 1.0, (differ & ~ahead) * 1.0
        else:
            a, b = 0.3 + rng.normal(0, 1, 300) * covariate / 10, np.zeros(300)
        study = cut_off_study(a, b, covariate, n_random=N_RANDOM, rng=seed)
        flagged += study.depends
    # By one spread for all it would be 18% of means and 13% of outcomes.
    assert binomtest(flagged, 160, 0.06, alternative="greater").pvalue > 0.01


def of_documents(rng: np.random.Generator, metric: str, gains: Any) -> tuple[ResultSet, Any]:
    """60 documents of 1 to 20 examples, or of as many tokens; the covariate is their length."""
    lengths = rng.integers(1, 21, size=60)
    rates = gains(lengths)
    if metric == "ratio":
        right = np.stack([rng.binomial(lengths, 0.4 + rates), rng.binomial(lengths, 0.4)], axis=1)
        counts = np.stack([right, np.stack([lengths, lengths], axis=1)], axis=2)
        return set_of("ratio", counts.astype(float)), lengths.astype(float)
    codes = np.repeat(np.arange(60), lengths)
    scores = {"A": rates[codes] + rng.normal(size=codes.size), "B": np.zeros(codes.size)}
    data = ResultSet.from_scores({"d": scores}, clusters={"d": codes.tolist()})
    return data, lengths[codes].astype(float)


@pytest.mark.parametrize("metric", ["mean", "ratio"])
def test_the_same_gain_in_documents_of_all_lengths_is_no_dependence_on_length(metric: str) -> None:
    flagged = 0
    for seed in range(200):
        data, covariate = of_documents(
            np.random.default_rng(seed), metric, lambda lengths: np.full(lengths.size, 0.3)
        )
        study = dataset_cut_off_study(
            data, "d", covariate, a="A", b="B", n_random=N_RANDOM, rng=seed
        )
        flagged += study.depends
    # By sums of documents it would be all of them.
    assert binomtest(flagged, 200, 0.05).pvalue > 1e-3


@pytest.mark.parametrize("metric", ["mean", "ratio"])
def test_parts_of_documents_have_the_difference_of_rates_and_a_planted_one_is_found(
    metric: str,
) -> None:
    data, covariate = of_documents(
        np.random.default_rng(1), metric, lambda lengths: np.where(lengths > 10, 0.55, 0.0)
    )
    study = dataset_cut_off_study(data, "d", covariate, a="A", b="B", n_random=99)
    assert study.depends
    part = covariate <= study.cut_offs[4]
    a, b = (data.scores("d", system)[part] for system in "AB")
    if metric == "ratio":
        (right_a, total), (right_b, _) = a.sum(axis=0), b.sum(axis=0)
        expected = (right_a - right_b) / total
    else:
        expected = (a - b).mean()
    assert study.at_most.differences[4] == pytest.approx(expected)
    assert "(not adjusted for that choice)" in cut_off_sentence(study)


def test_orders_that_are_as_far_apart_count_whatever_floats_make_of_them() -> None:
    # One example of four differs. At either end it parts the two sides as far as anything can,
    # and half of all orders have it at an end.
    study = cut_off_study([1.0, 0.0, 0.0, 0.0], [0.0] * 4, [1.0, 2.0, 3.0, 4.0], n_random=2_000)
    assert study.dependence_p_value == pytest.approx(0.5, abs=0.05)
    nothing = cut_off_study([1.0, 1.0], [1.0, 1.0], [1.0, 2.0], n_random=20)
    assert nothing.dependence_p_value == nothing.p_value_of_all == 1.0


def test_the_band_is_that_of_random_parts_of_the_same_size() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.normal(size=(2, 300))
    study = cut_off_study(a, b, rng.normal(size=300), n_random=2_000)
    place = 4
    n = int(study.at_most.n_examples[place])
    parts = [rng.choice(300, n, replace=False) for _ in range(600)]
    drawn = [ttest_rel(a[part], b[part], alternative="greater").pvalue for part in parts]
    for level, edge in (
        (0.05, study.at_most.low),
        (0.5, study.at_most.middle),
        (0.95, study.at_most.high),
    ):
        below = sum(p <= edge[place] for p in drawn)
        # Both sides are estimates, from 600 and 2,000 draws.
        assert abs(below / 600 - level) < 5 * (2 * level * (1 - level) / 600) ** 0.5


def test_default_cut_offs_part_the_examples_in_twentieths_and_ties_stay_together() -> None:
    rng = np.random.default_rng(9)
    study = random_study(rng, np.arange(200.0))
    assert study.at_most.n_examples.tolist() == list(range(10, 200, 10))
    assert (study.at_most.n_examples + study.at_least.n_examples == 201).all()
    two = random_study(rng, np.array([0.0, 1.0] * 25))
    assert two.cut_offs.tolist() == [0.0, 1.0]
    assert two.at_most.n_examples.tolist() == [25, 50]
    assert two.at_least.n_examples.tolist() == [50, 25]


def test_a_stop_keeps_the_random_orders_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.reliability.covariates._ENTRIES", 100)
    rng = np.random.default_rng(11)
    a, b = rng.integers(0, 9, size=(2, 100)).astype(float)
    given = (a, b, rng.normal(size=100))
    calls: list[int] = []

    def until_five(done: int, _total: int) -> bool:
        calls.append(done)
        return done < 5

    stopped = cut_off_study(*given, n_random=50, on_progress=until_five)
    assert not stopped.complete
    assert (stopped.n_random, stopped.n_asked) == (5, 50)
    whole = cut_off_study(*given, n_random=5)
    assert stopped.dependence_p_value == whole.dependence_p_value
    assert calls == sorted(calls)
    with pytest.raises(Stopped):
        cut_off_study(*given, on_progress=lambda *_: False)


def test_examples_without_a_value_are_in_no_part_and_are_counted() -> None:
    a, b, covariate = outcomes(150, 16, 0.2)
    rng = np.random.default_rng(16)
    without = rng.random(150) < 0.2
    study = cut_off_study(a, b, np.where(without, np.nan, covariate), n_random=20)
    alone = cut_off_study(a[~without], b[~without], covariate[~without], n_random=20)
    assert (study.n_missing, study.n_examples) == (without.sum(), (~without).sum())
    assert study.to_frame().equals(alone.to_frame())
    assert study.dependence_p_value == alone.dependence_p_value
    assert f"missing:{without.sum()}" in study.signature


def clustered() -> tuple[ResultSet, np.ndarray]:
    rng = np.random.default_rng(12)
    codes = np.repeat(np.arange(40), 5)
    scores = {"d": {s: (rng.random(200) < 0.6).astype(float) for s in ("A", "B")}}
    return ResultSet.from_scores(scores, clusters={"d": codes.tolist()}), codes


def test_whole_clusters_are_ordered() -> None:
    data, codes = clustered()
    lengths = np.random.default_rng(13).permutation(40).astype(float)
    study = dataset_cut_off_study(data, "d", lengths[codes], a="A", b="B", n_random=3)
    assert (study.n_examples, study.test) == (40, "paired-bootstrap")
    part = lengths[codes] <= study.cut_offs[6]
    own = run_significance_test(
        data.scores("d", "A")[part],
        data.scores("d", "B")[part],
        test="paired-bootstrap",
        clusters=codes[part],
    )
    # The normal distribution that the bootstrap tends to.
    assert study.at_most.p_values[6] == pytest.approx(own.p_value, abs=0.03)
    lengths[3] = np.nan
    study = dataset_cut_off_study(data, "d", lengths[codes], a="A", b="B", n_random=3)
    assert (study.n_examples, study.n_missing) == (39, 1)


def test_clusters_of_counts_are_added_up_whatever_their_smallest_difference() -> None:
    rng = np.random.default_rng(16)
    data, codes = clustered()
    # Differences of 2 and 3: the smallest of them is no step of the others.
    right = np.stack([np.full(200, 5.0), 5.0 - rng.choice([-2.0, 0.0, 2.0, 3.0], 200)], axis=1)
    counts = np.stack([right, np.full((200, 2), 7.0)], axis=2)
    tagged = set_of("ratio", counts, clusters=data.clusters)
    lengths = rng.permutation(40).astype(float)
    study = dataset_cut_off_study(tagged, "d", lengths[codes], a="A", b="B", n_random=2)
    part = lengths[codes] <= study.cut_offs[6]
    own = run_significance_test(
        counts[part, 0],
        counts[part, 1],
        test="paired-bootstrap",
        metric="ratio",
        clusters=codes[part],
    )
    assert study.at_most.p_values[6] == pytest.approx(own.p_value, abs=0.03)
    assert study.at_most.differences[6] == pytest.approx(own.difference)


def test_lower_is_better_is_turned_and_metrics_of_sums_go_by_shares() -> None:
    rng = np.random.default_rng(14)
    loss = rng.normal([0.0, 1.0], size=(120, 2))
    counts = np.stack([rng.integers(0, 8, size=(120, 2)), np.full((120, 2), 8)], axis=2)
    data = ResultSet(
        datasets=("d",),
        systems=("A", "B"),
        values={"loss": (loss,), "tagged": (counts.astype(float),)},
        higher_is_better={"loss": False, "tagged": True},
        kinds={"tagged": "ratio"},
    )
    covariate = rng.normal(size=120)
    study = dataset_cut_off_study(data, "d", covariate, a="A", b="B", metric="loss", n_random=5)
    assert study.p_value_of_all < 1e-6
    assert study.metric == "loss"
    ratio = dataset_cut_off_study(data, "d", covariate, a="A", b="B", metric="tagged", n_random=5)
    assert ratio.test == "paired-bootstrap"
    assert len(ratio.notes) == 2
    # With shared totals the shares are the differences of the corrects.
    part = covariate <= ratio.cut_offs[10]
    own = run_significance_test(
        counts[part, 0], counts[part, 1], test="paired-bootstrap", metric="ratio"
    )
    assert ratio.at_most.p_values[10] == pytest.approx(own.p_value, abs=0.01)


def test_auto_takes_what_needs_sums_only_and_says_where_that_is_another_test() -> None:
    rng = np.random.default_rng(17)
    grades = rng.integers(0, 5, size=(60, 2)).astype(float)
    zero_one = (grades > 2.0).astype(float)
    counts = np.stack([zero_one, np.full((60, 2), 2.0)], axis=2)
    expected: tuple[tuple[ResultSet, str, tuple[str, ...]], ...] = (
        (set_of("mean", zero_one), "mcnemar", ()),
        (set_of("mean", grades), "paired-t", (T_NOTE,)),
        (set_of("ratio", counts), "paired-bootstrap", (FIRST_ORDER_NOTE, NORMAL_BOOTSTRAP)),
    )
    covariate = np.arange(60.0)
    for data, test, notes in expected:
        study = dataset_cut_off_study(data, "d", covariate, a="A", b="B", n_random=1)
        assert (study.test, study.notes) == (test, notes)
    documents = ResultSet.from_scores(
        {"d": dict(zip("AB", grades.T, strict=True))}, clusters={"d": [i // 6 for i in range(60)]}
    )
    assert cut_off_test(documents, "d", documents.metrics[0]) == "paired-bootstrap"
    similar = set_of("spearman", grades, gold_scores=(grades.sum(axis=1),))
    assert cut_off_test(similar, "d", similar.metrics[0]) is None
    with pytest.raises(ValueError, match="must not be a correlation"):
        dataset_cut_off_study(similar, "d", covariate, a="A", b="B")
