"""HELM's statistics: of each instance, of its predictions, and of a run as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote

from ...errors import DataError, Problem
from ..sources.given import SourceFile
from ..sources.json_values import cell
from ..words import quoted
from .directions import is_compared
from .tool_json import ToolJson, hash_of, number_cell, stop_at

UNPERTURBED = "unperturbed"
# Statistics of perturbed instances that compare them with the others.
_COMPARED_ON = ("worst", "original")
_SHAPE = "Give the file as HELM wrote it."

Key = tuple[str, str, str]
# Arguments that say how a model is asked, not what it is asked.
_OF_THE_MODEL = frozenset(
    {
        "stop",
        "model_deployment",
        "tokenizer",
        "global_prefix",
        "global_suffix",
        "newline",
        "format_prompt",
        "add_to_stop",
        "process_output",
        "chatml",
        "output_format_instructions",
        "increase_max_tokens",
        "increase_temperature",
        "num_output_tokens",
        "temperature",
    }
)


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


def read_texts(file: SourceFile) -> dict[tuple[str, str], str]:
    """A hash of what each instance asks and what answers it has, by id and perturbation.

    Raises
    ------
    DataError
        Named by this file, where it is no list in JSON.
    """
    try:
        return _texts(file)
    except DataError as error:
        raise DataError([replace(p, file=file.name) for p in error.problems]) from None


def _texts(file: SourceFile) -> dict[tuple[str, str], str]:
    found = {}
    for entry in ToolJson(file).records():
        value = entry.value if isinstance(entry.value, dict) else {}
        name, asked = cell(value.get("id")), value.get("input")
        if name and asked is not None:
            references = value.get("references")
            told = [_text(asked), *map(_output, references if isinstance(references, list) else ())]
            key = (name, perturbation_name(value.get("perturbation")))
            found[key] = hash_of(told)
    return found


def _text(value: Any) -> Any:
    """The text of an input or an output; what has none stays whole, as pictures do."""
    text = value.get("text") if isinstance(value, dict) else None
    return text if isinstance(text, str) and text else value


def _output(reference: Any) -> Any:
    return _text(reference.get("output")) if isinstance(reference, dict) else reference


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RunName:
    """The parts of a run's name.

    Attributes
    ----------
    dataset : str
        The scenario with the arguments that are its own.
    model : str
        '' where the name has none.
    settings : str
        How the model was asked, '' where nothing is said.
    """

    dataset: str
    model: str
    settings: str = ""


def read_run_name(name: str) -> RunName:
    """Take a name such as "mmlu:subject=anatomy,model=openai_gpt2,stop=none" apart."""
    name = unquote(name)
    scenario, colon, rest = name.partition(":")
    if not colon and ",model=" in name:
        scenario, _, rest = name.partition(",")
    arguments: list[str] = []
    for part in rest.split(","):
        # A comma inside a value is no separator.
        if arguments and "=" not in part:
            arguments[-1] += f",{part}"
        elif part:
            arguments.append(part)
    own, settings, model = [], [], ""
    for argument in arguments:
        key, _, value = argument.partition("=")
        if key == "model":
            model = value
        elif key in _OF_THE_MODEL:
            settings.append(argument)
        else:
            own.append(argument)
    return RunName(
        dataset=":".join(part for part in (scenario, ",".join(own)) if part),
        model=model,
        settings=",".join(settings),
    )


def systems_of(names: Sequence[RunName]) -> list[str]:
    """What each run's system is called: its model, with settings where one has several runs."""
    places = [(name.dataset, name.model) for name in names]
    return [
        f"{name.model} ({name.settings})"
        if name.model and name.settings and places.count((name.dataset, name.model)) > 1
        else name.model
        for name in names
    ]
