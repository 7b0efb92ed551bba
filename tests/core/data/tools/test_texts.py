"""Outputs and references as text: what sacrebleu counts adds up to sacrebleu's corpus scores.

The oracle is `corpus_score` of sacrebleu 2.6.0 on the same texts; the files are as its README
describes them for the command line: one segment a line, one file a system, references beside.
"""

from __future__ import annotations

import importlib
import io
import random
import sys
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from core.data import ResultSet, read_results
from core.data.reading import ReadingStopped
from core.data.sources.given import SourceFile
from core.data.tools.text_claims import claims
from core.data.tools.texts import NAME
from core.errors import DataError

sacrebleu: Any = importlib.import_module("sacrebleu.metrics")
SCORES = {"BLEU": sacrebleu.BLEU, "chrF": sacrebleu.CHRF, "TER": sacrebleu.TER}
WORDS = [
    "the",
    "a",
    "old",
    "grey",
    "cat",
    "dog",
    "house",
    "sits",
    "sat",
    "runs",
    "on",
    "under",
    "mat",
    "roof,",
    "when",
    "it",
    "rains.",
    "and",
    "I",
    "saw",
]


def sentences(n: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randint(5, 14))) for _ in range(n)]


def changed(texts: Sequence[str], seed: int, share: float) -> list[str]:
    """The texts with words exchanged, dropped and moved."""
    rng = random.Random(seed)
    found = []
    for text in texts:
        words = [rng.choice(WORDS) if rng.random() < share else word for word in text.split()]
        if rng.random() < 0.4:
            words = words[3:] + words[:3]
        found.append(" ".join(word for word in words if rng.random() > share / 3))
    return found


def named(files: Mapping[str, str | bytes | Sequence[str]]) -> list[Any]:
    opened = []
    for name, content in files.items():
        if not isinstance(content, (str, bytes)):
            content = "".join(line + "\n" for line in content)
        file: Any = io.BytesIO(content if isinstance(content, bytes) else content.encode())
        file.name = name
        opened.append(file)
    return opened


def read(files: Mapping[str, str | bytes | Sequence[str]], **roles: object) -> ResultSet:
    results = read_results(named(files), roles=roles)
    assert isinstance(results, ResultSet)
    return results


def remarks(results: ResultSet) -> str:
    assert results.reading is not None
    return "\n".join(results.reading.remarks)


def problems(files: Mapping[str, str | bytes | Sequence[str]], **roles: object) -> DataError:
    with pytest.raises(DataError) as caught:
        read(files, **roles)
    return caught.value


REFERENCE = sentences(40, seed=1)
GOOD, POOR = changed(REFERENCE, 2, 0.1), changed(REFERENCE, 3, 0.4)
FILES = {"ref.txt": REFERENCE, "good.txt": GOOD, "poor.txt": POOR}


def assert_scores_are_sacrebleus(
    results: ResultSet, dataset: str, outputs: Mapping[str, list[str]], references: list[list[str]]
) -> None:
    assert results.metrics == tuple(SCORES)
    for metric, made in SCORES.items():
        for system, output in outputs.items():
            expected = made().corpus_score(output, references).score
            assert expected > 0.0
            assert results.score(dataset, system, metric) == pytest.approx(expected, rel=1e-9)


def test_scores_are_those_of_sacrebleu() -> None:
    results = read(FILES)
    assert (results.datasets, results.systems) == (("texts",), ("good", "poor"))
    assert results.n_examples("texts") == 40
    assert_scores_are_sacrebleus(results, "texts", {"good": GOOD, "poor": POOR}, [REFERENCE])
    assert results.higher_is_better == {"BLEU": True, "chrF": True, "TER": False}
    assert results.kinds == {"BLEU": "bleu", "chrF": "chrf", "TER": "ter"}


def test_files_and_matches_are_told() -> None:
    results = read({**FILES, "src.txt": sentences(40, 9)})
    assert results.reading is not None
    files = {file.path: file for file in results.reading.files}
    assert {file.kind for file in files.values()} == {NAME}
    assert files["ref.txt"].content == "40 segments, reference of texts"
    assert files["good.txt"].content == "40 segments, output of good on texts"
    assert [path for path, file in files.items() if not file.used] == ["src.txt"]
    assert "source texts" in files["src.txt"].reason
    assert [(one.system, one.n_matched) for one in results.reading.matched] == [
        ("good", 40),
        ("poor", 40),
    ]


def test_signatures_of_sacrebleu_are_told() -> None:
    told = remarks(read(FILES))
    for metric, made in SCORES.items():
        counted = made()
        counted.corpus_score(GOOD, [REFERENCE])
        assert f"{metric} is counted by sacrebleu: {counted.get_signature().format()}." in told
    assert "tok:13a" in told
    assert "'ref.txt' for 'texts'" in told


def test_blank_lines_are_empty_outputs_and_empty_references() -> None:
    reference, output = list(REFERENCE), list(GOOD)
    output[3] = output[-1] = reference[7] = reference[0] = ""
    results = read({"ref.txt": reference, "good.txt": output, "poor.txt": POOR})
    assert results.n_examples("texts") == 40
    assert_scores_are_sacrebleus(results, "texts", {"good": output, "poor": POOR}, [reference])


@pytest.mark.parametrize("n_references", [2, 3])
def test_several_references_are_taken_together(n_references: int) -> None:
    references = [changed(REFERENCE, 10 + i, 0.05 * (i + 1)) for i in range(n_references)]
    files = {f"ref{i}.txt": texts for i, texts in enumerate(references)}
    results = read({**files, "good.txt": GOOD, "poor.txt": POOR})
    assert_scores_are_sacrebleus(results, "texts", {"good": GOOD, "poor": POOR}, references)
    counts = results.scores("texts", "good", "TER")
    assert np.array_equal(counts, np.rint(counts))
    assert "times the number of references" in remarks(results)
    assert f"nrefs:{n_references}|" in remarks(results)


def test_texts_without_spaces_score_as_sacrebleu_does_with_a_remark() -> None:
    reference = [
        "我们 今天 去 公园 散步。",
        "他 喜欢 看 书, 也 喜欢 音乐。",
        "明天 会 下雨 吗? 不 知道。",
    ] * 3
    good = [line.replace("公园", "学校") for line in reference]
    poor = [line.replace("喜欢", "爱").replace("今天", "昨天") for line in reference]
    results = read({"ref.txt": reference, "good.txt": good, "poor.txt": poor})
    assert_scores_are_sacrebleus(results, "texts", {"good": good, "poor": poor}, [reference])
    assert "write no spaces between words" in remarks(results)
    assert "write no spaces" not in remarks(read(FILES))


@pytest.mark.parametrize(
    "names",
    [
        ("{d}/ref.txt", "{d}/{s}.txt"),
        ("{d}.ref.en", "{d}.{s}.en"),
        ("references/{d}.txt", "{s}/{d}.txt"),
        ("{d}.target", "{d}.{s}"),
    ],
)
def test_datasets_are_those_that_references_name(names: tuple[str, str]) -> None:
    of_reference, of_output = names
    files: dict[str, list[str]] = {}
    # As many lines in both: only the references tell datasets from systems.
    for seed, dataset in enumerate(("news", "talks")):
        reference = sentences(12, 20 + seed)
        files[of_reference.format(d=dataset)] = reference
        for system, share in (("ours", 0.1), ("theirs", 0.3)):
            output = changed(reference, seed, share)
            files[of_output.format(d=dataset, s=system)] = output
    results = read(files)
    assert set(results.datasets) == {"news", "talks"}
    assert set(results.systems) == {"ours", "theirs"}
    for dataset in results.datasets:
        references = [files[of_reference.format(d=dataset)]]
        outputs = {s: files[of_output.format(d=dataset, s=s)] for s in results.systems}
        assert_scores_are_sacrebleus(results, dataset, outputs, references)


def test_files_of_different_length_are_named_with_their_lines() -> None:
    error = problems({**FILES, "poor.txt": POOR[:-1], "good.txt": [*GOOD, "more"]})
    assert [(problem.file, problem.dataset) for problem in error.problems] == [
        ("good.txt", "texts"),
        ("poor.txt", "texts"),
    ]
    assert "It has 41 lines, 'ref.txt' has 40" in error.problems[0].what
    assert "It has 39 lines, 'ref.txt' has 40" in error.problems[1].what


def test_references_of_different_length_are_named() -> None:
    error = problems(
        {"ref1.txt": REFERENCE, "ref2.txt": REFERENCE[:30], "a.txt": GOOD, "b.txt": POOR}
    )
    assert [problem.file for problem in error.problems] == ["ref2.txt"]


def test_a_dataset_without_reference_is_named() -> None:
    files = {f"{d}.{s}": GOOD for d in ("news", "talks") for s in ("ours", "theirs")}
    error = problems({**files, "news.ref": REFERENCE})
    assert [problem.dataset for problem in error.problems] == ["talks"]
    assert "no gold file" in error.problems[0].what


def test_one_output_alone_is_no_comparison() -> None:
    assert "one system" in str(problems({"ref.txt": REFERENCE, "good.txt": GOOD}))


def test_bleu_is_left_out_where_no_output_has_four_words() -> None:
    short = ["a cat", "two dogs", "no rain", "old grey house"]
    results = read({"ref.txt": short, "a.txt": short[::-1], "b.txt": ["a dog", *short[1:]]})
    assert results.metrics == ("chrF", "TER")
    assert "BLEU is left out" in remarks(results)


def test_a_score_that_sacrebleu_smooths_is_told() -> None:
    files = {**FILES, "poor.txt": ["grey words that match nowhere else"] * 40}
    expected = sacrebleu.BLEU().corpus_score(files["poor.txt"], [REFERENCE]).score
    results = read(files)
    assert results.score("texts", "poor", "BLEU") == 0.0
    assert expected > 0.0
    assert f"prints {expected:.2f} for 'poor' on 'texts'" in remarks(results)


def test_tokenized_texts_are_remarked_on() -> None:
    lines = [f"{text} number {i} ." for i, text in enumerate(sentences(120, 5))]
    told = remarks(read({"ref.txt": lines, "a.txt": lines[::-1], "b.txt": changed(lines, 1, 0.2)}))
    assert "a full stop with a space before it" in told


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings_and_line_ends_change_no_score(encoding: str) -> None:
    texts = {name: [f"{line} café" for line in lines] for name, lines in FILES.items()}
    files = {name: "\r\n".join(lines).encode(encoding) for name, lines in texts.items()}
    first, other = read(texts), read(files)
    long = [SourceFile(name=name, content=content * 40) for name, content in files.items()]
    assert claims(long) == [0, 1, 2]
    assert other.to_frame().equals(first.to_frame())
    assert ("Windows-1252" in remarks(other)) == (encoding == "cp1252")


def test_an_archive_reads_as_its_files_do() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, lines in FILES.items():
            archive.writestr(f"run/{name}", "\n".join(lines))
        archive.writestr("run/README.md", "What these files are.")
    results = read_results(packed.getvalue())
    assert isinstance(results, ResultSet)
    assert results.datasets == ("run",)
    assert list(results.to_frame()["score"]) == list(read(FILES).to_frame()["score"])
    assert results.reading is not None
    assert [file.path for file in results.reading.files if not file.used] == ["run/README.md"]


def test_what_was_settled_reads_the_same_again() -> None:
    first = read(FILES)
    assert first.reading is not None
    again = read(FILES, **first.reading.roles)
    assert again.fingerprint == first.fingerprint
    assert again.reading == first.reading
    assert first.reading.roles["filter"] == "sacrebleu"


def test_ter_is_left_out_where_that_is_chosen() -> None:
    results = read(FILES, filter="sacrebleu-without-ter")
    assert results.metrics == ("BLEU", "chrF")
    whole = read(FILES)
    assert results.score("texts", "good") == whole.score("texts", "good")


def test_without_sacrebleu_the_command_that_adds_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    error = problems(FILES)
    [problem] = error.problems
    assert problem.what == (
        "BLEU, chrF and TER are counted by the package sacrebleu, which is not installed."
    )
    assert "`pip install sacrebleu`" in problem.remedy
    # ROUGE needs another package.
    assert "rouge-score" in dict(error.choices[0].options)


def test_reading_stops_where_that_is_asked_for() -> None:
    calls: list[float] = []

    def stop(stage: str, share: float) -> bool:
        calls.append(share)
        return len(calls) < 4

    with pytest.raises(ReadingStopped):
        read_results(named(FILES), on_progress=stop)
    assert calls == sorted(calls)


PROSE = "\n".join(REFERENCE).encode()


@pytest.mark.parametrize(
    "files",
    [
        # No reference, or nothing but references and sources.
        {"a.txt": PROSE, "b.txt": PROSE},
        {"ref.txt": PROSE, "src.txt": PROSE},
        # Scores and labels, one a line.
        {"gold.txt": b"1\n0\n1\n", "a.txt": b"1\n1\n1\n", "b.txt": b"0\n0\n1\n"},
        {"gold.txt": b"yes\nno\n" * 9, "a.txt": b"no\nno\n" * 9, "b.txt": b"no\nyes\n" * 9},
        dict.fromkeys(("gold.txt", "a.txt", "b.txt"), b"not entailment\nentailment\n" * 20),
        # Tables and JSON.
        dict.fromkeys(("ref.txt", "a.txt"), b"example, gold label, said\n1, a b, c d\n"),
        dict.fromkeys(("ref.txt", "a.txt", "b.txt"), b"the id\tthe gold\nx y\tz z\n"),
        dict.fromkeys(("ref.txt", "a.txt", "b.txt"), b'{"some text": "more text"}\n'),
        {"ref.csv": PROSE, "a.csv": PROSE, "b.csv": PROSE},
        {"ref.txt": PROSE, "README.txt": PROSE},
        {"ref.txt": b"", "a.txt": PROSE},
    ],
)  # fmt: skip
def test_other_files_are_not_taken_for_texts(files: dict[str, bytes]) -> None:
    given = [SourceFile(name=name, content=content) for name, content in files.items()]
    assert claims(given) == []


def test_of_files_beside_texts_only_texts_are_taken() -> None:
    given = [
        SourceFile(name=name, content=content)
        for name, content in {
            "scores.txt": b"1\n0\n" * 20,
            "ref.txt": PROSE,
            "a.txt": PROSE,
            "poor.txt": b"word\n\n" * 5 + b"other\n\nsome\nthing\n" * 7 + b"\n\n",
        }.items()
    ]
    assert claims(given) == [1, 2, 3]


def test_a_table_of_such_counts_is_read_as_well() -> None:
    counted = read(FILES)
    header = [
        "example",
        *(f"ter_{what}_{system}" for system in "AB" for what in ("edits", "ref_len")),
    ]
    rows = [",".join(header)]
    pairs = [counted.scores("texts", system, "TER") for system in ("good", "poor")]
    for number, (a, b) in enumerate(zip(*pairs, strict=True), start=1):
        rows.append(",".join(str(int(count)) for count in (number, *a, *b)))
    results = read_results("\n".join(rows).encode(), name="table.csv")
    assert isinstance(results, ResultSet)
    assert (results.metrics, results.systems) == (("TER",), ("A", "B"))
    assert not results.is_higher_better("TER")
    for system, name in (("A", "good"), ("B", "poor")):
        assert results.score(results.datasets[0], system) == counted.score("texts", name, "TER")


def answers(error: DataError) -> list[str]:
    [choice] = [each for each in error.choices if each.role == "filter"]
    return [value for value, _ in choice.options]


def test_a_system_called_after_references_is_asked_about_and_the_answer_is_kept() -> None:
    files = {"ref.txt": REFERENCE, "ref-free.txt": GOOD, "poor.txt": POOR}
    error = problems(files)
    assert "'ref-free.txt' may be the reference or the output of a system" in str(error)
    assert answers(error)[:2] == ["sacrebleu gold:ref.txt", "sacrebleu gold-by-name"]
    answered = read(files, filter="sacrebleu gold:ref.txt")
    assert_scores_are_sacrebleus(answered, "texts", {"ref-free": GOOD, "poor": POOR}, [REFERENCE])
    assert "Taken for references as was said: 'ref.txt'" in remarks(answered)
    assert answered.reading is not None
    again = read(files, **answered.reading.roles)
    assert again.reading == answered.reading
    assert "one system" in str(problems(files, filter="gold-by-name"))


def test_systems_whose_names_begin_alike_keep_them_whole_and_are_asked_about() -> None:
    for first, second in (("Online-A", "Online-G"), ("llama-3.1", "qwen-2.1"), ("v1.0", "v1.1")):
        files = {f"{first}.txt": GOOD, f"{second}.txt": POOR, "ref.txt": REFERENCE}
        results = read(files)
        assert (results.datasets, results.systems) == (("texts",), (first, second))
    results = read({"Online-A.txt": GOOD, "Online-G.txt": POOR, "ref.txt": REFERENCE})
    assert results.reading is not None
    assert "name_order" in {choice.role for choice in results.reading.choices}
    answered = read(
        {"Online-A.txt": GOOD, "Online-G.txt": POOR, "ref.txt": REFERENCE},
        name_order="dataset, system",
    )
    assert (answered.datasets, answered.systems) == (("Online",), ("A", "G"))
    # What the reference's own name says as well is the dataset.
    confirmed = read({"Online-A.txt": GOOD, "Online-G.txt": POOR, "Online-ref.txt": REFERENCE})
    assert confirmed.datasets == ("Online",)


def test_the_reference_that_a_name_tells_can_be_corrected_whatever_scores() -> None:
    first = read(FILES, filter="rouge-score")
    assert first.reading is not None
    [choice] = [each for each in first.reading.choices if each.role == "filter"]
    assert "rouge-score gold:good.txt" in dict(choice.options)
    other = read(FILES, filter="rouge-score gold:good.txt")
    assert other.systems == ("ref", "poor")
    assert other.metrics == first.metrics
    assert other.reading is not None
    assert other.reading.roles["filter"] == "rouge-score gold:good.txt"


def test_texts_of_which_none_is_named_as_reference_are_asked_about() -> None:
    files = {"human.txt": REFERENCE, "good.txt": GOOD, "poor.txt": POOR}
    error = problems(files)
    assert "put 'ref' into its name, as in 'ref.txt'" in error.problems[0].remedy
    assert answers(error)[0] == "sacrebleu gold:human.txt"
    answered = read(files, filter="sacrebleu gold:human.txt")
    outputs = {"good": GOOD, "poor": POOR}
    assert_scores_are_sacrebleus(answered, answered.datasets[0], outputs, [REFERENCE])


@pytest.mark.parametrize(
    "files",
    [
        {"a.txt": PROSE, "b.txt": PROSE, "c.txt": PROSE + b"\none line more"},
        {"a.txt": PROSE, "b.txt": PROSE, "c.csv": PROSE},
        dict.fromkeys(("a.txt", "b.txt", "c.txt"), b"the name, some words\nand one, two more\n" * 4),
        dict.fromkeys(("a.txt", "b.txt", "c.txt"), b"New York\nNorth Korea\n" * 9),
    ],
)  # fmt: skip
def test_without_a_reference_only_parallel_texts_are_taken(files: dict[str, bytes]) -> None:
    given = [SourceFile(name=name, content=content) for name, content in files.items()]
    assert claims(given) == []


def labels(n: int, names: Sequence[str], seed: int) -> list[str]:
    rng = random.Random(seed)
    return [names[0], names[0], *rng.choices(names, k=n - 2)]


@pytest.mark.parametrize(
    "names",
    [
        ["United States", "New York", "North Korea", "Great Britain", "Saudi Arabia"],
        ["very positive", "quite negative", "no opinion"],
    ],
)
@pytest.mark.parametrize("roles", [{}, {"layout": "predictions"}])
def test_labels_of_several_words_are_read_as_predictions(
    names: list[str], roles: dict[str, object]
) -> None:
    files = {f"{name}.txt": labels(19, names, seed) for seed, name in enumerate(("gold", "a", "b"))}
    results = read(files, **roles)
    assert results.metrics == ("accuracy",)
    assert results.labels is not None
    right = [a == b for a, b in zip(files["a.txt"], files["gold.txt"], strict=True)]
    assert results.score(results.datasets[0], "a") == pytest.approx(sum(right) / 19)


@pytest.mark.parametrize("mark", ["_", " "])
def test_more_labels_than_a_list_of_values_has_are_scored_by_accuracy(mark: str) -> None:
    names = [f"{one}{mark}{other}" for one in WORDS[:7] for other in WORDS[9:20]]
    gold = labels(600, names, 1)
    said = {
        name: [own if i % n else names[i % 77] for i, own in enumerate(gold)]
        for name, n in (("a", 10), ("b", 4))
    }
    files = {"gold.txt": gold, **{f"{name}.txt": lines for name, lines in said.items()}}
    results = read(files)
    assert results.metrics == ("accuracy",)
    for name, lines in said.items():
        right = sum(a == b for a, b in zip(lines, gold, strict=True))
        assert 0 < right < 600
        assert results.score(results.datasets[0], name) == pytest.approx(right / 600)
    assert results.reading is not None
    assert results.reading.roles["filter"] == "labels"
    assert read(files, **results.reading.roles).reading == results.reading
    assert "TER" in read(files, filter="sacrebleu").metrics


def test_lines_can_be_scored_as_labels_and_are_not_without_being_asked() -> None:
    output = [a if i % 4 else b for i, (a, b) in enumerate(zip(REFERENCE, POOR, strict=True))]
    files = {"ref.txt": REFERENCE, "a.txt": output, "b.txt": POOR}
    assert read(files).metrics == tuple(SCORES)
    results = read(files, filter="labels")
    right = sum(a == b for a, b in zip(output, REFERENCE, strict=True))
    assert results.score("texts", "a", "accuracy") == right / 40
    error = problems({**files, "ref.txt": [*REFERENCE[:39], ""]}, filter="labels")
    assert [(problem.file, problem.line) for problem in error.problems] == [("ref.txt", 40)]
    assert "several right labels" in str(problems({**files, "ref2.txt": POOR}, filter="labels"))


def test_texts_asked_for_as_predictions_are_offered_as_labels() -> None:
    error = problems(FILES, layout="predictions")
    assert "not read as 'predictions'" in error.problems[0].what
    assert "labels" in answers(error)


def test_systems_of_wmt_are_called_without_language_pair_and_hyp() -> None:
    dataset = "generaltest2023.en-de"
    files = {
        f"{dataset}.ref.refA.de": REFERENCE,
        f"{dataset}.src.en": REFERENCE,
        f"{dataset}.hyp.GPT4-5shot.de": GOOD,
        f"{dataset}.hyp.ONLINE-A.de": POOR,
    }
    results = read(files)
    assert results.datasets == (dataset,)
    assert results.systems == ("GPT4-5shot", "ONLINE-A")
