"""What the counts would be if there were no difference anywhere, or if it were known where."""

from core.simulation.batch import ESTIMATORS, Estimator
from core.simulation.runs import OvercountRate, Simulation, simulate_k_hat
from core.simulation.scenarios import (
    PRESETS,
    TOY_DEPENDENT,
    TOY_INDEPENDENT,
    Block,
    Preset,
    Scenario,
)

__all__ = [
    "ESTIMATORS",
    "PRESETS",
    "TOY_DEPENDENT",
    "TOY_INDEPENDENT",
    "Block",
    "Estimator",
    "OvercountRate",
    "Preset",
    "Scenario",
    "Simulation",
    "simulate_k_hat",
]
