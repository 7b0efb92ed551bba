"""Sentences about single printed p-values that are not exact: zeros, and bounds such as < .001."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from core.report.formatting import list_names


def zeros_sentence(
    printed: Sequence[str],
    read_below: float | None,
    *,
    declared: bool = False,
    alpha: float | None = None,
) -> str:
    """State how p-values printed as zero are read; empty where there are none.

    Parameters
    ----------
    printed : sequence of str
        The zeros as printed.
    read_below : float or None
        The upper end of what they stand for.
    declared : bool
        Whether that end was stated by the table's owner.
    alpha : float, optional
        Where that end lies above it, the sentence says what to do.
    """
    if not printed:
        return ""
    texts = list_names(sorted(set(printed)))
    subject = (
        f"1 p-value was printed as {texts}. It is"
        if len(printed) == 1
        else f"{len(printed)} p-values were printed as {texts}. They are"
    )
    if not read_below:
        return f"{subject} read as exactly 0."
    below = format(Decimal(repr(read_below)), "f").removeprefix("0")
    reason = "as stated for this table" if declared else "half a unit of the table's last digit"
    above = ""
    if alpha is not None and read_below > alpha:
        above = (
            " That is above α, so they can show nothing until it is declared below what they lie "
            "(role zero_reads_below)."
        )
    return f"{subject} read as below {below}, {reason}.{above}"


def bounds_sentence(printed: Sequence[str]) -> str:
    """State how p-values printed as a bound are read; empty where there are none."""
    texts = [text for text in printed if "<" in text or "≤" in text]
    if not texts:
        return ""
    listed = list_names(sorted(set(texts)))
    if len(texts) == 1:
        return f"1 p-value was printed as {listed} and is taken at that bound."
    return f"{len(texts)} p-values were printed as {listed} and are taken at those bounds."
