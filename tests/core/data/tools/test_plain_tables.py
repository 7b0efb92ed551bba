"""Tables as comparison tools take them, each read end to end.

The forms are those of evalci (item_id, model, score[, subset]), deltagate (id, score, one file a
system), autorank (a data frame with a column a system, written by pandas with its index), StaTDS
(sample_dataset.csv: a column of datasets and one an algorithm), and NLPStatTest (two columns of
scores, no header). The numbers are made up here.
"""

from __future__ import annotations

import json

import pytest

from core.data import ResultSet
from tests.core.data.tools.files_of import read

A = [0.12, 0.55, 0.31, 0.94, 0.5, 0.77, 0.08, 0.63]
B = [0.34, 0.41, 0.39, 0.9, 0.62, 0.7, 0.15, 0.6]


def scores(results: ResultSet, dataset: str | None = None) -> list[list[float]]:
    name = dataset or results.datasets[0]
    return [list(results.scores(name, system)) for system in results.systems]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_deltagates_files_are_one_a_system_paired_by_id(ending: str):
    def written(held: list[float], order: list[int]) -> str:
        if ending == "csv":
            return "id,score\n" + "".join(f"t{i},{held[i]}\n" for i in order)
        return "".join(json.dumps({"id": f"t{i}", "score": held[i]}) + "\n" for i in order)

    results = read(
        {
            f"baseline.{ending}": written(A, list(range(8))),
            f"candidate.{ending}": written(B, list(range(8))[::-1]),
        }
    )
    assert results.systems == ("baseline", "candidate")
    assert scores(results) == [A, B]
