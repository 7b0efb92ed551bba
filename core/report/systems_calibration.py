"""Sentences and tables about whether a sign found with p around .05 holds elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..systems.calibration import AcrossCalibration, AcrossRow, IidCalibration
from .formatting import display_name, format_level, format_share

if TYPE_CHECKING:
    import pandas as pd

IID_MEANING = (
    "One large dataset is taken for the truth, and test sets are drawn from it again and again. Of "
    "the pairs that come out with p around .05, how many have the system ahead that is ahead on the "
    "whole? That is the promise of a p-value under the best of conditions: new examples of the same "
    "kind."
)
ACROSS_MEANING = (
    "A pair that is ahead on one dataset, by the p-value there: in how many cases is the same system "
    "ahead on another dataset? The examples are then not of the same kind, and no p-value promises it."
)
PRINTED_TITLE = (
    "Printed by Berg-Kirkpatrick et al. (2012), table 1: p on section 23 of the Wall Street Journal, "
    "and the share of pairs of parsers whose sign holds. With test sets drawn from one corpus, 92% of "
    "942 tests with .04 < p < .06 agree with the whole."
)
# Of fewer cases a per cent is more exact than they are.
_FEW = 20
_PRINTED = (
    (0.00125, 0.0025, 97, 95, 73),
    (0.0025, 0.005, 92, 92, 60),
    (0.005, 0.01, 92, 85, 56),
    (0.01, 0.02, 88, 92, 54),
    (0.02, 0.04, 87, 78, 51),
    (0.04, 0.08, 83, 74, 48),
)


def iid_sentence(found: IidCalibration) -> str:
    """Of tests with p around .05, how many agree with the whole dataset on who is ahead."""
    own = found.agreeing
    band = f"{format_level(found.low)} < p < {format_level(found.high)}"
    sets = f"{found.n_draws:,} test sets of {found.size:,} examples"
    if own.share is None:
        return (
            f"In {sets} of {display_name(found.dataset)} no pair has {band}: draw more test sets, or "
            "of another size."
        )
    within = "no interval"
    if found.interval is not None:
        low, high = found.interval
        within = f"95% interval {format_share(low)} to {format_share(high)}"
    held = f"{own.n_held:,}" if own.n < _FEW else format_share(own.share)
    return (
        f"Of {own.n:,} tests with {band} in {sets} of {display_name(found.dataset)}, "
        f"{held} have the system ahead that is ahead on all its examples "
        f"({within}; {found.n_pairs:,} different pairs)."
    )


def across_sentence(found: AcrossCalibration) -> str:
    """Of pairs with the largest and the smallest p, how many keep their sign on the others."""
    rows = [row for row in _bins(found) if row[2]]
    start = "" if found.complete else "So far: "
    source = display_name(found.source)
    if not rows:
        return f"{start}On {source} no pair has a p-value in these bins."
    clauses = [
        f"{_share(held, n, 'cases')} with {bin_label(low, high)}"
        for low, high, n, held in dict.fromkeys((rows[0], rows[-1]))
    ]
    others = len(found.targets)
    return (
        f"{start}Of pairs of which one system is ahead on {source}, the same system is ahead on "
        f"{'the other dataset' if others == 1 else f'another of {others} datasets'} in "
        f"{' and in '.join(clauses)}."
    )


def across_frame(found: AcrossCalibration) -> pd.DataFrame:
    """A row for each bin: pairs, the share over all other datasets, and of each."""
    import pandas as pd

    rows = []
    for low, high, n, held in _bins(found):
        own: dict[str, object] = {"p on the first": bin_label(low, high)}
        of_bin = [row for row in found.rows if (row.low, row.high) == (low, high)]
        own["pairs"] = of_bin[0].held.n
        # Without an interval: a pair is in it once for each other dataset.
        own["all others"] = _percent(held, n)
        for row in of_bin:
            own[_heading(own, row)] = _percent(row.held.n_held, row.held.n)
        rows.append(own)
    return pd.DataFrame(rows)


def _heading(taken: dict[str, object], row: AcrossRow) -> str:
    heading = row.target
    while heading in taken:
        heading += "\u200b"
    return heading


def _percent(held: int, n: int) -> str:
    if not n:
        return "–"
    return f"{held:,} of {n:,}" if n < _FEW else format_share(held / n)


def _share(held: int, n: int, what: str) -> str:
    if n < _FEW:
        return f"{held:,} of {n:,} {what}"
    return f"{format_share(held / n)} of {n:,} {what}"


def _bins(found: AcrossCalibration) -> list[tuple[float, float, int, int]]:
    """Each bin with its cases and those that held, over all targets."""
    bins: dict[tuple[float, float], tuple[int, int]] = {}
    for row in found.rows:
        n, held = bins.get((row.low, row.high), (0, 0))
        bins[row.low, row.high] = (n + row.held.n, held + row.held.n_held)
    return [(low, high, n, held) for (low, high), (n, held) in bins.items()]


def bin_label(low: float, high: float) -> str:
    """A bin that holds its lower end: ".02 ≤ p < .04"."""
    return f"{format_level(low)} ≤ p < {format_level(high)}"


def printed_frame() -> pd.DataFrame:
    """The paper's table 1."""
    import pandas as pd

    return pd.DataFrame(
        [(bin_label(low, high), f"{a}%", f"{b}%", f"{c}%") for low, high, a, b, c in _PRINTED],
        columns=["p on section 23", "section 22", "section 24", "Brown"],
    )
