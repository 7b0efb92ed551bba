"""A published table is recognised by its columns and read whole, or refused with every reason."""

from core.data import read_results
from tests.core.data.layouts.texts import problems_of


def read(text, *, name=None, **roles):
    return read_results(text.encode(), name=name, roles=roles)


def test_every_part_of_a_table_is_read():
    table = read(
        "dataset,Mate,SpaCy,p_value,n\nBC,90.70%,89.05,10^-4,10\nMZ,91.92%,89.29,0.0,20\n",
        name="table 2",
    )
    assert table.datasets == ("BC", "MZ")
    assert (table.system_a, table.system_b) == ("Mate", "SpaCy")
    assert table.p_values.tolist() == [1e-4, 5e-5]
    assert table.p_value_bounds[0].tolist() == [5e-5, 0.0]
    assert table.p_value_bounds[1].tolist() == [1.5e-4, 5e-5]
    assert table.printed == ("10^-4", "0.0")
    assert table.scores_a.tolist() == [90.7, 91.92]
    assert table.printed_scores_a == ("90.70", "91.92")
    assert table.notes == ("", "printed as 0.0, read as below .00005")
    assert table.alternative == "not-stated"
    assert table.higher_is_better
    assert table.reading.source_name == "table 2"
    assert table.reading.layout == "published table"
    assert table.reading.columns == ("dataset", "Mate", "SpaCy", "p_value", "n")
    assert (table.reading.separator, table.reading.encoding) == (",", "UTF-8")


def test_too_many_rows_for_a_table_of_datasets_are_a_problem():
    text = "dataset,p\n" + "".join(f"d{i},.5\n" for i in range(100_001))
    (problem,) = problems_of(text)
    assert "100,001 rows and p-values in 'p'; a published table has at most 100,000" in problem
