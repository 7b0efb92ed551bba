"""Simulated studies: how often each estimator counts more datasets than have an effect.

Vocabulary
----------
repetition
    One simulated study: N p-values, and a count of them by each estimator.
chunk
    Repetitions drawn at once, from a random stream of their own. Chunks are cut
    by N alone, so that neither time nor the order they are run in changes a result.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from core.signature import signature_line
from core.simulation.batch import ESTIMATORS, BatchCounter, CountArray, Estimator
from core.types import FloatArray, IntArray
from core.validation import check_alpha, check_choice

CONFIDENCE_LEVEL = 0.95

# P-values drawn at once: 1 MiB, which stays in a processor's cache, takes a few milliseconds and
# keeps all temporaries of a chunk below 64 MiB.
CHUNK_ENTRIES = 1 << 17

Position = Literal["below", "around", "above"]


class PValueSource(Protocol):
    """Anything that draws p-values and knows the truth behind them.

    ``n_datasets`` and ``signature`` (a line of text) are used where there are any.
    """

    @property
    def k(self) -> int:
        """On how many datasets A is better."""

    def draw(self, rng: np.random.Generator, n: int, /) -> npt.NDArray[np.floating]:
        """P-values of `n` studies, shape (n, N)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OvercountRate:
    """How often an estimator counted more than so many datasets.

    Attributes
    ----------
    estimator : {"count", "bonferroni", "fisher", "simes"}
        What counted.
    beyond : int
        The event is k̂ > beyond.
    count, n : int
        In `count` of `n` repetitions.
    alpha : float
        The level of the simulation, that the rate is held against.
    """

    estimator: Estimator
    beyond: int
    count: int
    n: int
    alpha: float

    @property
    def rate(self) -> float:
        """The share of repetitions."""
        return self.count / self.n

    @property
    def confidence_interval(self) -> tuple[float, float]:
        """Clopper and Pearson's exact 95% interval of the probability."""
        tail = (1.0 - CONFIDENCE_LEVEL) / 2.0
        low, high = 0.0, 1.0
        if self.count > 0:
            low = float(betaincinv(self.count, self.n - self.count + 1, tail))
        if self.count < self.n:
            high = float(betaincinv(self.count + 1, self.n - self.count, 1.0 - tail))
        return low, high

    @property
    def position(self) -> Position:
        """Where the interval lies: below alpha, above it, or around it."""
        low, high = self.confidence_interval
        if high < self.alpha:
            return "below"
        return "above" if low > self.alpha else "around"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simulation:
    """Counts of simulated studies.

    Attributes
    ----------
    k_hat : mapping of estimator to ndarray of int16, shape (n_repetitions,)
        "count" is the common practice #{p <= alpha}; the others have a guarantee.
    k : int
        On how many datasets A is better in truth.
    n_datasets : int
        N.
    alpha : float
        In (0, 1).
    n_repetitions, n_asked : int
        Repetitions done, and asked for: fewer are done where the run was stopped.
    seed : int
        Gives the same counts again as ``rng``, with the same scenario and `n_asked`.
    scenario : str
        The scenario's own line, or the name of its class.
    """

    k_hat: Mapping[Estimator, CountArray]
    k: int
    n_datasets: int
    alpha: float
    n_repetitions: int
    n_asked: int
    seed: int
    scenario: str

    @property
    def complete(self) -> bool:
        """Whether all repetitions asked for were done."""
        return self.n_repetitions == self.n_asked

    @property
    def signature(self) -> str:
        """The one line that names everything the counts depend on."""
        return signature_line(
            scenario=self.scenario,
            datasets=self.n_datasets,
            k=self.k,
            alpha=self.alpha,
            repetitions=self.n_asked,
            done=None if self.complete else self.n_repetitions,
            seed=self.seed,
        )

    def overcount(self, estimator: Estimator, beyond: int | None = None) -> OvercountRate:
        """How often the count exceeded the truth.

        Parameters
        ----------
        estimator : {"count", "bonferroni", "fisher", "simes"}
            What counted.
        beyond : int, optional
            Exceeded this number instead of k.
        """
        check_choice(estimator, ESTIMATORS, name="estimator")
        most = self.k if beyond is None else operator.index(beyond)
        return OvercountRate(
            estimator=estimator,
            beyond=most,
            count=int(np.count_nonzero(self.k_hat[estimator] > most)),
            n=self.n_repetitions,
            alpha=self.alpha,
        )

    def histogram(self, estimator: Estimator) -> IntArray:
        """In how many repetitions k̂ was 0, 1, ..., N; shape (N + 1,)."""
        check_choice(estimator, ESTIMATORS, name="estimator")
        return np.bincount(self.k_hat[estimator], minlength=self.n_datasets + 1)


def simulate_k_hat(
    scenario: PValueSource,
    *,
    n_repetitions: int,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Simulation:
    """Draw studies from a scenario and count the datasets of each.

    Parameters
    ----------
    scenario : Scenario
        Or any object with ``draw(rng, n)``, giving p-values of shape (n, N), and ``k``.
    n_repetitions : int
        How many studies, at least 1.
    alpha : float
        In (0, 1). The same seed draws the same p-values at every alpha.
    rng : int, numpy.random.Generator or None
        A seed, 0 included; a generator, from which a seed is drawn; None for a
        seed that differs each time. Simulation.seed gives the same again.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` after every chunk, every few
        milliseconds. When it returns False the run stops and keeps what it has.

    Returns
    -------
    Simulation
        Depends on nothing but the seed, the scenario, `n_repetitions` and `alpha`.

    Raises
    ------
    ValueError
        If an argument is out of its range, or the scenario draws something else
        than p-values of shape (n, N).

    References
    ----------
    Dror et al. (TACL 2017), section 5 and Figure 1.

    Examples
    --------
    >>> from core.simulation.scenarios import Block, Scenario
    >>> nothing = Scenario((Block(100),))
    >>> simulation = simulate_k_hat(nothing, n_repetitions=10_000, rng=0)
    >>> simulation.overcount("count").position, simulation.overcount("bonferroni").position
    ('above', 'around')
    """
    level = check_alpha(alpha)
    total = _check_repetitions(n_repetitions)
    seed = _seed_of(rng)
    n_datasets = _width_of(scenario, seed)
    k = operator.index(scenario.k)
    if not 0 <= k <= n_datasets:
        raise ValueError(f"`scenario.k` must lie between 0 and {n_datasets}; got {k}.")
    counter = BatchCounter(n_datasets, alpha=level)
    k_hat = {estimator: np.empty(total, dtype=np.int16) for estimator in ESTIMATORS}
    done = 0
    for number, chunk in enumerate(_chunks(total, n_datasets)):
        size = chunk.stop - chunk.start
        for estimator, counts in counter.k_hat(_drawn(scenario, seed, number, size)).items():
            k_hat[estimator][chunk] = counts
        done = chunk.stop
        if on_progress is not None and on_progress(done, total) is False:
            break
    for estimator in ESTIMATORS:
        # A copy of what was done, so that a stopped run does not hold the room of a whole one.
        kept = k_hat[estimator] if done == total else k_hat[estimator][:done].copy()
        kept.flags.writeable = False
        k_hat[estimator] = kept
    return Simulation(
        k_hat=k_hat,
        k=k,
        n_datasets=n_datasets,
        alpha=level,
        n_repetitions=done,
        n_asked=total,
        seed=seed,
        scenario=str(getattr(scenario, "signature", type(scenario).__name__)),
    )


def _chunks(total: int, n_datasets: int) -> Iterator[slice]:
    step = max(1, CHUNK_ENTRIES // n_datasets)
    for start in range(0, total, step):
        yield slice(start, min(start + step, total))


def _drawn(scenario: PValueSource, seed: int, number: int, size: int) -> FloatArray:
    """P-values of a chunk, from the stream of the chunk's number."""
    stream = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    p_values = np.asarray(scenario.draw(stream, size), dtype=np.float64)
    if p_values.ndim != 2 or p_values.shape[0] != size:
        raise ValueError(
            f"`scenario.draw(rng, {size})` must give p-values of shape ({size}, N); "
            f"got shape {p_values.shape}."
        )
    return p_values


def _width_of(scenario: PValueSource, seed: int) -> int:
    told = getattr(scenario, "n_datasets", None)
    if told is not None:
        return operator.index(told)
    # A stream that no chunk has: the study drawn here is only looked at for its width.
    stream = np.random.default_rng(np.random.SeedSequence(seed))
    drawn = np.asarray(scenario.draw(stream, 1))
    if drawn.ndim != 2 or drawn.shape[0] != 1:
        raise ValueError(
            f"`scenario.draw(rng, 1)` must give p-values of shape (1, N); got shape {drawn.shape}."
        )
    return int(drawn.shape[1])


def _seed_of(rng: int | np.random.Generator | None) -> int:
    if isinstance(rng, np.random.Generator):
        return int.from_bytes(rng.bytes(16), "little")
    if rng is None:
        return int.from_bytes(np.random.default_rng().bytes(16), "little")
    try:
        seed = operator.index(rng)
    except TypeError:
        seed = -1
    if seed < 0:
        raise ValueError(f"`rng` must be a seed of at least 0, a Generator or None; got {rng!r}.")
    return seed


def _check_repetitions(n_repetitions: int) -> int:
    try:
        total = operator.index(n_repetitions)
    except TypeError:
        total = 0
    if total < 1:
        raise ValueError(
            f"`n_repetitions` must be a whole number of at least 1; got {n_repetitions!r}."
        )
    return total
