"""Outputs and references as text: scores are those of the packages that score them.

The oracle is `corpus_score` of sacrebleu 2.6.0 on the same texts, and rouge-score 0.1.2 called
segment by segment; the files are as sacrebleu's README describes them for the command line: one
segment a line, one file a system, references beside.
"""

import importlib
import random
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from core.data.sources.files import SourceFile
from core.data.tools.texts import claims
from tests.core.data.tools.files_of import read, refused, remarks

sacrebleu: Any = importlib.import_module("sacrebleu.metrics")
SCORES = {"BLEU": sacrebleu.BLEU, "chrF": sacrebleu.CHRF, "TER": sacrebleu.TER}
WORDS = [
    "the", "a", "old", "grey", "cat", "dog", "house", "sits", "sat", "runs", "on", "under", "mat",
    "roof,", "when", "it", "rains.", "and", "I", "saw",
]  # fmt: skip


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


REFERENCE = sentences(40, seed=1)
GOOD, POOR = changed(REFERENCE, 2, 0.1), changed(REFERENCE, 3, 0.4)
FILES = {"ref.txt": REFERENCE, "good.txt": GOOD, "poor.txt": POOR}


def assert_scores_are_sacrebleus(
    results: Any, dataset: str, outputs: Mapping[str, list[str]], references: list[list[str]]
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


def test_several_references_are_taken_together() -> None:
    for n_references in [2, 3]:
        references = [changed(REFERENCE, 10 + i, 0.05 * (i + 1)) for i in range(n_references)]
        files = {f"ref{i}.txt": texts for i, texts in enumerate(references)}
        results = read({**files, "good.txt": GOOD, "poor.txt": POOR})
        assert_scores_are_sacrebleus(results, "texts", {"good": GOOD, "poor": POOR}, references)
        counts = results.scores("texts", "good", "TER")
        assert np.array_equal(counts, np.rint(counts)), n_references
        assert "times the number of references" in remarks(results), n_references
        assert f"nrefs:{n_references}|" in remarks(results), n_references


def test_without_a_package_the_command_that_adds_it_is_named_and_the_other_one_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packages = {"sacrebleu": "sacrebleu.metrics", "rouge-score": "rouge_score.rouge_scorer"}
    for (package, module), other in zip(packages.items(), reversed(packages), strict=True):
        monkeypatch.setitem(sys.modules, module.partition(".")[0], None)
        monkeypatch.setitem(sys.modules, module, None)
        error = refused(FILES, roles={"filter": package})
        [problem] = error.problems
        assert f"the package {package}, which is not installed" in problem.what
        assert f"`pip install {package}`" in problem.remedy
        assert other in dict(error.choices[0].options)


PROSE = "\n".join(REFERENCE).encode()


def test_other_files_are_not_taken_for_texts() -> None:
    for files in [
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
        {"ref.txt": b"", "a.txt": PROSE},
        # Without a reference, texts that are not parallel, a table, and labels of several words.
        {"a.txt": PROSE, "b.txt": PROSE, "c.txt": PROSE + b"\none line more"},
        {"a.txt": PROSE, "b.txt": PROSE, "c.csv": PROSE},
        dict.fromkeys(("a.txt", "b.txt", "c.txt"), b"the name, some words\nand one, two more\n" * 4),
        dict.fromkeys(("a.txt", "b.txt", "c.txt"), b"New York\nNorth Korea\n" * 9),
    ]:  # fmt: skip
        given = [SourceFile(name=name, content=content) for name, content in files.items()]
        assert claims(given, {}) == [], files


RIGHT = [
    "The cats were running on the mats.",
    "A dog barked at the moon last night!",
    "It rains in spring, and in autumn.",
    "",
    "Nobody knew that 42 was the answer.",
]
NEAR = [
    "The cat was running on the mat.",
    "A dog barked at the moon.",
    "In autumn it rains, and in spring.",
    "something",
    "Nobody knew the answer was 42.",
]
FAR = ["Cats run.", "", "It snows in winter.", "else", "Everybody was told."]
SCORED_BY_ROUGE = {"filter": "rouge-score"}
NAMES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}


def scorer(*, use_stemmer: bool) -> Any:
    module = importlib.import_module("rouge_score.rouge_scorer")
    return module.RougeScorer(list(NAMES), use_stemmer=use_stemmer)


def test_scores_are_those_of_rouge_score_without_its_stemmer() -> None:
    files, told = {"ref.txt": RIGHT, "good.txt": NEAR, "poor.txt": FAR}, set[float]()
    results = read(files, roles=SCORED_BY_ROUGE, on_progress=lambda _, share: told.add(share))
    # Within a system's texts, too, it can be stopped.
    assert len(told) > 2 * len(RIGHT)
    assert results.metrics == tuple(NAMES.values())
    assert all(results.is_higher_better(metric) for metric in results.metrics)
    for system, output in {"good": NEAR, "poor": FAR}.items():
        for key, metric in NAMES.items():
            expected = [
                scorer(use_stemmer=False).score(right, said)[key].fmeasure
                for right, said in zip(RIGHT, output, strict=True)
            ]
            assert results.scores("texts", system, metric) == pytest.approx(expected, rel=1e-12)
            assert results.score("texts", system, metric) == pytest.approx(np.mean(expected))
    stemmed = scorer(use_stemmer=True).score(RIGHT[0], NEAR[0])["rouge1"].fmeasure
    assert results.scores("texts", "good", "ROUGE-1")[0] < stemmed


def test_of_several_references_the_best_counts_for_rouge() -> None:
    results = read(
        {"ref1.txt": RIGHT, "ref2.txt": NEAR[::-1], "a.txt": NEAR, "b.txt": FAR},
        roles=SCORED_BY_ROUGE,
    )
    alone = scorer(use_stemmer=False)
    for key, metric in NAMES.items():
        expected = [
            max(alone.score(right, said)[key].fmeasure for right in both)
            for *both, said in zip(RIGHT, NEAR[::-1], NEAR, strict=True)
        ]
        assert results.scores("texts", "a", metric) == pytest.approx(expected, rel=1e-12)
    assert "the one with the highest F-measure" in remarks(results)
