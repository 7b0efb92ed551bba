"""What a fingerprint is made of, as bytes; no two contents look alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

import numpy as np


def fingerprint_of(parts: Iterable[bytes]) -> str:
    """SHA-256, in hexadecimal; each part's length goes before it."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def name_parts(names: Sequence[str]) -> Iterator[bytes]:
    """Names, with their number before them."""
    yield len(names).to_bytes(8, "little")
    for name in names:
        yield name.encode("utf-8", "surrogatepass")


def id_parts(ids: Any) -> Iterator[bytes]:
    """Lengths of the ids and their text, without a Python object for each."""
    offsets = np.frombuffer(ids.buffers()[1], dtype=np.int32)[
        ids.offset : ids.offset + len(ids) + 1
    ]
    data = ids.buffers()[2]
    yield np.diff(offsets).astype("<i4").tobytes()
    yield b"" if data is None else data[int(offsets[0]) : int(offsets[-1])].to_pybytes()
