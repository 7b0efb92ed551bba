"""Tables of single scores and of effects refuse what they cannot hold and stay as they are."""

from typing import Any

import numpy as np
import pytest

from core.data import EffectTable, PValueTable, ScoreTable, read_results
from core.data.reading import systems_of_results
from tests.read_as import read_as

SCORES: dict[str, Any] = {
    "datasets": ("x", "y"),
    "systems": ("A", "B"),
    "values": [[0.5, 1], [2, 3]],
}
EFFECTS: dict[str, Any] = {
    "datasets": ("x", "y"),
    "effects": [0.5, -1],
    "standard_errors": [0.5, 2],
}


def test_scores_are_given_by_system_and_by_row():
    table = ScoreTable(**SCORES, printed=(("0.50", "1"), ("2", "3")))
    assert table.scores("B").tolist() == [1, 3]
    assert table.printed_scores("A") == ("0.50", "2")
    frame = table.to_frame()
    assert frame.columns.tolist() == ["dataset", "A", "B"]
    assert frame.loc[1].to_numpy().tolist() == ["y", 2, 3]
    assert ScoreTable(**SCORES).printed_scores("A") == ("0.5", "2.0")
    with pytest.raises(ValueError, match=r"'A'.*'B'"):
        table.scores("C")


@pytest.mark.parametrize(
    ("kind", "given", "changed", "expected"),
    [
        (ScoreTable, SCORES, {"datasets": ("x", "x")}, "'x' twice"),
        (ScoreTable, SCORES, {"systems": ("A", "")}, "must have names"),
        (ScoreTable, SCORES, {"datasets": ()}, "must not be empty"),
        (ScoreTable, SCORES, {"values": [[1, 2]]}, "must have the shape"),
        (ScoreTable, SCORES, {"values": [[1, np.nan], [2, 3]]}, "must be finite"),
        (ScoreTable, SCORES, {"printed": (("1",), ("2",))}, "`printed` must have the shape"),
        (EffectTable, EFFECTS, {"effects": [1]}, "one entry for each of 2 datasets"),
        (EffectTable, EFFECTS, {"effects": [[1], [2]]}, "one axis; got the shape"),
        (EffectTable, EFFECTS, {"n_examples": [[1], [2]]}, "one axis; got the shape"),
        (EffectTable, EFFECTS, {"effects": [1, np.inf]}, "must be finite"),
        (EffectTable, EFFECTS, {"standard_errors": [1, 0]}, "must be positive"),
        (EffectTable, EFFECTS, {"n_examples": [1, 0]}, "must be positive; got 0"),
    ],
)
def test_what_is_no_table_is_refused(kind, given, changed, expected):
    with pytest.raises(ValueError, match=expected):
        kind(**{**given, **changed})


@pytest.mark.parametrize(
    ("kind", "given", "changes"),
    [
        (ScoreTable, SCORES, {"systems": ("A", "C"), "values": [[0.5, 1], [2, 4]]}),
        (
            EffectTable,
            EFFECTS,
            {"effects": [0.5, 1], "standard_errors": [0.5, 1], "n_examples": [10, 20]},
        ),
    ],
)
def test_other_content_has_another_fingerprint(kind, given, changes):
    for name, other in {"datasets": ("x", "z"), **changes}.items():
        assert kind(**given).fingerprint != kind(**{**given, name: other}).fingerprint, name


def test_a_table_without_a_dataset_keeps_the_others_as_they_were_printed() -> None:
    printed = (("0.50", "0.25"), ("0.125", "1.0"), ("0.75", "0.5"))
    values = np.array(printed, dtype=float)
    table = ScoreTable(datasets=tuple("xyz"), systems=tuple("ab"), values=values, printed=printed)
    fewer = table.without(["y"])
    assert fewer.datasets == ("x", "z")
    assert fewer.printed_scores("a") == ("0.50", "0.75")
    assert fewer.scores("b").tolist() == [0.25, 0.5]
    with pytest.raises(ValueError, match="`names` must leave at least one dataset"):
        table.without(["x", "y", "z"])
    with pytest.raises(ValueError, match="`names`"):
        table.without(["w"])


@pytest.mark.parametrize("ends", [(" lower", " upper"), (" 2.5%", " 97.5%"), ("_5", "_95")])
def test_bounds_of_a_system_are_no_systems_where_both_stand_beside_it(ends):
    columns = [f"{system}{end}" for system in ("ours", "base") for end in ("", *ends)]
    table = f"dataset,{','.join(columns)}\nen,91,90,92,89,88,90\nde,81,80,82,79,78,80\n"
    assert systems_of_results(read_results(table.encode())) == ("ours", "base")
    alone = f"dataset,ours{ends[0]},base{ends[0]}\nen,91,89\nde,81,79\n"
    named = systems_of_results(read_results(alone.encode()))
    assert named == (f"ours{ends[0]}", f"base{ends[0]}")


def test_a_spread_behind_a_score_is_kept_beside_it():
    text = "dataset,A,B{}\nx,91.2 ± 0.3,90{}\ny,92.25 (1.05),90.5*{}\n"
    grid = read_as(ScoreTable, text.format("", "", "").encode())
    assert grid.values[:, 0].tolist() == [91.2, 92.25]
    assert grid.spreads == (("0.3", ""), ("1.05", ""))
    assert grid.without(["x"]).spreads == (("1.05", ""),)
    assert grid.to_frame()["A ±"].tolist() == ["0.3", "1.05"]
    table = read_as(PValueTable, text.format(",p", ",.01", ",.2").encode())
    assert table.has_spreads
