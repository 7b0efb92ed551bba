"""Examples that belong together: whole clusters are drawn, and whole clusters exchanged.

Sentences of one document or answers about one picture are not independent. With
their labels each document is one unit: a resample draws documents, and A and B
change places on all sentences of a document or on none. A mean is then a ratio,
the sum of scores over the number of examples, as clusters differ in size.

Vocabulary
----------
cluster
    Examples with the same label.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..types import FloatArray, IntArray
from .differences import Differences

# The spread between clusters is guessed from as many numbers as there are clusters.
FEWEST_CLUSTERS = 20
SAME_SUMS = "the two systems add up to the same in every cluster"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """Which cluster each example is in.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
        Clusters numbered by their first example.
    n_clusters : int
        How many there are.
    """

    codes: IntArray
    n_clusters: int

    @property
    def sizes(self) -> IntArray:
        """Examples in each cluster, shape (n_clusters,)."""
        return np.bincount(self.codes, minlength=self.n_clusters)

    def summed(self, rows: FloatArray) -> FloatArray:
        """Sums over each cluster: shape (n,) to (n_clusters,), (n, s) to (n_clusters, s)."""
        if rows.ndim == 1:
            sums: FloatArray = np.bincount(
                self.codes, weights=rows, minlength=self.n_clusters
            ).astype(np.float64)
            return sums
        return np.column_stack([self.summed(column) for column in rows.T])

    def summed_differences(self, differences: Differences) -> Differences:
        """The clusters' sums of differences, ties unbroken; scores and mean stay the examples'."""
        if differences.integers is None:
            return replace(differences, values=self.summed(differences.values), unit="clusters")
        assert differences.step is not None
        # Whole sums stay below 2**53, as all differences together do.
        whole = self.summed(differences.integers.astype(np.float64)).astype(np.int64)
        divisor = max(1, int(np.gcd.reduce(whole)))
        step = differences.step * divisor
        reduced = whole // divisor
        values = (reduced * step).astype(np.float64)
        return replace(differences, values=values, integers=reduced, step=step, unit="clusters")


def few_clusters(n_clusters: int) -> tuple[str, ...]:
    """What to say where there are few."""
    if n_clusters >= FEWEST_CLUSTERS:
        return ()
    there_are = "is only 1 cluster" if n_clusters == 1 else f"are {n_clusters} clusters"
    return (
        f"there {there_are}: with fewer than {FEWEST_CLUSTERS} the bootstrap's p-value tends to "
        "be too small, and randomization finds large differences only",
    )


def clusters_of(labels: npt.ArrayLike, *, n_examples: int) -> Clusters:
    """Number the clusters of examples by their labels.

    Parameters
    ----------
    labels : array_like, shape (n,)
        Of each example, text or numbers; equal ones belong together.
    n_examples : int
        How many there must be.

    Raises
    ------
    ValueError
        If there is not one label an example.
    """
    if np.ma.is_masked(labels):
        raise ValueError("`clusters` must have no masked entries: give each example a label.")
    # Objects compare as what they are: numpy would turn 1 beside "x" into "1".
    plain = labels.tolist() if isinstance(labels, np.ndarray) else labels
    try:
        given = np.array(plain, dtype=object)
    except ValueError:
        raise ValueError("`clusters` must hold one label an example.") from None
    if given.ndim != 1 or given.size != n_examples:
        came = f"{given.size}" if given.ndim == 1 else f"{given.ndim} dimensions"
        raise ValueError(
            f"`clusters` must hold one label an example, {n_examples} of them; got {came}."
        )
    numbers: dict[object, int] = {}
    codes = np.empty(n_examples, dtype=np.intp)
    for i, label in enumerate(given.tolist()):
        # Only nan differs from itself; an empty cell says nothing of what belongs together.
        if label is None or label != label or label == "":
            raise ValueError(
                f"`clusters` must have a label for each example; none at index {i}. An example "
                "that belongs to no other has a label of its own."
            )
        try:
            codes[i] = numbers.setdefault(label, len(numbers))
        except TypeError:
            raise ValueError(
                f"`clusters` must be text or numbers; got {label!r} at index {i}."
            ) from None
    return Clusters(codes=codes, n_clusters=len(numbers))
