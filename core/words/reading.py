"""How a file was read: the role of each column, the use of each file, how examples were matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..data import Reading
from ..data.provenance import Matched
from ..data.tools.measures import EACH_OWN, METRIC_LABEL
from ..data.words import listed
from .formatting import display_name, list_names

if TYPE_CHECKING:
    import pandas as pd

# What the column with each dataset's metric is called in tables.
METRIC_COLUMN = "metric"
# Of more metrics the others stand in the table.
_MOST_METRICS = 5


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
    more = f"; and {len(parts) - _MOST_METRICS} more" if len(parts) > _MOST_NAMED else ""
    return f" ({'; '.join(parts[:_MOST_METRICS])}{more})"


_ROLE_WORDS: Mapping[str, str] = {
    "dataset": "names of datasets",
    "example": "ids of examples",
    "gold": "gold: what is right",
    "system": "names of systems",
    "metric_names": "names of metrics",
    "run": "runs or seeds",
    "cluster": "clusters of examples",
    "system_a": "scores of A",
    "system_b": "scores of B",
    "p_value": "p-values",
    "n_examples": "examples a dataset",
    "effect": "effects",
    "standard_error": "standard errors or variances",
    "margin": "margins of a claim, one per dataset",
    "systems": "a system's results",
    "scores": "scores of a metric",
}


def columns_as_understood(reading: Reading) -> list[tuple[str, str]]:
    """Each column of the file, in its order, and its role in words."""
    held: dict[str, str] = {}
    for role, words in _ROLE_WORDS.items():
        value = reading.roles.get(role)
        columns = [value] if isinstance(value, str) else value
        if not isinstance(columns, list | tuple):
            continue
        for column in columns:
            held.setdefault(str(column), words)
    held = {**dict.fromkeys(reading.dataset_labels, "labels, to group datasets"), **held}
    held = {**reading.other_columns, **held}
    return [(column, held.get(column, "not read")) for column in reading.columns]


_BECAUSE = {"given": "that was chosen, or the files say so", "heading": "its heading says so"}


def because(reading: Reading, column: str) -> str:
    """Why a column has its role; '' where it has none."""
    why = reading.evidence.get(column, "")
    return _BECAUSE.get(why, f"it {why}" if why else "")


# Of more datasets with examples left over, the others stand in the table.
_MOST_NAMED = 3
LEFT_OVER = (
    "An example is left over where some other system has none with the same id on that dataset, or "
    "none with a score: it has no partner, and a paired test cannot use it."
)


def files_sentence(reading: Reading) -> str:
    """How many files were used and how many examples matched; '' where there is nothing to say."""
    return " ".join(part for part in (_files(reading), _matching(reading.matched)) if part)


def reasons(reading: Reading) -> list[str]:
    """Why files were left aside, each reason once with the names of its files."""
    by_reason: dict[str, list[str]] = {}
    for use in reading.files:
        if not use.used:
            by_reason.setdefault(use.reason, []).append(use.path)
    return [f"{listed(paths)}: {reason}" for reason, paths in by_reason.items()]


def files_table(reading: Reading) -> pd.DataFrame:
    """One row a file: whether it was used, what it is and what it holds."""
    import pandas as pd

    return pd.DataFrame(
        {
            "file": [use.path for use in reading.files],
            "used": ["yes" if use.used else "no" for use in reading.files],
            "kind": [use.kind or "not known" for use in reading.files],
            "what it holds": [use.content for use in reading.files],
        }
    )


def matched_table(reading: Reading) -> pd.DataFrame:
    """One row a dataset and system: examples, how many have partners, and the ids of others."""
    import pandas as pd

    matched = reading.matched
    return pd.DataFrame(
        {
            "dataset": [one.dataset for one in matched],
            "system": [one.system for one in matched],
            "examples": [one.n_examples for one in matched],
            "matched": [one.n_matched for one in matched],
            "left over": [_n_left(one) for one in matched],
            "ids left over": [_ids(one) for one in matched],
        }
    )


def _files(reading: Reading) -> str:
    n = len(reading.files)
    if not n:
        return ""
    n_used = sum(use.used for use in reading.files)
    files = f"{n:,} file{'' if n == 1 else 's'}"
    if n_used == n:
        return f"{files}, all used." if n > 1 else f"{files}, which is used."
    return f"{files}: {n_used:,} used, {n - n_used:,} left aside."


def _matching(matched: Sequence[Matched]) -> str:
    by_dataset: dict[str, list[Matched]] = {}
    for one in matched:
        by_dataset.setdefault(one.dataset, []).append(one)
    if not by_dataset:
        return ""
    partial = {name: own for name, own in by_dataset.items() if not _is_whole(own)}
    if len(by_dataset) == 1:
        ((name, own),) = by_dataset.items()
        return _of_dataset(name, own)
    n_whole = len(by_dataset) - len(partial)
    if not partial:
        total = sum(own[0].n_matched for own in by_dataset.values())
        return (
            f"On all {len(by_dataset):,} datasets every example is matched between the systems: "
            f"{total:,} in all."
        )
    on = f"On {n_whole:,} of {len(by_dataset):,} datasets every example is"
    sentences = [
        f"{on if n_whole else 'On no dataset is every example'} matched between the systems."
    ]
    sentences += [_of_dataset(name, own) for name, own in list(partial.items())[:_MOST_NAMED]]
    more = len(partial) - _MOST_NAMED
    if more > 0:
        sentences.append(f"Examples are left over on {more:,} more.")
    return " ".join(sentences)


def _of_dataset(name: str, own: Sequence[Matched]) -> str:
    if len(own) == 1:
        return f"Only {own[0].system} has results on {name}."
    between = f"between {len(own):,} systems"
    n = own[0].n_matched
    if _is_whole(own):
        return f"{n:,} of {n:,} examples of {name} are matched {between}."
    left = [one for one in own if _n_left(one)]
    shown = ", ".join(
        f"{_n_left(one):,} of {one.n_examples:,} of {one.system}" for one in left[:_MOST_NAMED]
    )
    more = len(left) - _MOST_NAMED
    others = f" and some of {more:,} more systems" if more > 0 else ""
    return f"{n:,} examples of {name} are matched {between}; left over are {shown}{others}."


def _is_whole(own: Sequence[Matched]) -> bool:
    return len(own) > 1 and not any(map(_n_left, own))


def _n_left(one: Matched) -> int:
    return one.n_examples - one.n_matched


def _ids(one: Matched) -> str:
    more = _n_left(one) - len(one.left_over)
    shown = listed(one.left_over)
    return f"{shown} and {more:,} more" if one.left_over and more > 0 else shown
