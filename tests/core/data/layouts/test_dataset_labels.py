"""Columns that say something about datasets as a whole are kept for grouping them."""

from __future__ import annotations

import copy

import pytest

from core.data import Reading, read_results


def reading(text: str) -> Reading:
    found = read_results(text.encode()).reading
    assert found is not None
    return found


def test_a_published_tables_text_column_groups_its_datasets() -> None:
    found = reading(
        "language,family,ours,base,p\nCzech,Slavic,91,90,.01\nPolish,Slavic,92,90,.2\n"
        "Hindi,Indic,88,87,.03\n"
    )
    assert {column: dict(own) for column, own in found.dataset_labels.items()} == {
        "family": {"Czech": "Slavic", "Polish": "Slavic", "Hindi": "Indic"}
    }
    assert "Kept for grouping the datasets: 'family'." in found.remarks


def test_a_column_that_is_the_same_on_each_row_of_a_dataset_groups_the_datasets() -> None:
    rows = "".join(
        f"{dataset},{domain},{i},{i % 2},{(i + 1) % 2}\n"
        for dataset, domain in (("a", "news"), ("b", "news"), ("c", "web"))
        for i in range(4)
    )
    found = reading(f"dataset,genre,example,A,B\n{rows}")
    assert dict(found.dataset_labels["genre"]) == {"a": "news", "b": "news", "c": "web"}


@pytest.mark.parametrize(
    "labels",
    [
        ("x", "y", "z", "x", "y", "z"),
        ("x", "x", "y", "y", "z", "z"),
        ("x", "x", "x", "x", "x", "x"),
        ("1", "1", "1", "1", "2", "2"),
    ],
    ids=["changes within a dataset", "one dataset each", "one label for all", "numbers"],
)
def test_a_column_that_groups_no_datasets_is_not_kept(labels: tuple[str, ...]) -> None:
    rows = "".join(f"{'aabbcc'[i]},{labels[i]},{i},{i % 2},{(i + 1) % 2}\n" for i in range(6))
    found = reading(f"dataset,note,example,A,B\n{rows}")
    assert dict(found.dataset_labels) == {}


def test_labels_stay_with_a_copy() -> None:
    found = reading("dataset,family,A,B,p\nx,f,1,0,.1\ny,f,1,0,.1\nz,g,1,0,.1\n")
    assert copy.deepcopy(found) == found
