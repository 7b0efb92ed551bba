"""What is said where each dataset is scored by a metric of its own, so that units differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..data import Reading
from ..data.tools.measures import EACH_OWN, METRIC_LABEL
from .formatting import display_name, list_names

# What the column with each dataset's metric is called in tables.
METRIC_COLUMN = "metric"
# Of more metrics the others stand in the table.
_MOST_NAMED = 5


def own_metrics(reading: Reading | None, datasets: Sequence[str]) -> dict[str, str]:
    """The metric of each dataset, where each is compared by its own; else empty."""
    if reading is None or reading.roles.get("measure") != EACH_OWN:
        return {}
    labels = reading.dataset_labels.get(METRIC_LABEL, {})
    return {name: labels.get(name, "") for name in datasets}


def unlike_metrics(reading: Reading | None, datasets: Sequence[str]) -> dict[str, str]:
    """The metric of each dataset, where these are not all the same; else empty."""
    found = own_metrics(reading, datasets)
    # What is not known is not taken for the same.
    alike = len(set(found.values())) == 1 and all(found.values())
    return {} if alike or len(found) < 2 else found


def no_average_sentence(metrics: Mapping[str, str]) -> str:
    """Why differences in unlike metrics are not averaged: the lead in place of an average."""
    return (
        f"No average over the {len(metrics):,} datasets is given: each is scored by a metric of its "
        f"own{_named(metrics)}, and differences in unlike metrics have no common unit."
    )


def standardised_caution(metrics: Mapping[str, str]) -> str:
    """Why effects are in standard deviations, for below an average of such."""
    return (
        f"Each dataset is scored by a metric of its own{_named(metrics)}. Effects are therefore in "
        "standard deviations of the examples' differences: in the metrics' own units they could not "
        "be averaged, nor their spread between datasets be told."
    )


def sizes_caution(metrics: Mapping[str, str]) -> str:
    """What unlike metrics do to tests over datasets that rank or average differences."""
    return (
        f"Each dataset is scored by a metric of its own{_named(metrics)}. Wilcoxon's signed-rank "
        "test, the paired t-test and Quade's test compare how large differences are from dataset "
        "to dataset, which unlike metrics decide by their scales; the sign test and Friedman's "
        "take from each dataset only which system is ahead."
    )


HOW_TO_AVERAGE = (
    "Results on every example can be averaged as standardised differences, in standard deviations "
    "of the examples' differences; else choose one metric that several datasets have."
)


def _named(metrics: Mapping[str, str]) -> str:
    by_metric: dict[str, list[str]] = {}
    for dataset, metric in metrics.items():
        if metric:
            by_metric.setdefault(metric, []).append(dataset)
    parts = [
        f"{display_name(metric)} on {list_names(own, most=3)}" for metric, own in by_metric.items()
    ]
    if not parts:
        return ""
    more = f"; and {len(parts) - _MOST_NAMED} more" if len(parts) > _MOST_NAMED else ""
    return f" ({'; '.join(parts[:_MOST_NAMED])}{more})"
