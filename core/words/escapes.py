"""Text made harmless for where it goes: LaTeX, Markdown, HTML, scripts, spreadsheets, shells."""

from __future__ import annotations

import html
import re
import shlex
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from .formatting import whole_name

# A spreadsheet takes a cell that begins so for a formula.
# The full-width signs are read as the others in East Asian versions.
FORMULA_STARTS = (*"=+-@", *"＝＋－＠", "\t", "\r", "\n")
_PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
_FIGURE = re.compile(r"[<>]? ?-?[0-9]*[.]?[0-9]+")

# Dashes and quotation marks, which BibTeX entries hold as well.
LATEX_PUNCTUATION: Mapping[str, str] = MappingProxyType(
    {"–": "--", "—": "---", "“": "``", "”": "''", "’": "'"}
)
_LATEX = {
    **LATEX_PUNCTUATION,
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    # At the start of a row these would be taken for arguments of the line break before it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "→": r"$\rightarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "−": "$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "α": r"$\alpha$",
    "χ": r"$\chi$",
    "κ": r"$\kappa$",
    "²": "$^{2}$",
    "∞": r"$\infty$",
    "…": r"\dots{}",
    "★": r"$^{\star}$",
    "†": r"$^{\dagger}$",
    "\u2068": "",
    "\u2069": "",
}
_MARKDOWN_SPECIAL = frozenset("\\`*_{}[]#!|<>~$@&")
# At the start of a text these begin a list or a heading.
_MARKDOWN_START = re.compile(r"^(\s*)([+=-]|[0-9]+(?=[.)]))")


def latex(text: str) -> str:
    """Text that LaTeX sets as it stands; its figures and signs in mathematics."""
    plain = _on_one_line(unicodedata.normalize("NFC", text))
    written = []
    for before, character in zip(" " + plain, plain, strict=False):
        # Two hyphens would become a dash.
        apart = "{}" if before == character == "-" else ""
        written.append(apart + _LATEX.get(character, character))
    return "".join(written).replace("k\u0302", r"$\hat{k}$")


def latex_within(text: str) -> str:
    """Text within a sentence as LaTeX: the spaces at its ends stay."""
    within = text.strip(" ")
    if not within:
        return " " if text else ""
    before, after = len(text) - len(text.lstrip(" ")), len(text) - len(text.rstrip(" "))
    return f"{' ' * before}{latex(within)}{' ' * after}"


def latex_typewriter(line: str) -> str:
    """A line that is copied, as LaTeX: a long one may be broken after each of its items."""
    bar = latex("|")
    broken = latex(line).replace(bar, rf"{bar}\allowbreak{{}}")
    return rf"\texttt{{{broken}}}"


def markdown(text: str) -> str:
    """Text in which Markdown reads no markup; figures stay as they are."""
    if _FIGURE.fullmatch(text):
        return text
    plain = _on_one_line(text)
    written = []
    for i, character in enumerate(plain):
        following = plain[i + 1 : i + 2]
        # A colon within a word begins an address, a colour or a picture in some dialects.
        in_word = character == ":" and following not in ("", " ")
        written.append(f"\\{character}" if character in _MARKDOWN_SPECIAL or in_word else character)
    joined = re.sub(r"www\.", r"www\\.", "".join(written), flags=re.IGNORECASE)
    found = _MARKDOWN_START.match(joined)
    if found is None:
        return joined
    at = found.end() if found[2][0].isdigit() else found.end(1)
    return f"{joined[:at]}\\{joined[at:]}"


def html_text(text: str, *, lines: bool = False) -> str:
    """Text for an element or a quoted attribute of HTML; with `lines`, line breaks stay."""
    parts = text.split("\n") if lines else [text]
    return html.escape("\n".join(_without_controls(part) for part in parts), quote=True)


def script_json(text: str) -> str:
    """JSON that can stand within a script element: it can neither end it nor be a comment."""
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def shell_word(text: str) -> str:
    """A word for a shell, control characters in it written as escapes."""
    if text == whole_name(text):
        return shlex.quote(text)
    escaped = "".join(
        character
        if character.isprintable() and character not in "'\\"
        else f"\\{character}"
        if character in "'\\"
        else f"\\U{ord(character):08x}"
        for character in text
    )
    return f"$'{escaped}'"


def guarded(cell: str) -> str:
    """A text cell that no spreadsheet takes for a formula; a plain number is none."""
    if not cell.startswith(FORMULA_STARTS) or _PLAIN_NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def _on_one_line(text: str) -> str:
    return " ".join(_without_controls(text).split())


def _without_controls(text: str) -> str:
    return "".join(
        " " if unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} else character
        for character in text
    )
