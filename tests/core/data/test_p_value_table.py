"""A table of p-values is read as papers print it, checks itself, and changes only into other tables."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

import core
from core.data import PValueTable, read_results
from core.data.p_value_table import FurtherPValues
from core.errors import DataError
from tests.core.made import p_value_table
from tests.read_as import read_as

FILE = b"dataset,A,B,p,n\nx,0.3,0.2,0.01,10\ny,0.2,0.1,0,20\nz,1,2,1e-30,30\n"


def read(text, **roles):
    return read_as(PValueTable, text if isinstance(text, bytes) else text.encode(), roles=roles)


def table(**roles):
    return read(FILE, **roles)


def made(**changes):
    return p_value_table(**{"p_values": [0.1, 0.2], "datasets": ("x", "y"), **changes})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"datasets": ("x", "x")}, "`datasets` must all differ; got 'x' twice"),
        ({"datasets": ("x", "")}, "`datasets` must have names"),
        ({"datasets": ("x",)}, "`p_values` must hold one entry for each of 1 datasets; got 2"),
        ({"p_values": [0.1, 1.5]}, "`p_values` must lie between 0 and 1; got 1.5"),
        ({"p_values": [0.1, float("nan")]}, "`p_values` must lie between 0 and 1; got nan"),
        ({"p_value_bounds": ([0.1, 0.3], [0.1, 0.3])}, "got 0.2 outside"),
        ({"printed": ("0.1",)}, "`printed` must hold one entry"),
        ({"notes": ("",)}, "`notes` must hold one entry"),
        ({"system_b": "A"}, "`system_a` and `system_b` must differ; both are 'A'"),
        ({"alternative": "smaller"}, "`alternative` must be one of"),
        ({"scores_a": [1.0]}, "`scores_a` must hold one entry"),
        ({"scores_a": [1.0, float("inf")]}, "`scores_a` must be finite or nan"),
        ({"printed_scores_a": ("1", "2")}, "must come with `scores_a`"),
        ({"n_examples": [1, 0]}, "`n_examples` must be positive; got 0"),
        ({"alternative": "toward-higher-score"}, "needs the scores of both"),
        ({"alternative": "two-sided", "scores_a": [1.0, float("nan")]}, "needs a score for every"),
    ],
)
def test_wrong_arguments_are_named_with_what_came(changes, said):
    with pytest.raises(ValueError, match="^[^\n]*" + said.replace("(", r"\(")):
        made(**changes)


def test_arrays_are_read_only_copies_also_after_pickling():
    given = np.array([0.1, 0.2])
    first = made(p_values=given, scores_a=given, scores_b=given, n_examples=[1, 2])
    given[0] = 0.9
    for each in (first, pickle.loads(pickle.dumps(first)), copy.deepcopy(first)):  # noqa: S301
        assert each.p_values[0] == 0.1
        for array in (each.p_values, *each.p_value_bounds, each.scores_a, each.n_examples):
            assert not array.flags.writeable


def test_differences_keep_ties_that_binary_floats_break():
    assert 0.3 - 0.2 != 0.2 - 0.1
    assert table().differences.tolist() == [0.1, 0.1, -1.0]
    plain = made(scores_a=[0.3, 0.2], scores_b=[0.2, 0.1])
    assert plain.differences.tolist() == [0.1, 0.1]


def test_differences_need_both_scores_and_are_nan_beside_a_blank():
    assert made(scores_a=[1.0, 2.0]).differences is None
    blank = made(scores_a=[1.0, float("nan")], scores_b=[0.5, 0.5])
    assert blank.differences[0] == 0.5
    assert np.isnan(blank.differences[1])


def test_the_fingerprint_is_of_what_the_file_says():
    declared = (
        {"alternative": "two-sided"},
        {"higher_is_better": False},
        {"zero_reads_below": 0.0},
    )
    same = [table(**each) for each in declared]
    same.append(read_results(FILE.replace(b",", b";"), name="another name"))
    same.append(read(FILE.replace(b"\n", b"\r\n")))
    assert {each.fingerprint for each in same} == {table().fingerprint}
    assert len(table().fingerprint) == 64
    assert table().fingerprint == table().swapped().swapped().fingerprint


def test_any_change_of_the_file_changes_the_fingerprint():
    digits = ((b"0.01", b"0.010"), (b"0.3", b"0.30"), (b",20", b",21"))
    for old, new in ((b"x,", b"w,"), (b"A,B", b"A,C"), (b"A,B", b"B,A"), *digits):
        assert read(FILE.replace(old, new)).fingerprint != table().fingerprint, (old, new)


def test_the_fingerprint_cannot_be_confused_by_moving_a_boundary():
    first = made(datasets=("a", "b,c"))
    second = made(datasets=("a,b", "c"))
    assert first.fingerprint != second.fingerprint


def test_swapping_turns_systems_scores_and_differences():
    swapped = table(alternative="two-sided").swapped()
    assert (swapped.system_a, swapped.system_b) == ("B", "A")
    assert swapped.differences.tolist() == [-0.1, -0.1, 1.0]
    assert swapped.p_values.tolist() == table().p_values.tolist()
    assert swapped.fingerprint != table().fingerprint


def test_swapping_turns_what_one_sided_p_values_speak_for_and_leaves_them_as_they_are():
    first = table(alternative="greater")
    swapped = first.swapped()
    assert swapped.alternative == "less"
    assert swapped.p_values.tolist() == first.p_values.tolist()
    assert swapped.notes == first.notes
    assert swapped.swapped().alternative == "greater"


def test_datasets_can_be_left_out_but_not_all_and_only_known_ones():
    left = table().without(["y"])
    assert left.datasets == ("x", "z")
    assert left.printed == ("0.01", "1e-30")
    assert left.n_examples.tolist() == [10, 30]
    assert left.printed_scores_a == ("0.3", "1")
    assert table().without("y").datasets == ("x", "z")
    with pytest.raises(ValueError, match="got 'w'"):
        table().without(["w", "x"])
    with pytest.raises(ValueError, match="at least one"):
        table().without(["x", "y", "z"])


def test_systems_named_as_other_columns_are_told_apart():
    named = made(
        system_a="p_value", system_b="p_value (score)", scores_a=[1.0, 2.0], scores_b=[3.0, 4.0]
    )
    frame = named.to_frame()
    assert list(frame)[1:3] == ["p_value (score)", "p_value (score) (score)"]
    assert frame["p_value"].tolist() == [0.1, 0.2]


SEVERAL = (
    "dataset,A,B,p_value,p_value words,p_value sentences\nx,1,2,.5,.04,<.001\ny,3,2,.3,.2,0.0\n"
)


def test_further_p_values_are_as_printed_with_what_its_digits_allow():
    given = read(SEVERAL)
    assert given.p_values.tolist() == [0.5, 0.3]
    assert (given.system_a, given.system_b) == ("A", "B")
    words, sentences = given.further
    assert given.p_value_columns == ("p_value", "p_value words", "p_value sentences")
    assert words.printed == (".04", ".2")
    np.testing.assert_allclose(words.p_value_bounds, ([0.035, 0.15], [0.045, 0.25]))
    assert sentences.p_values.tolist() == [0.001, 0.05]
    assert set(given.reading.other_columns) == {"p_value words", "p_value sentences"}
    assert not any("Not read" in remark for remark in given.reading.remarks)


def test_further_p_values_stay_with_their_datasets():
    given = read(SEVERAL)
    assert given.without({"x"}).further[0].printed == (".2",)
    assert given.swapped().further[1].printed == given.further[1].printed
    for_a = read(SEVERAL, alternative="greater")
    assert len(for_a.further) == 2
    assert for_a.with_untested(["x", "y", "z"]).further == ()
    again = pickle.loads(pickle.dumps(given))  # noqa: S301 - made on this line
    assert again.further[0].printed == given.further[0].printed
    assert again.further[0].p_value_bounds[0].flags.writeable is False
    assert given.fingerprint == read(SEVERAL.replace(",.04,", ",.05,")).fingerprint


def test_one_further_entry_a_dataset_is_asked_for():
    bounds = (np.zeros(1), np.ones(1))
    short = FurtherPValues(name="p", p_values=bounds[0], p_value_bounds=bounds, printed=("0",))
    with pytest.raises(ValueError, match="`further` must hold one entry for each of 2 datasets"):
        replace(read(SEVERAL), further=(short,))
    with pytest.raises(ValueError, match="must hold one entry for each"):
        replace(short, printed=())


def test_lower_ends_count_as_1_for_either_system_and_are_said():
    text = "dataset,BERT,XLM,Sig.\nx,91,92,n.s.\ny,80,81,<.001\nz,70,69,p > .05\nv,60,61,≥ .1\n"
    found = read(text)
    assert found.p_values.tolist() == [1.0, 0.001, 1.0, 1.0]
    low, high = found.p_value_bounds
    assert low.tolist() == pytest.approx([0.05, 0.0, 0.05, 0.1], rel=1e-9)
    assert high.tolist() == [1.0, 0.001, 1.0, 1.0]
    assert found.printed == ("n.s.", "<.001", "p > .05", "≥ .1")
    assert found.printed_lower_ends.tolist() == [True, False, True, True]
    assert found.notes[0] == "printed as n.s., read as above .05: counted as 1"
    said = " ".join(found.reading.remarks)
    assert "counts as p = 1 for either system: 'n.s.', 'p > .05', '≥ .1'" in said
    assert "'n.s.' is taken for p above .05" in said
    # As if a p-value of 1 spoke toward nobody: neither system gains a dataset by it.
    assessment = core.analyse(found).assessment
    for answer in (assessment.answer_a, assessment.answer_b):
        assert answer is None or not set(np.flatnonzero(answer.p_values < 1.0)) - {1}


def test_swapping_and_leaving_out_keep_which_p_values_are_lower_ends():
    found = read("dataset,A,B,p\nx,1,2,n.s.\ny,2,1,.04\nz,3,1,>.05\n")
    assert found.swapped().printed_lower_ends.tolist() == [True, False, True]
    assert found.without("x").printed_lower_ends.tolist() == [False, True]


def test_p_values_in_percent_are_divided_with_their_bounds_where_this_is_said():
    text = "dataset,ours,base,p (%)\na,91.2,90.1,3\nb,81,80,20\nc,71,72,<0.1\n"
    low, high = read(text, divided=("p (%)",)).p_value_bounds
    assert low.tolist() == pytest.approx([0.025, 0.195, 0.0])
    assert high.tolist() == pytest.approx([0.035, 0.205, 0.001])


@pytest.mark.parametrize("effect", ["estimate", "coef", "effect", "difference"])
def test_an_effect_beside_p_values_is_no_system(effect):
    table = read_as(PValueTable, f"term,{effect},se,p\nen,.12,.03,.003\nde,-.2,.09,.03\n".encode())
    assert (table.system_a, table.system_b, table.scores_a) == ("A", "B", None)


@pytest.mark.parametrize(
    ("column", "remedy"),
    [("System", "Give each system a column of its scores"), ("Part", "Keep the rows of one")],
)
def test_several_rows_of_a_dataset_are_refused_with_what_to_do(column: str, remedy: str) -> None:
    rows = "NER,x,90.1,90,.1\nNER,y,91,91.2,.01\nPOS,x,97.1,98,.3\nPOS,y,97,96,.45\n"
    with pytest.raises(DataError, match=remedy):
        read_results(f"Task,{column},A,B,p\n{rows}".encode())
