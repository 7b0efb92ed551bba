"""Small results made by hand, for what is said of them."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from core.data.overlap.find import Overlap, find_overlap
from core.data.result_set import ResultSet
from core.data.side_data import Inputs
from core.effects.dataset_effects import CombinedEffects, DatasetEffects, combine_effects
from core.simulation.batch import estimator_names
from core.simulation.results import Simulation


def combined(
    values: Any,
    variances: Any = None,
    *,
    level: float = 0.95,
    tau2: Any = "paule-mandel",
    **more: Any,
) -> CombinedEffects:
    """Effects on datasets d0, d1 …, differences in accuracy where nothing else is said."""
    given: dict[str, Any] = {"effect": "difference", "metric": "accuracy", **more}
    made = DatasetEffects(
        datasets=tuple(f"d{i}" for i in range(len(values))),
        effects=np.array(values, dtype=float),
        variances=None if variances is None else np.array(variances, dtype=float),
        n_examples=None,
        variance_methods=("given",) * len(values),
        **given,
    )
    return combine_effects(made, confidence_level=level, tau2=tau2)


def counted(wrong: Iterable[int], n: int = 1_000, **more: Any) -> Simulation:
    """Studies of five datasets, two of them better, in so many of which a count is one too many."""
    k_hat: Any = {
        name: np.r_[np.full(too_many, 3), np.full(n - too_many, 2)].astype(np.int16)
        for name, too_many in zip(estimator_names(), wrong, strict=True)
    }
    fixed = {"k": 2, "n_datasets": 5, "alpha": 0.05, "seed": 0, "scenario": "made by hand"}
    given: Any = {"n_asked": n, **fixed, **more}
    return Simulation(k_hat=k_hat, n_repetitions=n, **given)


def overlap(
    codes: Mapping[str, Iterable[int]], left_out: Collection[str] = (), **more: Any
) -> Overlap:
    """What datasets share whose examples have these numbers as their input."""
    given: Any = {"columns": ("text",), **more}
    coded = {name: np.array(list(each)) for name, each in codes.items()}
    return find_overlap(
        ResultSet(
            datasets=tuple(coded),
            systems=("A", "B"),
            values={"score": tuple(np.zeros((each.size, 2)) for each in coded.values())},
            higher_is_better={"score": True},
            inputs=Inputs(codes=tuple(coded.values()), **given),
        ),
        left_out=left_out,
    )


def outcomes(wins: int, losses: int, n: int = 200) -> dict[str, list[float]]:
    """0/1 outcomes of two systems that are both right on all other examples."""
    even = [1.0] * (n - wins - losses)
    return {
        "A": [1.0] * wins + [0.0] * losses + even,
        "B": [0.0] * wins + [1.0] * losses + even,
    }
