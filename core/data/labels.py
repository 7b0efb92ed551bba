"""What is known of each example beside scores: labels, and which examples have the same input."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.types import FloatArray

CodeArray = npt.NDArray[np.int32]
TextArray = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labels:
    """Gold labels and predictions, each label kept once.

    Attributes
    ----------
    names : tuple of str
        Every label, all different.
    gold : tuple of ndarray of int, shape (n,)
        For each dataset, positions in `names`.
    predictions : tuple of ndarray of int, shape (n, n_systems)
        For each dataset, positions in `names`.
    """

    names: tuple[str, ...]
    gold: tuple[CodeArray, ...]
    predictions: tuple[CodeArray, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        if len(set(self.names)) != len(self.names):
            raise ValueError("`names` of labels must all differ.")
        for part in ("gold", "predictions"):
            codes = tuple(np.array(c, dtype=np.int32, order="F") for c in getattr(self, part))
            for array in codes:
                if array.size and not 0 <= array.min() <= array.max() < len(self.names):
                    raise ValueError(f"`{part}` must be positions in the labels' names.")
                array.flags.writeable = False
            object.__setattr__(self, part, codes)

    def correctness(self) -> tuple[FloatArray, ...]:
        """For each dataset 1 where a prediction is the gold label, else 0; (n, n_systems)."""
        return tuple(
            (predicted == gold[:, np.newaxis]).astype(np.float64)
            for gold, predicted in zip(self.gold, self.predictions, strict=True)
        )

    def texts(self, codes: CodeArray) -> TextArray:
        """The labels at these positions."""
        names = np.empty(len(self.names), dtype=np.object_)
        names[:] = self.names
        texts: TextArray = names[codes]
        texts.flags.writeable = False
        return texts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inputs:
    """Which examples have the same input, over all datasets; the texts are not kept.

    Attributes
    ----------
    columns : tuple of str
        The columns that make up the input.
    codes : tuple of ndarray of int, shape (n,)
        For each dataset one number an example: equal where all columns are
        equal, -1 where they are all empty.
    texts : tuple of ndarray of int
        For each dataset the different texts of its examples, whichever column
        they stand in, as numbers that are equal where the texts are; () where
        one column makes up the whole input.
    text_columns : tuple of str
        The columns that these stand in.
    """

    columns: tuple[str, ...]
    codes: tuple[CodeArray, ...]
    texts: tuple[CodeArray, ...] = ()
    text_columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "text_columns", tuple(self.text_columns))
        for part in ("codes", "texts"):
            codes = tuple(np.array(given, dtype=np.int32) for given in getattr(self, part))
            for array in codes:
                array.flags.writeable = False
            object.__setattr__(self, part, codes)
