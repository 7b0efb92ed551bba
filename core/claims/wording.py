"""Every sentence on a claim: why it has its verdict, what would settle it, and the numbers behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import joined_stretches
from ..replicability.combinations import combination_named
from ..words.formatting import (
    display_name,
    format_level,
    list_names,
    numbers_in_words,
    printed_number,
    sentence_case,
)
from .checked import TURNED
from .claim import COUNT, Claim, method_as_subject, method_name
from .findings import WHICH_METRIC, Verdict, VerdictKey, say_who_leads

if TYPE_CHECKING:
    from ..data.p_value_table import FurtherPValues, PValueTable
    from .checked import CheckedTable, WayName
    from .judging import Outcome, Taken

    Columns = Sequence[PValueTable | FurtherPValues]

WHOLE_TABLE = "The whole table that the claim is about would settle it."
_ROUNDING = "the rounding of the p-values", "P-values with more digits would settle it."
THEMSELVES = "The p-values themselves would settle it."
_SIDES = "The authors could say whether p-values are one- or two-sided, and for which system."


def verdict_on(claim: Claim, key: VerdictKey, words: str, why: str, **more: Any) -> Verdict:
    """A verdict on a claim, with all of it as sentences for a review."""
    that = words if claim.text or claim.interval else f"That {words}"
    verdict = Verdict(key=key, check="claim", reason="", claim=claim, why=why, **more)
    behind = tuple(sentence for sentence in verdict.behind if sentence != why)
    said = " ".join((f"{that} {verdict.words()}: {why}", *behind, verdict.settle))
    return replace(verdict, reason=said.rstrip(), behind=behind)


def why(outcome: Outcome) -> str:
    """One sentence on why a claim has its verdict."""
    claim, key = outcome.claim, outcome.key
    system = display_name(outcome.subject.system_a)
    if outcome.worse:
        n = len(outcome.subject.datasets)
        left = n - len(outcome.worse)
        better = "higher" if outcome.subject.higher_is_better else "lower"
        return (
            f"On {list_names(outcome.worse)} the score of {system} is the {outcome.subject.worse} one, "
            f"so that {f'at most {left} of {n} can be wins' if left else 'none can be a win'} if "
            f"{better} is better."
        )
    if outcome.cut:
        return "Rounded p-values do not give it; digits that were cut off or rounded up could."
    if outcome.made == "computed" and outcome.lower and key != "holds":
        return not_better_clause(system, outcome.lower)
    return _why_of_count(outcome, system) if claim.counts else _why_of_list(outcome, system)


def _why_of_count(outcome: Outcome, system: str) -> str:
    """What the numbers give in place of the count: as papers count first, then each other number."""
    key, ways, n = outcome.key, outcome.taken, len(outcome.subject.datasets)
    by = f" by {'p ≤ α' if outcome.method == COUNT else method_name(outcome.method)}"
    start = "Scores and sizes alone give" if outcome.made == "possible" else "The numbers give"
    if "either" in ways and key != "holds":
        most = f"at most {ways['either'].most}"
        number = _given(outcome.stand) if key == "depends" and outcome.stand is not None else most
        return f"{start} {number} of {n}{by}, whichever system each is for."
    numbers: dict[str, WayName] = {}
    # First those that hold; papers count two-sided p-values as they stand.
    order = [(key == "holds" and f.key != "holds", f.name == "two-sided", f) for f in ways.values()]
    for *_, found in sorted(order, key=itemgetter(0, 1)):
        numbers.setdefault(_given(found), found.name)
    first, *others = numbers
    said = f"{start} {first} of {n}{by}"
    if outcome.by_either:
        said += f" for {system}"
    if key == "holds" and others:
        n_alike = sum(_given(found) == first for found in ways.values())
        said += f" {_how(numbers[first] if n_alike == 1 else 'as-they-stand', outcome)}"
    said += "".join(f", or {number} {_how(numbers[number], outcome)}" for number in others)
    if outcome.needs:
        more = numbers_in_words(*outcome.others[outcome.needs])
        condition = combination_named(outcome.needs).condition
        said += f", and {more} by {method_name(outcome.needs)} if {condition}"
    if outcome.by_either and outcome.stand is not None:
        said += f", and {_given(outcome.stand)} whichever system they speak for"
    if outcome.n_ahead is not None and outcome.n_ahead >= (outcome.claim.k or 0):
        said += f", though {system} has the better score on {outcome.n_ahead}"
    if not outcome.guaranteed:
        return f"{said}."
    return f"{said}. This count has no guarantee: {outcome.guaranteed}."


def _how(name: WayName, outcome: Outcome) -> str:
    """How p-values are taken by a way."""
    is_computed = outcome.made == "computed"
    if name in ("greater", "less"):
        one_sided = "by one-sided p-values"
        read = one_sided if is_computed else f"read {outcome.subject.reading(name)}"
        return f"1 − p, {read}" if name in _turned(outcome) else read
    if name == "where-ahead":
        taken = "by two-sided p-values" if is_computed else "with p as it stands"
        return f"{taken} where {display_name(outcome.subject.system_a)} is ahead"
    return _WAYS.get(name, name)


_WAYS: Mapping[WayName, str] = {
    "two-sided": "if each two-sided p is halved for the system ahead",
    "toward-higher-score": "if each one-sided p is for the system ahead",
    "doubled": "if each p is doubled",
    "as-they-stand": "with p as it stands",
    "either": "at most, whichever system each is for",
}


def _beside(outcome: Outcome, instead: str) -> str:
    """By which way a claim holds, and what another gives instead; empty where there is no other."""
    holding = [found.name for found in outcome.taken.values() if found.key == "holds"]
    others = [found.name for found in outcome.taken.values() if found.key != "holds"]
    if not others:
        return ""
    name = holding[0] if len(holding) == 1 else "as-they-stand"
    return f" {_how(name, outcome)}; another way {instead} ({_how(others[0], outcome)})"


def _given(found: Taken) -> str:
    """The numbers that a way gives in words, such as "3 or 5 to 7"."""
    spans = [(k, k) for k in found.others] or [(found.fewest, found.most)]
    return " or ".join(numbers_in_words(*span) for span in joined_stretches(spans, room=1))


def _why_of_list(outcome: Outcome, system: str) -> str:
    claim, key = outcome.claim, outcome.key
    level = format_level(outcome.level)
    found = list(outcome.taken.values())
    # Claimed datasets that no way lists, and others that every way lists.
    ever = np.logical_or.reduce([each.ever for each in found])
    always = np.logical_and.reduce([each.always for each in found])
    missing = outcome.subject.chosen(outcome.members & ~ever)
    more = outcome.subject.chosen(always & ~outcome.members) if claim.kind == "named" else ()
    lower = [name for name in missing if name in outcome.lower]
    if key == "contradicted" and lower and outcome.stand and outcome.stand.key != "contradicted":
        return f"On {list_names(lower)} the score of {system} is the {outcome.subject.worse} one."
    instead = "names others"
    if claim.of_each:
        open_ones = [each.always for each in found if each.key != "holds"]
        without = outcome.subject.chosen(outcome.members & ~open_ones[0]) if open_ones else ()
        instead = f"leaves out {list_names(without)}"
    for_whom = f" for {system}" if claim.better != "differ" else ""
    if claim.of_levels:
        said, other = ("at most", "above") if claim.kind == "significant" else ("above", "at most")
        claimed = f"p is {said} {level}{for_whom} on"
        these = list_names(claim.datasets) if len(claim.datasets) == 1 else "all of them"
        denied = f"p is {other} {level} on {list_names(missing)}."
        if claim.better != "differ":
            where = list_names(missing) or "all of them by one reading"
            denied = f"The p-values do not give p ≤ {level}{for_whom} on {where}."
    else:
        claimed = f"{method_as_subject(outcome.method)} names"
        these = "exactly these" if claim.datasets else "exactly none"
        if claim.of_each:
            these = "each of these" if len(claim.datasets) > 1 else list_names(claim.datasets)
        begun = sentence_case(claimed)
        denied = f"{begun} {these} by no reading of the p-values."
        if missing:
            by = begun.removesuffix(" names")
            denied = f"{by} does not name {list_names(missing)}, however the p-values are read."
        elif more:
            denied = f"{begun} {list_names(more)}{' as well' * bool(claim.datasets)}."
    if key == "holds":
        said = claimed if claim.of_levels else sentence_case(claimed)
        return f"{said} {these}{_beside(outcome, instead)}."
    if key == "contradicted":
        return denied
    left = _open(outcome)
    is_possible = outcome.made == "possible"
    if claim.of_levels and is_possible and missing and claim.kind == "significant":
        return f"No test that was tried gives p ≤ {level}{for_whom} on {list_names(missing)}."
    if claim.of_levels and not is_possible and len(left) < len(claim.datasets):
        return f"Only {list_names(left)} {'is' if len(left) == 1 else 'are'} open."
    start = "Scores and sizes alone leave open" if is_possible else "It is open"
    return f"{start} whether {claimed} {list_names(left) or these}."


def _open(outcome: Outcome) -> tuple[str, ...]:
    """Names that ways to take the p-values list differently, or within rounding only."""
    found = np.zeros_like(outcome.members)
    for way in outcome.taken.values():
        differ = way.always != way.ever
        if outcome.claim.kind == "named":
            found |= differ | (way.always != outcome.members)
        elif not outcome.claim.of_levels or way.name != "where-ahead":
            # Of single p-values the halved ones give all that those as they stand do.
            found |= outcome.members & ~way.always
    return outcome.subject.chosen(found)


def _by_every_reading(outcome: Outcome) -> bool:
    """Whether each reading by itself leaves a claim open, in the way that suits the claim best."""
    readings = outcome.readings
    if outcome.claim.better == "differ":
        # That doubled p-values give it is one way to read them, and not how papers count.
        readings = tuple(reading[:1] for reading in readings)
    return all({found.key for found in each} - {"contradicted"} == {"depends"} for each in readings)


def _turned(outcome: Outcome) -> set[WayName]:
    """The way by 1 − p of tests made for the other system, where the numbers are read so alone."""
    ways, is_for_one = set(outcome.taken), outcome.claim.better != "differ"
    alone = is_for_one and outcome.made == "printed" and ways == {TURNED}
    return ways if alone else set()


def open_on(outcome: Outcome) -> tuple[str, str]:
    """On what a claim depends that does depend, and what would settle it."""
    if outcome.needs:
        condition = combination_named(outcome.needs).condition
        would = "would" if outcome.others[outcome.needs][0] >= (outcome.claim.k or 0) else "could"
        settled = f"With an argument for it, the claim {would} hold"
        if combination_named(outcome.needs).dependence == "independent":
            settled += "; datasets that share examples are not independent"
        return f"whether {condition}", f"{settled}."
    if outcome.cut:
        return _ROUNDING
    if outcome.made == "computed" and outcome.lower:
        return "what the test compares", "A test of the mean would settle it."
    if "either" in outcome.taken:
        return "which system each p-value is for", _SIDES
    if set(outcome.taken) & _turned(outcome):
        system = display_name(outcome.subject.system_a)
        settled = f"Tests made for {system} would settle it: of a discrete test 1 − p is too small."
        return f"whether 1 − p stands for tests made for {system}", settled
    if not _by_every_reading(outcome):
        return "how the p-values are read", _SIDES
    if outcome.unprinted:
        return "the exact p-values", THEMSELVES
    if outcome.even:
        return f"which system is ahead on {list_names(outcome.even)}", say_who_leads(outcome.even)
    return _ROUNDING


def settle(outcome: Outcome) -> str:
    """What would settle a claim; empty where it holds."""
    claim, key, ways = outcome.claim, outcome.key, outcome.taken.values()
    if key == "holds":
        return ""
    if outcome.worse:
        return "The authors could say by which metric it is better there."
    if key == "contradicted":
        if claim.kind == "exactly" and claim.k and min(found.fewest for found in ways) > claim.k:
            return f"“At least {claim.k}” would hold."
        if outcome.by_either or outcome.lower:
            return WHICH_METRIC
        return "The authors could say which p-values, level and method the claim is made from."
    if outcome.made == "possible":
        return THEMSELVES
    if key == "depends":
        return open_on(outcome)[1]
    if outcome.made == "computed":
        return (
            "A test of the mean would settle it."
            if outcome.lower
            else "An argument for independent datasets, or more examples, could show more."
        )
    return "The results on examples, or an argument for independent datasets, could show more."


def behind(outcome: Outcome, checked: CheckedTable, columns: Columns) -> tuple[str, ...]:
    """The numbers behind a verdict, by every way to take the p-values."""
    found = [any_sentence(outcome, columns, checked) if columns else by_way(outcome)]
    n = len(outcome.subject.datasets)
    found += [
        f"{method_name(method)} counts {numbers_in_words(*span)} of {n}, if "
        f"{combination_named(method).condition}."
        for method, span in outcome.others.items()
        if method != outcome.needs
    ]
    if outcome.lower and outcome.made == "computed":
        system = display_name(outcome.subject.system_a)
        found.append(not_better_clause(system, outcome.lower))
    elif outcome.lower and outcome.key != "holds":
        comes = beside_lower_score(checked, outcome.level)
        found.append(f"On {list_names(outcome.lower)} {comes}.")
    return tuple(dict.fromkeys(found))


def by_way(outcome: Outcome) -> str:
    """What each way to take the p-values gives."""
    claim, n = outcome.claim, len(outcome.subject.datasets)
    system = display_name(outcome.subject.system_a)
    whom = "" if claim.better == "differ" else f"for {system} "
    ways = dict(outcome.taken)
    if outcome.stand is not None and ("either" in ways or outcome.by_either):
        ways.setdefault("as-they-stand", outcome.stand)
    if claim.counts:
        verb = f"{method_name(outcome.method)} gives"
        if outcome.method == COUNT:
            verb = "counting small p-values gives"
        said = {name: f"{_given(found)} of {n}" for name, found in ways.items()}
    else:
        said = {name: _listed(outcome, found) for name, found in ways.items()}
        at = "above" if claim.kind == "not-significant" else "at most"
        verb = f"p is {at} {format_level(outcome.level)} on"
        if not claim.of_levels:
            verb = f"{method_as_subject(outcome.method)} names"
    start = f"{whom}{verb}"
    if len(set(said.values())) == 1 and len(said) > 1:
        each = next(iter(said.values()))
        how = (
            "Whether one- or two-sided"
            if outcome.made == "possible"
            else "By every reading that the numbers allow"
        )
        return f"{how}, {start} {each}."
    each = ", and ".join(f"{words} ({_how(name, outcome)})" for name, words in said.items())
    return f"{start if start.startswith('p ') else sentence_case(start)} {each}."


def _listed(outcome: Outcome, found: Taken) -> str:
    """Names for every value, and those for some."""
    subject = outcome.subject
    sure = subject.names(found.always) if found.always.any() else "none"
    some = found.ever & ~found.always
    is_rounding = not (outcome.unprinted or outcome.made == "possible" or _turned(outcome))
    why = "within rounding " if is_rounding else ""
    return f"{sure}, and {why}perhaps {subject.names(some)}" if some.any() else sure


def any_sentence(outcome: Outcome, columns: Columns, checked: CheckedTable) -> str:
    """State how many datasets have a small p-value at all, and which have none."""
    found = outcome.stand or outcome.readings[0][0]
    n, n_columns = checked.n, len(columns)
    small = f"at least one of {n_columns} p-values" if n_columns > 1 else "a p-value"
    said = (
        f"{_given(found)} of {n} datasets have {small} ≤ {format_level(outcome.level)}, as the digits "
        "are rounded"
    )
    least = np.min([column.p_value_bounds[0] for column in columns], axis=0)
    without = [
        f"{display_name(checked.table.datasets[i])} (smallest {printed_number(smallest.printed[i])})"
        for i in np.flatnonzero(least > outcome.level).tolist()
        for smallest in [min(columns, key=lambda column: column.p_values[i])]
    ]
    if without:
        said += f"; {list_names(without)} {'has' if len(without) == 1 else 'have'} none"
    return f"{said}."


def beside_lower_score(checked: CheckedTable, alpha: float) -> str:
    """State that small p-values come with the worse score of A, or are the other's."""
    system, other = checked.subject.sides("a-better")
    level = f"p ≤ {format_level(alpha)}"
    if checked.table.alternative == "two-sided":
        return f"the two-sided {level} is in favour of {other}"
    return f"a {level} comes with a {checked.subject.worse} score of {system}"


def not_better_clause(system: str, names: Sequence[str]) -> str:
    """State that tests speak for a system where its score is not the better one."""
    return f"On {list_names(names)} p is small for {system}, but its score is not better."
