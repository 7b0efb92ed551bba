"""Power as it is shown: the stated effect, its power at each size, and the size that is needed.

The words are those of `core.reliability.power`, which computes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.signature import signature_line
from core.significance.result import TestAlternative
from core.types import FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StatedEffect:
    """What power is asked for: a test, and an effect that is stated.

    Attributes
    ----------
    effect : float
        As stated, A − B with higher being better.
    test : str
        Name of the test.
    alpha : float
        The level.
    alternative : {"greater", "less", "two-sided"}
        What its p-value speaks for; "two-sided" counts both directions.
    disagreement, standard_deviation : float or None
        What the effect is seen against: the first with 0/1 scores, else the second.
    approximation : str
        What is assumed beyond independent examples, '' where nothing is.
    """

    effect: float
    test: str
    alpha: float
    alternative: TestAlternative
    disagreement: float | None
    standard_deviation: float | None
    approximation: str

    def _signature(self, **asked: object) -> str:
        return signature_line(
            **asked,
            alt=self.alternative,
            alpha=self.alpha,
            effect=self.effect,
            disagreement=self.disagreement,
            sd=self.standard_deviation,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Power(StatedEffect):
    """Chance of p <= alpha at each size, at a stated effect.

    Attributes
    ----------
    n_examples : ndarray of int, shape (sizes,)
        Sizes of independent test sets.
    power : ndarray, shape (sizes,)
        At the effect.
    attained_level : ndarray, shape (sizes,)
        At no effect, with the same disagreement or standard deviation.
    """

    n_examples: IntArray
    power: FloatArray
    attained_level: FloatArray

    @property
    def signature(self) -> str:
        """The line that names everything the numbers depend on."""
        return self._signature(power=self.test)

    def to_frame(self) -> pd.DataFrame:
        """A row for each size."""
        import pandas as pd

        return pd.DataFrame(
            {
                "n_examples": self.n_examples,
                "effect": self.effect,
                "power": self.power,
                "attained_level": self.attained_level,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpectedShares:
    """What share of independent test sets of each size has p <= alpha.

    Attributes
    ----------
    n_examples : tuple of int
        The sizes.
    by_chance : tuple of float
        Where the systems are equal: the attained level.
    by_effect : tuple of float or None
        At the stated effect; None without one.
    effect : float or None
        As stated.
    approximation : str
        As of `Power`.
    """

    n_examples: tuple[int, ...]
    by_chance: tuple[float, ...]
    by_effect: tuple[float, ...] | None
    effect: float | None
    approximation: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExamplesNeeded(StatedEffect):
    """The smallest test set on which a stated effect is found often enough.

    Attributes
    ----------
    n_examples : int or None
        The smallest n that reaches the power, as the ten sizes after it do: the
        power of discrete tests rises with small steps back. None where none up
        to `most` does.
    power : float
        As asked for.
    reached : float or None
        The power at `n_examples`.
    most : int
        The largest size tried.
    """

    n_examples: int | None
    power: float
    reached: float | None
    most: int

    @property
    def signature(self) -> str:
        """The line that names everything the number depends on."""
        return self._signature(needed=self.test, power=self.power)
