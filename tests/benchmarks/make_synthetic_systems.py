"""Make sample_data/systems/synthetic_digits.csv: `python -m tests.benchmarks.make_synthetic_systems`.

Berg-Kirkpatrick et al. (2012, section 3.2) make many systems of few by fitting
them again on resampled training data. Here two models that have little in common
learn to read scikit-learn's 1,797 small pictures of handwritten digits (Alpaydin
and Kaynak 1998, UCI Machine Learning Repository, CC BY 4.0): ridge regression on the
classes, which draws straight borders, and Gaussian naive Bayes, which looks at each
pixel by itself. The first 800 pictures are for training; each model is fitted 10
times on resampled training sets of full, half and quarter size. A row of the file is
one of the 997 other pictures, a column one of the 60 systems: 1 where it reads the
digit, 0 where not.

A system's resampled training set depends on the seed, its model, size and number
alone. What is learned from it may differ in a few pictures with another version of
scikit-learn; the file was made with 1.9.1.
"""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np

from core.data.result_set import ResultSet
from core.systems.gain_confidence import synthetic_systems
from core.types import FloatArray, IntArray

FILE = Path(__file__).resolve().parents[2] / "sample_data" / "systems" / "synthetic_digits.csv"
DATASET = "handwritten digits"
N_TRAINING = 800
N_PER_FRACTION = 10
SEED = 2012


def base_models() -> dict[str, Callable[[IntArray, np.random.Generator], FloatArray]]:
    """Each model's fitting on chosen training pictures, and whether it reads each test picture."""
    from sklearn.datasets import load_digits  # type: ignore[import-untyped]
    from sklearn.linear_model import RidgeClassifier  # type: ignore[import-untyped]
    from sklearn.naive_bayes import GaussianNB  # type: ignore[import-untyped]

    pictures, digits = load_digits(return_X_y=True)
    known, asked = pictures[:N_TRAINING] / 16.0, pictures[N_TRAINING:] / 16.0
    labels, truth = digits[:N_TRAINING], digits[N_TRAINING:]

    def read_by(model: object) -> Callable[[IntArray, np.random.Generator], FloatArray]:
        def fit_predict(places: IntArray, _rng: np.random.Generator) -> FloatArray:
            model.fit(known[places], labels[places])  # type: ignore[attr-defined]
            right = model.predict(asked) == truth  # type: ignore[attr-defined]
            return np.asarray(right, dtype=np.float64)

        return fit_predict

    return {
        "ridge": read_by(RidgeClassifier(alpha=10.0)),
        # Pixels at the edge never vary: without smoothing they alone would decide.
        "bayes": read_by(GaussianNB(var_smoothing=0.05)),
    }


def made(n_per_fraction: int = N_PER_FRACTION) -> ResultSet:
    """Fit all systems."""
    return synthetic_systems(
        base_models(), N_TRAINING, dataset=DATASET, n_per_fraction=n_per_fraction, rng=SEED
    )


def written(results: ResultSet) -> str:
    """The file's text."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["dataset", "example", *results.systems])
    columns = [results.scores(DATASET, system).astype(np.int64) for system in results.systems]
    for place, scores in enumerate(np.column_stack(columns).tolist()):
        rows.writerow([DATASET, f"picture-{N_TRAINING + place}", *scores])
    return out.getvalue()


if __name__ == "__main__":
    found = made()
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(written(found), encoding="utf-8")
    for one in found.systems:
        print(one, found.score(DATASET, one))
