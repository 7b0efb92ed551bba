"""What the words of files' names say: which hold gold, and how plainly they say so.

Vocabulary
----------
gold
    What outputs are judged by: references, or annotations by people.
rest
    The words of a gold file's name that do not say that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_GOLD_WORDS = frozenset(
    {"ref", "refs", "reference", "references", "gold", "golds", "goldstandard", "target",
     "targets", "tgt", "truth", "groundtruth"}
)  # fmt: skip
_SOURCE_WORDS = frozenset({"src", "srcs", "source", "sources"})
# Several references are told apart by letters too, as in WMT's "refA".
_LETTERED = re.compile(r"(ref|reference)[a-d]")
_NUMBER = re.compile(r"(?<=[a-z])\d+$")
# Beside the word for gold, these number several references of one dataset.
_NUMBERING = re.compile(r"\d+|[a-z]")
# Parts of datasets and kinds of files, which no system is called after.
_PART = re.compile(
    r"\d+|(news|general)?test[a-d]?\d*|(dev|devtest|valid|validation|val|train|eval)\d*"
    r"|txt|text|conll|conllu|bio|iob\d?|tok|detok|out"
)
# Codes of languages that are no other words.
_LANGUAGES = frozenset(
    ["ar", "bg", "bn", "cs", "cz", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "gu",
     "he", "hi", "hr", "hu", "it", "ja", "kk", "km", "ko", "lt", "lv", "nl", "pl", "ps", "pt",
     "ro", "ru", "sk", "sl", "sr", "sv", "sw", "ta", "th", "tr", "uk", "ur", "vi", "zh"]
)  # fmt: skip


def named_as_gold(paths: Sequence[str]) -> list[int]:
    """The files whose names say that they are gold, by a word that not all have."""
    return _named(paths, _GOLD_WORDS)


def named_as_source(paths: Sequence[str]) -> list[int]:
    """The files whose names say that they are what systems were given."""
    return _named(paths, _SOURCE_WORDS)


def plainly_gold(paths: Sequence[str]) -> list[int]:
    """Those named as gold that are named so after nothing but a number or a dataset.

    A system may be called "ref-free" or "target_only": what stands beside the
    word for gold is a dataset's name where two other files have it as well, or
    where it stands in a part of its own before, as in "news.ref".
    """
    return _plainly(paths, named_as_gold(paths), _GOLD_WORDS)


def plainly_source(paths: Sequence[str]) -> list[int]:
    """Those named as source texts that are so after nothing but a number or a dataset."""
    gold = named_as_gold(paths)
    named = [position for position in named_as_source(paths) if position not in gold]
    return _plainly(paths, named, _SOURCE_WORDS)


def words_of(path: str) -> list[str]:
    """The words of a name, without what stands between them."""
    return [word for word in re.split(r"[\W_]+", path.casefold()) if word]


def rest_of(name: str) -> tuple[str, ...]:
    """The words beside the one for gold, without what numbers several references."""
    return _rest(words_of(name), _GOLD_WORDS)


def names_language(words: Sequence[str]) -> bool:
    """Whether a word is the code of a language, or of two as in "ende"."""
    return any(
        word in _LANGUAGES or (len(word) == 4 and {word[:2], word[2:]} <= _LANGUAGES)
        for word in words
    )


def _rest(own: Sequence[str], words: frozenset[str]) -> tuple[str, ...]:
    rest: list[str] = []
    after_gold = False
    for word in own:
        is_gold = _bare(word) in words
        if not is_gold and not (after_gold and _NUMBERING.fullmatch(word)):
            rest.append(word)
        after_gold = is_gold
    return tuple(rest)


def _bare(word: str) -> str:
    """A word without the number or letter that tells several references apart."""
    return word[:-1] if _LETTERED.fullmatch(word) else _NUMBER.sub("", word)


def _named(paths: Sequence[str], words: frozenset[str]) -> list[int]:
    own = [{_bare(word) for word in words_of(path)} for path in paths]
    common = set.intersection(*own) if len(own) > 1 else set()
    return [position for position, held in enumerate(own) if held & words - common]


def _plainly(paths: Sequence[str], named: Sequence[int], words: frozenset[str]) -> list[int]:
    aside = {*named, *named_as_gold(paths), *named_as_source(paths)}
    others = [_with_pairs(words_of(path)) for p, path in enumerate(paths) if p not in aside]
    needed = max(1, min(2, len(others)))
    rests: dict[int, tuple[str, ...]] = {}
    for position in named:
        rest = [word for word in _rest(words_of(paths[position]), words) if not _is_part(word)]
        before = _before(paths[position], words)
        if all(word in before or sum(word in other for other in others) >= needed for word in rest):
            rests[position] = tuple(rest)
    folders = {position: paths[position].rpartition("/")[0] for position in rests}
    # Beside "gold", "gold-trained" is gold of something else, or none.
    alone = {folders[position] for position, rest in rests.items() if not rest}
    return [p for p, rest in rests.items() if not rest or folders[p] not in alone]


def _is_part(word: str) -> bool:
    return word in _LANGUAGES or _PART.fullmatch(word) is not None


def _with_pairs(own: Sequence[str]) -> set[str]:
    """The words, and each two of them as one, as "ende" for "en-de"."""
    return {*own, *(a + b for a, b in pairwise(own))}


def _before(path: str, words: frozenset[str]) -> set[str]:
    """The words of the parts before one that says nothing but that the file is gold."""
    found: set[str] = set()
    for part in re.split(r"[./]", path):
        own = words_of(part)
        if own and not _rest(own, words):
            return found
        found.update(own)
    return set()
