"""Marks and emphasis around a number in a cell, as LaTeX and Markdown write them."""

from __future__ import annotations

import re

from core.data.tables.numbers import DASH_CLASS

# A number as tables print it, with a relation before and a spread after it.
_NUMBER = rf"(?P<number>[<>=≤≥≈~]?\s*[+{DASH_CLASS}]?(?:[0-9]+(?:[.,][0-9]+)*|[.,][0-9]+)%?)"
_SPREAD = r"(?P<spread>\s*±\s*[0-9.,]*[0-9]%?)?"
_SIGNS = r"*†‡§¶∗⋆★"
# Behind a power sign: signs, or letters that point to a footnote. Digits may be an exponent.
_RAISED = re.compile(rf"{_NUMBER}\s*\^\s*(?P<marks>[{_SIGNS}#+a-zA-Z,\s]+?){_SPREAD}")
_SUBSCRIPT_SPREAD = re.compile(rf"{_NUMBER}\s*_\s*(?P<spread>±\s*[0-9.,]*[0-9]%?)")
_STARS = r"(\*{1,3}|_{1,3})"
_EMPHASIS = re.compile(rf"{_STARS}(?=\S)(.+?)(?<=\S)\1")
_TAGS = re.compile(r"</?(?:sup|sub|b|strong|i|em|u)>", re.IGNORECASE)


def without_raised_marks(cell: str) -> tuple[str, str]:
    """A cell whose number has no raised mark, and the mark; signs stay beside the number.

    ``93.12^*`` becomes ``93.12*`` and ``93.12^a`` becomes ``93.12``; powers of ten and
    cells that are no number stay as they are.
    """
    below = _SUBSCRIPT_SPREAD.fullmatch(cell)
    if below is not None:
        return f"{below['number']} {below['spread']}", ""
    found = _RAISED.fullmatch(cell)
    if found is None:
        return cell, ""
    marks = re.sub(r"[,\s]", "", found["marks"])
    signs = "".join(mark for mark in marks if mark in _SIGNS)
    # A spread and signs are never both read: the spread says more.
    rest = found["spread"] or signs
    return f"{found['number']}{rest}", marks


def without_markdown(cell: str) -> tuple[str, tuple[str, ...]]:
    r"""A cell without Markdown's emphasis, escapes and tags around its number, and what was taken off."""
    taken: list[str] = []
    text = cell
    while (shorter := _EMPHASIS.sub(r"\2", text, count=1)) != text:
        found = _EMPHASIS.search(text)
        assert found is not None
        taken.append(found[1])
        text = shorter
    if _TAGS.search(text):
        taken += [found.lower() for found in _TAGS.findall(text) if not found.startswith("</")]
        raised = re.sub(r"<sup>\s*([^<]*?)\s*</sup>", r"^\1", text, flags=re.IGNORECASE)
        text = _TAGS.sub("", raised)
    if re.search(r"\\[*_]", text):
        taken.append("backslashes before signs")
        text = re.sub(r"\\([*_])", r"\1", text)
    text, marks = without_raised_marks(text.strip())
    if marks:
        taken.append("^")
    # Only around numbers: a name may hold these signs, and two names must not become one.
    if not re.match(rf"{_NUMBER}(?![0-9a-zA-Z])", text):
        return cell, ()
    return text, tuple(dict.fromkeys(taken))
