"""Files of tools that hold no results on examples and none of a system on a dataset: they are named."""

from __future__ import annotations

from collections.abc import Sequence

from ..sources.given import SourceFile
from .gathered import Gathered, Tool, each


def _named(name: str, marks: Sequence[bytes], either: Sequence[bytes], reason: str) -> Tool:
    """Files that hold all of `marks` and one of `either`, which are left aside for this reason."""

    def is_of(file: SourceFile, head: bytes) -> bool:
        return all(mark in head for mark in marks) and (
            not either or any(mark in head for mark in either)
        )

    def gather(files: Sequence[SourceFile], found: Gathered) -> None:
        for file in files:
            found.leave(file.name, reason)

    return Tool(name=name, claims=each(is_of), gather=gather)


TRAINER = _named(
    "training logs",
    (b'"log_history"', b'"global_step"'),
    (),
    "It is the log of a training run by Hugging Face's Trainer (trainer_state.json): losses and "
    "averages at each step, no results on examples. To compare two systems, write what "
    "trainer.predict gives for each example, or give eval_results.json of every dataset.",
)
CLASSIFICATION_REPORTS = _named(
    "classification reports",
    (b"precision", b"recall", b"f1-score", b"support"),
    (b"macro avg", b"weighted avg", b"micro avg"),
    "It is a classification report of scikit-learn: precision, recall and F1 of each class, no "
    "results on examples. Give the labels that it was made of: a row for each example with the "
    "gold label and each system's prediction.",
)
