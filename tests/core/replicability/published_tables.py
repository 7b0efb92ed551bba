"""Tables 2 to 5 of Dror et al. (TACL 2017, CC-BY 4.0), by plain reading of the sample data.

A printed 0 or 0.0 lies between 0 and half a unit of the fourth decimal place; its upper end is
taken, as verdicts use it.
"""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.types import FloatArray

SAMPLE_DATA = Path(__file__).resolve().parents[3] / "sample_data"
ZERO = 0.00005


class PublishedTable(NamedTuple):
    """Of each row the name, how much higher A's score is than B's, and the p-value."""

    datasets: list[str]
    differences: FloatArray
    p_values: FloatArray


def _number(printed: str) -> float:
    factor, power, exponent = printed.rpartition("10^")
    if not power:
        return float(printed)
    return float(factor.rstrip("·") or "1") * 10.0 ** int(exponent)


def _table(name: str) -> PublishedTable:
    with (SAMPLE_DATA / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    system_a, system_b = (
        name for name in rows[0] if name not in ("dataset", "p_value", "n_examples")
    )
    return PublishedTable(
        [row["dataset"] for row in rows],
        np.array([float(row[system_a]) - float(row[system_b]) for row in rows]),
        np.array([_number(row["p_value"]) or ZERO for row in rows]),
    )


MATE_SPACY = _table("dependency_parsing_mate_spacy")
MATE_REDSHIFT = _table("dependency_parsing_mate_redshift")
MIMICK_CHARTAG = _table("pos_tagging_mimick_chartag")
AESCLSR_MSDA = _table("sentiment_aesclsr_msda")
W2V_GLOVE = _table("word_similarity_w2v_glove")
