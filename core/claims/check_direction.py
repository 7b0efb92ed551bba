"""Whose lead the p-values speak for: claims redone one-sided, by every reading the numbers allow."""

from __future__ import annotations

import numpy as np

from core.claims import sentences
from core.claims.check_arithmetic import at_least_verdict
from core.claims.check_inputs import CheckedTable, procedure_of
from core.claims.check_rounding import count_by
from core.claims.check_table_direction import Side, names_of, system_of
from core.claims.claim import ANY, Claim
from core.claims.findings import ClaimVerdict, Finding
from core.claims.sentences_direction import (
    NO_SCORES,
    OTHER_METRICS,
    count_by_direction_reason,
    names_by_direction_reason,
)
from core.replicability.decision import at_most
from core.replicability.direction import (
    CERTAIN,
    p_values_toward_a,
    p_values_toward_b,
)
from core.replicability.identification import named_by
from core.types import Alternative, BoolArray, FloatArray


def check_direction(checked: CheckedTable, claim: Claim) -> list[Finding]:
    """Judge a claim that one system is better by every reading that the numbers allow."""
    side = claim.better
    if side == "differ" or claim.n_datasets not in (None, checked.n):
        return []
    alpha = checked.level(claim)
    words = sentences.claim_words(claim, checked.subject, alpha)
    if claim.method == ANY:
        return [_undecided(claim, words, OTHER_METRICS)]
    readings = [reading.alternative for reading in checked.assessed(alpha).readings]
    if not readings:
        return [_undecided(claim, words, NO_SCORES)]
    ends = {reading: toward(checked, side, reading) for reading in readings}
    if claim.counts:
        return [_count_by_direction(checked, claim, ends, words)]
    return _names_by_direction(checked, claim, side, ends, words)


def _undecided(claim: Claim, words: str, why: str) -> Finding:
    return Finding(
        verdict="cannot-be-decided",
        check="direction",
        claim=claim,
        reason=sentences.claim_sentence(
            f"{words}, as a claim about direction,", "cannot-be-decided", why
        ),
    )


def toward(
    checked: CheckedTable, side: Side, reading: Alternative
) -> tuple[FloatArray, FloatArray]:
    """Where the one-sided p-values of one system lie, by one reading."""
    bounds = checked.bounds(side)
    if checked.table.p_values_b is not None:
        return bounds
    turned = p_values_toward_a if side == "a" else p_values_toward_b
    low, high = bounds
    # Just below 1 a complement is almost 0, and at 1 it is 1.
    values = [low, high, np.clip(CERTAIN * (1.0 - 1e-12), low, high)]
    found = [turned(value, checked.signs, alternative=reading) for value in values]
    least, largest = np.minimum.reduce(found), np.maximum.reduce(found)
    if checked.signs is not None:
        # Where both are level the lead may be either's.
        level = checked.signs == 0.0
        if reading == "two-sided":
            least = np.where(level, low / 2.0, least)
        elif reading == "toward-higher-score":
            least = np.where(level, np.minimum(low, 1.0 - high), least)
    return least, largest


def _count_by_direction(
    checked: CheckedTable,
    claim: Claim,
    ends: dict[Alternative, tuple[FloatArray, FloatArray]],
    words: str,
) -> Finding:
    assert claim.k is not None
    alpha, method = checked.level(claim), checked.method(claim)
    counts = {
        reading: (count_by(high, method, alpha), count_by(low, method, alpha))
        for reading, (low, high) in ends.items()
    }
    fewest = min(least for least, _ in counts.values())
    most = max(largest for _, largest in counts.values())
    verdict = at_least_verdict(claim.k, fewest, most)
    words = f"Read by direction, {words}"
    if claim.kind == "exactly" and verdict == "confirmed" and not fewest == most == claim.k:
        verdict = "at-least-that-much"
        words = f"{words}, at least that much ({sentences.numbers_in_words(fewest, most)}),"
    allowed = [r for r, found in counts.items() if _allows(claim, found)]
    assert claim.better != "differ"
    return Finding(
        verdict=verdict,
        check="direction",
        claim=claim,
        reason=sentences.claim_sentence(
            words,
            verdict,
            count_by_direction_reason(
                counts,
                method,
                n=checked.n,
                system=system_of(checked, claim.better),
                subject=checked.subject,
            ),
        ),
        details={
            "method": method,
            "alpha": alpha,
            "counts": counts,
            "allowed_by": tuple(allowed),
        },
    )


def _allows(claim: Claim, found: tuple[int, int]) -> bool:
    """Whether a claim's number lies between the smallest and the largest of one reading."""
    assert claim.k is not None
    fewest, most = found
    return claim.k <= most and (claim.kind == "at-least" or fewest <= claim.k)


def _names_by_direction(
    checked: CheckedTable,
    claim: Claim,
    side: Side,
    ends: dict[Alternative, tuple[FloatArray, FloatArray]],
    words: str,
) -> list[Finding]:
    alpha, members = checked.level(claim), checked.members(claim)

    def chosen(p_values: FloatArray) -> BoolArray:
        if claim.kind == "significant":
            return at_most(p_values, alpha)
        return named_by(p_values, alpha=alpha, procedure=procedure_of(claim))

    sure = np.logical_and.reduce([chosen(high) for _, high in ends.values()])
    ever = np.logical_or.reduce([chosen(low) for low, _ in ends.values()])
    by_reading = {reading: names_of(chosen(high), checked) for reading, (_, high) in ends.items()}
    verdict: ClaimVerdict = "not-excluded"
    if (members & ~ever).any():
        verdict = "not-supported"
    elif sure[members].all():
        verdict = "confirmed"
        if claim.kind == "named" and not all(np.array_equal(e, members) for e in (sure, ever)):
            verdict = "at-least-that-much"
    allowed = [
        reading
        for reading, (low, high) in ends.items()
        if not (members & ~chosen(low)).any()
        and (claim.kind == "significant" or not (chosen(high) & ~members).any())
    ]
    system = system_of(checked, side)
    found = [
        Finding(
            verdict=verdict,
            check="direction",
            claim=claim,
            reason=sentences.claim_sentence(
                f"Read by direction, {words}",
                verdict,
                names_by_direction_reason(
                    by_reading,
                    members & ~ever,
                    method=None if claim.kind == "significant" else procedure_of(claim),
                    alpha=alpha,
                    system=system,
                    subject=checked.subject,
                ),
            ),
            details={
                "alpha": alpha,
                "names": by_reading,
                "never": names_of(members & ~ever, checked),
                "allowed_by": tuple(allowed),
            },
        )
    ]
    if checked.signs is None:
        return found
    lead = checked.signs if side == "a" else -checked.signs
    for i in np.flatnonzero(members & ~ever & (lead < 0.0)):
        dataset = checked.table.datasets[i]
        own, others = checked.scores(dataset)
        if side == "b":
            own, others = others, own
        found.append(
            Finding(
                verdict="not-supported",
                check="direction",
                claim=claim,
                dataset=dataset,
                reason=sentences.lower_score_sentence(
                    dataset,
                    system=system,
                    own=own,
                    others=others,
                    other=system_of(checked, "b" if side == "a" else "a"),
                    worse=checked.subject.worse,
                    p=_printed(checked, side)[i],
                ),
                details={"alpha": alpha, "scores": (own, others)},
            )
        )
    return found


def _printed(checked: CheckedTable, side: Side) -> tuple[str, ...]:
    own = side == "b" and checked.table.p_values_b is not None
    return checked.table.swapped().printed if own else checked.table.printed
