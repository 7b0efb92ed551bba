"""JSON with every output and how it was judged: Every Eval Ever, promptfoo; answers beside SQuAD's.

The schemas 0.2 of Every Eval Ever (`instance_level_eval.schema.json`, `eval.schema.json`) say
what stands where; files of averages come with those of instances.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ...errors import DataError, Problem, listed
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
    part,
    records_of,
    required,
    text_at,
)
from ..sources.name_grid import stems_of
from ..tables.limits import stop_at
from .gathered import (
    HEAD_BYTES,
    Gathered,
    Record,
    Scores,
    Tool,
    average,
    each,
    grouped,
    scores_of,
    without_repetition,
)
from .measures import one_direction

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

    def read(file: SourceFile) -> None:
        if _is_averages(file.content[:HEAD_BYTES]):
            found.averages += _averages(file, directions)
        else:
            found.scores += scores_of(file.name, _instances(file), numbered=True)

    found.read_each(files, read)
    told = directions
    if found.scores:
        # The averages may call it otherwise: all of them are of these scores.
        every = {name: up for ways in directions.values() for name, up in ways.items()}
        told = {_SCORE: every} if every else {}
    found.scores = without_repetition(found.scores, _SCORE, _CORRECT)
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


def _provider(row: Any) -> str:
    told = text_at(row, "provider", "label") or text_at(row, "provider", "id")
    return told or required(row, "provider")


def _records(dataset: str, line: int, rows: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """A record an outcome; a test that is repeated is one example, named as it was first."""
    several = len({str(row.get("promptIdx")) for row in rows}) > 1
    for system, own in grouped(rows, lambda row: _system(row, several=several)).items():
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
    number = text_at(row, "promptIdx")
    called = str(int(number) + 1) if number.isdecimal() else number
    return f"{_provider(row)}, prompt {called}" if several else _provider(row)


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
