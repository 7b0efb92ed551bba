"""Numbers beside gold numbers are read to be correlated, and what has no correlation is named."""

from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.layouts.registry import GOLD_NUMBERS
from tests.core.data.layouts.texts import read, refused

START = "dataset,item,gold,A,B\n"


def test_systems_in_rows_beside_gold_are_what_metrics_are_correlated_on():
    rows = "".join(
        f"{pair},{system},{i / 7},{i + len(pair)}.5,{30 - i}.25\n"
        for pair in ("de-en", "zh-ja-x")
        for i, system in enumerate(("Online-A", "Online-B", "JHU", "UEDIN"))
    )
    results = read("dataset,system,gold,BLEU,TER\n" + rows)
    assert results.reading.layout == GOLD_NUMBERS
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


NUMBERS = st.integers(-9999, 9999).map(lambda n: n / 100)


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
def test_numbers_read_back_equal(data):
    text = START + "".join(
        f"d{i},e{j},{gold!r},{a!r},{b!r}\n"
        for i, rows in enumerate(data)
        for j, (gold, a, b) in enumerate(rows)
    )
    results = read(text, layout=GOLD_NUMBERS)
    for i, rows in enumerate(data):
        gold, a, b = (list(column) for column in zip(*rows, strict=True))
        assert results.gold(f"d{i}").tolist() == gold
        assert results.scores(f"d{i}", "A").tolist() == a
        assert results.scores(f"d{i}", "B", "pearson").tolist() == b
