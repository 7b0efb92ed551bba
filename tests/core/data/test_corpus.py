"""Small files, good and bad, each with what has to become of it."""

import numpy as np
import pytest

from core.data import ResultSet, read_results
from core.errors import DataError


def test_a_thousand_datasets_are_read_in_their_order():
    text = "dataset,example,A,B\n" + "".join(
        f"set{i % 1000},{i},{i % 2},{i % 3 % 2}\n" for i in range(5000)
    )
    results = read_results(text.encode())
    assert isinstance(results, ResultSet)
    assert results.datasets == tuple(f"set{i}" for i in range(1000))
    assert results.examples("set7") == ("7", "1007", "2007", "3007", "4007")
    assert results.scores("set7", "A").tolist() == [1.0] * 5


def test_a_long_file_reads_as_its_rows_in_any_order_do():
    rng = np.random.default_rng(3)
    rows = [f"set{i // 15_000},{i},{i % 2},{i / 60_000:.6f}" for i in range(60_000)]
    plain = read_results("\n".join(["dataset,example,A,B", *rows]).encode())
    assert isinstance(plain, ResultSet)
    assert plain.scores("set2", "B")[:2].tolist() == [
        round(i / 60_000, 6) for i in (30_000, 30_001)
    ]
    # The datasets' rows lie apart, but those of each keep their order.
    apart = sorted(rows, key=lambda row: int(row.split(",")[1]) % 15_000)
    assert apart != rows
    mixed = read_results("\n".join(["dataset,example,A,B", *apart]).encode())
    assert isinstance(mixed, ResultSet)
    assert mixed.fingerprint == plain.fingerprint
    twice = [*rows, rows[int(rng.integers(len(rows)))]]
    with pytest.raises(DataError, match="is already on line"):
        read_results("\n".join(["dataset,example,A,B", *twice]).encode())
