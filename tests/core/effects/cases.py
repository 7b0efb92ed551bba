"""Effects of trials, and effects, variances and separations that hypothesis draws."""

import itertools

import numpy as np
from hypothesis import strategies as st

from core.types import BoolArray, FloatArray

Y = [0.02, 0.05, -0.01, 0.03, 0.08]
V = [0.0004, 0.0009, 0.0003, 0.001, 0.002]

# Trials of BCG vaccination (Colditz et al., JAMA 1994): the standard example of meta-analysis.
# Tuberculosis and none among the vaccinated, and among the others.
COUNTS = np.array(
    [
        (4, 119, 11, 128),
        (6, 300, 29, 274),
        (3, 228, 11, 209),
        (62, 13536, 248, 12619),
        (33, 5036, 47, 5761),
        (180, 1361, 372, 1079),
        (8, 2537, 10, 619),
        (505, 87886, 499, 87892),
        (29, 7470, 45, 7232),
        (17, 1699, 65, 1600),
        (186, 50448, 141, 27197),
        (5, 2493, 3, 2338),
        (27, 16886, 29, 17825),
    ],
    dtype=np.float64,
)
_A, _B, _C, _D = COUNTS.T
LOG_RISK_RATIOS = np.log(_A / (_A + _B)) - np.log(_C / (_C + _D))
VARIANCES = 1 / _A - 1 / (_A + _B) + 1 / _C - 1 / (_C + _D)
_P, _R = _A / (_A + _B), _C / (_C + _D)
RISK_DIFFERENCES = _P - _R
VARIANCES_OF_DIFFERENCES = _P * (1 - _P) / (_A + _B) + _R * (1 - _R) / (_C + _D)


@st.composite
def effects_and_variances(
    draw: st.DrawFn, *, fewest: int = 2, most: int = 12
) -> tuple[FloatArray, FloatArray]:
    n = draw(st.integers(fewest, most))
    effects = draw(st.lists(st.floats(-5, 5), min_size=n, max_size=n))
    logs = draw(st.lists(st.floats(-6, 3), min_size=n, max_size=n))
    return np.round(effects, 6), 10.0 ** np.array(logs)


@st.composite
def separations(draw: st.DrawFn) -> BoolArray:
    """Which of 1 to 9 systems are separated, shape (k, k): symmetric, in no order."""
    k = draw(st.integers(1, 9))
    flags = draw(st.lists(st.booleans(), min_size=k * k, max_size=k * k))
    upper = np.triu(np.array(flags, dtype=np.bool_).reshape(k, k), 1)
    return np.asarray(upper | upper.T)


def brute_force(separated: BoolArray) -> set[frozenset[int]]:
    """Every set of systems, kept if no two are separated and no larger one holds it."""
    k = len(separated)
    fitting = [
        set(members)
        for size in range(1, k + 1)
        for members in itertools.combinations(range(k), size)
        if not any(separated[i, j] for i, j in itertools.combinations(members, 2))
    ]
    return {frozenset(one) for one in fitting if not any(one < other for other in fitting)}
