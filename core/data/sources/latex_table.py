r"""The rows of a LaTeX tabular, without its commonest markup."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.data.sources.cell_markup import without_raised_marks

_ROW_END = re.compile(r"\\\\(\s*\[[^\]]*\])?|\\tabularnewline\b")
_CELL_END = re.compile(r"(?<!\\)&")
_COMMENT = re.compile(r"(?<!\\)%.*")
_RULES = re.compile(
    r"\\(hline|toprule|midrule|bottomrule|centering|small|footnotesize|cmidrule(\([^)]*\))?"
    r"\{[^}]*\}|cline\{[^}]*\}|addlinespace(\[[^\]]*\])?)(?![a-zA-Z])"
)
_FRAME = re.compile(
    r"\\(begin|end)\{(tabular|tabularx|tabular\*|table|table\*|center|longtable|small)\}"
    r"(\[[^\]]*\])?"
)
_CAPTION = re.compile(r"\\(caption|label|setlength|resizebox|vspace)\b.*")
_COMMANDS = re.compile(
    r"\\(textbf|textit|emph|underline|texttt|textsc|textrm|mathbf|mathrm|bm|text|mbox)\s*\{([^{}]*)\}"
)
_SWITCHES = re.compile(
    r"\\(bf|it|bfseries|itshape|rm|boldmath|tiny|scriptsize|footnotesize|small)(?![a-zA-Z])\s*"
)
_RAISED_TEXT = re.compile(r"\\(?:textsuperscript|textsubscript|sp|tnote)\s*\{")
_MATH = re.compile(r"(?<!\\)\$([^$]*?)(?<!\\)\$")
_SIGNS = (
    (r"\times", "×"), (r"\cdot", "·"), (r"\approx", "≈"), (r"\leq", "≤"), (r"\geq", "≥"),
    (r"\le", "≤"), (r"\ge", "≥"), (r"\ll", "<"), (r"\lt", "<"), (r"\pm", "±"),
    (r"\dagger", "†"), (r"\ddagger", "‡"), (r"\textless", "<"), (r"\textgreater", ">"),
    (r"\ast", "*"), (r"\star", "⋆"), (r"\bigstar", "★"), (r"\textasteriskcentered", "*"),
    (r"\dag", "†"), (r"\ddag", "‡"), (r"\textdagger", "†"), (r"\textdaggerdbl", "‡"),
    (r"\S", "§"), (r"\P", "¶"), (r"\rightarrow", "→"), (r"\leftarrow", "←"), (r"\to", "→"),
)  # fmt: skip
_ESCAPED = re.compile(r"\\([%_&#${}])")
_ARGUMENTS = re.compile(r"\s*(\{(?:[^{}]|\{[^{}]*\})*\}\s*){1,2}")


def is_latex(text: str) -> bool:
    r"""Whether text is a tabular: cells between "&", rows ended by two backslashes."""
    return _CELL_END.search(text) is not None and _ROW_END.search(text) is not None


def latex_rows(lines: Sequence[str]) -> tuple[list[tuple[int, list[str]]], tuple[str, ...]]:
    r"""Line and cells of each row, and what was taken off."""
    rows: list[tuple[int, list[str]]] = []
    held, begins = "", 0
    for number, line in enumerate(lines, start=1):
        bare = _outside(_COMMENT.sub("", line))
        if not held:
            begins = number
        held += (" " if held else "") + bare.strip()
        while (end := _ROW_END.search(held)) is not None:
            row, held = held[: end.start()].strip(), held[end.end() :].strip()
            if row:
                rows.append((begins, _cells(row)))
            begins = number
    if held.strip() and _CELL_END.search(held):
        rows.append((begins, _cells(held)))
    markup = _markup(lines)
    remarks = ["The text is read as a LaTeX table."]
    marks = [mark for _, cells in rows for cell in cells for mark in [_plain(cell)[1]] if mark]
    if marks:
        markup.append(f"superscripts ({', '.join(dict.fromkeys(marks))})")
    if markup:
        remarks.append(f"Taken off around cells: {', '.join(markup)}.")
    plain = [(n, [_plain(cell)[0] for cell in cells]) for n, cells in rows]
    return _one_a_line(plain), tuple(remarks)


def _outside(line: str) -> str:
    """A line without what stands around rows."""
    found = _FRAME.search(line)
    if found is not None:
        rest = line[found.end() :]
        if found[1] == "begin" and found[2].startswith(("tabular", "longtable")):
            rest = _ARGUMENTS.sub("", rest, count=1)
        line = line[: found.start()] + rest
    return _CAPTION.sub("", _RULES.sub("", line))


def _cells(row: str) -> list[str]:
    return _CELL_END.split(row)


def _plain(cell: str) -> tuple[str, str]:
    """A cell without markup, and the superscript mark that its number had."""
    cell = _RAISED_TEXT.sub(lambda found: "_{" if "subscript" in found[0] else "^{", cell.strip())
    text = _SWITCHES.sub("", cell.strip())
    # Before "$" goes, which is where the command ends: $\rightarrow$Tag.
    for command, sign in _SIGNS:
        text = re.sub(re.escape(command) + r"(?![a-zA-Z])", sign, text)
    text = _MATH.sub(lambda found: found[1].strip(), text)
    while (shorter := _COMMANDS.sub(lambda found: found[2], text)) != text:
        text = shorter
    text = re.sub(r"\s*([×·])\s*", r"\1", text)
    text = re.sub(r"\^\{([^{}]*)\}", r"^\1", text)
    text = re.sub(r"(?<!\\)~", " ", text)
    text = re.sub(r"(?<!\\)\{([^{}]*)\}", r"\1", text)
    # What was {} between a number and its marks leaves no trace.
    text = re.sub(r"\^\s*\^", "^", text)
    return without_raised_marks(_ESCAPED.sub(r"\1", text).strip())


def _markup(lines: Sequence[str]) -> list[str]:
    """The markup that stood in the cells, each kind once."""
    text = "\n".join(lines)
    found = [f"\\{name}" for name in dict.fromkeys(m[1] for m in _COMMANDS.finditer(text))]
    found += [f"\\{name}" for name in dict.fromkeys(m[1] for m in _SWITCHES.finditer(text))]
    if _MATH.search(text):
        found.append("$")
    if _ESCAPED.search(_FRAME.sub("", text)):
        found.append("backslashes before signs")
    found += [
        command for command, _ in _SIGNS if re.search(re.escape(command) + r"(?![a-zA-Z])", text)
    ]
    return found


def _one_a_line(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Rows whose lines count up: several on one line take the next ones."""
    counted: list[tuple[int, list[str]]] = []
    last = 0
    for number, cells in rows:
        last = max(number, last + 1)
        counted.append((last, cells))
    return counted
