"""Texts to be scored and what scoring them gives, whatever scores them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

# Letters of scripts that write no spaces between words.
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
# Told the share that is done; raises where the caller wants no more.
Told = Callable[[float], None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Texts:
    """Outputs on one dataset and what they are compared with.

    Attributes
    ----------
    dataset : str
        Its name.
    references : tuple of tuple of str
        One or several sets, each with one text a segment.
    outputs : mapping of str to tuple of str
        For each system one text a segment.
    """

    dataset: str
    references: tuple[tuple[str, ...], ...]
    outputs: Mapping[str, tuple[str, ...]]

    @property
    def n_segments(self) -> int:
        """How many segments there are."""
        return len(self.references[0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """Scores or counts of every system on every segment.

    Attributes
    ----------
    columns : mapping of (dataset, system) to mapping of column to cells
        One cell a segment.
    remarks : tuple of str
        What the owner should know of how they were scored.
    higher_is_better : mapping of str to bool
        The direction of each score.
    """

    columns: Mapping[tuple[str, str], Mapping[str, Sequence[str]]]
    remarks: tuple[str, ...]
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)
