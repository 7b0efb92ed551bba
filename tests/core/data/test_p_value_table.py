"""A table of p-values checks itself, and changes only into other tables."""

import copy
import pickle

import numpy as np
import pytest

from core.data import read_results
from tests.core.made import p_value_table

FILE = b"dataset,A,B,p,n\nx,0.3,0.2,0.01,10\ny,0.2,0.1,0,20\nz,1,2,1e-30,30\n"


def table(**roles):
    return read_results(FILE, roles=roles)


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
    same = [
        table(alternative="two-sided"),
        table(higher_is_better=False),
        table(zero_reads_below=0.0),
        read_results(FILE.replace(b",", b";"), name="another name"),
        read_results(FILE.replace(b"\n", b"\r\n")),
    ]
    assert {each.fingerprint for each in same} == {table().fingerprint}
    assert len(table().fingerprint) == 64
    assert table().fingerprint == table().swapped().swapped().fingerprint


def test_any_change_of_the_file_changes_the_fingerprint():
    for old, new in [
        (b"x,", b"w,"),
        (b"A,B", b"A,C"),
        (b"0.01", b"0.010"),
        (b"0.3", b"0.30"),
        (b",20", b",21"),
        (b"A,B", b"B,A"),
    ]:
        assert read_results(FILE.replace(old, new)).fingerprint != table().fingerprint, (old, new)


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


def test_with_alternative_changes_the_declaration_alone():
    changed = table().with_alternative("toward-higher-score")
    assert changed.alternative == "toward-higher-score"
    assert changed.fingerprint == table().fingerprint
    with pytest.raises(ValueError, match="needs the scores"):
        made().with_alternative("toward-higher-score")


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
        system_a="p_value",
        system_b="p_value (score)",
        scores_a=[1.0, 2.0],
        scores_b=[3.0, 4.0],
    )
    frame = named.to_frame()
    assert list(frame)[1:3] == ["p_value (score)", "p_value (score) (score)"]
    assert frame["p_value"].tolist() == [0.1, 0.2]
