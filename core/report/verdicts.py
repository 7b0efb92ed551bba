"""Every sentence that states a result.

One claim stands under one assumption: a count and the names said in one
sentence come from the same closed test; what comes from another test is said
to be a separate statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from core.replicability.assessment import (
    GUESSES,
    ONE_SIDED,
    Answer,
    Assessment,
    Reading,
)
from core.replicability.counting import chance_of_a_false_win
from core.replicability.identification import Identification
from core.report.formatting import (
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    format_percent,
    list_names,
    p_value_clause,
)
from core.report.questions import READING_WORDS, Claim, Question
from core.types import Combination, Dependence

COMBINATION_NAMES: dict[Combination, str] = {
    "bonferroni": "Bonferroni",
    "fisher": "Fisher",
    "simes": "Simes",
}
PROCEDURE_NAMES: dict[str, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "fisher-closed": "closed Fisher test",
    "benjamini-hochberg": "Benjamini–Hochberg",
    "benjamini-yekutieli": "Benjamini–Yekutieli",
}
_ASSUMPTION_CLAUSE: dict[Combination, str] = {
    "fisher": "if the datasets are independent (Fisher)",
    "simes": "if the tests are independent or positively dependent (Simes)",
}
_DEPENDENCE_WORDS: dict[Dependence, str] = {
    "independent": "the datasets taken to be independent (Fisher)",
    "positive": "the tests taken to be positively dependent (Simes)",
    "not-known": "whatever the dependence between datasets (Bonferroni)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whose datasets are counted.

    Attributes
    ----------
    system_a, system_b : str
        Names as in the file; written short and harmless in sentences.
    datasets : tuple of str
        In the order of the p-values.
    """

    system_a: str
    system_b: str
    datasets: tuple[str, ...]

    def claim(self, claim: Claim) -> str:
        """Write "Mate is better than Redshift", or "Mate and Redshift differ"."""
        a, b = display_name(self.system_a), display_name(self.system_b)
        if claim == "differ":
            return f"{a} and {b} differ"
        return f"{a} is better than {b}" if claim == "a-better" else f"{b} is better than {a}"

    def names(self, chosen: Sequence[bool] | np.ndarray) -> str:
        """The chosen datasets' names as a list in words."""
        return list_names([self.datasets[i] for i in np.flatnonzero(np.asarray(chosen))])


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


def count_sentence(answer: Answer, subject: Subject, *, claim: Claim) -> str:
    """State how many, with confidence and assumption, as a paper could quote it."""
    n, k_hat = answer.p_values.size, answer.k_hat
    statement = subject.claim(claim)
    if n == 1:
        return _single_dataset_sentence(answer, statement, claim)
    if k_hat == 0:
        if claim == "differ":
            return (
                f"The data do not show that {statement} on any of the {n} datasets. "
                "That is not evidence that they are equal."
            )
        equal = "That is not evidence that they are equal."
        if answer.names.n_rejected or answer.holm.n_rejected:
            # The count is 0 but another test of the same level names some.
            return (
                f"{COMBINATION_NAMES[answer.combination]}'s count does not show that {statement} "
                f"on any of the {n} datasets."
            )
        return f"The data do not show that {statement} on any of the {n} datasets. {equal}"
    how_many = f"all {n} datasets" if k_hat == n else f"at least {k_hat} of {n} datasets"
    lead = f"With {format_confidence(answer.alpha)} confidence, {statement} on {how_many}"
    if claim == "differ":
        lead = f"{lead}. These p-values do not say which is better."
        if answer.combination == "bonferroni":
            return f"{lead} The count holds however the datasets depend on each other (Bonferroni)."
        return f"{lead} The count holds {_ASSUMPTION_CLAUSE[answer.combination]}."
    if answer.combination == "bonferroni":
        return f"{lead}, however they depend on each other (Bonferroni)."
    return f"{lead}. This holds {_ASSUMPTION_CLAUSE[answer.combination]}."


def _single_dataset_sentence(answer: Answer, statement: str, claim: Claim) -> str:
    p_value = p_value_clause(float(answer.p_values[0]), alpha=answer.alpha)
    if answer.k_hat == 1:
        ending = " These p-values do not say which is better." if claim == "differ" else ""
        there = statement if claim == "differ" else f"{statement} there"
        return (
            f"One dataset: {there} at level {format_level(answer.alpha)} ({p_value})."
            f"{ending} Counting needs several."
        )
    return (
        f"One dataset: the data do not show that {statement} ({p_value}). "
        "That is not evidence that they are equal. Counting needs several."
    )


def names_sentence(answer: Answer, subject: Subject) -> str:
    """State which datasets, and how that list and the count belong together."""
    n, k_hat = answer.p_values.size, answer.k_hat
    if n == 1:
        return ""
    own, holm = answer.names, answer.holm
    if answer.combination == "bonferroni":
        return _holm_sentence(answer, subject)
    combination = COMBINATION_NAMES[answer.combination]
    if holm.n_rejected > k_hat:
        return (
            f"{combination}'s count gives at least {k_hat} of {n}; Holm, a separate "
            f"{format_confidence(answer.alpha)} statement that needs no independence, names "
            f"{holm.n_rejected}: {subject.names(holm.rejected)}."
        )
    if k_hat == 0:
        return ""
    lead = f"At least {k_hat} of {n}, {_ASSUMPTION_CLAUSE[answer.combination]}."
    if k_hat == n:
        lead = f"All {n}, {_ASSUMPTION_CLAUSE[answer.combination]}."
    remaining = k_hat - own.n_rejected
    if own.n_rejected == 0:
        under_same = "Under the same assumption no single dataset can be named."
    elif own.n_rejected == n:
        under_same = "Under the same assumption every one of them is named."
    else:
        rest = f"; the other {remaining} are not identified" if remaining > 1 else ""
        rest = "; the other one is not identified" if remaining == 1 else rest
        under_same = f"Under the same assumption {subject.names(own.rejected)} can be named{rest}."
    without = "Without that assumption none can be named (Holm)."
    if holm.n_rejected and np.all(own.rejected[holm.rejected]):
        without = f"Without that assumption: {subject.names(holm.rejected)} (Holm)."
    elif holm.n_rejected:
        without = (
            f"Holm, a separate {format_confidence(answer.alpha)} statement that needs no "
            f"independence, names {subject.names(holm.rejected)}."
        )
    return f"{lead} {under_same} {without}"


def _holm_sentence(answer: Answer, subject: Subject) -> str:
    if answer.holm.n_rejected == 0:
        return "Holm names none." if answer.p_values.size > 1 else ""
    return (
        f"Holm names {subject.names(answer.holm.rejected)}. A list made this way holds a wrong "
        f"name in at most {100.0 * answer.alpha:.10g}% of studies, however the datasets depend on "
        "each other, provided each dataset's own test is valid."
    )


def common_practice_sentence(answer: Answer) -> str:
    """State what counting p <= alpha would say, and what that is worth."""
    n = answer.p_values.size
    chance = format_percent(chance_of_a_false_win(n, alpha=answer.alpha))
    if n == 1:
        return ""
    verb = "has" if answer.n_common_practice == 1 else "have"
    return (
        f"{answer.n_common_practice} of {n} {verb} p ≤ {format_level(answer.alpha)}. That count "
        f"has no guarantee: with no difference anywhere, {n} independent datasets show at least "
        f'one such "win" in up to {chance} of studies.'
    )


def validity_sentence() -> str:
    """State what every count rests on besides its assumption on dependence."""
    return (
        "Every count and list rests on each dataset's own test being valid. Exact tests are; the "
        "bootstrap, mid-p, uncorrected χ² and t are approximate; Wilcoxon and randomization test "
        "symmetry or exchangeability. The claim concerns these trained systems on these kinds of "
        "data."
    )


def zeros_sentence(
    printed: Sequence[str], read_below: float | None, *, declared: bool = False
) -> str:
    """State how p-values printed as zero are read; empty where there are none.

    Parameters
    ----------
    printed : sequence of str
        The zeros as printed.
    read_below : float or None
        The upper end of what they stand for.
    declared : bool
        Whether that end was stated by the table's owner.
    """
    if not printed:
        return ""
    texts = list_names(sorted(set(printed)))
    subject = (
        f"1 p-value was printed as {texts}. It is"
        if len(printed) == 1
        else f"{len(printed)} p-values were printed as {texts}. They are"
    )
    if not read_below:
        return f"{subject} read as exactly 0."
    below = format(Decimal(repr(read_below)), "f").removeprefix("0")
    reason = "as stated for this table" if declared else "half a unit of the table's last digit"
    return f"{subject} read as below {below}, {reason}."


def verdict(assessment: Assessment, subject: Subject) -> Verdict:
    """Compose the answer that is shown first: sentence, figures, and the quieter lines."""
    headline_a, headline_b = assessment.headline_a, assessment.headline_b
    if headline_a is None or headline_b is None:
        return _undirected_verdict(assessment, subject)
    if assessment.shows_both_sides:
        return _two_sided_verdict(assessment, subject, headline_a, headline_b)
    answer = headline_a.a_better
    # The tile says which can be named, unless names and count need two sentences.
    names = names_sentence(answer, subject) if answer.holm.n_rejected > answer.k_hat else ""
    notes = [names, _reading_note(assessment, subject)]
    return Verdict(
        sentence=count_sentence(answer, subject, claim="a-better"),
        tiles=(
            count_tile(answer, subject, claim="a-better"),
            common_practice_tile(answer),
        ),
        notes=_kept(notes),
    )


def _undirected_verdict(assessment: Assessment, subject: Subject) -> Verdict:
    answer = assessment.undirected
    return Verdict(
        sentence=count_sentence(answer, subject, claim="differ"),
        tiles=(count_tile(answer, subject, claim="differ"), common_practice_tile(answer)),
        notes=_kept([names_sentence(answer, subject)]),
    )


def _two_sided_verdict(
    assessment: Assessment, subject: Subject, headline_a: Reading, headline_b: Reading
) -> Verdict:
    n = assessment.n_datasets
    beside = assessment.beside_lower_score.size
    sides = (
        _side_words(headline_a.a_better, subject, "a-better"),
        _side_words(headline_b.b_better, subject, "b-better"),
    )
    confidence = format_confidence(assessment.alpha)
    sentence = (
        f"{sides[0]}; {sides[1]}, of {n} datasets. Each is a statement of its own with "
        f"{confidence} confidence, {_DEPENDENCE_WORDS[assessment.dependence]}."
    )
    tiles = [
        count_tile(headline_a.a_better, subject, claim="a-better"),
        count_tile(headline_b.b_better, subject, claim="b-better"),
    ]
    if beside:
        level = format_level(assessment.alpha)
        tiles.append(
            Tile(
                heading=(
                    f"{'p-value' if beside == 1 else 'p-values'} ≤ {level} "
                    f"{'stands' if beside == 1 else 'stand'} beside a lower score of "
                    f"{display_name(subject.system_a)}"
                ),
                figure=str(beside),
                detail=list_names([subject.datasets[i] for i in assessment.beside_lower_score]),
                claim=None,
                guaranteed=False,
            )
        )
    return Verdict(
        sentence=sentence,
        tiles=tuple(tiles),
        notes=_kept([_reading_note(assessment, subject)]),
    )


def _side_words(answer: Answer, subject: Subject, claim: Claim) -> str:
    statement = subject.claim(claim)
    if answer.k_hat == 0:
        return f"The data do not show that {statement} on any"
    return f"{statement} on at least {answer.k_hat}"


def count_tile(answer: Answer, subject: Subject, *, claim: Claim) -> Tile:
    """The count as a figure, with the names that may stand beside it."""
    n = answer.p_values.size
    a, b = display_name(subject.system_a), display_name(subject.system_b)
    heading = {
        "a-better": f"{a} better than {b} on",
        "b-better": f"{b} better than {a} on",
        "differ": f"{a} and {b} differ on",
    }[claim]
    return Tile(
        heading=heading,
        figure=_figure(answer.k_hat, n),
        detail=_tile_names(answer, subject),
        claim=claim,
    )


def _tile_names(answer: Answer, subject: Subject) -> str:
    own, holm = answer.names, answer.holm
    if holm.n_rejected == 0 and own.n_rejected == 0:
        return "none can be named"
    if answer.combination == "bonferroni" or np.array_equal(own.rejected, holm.rejected):
        return f"{subject.names(holm.rejected)} (Holm)"
    if np.all(own.rejected[holm.rejected]):
        word = COMBINATION_NAMES[answer.combination]
        whatever = (
            f"; {subject.names(holm.rejected)} whatever the dependence (Holm)"
            if holm.n_rejected
            else "; none without that assumption (Holm)"
        )
        return f"{subject.names(own.rejected)} under the same assumption ({word}){whatever}"
    return f"{subject.names(holm.rejected)} (Holm, a separate statement)"


def common_practice_tile(answer: Answer) -> Tile:
    """What counting p <= alpha would say."""
    return Tile(
        heading=f"Common practice: p ≤ {format_level(answer.alpha)} on",
        figure=f"{answer.n_common_practice} of {answer.p_values.size}",
        detail="a count without guarantee",
        claim=None,
        guaranteed=False,
    )


def counting_tiles(answer: Answer, subject: Subject, *, claim: Claim) -> tuple[Tile, ...]:
    """The count by every combination, the valid one in front, and the common practice last."""
    valid = COMBINATION_NAMES[answer.combination]
    in_front = Tile(
        heading=f"{valid}: {_ASSUMED[answer.combination]}",
        figure=_figure(answer.k_hat, answer.p_values.size),
        detail=f"k̂ = {answer.k_hat}, {format_confidence(answer.alpha)} confidence",
        claim=claim,
    )
    others = [
        Tile(
            heading=f"{COMBINATION_NAMES[name]}: {_ASSUMED[name]}",
            figure=f"k̂ = {counting.k_hat}",
            detail="for comparison; not what was stated about the datasets",
            claim=None,
            guaranteed=False,
        )
        for name, counting in answer.countings.items()
        if name != answer.combination
    ]
    return (in_front, *others, common_practice_tile(answer))


def identification_sentences(
    names: Identification, question: Question, subject: Subject
) -> tuple[str, ...]:
    """State which datasets a procedure names, and what may be named together with the count."""
    answer = question.answer
    label = PROCEDURE_NAMES[names.procedure]
    label = label[:1].upper() + label[1:]
    n = names.p_values.size
    what = subject.claim(question.claim)
    if names.n_rejected == 0:
        first = f"{label} names none of the {n} datasets as one where {what}."
    elif names.n_rejected == n:
        first = f"{label} names all {n} datasets as ones where {what}."
    else:
        kind = "a dataset" if names.n_rejected == 1 else "datasets"
        first = (
            f"{label} names {names.n_rejected} of {n} as {kind} where {what}: "
            f"{subject.names(names.rejected)}."
        )
    rest = (
        names_sentence(answer, subject),
        complement_sentence(answer, subject, claim=question.claim),
    )
    return (first, *_kept(rest))


_ASSUMED: dict[Combination, str] = {
    "bonferroni": "any dependence",
    "fisher": "independent datasets",
    "simes": "positive dependence",
}


def _figure(k_hat: int, n: int) -> str:
    if k_hat == 0:
        return f"none shown of {n}"
    return f"all {n}" if k_hat == n else f"at least {k_hat} of {n}"


def _reading_note(assessment: Assessment, subject: Subject) -> str:
    """How the printed p-values were read, and what the other readings would give."""
    parts = [_declared_sentence(assessment, subject)]
    if assessment.declared == "not-stated" or assessment.declared_is_ruled_out:
        parts.append(_readings_sentence(assessment))
    guess_fell = any(entry.alternative in GUESSES for entry in assessment.ruled_out)
    if assessment.declared not in ONE_SIDED and (assessment.shows_both_sides or guess_fell):
        undirected = assessment.undirected
        parts.append(
            f"As printed, without direction: the systems differ on at least {undirected.k_hat} of "
            f"{assessment.n_datasets}, {undirected.holm.n_rejected} named by Holm; "
            f"{undirected.n_common_practice} have p ≤ {format_level(assessment.alpha)}, which "
            "carries no guarantee."
        )
    if assessment.answer_a is not None:
        parts.append(complement_sentence(assessment.answer_a, subject, claim="a-better"))
    if assessment.answer_b is not None and assessment.shows_both_sides:
        parts.append(complement_sentence(assessment.answer_b, subject, claim="b-better"))
    return " ".join(part for part in parts if part)


def complement_sentence(answer: Answer, subject: Subject, *, claim: Claim) -> str:
    """State it where a claim's p-values are only the complements of the other system's."""
    if not answer.complement:
        return ""
    system = display_name(subject.system_a if claim == "a-better" else subject.system_b)
    return (
        f"For {system} the p-values are 1 − p of the other system's tests. That is approximate: "
        f"for a discrete test it is too small. A guarantee needs {system}'s own tests."
    )


def _readings_sentence(assessment: Assessment) -> str:
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
    words = " and ".join(READING_WORDS[reading.alternative] for reading in headlines)
    if not others:
        return f"The figures above read them {words}."
    counts = "; ".join(
        f"read {READING_WORDS[reading.alternative]}: {_reading_counts(reading, assessment)}"
        for reading in others
    )
    return f"The figures above read them {words}, which gives the smallest count; {counts}."


def _declared_sentence(assessment: Assessment, subject: Subject) -> str:
    if assessment.declared_is_ruled_out:
        declared = {
            "greater": f"one-sided for {display_name(subject.system_a)}",
            "less": f"one-sided for {display_name(subject.system_b)}",
            "toward-higher-score": "one-sided toward the higher score",
        }[assessment.declared]
        entry = next(e for e in assessment.ruled_out if e.alternative == assessment.declared)
        reasons = []
        if entry.small.size:
            where = list_names([subject.datasets[i] for i in entry.small], most=3)
            behind = subject.system_b if entry.alternative == "less" else subject.system_a
            reasons.append(
                f"a small p-value stands beside a lower score of {display_name(behind)} ({where})"
            )
        if entry.large.size:
            i = int(entry.large[0])
            value = format_p_value(float(assessment.undirected.p_values[i]))
            reasons.append(f"p = {value} on {display_name(subject.datasets[i])} is near 1")
        return (
            f"The p-values cannot all be {declared}, as stated: "
            f"{' and '.join(reasons)}. If test and score use different units, leave the score "
            "columns out under “How this was read”."
        )
    if assessment.declared != "not-stated":
        return ""
    if len(assessment.readings) == 1 and assessment.ruled_out:
        large = np.concatenate([entry.large for entry in assessment.ruled_out])
        if large.size:
            i = int(large[np.argmax(assessment.undirected.p_values[large])])
            value = format_p_value(float(assessment.undirected.p_values[i]))
            return (
                "The table does not say which way its p-values point; "
                f"{value} on {display_name(subject.datasets[i])} shows that they are two-sided."
            )
    return "The table does not say which way its p-values point."


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


def question_label(question: Question, subject: Subject) -> str:
    """A question in a few words, for a list of choices."""
    words = {
        "a-better": f"{display_name(subject.system_a)} better",
        "b-better": f"{display_name(subject.system_b)} better",
        "differ": "The systems differ",
    }[question.claim]
    return f"{words} (p-values read {READING_WORDS[question.reading]})"


def _kept(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(note for note in notes if note)
