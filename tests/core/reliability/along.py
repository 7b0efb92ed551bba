"""The study along a covariate of two systems' scores, which users have of files."""

from __future__ import annotations

from typing import Any

from core.data.result_set import ResultSet
from core.reliability.covariates import dataset_cut_off_study
from core.reliability.cut_offs import CutOffStudy


def cut_off_study(
    a: Any, b: Any, covariate: Any, *, dataset: str = "d", **settings: Any
) -> CutOffStudy:
    data = ResultSet.from_scores({dataset: {"A": a, "B": b}})
    return dataset_cut_off_study(data, dataset, covariate, a="A", b="B", **settings)
