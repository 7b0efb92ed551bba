"""What each way of counting and naming promises, the common practice, the counts as figures, and what changes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..comparison import BETTER
from ..data.overlap.find import Units
from ..replicability.assessment import Answer
from ..replicability.combinations import COMBINATIONS, counting_method_named
from ..replicability.counting import GroupCount
from ..replicability.direction import CommonPractice
from ..replicability.identification import procedure_named
from ..replicability.joint import JointFlips
from ..types import Dependence, UnitsBy
from .formatting import (
    counted,
    display_name,
    format_confidence,
    format_confidence_in_both,
    format_errors,
    format_level,
    format_percent,
    list_names,
    p_value_clause,
    sentence_case,
)
from .subject import Claim, Question, Subject

PAPER = (
    "Dror, Baumer, Bogomolov and Reichart, “Replicability Analysis for Natural Language "
    "Processing: Testing Significance with Multiple Datasets”, TACL 2017"
)
REFERENCE = f"{PAPER}, sections 4.1 to 4.3; Benjamini and Heller, Biometrics 2008."

# What takes a promise away, said beside the choice and in the report.
CHOOSE_COMBINATION_BEFORE = (
    "Choose it before you see the results. The largest of several counts has no guarantee."
)


def guarantee_sentence(procedure: str, *, alpha: float, n: int) -> str:
    """State what a procedure guarantees at a level for `n` datasets; of one its test is the answer."""
    if n == 1:
        return ""
    guarantee = procedure_named(procedure).guarantee.format(level=format_errors(alpha))
    return f"Guarantee: {guarantee}."


def together_sentence(alpha: float) -> str:
    """State with which confidence the statements for both systems hold at once, if any is left."""
    both = format_confidence_in_both(alpha)
    return f"Both directions together hold with {both} confidence." if both else ""


def swapped_sentence(alpha: float, *, a: str, b: str) -> str:
    """Say what it costs to have taken the second system of the file as A after seeing results."""
    first, second = display_name(a), display_name(b)
    return (
        f"You took {first} as A, although {second} comes first in the file. If you decided that after "
        f"seeing the results, statements for A and B together hold with "
        f"{format_confidence_in_both(alpha) or 'no'} confidence instead of {format_confidence(alpha)}."
    )


def one_pair_sentence(n_systems: int) -> str:
    """Say what a verdict on two of several systems takes for granted."""
    return (
        f"This is about A and B alone, 2 of {n_systems:,} systems: it holds if you chose them before "
        "seeing the results. The page Systems allows for all pairs."
    )


def left_out_sentence(names: Sequence[str], copies: Mapping[str, str] | None = None) -> str:
    """State which datasets do not count, and what that costs."""
    same = {name: copies[name] for name in names if copies and name in copies}
    others = [name for name in names if name not in same]
    said = []
    if others:
        said.append(
            f"You left out {list_names(others)}. If you decided that after seeing the results, the "
            "guarantee no longer holds."
        )
    if same:
        stay = list(dict.fromkeys(same.values()))
        said.append(
            f"You left out {list_names(list(same))}, which {'has' if len(same) == 1 else 'have'} the "
            f"same scores as {list_names(stay)}. That does not affect the guarantee."
        )
    return " ".join(said)


def practice_name(
    practice: CommonPractice, system: str, *, complement: bool = False, both_sides: bool = False
) -> str:
    """Write "two-sided p ≤ .05 with Mate ahead", or "one-sided p ≤ .05 for Mate".

    Without a `system` it is "two-sided p ≤ .05". `complement`: 1 - p of the other system's tests stands
    in for p; `both_sides`: p is the larger of two one-sided ones, as of equivalence.
    """
    is_said = practice.sidedness != "not-stated" and not both_sides
    sided = f"{practice.sidedness} " if is_said else ""
    # Small p-values of whoever is ahead are counted as printed.
    p = "1 − p" if complement and not practice.ahead else "p"
    small = f"{sided}{p} ≤ {format_level(practice.alpha)}"
    if not system or (practice.either and not both_sides):
        return small
    if both_sides:
        return f"{small} of two one-sided tests"
    return f"{small} with {system} ahead" if practice.ahead else f"{small} for {system}"


def practice_of(question: Question, subject: Subject) -> str:
    """The common practice on a claim, as sentences have it: "two-sided p ≤ .05 with Mate ahead"."""
    answer, system = question.answer, subject.sides(question.claim)[0]
    complement, both_sides = answer.complement, subject.claimed.both_sides
    return practice_name(answer.practice, system, complement=complement, both_sides=both_sides)


def common_practice_sentence(
    asked: Sequence[Question], subject: Subject, *, n_printed: int | None = None
) -> str:
    """State what the common practice counts, and what that count is worth.

    `asked` is one claim, or A's and B's where both directions are stated; `n_printed` is how many
    printed p-values are at most alpha, whichever system is ahead.
    """
    practice, both = asked[0].answer.practice, len(asked) > 1
    n = practice.wins.size
    if n == 1 or subject.n_untested:
        return ""
    wins = practice_counts(asked, subject)
    count, of = ("These counts have", ", of") if both else ("This count has", " of")
    same = n_printed is None or (n_printed == practice.n and not both)
    printed = "" if same else f" (as printed, without direction: {n_printed:,})"
    chance = format_percent(practice.chance_of_a_false_win(of_both=both))
    otherwise = ""
    if practice.sidedness == "not-stated" and not practice.either:
        other = practice.chance_of_a_false_win(of_both=both, sidedness="two-sided")
        otherwise = f" ({format_percent(other)} if the p-values are two-sided)"
    sentence = (
        f"Common practice: {wins}{of} {n:,}{printed}. {count} no guarantee: if {subject.nowhere}, up to "
        f"{chance} of studies of {n:,} independent datasets would still count at least one"
        f"{' of either system' if both else ''}{otherwise}."
    )
    if practice.neither is not None and practice.neither.any():
        small = counted(int(np.count_nonzero(practice.neither)), "small p-value")
        sentence += (
            f" Not counted: {small} where the test favours a system whose score is not better."
        )
    return sentence


def practice_counts(asked: Sequence[Question], subject: Subject) -> str:
    """Write "two-sided p ≤ .05 with Mate ahead on 2 and with Redshift ahead on 4"."""
    said = [f"{practice_of(one, subject)} on {one.answer.practice.n:,}" for one in asked]
    # What is counted is said once, unless 1 − p stands in for one system's p.
    first = asked[0].answer
    complement, both_sides = first.complement, subject.claimed.both_sides
    small = practice_name(first.practice, "", complement=complement, both_sides=both_sides)
    return " and ".join((said[0], *(one.removeprefix(f"{small} ") for one in said[1:])))


# As it is offered beside the answers about dependence.
JOINT_ANSWER = "They share examples: count those jointly"
NOT_YET_FLIPPED = "Until the joint flips are made, p-values count:"
UNITS_WORDS: Mapping[UnitsBy, str] = {
    "matched": "Those with equal texts, or ids that tell examples apart",
    "example-id": "Also those with equal ids (sentence 7 is sentence 7 in every language)",
}


def joint_unsettled_sentence(flips: JointFlips) -> str:
    """State that the count depends on how many flips were drawn."""
    return (
        f"The count by joint flips is not settled: more than {flips.n_flips:,} flips may give "
        "another. The number of flips is the tests' number of resamples."
    )


def joint_units_sentence(flips: JointFlips, units: Units) -> str:
    """What was flipped, and how often."""
    part = "all" if units.n_shared == units.n_units else f"{units.n_shared:,}"
    n = f"{flips.n_flips:,}"
    how = f"in all {n} ways" if flips.exact else f"{n} times at random"
    return (
        f"A and B were flipped on {counted(units.n_units, 'unit')}, {part} of them in two datasets or "
        f"more, {how}."
    )


# The answers as they are offered, and quoted wherever one is spoken of.
DEPENDENCE_ANSWERS: Mapping[Dependence, str] = {
    "not-known": "Not known, or yes",
    "positive": "Only positively",
    "independent": "No, independent",
}
DEPENDENCE_EXAMPLES: Mapping[Dependence, str] = {
    "not-known": (
        f"{DEPENDENCE_ANSWERS['not-known']}: translations of one test set, several splits of one "
        "corpus, datasets that share sentences, or nobody has checked."
    ),
    "positive": (
        f"{DEPENDENCE_ANSWERS['positive']}: what makes one test come out well can only make the "
        "others come out better, such as one-sided tests on overlapping samples. Sharing examples "
        "alone does not ensure it."
    ),
    "independent": (
        f"{DEPENDENCE_ANSWERS['independent']}: each dataset was collected on its own and no example "
        "is in two of them, such as product reviews of different products."
    ),
}


def titles_needing_independence() -> tuple[str, ...]:
    """Titles of the combinations that hold for independent datasets alone."""
    return tuple(each.title for each in COMBINATIONS if each.dependence == "independent")


def can_overstate() -> str:
    """Write "Fisher's and Stouffer's counts can be too high", as they are on shared examples."""
    whose = [f"{title}'s" for title in titles_needing_independence()]
    counts = "count" if len(whose) == 1 else "counts"
    return f"{list_names(whose)} {counts} can be too high"


_ASSUMED: dict[Dependence, str] = {
    "not-known": "any dependence",
    "independent": "independent datasets",
    "positive": "positive dependence",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One figure of a verdict.

    `claim` is whose colour and sign it takes; the common practice is not `guaranteed`.
    """

    heading: str
    figure: str
    detail: str
    claim: Claim | None = None
    guaranteed: bool = True


def count_tile(question: Question, subject: Subject, *, both: bool = False) -> Tile:
    """The count as a figure, with the names of its datasets."""
    answer, claim = question.answer, question.claim
    n = answer.p_values.size
    heading, where = subject.heading(claim), "on"
    figure, detail = _figure(answer.k_hat, n), _tile_names(answer, subject)
    if both and subject.comparison == BETTER:
        heading = f"{subject.sides(claim)[0]} {subject.better}"
    if n == 1:
        where = f"on {subject.names([True])}"
        figure = p_value_clause(float(answer.p_values[0]), alpha=answer.alpha)
        # Where one claim is stated alone its sentence says whether that is significant.
        is_significant = f"{'' if answer.k_hat else 'not '}significant"
        detail = f"{is_significant} at α = {format_level(answer.alpha)}" if both else ""
    return Tile(
        heading=f"{heading} {where}",
        figure=figure,
        detail="; ".join(filter(None, ("approximate, from 1 − p" * answer.complement, detail))),
        claim=claim,
        guaranteed=not answer.complement,
    )


def _tile_names(answer: Answer, subject: Subject) -> str:
    own, apart = answer.named, answer.named_apart
    method, procedure = counting_method_named(answer.combination), procedure_named(answer.apart)
    apart_names = subject.names(apart)
    if not apart.any() and not own.any():
        return f"none significant {procedure.correction}"
    if answer.combination == "bonferroni" or np.array_equal(own, apart):
        rest = "; the others depend on how the p-values are read"
        fewer = answer.combination == "bonferroni" and np.count_nonzero(apart) < answer.k_hat
        return f"{apart_names} ({procedure.title}){rest if fewer else ''}"
    if method.condition and np.all(own[apart]):
        whatever = (
            f"{apart_names} whatever the dependence"
            if apart.any()
            else "none without that assumption"
        )
        return f"{subject.names(own)} ({method.title}); {whatever} ({procedure.title})"
    return f"{apart_names} ({procedure.title}; its own {format_confidence(answer.alpha)})"


def common_practice_tiles(asked: Sequence[Question], subject: Subject) -> tuple[Tile, ...]:
    """What the common practice would count on the datasets that are tested; nothing of one dataset."""
    answers = [one.answer for one in asked]
    if answers[0].p_values.size == 1:
        return ()
    n_tested = answers[0].p_values.size - subject.n_untested
    name, counted = f"{practice_of(asked[0], subject)} on", str(answers[0].practice.n)
    if len(answers) > 1:
        # Where one of them is from 1 − p, the sentence says of which.
        both_sides = subject.claimed.both_sides
        name = practice_name(answers[0].practice, "", both_sides=both_sides)
        of = "{} ahead on {:,}" if answers[0].practice.ahead else "for {} on {:,}"
        counted = ", ".join(map(of.format, "AB", (each.practice.n for each in answers)))
    figure = f"{counted} of {n_tested:,}" if n_tested else "none tested yet"
    if n_tested and subject.n_untested:
        figure += " tested so far"
    heading, worth = f"Common practice: {name}", "a count without guarantee"
    return (Tile(heading=heading, figure=figure, detail=worth, guaranteed=False),)


def counting_tiles(asked: Sequence[Question], subject: Subject) -> tuple[Tile, ...]:
    """The count by every combination, the valid one in front, and the common practice last."""
    first, both = asked[0].answer, len(asked) > 1
    if first.p_values.size == 1:
        return tuple(count_tile(one, subject, both=both) for one in asked)
    others = []
    for name in first.countings:
        k_hat = [one.answer.countings[name].k_hat for one in asked]
        figure = f"k̂: A {k_hat[0]}, B {k_hat[1]}" if both else f"k̂ = {k_hat[0]}"
        tile = Tile(heading=_with_condition(name), figure=figure, detail="", guaranteed=False)
        others += [tile] if name != first.combination else []
    in_front = (_in_front(one, subject, both=both) for one in asked)
    return (*in_front, *others, *common_practice_tiles(asked, subject))


def _in_front(question: Question, subject: Subject, *, both: bool) -> Tile:
    """The count that the stated dependence allows; where both directions are stated, with whose."""
    answer, system = question.answer, subject.sides(question.claim)[0]
    valid = _with_condition(answer.combination)
    worth = f"{format_confidence(answer.alpha)} confidence"
    worth = "no guarantee, approximate" if answer.complement else worth
    return Tile(
        heading=f"{system} {subject.better}, {valid}" if both else valid,
        figure=_figure(answer.k_hat, answer.p_values.size),
        detail=f"the count, k̂ = {answer.k_hat:,}, with {worth}",
        claim=question.claim,
        guaranteed=not answer.complement,
    )


def _figure(k_hat: int, n: int) -> str:
    if k_hat == 0:
        return f"none shown of {n:,}"
    return f"all {n:,}" if k_hat == n else f"at least {k_hat:,} of {n:,}"


def _with_condition(name: str) -> str:
    method = counting_method_named(name)
    assumed = method.through and f"any dependence through {method.through}"
    return f"{sentence_case(method.title)}: {assumed or _ASSUMED[method.dependence]}"


WHY_ALLOWED = (
    "You may choose a group after looking: one closed test of all datasets bounds the false positives of "
    "every possible group, and all these bounds hold at once. Counting p ≤ α in a group picked because "
    "it looks good has no such bound: among many groups one looks good by chance."
)


def group_sentence(
    group: GroupCount,
    subject: Subject,
    *,
    claim: Claim,
    alpha: float,
    combination: str,
) -> str:
    """State the bound for one group, with what makes it hold."""
    statement = subject.claim(claim)
    of = f"{display_name(group.name) or 'Your group'} ({counted(group.size, 'dataset')})"
    many = "all" if group.at_least == group.size > 1 else f"at least {group.at_least:,}"
    if group.size == 1:
        many = "it"
    if not group.at_least:
        level, condition = format_level(alpha), groups_condition(combination)
        return f"{of}: no evidence at α = {level} that {statement} ({condition})."
    return (
        f"{of}: {statement} on {many}. This holds with {format_confidence(alpha)} confidence for all groups at once, "
        f"also for one chosen after looking ({groups_condition(combination)})."
    )


def groups_condition(name: str) -> str:
    """Which closed test bounds groups, and when its bounds hold."""
    method = counting_method_named(name)
    whatever = "any dependence" if not method.through else method.holds
    return f"{method.title}; {method.holds if method.condition else whatever}"
