"""Files to start from: each reads without problems or remarks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.data.layouts import PREDICTIONS, PUBLISHED_TABLE, SCORES

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

TEMPLATES: Mapping[str, str] = MappingProxyType(
    {
        PUBLISHED_TABLE: PUBLISHED_TABLE_TEMPLATE,
        SCORES: SCORES_TEMPLATE,
        PREDICTIONS: PREDICTIONS_TEMPLATE,
    }
)
