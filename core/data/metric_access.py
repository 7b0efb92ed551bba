"""Which metrics a result set has: their arrays, kinds and directions, and those that labels give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.data.side_data import SideData
from core.metrics.labels import LabelMetric, label_metrics_of
from core.types import FloatArray
from core.validation import check_choice


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricAccess(SideData):
    """The part of a `ResultSet` that holds its scores by metric.

    Attributes
    ----------
    values : mapping of str to tuple of ndarray
        For each metric one array for each dataset, shape (n, n_systems), or
        (n, n_systems, s) where an example has s statistics: as given, all
        finite. `scores` and `oriented` give a system's.
    higher_is_better : mapping of str to bool
        For each metric whether a higher score is the better one.
    kinds : mapping of str to str
        For each metric its kind in `core.metrics.registry`; "mean" unless given.
    """

    values: Mapping[str, tuple[FloatArray, ...]]
    higher_is_better: Mapping[str, bool]
    kinds: Mapping[str, str] = field(default_factory=dict)
    _of_labels: dict[str, LabelMetric] = field(default_factory=dict, init=False, repr=False)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics; the first is the default."""
        return tuple(self.values)

    @property
    def label_metrics(self) -> tuple[str, ...]:
        """Names of further metrics that there are where labels are, each to be asked for by name.

        "macro-F1", "MCC" and, with at most 12 gold labels, "F1 of" each of them:
        `core.metrics.labels` says what they are and where not defined.
        """
        if self.labels is not None and not self._of_labels:
            found = label_metrics_of(self.labels.names, self.labels.gold)
            self._of_labels.update((n, m) for n, m in found.items() if n not in self.values)
        return tuple(self._of_labels)

    def kind_of(self, metric: str | None = None) -> str:
        """A metric's kind; of a metric of labels "macro-f1", "mcc" or "f1".

        Raises
        ------
        ValueError
            If there is no such metric.
        """
        name = self._metric(metric)
        return self.kinds[name] if name in self.values else self._of_labels[name].kind

    def is_higher_better(self, metric: str | None = None) -> bool:
        """Whether a higher score is the better one; so it is by every metric of labels.

        Raises
        ------
        ValueError
            If there is no such metric.
        """
        return self.higher_is_better.get(self._metric(metric), True)

    def _metric(self, name: str | None) -> str:
        if name is None:
            return self.metrics[0]
        if name in self.values:
            return name
        return check_choice(name, (*self.metrics, *self.label_metrics), name="metric")
