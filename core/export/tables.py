"""Tables of a report as Markdown, HTML, CSV and sheets of an Excel workbook.

The workbook is written part by part, since openpyxl writes sheets by way of files on
disk, and nothing of a user's shall leave memory: text is text, numbers have every digit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from ..data.sources.files import zipped
from ..sections.marked import MarkedTable
from ..sections.parts import Grid, Records, Value
from ..shown import DataFrame
from ..words.formatting import FORMULA_STARTS, guarded, html_text, markdown, whole_name

# What no XML may hold, beside the control characters that no name has.
_NO_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
# What Excel holds in one cell.
_LONGEST_TEXT = 32_767
_NARROWEST, _WIDEST = 12, 48
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEETS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# Styles by their number: plain, bold, and text that begins as a formula would, both ways.
_BOLD, _AS_TYPED = 1, 2
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}">'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="4">'
    + "".join(
        f'<xf numFmtId="0" fontId="{style & _BOLD}" fillId="0" borderId="0" xfId="0"'
        f"{' applyFont=' + quoteattr('1') if style & _BOLD else ''}"
        f"{' quotePrefix=' + quoteattr('1') if style & _AS_TYPED else ''}/>"
        for style in range(4)
    )
    + '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/>'
    "</cellStyles></styleSheet>"
)


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


def frame_csv(frame: DataFrame) -> bytes:
    """A data frame's columns as such a CSV, to be downloaded."""
    import pandas as pd

    def plain(cell: Any) -> Value:
        # Columns of whole numbers with gaps hold NumPy's integers, and NA in the gaps.
        if cell is pd.NA:
            return None
        value: Value = cell.item() if isinstance(cell, np.generic) else cell
        return value

    rows = tuple(tuple(map(plain, row)) for row in frame.itertuples(index=False, name=None))
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


def workbook_of(sheets: Mapping[str, Records]) -> bytes:
    """An .xlsx file of these sheets, by their names; the heading and first column stay in view."""

    def relations(*parts: tuple[str, str]) -> str:
        listed = "".join(
            f'<Relationship Id="rId{i}" Type="{_DOCUMENT}/{kind}" Target="{target}"/>'
            for i, (kind, target) in enumerate(parts, start=1)
        )
        return f'<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'

    paths = [f"worksheets/sheet{i}.xml" for i in range(1, len(sheets) + 1)]
    types = {
        "workbook.xml": "sheet.main",
        "styles.xml": "styles",
        **dict.fromkeys(paths, "worksheet"),
    }
    overrides = "".join(
        f'<Override PartName="/xl/{path}" ContentType="{_SHEETS}.{kind}+xml"/>'
        for path, kind in types.items()
    )
    listed = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{i}" r:id="rId{i}"/>'
        for i, name in enumerate(sheets, start=1)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>',
        "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}"><sheets>{listed}</sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": relations(
            *(("worksheet", path) for path in paths), ("styles", "styles.xml")
        ),
        "xl/styles.xml": _STYLES,
        **{f"xl/{path}": _sheet(own) for path, own in zip(paths, sheets.values(), strict=True)},
    }
    return zipped({name: f"{_HEAD}{text}".encode() for name, text in parts.items()})


def _sheet(records: Records) -> str:
    rows = [[_cell(name, bold=True) for name in records.header]]
    rows += [[_cell(value) for value in row] for row in records.rows]
    written = "".join(f"<row>{''.join(cells)}</row>" for cells in rows)
    widths = []
    for i, column in enumerate(zip(records.header, *records.rows, strict=True), start=1):
        # As wide as the longest text; numbers are rounded to what there is room for.
        longest = max(len(value) for value in column if isinstance(value, str))
        width = min(max(longest + 2, _NARROWEST), _WIDEST)
        widths.append(f'<col min="{i}" max="{i}" width="{width}" customWidth="1"/>')
    columns = f"<cols>{''.join(widths)}</cols>" if widths else ""
    return (
        f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>'
        f"</sheetView></sheetViews>{columns}<sheetData>{written}</sheetData></worksheet>"
    )


def _cell(value: Value, *, bold: bool = False) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        value = None if math.isnan(value) else "∞" if value > 0.0 else "−∞"
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, int | float):
        number = int(value) if isinstance(value, int) else repr(float(value))
        return f"<c><v>{number}</v></c>"
    # Whatever it begins with, it is no formula, nor becomes one when it is edited.
    style = _BOLD * bold + _AS_TYPED * value.startswith(FORMULA_STARTS)
    text = escape(_NO_XML.sub(" ", whole_name(value))[:_LONGEST_TEXT])
    kind = f' s="{style}"' if style else ""
    return f'<c{kind} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
