"""An effect and its standard error for each dataset: what a meta-analysis takes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from ..types import FloatArray, IntArray
from .provenance import Reading
from .result_checks import checked_names

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EffectTable:
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
            values = np.array(getattr(self, name), dtype=np.float64) + 0.0
            if values.shape != (len(self.datasets),):
                raise ValueError(
                    f"`{name}` must hold one entry for each of {len(self.datasets)} datasets; "
                    f"got the shape {values.shape}."
                )
            if not np.isfinite(values).all():
                raise ValueError(f"`{name}` must be finite.")
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        if (self.standard_errors <= 0.0).any():
            raise ValueError("`standard_errors` must be positive.")
        if self.n_examples is not None:
            sizes = np.array(self.n_examples, dtype=np.intp)
            if sizes.shape != (len(self.datasets),) or (sizes < 1).any():
                raise ValueError("`n_examples` must hold a positive number for each dataset.")
            sizes.flags.writeable = False
            object.__setattr__(self, "n_examples", sizes)

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor, so that a copy's arrays are read-only as well.
        return partial(EffectTable, **{f.name: getattr(self, f.name) for f in fields(self)}), ()

    @property
    def variances(self) -> FloatArray:
        """Squares of the standard errors."""
        variances: FloatArray = self.standard_errors**2
        return variances

    @property
    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, of names, effects, standard errors and sizes in their order."""
        digest = sha256()
        for name in self.datasets:
            encoded = name.encode("utf-8", "surrogatepass")
            digest.update(len(encoded).to_bytes(8, "little"))
            digest.update(encoded)
        for values in (self.effects, self.standard_errors):
            digest.update(values.astype("<f8").tobytes())
        if self.n_examples is not None:
            digest.update(self.n_examples.astype("<i8").tobytes())
        return digest.hexdigest()

    def to_frame(self) -> pd.DataFrame:
        """A row for each dataset."""
        import pandas as pd

        columns: dict[str, object] = {
            "dataset": list(self.datasets),
            "effect": self.effects,
            "standard_error": self.standard_errors,
        }
        if self.n_examples is not None:
            columns["n_examples"] = self.n_examples
        return pd.DataFrame(columns)
