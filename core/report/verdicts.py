"""The verdict: the sentence, figures and quieter lines that are shown first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.replicability.assessment import ONE_SIDED, Answer, Assessment, Reading
from core.report.formatting import (
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    list_names,
)
from core.report.questions import Claim
from core.report.sentences import (
    COMBINATION_NAMES,
    Subject,
    complement_sentence,
    count_sentence,
    names_sentence,
)
from core.types import Combination, Dependence

_DEPENDENCE_WORDS: dict[Dependence, str] = {
    "independent": "the datasets taken to be independent (Fisher)",
    "positive": "the tests taken to be positively dependent (Simes)",
    "not-known": "whatever the dependence between datasets (Bonferroni)",
}
_ASSUMED: dict[Combination, str] = {
    "bonferroni": "any dependence",
    "fisher": "independent datasets",
    "simes": "positive dependence",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer of a table: a sentence, its figures, and what stands behind them."""

    sentence: str
    tiles: tuple[Tile, ...]
    notes: tuple[str, ...]


def verdict(assessment: Assessment, subject: Subject) -> Verdict:
    """Compose the answer that is shown first."""
    answer_a, answer_b = assessment.answer_a, assessment.answer_b
    if answer_a is None or answer_b is None:
        return _undirected_verdict(assessment, subject)
    if assessment.shows_both_sides:
        return _two_sided_verdict(assessment, subject, answer_a, answer_b)
    # The tile says which can be named, unless names and count need two sentences.
    more_by_holm = np.count_nonzero(answer_a.named_by_holm) > answer_a.k_hat
    names = names_sentence(answer_a, subject) if more_by_holm else ""
    return Verdict(
        sentence=count_sentence(answer_a, subject, claim="a-better"),
        tiles=(
            count_tile(answer_a, subject, claim="a-better"),
            common_practice_tile(answer_a, subject),
        ),
        notes=_kept([names, _reading_note(assessment, subject)]),
    )


def _undirected_verdict(assessment: Assessment, subject: Subject) -> Verdict:
    answer = assessment.undirected
    return Verdict(
        sentence=count_sentence(answer, subject, claim="differ", reading=assessment.declared),
        tiles=(count_tile(answer, subject, claim="differ"), common_practice_tile(answer, subject)),
        notes=_kept([names_sentence(answer, subject)]),
    )


def _two_sided_verdict(
    assessment: Assessment, subject: Subject, answer_a: Answer, answer_b: Answer
) -> Verdict:
    tiles = [
        count_tile(answer_a, subject, claim="a-better"),
        count_tile(answer_b, subject, claim="b-better"),
    ]
    beside = assessment.beside_lower_score.size
    if beside:
        level = format_level(assessment.alpha)
        tiles.append(
            Tile(
                heading=(
                    f"{'p-value' if beside == 1 else 'p-values'} ≤ {level} "
                    f"{'stands' if beside == 1 else 'stand'} beside a {subject.worse} score of "
                    f"{display_name(subject.system_a)}"
                ),
                figure=str(beside),
                detail=list_names([subject.datasets[i] for i in assessment.beside_lower_score]),
                claim=None,
                guaranteed=False,
            )
        )
    else:
        tiles.append(common_practice_tile(answer_a, subject))
    return Verdict(
        sentence=_both_sides_sentence(assessment, subject, answer_a, answer_b),
        tiles=tuple(tiles),
        notes=_kept([_reading_note(assessment, subject)]),
    )


def _both_sides_sentence(
    assessment: Assessment, subject: Subject, answer_a: Answer, answer_b: Answer
) -> str:
    sides = ((answer_a, subject.claim("a-better")), (answer_b, subject.claim("b-better")))
    n = assessment.n_datasets
    if n == 1:
        claim: Claim = "b-better" if answer_b.k_hat else "a-better"
        sentence = count_sentence(
            answer_b if claim == "b-better" else answer_a, subject, claim=claim
        )
        if not (answer_a.k_hat or answer_b.k_hat):
            return sentence
        confidence = format_confidence(2.0 * assessment.alpha)
        return (
            f"{sentence} Where the direction was chosen by looking, that holds with {confidence} "
            "confidence."
        )
    if not any(answer.k_hat or answer.named_by_holm.any() for answer, _ in sides):
        return (
            f"The data do not show on any of the {n} datasets that {sides[0][1]}, nor that "
            f"{sides[1][1]}. That is not evidence that they are equal."
        )
    shown_words = [
        f"{statement} on {f'all {n}' if answer.k_hat == n else f'at least {answer.k_hat} of {n}'} "
        "datasets"
        for answer, statement in sides
        if answer.k_hat
    ]
    condition = (
        f"with {format_confidence(assessment.alpha)} confidence, "
        f"{_DEPENDENCE_WORDS[assessment.dependence]}"
    )
    together = f"both directions together with {format_confidence(2.0 * assessment.alpha)}"
    if not shown_words:
        return " ".join(_silent_side(answer, statement, subject) for answer, statement in sides)
    if len(shown_words) == 2:
        return (
            f"{shown_words[0]}; {shown_words[1]}. Each is a statement of its own {condition}; "
            f"{together}."
        )
    return f"{shown_words[0]}, {condition}; {together}. " + _silent_side(
        *next((a, s) for a, s in sides if not a.k_hat), subject
    )


def _silent_side(answer: Answer, statement: str, subject: Subject) -> str:
    if answer.named_by_holm.any():
        return (
            f"{COMBINATION_NAMES[answer.combination]}'s count does not show that {statement} on "
            f"any; Holm, a separate statement, names {subject.names(answer.named_by_holm)}."
        )
    return f"The data do not show that {statement} on any."


def count_tile(answer: Answer, subject: Subject, *, claim: Claim) -> Tile:
    """The count as a figure, with the names that may stand beside it."""
    n = answer.p_values.size
    a, b = display_name(subject.system_a), display_name(subject.system_b)
    heading = {
        "a-better": f"{a} better than {b} on",
        "b-better": f"{b} better than {a} on",
        "differ": f"{a} and {b} differ on",
    }[claim]
    detail = _tile_names(answer, subject)
    return Tile(
        heading=heading,
        figure=_figure(answer.k_hat, n),
        detail=f"approximate, from 1 − p; {detail}" if answer.complement else detail,
        claim=claim,
        guaranteed=not answer.complement,
    )


def _tile_names(answer: Answer, subject: Subject) -> str:
    own, holm = answer.named, answer.named_by_holm
    holm_names = subject.names(holm)
    if not holm.any() and not own.any():
        return "none can be named"
    if answer.combination == "bonferroni" or np.array_equal(own, holm):
        rest = "; the others depend on how the p-values are read"
        fewer = answer.combination == "bonferroni" and np.count_nonzero(holm) < answer.k_hat
        return f"{holm_names} (Holm){rest if fewer else ''}"
    if np.all(own[holm]):
        word = COMBINATION_NAMES[answer.combination]
        whatever = (
            f"{holm_names} whatever the dependence"
            if holm.any()
            else "none without that assumption"
        )
        return f"{subject.names(own)} under the same assumption ({word}); {whatever} (Holm)"
    return f"{holm_names} (Holm, a separate statement)"


def common_practice_tile(answer: Answer, subject: Subject) -> Tile:
    """What counting p <= alpha would say of the datasets that are tested."""
    n_tested = answer.p_values.size - subject.n_untested
    figure = f"{answer.n_common_practice} of {n_tested}" if n_tested else "none tested yet"
    if n_tested and subject.n_untested:
        figure += " tested so far"
    return Tile(
        heading=f"Common practice: p ≤ {format_level(answer.alpha)} on",
        figure=figure,
        detail="a count without guarantee",
        claim=None,
        guaranteed=False,
    )


def counting_tiles(answer: Answer, subject: Subject, *, claim: Claim) -> tuple[Tile, ...]:
    """The count by every combination, the valid one in front, and the common practice last."""
    valid = COMBINATION_NAMES[answer.combination]
    worth = (
        "no guarantee, approximate"
        if answer.complement
        else f"{format_confidence(answer.alpha)} confidence"
    )
    in_front = Tile(
        heading=f"{valid}: {_ASSUMED[answer.combination]}",
        figure=_figure(answer.k_hat, answer.p_values.size),
        detail=f"the count, k̂ = {answer.k_hat}, with {worth}",
        claim=claim,
        guaranteed=not answer.complement,
    )
    others = [
        Tile(
            heading=f"{COMBINATION_NAMES[name]}: {_ASSUMED[name]}",
            figure=f"k̂ = {counting.k_hat}",
            detail="for comparison",
            claim=None,
            guaranteed=False,
        )
        for name, counting in answer.countings.items()
        if name != answer.combination
    ]
    return (in_front, *others, common_practice_tile(answer, subject))


def _figure(k_hat: int, n: int) -> str:
    if n == 1:
        return "shown" if k_hat else "not shown"
    if k_hat == 0:
        return f"none shown of {n}"
    return f"all {n}" if k_hat == n else f"at least {k_hat} of {n}"


def _reading_note(assessment: Assessment, subject: Subject) -> str:
    """How the printed p-values were read, and what the other readings would give."""
    parts = [_declared_sentence(assessment, subject)]
    if assessment.declared == "not-stated" or assessment.declared_is_ruled_out:
        parts.append(_readings_sentence(assessment, subject))
    if assessment.declared not in ONE_SIDED and (
        assessment.shows_both_sides or assessment.only_two_sided
    ):
        parts.append(_undirected_sentence(assessment))
    if assessment.answer_a is not None:
        parts.append(complement_sentence(assessment.answer_a, subject, claim="a-better"))
    if assessment.answer_b is not None and assessment.shows_both_sides:
        parts.append(complement_sentence(assessment.answer_b, subject, claim="b-better"))
    return " ".join(part for part in parts if part)


def _undirected_sentence(assessment: Assessment) -> str:
    answer = assessment.undirected
    n_named = int(np.count_nonzero(answer.named_by_holm))
    verb = "has" if answer.n_common_practice == 1 else "have"
    taken = ", if they are two-sided" if assessment.declared == "not-stated" else ""
    doubled = assessment.declared == "toward-higher-score"
    lead = "Without direction, each p-value doubled" if doubled else "As printed, without direction"
    return (
        f"{lead}: the systems differ on at least {answer.k_hat} of {assessment.n_datasets}{taken}, "
        f"{n_named} named by Holm; {answer.n_common_practice} {verb} "
        f"p ≤ {format_level(assessment.alpha)}, which carries no guarantee."
    )


def _readings_sentence(assessment: Assessment, subject: Subject) -> str:
    """Which reading the figures take, and the counts by the others."""
    used = [assessment.headline_a]
    if assessment.shows_both_sides and assessment.headline_b is not assessment.headline_a:
        used.append(assessment.headline_b)
    headlines = [reading for reading in used if reading is not None]
    others = [
        reading
        for reading in assessment.readings
        if not any(_same_p_values(reading, headline, assessment) for headline in headlines)
    ]
    words = " and ".join(subject.reading(reading.alternative) for reading in headlines)
    if not others:
        return f"The figures above read them {words}."
    counts = "; ".join(
        f"read {subject.reading(reading.alternative)}: {_reading_counts(reading, assessment)}"
        for reading in others
    )
    return f"The figures above read them {words}, the smallest count of all; {counts}."


def _declared_sentence(assessment: Assessment, subject: Subject) -> str:
    if assessment.declared_is_ruled_out:
        declared = {
            "greater": f"one-sided for {display_name(subject.system_a)}",
            "less": f"one-sided for {display_name(subject.system_b)}",
            "toward-higher-score": f"one-sided {subject.reading('toward-higher-score')}",
        }[assessment.declared]
        entry = next(e for e in assessment.ruled_out if e.alternative == assessment.declared)
        system = subject.system_b if assessment.declared == "less" else subject.system_a
        reasons = []
        if entry.small.size:
            i = int(entry.small[np.argmin(assessment.p_values[entry.small])])
            reasons.append(
                f"{_p_on(assessment, subject, i)} stands beside a {subject.worse} score of "
                f"{display_name(system)}"
            )
        if entry.large.size:
            i = int(entry.large[np.argmax(assessment.p_values[entry.large])])
            reasons.append(f"{_p_on(assessment, subject, i)} is too large for it")
        remedy = (
            " If test and score use different units, leave the score columns out under “How this "
            "was read”."
            if assessment.declared in ONE_SIDED
            else ""
        )
        return (
            f"The p-values cannot all be {declared}, as stated: {' and '.join(reasons)}. So the "
            f"other readings count as well.{remedy}"
        )
    if assessment.declared != "not-stated":
        return ""
    if assessment.only_two_sided:
        toward = [e for e in assessment.ruled_out if e.alternative == "toward-higher-score"]
        if toward:
            i = int(toward[0].large[np.argmax(assessment.p_values[toward[0].large])])
            return (
                "The table does not say which way its p-values point; "
                f"{_p_on(assessment, subject, i)} shows that they are two-sided."
            )
    return "The table does not say which way its p-values point."


def _p_on(assessment: Assessment, subject: Subject, i: int) -> str:
    value = format_p_value(float(assessment.p_values[i]))
    return f"{value} on {display_name(subject.datasets[i])}"


def _reading_counts(reading: Reading, assessment: Assessment) -> str:
    if assessment.shows_both_sides:
        return f"at least {reading.a_better.k_hat} and {reading.b_better.k_hat}"
    return f"at least {reading.a_better.k_hat}"


def _same_p_values(reading: Reading, other: Reading, assessment: Assessment) -> bool:
    """Whether two readings have the same p-values on every side that is shown."""
    same = np.array_equal(reading.a_better.p_values, other.a_better.p_values)
    if assessment.shows_both_sides:
        same = same and np.array_equal(reading.b_better.p_values, other.b_better.p_values)
    return bool(same)


def _kept(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(note for note in notes if note)
