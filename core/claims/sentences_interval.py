"""Sentences about a printed interval and its estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from core.claims.claim import minus
from core.report.formatting import format_confidence


def interval_reason(
    verdict: str,
    *,
    off: bool,
    matching: Sequence[str],
    forms: Sequence[str],
    estimate: Decimal,
    middle: Decimal,
    middles: tuple[Decimal, Decimal],
    half: Decimal,
    error: float,
    alpha: float,
) -> str:
    """State where the interval's middle lies, and what its width says.

    Parameters
    ----------
    verdict : str
        Of the claim.
    off : bool
        Whether the estimate lies beside the middle.
    matching, forms : sequence of str
        Forms that put the estimate where it is, and all that such limits can have.
    estimate, middle, half : Decimal
        As printed.
    middles : (Decimal, Decimal)
        What the digits of the limits allow.
    error : float
        The standard error that the width would have.
    alpha : float
        One minus the confidence.
    """
    within = f"{plain(middles[0])} to {plain(middles[1])} within rounding"
    lies = f"the middle of the interval is {plain(middle)} ({within})"
    width = (
        f"Its half-width of {plain(half)} is that of a standard error of {_short(error)} (normal, "
        f"{format_confidence(alpha)})."
    )
    if verdict == "contradicted":
        return f"the estimate lies outside its own interval, whatever the rounding; {lies}."
    if not off:
        return f"{lies}, where an estimate of {plain(estimate)} can lie. {width}"
    distance = middle - estimate
    beside = (
        f"{lies}, {plain(abs(distance))} {'above' if distance > 0 else 'below'} {plain(estimate)}"
    )
    if verdict == "not-excluded":
        named = _forms(matching)
        given = f"{named} put" if len(matching) > 1 else f"{named} puts"
        end = (
            f"{given[:1].upper()}{given[1:]} the estimate there."
            if matching
            else f"It is no further from the middle than {_forms(forms)} may put it."
        )
        return f"{beside}. An estimate ± margin is excluded, an interval that is not symmetric is not. {end}"
    tried = (
        f" {_forms(forms)[:1].upper()}{_forms(forms)[1:]} do not put it so far off."
        if forms
        else ""
    )
    return (
        f"{beside}. An estimate ± margin lies in the middle of its interval, and rounding does not "
        f"explain the distance.{tried} Only another interval that is not symmetric, such as the "
        f"percentiles of a bootstrap, could. {width} About {plain(estimate)} the same width would "
        f"reach from {plain(estimate - half)} to {plain(estimate + half)}."
    )


_WORDS: Mapping[str, str] = {
    "Wilson's": "Wilson's interval of a share",
    "Fisher's z": "Fisher's z of a correlation",
    "logit": "limits turned back from the logit scale",
    "log": "limits turned back from the log scale",
}


def _forms(forms: Sequence[str]) -> str:
    said = [_WORDS[form] for form in forms]
    return " and ".join(part for part in (", ".join(said[:-1]), *said[-1:]) if part)


def plain(number: Decimal) -> str:
    """Every digit and none beyond: ".05", "−1.95"."""
    text = f"{number.normalize():f}"
    return minus(text)


def _short(number: float) -> str:
    return f"{number:.3g}".removeprefix("0") if number < 1 else f"{number:.3g}"
