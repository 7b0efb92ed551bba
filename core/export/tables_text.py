"""One table of a report as LaTeX, Markdown, HTML and CSV."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..sections.marked import MarkedTable
from ..sections.parts import Grid, Records, Value
from ..words.escapes import guarded, html_text, latex, markdown
from ..words.formatting import whole_name

if TYPE_CHECKING:
    import pandas as pd

# A longer table is set over several pages.
_LONGEST_ON_A_PAGE = 45
_NUMBER = re.compile(r"[<>]? ?[+−-]?[0-9,]*(?P<decimals>[.][0-9]+)?")


def grid_latex(grid: Grid, *, comments: Sequence[str] = ()) -> str:
    """A booktabs table with caption and label; numbers stand with their points below each other.

    Parameters
    ----------
    grid : Grid
        With its `name` in the label.
    comments : sequence of str
        Written above it as comments.
    """
    columns = "".join("r" if numeric else "l" for numeric in grid.numeric)
    header = " & ".join(latex(cell) for cell in grid.header) + r" \\"
    body = [" & ".join(row) + r" \\" for row in zip(*_latex_columns(grid), strict=True)]
    long = len(grid.rows) > _LONGEST_ON_A_PAGE
    needs = "booktabs,longtable" if long else "booktabs"
    caption = [rf"\caption{{{latex(grid.caption)}}}"] if grid.caption else []
    label = [rf"\label{{tab:{grid.name}}}"] if grid.name and caption else []
    opening = [f"% needs \\usepackage{{{needs}}}", *(f"% {' '.join(c.split())}" for c in comments)]
    if long:
        titled = "".join((*caption, *label))
        lines = [
            rf"\begin{{longtable}}{{{columns}}}",
            *([titled + r"\\"] if titled else []),
            *(r"\toprule", header, r"\midrule", r"\endhead"),
            *body,
            r"\bottomrule",
            r"\end{longtable}",
        ]
        return "\n".join([*opening, *lines, ""])
    lines = [
        r"\begin{table}[t]",
        r"\centering",
        *caption,
        *label,
        rf"\begin{{tabular}}{{{columns}}}",
        *(r"\toprule", header, r"\midrule"),
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join([*opening, *lines, ""])


def _latex_columns(grid: Grid) -> list[list[str]]:
    columns = []
    for j, numeric in enumerate(grid.numeric):
        cells = [row[j] for row in grid.rows]
        written = [latex(cell) for cell in cells]
        if numeric:
            most = max((_decimals(cell) or 0 for cell in cells), default=0)
            written = [
                text + _padding(cell, most) for text, cell in zip(written, cells, strict=True)
            ]
        columns.append(written)
    return columns


def _padding(cell: str, most: int) -> str:
    """Room for the decimals that a number does not have, so that points are below each other."""
    own = _decimals(cell)
    if own is None or own >= most:
        return ""
    missing = "0" * (most - own)
    return rf"\phantom{{{'.' if own == 0 else ''}{missing}}}"


def _decimals(cell: str) -> int | None:
    found = _NUMBER.fullmatch(cell)
    if found is None or not cell:
        return None
    return len(found["decimals"] or ".") - 1


def grid_markdown(grid: Grid) -> str:
    """A Markdown table, its caption above it."""
    lines = [markdown(grid.caption), ""] if grid.caption else []
    lines += [
        _markdown_row(grid.header),
        "|" + "|".join("---:" if numeric else "---" for numeric in grid.numeric) + "|",
        *(_markdown_row(row) for row in grid.rows),
    ]
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(markdown(cell) for cell in cells) + " |"


def marked_markdown(found: MarkedTable) -> str:
    """A table of marks with rounded numbers, then its signature."""
    return f"{grid_markdown(found.grid())}\n{markdown(found.signature)}\n"


def marked_latex(found: MarkedTable) -> str:
    """A table of marks with rounded numbers, its signature as a comment."""
    return grid_latex(found.grid(), comments=(found.signature,))


def grid_html(grid: Grid) -> str:
    """An HTML table whose first column names the rows."""
    kinds = [" class=n" if numeric else "" for numeric in grid.numeric]
    caption = f"<caption>{html_text(grid.caption)}</caption>" if grid.caption else ""
    heads = "".join(
        f"<th scope=col{kind}>{html_text(cell)}</th>"
        for cell, kind in zip(grid.header, kinds, strict=True)
    )
    marked = grid.marked or (False,) * len(grid.rows)
    rows = []
    for row, is_marked in zip(grid.rows, marked, strict=True):
        # Each cell takes its direction from its own text.
        first = f"<th scope=row dir=auto{kinds[0]}>{html_text(row[0])}</th>"
        others = "".join(
            f"<td{kind}{'' if kind else ' dir=auto'}>{html_text(cell)}</td>"
            for cell, kind in zip(row[1:], kinds[1:], strict=True)
        )
        rows.append(f"<tr{' class=marked' if is_marked else ''}>{first}{others}</tr>")
    body = "\n".join(rows)
    return f"<table>{caption}<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def records_csv(records: Records) -> str:
    """CSV in full precision, its text quoted and guarded against being read as formulas.

    Some spreadsheets part cells at other signs than commas: within quotes they
    find none.
    """
    rows = [
        [_quoted(whole_name(name)) for name in records.header],
        *([_csv_cell(value) for value in row] for row in records.rows),
    ]
    return "".join(f"{','.join(row)}\n" for row in rows)


def frame_csv(frame: pd.DataFrame) -> bytes:
    """A data frame's columns as such a CSV, to be downloaded."""
    rows = tuple(frame.itertuples(index=False, name=None))
    return records_csv(Records(header=tuple(map(str, frame.columns)), rows=rows)).encode("utf-8")


def _csv_cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int):
        return str(value)
    return "" if math.isnan(value) else repr(float(value))


def _quoted(text: str) -> str:
    doubled = guarded(text).replace('"', '""')
    return f'"{doubled}"' if text else ""
