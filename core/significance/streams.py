"""One stream of random numbers a dataset and test.

Each comes from a hash of its own names: adding, dropping or reordering datasets
changes no other dataset's p-value, and no two seeds share a stream.
"""

from __future__ import annotations

from hashlib import sha256

import numpy as np

Rng = int | np.integer | np.random.Generator


def dataset_stream(seed: int, dataset: str, test: str) -> np.random.Generator:
    """The stream of one dataset under one seed and test."""
    digest = sha256(f"{seed}|{dataset}|{test}".encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest))


def seed_of(rng: Rng) -> int:
    """The integer itself, 0 included; of a Generator, one integer drawn from it.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool):
        return int(rng)
    raise ValueError(f"`rng` must be an integer or a numpy Generator; got {rng!r}.")


def generator_of(rng: Rng | None) -> tuple[np.random.Generator, int | None]:
    """A Generator for one test, and the seed where there is one.

    Raises
    ------
    ValueError
        If `rng` is no integer of at least 0, no Generator and not None.
    """
    if rng is None:
        return np.random.default_rng(), None
    if isinstance(rng, np.random.Generator):
        return rng, None
    seed = seed_of(rng)
    if seed < 0:
        raise ValueError(f"`rng` must be at least 0 where it is a seed; got {seed}.")
    return np.random.default_rng(seed), seed
