"""Repeated runs: the scores of each run whose mean is a system's score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import numpy as np

from core.data.names import checked_names
from core.data.result_checks import check_length, listed_names
from core.data.result_content import name_parts
from core.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RepeatedRuns:
    """The scores of every run, beside the means over runs that a result set compares.

    Attributes
    ----------
    column : str
        The heading of the column that tells runs apart.
    names : tuple of tuple of str
        For each system the names of its runs, in the order of the file.
    values : mapping of str to tuple of tuple of ndarray, shape (n, n_runs)
        For each metric, dataset and system the scores as given, a column for
        each run; None for a dataset of which not every example has every run.
    """

    column: str
    names: tuple[tuple[str, ...], ...]
    values: Mapping[str, tuple[tuple[FloatArray, ...] | None, ...]]

    def __post_init__(self) -> None:
        names = tuple(checked_names(own, name="runs") for own in self.names)
        object.__setattr__(self, "names", names)
        values = {
            metric: tuple(None if own is None else _frozen(own) for own in per_dataset)
            for metric, per_dataset in self.values.items()
        }
        object.__setattr__(self, "values", MappingProxyType(values))

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor, so that a copy's arrays are read-only as well.
        made = partial(RepeatedRuns, column=self.column, names=self.names, values=dict(self.values))
        return made, ()

    @property
    def shared(self) -> bool:
        """Whether every system has the same runs, so that a run of one belongs to that of another."""
        return all(own == self.names[0] for own in self.names)

    @property
    def every_name(self) -> tuple[str, ...]:
        """The names of all systems' runs, each once."""
        return tuple(dict.fromkeys(name for own in self.names for name in own))

    def content(self) -> Iterator[bytes]:
        """What the runs say, as parts of a fingerprint."""
        yield b"runs"
        for own in self.names:
            yield from name_parts(own)
        for per_dataset in self.values.values():
            for arrays in per_dataset:
                yield b"none" if arrays is None else b"scores"
                for array in arrays or ():
                    yield array.astype("<f8").tobytes("F")


def check_runs(
    runs: RepeatedRuns | None,
    datasets: Sequence[str],
    sizes: Sequence[int],
    *,
    metrics: Sequence[str],
    n_systems: int,
) -> None:
    """The scores of runs fit the examples, systems and metrics.

    Raises
    ------
    ValueError
        If they do not.
    """
    if runs is None:
        return
    if len(runs.names) != n_systems:
        raise ValueError(
            f"`names` of runs must be given for each of {n_systems} systems; got {len(runs.names)}."
        )
    if not set(runs.values) <= set(metrics):
        raise ValueError(
            f"`values` of runs must be of the metrics {listed_names(metrics)}; got "
            f"{listed_names(runs.values)}."
        )
    for per_dataset in runs.values.values():
        check_length("values of runs", len(per_dataset), datasets)
        for dataset, arrays, size in zip(datasets, per_dataset, sizes, strict=True):
            shapes = [(size, len(own)) for own in runs.names]
            if arrays is not None and [array.shape for array in arrays] != shapes:
                raise ValueError(
                    f"The runs of dataset {dataset!r} must have the shapes {shapes}; got "
                    f"{[array.shape for array in arrays]}."
                )
            if any(not np.isfinite(array).all() for array in arrays or ()):
                raise ValueError(f"The runs of dataset {dataset!r} must be finite.")


def _frozen(given: Sequence[FloatArray]) -> tuple[FloatArray, ...]:
    # Adding zero turns −0 into 0.
    arrays = tuple(np.array(array, dtype=np.float64, order="F") + 0.0 for array in given)
    for array in arrays:
        array.flags.writeable = False
    return arrays
