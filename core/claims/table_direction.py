"""Whose lead the p-values of a table speak for, by every reading, whatever is claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from ..replicability.assessment import Assessment, Reading
from ..replicability.combinations import combination_named, usual_combination
from ..replicability.counting import count_by_common_practice
from ..replicability.direction import RuledOut, small_beside_lower_score
from ..types import Alternative, BoolArray
from ..words.formatting import display_name, format_confidence, format_level, list_names
from ..words.subject import Subject
from . import sentences
from .check_inputs import WHERE_AHEAD, CheckedTable, CountedAs, Made
from .claim import COUNT, Method, method_name
from .findings import Finding
from .sentences import numbers_in_words, printed_p

NO_SCORES = "the table has no scores, and its p-values do not say which system they speak for."
OTHER_METRICS = "the further p-values may be of other metrics than the scores."
_MOST_SHOWN = 3
_EVERY_READING = "by every reading that the numbers allow"


def reading_sentence(
    alternative: CountedAs,
    subject: Subject,
    *,
    method: Method | None = None,
    made: Made = "printed",
) -> str:
    """How p-values are read, as the beginning of a clause; `method` where a count is by one."""
    if made == "computed":
        where_ahead = "taken as two-sided, with that system ahead"
        return where_ahead if alternative == WHERE_AHEAD else "taken as one-sided"
    if alternative == WHERE_AHEAD:
        return "counted as they stand where that system is ahead"
    system = {"greater": subject.system_a, "less": subject.system_b}.get(alternative)
    if system is not None:
        return f"read as one-sided for {display_name(system)}"
    # Two-sided ones are counted as they stand by papers, and halved where that is said.
    halved = " and halved" if (alternative, method) == ("two-sided", COUNT) else ""
    return f"read {subject.reading(alternative)}{halved}"


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
            start = reading_sentence(reading.alternative, subject)
        parts.append(f"{start}, {a}; {b}")
    stated = ". ".join(part[:1].upper() + part[1:] for part in parts)
    return f"{stated}. Each holds separately with {confidence} confidence."


def practice_of(reading: Reading, side: Literal["a", "b"]) -> tuple[int, bool]:
    """What the common practice counts by a reading, and whether of two-sided p-values."""
    answer = reading.a_better if side == "a" else reading.b_better
    if "two-sided" in (reading.alternative, answer.practice.sidedness):
        return answer.practice.n, True
    return count_by_common_practice(answer.p_values, alpha=answer.alpha), False


def _side(reading: Reading, side: Literal["a", "b"], subject: Subject) -> str:
    answer = reading.a_better if side == "a" else reading.b_better
    system = subject.system_a if side == "a" else subject.system_b
    n = answer.p_values.size
    by_any = max(c.k_hat for c in answer.countings.values())
    n_small, two_sided = practice_of(reading, side)
    if not (by_any or n_small or answer.named_by_holm.any()):
        return f"no count and no name says that {display_name(system)} {subject.is_better}"
    counts = {name: counting.k_hat for name, counting in answer.countings.items()}
    count = f"at least {answer.k_hat} of {n} ({combination_named(answer.combination).title})"
    others = [
        f"{counts[name]} by {combination_named(name).title}"
        for name in (usual_combination("not-known"), usual_combination("independent"))
        if name != answer.combination
    ]
    named = subject.names(answer.named_by_holm) if answer.named_by_holm.any() else "none"
    practice = f"{n_small} by one-sided p ≤ {format_level(answer.alpha)}"
    if two_sided:
        practice = (
            f"{n_small} by two-sided p ≤ {format_level(answer.alpha)} with {display_name(system)} "
            "ahead"
        )
    return (
        f"{display_name(system)} {subject.is_better} on {count}, {', '.join(others)} and "
        f"{practice}, and Holm identifies {named}"
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


def count_by_direction_reason(
    counts: Mapping[CountedAs, tuple[int, int]],
    method: Method,
    *,
    n: int,
    system: str,
    subject: Subject,
    halved: tuple[int, int] | None = None,
    made: Made = "printed",
) -> str:
    """State a system's count by each reading, and that of halved p-values where it differs."""
    each = [
        f"{numbers_in_words(*found)} of {n} "
        f"({reading_sentence(reading, subject, method=method, made=made)})"
        for reading, found in counts.items()
    ]
    beside = ""
    if halved is not None and halved not in counts.values():
        beside = f" Two-sided p-values that are halved would give {numbers_in_words(*halved)}."
    name = "counting small p-values gives" if method == "count" else f"{method_name(method)} gives"
    if len(counts) > 1 and len(set(counts.values())) == 1:
        (found,) = set(counts.values())
        given = f"{numbers_in_words(*found)} of {n}"
        return f"{_EVERY_READING}, for {display_name(system)} {name} {given}.{beside}"
    return f"for {display_name(system)} {name} {', and '.join(each)}.{beside}"


def names_by_direction_reason(
    names: Mapping[CountedAs, tuple[str, ...]],
    never: np.ndarray,
    *,
    method: str | None,
    alpha: float,
    system: str,
    subject: Subject,
    made: Made = "printed",
) -> str:
    """State whom each reading names for a system, and who of a claim is never among them."""
    verb = (
        f"p is at most {format_level(alpha)} on"
        if method is None
        else f"{method_name(method)} names"
    )
    ending = f", never {subject.names(never)}" if never.any() else ""
    if len(names) > 1 and len(set(names.values())) == 1:
        (found,) = set(names.values())
        return f"{_EVERY_READING}, for {display_name(system)} {verb} {list_names(found) or 'none'}{ending}."
    each = [
        f"{list_names(found) or 'none'} ({reading_sentence(reading, subject, made=made)})"
        for reading, found in names.items()
    ]
    return f"for {display_name(system)} {verb} {', and '.join(each)}{ending}."


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
    found = []
    both: tuple[Side, ...] = ("a", "b")
    for side in both:
        if contradicted := checked.other_side(side, alpha):
            details = {"alpha": alpha, "better": side, "other_side": True}
            found.append(
                Finding(verdict=None, check="direction", reason=contradicted, details=details)
            )
    if signs is None:
        return found
    for side in sides:
        small = small_beside_lower_score(
            checked.p_values(side), signs if side == "a" else -signs, alpha=alpha
        )
        if small.any() and table.p_values_b is None:
            names = names_of(small, checked)
            found.append(
                Finding(
                    verdict=None,
                    check="direction",
                    reason=sentences.beside_lower_sentence(
                        system_of(checked, side),
                        names,
                        n=checked.n,
                        alpha=alpha,
                        worse=checked.subject.worse,
                    ),
                    details={"alpha": alpha, "better": side, "datasets": names},
                )
            )
    assessment = checked.assessed(alpha)
    readings = {
        reading.alternative: {"a": _answers(reading, "a"), "b": _answers(reading, "b")}
        for reading in assessment.readings
    }
    parts = [by_direction_sentence(assessment, checked.subject, made=checked.made)]
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
            details={
                "alpha": alpha,
                "readings": readings,
                "all_below_half": below_half,
                "largest_printed": table.printed[int(np.argmax(table.p_values))],
            },
        )
    )
    return found


def _answers(reading: Reading, side: Side) -> dict[str, object]:
    answer = reading.a_better if side == "a" else reading.b_better
    return {
        "count": practice_of(reading, side)[0],
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


def system_of(checked: CheckedTable, side: Side) -> str:
    """Name of a system."""
    return checked.table.system_a if side == "a" else checked.table.system_b


def names_of(chosen: BoolArray, checked: CheckedTable) -> tuple[str, ...]:
    """Names of the chosen datasets."""
    return tuple(checked.table.datasets[i] for i in np.flatnonzero(chosen))
