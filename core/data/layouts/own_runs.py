"""Runs that each system has for itself, such as seeds that no two systems share."""

from __future__ import annotations

import numpy as np

from core.data.tables.raw_table import RawTable
from core.types import IntArray


def runs_of_systems(raw: RawTable, system: str, run: str) -> tuple[tuple[str, ...], ...] | None:
    """For each system the names of its runs, where each has as many and no two share any.

    None where systems share runs, or some have more of their own than others.
    """
    systems, runs = raw.coded(system), raw.coded(run)
    n_systems, names = len(systems.array), runs.texts
    if n_systems < 2 or "" in names or "" in systems.texts:
        return None
    keys = np.unique(runs.codes.astype(np.intp) * n_systems + systems.codes)
    owners = keys % n_systems
    sizes = np.bincount(owners, minlength=n_systems)
    if keys.size != len(names) or (sizes != sizes[0]).any():
        return None
    return tuple(
        tuple(names[index] for index in np.flatnonzero(owners == own)) for own in range(n_systems)
    )


def places_of_runs(raw: RawTable, run: str, own_runs: tuple[tuple[str, ...], ...]) -> IntArray:
    """For each row the place of its run among those of its system."""
    place_of = {name: place for own in own_runs for place, name in enumerate(own)}
    coded = raw.coded(run)
    return np.array([place_of[name] for name in coded.texts], dtype=np.intp)[coded.codes]
