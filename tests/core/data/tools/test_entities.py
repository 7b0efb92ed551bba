"""Tagged entities in columns: micro-F1 of summed counts is that of seqeval 1.2.2.

The columns are those of the CoNLL-2003 shared task (token, tags …, gold) and of its scorer
conlleval (… gold, predicted), with a blank line between sentences.
"""

from __future__ import annotations

import importlib
import random
import sys
from typing import Any

import pytest

from core.data.sources.given import SourceFile
from core.data.tools.entities import is_of
from tests.core.data.tools.files_of import read, refused

seqeval: Any = importlib.import_module("seqeval.metrics")

TAGS = ("O", "O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "E-LOC", "S-PER", "B-x-y", "I-x-y")
Tags = list[list[str]]


def tagged(n: int, seed: int) -> Tags:
    """Tags in any order, proper or not: what counts is that they are understood alike."""
    rng = random.Random(seed)
    return [[rng.choice(TAGS) for _ in range(rng.randint(1, 12))] for _ in range(n)]


def changed(gold: Tags, seed: int, share: float) -> Tags:
    rng = random.Random(seed)
    return [[rng.choice(TAGS) if rng.random() < share else tag for tag in one] for one in gold]


def written(*columns: Tags, separator: str = " ", chunks: bool = False, start: str = "") -> str:
    text = start
    for sentence in zip(*columns, strict=True):
        for place, tags in enumerate(zip(*sentence, strict=True)):
            before = [f"w{place}", "NNP", "I-NP"] if chunks else [f"w{place}"]
            text += separator.join((*before, *tags)) + "\n"
        text += "\n"
    return text


GOLD = tagged(40, 1)
OURS, THEIRS = changed(GOLD, 2, 0.1), changed(GOLD, 3, 0.4)
SAID = {"ours": OURS, "theirs": THEIRS}
FILES: dict[str, str | bytes] = {
    "gold.txt": written(GOLD),
    "ours.txt": written(OURS),
    "theirs.txt": written(THEIRS),
}


def assert_scores(results: Any, dataset: str, gold: Tags, said: dict[str, Tags]) -> None:
    of = {
        "F1": seqeval.f1_score,
        "precision": seqeval.precision_score,
        "recall": seqeval.recall_score,
    }
    assert results.metrics == tuple(of)
    for system, tags in said.items():
        for metric, scored in of.items():
            expected = scored(gold, tags)
            assert 0.0 < expected < 1.0
            assert results.score(dataset, system, metric) == pytest.approx(expected, rel=1e-12)


def test_scores_are_those_of_seqeval() -> None:
    results = read(FILES)
    assert results.n_examples("entities") == 40
    assert_scores(results, "entities", GOLD, SAID)


def test_counts_of_a_sentence_are_those_made_by_hand() -> None:
    gold = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "O"], ["B-PER", "O", "B-LOC", "I-LOC"]]
    ours = [["B-PER", "I-PER", "O", "B-PER"], ["O", "O"], ["B-PER", "B-PER", "B-LOC", "O"]]
    results = read({"gold.txt": written(gold), "a.txt": written(ours), "b.txt": written(gold)})
    # PER right and LOC said to be PER; nothing; PER right, another PER, LOC too short.
    assert results.scores("entities", "a").tolist() == [[1, 1, 1], [0, 0, 0], [1, 2, 1]]
    assert results.scores("entities", "b").tolist() == [[2, 0, 0], [0, 0, 0], [2, 0, 0]]


def test_without_seqeval_the_command_that_adds_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("seqeval", "seqeval.metrics", "seqeval.metrics.sequence_labeling"):
        monkeypatch.setitem(sys.modules, module, None)
    [problem] = refused(FILES).problems
    assert "the package seqeval, which is not installed" in problem.what
    assert "`pip install seqeval`" in problem.remedy


def test_tagged_files_are_told_by_their_last_column() -> None:
    for content, expected in [
        (b"EU B-ORG\nrejects O\n\nPeter B-PER\n", True),
        (b"EU\tL-ORG\nrejects\tO\n", True),
        # As a beginning without any entity is.
        (b"EU O\nrejects O\n\nPeter O\n", True),
        # A header, answers to questions, a table of scores, prose.
        (b"EU O\nrejects O\n\n", False),
        (b"token gold said\nEU B-ORG O\n", False),
        (b"1 B\n2 E\n3 I\n", False),
        (b"a 0.5\nb 0.7\n", False),
        (b"The cat sat.\nA dog barks.\n", False),
        (b"", False),
    ]:
        assert is_of(SourceFile(name="a.txt", content=content), content) == expected, (
            content,
            expected,
        )
