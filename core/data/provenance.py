"""How a table came out of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from types import MappingProxyType

from core.errors import Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a file was taken for, so that it can be shown and corrected.

    Attributes
    ----------
    source_name : str
        Name of the file.
    layout : str
        Name of the layout, as in `core.data.LAYOUTS`.
    roles : mapping of str to object
        Every role resolved: a column's name or None for columns, the value for
        declarations. Read-only; given back to `read_results` it gives the same
        table.
    columns : tuple of str
        Every column of the file.
    remarks : tuple of str
        What its owner should know, one sentence or two each.
    separator, encoding : str
        As found.
    choices : tuple of Choice
        Questions that the file leaves open and that `roles` answer.
    """

    source_name: str
    layout: str
    roles: Mapping[str, object]
    columns: tuple[str, ...]
    remarks: tuple[str, ...]
    separator: str
    encoding: str
    choices: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "roles", MappingProxyType(dict(self.roles)))

    def __reduce__(self) -> tuple[object, ...]:
        # A mapping proxy cannot be pickled, and caches pickle.
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return partial(Reading, **{**values, "roles": dict(self.roles)}), ()
