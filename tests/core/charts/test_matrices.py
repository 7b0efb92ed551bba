"""The matrix shows every pair's share, as a number too."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.matrices import drawn_datasets, overlap_matrix
from core.charts.theme import DARK, LIGHT
from core.data.labels import Inputs
from core.data.overlap.find import Overlap, find_overlap
from core.data.result_set import ResultSet


def overlap(codes: dict[str, list[int]]) -> Overlap:
    return find_overlap(
        ResultSet(
            datasets=tuple(codes),
            systems=("A", "B"),
            values={"score": tuple(np.zeros((len(each), 2)) for each in codes.values())},
            higher_is_better={"score": True},
            inputs=Inputs(columns=("text",), codes=tuple(np.array(c) for c in codes.values())),
        )
    )


def numbers(start: int, end: int) -> list[int]:
    return list(range(start, end))


THREE = {"x": numbers(0, 10), "y": numbers(5, 25), "none": [-1, -1]}


def test_every_cell_says_its_share_as_a_number() -> None:
    for theme in [LIGHT, DARK]:
        figure = overlap_matrix(overlap(THREE), theme=theme)
        (trace,) = figure.data
        assert trace.z[0][1] == trace.z[1][0] == 0.5, theme
        assert [list(row) for row in trace.text] == [
            ["", "50%", ""],
            ["50%", "", ""],
            ["", "", ""],
        ], theme
        signs = {(a.y, a.x): a.text for a in figure.layout.annotations}
        assert signs == {
            (i, j): "–" if i == j else "?"
            for i in range(3)
            for j in range(3)
            if i == j or 2 in (i, j)
        }, theme
        assert "? not compared" in figure.layout.title.text, theme
        assert trace.textfont.color == theme.ink, theme


def test_names_reach_the_chart_escaped() -> None:
    codes = {"<b>x</b>": numbers(0, 9), "<a href='javascript:1'>": numbers(0, 20), "z": [0]}
    drawn = str(overlap_matrix(overlap(codes)).to_dict())
    assert "<b>" not in drawn
    assert "<a href" not in drawn
    assert "&lt;b&gt;x" in drawn


def test_of_many_datasets_those_that_share_are_drawn() -> None:
    codes = {f"dataset {i}": numbers(10 * i, 10 * i + 5) for i in range(100)}
    codes["dataset 71"] = [*numbers(0, 2), *numbers(5000, 5009)]
    found = overlap(codes)
    assert drawn_datasets(found).tolist() == [0, 71]
    figure = overlap_matrix(found)
    assert list(figure.layout.xaxis.ticktext) == ["dataset 0", "dataset 71"]
    assert "2 of 100 datasets" in figure.layout.title.text
    assert figure.data[0].z[0][1] == pytest.approx(2 / 5)
