"""A published table is recognised by its columns and read whole, or refused with every reason."""

from core.data import read_results
from tests.core.data.layouts.texts import problems_of


def read(text, *, name=None, **roles):
    return read_results(text.encode(), name=name, roles=roles)


def test_too_many_rows_for_a_table_of_datasets_are_a_problem():
    text = "dataset,p\n" + "".join(f"d{i},.5\n" for i in range(100_001))
    (problem,) = problems_of(text)
    assert "100,001 rows and p-values in 'p'; a published table has at most 100,000" in problem
