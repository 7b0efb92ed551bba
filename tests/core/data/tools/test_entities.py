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
from core.data.tools.entities import NAME, is_of
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


@pytest.mark.parametrize("separator", [" ", "\t", "  "])
@pytest.mark.parametrize("chunks", [False, True])
def test_gold_may_stand_in_the_last_column_but_one(separator: str, chunks: bool) -> None:
    files: dict[str, str | bytes] = {
        f"{name}.txt": written(GOLD, tags, separator=separator, chunks=chunks)
        for name, tags in SAID.items()
    }
    results = read(files)
    assert_scores(results, "entities", GOLD, SAID)
    assert any("their last column but one" in remark for remark in results.reading.remarks)


def test_documents_comments_and_other_columns_change_no_score() -> None:
    start = "-DOCSTART- -X- O O\n\n"
    files: dict[str, str | bytes] = {
        "conll03.gold": written(GOLD, chunks=True, start=start),
        "conll03.ours": written(OURS, start="# made by ours\n"),
        "conll03.theirs": written(THEIRS, chunks=True, start=start).replace("\n", "\r\n"),
    }
    assert_scores(read(files), "conll03", GOLD, SAID)


def test_a_hash_may_be_a_token_and_ids_are_read() -> None:
    gold = "# id s-1 domain=en\n# O\nParis B-LOC\n\n# id s-2\nx O\n# O\nRome B-LOC\n"
    results = read({"gold.txt": gold, "a.txt": gold, "b.txt": gold.replace("Rome B-LOC", "Rome O")})
    assert results.example_ids[0].to_pylist() == ["s-1", "s-2"]
    assert results.scores("entities", "b").tolist() == [[1, 0, 0], [0, 0, 1]]


def test_folders_are_datasets_and_what_was_settled_reads_the_same() -> None:
    other = tagged(15, 8)
    files: dict[str, str | bytes] = {}
    for dataset, gold in (("conll03", GOLD), ("wnut17", other)):
        files[f"{dataset}/gold.txt"] = written(gold)
        for system, share in (("ours", 0.1), ("theirs", 0.4)):
            files[f"{dataset}/{system}.txt"] = written(changed(gold, 5, share))
    results = read(files)
    for dataset, gold in (("conll03", GOLD), ("wnut17", other)):
        said = {"ours": changed(gold, 5, 0.1), "theirs": changed(gold, 5, 0.4)}
        assert_scores(results, dataset, gold, said)
    assert [file.content for file in results.reading.files][:2] == [
        "40 sentences, gold of conll03",
        "40 sentences, output of ours on conll03",
    ]
    assert {file.kind for file in results.reading.files} == {NAME}
    assert {one.n_matched for one in results.reading.matched} == {40, 15}
    again = read(files, roles=results.reading.roles)
    assert again.fingerprint == results.fingerprint
    assert again.reading == results.reading


def test_where_no_gold_is_known_it_is_asked_for() -> None:
    files = {"test.txt": FILES["gold.txt"], **FILES}
    del files["gold.txt"]
    error = refused(files)
    assert "'gold:test.txt'" in str(error.choices[0].options)
    assert_scores(read(files, roles={"filter": "gold:test.txt"}), "test", GOLD, SAID)


def test_chunks_before_the_last_column_are_not_taken_for_gold() -> None:
    error = refused(
        {f"{name}.txt": written(tags, chunks=True) for name, tags in (("a", OURS), ("b", THEIRS))}
    )
    assert "it holds no gold tags" in error.problems[0].what
    assert error.choices[0].role == "filter"


def test_other_tokens_are_named_with_sentence_and_place() -> None:
    text = "EU B-ORG\nrejects O\n\nPeter B-PER\n"
    files: dict[str, str | bytes] = {"gold.txt": text, "a.txt": text}
    [problem] = refused({**files, "b.txt": text.replace("rejects", "accepts")}).problems
    assert (problem.file, problem.dataset, problem.line) == ("b.txt", "entities", 2)
    assert "In sentence '1', token 2 is 'accepts', in 'gold.txt' 'rejects'" in problem.what
    [problem] = refused({**files, "b.txt": text.replace("\nPeter B-PER\n", "")}).problems
    assert "It has 1 sentences, 'gold.txt' has 2" in problem.what
    [problem] = refused({**files, "b.txt": text.replace("rejects O\n", "")}).problems
    assert "token 2 is no token, in 'gold.txt' 'rejects'" in problem.what


def test_gold_tags_that_differ_between_files_are_named() -> None:
    text = "EU B-ORG B-ORG\nrejects O O\n\n"
    error = refused({"a.txt": text, "b.txt": text.replace("EU B-ORG B-ORG", "EU B-PER B-ORG")})
    assert "the gold tag of 'EU' is 'B-PER', in 'a.txt' 'B-ORG'" in error.problems[0].what


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x U-PER", "'U-PER' is no tag of an entity"),
        ("x y O", "The line has 3 columns, those before it 2"),
        ("alone", "The line has 1 columns"),
    ],
)
def test_a_line_that_is_not_understood_is_named(line: str, message: str) -> None:
    text = FILES["ours.txt"]
    assert isinstance(text, str)
    # Beyond what is looked at to tell what kind of file it is.
    text *= 4
    [problem] = refused({**FILES, "ours.txt": text + line + "\n"}).problems
    assert message in problem.what
    assert (problem.file, problem.line) == ("ours.txt", text.count("\n") + 1)


def test_without_seqeval_the_command_that_adds_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("seqeval", "seqeval.metrics", "seqeval.metrics.sequence_labeling"):
        monkeypatch.setitem(sys.modules, module, None)
    [problem] = refused(FILES).problems
    assert "the package seqeval, which is not installed" in problem.what
    assert "`pip install seqeval`" in problem.remedy


@pytest.mark.parametrize(
    ("content", "expected"),
    [
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
    ],
)
def test_tagged_files_are_told_by_their_last_column(content: bytes, expected: bool) -> None:
    assert is_of(SourceFile(name="a.txt", content=content), content) == expected


@pytest.mark.parametrize("name", ["target_only", "gold-trained"])
def test_a_system_called_after_gold_is_asked_about(name: str) -> None:
    files = {"test.txt": FILES["gold.txt"], f"{name}.txt": written(OURS), "b.txt": written(THEIRS)}
    error = refused(files)
    assert f"'{name}.txt' may be the gold standard or the output of a system" in str(error)
    assert "gold:test.txt" in dict(error.choices[0].options)
    results = read(files, roles={"filter": "gold:test.txt"})
    assert_scores(results, "test", GOLD, {name: OURS, "b": THEIRS})
    assert any("as was said: 'test.txt'" in remark for remark in results.reading.remarks)


def test_a_second_file_called_after_gold_is_asked_about() -> None:
    error = refused(
        {
            "gold.txt": written(GOLD),
            "gold-trained.txt": written(OURS),
            "silver-trained.txt": written(THEIRS),
        }
    )
    assert "'gold-trained.txt' may be" in str(error)
    assert next(iter(dict(error.choices[0].options))) == "gold:gold.txt"


def test_a_gold_file_that_its_name_tells_is_named_and_can_be_corrected() -> None:
    results = read(FILES)
    assert any("by name: 'gold.txt'" in remark for remark in results.reading.remarks)
    assert results.reading.roles["filter"] == "gold:gold.txt"
    [choice] = results.reading.choices
    assert "gold:ours.txt" in dict(choice.options)
    assert read(FILES, roles={"filter": "gold:ours.txt"}).systems == ("gold", "theirs")
    # What names say may leave one system; then it is asked for as well.
    del (files := dict(FILES))["theirs.txt"]
    assert refused(files).choices[0].role == "filter"


@pytest.mark.parametrize("names", [("{d}.txt",), ("{d}/a.txt", "{d}/b.txt")])
def test_names_after_target_and_source_do_not_hide_gold_in_the_files(
    names: tuple[str, ...],
) -> None:
    paths = [name.format(d=d) for d in ("target-domain", "source-domain") for name in names]
    said = [OURS, THEIRS, THEIRS, OURS]
    results = read({path: written(GOLD, tags) for path, tags in zip(paths, said, strict=False)})
    assert results.reading.roles["filter"] == "gold-in-column"
    assert_scores(
        results,
        results.datasets[0],
        GOLD,
        dict(zip(results.systems, said, strict=False)),
    )
    assert set(dict(results.reading.choices[0].options)) >= {f"gold:{paths[0]}", "gold-in-column"}
