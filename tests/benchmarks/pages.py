"""How a page's rerun grows with the number of datasets."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from pages.ui.frame import PAGES
from tests.benchmarks.timing import compare
from tests.pages.opened import drop, go_to, open_app

FEW, MANY = 10, 1_000


def _opened(page: str, n_datasets: int) -> AppTest:
    rows = "".join(
        f"dataset {i},{90 + i % 7},89,{(i % 50 + 1) / 500:.4f}\n" for i in range(n_datasets)
    )
    app = drop(open_app(), "many.csv", f"dataset,ours,base,p\n{rows}".encode())
    return go_to(app, page)


def main() -> None:
    """Time each page that answers from p-values."""
    for entry in PAGES:
        if entry.path == "pages/per_dataset_tests.py":
            # Shows what was tested here; published p-values have none.
            continue
        few, many = _opened(entry.path, FEW), _opened(entry.path, MANY)
        compare(
            f"rerun of {entry.label}, {MANY:,} datasets",
            many.run,
            f"the same with {FEW}",
            few.run,
        )
