"""A published table is recognised by its columns and read whole, or refused with every reason."""

import pytest

from core.data import PValueTable, ScoreTable, read_results
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


def test_a_heading_says_for_which_system_its_p_values_are():
    for heading, systems, alternative, remark in [
        ("p (Foo > Bar)", ("Foo", "Bar"), "greater", "One-sided for 'Foo', as the table says: 'p"),
        ("p-value (Foo < Bar)", ("Foo", "Bar"), "less", "One-sided for 'Bar', as the table says"),
        ("p [one-sided, Bar>Foo]", ("Bar", "Foo"), "greater", "One-sided for 'Bar'"),
        ("p (two-sided)", ("Foo", "Bar"), "two-sided", "Two-sided, as the table says: 'p"),
        ("p-value (one-tailed)", ("Foo", "Bar"), "not-stated", "leaves open for which system"),
        ("p (Foo > Baz)", ("Foo", "Bar"), "not-stated", "leaves open for which system"),
        ("p", ("Foo", "Bar"), "not-stated", ""),
    ]:
        p = (0.99, 0.3) if remark.startswith("One-sided for 'Bar'") else (0.01, 0.7)
        table = read(f'dataset,Foo,Bar,"{heading}"\nx,91,90,{p[0]}\ny,88,89,{p[1]}\n')
        assert (table.system_a, table.system_b) == systems, heading
        assert table.alternative == alternative, heading
        assert remark in " ".join(table.reading.remarks), heading
    # Of errors ">" may mean the higher rate or the better system.
    errors = read('dataset,WER Foo,WER Bar,"p (WER Foo > WER Bar)"\nx,9,8,.01\ny,7,9,.3\n')
    assert errors.alternative == "not-stated"
    # Of the probability that A is better a large one speaks for A.
    chance = read("dataset,A,B,P(A>B)\nx,91,90,.99\ny,85,80,.999\nz,70,72,.2\n")
    assert chance.alternative == "not-stated"
    assert any("leaves open for which system" in r for r in chance.reading.remarks)
    system = read('dataset,System A,System B,"p (A > B)"\nx,91,90,.01\ny,88,89,.3\n')
    assert system.alternative == "greater"


@pytest.mark.parametrize(
    ("heading", "cells", "is_p"),
    [
        ("t-test", ("p=0.0012", "p<.05", "n.s."), True),
        ("t-test p", ("0.0012", ".03", ".2"), True),
        ("wilcoxon_p_value", ("0.0012", ".03", ".2"), True),
        ("t-test", ("2.31", "1.2", ".8"), False),
        ("McNemar", (".31", ".2", ".8"), False),
    ],
)
def test_a_column_named_by_a_test_holds_its_p_values_or_is_left_aside(heading, cells, is_p):
    rows = (f"d{i},.9{i},.8{i},{cell}\n" for i, cell in enumerate(cells))
    found = read_results(f"dataset,A,B,{heading}\n{''.join(rows)}".encode())
    if is_p:
        assert isinstance(found, PValueTable)
        assert found.p_values[0] == pytest.approx(0.0012)
    else:
        assert isinstance(found, ScoreTable)
        assert found.systems == ("A", "B")


def test_a_column_called_p_holds_p_values_unless_its_numbers_say_otherwise():
    for text, systems in [
        ("dataset,P,S\nx,91.2,90.1\ny,88.2,89.1\n", ("P", "S")),
        ("dataset,example,P,S\nx,1,1,0\nx,2,0,0\nx,3,1,1\n", ("P", "S")),
    ]:
        assert read(text).systems == systems, text
    beside = read("dataset,P,S,p\nx,91.2,90.1,.03\ny,88.2,89.1,.5\n")
    assert (beside.system_a, beside.system_b) == ("P", "S")
    assert beside.p_values.tolist() == [0.03, 0.5]
    assert read("dataset,A,B,P\nx,1,2,0.000\ny,2,1,1.000\n").p_value_columns == ("P",)
