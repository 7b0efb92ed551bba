"""Colours that mean something are told apart by readers of every colour vision, in both themes.

Colour vision deficiencies are simulated by the matrices of Machado, Oliveira and Fernandes (2009)
at full severity; differences are CIE 1976 ΔE*ab.
"""

import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from core.charts.theme import DARK, LIGHT, ChartTheme

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
VISIONS = {
    "all colours": np.eye(3),
    "no long waves": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no middle waves": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no short waves": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
VISION = pytest.mark.parametrize("vision", VISIONS)
# About 2 is just seen side by side; marks lie apart and are small.
LEAST_DIFFERENCE = 20.0
LEAST_CONTRAST = 3.0
WHITE_OF_D65 = np.array([0.95047, 1.0, 1.08883])
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
SETTINGS = Path(__file__).resolve().parents[3] / ".streamlit" / "config.toml"


def linear(colour: str) -> np.ndarray:
    """The light of a colour such as #1d4ed8."""
    shares = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def seen(colour: str, vision: str) -> np.ndarray:
    """CIELAB of a colour as that vision sees it."""
    light = np.clip(VISIONS[vision] @ linear(colour), 0.0, 1.0)
    x, y, z = (
        np.cbrt(part) if part > 0.008856 else 7.787 * part + 16.0 / 116.0
        for part in XYZ @ light / WHITE_OF_D65
    )
    return np.array([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])


def difference(one: str, other: str, vision: str) -> float:
    return float(np.linalg.norm(seen(one, vision) - seen(other, vision)))


def contrast(one: str, other: str) -> float:
    """As WCAG 2 has it."""
    lights = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def page_of(theme: ChartTheme) -> str:
    """The page's background, as the app's settings have it."""
    settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["theme"]
    name = "light" if theme is LIGHT else "dark"
    background: str = settings[name].get("backgroundColor", "#ffffff")
    return background


@VISION
@THEMES
def test_a_b_undecided_and_the_other_colours_of_charts_are_told_apart(
    theme: ChartTheme, vision: str
) -> None:
    for pair in combinations(("a", "b", "quiet", "ink", "alert"), 2):
        one, other = (getattr(theme, name) for name in pair)
        assert difference(one, other, vision) >= LEAST_DIFFERENCE, pair


@THEMES
def test_marks_text_and_frames_stand_out_from_the_page(theme: ChartTheme) -> None:
    assert theme.page == page_of(theme)
    for name in ("ink", "quiet", "a", "b", "alert"):
        least = 4.5 if name in ("ink", "quiet", "a", "b") else LEAST_CONTRAST
        assert contrast(getattr(theme, name), theme.page) >= least, name


def test_the_settings_own_colours_of_charts_stand_out_from_the_page() -> None:
    for name in ["light", "dark"]:
        settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["theme"][name]
        background = settings.get("backgroundColor", "#ffffff")
        for colour in settings["chartCategoricalColors"]:
            assert contrast(colour, background) >= LEAST_CONTRAST, colour
