"""Each dataset's own result as a table: tests that were run here, or what was printed."""

import math
from collections.abc import Callable, Sequence
from functools import partial

from .. import charts
from ..analysis import Analysis, statements
from ..analysis.settings import own_margins
from ..comparison import BETTER, comparison_named
from ..data import PValueTable, Reading, ResultSet
from ..data.overlap.find import Overlap
from ..metrics.per_example import LABEL_METRICS
from ..metrics.registry import CORRELATIONS
from ..replicability.counting import count_by_common_practice
from ..significance.outcome import ODDS_RATIO, WIN_SHARE
from ..significance.settings import OWN
from ..significance.single import SignificanceResult
from ..words import reading as reading_words
from ..words import testing as testing_words
from ..words.counting import practice_name
from ..words.formatting import (
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    format_share,
    frame_of,
    label_of_difference,
    minus,
    p_value_clause,
    signed,
    whole_name,
)
from ..words.overlap import (
    NO_EXAMPLES,
    OVERLAP_REFERENCE,
    overlap_notes,
    overlap_sentence,
    overlap_table,
)
from ..words.testing import INTERVAL_LABELS, interval_over_zero_sentence
from .parts import (
    MOST_ROWS,
    Bullets,
    Grid,
    Paragraph,
    Part,
    Table,
    charted,
    clean,
    grid_of,
    paragraphs,
)

# What effect sizes are called in headings, and what they say.
_EFFECTS = {
    "matched-pairs rank-biserial correlation": (
        "rank-biserial r",
        "of the sum of ranks, A's share less B's: from −1 to 1, 0 where neither is ahead",
    ),
    ODDS_RATIO: (
        "odds ratio",
        "examples that only A has right for each that only B has right: 1 where neither is ahead",
    ),
    WIN_SHARE: (
        "win share",
        "of the examples that are not ties, those that A wins: one half where neither is",
    ),
    "Cohen's d_z": ("Cohen's d_z", "mean difference in standard deviations of the differences"),
    "Cohen's q": ("Cohen's q", "difference of the two correlations after Fisher's transformation"),
}
_MOST_DECIMALS = 6
_NOTHING = "–"


def per_dataset_parts(analysis: Analysis) -> tuple[Part, ...]:
    """On how many datasets a test is significant, and on which reading that rests."""
    conditions = statements.conditions(analysis, analysis.questions[0])
    return (
        Paragraph(text=analysis.so_far + _sentence(analysis), tone="lead"),
        *(Paragraph(text=said, tone="quiet") for said in conditions),
    )


def results_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Each dataset's own result: tests that were run, drawn as well, or what a table prints."""
    if not isinstance(analysis.data, ResultSet):
        return (_printed_grid(analysis),)
    table = analysis.table
    over_zero = interval_over_zero_sentence(
        table.results or (), table.datasets, alpha=analysis.settings.alpha
    )
    return (
        *tests_grid(analysis),
        _differences(analysis, _sentence(analysis)),
        *((Paragraph(text=over_zero, tone="quiet"),) if over_zero else ()),
    )


def how_tested_parts(analysis: Analysis) -> tuple[Part, ...]:
    """What the p-values and effect sizes are."""
    used = [result for result in analysis.table.results or () if result is not None]
    names = dict.fromkeys(r.effect_size.name for r in used if r.effect_size is not None)
    effects = tuple(": ".join(_EFFECTS[name]) + "." for name in names)
    return (
        Paragraph(text=_tests_paragraph(used), tone="quiet"),
        *((Bullets(items=effects),) if effects else ()),
    )


def _tests_paragraph(results: Sequence[SignificanceResult]) -> str:
    together = (
        " Examples that belong together are drawn and exchanged together, whole clusters at a time."
        if any(result.n_clusters is not None for result in results)
        else ""
    )
    if any(result.margin for result in results):
        return (
            f"These are {comparison_named(results[0].claim).p_values} of the claim at the margin."
            f"{together} Intervals of the "
            "difference are 90% ones, as for tests at level .05, whatever α: the values that the test "
            "does not reject, or the bootstrap's if the test draws resamples. An interval wholly on the "
            "margin's better side (for equivalence wholly within the margin) shows the claim on that "
            "dataset; one wholly beyond shows the opposite; else the data do not decide."
        )
    kinds = dict.fromkeys(result.interval for result in results)
    named = " and ".join(INTERVAL_LABELS[kind].removesuffix(" bootstrap") for kind in kinds)
    return (
        f"p-values are one-sided, each against its system not being better in the sense of the test."
        f"{together} Intervals are two-sided 95% {named} bootstrap intervals of the difference in scores, "
        "whatever the test and α, so an interval may contain 0 although p ≤ α."
    )


def _sentence(analysis: Analysis) -> str:
    """On how many datasets each system's own test is significant, and the common practice."""
    assessment, subject = analysis.assessment, analysis.subject
    n, alpha = assessment.n_datasets, assessment.alpha
    pairs = zip((assessment.answer_a, assessment.answer_b), subject.sides("a-better"), strict=True)
    sides = [(answer, system) for answer, system in pairs if answer is not None]
    sides = sides[:1] if subject.claimed.of_a_alone else sides
    sided = "" if subject.claimed.both_sides else "one-sided "
    if n == 1:
        said = (
            f"{p_value_clause(float(answer.p_values[0]), alpha=alpha)} for {system} {subject.better}"
            for answer, system in sides
        )
        return f"On {subject.names([True])}, {sided}{' and '.join(said)}."
    small = [
        f"{count_by_common_practice(answer.p_values, alpha=alpha):,} of {n:,} for {system} {subject.better}"
        for answer, system in sides
    ]
    practice, common = sides[0][0].practice, ""
    if len(sides) > 1 and practice.sidedness != "one-sided":
        counts = " and ".join(f"{answer.practice.n:,}" for answer, _ in sides)
        common = f" Common practice, {practice_name(practice, 'that system')}, counts {counts}."
    return (
        f"Datasets with {'a ' * bool(sided)}{sided}p ≤ {format_level(alpha)}: {', '.join(small)}.{common} "
        "Such counts have no guarantee; those under Counting do."
    )


def _differences(analysis: Analysis, sentence: str) -> Part:
    table = analysis.table
    if table.n_datasets > MOST_ROWS:
        # One row each would be thinner than a line.
        return Paragraph(
            text=f"A chart of the differences is left out: on {table.n_datasets:,} datasets none "
            "could be told from the next. The table holds every difference and its interval.",
            tone="quiet",
        )
    return charted(
        "differences",
        "Difference on each dataset with its interval",
        sentence,
        charts.differences,
        analysis.compared,
        table.datasets,
        alpha=analysis.settings.alpha,
        higher_is_better=table.higher_is_better,
        better=analysis.subject.in_short,
        of_a_alone=analysis.subject.claimed.of_a_alone,
    )


def tests_grid(analysis: Analysis) -> tuple[Part, ...]:
    """A row for each dataset that was tested; what is the same on all comes before it."""
    assert isinstance(analysis.data, ResultSet)
    table, alpha, better = analysis.table, analysis.settings.alpha, analysis.subject.in_short
    found = analysis.compared
    tested = [one for one in found if one is not None]
    # A mean is known more finely than a single score.
    decimals = min(_MOST_DECIMALS, max(analysis.data.score_decimals, 2) + 2)
    written = partial(format_p_value, alpha=alpha)
    levels = sorted({format_confidence(1.0 - one.confidence_level) for one in tested})
    effects = {_EFFECTS[one.effect_size.name][0] for one in tested if one.effect_size is not None}

    def settles_within(one: SignificanceResult) -> str:
        low, high = one.ends_of("greater")
        return "" if low == high else f"{written(low)} to {written(high)}"

    def ends(one: SignificanceResult) -> str:
        interval = one.confidence_interval
        return " to ".join(signed(end, decimals) for end in interval) if interval else _NOTHING

    def effect_size(one: SignificanceResult) -> str:
        """With a sign where 0 is the middle; with its name where there are several kinds."""
        effect = one.effect_size
        if effect is None:
            return _NOTHING
        value = signed(effect.value, 3)
        if math.isinf(effect.value):
            value = "∞" if effect.value > 0.0 else "−∞"
        elif effect.name in (ODDS_RATIO, WIN_SHARE):
            value = f"{effect.value:.2f}"
        return f"{_EFFECTS[effect.name][0]} {value}" if len(effects) > 1 else value

    def wins(one: SignificanceResult) -> str:
        # Of a correlation, or of metrics of classes, no example is won by itself.
        has_none = one.kind in (*CORRELATIONS, *LABEL_METRICS)
        return "" if has_none else f"{one.wins} / {one.ties} / {one.losses}"

    # On a narrow screen the first are seen: what is decided, and how firmly.
    of_tests: dict[str, Callable[[SignificanceResult], str]] = {
        f"p (A {better})": lambda one: written(one.p_value_greater),
        "p settles within": settles_within,
        f"p (B {better})": lambda one: written(one.p_value_less),
        "p (two-sided)": lambda one: written(one.p_value_two_sided) if one.claim == BETTER else "",
        "n": lambda one: f"{one.n_examples:,}",
        "clusters": lambda one: "" if one.n_clusters is None else f"{one.n_clusters:,}",
        "A": lambda one: minus(f"{one.score_a:.{decimals}f}"),
        "B": lambda one: minus(f"{one.score_b:.{decimals}f}"),
        label_of_difference(table.higher_is_better): lambda one: signed(one.difference, decimals),
        f"{' or '.join(levels)} interval": ends,
        "wins / ties / losses": wins,
        next(iter(effects)) if len(effects) == 1 else "effect size": effect_size,
        "test": lambda one: testing_words.title_of_test(one.test, one.claim),
        "p-values are": testing_words.made_by,
        "intervals are": _kind_of_interval,
    }
    alike = {
        "test": "Test on every dataset: {}.",
        "p-values are": "Every p-value is {}.",
        "intervals are": "Every interval is {}.",
    }
    columns = {"dataset": [whole_name(name) for name in table.datasets], **_own_metrics(analysis)}
    margins = own_margins(analysis.data, analysis.settings, table.datasets)
    if margins:
        columns["margin"] = margins
    said = []
    for heading, write in of_tests.items():
        missing = "not tested" if heading.startswith("p (A ") else ""
        cells = [missing if one is None else write(one) for one in found]
        of_tested = {cell for cell, one in zip(cells, found, strict=True) if one is not None}
        of_tested -= {"", _NOTHING}
        if heading in alike and len(of_tested) == 1:
            said.append(alike[heading].format(of_tested.pop()))
        elif of_tested:
            columns[heading] = cells
    notes, on_every = [whole_name(note) for note in table.notes], ""
    if len(notes) > 1 and notes[0] and len(set(notes)) == 1:
        on_every = f"On every dataset: {notes[0]}."
    elif any(notes):
        columns["note"] = notes
    elif None in found:
        columns["note"] = ["not tested" if one is None else "" for one in found]
    return (
        *paragraphs(" ".join(said)),
        *paragraphs(on_every, tone="quiet"),
        grid_of(columns, caption=f"Tests on each dataset{_who(table)}.", name="results"),
    )


def _own_metrics(analysis: Analysis) -> dict[str, list[str]]:
    found = reading_words.own_metrics(analysis.data.reading, analysis.table.datasets)
    cells = [whole_name(metric) or _NOTHING for metric in found.values()]
    return {reading_words.METRIC_COLUMN: cells} if found else {}


def _kind_of_interval(result: SignificanceResult) -> str:
    if result.confidence_interval is None:
        return ""
    own = result.interval == OWN
    return "the test's own" if own else f"of the {INTERVAL_LABELS[result.interval]}"


def _printed_grid(analysis: Analysis) -> Grid:
    table = analysis.table
    columns: dict[str, Sequence[str]] = {
        "dataset": [whole_name(name) for name in table.datasets],
        **_own_metrics(analysis),
    }
    if table.n_examples is not None:
        columns["n"] = [f"{n:,}" for n in table.n_examples.tolist()]
    if table.printed_scores_a is not None:
        columns["A"] = table.printed_scores_a
    if table.printed_scores_b is not None:
        columns["B"] = table.printed_scores_b
    if table.differences is not None:
        cells = [signed(value, table.score_decimals) for value in table.differences.tolist()]
        columns[label_of_difference(table.higher_is_better)] = cells
    columns["p as printed"] = [whole_name(text) for text in table.printed]
    columns["it stands for"] = [
        f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}"
        for low, high in zip(*(ends.tolist() for ends in table.p_value_bounds), strict=True)
    ]
    columns["taken as"] = [format_p_value(p, digits=10) for p in table.p_values.tolist()]
    if any(table.notes):
        columns["note"] = [whole_name(note) for note in table.notes]
    return grid_of(columns, caption=f"The table as printed{_who(table)}.", name="results")


def _who(table: PValueTable) -> str:
    """Which systems are A and B, unless they are called so."""
    a, b = display_name(table.system_a), display_name(table.system_b)
    return "" if (a, b) == ("A", "B") else f"; A is {a}, B is {b}"


def data_parts(analysis: Analysis) -> tuple[Part, ...]:
    """What was read, what to know about it, and whether datasets share examples."""
    remarks = tuple(clean(remark) for remark in statements.remarks(analysis))
    parts: list[Part] = [Paragraph(text=clean(statements.what_was_read(analysis)))]
    if remarks:
        parts.append(Bullets(items=remarks))
    reading = analysis.data.reading
    if reading is not None:
        parts += (*paragraphs(clean(reading_words.files_sentence(reading))), *files_parts(reading))
    columns = reading_words.columns_as_understood(reading) if reading is not None else []
    if columns:
        frame = frame_of(columns, columns=["column", "read as"])
        caption = "What each column of the file was read as."
        parts.append(Table(frame=frame, caption=caption, name="columns", of="column"))
    if analysis.table.n_datasets > 1:
        parts += shared_parts(analysis)
        parts += () if analysis.overlap is None else compared_parts(analysis.overlap)
    return tuple(parts)


def files_parts(reading: Reading) -> tuple[Part, ...]:
    """What was made of each file, and how examples were matched; nothing of a single table."""
    parts: list[Part] = []
    aside = tuple(clean(reason) for reason in reading_words.reasons(reading))
    if aside:
        parts += [Paragraph(text="Left aside:"), Bullets(items=aside)]
    if reading.files:
        frame = frame_of(
            {
                "file": [use.path for use in reading.files],
                "used": ["yes" if use.used else "no" for use in reading.files],
                "kind": [use.kind or "not known" for use in reading.files],
                "what it holds": [use.content for use in reading.files],
            }
        )
        caption = "What each file was used for."
        parts.append(Table(frame=frame, caption=caption, name="files", of="file"))
    if reading.matched:
        parts.append(
            Paragraph(
                text="An example is left over where some other system has none with the same id on that dataset, or "
                "none with a score: it has no partner, and a paired test cannot use it.",
                tone="quiet",
            )
        )
        matched = reading.matched
        frame = frame_of(
            {
                "dataset": [one.dataset for one in matched],
                "system": [one.system for one in matched],
                "examples": [one.n_examples for one in matched],
                "matched": [one.n_matched for one in matched],
                "left over": [one.n_examples - one.n_matched for one in matched],
                "ids left over": [reading_words.ids_left_over(one) for one in matched],
            }
        )
        caption = "How many examples of each system have partners."
        parts.append(Table(frame=frame, caption=caption, name="matched", of="row"))
    return tuple(parts)


def shared_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Whether the datasets share examples, and what that means for the count."""
    if analysis.overlap is None:
        return (Paragraph(text=NO_EXAMPLES),)
    return (Paragraph(text=statements.of_overlap(analysis, analysis.overlap)),)


def compared_parts(overlap: Overlap) -> tuple[Part, ...]:
    """What was compared to see that, and which datasets share what."""
    parts: list[Part] = [*paragraphs(*overlap_notes(overlap))]
    if overlap.shares_any:
        what = "Matrix of shared examples"
        parts.append(
            charted("overlap", what, overlap_sentence(overlap), charts.overlap_matrix, overlap)
        )
    if overlap.shares_any or overlap.shares_texts or overlap.same_scores:
        pairs = overlap_table(overlap)
        shares = [_NOTHING if share != share else format_share(share) for share in pairs["share"]]
        parts.append(
            Table(
                frame=pairs.assign(share=shares).rename(
                    columns={"shared": "shared examples", "share": "of the smaller one"}
                ),
                caption="Pairs of datasets that share something, or may.",
                name="overlap",
                of="pair",
                last="those that share least",
            )
        )
    return (*parts, Paragraph(text=OVERLAP_REFERENCE, tone="quiet"))
