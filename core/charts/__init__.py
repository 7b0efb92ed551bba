"""From results to plotly figures; pure, usable in a notebook. Every chart takes `theme`: `LIGHT` or `DARK`."""

from .forest import both_sides, differences
from .matrices import overlap_matrix
from .p_values import ladder, possible_ranges, staircase
from .simulation import k_hat_histograms
from .theme import DARK, LIGHT, ChartTheme

__all__ = [
    "DARK",
    "LIGHT",
    "ChartTheme",
    "both_sides",
    "differences",
    "k_hat_histograms",
    "ladder",
    "overlap_matrix",
    "possible_ranges",
    "staircase",
]
