"""The one line that names everything a number depends on."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .version import __version__


def signature_line(**items: object) -> str:
    """Write settings as ``key:value|key:value|v:version``, in the order given.

    Values that are None are left out. Underscores of keys become hyphens.

    Examples
    --------
    >>> signature_line(pc="fisher", alpha=0.05).rsplit("|", 1)[0]
    'pc:fisher|alpha:0.05'
    """
    parts = [
        f"{key.replace('_', '-')}:{_clean(value)}"
        for key, value in items.items()
        if value is not None
    ]
    return "|".join([*parts, f"v:{__version__}"])


def short_fingerprint(fingerprint: str) -> str:
    """The part of a fingerprint that people see, in signatures and links."""
    return fingerprint[:8]


def bytes_of_numbers(values: npt.ArrayLike | None) -> bytes:
    """Computed numbers for a fingerprint, in nine significant digits.

    The digits after those may differ between processors.
    """
    if values is None:
        return b"none"
    numbers = np.asarray(values, dtype=np.float64) + 0.0
    return ",".join(f"{number:.9g}" for number in numbers.ravel().tolist()).encode()


def _clean(value: object) -> str:
    text = f"{value:.10g}" if isinstance(value, float) else str(value)
    return "".join("_" if character in "|:\n\r" else character for character in text)
