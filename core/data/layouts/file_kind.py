"""A kind of file, as one record: which columns it has, how it is told from others, and how read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...errors import Problem
from ..effect_table import EffectTable
from ..p_value_table import PValueTable
from ..result_set import ResultSet
from ..roles import Roles, column_of
from ..score_table import ScoreTable
from ..tables.raw_table import RawTable
from .columns import Columns

COVARIATES_TOO = (
    "Further columns may describe the example, such as its 'length' or 'genre': covariates."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """One kind of file.

    Attributes
    ----------
    name : str
        As a person calls it.
    description : str
        Which columns it has, in one sentence.
    needs : mapping of str to str
        The roles without which it cannot be read, and what their columns hold in words.
    roles : tuple of str
        Every role that its columns may have; "systems" is held by several.
    template : str
        A small file of this kind, which reads without problems or remarks.
    signs : tuple of str
        Roles of which a column has to be given one, or to have a heading that may name
        it, for a file to be of this kind unasked; () where none is needed.
    excludes : tuple of str
        Roles whose columns were given in files of other kinds alone.
    shows_by_headings : bool
        Whether its headings tell it from any other kind, whatever else a file holds.
    recognise : callable (columns) -> roles or None
        Every role resolved, those that are given kept as they are; None if the
        file is of another kind.
    read : callable (raw, roles, source_name) -> table or result set
        Raises `DataError` with every problem.
    """

    name: str
    description: str
    needs: Mapping[str, str]
    roles: tuple[str, ...]
    template: str
    recognise: Callable[[Columns], Roles | None]
    read: Callable[[RawTable, Roles, str], PValueTable | ResultSet | ScoreTable | EffectTable]
    signs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    shows_by_headings: bool = False

    def may_be_of(self, columns: Columns) -> bool:
        """Whether the owner chose this kind, or nothing that was given or named rules it out."""
        if columns.asks_for(self.name):
            return True
        return not columns.has_given(*self.excludes) and (
            not self.signs or columns.names(*self.signs)
        )

    def lacking(self, roles: Roles) -> list[Problem]:
        """One problem for each role that is needed and that no column has."""
        return [
            Problem(
                what=f"No column is recognised for the role '{role}'.",
                remedy=f"Name the column of {held} '{role}' or choose it.",
            )
            for role, held in self.needs.items()
            if column_of(roles, role) is None
        ]
