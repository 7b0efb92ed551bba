"""Every Eval Ever, promptfoo, LightEval and the Hub's results, as their documentation writes them."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.data import ResultSet
from core.data.score_table import ScoreTable
from tests.core.data.tools.files_of import kind_of, read, refused


def problems(files: Mapping[str, str | bytes], **named: Any) -> str:
    return "\n".join(map(str, refused(files, **named).problems))


# Every Eval Ever


def instance(model: str, sample: str, score: float, *, right: bool | None = None, **over: Any):
    return {
        "schema_version": "0.2.1",
        "evaluation_id": f"mmlu/{model}/1706000000",
        "model_id": model,
        "evaluation_name": "mmlu",
        "sample_id": sample,
        "interaction_type": "single_turn",
        "input": {"raw": f"What is {sample}?", "reference": ["A"]},
        "output": {"raw": [" D"]},
        "evaluation": {"score": score, "is_correct": score > 0 if right is None else right},
        **over,
    }


def jsonl(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def averages(model: str, *, lower: bool) -> str:
    result = {
        "evaluation_name": "mmlu",
        "metric_config": {"lower_is_better": lower, "score_type": "continuous"},
        "score_details": {"score": 0.31},
    }
    return json.dumps(
        {
            "schema_version": "0.2.0",
            "evaluation_id": f"mmlu/{model}/1",
            "model_info": {"name": model, "id": model},
            "evaluation_results": [result],
        }
    )


def test_instances_of_two_models_are_matched_by_their_ids():
    results = read(
        {
            "a.jsonl": jsonl(*(instance("org/a", f"q{i}", float(i < 3)) for i in range(5))),
            "b.jsonl": jsonl(*(instance("org/b", f"q{i}", float(i < 2)) for i in (4, 3, 2, 1, 0))),
        }
    )
    assert kind_of(results) is ResultSet
    assert (results.datasets, results.systems) == (("mmlu",), ("org/a", "org/b"))
    # Scores that say the same as right and wrong are not a second metric.
    assert results.metrics == ("is_correct",)
    assert results.examples("mmlu") == ("q0", "q1", "q2", "q3", "q4")
    assert list(results.scores("mmlu", "org/b")) == [1, 1, 0, 0, 0]


def test_graded_instances_have_both_metrics_with_the_direction_that_the_averages_say():
    files = {
        f"{m}.jsonl": jsonl(*(instance(m, f"q{i}", i / 8, right=False) for i in range(4)))
        for m in "ab"
    }
    files |= {f"{m}.json": averages(m, lower=True) for m in "ab"}
    results = read(files)
    assert results.metrics == ("is_correct", "score")
    assert dict(results.higher_is_better) == {"is_correct": True, "score": False}
    assert [use.used for use in results.reading.files] == [True, True, False, False]
    alone = read({f"{m}.json": averages(m, lower=False) for m in "ab"})
    assert kind_of(alone) is ScoreTable


# promptfoo


def outcome(test: int, provider: str, score: float, *, prompt: int = 0, **over: Any):
    return {
        "promptIdx": prompt,
        "testIdx": test,
        "provider": {"id": f"openai:{provider}", "label": provider},
        "prompt": {"raw": "Answer {{q}}", "label": "Answer"},
        "vars": {"q": f"question {test}"},
        "testCase": {"vars": {"q": f"question {test}"}, "assert": [{"type": "equals"}]},
        "success": score >= 0.5,
        "score": score,
        "namedScores": {"clarity": score / 2},
        "failureReason": 0,
        **over,
    }


def evaluation(*rows: Any, nested: bool = True) -> str:
    held = {"version": 3, "timestamp": "2026-01-01T00:00:00Z", "prompts": [], "results": rows}
    whole = {"evalId": "e", "results": held, "config": {"description": "capitals"}}
    return json.dumps(whole if nested else held)


def test_providers_are_compared_test_by_test_with_named_scores():
    rows = [outcome(t, p, float((t + (p == "x")) % 2)) for t in range(4) for p in ("x", "y")]
    for nested, dataset in ((True, "capitals"), (False, "results")):
        results = read({"results.json": evaluation(*rows, nested=nested)})
        assert (results.datasets, results.systems) == ((dataset,), ("x", "y"))
        assert results.metrics == ("pass", "clarity")
        assert list(results.scores(dataset, "x", "pass")) == [1, 0, 1, 0]
        assert list(results.scores(dataset, "y", "clarity")) == [0, 0.5, 0, 0.5]


def test_prompts_are_systems_and_repeated_tests_are_runs_of_one_example():
    rows = [
        # promptfoo numbers a test that is repeated anew.
        outcome(t, "x", score, prompt=p, vars={"q": f"question {t % 2}"}, testCase={})
        for t in range(4)
        for p, score in ((0, float(t > 1)), (1, 0.25))
    ]
    results = read({"r.json": evaluation(*rows)}, roles={"runs": "average"})
    assert results.systems == ("x, prompt 1", "x, prompt 2")
    assert results.examples("capitals") == ("0", "1")
    assert list(results.scores("capitals", "x, prompt 1", "score")) == [0.5, 0.5]


# LightEval

DAY = "2025-03-01T10-00-00.123456"


def details(values: list[Any], *, asked: str = "q") -> bytes:
    rows = [
        {
            "__doc__": {"query": f"{asked}{i}", "choices": ["a"], "task_name": "lighteval|gsm8k|0"},
            "__model_response__": {"text": ["a"]},
            "__metric__": {"em": value, "text": "kept out"},
        }
        for i, value in enumerate(values)
    ]
    packed = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), packed)
    return packed.getvalue()


def lighteval_results(model: str, em: float) -> str:
    metric = {"metric_name": "em", "higher_is_better": True}
    return json.dumps(
        {
            "config_general": {"lighteval_sha": "x", "model_name": model},
            "results": {
                f"lighteval|{task}|0": {"em": em, "em_stderr": 0.1} for task in ("gsm8k", "arc")
            }
            | {"lighteval|mmlu:_average|0": {"em": 0.5}, "all": {"em": em}},
            "config_tasks": {"lighteval|gsm8k|0": {"metrics": [metric]}},
        }
    )


def test_details_are_compared_example_by_example_and_named_by_the_results_of_their_date():
    other = DAY.replace("10-", "11-")
    files: dict[str, str | bytes] = {
        f"details/m/a/{DAY}/details_lighteval|gsm8k|0_{DAY}.parquet": details([1.0, 0.0, 1.0]),
        f"details/m/b/{other}/details_lighteval|gsm8k|0_{other}.parquet": details([0, 1, 1]),
        f"results/m/a/results_{DAY}.json": lighteval_results("m/a", 0.66),
        f"results/m/b/results_{other}.json": lighteval_results("m/b", 0.66),
    }
    results = read(files)
    assert (results.datasets, results.systems) == (("gsm8k",), ("m/a", "m/b"))
    assert results.metrics == ("em",)
    assert list(results.scores("gsm8k", "m/b")) == [0, 1, 1]
    unnamed = read({name: content for name, content in files.items() if "details_" in name})
    assert unnamed.systems == (f"a/{DAY}", f"b/{other}")


def test_a_parquet_file_that_is_cut_off_is_refused():
    whole = details([1.0, 0.0])
    assert "cannot be read" in problems({"details_x.parquet": whole[:4] + whole[40:]})


# The Hub


def test_results_of_two_repositories_are_one_score_each():
    table = read(
        {
            "org__a/.eval_results/hle.yaml": (
                "# of the card\n- dataset:\n    id: cais/hle  # the benchmark\n"
                "    task_id: default\n  value: 20.90\n  source:\n    url: https://x.y/a#b\n"
            ),
            "org__a/.eval_results/gpqa.yaml": (
                "- dataset:\n    id: Idavidrein/gpqa\n    task_id: gpqa_diamond\n  value: 0.412\n"
            ),
            "org__b/.eval_results/all.yaml": (
                '- dataset:\n    id: cais/hle\n    task_id: default\n  value: 22.1\n'
                '- dataset: \n    id: "Idavidrein/gpqa"\n    task_id: gpqa_diamond\n'
                "  value: 0.5\n- dataset:\n    id: cais/hle\n    task_id: default\n"
                "  value: 44.9\n  notes: 'With tools'\n"
            ),
            "org__b/config.yaml": "a: 1\n",
        },
        roles={"incomplete": "leave-out"},
    )  # fmt: skip
    assert kind_of(table) is ScoreTable
    assert table.systems == ("org__a", "org__b")
    assert table.datasets == ("cais/hle", "Idavidrein/gpqa (gpqa_diamond)")
    assert table.values.tolist() == [[20.9, 22.1], [0.412, 0.5]]


def card(model: str, *values: str) -> str:
    results = "".join(
        f"""\
  - task:
      type: text-classification
      name: Text Classification
    dataset:
      name: {name}
      type: x
      config: {name.lower()}
      split: test
      args:
        language: en
    metrics:
    - type: accuracy
      value: {value}
      name: Accuracy
      verified: true
    - {{type: f1, value: 1}}
"""
        for name, value in zip(("SST", "RTE"), values, strict=True)
    )
    about = "license: mit\nsummary: |\n  text: of several\n  lines\n"
    return f"---\n{about}model-index:\n- name: {model}\n  results:\n{results}---\n# {model}\n\nmodel-index: in the header\n"


def test_model_cards_are_read_by_their_header():
    cards: dict[str, str | bytes] = {
        f"{m}/README.md": card(m, *v) for m, v in (("a", "12"), ("b", "34"))
    }
    assert "'Accuracy', 'f1'" in problems(cards)
    table = read(cards, roles={"measure": "only:Accuracy"})
    assert table.datasets == ("SST (sst, test)", "RTE (rte, test)")
    assert table.values.tolist() == [[1, 3], [2, 4]]
    assert table.reading.roles["metric"] == "Accuracy"
