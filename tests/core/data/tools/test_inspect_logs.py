"""Logs and data frames of Inspect, written after its source (inspect_ai 0.3).

`EvalLog`, `EvalSample` and `EvalSampleSummary` in `log/_log.py`, the archive's members in
`log/_recorders/eval.py`, the columns of `samples_df` and `evals_df` in `analysis/_dataframe`, and
`value_to_float` in `scorer/_metric.py`.
"""

from __future__ import annotations

import json
from typing import Any

from core.data import ResultSet
from core.data.tools.inspect_logs import number_of
from tests.core.data.tools.files_of import read

GPT, GEMINI = "openai/gpt-4o", "google/gemini"
# C, I, P and N as numbers.
GRADES, AS_NUMBERS = "CCIPCN", [1, 1, 0, 0.5, 1, 0]
OTHERS, OTHERS_AS_NUMBERS = "CIICIC", [1, 0, 0, 1, 0, 1]


def samples(grades: str) -> list[dict[str, Any]]:
    return [
        {
            "id": place + 1,
            "epoch": 1,
            "input": f"question {place}",
            "target": "4",
            "messages": [{"role": "user", "content": "\u001b[31m colours \ud800 and halves"}],
            "scores": {"match": {"value": grade, "answer": "4", "history": []}},
        }
        for place, grade in enumerate(grades)
    ]


def log(model: str, own: list[dict[str, Any]] | None, **more: Any) -> dict[str, Any]:
    """A log; without samples where there are none."""
    spec = {"eval_id": "x", "task": "inspect_evals/gsm8k", "task_args": {}, "model": model}
    header = {
        "version": 2,
        "status": more.pop("status", "success"),
        "eval": {**spec, "solver": "generate", **more},
        "plan": {"steps": []},
        "results": {"scores": []},
        "stats": {},
    }
    return header if own is None else {**header, "samples": own}


def text(value: Any) -> str:
    return json.dumps(value, indent=2)


def two(a: dict[str, Any], b: dict[str, Any]) -> dict[str, str | bytes]:
    return {"logs/first.json": text(a), "logs/second.json": text(b)}


def test_two_logs_are_compared_by_their_grades_as_inspect_counts_them():
    results = read(two(log(GPT, samples(GRADES)), log(GEMINI, samples(OTHERS))))
    assert isinstance(results, ResultSet)
    assert (results.datasets, results.systems) == (("gsm8k",), (GPT, GEMINI))
    assert list(results.scores("gsm8k", GPT)) == AS_NUMBERS
    assert list(results.scores("gsm8k", GEMINI)) == OTHERS_AS_NUMBERS
    assert results.reading.roles["metric"] == "match"
    assert "P as 0.5" in results.reading.remarks[0]
    assert [(use.path, use.kind, use.content) for use in results.reading.files] == [
        ("first.json", "Inspect", f"6 examples of gsm8k, system {GPT}"),
        ("second.json", "Inspect", f"6 examples of gsm8k, system {GEMINI}"),
    ]
    assert [(m.n_examples, m.n_matched) for m in results.reading.matched] == [(6, 6), (6, 6)]


def test_values_are_read_as_by_value_to_float_and_others_stay():
    for value, number in [
        *zip("CIPN", ("1", "0", "0.5", "0"), strict=True),
        *(("yes", "1"), ("No", "0"), ("TRUE", "1"), ("0.25", "0.25"), ("B", "B"), ("", "")),
    ]:
        assert number_of(value, set()) == number, (value, number)
