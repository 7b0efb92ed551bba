"""One part of files' names spelled in two ways, as "ende" and "en-de": told, never settled here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from core.data.words import quoted
from core.errors import Problem

# Shorter parts are too often alike by chance; numbers joined are other numbers.
_LEAST_LETTERS = 4


def spelled_otherwise(paths: Sequence[str], *, named: str) -> list[Problem]:
    """A problem for each file that spells in one word what others spell in two, or the other way.

    Of the two spellings that which fewer files have is told of.

    Parameters
    ----------
    paths : sequence of str
        As they are shown.
    named : {"file", "sheet"}
        What has the names.
    """
    # For each part by its letters alone: what it is in which files.
    joined: dict[str, dict[str, str]] = {}
    apart: dict[str, dict[str, str]] = {}
    for path in paths:
        words = list(re.finditer(r"[^\W_]+", path))
        for word in words:
            joined.setdefault(word[0].casefold(), {}).setdefault(path, word[0])
        for first, second in pairwise(words):
            key = (first[0] + second[0]).casefold()
            if second.start() - first.end() == 1 and key.isalpha() and len(key) >= _LEAST_LETTERS:
                apart.setdefault(key, {}).setdefault(path, path[first.start() : second.end()])
    found: dict[str, Problem] = {}
    for key in apart.keys() & joined.keys():
        both = apart[key].keys() & joined[key].keys()
        one, other = (
            {path: held for path, held in own.items() if path not in both}
            for own in (joined[key], apart[key])
        )
        if not one or not other:
            continue
        few, many = (one, other) if len(one) <= len(other) else (other, one)
        beside, usual = next(iter(many.items()))
        for path, held in few.items():
            found.setdefault(
                path,
                Problem(
                    what=f"It has no partner: its name says {quoted(held)}, where that of "
                    f"{quoted(beside)} says {quoted(usual)}.",
                    remedy=f"If both mean the same, spell it alike in the names of all {named}s.",
                    file=path,
                ),
            )
    return [found[path] for path in paths if path in found]
