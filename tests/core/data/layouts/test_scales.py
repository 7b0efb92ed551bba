"""Percent beside fractions of 1 is never compared unasked, in whatever layout it comes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis import AnalysisSettings, analyse
from core.data import read_results
from tests.core.data.layouts.texts import refused

# Ours is behind on every dataset.
OURS = (83.1, 85.2, 70.1)
BASE = (0.85, 0.87, 0.75)
PUBLISHED = "dataset,ours,base,p_value\n"
P_VALUES = (0.001, 0.002, 0.003)


def read(text, **roles):
    return read_results(text.encode(), roles=roles)


def is_refused(text):
    asked = [(c.role, c.options[0][0]) for c in refused(text).choices if c.role == "scales"]
    return asked == [("scales", "one")]


def published(ours, base):
    rows = zip("abcdefgh", ours, base, P_VALUES * 3, strict=False)
    return PUBLISHED + "".join(f"{name},{a},{b},{p}\n" for name, a, b, p in rows)


def test_brought_to_one_scale_the_same_table_has_the_other_winner():
    fractions = tuple(score / 100 for score in OURS)
    percent = tuple(score * 100 for score in BASE)
    for table in (published(fractions, BASE), published(OURS, percent)):
        data = read(table, alternative="toward-higher-score")
        assert (data.differences < 0).all()
        shown = analyse(data, AnalysisSettings()).question
        assert (shown.claim, shown.answer.k_hat) == ("b-better", 3)
    # What is partly in fractions is not offered to be divided: these would be divided as well.
    for mixed, offered in ((OURS, ["divided"]), ((83.1, 0.85, 70.1), [])):
        choices = refused(published(mixed, BASE)).choices
        assert [c.role for c in choices if c.role == "divided"] == offered


@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(11, 100), st.integers(11, 100)), min_size=1, max_size=6
    ),
    st.booleans(),
)  # fmt: skip
def test_whatever_the_scores_a_system_in_fractions_beside_one_in_percent_is_refused(scores, first):
    ours = [a for a, _ in scores]
    base = [b / 100 for _, b in scores]
    assert is_refused(published(*((base, ours) if first else (ours, base))))
    assert read(published(ours, [b for _, b in scores])).complete
    assert read(published([a / 100 for a in ours], base)).complete


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("pass", "fail"), ("Passed", "FAILED"), ("✓", "✗"), ("✅", "❌"), ("1", "0")],
)
@pytest.mark.parametrize("rule", ["", "|-|-|-|-|\n", "|:--|--:|---|:-:|\n"])
def test_words_and_marks_of_right_and_wrong_are_scores_in_every_kind_of_table(right, wrong, rule):
    cells = [("x", 1, right, wrong), ("x", 2, right, right), ("y", 1, wrong, right)]
    rows = [("dataset", "example", "A", "B"), *cells]
    lines = [
        f"| {' | '.join(map(str, row))} |" if rule else ",".join(map(str, row)) for row in rows
    ]
    lines[0] += f"\n{rule}".rstrip("\n")
    table = read("\n".join(lines))
    assert [own.tolist() for own in table.values["accuracy"]] == [[[1, 0], [1, 1]], [[0, 1]]]


def test_one_column_of_large_scores_lacks_a_second_system_and_no_scale():
    rows = "".join(f"x,{i},{500 + 37 * i}\n" for i in range(8))
    problems = refused(f"dataset,example,only\n{rows}", layout="per-example scores").problems
    assert "a comparison needs two systems" in problems[0].what


@pytest.mark.parametrize("written", ["-1", "-999.0"])
@pytest.mark.parametrize(
    "text",
    [
        "dataset,A,B\nx,80.1,79\ny,70,{}\n",
        "dataset,example,A,B\nx,1,2,3\nx,2,1,4\ny,1,2,{}\ny,2,3,1\n",
    ],
)
def test_a_number_that_may_stand_for_a_missing_score_is_asked_about(text, written):
    error = refused(text.format(written))
    assert "may stand for a missing score of 'B'" in str(error)
    assert [(c.role, c.options[0][0]) for c in error.choices] == [("scales", "one")]
    assert read(text.format(written), scales="one").systems == ("A", "B")
    # Of many negative numbers none stands out.
    assert read("dataset,A,B\nx,-3,.3\nx,-1,.1\nx,-9,.9\n")
    assert read(text.format(written).replace("79", "-7").replace("x,1,2,3", "x,1,2,-.3"))
