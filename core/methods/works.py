"""What a cited work is: its text in a list of references, and its BibTeX entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..words.formatting import LATEX_PUNCTUATION

_ACCENTS: Mapping[str, str] = MappingProxyType(
    {
        "á": r"{\'a}",
        "ć": r"{\'c}",
        "é": r"{\'e}",
        "í": r"{\'i}",
        "ó": r"{\'o}",
        "ø": r"{\o}",
        "ü": r"{\"u}",
        "&": r"\&",
        **LATEX_PUNCTUATION,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One work.

    Attributes
    ----------
    key : str
        For BibTeX: first author, year and the title's first word.
    text : str
        As it stands in a list of references.
    bibtex : str
        Its entry, in ASCII: accents, dashes and ampersands are LaTeX's.
    cited_as : str
        Within a sentence: "Dror et al. 2017".
    """

    key: str
    text: str
    bibtex: str
    cited_as: str


def _work(
    kind: str, key: str, authors: tuple[str, ...], title: str, year: int, **where: str
) -> Reference:
    """A work from its details; authors as "Last, First", braces of the title keep capitals."""
    fields = {"author": " and ".join(authors), "title": title, **where, "year": str(year)}
    lines = [f"  {name} = {{{_latex(value)}}}," for name, value in fields.items()]
    return Reference(
        key=key,
        text=_text(authors, title, year, where),
        bibtex="\n".join([f"@{kind}{{{key},", *lines, "}"]),
        cited_as=_cited_as(authors, year),
    )


def article(
    key: str,
    authors: tuple[str, ...],
    title: str,
    journal: str,
    volume: str,
    pages: str,
    year: int,
    *,
    number: str = "",
) -> Reference:
    """Make an article in a journal; authors as "Last, First", braces of the title keep capitals."""
    numbered = {"number": number} if number else {}
    return _work(
        "article",
        key,
        authors,
        title,
        year,
        journal=journal,
        volume=volume,
        **numbered,
        pages=pages,
    )


def paper(
    key: str, authors: tuple[str, ...], title: str, book: str, pages: str, year: int
) -> Reference:
    """Make a paper in proceedings, `book`."""
    return _work("inproceedings", key, authors, title, year, booktitle=book, pages=pages)


def book(
    key: str,
    authors: tuple[str, ...],
    title: str,
    publisher: str,
    address: str,
    year: int,
    **more: str,
) -> Reference:
    """Make a book; `more` may hold its edition."""
    return _work("book", key, authors, title, year, publisher=publisher, address=address, **more)


def _latex(text: str) -> str:
    return "".join(_ACCENTS.get(character, character) for character in text)


def _cited_as(authors: tuple[str, ...], year: int) -> str:
    last = [author.partition(",")[0] for author in authors]
    if len(last) > 2:
        return f"{last[0]} et al. {year}"
    return f"{' and '.join(last)} {year}"


def _text(authors: tuple[str, ...], title: str, year: int, where: Mapping[str, str]) -> str:
    people = [" ".join(reversed(author.split(", "))) for author in authors]
    named = people[0] if len(people) == 1 else f"{', '.join(people[:-1])} and {people[-1]}"
    plain = title.replace("{", "").replace("}", "")
    end = "" if plain.endswith("?") else "."
    return f"{named} ({year}). {plain}{end} {_place(where)}."


def _place(where: Mapping[str, str]) -> str:
    if "publisher" in where:
        edition = f"{where['edition']} edition, " if "edition" in where else ""
        return f"{edition}{where['publisher']}, {where['address']}"
    if "booktitle" in where:
        return f"In {where['booktitle']}, pages {where['pages']}"
    number = f"({where['number']})" if "number" in where else ""
    return f"{where['journal']} {where['volume']}{number}, {where['pages']}"
