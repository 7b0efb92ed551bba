"""Make the simulated samples: `python sample_data/make_simulated.py` rewrites them byte for byte.

Every dataset has a random stream of its own, so that changing one changes no
other. Only uniform numbers are drawn: their stream does not depend on numpy's
version. README.md says what is planted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import NormalDist
from zlib import crc32

import numpy as np

FOLDER = Path(__file__).resolve().parent
SYSTEMS = ("ours", "baseline")

# Name, examples, share that only ours gets right, share that only the baseline gets right. Both get
# 60 % right. The truth: ours is better on four, equal on five, worse on one.
ACCURACY_SEED = 103
ACCURACY = (
    ("sim-task-01", 800, 0.14, 0.07),
    ("sim-task-02", 450, 0.10, 0.10),
    ("sim-task-03", 620, 0.13, 0.07),
    ("sim-task-04", 300, 0.10, 0.10),
    ("sim-task-05", 240, 0.13, 0.07),
    ("sim-task-06", 700, 0.09, 0.09),
    ("sim-task-07", 500, 0.06, 0.13),
    ("sim-task-08", 120, 0.10, 0.10),
    ("sim-task-09", 380, 0.11, 0.07),
    ("sim-task-10", 560, 0.10, 0.10),
)

# Name, examples, points by which ours is better. The truth: better on five, equal on three.
SENTENCES_SEED = 471
SENTENCES = (
    ("sim-set-1", 400, 1.6),
    ("sim-set-2", 250, 0.0),
    ("sim-set-3", 320, 1.1),
    ("sim-set-4", 180, 2.0),
    ("sim-set-5", 300, 0.0),
    ("sim-set-6", 150, 0.9),
    ("sim-set-7", 360, 0.9),
    ("sim-set-8", 220, 0.0),
)
# Where both systems write the same sentence, they have the same score.
SAME_SENTENCE = 0.15

# Name, examples, share that only ours gets right, share that only the baseline gets right. Both get
# 65 % right. The truth: ours is better on three, equal on six.
LABELS_SEED = 209
LABELS = (
    ("sim-de", 400, 0.12, 0.07),
    ("sim-en", 500, 0.09, 0.09),
    ("sim-es", 350, 0.09, 0.09),
    ("sim-fi", 200, 0.17, 0.07),
    ("sim-fr", 400, 0.09, 0.09),
    ("sim-hu", 250, 0.10, 0.10),
    ("sim-ja", 300, 0.10, 0.10),
    ("sim-ta", 150, 0.20, 0.08),
    ("sim-zh", 300, 0.10, 0.10),
)
CLASSES = ("negative", "neutral", "positive")
UP_TO_CLASS = (0.35, 0.6, 1.0)


def stream(seed: int, dataset: str) -> np.random.Generator:
    """The random numbers of one dataset."""
    return np.random.default_rng([seed, crc32(dataset.encode())])


def accuracy_rows() -> list[list[object]]:
    """Right (1) or wrong (0), for each example and system."""
    rows: list[list[object]] = []
    for dataset, n, only_ours, only_baseline in ACCURACY:
        u = stream(ACCURACY_SEED, dataset).random(n)
        for example, (ours, baseline) in enumerate(_outcomes(u, only_ours, only_baseline, 0.6), 1):
            rows.append([dataset, example, int(ours), int(baseline)])
    return rows


def sentence_rows() -> list[list[object]]:
    """Scores of sentences from 0 to 100 with one decimal, with ties."""
    normal = NormalDist()
    rows: list[list[object]] = []
    for dataset, n, gain in SENTENCES:
        for example, (level, ours, baseline, same) in enumerate(
            stream(SENTENCES_SEED, dataset).random((n, 4)).tolist(), 1
        ):
            # Sentences differ more than systems do.
            sentence = 58 + 14 * normal.inv_cdf(level)
            score_a = sentence + gain + 5 * normal.inv_cdf(ours)
            score_b = sentence + 5 * normal.inv_cdf(baseline)
            if same < SAME_SENTENCE:
                score_a = score_b
            rows.append([dataset, example, *(f"{_clip(s):.1f}" for s in (score_a, score_b))])
    return rows


def label_rows() -> list[list[object]]:
    """Gold labels of three classes and what each system predicted."""
    rows: list[list[object]] = []
    for dataset, n, only_ours, only_baseline in LABELS:
        draws = stream(LABELS_SEED, dataset).random((n, 4))
        outcomes = _outcomes(draws[:, 0], only_ours, only_baseline, 0.65)
        for example, ((ours, baseline), draw) in enumerate(zip(outcomes, draws, strict=True), 1):
            gold = int(np.searchsorted(UP_TO_CLASS, draw[1], side="right"))
            labels = (
                gold if right else (gold + (1 if u < 0.6 else 2)) % len(CLASSES)
                for right, u in ((ours, draw[2]), (baseline, draw[3]))
            )
            rows.append([dataset, example, CLASSES[gold], *(CLASSES[label] for label in labels)])
    return rows


def files() -> dict[str, bytes]:
    """The content of each file, by its name."""
    start = ("dataset", "example")
    return {
        "simulated_accuracy.csv": _csv((*start, *SYSTEMS), accuracy_rows()),
        "simulated_sentence_scores.csv": _csv((*start, *SYSTEMS), sentence_rows()),
        "simulated_labels.csv": _csv((*start, "gold", *SYSTEMS), label_rows()),
    }


def _outcomes(
    u: np.ndarray, only_ours: float, only_baseline: float, both: float
) -> list[tuple[bool, bool]]:
    """For each uniform number whether ours and the baseline are right."""
    return [
        (v < both + only_ours, v < both or both + only_ours <= v < both + only_ours + only_baseline)
        for v in u.tolist()
    ]


def _clip(score: float) -> float:
    return min(100.0, max(0.0, score))


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()


if __name__ == "__main__":
    for name, content in files().items():
        (FOLDER / name).write_bytes(content)
