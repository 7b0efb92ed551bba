"""What a simulation asks of a scenario, and the streams of random numbers that it gives it."""

from __future__ import annotations

import operator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..replicability.combinations import JOINT_METHODS, combination_names
from ..replicability.joint import JOINT_STATISTICS, k_hat_by_flips
from ..types import BoolArray, FloatArray

# P-values drawn at once: 1 MiB, which stays in a processor's cache, takes a few milliseconds and
# keeps all temporaries of a chunk below 64 MiB.
CHUNK_ENTRIES = 1 << 17


class PValueSource(Protocol):
    """Anything that draws p-values and knows the truth behind them.

    Used where there are any: ``n_datasets``; ``signature`` (a line of text);
    ``truly_better`` (shape (N,), the datasets on which A is better);
    ``n_at_once`` (how many studies to draw together, where p-values cost much);
    ``proved`` (the counts for which theory proves that they keep their promise);
    ``draw_flips`` (from a stream in the same state the joint flips of the same studies,
    which are then counted by these too).
    Long runs draw in several threads at once.
    """

    @property
    def k(self) -> int:
        """On how many datasets A is better."""

    def draw(self, rng: np.random.Generator, n: int, /) -> npt.NDArray[np.floating]:
        """P-values of `n` studies, shape (n, N)."""


class Truth:
    """What knows on which datasets A is better, and so on how many."""

    __slots__ = ()

    @property
    def truly_better(self) -> BoolArray:
        """On which datasets A is better, shape (N,)."""
        raise NotImplementedError

    @property
    def k(self) -> int:
        """On how many."""
        return int(np.count_nonzero(self.truly_better))


def drawn_chunk(source: PValueSource, seed: int, number: int, size: int) -> FloatArray:
    """P-values of a chunk, from the stream of the chunk's number.

    Raises
    ------
    ValueError
        If the source gives another shape.
    """
    p_values = np.asarray(source.draw(_stream(seed, number), size), dtype=np.float64)
    if p_values.ndim != 2 or p_values.shape[0] != size:
        raise ValueError(
            f"`scenario.draw(rng, {size})` must give p-values of shape ({size}, N); "
            f"got shape {p_values.shape}."
        )
    return p_values


def estimators_of(source: PValueSource) -> tuple[str, ...]:
    """What counts the source's studies: joint flips only where it draws these."""
    by_flips = JOINT_METHODS if hasattr(source, "draw_flips") else ()
    return ("count", *combination_names(), *(each.name for each in by_flips))


def counted_by_flips(
    source: PValueSource, seed: int, number: int, size: int, chosen: slice, *, alpha: float
) -> dict[str, npt.NDArray[np.int16]]:
    """Counts by joint flips of some studies of a chunk; empty where the source draws no flips."""
    draw = getattr(source, "draw_flips", None)
    if draw is None:
        return {}
    drawn = draw(_stream(seed, number), size)[chosen]
    return {
        f"joint-{statistic}": np.array(
            [k_hat_by_flips(flips, alpha=alpha, statistic=statistic) for flips in drawn],
            dtype=np.int16,
        )
        for statistic in JOINT_STATISTICS
    }


def _stream(seed: int, number: int) -> np.random.Generator:
    # numpy's quickest source of numbers, which takes a sixth off the time of drawing normals.
    bits = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(number,)))
    return np.random.Generator(bits)


def width_of(source: PValueSource, seed: int) -> int:
    """N, as told or else as drawn.

    Raises
    ------
    ValueError
        If what is drawn is no table.
    """
    told = getattr(source, "n_datasets", None)
    if told is not None:
        return operator.index(told)
    # A stream that no chunk has: the study drawn here is only looked at for its width.
    stream = np.random.default_rng(np.random.SeedSequence(seed))
    drawn = np.asarray(source.draw(stream, 1))
    if drawn.ndim != 2 or drawn.shape[0] != 1:
        raise ValueError(
            f"`scenario.draw(rng, 1)` must give p-values of shape (1, N); got shape {drawn.shape}."
        )
    return int(drawn.shape[1])


def chunk_size(source: PValueSource, n_datasets: int) -> int:
    """How many studies one stream draws: by the scenario alone, never by the length of a run."""
    size = max(1, CHUNK_ENTRIES // n_datasets)
    told = getattr(source, "n_at_once", None)
    return size if told is None else max(1, min(size, operator.index(told)))


def checked_k(source: PValueSource, n_datasets: int) -> int:
    """The source's k.

    Raises
    ------
    ValueError
        If it does not lie between 0 and N.
    """
    k = operator.index(source.k)
    if not 0 <= k <= n_datasets:
        raise ValueError(f"`scenario.k` must lie between 0 and {n_datasets}; got {k}.")
    return k


def truth_of(source: PValueSource, n_datasets: int) -> BoolArray | None:
    """On which datasets A is better, shape (N,); None where the source does not say.

    Raises
    ------
    ValueError
        If what it says does not go with its k.
    """
    k = checked_k(source, n_datasets)
    told = getattr(source, "truly_better", None)
    if told is None:
        return np.full(n_datasets, k > 0) if k in (0, n_datasets) else None
    truth = np.asarray(told, dtype=np.bool_)
    if truth.shape != (n_datasets,) or int(truth.sum()) != k:
        raise ValueError(
            f"`scenario.truly_better` must tell of {n_datasets} datasets which {k} are meant; "
            f"got {int(truth.sum())} of {truth.size}."
        )
    return truth


def name_of(source: PValueSource) -> str:
    """The source's own line, or the name of its class."""
    return str(getattr(source, "signature", type(source).__name__))


def proved_of(source: PValueSource) -> tuple[str, ...]:
    """The counts whose promise is proved for the source; none where it does not say."""
    told = getattr(source, "proved", ())
    return tuple(name for name in told_names() if name in told)


def told_names() -> tuple[str, ...]:
    """All counts that a promise may be proved for: by p-values, and by joint flips."""
    return (*combination_names(), *(each.name for each in JOINT_METHODS))


def plain(number: float) -> str:
    """Write a number so that different ones differ: "0.5", "2"."""
    return repr(float(number)).removesuffix(".0")


def check_better(n_better: int, most: int, *, effect: float) -> None:
    """Check on how many of `most` datasets A is better, and by how much.

    Raises
    ------
    ValueError
        If they are more, or the effect is not above 0.
    """
    if not 0 <= n_better <= most:
        raise ValueError(f"`n_better` must lie between 0 and {most}; got {n_better}.")
    if n_better and not 0.0 < effect < float("inf"):
        raise ValueError(f"`effect` must be above 0 where `n_better` is; got {effect!r}.")
