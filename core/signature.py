"""The one line that names everything a number depends on."""

import json
from collections.abc import Iterable
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from .version import __version__

# A longer list is hashed: a line shall stay one that can be copied.
_MOST_LISTED = 6
_LONGEST_LIST = 60


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


def listed(values: Iterable[object]) -> str:
    """Names or numbers for a signature: in full where they are few, else their number and a hash.

    Names that `signature_line` would change, or that hold a comma, are hashed too, so that no
    two lists are written the same way.

    Examples
    --------
    >>> listed([0.5, 0.9]), listed(["news", "web"])
    ('0.5,0.9', 'news,web')
    >>> listed(range(20))
    '20 (2ccf7fd9)'
    """
    texts = [_text(value) for value in values]
    whole = ",".join(texts)
    plain = all(text and _clean(text) == text and "," not in text for text in texts)
    if plain and len(texts) <= _MOST_LISTED and len(whole) <= _LONGEST_LIST:
        return whole
    content = json.dumps(texts).encode()
    return f"{len(texts)} ({short_fingerprint(sha256(content).hexdigest())})"


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
    return "".join("_" if character in "|:\n\r" else character for character in _text(value))


def _text(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)
