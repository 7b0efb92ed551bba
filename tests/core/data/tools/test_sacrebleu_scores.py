"""What sacrebleu 2.6 prints as JSON.

Made by sacrebleu itself where it is installed (`Score.format` of `metrics/base.py`), and written
after `print_results_table` of `utils.py`: scores of several systems as text, those of paired tests
as `Result` of `significance.py`.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from core.data.p_value_table import PValueTable
from core.data.sources.given import SourceFile
from core.data.tools.sacrebleu_scores import is_of
from tests.core.data.tools.files_of import read


def table(*rows: tuple[str, dict[str, Any]]) -> str:
    return json.dumps([{"system": name, **own} for name, own in rows], indent=4)


def result(score: float, p_value: float | None = None) -> dict[str, Any]:
    return {"score": score, "p_value": p_value, "mean": None, "ci": None}


def paired(baseline: float, system: float, p_value: float, name: str = "new.txt") -> str:
    return table(
        ("Baseline: base.txt", {"BLEU": result(baseline), "TER": result(90 - baseline)}),
        (name, {"BLEU": result(system, p_value), "TER": result(90 - system, p_value / 2)}),
    )


def test_output_of_sacrebleu_itself_is_read():
    metrics = pytest.importorskip("sacrebleu.metrics")
    references = [["the cat sat on the mat today", "hello there world of people"]]
    files: dict[str, str | bytes] = {}
    expected = []
    for name, hypotheses in {
        "a": ["the cat sat on a mat today", "hello there world of people"],
        "b": ["a cat is on the mat today", "hello world of people"],
    }.items():
        chrf = metrics.CHRF()
        score = chrf.corpus_score(hypotheses, references)
        signature = chrf.get_signature().format(False)
        content = score.format(4, False, signature, True)
        assert is_of(SourceFile(name="x", content=content.encode()), content.encode())
        files[f"{name}.json"] = content
        expected.append(round(score.score, 4))
    found = read(files)
    assert found.metric == "chrF2"
    assert [found.scores(system)[0] for system in found.systems] == expected


def test_paired_tests_against_one_baseline_are_a_published_table():
    files: dict[str, str | bytes] = {
        "wmt20.json": paired(20.1, 21.5, 0.0125),
        "wmt21.json": paired(20.1, 19.5, 0.3),
    }
    found = read(files, roles={"measure": "only:BLEU"})
    assert isinstance(found, PValueTable)
    assert found.reading is not None
    assert (found.datasets, found.system_a, found.system_b) == (("wmt20", "wmt21"), "new", "base")
    assert found.p_values.tolist() == [0.0125, 0.3]
    assert (found.alternative, found.metric) == ("two-sided", "BLEU")
    assert np.array_equal(np.asarray(found.scores_a), [21.5, 19.5])
    assert np.array_equal(np.asarray(found.scores_b), [20.1, 20.1])
    assert any("two-sided" in remark for remark in found.reading.remarks)
    again = read(files, roles=dict(found.reading.roles))
    assert again.fingerprint == found.fingerprint
    by_ter = read(files, roles={"measure": "only:TER"})
    assert by_ter.p_values.tolist() == [0.00625, 0.15]
    assert by_ter.higher_is_better is False


def test_other_json_is_not_taken_for_sacrebleu():
    for content in (
        b'{"name": "BERT", "score": 1.0}',
        b'[{"system": "a", "accuracy": 1.0}]',
        b'[{"name": "x", "BLEU": 1.0}]',
    ):
        assert not is_of(SourceFile(name="a.json", content=content), content)
