"""Runs of HELM: the statistics of each instance, or of its predictions, or the averages."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import unquote

from ...errors import Choice, DataError, Problem, first_of, listed, quoted
from ...types import grouped
from ..roles import AVERAGE_RUNS, ONLY_RUN
from ..sources.files import SourceFile, base_of
from ..sources.json_values import (
    MEND,
    Entry,
    ToolJson,
    cell,
    each_read,
    hash_of,
    list_at,
    part,
    required,
    text_at,
)
from ..tables.numbers import is_number_cell
from .gathered import (
    HEAD_BYTES,
    Gathered,
    Record,
    Scores,
    Tool,
    average,
    each,
    helm_directions,
    is_compared,
    scores_of,
    told_by_owner,
)

UNPERTURBED = "unperturbed"
# Statistics of perturbed instances that compare them with the others.
_COMPARED_ON = ("worst", "original")

# Id, perturbation and trial.
_Key = tuple[str, str, str]
# Arguments that say how a model is asked, not what it is asked.
_OF_THE_MODEL = frozenset(
    {"stop", "model_deployment", "tokenizer", "global_prefix", "global_suffix", "newline",
     "format_prompt", "add_to_stop", "process_output", "chatml", "output_format_instructions",
     "increase_max_tokens", "increase_temperature", "num_output_tokens", "temperature"}
)  # fmt: skip


def _read_instances(file: SourceFile, texts: Mapping[tuple[str, str], str]) -> list[Scores]:
    """The instances of a run by perturbation and split; each may stand in several entries."""
    # Of each the line of its first entry, and its split, '' where nothing says it.
    places: dict[_Key, tuple[int, str]] = {}
    found: dict[_Key, dict[str, str]] = {}

    def take(entry: Entry) -> None:
        name, value = required(entry.value, "instance_id"), part(entry.value)
        trial = text_at(value, "train_trial_index") or "0"
        key = (name, _perturbation_name(value.get("perturbation")), trial)
        line, known = places.get(key, (entry.line, ""))
        values = found.setdefault(key, {})
        for metric, split, text in _values(value.get("stats")):
            known = known or split
            if is_compared(metric) and values.setdefault(metric, text) != text:
                raise DataError.of(
                    f"{quoted(metric)} of the instance {quoted(name)} has two values.",
                    "Give the statistics of one run in each file.",
                )
        places[key] = (line, known)

    list(each_read(ToolJson(file).records(), take))
    records = (
        Record(label, split, name, line, found[key], texts.get((name, label), ""), run=run)
        for key, (line, split) in places.items()
        for name, label, run in (key,)
    )
    return scores_of(file.name, records)


def _read_averages(file: SourceFile) -> list[Scores]:
    """The averages of a run by perturbation and split."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for entry in ToolJson(file).records():
        name = part(entry.value, "name")
        changed = name.get("perturbation")
        metric, mean = text_at(name, "name"), text_at(part(entry.value).get("mean"))
        is_of_all = (
            not name.get("sub_split") and part(changed).get("computed_on") not in _COMPARED_ON
        )
        if is_compared(metric) and metric and mean and is_of_all:
            place = (_perturbation_name(changed), text_at(name, "split"))
            found.setdefault(place, {}).setdefault(metric, mean)
    return [average(file.name, *place, scores) for place, scores in found.items()]


def _read_texts(file: SourceFile) -> dict[tuple[str, str], str]:
    """A hash of what each instance asks and what answers it has, by id and perturbation."""
    found = {}
    for entry in ToolJson(file).records():
        value = part(entry.value)
        name, asked = text_at(value, "id"), value.get("input")
        if name and asked is not None:
            told = [_text(asked)]
            for one in list_at(value, "references"):
                told.append(_text(one.get("output")) if isinstance(one, dict) else one)
            found[name, _perturbation_name(value.get("perturbation"))] = hash_of(told)
    return found


def _text(value: Any) -> Any:
    """The text of an input or an output; what has none stays whole, as pictures do."""
    text = part(value).get("text")
    return text if isinstance(text, str) and text else value


def _perturbation_name(value: Any) -> str:
    """What a perturbation is called: by its name and by what tells it from others of that name."""
    if not isinstance(value, Mapping):
        return UNPERTURBED
    name = text_at(value, "name") or "perturbed"
    told = [
        f"{key}={text}"
        for key, own in value.items()
        if key not in ("name", "robustness", "fairness", "computed_on", "seed")
        and (text := cell(own))
    ]
    return f"{name} ({', '.join(told)})" if told else name


def _values(stats: Any) -> Iterable[tuple[str, str, str]]:
    if isinstance(stats, dict):
        return [(metric, "", cell(value) or "") for metric, value in stats.items()]
    if not isinstance(stats, list):
        raise DataError.of("The entry is not the statistics of an instance.", MEND)
    names = ((part(stat, "name"), text_at(stat, "mean")) for stat in stats)
    return [
        (text_at(o, "name"), text_at(o, "split"), mean) for o, mean in names if text_at(o, "name")
    ]


class _RunName(NamedTuple):
    """The scenario with its own arguments, the model and how it was asked; '' where nothing says it."""

    dataset: str
    model: str
    settings: str = ""


def read_run_name(name: str) -> _RunName:
    """Take a name such as "mmlu:subject=anatomy,model=openai_gpt2,stop=none" apart."""
    name = unquote(name)
    scenario, colon, rest = name.partition(":")
    if not colon and ",model=" in name:
        scenario, _, rest = name.partition(",")
    arguments: list[str] = []
    for piece in rest.split(","):
        # A comma inside a value is no separator.
        if arguments and "=" not in piece:
            arguments[-1] += f",{piece}"
        elif piece:
            arguments.append(piece)
    own, settings, model = [], [], ""
    for argument in arguments:
        key, _, value = argument.partition("=")
        if key == "model":
            model = value
        elif key in _OF_THE_MODEL:
            settings.append(argument)
        else:
            own.append(argument)
    return _RunName(
        dataset=":".join(filter(None, (scenario, ",".join(own)))),
        model=model,
        settings=",".join(settings),
    )


_STATS, _PREDICTIONS, _MEANS, _SPEC, _TEXTS = (
    "per_instance_stats",
    "display_predictions",
    "stats",
    "run_spec",
    "instances",
)
# Of each file by its name what its beginning has to hold, and what kind it is then.
_FILES = {
    "per_instance_stats.json": (rb"", _STATS),
    "display_predictions.json": (rb"", _PREDICTIONS),
    "stats.json": (rb'\A\s*\[\s*\{\s*"name"\s*:\s*\{\s*"name"\s*:', _MEANS),
    "run_spec.json": (rb'\A\s*\{\s*"name"\s*:[\s\S]*"scenario_spec"', _SPEC),
    "instances.json": (rb'"input"', _TEXTS),
    "scenario.json": (rb'"name"', ""),
    "scenario_state.json": (rb'"adapter_spec"', ""),
    "display_requests.json": (rb'"request"|\A\s*\[\s*\{\s*"instance_id"', ""),
}
_INSTANCES = re.compile(rb'\s*\[\s*\{\s*"instance_id"\s*:')
_LIST_OF_STATS = re.compile(rb'"stats"\s*:\s*\[')


class _Run(NamedTuple):
    """One run with its instances, or with averages where there are no instances.

    As datasets and systems its scores have perturbations and splits, '' where nothing says these.
    """

    path: str
    name: _RunName
    scores: Sequence[Scores]


def _gather(files: Sequence[SourceFile], found: Gathered) -> None:
    folders: dict[str, dict[str, list[SourceFile]]] = {}
    for file in files:
        own = folders.setdefault(file.name.rpartition("/")[0], {})
        own.setdefault(_kind(file, file.content[:HEAD_BYTES]) or "", []).append(file)
    wanted: dict[str, tuple[str, str]] = {}
    texts: dict[str, SourceFile] = {}
    for folder, own in folders.items():
        specified = found.read_each(own.get(_SPEC, ()), lambda file: ToolJson(file).whole())
        names = [name for one in specified if (name := text_at(one, "name"))]
        best = next((kind for kind in (_STATS, _PREDICTIONS, _MEANS) if kind in own), None)
        if _TEXTS in own and best in (_STATS, _PREDICTIONS):
            texts |= dict.fromkeys((one.name for one in own[best]), own[_TEXTS][0])
        for kind, file in ((kind, file) for kind, held in own.items() for file in held):
            if kind == _SPEC:
                found.note(file.name, "the run's name")
            elif kind == _TEXTS and best in (_STATS, _PREDICTIONS):
                found.note(file.name, "the instances' texts")
            elif kind == best:
                wanted[file.name] = (kind, names[0] if names else folder)
            elif best is not None and kind in (_PREDICTIONS, _MEANS):
                found.leave(file.name, f"{best}.json beside it says the same for each instance.")
            else:
                found.leave(file.name, "It holds no scores.")

    def read(file: SourceFile) -> _Run:
        kind, name = wanted[file.name]
        beside: dict[tuple[str, str], str] = {}
        if file.name in texts:
            (beside,) = found.read_each([texts[file.name]], _read_texts)
        scores = _read_averages(file) if kind == _MEANS else _read_instances(file, beside)
        name = unquote(base_of(name))
        # What is no run's name is a system's folder.
        run = read_run_name(name) if "=" in name or ":" in name else _RunName("", "")
        return _Run(path=file.name, name=run, scores=scores)

    read_files = [file for file in files if file.name in wanted]
    _settle(found.read_each(read_files, read), found)


def _settle(runs: Sequence[_Run], found: Gathered) -> None:
    chosen = _perturbation(runs, found)
    kept = [
        sorted((o for o in run.scores if o.dataset == chosen), key=lambda one: one.system)
        for run in runs
    ]
    splits: dict[str, set[str]] = {}
    for run, own in zip(runs, kept, strict=True):
        splits.setdefault(run.name.dataset, set()).update(one.system for one in own)
    scores: list[Scores] = []
    places = [(run.name.dataset, run.name.model) for run in runs]
    for run, place, own in zip(runs, places, kept, strict=True):
        # A model that has several runs on a dataset is named with its settings as well.
        of_several = run.name.model and run.name.settings and places.count(place) > 1
        system = f"{run.name.model} ({run.name.settings})" if of_several else run.name.model
        for one in own:
            dataset = run.name.dataset or "HELM"
            if len(splits[run.name.dataset]) > 1 and one.system:
                dataset = f"{dataset} ({one.system})"
            named = replace(one, dataset=dataset, system=system)
            (scores if one.examples else found.scores).append(named)
        if not own:
            found.leave(run.path, "It holds no results.")
    metrics = [(one.dataset, tuple(one.columns)) for one in (*scores, *found.scores)]
    found.higher_is_better = helm_directions(metrics)
    systems = {one.system for one in scores}
    # Of one system alone nothing is asked, as there is nothing to compare.
    is_alone = len(systems) == 1 and "" not in systems
    found.scores += scores if is_alone else _settle_trials(scores, found)
    settings = [
        f"{quoted(run.name.model)} on {quoted(run.name.dataset)}: {run.name.settings}"
        for run in runs
        if run.name.model and run.name.settings
    ]
    if settings:
        found.remarks.append(f"Runs with settings of their own: {first_of(settings)}.")


def _perturbation(runs: Sequence[_Run], found: Gathered) -> str:
    """Which instances count: as they are, or changed in one way."""
    own = [{one.dataset for one in run.scores} for run in runs]
    labels = sorted({label for held in own for label in held}, key=lambda x: (x != UNPERTURBED, x))
    if labels in ([], [UNPERTURBED]):
        return UNPERTURBED
    told = {x: f"changed by {x}" if x != UNPERTURBED else "as they are" for x in labels}
    choice = Choice(
        role="filter",
        question="HELM changed some instances to see whether answers stay right. Which count?",
        options=tuple((label, f"Those {how}") for label, how in told.items()),
    )
    answer = found.given.get("filter")
    chosen = str(answer) if answer is not None else labels[0]
    if chosen not in labels:
        what = f"There are no instances changed by {quoted(chosen)}."
        raise DataError.of(what, f"There are {listed(labels)}.", choices=(choice,))
    lacking = [
        Problem(
            f"The run of {quoted(run.name.model)} has no instances {told[chosen]}.",
            "Choose instances that every run has, or drop this run.",
            dataset=run.name.dataset,
            file=run.path,
        )
        for run, held in zip(runs, own, strict=True)
        if held and chosen not in held
    ]
    if lacking:
        raise DataError(lacking, choices=(choice,))
    found.settle("filter", chosen, choice)
    if others := [label for label in labels if label != chosen]:
        n = sum(len(one.examples) for run in runs for one in run.scores if one.dataset != chosen)
        found.remarks.append(
            f"Read: instances {told[chosen]}{', as chosen' if answer is not None else ''}. Left "
            f"aside: {n:,} answers on instances of {listed(others)}."
        )
    return chosen


def _kind(file: SourceFile, head: bytes) -> str | None:
    """Which of HELM's files it is, '' for one that holds no results; None for none of them."""
    mark, kind = _FILES.get(base_of(file.name), (None, ""))
    if mark is not None and re.search(mark, head):
        return kind
    if _INSTANCES.match(head) and b'"train_trial_index"' in file.content:
        return _STATS if _LIST_OF_STATS.search(file.content) else _PREDICTIONS
    return None


def _settle_trials(scores: Sequence[Scores], found: Gathered) -> list[Scores]:
    """The same scores, or one for each instance where datasets have different trials.

    Only where within each dataset all systems have the same trials of every
    instance is anything settled here; else trials stay runs, of which the rows
    are asked for as of any other table.
    """
    trials: dict[str, set[str]] = {}
    for one in scores:
        trials.setdefault(one.dataset, set()).update(one.runs)
    is_full = all(
        len(one.examples) == len(trials[one.dataset]) * len({*one.examples}) for one in scores
    )
    if not is_full or len(set(map(frozenset, trials.values()))) < 2:
        return list(scores)
    common = sorted(set.intersection(*trials.values()))
    shown = told_by_owner((dataset, sorted(own)) for dataset, own in trials.items())
    choice = Choice(
        role="runs",
        question="The datasets do not have the same trials. Which scores count?",
        options=(
            (AVERAGE_RUNS, f"Average the trials that each dataset has: {shown}"),
            *((f"{ONLY_RUN}{trial}", f"Use trial {trial} only") for trial in common),
        ),
    )
    answer = found.given.get("runs")
    if answer is None:
        raise DataError.of(
            f"The datasets do not have the same trials: {shown}.",
            "Average the trials that each dataset has, or choose one that all have.",
            answered_by="runs",
            choices=(choice,),
        )
    if answer != AVERAGE_RUNS:
        # One trial alone is read as of any other table.
        return list(scores)
    remark = f"The trials that each dataset has are averaged, as chosen: {shown}."
    found.settle("runs", answer, choice, remark)
    return [_averaged(one) for one in scores]


def _averaged(one: Scores) -> Scores:
    rows = list(grouped((example, row) for row, example in enumerate(one.examples)).values())
    firsts = [own[0] for own in rows]
    return replace(
        one,
        examples=[one.examples[row] for row in firsts],
        columns={
            metric: [_mean([cells[row] for row in own]) for own in rows]
            for metric, cells in one.columns.items()
        },
        lines=[one.lines[row] for row in firsts],
        content=[one.content[row] for row in firsts] if one.content else (),
        runs=(),
    )


def _mean(cells: Sequence[str]) -> str:
    """The mean; '' where a trial lacks its score, and what is no number as it is, to be named."""
    if len(cells) == 1 or not all(cells):
        return cells[0] if len(cells) == 1 else ""
    try:
        return repr(math.fsum(map(float, cells)) / len(cells))
    except ValueError:
        return next((text for text in cells if not is_number_cell(text)), cells[0])


HELM = Tool(
    name="HELM", claims=each(lambda file, head: _kind(file, head) is not None), gather=_gather
)
