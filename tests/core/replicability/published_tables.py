"""Tables 2 to 5 of Dror et al. (TACL 2017, CC-BY 4.0): name, score A, score B, p-value as printed.

A printed 0 or 0.0 lies between 0 and half a unit of the fourth decimal place; its upper end is
written here, as verdicts use it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.types import FloatArray

ZERO = 0.00005


@dataclass(frozen=True)
class PublishedTable:
    system_a: str
    system_b: str
    rows: tuple[tuple[str, float, float, float], ...]

    @property
    def datasets(self) -> list[str]:
        return [row[0] for row in self.rows]

    @property
    def differences(self) -> FloatArray:
        return np.array([row[1] - row[2] for row in self.rows])

    @property
    def p_values(self) -> FloatArray:
        return np.array([row[3] for row in self.rows])


MATE_SPACY = PublishedTable(
    "Mate",
    "SpaCy",
    (
        ("BC", 90.73, 89.05, 1e-4),
        ("BN", 90.82, 89.31, 1e-4),
        ("MZ", 91.92, 89.29, ZERO),
        ("NW", 91.68, 89.52, ZERO),
        ("PT", 96.64, 95.27, 2e-4),
        ("TC", 89.87, 87.65, 9e-4),
        ("WB", 89.89, 87.40, ZERO),
    ),
)

MATE_REDSHIFT = PublishedTable(
    "Mate",
    "Redshift",
    (
        ("BC", 90.73, 90.19, 0.0979),
        ("BN", 90.82, 90.46, 0.1662),
        ("MZ", 91.92, 90.90, 0.0046),
        ("NW", 91.68, 90.99, 0.0376),
        ("PT", 96.64, 96.22, 0.0969),
        ("TC", 89.87, 88.99, 0.0912),
        ("WB", 89.89, 89.31, 0.0823),
    ),
)

MIMICK_CHARTAG = PublishedTable(
    "MIMICK",
    "Char→Tag",
    (
        ("Kazakh", 83.95, 83.64, 0.0944),
        ("Tamil", 81.55, 84.97, 0.0001),
        ("Latvian", 84.32, 84.49, 0.0623),
        ("Vietnamese", 84.22, 84.85, 0.0359),
        ("Hungarian", 88.93, 85.83, 1.12e-08),
        ("Turkish", 85.60, 84.23, 0.1461),
        ("Greek", 93.63, 94.05, 0.0104),
        ("Bulgarian", 93.16, 93.03, 0.1957),
        ("Swedish", 92.30, 92.27, 0.0939),
        ("Basque", 84.44, 86.01, 3.87e-10),
        ("Russian", 89.72, 88.65, 0.0081),
        ("Danish", 90.13, 89.96, 0.1016),
        ("Indonesian", 89.34, 89.81, 0.0008),
        ("Chinese", 85.69, 81.84, ZERO),
        ("Persian", 93.58, 93.53, 0.4450),
        ("Hebrew", 91.69, 91.93, 0.1025),
        ("Romanian", 89.18, 88.96, 0.2198),
        ("English", 88.45, 88.89, 0.0208),
        ("Arabic", 90.58, 90.49, 0.0731),
        ("Hindi", 87.77, 87.92, 0.0288),
        ("Italian", 92.50, 92.45, 0.4812),
        ("Spanish", 91.41, 91.71, 0.1176),
        ("Czech", 90.81, 90.17, 2.91e-05),
    ),
)

AESCLSR_MSDA = PublishedTable(
    "AE-SCL-SR",
    "MSDA",
    (
        ("B→K", 0.8005, 0.788, 0.0268),
        ("B→D", 0.8105, 0.783, 0.0011),
        ("B→E", 0.7675, 0.7455, 0.0119),
        ("K→B", 0.7295, 0.7, 0.0038),
        ("K→D", 0.763, 0.714, 1.9e-06),
        ("K→E", 0.84, 0.824, 0.018),
        ("D→B", 0.773, 0.7605, 0.0186),
        ("D→K", 0.8025, 0.774, 0.0014),
        ("D→E", 0.781, 0.75, 0.0011),
        ("E→B", 0.7115, 0.7185, 0.4823),
        ("E→K", 0.8455, 0.845, 0.9507),
        ("E→D", 0.745, 0.71, 0.0003),
    ),
)

W2V_GLOVE = PublishedTable(
    "W2V",
    "GloVe",
    (
        ("WS353", 0.7362, 0.629, 2e-5),
        ("WS353-SIM", 0.7805, 0.6979, ZERO),
        ("WS353-REL", 0.6814, 0.5706, 0.2123),
        ("MC-30", 0.8221, 0.7773, 0.0001),
        ("RG-65", 0.8348, 0.8117, 0.3053),
        ("RW", 0.4819, 0.4144, 0.2426),
        ("MEN", 0.796, 0.7362, 0.0021),
        ("MTurk-287", 0.671, 0.6475, 0.2076),
        ("MTurk-771", 0.7116, 0.6842, 0.0425),
        ("YP-130", 0.504, 0.5315, ZERO),
        ("SimLex999", 0.4621, 0.3725, 0.0015),
        ("Verb-143", 0.4479, 0.3275, 0.0431),
    ),
)
