"""How many datasets a claim takes, its power, and how soon the common practice over-claims.

Vocabulary
----------
step
    A number of datasets with which k, the datasets on which A is better, rises:
    a share of all is rounded to whole datasets. From one step to just before
    the next a further dataset adds a null only, and the power falls a little.
first
    The smallest number with which the claim is made often enough; always a step.
lasting
    The smallest number from which on it is with every larger one; a step too.
family
    What makes a scenario of a number: of datasets, of examples, an effect.
power
    P(k̂ >= m), the chance that the claim "at least m" is made.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby

import numpy as np

from ..replicability.combinations import combination_names
from ..signature import signature_line
from ..significance.settings import seed_or_new
from ..significance.stopping import Progress, Steps, Stopped
from ..types import FloatArray, IntArray
from ..validation import at_most
from .batch import estimator_names
from .results import Rate, SimulatedStudies
from .runs import Studies, simulate_k_hat
from .scenarios import Block, PValueSource, Scenario

# So many steps on either side of the place where bisection ends are looked at.
_NEIGHBOURS = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetsNeeded:
    """The smallest numbers of datasets with which a true claim is made often enough.

    `n_datasets` is the first whose simulated power reaches the one asked for, between `low`, whose
    95% interval reaches up to it, and `high`, whose interval lies at or above it; `lasting` the
    smallest from which on every number up to `most` does; with `least` the claim is true. Each is
    None where there is none, or the run was stopped before. `guaranteed`: theory proves the count's
    promise. `tried`, from one seed, are all that were simulated; `scenario` is the largest study.
    """

    n_datasets: int | None
    lasting: int | None
    low: int | None
    high: int | None
    least: int | None
    at_least: int
    power: float
    estimator: str
    guaranteed: bool
    most: int
    tried: Mapping[int, Rate]
    scenario: str
    alpha: float
    n_repetitions: int
    seed: int
    complete: bool

    @property
    def signature(self) -> str:
        """The one line that names everything the numbers depend on."""
        return signature_line(
            needed=f"at least {self.at_least} in {self.power:.10g}",
            count=self.estimator,
            up_to=self.scenario,
            tried=sha256(",".join(map(str, self.tried)).encode()).hexdigest()[:8],
            alpha=self.alpha,
            repetitions=self.n_repetitions,
            done=None if self.complete else "stopped",
            seed=self.seed,
        )


def datasets_needed(
    make_scenario: Callable[[int], PValueSource],
    at_least: int,
    *,
    power: float = 0.8,
    estimator: str = "bonferroni",
    most: int = 1_000,
    n_repetitions: int = 2_000,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    on_progress: Progress | None = None,
) -> DatasetsNeeded:
    """Search, up to `most`, for the numbers of datasets with which P(k̂ >= m) is large enough.

    Only numbers with which the claim is true, k >= m, count. The search doubles and halves over the
    steps of k, for the first number, and over the numbers just before a step, where the power is
    least, for the lasting one; then it looks at the neighbours that simulation leaves open. The total
    of its progress is a guess.
    """
    seed = seed_or_new(rng)
    tried: dict[int, Rate] = {}
    steps = Steps(on_progress, total=4 * 2 * (most.bit_length() + 1) * n_repetitions)

    def rate_of(n: int) -> Rate:
        if n not in tried:
            if not steps.going:
                raise Stopped
            simulation = simulate_k_hat(
                make_scenario(n),
                n_repetitions=n_repetitions,
                alpha=alpha,
                rng=seed,
                on_progress=steps.beyond(len(tried) * n_repetitions),
            )
            if not simulation.complete:
                raise Stopped
            tried[n] = simulation.power(estimator, at_least)
        return tried[n]

    firsts, lasts = _runs_of_k(make_scenario, at_least, most)
    found: dict[str, int | None] = dict.fromkeys(("n_datasets", "lasting", "low", "high"))
    complete = True
    try:
        if firsts:
            for name, place in _search(firsts, lasts, rate_of, power):
                found[name] = None if place is None else firsts[place]
        steps.finish()
    except Stopped:
        complete = False
    largest = Studies(make_scenario(most), seed)
    return DatasetsNeeded(
        **found,
        least=firsts[0] if firsts else None,
        at_least=at_least,
        power=power,
        estimator=estimator,
        guaranteed=estimator in largest.proved,
        most=most,
        tried=dict(sorted(tried.items())),
        scenario=largest.name,
        alpha=alpha,
        n_repetitions=n_repetitions,
        seed=seed,
        complete=complete,
    )


def _runs_of_k(
    make_scenario: Callable[[int], PValueSource], least: int, most: int
) -> tuple[list[int], list[int]]:
    """The first and the last number of each run of numbers with one k, where that is large enough."""
    true = ((n, make_scenario(n).k) for n in range(least, most + 1))
    firsts, lasts = [], []
    for k, run in groupby(true, key=lambda pair: pair[1]):
        numbers = [n for n, _ in run]
        if k >= least:
            firsts.append(numbers[0])
            lasts.append(numbers[-1])
    return firsts, lasts


def _search(
    firsts: list[int], lasts: list[int], rate_of: Callable[[int], Rate], power: float
) -> Iterator[tuple[str, int | None]]:
    """The first step that reaches the power, where its interval leaves it, the one from which on all do."""

    def by(numbers: list[int], end: Callable[[Rate], float]) -> Callable[[int], bool]:
        return lambda place: end(rate_of(numbers[place])) >= power

    reaches = by(firsts, lambda rate: rate.rate)
    may = by(firsts, lambda rate: rate.confidence_interval[1])
    surely = by(firsts, lambda rate: rate.confidence_interval[0])
    last = len(firsts) - 1
    place = _smallest(reaches, 0, last)
    low = _smallest(may, 0, last if place is None else place)
    high = None
    if place is not None and low is not None:
        # What rises but for chance is found near its place, not at it: its neighbours decide. Below
        # `low` none is looked at.
        nearby = range(max(low, place - _NEIGHBOURS), place)
        place = min([index for index in nearby if reaches(index)], default=place)
        high = _smallest(surely, place, last)
    yield from (("n_datasets", place), ("low", low), ("high", high))
    # The power is least just before the next step.
    lasting = _smallest(by(lasts, lambda rate: rate.rate), 0, last)
    for index in () if lasting is None else range(lasting, min(lasting + _NEIGHBOURS, last + 1)):
        rate = rate_of(lasts[index])
        if rate.rate < power:
            lasting = index + 1
        elif rate.confidence_interval[0] >= power:
            break
    yield "lasting", lasting if lasting is not None and lasting <= last else None


def _smallest(reaches: Callable[[int], bool], low: int, most: int) -> int | None:
    """The smallest number from `low` to `most` that reaches, where larger ones do too."""
    high, step = low, 1
    while not reaches(high):
        if high == most:
            return None
        low, high, step = high + 1, min(high + step, most), 2 * step
    return bisect_left(range(high), True, lo=low, hi=high, key=reaches)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerPoint:
    """P(k̂ >= m) of one member of a family; which counts are `proved` in it."""

    value: float
    n_datasets: int
    k: int
    at_least: int
    power: Mapping[str, Rate]
    scenario: str
    proved: tuple[str, ...]

    @property
    def is_true(self) -> bool:
        """Whether the claim is true: where it is wrong, making it is no power."""
        return self.at_least <= self.k


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerCurve:
    """Power along a family, from one seed, which is smoother than its intervals say."""

    points: tuple[PowerPoint, ...]
    values: tuple[float, ...]
    alpha: float
    n_repetitions: int
    seed: int
    complete: bool

    @property
    def true_points(self) -> tuple[PowerPoint, ...]:
        """Those where the claim is true."""
        return tuple(point for point in self.points if point.is_true)

    @property
    def proved(self) -> tuple[str, ...]:
        """The counts that have their guarantee at every point."""
        return tuple(
            name
            for name in combination_names()
            if all(name in point.proved for point in self.points)
        )

    @property
    def signature(self) -> str:
        """The one line that names everything the curve depends on."""
        whole = "\n".join(f"{one.value!r} {one.at_least} {one.scenario}" for one in self.points)
        first, last = (self.points[0], self.points[-1]) if self.points else (None, None)
        claims = sorted({point.at_least for point in self.points})
        return signature_line(
            power=f"at least {' to '.join(map(str, sorted({*claims[:1], *claims[-1:]})))}",
            first=first.scenario if first else None,
            last=last.scenario if last else None,
            points=f"{len(self.points)} of {len(self.values)}",
            of=sha256(whole.encode("utf-8")).hexdigest()[:8],
            alpha=self.alpha,
            repetitions=self.n_repetitions,
            seed=self.seed,
        )


def power_curve(
    make_scenario: Callable[[float], PValueSource],
    values: Sequence[float],
    *,
    at_least: int | Callable[[int], int] | None = None,
    n_repetitions: int = 2_000,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    on_progress: Progress | None = None,
) -> PowerCurve:
    """Simulate P(k̂ >= m) along a family; m may be made of k, by default the whole truth."""
    seed = seed_or_new(rng)
    steps = Steps(on_progress, total=n_repetitions * len(values))
    points: list[PowerPoint] = []
    complete = True
    for number, value in enumerate(values):
        if not steps.going:
            complete = False
            break
        simulation = simulate_k_hat(
            make_scenario(value),
            n_repetitions=n_repetitions,
            alpha=alpha,
            rng=seed,
            on_progress=steps.beyond(number * n_repetitions),
        )
        complete = complete and simulation.complete
        k = simulation.k
        least = k if at_least is None else at_least(k) if callable(at_least) else at_least
        points.append(
            PowerPoint(
                value=value,
                n_datasets=simulation.n_datasets,
                k=k,
                at_least=least,
                power={name: simulation.power(name, least) for name in estimator_names()},
                scenario=simulation.scenario,
                proved=simulation.proved,
            )
        )
    return PowerCurve(
        points=tuple(points),
        values=tuple(values),
        alpha=alpha,
        n_repetitions=n_repetitions,
        seed=seed,
        complete=complete,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OverClaimCurve(SimulatedStudies):
    """Chances of at least one p <= alpha among the first N datasets of the same studies, by N.

    It rises as the true curve does; A and B do not differ.
    """

    rates: Mapping[int, Rate]
    rho: float

    @property
    def signature(self) -> str:
        """The one line that names everything the curve depends on."""
        return signature_line(
            over_claims=",".join(map(str, self.rates)),
            rho=self.rho,
            alpha=self.alpha,
            repetitions=self.n_asked,
            done=None if self.complete else self.n_repetitions,
            seed=self.seed,
        )


def over_claim_curve(
    n_datasets: Sequence[int],
    *,
    n_repetitions: int = 10_000,
    alpha: float = 0.05,
    rho: float = 0.0,
    rng: int | np.random.Generator | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> OverClaimCurve:
    """Simulate how often one of N datasets without a difference has p <= alpha."""
    sizes = np.unique(list(n_datasets))
    scenario = Scenario((Block(int(sizes[-1]), rho=rho),))
    studies = Studies(scenario, seed_or_new(rng))

    def first_small(p_values: FloatArray, _number: int, _chosen: slice) -> IntArray:
        """Before how many datasets of each study none has p <= alpha."""
        small = at_most(p_values, alpha)
        return np.where(small.any(axis=1), small.argmax(axis=1), scenario.n_datasets)

    found = studies.each(first_small, total=n_repetitions, on_progress=on_progress)
    first = np.sort(np.concatenate(found))
    counts = np.searchsorted(first, sizes, side="left")
    return OverClaimCurve(
        rates={
            n: Rate(count=count, n=first.size)
            for n, count in zip(sizes.tolist(), counts.tolist(), strict=True)
        },
        rho=float(rho),
        **studies.done(first.size, of=n_repetitions, alpha=alpha),
    )
