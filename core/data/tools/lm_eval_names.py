"""Of which task and model each file of lm-evaluation-harness samples is; records do not say it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from core.data.sources.name_grid import without_ending
from core.data.tools.lm_eval_results import Results
from core.data.tools.lm_eval_samples import Samples
from core.data.tools.naming import DATE, n_common, tokens_of, without_name

# The second part is what a browser adds to a name that it has already.
_DATED = re.compile(rf"^(?P<before>.*?)_?(?P<date>{DATE})(?: ?\(\d+\))?$")
# As lmms-eval, which keeps the same records, names its files.
_DATE_FIRST = re.compile(r"^(?P<date>\d{8}_\d{4,6})_(?P<before>samples_.+|results)$")
_SAMPLES = "samples_"
# A person may have written the model's name before the name that the tool gave.
_PREFIXED = re.compile(r"^(?P<prefix>.+?)[_\-. ]+samples_(?P<task>.+)$")


def tasks_of(samples: Sequence[Samples], results: Sequence[Results]) -> dict[str, str]:
    """The task of each file, by its path.

    `samples_<task>_<date>.jsonl` names it. Where a person gave the names, a task
    that other files name is looked for; else files that hold the same documents
    are of one task, named by what their names have in common.
    """
    tasks: dict[str, str] = {}
    unnamed: dict[str, Samples] = {}
    for one in samples:
        before, date = _name_and_date(one.path)
        prefixed = _PREFIXED.match(before)
        task = before.removeprefix(_SAMPLES)
        if date and before.startswith(_SAMPLES) and task:
            tasks[one.path] = task
        elif date and prefixed:
            tasks[one.path] = prefixed["task"]
        else:
            unnamed[one.path] = one
    known = sorted({*tasks.values(), *(task for r in results for task in r.scores)}, key=len)
    for path in list(unnamed):
        stem = _bare(path)
        found = [task for task in known if task == stem or without_name(stem, task) != stem]
        if found:
            tasks[path] = found[-1]
            del unnamed[path]
    groups = _same_documents(list(unnamed.values()))
    if len(groups) > 1 and all(len(group) == 1 for group in groups):
        stems = [tokens_of(_bare(group[0])) for group in groups]
        if n_common(stems):
            # Of one task by name; that its documents differ is then reported.
            groups = [[path for group in groups for path in group]]
    tasks |= _named_alike(groups)
    return tasks


def models_of(paths: Sequence[str], results: Sequence[Results]) -> dict[str, str]:
    """The model of each file as far as results beside it name one: of its date, or its folder's."""
    by_date: dict[tuple[str, str], set[str]] = {}
    by_folder: dict[str, set[str]] = {}
    for one in results:
        if one.model:
            folder = one.path.rpartition("/")[0]
            by_date.setdefault((folder, _name_and_date(one.path)[1]), set()).add(one.model)
            by_folder.setdefault(folder, set()).add(one.model)
    models = {}
    for path in paths:
        folder, date = path.rpartition("/")[0], _name_and_date(path)[1]
        named = by_date.get((folder, date), set()) if date else set()
        if not named and folder:
            named = by_folder.get(folder, set())
        if len(named) == 1:
            (models[path],) = named
    return models


def result_of(path: str, results: Sequence[Results]) -> Results | None:
    """The results of the evaluation that a file of samples is of: beside it, of its date.

    Where one of the two has no date, the only results of the folder are.
    """
    folder, date = path.rpartition("/")[0], _name_and_date(path)[1]
    beside = [one for one in results if one.path.rpartition("/")[0] == folder]
    dates = [_name_and_date(one.path)[1] for one in beside]
    found = [one for one, own in zip(beside, dates, strict=True) if date and own == date]
    if not found and folder and not (date and all(dates)):
        found = beside
    return found[0] if len(found) == 1 else None


def distinct_models(tasks: Mapping[str, str], models: Mapping[str, str]) -> dict[str, str]:
    """The models' names, none of them where they would not tell two files of a task apart."""
    seen = [(tasks[path], model) for path, model in models.items()]
    return dict(models) if len(set(seen)) == len(seen) else {}


def called_before(tasks: Mapping[str, str], models: Mapping[str, str]) -> dict[str, str]:
    """The same with models out of what stands before the tool's own names of the other files.

    Nothing is added where some file has no such prefix, or where prefixes do
    not tell the files of a task apart.
    """
    found = dict(models)
    for path in tasks:
        if path not in found:
            before, date = _name_and_date(path)
            prefixed = _PREFIXED.match(before)
            if not date or not prefixed:
                return dict(models)
            found[path] = prefixed["prefix"]
    distinct = distinct_models(tasks, found)
    return distinct if len(set(distinct.values())) > 1 else dict(models)


def _name_and_date(path: str) -> tuple[str, str]:
    """A file's name without ending and date, and the date, '' where it has none."""
    stem = without_ending(path.rpartition("/")[2])
    found = _DATED.match(stem) or _DATE_FIRST.match(stem)
    return (found["before"], found["date"]) if found else (stem, "")


def _bare(path: str) -> str:
    return _name_and_date(path)[0].removeprefix(_SAMPLES)


def _same_documents(samples: Sequence[Samples]) -> list[list[str]]:
    """The paths of files that have documents in common."""
    groups: list[list[str]] = []
    group_of: dict[str, list[str]] = {}
    for one in samples:
        known: Collection[str] = dict.fromkeys(one.content)
        group = next((group_of[key] for key in known if key and key in group_of), None)
        if group is None:
            group = []
            groups.append(group)
        group.append(one.path)
        group_of |= {key: group for key in known if key and key not in group_of}
    return groups


def _named_alike(groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """For each path what the names of its group have in common, without what all groups have."""
    stems = {path: _bare(path) for group in groups for path in group}
    parts: dict[int, tuple[list[str], list[str]]] = {}
    for position, group in enumerate(groups):
        own = [tokens_of(stems[path]) for path in dict.fromkeys(group)]
        start = n_common(own)
        end = n_common([tokens[start:][::-1] for tokens in own])
        parts[position] = (own[0][:start], own[0][len(own[0]) - end :] if end else [])
    several = [position for position, group in enumerate(groups) if len(group) > 1]
    if len(several) > 1:
        # What follows the task in all groups begins the models' names, and so before it.
        after = n_common([parts[position][0][::-1] for position in several])
        ahead = n_common([parts[position][1] for position in several])
        least = min(len(parts[p][0]) + len(parts[p][1]) for p in several)
        if after + ahead < least:
            for position in several:
                first, last = parts[position]
                parts[position] = (first[: len(first) - after], last[ahead:])
    tasks: dict[str, str] = {}
    for position, group in enumerate(groups):
        first, last = parts[position]
        stem = stems[group[0]]
        name = _through(stem, first) if first else ""
        rest = _from(stem, last) if last and len(group) > 1 and stem != name else ""
        called = "_".join(part for part in (name, rest) if part) or stem
        tasks |= dict.fromkeys(group, called)
    return tasks


def _through(stem: str, tokens: Sequence[str]) -> str:
    """A name from its start through these tokens, as written."""
    position = 0
    for token in tokens:
        position = stem.index(token, position) + len(token)
    return stem[:position].strip("_-. ")


def _from(stem: str, tokens: Sequence[str]) -> str:
    """A name from these tokens, its last ones, to its end, as written."""
    position = len(stem)
    for token in reversed(tokens):
        position = stem.rindex(token, 0, position)
    return stem[position:].strip("_-. ")
