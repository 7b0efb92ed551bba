"""Predictions of several files count 1 where they are the gold labels of another.

More forms of the files, and those that do not fit, stand in the corpus of `tests/frozen`.
"""

from __future__ import annotations

import pytest

from tests.core.data.tools.files_of import read, remarks

IDS = [f"e{i}" for i in range(6)]
GOLD, OURS, BASE = "abcabc", "abcaba", "abbabb"
RIGHT = {"ours": [1, 1, 1, 1, 1, 0], "base": [1, 1, 0, 1, 1, 0]}


def table(header, *columns):
    rows = [header.split(","), *zip(*columns, strict=True)]
    return "".join(",".join(row) + "\n" for row in rows)


LABELS = table("id,label", IDS, GOLD)
FILES = {
    "gold.csv": LABELS,
    "ours.csv": table("id,prediction", IDS, OURS),
    "base.csv": table("id,prediction", IDS[::-1], BASE[::-1]),
}


@pytest.mark.parametrize(
    "files",
    [
        FILES,
        {f"{name}.txt": "\n".join(own) for name, own in
         (("gold", GOLD), ("ours", OURS), ("base", BASE))},
        {"gold.csv": LABELS, "predictions.csv": table("id,ours,base", IDS, OURS, BASE)},
        {f"{name}.csv": table("id,gold,prediction", IDS, GOLD, own)
         for name, own in (("ours", OURS), ("base", BASE))},
    ],
)  # fmt: skip
def test_a_prediction_counts_1_where_it_is_the_gold_label(files):
    results = read(files)
    (dataset,) = results.datasets
    assert {s: results.scores(dataset, s).tolist() for s in results.systems} == RIGHT
    assert results.label_metrics
    assert "are compared with the gold labels of" in remarks(results)
    assert all(use.used for use in results.reading.files)
    # "Better on 3 files" would be read as better on three datasets.
    assert not any(map(str.isdigit, dataset))
