"""Where data come from, in the words that a person has for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..data import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where data come from, as a person calls it.

    Attributes
    ----------
    title : str
        Name of the file or sample.
    source, note : str
        Of a sample its citation and what to know about it.
    dependence_reason : str
        Of a sample, why its datasets may or may not depend on each other.
    sample : str
        Its key; empty of one's own files.
    files : tuple of str
        Names of one's own files, in their order.
    roles : mapping of str to object
        What was said by hand of how to read them.
    """

    title: str = ""
    source: str = ""
    note: str = ""
    dependence_reason: str = ""
    sample: str = ""
    files: tuple[str, ...] = ()
    roles: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of_sample(cls, sample: Sample, roles: Mapping[str, object] | None = None) -> Origin:
        """Of a sample, with what was said of it by hand."""
        return cls(
            title=sample.title,
            source=sample.source,
            note=sample.note,
            dependence_reason=sample.dependence_reason,
            sample=sample.key,
            roles=dict(roles or {}),
        )
