"""Examples that lack a value are refused with their number, and left out where that is chosen."""

import numpy as np

from core.data.layouts.complete_rows import without_incomplete
from core.data.tables.splitting import split_table
from core.data.tables.text import decode_text

SCORES = "dataset,example,A,B\nx,1,1,0\nx,2,,0\ny,1,1,NA\ny,2,–,\ny,3,0,1\n"


def test_a_table_without_its_incomplete_rows_counts_them_by_dataset():
    raw = split_table(decode_text(SCORES.encode()))
    kept, remarks = without_incomplete(
        raw, {"incomplete": "leave-out", "dataset": "dataset"}, ("A", "B")
    )
    np.testing.assert_array_equal(kept.lines, [2, 6])
    (remark,) = remarks
    for fact in ("3 examples", "'A', 'B'", "lines 3, 4, 5", "1 of 'x', 2 of 'y'"):
        assert fact in remark, fact
    same, nothing = without_incomplete(raw, {"dataset": "dataset"}, ("A", "B"))
    assert same is raw
    assert nothing == ()
