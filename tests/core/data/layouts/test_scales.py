"""Percent beside fractions of 1 is never compared unasked, in whatever layout it comes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis import AnalysisSettings, analyse
from core.data import ScoreTable, read_results
from core.data.layouts.registry import SCORE_GRID
from core.errors import DataError
from core.export.as_json import as_json

# Ours is behind on every dataset.
OURS = (83.1, 85.2, 70.1)
BASE = (0.85, 0.87, 0.75)
PUBLISHED = "dataset,ours,base,p_value\n"
GRID = "dataset,system,score\n"
P_VALUES = (0.001, 0.002, 0.003)


def read(text, **roles):
    return read_results(text.encode(), roles=roles)


def refused(text, **roles):
    with pytest.raises(DataError) as caught:
        read(text, **roles)
    assert [(c.role, [value for value, _ in c.options]) for c in caught.value.choices][-1:] == [
        ("scales", ["one"])
    ]
    return str(caught.value)


def caught_choices(text, **roles):
    try:
        return {choice.role for choice in read(text, **roles).reading.choices}
    except DataError as error:
        return {choice.role for choice in error.choices}


def published(ours, base):
    rows = zip("abcdefgh", ours, base, P_VALUES * 3, strict=False)
    return PUBLISHED + "".join(f"{name},{a},{b},{p}\n" for name, a, b, p in rows)


def on_examples(ours, base, *, copies=1):
    return "dataset,example,ours,base\n" + "".join(
        f"{name},{example}-{copy},{a},{b}\n"
        for name in "xy"
        for example, (a, b) in enumerate(zip(ours, base, strict=True))
        for copy in range(copies)
    )


def in_rows(ours, base, *, heading="dataset"):
    return f"{heading},system,score\n" + "".join(
        f"{name},{system},{score}\n"
        for name, *pair in zip("abc", ours, base, strict=True)
        for system, score in zip(("ours", "base"), pair, strict=True)
    )


@pytest.mark.parametrize("alternative", ["not-stated", "two-sided", "greater"])
@pytest.mark.parametrize("n_times", [1, 2])
def test_no_winner_is_named_in_a_published_table_of_two_scales(alternative, n_times):
    said = refused(published(OURS * n_times, BASE * n_times), alternative=alternative)
    assert "Scores of 'ours' go up to 85.2, those of 'base' only to 0.87" in said
    swapped = refused(published(BASE * n_times, OURS * n_times), alternative=alternative)
    assert "Scores of 'base' go up to 85.2, those of 'ours' only to 0.87" in swapped


def test_brought_to_one_scale_the_same_table_has_the_other_winner():
    fractions = tuple(score / 100 for score in OURS)
    percent = tuple(score * 100 for score in BASE)
    for table in (published(fractions, BASE), published(OURS, percent)):
        data = read(table, alternative="toward-higher-score")
        assert (data.differences < 0).all()
        analysis = analyse(data, AnalysisSettings())
        assert "base is better than ours on all 3" in as_json(analysis)["verdict"]["sentence"]


@pytest.mark.parametrize(
    "text",
    [
        on_examples(OURS, BASE),
        on_examples(OURS, BASE, copies=20),
        on_examples((100, 0, 100), (1, 0, 1)),
        in_rows(OURS, BASE),
        "dataset,example,system,score\n" + "".join(
            f"{name},{i},{system},{score}\n"
            for name in "xy"
            for i, pair in enumerate(zip(OURS, BASE, strict=True))
            for system, score in zip(("ours", "base"), pair, strict=True)
        ),
    ],
    ids=["few examples", "many", "right or wrong", "grid in rows", "examples in rows"],
)  # fmt: skip
def test_the_same_is_refused_in_every_layout(text):
    assert "to one scale" in refused(text)
    results = read(text, scales="one")
    assert set(results.systems) == {"ours", "base"}


def test_choosing_the_systems_says_nothing_of_their_scales():
    rng = np.random.default_rng(5)
    ours, base = 100 * rng.random(20), 0.5 + 0.5 * rng.random(20)
    text = on_examples(ours.round(4), base.round(4))
    chosen = {"systems": ["ours", "base"]}
    assert "percent beside fractions cannot be compared" in refused(text, **chosen)
    grid = "dataset,ours,base\n" + "".join(
        f"{d},{a},{b}\n" for d, a, b in zip("abc", OURS, BASE, strict=True)
    )
    assert "percent beside fractions" in refused(grid, layout=SCORE_GRID, **chosen)
    assert isinstance(read(grid, layout=SCORE_GRID, scales="one", **chosen), ScoreTable)


def test_said_to_be_on_one_scale_they_are_read_with_a_remark():
    text = published(OURS, BASE)
    data = read(text, scales="one")
    assert (data.differences > 0).all()
    (remark,) = [r for r in data.reading.remarks if "as chosen, as scores on one scale" in r]
    assert "'ours' go up to 85.2, those of 'base' only to 0.87" in remark
    assert data.reading.roles["scales"] == "one"
    assert read(text, **data.reading.roles).fingerprint == data.fingerprint
    # Of scores that nobody would ask about the answer says nothing.
    plain = published(OURS, (85, 87, 75))
    assert read(plain, scales="one").reading.remarks == read(plain).reading.remarks
    with pytest.raises(DataError, match="`scales` must be None or 'one'"):
        read(text, scales="two")


@pytest.mark.parametrize("column", ["ours", "base"])
def test_a_sign_of_percent_in_one_column_alone_is_asked_about(column):
    with_sign = tuple(f"{score}%" for score in OURS)
    pair = (with_sign, BASE) if column == "ours" else (BASE, with_sign)
    said = refused(published(*pair))
    assert f"Scores of '{column}' are written with '%'" in said
    assert "without it go only up to 0.87" in said
    assert "is it a system?" in refused(on_examples(*pair))
    assert "are written with '%'" in refused(on_examples(*pair), systems=["ours", "base"])
    # As small as the others, and yet a hundred times smaller.
    assert "are written with '%'" in refused(published(("0.9%", "0.8%", "0.7%"), BASE))


@pytest.mark.parametrize(
    ("ours", "base"),
    [
        (("83%", "85%", "70%"), ("0.5%", "0.9%", "0.1%")),
        (("83%", "85%", "70%"), (83, 87, 75)),
        ((83, 85, 70), (0.3, 87, 12)),
        ((12, 85, 70), (0.7, 30, 12)),
        ((9.5, 7, 8), (0.9, 0.8, 0.7)),
        ((83, 85, 70), (0, 0, 0)),
        ((830, 850, 700), (0.9, 0.8, 0.7)),
        ((83, 85, 70), (-0.5, 0.2, 0.1)),
        ((1.2, 1.5, 1), (0.9, 0.2, 1)),
        ((0.9, 0.2, 1), (0.8, 0.1, 0)),
    ],
)
def test_scores_that_may_well_be_on_one_scale_are_no_question(ours, base):
    assert read(published(ours, base)).complete
    assert read(published(base, ours)).complete


@pytest.mark.parametrize(
    ("metric", "asked"),
    [
        ("perplexity", False), ("loss", False), ("latency", False), ("RMSE", False),
        ("WER", True), ("error rate", True), ("accuracy", True), (None, True),
    ],
)  # fmt: skip
def test_losses_and_times_have_one_scale_however_far_they_go(metric, asked):
    numbers = (12.5, 30, 11), (0.9, 0.4, 0.8)
    text = published(*numbers)
    if not asked:
        assert read(text, metric=metric).complete
        assert read(on_examples(*numbers), metric=metric, systems=["ours", "base"])
        return
    refused(text, metric=metric)
    more = published((12.5, 130, 11), numbers[1])
    assert ("scales" in caught_choices(more, metric=metric)) == (metric in ("WER", "error rate"))
    refused(on_examples(*numbers), metric=metric, systems=["ours", "base"])


def test_a_single_dataset_a_hundredfold_apart_is_asked_about():
    said = refused(published((83.1, 85.2, 0.701), (85, 0.87, 75)))
    assert "Scores on 'b', 'c' are apart by a factor of about 100" in said
    assert "'ours' go up to 85.2, those of 'base' only to 0.87" in said


def test_datasets_in_different_units_are_remarked_on():
    table = read(published((83.1, 85.2, 0.852), (85, 88, 0.87)))
    (remark,) = [r for r in table.reading.remarks if "seem to be" in r]
    assert remark.startswith("Scores on 'c' go only up to 0.87, on most others to 88")
    table = read(published((83.1, 0.8, 0.852), (85, 0.7, 0.87)))
    (remark,) = [r for r in table.reading.remarks if "seem to be" in r]
    assert remark.startswith("Scores on 'a' go up to 85, on most others only to 0.87")
    assert "means over datasets are" in remark


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(11, 100), st.integers(11, 100)), min_size=1, max_size=6
    ),
    st.booleans(),
)  # fmt: skip
def test_whatever_the_scores_a_system_in_fractions_beside_one_in_percent_is_refused(scores, first):
    ours = [a for a, _ in scores]
    base = [b / 100 for _, b in scores]
    refused(published(*((base, ours) if first else (ours, base))))
    assert read(published(ours, [b for _, b in scores])).complete
    assert read(published([a / 100 for a in ours], base)).complete
