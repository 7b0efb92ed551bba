"""Numbers in a column headed as p-values, but of another kind, refuse no files that are put together."""

import io

from core.data import ResultSet, read_results


def test_a_decimal_comma_above_one_is_no_problem_where_the_column_is_not_read():
    files = []
    for name in ("f0.csv", "f1.csv"):
        files.append(io.BytesIO(b'example,A,B,P\nu,0.5,0.25,"45,3"\nv,0.25,0.5,"1,234"\n'))
        files[-1].name = name
    results = read_results(files, roles={"unused": ["P"]})
    assert isinstance(results, ResultSet)
    assert results.datasets == ("f0", "f1")
