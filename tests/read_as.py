"""Files that are read as results of one kind."""

from typing import Any, TypeVar

from core.data import read_results

Kind = TypeVar("Kind")


def read_as(kind: type[Kind], source: Any, **named: Any) -> Kind:
    """What `read_results` makes of the source, which is to be of this kind."""
    found = read_results(source, **named)
    assert isinstance(found, kind)
    return found
