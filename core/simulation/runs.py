"""Simulated studies: how often each estimator counts too many datasets, and a procedure names wrong ones.

Vocabulary
----------
repetition
    One simulated study: N p-values, and a count of them by each estimator.
chunk
    The repetitions that are drawn together, from a stream of their own.
wrong name
    A dataset that is named as one on which A is better, and is none.
"""

import operator
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ..replicability.combinations import JOINT_METHODS, combination_names, counting_method_named
from ..replicability.identification import procedure_named, procedure_names
from ..replicability.joint import JOINT_STATISTICS, k_hat_by_flips
from ..significance.settings import seed_of, seed_or_new
from ..significance.stopping import Progress, goes_on, run_pieces
from ..types import BoolArray, FloatArray
from ..validation import check_alpha, check_whole
from .batch import BatchCounter, CountArray
from .results import IdentificationSimulation, ProcedureSummary, Rate, Simulation, mean_of
from .scenarios import CHUNK_ENTRIES, PValueSource

Look = TypeVar("Look")
# More cores gain little: drawing fills the memory's bandwidth.
MOST_THREADS = 2
# Below, starting threads takes longer than they save.
_THREADS_FROM = 32
# Enough work that handing it over costs next to nothing; still told of often.
_CHUNKS_IN_A_PIECE = 4
# What a piece holds at most beside its results.
_PIECE_BYTES = 16 << 20


class Studies:
    """The studies that a scenario draws from a seed, in chunks, and what it says of itself.

    Joint flips count them only where it draws these. `proved` are the counts whose promise is
    proved for it; none where it does not say.
    """

    def __init__(self, source: PValueSource, seed: int) -> None:
        self._source, self._seed = source, seed
        told = getattr(source, "n_datasets", None)
        # From a stream that no chunk has: the study drawn here is only looked at for its width.
        stream = np.random.default_rng(np.random.SeedSequence(seed))
        self.n_datasets = operator.index(self._drawn(stream, 1).shape[1] if told is None else told)
        self.k = operator.index(source.k)
        if not 0 <= self.k <= self.n_datasets:
            raise ValueError(
                f"`scenario.k` must lie between 0 and {self.n_datasets}; got {self.k}."
            )
        self.name = str(getattr(source, "signature", type(source).__name__))
        by_p_values, by_flips = combination_names(), tuple(each.name for each in JOINT_METHODS)
        flips = by_flips if getattr(source, "draw_flips", None) else ()
        self.estimators = ("count", *by_p_values, *flips)
        proved = getattr(source, "proved", ())
        self.proved = tuple(name for name in (*by_p_values, *by_flips) if name in proved)

    def done(self, n_repetitions: int, *, of: int, alpha: float) -> dict[str, Any]:
        """So many of them as a result says which they are, of those that were asked for."""
        return {
            "k": self.k,
            "n_datasets": self.n_datasets,
            "alpha": alpha,
            "n_repetitions": n_repetitions,
            "n_asked": of,
            "seed": self._seed,
            "scenario": self.name,
        }

    def _drawn(self, stream: np.random.Generator, n: int) -> FloatArray:
        p_values = np.asarray(self._source.draw(stream, n), dtype=np.float64)
        if p_values.ndim != 2 or p_values.shape[0] != n:
            raise ValueError(
                f"`scenario.draw(rng, {n})` must give p-values of shape ({n}, N); got shape "
                f"{p_values.shape}."
            )
        return p_values

    @property
    def truth(self) -> BoolArray | None:
        """On which datasets A is better, shape (N,); None where the scenario does not say."""
        n, k = self.n_datasets, self.k
        told = getattr(self._source, "truly_better", None)
        if told is None:
            return np.full(n, k > 0) if k in (0, n) else None
        truth = np.asarray(told, dtype=np.bool_)
        if truth.shape != (n,) or int(truth.sum()) != k:
            raise ValueError(
                f"`scenario.truly_better` must tell of {n} datasets which {k} are meant; got "
                f"{int(truth.sum())} of {truth.size}."
            )
        return truth

    @property
    def size(self) -> int:
        """How many studies a chunk has: by the scenario alone, never by the length of a run."""
        size = max(1, CHUNK_ENTRIES // self.n_datasets)
        told = getattr(self._source, "n_at_once", None)
        return size if told is None else max(1, min(size, operator.index(told)))

    def _stream(self, number: int) -> np.random.Generator:
        # numpy's quickest source of numbers, which takes a sixth off the time of drawing normals.
        bits = np.random.SFC64(np.random.SeedSequence(self._seed, spawn_key=(number,)))
        return np.random.Generator(bits)

    def p_values(self, number: int, chosen: slice) -> FloatArray:
        """P-values of some studies of a chunk, which is drawn whole from the stream of its number."""
        return self._drawn(self._stream(number), self.size)[chosen]

    def counted_by_flips(
        self, number: int, chosen: slice, *, alpha: float
    ) -> dict[str, CountArray]:
        """Counts by joint flips of some studies of a chunk; empty where none are drawn."""
        draw = getattr(self._source, "draw_flips", None)
        if draw is None:
            return {}
        drawn = draw(self._stream(number), self.size)[chosen]
        return {
            f"joint-{statistic}": np.array(
                [k_hat_by_flips(flips, alpha=alpha, statistic=statistic) for flips in drawn],
                dtype=np.int16,
            )
            for statistic in JOINT_STATISTICS
        }

    def each(
        self,
        look: Callable[[FloatArray, int, slice], Look],
        *,
        total: int,
        first: int = 0,
        n_threads: int | None = None,
        on_progress: Progress | None = None,
    ) -> list[Look]:
        """What is seen in repetitions `first` to `total`, chunk by chunk, as far as they were done.

        `look` is given p-values of some studies, their chunk's number and which of it they are, in any
        thread. `on_progress` is called from this one; where it returns False no more chunks are begun.
        Threads are by default 2 where there are two cores and enough to do.
        """
        size = self.size
        begin, end = first // size, -(-total // size)
        cores = min(MOST_THREADS, os.cpu_count() or 1) if n_threads is None else max(1, n_threads)
        threads = cores if end - begin >= _THREADS_FROM else 1
        step = _CHUNKS_IN_A_PIECE if threads > 1 else 1
        # Pieces are begun in order and always ended, so that a stop leaves no gap.
        found: dict[int, list[Look]] = {}
        going = True

        def run_piece(piece: int, _keep_going: Callable[[], bool]) -> list[Look]:
            seen = []
            for number in range(piece, min(piece + step, end)):
                before = number * size
                chosen = slice(max(first - before, 0), min(total - before, size))
                seen.append(look(self.p_values(number, chosen), number, chosen))
            return seen

        def tell(place: int, seen: list[Look]) -> None:
            nonlocal going
            found[place] = seen
            done = max(first, (begin + len(found) * step) * size)
            going = goes_on(on_progress, min(done, total), total) and going

        run_pieces(
            [partial(run_piece, piece) for piece in range(begin, end, step)],
            n_threads=threads,
            bytes_held=lambda _place: _PIECE_BYTES,
            keep_going=lambda: going,
            on_done=tell,
        )
        return [seen for place in sorted(found) for seen in found[place]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draw:
    """One simulated study: the `repetition`, from 0, of `simulate_k_hat` with the seed.

    `k_hat` has the count of each estimator, "count" being the common practice #{p <= alpha}, without
    a guarantee. `truly_better`, shape (N,), is None where the scenario does not say.
    """

    p_values: FloatArray
    k_hat: Mapping[str, int]
    truly_better: BoolArray | None
    k: int
    alpha: float
    seed: int
    repetition: int


def draw_one(
    scenario: PValueSource, seed: int, *, alpha: float = 0.05, repetition: int = 0
) -> Draw:
    """Draw one study and count it: the `repetition`, from 0, of a run with this seed."""
    start = seed_of(operator.index(seed))
    studies = Studies(scenario, start)
    counter = BatchCounter(studies.n_datasets, alpha=alpha)
    number, own = divmod(repetition, studies.size)
    chosen = slice(own, own + 1)
    drawn = studies.p_values(number, chosen).copy()
    counts = counter.k_hat(drawn) | studies.counted_by_flips(number, chosen, alpha=alpha)
    drawn.flags.writeable = False
    return Draw(
        p_values=drawn[0],
        k_hat={estimator: int(found[0]) for estimator, found in counts.items()},
        truly_better=studies.truth,
        k=studies.k,
        alpha=alpha,
        seed=start,
        repetition=repetition,
    )


def simulate_k_hat(
    scenario: PValueSource,
    *,
    n_repetitions: int,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    n_threads: int | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Simulation:
    """Draw studies from a scenario and count the datasets of each.

    Parameters
    ----------
    scenario : Scenario
        Or any object with ``draw(rng, n)``, giving p-values of shape (n, N), and ``k``. Several
        threads ask it for many studies at once, whatever `n_repetitions`: where these take long,
        an attribute ``n_at_once`` says how many. Of one without ``n_datasets`` single studies are
        drawn beside them, to see N.
    n_repetitions : int
        How many studies, at least 1.
    alpha : float
        In (0, 1). The same seed draws the same p-values at every alpha.
    rng : int, numpy.random.Generator or None
        A seed, 0 included; a generator, from which a seed is drawn; None for a
        seed that differs each time. Simulation.seed gives the same again.
    n_threads : int, optional
        How many work at once on a long run, by default both cores; it changes
        no result.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` every few milliseconds, from the
        calling thread. When it returns False the run stops and keeps what it has.

    Returns
    -------
    Simulation
        Depends on nothing but the seed, the scenario, `n_repetitions` and
        `alpha`. With the same seed fewer repetitions are the first of more.

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
    >>> from replicability import Block, Scenario, simulate_k_hat
    >>> nothing = Scenario((Block(100),))
    >>> simulation = simulate_k_hat(nothing, n_repetitions=10_000, rng=0)
    >>> simulation.overcount("count").position, simulation.overcount("bonferroni").position
    ('above', 'around')
    """
    level = check_alpha(alpha)
    total = check_whole(n_repetitions, name="n_repetitions", least=1)
    studies = Studies(scenario, seed_or_new(rng))
    nothing = Simulation(
        k_hat={name: np.empty(0, dtype=np.int16) for name in studies.estimators},
        proved=studies.proved,
        **studies.done(0, of=0, alpha=level),
    )
    return extend_simulation(
        nothing, scenario, n_repetitions=total, n_threads=n_threads, on_progress=on_progress
    )


def extend_simulation(
    simulation: Simulation,
    scenario: PValueSource,
    *,
    n_repetitions: int,
    n_threads: int | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Simulation:
    """Add repetitions, also after a stop: what `simulate_k_hat` gives at once for as many."""
    total = simulation.n_repetitions + check_whole(n_repetitions, name="n_repetitions", least=1)
    studies = Studies(scenario, simulation.seed)
    given = (studies.name, studies.n_datasets, studies.k)
    if given != (simulation.scenario, simulation.n_datasets, simulation.k):
        raise ValueError(
            f"`scenario` must be the simulation's own, '{simulation.scenario}'; got '{given[0]}'."
        )
    alpha = simulation.alpha
    counter = BatchCounter(studies.n_datasets, alpha=alpha)

    def count(p_values: FloatArray, number: int, chosen: slice) -> dict[str, CountArray]:
        by_flips = studies.counted_by_flips(number, chosen, alpha=alpha)
        return counter.k_hat(p_values) | by_flips

    found = studies.each(
        count,
        total=total,
        first=simulation.n_repetitions,
        n_threads=n_threads,
        on_progress=on_progress,
    )
    k_hat = {
        estimator: np.concatenate([before, *(counts[estimator] for counts in found)])
        for estimator, before in simulation.k_hat.items()
    }
    for counts in k_hat.values():
        counts.flags.writeable = False
    n_done = k_hat["count"].size
    return replace(simulation, k_hat=k_hat, n_repetitions=n_done, n_asked=total)


def simulate_identification(
    scenario: PValueSource,
    *,
    n_repetitions: int,
    alpha: float = 0.05,
    procedures: Sequence[str] | None = None,
    rng: int | np.random.Generator | None = None,
    n_threads: int | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> IdentificationSimulation:
    """Draw studies from a scenario that says where A is better, and name them, by default by every procedure."""
    chosen = procedure_names() if procedures is None else tuple(dict.fromkeys(procedures))
    studies = Studies(scenario, seed_or_new(rng))
    truth = studies.truth
    if truth is None:
        raise ValueError(
            "`scenario.truly_better` must say on which datasets A is better, where it is on some "
            "and not on others; the scenario has none."
        )
    n_datasets, k = studies.n_datasets, studies.k
    counter = BatchCounter(n_datasets, alpha=alpha)
    found = studies.each(
        lambda p_values, _number, _part: counter.named(p_values, truth, chosen),
        total=check_whole(n_repetitions, name="n_repetitions", least=1),
        n_threads=n_threads,
        on_progress=on_progress,
    )
    summaries = {}
    for procedure in chosen:
        n_named, n_right = np.hstack([of_chunk[procedure] for of_chunk in found])
        wrong = n_named - n_right
        summaries[procedure] = ProcedureSummary(
            procedure=procedure,
            alpha=alpha,
            family_wise_error=Rate(count=int(np.count_nonzero(wrong)), n=wrong.size),
            false_discovery_proportion=mean_of(wrong / np.maximum(n_named, 1), largest=1.0),
            power=mean_of(n_right / k, largest=1.0) if k else None,
            mean_named=mean_of(n_named, largest=float(n_datasets)),
        )
    # A procedure rests on no more than a combination's own condition (for Benjamini and Hochberg's
    # by their theorem of 2001 with Yekutieli).
    holds = {counting_method_named(name).dependence for name in studies.proved}
    return IdentificationSimulation(
        summaries=summaries,
        proved=tuple(
            procedure for procedure in summaries if procedure_named(procedure).dependence in holds
        ),
        **studies.done(wrong.size, of=n_repetitions, alpha=alpha),
    )
