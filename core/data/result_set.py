"""Scores of several systems on every example of every dataset.

Vocabulary
----------
as given
    Scores as the file has them; nothing is turned, scaled or filled in.
oriented
    Turned so that a higher score is the better one: `ResultSet.oriented` for
    one score an example; of statistics and correlations a test turns the score
    that it makes of them.
labels
    What is compared in classification: the gold label and each prediction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..metrics.per_example import LABEL_METRICS, LabelMetric, label_metrics_of
from ..metrics.registry import CORRELATIONS, MEAN, aggregate, check_kind, statistic_metric
from ..shown import DataFrame, frame_of
from ..types import FloatArray, Rebuilt, frozen
from ..validation import check_choice, check_yes_or_no
from .roles import Reading
from .side_data import (
    CodeArray,
    Covariate,
    CovariateKind,
    ExampleClusters,
    Inputs,
    Labels,
    RepeatedRuns,
    TextArray,
    check_examples_in_one_order,
    check_length,
    check_one_each,
    checked_gold_scores,
    checked_ids,
    checked_margins,
    checked_names,
    checked_scores,
    clusters_of_labels,
    covariates_of_values,
    decimals_of_scores,
    fingerprint_of,
    id_parts,
    in_order,
    labels_of_texts,
    listed_names,
    name_parts,
    numbered_by_first,
    shared_systems,
    side_by_side,
)

# Of a set that is not read from a file: count the decimals of its values.
_COUNTED = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResultSet(Rebuilt):
    """Per-example scores of two or more systems on N datasets, paired by example.

    A dataset, system or metric that is not there is a `ValueError`, which lists those that are.

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
    covariate_values : mapping of str to Covariate
        What describes the examples, such as their length. `covariates` names
        them and `covariate` gives one.
    repeated_runs : RepeatedRuns or None
        The scores of each run, where scores are means over runs. `runs` names
        them.
    values : mapping of str to tuple of ndarray
        For each metric one array for each dataset, shape (n, n_systems), or
        (n, n_systems, s) where an example has s statistics: as given, all
        finite. `scores` and `oriented` give a system's.
    higher_is_better : mapping of str to bool
        For each metric whether a higher score is the better one.
    kinds : mapping of str to str
        For each metric its kind in `metrics.registry`; "mean" unless given.
    score_decimals : int
        The most decimals that a score is given with; 0 for 0/1. By default
        counted from the values.
    margins : ndarray, shape (N,), or None
        For each dataset the margin of a claim, in the units of the first metric.
    reading : Reading or None
        How the scores came out of their file.
    """

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    values: Mapping[str, tuple[FloatArray, ...]]
    higher_is_better: Mapping[str, bool]
    kinds: Mapping[str, str] = field(default_factory=dict)
    score_decimals: int = _COUNTED
    example_ids: tuple[Any, ...] | None = None
    labels: Labels | None = None
    gold_scores: tuple[FloatArray, ...] | None = None
    inputs: Inputs | None = None
    clusters: ExampleClusters | None = None
    covariate_values: Mapping[str, Covariate] = field(default_factory=dict)
    repeated_runs: RepeatedRuns | None = None
    margins: FloatArray | None = None
    reading: Reading | None = None
    _positions: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    _fingerprint: str = field(default="", init=False, repr=False)
    _outcomes: dict[str, bool] = field(default_factory=dict, init=False, repr=False)
    _of_labels: dict[str, LabelMetric] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "datasets", checked_names(self.datasets, name="datasets"))
        object.__setattr__(self, "systems", checked_names(self.systems, name="systems"))
        self._positions.update((name, index) for index, name in enumerate(self.datasets))
        checked_names(self.values, name="metrics")
        if set(self.higher_is_better) != set(self.values):
            raise ValueError(
                "`higher_is_better` must say it for each metric of `values`; "
                f"got {listed_names(self.higher_is_better)} for {listed_names(self.values)}."
            )
        kinds = {metric: self.kinds.get(metric, MEAN) for metric in self.values}
        for metric, kind in kinds.items():
            check_kind(kind, name=f"kinds[{metric!r}]")
        object.__setattr__(self, "kinds", MappingProxyType(kinds))
        # The arrays of the first metric say how many examples there are.
        first = tuple(next(iter(self.values.values())))
        check_length("values", len(first), self.datasets)
        sizes = [np.shape(array)[0] if np.ndim(array) else 0 for array in first]
        values = {
            metric: checked_scores(
                tuple(given), self.datasets, len(self.systems), kind=kinds[metric], sizes=sizes
            )
            for metric, given in self.values.items()
        }
        object.__setattr__(self, "values", MappingProxyType(values))
        directions = {
            metric: check_yes_or_no(self.higher_is_better[metric], name="higher_is_better")
            for metric in values
        }
        object.__setattr__(self, "higher_is_better", MappingProxyType(directions))
        self._check_sides(sizes, kinds=kinds)
        if self.margins is not None:
            object.__setattr__(self, "margins", checked_margins(self.margins, self.datasets))
        if self.score_decimals == _COUNTED:
            arrays = (array for per_dataset in values.values() for array in per_dataset)
            object.__setattr__(self, "score_decimals", decimals_of_scores(arrays))

    @classmethod
    def from_scores(
        cls,
        scores: Mapping[str, Mapping[str, npt.ArrayLike]],
        *,
        metric: str = "score",
        higher_is_better: bool = True,
        examples: Mapping[str, Iterable[str]] | None = None,
        clusters: Mapping[str, Sequence[object]] | None = None,
        covariates: Mapping[str, Mapping[str, Sequence[object]]] | None = None,
    ) -> ResultSet:
        """Make a set from arrays.

        Parameters
        ----------
        scores : mapping of dataset to mapping of system to array_like, shape (n,)
            Every dataset has the same systems, in any order.
        metric : str
            Name of the scores' metric.
        higher_is_better : bool
            Whether a higher score is the better one.
        examples : mapping of dataset to ids, optional
            Ids of the examples.
        clusters : mapping of dataset to labels, optional
            A label for each example; equal ones of a dataset belong together.
        covariates : mapping of dataset to mapping of name to values, optional
            What describes each example: numbers, nan where missing, or text.

        Raises
        ------
        ValueError
            If the arrays do not fit together or a score is not finite.
        """
        datasets, systems = tuple(scores), shared_systems(scores)
        check_examples_in_one_order(
            datasets, scores=scores, examples=examples, clusters=clusters, covariates=covariates
        )
        return cls(
            datasets=datasets,
            systems=systems,
            values={metric: tuple(side_by_side(scores[d], systems, d) for d in datasets)},
            higher_is_better={metric: higher_is_better},
            example_ids=in_order(examples, datasets),
            clusters=clusters_of_labels(clusters, datasets),
            covariate_values=covariates_of_values(covariates, datasets),
        )

    @classmethod
    def from_predictions(
        cls,
        gold: Mapping[str, Sequence[str]],
        predictions: Mapping[str, Mapping[str, Sequence[str]]],
        *,
        metric: str = "accuracy",
        examples: Mapping[str, Iterable[str]] | None = None,
        clusters: Mapping[str, Sequence[object]] | None = None,
        covariates: Mapping[str, Mapping[str, Sequence[object]]] | None = None,
    ) -> ResultSet:
        """Make a set from labels; the score is 1 where a prediction is the gold label.

        Parameters
        ----------
        gold : mapping of dataset to labels
            The right labels.
        predictions : mapping of dataset to mapping of system to labels
            Every dataset has the same systems, in any order.
        metric : str
            Name of the 0/1 score.
        examples, clusters, covariates : mapping of dataset, optional
            As in `from_scores`.

        Raises
        ------
        ValueError
            If the labels do not fit together.
        """
        datasets = tuple(gold)
        check_examples_in_one_order(
            datasets,
            gold=gold,
            predictions=predictions,
            examples=examples,
            clusters=clusters,
            covariates=covariates,
        )
        systems, labels = labels_of_texts(gold, predictions)
        return cls(
            datasets=datasets,
            systems=systems,
            values={metric: labels.correctness()},
            higher_is_better={metric: True},
            example_ids=in_order(examples, datasets),
            clusters=clusters_of_labels(clusters, datasets),
            covariate_values=covariates_of_values(covariates, datasets),
            labels=labels,
        )

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    @property
    def covariates(self) -> tuple[str, ...]:
        """Names of what describes the examples, such as "length" or "genre"; () where nothing does."""
        return tuple(self.covariate_values)

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs whose mean each score is, of all systems together; () where none."""
        runs = () if self.repeated_runs is None else self.repeated_runs.names
        return tuple(dict.fromkeys(name for own in runs for name in own))

    def runs_of(self, system: str) -> tuple[str, ...]:
        """Names of one system's runs, in the order of `run_scores`; () where there are none."""
        column = self._system(system)
        return () if self.repeated_runs is None else self.repeated_runs.names[column]

    def covariate_kind(self, name: str) -> CovariateKind:
        """Whether a covariate is "numeric" or "categorical"."""
        return self._covariate(name).kind

    def covariate(self, dataset: str, name: str) -> FloatArray | TextArray:
        """One covariate of each example of one dataset, shape (n,), read-only.

        Numbers, nan where missing; or categories as an object array of str,
        '' where missing.
        """
        return self._covariate(name).values(self._dataset(dataset))

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

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics; the first is the default."""
        return tuple(self.values)

    @property
    def label_metrics(self) -> tuple[str, ...]:
        """Names of further metrics that there are where labels are, each to be asked for by name.

        "macro-F1", "MCC" and, with at most 12 gold labels, "F1 of" each of them:
        `metrics.per_example` says what they are and where not defined.
        """
        if self.labels is not None and not self._of_labels:
            found = label_metrics_of(self.labels.names, self.labels.gold)
            self._of_labels.update((n, m) for n, m in found.items() if n not in self.values)
        return tuple(self._of_labels)

    def kind_of(self, metric: str | None = None) -> str:
        """A metric's kind; of a metric of labels "macro-f1", "mcc" or "f1"."""
        name = self._metric(metric)
        return self.kinds[name] if name in self.values else self._of_labels[name].kind

    def is_higher_better(self, metric: str | None = None) -> bool:
        """Whether a higher score is the better one; so it is by every metric of labels."""
        return self.higher_is_better.get(self._metric(metric), True)

    @property
    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, of what the file says.

        Names of datasets and systems, ids, labels or scores, in their order,
        which examples are in one cluster where there are clusters, covariates
        and margins where there are any, and the scores of runs where there are several.
        What is declared about them does not count: whether higher is better,
        and the name of a single metric.
        """
        if not self._fingerprint:
            object.__setattr__(self, "_fingerprint", fingerprint_of(self._content()))
        return self._fingerprint

    def _content(self) -> Iterator[bytes]:
        """What a set of results says, without what is declared about it."""
        labels, ids = self.labels, self.example_ids
        yield from name_parts(self.datasets)
        yield from name_parts(self.systems)
        yield len(self.values).to_bytes(8, "little")
        yield b"labels" if labels is not None else b"scores"
        if any(kind != MEAN for kind in self.kinds.values()):
            yield from name_parts(tuple(self.kinds.values()))
        if len(self.values) > 1:
            # A name then says which of the scores are meant.
            yield from name_parts(self.metrics)
        if labels is not None:
            yield from name_parts(labels.names)
        for index in range(self.n_datasets):
            yield b"ids" if ids is not None else b"no ids"
            if ids is not None:
                yield from id_parts(ids[index])
            if labels is not None:
                yield labels.gold[index].astype("<i4").tobytes()
                yield labels.predictions[index].astype("<i4").tobytes("F")
                continue
            if self.gold_scores is not None:
                yield self.gold_scores[index].astype("<f8").tobytes()
            for arrays in self.values.values():
                yield arrays[index].astype("<f8").tobytes("F")
        if self.clusters is not None:
            # Which examples belong together counts, not how their clusters are called.
            yield b"clusters"
            for codes in self.clusters.codes:
                yield numbered_by_first(codes).astype("<i4").tobytes()
        if self.covariate_values:
            yield b"covariates"
            yield from name_parts(self.covariates)
        for covariate in self.covariate_values.values():
            yield from covariate.content()
        if self.repeated_runs is not None:
            yield from self.repeated_runs.content()
        if self.margins is not None:
            yield b"margins"
            yield self.margins.astype("<f8").tobytes()

    def scores(self, dataset: str, system: str, metric: str | None = None) -> FloatArray:
        """Scores of one system on one dataset as given, shape (n,) or (n, s), read-only.

        Of a metric of labels, statistics that are counted on demand.

        Raises
        ------
        DataError
            If there are too many labels to count statistics of.
        """
        name, index, column = self._metric(metric), self._dataset(dataset), self._system(system)
        if name in self.values:
            return self.values[name][index][:, column]
        assert self.labels is not None
        return self.labels.statistics(self._of_labels[name], index, column, dataset=dataset)

    def run_scores(self, dataset: str, system: str, metric: str | None = None) -> FloatArray | None:
        """Scores of each run of one system on one dataset, as given, shape (n, n_runs), read-only.

        The columns are those of `runs_of`. None where there are no runs, or
        not every example of the dataset has every run.
        """
        name, index, column = self._metric(metric), self._dataset(dataset), self._system(system)
        if self.repeated_runs is None or name not in self.repeated_runs.values:
            return None
        of_dataset = self.repeated_runs.values[name][index]
        return None if of_dataset is None else of_dataset[column]

    def score(self, dataset: str, system: str, metric: str | None = None) -> float:
        """One system's score on one dataset as given; nan where it is not defined."""
        name, index, column = self._metric(metric), self._dataset(dataset), self._system(system)
        if name in self.values:
            gold = None if self.gold_scores is None else self.gold_scores[index]
            return aggregate(self.kinds[name], self.values[name][index][:, column], gold=gold)
        assert self.labels is not None
        own = self.labels.predictions[index][:, column]
        return self._of_labels[name].score(self.labels.gold[index], own)

    def oriented(self, dataset: str, system: str, metric: str | None = None) -> FloatArray:
        """As `scores`, turned so that higher is better.

        Statistics are given as they are: the metric's score is what is turned.
        """
        scores = self.scores(dataset, system, metric)
        if self.is_higher_better(metric) or scores.ndim > 1:
            return scores
        # 0 − x, as −x would make a zero negative.
        return frozen(0.0 - scores)

    def name_in_file(self, dataset: str) -> str:
        """What the file calls a dataset that was renamed, so that no random stream changes."""
        new = {} if self.reading is None else self.reading.roles.get("dataset_names")
        old = {name: old for old, name in new.items()} if isinstance(new, Mapping) else {}
        return str(old.get(dataset, dataset))

    def n_examples(self, dataset: str) -> int:
        """Number of one dataset's examples."""
        index = self._dataset(dataset)
        return int(self.values[self.metrics[0]][index].shape[0])

    def has_outcomes(self, metric: str | None = None) -> bool:
        """Whether every system's scores are 0 or 1 on all datasets, and no counts.

        It is asked once for a metric, so that one dataset whose F scores happen
        to be 0 and 1 is not tested as if the metric were accuracy.
        """
        name = self._metric(metric)
        if name not in self._outcomes:
            self._outcomes[name] = self.kind_of(name) == MEAN and all(
                ((own == 0.0) | (own == 1.0)).all() for own in self.values[name]
            )
        return self._outcomes[name]

    def points_of(self, metric: str | None = None) -> float | None:
        """How many points 1 in a metric's units is: 100 of shares, 1 of percentages, else None.

        Percentages are said by the metric's name, or by scores that are all 0 or 100.
        """
        name = self._metric(metric)
        kind = self.kind_of(name)
        if kind in CORRELATIONS:
            return None
        if kind == MEAN:
            if self.has_outcomes(name):
                return 100.0
            in_percent = "%" in name or "percent" in name.casefold()
            whole = in_percent or all(np.isin(given, (0, 100)).all() for given in self.values[name])
            return 1.0 if whole else None
        if kind in LABEL_METRICS:
            return 100.0 if kind == "macro-f1" else None
        largest = statistic_metric(kind).largest
        return {1.0: 100.0, 100.0: 1.0}.get(largest or 0.0, 100.0 if kind == "ratio" else None)

    def spread_of(self, metric: str | None = None) -> float:
        """How far apart any two scores of examples are; infinite where a mean of them is not the score."""
        name = self._metric(metric)
        if self.kind_of(name) != MEAN:
            return float("inf")
        values = self.values[name]
        return float(max(own.max() for own in values) - min(own.min() for own in values))

    def margin_of(self, dataset: str, metric: str | None = None) -> float:
        """The margin that the file gives for a dataset, in the metric's units.

        Raises
        ------
        DataError
            If the file gives no margins, or those of another metric.
        """
        index, name = self._dataset(dataset), self._metric(metric)
        if self.margins is None or name != self.metrics[0]:
            raise DataError.of(
                what=f"The file has no column of margins for the metric {name!r}.",
                remedy="Add a column 'margin', which gives the margin of each dataset in the units "
                "of the first metric, or give one margin for all.",
            )
        return float(self.margins[index])

    def to_frame(self) -> DataFrame:
        """A row for each dataset, metric and system: number of examples and score."""
        rows = [
            (dataset, system, metric, self.n_examples(dataset), self.score(dataset, system, metric))
            for dataset in self.datasets
            for metric in self.metrics
            for system in self.systems
        ]
        return frame_of(rows, columns=["dataset", "system", "metric", "n_examples", "score"])

    def _metric(self, name: str | None) -> str:
        if name is None:
            return self.metrics[0]
        if name in self.values:
            return name
        return check_choice(name, (*self.metrics, *self.label_metrics), name="metric")

    def _check_sides(self, sizes: Sequence[int], *, kinds: Mapping[str, str]) -> None:
        """Everything beside the scores fits as many examples as there are."""
        ids = None if self.example_ids is None else tuple(self.example_ids)
        object.__setattr__(self, "example_ids", checked_ids(ids, self.datasets, sizes))
        gold = checked_gold_scores(self.gold_scores, self.datasets, sizes, kinds=kinds)
        object.__setattr__(self, "gold_scores", gold)
        if self.clusters is not None:
            check_one_each("clusters", self.clusters.codes, self.datasets, sizes)
        covariates = MappingProxyType(dict(self.covariate_values))
        object.__setattr__(self, "covariate_values", covariates)
        if covariates:
            checked_names(covariates, name="covariates")
        for name, covariate in covariates.items():
            check_one_each(f"covariate {name!r}", covariate.parts, self.datasets, sizes)
            if any(np.isinf(own).any() for own in covariate.parts):
                raise ValueError(f"The covariate {name!r} must be finite, or nan where missing.")

    def _covariate(self, name: str) -> Covariate:
        return self.covariate_values[check_choice(name, self.covariates, name="covariate")]

    def _dataset(self, name: str) -> int:
        if name not in self._positions:
            check_choice(name, self.datasets, name="dataset")
        return self._positions[name]

    def _system(self, name: str) -> int:
        return self.systems.index(check_choice(name, self.systems, name="system"))
