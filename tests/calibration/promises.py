"""What each test promises under a true null hypothesis: P(p <= α) <= α + a margin.

A test that is not here promises α itself.
"""

from collections.abc import Mapping

from tests.calibration.scenarios import MEASURES, OUTCOMES, RATINGS

LEVELS = (0.05, 0.01)

# What may be added to α at each of LEVELS, by number of examples.
Margin = Mapping[int, tuple[float, float]]

_MEANS: dict[str, Margin] = {
    # Takes the variance with n and not n − 1.
    "paired-bootstrap": {50: (0.015, 0.008), 200: (0.010, 0.005), 1000: (0.005, 0.003)},
    # Takes its shape from many examples, as mid-p and χ² do.
    "paired-t": {50: (0.010, 0.005), 200: (0.005, 0.003), 1000: (0.005, 0.003)},
    "mcnemar-mid-p": {50: (0.005, 0.003), 200: (0.005, 0.003), 1000: (0.005, 0.003)},
    "mcnemar-chi2": {50: (0.010, 0.005), 200: (0.005, 0.003), 1000: (0.005, 0.003)},
}
_SUMS: dict[str, Margin] = {"paired-bootstrap": {50: (0.020, 0.010), 200: (0.010, 0.005)}}
_CORRELATIONS: dict[str, Margin] = {
    "paired-bootstrap": {50: (0.020, 0.010)},
    "approximate-randomization": {50: (0.010, 0.005)},
    **{test: {50: (0.010, 0.005)} for test in ("williams", "steiger", "meng")},
}
# A correlation of midranks varies more than Pearson's, for which the formulas are.
_RANK_CORRELATIONS: dict[str, Margin] = {
    **_CORRELATIONS,
    **{test: {50: (0.020, 0.010)} for test in ("williams", "steiger", "meng")},
}

# The module whose docstring states a margin, by kind of scores and test.
_MODULES = {
    "paired-bootstrap": "bootstrap",
    "paired-t": "paired_tests",
    "mcnemar-mid-p": "counting",
    "mcnemar-chi2": "counting",
}


def margins(kind: str) -> Mapping[str, Margin]:
    """By test, for one of `KINDS`."""
    if kind in (OUTCOMES, RATINGS, MEASURES):
        return _MEANS
    return {"pearson": _CORRELATIONS, "spearman": _RANK_CORRELATIONS}.get(kind, _SUMS)


def promised(test: str, kind: str, n: int, level: float) -> float:
    """α and the margin."""
    return level + margins(kind).get(test, {n: (0.0, 0.0)})[n][LEVELS.index(level)]


def stated_in(test: str, kind: str) -> str:
    """The module of `core.significance` whose docstring states the margin."""
    if kind in (OUTCOMES, RATINGS, MEASURES):
        return _MODULES[test]
    if kind in ("pearson", "spearman"):
        return "correlation"
    return _MODULES[test]


def as_stated(margin: Margin) -> str:
    """A margin in words: "at most .015 (.008) for n = 50, .010 (.005) for n = 200"."""
    return "at most " + ", ".join(
        f"{first:.3f} ({second:.3f}) for n = {n:,}".replace("0.", ".")
        for n, (first, second) in margin.items()
    )
