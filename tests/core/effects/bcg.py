"""Trials of BCG vaccination (Colditz et al., JAMA 1994): the standard example of meta-analysis."""

from __future__ import annotations

import numpy as np

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
