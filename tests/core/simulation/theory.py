"""Chances that blocks of correlated datasets give, by integrals, and rates judged beside them."""

from collections import Counter
from functools import cache

import numpy as np
from scipy.integrate import quad
from scipy.special import gammainccinv, ndtr, ndtri
from scipy.stats import binomtest, norm

from core.simulation.results import Rate, Simulation
from core.simulation.scenarios import Block, Scenario

# The level of each judgement of a rate.
SMALLEST_P_VALUE = 1e-4


def agrees(rate: Rate, probability: float) -> bool:
    return bool(binomtest(rate.count, rate.n, probability).pvalue >= SMALLEST_P_VALUE)


def holds(rate: Rate, alpha: float = 0.05) -> bool:
    """Whether the rate is consistent with a probability of at most alpha."""
    test = binomtest(rate.count, rate.n, alpha, alternative="greater")
    return bool(test.pvalue >= SMALLEST_P_VALUE)


def same(one: Simulation, other: Simulation) -> bool:
    """Whether all counts of all repetitions are."""
    assert one.estimators == other.estimators
    return all(np.array_equal(one.k_hat[name], other.k_hat[name]) for name in one.estimators)


def chance_of_none_at_most(level: float, block: Block) -> float:
    """P(no p of the block <= level), by integrating over its shared factor."""
    cut = -ndtri(level)

    def given_factor(factor: float) -> float:
        tail = ndtr((cut - np.sqrt(block.rho) * factor) / np.sqrt(1.0 - block.rho))
        return float(norm.pdf(factor) * tail**block.n_datasets)

    return float(quad(given_factor, -10.0, 10.0, epsabs=1e-10)[0])


@cache
def chance_of_fisher(scenario: Scenario, alpha: float, step: float = 0.04) -> float:
    """P(Fisher's test rejects), by convolving -ln p on a lattice given the shared factors."""
    size = 1 << 15
    edges = step * (np.arange(size) + 0.5)
    # Where many datasets share a factor nearly all depends on it, as on a step: hence so fine.
    nodes = np.arange(-6.0, 6.0, 0.05)
    transform = np.ones(size // 2 + 1, dtype=np.complex128)
    for block, times in Counter(scenario.blocks).items():
        z = -ndtri(np.exp(-edges))
        factors = nodes if block.rho else np.zeros(1)
        weights = norm.pdf(factors)
        of_block = np.zeros_like(transform)
        for factor, weight in zip(factors, weights / weights.sum(), strict=True):
            below = ndtr((z - np.sqrt(block.rho) * factor) / np.sqrt(1.0 - block.rho))
            below[edges > 700.0] = 1.0
            masses = np.diff(below, prepend=0.0)
            of_block += weight * np.fft.rfft(masses) ** block.n_datasets
        transform *= of_block**times
    masses = np.fft.irfft(transform, size)
    quantile = float(gammainccinv(scenario.n_datasets, alpha))
    # The mass of a point is spread over its cell, so that the error falls with the step squared.
    return 1.0 - float(np.interp(quantile, edges, np.cumsum(masses)))
