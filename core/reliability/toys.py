"""What choosing after looking does to the p-values of two identical systems: toy examples.

Every p-value is Student's, one-sided, of differences from one normal distribution
around 0, 100 of them by default. Of several p-values one is reported.

Vocabulary
----------
choice
    One p-value among those that could have been reported.
repetition
    One study of the toy.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from ..signature import signature_line
from ..significance.paired_tests import student_of_moments
from ..significance.settings import Rng, dataset_stream, seed_of
from ..significance.stopping import Progress, Steps
from ..simulation.results import Rate
from ..types import FloatArray, IntArray
from .choices import free_choice_rate

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

    ``draw(rng, n)`` gives p-values, shape (n, choices); `theory` goes from levels to the chance
    that the reported one is below each, by the formula `theory_name`. `printed` are shares below
    .05 and .01 as Søgaard et al. (2014) print them. Without `is_choice` each p-value stands for
    itself.
    """

    name: str
    title: str
    description: str
    choices: tuple[str, ...]
    draw: Draw
    theory: Theory
    theory_name: str
    printed: Mapping[float, float] = field(default_factory=dict)
    is_choice: bool = True


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
    return student_of_moments(n, differences.sum(axis=-1), (differences**2).sum(axis=-1))


def _each_of(*shape: int) -> Draw:
    """Draws the differences of so many choices, the last number being that of examples."""

    def draw(rng: np.random.Generator, n: int) -> FloatArray:
        return _student(rng.standard_normal((n, *shape))).reshape(n, -1)

    return draw


def _draw_copy(rng: np.random.Generator, n: int) -> FloatArray:
    first, noise = rng.standard_normal((2, n, N_EXAMPLES))
    copy = CORRELATION_OF_COPY * first + (1.0 - CORRELATION_OF_COPY**2) ** 0.5 * noise
    return np.column_stack([_student(first), _student(copy)])


def _draw_sizes(rng: np.random.Generator, n: int) -> FloatArray:
    return np.column_stack([_student(rng.standard_normal((n, size))) for size in SAMPLE_SIZES])


def _draw_growing(rng: np.random.Generator, n: int) -> FloatArray:
    drawn = rng.standard_normal((n, SAMPLE_SIZES[-1]))
    return np.column_stack([_student(drawn[:, :size]) for size in SAMPLE_SIZES])


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
                is_choice=False,
                draw=_each_of(1, N_EXAMPLES),
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
                draw=_each_of(2, N_EXAMPLES),
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
                # Which half an example is in is a coin, half of each: as good as the first 50.
                draw=_each_of(1, 2, N_EXAMPLES // 2),
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
                draw=_each_of(2, 2, N_EXAMPLES // 2),
                theory=_independent(4),
                theory_name="1 − (1 − α)⁴",
            ),
        )
    }
)


LEVELS = (0.05, 0.01)
# Bars of a histogram: twentieths, so that the first is p < .05.
N_BINS = 20
_CHUNK = 500


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToyShare:
    """How often the reported p-value lies below a level.

    In theory, and as the paper prints it, which is not matched.
    """

    level: float
    rate: Rate
    theory: float
    printed: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToySeries:
    """P-values of one kind, "smallest of …" for one.

    Repetitions with p in each twentieth, and as theory expects.
    """

    name: str
    counts: IntArray
    expected: FloatArray
    shares: tuple[ToyShare, ...]

    def share(self, level: float) -> ToyShare:
        """That of one level, .05 or .01."""
        return next(share for share in self.shares if share.level == level)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToyStudy:
    """Distribution of the p-values of a toy example.

    Of the p-values that are reported, and of each choice alone.
    """

    toy: Toy
    reported: tuple[ToySeries, ...]
    choices: tuple[ToySeries, ...]
    n_repetitions: int
    n_asked: int
    seed: int

    @property
    def complete(self) -> bool:
        """Whether all repetitions asked for were done."""
        return self.n_repetitions == self.n_asked

    @property
    def bin_edges(self) -> FloatArray:
        """Of the histograms, shape (21,)."""
        return np.linspace(0.0, 1.0, N_BINS + 1)

    @property
    def signature(self) -> str:
        """The one line that names everything the numbers depend on."""
        return signature_line(
            toy=self.toy.name,
            test="paired-t",
            alt="greater",
            repetitions=self.n_asked,
            done=None if self.complete else self.n_repetitions,
            seed=self.seed,
        )


def toy_study(
    name: str, *, n_repetitions: int = 10_000, rng: Rng = 0, on_progress: Progress | None = None
) -> ToyStudy:
    """Repeat a toy example of `TOYS` (Søgaard et al., CoNLL 2014, section 3).

    Fewer repetitions are the first of more.
    """
    toy = TOYS[name]
    seed = seed_of(rng)
    stream = dataset_stream(seed, toy.name, "toy")
    p_values = np.empty((n_repetitions, len(toy.choices)))
    steps = Steps(on_progress, total=n_repetitions)
    for start in range(0, n_repetitions, _CHUNK):
        if not steps.keep_going():
            break
        steps.done = min(start + _CHUNK, n_repetitions)
        # Always a whole chunk, so that fewer repetitions are the first of more.
        p_values[start : steps.done] = toy.draw(stream, _CHUNK)[: steps.done - start]
    steps.end("The toy example was stopped before one repetition was done.")
    drawn = p_values[: steps.done]
    each = tuple(
        _series(choice, column, uniform, {})
        for choice, column in zip(toy.choices, drawn.T, strict=True)
    )
    reported = each
    if toy.is_choice:
        named = f"smallest of {len(toy.choices)}"
        reported = (_series(named, drawn.min(axis=1), toy.theory, toy.printed),)
    return ToyStudy(
        toy=toy,
        reported=reported,
        choices=each,
        n_repetitions=steps.done,
        n_asked=n_repetitions,
        seed=seed,
    )


def _series(
    name: str, p_values: FloatArray, theory: Theory, printed: Mapping[float, float]
) -> ToySeries:
    n = p_values.size
    edges = np.linspace(0.0, 1.0, N_BINS + 1)
    counts, _ = np.histogram(p_values, bins=edges)
    shares = tuple(
        ToyShare(
            level=level,
            rate=Rate(count=int(np.count_nonzero(p_values < level)), n=n),
            theory=float(theory(np.array(level))),
            printed=printed.get(level),
        )
        for level in LEVELS
    )
    expected: FloatArray = n * np.diff(theory(edges))
    return ToySeries(name=name, counts=counts, expected=expected, shares=shares)
