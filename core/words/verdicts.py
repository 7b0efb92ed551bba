"""Sentences that state a result: the verdict, each direction, how p-values are read, the counts as figures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..data import EffectTable, ScoreTable
from ..replicability.assessment import Answer, Assessment
from ..replicability.combinations import counting_method_named
from ..replicability.identification import Identification, procedure_named
from ..types import BoolArray
from .counting import Tile, common_practice_tiles, count_tile
from .formatting import (
    counted,
    display_name,
    format_confidence,
    format_confidence_in_both,
    format_errors,
    format_level,
    how_many,
    list_names,
    minus,
    p_value_clause,
    sentence_case,
)
from .reading import reading_note, undirected_note
from .subject import Claim, Question, Subject, headline_questions

_COUNTING_NEEDS = (
    "Counting with a guarantee needs a p-value on each dataset: load the systems' results on every "
    "example"
)
# Where a count rests on 1 - p.
ONE_SIDE_APPROXIMATE = (
    "One side uses 1 − p of the other system's tests: this is approximate and has no guarantee."
)
_NO_DIRECTION = "These p-values do not say which system is better."


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """An answer in the order in which it is read.

    `condition` is under which assumption it holds, or what it does not say; `footnote` holds of both
    directions read together.
    """

    headline: str
    condition: str = ""
    footnote: str = ""

    @property
    def text(self) -> str:
        """All of it, as a paper could quote it."""
        return " ".join(filter(None, (self.headline, self.condition, self.footnote)))


def count_statement(question: Question, subject: Subject) -> Statement:
    """State how many, with confidence and assumption."""
    answer, claim = question.answer, question.claim
    n, k_hat, statement = answer.p_values.size, answer.k_hat, subject.claim(claim)
    level, no_direction = format_level(answer.alpha), _NO_DIRECTION if claim == "differ" else ""
    if n == 1:
        p_value, shown = float(answer.p_values[0]), k_hat == 1
        condition = no_direction if shown else subject.not_shown
        if shown and answer.complement:
            condition = ONE_SIDE_APPROXIMATE
        headline = _single_test(p_value, subject, claim, alpha=answer.alpha, shown=shown)
        return Statement(headline=headline, condition=condition)
    method = counting_method_named(answer.combination)
    if k_hat == 0:
        where = f"that {statement} on any of the {n:,} datasets"
        if answer.named.any() or answer.named_apart.any():
            # The count is 0 but another test of the same level identifies some.
            return Statement(headline=f"The count by {method.title} gives no evidence {where}.")
        return Statement(
            headline=f"No evidence at α = {level} {where}.", condition=subject.not_shown
        )
    said = f"{statement} on {how_many(k_hat, n)}."
    if answer.complement:
        return Statement(
            headline=f"By 1 − p of the other system's tests, {said}",
            condition="This is approximate and has no guarantee.",
        )
    condition = f"This holds {method.clause}."
    if no_direction:
        taken = " It takes them as two-sided." if question.reading == "not-stated" else ""
        condition = f"{no_direction} The count holds {method.clause}.{taken}"
    return Statement(
        headline=f"With {format_confidence(answer.alpha)} confidence, {said}", condition=condition
    )


def _single_test(
    p_value: float, subject: Subject, claim: Claim, *, alpha: float, shown: bool
) -> str:
    """State what the only dataset's test says: with one there is nothing to count or correct."""
    statement = f"{subject.claim(claim)} on {subject.names([True])}"
    level, p_said = f"α = {format_level(alpha)}", p_value_clause(p_value, alpha=alpha)
    if shown:
        return f"{statement}: {p_said}, significant at {level}."
    return f"No evidence at {level} that {statement} ({p_said})."


def names_sentence(answer: Answer, subject: Subject) -> str:
    """State which datasets, and how that list and the count belong together."""
    n, k_hat, confidence = answer.p_values.size, answer.k_hat, format_confidence(answer.alpha)
    n_named, n_apart = int(answer.named.sum()), int(answer.named_apart.sum())
    method, names = counting_method_named(answer.combination), subject.names(answer.named_apart)
    if n == 1:
        return ""
    if answer.combination == "bonferroni":
        if not n_apart:
            return "No dataset is significant after Holm correction."
        return (
            f"Significant after Holm correction: {names} (at most a {format_errors(answer.alpha)} "
            "chance of any false positive, whatever the dependence)."
        )
    needs = " and needs no independence" if method.condition else ""
    apart = (
        f"{sentence_case(title_apart(answer))} identifies {names or 'none'}; this is a separate "
        f"{confidence} statement{needs}."
    )
    if n_apart > k_hat:
        count = f"at least {k_hat:,} of {n:,}" if k_hat else "no evidence on any dataset"
        return f"The count by {method.title} gives {count}. {apart}"
    if k_hat == 0:
        return ""
    same = "under the same assumption" if method.condition else "by the same closed test"
    left = k_hat - n_named
    found = f"{subject.names(answer.named)} {'is' if n_named == 1 else 'are'} identified {same}"
    if n_named == 0:
        found = f"The closed {method.title} test identifies no single dataset"
    elif n_named == n:
        found = f"All of them are identified {same}"
    elif left > 0:
        found += f"; the other {left} {'is' if left == 1 else 'are'} not"
    return f"{found}. {apart}"


def title_apart(answer: Answer) -> str:
    """What names datasets apart from the count: "Holm", or "the joint step-down test"."""
    title = procedure_named(answer.apart).title
    return f"the {title}" if title.endswith("test") else title


def validity_sentence(*, by_flips: bool = False) -> str:
    """State what every count rests on besides its assumption on dependence."""
    counts = "All counts but that by joint flips" if by_flips else "All counts"
    return (
        f"{counts} assume that each dataset's own test is valid. Exact tests are. The bootstrap, "
        "mid-p, uncorrected χ² and t are approximate. Wilcoxon and randomization test symmetry or "
        "exchangeability. The result applies to these trained systems on these kinds of data."
    )


def identification_sentence(names: Identification, question: Question, subject: Subject) -> str:
    """State which datasets are significant by a procedure."""
    by = procedure_named(names.procedure).correction
    level = f"α = {format_level(names.alpha)}"
    n = names.p_values.size
    if n == 1:
        p_value, shown = float(names.p_values[0]), names.n_rejected == 1
        return _single_test(p_value, subject, question.claim, alpha=names.alpha, shown=shown)
    if names.n_rejected == 0:
        what = subject.claim(question.claim)
        return f"No evidence {by} ({level}) that {what} on any of the {n:,} datasets."
    lead = f"{sentence_case(by)} ({level}), {subject.significant(question.claim)}"
    if names.n_rejected == n:
        return f"{lead} on {how_many(n, n)}."
    return f"{lead} on {names.n_rejected:,} of {n:,} datasets: {subject.names(names.rejected)}."


def one_reading_sentence(
    names: Identification, alone: BoolArray, question: Question, subject: Subject
) -> str:
    """State that none is named, as those of one reading of the p-values are not those of another."""
    read = f"read {subject.reading(question.reading)}"
    shown = f"{subject.significant(question.claim)} on {subject.names(alone)}"
    by, level = procedure_named(names.procedure).correction, format_level(names.alpha)
    none = "no dataset is named by every reading of the p-values"
    return f"{sentence_case(by)} (α = {level}), {none}; {read}, {shown}."


def question_label(question: Question, subject: Subject, *, printed: bool) -> str:
    """A question in a few words, for a list of choices."""
    words = {
        "a-better": f"{display_name(subject.system_a)} {subject.better}",
        "b-better": f"{display_name(subject.system_b)} {subject.better}",
        "differ": "The systems differ",
    }[question.claim]
    return f"{words} (p-values read {subject.reading(question.reading)})" if printed else words


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer of a table: what it states, its figures, and what stands behind them."""

    statement: Statement
    tiles: tuple[Tile, ...]
    notes: tuple[str, ...]


def verdict(assessment: Assessment, subject: Subject) -> Verdict:
    """Compose the answer that is shown first."""
    asked = headline_questions(assessment)
    first, several = asked[0], len(asked) > 1
    tiles = [count_tile(one, subject, both=several) for one in asked]
    beside = assessment.beside_lower_score
    if several and beside.size:
        level = format_level(assessment.alpha)
        b = display_name(subject.system_b)
        higher = "higher" if subject.higher_is_better else "lower"
        tiles.append(
            Tile(
                heading=f"{b} has the {higher} score where p ≤ {level}, on",
                figure=f"{beside.size:,} of {len(subject.datasets):,}",
                detail=list_names([subject.datasets[i] for i in beside]),
                guaranteed=False,
            )
        )
    tiles += common_practice_tiles(asked, subject)
    # The tiles say which are significant, unless names and count need two sentences.
    more_apart = np.count_nonzero(first.answer.named_apart) > first.answer.k_hat
    apart = not several and (more_apart or first.claim == "differ")
    notes = [names_sentence(first.answer, subject)] if apart else []
    if first.claim != "differ":
        notes += [reading_note(assessment, subject), undirected_note(assessment)]
    return Verdict(
        statement=_both_sides(asked, subject) if several else count_statement(first, subject),
        tiles=tuple(tiles),
        notes=tuple(filter(None, notes)),
    )


def _both_sides(asked: Sequence[Question], subject: Subject) -> Statement:
    """Both directions, each shown or not."""
    answers, alpha = [one.answer for one in asked], asked[0].answer.alpha
    n, both = answers[0].p_values.size, format_confidence_in_both(alpha)
    if n == 1:
        shown_one = [one for one in asked if one.answer.k_hat]
        if not shown_one:
            return count_statement(asked[0], subject)
        footnote = f"{both or 'No'} confidence if you chose the direction after seeing the data."
        return replace(count_statement(shown_one[-1], subject), footnote=footnote)
    if not any(answer.k_hat or answer.named_apart.any() for answer in answers):
        a, b = subject.sides("a-better")
        headline = (
            f"No evidence at α = {format_level(alpha)} that {a} or {b} {subject.is_better} on any of the "
            f"{n:,} datasets."
        )
        return Statement(headline=headline, condition=subject.not_shown)
    sides = [(one.answer, subject.claim(one.claim)) for one in asked]
    if any(answer.complement and answer.k_hat for answer in answers):
        # No confidence is common to a test and to what 1 - p says of the other system.
        first, second = (
            _silent_side(one.answer, said, subject)
            if not one.answer.k_hat and one.answer.named_apart.any()
            else count_statement(one, subject).text
            for one, (_, said) in zip(asked, sides, strict=True)
        )
        return Statement(headline=first, condition=second)
    shown = [f"{said} on {how_many(answer.k_hat, n)}" for answer, said in sides if answer.k_hat]
    silent = [_silent_side(answer, said, subject) for answer, said in sides if not answer.k_hat]
    if not shown:
        return Statement(headline=silent[0], condition=silent[1])
    clause = counting_method_named(answers[0].combination).clause
    confidence = f"{format_confidence(alpha)} confidence"
    headline, condition = f"With {confidence}, {shown[0]}.", f"This holds {clause}."
    if len(shown) == 2:
        headline = f"{shown[0]}; {shown[1]}."
        condition = f"Each holds separately with {confidence}, {clause}."
    return Statement(
        headline=headline,
        condition=" ".join((condition, *silent)),
        footnote=f"{both} confidence if you read both directions together." if both else "",
    )


def _silent_side(answer: Answer, statement: str, subject: Subject) -> str:
    title = counting_method_named(answer.combination).title
    if answer.named_apart.any():
        return (
            f"The count by {title} gives no evidence that {statement}; "
            f"{title_apart(answer)} identifies {subject.names(answer.named_apart)}, a separate statement."
        )
    return f"No evidence that {statement} on any."


def score_table_sentence(table: ScoreTable, *, a: str, b: str) -> str:
    """State on how many datasets each of two systems is ahead, and that this is no test."""
    differences = table.scores(a) - table.scores(b)
    if not table.higher_is_better:
        differences = -differences
    ahead, behind = int((differences > 0).sum()), int((differences < 0).sum())
    equal = differences.size - ahead - behind
    datasets = counted(differences.size, "dataset")
    if not ahead + behind:
        return f"{display_name(a)} and {display_name(b)} have the same score on {datasets}."
    ties = f", and neither on {equal:,}" if equal else ""
    better = "higher" if table.higher_is_better else "lower"
    return (
        f"{display_name(a)} scores better ({better}) on {ahead:,} of {datasets}, "
        f"{display_name(b)} on {behind:,}{ties}. One score per dataset carries no sampling error, so "
        "we cannot tell whether any of these differences is more than chance."
    )


# What would make a count possible.
SCORE_TABLE_REMEDY = (
    f"{_COUNTING_NEEDS}, or add a column 'p_value' to this table. Tests over datasets (Demšar 2006) "
    "ask another question: whether one system tends to score better over datasets like these."
)
EFFECT_TABLE_REMEDY = f"{_COUNTING_NEEDS}, or a table with a column 'p_value'."


def effect_table_sentence(table: EffectTable) -> str:
    """State what the effects say by themselves, and that this is no count."""
    positive = int((table.effects > 0).sum())
    extreme = int(np.argmax(np.abs(table.effects)))
    n = len(table.datasets)
    largest = f"{positive:,} of {n:,} effects are above zero; the largest in size"
    return (
        f"{largest if n > 1 else 'The only effect'} is {minus(f'{table.effects[extreme]:.4g}')} on "
        f"{list_names([table.datasets[extreme]])}. Effects with standard errors can be combined in a "
        "meta-analysis. Counting needs a p-value on each dataset."
    )
