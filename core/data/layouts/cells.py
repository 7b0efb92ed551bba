"""Columns of cells read as names, scores, p-values, sizes and margins, with every problem and its place.

A margin says its unit where the scores are shares or percentages: in its cell ("0.5 points"), in
the heading ("margin (points)"), or by the declaration `margin_unit`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np

from ...comparison import parsed_margin
from ...errors import LEFT_OUT, DataError, Problem, answers, listed, quoted
from ..p_value_table import FurtherPValues
from ..result_set import ResultSet
from ..roles import IN_POINTS, IN_SHARES, UNUSED, Roles, column_of, columns_in_use
from ..tables.directions import (
    lower_datasets,
    lower_is_better,
    lower_word,
    may_be_a_loss_of_something,
    names_metric,
)
from ..tables.headings import find_column, folded, heading
from ..tables.number_column import NumberColumn
from ..tables.numbers import (
    NO_P_VALUE,
    NOT_SIGNIFICANT_ABOVE,
    PrintedPValue,
    UnreadableNumber,
    grouping_remark,
    printed_kind,
    read_p_value,
    read_whole_number,
    short_decimal,
    without_thousands,
    zero_read_below,
    zero_upper_end,
)
from ..tables.raw_table import RawTable
from .columns import FileKind, Results, held
from .per_example import MAX_DATASETS, MOST_OFFERED, ExampleFindings, which_of
from .row_units import metric_column, n_combinations
from .score_cells import notation_remarks

_PLAIN = frozenset(
    {"average", "averages", "avg", "ave", "mean", "means", "median", "all", "overall", "total",
     "totals", "durchschnitt", "mittelwert", "gesamt", "moyenne", "moy", "promedio", "média",
     "gemiddelde", "medel", "średnia", "ortalama", "среднее", "итого", "المتوسط", "ø", "μ", "σ",
     "平均", "合计", "合計", "全体", "평균", "합계"}
)  # fmt: skip
_BEFORE = ("macro", "micro", "weighted", "arithmetic", "geometric", "overall", "total", "grand")
AVERAGES = (
    _PLAIN
    | {f"{kind} {name}" for kind in _BEFORE for name in _PLAIN}
    | {
        *("macro", "micro", "macro f1", "micro f1", "macroaverage", "microaverage", "all datasets"),
        *("geomean", "gmean", "all tasks", "all languages", "all domains", "pooled"),
        *("aggregate", "aggregated"),
        *(f"{name} {kind}" for kind in ("macro", "micro") for name in _PLAIN),
    }
)
# What stands below datasets besides.
_SUMMARIES = AVERAGES | {
    *("std", "stdev", "std dev", "standard deviation", "sum", "wins", "losses", "ties", "n wins"),
    *("sd", "min", "max", "minimum", "maximum", "range", "subtotal", "w/t/l"),
    *("# wins", "#wins", "best", "# best", "#best", "n best", "1st count"),
    *("total score", "overall score", "final score"),
    *("rank", "δ", "delta", "diff", "difference", "gain", "improvement"),
}
_AT_AN_END = frozenset({"average", "avg", "mean"})
_AVERAGED = frozenset({"rank", "ranks", "score", "scores"})
# Behind an average these say of what it is one.
_OF_WHAT = frozenset(
    {"over", "of", "across", "on", "w/o", "without", "excl", "excluding", "±", "δ"}
)


def are_summaries(names: Sequence[str]) -> list[bool]:
    """Which names are those of a summary of the others: 'Average', 'Avg. rank', 'GLUE average'.

    So is 'Avg Coh.' beside 'Inf Coh.' and 'Pro Coh.'. Names that one word alone makes so are fewer
    than the others: 'XNLI avg' may be a dataset.
    """
    headings = [heading(name) for name in names]
    known = [name in _SUMMARIES for name in headings]
    by_word = [
        not sure and _is_averaged(name, headings)
        for sure, name in zip(known, headings, strict=True)
    ]
    if 2 * sum(by_word) >= len(names) - sum(known):
        return known
    return [sure or perhaps for sure, perhaps in zip(known, by_word, strict=True)]


def _is_averaged(name: str, headings: Sequence[str]) -> bool:
    first, *rest = name.replace("±", " ± ").split() or [""]
    if rest and rest[-1] in _AT_AN_END:
        return True
    # "Average precision" is a metric itself.
    if first not in _AT_AN_END or rest == ["precision"]:
        return False
    if not _OF_WHAT.isdisjoint(rest[:1]):
        return True
    alike = sum(other.endswith(" ".join(["", *rest])) for other in headings)
    return alike > 2 or all(
        word in _AVERAGED or word.isdigit() or names_metric(word) for word in rest
    )


def set_summaries_apart(found: ExampleFindings, column: str) -> None:
    """Go on without rows named as a summary of the datasets, unless these are said to be some."""
    raw = found.raw
    coded = raw.coded(column)
    if not 1 < len(coded.array) <= MAX_DATASETS:
        return
    is_summary = np.array(are_summaries(coded.texts), dtype=np.bool_)
    if not is_summary.any() or is_summary.all():
        return
    names = [name for name, odd in zip(coded.texts, is_summary, strict=True) if odd]
    one = len(names) == 1
    found.choices += answers(
        f"Is {listed(names)} a dataset?" if one else f"Are {listed(names)} datasets?",
        ("averages", "apart", f"No, {'a summary' if one else 'summaries'} of the others"),
        ("averages", "datasets", f"Yes, count {'it' if one else 'them'}"),
    )
    if found.roles.get("averages") == "datasets":
        return
    seem = "it seems to be a summary" if one else "they seem to be summaries"
    remark = f"Set apart, as {seem} of the others: {listed(names)}."
    found.go_on_with(raw.kept(~is_summary[coded.codes]), remark)


def read_rows_of_one_metric(found: ExampleFindings, *, has_scores: bool = True) -> None:
    """Go on with the rows of the metric that is declared, where a table holds several, or ask.

    Several metrics may stand below one another as long as the better score is the higher one in all
    of them, or the lower one, and each dataset has one. Without scores only p-values are read.
    """
    raw, roles, keys = found.raw, found.roles, held(found.column("dataset"), found.column("system"))
    column = metric_column(raw, roles)
    if column is None:
        return
    names = tuple(name for name in raw.coded(column).texts if name)
    lower = [name for name in names if lower_word(name) is not None]
    differ = has_scores and 0 < len(lower) < len(names)
    repeat = n_combinations(raw, keys) < n_combinations(raw, [*keys, column]) == raw.n_rows
    declared = roles.get("metric")
    if len(names) < 2 or not (differ or repeat or declared in names):
        return
    why = (
        f"of {listed(lower)} lower is better, of the others higher"
        if differ
        else "a dataset has a row of each, and one row per dataset is read"
    )
    found.check_named(column, "metric")
    read_rows_of_one(found, column, unit="metrics", why=why)


def read_rows_of_one(found: ExampleFindings, column: str, *, unit: str, why: str) -> None:
    """Go on with the rows that hold in a column what is declared as the metric, or ask."""
    raw, declared = found.raw, found.roles.get("metric")
    names = [name for name in raw.coded(column).texts if name]
    choice = which_of("metric", f"Which of these {unit} is read?", names[:MOST_OFFERED])
    if declared not in names:
        open_problem = Problem(
            f"The rows are of {len(names)} {unit}, {listed(names)}: {why}.",
            "Choose one of them, or keep its rows alone.",
            column=column,
            answered_by="metric",
        )
        found.problems.insert(0, open_problem)
    if found.problems:
        raise DataError(found.problems, choices=[choice])
    kept = raw.with_text(column, str(declared))
    n_aside = raw.n_rows - kept.n_rows
    found.choices.append(choice)
    found.go_on_with(
        kept,
        f"Read, as chosen: the rows of {quoted(str(declared))}; {n_aside:,} of other {unit} "
        f"{'is' if n_aside == 1 else 'are'} left aside.",
    )


def word_for_lower(
    raw: RawTable, dataset: str | None, given: Roles, *names: Sequence[str]
) -> str | None:
    """What says that lower is better: all of the first names that do, else datasets or a title."""
    word = lower_is_better(*names)
    return _lower_dataset(raw, dataset, given) if word is None and dataset is not None else word


def _lower_dataset(raw: RawTable, column: str, given: Roles) -> str | None:
    """What says that lower is better: the first dataset, where all are named so, or the title."""
    texts = raw.coded(column).texts[:MAX_DATASETS]
    names = [name for name, odd in zip(texts, are_summaries(texts), strict=True) if not odd]
    lower = lower_datasets(names)
    mixed = len(lower) < len(names)
    doubtful = lower if mixed else [name for name in lower if may_be_a_loss_of_something(name)]
    if doubtful and "higher_is_better" not in given:
        found = ExampleFindings(raw=raw, roles={"dataset": column})
        found.choices += answers(
            "Which score is better on every dataset?",
            ("higher_is_better", True, "The higher one"),
            ("higher_is_better", False, "The lower one"),
        )
        explain = (
            "A loss may be a metric, of which lower is better, or what the dataset is about.",
            "Say which score is better.",
        )
        if mixed:
            explain = (
                "Lower is better on this dataset, by its name, and higher on others.",
                "Leave out the datasets of one kind, or turn the sign of their scores.",
            )
        mended_by = ("higher_is_better", LEFT_OUT) if mixed else ("higher_is_better",)
        rows = np.flatnonzero(np.isin(raw.cells(column), doubtful))
        found.cell_problems(rows, column, explain, mended_by=mended_by)
        found.stop_at_problems()
    if lower:
        return None if mixed else lower[0]
    above = lower_word(column, "dataset")
    if above is not None or any(map(names_metric, raw.header)):
        return above
    return next(filter(None, (lower_word(note, "title") for note in raw.notes)), None)


def direction_remarks(
    found: ExampleFindings,
    word: str | None,
    *,
    higher: bool,
    metric: str | None = None,
    systems: Sequence[str] = (),
    lower: Sequence[str] = (),
) -> list[str]:
    """What says that lower is better, followed or not.

    That is a word; else what names of systems, datasets of which `lower` may be better, and the
    file's name may say of scores whose metric says nothing.
    """
    if word is not None:
        if higher:
            return [
                f"{quoted(word)} usually means that lower is better, but higher is declared to be."
            ]
        return [f"Lower is taken to be better, as {quoted(word)} says."]
    if not higher:
        return []
    stem = found.source_name.rpartition(".")[0] or found.source_name
    names = () if metric and names_metric(metric) else (*systems, *lower, stem)
    hints = [name for name in names if lower_word(name.replace("_", " ")) is not None]
    return [
        f"{quoted(name)} may be a score of which lower is better; a higher one is read as "
        "better. Change that where it is wrong."
        for name in hints[:1]
    ]


def read_p_values(
    found: ExampleFindings, column: str, *, as_one: bool = False
) -> list[PrintedPValue]:
    """The p-values, `as_one` 1 for what is none; fewer where some cannot be read."""
    p_values = []
    for row, cell in enumerate(found.raw.cells(column)):
        try:
            p_values.append(read_p_value(cell, decimal_comma=found.raw.decimal_comma))
        except UnreadableNumber as error:
            is_none = printed_kind(cell) == "none"
            if is_none and as_one:
                p_values.append(NO_P_VALUE)
                continue
            mended_by = ("incomplete",) if is_none else ()
            found.problem(row, column, error.what, error.remedy, mended_by=mended_by)
    return p_values


def read_sizes(found: ExampleFindings, column: str | None) -> list[int] | None:
    """Numbers of examples; shorter than the column where some cannot be read."""
    if column is None:
        return None
    sizes = []
    grouped: dict[str, float] = {}
    for row, cell in enumerate(found.raw.cells(column)):
        try:
            sizes.append(read_whole_number(cell))
        except UnreadableNumber as error:
            found.problem(row, column, error.what, error.remedy)
        else:
            if without_thousands(cell) != cell:
                grouped[cell] = sizes[-1]
    if grouped:
        found.remarks.append(grouping_remark(column, tuple(grouped), tuple(grouped.values())))
    return sizes


def counted_p_values(
    column: str,
    p_values: Sequence[PrintedPValue],
    printed: Sequence[str],
    *,
    declared: float | None,
) -> tuple[FurtherPValues, tuple[str, ...]]:
    """What is counted of p-values and what their digits allow, and a note on each that is no plain number."""
    own = zero_upper_end(p_values)
    upper_end = own if declared is None else Decimal(repr(float(declared)))
    below = "0 exactly" if not upper_end else f"below {short_decimal(upper_end)}"
    read, notes = [], []
    for p_value, text in zip(p_values, printed, strict=True):
        note = ""
        if p_value.kind == "zero" and upper_end is not None:
            p_value = zero_read_below(p_value, upper_end)
            note = f"printed as {text}, read as {below}"
        elif p_value.kind == "below":
            note = f"printed as {text}, read as its upper end"
        elif p_value.kind == "above":
            # Without the hair by which what is above a level lies beyond it.
            above = short_decimal(Decimal(f"{p_value.low:.9g}"))
            note = f"printed as {text}, read as above {above}: counted as 1"
        elif p_value.kind == "none":
            what = f"printed as {text}, which is no p-value" if text else "no p-value is printed"
            note = f"{what}: counted as 1"
        read.append(p_value)
        notes.append(note)
    low, high = np.array([p.low for p in read]), np.array([p.high for p in read])
    values = np.array([p.value for p in read])
    counted = FurtherPValues(
        name=column, p_values=values, p_value_bounds=(low, high), printed=tuple(printed)
    )
    return counted, tuple(notes)


def remark_on_notation(
    found: ExampleFindings,
    p_column: str,
    p_values: Sequence[PrintedPValue],
    scores: Mapping[str, NumberColumn],
) -> None:
    """Remarks on stars, lower ends of p-values, and how the numbers of these columns are written."""
    cells = found.raw.cells(p_column)
    marked = [cell for cell, p in zip(cells, p_values, strict=True) if p.mark]
    if marked:
        found.remarks.append(f"Marks after p-values are left out: {listed(marked)}.")
    above = [cell for cell, p in zip(cells, p_values, strict=True) if p.kind == "above"]
    if above:
        found.remarks.append(
            "Only a lower end of p is given, so that it counts as p = 1 for either system: "
            f"{listed(tuple(dict.fromkeys(above)))}."
        )
        words = [cell for cell in above if not any(sign in cell for sign in ">≥⩾")]
        if words:
            usual = short_decimal(NOT_SIGNIFICANT_ABOVE)
            found.remarks.append(
                f"{listed(tuple(dict.fromkeys(words)))} is taken for p above {usual}, the usual level."
            )
    found.remarks.extend(
        notation_remarks(
            scores,
            commas=any(p.comma for p in p_values),
            points=any("." in cell for cell in cells),
        )
    )


_POINTS = ("point", "percent", "%")
# How many points 1 is; of scores that have none the number is the margin.
_POINTS_OF = {IN_POINTS: Decimal(1), IN_SHARES: Decimal(100), "": Decimal(1)}
_REMEDY = (
    "Give one number above 0 on every row of the dataset. Where scores are shares or percentages, it "
    "needs its unit, as in '0.5 points'."
)


def find_margin(raw: RawTable, given: Roles) -> str | None:
    """The column of margins; under "delta" may stand differences that were observed."""
    if "margin" in given:
        return column_of(given, "margin")
    found = find_column(raw.header, "margin", taken=columns_in_use(given))
    return None if found is None or raw.is_blank(found) else found


def read_as(kind: FileKind, raw: RawTable, roles: Roles, source_name: str) -> Results:
    """What a kind of file reads, with each dataset's margin where a column gives them."""
    kind.check_roles(raw, roles)
    reading = ExampleFindings(
        raw=raw, roles=roles, source_name=source_name, remarks=list(raw.remarks)
    )
    column = reading.column("margin")
    if column is None:
        return kind.read(reading)
    found = ExampleFindings(raw=raw, roles=roles, source_name=source_name)
    margins = _of_datasets(found, column)
    aside = answers(
        f"{quoted(column)} must give one margin for each dataset.",
        (UNUSED, (column,), f"Leave {quoted(column)} aside"),
    )
    try:
        results = kind.read(reading)
    except DataError as error:
        raise DataError(
            (*error.problems, *found.problems),
            columns=error.columns,
            choices=(*error.choices, *(aside if found.problems else ())),
            roles=error.roles,
        ) from None
    if found.problems:
        raise DataError(found.problems, choices=aside)
    assert isinstance(results, ResultSet)
    points, bare = results.points_of(), roles.get("margin_unit")
    if not isinstance(bare, str):
        bare = IN_POINTS if any(word in folded(column) for word in _POINTS) else ""
    units = {name: IN_POINTS if signed else bare for name, (_, signed) in margins.items()}
    if points is None and any(units.values()):
        raise DataError.of(
            what="The margins are in points or shares, and these scores have none.",
            remedy="Give the margins as bare numbers, in the units of the scores.",
            column=column,
            choices=aside,
        )
    if points is not None and not all(units.values()):
        raise DataError.of(
            what="The margins do not say their unit.",
            remedy="Write it into the cells, as '0.5 points', or into the heading, as 'margin "
            "(points)'; or say it here.",
            column=column,
            answered_by="margin_unit",
            choices=answers(
                f"In which unit are the margins in {quoted(column)}?",
                ("margin_unit", IN_POINTS, "In points: 1 is 1 point"),
                ("margin_unit", IN_SHARES, "As shares: 0.01 is 1 point"),
            ),
        )
    values = [
        float(margins[name][0] * _POINTS_OF[units[name]] / Decimal(points or 1.0))
        for name in results.datasets
    ]
    return replace(results, margins=np.array(values))


def _of_datasets(found: ExampleFindings, column: str) -> dict[str, tuple[Decimal, bool]]:
    """The number on each dataset's rows, and whether in points; what is wrong goes to `found`."""
    coded, groups = found.raw.coded(column), found.groups
    texts = coded.texts
    parsed = [parsed_margin(text) for text in texts]
    keys = groups.codes.astype(np.intp) * len(texts) + coded.codes
    _, rows = np.unique(keys, return_index=True)
    first: dict[int, int] = {}
    wrong: dict[int, str] = {}
    for row in np.sort(rows).tolist():
        dataset, code = int(groups.codes[row]), int(coded.codes[row])
        text, margin = texts[code], parsed[code]
        if margin is None or not margin[0]:
            positive = parsed_margin(text.lstrip("-−–"))
            is_none = "no margin" if positive is None else "not above 0"
            what = f"{quoted(text)} is {is_none}." if text else "The margin is missing."
        elif parsed[before := int(coded.codes[own := first.setdefault(dataset, row)])] != margin:
            # The same number may be written in several ways.
            what = (
                f"{quoted(text)} differs from {quoted(texts[before])} on "
                f"{found.line_of(own, column, row)}, and a dataset has one margin."
            )
        else:
            continue
        wrong[int(keys[row])] = what
    odd = np.flatnonzero(np.isin(keys, list(wrong)))
    found.cell_problems(
        odd, column, lambda row: (wrong[int(keys[row])], _REMEDY), mended_by=(UNUSED,)
    )
    margins = ((groups.datasets[d], parsed[coded.codes[row]]) for d, row in first.items())
    return {name: margin for name, margin in margins if margin is not None}
