"""What was tried on data, in words, so that a report can tell all of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from ..data import PValueTable, ResultSet, Sample
from ..words.formatting import list_names
from .settings import TEST_CHOICES, USUAL, AnalysisSettings
from .testing import TestPlan, plan_of

# Settings whose every value is kept, under the words for them.
RECORDED_SETTINGS = {
    "alpha": "levels",
    "dependence": "dependence",
    "combination": "combinations",
    "joint": "shared examples counted jointly",
    "excluded": "datasets left out",
    "procedure": "procedures",
}
# Whoever looks at data has a level and an answer about dependence.
_SAID_ALWAYS = ("alpha", "dependence")
# Behind tests that ran by themselves as the file was loaded, before anything was chosen.
BY_ITSELF = " (ran by itself on loading)"
# What the studies of reliability came to in the end; a later sentence takes an earlier one's place.
DEPENDS_ON_CHOICES = "whether p ≤ α depends on a choice"


def recorded(settings: AnalysisSettings, name: str) -> str:
    """A setting as the list of what was tried names it."""
    # What is usual has no name of its own there.
    usual = {"combination": "counted_by", "procedure": "named_by"}
    return _listed(getattr(settings, usual.get(name, name)))


def _listed(value: object) -> str:
    if isinstance(value, tuple):
        names = [str(name) for name in value]
        return list_names(names, most=max(1, len(names))) or "none"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def plan_in_words(plan: TestPlan) -> str:
    """A run of tests as the list of what was tried names it."""
    name = "recommended tests" if plan.test == "auto" else plan.test
    # Tests of A and B are those of B and A: each has both directions.
    pair = " and ".join(sorted((plan.system_a, plan.system_b)))
    further = [
        choice.tried.format(_in_words(value))
        for choice in TEST_CHOICES
        if choice.tried and (value := getattr(plan, choice.name)) != choice.usual
    ]
    return ", ".join(
        (
            f"{pair}, {plan.metric}: {name}",
            f"{plan.n_resamples} resamples where they resample",
            f"seed {plan.seed}",
            *further,
        )
    )


def first_record(
    data: PValueTable | ResultSet, settings: AnalysisSettings
) -> dict[str, tuple[str, ...]]:
    """What is tried by looking at data once, with these settings."""
    record: dict[str, tuple[str, ...]] = {
        words: (recorded(settings, name),)
        for name, words in RECORDED_SETTINGS.items()
        if getattr(settings, name) != getattr(USUAL, name) or name in _SAID_ALWAYS
    }
    if isinstance(data, ResultSet):
        record["tests"] = (plan_in_words(plan_of(data, settings)),)
    return record


def _in_words(value: object) -> object:
    if isinstance(value, tuple):
        return list_names([f"{dataset} to {n_resamples}" for dataset, n_resamples in value])
    return value


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


Result = TypeVar("Result")


class Memory(Protocol):
    """Keeps what was computed of one set of data; `forgetful` keeps nothing."""

    def __call__(self, key: Hashable, compute: Callable[[], Result], /) -> Result:
        """What is kept under `key`, computed where there is nothing."""


def forgetful(key: Hashable, compute: Callable[[], Result], /) -> Result:
    """Compute it anew each time."""
    return compute()


def keeping(kept: dict[Hashable, Any]) -> Memory:
    """Keep everything in `kept`, for as long as somebody holds on to it."""

    def remember(key: Hashable, compute: Callable[[], Result], /) -> Result:
        if key not in kept:
            kept[key] = compute()
        return cast("Result", kept[key])

    return remember


def key_of(*parts: object) -> Hashable:
    """A key of arrays and plain values, with every byte of the arrays in it."""
    return tuple(
        (part.dtype.str, part.shape, part.tobytes()) if isinstance(part, np.ndarray) else part
        for part in parts
    )
