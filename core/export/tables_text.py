"""One table of a report as Markdown, HTML and CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..sections.marked import MarkedTable
from ..sections.parts import Grid, Records, Value
from ..words.formatting import guarded, html_text, markdown, whole_name

if TYPE_CHECKING:
    import pandas as pd


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
