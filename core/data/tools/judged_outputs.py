"""JSON with how every output was judged: Every Eval Ever, promptfoo, SWE-bench; answers beside SQuAD's.

The schemas 0.2 of Every Eval Ever (`instance_level_eval.schema.json`, `eval.schema.json`) say
what stands where; files of averages come with those of instances.
"""

import json
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import DataError, Problem, listed, quoted, stop_at
from ...types import grouped
from ..roles import Roles
from ..sources.files import SourceFile
from ..sources.gold_files import Placement, check_one_gold, place
from ..sources.json_values import (
    MEND,
    Entry,
    ToolJson,
    each_read,
    hash_of,
    list_at,
    members_of,
    part,
    records_of,
    required,
    text_at,
)
from ..sources.name_grid import NothingToCompare, stems_of
from ..tables.text import decode_text
from .gathered import (
    HEAD_BYTES,
    Gathered,
    Record,
    Scores,
    Tool,
    average,
    each,
    one_direction,
    scores_of,
    without_repetition,
)

# All of them stand before the transcript, which may be long.
_OF_AN_INSTANCE = (b'"evaluation_id"', b'"model_id"', b'"evaluation_name"', b'"sample_id"')
_OF_AVERAGES = (b'"evaluation_id"', b'"model_info"', b'"schema_version"')
_OF_OUTCOMES = (b'"promptIdx"', b'"testIdx"', b'"provider"', b'"success"')
_SCORE, _CORRECT, _PASS = "score", "is_correct", "pass"
_AS_NUMBER = {"true": "1", "false": "0"}
# As promptfoo numbers why an output failed: it could not be had at all.
_ERROR = "2"


def _is_of_every_eval_ever(file: SourceFile, head: bytes) -> bool:
    is_json = head.lstrip()[:1] in (b"{", b"[")
    return is_json and (all(k in head for k in _OF_AN_INSTANCE) or _is_averages(head))


def _is_averages(head: bytes) -> bool:
    return all(k in head for k in _OF_AVERAGES) and b'"sample_id"' not in head


def _gather_every_eval_ever(files: Sequence[SourceFile], found: Gathered) -> None:
    """Every instance's score, and the averages and directions that come with them."""
    directions: dict[str, dict[str, bool]] = {}
    averages: list[Scores] = []

    def read(file: SourceFile) -> None:
        if _is_averages(file.content[:HEAD_BYTES]):
            averages.extend(_averages(file, directions))
        else:
            found.scores += scores_of(file.name, _instances(file), numbered=True)

    found.read_each(files, read)
    told = directions
    if found.scores:
        # The averages may call it otherwise: all of them are of these scores.
        every = {name: up for ways in directions.values() for name, up in ways.items()}
        told = {_SCORE: every} if every else {}
    found.scores = [*without_repetition(found.scores, _SCORE, _CORRECT), *averages]
    found.higher_is_better = {_CORRECT: True, **one_direction(told)}


def _instances(file: SourceFile) -> Iterator[Record]:
    def read(entry: Entry) -> Record:
        record, asked = entry.value, part(entry.value, "input")
        raw, prompt = asked.get("raw"), asked.get("formatted")
        return Record(
            required(record, "evaluation_name"),
            required(record, "model_id"),
            required(record, "sample_id"),
            entry.line,
            {
                _CORRECT: _AS_NUMBER.get(text_at(record, "evaluation", "is_correct"), ""),
                _SCORE: text_at(part(record, "evaluation").get("score")),
            },
            content=hash_of([raw, asked.get("reference")]) if isinstance(raw, str) else "",
            prompt=hash_of(prompt) if isinstance(prompt, str) else "",
        )

    return each_read(records_of(file.content), read)


def _averages(file: SourceFile, directions: dict[str, dict[str, bool]]) -> list[Scores]:
    """The averages of a file; tells of each metric which way is better on each dataset."""
    whole = part(ToolJson(file).whole())
    system = text_at(whole, "model_info", "id") or required(whole, "model_info", "name")
    by_dataset: dict[str, dict[str, str]] = {}
    for result in list_at(whole, "evaluation_results"):
        dataset, config = text_at(result, "evaluation_name"), part(result).get("metric_config")
        details = part(result).get("score_details")
        if not dataset or not isinstance(config, dict) or not isinstance(details, dict):
            continue
        metric = text_at(config, "metric_name") or _SCORE
        own = by_dataset.setdefault(dataset, {})
        if metric in own:
            what = f"{listed([metric])} stands there twice: nothing tells the two apart."
            raise DataError.of(what, MEND, dataset=dataset)
        own[metric] = text_at(details.get("score"))
        lower = text_at(config, "lower_is_better")
        if lower:
            directions.setdefault(metric, {})[dataset] = lower == "false"
    return [average(file.name, dataset, system, own) for dataset, own in by_dataset.items()]


EVERY_EVAL_EVER = Tool(
    name="Every Eval Ever", claims=each(_is_of_every_eval_ever), gather=_gather_every_eval_ever
)


def _is_of_promptfoo(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds the outcomes of tests; long prompts may stand before the first."""
    return (
        head.lstrip()[:1] == b"{"
        and b'"results"' in head
        and all(mark in file.content for mark in _OF_OUTCOMES)
    )


def _gather_promptfoo(files: Sequence[SourceFile], found: Gathered) -> None:
    """One dataset a file, or one for all files of one description; a system a provider and prompt."""
    read = found.read_each(files, _outcomes)
    stems = stems_of([file.name for file in files])
    n_failed = 0
    for file, stem, (description, line, rows) in zip(files, stems, read, strict=True):
        n_failed += sum(map(_has_failed, rows))
        records = _records(description or stem, line, rows)
        found.scores += scores_of(file.name, records, numbered=True)
    found.scores = without_repetition(found.scores, _SCORE, _PASS)
    found.higher_is_better = {_PASS: True, _SCORE: True}
    if n_failed:
        outputs = "1 output" if n_failed == 1 else f"{n_failed:,} outputs"
        found.remarks.append(f"promptfoo got no answer for {outputs}: these have no score.")


def _outcomes(file: SourceFile) -> tuple[str, int, list[dict[str, Any]]]:
    """What the evaluation is called, and its outcomes with the line where they begin."""
    whole = {entry.key: entry for entry in ToolJson(file).walk()}
    entry = whole.get("results")
    held = entry.value if entry else None
    rows = held.get("results") if isinstance(held, dict) else held
    if entry is None or not isinstance(rows, list):
        raise DataError.of("It holds no list of results.", MEND, line=1)
    config = whole["config"].value if "config" in whole else None
    return text_at(config, "description"), entry.line, rows


def _records(dataset: str, line: int, rows: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """A record an outcome; a test that is repeated is one example, named as it was first."""
    several = len({str(row.get("promptIdx")) for row in rows}) > 1
    for system, own in grouped((_system(row, several=several), row) for row in rows).items():
        first: dict[str, str] = {}
        for row in own:
            # What is tested: the variables and what is asserted of the output.
            case = part(row, "testCase")
            content = hash_of(
                [row.get("vars", case.get("vars")), case.get("assert"), case.get("description")]
            )
            example = first.setdefault(content, required(row, "testIdx"))
            judged = {} if _has_failed(row) else row
            cells = {
                _PASS: _AS_NUMBER.get(text_at(judged, "success"), ""),
                _SCORE: text_at(judged.get("score")),
            }
            named = {k: text_at(v) for k, v in part(judged, "namedScores").items()}
            yield Record(dataset, system, example, line, cells | named, content)


def _system(row: dict[str, Any], *, several: bool) -> str:
    """The provider, and the number of the prompt where there are several."""
    told = text_at(row, "provider", "label") or text_at(row, "provider", "id")
    provider, number = told or required(row, "provider"), text_at(row, "promptIdx")
    called = str(int(number) + 1) if number.isdecimal() else number
    return f"{provider}, prompt {called}" if several else provider


def _has_failed(row: dict[str, Any]) -> bool:
    return text_at(row, "failureReason") == _ERROR


PROMPTFOO = Tool(name="promptfoo", claims=each(_is_of_promptfoo), gather=_gather_promptfoo)


_GOLD_OF_SQUAD = (b'"data"', b'"paragraphs"')
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_EXACT, _F1 = "exact_match", "f1"
_ANSWERS = "Give {id: answer}, as for SQuAD's evaluation script, with the ids of the questions."


def _claims_squad(files: Sequence[SourceFile], _: Roles) -> list[int]:
    """Questions with their answers as SQuAD has them, and every map of texts beside them."""
    gold = _gold_of_squad(files)
    said = [p for p, f in enumerate(files) if p not in gold and _ANSWER.match(f.content)]
    return sorted(gold + said) if gold and said else []


def _gold_of_squad(files: Sequence[SourceFile]) -> list[int]:
    heads = [file.content[:HEAD_BYTES] for file in files]
    return [p for p, head in enumerate(heads) if all(mark in head for mark in _GOLD_OF_SQUAD)]


# {"id": "text": a table's row has names, but beside questions every map holds answers.
_ANSWER = re.compile(rb'\s*\{\s*"[^"\n]*"\s*:\s*"')


def _gather_squad(files: Sequence[SourceFile], found: Gathered) -> None:
    """Exact match and F1 of each answer, as SQuAD's evaluation script counts them."""
    paths = [file.name for file in files]
    gold = _gold_of_squad(files)
    systems = [p for p in range(len(files)) if p not in gold]
    if len(gold) == 1:
        (name,) = stems_of([paths[gold[0]]])
        own = dict(zip(stems_of([paths[p] for p in systems]), systems, strict=True))
        placed = Placement(gold={name: tuple(gold)}, systems={name: own})
    else:
        placed = place(paths, gold=gold, systems=systems, whole="questions", answers=found)
    check_one_gold(placed.gold, paths)
    read = dict(enumerate(found.read_each(files, _map_of_answers)))
    problems: list[Problem] = []
    for dataset, own in placed.systems.items():
        (of_questions,) = placed.gold[dataset]
        right = read[of_questions]
        for system, position in own.items():
            said = {name: answers[0] for name, (_, answers) in read[position].items()}
            if said.keys().isdisjoint(right):
                what = f"None of its ids is one of {paths[of_questions]}."
                problems.append(Problem(what, _ANSWERS, dataset=dataset, file=paths[position]))
                continue
            judged = [
                _judged(said[name], answers) if name in said else ("", "")
                for name, (_, answers) in right.items()
            ]
            found.scores.append(
                Scores(
                    path=paths[position],
                    dataset=dataset,
                    system=system,
                    examples=list(right),
                    columns={_EXACT: [e for e, _ in judged], _F1: [f for _, f in judged]},
                    lines=[1] * len(right),
                    content=[question for question, _ in right.values()],
                )
            )
    stop_at(problems)
    found.higher_is_better = {_EXACT: True, _F1: True}
    found.remarks.append(
        "Answers are compared with every right one as SQuAD's evaluation script does: without "
        "case, punctuation and English articles."
    )
    found.note_gold(placed, paths)


def _map_of_answers(file: SourceFile) -> dict[str, tuple[str, list[str]]]:
    """Each question with its right answers, "" where it has none; or with the one of a system."""
    whole = part(ToolJson(file).whole())
    if not isinstance(whole.get("data"), list):
        return {name.strip(): ("", [text_at(whole, name)]) for name in whole}
    asked = [
        question
        for article in whole["data"]
        for paragraph in part(article).get("paragraphs") or ()
        for question in part(paragraph).get("qas") or ()
    ]
    return {
        text_at(one, "id"): (
            text_at(one, "question"),
            [text_at(answer, "text") for answer in part(one).get("answers") or ()] or [""],
        )
        for one in asked
    }


def _judged(said: str, right: Sequence[str]) -> tuple[str, str]:
    """Exact match and F1 with the right answer that is nearest."""
    own = _plain_words(said)
    scores = [_shared(own, _plain_words(answer)) for answer in right]
    exact = any(own == _plain_words(answer) for answer in right)
    return str(int(exact)), f"{max(scores):.6g}"


def _plain_words(text: str) -> list[str]:
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def _shared(own: Sequence[str], right: Sequence[str]) -> float:
    if not own or not right:
        return float(own == right)
    return 2 * (Counter(own) & Counter(right)).total() / (len(own) + len(right))


SQUAD = Tool(name="answers to SQuAD's questions", claims=_claims_squad, gather=_gather_squad)


_RESOLVED = ("resolved_ids", "resolved")
# Among what a report on one task says: whether it was resolved, and names that no other file has.
_FLAG = "resolved"
_BESIDE_FLAG = ("patch_is_None", "patch_exists", "patch_successfully_applied", "tests_status")
# Tasks in these were given to the system; it resolved those above.
_ATTEMPTED = (
    "submitted_ids", "completed_ids", "unresolved_ids", "empty_patch_ids", "error_ids",
    "generated", "with_logs", "applied", "no_apply", "install_fail", "reset_failed",
    "test_errored", "test_timeout", "no_patch", "failed",
)  # fmt: skip
_FAILED = ("unresolved_ids", "empty_patch_ids", "error_ids")
# Lists of tasks that leave out those that were tried without success.
_PARTIAL = ("no_generation", "no_logs")
_MAP = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:true|false|null)\b')
_REPORT = re.compile(rb'"resolved(?:_ids)?"\s*:\s*(?:\[|true|false|null)')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# As SWE-bench names tasks: owner__repository-number.
_TASK = re.compile(r"(.+)__(.+)-\d+")
_TO_LIST = (
    'Give the reports that the harness writes, whose "submitted_ids" list every instance that was '
    "tried, or a map of each instance to true or false."
)
_NO_CHANGE = "Give the file as the tool wrote it."
# What a system is called whose folder is not given with its tasks' files.
_NO_FOLDER = "model"
# Fewer names with true or false may be systems and what they did on one example.
_LEAST_TASKS = 3
_SPLITS = ("lite", "verified", "test", "dev", "multimodal", "multilingual")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Outcomes:
    """What one file, or one folder, says of a system: of each task whether it was resolved."""

    path: str
    # None where it is open.
    known: dict[str, bool | None]
    lines: dict[str, int]
    # Whether every task that was tried is named.
    lists_all: bool = True
    # Of a system each of whose tasks has a file.
    folder: str = ""


def _kind_of(value: Any) -> str:
    """What an object tells of tasks: "lists", "flat", "flags" among others; '' for nothing."""
    held = list(value.values()) if isinstance(value, dict) else []
    n_told = sum(isinstance(own, bool) for own in held)
    # A few values of another kind may have come among true and false.
    if _are_outcomes(held) or n_told > max(2, len(held) / 2):
        return "flat"
    if any(isinstance(value[key], list) for key in _RESOLVED if held and key in value):
        return "lists"
    if not held or not all(isinstance(own, dict) for own in held):
        return ""
    are_reports = all(
        _TASK.fullmatch(task) is not None or any(name in own for name in _BESIDE_FLAG)
        for task, own in value.items()
    )
    return "flags" if are_reports and _are_outcomes([own.get(_FLAG) for own in held]) else ""


def _are_outcomes(values: Sequence[Any]) -> bool:
    """Whether all are true, false or null, and not all are null."""
    return {*map(type, values)} - {type(None)} == {bool}


def _claims_swe(files: Sequence[SourceFile], _: Roles) -> list[int]:
    """The positions of reports and maps of tasks; one map alone may be a record of a row as well."""
    held: dict[int, Any] = {}
    for position, file in enumerate(files):
        is_object = file.content[:HEAD_BYTES].lstrip()[:1] == b"{"
        if is_object and (_MAP.match(file.content) or _REPORT.search(file.content)):
            try:
                held[position] = json.loads(file.content)
            except (ValueError, RecursionError):
                # A report that is broken is still one.
                if b'"resolved_ids"' in file.content and b'"submitted' in file.content:
                    held[position] = {_RESOLVED[0]: []}
    kinds = {place: kind for place, value in held.items() if (kind := _kind_of(value))}
    if [*kinds.values()] != ["flat"]:
        return [*kinds]
    (named,) = (held[place] for place in kinds)
    are_tasks = all(_TASK.fullmatch(task) for task in named)
    is_alone = len(files) == 1 and len(named) >= _LEAST_TASKS
    return [*kinds] if are_tasks or is_alone else []


def _read_outcomes(file: SourceFile) -> _Outcomes:
    text = decode_text(file.content).text
    value = {member.key: member.value for member in members_of(text, _NO_CHANGE)}
    # The line on which each text stands first.
    lines: dict[str, int] = {}
    for line, row in enumerate(text.split("\n"), start=1):
        for found in _STRING.finditer(row):
            lines.setdefault(found[1], line)
    kind = _kind_of(value)
    if kind == "lists":
        return _of_lists(file.name, value, lines)
    told = value if kind == "flat" else {task: own.get(_FLAG) for task, own in value.items()}
    others = [n for n, own in told.items() if own is not None and not isinstance(own, bool)]
    if others:
        raise DataError.of(
            f"Not every value of the JSON is true or false: that of {listed(others)} is not.",
            "Give true or false for each task, null where it is not known.",
            line=1,
        )
    known = {task.strip(): outcome for task, outcome in told.items()}
    folder = ""
    if kind == "flags" and len(known) == 1:
        parts = file.name.split("/")
        places = [i for i, part in enumerate(parts) if part.removesuffix(".json") in known]
        folder = ("/".join(parts[: max(places)]) or _NO_FOLDER) if places else ""
    return _Outcomes(path=file.name, known=known, lines=lines, folder=folder)


def _of_lists(path: str, value: Mapping[str, Any], lines: dict[str, int]) -> _Outcomes:
    lists = {key: own for key, own in value.items() if isinstance(own, list)}
    resolved, tried, unsent, failed = (
        [task for key in keys for task in lists.get(key, ())]
        for keys in (_RESOLVED, (*_ATTEMPTED, *_PARTIAL), ("incomplete_ids",), _FAILED)
    )
    if not all(isinstance(task, str) and task.strip() for task in (*resolved, *tried, *unsent)):
        raise DataError.of("A list of tasks holds what is no name.", _NO_CHANGE, line=1)
    stop_at(
        [
            Problem(
                f"The task {quoted(task)} is listed as resolved and as not resolved.",
                _NO_CHANGE,
                line=lines.get(task, 1),
            )
            for task in sorted({*resolved} & {*failed})
        ]
    )
    known: dict[str, bool | None] = {**dict.fromkeys(tried, False), **dict.fromkeys(resolved, True)}
    lists_all = any(key in lists for key in _ATTEMPTED)
    return _Outcomes(path=path, known=known, lines=lines, lists_all=lists_all)


def _gather_swe(files: Sequence[SourceFile], gathered: Gathered) -> None:
    """Everything that reports and maps of tasks hold; the files of one folder are one system's."""
    by_system: dict[str, _Outcomes] = {}
    for one in gathered.read_each(files, _read_outcomes):
        first = by_system.setdefault(one.folder or one.path, one)
        if first is not one:
            twice = [task for task in one.known if task in first.known]
            what = f"The folder {quoted(one.folder)} has outcomes of {listed(twice)} twice."
            stop_at(
                [Problem(what, "Upload only one of the two files.", file=one.path)] if twice else []
            )
            first.known.update(one.known)
            first.lines.update(one.lines)
            gathered.note(one.path, f"{len(one.known):,} more of the tasks of {one.folder}")
    folders = [one.folder for one in by_system.values() if one.folder]
    last = [folder.rpartition("/")[2] for folder in folders]
    names = dict(zip(folders, last if len({*last}) == len(last) else folders, strict=True))
    for dataset, own in grouped((_split_of(one), one) for one in by_system.values()).items():
        tasks = list(dict.fromkeys(task for one in own for task in one.known))
        if not tasks:
            what = f"No instance is listed in {listed([one.path for one in own])}, as resolved or as tried."
            raise DataError([NothingToCompare(what, _TO_LIST)])
        gathered.scores += [
            _scores_of_tasks(one, dataset, names.get(one.folder, ""), tasks) for one in own
        ]
        gathered.remarks += _on_tasks(own, dataset, tasks)
    gathered.higher_is_better[_FLAG] = True


def _scores_of_tasks(one: _Outcomes, dataset: str, system: str, tasks: Sequence[str]) -> Scores:
    """The outcome of every task that any file of the dataset names."""
    said = [task for task in tasks if task in one.known or not one.lists_all]
    outcomes = [one.known.get(task, False) for task in said]
    parts = [_TASK.fullmatch(task) for task in said]
    repositories = [f"{part[1]}/{part[2]}" for part in parts if part is not None]
    of_several = len(repositories) == len(said) and len(set(repositories)) > 1
    return Scores(
        path=one.path,
        dataset=dataset,
        system=system,
        examples=said,
        columns={_FLAG: ["" if outcome is None else str(int(outcome)) for outcome in outcomes]},
        lines=[one.lines.get(task, 1) for task in said],
        side={"repository": repositories} if of_several else {},
    )


def _on_tasks(found: Sequence[_Outcomes], dataset: str, tasks: Sequence[str]) -> Iterator[str]:
    partial = [one.path for one in found if not one.lists_all]
    if partial:
        yield (
            f"Tasks that were tried without success are not listed in {listed(partial)}; those "
            "that another file names count as not resolved. Shares are of the "
            f"{len(tasks):,} tasks of {quoted(dataset)} that some file names: tasks that no file "
            "names would make them smaller, but on these no two systems differ."
        )
    unknown = (
        (one.path, sum(one.known.get(task) is None for task in tasks))
        for one in found
        if one.lists_all
    )
    for path, n in [(path, n) for path, n in unknown if n][:10]:
        yield (
            f"{quoted(path)} does not say whether {n:,} of {len(tasks):,} tasks of "
            f"{quoted(dataset)} were resolved: it lists them nowhere, or as not submitted."
        )


def _split_of(one: _Outcomes) -> str:
    """The split of SWE-bench that a folder names, else what the tasks look like."""
    folders = one.path.split("/")[:-1]
    split = next((folder for folder in folders if folder.casefold() in _SPLITS), None)
    if split is not None:
        return split
    return "SWE-bench" if all(_TASK.fullmatch(task) for task in one.known) else "tasks"


SWE_BENCH = Tool(name="SWE-bench", claims=_claims_swe, gather=_gather_swe)
