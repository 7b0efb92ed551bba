"""Headings cut where something stands between their parts, in time that grows with their length.

A pattern that tries every cut takes time with its square, and a file may have
a heading as long as a book.
"""

from __future__ import annotations

import re

# What stands apart by capitals alone stands apart: "correctA".
_LOWER = re.compile("[a-z0-9]")
_UPPER = re.compile("[A-Z]")


def is_separator(letter: str) -> bool:
    """Whether a letter stands between parts of a heading."""
    return letter.isspace() or letter in "_.:/-"


def after_separators(text: str, start: int = 0) -> int:
    """Where the separators that begin at `start` end."""
    while start < len(text) and is_separator(text[start]):
        start += 1
    return start


def before_separators(text: str, end: int) -> int:
    """Where the separators that end at `end` begin."""
    while end > 0 and is_separator(text[end - 1]):
        end -= 1
    return end


def first_part(text: str) -> tuple[str, str]:
    """What stands before the first separators, and what after them."""
    end = next((index for index, letter in enumerate(text) if is_separator(letter)), len(text))
    return text[:end], text[after_separators(text, end) :]


def last_part(text: str) -> tuple[str, str]:
    """What stands before the last separators, and what after them."""
    start = len(text)
    while start > 0 and not is_separator(text[start - 1]):
        start -= 1
    return text[: before_separators(text, start)], text[start:]


def rest_beside(text: str, phrase: str) -> str | None:
    """What a heading has before or after the words of a phrase, '' for these alone; None without them.

    Between the words may stand separators or nothing; between the phrase and
    the rest separators, brackets or a change to capitals.
    """
    words = phrase.split()
    end = _end_at_start(text, words)
    if end is not None:
        after = text[end:]
        if not after:
            return ""
        inside = _in_brackets(after)
        if inside is not None:
            return inside
        rest = after[after_separators(after) :]
        if rest and (len(rest) < len(after) or _is_change(text[end - 1], after[0])):
            return rest.strip()
    start = _start_at_end(text, words)
    if start is None:
        return None
    before = text[: before_separators(text, start)]
    if before and (len(before) < start or _is_change(before[-1], text[start])):
        return before.strip()
    return None


def _end_at_start(text: str, words: list[str]) -> int | None:
    """Where the words end with which a text starts; None if it starts with others."""
    place = 0
    for index, word in enumerate(words):
        if index:
            place = _skip(text, place)
        if text[place : place + len(word)].lower() != word:
            return None
        place += len(word)
    return place


def _start_at_end(text: str, words: list[str]) -> int | None:
    """Where the words start with which a text ends; None if it ends with others."""
    place = len(text)
    for index, word in enumerate(reversed(words)):
        if index:
            while place > 0 and _joins(text[place - 1]):
                place -= 1
        if place < len(word) or text[place - len(word) : place].lower() != word:
            return None
        place -= len(word)
    return place


def _skip(text: str, place: int) -> int:
    while place < len(text) and _joins(text[place]):
        place += 1
    return place


def _joins(letter: str) -> bool:
    """Whether a letter may stand between the words of one phrase."""
    return letter.isspace() or letter in "_.-"


def _in_brackets(after: str) -> str | None:
    bare = after.strip()
    inside = bare[1:-1]
    if bare[0] not in "([" or bare[-1] not in ")]" or not inside:
        return None
    return None if any(bracket in inside for bracket in "()[]") else inside.strip()


def _is_change(before: str, after: str) -> bool:
    return bool(_LOWER.fullmatch(before) and _UPPER.fullmatch(after))
