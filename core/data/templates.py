"""Files to start from: each reads without problems or remarks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.data.published_table import NAME as PUBLISHED_TABLE

PUBLISHED_TABLE_TEMPLATE = """\
dataset,Our system,Baseline,p_value,n_examples
SST-2,93.46,92.89,0.0412,872
MRPC,87.25,86.03,0.1687,408
RTE,68.95,66.43,0.0093,277
QNLI,91.20,90.98,0.2460,5463
MultiNLI,84.57,83.80,1.8e-5,9815
"""

TEMPLATES: Mapping[str, str] = MappingProxyType({PUBLISHED_TABLE: PUBLISHED_TABLE_TEMPLATE})
