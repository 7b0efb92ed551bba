"""What each column of a file was taken for, in words."""

from __future__ import annotations

from collections.abc import Mapping

from core.data import Reading

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
