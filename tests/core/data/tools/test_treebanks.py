"""Treebanks in CoNLL-U: counts a sentence against sums made independently of the package.

The format is that of universaldependencies.org/format.html; words, the treatment of ranges and
empty nodes, and labels without subtypes are those of conll18_ud_eval.py of the CoNLL 2018 shared
task. The package is conllu 6.0.0.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from core.data.sources.given import SourceFile
from core.data.tools.registry import claim
from core.data.tools.treebanks import NAME, TREEBANKS, is_of
from tests.core.data.tools.files_of import read, refused

TAGS = ("NOUN", "VERB", "DET", "ADP")
LABELS = ("nsubj", "nsubj:pass", "obj", "obl", "obl:tmod", "root")

# A word: form, tag, head, label.
Word = tuple[str, str, str, str]


def treebank(n: int, seed: int) -> list[list[Word]]:
    rng = random.Random(seed)
    return [
        [
            (
                f"w{rng.randint(0, 9)}",
                rng.choice(TAGS),
                str(rng.randint(0, size)),
                rng.choice(LABELS),
            )
            for _ in range(size)
        ]
        for size in (rng.randint(1, 12) for _ in range(n))
    ]


def parsed(gold: list[list[Word]], seed: int, share: float) -> list[list[Word]]:
    """The same words with other tags, heads and labels."""
    rng = random.Random(seed)
    return [
        [
            (
                form,
                rng.choice(TAGS) if rng.random() < share else tag,
                str(rng.randint(0, len(words))) if rng.random() < share else head,
                rng.choice(LABELS) if rng.random() < share else label,
            )
            for form, tag, head, label in words
        ]
        for words in gold
    ]


def written(sentences: Sequence[Sequence[Word]], *, ids: bool = True, extras: bool = False) -> str:
    text = ""
    for number, words in enumerate(sentences, start=1):
        text += f"# sent_id = s{number}\n# text = some text\n" if ids else ""
        if extras:
            text += "1-2\tboth\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        for place, (form, tag, head, label) in enumerate(words, start=1):
            text += f"{place}\t{form}\t{form}\t{tag}\t_\tA=b|C=d\t{head}\t{label}\t_\t_\n"
        if extras:
            text += f"{len(words)}.1\tempty\t_\tVERB\t_\t_\t_\t_\t0:root\t_\n"
        text += "\n"
    return text


GOLD = treebank(30, 1)
OURS, THEIRS = parsed(GOLD, 2, 0.1), parsed(GOLD, 3, 0.4)
FILES: dict[str, str | bytes] = {
    "gold.conllu": written(GOLD),
    "ours.conllu": written(OURS),
    "theirs.conllu": written(THEIRS),
}


def correct(gold: Sequence[Word], said: Sequence[Word]) -> dict[str, int]:
    found = {"LAS": 0, "UAS": 0, "UPOS": 0}
    for index in range(len(gold)):
        found["UPOS"] += gold[index][1] == said[index][1]
        if gold[index][2] == said[index][2]:
            found["UAS"] += 1
            found["LAS"] += gold[index][3].split(":")[0] == said[index][3].split(":")[0]
    return found


def assert_counts(results: Any, dataset: str, gold: list[list[Word]], said: dict[str, Any]) -> None:
    for system, sentences in said.items():
        for metric in ("LAS", "UAS", "UPOS"):
            expected = [
                [correct(a, b)[metric], len(a)] for a, b in zip(gold, sentences, strict=True)
            ]
            assert results.scores(dataset, system, metric).tolist() == expected
            rights, totals = zip(*expected, strict=True)
            assert results.score(dataset, system, metric) == sum(rights) / sum(totals)


def test_counts_of_each_sentence_are_those_made_by_hand() -> None:
    results = read(FILES)
    assert results.metrics == ("LAS", "UAS", "UPOS")
    assert results.systems == ("ours", "theirs")
    assert results.example_ids[0].to_pylist() == [f"s{i}" for i in range(1, 31)]
    assert_counts(results, "treebank", GOLD, {"ours": OURS, "theirs": THEIRS})
    subtypes = sum(
        a[2] == b[2] and a[3] != b[3] and a[3].split(":")[0] == b[3].split(":")[0]
        for one, other in zip(GOLD, OURS, strict=True)
        for a, b in zip(one, other, strict=True)
    )
    assert subtypes > 0
    assert any("without their subtypes" in remark for remark in results.reading.remarks)


def test_without_conllu_the_command_that_adds_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "conllu", None)
    [problem] = refused(FILES).problems
    assert "the package conllu, which is not installed" in problem.what
    assert "`pip install conllu`" in problem.remedy


def test_treebanks_are_told_by_their_ending_or_their_columns() -> None:
    for name, content, expected in [
        ("a.conllu", b"anything", True),
        ("a.txt", b"# sent_id = 1\n1\ta\ta\tDET\t_\t_\t0\troot\t_\t_\n", True),
        ("a.txt", b"\xef\xbb\xbf1-2\ta\t_\t_\t_\t_\t_\t_\t_\t_\r\n", True),
        ("a.tsv", b"dataset\ta\tb\tc\td\te\tf\tg\th\ti\n1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n", False),
        ("a.csv", b"dataset,A,B\nx,1,2\n", False),
        ("a.txt", b"", False),
    ]:
        file = SourceFile(name=name, content=content)
        assert is_of(file, content) == expected, (name, content, expected)
        assert [tool.name == NAME for tool, _ in claim([file], (TREEBANKS,)).by_tool] == [
            True
        ] * expected, (name, content, expected)
