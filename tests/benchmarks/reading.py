"""Reading per-example results beside pandas: time in one process, memory in fresh ones."""

import io
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from core import read_results
from tests.benchmarks.timing import compare, grown_by

N_ROWS = 1_000_000
N_DATASETS = 20
TYPES = {"dataset": "category", "example": "int64", "score_a": "float64", "score_b": "float64"}

_SMALL = b"dataset,example,score_a,score_b\nx,1,1,0\nx,2,1,0.5\n"
_PROGRAM = """
import io
from pathlib import Path
from tests.benchmarks import reading
read = {"ours": reading.ours, "pandas": reading.pandas}[sys.argv[1]]
read(io.BytesIO(reading._SMALL))
"""


def ours(source: Path | io.BytesIO) -> object:
    """Read and checked, all of it."""
    return read_results(source)


def pandas(source: Path | io.BytesIO) -> object:
    """Read with the types given, unchecked."""
    return pd.read_csv(source, dtype=TYPES)


def write_files(folder: Path) -> tuple[tuple[str, Path], ...]:
    """A million rows of 0/1 and of six decimals."""
    rng = np.random.default_rng(0)
    files: list[tuple[str, Path]] = []
    for title, scores in (
        ("0/1 scores", rng.integers(0, 2, (2, N_ROWS)).astype(str)),
        ("scores of six decimals", np.char.mod("%.6f", rng.normal(size=(2, N_ROWS)))),
    ):
        path = folder / f"{len(files)}.csv"
        n_each = N_ROWS // N_DATASETS
        with path.open("w") as file:
            file.write("dataset,example,score_a,score_b\n")
            for row, (a, b) in enumerate(zip(*scores.tolist(), strict=True)):
                file.write(f"ds{row // n_each:02d},{row % n_each},{a},{b}\n")
        files.append((title, path))
    return tuple(files)


def main() -> None:
    """Time and memory for both kinds of scores."""
    with tempfile.TemporaryDirectory() as folder:
        for title, path in write_files(Path(folder)):
            compare(
                f"reading 1,000,000 {title}, checked",
                partial(ours, path),
                "pandas.read_csv, types given",
                partial(pandas, path),
            )
            size = path.stat().st_size
            own, other = (
                (
                    2**20
                    * grown_by("results = read(Path(sys.argv[2]))", reader, path, before=_PROGRAM)
                )
                for reader in ("ours", "pandas")
            )
            print(
                f"{'  its memory':52} {own / 1e6:9.1f} MB   {'pandas.read_csv':34} "
                f"{other / 1e6:9.1f} MB   {own / size:.1f} and {other / size:.1f} times the file"
            )
