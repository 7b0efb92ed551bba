"""Whose lead the p-values speak for: claims redone one-sided, by every reading the numbers allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import get_args

import numpy as np

from ..replicability.assessment import ONE_SIDED
from ..replicability.decision import at_most
from ..replicability.direction import (
    CERTAIN,
    p_values_toward_a,
    p_values_toward_b,
    small_beside_lower_score,
)
from ..types import Alternative, BoolArray, FloatArray
from ..words.formatting import p_value_clause
from . import sentences
from .check_any import family_of
from .check_arithmetic import allowing, at_least_verdict
from .check_inputs import (
    WHERE_AHEAD,
    CheckedTable,
    CountedAs,
    listed_by,
    names_counted,
    procedure_of,
)
from .check_rounding import Within, count_by, count_within, list_within
from .claim import ANY, COUNT, Claim, Method
from .findings import NO_STEPS, ClaimVerdict, Finding, Steps
from .table_direction import (
    NO_SCORES,
    OTHER_METRICS,
    Side,
    count_by_direction_reason,
    names_by_direction_reason,
    names_of,
    system_of,
)

# By these readings a small p-value is a win of the system that is ahead.
_WITH_A_SYSTEM_AHEAD = frozenset[Alternative]({"two-sided", "toward-higher-score"})
_BEST_FIRST: tuple[Within, ...] = get_args(Within)


def check_direction(checked: CheckedTable, claim: Claim, steps: Steps = NO_STEPS) -> list[Finding]:
    """Judge a claim that one system is better by every reading that the numbers allow."""
    side = claim.better
    if side == "differ" or claim.n_datasets not in (None, checked.n):
        return []
    alpha = checked.level(claim)
    words = sentences.that(checked.words(claim), claim)
    if claim.method == ANY:
        return [_without_direction(checked, claim, words, OTHER_METRICS)]
    readings = [reading.alternative for reading in checked.assessed(alpha).readings]
    if not readings:
        return [_without_direction(checked, claim, words, NO_SCORES)]
    ends = {reading: toward(checked, side, reading) for reading in readings}
    lower = _contested(checked, side, alpha)
    if lower.any():
        # A p-value for a system whose score is lower may be for the other, whatever is declared.
        ends = {
            reading: (low, np.where(lower, 1.0, high) if reading in ONE_SIDED else high)
            for reading, (low, high) in ends.items()
        }
    if claim.counts:
        return [_count_by_direction(checked, claim, ends, words, lower, steps)]
    return _names_by_direction(checked, claim, side, ends, words, lower, steps)


def _contested(checked: CheckedTable, side: Side, alpha: float) -> BoolArray:
    """Where a small p-value stands beside a score that is not better for the system it is claimed for."""
    table, signs = checked.table, checked.signs
    if checked.has_own_tests:
        return at_most(checked.p_values(side), alpha) & checked.behind(side)
    if signs is None:
        return np.zeros(checked.n, dtype=np.bool_)
    return small_beside_lower_score(
        table.p_value_bounds[0], signs if side == "a" else -signs, alpha=alpha
    )


def _without_direction(checked: CheckedTable, claim: Claim, words: str, why: str) -> Finding:
    """Judge a claim where each p-value may be for either system: only what exceeds all is denied."""
    alpha = checked.level(claim)
    low, high = checked.table.p_value_bounds
    family = family_of(checked, claim) if claim.method == ANY else None
    if family is not None:
        low, high = family.low.min(axis=0), family.high.max(axis=0)
    # One-sided for this system, two-sided and halved, or the complement of one for the other.
    least = np.minimum(low / 2.0, 1.0 - high)
    if claim.counts:
        assert claim.k is not None
        most = count_by(least, checked.method(claim), alpha)
        others = checked.others(claim, least, least)
        denied = claim.k > max([most, *(largest for _, largest in others.values())])
    else:
        denied = bool((checked.members(claim) & ~listed_by(claim, least, alpha=alpha)).any())
    if claim.method == ANY and family is None:
        denied = False
    verdict: ClaimVerdict = "not-supported" if denied else "cannot-be-decided"
    if denied:
        why = "whichever system each p-value speaks for, they do not give it."
    return Finding(
        verdict=verdict,
        check="direction",
        claim=claim,
        reason=sentences.claim_sentence(f"{words}, as a claim about direction,", verdict, why),
        why=why,
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
    lower: BoolArray,
    steps: Steps,
) -> Finding:
    assert claim.k is not None
    assert claim.better != "differ"
    alpha, method = checked.level(claim), checked.method(claim)
    counts = {
        reading: (count_by(high, method, alpha), count_by(low, method, alpha))
        for reading, (low, high) in ends.items()
    }
    fewest = min(least for least, _ in counts.values())
    most = max(largest for _, largest in counts.values())
    others: dict[Method, tuple[int, int]] = {}
    needs = None
    allowed: list[CountedAs]
    allowed_if: list[Alternative] = []
    more = ""
    usual = _counted_where_ahead(checked, claim.better, method, alpha, tuple(ends))
    if claim.kind == "exactly":
        within = {
            reading: count_within(low, high, claim.k, method=method, alpha=alpha, ask=steps.ask)
            for reading, (low, high) in ends.items()
        }
        allowed = [r for r, found in within.items() if found.verdict != "contradicted"]
        judged: Within = "contradicted"
        if usual is not None:
            fewest = min(fewest, usual[0])
            if usual[0] <= claim.k <= usual[1]:
                judged = "confirmed" if usual[0] == usual[1] else "not-excluded"
                allowed.append(WHERE_AHEAD)
        verdict = _of_exactly(
            {reading: found.verdict for reading, found in within.items()},
            judged,
            by_who_is_ahead=_by_who_is_ahead(checked),
            more=fewest > claim.k,
        )
        if verdict == "at-least-that-much":
            more = f", at least that much ({sentences.numbers_in_words(fewest, most)})"
    else:
        allowed = [r for r, (_, largest) in counts.items() if claim.k <= largest]
        verdict = at_least_verdict(claim.k, fewest, most)
        spans = [checked.others(claim, low, high) for low, high in ends.values()]
        others = {
            m: (min(span[m][0] for span in spans), max(span[m][1] for span in spans))
            for m in spans[0]
        }
        needs = allowing(claim.k, verdict, others)
        if needs:
            verdict = "not-excluded"
            allowed_if = [
                r for r, span in zip(ends, spans, strict=True) if span[needs][1] >= claim.k
            ]
    system = system_of(checked, claim.better)
    by_reading: dict[CountedAs, tuple[int, int]] = dict(counts.items())
    halved = None
    if usual is not None and method == COUNT and "two-sided" in by_reading:
        # Papers count two-sided p-values as they stand, and so does every other page.
        halved = by_reading.pop("two-sided")
        by_reading[WHERE_AHEAD] = usual
    elif usual is not None and usual not in counts.values():
        by_reading[WHERE_AHEAD] = usual
    why = count_by_direction_reason(
        by_reading,
        method,
        n=checked.n,
        system=system,
        subject=checked.subject,
        halved=halved,
        made=checked.made,
    )
    beside = sentences.beside_reason(others, checked.n)
    remark = _lower_remark(checked, lower, system)
    why = " ".join(part for part in (why, beside, remark) if part)
    return Finding(
        verdict=verdict,
        check="direction",
        claim=claim,
        reason=sentences.claim_sentence(f"{_start(checked)}, {words}", verdict, why, more=more),
        why=why,
        details={
            "method": method,
            "alpha": alpha,
            "counts": by_reading,
            # Of two-sided p-values that are halved, where they are counted as they stand.
            "halved": halved,
            "allowed_by": tuple(allowed),
            # The readings by which it is allowed where what it needs holds.
            "allowed_if": tuple(allowed_if),
            "others": others,
            "needs": needs,
            **_details_of(lower, checked),
        },
    )


def _counted_where_ahead(
    checked: CheckedTable, side: Side, method: Method, alpha: float, readings: Sequence[Alternative]
) -> tuple[int, int] | None:
    """Fewest and most p-values that a method takes as they stand, where the system is ahead.

    That is how papers count two-sided p-values. None where no reading is two-sided or toward the
    higher score, or the method has no names. Of tests run here their own two-sided p-values are
    counted, by the common practice alone.
    """
    if not _by_who_is_ahead(checked) & set(readings):
        return None
    low, high = checked.bounds(side)
    two_sided = checked.table.p_values_two_sided
    if checked.has_own_tests:
        if method != COUNT or two_sided is None:
            return None
        low = high = two_sided
    surely, perhaps = (names_counted(end, method, alpha=alpha) for end in (high, low))
    if surely is None or perhaps is None:
        return None
    ahead, may_be_ahead = checked.ahead(side)
    return int((surely & ahead).sum()), int((perhaps & may_be_ahead).sum())


def _by_who_is_ahead(checked: CheckedTable) -> frozenset[Alternative]:
    """The readings by which a small two-sided p-value is a win of the system that is ahead."""
    return frozenset({"greater"}) if checked.has_own_tests else _WITH_A_SYSTEM_AHEAD


def _of_exactly(
    verdicts: Mapping[Alternative, Within],
    where_ahead: Within,
    *,
    by_who_is_ahead: frozenset[Alternative],
    more: bool,
) -> ClaimVerdict:
    """What every reading together makes of exactly so many, or of exactly these.

    Two-sided p-values, and those toward the higher score, may as well be counted as they stand
    where the system is ahead: the better verdict of the two is that of the reading.
    """
    judged = {
        min(found, where_ahead, key=_BEST_FIRST.index) if reading in by_who_is_ahead else found
        for reading, found in verdicts.items()
    }
    if judged == {"confirmed"}:
        return "confirmed"
    if judged != {"contradicted"}:
        return "not-excluded"
    return "at-least-that-much" if more else "not-supported"


def _start(checked: CheckedTable) -> str:
    return "By these tests" if checked.has_own_tests else "Read by direction"


def _details_of(lower: BoolArray, checked: CheckedTable) -> dict[str, tuple[str, ...]]:
    """Where p is small beside a lower score as printed, or beside a mean that is not better here."""
    names = names_of(lower, checked)
    return {"lower": (), "behind": names} if checked.has_own_tests else {"lower": names}


def _lower_remark(checked: CheckedTable, lower: BoolArray, system: str) -> str:
    """State where a small p-value stands beside a lower score, if the table declares it otherwise."""
    if not lower.any() or checked.table.alternative not in ONE_SIDED:
        return ""
    if checked.has_own_tests:
        return sentences.not_better_clause(system, names_of(lower, checked))
    return sentences.beside_lower_clause(
        system, names_of(lower, checked), worse=checked.subject.worse
    )


def _names_by_direction(
    checked: CheckedTable,
    claim: Claim,
    side: Side,
    ends: dict[Alternative, tuple[FloatArray, FloatArray]],
    words: str,
    lower: BoolArray,
    steps: Steps,
) -> list[Finding]:
    alpha, members = checked.level(claim), checked.members(claim)
    chosen = partial(listed_by, claim, alpha=alpha)
    sure = np.logical_and.reduce([chosen(high) for _, high in ends.values()])
    ever = np.logical_or.reduce([chosen(low) for low, _ in ends.values()])
    by_reading: dict[CountedAs, tuple[str, ...]] = {
        reading: names_of(chosen(high), checked) for reading, (_, high) in ends.items()
    }
    verdict: ClaimVerdict = "not-excluded"
    allowed: list[CountedAs]
    if claim.kind == "named":
        within = {
            reading: list_within(
                low, high, members, procedure=procedure_of(claim), alpha=alpha, ask=steps.ask
            ).verdict
            for reading, (low, high) in ends.items()
        }
        allowed = [r for r, found in within.items() if found != "contradicted"]
        judged: Within = "contradicted"
        if _WITH_A_SYSTEM_AHEAD & ends.keys() and not checked.has_own_tests:
            ahead, may_be_ahead = checked.ahead(side)
            low, high = checked.bounds(side)
            always, perhaps = chosen(high) & ahead, chosen(low) & may_be_ahead
            if not (always & ~members).any() and not (members & ~perhaps).any():
                judged = "confirmed" if np.array_equal(always, perhaps) else "not-excluded"
                allowed.append(WHERE_AHEAD)
                ever = ever | perhaps
                if not allowed[:-1]:
                    by_reading[WHERE_AHEAD] = names_of(always, checked)
        verdict = _of_exactly(
            within,
            judged,
            by_who_is_ahead=_by_who_is_ahead(checked),
            more=bool(sure[members].all()),
        )
    else:
        allowed = [r for r, (low, _) in ends.items() if not (members & ~chosen(low)).any()]
        if (members & ~ever).any():
            verdict = "not-supported"
        elif sure[members].all():
            verdict = "confirmed"
    system = system_of(checked, side)
    why = names_by_direction_reason(
        by_reading,
        members & ~ever,
        method=None if claim.kind == "significant" else procedure_of(claim),
        alpha=alpha,
        system=system,
        subject=checked.subject,
        made=checked.made,
    )
    remark = _lower_remark(checked, lower, system)
    why = f"{why} {remark}".rstrip()
    found = [
        Finding(
            verdict=verdict,
            check="direction",
            claim=claim,
            reason=sentences.claim_sentence(f"{_start(checked)}, {words}", verdict, why),
            why=why,
            details={
                "alpha": alpha,
                "names": by_reading,
                "never": names_of(members & ~ever, checked),
                "allowed_by": tuple(allowed),
                **_details_of(lower, checked),
            },
        )
    ]
    if checked.signs is None:
        return found
    lead = checked.signs if side == "a" else -checked.signs
    # Where the table declares otherwise, a small p-value may still be for that system.
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
                    p=_p_in_words(checked, side, int(i)),
                ),
                details={"alpha": alpha, "scores": (own, others)},
            )
        )
    return found


def _p_in_words(checked: CheckedTable, side: Side, i: int) -> str:
    if checked.made == "printed":
        return f"the {sentences.printed_p(checked.table.printed[i])}"
    return p_value_clause(float(checked.p_values(side)[i]))
