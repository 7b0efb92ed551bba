"""Tables as comparison tools take them, each read end to end.

The forms are those of evalci (item_id, model, score[, subset]), deltagate (id, score, one file a
system), autorank (a data frame with a column a system, written by pandas with its index), StaTDS
(sample_dataset.csv: a column of datasets and one an algorithm), and NLPStatTest (two columns of
scores, no header). The numbers are made up here.
"""

from __future__ import annotations

import json

import pytest

from core.data import ResultSet, ScoreTable
from tests.core.data.tools.files_of import kind_of, read, refused

A = [0.12, 0.55, 0.31, 0.94, 0.5, 0.77, 0.08, 0.63]
B = [0.34, 0.41, 0.39, 0.9, 0.62, 0.7, 0.15, 0.6]
DATASETS = ["iris", "wine", "glass", "ecoli", "yeast", "heart", "vowel", "zoo"]


def lines(separator: str, *columns: list[float]) -> str:
    rows = zip(*columns, strict=True)
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def scores(results: ResultSet, dataset: str | None = None) -> list[list[float]]:
    name = dataset or results.datasets[0]
    return [list(results.scores(name, system)) for system in results.systems]


def evalci(*, subset: bool) -> str:
    rows = [
        {"item_id": f"q{i}", "model": model, "score": held[i]}
        | ({"subset": "math" if i % 2 else "code"} if subset else {})
        for i in range(8)
        for model, held in (("gpt", A), ("llama", B))
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_evalcis_rows_are_scores_of_two_systems_on_one_dataset():
    results = read({"run.jsonl": evalci(subset=False)})
    assert kind_of(results) is ResultSet
    assert (results.datasets, results.systems) == (("run",), ("gpt", "llama"))
    assert scores(results) == [A, B]


def test_evalcis_subsets_are_asked_about_and_can_be_datasets():
    (choice,) = refused({"run.jsonl": evalci(subset=True)}).choices
    assert (choice.role, choice.options[0][0]) == ("dataset", "subset")
    results = read({"run.jsonl": evalci(subset=True)}, roles={"dataset": "subset"})
    assert results.datasets == ("code", "math")
    assert scores(results, "math") == [A[1::2], B[1::2]]
    together = read({"run.jsonl": evalci(subset=True)}, roles={"dataset": None})
    assert scores(together) == [A, B]


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


def test_statds_tables_are_datasets_by_systems():
    rows = "".join(f"{d},{a},{b},0.5\n" for d, a, b in zip(DATASETS, A, B, strict=True))
    table = read({"s.csv": f"dataset,PDFC,NNEP,IS-CHC+INN\n{rows}"})
    assert kind_of(table) is ScoreTable
    assert (table.datasets, table.systems) == (tuple(DATASETS), ("PDFC", "NNEP", "IS-CHC+INN"))


AUTORANK = ",Forest,Boosting\n" + "".join(
    f"{d},{a},{b}\n" for d, a, b in zip(DATASETS, A, B, strict=True)
)


def test_an_index_of_names_without_a_heading_is_kept_and_its_meaning_is_asked():
    error = refused({"a.csv": AUTORANK})
    assert [choice.role for choice in error.choices] == ["dataset", "example"]
    datasets = read({"a.csv": AUTORANK}, roles={"dataset": "column 1"})
    assert kind_of(datasets) is ScoreTable
    assert (datasets.datasets, datasets.systems) == (tuple(DATASETS), ("Forest", "Boosting"))
    assert "Column 1 has no name: it is called 'column 1' here." in datasets.reading.remarks
    examples = read({"a.csv": AUTORANK}, roles={"example": "column 1"})
    assert kind_of(examples) is ResultSet
    assert scores(examples) == [A, B]


def test_such_an_index_reads_the_same_with_its_roles_given_back():
    table = read({"a.csv": AUTORANK}, roles={"dataset": "column 1"})
    again = read({"a.csv": AUTORANK}, roles=dict(table.reading.roles))
    assert again.fingerprint == table.fingerprint


def test_an_index_that_only_counts_rows_is_left_aside():
    rows = "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(zip(A, B, strict=True)))
    results = read({"a.csv": f",Forest,Boosting\n{rows}"})
    assert scores(results) == [A, B]
    assert "Column 1 has no name and counts the rows: it is left aside." in results.reading.remarks


@pytest.mark.parametrize("separator", [" ", "\t", ",", ", ", ";", "   "])
def test_two_columns_without_a_header_are_two_systems_and_no_row_is_lost(separator: str):
    results = read({"scores.txt": lines(separator, A, B)})
    assert kind_of(results) is ResultSet
    assert (results.datasets, results.systems) == (("scores",), ("A", "B"))
    assert scores(results) == [A, B]
    assert any(
        "no header: its first line is read as data. Column 1 is called A, column 2 B." in remark
        for remark in results.reading.remarks
    )


def test_two_columns_without_a_header_read_the_same_with_their_roles_given_back():
    results = read({"scores.txt": lines(" ", A, B)})
    again = read({"scores.txt": lines(" ", A, B)}, roles=dict(results.reading.roles))
    assert again.fingerprint == results.fingerprint


def test_right_and_wrong_in_two_columns_parted_by_spaces_are_no_labels():
    results = read({"scores.txt": "1 0\n1 1\n0 1\n1 0\n"})
    assert scores(results) == [[1, 1, 0, 1], [0, 1, 1, 0]]


def test_decimal_commas_between_semicolons_are_numbers():
    assert scores(read({"s.csv": "0,5;0,25\n0,75;0,5\n"})) == [[0.5, 0.75], [0.25, 0.5]]


def test_files_of_two_columns_are_one_a_dataset():
    results = read({"sst.txt": lines(" ", A, B), "rte.txt": lines(" ", B, A)})
    assert (results.datasets, results.systems) == (("sst", "rte"), ("A", "B"))
    assert scores(results, "rte") == [B, A]


@pytest.mark.parametrize("separator", [",", ";", " "])
@pytest.mark.parametrize("names", [("2019", "2020"), ("0", "1")])
def test_numbers_that_may_be_names_of_columns_are_neither_eaten_nor_read_as_scores(
    separator: str, names: tuple[str, str]
):
    # Years over shares, and what pandas writes over columns without names.
    refused({"s.csv": f"{separator.join(names)}\n" + lines(separator, A, B)})


def test_a_first_column_that_counts_the_lines_is_no_system():
    files = {
        f"{name}.csv": "".join(f"{i},{score}\n" for i, score in enumerate(held))
        for name, held in (("ours", A), ("theirs", B))
    }
    results = read(files)
    assert results.systems == ("ours", "theirs")
    assert scores(results) == [A, B]
    said = str(refused({"ours.csv": files["ours.csv"]}))
    assert "A and B" not in said


def test_whole_numbers_that_may_be_ids_beside_scores_are_not_taken_for_a_system():
    rows = "".join(
        f"{i},{score}\n" for i, score in zip((17, 4, 93, 8, 55, 2, 31, 6), A, strict=True)
    )
    refused({"s.csv": rows})


def test_a_missing_score_in_two_columns_is_told_and_not_dropped():
    text = lines(",", A, B) + "0.5,\n"
    assert "incomplete" in [choice.role for choice in refused({"s.csv": text}).choices]


def test_one_score_a_line_is_one_file_a_system_and_dataset():
    files = {
        f"{dataset}.{system}.scores": "".join(f"{score}\n" for score in held)
        for dataset in ("wmt", "iwslt")
        for system, held in (("ours", A), ("theirs", B))
    }
    results = read(files)
    assert (results.datasets, results.systems) == (("wmt", "iwslt"), ("ours", "theirs"))
    assert scores(results, "iwslt") == [A, B]
