"""Where each dataset is scored by a metric of its own, nothing averages their units in silence."""

import json
from dataclasses import replace
from functools import cache

import pytest

from core.analysis import Analysis, AnalysisSettings, Origin, analyse, statements
from core.data import PValueTable, Reading, ResultSet, read_results
from core.data.side_data import clusters_of_labels
from core.export.bundle import read_named
from core.export.paper import paper_table
from core.sections.effects import effects_parts
from core.sections.parts import Grid, Paragraph, printed
from core.words.reading import no_average_sentence, own_metrics, unlike_metrics


def graded_beside_right() -> list[tuple[str, bytes]]:
    """Samples of lm-evaluation-harness: 0 or 1 on two tasks, a grade of 3 or 9 on the third."""
    files = []
    for model, every in (("ours", 5), ("base", 3)):
        for task, metric, low, high in (
            ("arc", "acc", 0.0, 1.0),
            ("boolq", "acc", 0.0, 1.0),
            ("essays", "grade", 3.0, 9.0),
        ):
            lines = []
            for i in range(40):
                right = (i + len(task)) % every != 0
                entry = {
                    "doc_id": i,
                    "doc": {"text": f"{task} {i}"},
                    "target": "1",
                    "arguments": {},
                    "resps": [["a"]],
                    "filtered_resps": ["a"],
                    "filter": "none",
                    "metrics": [metric],
                    "doc_hash": f"{task}-{i}",
                    "prompt_hash": "5f",
                    "target_hash": "6a",
                    metric: high if right else low,
                }
                lines.append(json.dumps(entry) + "\n")
            name = f"out/{model}/samples_{task}_2024-05-06T10-00-00.123456.jsonl"
            files.append((name, "".join(lines).encode()))
    return files


@cache
def analysed() -> Analysis:
    data = read_named(graded_beside_right(), name=None, roles={"measure": "each-own"})
    assert isinstance(data, ResultSet)
    return analyse(data, AnalysisSettings(), origin=Origin(title="mixed"))


def reading(metrics: dict[str, str]) -> Reading:
    return Reading(
        source_name="x",
        layout="scores in rows",
        roles={"measure": "each-own"},
        columns=(),
        remarks=(),
        separator=",",
        encoding="UTF-8",
        dataset_labels={"metric": metrics},
    )


def paragraphs(parts: tuple[object, ...]) -> list[Paragraph]:
    return [part for part in parts if isinstance(part, Paragraph)]


def test_of_each_ones_own_metric_a_remark_asks_for_the_direction_where_no_tool_says_it() -> None:
    found = analysed()
    assert not statements.leaves_direction_open(found.data, found.settings, found.origin)
    (asked,) = (one for one in statements.remarks(found) if "higher or lower values" in one)
    assert ("'grade'" in asked, "'acc'" in asked) == (True, False)


def test_datasets_left_with_one_metric_are_alike() -> None:
    names = {"arc": "acc", "boolq": "acc", "essays": "grade"}
    assert unlike_metrics(reading(names), list(names)) == names
    assert unlike_metrics(reading(names), ["arc", "boolq"]) == {}
    assert own_metrics(reading(names), ["arc", "boolq"]) == {"arc": "acc", "boolq": "acc"}
    # What is not known is not taken for alike.
    assert unlike_metrics(reading({}), ["x", "y"]) == {"x": "", "y": ""}
    assert unlike_metrics(None, ["x", "y"]) == {}


def test_of_more_than_five_metrics_a_sentence_says_how_many_more_there_are() -> None:
    for n, last in ((4, "m3 on d3)"), (5, "m4 on d4)"), (6, "m4 on d4; and 1 more)")):
        assert last in no_average_sentence({f"d{i}": f"m{i}" for i in range(n)})


def test_a_report_averages_unlike_metrics_as_standardised_differences_and_says_so() -> None:
    lead, caution, *_ = paragraphs(effects_parts(analysed()))
    assert "standard deviations of the examples' differences" in lead.text
    assert caution.tone == "caution"
    assert all(name in caution.text for name in ("arc and boolq", "essays"))
    # In clusters their variances have no closed form.
    data = analysed().data
    assert isinstance(data, ResultSet)
    pairs = {name: [i // 2 for i in range(data.n_examples(name))] for name in data.datasets}
    clustered = replace(data, clusters=clusters_of_labels(pairs, data.datasets))
    lead, *_ = paragraphs(effects_parts(analyse(clustered)))
    assert "standard deviations of the examples' differences" in lead.text


def test_a_report_gives_no_average_where_only_unlike_differences_are_known() -> None:
    parts = effects_parts(_without_spread())
    lead = parts[0]
    assert isinstance(lead, Paragraph)
    (grid,) = [part for part in printed(parts) if isinstance(part, Grid)]
    assert "macro-average" not in str(grid.rows)
    assert [row[1] for row in grid.rows] == ["acc", "acc", "grade"]


def _without_spread() -> Analysis:
    """The same, with examples that all differ alike: nothing can be standardised."""
    scores = {
        name: {"ours": [high] * 20, "base": [low] * 20}
        for name, high, low in (("arc", 1.0, 0.0), ("boolq", 1.0, 0.0), ("essays", 9.0, 3.0))
    }
    alike = replace(ResultSet.from_scores(scores, metric="score"), reading=analysed().data.reading)
    return analyse(alike, AnalysisSettings(), origin=Origin(title="alike"))


@pytest.mark.parametrize("other", ["1", ".02"])
def test_zeros_are_told_where_their_number_is_read_and_before_the_verdict_if_no_evidence(
    other: str,
) -> None:
    text = f"dataset,A,B,p_value\nx,9.1,8,0\ny,9.2,8,0\nz,9.3,8,{other}\n"
    table = read_results(text.encode(), roles={"alternative": "greater"})
    assert isinstance(table, PValueTable)
    analysis = analyse(table)
    below = "p-values printed as 0 as below " + (".5" if other == "1" else ".005")
    assert below in paper_table(analysis)
    (caution, *_), told = analysis.cautions or [""], " ".join(statements.remarks(analysis))
    assert (below in caution, below in told) == ((True, False) if other == "1" else (False, True))
    assert ("declare it" in caution) == (other == "1")
