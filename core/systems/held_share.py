"""In how many cases a sign found on one dataset holds on another."""

from __future__ import annotations

from dataclasses import dataclass

from core.simulation.rates import clopper_pearson

PAIRS_ARE_DEPENDENT = (
    "The interval takes the pairs to be independent; they share systems, so it is too narrow."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldShare:
    """In how many of n cases the sign held.

    Attributes
    ----------
    n, n_held : int
        Cases, and those in which it held.
    """

    n: int
    n_held: int

    @property
    def share(self) -> float | None:
        """`n_held` / `n`, None of no cases."""
        return self.n_held / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Clopper and Pearson's 95% interval, as if cases were independent; None of no cases."""
        return clopper_pearson(self.n_held, self.n) if self.n else None
