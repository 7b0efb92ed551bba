"""HELM's statistics: of each instance, of its predictions, and of a run as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.data.sources.given import SourceFile
from core.data.sources.json_values import cell
from core.data.tools.json_entries import ToolJson, number_cell, stop_at
from core.data.words import quoted
from core.errors import Problem

UNPERTURBED = "unperturbed"
# How much work a run was, and what a model was sure of: by these nothing is compared.
_BOOKKEEPING = frozenset(
    {
        "num_references",
        "num_train_trials",
        "num_train_instances",
        "num_instances",
        "num_prompt_tokens",
        "num_completion_tokens",
        "num_output_tokens",
        "num_perplexity_tokens",
        "num_completions",
        "num_bytes",
        "prompt_truncated",
        "batch_size",
        "inference_runtime",
        "inference_denoised_runtime",
        "inference_idealized_runtime",
        "training_co2_cost",
        "training_energy_cost",
        "max_prob",
        "predicted_index",
    }
)
_BOOKKEEPING_BEGINS = ("finish_reason_", "estimated_num_tokens")
_LOWER_IS_BETTER = (
    "perplexity",
    "bits_per_byte",
    "edit_distance",
    "wer_score",
    "mer_score",
    "wip_score",
    "cer_score",
    "toxic_frac",
    "expected_max_toxicity",
    "max_toxicity",
)
# Statistics of perturbed instances that compare them with the others.
_COMPARED_ON = ("worst", "original")
_SHAPE = "Give the file as HELM wrote it."

Key = tuple[str, str, str]


@dataclass(slots=True, kw_only=True)
class Instance:
    """One instance as one run answered it.

    Attributes
    ----------
    line : int
        Where it stands first.
    split : str
        "test", "valid" or the like, '' where nothing says it.
    values : dict of str to str
        For each metric the value as written.
    """

    line: int
    split: str = ""
    values: dict[str, str] = field(default_factory=dict)


def is_compared(metric: str) -> bool:
    """Whether a statistic is a metric and not about the work."""
    return metric not in _BOOKKEEPING and not metric.startswith(_BOOKKEEPING_BEGINS)


def higher_is_better(metric: str) -> bool:
    """The direction of one of HELM's metrics."""
    return metric not in _LOWER_IS_BETTER


def read_instances(file: SourceFile) -> dict[Key, Instance]:
    """The instances of a run by id, perturbation and trial.

    A run's statistics are written metric by metric, so that an instance may
    stand in several entries.

    Raises
    ------
    DataError
        With every entry that is none, and every value that contradicts another.
    """
    found: dict[Key, Instance] = {}
    problems: list[Problem] = []
    for entry in ToolJson(file).records():
        value = entry.value if isinstance(entry.value, dict) else {}
        name, stats = cell(value.get("instance_id")), value.get("stats")
        trial = cell(value.get("train_trial_index", "0"))
        if not name or not trial or not isinstance(stats, (dict, list)):
            what = "The entry is not the statistics of an instance."
            problems.append(Problem(what=what, remedy=_SHAPE, line=entry.line))
            continue
        key = (name, perturbation_name(value.get("perturbation")), trial)
        instance = found.setdefault(key, Instance(line=entry.line))
        for metric, split, text in _values(stats):
            instance.split = instance.split or split
            if instance.values.setdefault(metric, text) != text and is_compared(metric):
                what = f"{quoted(metric)} of the instance {quoted(name)} has two values."
                remedy = "Give the statistics of one run in each file."
                problems.append(Problem(what=what, remedy=remedy, line=entry.line))
    stop_at(problems)
    return found


def read_averages(file: SourceFile) -> dict[tuple[str, str], dict[str, str]]:
    """The averages of a run by perturbation and split: for each metric the mean as written."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for entry in ToolJson(file).records():
        value = entry.value if isinstance(entry.value, dict) else {}
        name = value.get("name")
        if not isinstance(name, dict) or name.get("sub_split"):
            continue
        changed = name.get("perturbation")
        if isinstance(changed, dict) and changed.get("computed_on") in _COMPARED_ON:
            continue
        metric, mean = cell(name.get("name")), number_cell(value.get("mean"))
        if metric and mean:
            place = (perturbation_name(changed), cell(name.get("split")) or "")
            found.setdefault(place, {}).setdefault(metric, mean)
    return found


def perturbation_name(value: Any) -> str:
    """What a perturbation is called: by its name and by what tells it from others of that name."""
    if not isinstance(value, Mapping):
        return UNPERTURBED
    name = cell(value.get("name")) or "perturbed"
    told = [
        f"{key}={text}"
        for key, own in value.items()
        if key not in ("name", "robustness", "fairness", "computed_on", "seed")
        and (text := cell(own))
    ]
    return f"{name} ({', '.join(told)})" if told else name


def _values(stats: dict[str, Any] | list[Any]) -> Iterable[tuple[str, str, str]]:
    """Metric, split and value of each statistic."""
    if isinstance(stats, dict):
        yield from ((metric, "", cell(value) or "") for metric, value in stats.items())
        return
    for stat in stats:
        name = stat.get("name") if isinstance(stat, dict) else None
        metric = cell(name.get("name")) if isinstance(name, dict) else None
        if metric and isinstance(name, dict):
            yield metric, cell(name.get("split")) or "", cell(stat.get("mean")) or ""
