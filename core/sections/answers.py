"""The answers in parts: the verdict, how many, which ones, and what a careful reader asks next."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import charts
from ..analysis import Analysis, statements
from ..analysis.statements import groupings
from ..analysis.testing import DEPENDS_ON_CHOICES
from ..replicability.assessment import Answer
from ..replicability.combinations import counting_method_named
from ..replicability.identification import procedure_named
from ..replicability.sensitivity import find_sensitivity
from ..words import counting as counting_words
from ..words import verdicts
from ..words.formatting import format_p_value
from .marked import Marks, also_named_mark, marked_table
from .parts import (
    MOST_ROWS,
    Bullets,
    Card,
    Paragraph,
    Part,
    Records,
    Table,
    Value,
    charted,
    grid_of,
    paragraphs,
)

# Of many claims, those around each count are shown besides the first ones.
_FIRST_CLAIMS = 180
# What comes last in a table by p-value.
_LARGEST = "those with the largest p-values"


def verdict_parts(analysis: Analysis) -> tuple[Card, Marks]:
    """The answer of a table with its figures, and each dataset with its mark."""
    found = verdicts.verdict(analysis.assessment, analysis.subject)
    asked = statements.stated(analysis, analysis.questions[0])
    return (
        Card(
            statement=found.statement,
            tiles=found.tiles,
            notes=found.notes,
            so_far=analysis.so_far,
            name="verdict",
            caption="The verdict in figures.",
        ),
        Marks(analysis=analysis, tables=tuple(marked_table(analysis, one) for one in asked)),
    )


def count_parts(analysis: Analysis) -> tuple[Part, ...]:
    """On at least how many datasets, by every combination."""
    question = analysis.question
    return (
        Card(
            statement=statements.lead_statement(analysis, question),
            tiles=counting_words.counting_tiles(
                statements.stated(analysis, question), analysis.subject
            ),
            notes=tuple(statements.conditions(analysis, question)),
            so_far=analysis.so_far,
            name="counts",
            caption="The count by each method.",
        ),
    )


def staircase_parts(analysis: Analysis) -> tuple[Part, ...]:
    """How far up "at least u of N" the evidence reaches."""
    question = analysis.question
    said = verdicts.count_statement(question, analysis.subject).text
    look: Any = {"claim": question.claim, "better": analysis.subject.in_short}
    what = "Staircase of p-values"
    return (charted("staircase", what, said, charts.staircase, question.answer, **look),)


def about_count_parts(analysis: Analysis) -> tuple[Part, ...]:
    """What the count means for names, and what the common practice is worth."""
    return paragraphs(*statements.about_the_count(analysis, analysis.question))


def joint_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Counts and names by joint flips of shared examples, where they were asked for."""
    parts: list[Part] = []
    for question in statements.stated(analysis, analysis.question):
        found = analysis.joint(question)
        if found is None:
            continue
        parts.append(
            Table(
                frame=counting_words.joint_frame(found, analysis.table.datasets),
                caption="Each dataset by joint flips of shared examples: that "
                f"{analysis.subject.claim(question.claim)}.",
                name=f"joint-{question.claim}",
                of="dataset",
            )
        )
    return (*parts, Paragraph(text=counting_words.NULL_AND_LIMITS)) if parts else ()


def claims_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Each claim "at least u of N" with its p-value by every combination."""
    question = analysis.question
    answer = question.answer
    n, claim = answer.p_values.size, analysis.subject.claim(question.claim)
    shown = _claims_shown(answer)
    columns = {"at least u": [str(u) for u in shown]}
    for name, counting in answer.countings.items():
        p_values = counting.partial_conjunction_p_values[[u - 1 for u in shown]].tolist()
        cells = [format_p_value(p, alpha=answer.alpha) for p in p_values]
        columns[counting_method_named(name).title] = cells
    counts = {counting_method_named(name).title: c.k_hat for name, c in answer.countings.items()}
    columns["holds by"] = [
        ", ".join(title for title, k_hat in counts.items() if u <= k_hat) or "none" for u in shown
    ]
    grid = grid_of(
        columns,
        caption=f"The p-value of each claim “{claim} on at least u of {n:,}”, by each method.",
        marked=tuple(u <= answer.k_hat for u in shown),
        name="claims",
    )
    if len(shown) == n:
        return (grid,)
    note = (
        f"Of {n:,} claims the first {_FIRST_CLAIMS} and those next to each count are listed; the "
        f"other {n - len(shown):,} are left out of this table."
    )
    return (grid, Paragraph(text=note, tone="quiet"))


def claims_records(analysis: Analysis) -> Records:
    """Every claim that the lead states with its p-values in full precision."""
    kinds = [
        heading
        for name in analysis.question.answer.countings
        for heading in (f"p_value_{name}", f"holds_{name}")
    ]
    rows: list[tuple[Value, ...]] = []
    for question in statements.stated(analysis, analysis.question):
        countings = question.answer.countings.values()
        claim = analysis.subject.in_full.claim(question.claim)
        for u in range(1, question.answer.p_values.size + 1):
            row: list[Value] = [claim, u]
            for counting in countings:
                row.append(float(counting.partial_conjunction_p_values[u - 1]))
                row.append("yes" if u <= counting.k_hat else "no")
            rows.append(tuple(row))
    return Records(header=("claim", "u", *kinds), rows=tuple(rows))


def _claims_shown(answer: Answer) -> list[int]:
    n = answer.p_values.size
    if n <= MOST_ROWS:
        return list(range(1, n + 1))
    near = {
        u
        for counting in answer.countings.values()
        for u in range(counting.k_hat - 1, counting.k_hat + 3)
        if 1 <= u <= n
    }
    return sorted({*range(1, _FIRST_CLAIMS + 1), *near})


def identification_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Which datasets are significant by the procedure, what that rests on, and each dataset."""
    question, procedure = analysis.question, analysis.procedure
    names = analysis.identification(question, procedure)
    sentence = statements.significant(analysis, question, procedure)
    marked = marked_table(analysis)
    other = statements.other_names(analysis, question, procedure)
    parts: list[Part] = [
        *paragraphs(analysis.so_far + sentence, tone="lead"),
        *paragraphs(*statements.conditions(analysis, question), tone="quiet"),
        *paragraphs(other),
        Marks(analysis=analysis, tables=(marked,), in_detail=True),
    ]
    if analysis.table.n_datasets == 1:
        return tuple(parts)
    combination = question.answer.combination
    only = also_named_mark(combination)
    if only and only in marked.marks:
        parts.append(
            Paragraph(
                text="† marks datasets that only the closed test behind the count identifies, "
                f"{counting_method_named(combination).clause}; this holds separately.",
                tone="quiet",
            )
        )
    what, datasets = "Ladder of sorted p-values against thresholds", analysis.table.datasets
    ladder = charted("ladder", what, sentence, charts.ladder, names, datasets, claim=question.claim)
    return (*parts, ladder) if names.compares_p_values else tuple(parts)


def both_sides_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Where the data speak for both systems: both counts at half the level."""
    table = analysis.table
    if not analysis.assessment.shows_both_sides or table.n_datasets == 1:
        return ()
    half = analysis.assessed_at(analysis.settings.alpha / 2.0)
    counts = verdicts.sides_counts(half)
    if counts is None:
        return ()
    sentence = verdicts.sides_sentence(half, analysis.subject)
    alone = verdicts.sides_at_alpha_sentence(half, analysis.assessment)
    return (
        Paragraph(text=f"Both directions at once: {sentence} {alone}".rstrip()),
        charted(
            "both-sides",
            f"One bar of {table.n_datasets:,} datasets",
            sentence,
            charts.both_sides,
            table.n_datasets,
            k_a=counts[0],
            k_b=counts[1],
            system_a=table.system_a,
            system_b=table.system_b,
            better=analysis.subject.in_short,
        ),
    )


def groups_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The bounds for groups that the data offer, by the closed test behind the count."""
    question, subject = analysis.question, analysis.subject
    parts: list[Part] = []
    for place, (column, groups) in enumerate(groupings(analysis).items(), start=1):
        parts.append(
            Table(
                frame=counting_words.groups_frame(analysis.groups(question, groups), subject),
                caption="On at least how many datasets of each group "
                f"{subject.claim(question.claim)}, by {column}; "
                f"{counting_words.groups_condition(question.answer.combination)}.",
                name=f"groups-{place}",
                of="group",
            )
        )
    return (*parts, Paragraph(text=counting_words.WHY_ALLOWED, tone="quiet")) if parts else ()


def dependence_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The three answers about dependence, and what each would change."""
    parts: list[Part] = []
    of_own_tests = ", of each dataset's own test" if analysis.assessment.by_flips else ""
    if analysis.overlap is not None:
        found = statements.of_overlap(analysis, analysis.overlap)
        said = f"From the examples in this file: {found.verdict} {found.effect}"
        parts.append(Paragraph(text=said))
    return (
        *parts,
        Bullets(items=tuple(counting_words.DEPENDENCE_EXAMPLES.values())),
        Paragraph(text=f"With these p-values{of_own_tests}:"),
        Bullets(
            items=tuple(counting_words.dependence_lines(analysis.question.answer, analysis.subject))
        ),
        Paragraph(text=counting_words.CHOOSE_DEPENDENCE_BEFORE, tone="quiet"),
    )


def procedures_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Every procedure's list beside the others'."""
    answer = analysis.question.answer
    table = Table(
        frame=counting_words.procedures_frame(answer, analysis.subject),
        caption="★ where a procedure names the dataset; smallest p-values first. In parentheses how "
        "many it names of all.",
        name="procedures",
        of="dataset",
        last=_LARGEST,
    )
    return (
        *paragraphs(
            counting_words.OF_OWN_TESTS if analysis.assessment.by_flips else "", tone="quiet"
        ),
        table,
        Bullets(
            items=tuple(counting_words.procedure_promises(analysis.question, analysis.subject))
        ),
        Paragraph(text=counting_words.CHOOSE_PROCEDURE_BEFORE, tone="quiet"),
    )


def sensitivity_parts(analysis: Analysis) -> tuple[Part, ...]:
    """What would change the count and the names, labelled as description."""
    answer, subject = analysis.question.answer, analysis.subject
    if subject.n_untested:
        return (Paragraph(text=counting_words.NOT_YET),)
    combination = analysis.settings.counted_by
    found = analysis.memory.computed(
        find_sensitivity, answer.p_values, alpha=answer.alpha, combination=combination
    )
    sentences = (
        f"This is of the count by {counting_method_named(combination).title} and each dataset's own "
        "test, not of the joint flips."
        if analysis.assessment.by_flips
        else "",
        counting_words.depends_on_sentence(found, subject),
        counting_words.levels_sentence(found),
        counting_words.without_sentence(found, subject),
    )
    by = procedure_named(counting_method_named(combination).procedure).full_title
    frame = counting_words.sensitivity_frame(found, subject)
    if len(frame) > MOST_ROWS:
        frame = frame.iloc[np.argsort(answer.p_values, kind="stable")]
    table = Table(
        frame=frame,
        caption=f"For each dataset up to which p-value it would be significant by {by}, and the "
        "count without it.",
        name="sensitivity",
        of="dataset",
        last=_LARGEST,
    )
    return (
        Paragraph(text=counting_words.DESCRIPTIVE, tone="caution"),
        *paragraphs(*sentences),
        *paragraphs(*analysis.tried.get(DEPENDS_ON_CHOICES, ())),
        table,
    )
