"""What is said of a bootstrap beside its p-value: of equal systems, of its reach, of its size."""

from __future__ import annotations

from typing import Protocol

from core.significance.differences import Unit

STRICT_ON_EQUALS = (
    "p = 0 comes from the strict rule on equal systems and is no evidence: keep it out of counting"
)
TOO_FEW_RESAMPLES = "p = 0 of s/b says only that b is too small for it"


class Resampled(Protocol):
    """What resamples are drawn from."""

    @property
    def n(self) -> int:
        """How many there are."""

    @property
    def unit(self) -> Unit:
        """What they are: examples or clusters."""


def out_of_reach(instead: str = "randomization") -> str:
    """A note that no resample is as extreme as asked, and which test to take instead."""
    return (
        "2δ is out of the bootstrap's reach: no resample can give twice the observed difference; "
        f"{instead} is recommended"
    )


def size_notes(size: int, drawn: Resampled) -> tuple[str, ...]:
    """A note on resamples of another size than the dataset."""
    n, unit = drawn.n, drawn.unit
    if size == n:
        return ()
    note = f"resamples of {size} from n = {n} {unit}: for reproduction of published numbers only"
    return (f"{note}; with more draws than {unit} p is too small" if size > n else note,)
