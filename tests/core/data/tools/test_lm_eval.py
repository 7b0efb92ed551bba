"""Files of lm-evaluation-harness, written after its source.

Records as `evaluate` makes them and `EvaluationTracker.save_results_samples` writes them in
0.4.13.dev0 (`lm_eval/evaluator.py`, `lm_eval/loggers/evaluation_tracker.py`); older ones had
neither "filter" nor "metrics", still older ones no "doc_hash" either and stood in one array.
Results as `save_results_aggregated` writes them.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from core.data.reading import ReadingStopped
from tests.core.data.tools.files_of import read, refused

MONDAY, TUESDAY = "2024-05-06T10-00-00.123456", "2024-05-07T11-30-00.654321"


def record(task: str, number: int, filter_name: str = "none", **metrics: Any) -> dict[str, Any]:
    doc = {"question": f"{task} {number}", "choices": ["yes", "no\u2028"]}
    return {
        "doc_id": number,
        "doc": doc,
        "target": "1",
        "arguments": {"gen_args_0": {"arg_0": "Question: …", "arg_1": " yes"}},
        "resps": [[["-1.5", "False"]], [["-2.25", "False"]]],
        "filtered_resps": [["-1.5", "False"], ["-2.25", "False"]],
        "filter": filter_name,
        "metrics": list(metrics),
        "doc_hash": sha256(json.dumps(doc).encode()).hexdigest(),
        "prompt_hash": "5f",
        "target_hash": "6a",
        **metrics,
    }


def jsonl(*records: Any) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


def samples(task: str, acc: str, **others: Any) -> str:
    """One record for each 0 or 1."""
    return jsonl(
        *(record(task, i, acc=float(right), **others) for i, right in enumerate(acc, start=0))
    )


def averages(model: str, **tasks: dict[str, Any]) -> str:
    whole = {
        "results": {task: {"alias": task, **own} for task, own in tasks.items()},
        "group_subtasks": {},
        "configs": {task: {"task": task, "repeats": 1} for task in tasks},
        "versions": dict.fromkeys(tasks, 1.0),
        "n-shot": dict.fromkeys(tasks, 0),
        "higher_is_better": {task: {"acc": True} for task in tasks},
        "n-samples": {task: {"original": 4, "effective": 4} for task in tasks},
        "config": {"model": "hf", "model_args": f"pretrained={model},dtype=float32"},
        "model_source": "hf",
        "model_name": model,
        "model_name_sanitized": model.replace("/", "__"),
    }
    return json.dumps(whole, indent=2)


def two_models(task: str = "arc_easy", a: str = "1101", b: str = "1000") -> dict[str, str]:
    return {
        f"out/org__a/samples_{task}_{MONDAY}.jsonl": samples(task, a),
        f"out/org__b/samples_{task}_{TUESDAY}.jsonl": samples(task, b),
    }


def test_two_models_are_compared_document_by_document():
    results = read(two_models() | two_models("hellaswag", "01", "11"))
    assert results.datasets == ("arc_easy", "hellaswag")
    assert results.systems == ("org__a", "org__b")
    assert results.metrics == ("acc",)
    assert results.scores("arc_easy", "org__a").tolist() == [1, 1, 0, 1]
    assert results.scores("hellaswag", "org__b").tolist() == [1, 1]
    assert results.examples("arc_easy") == ("0", "1", "2", "3")
    reading = results.reading
    assert [(use.kind, use.used) for use in reading.files] == [("lm-evaluation-harness", True)] * 4
    assert reading.files[0].content == "4 examples of arc_easy, system org__a"
    matched = [(one.dataset, one.system, one.n_examples, one.n_matched) for one in reading.matched]
    assert matched[0] == ("arc_easy", "org__a", 4, 4)


def beside(mean: float) -> dict[str, str]:
    whole = json.loads(averages("org/a", arc_easy={"acc,none": mean, "acc_stderr,none": 0.2}))
    whole["n-samples"]["arc_easy"]["effective"] = 3
    return {f"out/org__a/results_{MONDAY}.json": json.dumps(whole)}


def test_a_mean_is_compared_as_exactly_as_it_is_written():
    means: list[Any] = [0.667, 0.6667, 2 / 3, "0.66667"]
    for mean in means:
        both = two_models(a="110", b="100")
        assert read(both | beside(mean)).systems == ("org/a", "org__b"), mean
        [problem] = refused(both | beside(float(mean) + 0.001)).problems
        assert "The mean of 'acc'" in problem.what, mean


def test_hostile_lines_end_in_problems():
    for line, said_of in [
        (b'{"doc_id": 9, "x": ' + b"[" * 100_000, "nested"),
        (b'{"doc_id": 9, "resps": [1]} {"doc_id": 10}', "Extra data"),
        (b'{"doc_id": "", "acc": 1.0}', "'doc_id'"),
        (b'{"doc_id": 9, "filter": ["none"], "acc": 1.0}', "'filter'"),
        (b'{"doc_id": 9, "doc": "\xff"}', "byte 23"),
    ]:
        first, second = ((name, text.encode()) for name, text in two_models().items())
        (problem,) = refused(dict([first, (second[0], second[1] + line + b"\n")])).problems
        assert problem.line == 5, said_of
        assert said_of in problem.what


def test_reading_can_be_stopped_within_a_file():
    stages: list[str] = []

    def stop(stage: str, share: float) -> bool:
        stages.append(stage)
        return stage != "cutting" or share <= 0.1

    with pytest.raises(ReadingStopped):
        read(two_models(), on_progress=stop)
    assert "reading" not in stages
