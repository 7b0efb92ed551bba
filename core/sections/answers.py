"""The answers in parts: the verdict, how many, which ones, and what a careful reader asks next."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import charts
from ..analysis import Analysis, statements
from ..analysis.statements import groupings
from ..analysis.testing import DEPENDS_ON_CHOICES
from ..replicability.assessment import Answer
from ..replicability.combinations import COMBINATIONS, combination_named, counting_method_named
from ..replicability.counting import closed_names
from ..replicability.identification import all_procedures, named_by, procedure_named
from ..replicability.joint import FlipAnswer
from ..replicability.sensitivity import Sensitivity, find_sensitivity
from ..types import DEPENDENCES
from ..words import counting as counting_words
from ..words import verdicts
from ..words.counting import DEPENDENCE_ANSWERS
from ..words.formatting import (
    Frame,
    at_least,
    display_name,
    format_errors,
    format_level,
    format_p_value,
    frame_of,
    list_names,
    rounded_level,
    sentence_case,
    whole_name,
)
from ..words.subject import Subject
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

STAR = "★"
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
                frame=joint_frame(found, analysis.table.datasets),
                caption="Each dataset by joint flips of shared examples: that "
                f"{analysis.subject.claim(question.claim)}.",
                name=f"joint-{question.claim}",
                of="dataset",
            )
        )
    limits = (
        "The null hypothesis: on every example, with its copies and translations, A and B could be "
        "exchanged in all datasets at once without changing the distribution of the scores. Equal "
        "means of skewed differences are no such case: with few examples the count is then too large "
        "too often (measured: 21% of studies at 30 examples, 8% at 300). Dependence through anything "
        "but examples, such as the same training runs or annotators, is not covered (Westfall and "
        "Young 1993; Vesely, Finos and Goeman 2023)."
    )
    return (*parts, Paragraph(text=limits)) if parts else ()


def joint_frame(found: FlipAnswer, datasets: Sequence[str]) -> Frame:
    """A row a dataset: its own p-value by flips, and the adjusted ones by both tests."""
    written = partial(format_p_value, alpha=found.count.alpha)
    return frame_of(
        {
            "dataset": [whole_name(name) for name in datasets],
            "p by flips": list(map(written, found.count.p_values)),
            "adjusted p (step-down)": list(map(written, found.step_down.adjusted_p_values)),
            "significant (step-down)": [STAR if own else "" for own in found.step_down.rejected],
            "adjusted p (same test as the count)": list(
                map(written, found.named.adjusted_p_values)
            ),
            "significant (same test)": ["†" if own else "" for own in found.named.rejected],
        }
    )


def claims_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Each claim "at least u of N" with its p-value by every combination."""
    question = analysis.question
    answer = question.answer
    n, claim = answer.p_values.size, analysis.subject.claim(question.claim)
    shown = range(1, min(n, MOST_ROWS) + 1)
    columns = {"at least u": [str(u) for u in shown]}
    for name, counting in answer.countings.items():
        p_values = counting.partial_conjunction_p_values[: len(shown)].tolist()
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
    note = f"The table ends here: {n - MOST_ROWS:,} further claims are left out of it."
    return (grid, *paragraphs(note if n > MOST_ROWS else "", tone="quiet"))


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
    if half.answer_a is None or half.answer_b is None:
        return ()
    k_a, k_b = half.answer_a.k_hat, half.answer_b.k_hat
    sentence = verdicts.verdict(half, analysis.subject).statement.text
    return (
        Paragraph(text=f"Both directions at once, each at α/2: {sentence}"),
        charted(
            "both-sides",
            f"One bar of {table.n_datasets:,} datasets",
            sentence,
            charts.both_sides,
            table.n_datasets,
            k_a=k_a,
            k_b=k_b,
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
        bounds = analysis.groups(question, groups)
        columns = {
            "group": [display_name(group.name) for group in bounds],
            "shown on at least": [f"{group.at_least:,} of {group.size:,}" for group in bounds],
            "datasets": [
                ", ".join(display_name(subject.datasets[i]) for i in group.members)
                for group in bounds
            ],
        }
        parts.append(
            Table(
                frame=frame_of(columns),
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
    before = (
        "Answer from what you know about the test sets, not from the counts. An answer chosen for its "
        "larger count has no guarantee."
    )
    of_own_tests = ", of each dataset's own test" if analysis.assessment.by_flips else ""
    if analysis.overlap is not None:
        said = statements.of_overlap(analysis, analysis.overlap)
        parts.append(Paragraph(text=f"From the examples in this file: {said}"))
    return (
        *parts,
        Bullets(items=tuple(counting_words.DEPENDENCE_EXAMPLES.values())),
        Paragraph(text=f"With these p-values{of_own_tests}:"),
        Bullets(items=tuple(dependence_lines(analysis.question.answer, analysis.subject))),
        Paragraph(text=before, tone="quiet"),
    )


def dependence_lines(answer: Answer, subject: Subject) -> list[str]:
    """What each answer about dependence would give: counts and the names of their closed tests."""
    lines = []
    for dependence in DEPENDENCES:
        for combination in COMBINATIONS:
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


def procedures_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Every procedure's list beside the others', and what each promises."""
    own_tests = "The p-values here are those of each dataset's own test, not of the joint flips."
    before = "Choose a procedure before you see the results. The longest of several lists has no guarantee."
    answer, subject = analysis.question.answer, analysis.subject
    order = np.argsort(answer.p_values, kind="stable")
    columns: dict[str, list[str]] = {
        "dataset": [display_name(subject.datasets[i]) for i in order],
        "p": [format_p_value(float(answer.p_values[i]), alpha=answer.alpha) for i in order],
    }
    promises = []
    for procedure in all_procedures():
        named = named_by(answer.p_values, alpha=answer.alpha, procedure=procedure.name)
        heading = f"{procedure.heading} ({int(named.sum())})"
        columns[heading] = [STAR if named[i] else "" for i in order]
        name = procedure.title
        short = f" ({procedure.heading})" if procedure.heading not in name else ""
        promise = procedure.compared or procedure.guarantee
        level = format_errors(answer.alpha)
        promises.append(f"{sentence_case(name)}{short}: {promise.format(level=level)}.")
    practice = answer.practice
    columns[f"common practice ({practice.n})"] = [STAR if practice.wins[i] else "" for i in order]
    usual = counting_words.practice_of(analysis.question, subject)
    table = Table(
        frame=frame_of(columns),
        caption="★ where a procedure names the dataset; smallest p-values first. In parentheses how "
        "many it names of all.",
        name="procedures",
        of="dataset",
        last=_LARGEST,
    )
    return (
        *paragraphs(own_tests * analysis.assessment.by_flips, tone="quiet"),
        table,
        Bullets(items=(*promises, f"common practice: {usual}; no guarantee.")),
        Paragraph(text=before, tone="quiet"),
    )


def sensitivity_parts(analysis: Analysis) -> tuple[Part, ...]:
    """What would change the count and the names, labelled as description."""
    answer, subject = analysis.question.answer, analysis.subject
    if subject.n_untested:
        # Of stand-ins for p-values nothing can be said to depend on them.
        return (Paragraph(text="Sensitivity is shown once every dataset is tested."),)
    combination = analysis.settings.counted_by
    found = analysis.memory.computed(
        find_sensitivity, answer.p_values, alpha=answer.alpha, combination=combination
    )
    sentences = (
        f"This is of the count by {counting_method_named(combination).title} and each dataset's own "
        "test, not of the joint flips."
        if analysis.assessment.by_flips
        else "",
        depends_on_sentence(found, subject),
        levels_sentence(found),
        without_sentence(found, subject),
    )
    descriptive = "This is descriptive. Choosing α, the way of counting or the datasets by it voids the guarantee."
    by = procedure_named(counting_method_named(combination).procedure).full_title
    frame = frame_of(
        {
            "dataset": [display_name(name) for name in subject.datasets],
            "p": [format_p_value(float(p), alpha=answer.alpha) for p in answer.p_values],
            "significant": [STAR if named else "" for named in found.named],
            "significant up to p": [rounded_level(float(p)) for p in found.critical_p_values],
            "k̂ without it": found.k_hat_without.tolist(),
        }
    )
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
        Paragraph(text=descriptive, tone="caution"),
        *paragraphs(*sentences),
        *paragraphs(*analysis.tried.get(DEPENDS_ON_CHOICES, ())),
        table,
    )


def depends_on_sentence(found: Sensitivity, subject: Subject) -> str:
    """State that a count depends on one dataset; empty where it does not."""
    names = [subject.datasets[i] for i in found.depends_on]
    if not names or found.counting.n_datasets == 1:
        return ""
    which = "any one of " if len(names) > 1 else ""
    return f"Without {which}{list_names(names)} the count is 0."


def levels_sentence(found: Sensitivity) -> str:
    """State at which α the count would step up and down."""
    k_hat, n = found.counting.k_hat, found.counting.n_datasets
    parts = []
    up, down = found.next_level_up, found.next_level_down
    if up is not None:
        # A level of 1 is no level: nothing would be claimed at it.
        parts.append(
            f"it rises to {k_hat + 1} or more at α = {rounded_level(up, up=True)}"
            if up < 1.0
            else f"no α raises it to {k_hat + 1}"
        )
    if down is not None:
        parts.append(f"it is less than {k_hat:,} below α = {rounded_level(down)}")
    name = combination_named(found.counting.combination).title
    return (
        f"By {name} the count is {k_hat:,} of {n:,} at α = {format_level(found.counting.alpha)}; "
        f"{', and '.join(parts)}."
    )


def without_sentence(found: Sensitivity, subject: Subject) -> str:
    """State between which numbers the count lies when any one dataset is left out."""
    n = found.counting.n_datasets
    low, high = int(found.k_hat_without.min()), int(found.k_hat_without.max())
    others = "the other" if n == 2 else f"the other {n - 1:,}"
    if low == high:
        return f"Whichever one dataset is left out, the count of {others} is {low:,}."
    lowest = [subject.datasets[i] for i in (found.k_hat_without == low).nonzero()[0]]
    return (
        f"With any one dataset left out, the count of {others} lies between {low:,} "
        f"(without {list_names(lowest, most=3)}) and {high:,}."
    )
