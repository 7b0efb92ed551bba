"""How a table as read compares with what it says: cells right, asked, wrong; winners."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.data.sources.latex import latex_tables
from core.document import DocumentTable, checked


def read_latex(files: Mapping[str, str]) -> list[DocumentTable]:
    """The tables of some LaTeX files as a document has them."""
    return list(map(checked, latex_tables(files)))


class MadeTable(NamedTuple):
    """What a table says: its headings and then its rows, each cell as a reader takes it."""

    caption: str
    rows: list[list[str]]


@dataclass
class Score:
    """Counts of cells, and what is wrong."""

    right: int = 0
    asked: int = 0
    lost: list[str] = field(default_factory=list)
    wrong: list[tuple[str, int, int, str, str]] = field(default_factory=list)
    wrong_winners: list[tuple[str, int]] = field(default_factory=list)
    n_winners: int = 0

    @property
    def share_right(self) -> float:
        """Of the cells that nobody is asked about."""
        return self.right / max(1, self.right + len(self.wrong))


def plain(text: str) -> str:
    text = re.sub("[−–—]", "-", text)
    return " ".join(re.sub(r"\s*±\s*", " ± ", text).split())


def score(found: Sequence[DocumentTable], made: Sequence[MadeTable]) -> Score:
    """Compare each made table with the one of the same caption."""
    total = Score()
    left = list(found)
    for table in made:
        own = next((t for t in left if plain(table.caption) in plain(t.caption)), None)
        if own is None:
            total.lost.append(table.caption)
            continue
        left.remove(own)
        _add(total, own, table)
    total.lost += [f"extra: {t.caption or t.rows[0]}" for t in left]
    return total


def _add(total: Score, own: DocumentTable, table: MadeTable) -> None:
    body = [row for i, row in enumerate(own.rows) if i >= own.n_headings and i not in own.sections]
    headings = own.rows[: own.n_headings]
    got = [list(own.headings), *([cell.text for cell in row] for row in body)]
    asked = [
        [any(row[j].unsure for row in headings) for j in range(len(own.rows[0]))],
        *([bool(cell.unsure) for cell in row] for row in body),
    ]
    fits = (len(got), len(got[0])) == (len(table.rows), len(table.rows[0]))
    for i, row in enumerate(table.rows):
        for j, text in enumerate(row):
            if own.unsure or (fits and asked[i][j]):
                total.asked += 1
            elif fits and plain(got[i][j]) == plain(text):
                total.right += 1
            else:
                read = plain(got[i][j]) if fits else "another shape"
                total.wrong.append((table.caption, i, j, read, plain(text)))
        if i and not own.unsure and fits:
            _compare_winners(total, table.caption, i, got[i], row, asked[i])


def _compare_winners(
    total: Score,
    caption: str,
    i: int,
    got: Sequence[str],
    row: Sequence[str],
    asked: Sequence[bool],
) -> None:
    """Of each two numbers beside each other that nobody is asked about, which is larger."""
    for j in range(len(row) - 1):
        values = [number(text) for text in (got[j], got[j + 1], row[j], row[j + 1])]
        if asked[j] or asked[j + 1] or values[2] is None or values[3] is None:
            continue
        total.n_winners += 1
        is_same = values[0] is not None and values[1] is not None
        if not is_same or (values[0] > values[1]) != (values[2] > values[3]):
            total.wrong_winners.append((caption, i))


def number(text: str) -> float | None:
    found = re.match(r"(-?[0-9]*[.,][0-9]+)", plain(text))
    return float(found[1].replace(",", ".")) if found else None
