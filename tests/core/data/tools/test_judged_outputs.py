"""Every Eval Ever's instances and promptfoo's outcomes, as their documentation writes them."""

from __future__ import annotations

import json
from typing import Any

from core.data import ResultSet
from core.data.score_table import ScoreTable
from tests.core.data.tools.files_of import kind_of, read, refused

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


def squad(answers: dict[str, list[str]]) -> str:
    asked = [
        {
            "id": name,
            "question": f"{name}?",
            "answers": [{"text": t, "answer_start": 0} for t in own],
        }
        for name, own in answers.items()
    ]
    paragraphs = [{"context": "Once.", "qas": asked[:2]}, {"context": "Twice.", "qas": asked[2:]}]
    return json.dumps({"version": "2.0", "data": [{"title": "x", "paragraphs": paragraphs}]})


RIGHT = {
    "a1": ["the Denver Broncos", "Broncos"], "b2": ["10 May 1994"], "c3": [], "d4": ["gold medal"],
}  # fmt: skip
OURS = {"a1": "Broncos!", "b2": "May 1994", "c3": "", "d4": "A Gold Medal", "e5": "more"}
BASE = {"a1": "Denver", "b2": "1995", "c3": "no idea", "d4": "gold gold"}


def test_answers_are_scored_with_the_nearest_right_one_as_squads_script_does():
    files = {
        "dev-v2.0.json": squad(RIGHT), "ours.json": json.dumps(OURS), "base.json": json.dumps(BASE)
    }  # fmt: skip
    results = read(files)
    assert (results.datasets, results.systems) == (("dev-v2.0",), ("ours", "base"))
    # By hand: of "May 1994" two words are in the three; of "Denver" one in the two; "gold" once.
    scores = {
        ("ours", "exact_match"): [1, 0, 1, 1], ("ours", "f1"): [1, 0.8, 1, 1],
        ("base", "exact_match"): [0, 0, 0, 0], ("base", "f1"): [0.666667, 0, 0, 0.5],
    }  # fmt: skip
    for (system, metric), expected in scores.items():
        assert results.scores("dev-v2.0", system, metric).tolist() == expected


def test_each_language_has_its_own_questions_and_a_missing_answer_is_asked_about():
    files = {
        f"{s}/test-{lang}.json": content
        for lang in ("de", "es")
        for s, content in (
            ("labels", squad(RIGHT)), ("ours", json.dumps(OURS)), ("base", json.dumps(BASE))
        )
    }  # fmt: skip
    results = read(files)
    assert (results.datasets, results.systems) == (("test-de", "test-es"), ("ours", "base"))
    short = json.dumps({"a1": "Broncos"})
    error = refused({**files, "ours/test-de.json": short})
    assert "incomplete" in [choice.role for choice in error.choices]
    other = json.dumps({"x1": "Broncos"})
    assert "None of its ids" in str(refused({**files, "ours/test-de.json": other}))
