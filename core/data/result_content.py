"""What a fingerprint is made of, as bytes; no two contents look alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol

import numpy as np

from core.data.labels import ExampleClusters, Labels, numbered_by_first
from core.metrics.registry import MEAN
from core.types import FloatArray


class Content(Protocol):
    """A part of a result set that says itself what it holds."""

    def content(self) -> Iterator[bytes]:
        """What it says; no two contents look alike."""


def fingerprint_of(parts: Iterable[bytes]) -> str:
    """SHA-256, in hexadecimal; each part's length goes before it."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def content_of(
    *,
    datasets: Sequence[str],
    systems: Sequence[str],
    values: Mapping[str, Sequence[FloatArray]],
    kinds: Mapping[str, str],
    example_ids: Sequence[Any] | None,
    labels: Labels | None,
    gold_scores: Sequence[FloatArray] | None,
    clusters: ExampleClusters | None,
    further: Sequence[Content | None] = (),
) -> Iterator[bytes]:
    """What a set of results says, without what is declared about it."""
    yield from name_parts(datasets)
    yield from name_parts(systems)
    yield len(values).to_bytes(8, "little")
    yield b"labels" if labels is not None else b"scores"
    if any(kind != MEAN for kind in kinds.values()):
        yield from name_parts(tuple(kinds.values()))
    if len(values) > 1:
        # A name then says which of the scores are meant.
        yield from name_parts(tuple(values))
    if labels is not None:
        yield from name_parts(labels.names)
    for index in range(len(datasets)):
        yield b"ids" if example_ids is not None else b"no ids"
        if example_ids is not None:
            yield from id_parts(example_ids[index])
        if labels is not None:
            yield labels.gold[index].astype("<i4").tobytes()
            yield labels.predictions[index].astype("<i4").tobytes("F")
        else:
            if gold_scores is not None:
                yield gold_scores[index].astype("<f8").tobytes()
            for arrays in values.values():
                yield arrays[index].astype("<f8").tobytes("F")
    if clusters is not None:
        # Which examples belong together counts, not how their clusters are called.
        yield b"clusters"
        for codes in clusters.codes:
            yield numbered_by_first(codes).astype("<i4").tobytes()
    for part in further:
        if part is not None:
            yield from part.content()


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
