"""Tables of whole datasets: one score a system, or an effect with its standard error; nothing to test within one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from ..shown import DataFrame, frame_of
from ..types import FloatArray, IntArray, Rebuilt
from ..validation import check_choice, check_yes_or_no
from .roles import Reading
from .side_data import checked_names, checked_sizes, one_each, read_only


def _names_as_bytes(names: Iterable[str]) -> bytes:
    """Names for a fingerprint, the length of each before it."""
    encoded = [name.encode("utf-8", "surrogatepass") for name in names]
    return b"".join(len(own).to_bytes(8, "little") + own for own in encoded)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EffectTable(Rebuilt):
    """How far A is ahead of B on each dataset, with standard errors.

    Attributes
    ----------
    datasets : tuple of str
        Their names, all different, in the order of the file.
    effects : ndarray, shape (N,)
        Positive where A is better.
    standard_errors : ndarray, shape (N,)
        Positive.
    n_examples : ndarray of int, shape (N,), or None
        Size of each dataset.
    reading : Reading or None
        How the table came out of its file.
    """

    datasets: tuple[str, ...]
    effects: FloatArray
    standard_errors: FloatArray
    n_examples: IntArray | None = None
    reading: Reading | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "datasets", checked_names(self.datasets, name="datasets"))
        for name in ("effects", "standard_errors"):
            values = one_each(name, getattr(self, name), self.datasets)
            if not np.isfinite(values).all():
                raise ValueError(f"`{name}` must be finite.")
            object.__setattr__(self, name, values)
        if (self.standard_errors <= 0.0).any():
            raise ValueError("`standard_errors` must be positive.")
        sizes = checked_sizes(self.n_examples, self.datasets)
        object.__setattr__(self, "n_examples", sizes)

    @property
    def variances(self) -> FloatArray:
        """Squares of the standard errors."""
        variances: FloatArray = self.standard_errors**2
        return variances

    @property
    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, of names, effects, standard errors and sizes in their order."""
        digest = sha256(_names_as_bytes(self.datasets))
        for values in (self.effects, self.standard_errors):
            digest.update(values.astype("<f8").tobytes())
        if self.n_examples is not None:
            digest.update(self.n_examples.astype("<i8").tobytes())
        return digest.hexdigest()

    def to_frame(self) -> DataFrame:
        """A row for each dataset."""
        columns: dict[str, object] = {
            "dataset": list(self.datasets),
            "effect": self.effects,
            "standard_error": self.standard_errors,
        }
        if self.n_examples is not None:
            columns["n_examples"] = self.n_examples
        return frame_of(columns)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTable(Rebuilt):
    """Datasets × systems, one score each.

    A single score says nothing of how far it would vary, so no dataset has a
    p-value; tests over datasets, such as Friedman's, can be made of it.

    Attributes
    ----------
    datasets, systems : tuple of str
        Their names, all different, in the order of the file.
    values : ndarray, shape (n_datasets, n_systems)
        Scores as given, all finite.
    printed : tuple of tuple of str
        The digits of each score as given, with '.' as decimal mark.
    marks : tuple of tuple of str
        What marks of significance follow each score, such as "*" or "†", '' where none do;
        empty where no score has any.
    spreads : tuple of tuple of str
        The digits of each score's spread, as in 91.2 ± 0.3, '' where it has none; empty where
        no score has any. Nothing is computed of them.
    n_examples : tuple of int or None
        Sizes of the datasets, where the file states them all.
    metric : str or None
        Name of the scores' metric.
    higher_is_better : bool
        Whether a higher score is the better one.
    reading : Reading or None
        How the table came out of its file.
    """

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    values: FloatArray
    printed: tuple[tuple[str, ...], ...] = ()
    marks: tuple[tuple[str, ...], ...] = ()
    spreads: tuple[tuple[str, ...], ...] = ()
    n_examples: tuple[int, ...] | None = None
    metric: str | None = None
    higher_is_better: bool = True
    reading: Reading | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "datasets", checked_names(self.datasets, name="datasets"))
        object.__setattr__(self, "systems", checked_names(self.systems, name="systems"))
        check_yes_or_no(self.higher_is_better, name="higher_is_better")
        values = read_only(self.values)
        shape = (len(self.datasets), len(self.systems))
        if values.shape != shape:
            raise ValueError(f"`values` must have the shape {shape}; got {values.shape}.")
        if not np.isfinite(values).all():
            raise ValueError("`values` must be finite.")
        object.__setattr__(self, "values", values)
        printed = tuple(tuple(row) for row in self.printed) or tuple(
            tuple(repr(float(score)) for score in row) for row in values
        )
        for name, rows in (("printed", printed), ("marks", self.marks), ("spreads", self.spreads)):
            if rows and [len(row) for row in rows] != [shape[1]] * shape[0]:
                raise ValueError(f"`{name}` must have the shape {shape}.")
        if self.n_examples is not None and len(self.n_examples) != shape[0]:
            raise ValueError(f"`n_examples` must have one entry a dataset, {shape[0]}.")
        object.__setattr__(self, "printed", printed)

    @property
    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, of names and scores in their order."""
        digest = sha256()
        for names in (self.datasets, self.systems):
            digest.update(len(names).to_bytes(8, "little") + _names_as_bytes(names))
        digest.update(self.values.astype("<f8").tobytes())
        return digest.hexdigest()

    def scores(self, system: str) -> FloatArray:
        """One system's scores as given, one a dataset, shape (n_datasets,).

        Raises
        ------
        ValueError
            If there is no such system.
        """
        return self.values[:, self._system(system)]

    def printed_scores(self, system: str) -> Sequence[str]:
        """One system's scores in the digits given.

        Raises
        ------
        ValueError
            If there is no such system.
        """
        index = self._system(system)
        return tuple(row[index] for row in self.printed)

    def without(self, names: Iterable[str]) -> ScoreTable:
        """The table without some of its datasets.

        Raises
        ------
        ValueError
            If a name is not in the table, or no dataset would be left.
        """
        left_out = {check_choice(name, self.datasets, name="names") for name in names}
        kept = [i for i, name in enumerate(self.datasets) if name not in left_out]
        if not kept:
            raise ValueError("`names` must leave at least one dataset.")
        return replace(
            self,
            datasets=tuple(self.datasets[i] for i in kept),
            values=self.values[kept],
            printed=tuple(self.printed[i] for i in kept),
            marks=tuple(self.marks[i] for i in kept) if self.marks else (),
            spreads=tuple(self.spreads[i] for i in kept) if self.spreads else (),
            n_examples=None if self.n_examples is None else tuple(self.n_examples[i] for i in kept),
        )

    def to_frame(self) -> DataFrame:
        """A row for each dataset, a column for each system, and one of its spreads."""
        frame = frame_of(self.values, columns=list(self.systems))
        frame.insert(0, "dataset", list(self.datasets), allow_duplicates=True)
        for system, spreads in zip(self.systems, zip(*self.spreads, strict=True), strict=False):
            frame[f"{system} ±"] = spreads
        return frame

    def _system(self, name: str) -> int:
        return self.systems.index(check_choice(name, self.systems, name="system"))
