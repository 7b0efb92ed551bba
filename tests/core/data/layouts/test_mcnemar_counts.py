"""McNemar's counts become examples of right and wrong, whatever their headings."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.data.layouts.texts import read

START = "dataset,both_right,a_right_b_wrong,a_wrong_b_right,both_wrong\n"


def outcomes(results, dataset):
    a, b = (results.scores(dataset, system).tolist() for system in results.systems)
    pairs = list(zip(a, b, strict=True))
    return [pairs.count(pair) for pair in ((1, 1), (1, 0), (0, 1), (0, 0))]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 30)] * 4).filter(any), min_size=1, max_size=6))
def test_counts_read_back_from_the_examples(rows):
    text = START + "".join(f"d{i},{','.join(map(str, row))}\n" for i, row in enumerate(rows))
    results = read(text)
    assert [tuple(outcomes(results, name)) for name in results.datasets] == rows


def test_thousands_of_a_count_may_be_separated_by_a_comma_and_that_is_said():
    results = read(START + 'x,"1,050",10,5,3\n')
    assert outcomes(results, "x") == [1050, 10, 5, 3]
    assert "'1,050' as 1050" in " ".join(results.reading.remarks)
