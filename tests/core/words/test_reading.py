"""Where each dataset is scored by a metric of its own, nothing averages their units in silence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis import Analysis, AnalysisSettings, Origin, analyse, statements
from core.data import PValueTable, Reading, ResultSet, read_results
from core.data.labels import clusters_of_labels
from core.export.paper import paper_table
from core.sections.effects import effects_parts
from core.sections.parts import Grid, Paragraph
from core.words.reading import no_average_sentence, own_metrics, unlike_metrics


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


METRICS = {"arc": "acc", "boolq": "acc", "essays": "grade"}


def compared(*, differ_alike: bool = False) -> Analysis:
    """0 or 1 on two tasks, a grade of 3 or 9 on the third; standardised where examples vary."""
    right = {
        "ours": [differ_alike or i % 5 != 0 for i in range(40)],
        "base": [not differ_alike and i % 3 != 0 for i in range(40)],
    }
    scores = {
        name: {system: np.where(own, high, low) for system, own in right.items()}
        for name, low, high in (("arc", 0.0, 1.0), ("boolq", 0.0, 1.0), ("essays", 3.0, 9.0))
    }
    data = replace(ResultSet.from_scores(scores, metric="score"), reading=reading(METRICS))
    return analyse(data, AnalysisSettings(), origin=Origin(title="mixed"))


def paragraphs(parts: tuple[object, ...]) -> list[Paragraph]:
    return [part for part in parts if isinstance(part, Paragraph)]


def test_datasets_left_with_one_metric_are_alike() -> None:
    names = METRICS
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
    lead, caution, *_ = paragraphs(effects_parts(compared()))
    assert "standard deviations of the examples' differences" in lead.text
    assert caution.tone == "caution"
    assert all(name in caution.text for name in ("arc and boolq", "essays"))
    # In clusters their variances have no closed form.
    data = compared().data
    assert isinstance(data, ResultSet)
    pairs = {name: [i // 2 for i in range(data.n_examples(name))] for name in data.datasets}
    clustered = replace(data, clusters=clusters_of_labels(pairs, data.datasets))
    lead, *_ = paragraphs(effects_parts(analyse(clustered)))
    assert "standard deviations of the examples' differences" in lead.text


def test_a_report_gives_no_average_where_only_unlike_differences_are_known() -> None:
    parts = effects_parts(compared(differ_alike=True))
    lead = parts[0]
    assert isinstance(lead, Paragraph)
    (grid,) = [part for part in parts if isinstance(part, Grid)]
    assert "macro-average" not in str(grid.rows)
    assert [row[1] for row in grid.rows] == ["acc", "acc", "grade"]


@pytest.mark.parametrize("other", ["1", ".02"])
def test_zeros_are_told_where_their_number_is_read_and_before_the_verdict_if_no_evidence(
    other: str,
) -> None:
    text = f"dataset,A,B,p_value\nx,9.1,8,0\ny,9.2,8,0\nz,9.3,8,{other}\n"
    table = read_results(text.encode(), roles={"alternative": "greater"})
    assert isinstance(table, PValueTable)
    analysis = analyse(table)
    below = "p-values were printed as 0. They are read as below " + (
        ".5" if other == "1" else ".005"
    )
    assert below in paper_table(analysis)
    (caution, *_), told = analysis.cautions or [""], " ".join(statements.remarks(analysis))
    assert (below in caution, below in told) == ((True, False) if other == "1" else (False, True))
    assert ("declare it" in caution) == (other == "1")
