"""ROUGE of outputs and references as text, against rouge-score 0.1.2 called segment by segment."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from core.data import ResultSet, read_results
from core.errors import DataError

REFERENCE = [
    "The cats were running on the mats.",
    "A dog barked at the moon last night!",
    "It rains in spring, and in autumn.",
    "",
    "Nobody knew that 42 was the answer.",
]
GOOD = [
    "The cat was running on the mat.",
    "A dog barked at the moon.",
    "In autumn it rains, and in spring.",
    "something",
    "Nobody knew the answer was 42.",
]
POOR = ["Cats run.", "", "It snows in winter.", "else", "Everybody was told."]
FILES = {"ref.txt": REFERENCE, "good.txt": GOOD, "poor.txt": POOR}
NAMES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}


def read(files: Mapping[str, Sequence[str]], **roles: object) -> ResultSet:
    opened = []
    for name, lines in files.items():
        file: Any = io.BytesIO("".join(line + "\n" for line in lines).encode())
        file.name = name
        opened.append(file)
    results = read_results(opened, roles={"filter": "rouge-score", **roles})
    assert isinstance(results, ResultSet)
    return results


def remarks(results: ResultSet) -> str:
    assert results.reading is not None
    return "\n".join(results.reading.remarks)


def scorer(*, use_stemmer: bool) -> Any:
    module = importlib.import_module("rouge_score.rouge_scorer")
    return module.RougeScorer(list(NAMES), use_stemmer=use_stemmer)


def test_scores_are_those_of_rouge_score_without_its_stemmer() -> None:
    results = read(FILES)
    assert results.metrics == tuple(NAMES.values())
    assert all(results.is_higher_better(metric) for metric in results.metrics)
    for system, output in {"good": GOOD, "poor": POOR}.items():
        for key, metric in NAMES.items():
            expected = [
                scorer(use_stemmer=False).score(right, said)[key].fmeasure
                for right, said in zip(REFERENCE, output, strict=True)
            ]
            assert results.scores("texts", system, metric) == pytest.approx(expected, rel=1e-12)
            assert results.score("texts", system, metric) == pytest.approx(np.mean(expected))
    stemmed = scorer(use_stemmer=True).score(REFERENCE[0], GOOD[0])["rouge1"].fmeasure
    assert results.scores("texts", "good", "ROUGE-1")[0] < stemmed


def test_of_several_references_the_best_counts() -> None:
    results = read({"ref1.txt": REFERENCE, "ref2.txt": GOOD[::-1], "a.txt": GOOD, "b.txt": POOR})
    alone = scorer(use_stemmer=False)
    for key, metric in NAMES.items():
        expected = [
            max(alone.score(right, said)[key].fmeasure for right in both)
            for *both, said in zip(REFERENCE, GOOD[::-1], GOOD, strict=True)
        ]
        assert results.scores("texts", "a", metric) == pytest.approx(expected, rel=1e-12)
    assert "the one with the highest F-measure" in remarks(results)


def test_without_rouge_score_the_command_that_adds_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rouge_score", None)
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    with pytest.raises(DataError) as caught:
        read(FILES)
    [problem] = caught.value.problems
    assert "the package rouge-score, which is not installed" in problem.what
    assert "`pip install rouge-score`" in problem.remedy
    assert "sacrebleu" in dict(caught.value.choices[0].options)
