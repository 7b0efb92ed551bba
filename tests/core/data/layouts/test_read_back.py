"""Numbers beside gold numbers, effects with variances and McNemar's counts are read back equal."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import EffectTable, ResultSet, read_results
from core.data.layouts.predictions import CORRELATED
from tests.core.data.layouts.texts import read, refused
from tests.read_as import read_as

NUMBERS = st.integers(-9999, 9999).map(lambda n: n / 100)


def test_systems_in_rows_beside_gold_are_what_metrics_are_correlated_on():
    rows = "".join(
        f"{pair},{system},{i / 7},{i + len(pair)}.5,{30 - i}.25\n"
        for pair in ("de-en", "zh-ja-x")
        for i, system in enumerate(("Online-A", "Online-B", "JHU", "UEDIN"))
    )
    results = read("dataset,system,gold,BLEU,TER\n" + rows)
    assert results.reading.layout == CORRELATED
    assert results.systems == ("BLEU", "TER")
    assert results.examples("de-en") == ("Online-A", "Online-B", "JHU", "UEDIN")
    assert "Each row is one system of 'system'" in results.reading.remarks[0]
    again = read("dataset,system,gold,BLEU,TER\n" + rows, **results.reading.roles)
    assert (again.reading, again.fingerprint) == (results.reading, results.fingerprint)
    # Under a heading that is not known, what names the datasets is asked.
    assert "'lp'" in str(refused("lp,system,gold,BLEU,TER\n" + rows))
    assert read("lp,system,gold,BLEU,TER\n" + rows, dataset="lp").datasets == results.datasets
    # Each system's scores on several examples stay what they are.
    text = "dataset,system,gold,score\n" + "".join(
        f"x,{s},{i / 3},{i % 2}\n" for s in ("A", "B") for i in range(6)
    )
    assert read(text).systems == ("A", "B")


@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=4, max_size=12).filter(
            lambda rows: all(len(set(column)) > 1 for column in zip(*rows, strict=True))
        ),
        min_size=1,
        max_size=4,
    )
)
def test_numbers_beside_gold_read_back_equal(data):
    text = "dataset,item,gold,A,B\n" + "".join(
        f"d{i},e{j},{gold!r},{a!r},{b!r}\n"
        for i, rows in enumerate(data)
        for j, (gold, a, b) in enumerate(rows)
    )
    results = read(text, layout=CORRELATED)
    for i, rows in enumerate(data):
        gold, a, b = (list(column) for column in zip(*rows, strict=True))
        assert results.gold(f"d{i}").tolist() == gold
        assert results.scores(f"d{i}", "A").tolist() == a
        assert results.scores(f"d{i}", "B", "pearson").tolist() == b


@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.tuples(NUMBERS, st.integers(1, 10**6).map(lambda n: n / 1000)), min_size=1, max_size=8
    )
)
def test_effects_read_back_equal(rows):
    text = "dataset,effect,variance\n" + "".join(
        f"d{i},{effect!r},{variance!r}\n" for i, (effect, variance) in enumerate(rows)
    )
    table = read_as(EffectTable, text.encode())
    assert table.effects.tolist() == [effect for effect, _ in rows]
    np.testing.assert_allclose(table.variances, [variance for _, variance in rows], rtol=1e-15)


COUNTS = "dataset,both_right,a_right_b_wrong,a_wrong_b_right,both_wrong\n"


def outcomes(results, dataset):
    a, b = (results.scores(dataset, system).tolist() for system in results.systems)
    pairs = list(zip(a, b, strict=True))
    return [pairs.count(pair) for pair in ((1, 1), (1, 0), (0, 1), (0, 0))]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 30)] * 4).filter(any), min_size=1, max_size=6))
def test_counts_read_back_from_the_examples(rows):
    text = COUNTS + "".join(f"d{i},{','.join(map(str, row))}\n" for i, row in enumerate(rows))
    results = read(text)
    assert [tuple(outcomes(results, name)) for name in results.datasets] == rows


def test_thousands_of_a_count_may_be_separated_by_a_comma_and_that_is_said():
    results = read(COUNTS + 'x,"1,050",10,5,3\n')
    assert outcomes(results, "x") == [1050, 10, 5, 3]
    assert "'1,050' as 1050" in " ".join(results.reading.remarks)


def test_counts_of_right_answers_may_name_who_alone_is_right():
    text = "dataset,both right,{0},base_only,neither\nx,8,4,1,2\ny,5,3,2,0\n"
    results = read_as(ResultSet, text.format("only ours right").encode())
    assert results.systems == ("ours", "base")
    assert results.values["accuracy"][0].sum(axis=0).tolist() == [12, 9]
    assert "no column of 'a_right_b_wrong'" in str(refused(text.format("only ours wrong")))


def test_systems_of_one_kind_of_input_only_are_no_counts():
    results = read_as(ResultSet, b"dataset,text only,image only,both\nx,1,0,1\nx,0,0,1\nx,1,1,1\n")
    assert results.systems == ("text only", "image only", "both")


def test_whole_scores_under_a_language_are_no_ids_where_each_row_is_a_system():
    results = read_results(b"Model,en,de,id,sv\nours,91,82,70,60\nbase,90,81,71,59\n")
    assert results.datasets == ("en", "de", "id", "sv")
