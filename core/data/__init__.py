"""Reading result files: bytes, cells, layout, roles, table."""

from core.data.effect_table import EffectTable
from core.data.layouts.file_kind import FileKind
from core.data.layouts.registry import LAYOUTS, PREDICTIONS, PUBLISHED_TABLE, SCORES
from core.data.p_value_table import PValueTable
from core.data.provenance import Reading
from core.data.reading import read_results
from core.data.result_set import ResultSet
from core.data.samples import Sample, read_sample, samples
from core.data.score_table import ScoreTable
from core.data.sources.pasted import Pasted, pasted_table
from core.data.tables.limits import ReadingStopped

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
