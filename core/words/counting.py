"""What each way of counting and naming promises, the common practice, and the counts as figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..comparison import BETTER
from ..data.overlap.units import Units
from ..replicability.assessment import Answer
from ..replicability.combinations import all_combinations, counting_method_named
from ..replicability.counting import closed_names
from ..replicability.direction import CommonPractice
from ..replicability.identification import all_procedures, named_by, procedure_named
from ..replicability.joint import FlipAnswer, JointFlips
from ..types import DEPENDENCES, Dependence, UnitsBy
from .formatting import (
    Frame,
    at_least,
    counted,
    display_name,
    format_confidence,
    format_confidence_in_both,
    format_errors,
    format_level,
    format_p_value,
    format_percent,
    frame_of,
    list_names,
    p_value_clause,
    sentence_case,
    whole_name,
)
from .subject import Claim, Subject

REFERENCE = (
    "Dror, Baumer, Bogomolov and Reichart, “Replicability Analysis for Natural Language "
    "Processing: Testing Significance with Multiple Datasets”, TACL 2017, sections 4.1 to 4.3; "
    "Benjamini and Heller, Biometrics 2008."
)

# What takes a promise away, said beside the choice and in the report.
CHOOSE_DEPENDENCE_BEFORE = (
    "Answer from what you know about the test sets, not from the counts. An answer chosen for its "
    "larger count has no guarantee."
)
CHOOSE_COMBINATION_BEFORE = (
    "Choose it before you see the results. The largest of several counts has no guarantee."
)
CHOOSE_PROCEDURE_BEFORE = (
    "Choose a procedure before you see the results. The longest of several lists has no guarantee."
)
REPORT_WHAT_WAS_TRIED = (
    "A choice made after seeing the results has no guarantee. Report everything listed here."
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


def left_out_sentence(names: Sequence[str], copies: Mapping[str, str] | None = None) -> str:
    """State which datasets do not count, and what that costs.

    Parameters
    ----------
    names : sequence of str
        Those left out.
    copies : mapping of str to str, optional
        Of those, the ones with the same scores as a dataset that stays, and which.
    """
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

    Parameters
    ----------
    practice : CommonPractice
        What is counted.
    system : str
        Whose wins, as sentences write it.
    complement : bool
        Whether 1 - p of the other system's tests stands in for p.
    both_sides : bool
        Whether p is the larger of two one-sided ones, as of equivalence.
    """
    small = _small(practice, complement=complement, both_sides=both_sides)
    return f"{small}{_whose(practice, system, both_sides=both_sides)}"


def _small(practice: CommonPractice, *, complement: bool, both_sides: bool) -> str:
    is_said = practice.sidedness != "not-stated" and not both_sides
    sided = f"{practice.sidedness} " if is_said else ""
    return f"{sided}{'1 − p' if complement else 'p'} ≤ {format_level(practice.alpha)}"


def _whose(practice: CommonPractice, system: str, *, both_sides: bool) -> str:
    if both_sides:
        return " of two one-sided tests"
    if practice.either:
        return ""
    return f" with {system} ahead" if practice.ahead else f" for {system}"


def common_practice_sentence(
    answer: Answer,
    subject: Subject,
    *,
    claim: Claim,
    n_printed: int | None = None,
    of_b: Answer | None = None,
) -> str:
    """State what the common practice counts, and what that count is worth.

    Parameters
    ----------
    answer : Answer
        The count with a guarantee for the same claim.
    subject : Subject
        Systems and datasets; nothing is counted of datasets not tested yet.
    claim : {"a-better", "b-better", "differ"}
        What is counted.
    n_printed : int, optional
        How many printed p-values are at most alpha, whichever system is ahead.
    of_b : Answer, optional
        B's, where `answer` is A's and both directions are stated.
    """
    practice = answer.practice
    n, n_tested = practice.wins.size, practice.wins.size - subject.n_untested
    if n == 1:
        return ""
    if n_tested == 0:
        return "No dataset is tested yet."
    wins = practice_counts(answer, subject, claim, of_b)
    count, has = ("This count", "has") if of_b is None else ("These counts", "have")
    of = " of" if of_b is None else ", of"
    if n_left := subject.n_untested:
        return (
            f"Common practice so far: {wins}{of} {n_tested:,} tested; {n_left:,} "
            f"{'is' if n_left == 1 else 'are'} not tested yet. {count} {has} no guarantee."
        )
    both = of_b is not None
    same = n_printed is None or (n_printed == practice.n and not both)
    printed = "" if same else f" (as printed, without direction: {n_printed:,})"
    chance = format_percent(practice.chance_of_a_false_win(of_both=both))
    sentence = (
        f"Common practice: {wins}{of} {n:,}{printed}. {count} {has} no guarantee: if "
        f"{subject.nowhere}, up to {chance} of studies of {n:,} independent datasets would still "
        f"show such a “win”{' of either system' if both else ''}"
    )
    if practice.sidedness == "not-stated" and not practice.either:
        other = practice.chance_of_a_false_win(of_both=both, sidedness="two-sided")
        sentence += f" ({format_percent(other)} if the p-values are two-sided)"
    sentence += "."
    if practice.neither is not None and practice.neither.any():
        small = counted(int(np.count_nonzero(practice.neither)), "small p-value")
        sentence += (
            f" Not counted: {small} where the test favours a system whose score is not better."
        )
    answers = [answer] if of_b is None else [answer, of_b]
    if any(_holm_finds_more(each) for each in answers):
        sentence += " Holm can find more than that: it takes one-sided p-values."
    return sentence


def practice_counts(
    answer: Answer, subject: Subject, claim: Claim, of_b: Answer | None = None
) -> str:
    """Write "two-sided p ≤ .05 with Mate ahead on 2", of both systems where both are stated."""
    found = [(answer, claim)] if of_b is None else [(answer, claim), (of_b, "b-better")]
    each: list[str] = []
    before = ""
    for own, whose in found:
        both_sides = subject.both_sides
        small = _small(own.practice, complement=own.complement, both_sides=both_sides)
        of = _whose(own.practice, subject.sides(whose)[0], both_sides=both_sides)
        said = f"{of} on {own.practice.n:,}"
        each.append(said.lstrip() if small == before else f"{small}{said}")
        before = small
    return " and ".join(each)


def _holm_finds_more(answer: Answer) -> bool:
    """Whether Holm identifies more wins, not counting those where test and score disagree."""
    practice, named = answer.practice, answer.named_apart
    agreed = named if practice.neither is None else named & ~practice.neither
    return practice.sidedness != "one-sided" and int(np.count_nonzero(agreed)) > practice.n


# As it is offered beside the answers about dependence.
JOINT_ANSWER = "They share examples: count those jointly"
NOT_YET_FLIPPED = "Until the joint flips are made, p-values count:"
UNITS_WORDS: Mapping[UnitsBy, str] = {
    "matched": "Those with equal texts, or ids that tell examples apart",
    "example-id": "Also those with equal ids (sentence 7 is sentence 7 in every language)",
}
NULL_AND_LIMITS = (
    "The null hypothesis: on every example, with its copies and translations, A and B could be "
    "exchanged in all datasets at once without changing the distribution of the scores. Equal "
    "means of skewed differences are no such case: with few examples the count is then too large "
    "too often (measured: 21% of studies at 30 examples, 8% at 300). Dependence through anything "
    "but examples, such as the same training runs or annotators, is not covered (Westfall and Young "
    "1993; Vesely, Finos and Goeman 2023)."
)


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


def joint_frame(found: FlipAnswer, datasets: Sequence[str]) -> Frame:
    """A row a dataset: its own p-value by flips, and the adjusted ones by both tests."""
    return frame_of(
        {
            "dataset": [whole_name(name) for name in datasets],
            "p by flips": [format_p_value(p) for p in found.count.p_values],
            "adjusted p (step-down)": [
                format_p_value(p) for p in found.step_down.adjusted_p_values
            ],
            "significant (step-down)": ["★" if own else "" for own in found.step_down.rejected],
            "adjusted p (same test as the count)": [
                format_p_value(p) for p in found.named.adjusted_p_values
            ],
            "significant (same test)": ["†" if own else "" for own in found.named.rejected],
        }
    )


COMMON_PRACTICE = "common practice"
STAR = "★"


def procedures_frame(answer: Answer, subject: Subject) -> Frame:
    """A row for each dataset, by p-value; a column for each procedure with ★ where it names it."""
    order = np.argsort(answer.p_values, kind="stable")
    columns: dict[str, list[str]] = {
        "dataset": [display_name(subject.datasets[i]) for i in order],
        "p": [format_p_value(float(answer.p_values[i]), alpha=answer.alpha) for i in order],
    }
    for procedure in all_procedures():
        named = named_by(answer.p_values, alpha=answer.alpha, procedure=procedure.name)
        heading = f"{procedure.heading} ({int(named.sum())})"
        columns[heading] = [STAR if named[i] else "" for i in order]
    wins = answer.practice.wins
    columns[f"{COMMON_PRACTICE} ({answer.practice.n})"] = [STAR if wins[i] else "" for i in order]
    return frame_of(columns)


def procedure_promises(answer: Answer, subject: Subject, *, claim: Claim) -> list[str]:
    """What each column of that table promises, one line each."""
    level = format_errors(answer.alpha)
    system = subject.sides(claim)[0]
    counted = practice_name(
        answer.practice, system, complement=answer.complement, both_sides=subject.both_sides
    )
    lines = []
    for procedure in all_procedures():
        name = procedure.title
        short = f" ({procedure.heading})" if procedure.heading not in name else ""
        promise = procedure.compared or procedure.guarantee
        lines.append(f"{sentence_case(name)}{short}: {promise.format(level=level)}.")
    return [*lines, f"{COMMON_PRACTICE}: {counted}; no guarantee."]


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
    return tuple(each.title for each in all_combinations() if each.dependence == "independent")


def can_overstate() -> str:
    """Write "Fisher's and Stouffer's counts can be too high", as they are on shared examples."""
    whose = [f"{title}'s" for title in titles_needing_independence()]
    counts = "count" if len(whose) == 1 else "counts"
    return f"{list_names(whose)} {counts} can be too high"


def dependence_lines(answer: Answer, subject: Subject) -> list[str]:
    """What each answer about dependence would give: counts and the names of their closed tests."""
    lines = []
    for dependence in DEPENDENCES:
        for combination in all_combinations():
            if combination.dependence != dependence:
                continue
            k_hat = answer.countings[combination.name].k_hat
            named = closed_names(answer.p_values, alpha=answer.alpha, combination=combination.name)
            names = f"identified: {subject.names(named)}" if named.any() else "none identified"
            lines.append(
                f"{DEPENDENCE_ANSWERS[dependence]} ({combination.title}): {at_least(k_hat)} "
                f"{'of' if k_hat else 'on any of'} {answer.p_values.size:,}; {names}."
            )
    return lines


_ASSUMED: dict[Dependence, str] = {
    "not-known": "any dependence",
    "independent": "independent datasets",
    "positive": "positive dependence",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One figure of a verdict.

    Attributes
    ----------
    heading : str
        What is counted.
    figure : str
        The answer in a few words.
    detail : str
        Names, or what the figure is worth.
    claim : {"a-better", "b-better", "differ"} or None
        Whose colour and sign it takes.
    guaranteed : bool
        False for the common practice.
    """

    heading: str
    figure: str
    detail: str
    claim: Claim | None
    guaranteed: bool = True


def count_tile(answer: Answer, subject: Subject, *, claim: Claim, both: bool = False) -> Tile:
    """The count as a figure, with the names that may stand beside it.

    Where `both` directions are stated, its heading names the other system only at a margin.
    """
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


def common_practice_tiles(
    answer: Answer, subject: Subject, *, claim: Claim, of_b: Answer | None = None
) -> tuple[Tile, ...]:
    """What the common practice would count on the datasets that are tested; nothing of one dataset.

    Parameters
    ----------
    answer : Answer
        P-values as read for the claim.
    subject : Subject
        Systems and datasets.
    claim : {"a-better", "b-better", "differ"}
        What is counted.
    of_b : Answer, optional
        Those for B, where `answer` is A's and both directions are stated.
    """
    if answer.p_values.size == 1:
        return ()
    n_tested = answer.p_values.size - subject.n_untested
    practice, both_sides = answer.practice, subject.both_sides
    if of_b is None:
        system = subject.sides(claim)[0]
        name = practice_name(practice, system, complement=answer.complement, both_sides=both_sides)
        name, counted = f"{name} on", str(practice.n)
    else:
        # Where one of them is from 1 − p, the sentence says of which.
        name = _small(practice, complement=False, both_sides=both_sides)
        if practice.ahead and n_tested:
            name = f"{name} with"
        a = "A ahead" if practice.ahead else "for A"
        counted = f"{a} on {practice.n:,}, B on {of_b.practice.n:,}"
    figure = f"{counted} of {n_tested:,}" if n_tested else "none tested yet"
    if n_tested and subject.n_untested:
        figure += " tested so far"
    tile = Tile(
        heading=f"Common practice: {name}",
        figure=figure,
        detail="a count without guarantee",
        claim=None,
        guaranteed=False,
    )
    return (tile,)


def counting_tiles(
    answer: Answer, subject: Subject, *, claim: Claim, of_b: Answer | None = None
) -> tuple[Tile, ...]:
    """The count by every combination, the valid one in front, and the common practice last.

    With one dataset it is the test's answer, which every combination gives.

    Parameters
    ----------
    answer, subject, claim, of_b
        As in `common_practice_tiles`.
    """
    if answer.p_values.size == 1:
        alone = count_tile(answer, subject, claim=claim, both=of_b is not None)
        return (alone, *([count_tile(of_b, subject, claim="b-better", both=True)] if of_b else []))
    in_front = [_in_front(answer, subject, claim, both=of_b is not None)]
    if of_b is not None:
        in_front.append(_in_front(of_b, subject, "b-better", both=True))
    others = [
        Tile(
            heading=_with_condition(name),
            figure=f"k̂ = {counting.k_hat}"
            if of_b is None
            else f"k̂: A {counting.k_hat}, B {of_b.countings[name].k_hat}",
            detail="",
            claim=None,
            guaranteed=False,
        )
        for name, counting in answer.countings.items()
        if name != answer.combination
    ]
    return (*in_front, *others, *common_practice_tiles(answer, subject, claim=claim, of_b=of_b))


def _in_front(answer: Answer, subject: Subject, claim: Claim, *, both: bool) -> Tile:
    """The count that the stated dependence allows; where both directions are stated, with whose."""
    valid = _with_condition(answer.combination)
    system = subject.system_a if claim == "a-better" else subject.system_b
    worth = f"{format_confidence(answer.alpha)} confidence"
    worth = "no guarantee, approximate" if answer.complement else worth
    return Tile(
        heading=f"{display_name(system)} {subject.better}, {valid}" if both else valid,
        figure=_figure(answer.k_hat, answer.p_values.size),
        detail=f"the count, k̂ = {answer.k_hat:,}, with {worth}",
        claim=claim,
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
