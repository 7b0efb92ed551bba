"""Reading result files: bytes, cells, layout, roles, table."""

from core.data.layouts import LAYOUTS, PREDICTIONS, PUBLISHED_TABLE, SCORES, Layout
from core.data.p_value_table import PValueTable
from core.data.provenance import Reading
from core.data.reading import read_results
from core.data.result_set import ResultSet
from core.data.samples import Sample, read_sample, samples
from core.data.templates import PUBLISHED_TABLE_TEMPLATE, TEMPLATES

__all__ = [
    "LAYOUTS",
    "PREDICTIONS",
    "PUBLISHED_TABLE",
    "PUBLISHED_TABLE_TEMPLATE",
    "SCORES",
    "TEMPLATES",
    "Layout",
    "PValueTable",
    "Reading",
    "ResultSet",
    "Sample",
    "read_results",
    "read_sample",
    "samples",
]
