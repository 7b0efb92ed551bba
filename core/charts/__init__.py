"""From results to plotly figures; pure, usable in a notebook."""

from core.charts.claims import possible_ranges
from core.charts.differences import differences
from core.charts.histograms import k_hat_histograms
from core.charts.ladder import ladder
from core.charts.matrices import overlap_matrix
from core.charts.sides import both_sides
from core.charts.staircase import staircase
from core.charts.theme import DARK, LIGHT, ChartTheme

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
