"""Many systems: all pairs, gain against confidence, and a leaderboard that counts."""

from core.systems.all_pairs import compare_all_pairs
from core.systems.calibration_across import AcrossCalibration, calibrate_across
from core.systems.calibration_iid import IidCalibration, calibrate_iid
from core.systems.comparisons import PairComparisons, resamples_needed
from core.systems.count_matrix import count_matrix
from core.systems.counting import CountMatrix
from core.systems.gain_confidence import GainConfidence, gain_confidence
from core.systems.sizes import thresholds_by_size
from core.systems.standings import Standings, standings
from core.systems.synthetic import SyntheticSystems, synthetic_systems
from core.systems.threshold import Threshold, threshold
from core.systems.threshold_curve import ThresholdCurve
from core.systems.tiers import Tiers, tiers, tiers_of_mean_ranks

__all__ = [
    "AcrossCalibration",
    "CountMatrix",
    "GainConfidence",
    "IidCalibration",
    "PairComparisons",
    "Standings",
    "SyntheticSystems",
    "Threshold",
    "ThresholdCurve",
    "Tiers",
    "calibrate_across",
    "calibrate_iid",
    "compare_all_pairs",
    "count_matrix",
    "gain_confidence",
    "resamples_needed",
    "standings",
    "synthetic_systems",
    "threshold",
    "thresholds_by_size",
    "tiers",
    "tiers_of_mean_ranks",
]
