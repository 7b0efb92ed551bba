"""Columns that say something about datasets as a whole are kept for grouping them."""

from __future__ import annotations

import copy

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


def test_labels_stay_with_a_copy() -> None:
    found = reading("dataset,family,A,B,p\nx,f,1,0,.1\ny,f,1,0,.1\nz,g,1,0,.1\n")
    assert copy.deepcopy(found) == found
