"""Answers to SQuAD's questions are scored as its script scores them."""

from __future__ import annotations

import json

from tests.core.data.tools.files_of import read


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
