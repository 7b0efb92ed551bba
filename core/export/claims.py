"""What a check of claims found, to be read in a sentence, as tables, and taken into a review."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from ..claims.findings import CAVEAT, ClaimReport, RowFinding, RowKey
from ..claims.no_p_values import Reach
from ..claims.possible import Attainment, Variant
from ..claims.rows import TINY, sidedness
from ..data import PValueTable
from ..sections.parts import Grid, Records, grid_of
from ..significance.known_tests import (
    of_outcomes,
    of_three_correlations,
    significance_test_named,
    significance_test_names,
)
from ..types import grouped
from ..validation import at_most
from ..words.formatting import (
    counted,
    display_name,
    format_level,
    format_p_value,
    latex,
    latex_typewriter,
    markdown,
    minus,
    printed_number,
    whole_name,
)
from ..words.subject import Subject
from .tables import records_csv

_NOTHING = "–"
# A row is no claim: that it is not excluded means that it is possible.
_ROW_WORDS: Mapping[RowKey, str] = {
    "possible": "✓ possible",
    "impossible": "✗ not by a test on these examples",
    "undecided": "? cannot be decided",
}


def p_values_grid(table: PValueTable, alpha: float) -> Grid:
    """A row for each dataset, smallest p-values first: what a claim at this level is counted from."""
    a, b = display_name(table.system_a), display_name(table.system_b)
    small = at_most(table.p_values, alpha)
    leads = np.full(table.n_datasets, np.nan) if table.differences is None else table.differences
    said = map(table.printed_scores, (table.system_a, table.system_b))
    scores = [column or ("",) * table.n_datasets for column in said]
    ahead = [a if lead > 0 else b if lead < 0 else _NOTHING for lead in leads.tolist()]
    rows = tuple(
        (
            display_name(table.datasets[i]),
            *(printed_number(column[i]) or _NOTHING for column in scores),
            ahead[i],
            printed_number(table.printed[i]) or format_p_value(float(table.p_values[i]), digits=3),
            "✓" if small[i] else _NOTHING,
        )
        for i in np.argsort(table.p_values, kind="stable").tolist()
    )
    level = format_level(alpha)
    n_ahead = {name: sum(row[3] == name and row[5] == "✓" for row in rows) for name in (a, b)}
    who = ", ".join(f"{number} with {name} ahead" for name, number in n_ahead.items())
    return Grid(
        header=("dataset", a, b, "ahead", "p", f"p ≤ {level}"),
        rows=rows,
        numeric=(False, True, True, False, True, False),
        caption=f"Smallest p first. p ≤ {level} on {int(small.sum())} of {len(rows)} datasets: {who}.",
        name="p-values",
    )


def possible_grid(rows: Sequence[RowFinding], subject: Subject) -> Grid:
    """A row for each dataset: its printed p-value beside those that are possible."""
    made = [row.attainment for row in rows]
    spans = [one and f"{_limit(one.possible.low)} to {_limit(one.possible.high)}" for one in made]
    sizes = [" or ".join(f"{n:,}" for n in row.sizes if n is not None) for row in rows]
    columns = {
        "dataset": [display_name(row.dataset) for row in rows],
        "verdict": [
            "✗ no share of n"
            if row.key == "impossible" and not row.ranges
            else _ROW_WORDS.get(row.key, _NOTHING)
            for row in rows
        ],
        "printed p": [printed_number(row.printed) for row in rows],
        "possible p": [span or _NOTHING for span in spans],
        "of the test": [
            _NOTHING if row.shown is None else _variant(row.shown, subject) for row in rows
        ],
        "n": [f"{row.n_examples:,}" for row in rows],
        "possible at n": [text or _NOTHING for text in sizes],
        "it takes": [_takes(one) for one in made],
        "explained by": [_explained(row.attainable, subject) for row in rows],
    }
    return grid_of(
        columns,
        caption=(
            "Possible p: from the smallest to the largest of the test named beside it, within the "
            "rounding of the scores, whatever the two systems' agreement. It takes: what the printed "
            "p-value says of that agreement. Possible at n: the nearest numbers of examples at which "
            f"a test gives a p-value that no test on these examples gives. {CAVEAT}"
        ),
        name="possible-p-values",
    )


def reach_grid(rows: Sequence[Reach]) -> Grid:
    """A row for each dataset: which p-values its scores leave open, and what lead would do."""
    columns = {
        "dataset": [display_name(row.dataset) for row in rows],
        "n": [f"{row.n_examples:,}" for row in rows],
        "A": [row.scores[0] for row in rows],
        "B": [row.scores[1] for row in rows],
        "significant": [_REACHED[row.significant] for row in rows],
        "p from": [_limit(row.low) for row in rows],
        "p to": [_limit(row.high) for row in rows],
        "possible from": [_NOTHING if row.fewest is None else f"{row.fewest:,}" for row in rows],
        "sure from": [_NOTHING if row.surely is None else f"{row.surely:,}" for row in rows],
    }
    return grid_of(
        columns,
        caption=(
            "By the exact test, two-sided. Possible from: a lead of so many examples can be "
            "significant, where the other system is right on nothing alone. Sure from: a lead of so "
            "many is, however often the systems disagree."
        ),
        name="what-could-be-significant",
    )


_REACHED: Mapping[str, str] = {
    "always": "✓ in any case",
    "possibly": "○ possibly",
    "never": "– never",
    "no-share": "✗ no share of n",
}


def _limit(p_value: float) -> str:
    if math.isnan(p_value):
        return _NOTHING
    return "0" if p_value < TINY else format_p_value(p_value, digits=2)


def _variant(variant: Variant, subject: Subject) -> str:
    title = significance_test_named(variant.test).short_title
    return f"{title}, {sidedness(variant.speaks_for, subject)}"


def _explained(variants: Sequence[Variant], subject: Subject) -> str:
    by_side = grouped((sidedness(one.speaks_for, subject), one.test) for one in variants)
    families = [set(significance_test_names(each)) for each in (of_outcomes, of_three_correlations)]
    said = []
    for side, tests in by_side.items():
        titles = ", ".join(significance_test_named(test).short_title for test in tests)
        said.append(f"{side}: {'all of these tests' if set(tests) in families else titles}")
    return "; ".join(said) or _NOTHING


def _takes(found: Attainment | None) -> str:
    if found is None:
        return _NOTHING
    if found.disagreements is not None:
        fewest, most = found.disagreements
        span = f"{fewest:,} to " if fewest < most else ""
        return f"{span}{counted(most, 'disagreement')}"
    ends = [[minus(f"{r:.3f}".replace("0.", ".", 1)) for r in span] for span in found.correlations]
    return f"r {' or '.join(map(' to '.join, ends))}" if ends else _NOTHING


Write = Callable[[ClaimReport], str]


def of_tables(tables: Sequence[tuple[str, ClaimReport]], write: Write) -> str:
    """What was found on several tables of one paper, each under its title; of one table alone without.

    `write` is `review_text`, `review_markdown`, `review_latex` or `findings_csv`.
    """
    if len(tables) == 1:
        return write(tables[0][1])
    if write is findings_csv:
        rows = [(title, *row) for title, report in tables for row in report.to_frame().to_numpy()]
        return _csv(("table", *tables[0][1].to_frame().columns), rows)
    headings: dict[Write, Callable[[str], str]] = {
        review_markdown: lambda title: f"## {markdown(title)}",
        review_latex: lambda title: rf"\paragraph{{{latex(title)}}}",
    }
    heading = headings.get(write, str)
    return "\n".join(f"{heading(whole_name(title))}\n\n{write(report)}" for title, report in tables)


def review_text(report: ClaimReport) -> str:
    """Three sentences, and every verdict, as plain text with the line that reproduces it."""
    return _review(report, str, report.signature)


def review_markdown(report: ClaimReport) -> str:
    """The same as Markdown; nothing in a name is read as markup."""
    return _review(report, markdown, f"`{report.signature}`")


def review_latex(report: ClaimReport) -> str:
    """The same as LaTeX, to be compiled as it stands."""
    return _review(report, latex, latex_typewriter(report.signature))


def _review(report: ClaimReport, write: Callable[[str], str], signature: str) -> str:
    """The three sentences; of several claims also each with its verdict."""
    each = [
        f"{i}. {report.words(v.claim)}: {v.words()}. {v.why} {v.settle}".rstrip()
        for i, v in enumerate(report.verdicts, start=1)
    ]
    said = [report.paragraph(), *report.other_sides, *(each if len(report.claims) > 1 else [])]
    return "\n\n".join([*map(write, said), signature]) + "\n"


def findings_csv(report: ClaimReport) -> str:
    """Every finding, one a row, guarded against being read as formulas."""
    frame = report.to_frame()
    return _csv(tuple(frame.columns), tuple(frame.to_numpy()))


def _csv(header: tuple[str, ...], rows: Iterable[Iterable[object]]) -> str:
    cells = tuple(tuple(whole_name(str(cell)) for cell in row) for row in rows)
    return records_csv(Records(header=header, rows=cells))
