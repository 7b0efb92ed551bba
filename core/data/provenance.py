"""How a table came out of a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Any

from ..errors import Choice
from ..types import Rebuilt

# What results are called whose file has no name.
NO_NAME = "results"
# Of the ids that some system lacks.
_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUse:
    """What was made of one of several files."""

    # Its name, with folders.
    path: str
    # What kind of file it is, such as "lm-evaluation-harness"; '' where it is of none that is
    # known.
    kind: str
    # What it holds, in a few words: "1,000 examples of arc_easy, system pythia".
    content: str = ""
    # Whether results were taken from it.
    used: bool = True
    # Why it was left aside, as one sentence; '' where it was used.
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """How one system's examples of one dataset were matched with those of the others."""

    dataset: str
    system: str
    # How many examples the system has.
    n_examples: int
    # How many of them every system has.
    n_matched: int
    # Ids, the first few, of those that some other system lacks.
    left_over: tuple[str, ...] = ()


def matched_of(dataset: str, ids: Mapping[str, Mapping[Any, str]]) -> list[Matched]:
    """How each system's examples of one dataset are matched, of their ids by what tells them apart."""
    common = set.intersection(*map(set, ids.values())) if ids else set()
    return [
        Matched(
            dataset=dataset,
            system=system,
            n_examples=len(own),
            n_matched=len(common),
            left_over=tuple(islice((own[key] for key in own if key not in common), _MOST_SHOWN)),
        )
        for system, own in ids.items()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Rebuilt):
    """What a file was taken for, so that it can be shown and corrected.

    Attributes
    ----------
    source_name : str
        Name of the file.
    layout : str
        Name of the layout, as in `data.LAYOUTS`.
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
    dataset_labels : mapping of str to mapping of str to str
        For each column that says something about datasets as a whole, each
        dataset's label, '' where it has none.
    other_columns : mapping of str to str
        What columns without a role were read for, in a few words.
    evidence : mapping of str to str
        For each column with a role why it has that one: "given", "heading", or what it
        holds, in a few words. Two readings that differ in it alone are equal.
    files : tuple of FileUse
        What was made of each file, where they are those of evaluation tools.
    matched : tuple of Matched
        How their examples were matched, by dataset and system.
    """

    source_name: str
    layout: str
    roles: Mapping[str, object]
    columns: tuple[str, ...]
    remarks: tuple[str, ...]
    separator: str
    encoding: str
    choices: tuple[Choice, ...] = ()
    dataset_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    other_columns: Mapping[str, str] = field(default_factory=dict)
    evidence: Mapping[str, str] = field(default_factory=dict, compare=False)
    files: tuple[FileUse, ...] = ()
    matched: tuple[Matched, ...] = ()

    def __post_init__(self) -> None:
        for part in ("roles", "other_columns", "evidence"):
            object.__setattr__(self, part, MappingProxyType(dict(getattr(self, part))))
        labels = {
            column: MappingProxyType(dict(own)) for column, own in self.dataset_labels.items()
        }
        object.__setattr__(self, "dataset_labels", MappingProxyType(labels))
