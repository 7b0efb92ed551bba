"""Datasets and systems called otherwise than in their file, everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..errors import DataError, Problem
from .p_value_table import PValueTable
from .provenance import Reading
from .result_set import ResultSet
from .roles import NEW_NAMES, Roles
from .score_table import EffectTable, ScoreTable
from .words import MOST, listed, quoted

Results = ResultSet | PValueTable | ScoreTable | EffectTable

_ROLES = dict(zip(("dataset", "system"), NEW_NAMES, strict=True))


def renamed(results: Results, roles: Roles) -> Results:
    """The results under the names that were chosen for datasets and systems, with a remark.

    Raises
    ------
    DataError
        If a name is not there, or two would be the same.
    """
    datasets, systems = (_new_names(roles, unit) for unit in _ROLES)
    if not (datasets or systems):
        return results
    problems = [
        *_problems(results.datasets, datasets, "dataset"),
        *_problems(systems_of_results(results), systems, "system"),
    ]
    if problems:
        raise DataError(problems)
    every = tuple(datasets.get(name, name) for name in results.datasets)
    reading = results.reading
    if reading is not None:
        reading = _with_names(reading, datasets, systems)
    if isinstance(results, PValueTable):
        a, b = (systems.get(name, name) for name in (results.system_a, results.system_b))
        return replace(results, datasets=every, system_a=a, system_b=b, reading=reading)
    if isinstance(results, EffectTable):
        return replace(results, datasets=every, reading=reading)
    called = tuple(systems.get(name, name) for name in results.systems)
    return replace(results, datasets=every, systems=called, reading=reading)


def systems_of_results(results: Results) -> tuple[str, ...]:
    """The systems' names; () of effects, which name none."""
    if isinstance(results, PValueTable):
        return (results.system_a, results.system_b)
    return () if isinstance(results, EffectTable) else results.systems


def _new_names(roles: Roles, unit: str) -> dict[str, str]:
    given = roles.get(_ROLES[unit])
    if not isinstance(given, Mapping):
        return {}
    return {str(old): str(new).strip() for old, new in given.items()}


def _problems(names: Sequence[str], new: Mapping[str, str], unit: str) -> list[Problem]:
    problems = [
        Problem(
            f"A new name is given for the {unit} {quoted(old)}, which the file does not have.",
            f"Its {unit}s are {listed(names)}." if names else "Leave the name out.",
        )
        for old in new
        if old not in names
    ]
    called = [new.get(name, name) for name in names]
    twice = list(dict.fromkeys(name for name in called if called.count(name) > 1)) if new else []
    if twice:
        problems.append(
            Problem(
                f"Several {unit}s would be called {listed(twice)}.", "Give each a name of its own."
            )
        )
    return problems


def _with_names(
    reading: Reading, datasets: Mapping[str, str], systems: Mapping[str, str]
) -> Reading:
    new = [
        f"{quoted(old)} is {quoted(name)}"
        for old, name in (*datasets.items(), *systems.items())
        if old != name
    ]
    said = "; ".join(new[:MOST]) + (f"; and {len(new) - MOST} more" if len(new) > MOST else "")
    labels = {
        column: {datasets.get(name, name): label for name, label in own.items()}
        for column, own in reading.dataset_labels.items()
    }
    matched = tuple(
        replace(
            one,
            dataset=datasets.get(one.dataset, one.dataset),
            system=systems.get(one.system, one.system),
        )
        for one in reading.matched
    )
    return replace(
        reading,
        remarks=(*reading.remarks, *([f"Renamed, as chosen: {said}."] if new else [])),
        dataset_labels=labels,
        matched=matched,
    )
