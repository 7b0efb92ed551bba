"""A table of a document on its way to `core.data`: what is still asked, what was typed, what is marked.

Nothing is handed on while a cell is in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...data.tables.headings import stated_sidedness
from ...data.tables.marks import MARKS, levels_in
from ...errors import DataError, Problem
from ..claim import Better, Claim
from .table import DocumentTable, headings_of, rows_of, text_of

_P_VALUE = re.compile(r"p([- ]?val(ue)?s?)?\.?", re.IGNORECASE)
# In front of a text that nobody has confirmed yet.
OPEN = "⚠ "


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A table with what a person made of it.

    Attributes
    ----------
    table : DocumentTable
        As it was read.
    texts : tuple of tuple of str
        The grid as it is now; an unsure cell begins with `OPEN` until it is confirmed or typed.
    n_headings : int
        How many rows of it are headings.
    compared : bool
        Whether a person has compared every cell of a table that is unsure as a whole.
    """

    table: DocumentTable
    texts: tuple[tuple[str, ...], ...]
    n_headings: int
    compared: bool = False

    @classmethod
    def of(cls, table: DocumentTable) -> Answered:
        """The table as it was read, its doubts open."""
        # One that is compared as a whole asks of no cell besides.
        texts = tuple(
            tuple(
                OPEN + cell.text if cell.unsure and not table.unsure else cell.text for cell in row
            )
            for row in table.rows
        )
        return cls(table=table, texts=texts, n_headings=table.n_headings)

    @property
    def open_cells(self) -> dict[tuple[int, int], str]:
        """Row and column of each cell that is still asked, and why."""
        return {
            (i, j): self.table.doubts.get((i, j), "")
            for i, row in enumerate(self.texts)
            for j, text in enumerate(row)
            if text.startswith(OPEN.strip())
        }

    def called(self, at: tuple[int, int]) -> str:
        """A cell by the name of its row and its column's heading."""
        i, j = at
        if i >= self.n_headings:
            beside = [self.texts[i][0], headings_of(self.texts[: self.n_headings])[j]]
        else:
            beside = [f"heading {j + 1}"]
        return ", ".join(name.removeprefix(OPEN) for name in beside if name) or f"row {i + 1}"

    def confirmed(self, cells: Sequence[tuple[int, int]]) -> Answered:
        """These cells taken as they read."""
        chosen = set(cells)
        return replace(
            self,
            texts=tuple(
                tuple(
                    text.removeprefix(OPEN.strip()).strip() if (i, j) in chosen else text
                    for j, text in enumerate(row)
                )
                for i, row in enumerate(self.texts)
            ),
        )

    def text(self) -> str:
        """The table as pasted ones are read.

        Raises
        ------
        DataError
            While a cell is asked, or a table that is unsure as a whole was not compared.
        """
        problems = [
            Problem(
                what=f"The cell in row {i + 1}, column {j + 1} is not confirmed. {reason}".strip(),
                remedy="Confirm it, or type what the page says.",
            )
            for (i, j), reason in self.open_cells.items()
        ]
        if self.table.unsure and not self.compared:
            problems.append(
                Problem(what=self.table.unsure, remedy="Compare every cell with the page first.")
            )
        if problems:
            raise DataError(problems)
        # Only what says what marks mean is read beside the cells, and how p-values were tested.
        words = [*self.table.notes, self.table.caption]
        last = self.n_headings - 1
        sides = {side for line in words if (side := stated_sidedness(line))}
        texts = [list(row) for row in self.texts]
        if sides == {"two-sided"}:
            texts[last] = [
                f"{text} (two-sided)" if _P_VALUE.fullmatch(text) else text for text in texts[last]
            ]
        return text_of(
            texts,
            self.n_headings,
            notes=[line for line in words if levels_in([line])],
            sections=self.table.sections,
        )

    def marked(self, datasets: Sequence[str], system: str) -> dict[str, tuple[str, ...]]:
        """For each sign, and "bold", the datasets on which a system's score has it.

        Datasets and systems are looked up by their names, in rows and columns or the other way
        round; a cell that was typed has the signs that were typed.
        """
        headings = [_plain(name) for name in headings_of(self.texts[: self.n_headings])]
        rows = rows_of(self.texts, self.n_headings, sections=self.table.sections)
        found: dict[str, list[str]] = {}
        for dataset in datasets:
            wanted = {_plain(dataset), _plain(system)}
            for i, row in rows:
                beside = {_plain(text) for text in row}
                for j, heading in enumerate(headings):
                    if heading in wanted and (wanted - {heading}) & beside:
                        for sign in self._signs(i, j):
                            found.setdefault(sign, []).append(dataset)
        # Signs first: bold type may only stand for the best score.
        order = sorted(found, key=lambda sign: sign == "bold")
        return {sign: tuple(dict.fromkeys(found[sign])) for sign in order}

    def _signs(self, i: int, j: int) -> list[str]:
        text = self.texts[i][j]
        signs = re.search(rf"(?<=[0-9.%)])\s*([{re.escape(MARKS)}]+)\s*(±.*)?$", text)
        of_text = [re.sub("[∗⋆★]", "*", signs[1])] if signs else []
        own = self.table.rows[i][j] if i < len(self.table.rows) and j < len(self.table.rows[i]) else None  # fmt: skip
        is_bold = own is not None and own.bold and own.text == text
        return [*of_text, *(["bold"] if is_bold else [])]

    def claims(
        self, datasets: Sequence[str], system_a: str, system_b: str
    ) -> list[tuple[str, Claim]]:
        """What the paper's marks claim, each with the sentence that offers it.

        A sign says p ≤ α on each dataset that has it, at the level of the legend where there is
        one; bold type may stand for that, or only for the best score.
        """
        levels = levels_in([self.table.caption, *self.table.notes])
        found = []
        sides: tuple[tuple[str, Better], ...] = ((system_a, "a"), (system_b, "b"))
        for system, side in sides:
            for sign, names in self.marked(datasets, system).items():
                level = levels.get(sign)
                alpha = float(level[1:]) if level else None
                claim = Claim(kind="significant", datasets=names, better=side, alpha=alpha)
                means = "bold" if sign == "bold" else f"marked {sign}"
                found.append(
                    (f"{system} is {means} on {len(names)} of {len(datasets)} datasets", claim)
                )
        return found


def _plain(name: str) -> str:
    """A name without signs behind it, however it is spaced and spelt."""
    return " ".join(re.sub(rf"[\^{re.escape(MARKS)}]+$", "", name).split()).casefold()
