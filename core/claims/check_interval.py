"""A printed interval against the estimate it is printed for; it needs no table."""

from __future__ import annotations

from decimal import Decimal

from scipy.special import ndtri

from core.claims import sentences_interval
from core.claims.claim import Claim
from core.claims.findings import ClaimVerdict, Finding
from core.claims.interval_forms import places
from core.claims.sentences import claim_sentence

Range = tuple[Decimal, Decimal]


def check_interval(claim: Claim, *, alpha: float) -> Finding:
    """Judge whether an estimate can be that of its interval, within the rounding of all three.

    An estimate ± margin lies in the middle of its interval. Intervals of shares and of
    correlations are not symmetric: an estimate that is no further from the middle than
    Wilson's, Fisher's z, logit or log limits put it is not excluded. Beyond the ends it is the
    estimate's by no form.

    Parameters
    ----------
    claim : Claim
        Of kind "interval".
    alpha : float
        One minus the confidence, where the claim states none.
    """
    assert claim.interval is not None
    assert claim.estimate is not None
    level = alpha if claim.alpha is None else claim.alpha
    lows, highs = (_rounded(end) for end in claim.interval)
    estimates = _rounded(claim.estimate)
    low, high = map(Decimal, claim.interval)
    estimate = Decimal(claim.estimate)
    middles = (lows[0] + highs[0]) / 2, (lows[1] + highs[1]) / 2
    halves = max(Decimal(0), (highs[0] - lows[1]) / 2), (highs[1] - lows[0]) / 2
    per_half = -1.0 / float(ndtri(level / 2.0))
    errors = float(halves[0]) * per_half, float(halves[1]) * per_half
    if estimates[1] < lows[0] or estimates[0] > highs[1]:
        verdict: ClaimVerdict = "contradicted"
    elif estimates[0] <= middles[1] and estimates[1] >= middles[0]:
        verdict = "not-excluded"
    else:
        verdict = "not-supported"
    forms = places(_floats(lows), _floats(highs))
    own = _floats(estimates)
    matching = tuple(f for f, at in forms.items() if at[0] <= own[1] and at[1] >= own[0])
    spanned = [*_floats(middles), *(end for at in forms.values() for end in at)]
    off = verdict == "not-supported"
    if off and own[1] >= min(spanned) and own[0] <= max(spanned):
        verdict = "not-excluded"
    middle, half = (low + high) / 2, (high - low) / 2
    why = sentences_interval.interval_reason(
        verdict,
        off=off,
        matching=matching,
        forms=tuple(forms),
        estimate=estimate,
        middle=middle,
        middles=middles,
        half=half,
        error=float(half) * per_half,
        alpha=level,
    )
    return Finding(
        verdict=verdict,
        check="arithmetic",
        claim=claim,
        reason=claim_sentence(claim.words(alpha=level), verdict, why, by="by its own numbers"),
        why=why,
        details={
            "alpha": level,
            "middle": float(middle),
            "middles": tuple(map(float, middles)),
            "in_the_middle": not off and verdict == "not-excluded",
            "forms": forms,
            "matching": matching,
            "half_width": float(half),
            "standard_error": float(half) * per_half,
            "standard_errors": errors,
            "ends_about_estimate": (float(estimate - half), float(estimate + half)),
        },
    )


def _floats(span: Range) -> tuple[float, float]:
    return float(span[0]), float(span[1])


def _rounded(printed: str) -> Range:
    """What a printed number's digits allow."""
    value = Decimal(printed)
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    half = Decimal(5).scaleb(exponent - 1)
    return value - half, value + half
