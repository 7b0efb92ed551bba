"""Sentences annotated token by token: counts are those of seqeval and those made by hand.

The columns of entities are those of the CoNLL-2003 shared task (token, tags …, gold) and of its
scorer conlleval (… gold, predicted), with a blank line between sentences; micro-F1 of summed counts
is that of seqeval 1.2.2. CoNLL-U is that of universaldependencies.org/format.html; words, the
treatment of ranges and empty nodes, and labels without subtypes are those of conll18_ud_eval.py of
the CoNLL 2018 shared task.
"""

import importlib
import random
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from core.data.sources.files import SourceFile
from core.data.tools.annotations import ENTITIES, TREEBANKS
from core.data.tools.together import claim
from tests.core.data.tools.files_of import read, refused

seqeval: Any = importlib.import_module("seqeval.metrics")

TAGS = ("O", "O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "E-LOC", "S-PER", "B-x-y", "I-x-y")
PARTS = ("NOUN", "VERB", "DET", "ADP")
LABELS = ("nsubj", "nsubj:pass", "obj", "obl", "obl:tmod", "root")
Tags = list[list[str]]
# Form, tag, head, label.
Word = tuple[str, str, str, str]


def tagged(n: int, seed: int) -> Tags:
    """Tags in any order, proper or not: what counts is that they are understood alike."""
    rng = random.Random(seed)
    return [[rng.choice(TAGS) for _ in range(rng.randint(1, 12))] for _ in range(n)]


def changed(gold: Tags, seed: int, share: float) -> Tags:
    rng = random.Random(seed)
    return [[rng.choice(TAGS) if rng.random() < share else tag for tag in one] for one in gold]


def written(*columns: Tags) -> str:
    return "\n".join(
        "".join(f"w{place} {' '.join(tags)}\n" for place, tags in enumerate(zip(*own, strict=True)))
        for own in zip(*columns, strict=True)
    )


GOLD = tagged(40, 1)
SAID = {"ours": changed(GOLD, 2, 0.1), "theirs": changed(GOLD, 3, 0.4)}
FILES = {
    "gold.txt": written(GOLD),
    **{f"{system}.txt": written(tags) for system, tags in SAID.items()},
}


def test_scores_are_those_of_seqeval() -> None:
    results = read(FILES)
    assert results.n_examples("entities") == 40
    of = {
        "F1": seqeval.f1_score,
        "precision": seqeval.precision_score,
        "recall": seqeval.recall_score,
    }
    assert results.metrics == tuple(of)
    for system, tags in SAID.items():
        for metric, scored in of.items():
            expected = scored(GOLD, tags)
            assert 0.0 < expected < 1.0
            assert results.score("entities", system, metric) == pytest.approx(expected, rel=1e-12)


def test_counts_of_a_sentence_are_those_made_by_hand() -> None:
    gold = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "O"], ["B-PER", "O", "B-LOC", "I-LOC"]]
    ours = [["B-PER", "I-PER", "O", "B-PER"], ["O", "O"], ["B-PER", "B-PER", "B-LOC", "O"]]
    results = read({"gold.txt": written(gold), "a.txt": written(ours), "b.txt": written(gold)})
    # PER right and LOC said to be PER; nothing; PER right, another PER, LOC too short.
    assert results.scores("entities", "a").tolist() == [[1, 1, 1], [0, 0, 0], [1, 2, 1]]
    assert results.scores("entities", "b").tolist() == [[2, 0, 0], [0, 0, 0], [2, 0, 0]]


def treebank(n: int, seed: int) -> list[list[Word]]:
    rng = random.Random(seed)
    return [
        [
            (
                f"w{rng.randint(0, 9)}",
                rng.choice(PARTS),
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
                rng.choice(PARTS) if rng.random() < share else tag,
                str(rng.randint(0, len(words))) if rng.random() < share else head,
                rng.choice(LABELS) if rng.random() < share else label,
            )
            for form, tag, head, label in words
        ]
        for words in gold
    ]


def conllu(sentences: Sequence[Sequence[Word]]) -> str:
    text = ""
    for number, words in enumerate(sentences, start=1):
        text += f"# sent_id = s{number}\n# text = some text\n"
        for place, (form, tag, head, label) in enumerate(words, start=1):
            text += f"{place}\t{form}\t{form}\t{tag}\t_\tA=b|C=d\t{head}\t{label}\t_\t_\n"
        text += "\n"
    return text


BANK = treebank(30, 1)
PARSED = {"ours": parsed(BANK, 2, 0.1), "theirs": parsed(BANK, 3, 0.4)}
BANKS = {
    "gold.conllu": conllu(BANK),
    **{f"{system}.conllu": conllu(own) for system, own in PARSED.items()},
}


def correct(gold: Sequence[Word], said: Sequence[Word]) -> dict[str, int]:
    found = {"LAS": 0, "UAS": 0, "UPOS": 0}
    for index in range(len(gold)):
        found["UPOS"] += gold[index][1] == said[index][1]
        if gold[index][2] == said[index][2]:
            found["UAS"] += 1
            found["LAS"] += gold[index][3].split(":")[0] == said[index][3].split(":")[0]
    return found


def test_counts_of_each_parsed_sentence_are_those_made_by_hand() -> None:
    results = read(BANKS)
    assert results.metrics == ("LAS", "UAS", "UPOS")
    assert results.systems == ("ours", "theirs")
    assert results.example_ids[0].to_pylist() == [f"s{i}" for i in range(1, 31)]
    for system, sentences in PARSED.items():
        for metric in results.metrics:
            expected = [
                [correct(a, b)[metric], len(a)] for a, b in zip(BANK, sentences, strict=True)
            ]
            assert results.scores("treebank", system, metric).tolist() == expected
            rights, totals = zip(*expected, strict=True)
            assert results.score("treebank", system, metric) == sum(rights) / sum(totals)
    assert any(
        a[2] == b[2] and a[3] != b[3] and a[3].split(":")[0] == b[3].split(":")[0]
        for one, other in zip(BANK, PARSED["ours"], strict=True)
        for a, b in zip(one, other, strict=True)
    )
    assert any("without their subtypes" in remark for remark in results.reading.remarks)


@pytest.mark.parametrize(
    ("number", "head", "is_word"),
    [
        *(("1", head, head != "x") for head in ("-1", "_", "x")),
        ("1-2", "_", True),
        ("2-1", "_", False),
    ],
)
def test_a_word_without_a_head_may_say_minus_one_and_no_token_runs_back(number, head, is_word):
    first, rest = BANKS["ours.conllu"].split("\n1\t", 1)
    cells = rest.split("\n", 1)[0].split("\t")
    line = "\t".join([number, *cells[:5], head, *cells[6:]])
    other = "" if number == "1" else f"\n1\t{rest.splitlines()[0]}"
    files = BANKS | {"ours.conllu": "\n".join([first, line]) + other + rest[rest.index("\n") :]}
    if is_word:
        assert read(files).n_examples("treebank") == len(BANK)
    else:
        assert "line 3: " in str(refused(files))


def test_without_a_package_the_command_that_adds_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("seqeval", "seqeval.metrics", "seqeval.metrics.sequence_labeling"):
        monkeypatch.setitem(sys.modules, module, None)
    [problem] = refused(FILES).problems
    assert "the package seqeval, which is not installed" in problem.what
    assert "`pip install seqeval`" in problem.remedy


def test_annotated_files_are_told_by_their_columns_or_their_ending() -> None:
    for tool, name, content, expected in [
        (ENTITIES, "a.txt", b"EU B-ORG\nrejects O\n\nPeter B-PER\n", True),
        (ENTITIES, "a.txt", b"EU\tL-ORG\nrejects\tO\n", True),
        # As a beginning without any entity is.
        (ENTITIES, "a.txt", b"EU O\nrejects O\n\nPeter O\n", True),
        # A header, answers to questions, a table of scores, prose.
        (ENTITIES, "a.txt", b"EU O\nrejects O\n\n", False),
        (ENTITIES, "a.txt", b"token gold said\nEU B-ORG O\n", False),
        (ENTITIES, "a.txt", b"1 B\n2 E\n3 I\n", False),
        (ENTITIES, "a.txt", b"a 0.5\nb 0.7\n", False),
        (ENTITIES, "a.txt", b"The cat sat.\nA dog barks.\n", False),
        (ENTITIES, "a.txt", b"", False),
        (TREEBANKS, "a.conllu", b"anything", True),
        (TREEBANKS, "a.txt", b"# sent_id = 1\n1\ta\ta\tDET\t_\t_\t0\troot\t_\t_\n", True),
        (TREEBANKS, "a.txt", b"\xef\xbb\xbf1-2\ta\t_\t_\t_\t_\t_\t_\t_\t_\r\n", True),
        (TREEBANKS, "a.tsv", b"dataset\ta\tb\tc\td\te\tf\tg\th\ti\n1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n", False),
        (TREEBANKS, "a.csv", b"dataset,A,B\nx,1,2\n", False),
        (TREEBANKS, "a.txt", b"", False),
    ]:  # fmt: skip
        file = SourceFile(name=name, content=content)
        held = [found for found, _ in claim([file], {}, tools=(tool,)).by_tool]
        assert held == [tool] * expected, (name, content)
