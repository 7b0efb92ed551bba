"""Letters of a page as words and lines, and where tables stand among them, with their captions.

A table stands between rules of equal ends, or in lines of numbers. Distances are in units of the
font's size, as they grow with it.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ...document import NUMBER, SIGNS, VALUE, is_caption
from .pdf_page import Page, Rule, Word

# A gap between words of a text, in em.
WORD_GAP = 0.13
T = TypeVar("T")


def joined(words: Sequence[Word], text: str, doubt: str = "") -> Word:
    """Words as one with such a text, on the line of the first."""
    return Word(
        text=text,
        x0=min(word.x0 for word in words),
        x1=max(word.x1 for word in words),
        base=words[0].base,
        top=min(word.top for word in words),
        bottom=max(word.bottom for word in words),
        size=max(word.size for word in words),
        bold=all(word.bold or not any(map(str.isalnum, word.text)) for word in words),
        doubt=next((word.doubt for word in words if word.doubt), doubt),
    )


def gathered(things: Iterable[T], joins: Callable[[list[T], T], bool]) -> list[list[T]]:
    """Things in groups, in their order: each joins the last group or begins another."""
    groups: list[list[T]] = []
    for thing in things:
        if groups and joins(groups[-1], thing):
            groups[-1].append(thing)
        else:
            groups.append([thing])
    return groups


def words_of(letters: Sequence[Word]) -> list[Word]:
    """Letters joined where no gap lies between them; raised and lowered ones are words of their own."""
    rows = gathered(
        sorted(letters, key=lambda each: each.base),
        lambda row, letter: letter.base - row[0].base <= 0.3,
    )
    return [
        joined(own, "".join(letter.text for letter in own))
        for row in rows
        for own in gathered(
            sorted(row, key=lambda each: each.x0),
            lambda word, letter: (
                letter.x0 - max(each.x1 for each in word) < WORD_GAP * letter.size
                and abs(letter.size - word[0].size) < 0.12 * word[0].size
            ),
        )
    ]


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
        both = joined((host, word), host.text)
        is_raised = word.base < host.base
        hosts[i] = replace(
            both,
            size=host.size,
            bold=host.bold,
            raised=host.raised + text * is_raised,
            lowered=host.lowered + text * (not is_raised),
            doubt=doubt,
        )
    return list(hosts.values())


def lines_of(words: Iterable[Word], middle: float) -> list[Word]:
    """Words of one height as one, lines from top to bottom."""
    lines = gathered(
        sorted(words, key=lambda each: each.base),
        lambda line, word: word.base - line[0].base < 0.45 * max(word.size, line[0].size),
    )

    def goes_on(line: list[Word], word: Word) -> bool:
        last = line[-1]
        gap = (word.x0 - last.x1) / max(last.size, word.size)
        # Two columns of text may lie as close as words of a justified line.
        between = last.x1 < middle + 8 and word.x0 > middle - 8 and gap > 0.6
        return not (gap > 1.1 or between)

    # One line of two columns, or of two tables, is several where a wide gap lies between.
    parts = [p for line in lines for p in gathered(sorted(line, key=lambda w: w.x0), goes_on)]
    return [joined(part, text_of(part)) for part in parts]


def text_of(line: Sequence[Word]) -> str:
    """The words of a line with spaces between them."""
    text = ""
    for last, word in zip([None, *line], line, strict=False):
        gap = word.x0 - last.x1 if last is not None else 0.0
        text += (" " if gap > WORD_GAP * word.size else "") + word.text
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A rectangle of a page, in points."""

    x0: float
    x1: float
    top: float
    bottom: float

    def holds(self, x: float, y: float, *, within: float = 0.0) -> bool:
        """Whether a place lies in it, or at most so far out."""
        return (
            self.x0 - within <= x <= self.x1 + within
            and self.top - within <= y <= self.bottom + within
        )


def may_hold_table(text: str) -> bool:
    """Whether a page's text has a caption of a table, or as many decimals as a table has."""
    return (
        re.search(r"\btab(le|\.|elle|leau)", text, re.I) is not None
        or len(re.findall(r"[0-9]?[.,][0-9]+", text)) >= 8
    )


def regions_of(page: Page, lines: Sequence[Word]) -> list[Region]:
    """Every region that may hold a table, from top to bottom."""
    found = _ruled_regions(page, lines)
    found += _bare_regions(page, lines, found)
    return sorted(found, key=lambda region: (region.top, region.x0))


def _ruled_regions(page: Page, lines: Sequence[Word]) -> list[Region]:
    """Between lying rules of equal ends, as far as no caption or running text lies between them."""
    groups: list[list[Rule]] = []
    for rule in page.lying:
        if rule.end - rule.start < 30.0:
            continue
        for group in groups:
            if abs(group[0].start - rule.start) < 3.0 and abs(group[0].end - rule.end) < 3.0:
                group.append(rule)
                break
        else:
            groups.append([rule])
    # What cells hold may stand out beyond the rules of a grid a little.
    found = [
        Region(x0=first.start - 1.0, x1=first.end + 4.0, top=first.at - 1.0, bottom=last.at + 1.0)
        for group in groups
        for chain in gathered(group, lambda chain, rule: _belong(chain[-1], rule, lines))
        for first, last in [(chain[0], chain[-1])]
        if last.at - first.at > 8.0
    ]
    return [
        region
        for region in found
        if not any(
            other is not region
            and other.holds(region.x0, region.top, within=3.0)
            and other.holds(region.x1, region.bottom, within=3.0)
            for other in found
        )
    ]


def _belong(upper: Rule, lower: Rule, lines: Sequence[Word]) -> bool:
    """Whether two rules are of one table."""
    between = [
        line
        for line in lines
        if upper.at < line.base < lower.at + 1.0 and line.x0 < upper.end and line.x1 > upper.start
    ]
    if not between:
        return lower.at - upper.at < 20.0
    width = upper.end - upper.start
    prose = [line for line in between if _is_prose(line, width)]
    return len(prose) < 3 and not any(is_caption(line.text) for line in between)


def _is_prose(line: Word, width: float) -> bool:
    words = line.text.split()
    has_number = any(map(NUMBER.fullmatch, words[1:]))
    return line.x1 - line.x0 > 0.6 * width and len(words) > 4 and not has_number


def _bare_regions(page: Page, lines: Sequence[Word], ruled: Sequence[Region]) -> list[Region]:
    """Stretches of lines that hold numbers in columns, where no rules say where a table ends."""
    free = [
        line
        for line in lines
        if not any(region.holds(line.x0, line.base, within=2.0) for region in ruled)
    ]
    middle = page.width / 2
    prose = [line for line in free if _is_prose(line, 0.45 * page.width)]
    left = sum(line.x1 < middle + 6 for line in prose)
    right = sum(line.x0 > middle - 6 for line in prose)
    zones = [(0.0, page.width, free)]
    if min(left, right) >= 3 and len(prose) - left - right < (left + right) / 2:
        # Where text stands in the other column, a table ends at the middle.
        def beside(line: Word) -> bool:
            near = [p for p in prose if abs(p.base - line.base) < 1.5 * line.size]
            return any((p.x0 > middle - 6) != (line.x0 > middle - 6) for p in near)

        narrow = [line for line in free if beside(line)]
        zones = [
            (0.0, middle, narrow),
            (middle - 6, page.width, narrow),
            (0.0, page.width, [line for line in free if line not in narrow]),
        ]
    found = []
    for start, end, those in zones:
        own = [line for line in those if start <= line.x0 and line.x1 <= end + 6]
        rows = gathered(
            sorted(own, key=lambda each: (round(each.base), each.x0)),
            lambda row, line: abs(row[0].base - line.base) < 0.45 * line.size,
        )
        for stretch in gathered(rows, _goes_on):
            while stretch and not _is_row(stretch[-1]):
                stretch.pop()
            while stretch and not _is_row(stretch[0]):
                stretch.pop(0)
            numbered = [r for r in stretch if any(VALUE.fullmatch(part.text) for part in r)]
            if len(numbered) >= 2 and len(stretch) >= 3:
                box = joined([part for row in stretch for part in row], "")
                found.append(
                    Region(
                        x0=box.x0 - 2.0, x1=box.x1 + 2.0, top=box.top - 1.0, bottom=box.bottom + 1.0
                    )
                )
    return found


def _goes_on(stretch: Sequence[list[Word]], row: list[Word]) -> bool:
    """Whether a row is near the last one, and another of the table, or alone and the heading of some."""
    is_near = row[0].base - stretch[-1][0].base < 3.2 * row[0].size
    heads = len(row) == 1 and len(row[0].text.split()) <= 4 and not is_caption(row[0].text)
    return is_near and (_is_row(row) or heads)


def _is_row(row: Sequence[Word]) -> bool:
    is_prose = any(len(part.text.split()) > 8 for part in row)
    return len(row) >= 2 and not is_prose and not is_caption(row[0].text)


def caption_of(region: Region, captions: Mapping[int, Word], lines: Sequence[Word]) -> list[int]:
    """The lines of the nearest caption above or below, at most forty points away."""
    near = []
    for i, line in captions.items():
        apart = line.x0 > region.x1 or line.x1 < region.x0
        block = _block(i, lines)
        last = lines[block[-1]]
        away = min(abs(region.top - last.bottom), abs(line.top - region.bottom))
        inside = region.holds(line.x0, line.base)
        if away < 40.0 and not inside and not apart:
            near.append((away, block))
    return min(near, default=(0.0, []))[1]


def _block(first: int, lines: Sequence[Word]) -> list[int]:
    """A line and those below it that go on in the same place and size."""
    block = [first]
    for i in range(first + 1, len(lines)):
        last, line = lines[block[-1]], lines[i]
        below = line.base - last.base
        if below > 1.7 * last.size:
            break
        overlaps = line.x0 < lines[first].x1 and line.x1 > lines[first].x0
        ended = last.x1 < lines[first].x1 - 3 * last.size and len(block) > 1
        same_size = abs(line.size - last.size) < 0.6
        if (
            below > 0.5 * last.size
            and overlaps
            and same_size
            and not ended
            and not is_caption(line.text)
        ):
            block.append(i)
        if len(block) == 8:
            break
    return block


def notes_below(region: Region, lines: Sequence[Word]) -> tuple[str, ...]:
    """Lines right below a table that say what its marks mean."""
    found = []
    for line in lines:
        below = line.base - region.bottom
        if 0 < below < 40.0 and region.holds(line.x0, region.bottom, within=6.0) and re.match(rf"([{SIGNS}]|notes?\b|legend\b)", line.text, re.I):  # fmt: skip
            found.append(line.text)
    return tuple(found)
