"""Each dataset's own result as a table: tests that were run here, or what was printed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from .. import charts
from ..analysis import Analysis, statements
from ..analysis.settings import own_margins
from ..data import PValueTable, Reading, ResultSet
from ..data.overlap.find import Overlap
from ..metrics.labels import LABEL_METRICS
from ..metrics.registry import CORRELATIONS
from ..significance.outcome import EffectSize
from ..words.cautions import interval_over_zero_sentence
from ..words.formatting import (
    display_name,
    format_p_value,
    format_share,
    label_of_difference,
    minus,
    signed,
    whole_name,
)
from ..words.overlap import NO_EXAMPLES, OVERLAP_REFERENCE, overlap_table, overlap_text
from ..words.reading import (
    LEFT_OVER,
    METRIC_COLUMN,
    columns_as_understood,
    files_sentence,
    files_table,
    matched_table,
    own_metrics,
    reasons,
)
from ..words.testing import (
    effect_lines,
    effect_name,
    effect_text,
    interval_title,
    made_by,
    per_dataset_sentence,
    tests_paragraph,
    title_of_test,
)
from .marked import Turned, printed_records, results_records, turned
from .parts import MOST_ROWS, Bullets, Figure, Grid, Paragraph, Part, clean, left_out_part

if TYPE_CHECKING:
    import pandas as pd


_MOST_DECIMALS = 6
_NOTHING = "–"


class _Columns:
    """Columns by heading; of datasets that were not tested the cells are empty, or say so."""

    def __init__(self, found: Sequence[Turned | None]) -> None:
        self._found = found
        self.made: dict[str, tuple[bool, list[str]]] = {}

    def add(self, heading: str, cells: Sequence[str], *, numeric: bool = True) -> None:
        """A cell for each dataset that was tested."""
        missing = "not tested" if heading.startswith("p (A ") or heading == "note" else ""
        filled = iter(cells)
        self.made[heading] = (
            numeric,
            [missing if one is None else next(filled) for one in self._found],
        )


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
        return (printed_grid(analysis),)
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
    effects = tuple(effect_lines(used))
    return (
        Paragraph(text=tests_paragraph(used), tone="quiet"),
        *((Bullets(items=effects),) if effects else ()),
    )


def _sentence(analysis: Analysis) -> str:
    return per_dataset_sentence(analysis.assessment, analysis.subject)


def _differences(analysis: Analysis, sentence: str) -> Part:
    table = analysis.table
    if table.n_datasets > MOST_ROWS:
        # One row each would be thinner than a line.
        return Paragraph(
            text=f"A chart of the differences is left out: on {table.n_datasets:,} datasets none "
            "could be told from the next. The table holds every difference and its interval.",
            tone="quiet",
        )
    return Figure(
        name="differences",
        alt=f"Difference on each dataset with its interval. {sentence}",
        draw=partial(
            charts.differences,
            table.results or (),
            table.datasets,
            alpha=analysis.settings.alpha,
            swapped=analysis.settings.swapped,
            higher_is_better=table.higher_is_better,
            better=analysis.subject.in_short,
            of_a_alone=analysis.subject.of_a_alone,
        ),
    )


def tests_grid(analysis: Analysis) -> tuple[Part, ...]:
    """A row for each dataset that was tested; what is the same on all is said before it."""
    assert isinstance(analysis.data, ResultSet)
    table = analysis.table
    found = [
        None if result is None else turned(result, analysis.settings.swapped)
        for result in table.results or ()
    ]
    tested = [one for one in found if one is not None]
    columns = _Columns(found)
    columns.made["dataset"] = (False, [whole_name(name) for name in table.datasets])
    columns.made |= _own_metrics(analysis)
    margins = own_margins(analysis.data, analysis.settings, table.datasets)
    columns.made |= {"margin": (True, margins)} if margins else {}
    # On a narrow screen the first columns are seen: what is decided, and how firmly.
    _add_p_values(columns, tested, alpha=analysis.settings.alpha, better=analysis.subject.in_short)
    _add_scores(
        columns,
        tested,
        higher_is_better=table.higher_is_better,
        # A mean is known more finely than a single score.
        decimals=min(_MOST_DECIMALS, max(analysis.data.score_decimals, 2) + 2),
    )
    said = _add_methods(columns, tested)
    notes = [whole_name(note) for note in table.notes]
    if len(notes) > 1 and notes[0] and len(set(notes)) == 1:
        said.append(Paragraph(text=f"On every dataset: {notes[0]}.", tone="quiet"))
    elif any(notes):
        columns.made["note"] = (False, notes)
    elif None in found:
        columns.add("note", [""] * len(tested), numeric=False)
    a, b = display_name(table.system_a), display_name(table.system_b)
    grid = Grid(
        header=tuple(columns.made),
        rows=tuple(zip(*(cells for _, cells in columns.made.values()), strict=True)),
        numeric=tuple(numeric for numeric, _ in columns.made.values()),
        caption=f"Tests on each dataset; A is {a}, B is {b}.",
        name="results",
        records=results_records(analysis),
    )
    return (*said, grid)


def _add_p_values(
    columns: _Columns, tested: Sequence[Turned], *, alpha: float, better: str
) -> None:
    columns.add(f"p (A {better})", [format_p_value(one.p_a, alpha=alpha) for one in tested])
    within = [_settles_within(one, alpha) for one in tested]
    if any(within):
        columns.add("p settles within", within)
    columns.add(f"p (B {better})", [format_p_value(one.p_b, alpha=alpha) for one in tested])
    if not any(one.result.margin for one in tested):
        columns.add(
            "p (two-sided)",
            [format_p_value(one.result.p_value_two_sided, alpha=alpha) for one in tested],
        )
    columns.add("n", [f"{one.result.n_examples:,}" for one in tested])
    clusters = [one.result.n_clusters for one in tested]
    if any(n is not None for n in clusters):
        columns.add("clusters", ["" if n is None else f"{n:,}" for n in clusters])


def _add_scores(
    columns: _Columns, tested: Sequence[Turned], *, higher_is_better: bool, decimals: int
) -> None:
    columns.add("A", [minus(f"{one.score_a:.{decimals}f}") for one in tested])
    columns.add("B", [minus(f"{one.score_b:.{decimals}f}") for one in tested])
    columns.add(
        label_of_difference(higher_is_better),
        [signed(one.difference, decimals) for one in tested],
    )
    intervals = " or ".join(sorted({interval_title(one.result) for one in tested}))
    columns.add(intervals, [_ends(one, decimals) for one in tested])
    # Of a correlation, or of metrics of classes, no example is won by itself.
    if any(one.result.kind not in (*CORRELATIONS, *LABEL_METRICS) for one in tested):
        columns.add(
            "wins / ties / losses",
            [f"{one.wins} / {one.result.ties} / {one.losses}" for one in tested],
        )
    effects = {effect_name(one.effect) for one in tested if one.effect is not None}
    if len(effects) == 1:
        columns.add(effects.pop(), [effect_text(one.effect) for one in tested])
    elif effects:
        columns.add("effect size", [_named_effect(one.effect) for one in tested])


def _add_methods(columns: _Columns, tested: Sequence[Turned]) -> list[Part]:
    """Columns of what differs between datasets; of what does not, sentences."""
    said: list[Part] = []
    tests = [title_of_test(one.result.test, one.result.claim) for one in tested]
    if len(set(tests)) == 1:
        said.append(Paragraph(text=f"Test on every dataset: {tests[0]}."))
    else:
        columns.add("test", tests, numeric=False)
    methods = [made_by(one.result) for one in tested]
    if len(set(methods)) == 1:
        said.append(Paragraph(text=f"Every p-value is {methods[0]}."))
    else:
        columns.add("p-values are", methods, numeric=False)
    return said


def _own_metrics(analysis: Analysis) -> dict[str, tuple[bool, list[str]]]:
    """The column of metrics, where each dataset has its own."""
    found = own_metrics(analysis.data.reading, analysis.table.datasets)
    if not found:
        return {}
    return {METRIC_COLUMN: (False, [whole_name(metric) or _NOTHING for metric in found.values()])}


def _settles_within(one: Turned, alpha: float) -> str:
    low, high = one.ends_a
    if low == high:
        return ""
    return f"{format_p_value(low, alpha=alpha)} to {format_p_value(high, alpha=alpha)}"


def _ends(one: Turned, decimals: int) -> str:
    if one.interval is None:
        return _NOTHING
    low, high = one.interval
    return f"{signed(low, decimals)} to {signed(high, decimals)}"


def _named_effect(effect: EffectSize | None) -> str:
    return _NOTHING if effect is None else f"{effect_name(effect)} {effect_text(effect)}"


def printed_grid(analysis: Analysis) -> Grid:
    """A published table: as printed, and what its p-values stand for."""
    table = analysis.table
    columns: dict[str, tuple[bool, Sequence[str]]] = {
        "dataset": (False, [whole_name(name) for name in table.datasets]),
        **_own_metrics(analysis),
    }
    if table.n_examples is not None:
        columns["n"] = (True, [f"{n:,}" for n in table.n_examples.tolist()])
    if table.printed_scores_a is not None:
        columns["A"] = (True, table.printed_scores_a)
    if table.printed_scores_b is not None:
        columns["B"] = (True, table.printed_scores_b)
    differences = table.differences
    if differences is not None:
        decimals = table.score_decimals
        columns[label_of_difference(table.higher_is_better)] = (
            True,
            [signed(value, decimals) for value in differences.tolist()],
        )
    columns["p as printed"] = (True, [whole_name(text) for text in table.printed])
    columns["it stands for"] = (True, _stands_for(table))
    columns["taken as"] = (True, [format_p_value(p, digits=10) for p in table.p_values.tolist()])
    if any(table.notes):
        columns["note"] = (False, [whole_name(note) for note in table.notes])
    a, b = display_name(table.system_a), display_name(table.system_b)
    return Grid(
        header=tuple(columns),
        rows=tuple(zip(*(cells for _, cells in columns.values()), strict=True)),
        numeric=tuple(numeric for numeric, _ in columns.values()),
        caption=f"The table as printed; A is {a}, B is {b}.",
        name="results",
        records=printed_records(table),
    )


def _stands_for(table: PValueTable) -> list[str]:
    low, high = table.p_value_bounds
    return [
        f"{one:.6g}" if one == other else f"{one:.6g} to {other:.6g}"
        for one, other in zip(low.tolist(), high.tolist(), strict=True)
    ]


def data_parts(analysis: Analysis) -> tuple[Part, ...]:
    """What was read, what to know about it, and whether datasets share examples."""
    remarks = tuple(clean(remark) for remark in statements.remarks(analysis))
    parts: list[Part] = [Paragraph(text=clean(statements.what_was_read(analysis)))]
    if remarks:
        parts.append(Bullets(items=remarks))
    reading = analysis.data.reading
    if reading is not None:
        parts += _files_parts(reading)
    columns = columns_as_understood(reading) if reading is not None else []
    if columns:
        rows = tuple((whole_name(column), whole_name(role)) for column, role in columns[:MOST_ROWS])
        parts.append(
            Grid(
                header=("column", "read as"),
                rows=rows,
                numeric=(False, False),
                caption="What each column of the file was read as.",
                name="columns",
            )
        )
        parts += left_out_part(len(columns) - len(rows), "columns")
    if analysis.table.n_datasets > 1:
        parts += _overlap_parts(analysis.overlap)
    return tuple(parts)


def _files_parts(reading: Reading) -> list[Part]:
    """What was made of each file, and how examples were matched; nothing of a single table."""
    said = files_sentence(reading)
    if not said:
        return []
    parts: list[Part] = [Paragraph(text=clean(said))]
    aside = tuple(clean(reason) for reason in reasons(reading))
    if aside:
        parts += [Paragraph(text="Left aside:"), Bullets(items=aside)]
    if reading.files:
        parts += _table(
            files_table(reading),
            caption="What each file was used for.",
            name="files",
            what="files",
        )
    if reading.matched:
        parts += [Paragraph(text=LEFT_OVER, tone="quiet")]
        parts += _table(
            matched_table(reading),
            caption="How many examples of each system have partners.",
            name="matched",
            what="rows",
            numbers=("examples", "matched", "left over"),
        )
    return parts


def _table(
    frame: pd.DataFrame, *, caption: str, name: str, what: str, numbers: Sequence[str] = ()
) -> list[Part]:
    shown = frame.head(MOST_ROWS)
    grid = Grid(
        header=tuple(frame.columns),
        rows=tuple(
            tuple(
                f"{cell:,}" if column in numbers else whole_name(str(cell))
                for column, cell in zip(frame.columns, row, strict=True)
            )
            for row in shown.itertuples(index=False)
        ),
        numeric=tuple(column in numbers for column in frame.columns),
        caption=caption,
        name=name,
    )
    return [grid, *left_out_part(len(frame) - len(shown), what)]


def _overlap_parts(overlap: Overlap | None) -> list[Part]:
    if overlap is None:
        return [Paragraph(text=NO_EXAMPLES)]
    text = overlap_text(overlap)
    sentences = (f"{text.verdict} {text.effect}", text.reason, *text.caveats)
    parts: list[Part] = [Paragraph(text=sentence) for sentence in sentences if sentence]
    if overlap.shares_any:
        parts.append(
            Figure(
                name="overlap",
                alt=f"Matrix of shared examples. {text.verdict}",
                draw=partial(charts.overlap_matrix, overlap),
            )
        )
    if overlap.shares_any or overlap.shares_texts or overlap.same_scores:
        pairs = overlap_table(overlap)
        rows = tuple(
            (one, other, f"{shared:,}", "–" if share != share else format_share(share), note)
            for one, other, shared, share, note in pairs.head(MOST_ROWS).itertuples(index=False)
        )
        parts.append(
            Grid(
                header=("dataset", "other", "shared examples", "of the smaller one", "note"),
                rows=rows,
                numeric=(False, False, True, True, False),
                caption="Pairs of datasets that share something, or may.",
                name="overlap",
            )
        )
        parts += left_out_part(len(pairs) - len(rows), "pairs, those that share least,")
    return [*parts, Paragraph(text=OVERLAP_REFERENCE, tone="quiet")]
