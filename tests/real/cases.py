"""What lies outside the checkout: columns of the data as plain text, and their references."""

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.types import FloatArray

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@cache
def expected(folder: str | Path) -> dict[str, Any]:
    """The values of the references, as the folder's own page describes them."""
    found: dict[str, Any] = json.loads(
        (DATA / folder / "expected.json").read_text(encoding="utf-8")
    )
    return found


@cache
def rows_of(file: str) -> dict[str, list[dict[str, str]]]:
    """The rows of a file by their dataset, both in the order of the file."""
    found: dict[str, list[dict[str, str]]] = {}
    with (DATA / file).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found.setdefault(row["dataset"], []).append(row)
    return found


@cache
def numbers_of(file: str, *columns: str) -> dict[str, FloatArray]:
    """Numbers of some columns by dataset, shape (number of columns, n)."""
    return {
        name: np.array([[float(row[column]) for row in rows] for column in columns])
        for name, rows in rows_of(file).items()
    }
