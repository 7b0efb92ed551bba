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
    """Anything that draws p-values and knows the truth behind them, in several threads at once.

    Used where there are any: ``n_datasets``; ``signature`` (a line of text);
    ``truly_better`` (shape (N,), the datasets on which A is better);
    ``n_at_once`` (how many studies to draw together, where p-values cost much);
    ``proved`` (the counts for which theory proves that they keep their promise);
    ``draw_flips`` (from a stream in the same state the joint flips of the same studies,
    which are then counted by these too).
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


class Studies:
    """The studies that a scenario draws from a seed, in chunks, and what it says of itself.

    Joint flips count them only where it draws these. `proved` are the counts whose promise is
    proved for it; none where it does not say.
    """

    def __init__(self, source: PValueSource, seed: int) -> None:
        self._source, self._seed = source, seed
        told = getattr(source, "n_datasets", None)
        self.n_datasets = self._drawn_width() if told is None else operator.index(told)
        self.k = operator.index(source.k)
        if not 0 <= self.k <= self.n_datasets:
            raise ValueError(
                f"`scenario.k` must lie between 0 and {self.n_datasets}; got {self.k}."
            )
        self.name = str(getattr(source, "signature", type(source).__name__))
        by_p_values, by_flips = combination_names(), tuple(each.name for each in JOINT_METHODS)
        flips = by_flips if hasattr(source, "draw_flips") else ()
        self.estimators = ("count", *by_p_values, *flips)
        proved = getattr(source, "proved", ())
        self.proved = tuple(name for name in (*by_p_values, *by_flips) if name in proved)

    def _drawn_width(self) -> int:
        # A stream that no chunk has: the study drawn here is only looked at for its width.
        stream = np.random.default_rng(np.random.SeedSequence(self._seed))
        drawn = np.asarray(self._source.draw(stream, 1))
        if drawn.ndim != 2 or drawn.shape[0] != 1:
            raise ValueError(
                "`scenario.draw(rng, 1)` must give p-values of shape (1, N); got shape "
                f"{drawn.shape}."
            )
        return int(drawn.shape[1])

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

    def chunk(self, number: int) -> FloatArray:
        """P-values of a chunk, from the stream of its number."""
        size = self.size
        p_values = np.asarray(self._source.draw(self._stream(number), size), dtype=np.float64)
        if p_values.ndim != 2 or p_values.shape[0] != size:
            raise ValueError(
                f"`scenario.draw(rng, {size})` must give p-values of shape ({size}, N); got shape "
                f"{p_values.shape}."
            )
        return p_values

    def counted_by_flips(
        self, number: int, chosen: slice, *, alpha: float
    ) -> dict[str, npt.NDArray[np.int16]]:
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


def plain(number: float) -> str:
    """Write a number so that different ones differ: "0.5", "2"."""
    return repr(float(number)).removesuffix(".0")
