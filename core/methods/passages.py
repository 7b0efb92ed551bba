r"""Sentences with citations, written once and rendered as plain text or as LaTeX.

Vocabulary
----------
piece
    Plain text, a citation, or a line that is copied as it stands. Text and
    citations are different things, so that no name from a file can be taken for
    a citation.
passage
    Pieces in reading order: one paragraph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..words.formatting import (
    LONGEST_NAME,
    display_name,
    joined,
    latex_typewriter,
    latex_within,
    whole_name,
)
from .bibliography import WORKS


@dataclass(frozen=True, slots=True)
class Citation:
    """Works in parentheses, after the words that they stand for."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A line that is copied, such as a signature."""

    text: str


Piece = str | Citation | Verbatim
Sentence = Piece | Sequence[Piece]
Passage = tuple[Piece, ...]


def cite(*keys: str) -> Piece:
    """Cite works by their keys; nothing of none."""
    return Citation(keys) if keys else ""


def passage(*sentences: Sentence) -> Passage:
    """A paragraph of sentences, a space between them; empty ones are left out."""
    pieces: list[Piece] = []
    for sentence in sentences:
        own = [sentence] if isinstance(sentence, str | Citation | Verbatim) else list(sentence)
        own = [piece for piece in own if piece]
        if own and pieces:
            own.insert(0, " ")
        pieces.extend(own)
    return tuple(pieces)


def in_plain_text(pieces: Passage) -> str:
    """The paragraph as plain text, works cited as "(Dror et al. 2017)"."""
    return "".join(_plain(piece) for piece in pieces)


def in_latex(pieces: Passage) -> str:
    r"""The paragraph as LaTeX, works cited by ``\citep``, all else escaped."""
    return "".join(_latex(piece) for piece in pieces)


def cited_keys(passages: Iterable[Passage]) -> tuple[str, ...]:
    """The keys cited, each once, in the order of their first citation."""
    keys = [
        key
        for pieces in passages
        for piece in pieces
        if isinstance(piece, Citation)
        for key in piece.keys
    ]
    return tuple(dict.fromkeys(keys))


def full_name(name: str) -> str:
    """A name from a file as it is taken away: whole, and harmless in a sentence."""
    return whole_name(name) if len(whole_name(name)) > LONGEST_NAME else display_name(name)


def names_in_full(names: Sequence[str]) -> str:
    """All names, as "BC, MZ and NW"."""
    return joined([full_name(name) for name in names])


def _plain(piece: Piece) -> str:
    if isinstance(piece, Citation):
        return f" ({'; '.join(WORKS[key].cited_as for key in piece.keys)})"
    return f"“{piece.text}”" if isinstance(piece, Verbatim) else piece


def _latex(piece: Piece) -> str:
    if isinstance(piece, Citation):
        return rf" \citep{{{','.join(piece.keys)}}}"
    if isinstance(piece, Verbatim):
        return latex_typewriter(piece.text)
    return latex_within(piece)
