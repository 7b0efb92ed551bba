"""What the p-values of a table say whatever is claimed: direction, common practice, what methods assume."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..replicability.assessment import Assessment, Reading
from ..replicability.combinations import combination_named, usual_combination
from ..replicability.counting import (
    chance_of_a_false_win,
    count_by_common_practice,
)
from ..replicability.direction import RuledOut, small_beside_lower_score
from ..replicability.identification import named_by
from ..types import DEPENDENCES, Alternative
from ..words.formatting import (
    display_name,
    format_confidence,
    format_level,
    format_percent,
    format_share,
    list_names,
)
from ..words.subject import Subject
from .check_inputs import CheckedTable, Made
from .check_rounding import count_by
from .claim import ANY, Claim, needed_dependence
from .findings import Check, Finding
from .readings import Side, family_of
from .sentences import numbers_in_words, printed_p, shown_number
from .wording import NEEDS, OTHER_UNITS, named, system_of, way_words

_MOST_SHOWN = 3
# Of fewer p-values, all below one half says too little.
FEWEST_BELOW_HALF = 5


def check_direction_of_table(
    checked: CheckedTable, alpha: float, *, sides: Sequence[Side], first: bool = True
) -> list[Finding]:
    """State small p-values beside a lower score, and counts and names by direction.

    With `first` also what the numbers say of the readings, which is much the same at every level.
    """
    table, signs, subject = checked.table, checked.signs, checked.subject
    found = []
    both: tuple[Side, ...] = ("a", "b")
    for side in both:
        if contradicted := checked.other_side(side, alpha):
            found.append(_remark(contradicted, alpha=alpha, better=side, other_side=True))
    if signs is None:
        return found
    for side in sides:
        small = small_beside_lower_score(
            checked.p_values(side), signs if side == "a" else -signs, alpha=alpha
        )
        if small.any() and table.p_values_b is None:
            names, system = checked.names(small), system_of(subject, side)
            reason = (
                f"On {len(names)} of {checked.n} datasets a p ≤ {format_level(alpha)} comes with a "
                f"{subject.worse} score of {system}: {list_names(names, most=len(names))}. If the test "
                f"compares these scores, p does not support {system} there. A test of {OTHER_UNITS}, "
                "could."
            )
            found.append(_remark(reason, alpha=alpha, better=side, datasets=names))
    assessment = checked.assessed(alpha)
    parts = [by_direction_sentence(assessment, subject, made=checked.made)]
    spoken_of = {"greater": "a" in sides, "less": "b" in sides}
    for ruled_out in assessment.ruled_out if first else ():
        if spoken_of.get(ruled_out.alternative, True):
            parts.append(not_toward_sentence(ruled_out, subject, table.printed))
    below_half = _all_below_half(checked, [r.alternative for r in assessment.readings])
    if below_half and first:
        largest = table.printed[int(np.argmax(table.p_values))]
        parts.append(
            f"All {checked.n} p-values lie below .5 (the largest printed is {shown_number(largest)}), "
            "which suggests that each is one-sided toward the higher score."
        )
    readings = {
        reading.alternative: {side: _answers(reading, side) for side in both}
        for reading in assessment.readings
    }
    reason = " ".join(part for part in parts if part)
    found.append(_remark(reason, alpha=alpha, readings=readings, all_below_half=below_half))
    return found


def _remark(reason: str, *, check: Check = "direction", **details: object) -> Finding:
    return Finding(key=None, check=check, reason=reason, details=details)


def _answers(reading: Reading, side: Side) -> dict[str, object]:
    answer = reading.a_better if side == "a" else reading.b_better
    return {
        "count": practice_of(reading, side)[0],
        **{name: counting.k_hat for name, counting in answer.countings.items()},
        "holm": tuple(np.flatnonzero(answer.named_apart).tolist()),
    }


def by_direction_sentence(
    assessment: Assessment, subject: Subject, *, made: Made = "printed"
) -> str:
    """State counts and Holm's names for both systems, by every reading that the numbers allow."""
    if not assessment.readings:
        return ""
    confidence = format_confidence(assessment.alpha)
    parts = []
    for reading in assessment.readings:
        a = _side(reading, "a", subject)
        b = _side(reading, "b", subject)
        start = "tested one-sided for each system"
        if made == "printed":
            start = way_words(reading.alternative, subject)
        parts.append(f"{start}, {a}; {b}")
    stated = ". ".join(part[:1].upper() + part[1:] for part in parts)
    return f"{stated}. Each holds separately with {confidence} confidence."


def practice_of(reading: Reading, side: Side) -> tuple[int, bool]:
    """What the common practice counts by a reading, and whether of two-sided p-values."""
    answer = reading.a_better if side == "a" else reading.b_better
    if "two-sided" in (reading.alternative, answer.practice.sidedness):
        return answer.practice.n, True
    return count_by_common_practice(answer.p_values, alpha=answer.alpha), False


def _side(reading: Reading, side: Side, subject: Subject) -> str:
    answer = reading.a_better if side == "a" else reading.b_better
    system = system_of(subject, side)
    n = answer.p_values.size
    by_any = max(c.k_hat for c in answer.countings.values())
    n_small, two_sided = practice_of(reading, side)
    if not (by_any or n_small or answer.named_apart.any()):
        return f"no count and no name says that {system} {subject.is_better}"
    counts = {name: counting.k_hat for name, counting in answer.countings.items()}
    count = f"at least {answer.k_hat} of {n} ({combination_named(answer.combination).title})"
    others = [
        f"{counts[name]} by {combination_named(name).title}"
        for name in (usual_combination("not-known"), usual_combination("independent"))
        if name != answer.combination
    ]
    by_holm = subject.names(answer.named_apart) if answer.named_apart.any() else "none"
    practice = f"{n_small} by one-sided p ≤ {format_level(answer.alpha)}"
    if two_sided:
        practice = f"{n_small} by two-sided p ≤ {format_level(answer.alpha)} with {system} ahead"
    return (
        f"{system} {subject.is_better} on {count}, {', '.join(others)} and "
        f"{practice}, and Holm identifies {by_holm}"
    )


def not_toward_sentence(ruled_out: RuledOut, subject: Subject, printed: Sequence[str]) -> str:
    """State which p-values show that a table cannot be read in one way."""
    small = [subject.datasets[i] for i in ruled_out.small]
    large = [
        f"{display_name(subject.datasets[i])} ({printed_p(printed[i])})" for i in ruled_out.large
    ]
    reasons = []
    if small:
        where = {"greater": f"beside a {subject.worse} score of {display_name(subject.system_a)}",
                 "less": f"beside a {subject.worse} score of {display_name(subject.system_b)}"}  # fmt: skip
        reasons.append(
            f"small p-values {where.get(ruled_out.alternative, '')} on "
            f"{list_names(small, most=_MOST_SHOWN)}"
        )
    if large:
        shown = large[:_MOST_SHOWN]
        more = f" and {len(large) - len(shown)} more" if len(large) > len(shown) else ""
        reasons.append(f"p-values of {', '.join(shown)}{more}")
    return (
        f"They cannot all be {_meant(ruled_out.alternative, subject)}: {', and '.join(reasons)} "
        "speak against it."
    )


def _meant(alternative: Alternative, subject: Subject) -> str:
    if alternative == "greater":
        return f"one-sided for {display_name(subject.system_a)}"
    if alternative == "less":
        return f"one-sided for {display_name(subject.system_b)}"
    return f"one-sided {subject.reading(alternative)}"


def _all_below_half(checked: CheckedTable, readings: Sequence[Alternative]) -> bool:
    return (
        checked.table.alternative == "not-stated"
        and checked.n >= FEWEST_BELOW_HALF
        and "toward-higher-score" in readings
        # Where one system leads everywhere, p-values for it look the same.
        and not {"greater", "less"} & set(readings)
        and bool((checked.table.p_value_bounds[1] < 0.5).all())
    )


def check_common_practice(checked: CheckedTable, alpha: float) -> Finding:
    """State what counting p ≤ alpha would have claimed, and how often it says too much."""
    n = checked.n
    # Whichever system is ahead, as printed ones are counted.
    two_sided = checked.table.p_values_two_sided
    p_values = checked.table.p_values if two_sided is None else two_sided
    n_small = count_by_common_practice(p_values, alpha=alpha)
    own_b = checked.table.p_values_b
    one_sided = [checked.table.p_values] if own_b is None else [checked.table.p_values, own_b]
    k_hat = max(count_by(values, "bonferroni", alpha) for values in one_sided)
    chance = chance_of_a_false_win(n, alpha=alpha)
    beyond = chance_of_a_false_win(n - k_hat, alpha=alpha)
    shows = "1 dataset shows one" if n == 1 else f"{n} independent datasets show at least one"
    reason = (
        f"{n_small} of {n} datasets {'has' if n_small == 1 else 'have'} a p ≤ {format_level(alpha)}, "
        "which a plain count takes as so many wins. That count has no guarantee: with no difference "
        f'anywhere, {shows} such "win" in up to {format_percent(chance)} of studies'
    )
    if 0 < k_hat < n:
        only = "the one" if k_hat == 1 else f"the {k_hat}"
        reason += (
            f"; with a difference on only {only} that Bonferroni counts, the count says too much in up "
            f"to {format_percent(beyond)}"
        )
    return _remark(
        f"{reason}.",
        check="common-practice",
        alpha=alpha,
        count=n_small,
        chance_of_a_false_win=chance,
        k_hat_bonferroni=k_hat,
        chance_beyond=beyond,
    )


def check_assumption(checked: CheckedTable, claim: Claim) -> Finding | None:
    """State what the claim's method needs, where that is not known to hold."""
    if claim.of_levels or claim.kind == "interval":
        return None
    if claim.method == ANY:
        return _check_choice(checked, claim)
    method = checked.method(claim)
    needed = needed_dependence(method)
    if DEPENDENCES.index(needed) <= DEPENDENCES.index(checked.dependence):
        return None
    low, high = checked.bounds(claim.better)
    alpha = checked.level(claim)
    fewest, most = count_by(high, "bonferroni", alpha), count_by(low, "bonferroni", alpha)
    reason = (
        f"{named(method)} holds {NEEDS[needed]}, which is not known here. Bonferroni, which needs no "
        f"such assumption, counts {numbers_in_words(fewest, most)} of {checked.n} by these p-values at "
        f"level {format_level(alpha)}."
    )
    return _remark(reason, check="assumption", method=method, alpha=alpha, fewest=fewest, most=most)


def _check_choice(checked: CheckedTable, claim: Claim) -> Finding | None:
    """State what a free choice among columns gives by chance, and a count that allows for it."""
    family = family_of(checked, claim)
    if family is None or len(family.columns) == 1:
        return None
    alpha, n, m = checked.level(claim), checked.n, len(family.columns)
    # Every p-value at its high end, where the count is smallest. Pairs of one dataset share its
    # examples, and columns of one test even their numbers: Bonferroni needs nothing of them,
    # Fisher would need independence.
    pairs = family.high.ravel()
    counted = count_by(pairs, "bonferroni", alpha)
    by_holm = named_by(pairs, alpha=alpha, procedure="holm").reshape(m, -1)
    names = checked.names(np.logical_or.reduce(by_holm))
    chance = -math.expm1(m * math.log1p(-alpha))
    level = format_level(alpha)
    significant = f"significant after Holm correction at level {level}"
    found = f"With all {m * n} p-values in one family, none is {significant}."
    if names:
        found = (
            f"With all {m * n} p-values in one family, {counted} "
            f"{'is' if counted == 1 else 'are'} {significant}, on {len(names)} of {n} "
            f"{'dataset' if n == 1 else 'datasets'}: {list_names(names, most=len(names))}."
        )
    reason = (
        f"Whoever may choose among {m} independent p-values finds one ≤ {level} on a dataset "
        f"without any difference with probability {format_percent(chance)}, and up to "
        f"{format_share(min(1.0, m * alpha))} where they depend on each other. {found} "
        "This holds however the p-values depend. No count that needs independence is used: "
        "p-values of one dataset share its examples."
    )
    return _remark(
        reason,
        check="assumption",
        method=claim.method,
        alpha=alpha,
        n_pairs=m * n,
        counted=counted,
        at_least=len(names),
        named=names,
        chance_one_dataset=chance,
    )
