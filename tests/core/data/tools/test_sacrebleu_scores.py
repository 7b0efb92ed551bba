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
from core.data.score_table import ScoreTable
from core.data.sources.given import SourceFile
from core.data.tools.sacrebleu_scores import is_of
from tests.core.data.tools.files_of import read, refused


def one(score: Any, metric: str = "BLEU", **more: str) -> str:
    signature = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    own = {"name": metric, "score": score, "signature": signature, **more, "nrefs": "1"}
    return json.dumps(own, indent=1)


def table(*rows: tuple[str, dict[str, Any]]) -> str:
    return json.dumps([{"system": name, **own} for name, own in rows], indent=4)


def result(score: float, p_value: float | None = None) -> dict[str, Any]:
    return {"score": score, "p_value": p_value, "mean": None, "ci": None}


def paired(baseline: float, system: float, p_value: float, name: str = "new.txt") -> str:
    return table(
        ("Baseline: base.txt", {"BLEU": result(baseline), "TER": result(90 - baseline)}),
        (name, {"BLEU": result(system, p_value), "TER": result(90 - system, p_value / 2)}),
    )


def test_files_in_folders_are_read_by_system_and_test_set_and_the_order_can_be_turned():
    files: dict[str, str | bytes] = {
        "a/wmt20.json": one(21.5),
        "a/wmt21.json": one(22.5),
        "b/wmt20.json": one(23.25),
        "b/wmt21.json": one(20.0),
    }
    found = read(files)
    assert isinstance(found, ScoreTable)
    assert found.reading is not None
    assert (found.datasets, found.systems) == (("wmt20", "wmt21"), ("a", "b"))
    assert (found.metric, found.higher_is_better) == ("BLEU", True)
    assert list(found.scores("b")) == [23.25, 20.0]
    assert [choice.role for choice in found.reading.choices] == ["name_order"]
    assert [use.kind for use in found.reading.files] == ["sacrebleu scores"] * 4
    again = read(files, roles=dict(found.reading.roles))
    assert again.fingerprint == found.fingerprint
    turned = read(files, roles={"name_order": "dataset, system"})
    assert (turned.datasets, turned.systems) == (("a", "b"), ("wmt20", "wmt21"))


def test_a_test_set_that_sacrebleu_names_is_the_dataset():
    files: dict[str, str | bytes] = {
        f"{system}.{year}.json": one(score, test=f"wmt{year}", lang="en-de")
        for system, year, score in (("a", 20, 1.5), ("b", 20, 2.5), ("a", 21, 3.5), ("b", 21, 4.5))
    }
    found = read(files)
    assert (found.datasets, found.systems) == (("wmt20 en-de", "wmt21 en-de"), ("a", "b"))
    assert list(found.scores("b")) == [2.5, 4.5]


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


def test_several_metrics_are_asked_about_and_ter_is_better_lower():
    rows = (("a.txt", {"BLEU": "57.3", "TER": "40.0"}), ("b.txt", {"BLEU": "47.3", "TER": "50.0"}))
    files: dict[str, str | bytes] = {"wmt20.json": table(*rows), "wmt21.json": table(*rows)}
    error = refused(files)
    assert [choice.role for choice in error.choices] == ["measure"]
    found = read(files, roles={"measure": "only:TER"})
    assert (found.datasets, found.systems) == (("wmt20", "wmt21"), ("a", "b"))
    assert (found.metric, found.higher_is_better) == ("TER", False)
    assert list(found.scores("a")) == [40.0, 40.0]
    one_system = json.dumps([json.loads(one(21.5)), json.loads(one(55.0, "chrF2"))])
    asked = refused({"a.json": one_system, "b.json": one_system})
    assert [choice.role for choice in asked.choices] == ["measure"]


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


def test_a_pair_that_is_called_otherwise_in_each_file_is_still_one_pair():
    files: dict[str, str | bytes] = {
        "wmt20.json": paired(20.1, 21.5, 0.0125, "new20.txt"),
        "wmt21.json": paired(20.1, 19.5, 0.3, "new21.txt"),
    }
    found = read(files, roles={"measure": "only:BLEU"})
    assert isinstance(found, PValueTable)
    assert found.reading is not None
    assert (found.system_a, found.system_b) == ("system", "base")


@pytest.mark.parametrize("third", [result(22.0, 0.1), result(22.0)])
def test_with_several_systems_p_values_are_of_no_one_pair_and_scores_are_averages(third):
    three = table(
        ("Baseline: base.txt", {"BLEU": result(20.0)}),
        ("x.txt", {"BLEU": result(21.0, 0.2)}),
        ("y.txt", {"BLEU": third}),
    )
    found = read({"wmt20.json": three, "wmt21.json": three})
    assert isinstance(found, ScoreTable)
    assert found.reading is not None
    assert found.systems == ("base", "x", "y")
    assert any("p-values are not read" in remark for remark in found.reading.remarks)


def test_scores_that_were_not_computed_alike_are_remarked_on():
    other = one(23.5).replace("tok:13a", "tok:intl")
    found = read({"a.json": one(21.5), "b.json": other})
    assert any("'BLEU' was not computed alike" in remark for remark in found.reading.remarks)


def test_every_broken_file_is_named():
    cut = paired(20.1, 21.5, 0.01)[:-30]
    no_score = table(("a.txt", {"BLEU": result(20.0)}), ("b.txt", {"BLEU": {"score": None}}))
    error = refused({"a.json": cut, "b.json": no_score, "c.json": one(None)})
    assert [(p.file, p.column) for p in error.problems] == [
        ("a.json", None),
        ("b.json", "BLEU"),
        ("c.json", "BLEU"),
    ]
    assert error.problems[0].line == cut.count("\n") + 1
    assert "There is no score of 'b.txt'" in error.problems[1].what


def test_other_json_is_not_taken_for_sacrebleu():
    for content in (
        b'{"name": "BERT", "score": 1.0}',
        b'[{"system": "a", "accuracy": 1.0}]',
        b'[{"name": "x", "BLEU": 1.0}]',
    ):
        assert not is_of(SourceFile(name="a.json", content=content), content)
