"""The one comparison of a p-value with a level, and of a level with a p-value's threshold.

Counting and identification both decide here, so that the Bonferroni count
equals the number of Holm rejections whatever the rounding of floats: for
N = 11, 22 or 44 and alpha = .05, N * (alpha / N) exceeds alpha in floats.
"""

from __future__ import annotations

from ..types import BoolArray, FloatArray

# Far above the rounding of the few operations behind an adjusted p-value (about
# 1e-15), far below any digit that a p-value is printed or decided with.
RELATIVE_TOLERANCE = 2.0**-40


def at_most(p_values: FloatArray, level: float) -> BoolArray:
    """Whether each p-value is at most `level`, a tie counting as at most."""
    return p_values <= level * (1.0 + RELATIVE_TOLERANCE)
