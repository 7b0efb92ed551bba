"""What a result set knows of its examples beside the scores: ids, labels, clusters, covariates, runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.data.covariates import CovariateKind, Covariates, check_covariates
from core.data.labels import CodeArray, ExampleClusters, Inputs, Labels, TextArray
from core.data.names import checked_names
from core.data.repeated_runs import RepeatedRuns, check_runs
from core.data.result_checks import (
    check_clusters,
    check_inputs,
    check_labels,
    checked_gold_scores,
    checked_ids,
)
from core.types import FloatArray
from core.validation import check_choice


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SideData:
    """The part of a `ResultSet` that says what its examples are, and looks names up.

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

    @property
    def has_shared_runs(self) -> bool:
        """Whether there are runs and every system has the same, in the same order.

        Else a run of one system has nothing to do with any run of another.
        """
        return self.repeated_runs is not None and self.repeated_runs.shared

    def runs_of(self, system: str) -> tuple[str, ...]:
        """Names of one system's runs, in the order of `run_scores`; () where there are none.

        Raises
        ------
        ValueError
            If there is no such system.
        """
        column = self._system(system)
        return () if self.repeated_runs is None else self.repeated_runs.names[column]

    def covariate_kind(self, name: str) -> CovariateKind:
        """Whether a covariate is "numeric" or "categorical".

        Raises
        ------
        ValueError
            If there is no such covariate.
        """
        return self._covariates(name).kind(name)

    def covariate_levels(self, name: str) -> tuple[str, ...]:
        """The categories of a categorical covariate, by first appearance; () of a numeric one.

        Raises
        ------
        ValueError
            If there is no such covariate.
        """
        return self._covariates(name).levels.get(name, ())

    def covariate(self, dataset: str, name: str) -> FloatArray | TextArray:
        """One covariate of each example of one dataset, shape (n,), read-only.

        Numbers, nan where missing; or categories as an object array of str,
        '' where missing.

        Raises
        ------
        ValueError
            If there is no such dataset or covariate.
        """
        return self._covariates(name).values(self._dataset(dataset), name)

    def gold(self, dataset: str) -> TextArray | FloatArray | None:
        """Gold labels (an object array of str) or numbers of one dataset; None without gold.

        Raises
        ------
        ValueError
            If there is no such dataset.
        """
        index = self._dataset(dataset)
        if self.gold_scores is not None:
            return self.gold_scores[index]
        return None if self.labels is None else self.labels.texts(self.labels.gold[index])

    def predictions(self, dataset: str, system: str) -> TextArray | None:
        """Labels that one system gave, an object array of str, or None where there are none.

        Raises
        ------
        ValueError
            If there is no such dataset or system.
        """
        index, column = self._dataset(dataset), self._system(system)
        if self.labels is None:
            return None
        return self.labels.texts(self.labels.predictions[index][:, column])

    def examples(self, dataset: str) -> tuple[str, ...] | None:
        """Ids of one dataset's examples as text, or None where there are none.

        Raises
        ------
        ValueError
            If there is no such dataset.
        """
        index = self._dataset(dataset)
        return None if self.example_ids is None else tuple(self.example_ids[index].to_pylist())

    def clusters_of(self, dataset: str) -> CodeArray | None:
        """A number for each example of one dataset, equal for those of one cluster, shape (n,).

        None where there are no clusters.

        Raises
        ------
        ValueError
            If there is no such dataset.
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
        check_labels(self.labels, self.datasets, sizes, n_systems)
        check_inputs(self.inputs, self.datasets, sizes)
        check_clusters(self.clusters, self.datasets, sizes)
        check_covariates(self.covariate_values, self.datasets, sizes)
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
