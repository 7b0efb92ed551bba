"""Results show themselves in a notebook, and the tutorial is executed."""

import json
from html.parser import HTMLParser

import numpy as np
import pytest

from core import (
    AnalysisSettings,
    ResultSet,
    analyse,
    count_datasets,
    count_jointly,
    decide,
    identify_datasets,
    meta_analysis,
    read_results,
    run_dataset_tests,
)
from core.replicability.joint import flip_jointly, identify_by_flips
from core.shown import Plotted
from tests.notebook import executed, stored, tables

HOSTILE = "<img src=x onerror=alert(1)>&\"'"


class Tags(HTMLParser):
    """Elements with their attributes, and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_tutorial_s_outputs_are_those_of_its_cells() -> None:
    notebook = stored()
    assert tables(executed(notebook)) == tables(notebook)
    assert len(json.dumps(notebook)) < 100_000


def test_a_result_shows_its_sentence_and_table_whatever_names_it_has() -> None:
    scores = {
        f"{HOSTILE}{i}": {f"{HOSTILE}a": [1.0] * 20, f"{HOSTILE}b": [0.0] * 19 + [1.0]}
        for i in range(3)
    }
    results = ResultSet.from_scores(scores)
    tested = analyse(results)
    printed = read_results(f"dataset,{HOSTILE[:4]}A,B,p_value\n<b>x,2,1,.001\ny,2,1,.3\n".encode())
    rows = "".join(f"{d},{i},{i % 3 // 2},0\n" for d in "xy" for i in range(9))
    known = read_results(f"dataset,example,A,B\n{rows}".encode())
    assert isinstance(known, ResultSet)
    at_a_margin = AnalysisSettings(claim="not-worse", margin=0.1)
    shown = {
        "k": tested.question.answer.counting,
        "joint k": count_jointly(known, a="A", b="B", units="example-id", n_flips=99),
        "names": tested.identification(tested.question, "holm"),
        "analysis": tested,
        "table": tested.table,
        "printed": printed,
        "printed analysis": analyse(printed),  # type: ignore[arg-type]
        "decision": decide(results, 3, at_a_margin),
        "average": meta_analysis([0.1, 0.2, 0.4], [0.01, 0.02, 0.01]),
    }
    for name, result in shown.items():
        found = Tags(result._repr_html_())  # type: ignore[union-attr]
        assert found.tags.count("table") >= 1, name
        assert not {"img", "b", "script"} & set(found.tags), name
        assert "onerror" not in found.attributes, name
        if isinstance(result, Plotted):
            assert len(result.plot().data) >= 1, name
    assert "on all 3 datasets" in Tags(shown["k"]._repr_html_()).text  # type: ignore[union-attr]
    assert HOSTILE in Tags(tested.table._repr_html_()).text


def test_a_table_at_a_margin_says_its_claim_and_no_score_is_nan() -> None:
    results = ResultSet.from_scores({"x": {"A": [1.0, 0.5] * 9, "B": [0.5, 0.0] * 9}})
    tested = run_dataset_tests(results, a="A", b="B", claim="not-worse", margin=0.1)
    shown = Tags(tested.with_untested(("x", "y"))._repr_html_()).text
    assert "of the claim that A is not worse than B by more than 0.1, in the metric's" in shown
    assert "–" in shown
    assert "nan" not in shown
    for found in (count_datasets(tested.p_values), identify_datasets(tested.p_values)):
        assert "the tested claim (such as “A is better" in Tags(found._repr_html_()).text


def test_one_dataset_is_not_counted_and_flips_have_no_thresholds() -> None:
    one = Tags(identify_datasets([0.01])._repr_html_()).text
    assert "is significant." in one
    for unneeded in ("of 1", "threshold", "adjusted"):
        assert unneeded not in one
        assert unneeded not in Tags(count_datasets([0.01])._repr_html_()).text
    flips = flip_jointly(np.random.default_rng(0).normal(size=(30, 2)) + 1.0, n_flips=99)
    named = Tags(identify_by_flips(flips)._repr_html_()).text
    assert "2 of 2 datasets" in named
    assert "threshold" not in named
    assert "nan" not in named


def test_a_result_without_plotly_shows_itself_and_says_what_a_chart_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    found = meta_analysis([0.1, 0.2, 0.4], [0.01, 0.02, 0.01])
    assert "Combined effect" in found._repr_html_()
    with pytest.raises(ModuleNotFoundError, match="plotly"):
        found.plot()
