"""Toy examples: what is simulated is what theory says."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binomtest, chisquare, norm

from core.reliability.toys import CORRELATION_OF_COPY, TOYS, toy_study

N = 10_000


@pytest.mark.parametrize("name", sorted(TOYS))
def test_shares_and_histograms_are_those_of_theory(name: str) -> None:
    study = toy_study(name, n_repetitions=N, rng=4)
    assert study.complete
    for series in (*study.reported, *study.choices):
        assert series.counts.sum() == N
        assert series.expected.sum() == pytest.approx(N)
        for share in series.shares:
            p = binomtest(share.rate.count, share.rate.n, share.theory).pvalue
            # Where theory is the limit for large n, t's heavier tails are felt a little.
            assert p > (1e-6 if "limit" in study.toy.theory_name else 1e-4)
        kept = series.expected > 20
        counts = np.append(series.counts[kept], series.counts[~kept].sum())
        expected = np.append(series.expected[kept], series.expected[~kept].sum())
        if expected[-1] == 0.0:
            counts, expected = counts[:-1], expected[:-1]
        assert chisquare(counts, expected).pvalue > 1e-5


def test_a_distorted_copy_inflates_by_what_an_integral_gives() -> None:
    rho = CORRELATION_OF_COPY
    cut = norm.isf(0.05)
    # Neither is above the cut: integrate the second given the first.
    neither, _ = quad(
        lambda x: norm.pdf(x) * norm.cdf((cut - rho * x) / (1 - rho**2) ** 0.5), -9, cut
    )
    assert float(TOYS["distorted-copy"].theory(np.array(0.05))) == pytest.approx(
        1 - neither, abs=2e-5
    )
    assert 0.05 < 1 - neither < 0.0975


def test_growing_samples_inflate_by_what_walks_give() -> None:
    rng = np.random.default_rng(2)
    steps = rng.normal(size=(60_000, 4)) * np.sqrt([25, 25, 50, 100])
    z = np.cumsum(steps, axis=1) / np.sqrt([25, 50, 100, 200])
    hits = int((z.max(axis=1) > norm.isf(0.05)).sum())
    theory = float(TOYS["growing-sample"].theory(np.array(0.05)))
    assert binomtest(hits, 60_000, theory).pvalue > 1e-4


def test_what_is_reported_is_the_smallest_and_nothing_where_nothing_is_chosen() -> None:
    chosen = toy_study("two-metrics", n_repetitions=1_000)
    assert [series.name for series in chosen.reported] == ["smallest of 2"]
    each = [series.share(0.05).rate.count for series in chosen.choices]
    assert max(each) <= chosen.reported[0].share(0.05).rate.count <= sum(each)
    assert len(toy_study("sample-sizes", n_repetitions=1_000).reported) == 4
