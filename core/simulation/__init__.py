"""What the counts would be if there were no difference anywhere, or if it were known where."""

from .batch import estimator_names
from .families import (
    SHAPES,
    OneFactor,
    SharedExamples,
    Together,
    UnionOfOthers,
    accuracy_family_of,
    drawn_exactly,
    family_of,
    shared_test_sets,
)
from .identification import (
    IdentificationSimulation,
    ProcedureSummary,
    simulate_identification,
)
from .like_my_data import LikeMyData, like_my_data
from .planning import (
    DatasetsNeeded,
    OverClaim,
    OverClaimCurve,
    PowerCurve,
    PowerPoint,
    datasets_needed,
    over_claim_curve,
    power_curve,
)
from .results import EstimatorSummary, Mean, OvercountRate, Rate, Simulation
from .runs import Draw, draw_one, extend_simulation, simulate_k_hat
from .scenarios import (
    PRESETS,
    TOY_DEPENDENT,
    TOY_INDEPENDENT,
    Block,
    McNemarDatasets,
    Preset,
    Scenario,
    shift_of,
)
from .sources import PValueSource

__all__ = [
    "estimator_names",
    "PRESETS",
    "SHAPES",
    "TOY_DEPENDENT",
    "TOY_INDEPENDENT",
    "Block",
    "DatasetsNeeded",
    "Draw",
    "EstimatorSummary",
    "IdentificationSimulation",
    "LikeMyData",
    "McNemarDatasets",
    "Mean",
    "OneFactor",
    "OverClaim",
    "OverClaimCurve",
    "OvercountRate",
    "PValueSource",
    "PowerCurve",
    "PowerPoint",
    "Preset",
    "ProcedureSummary",
    "Rate",
    "Scenario",
    "SharedExamples",
    "Simulation",
    "Together",
    "UnionOfOthers",
    "accuracy_family_of",
    "datasets_needed",
    "draw_one",
    "drawn_exactly",
    "extend_simulation",
    "family_of",
    "like_my_data",
    "over_claim_curve",
    "power_curve",
    "shared_test_sets",
    "shift_of",
    "simulate_identification",
    "simulate_k_hat",
]
