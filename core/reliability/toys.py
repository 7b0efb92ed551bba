"""What choosing after looking does to the p-values of two identical systems.

Vocabulary
----------
choice
    One p-value among those that could have been reported.
repetition
    One study of the toy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.reliability.toy_examples import TOYS, Theory, Toy, uniform
from core.signature import signature_line
from core.significance.settings import positive_number
from core.significance.stopping import Stopped
from core.significance.streams import Rng, dataset_stream, seed_of
from core.simulation.rates import Rate
from core.types import FloatArray, IntArray
from core.validation import check_choice

if TYPE_CHECKING:
    import pandas as pd

    from core.reliability.pairs import Progress

__all__ = ["TOYS", "Toy", "ToySeries", "ToyShare", "ToyStudy", "toy_study"]

LEVELS = (0.05, 0.01)
# Bars of a histogram: twentieths, so that the first is p < .05.
N_BINS = 20
_CHUNK = 500


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToyShare:
    """How often the reported p-value lies below a level.

    Attributes
    ----------
    level : float
        .05 or .01.
    rate : Rate
        Simulated, with Clopper and Pearson's interval.
    theory : float
        What it tends to with more repetitions.
    printed : float or None
        As the paper prints it; shown beside, not matched.
    """

    level: float
    rate: Rate
    theory: float
    printed: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToySeries:
    """P-values of one kind.

    Attributes
    ----------
    name : str
        A choice, or "smallest of …".
    counts : ndarray of int, shape (20,)
        Repetitions with p in each twentieth.
    expected : ndarray, shape (20,)
        The same by theory.
    shares : tuple of ToyShare
        Below .05 and below .01.
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

    Attributes
    ----------
    toy : Toy
        Which.
    reported : tuple of ToySeries
        What a reader is shown: the smallest p-value, or each where nothing is
        chosen.
    choices : tuple of ToySeries
        Each p-value on its own, had it been fixed beforehand.
    n_repetitions, n_asked : int
        Done, and asked for.
    seed : int
        Gives the same again.
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

    def to_frame(self) -> pd.DataFrame:
        """A row for each series and level."""
        import pandas as pd

        own = () if self.reported[0].name == self.choices[0].name else self.choices
        rows = [
            {
                "toy": self.toy.name,
                "p_value": series.name,
                "level": share.level,
                "n_below": share.rate.count,
                "n_repetitions": share.rate.n,
                "share": share.rate.rate,
                "low": share.rate.confidence_interval[0],
                "high": share.rate.confidence_interval[1],
                "theory": share.theory,
                "printed": share.printed,
            }
            for series in (*self.reported, *own)
            for share in series.shares
        ]
        return pd.DataFrame(rows)


def toy_study(
    name: str, *, n_repetitions: int = 10_000, rng: Rng = 0, on_progress: Progress | None = None
) -> ToyStudy:
    """Repeat a toy example and gather its p-values.

    Parameters
    ----------
    name : str
        A key of `TOYS`.
    n_repetitions : int
        How many studies. Fewer are the first of more.
    rng : int or Generator
        Seed.
    on_progress : callable, optional
        Called as ``on_progress(done, total)``. Returning False stops and keeps
        what is done.

    Raises
    ------
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before anything was done.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3.
    """
    toy = TOYS[check_choice(name, tuple(TOYS), name="name")]
    total = positive_number("n_repetitions", n_repetitions)
    seed = seed_of(rng)
    stream = dataset_stream(seed, toy.name, "toy")
    p_values = np.empty((total, len(toy.choices)))
    done = 0
    while done < total:
        if on_progress is not None and on_progress(done, total) is False:
            break
        stop = min(done + _CHUNK, total)
        # Always a whole chunk, so that fewer repetitions are the first of more.
        p_values[done:stop] = toy.draw(stream, _CHUNK)[: stop - done]
        done = stop
    if done == 0:
        raise Stopped("The toy example was stopped before one repetition was done.")
    if on_progress is not None and done == total:
        on_progress(total, total)
    drawn = p_values[:done]
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
        n_repetitions=done,
        n_asked=total,
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
