"""Each dataset's own result as a table: tests that were run here, or what was printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from .. import charts
from ..analysis import Analysis, statements
from ..analysis.settings import own_margins
from ..data import PValueTable, Reading, ResultSet
from ..data.overlap.find import Overlap
from ..metrics.labels import LABEL_METRICS
from ..metrics.registry import CORRELATIONS
from ..significance.outcome import EffectSize
from ..significance.result import SignificanceResult
from ..words import reading as reading_words
from ..words import testing as testing_words
from ..words.cautions import interval_over_zero_sentence
from ..words.formatting import (
    display_name,
    format_p_value,
    format_share,
    frame_of,
    label_of_difference,
    minus,
    signed,
    whole_name,
)
from ..words.overlap import NO_EXAMPLES, OVERLAP_REFERENCE, overlap_table, overlap_text
from .parts import (
    MOST_ROWS,
    Bullets,
    Columns,
    Grid,
    Paragraph,
    Part,
    Table,
    charted,
    clean,
    paragraphs,
)

_MOST_DECIMALS = 6
_NOTHING = "–"


class _OfTests(Columns):
    """Columns of datasets of which not all may be tested."""

    def __init__(self, datasets: Sequence[str], found: Sequence[SignificanceResult | None]) -> None:
        self._found = found
        super().__init__("dataset", datasets)

    def add_tested(
        self, heading: str, write: Callable[[SignificanceResult], str], *, numeric: bool = True
    ) -> None:
        """One more with a cell for each dataset that was tested; the others' are empty, or say so."""
        missing = "not tested" if heading.startswith("p (A ") or heading == "note" else ""
        cells = [missing if one is None else write(one) for one in self._found]
        self.add(heading, cells, numeric=numeric)


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
    effects = tuple(testing_words.effect_lines(used))
    return (
        Paragraph(text=testing_words.tests_paragraph(used), tone="quiet"),
        *((Bullets(items=effects),) if effects else ()),
    )


def _sentence(analysis: Analysis) -> str:
    return testing_words.per_dataset_sentence(analysis.assessment, analysis.subject)


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
        of_a_alone=analysis.subject.of_a_alone,
    )


def tests_grid(analysis: Analysis) -> tuple[Part, ...]:
    """A row for each dataset that was tested; what is the same on all is said before it."""
    assert isinstance(analysis.data, ResultSet)
    table = analysis.table
    found = analysis.compared
    tested = [one for one in found if one is not None]
    columns = _OfTests([whole_name(name) for name in table.datasets], found)
    _add_own_metrics(columns, analysis)
    margins = own_margins(analysis.data, analysis.settings, table.datasets)
    if margins:
        columns.add("margin", margins)
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
        columns.add("note", notes, numeric=False)
    elif None in found:
        columns.add_tested("note", lambda _: "", numeric=False)
    return (*said, columns.grid(caption=f"Tests on each dataset{_who(table)}.", name="results"))


def _add_p_values(
    columns: _OfTests, tested: Sequence[SignificanceResult], *, alpha: float, better: str
) -> None:
    written = partial(format_p_value, alpha=alpha)
    columns.add_tested(f"p (A {better})", lambda one: written(one.p_value_greater))
    if any(_settles_within(one, alpha) for one in tested):
        columns.add_tested("p settles within", lambda one: _settles_within(one, alpha))
    columns.add_tested(f"p (B {better})", lambda one: written(one.p_value_less))
    if not any(one.margin for one in tested):
        columns.add_tested("p (two-sided)", lambda one: written(one.p_value_two_sided))
    columns.add_tested("n", lambda one: f"{one.n_examples:,}")
    if any(one.n_clusters is not None for one in tested):
        columns.add_tested(
            "clusters", lambda one: "" if one.n_clusters is None else f"{one.n_clusters:,}"
        )


def _add_scores(
    columns: _OfTests,
    tested: Sequence[SignificanceResult],
    *,
    higher_is_better: bool,
    decimals: int,
) -> None:
    columns.add_tested("A", lambda one: minus(f"{one.score_a:.{decimals}f}"))
    columns.add_tested("B", lambda one: minus(f"{one.score_b:.{decimals}f}"))
    difference = label_of_difference(higher_is_better)
    columns.add_tested(difference, lambda one: signed(one.difference, decimals))
    intervals = " or ".join(sorted({testing_words.interval_title(one) for one in tested}))
    columns.add_tested(intervals, lambda one: _ends(one, decimals))
    # Of a correlation, or of metrics of classes, no example is won by itself.
    if any(one.kind not in (*CORRELATIONS, *LABEL_METRICS) for one in tested):
        columns.add_tested(
            "wins / ties / losses", lambda one: f"{one.wins} / {one.ties} / {one.losses}"
        )
    effects = {
        testing_words.effect_name(one.effect_size) for one in tested if one.effect_size is not None
    }
    if len(effects) == 1:
        columns.add_tested(effects.pop(), lambda one: testing_words.effect_text(one.effect_size))
    elif effects:
        columns.add_tested("effect size", lambda one: _named_effect(one.effect_size))


def _add_methods(columns: _OfTests, tested: Sequence[SignificanceResult]) -> list[Part]:
    """Columns of what differs between datasets; of what does not, sentences."""
    said: list[Part] = []
    tests = {testing_words.title_of_test(one.test, one.claim) for one in tested}
    if len(tests) == 1:
        said.append(Paragraph(text=f"Test on every dataset: {tests.pop()}."))
    else:
        columns.add_tested(
            "test", lambda one: testing_words.title_of_test(one.test, one.claim), numeric=False
        )
    methods = {testing_words.made_by(one) for one in tested}
    if len(methods) == 1:
        said.append(Paragraph(text=f"Every p-value is {methods.pop()}."))
    else:
        columns.add_tested("p-values are", testing_words.made_by, numeric=False)
    return said


def _add_own_metrics(columns: Columns, analysis: Analysis) -> None:
    """The column of metrics, where each dataset has its own."""
    found = reading_words.own_metrics(analysis.data.reading, analysis.table.datasets)
    if found:
        cells = [whole_name(metric) or _NOTHING for metric in found.values()]
        columns.add(reading_words.METRIC_COLUMN, cells, numeric=False)


def _settles_within(one: SignificanceResult, alpha: float) -> str:
    low, high = one.ends_of("greater")
    if low == high:
        return ""
    return f"{format_p_value(low, alpha=alpha)} to {format_p_value(high, alpha=alpha)}"


def _ends(one: SignificanceResult, decimals: int) -> str:
    if one.confidence_interval is None:
        return _NOTHING
    low, high = one.confidence_interval
    return f"{signed(low, decimals)} to {signed(high, decimals)}"


def _named_effect(effect: EffectSize | None) -> str:
    return (
        _NOTHING
        if effect is None
        else f"{testing_words.effect_name(effect)} {testing_words.effect_text(effect)}"
    )


def _printed_grid(analysis: Analysis) -> Grid:
    """A published table: as printed, and what its p-values stand for."""
    table = analysis.table
    columns = Columns("dataset", [whole_name(name) for name in table.datasets])
    _add_own_metrics(columns, analysis)
    if table.n_examples is not None:
        columns.add("n", [f"{n:,}" for n in table.n_examples.tolist()])
    if table.printed_scores_a is not None:
        columns.add("A", table.printed_scores_a)
    if table.printed_scores_b is not None:
        columns.add("B", table.printed_scores_b)
    if table.differences is not None:
        cells = [signed(value, table.score_decimals) for value in table.differences.tolist()]
        columns.add(label_of_difference(table.higher_is_better), cells)
    columns.add("p as printed", [whole_name(text) for text in table.printed])
    columns.add("it stands for", _stands_for(table))
    columns.add("taken as", [format_p_value(p, digits=10) for p in table.p_values.tolist()])
    if any(table.notes):
        columns.add("note", [whole_name(note) for note in table.notes], numeric=False)
    return columns.grid(caption=f"The table as printed{_who(table)}.", name="results")


def _who(table: PValueTable) -> str:
    """Which systems are A and B, unless they are called so."""
    a, b = display_name(table.system_a), display_name(table.system_b)
    return "" if (a, b) == ("A", "B") else f"; A is {a}, B is {b}"


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
        frame, caption = reading_words.files_table(reading), "What each file was used for."
        parts.append(Table(frame=frame, caption=caption, name="files", of="file"))
    if reading.matched:
        parts.append(Paragraph(text=reading_words.LEFT_OVER, tone="quiet"))
        frame, caption = (
            reading_words.matched_table(reading),
            "How many examples of each system have partners.",
        )
        parts.append(Table(frame=frame, caption=caption, name="matched", of="row"))
    return tuple(parts)


def shared_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Whether the datasets share examples, and what that means for the count."""
    if analysis.overlap is None:
        return (Paragraph(text=NO_EXAMPLES),)
    found = statements.of_overlap(analysis, analysis.overlap)
    return (Paragraph(text=f"{found.verdict} {found.effect}"),)


def compared_parts(overlap: Overlap) -> tuple[Part, ...]:
    """What was compared to see that, and which datasets share what."""
    text = overlap_text(overlap)
    parts: list[Part] = [*paragraphs(text.reason, *text.caveats)]
    if overlap.shares_any:
        what = "Matrix of shared examples"
        parts.append(charted("overlap", what, text.verdict, charts.overlap_matrix, overlap))
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
