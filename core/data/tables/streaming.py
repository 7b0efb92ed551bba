"""Columns of a long text, gathered block by block so that none is ever held twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pa_csv

# Parts of a file that is not short show which columns repeat their texts.
_SHORT = 1 << 20
_SAMPLE = 1 << 14
_N_SAMPLES = 16
# A column is kept by its different texts if they are fewer than this share of a sample.
_REPETITIVE = 0.25
# Small enough to be used again for the next block, but a few rows of any table.
_BLOCK = 1 << 18
_BLOCK_A_COLUMN = 1 << 12

# Gives back at once what is no longer needed; the others keep it for later.
LARGE_POOL = pa.system_memory_pool()

_CODED = pa.dictionary(pa.int32(), pa.string())


def stream_columns(
    rows: memoryview, separator: str, *, n_columns: int, n_rows: int, is_quoted: bool
) -> list[Any] | None:
    """Each column as a pyarrow array, dictionary-coded where it repeats its texts.

    Parameters
    ----------
    rows : memoryview
        UTF-8 without a header; lines end as on Unix.
    separator : str
        Between cells.
    n_columns, n_rows : int
        What has to come out.
    is_quoted : bool
        Whether quotation marks stand around cells.

    Returns
    -------
    list or None
        None if the rows are others than expected.
    """
    try:
        coded = _are_repetitive(rows, separator, n_columns, is_quoted=is_quoted)
        types = [_CODED if column else pa.string() for column in coded]
        columns: list[_CodedColumn | _TextColumn] = [
            _CodedColumn(n_rows) if column else _TextColumn(n_rows, len(rows) // n_columns)
            for column in coded
        ]
        n_read = 0
        for batch in _batches(rows, separator, types, is_quoted=is_quoted):
            n_read += batch.num_rows
            if n_read > n_rows:
                return None
            for column, part in zip(columns, batch.columns, strict=True):
                column.append(part)
    except pa.ArrowInvalid:
        return None
    return [column.finished() for column in columns] if n_read == n_rows else None


class _TextColumn:
    """Texts one after the other, and where each ends."""

    def __init__(self, n_rows: int, n_bytes: int) -> None:
        self._offsets = np.zeros(n_rows + 1, dtype=np.int32)
        self._letters = np.empty(n_bytes + 1, dtype=np.uint8)
        self._n = 0

    def append(self, part: Any) -> None:
        n = len(part)
        _, bounds, data = part.buffers()
        offsets = np.frombuffer(bounds, dtype=np.int32)[part.offset : part.offset + n + 1]
        first, last = int(offsets[0]), int(offsets[-1])
        at = int(self._offsets[self._n])
        end = at + last - first
        if end > self._letters.size:
            # Nothing else refers to them yet.
            self._letters.resize(end + end // 2, refcheck=False)
        if last > first:
            self._letters[at:end] = np.frombuffer(data, dtype=np.uint8)[first:last]
        np.add(offsets[1:], at - first, out=self._offsets[self._n + 1 : self._n + n + 1])
        self._n += n

    def finished(self) -> Any:
        letters = self._letters[: int(self._offsets[-1])]
        return pa.StringArray.from_buffers(
            self._n, pa.py_buffer(self._offsets), pa.py_buffer(letters)
        )


class _CodedColumn:
    """Each different text once, and which one each row holds."""

    def __init__(self, n_rows: int) -> None:
        self._codes = np.empty(n_rows, dtype=np.int32)
        self._positions: dict[str, int] = {}
        self._n = 0

    def append(self, part: Any) -> None:
        positions = self._positions
        own = [positions.setdefault(t, len(positions)) for t in part.dictionary.to_pylist()]
        codes = np.array(own, dtype=np.int32)
        end = self._n + len(part)
        self._codes[self._n : end] = codes[part.indices.to_numpy(zero_copy_only=False)]
        self._n = end

    def finished(self) -> Any:
        texts = pa.array(list(self._positions), type=pa.string())
        return pa.DictionaryArray.from_arrays(pa.array(self._codes), texts)


def _batches(rows: Any, separator: str, types: Sequence[Any], *, is_quoted: bool) -> Any:
    positions = [str(position) for position in range(len(types))]
    return pa_csv.open_csv(
        pa.py_buffer(rows),
        read_options=pa_csv.ReadOptions(
            column_names=positions,
            use_threads=False,
            block_size=max(_BLOCK, _BLOCK_A_COLUMN * len(types)),
        ),
        parse_options=pa_csv.ParseOptions(
            delimiter=separator, quote_char='"' if is_quoted else False
        ),
        convert_options=pa_csv.ConvertOptions(
            column_types=dict(zip(positions, types, strict=True))
        ),
        memory_pool=LARGE_POOL,
    )


def _are_repetitive(
    rows: memoryview, separator: str, n_columns: int, *, is_quoted: bool
) -> npt.NDArray[np.bool_]:
    """Which columns repeat their texts, as parts of a long file show; none of a short one."""
    repetitive: npt.NDArray[np.bool_] = np.zeros(n_columns, dtype=np.bool_)
    if len(rows) < _SHORT:
        return repetitive
    parts = []
    for start in range(0, len(rows) - _SAMPLE, len(rows) // _N_SAMPLES):
        # Whole lines alone.
        _, _, part = bytes(rows[start : start + _SAMPLE]).partition(b"\n")
        parts.append(part[: part.rfind(b"\n") + 1])
    sample = b"".join(parts)
    if not sample.strip():
        return repetitive
    plain = [pa.string()] * n_columns
    table = _batches(sample, separator, plain, is_quoted=is_quoted).read_all()
    for index, column in enumerate(table.columns):
        repetitive[index] = len(column.unique()) < _REPETITIVE * table.num_rows
    return repetitive
