"""The tables that come with the project, and files to start from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from core.data.layouts.registry import (
    COUNTS,
    EFFECTS,
    GOLD_NUMBERS,
    MCNEMAR_COUNTS,
    PREDICTIONS,
    PUBLISHED_TABLE,
    SCORE_GRID,
    SCORES,
    SCORES_IN_ROWS,
)
from core.types import ALTERNATIVES, DEPENDENCES, Alternative, Dependence
from core.validation import check_choice

SAMPLE_FOLDER = Path(__file__).resolve().parents[2] / "sample_data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One table and what its source says about it.

    Attributes
    ----------
    key : str
        Short name for links.
    title, description : str
        For the person who chooses.
    file_name : str
        In the folder of samples.
    source : str
        Citation.
    dependence : {"not-known", "positive", "independent"}
        How the datasets depend on each other, as far as it may be relied on.
    dependence_reason : str
        Why.
    alternative : {"greater", "less", "two-sided", "toward-higher-score", "not-stated"}
        What the source says its p-values speak for, where it has any.
    note : str
        What to look for in it.
    per_example : bool
        Whether it holds results on every example, to be tested here.
    """

    key: str
    title: str
    file_name: str
    description: str
    source: str
    dependence: Dependence
    dependence_reason: str
    note: str
    alternative: Alternative = "not-stated"
    per_example: bool = False

    def __post_init__(self) -> None:
        check_choice(self.dependence, DEPENDENCES, name="dependence")
        check_choice(self.alternative, ALTERNATIVES, name="alternative")


@cache
def samples() -> tuple[Sample, ...]:
    """Every sample, in the order in which to offer them."""
    described = tomllib.loads((SAMPLE_FOLDER / "samples.toml").read_text(encoding="utf-8"))
    return tuple(Sample(key=key, **entry) for key, entry in described.items())


def read_sample(key: str) -> tuple[Sample, bytes]:
    """One sample and the bytes of its file.

    Raises
    ------
    ValueError
        If there is no such sample; the message lists the keys.
    """
    by_key = {sample.key: sample for sample in samples()}
    sample = by_key[check_choice(key, tuple(by_key), name="key")]
    return sample, (SAMPLE_FOLDER / sample.file_name).read_bytes()


PUBLISHED_TABLE_TEMPLATE = """\
dataset,Our system,Baseline,p_value,n_examples
SST-2,93.46,92.89,0.0412,872
MRPC,87.25,86.03,0.1687,408
RTE,68.95,66.43,0.0093,277
QNLI,91.20,90.98,0.2460,5463
MultiNLI,84.57,83.80,1.8e-5,9815
"""

SCORES_TEMPLATE = """\
dataset,example,Our system,Baseline
SST-2,1,1,1
SST-2,2,1,0
SST-2,3,0,0
SST-2,4,1,1
MRPC,1,1,0
MRPC,2,0,1
MRPC,3,1,1
RTE,1,1,1
RTE,2,1,0
RTE,3,0,0
"""

SCORES_IN_ROWS_TEMPLATE = """\
dataset,example,system,accuracy,f1
SST-2,1,Our system,1,0.91
SST-2,2,Our system,1,0.84
SST-2,3,Our system,0,0.35
SST-2,1,Baseline,1,0.88
SST-2,2,Baseline,0,0.42
SST-2,3,Baseline,0,0.31
RTE,1,Our system,1,0.77
RTE,2,Our system,0,0.46
RTE,1,Baseline,1,0.69
RTE,2,Baseline,1,0.58
"""

PREDICTIONS_TEMPLATE = """\
dataset,example,gold,Our system,Baseline
SST-2,1,positive,positive,positive
SST-2,2,negative,negative,positive
SST-2,3,negative,positive,positive
SST-2,4,positive,positive,positive
RTE,1,entailment,entailment,not entailment
RTE,2,not entailment,not entailment,not entailment
RTE,3,entailment,not entailment,entailment
"""

COUNTS_TEMPLATE = """\
dataset,example,correct_Ours,correct_Baseline,total
English-EWT,1,9,8,10
English-EWT,2,21,21,23
English-EWT,3,4,5,6
Danish-DDT,1,13,11,14
Danish-DDT,2,7,7,7
Danish-DDT,3,17,15,19
"""

MCNEMAR_COUNTS_TEMPLATE = """\
dataset,both_right,ours_right_baseline_wrong,ours_wrong_baseline_right,both_wrong
SST-2,790,32,21,29
MRPC,321,24,16,47
RTE,115,59,38,65
"""

GOLD_NUMBERS_TEMPLATE = """\
dataset,item,gold,Our system,Baseline
MC-30,car|automobile,3.92,0.91,0.83
MC-30,gem|jewel,3.84,0.78,0.80
MC-30,journey|voyage,3.84,0.69,0.52
MC-30,noon|string,0.08,0.12,0.23
SimLex-999,old|new,1.58,0.44,0.61
SimLex-999,smart|intelligent,9.20,0.82,0.75
SimLex-999,hard|difficult,8.77,0.77,0.58
SimLex-999,happy|cheerful,9.55,0.80,0.71
"""

SCORE_GRID_TEMPLATE = """\
dataset,Our system,Baseline,Older system
SST-2,93.46,92.89,90.71
MRPC,87.25,86.03,84.31
RTE,68.95,66.43,61.01
QNLI,91.20,90.98,89.47
MultiNLI,84.57,83.80,81.15
"""

EFFECTS_TEMPLATE = """\
dataset,effect,standard_error,n_examples
SST-2,0.0057,0.0081,872
MRPC,0.0196,0.0155,408
RTE,0.0758,0.0353,277
QNLI,0.0022,0.0031,5463
"""

TEMPLATES: Mapping[str, str] = MappingProxyType(
    {
        PUBLISHED_TABLE: PUBLISHED_TABLE_TEMPLATE,
        SCORES: SCORES_TEMPLATE,
        SCORES_IN_ROWS: SCORES_IN_ROWS_TEMPLATE,
        PREDICTIONS: PREDICTIONS_TEMPLATE,
        COUNTS: COUNTS_TEMPLATE,
        MCNEMAR_COUNTS: MCNEMAR_COUNTS_TEMPLATE,
        GOLD_NUMBERS: GOLD_NUMBERS_TEMPLATE,
        SCORE_GRID: SCORE_GRID_TEMPLATE,
        EFFECTS: EFFECTS_TEMPLATE,
    }
)
