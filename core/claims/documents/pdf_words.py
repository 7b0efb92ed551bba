"""Letters of a page as words and lines, with what is raised or lowered behind them.

Vocabulary
----------
word
    Letters without a gap, with what is raised or lowered behind it.
em
    The size of the font; distances are in its units, as they grow with it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from .pdf_page import Letter
from .table import SIGNS

# A gap between words of a text, in em.
WORD_GAP = 0.13


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """Letters without a gap.

    Attributes
    ----------
    x0, x1, base, top, bottom, size, bold
        As of a letter, around all of them and what is raised or lowered behind them.
    raised, lowered : str
        What stands smaller and higher, or lower, beside them.
    doubt : str
        Why the text may be another; empty where nothing is wrong.
    """

    text: str
    x0: float
    x1: float
    base: float
    top: float
    bottom: float
    size: float
    bold: bool
    raised: str = ""
    lowered: str = ""
    doubt: str = ""


def words_of(letters: Sequence[Letter]) -> list[Word]:
    """Letters joined where no gap lies between them; raised and lowered ones are words of their own."""
    rows: dict[float, list[Letter]] = {}
    bases: list[float] = []
    for letter in sorted(letters, key=lambda each: each.base):
        if not bases or letter.base - bases[-1] > 0.3:
            bases.append(letter.base)
        rows.setdefault(bases[-1], []).append(letter)
    found: list[list[Letter]] = []
    for row in rows.values():
        last: Letter | None = None
        for letter in sorted(row, key=lambda each: each.x0):
            joins = (
                last is not None
                and letter.x0 - max(each.x1 for each in found[-1]) < WORD_GAP * letter.size
                and abs(letter.size - last.size) < 0.12 * last.size
            )
            if joins:
                found[-1].append(letter)
            else:
                found.append([letter])
                last = letter
    return [_word(own) for own in found]


def _word(letters: Sequence[Letter]) -> Word:
    return Word(
        text="".join(letter.text for letter in letters),
        x0=letters[0].x0,
        x1=max(letter.x1 for letter in letters),
        base=letters[0].base,
        top=min(letter.top for letter in letters),
        bottom=max(letter.bottom for letter in letters),
        size=letters[0].size,
        bold=all(letter.bold or not letter.text.isalnum() for letter in letters),
        doubt=next((letter.fault for letter in letters if letter.fault), ""),
    )


def with_scripts(words: Sequence[Word]) -> list[Word]:
    """Words with the smaller ones beside them that stand higher or lower."""
    ordered = sorted(words, key=lambda word: word.x0)
    starts = [word.x0 for word in ordered]
    hosts = dict(enumerate(ordered))
    for k, word in enumerate(ordered):
        above = [
            i
            for i, other in enumerate(ordered[: bisect_left(starts, word.x1 + word.size)])
            if i in hosts
            and other.size > 1.12 * word.size
            and 0.1 * other.size < abs(word.base - other.base) < 0.75 * other.size
        ]
        near = [i for i in above if -0.4 < (word.x0 - ordered[i].x1) / ordered[i].size < 0.34]
        before = [i for i in above if -0.1 < (ordered[i].x0 - word.x1) / ordered[i].size < 0.2]
        if not near and not before:
            continue
        i = max(near, key=lambda i: ordered[i].x1) if near else before[0]
        host, own = hosts[i], hosts.pop(k)
        # What stood beside it goes with it.
        text = own.text + own.raised + own.lowered
        doubt = host.doubt or own.doubt
        if not near and not all(sign in SIGNS for sign in text):
            doubt = doubt or f"A raised {text} stands before it."
        is_raised = word.base < host.base
        hosts[i] = replace(
            host,
            raised=host.raised + text * is_raised,
            lowered=host.lowered + text * (not is_raised),
            x0=min(host.x0, word.x0),
            x1=max(host.x1, word.x1),
            top=min(host.top, word.top),
            bottom=max(host.bottom, word.bottom),
            doubt=doubt,
        )
    return list(hosts.values())


def lines_of(words: Iterable[Word], middle: float) -> list[list[Word]]:
    """Words of one height, from left to right; lines from top to bottom."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda each: each.base):
        if lines and word.base - lines[-1][0].base < 0.45 * max(word.size, lines[-1][0].size):
            lines[-1].append(word)
        else:
            lines.append([word])
    # One line of two columns, or of two tables, is several where a wide gap lies between.
    cut: list[list[Word]] = []
    for line in lines:
        line.sort(key=lambda each: each.x0)
        cut.append([line[0]])
        for last, word in pairwise(line):
            gap = (word.x0 - last.x1) / max(last.size, word.size)
            # Two columns of text may lie as close as words of a justified line.
            between = last.x1 < middle + 8 and word.x0 > middle - 8 and gap > 0.6
            if gap > 1.1 or between:
                cut.append([])
            cut[-1].append(word)
    return cut


def text_of(line: Sequence[Word]) -> str:
    """The words of a line with spaces between them."""
    text = ""
    for last, word in zip([None, *line], line, strict=False):
        gap = word.x0 - last.x1 if last is not None else 0.0
        text += (" " if gap > WORD_GAP * word.size else "") + word.text
    return text
