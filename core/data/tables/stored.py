"""A column as it is stored: plain strings, or each text once beside the rows that have it."""

from __future__ import annotations

from typing import Any

import pyarrow as pa


def texts_of_rows(stored: Any) -> Any:
    """Every row's text, as a pyarrow array of strings."""
    return stored.dictionary_decode() if pa.types.is_dictionary(stored.type) else stored


def texts_to_look_at(stored: Any) -> Any:
    """Texts that hold all those of the rows: each once where the column is stored so."""
    return stored.dictionary if pa.types.is_dictionary(stored.type) else stored
