"""Reading result files: bytes, cells, layout, roles, table."""

from .layouts.columns import FileKind
from .layouts.registry import LAYOUTS, PREDICTIONS, PUBLISHED_TABLE, SCORES
from .p_value_table import PValueTable
from .reading import read_results
from .result_set import ResultSet
from .roles import Reading
from .samples import Sample, read_sample, samples
from .score_table import EffectTable, ScoreTable
from .sources.pasted import Pasted, pasted_table
from .tables.limits import ReadingStopped

__all__ = [
    "LAYOUTS",
    "PREDICTIONS",
    "PUBLISHED_TABLE",
    "SCORES",
    "EffectTable",
    "FileKind",
    "PValueTable",
    "Pasted",
    "Reading",
    "ReadingStopped",
    "ResultSet",
    "Sample",
    "ScoreTable",
    "pasted_table",
    "read_results",
    "read_sample",
    "samples",
]
