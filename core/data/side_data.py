"""What a result set knows of its examples beside the scores: ids, labels, clusters, covariates, runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from ..types import FloatArray, Rebuilt
from ..validation import check_choice, is_missing
from .labels import CodeArray, ExampleClusters, Inputs, Labels, TextArray, frozen, texts_at
from .result_checks import (
    check_length,
    check_one_each,
    checked_gold_scores,
    checked_ids,
    checked_names,
    listed_names,
    name_parts,
)

CovariateKind = Literal["numeric", "categorical"]

# More different texts than this are no categories.
MOST_LEVELS = 200


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Covariates(Rebuilt):
    """What is known of each example beside scores, for splitting datasets by it."""

    # In the order of the file's columns.
    names: tuple[str, ...]
    # Shape (n,): for each numeric covariate one array a dataset; nan where there is none.
    numbers: Mapping[str, tuple[FloatArray, ...]]
    # For each categorical covariate its categories, all different, none empty (str to tuple of
    # str).
    levels: Mapping[str, tuple[str, ...]]
    # Shape (n,): for each categorical covariate one array a dataset: positions in its levels, -1
    # where an example has none.
    codes: Mapping[str, tuple[CodeArray, ...]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", checked_names(self.names, name="covariates"))
        if set(self.levels) != set(self.codes) or set(self.names) != {*self.numbers, *self.codes}:
            raise ValueError("`names` of covariates must each be numeric or have levels and codes.")
        if not self.numbers.keys().isdisjoint(self.codes):
            raise ValueError("A covariate must be either numeric or categorical.")
        numbers = {name: frozen(given, np.float64) for name, given in self.numbers.items()}
        codes = {name: frozen(given, np.int32) for name, given in self.codes.items()}
        levels = {name: tuple(given) for name, given in self.levels.items()}
        for name, arrays in numbers.items():
            if any(np.isinf(array).any() for array in arrays):
                raise ValueError(f"The covariate {name!r} must be finite, or nan where missing.")
        for name, own in levels.items():
            if len(set(own)) != len(own) or "" in own:
                raise ValueError(
                    f"The levels of the covariate {name!r} must differ and have names."
                )
            if any(
                array.size and not -1 <= array.min() <= array.max() < len(own)
                for array in codes[name]
            ):
                raise ValueError(f"The codes of the covariate {name!r} must be positions or -1.")
        object.__setattr__(self, "numbers", MappingProxyType(numbers))
        object.__setattr__(self, "levels", MappingProxyType(levels))
        object.__setattr__(self, "codes", MappingProxyType(codes))

    def kind(self, name: str) -> CovariateKind:
        """Whether a covariate holds numbers or categories."""
        known = check_choice(name, self.names, name="covariate")
        return "numeric" if known in self.numbers else "categorical"

    def values(self, index: int, name: str) -> FloatArray | TextArray:
        """One covariate on the dataset at this position; nan or '' where missing."""
        if self.kind(name) == "numeric":
            return self.numbers[name][index]
        # The last is what −1 points to.
        return texts_at((*self.levels[name], ""), self.codes[name][index])

    def content(self) -> Iterator[bytes]:
        """What the covariates say, as parts of a fingerprint."""
        yield b"covariates"
        yield from name_parts(self.names)
        for name in self.names:
            yield self.kind(name).encode()
            yield from name_parts(self.levels.get(name, ()))
            # Each nan is written by the same bytes.
            for array in self.numbers.get(name, ()):
                yield np.where(np.isnan(array), np.nan, array + 0.0).astype("<f8").tobytes()
            for codes in self.codes.get(name, ()):
                yield codes.astype("<i4").tobytes()


def covariates_of_values(
    values: Mapping[str, Mapping[str, Sequence[object]]] | None, datasets: Sequence[str]
) -> Covariates | None:
    """Covariates from a value for each example, None without values.

    A covariate is numeric where all that is given in it are numbers, else its
    values are categories, as text.

    None, nan and '' stand for a missing value; `datasets` are in the order of the results. Raises a
    `ValueError` if datasets differ in their covariates, or a value is infinite.
    """
    if not values:
        return None
    if set(values) != set(datasets):
        raise ValueError("`covariates` must give the values of every dataset.")
    names = tuple(values[datasets[0]])
    for dataset in datasets:
        if set(values[dataset]) != set(names):
            raise ValueError(
                f"Every dataset must have the same covariates; {dataset!r} has "
                f"{listed_names(values[dataset])}, the first {listed_names(names)}."
            )
    if not names:
        return None
    numbers: dict[str, tuple[FloatArray, ...]] = {}
    levels: dict[str, tuple[str, ...]] = {}
    codes: dict[str, tuple[CodeArray, ...]] = {}
    for name in names:
        given = [_as_given(values[dataset][name], name, dataset) for dataset in datasets]
        held = [value for own in given for value in own if value is not None]
        if all(_is_number(value) for value in held):
            numbers[name] = tuple(np.array(own, dtype=np.float64) for own in given)
            continue
        positions: dict[str, int] = {}
        codes[name] = tuple(
            np.array(
                [-1 if v is None else positions.setdefault(str(v), len(positions)) for v in own],
                dtype=np.int32,
            )
            for own in given
        )
        levels[name] = tuple(positions)
    return Covariates(names=names, numbers=numbers, levels=levels, codes=codes)


def _as_given(values: Sequence[object], name: str, dataset: str) -> list[object]:
    """The values of one dataset, None where there is none."""
    own = np.array(values, dtype=object)
    if own.ndim != 1 or np.ma.is_masked(values):
        raise ValueError(
            f"The covariate {name!r} of dataset {dataset!r} must hold one value an example."
        )
    return [None if is_missing(v) or v == "" else v for v in own.tolist()]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RepeatedRuns(Rebuilt):
    """The scores of every run, beside the means over runs that a result set compares."""

    # The heading of the column that tells runs apart.
    column: str
    # For each system the names of its runs, in the order of the file.
    names: tuple[tuple[str, ...], ...]
    # Shape (n, n_runs): for each metric, dataset and system the scores as given, a column for each
    # run; None for a dataset of which not every example has every run.
    values: Mapping[str, tuple[tuple[FloatArray, ...] | None, ...]]

    def __post_init__(self) -> None:
        names = tuple(checked_names(own, name="runs") for own in self.names)
        object.__setattr__(self, "names", names)
        values = {
            metric: tuple(None if own is None else frozen(own, np.float64) for own in per_dataset)
            for metric, per_dataset in self.values.items()
        }
        object.__setattr__(self, "values", MappingProxyType(values))

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
    runs: RepeatedRuns,
    datasets: Sequence[str],
    sizes: Sequence[int],
    *,
    metrics: Sequence[str],
    n_systems: int,
) -> None:
    """The scores of runs fit the examples, systems and metrics."""
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SideData:
    """The part of a `ResultSet` that says what its examples are, and looks names up.

    A name that is not there is a `ValueError`, which lists those that are.

    Attributes
    ----------
    datasets, systems : tuple of str
        Their names, all different, in the order of the file.
    example_ids : tuple of pyarrow arrays of strings, or None
        For each dataset the ids of its examples, as text and all different.
        `examples` gives them as strings.
    labels : Labels or None
        Gold labels and predictions, where the scores come from them.
    gold_scores : tuple of ndarray, shape (n,), or None
        For each dataset gold numbers that the systems' scores are to be
        correlated with.
    inputs : Inputs or None
        Which examples have the same text or other input, for finding overlap.
    clusters : ExampleClusters or None
        Which examples belong together, such as the sentences of one document.
        `clusters_of` gives a dataset's.
    covariate_values : Covariates or None
        What describes the examples, such as their length. `covariates` names
        them and `covariate` gives one.
    repeated_runs : RepeatedRuns or None
        The scores of each run, where scores are means over runs. `runs` names
        them.
    """

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    example_ids: tuple[Any, ...] | None = None
    labels: Labels | None = None
    gold_scores: tuple[FloatArray, ...] | None = None
    inputs: Inputs | None = None
    clusters: ExampleClusters | None = None
    covariate_values: Covariates | None = None
    repeated_runs: RepeatedRuns | None = None
    _positions: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    @property
    def covariates(self) -> tuple[str, ...]:
        """Names of what describes the examples, such as "length" or "genre"; () where nothing does."""
        return () if self.covariate_values is None else self.covariate_values.names

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs whose mean each score is, of all systems together; () where none."""
        return () if self.repeated_runs is None else self.repeated_runs.every_name

    def runs_of(self, system: str) -> tuple[str, ...]:
        """Names of one system's runs, in the order of `run_scores`; () where there are none."""
        column = self._system(system)
        return () if self.repeated_runs is None else self.repeated_runs.names[column]

    def covariate_kind(self, name: str) -> CovariateKind:
        """Whether a covariate is "numeric" or "categorical"."""
        return self._covariates(name).kind(name)

    def covariate(self, dataset: str, name: str) -> FloatArray | TextArray:
        """One covariate of each example of one dataset, shape (n,), read-only.

        Numbers, nan where missing; or categories as an object array of str,
        '' where missing.
        """
        return self._covariates(name).values(self._dataset(dataset), name)

    def gold(self, dataset: str) -> TextArray | FloatArray | None:
        """Gold labels (an object array of str) or numbers of one dataset; None without gold."""
        index = self._dataset(dataset)
        if self.gold_scores is not None:
            return self.gold_scores[index]
        return None if self.labels is None else self.labels.texts(self.labels.gold[index])

    def predictions(self, dataset: str, system: str) -> TextArray | None:
        """Labels that one system gave, an object array of str, or None where there are none."""
        index, column = self._dataset(dataset), self._system(system)
        if self.labels is None:
            return None
        return self.labels.texts(self.labels.predictions[index][:, column])

    def examples(self, dataset: str) -> tuple[str, ...] | None:
        """Ids of one dataset's examples as text, or None where there are none."""
        index = self._dataset(dataset)
        return None if self.example_ids is None else tuple(self.example_ids[index].to_pylist())

    def clusters_of(self, dataset: str) -> CodeArray | None:
        """A number for each example of one dataset, equal for those of one cluster, shape (n,).

        None where there are no clusters.
        """
        index = self._dataset(dataset)
        return None if self.clusters is None else self.clusters.codes[index]

    def _check_names(self) -> None:
        object.__setattr__(self, "datasets", checked_names(self.datasets, name="datasets"))
        object.__setattr__(self, "systems", checked_names(self.systems, name="systems"))
        self._positions.update((name, index) for index, name in enumerate(self.datasets))

    def _check_sides(self, sizes: Sequence[int], *, kinds: Mapping[str, str]) -> None:
        """Everything beside the scores fits as many examples as there are."""
        ids = None if self.example_ids is None else tuple(self.example_ids)
        object.__setattr__(self, "example_ids", checked_ids(ids, self.datasets, sizes))
        gold = checked_gold_scores(self.gold_scores, self.datasets, sizes, kinds=kinds)
        object.__setattr__(self, "gold_scores", gold)
        n_systems = len(self.systems)
        if self.labels is not None:
            check_one_each("gold labels", self.labels.gold, self.datasets, sizes)
            predictions = self.labels.predictions
            check_one_each("predictions", predictions, self.datasets, sizes, n_systems)
        if self.inputs is not None:
            check_one_each("inputs", self.inputs.codes, self.datasets, sizes)
        if self.clusters is not None:
            check_one_each("clusters", self.clusters.codes, self.datasets, sizes)
            for dataset, codes in zip(self.datasets, self.clusters.codes, strict=True):
                if codes.min() < 0:
                    raise ValueError(f"`clusters` of dataset {dataset!r} must not be negative.")
        if self.covariate_values is not None:
            covariates = self.covariate_values
            given: dict[str, Iterable[Any]] = {**covariates.numbers, **covariates.codes}
            for name, arrays in given.items():
                check_one_each(f"covariate {name!r}", arrays, self.datasets, sizes)
        if self.repeated_runs is not None:
            check_runs(
                self.repeated_runs, self.datasets, sizes, metrics=tuple(kinds), n_systems=n_systems
            )

    def _covariates(self, name: str) -> Covariates:
        check_choice(name, self.covariates, name="covariate")
        assert self.covariate_values is not None
        return self.covariate_values

    def _dataset(self, name: str) -> int:
        if name not in self._positions:
            check_choice(name, self.datasets, name="dataset")
        return self._positions[name]

    def _system(self, name: str) -> int:
        return self.systems.index(check_choice(name, self.systems, name="system"))
