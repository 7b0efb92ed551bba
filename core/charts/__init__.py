"""From results to plotly figures; pure, usable in a notebook."""

from core.charts.ladder import ladder
from core.charts.staircase import staircase
from core.charts.theme import DARK, LIGHT, ChartTheme

__all__ = ["DARK", "LIGHT", "ChartTheme", "ladder", "staircase"]
