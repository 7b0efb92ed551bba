"""Effects and variances that hypothesis draws, and what is asked of them again and again."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from core.types import FloatArray

Y = [0.02, 0.05, -0.01, 0.03, 0.08]
V = [0.0004, 0.0009, 0.0003, 0.001, 0.002]


@st.composite
def effects_and_variances(
    draw: st.DrawFn, *, fewest: int = 2, most: int = 12
) -> tuple[FloatArray, FloatArray]:
    n = draw(st.integers(fewest, most))
    effects = draw(st.lists(st.floats(-5, 5), min_size=n, max_size=n))
    logs = draw(st.lists(st.floats(-6, 3), min_size=n, max_size=n))
    return np.round(effects, 6), 10.0 ** np.array(logs)
