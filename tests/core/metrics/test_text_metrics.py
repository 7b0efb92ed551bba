"""chrF and TER of sums: by hand, and against what sacrebleu prints."""

from __future__ import annotations

import math
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from core.metrics.text_metrics import TEXT_METRICS, chrf, ter, text_statistics
from core.significance import run_significance_test

REFERENCES = ["the cat sat on the mat", "a dog barks", "it rains in spring", "no", "we came home"]
GOOD = ["the cat sat on a mat", "a dog barks", "it rained in spring", "no", "we come home"]
POOR = ["cats sit", "the dog bark loudly", "rain spring it", "yes", "home"]


def test_chrf_is_f_of_mean_precision_and_recall_of_the_orders_there_are() -> None:
    # Orders 1 and 2 are there, with precisions 1/2 and 1/4 and recalls 1 and 1/2.
    sums = np.zeros(18)
    sums[:6] = (8, 4, 4, 8, 4, 2)
    precision, recall = 0.375, 0.75
    expected = 100 * 5 * precision * recall / (4 * precision + recall)
    assert float(chrf().score(sums)) == pytest.approx(expected)
    assert chrf().score(np.stack([[sums] * 3] * 2)) == pytest.approx(np.full((2, 3), expected))
    # An order that only the reference has does not count.
    sums[6:9] = (0, 5, 0)
    assert float(chrf().score(sums)) == pytest.approx(expected)
    sums[[2, 5]] = 0.0
    assert float(chrf().score(sums)) == 0.0
    assert math.isnan(float(chrf().score(np.zeros(18))))
    assert len(chrf().statistics) == 18
    assert len(chrf(word_orders=2).statistics) == 24


def test_ter_is_a_rate_of_errors() -> None:
    assert float(ter().score(np.array([3.0, 12.0]))) == 25.0
    assert not ter().higher_is_better
    assert math.isnan(float(ter().score(np.zeros(2))))


@pytest.mark.parametrize("metric", TEXT_METRICS)
def test_without_sacrebleu_the_package_is_named(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(ImportError, match=r"counted by the package sacrebleu, which is not inst"):
        text_statistics(GOOD, REFERENCES, metric=metric)


@pytest.mark.parametrize(
    ("hypotheses", "references", "metric", "message"),
    [
        (GOOD, REFERENCES, "meteor", r"`metric` must be one of 'chrf', 'chrf\+\+', 'ter'"),
        (GOOD[:2], REFERENCES, "chrf", r"one text for each example, .* got 2 and 5\."),
        (GOOD, [REFERENCES, REFERENCES[1:]], "chrf", r"got 5 and 4\."),
        ([1, 2], ["a", "b"], "ter", r"`hypotheses` must be texts, .* at index 0\."),
        ("text", ["a"], "ter", r"`hypotheses` must be texts"),
        ([], [], "ter", r"must hold at least one example"),
    ],
)
def test_wrong_texts_are_named(hypotheses: Any, references: Any, metric: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        text_statistics(hypotheses, references, metric=metric)


# Sums of statistics and corpus scores of sacrebleu 2.5.1 with its defaults, of GOOD and of POOR.
SACREBLEU: dict[str, list[tuple[str, float]]] = {
    "chrf": [
        ("52 53 48 47 48 40 42 43 32 38 39 25 34 35 20 30 31 15", 69.99405493201668),
        ("42 53 28 37 48 22 31 43 17 27 39 13 23 35 8 20 31 5", 37.09933686083786),
    ],
    "chrf++": [
        (
            "52 53 48 47 48 40 42 43 32 38 39 25 34 35 20 30 31 15 17 17 14 12 12 6",
            69.04083115614277,
        ),
        ("42 53 28 37 48 22 31 43 17 27 39 13 23 35 8 20 31 5 11 17 4 6 12 0", 30.99424884444945),
    ],
    "ter": [
        ("3 17", 17.647058823529413),
        ("15 17", 88.23529411764706),
    ],
}
OURS = {"chrf": chrf(), "chrf++": chrf(word_orders=2), "ter": ter()}


def test_sums_score_as_sacrebleu_does() -> None:
    for metric in TEXT_METRICS:
        for sums, expected in SACREBLEU[metric]:
            numbers = np.array(sums.split(), dtype=float)
            assert numbers.size == len(OURS[metric].statistics), metric
            score = float(OURS[metric].score(numbers))
            assert score == pytest.approx(expected, rel=1e-12), metric


class Counting:
    """Stands in for sacrebleu's metrics: word edits by position, and reference words."""

    def __init__(self, **settings: int) -> None:
        self.settings = settings

    def _extract_corpus_statistics(
        self, hypotheses: list[str], references: list[list[str]]
    ) -> list[list[int]]:
        return [
            [sum(x not in right.split() for x in said.split()), len(right.split())]
            for said, right in zip(hypotheses, references[0], strict=True)
        ]


def test_statistics_of_texts_are_tested_as_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    standing_in: Any = ModuleType("sacrebleu.metrics")
    standing_in.TER = Counting
    monkeypatch.setitem(sys.modules, "sacrebleu", ModuleType("sacrebleu"))
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", standing_in)
    known, a = text_statistics(GOOD, REFERENCES, metric="ter")
    _, b = text_statistics(POOR, [REFERENCES, GOOD], metric="ter")
    assert a.tolist() == [[1, 6], [0, 3], [1, 4], [0, 1], [1, 3]]
    result = run_significance_test(a, b, test="approximate-randomization", metric=known)
    assert result.exact
    assert result.score_a == pytest.approx(100 * 3 / 17)
    assert (result.metric, result.kind) == ("ter", "ter")
    assert not result.higher_is_better
    assert result.difference > 0.0
