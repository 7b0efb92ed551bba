"""Sentences about a printed interval and its estimate."""

from __future__ import annotations

from decimal import Decimal

from core.claims.claim import minus
from core.claims.sentences import claim_sentence
from core.report.formatting import format_confidence


def interval_sentence(
    words: str,
    verdict: str,
    *,
    estimate: Decimal,
    middle: Decimal,
    middles: tuple[Decimal, Decimal],
    half: Decimal,
    error: float,
    alpha: float,
) -> str:
    """State where the interval's middle lies, and what its width says."""
    within = f"{plain(middles[0])} to {plain(middles[1])} within rounding"
    lies = f"the middle of the interval is {plain(middle)} ({within})"
    width = (
        f"Its half-width of {plain(half)} is that of a standard error of {_short(error)} (normal, "
        f"{format_confidence(alpha)})."
    )
    if verdict == "not-excluded":
        why = f"{lies}, where an estimate of {plain(estimate)} can lie. {width}"
    elif verdict == "contradicted":
        why = f"the estimate lies outside its own interval, whatever the rounding; {lies}."
    else:
        off = middle - estimate
        side = "above" if off > 0 else "below"
        why = (
            f"{lies}, {plain(abs(off))} {side} {plain(estimate)}. An estimate ± margin lies in the "
            "middle of its interval, and rounding does not explain the distance; only an interval "
            "that is not symmetric (percentiles of a bootstrap, limits turned back from another "
            f"scale) could. {width} About {plain(estimate)} the same width would reach from "
            f"{plain(estimate - half)} to {plain(estimate + half)}."
        )
    stated = claim_sentence(words, verdict, why)
    return stated.replace("by these p-values", "by its own numbers")


def plain(number: Decimal) -> str:
    """Every digit and none beyond: ".05", "−1.95"."""
    text = f"{number.normalize():f}"
    return minus(text)


def _short(number: float) -> str:
    return f"{number:.3g}".removeprefix("0") if number < 1 else f"{number:.3g}"
