"""Whose lead the p-values speak for: claims redone one-sided, by every reading the numbers allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from core.claims import sentences
from core.claims.check_arithmetic import at_least_verdict
from core.claims.check_inputs import CheckedTable, procedure_of
from core.claims.check_rounding import count_by
from core.claims.claim import Claim
from core.claims.sentences_direction import (
    by_direction_sentence,
    count_by_direction_reason,
    names_by_direction_reason,
    not_toward_sentence,
)
from core.claims.verdicts import ClaimVerdict, Finding
from core.replicability.assessment import Reading
from core.replicability.decision import at_most
from core.replicability.direction import (
    CERTAIN,
    p_values_toward_a,
    p_values_toward_b,
    small_beside_lower_score,
)
from core.replicability.identification import named_by
from core.types import Alternative, BoolArray, FloatArray

Side = Literal["a", "b"]
# Of fewer p-values, all below one half says too little.
FEWEST_BELOW_HALF = 5


def check_direction_of_table(
    checked: CheckedTable, alpha: float, *, sides: Sequence[Side], first: bool = True
) -> list[Finding]:
    """State small p-values beside a lower score, and counts and names by direction.

    With `first` also what the numbers say of the readings, which is much the same at every level.
    """
    table = checked.table
    signs = checked.signs
    if signs is None:
        return []
    found = []
    for side in sides:
        small = small_beside_lower_score(
            checked.p_values(side), signs if side == "a" else -signs, alpha=alpha
        )
        if small.any() and table.p_values_b is None:
            names = _names(small, checked)
            found.append(
                Finding(
                    verdict=None,
                    check="direction",
                    reason=sentences.beside_lower_sentence(
                        _system(checked, side),
                        names,
                        n=checked.n,
                        alpha=alpha,
                        worse=checked.subject.worse,
                    ),
                    details={"alpha": alpha, "better": side, "datasets": names},
                )
            )
    assessment = checked.assessed(alpha)
    details = {
        reading.alternative: {"a": _answers(reading, "a"), "b": _answers(reading, "b")}
        for reading in assessment.readings
    }
    parts = [by_direction_sentence(assessment, checked.subject)]
    spoken_of = {"greater": "a" in sides, "less": "b" in sides}
    for ruled_out in assessment.ruled_out if first else ():
        if spoken_of.get(ruled_out.alternative, True):
            parts.append(not_toward_sentence(ruled_out, checked.subject, table.printed))
    below_half = _all_below_half(checked, [r.alternative for r in assessment.readings])
    if below_half and first:
        largest = table.printed[int(np.argmax(table.p_values))]
        parts.append(sentences.below_half_sentence(checked.n, largest))
    found.append(
        Finding(
            verdict=None,
            check="direction",
            reason=" ".join(part for part in parts if part),
            details={"alpha": alpha, "readings": details, "all_below_half": below_half},
        )
    )
    return found


def check_direction(checked: CheckedTable, claim: Claim) -> list[Finding]:
    """Judge a claim that one system is better by every reading that the numbers allow."""
    side = claim.better
    if side == "differ" or claim.n_datasets not in (None, checked.n):
        return []
    alpha = checked.level(claim)
    words = sentences.claim_words(claim, checked.subject, alpha)
    readings = [reading.alternative for reading in checked.assessed(alpha).readings]
    if not readings:
        return [
            Finding(
                verdict="cannot-be-decided",
                check="direction",
                claim=claim,
                reason=sentences.claim_sentence(
                    f"{words}, as a claim about direction,",
                    "cannot-be-decided",
                    "the table has no scores, and its p-values do not say which system they speak "
                    "for.",
                ),
            )
        ]
    ends = {reading: toward(checked, side, reading) for reading in readings}
    if claim.counts:
        return [_count_by_direction(checked, claim, ends, words)]
    return _names_by_direction(checked, claim, side, ends, words)


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
                system=_system(checked, claim.better),
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
    by_reading = {reading: _names(chosen(high), checked) for reading, (_, high) in ends.items()}
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
    system = _system(checked, side)
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
                "never": _names(members & ~ever, checked),
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
                    other=_system(checked, "b" if side == "a" else "a"),
                    worse=checked.subject.worse,
                    p=_printed(checked, side)[i],
                ),
                details={"alpha": alpha, "scores": (own, others)},
            )
        )
    return found


def _answers(reading: Reading, side: Side) -> dict[str, object]:
    answer = reading.a_better if side == "a" else reading.b_better
    return {
        "count": answer.n_common_practice,
        **{name: counting.k_hat for name, counting in answer.countings.items()},
        "holm": tuple(np.flatnonzero(answer.named_by_holm).tolist()),
    }


def _all_below_half(checked: CheckedTable, readings: Sequence[Alternative]) -> bool:
    return (
        checked.table.alternative == "not-stated"
        and checked.n >= FEWEST_BELOW_HALF
        and "toward-higher-score" in readings
        # Where one system leads everywhere, p-values for it look the same.
        and not {"greater", "less"} & set(readings)
        and bool((checked.table.p_value_bounds[1] < 0.5).all())
    )


def _system(checked: CheckedTable, side: Side) -> str:
    return checked.table.system_a if side == "a" else checked.table.system_b


def _printed(checked: CheckedTable, side: Side) -> tuple[str, ...]:
    own = side == "b" and checked.table.p_values_b is not None
    return checked.table.swapped().printed if own else checked.table.printed


def _names(chosen: BoolArray, checked: CheckedTable) -> tuple[str, ...]:
    return tuple(checked.table.datasets[i] for i in np.flatnonzero(chosen))
