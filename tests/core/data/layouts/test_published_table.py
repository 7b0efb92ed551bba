"""A published table is recognised by its columns and read whole, or refused with every reason."""

import pytest

from core.data import read_results
from core.errors import DataError
from tests.core.data.layouts.texts import problems_of


def read(text, *, name=None, **roles):
    return read_results(text.encode(), name=name, roles=roles)


def test_too_many_rows_for_a_table_of_datasets_are_a_problem():
    text = "dataset,p\n" + "".join(f"d{i},.5\n" for i in range(100_001))
    (problem,) = problems_of(text)
    assert "100,001 rows and p-values in 'p'; a published table has at most 100,000" in problem


LACKING = "dataset,A,B,p\nx,3,1,.01\ny,1,2,1.2\nz,2,1,-.1\nv,2,1,\nw,4,1,.03\n"


def test_p_values_outside_zero_to_one_are_named_and_one_answer_is_for_all_of_them():
    with pytest.raises(DataError) as caught:
        read(LACKING)
    assert [(p.dataset, p.line, p.what) for p in caught.value.problems] == [
        ("y", 3, "'1.2' lies outside 0 to 1."),
        ("z", 4, "'-.1' lies outside 0 to 1."),
        ("v", 5, "There is no p-value."),
    ]
    (choice,) = {c for finding in caught.value.findings for c in finding.choices}
    assert [value for value, _ in choice.options] == ["as-one", "leave-out"]
    kept, left = read(LACKING, incomplete="as-one"), read(LACKING, incomplete="leave-out")
    assert (kept.datasets, left.datasets) == (("x", "y", "z", "v", "w"), ("x", "w"))
    assert kept.p_values.tolist() == [0.01, 1.0, 1.0, 1.0, 0.03]
    assert kept.swapped().printed_lower_ends.tolist() == [False, True, True, True, False]
    for table, done in ((kept, "Kept"), (left, "Left out")):
        (remark,) = (r for r in table.reading.remarks if done in r)
        assert "'y' (line 3: '1.2'), 'z' (line 4: '-.1'), 'v' (line 5: blank)" in remark
