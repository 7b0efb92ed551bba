"""From results to plotly figures; pure, usable in a notebook."""

from .claims import possible_ranges
from .differences import differences
from .histograms import k_hat_histograms
from .ladder import ladder
from .matrices import overlap_matrix
from .sides import both_sides
from .staircase import staircase
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
