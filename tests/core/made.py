"""Sets of results of one metric, of whatever kind, tables of p-values, and counts of two systems."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from core.data.p_value_table import PValueTable
from core.data.result_set import ResultSet
from core.reliability.covariates import CutOffStudy, dataset_cut_off_study
from core.types import FloatArray
from tests.calibration.scenarios import KINDS


def set_of(
    kind: str,
    *tables: FloatArray,
    metric: str = "",
    higher: bool = True,
    datasets: Sequence[str] = "d",
    systems: Sequence[str] = "AB",
    **more: Any,
) -> ResultSet:
    """A dataset a table, a system a column: scores, shape (n, m), or statistics, (n, m, s)."""
    name = metric or kind
    return ResultSet(
        datasets=tuple(datasets),
        systems=tuple(systems),
        values={name: tables},
        higher_is_better={name: higher},
        kinds={name: kind},
        **more,
    )


def p_value_table(p_values: ArrayLike, **changes: Any) -> PValueTable:
    """P-values of A on datasets d0, d1 …, printed to their last digit."""
    values = np.asarray(p_values, dtype=float)
    given: dict[str, Any] = {
        "datasets": tuple(f"d{i}" for i in range(values.size)),
        "alternative": "greater",
        "printed": tuple(map(str, values.tolist())),
        "system_a": "A",
        "system_b": "B",
    }
    bounds = {"p_value_bounds": (values, values)}
    return PValueTable(p_values=values, **{**given, **bounds, **changes})


def counts_of(kind: str, n: int, *, ahead: float = 0.0, seed: int = 0) -> FloatArray:
    """Statistics of two systems on n examples, shape (n, 2, s); the first is so much better."""
    drawn = KINDS[kind].draw(n, ahead, np.random.default_rng(seed))
    return np.stack([drawn["a"], drawn["b"]], axis=1).astype(np.float64)


def cut_off_study(
    a: Any, b: Any, covariate: Any, *, dataset: str = "d", **settings: Any
) -> CutOffStudy:
    """The study along a covariate of two systems' scores, which users have of files."""
    data = ResultSet.from_scores({dataset: {"A": a, "B": b}})
    return dataset_cut_off_study(data, dataset, covariate, a="A", b="B", **settings)
