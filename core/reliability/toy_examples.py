"""Toy examples: two identical systems, and several p-values of which one is reported.

Every p-value is Student's, one-sided, of differences from one normal distribution
around 0, 100 of them where nothing else is said: A and B are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from core.reliability.choice_rates import free_choice_rate
from core.significance.moments import Lattice
from core.significance.student import STUDENT
from core.types import FloatArray

N_EXAMPLES = 100
SAMPLE_SIZES = (25, 50, 100, 200)
# Correlation of a metric with its distorted copy: as much noise as signal.
CORRELATION_OF_COPY = 0.5**0.5

# Draws p-values of shape (n, choices).
Draw = Callable[[np.random.Generator, int], FloatArray]
# Chance that the smallest p-value is below each level, shape as given.
Theory = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy:
    """A toy example.

    Attributes
    ----------
    name, title : str
        Its key, and as a person calls it.
    description : str
        What is done, in one or two sentences.
    choices : tuple of str
        What each p-value is of.
    printed : mapping of level to float
        Shares below .05 and .01 as Søgaard et al. (2014) print them; empty
        where they print none.
    is_choice : bool
        Whether the smallest p-value is reported; else each stands for itself.
    draw : callable
        ``draw(rng, n)`` gives p-values, shape (n, choices).
    theory : callable
        From levels to the chance that the reported p-value is below each.
    theory_name : str
        The formula, for a person.
    """

    name: str
    title: str
    description: str
    choices: tuple[str, ...]
    printed: Mapping[float, float]
    is_choice: bool
    draw: Draw
    theory: Theory
    theory_name: str


def uniform(levels: FloatArray) -> FloatArray:
    """What a p-value fixed beforehand does: it lies below each level that often."""
    return np.asarray(levels, dtype=np.float64)


def _independent(m: int) -> Theory:
    def theory(levels: FloatArray) -> FloatArray:
        inner = np.clip(levels, 1e-300, 1.0 - 1e-16)
        rates = np.vectorize(lambda level: free_choice_rate(m, level))(inner)
        found: FloatArray = np.where(levels >= 1.0, 1.0, np.where(levels <= 0.0, 0.0, rates))
        return found

    return theory


def _normal_choice(correlations: FloatArray) -> Theory:
    """For the smallest of p-values whose statistics are normal with these correlations."""

    def theory(levels: FloatArray) -> FloatArray:
        from scipy.special import ndtri
        from scipy.stats import multivariate_normal

        normal = multivariate_normal(mean=np.zeros(len(correlations)), cov=correlations, seed=0)
        flat = np.atleast_1d(np.asarray(levels, dtype=np.float64))
        rates = []
        for level in flat.tolist():
            if level <= 0.0 or level >= 1.0:
                rates.append(min(max(level, 0.0), 1.0))
                continue
            # None of the statistics is above the level's: all are below it.
            below = np.full(len(correlations), -float(ndtri(level)))
            rates.append(1.0 - float(normal.cdf(below)))
        return np.array(rates).reshape(np.shape(levels))

    return theory


def _student(differences: FloatArray) -> FloatArray:
    """One-sided p-values of the last axis."""
    n = np.array(float(differences.shape[-1]))
    return STUDENT.p_of_moments(
        n, differences.sum(axis=-1), (differences**2).sum(axis=-1), Lattice()
    )


def _draw_metrics(rng: np.random.Generator, n: int, n_metrics: int) -> FloatArray:
    return _student(rng.standard_normal((n, n_metrics, N_EXAMPLES)))


def _draw_copy(rng: np.random.Generator, n: int) -> FloatArray:
    first, noise = rng.standard_normal((2, n, N_EXAMPLES))
    copy = CORRELATION_OF_COPY * first + (1.0 - CORRELATION_OF_COPY**2) ** 0.5 * noise
    return np.column_stack([_student(first), _student(copy)])


def _draw_sizes(rng: np.random.Generator, n: int) -> FloatArray:
    return np.column_stack([_student(rng.standard_normal((n, size))) for size in SAMPLE_SIZES])


def _draw_growing(rng: np.random.Generator, n: int) -> FloatArray:
    drawn = rng.standard_normal((n, SAMPLE_SIZES[-1]))
    return np.column_stack([_student(drawn[:, :size]) for size in SAMPLE_SIZES])


def _draw_halves(rng: np.random.Generator, n: int, n_metrics: int) -> FloatArray:
    # Which half an example is in is a coin, half of each: as good as the first and the last 50.
    drawn = rng.standard_normal((n, n_metrics, 2, N_EXAMPLES // 2))
    return _student(drawn).reshape(n, 2 * n_metrics)


def _looks() -> FloatArray:
    """Correlations of means of growing samples: the root of the share that they have in common."""
    sizes = np.array(SAMPLE_SIZES, dtype=np.float64)
    found: FloatArray = np.sqrt(np.minimum.outer(sizes, sizes) / np.maximum.outer(sizes, sizes))
    return found


_COPY = np.array([[1.0, CORRELATION_OF_COPY], [CORRELATION_OF_COPY, 1.0]])
_SIZES = tuple(f"n = {size}" for size in SAMPLE_SIZES)

TOYS: Mapping[str, Toy] = MappingProxyType(
    {
        toy.name: toy
        for toy in (
            Toy(
                name="one-metric",
                title="One metric, fixed beforehand",
                description=(
                    "Two identical systems, one metric, 100 examples. Nothing is chosen: p-values "
                    "spread evenly, and 5% of them lie below .05."
                ),
                choices=("metric 1",),
                printed={},
                is_choice=False,
                draw=lambda rng, n: _draw_metrics(rng, n, 1),
                theory=uniform,
                theory_name="α",
            ),
            Toy(
                name="sample-sizes",
                title="Four sample sizes",
                description=(
                    "The same with 25, 50, 100 and 200 examples, each fixed beforehand. Where "
                    "there is no difference, more examples make false positives neither rarer "
                    "nor more frequent."
                ),
                choices=_SIZES,
                printed={},
                is_choice=False,
                draw=_draw_sizes,
                theory=uniform,
                theory_name="α at every size",
            ),
            Toy(
                name="growing-sample",
                title="Looking at four sample sizes",
                description=(
                    "Examples are added until there are 200, and p is looked at with 25, 50, 100 "
                    "and 200 of them; the smallest p is reported."
                ),
                choices=_SIZES,
                printed={},
                is_choice=True,
                draw=_draw_growing,
                theory=_normal_choice(_looks()),
                theory_name="normal statistics with correlations √(n₁/n₂), in the limit",
            ),
            Toy(
                name="two-metrics",
                title="The better of two metrics",
                description=(
                    "Two metrics that have nothing in common, 100 examples; the smaller p is "
                    "reported."
                ),
                choices=("metric 1", "metric 2"),
                printed={0.05: 0.0975, 0.01: 0.019},
                is_choice=True,
                draw=lambda rng, n: _draw_metrics(rng, n, 2),
                theory=_independent(2),
                theory_name="1 − (1 − α)²",
            ),
            Toy(
                name="distorted-copy",
                title="A metric and its distorted copy",
                description=(
                    "The second metric is the first with as much noise added as it has itself, "
                    "so that the two correlate by .71; the smaller p is reported. Metrics that "
                    "say nearly the same inflate less than independent ones, and still inflate."
                ),
                choices=("metric 1", "its distorted copy"),
                printed={},
                is_choice=True,
                draw=_draw_copy,
                theory=_normal_choice(_COPY),
                theory_name="two normal statistics that correlate by .71, in the limit",
            ),
            Toy(
                name="covariate-halves",
                title="Either half by a covariate",
                description=(
                    "A covariate that says nothing parts the 100 examples into halves (short and "
                    "long, say); p is computed on either half, and the smaller is reported."
                ),
                choices=("first half", "second half"),
                printed={0.05: 0.095, 0.01: 0.027},
                is_choice=True,
                draw=lambda rng, n: _draw_halves(rng, n, 1),
                theory=_independent(2),
                theory_name="1 − (1 − α)²",
            ),
            Toy(
                name="covariate-halves-two-metrics",
                title="Either half, and the better of two metrics",
                description=(
                    "Both freedoms at once: two metrics on two halves make four p-values, of "
                    "which the smallest is reported."
                ),
                choices=(
                    "metric 1, first half",
                    "metric 1, second half",
                    "metric 2, first half",
                    "metric 2, second half",
                ),
                printed={0.05: 0.162, 0.01: 0.037},
                is_choice=True,
                draw=lambda rng, n: _draw_halves(rng, n, 2),
                theory=_independent(4),
                theory_name="1 − (1 − α)⁴",
            ),
        )
    }
)
