"""Sentences and tables about gains against the number of examples, and by dataset at one size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..significance.known_tests import is_bootstrap
from ..systems.gain_confidence import ALL
from ..systems.sizes import ThresholdAtSize, ThresholdCurve, selection_named
from ..systems.threshold import FEWEST_PAIRS
from .formatting import display_name, minus
from .systems_gains import ends_of, joined, number, of_class, plural, rests_on
from .testing import title_of_test

if TYPE_CHECKING:
    import pandas as pd

SIZES_PRINTED = (
    "Berg-Kirkpatrick et al. (2012) print, for parsing the Brown corpus, a gain of 3.00 F1 with 100 "
    "sentences and .22 with all 24,000."
)
ALWAYS_BOOTSTRAP = (
    "Here every part is tested by the paired bootstrap, whichever test the matrix above uses ({tests}): "
    "so the numbers need not be those of the whole dataset there."
)


def sizes_sentence(curve: ThresholdCurve) -> str:
    """The gain that is usually enough at the smallest and the largest size, and how it falls."""
    known = [point for point in curve.points if point.threshold.value is not None]
    if not known:
        return (
            f"On {display_name(curve.dataset)} no size has enough pairs around p = .05 for a rule of "
            "thumb: with more systems there would be more pairs."
        )
    pair_class = known[-1].pair_class
    selection = known[0].selection
    own = [p for p in known if p.pair_class == pair_class]
    random = [p for p in own if p.selection == "random"]
    own = random or own
    selection = own[0].selection
    first, last = own[0], own[-1]
    subject = of_class(pair_class).strip()
    start = f"{subject[:1].upper()}{subject[1:]} a" if subject else "A"
    text = (
        f"{start} gain in {display_name(curve.metric)} of {_value(first)} is usually enough with "
        f"{first.size:,} examples of {display_name(curve.dataset)} ({rests_on(first.threshold)})"
    )
    if last.size != first.size:
        text += f", one of {_value(last)} with {last.size:,} ({rests_on(last.threshold)})"
    text += "."
    fit = next(
        (f for f in curve.fits if (f.selection, f.pair_class) == (selection, pair_class)), None
    )
    if fit is not None and fit.slope is not None and fit.n_sizes > 2:
        text += (
            " Where it falls as 1/√n, four times the examples halve it; here the slope on log axes "
            f"is {minus(f'{fit.slope:.2f}')} (1/√n has −0.50)."
        )
    return text


def _value(point: ThresholdAtSize) -> str:
    assert point.threshold.value is not None
    return number(point.threshold.value)


def sizes_frame(curve: ThresholdCurve) -> pd.DataFrame:
    """A row for each size, selection and class."""
    import pandas as pd

    rows = []
    for point in curve.rows:
        own, fit = point.threshold, curve.fit_of(point)
        rows.append(
            {
                "examples": point.size,
                "drawn": "all examples" if point.whole else selection_named(point.selection).title,
                "pairs": display_name(point.pair_class),
                "usually enough": "–" if own.value is None else number(own.value),
                "95% interval": ends_of(own),
                "c/√n": "–" if fit is None else number(fit.at(point.size)),
                "cases around p = .05": own.n_pairs,
                "different pairs": own.n_distinct_pairs,
            }
        )
    return pd.DataFrame(rows)


def of_bootstrap(tests: Sequence[str]) -> str:
    """That parts are tested by the paired bootstrap, where other tests were chosen; else ''."""
    others = [name for name in dict.fromkeys(tests) if not is_bootstrap(name)]
    if not others:
        return ""
    return ALWAYS_BOOTSTRAP.format(tests=joined([title_of_test(name) for name in others]))


def one_size_sentence(curves: Sequence[ThresholdCurve], size: int) -> str:
    """At one size on every dataset: from which to which gain is usually enough."""
    points = [(curve.dataset, point) for curve in curves for point in curve.points]
    known = [(name, p, p.threshold.value) for name, p in points if p.threshold.value is not None]
    sets = len(curves)
    where = f"With {size:,} examples of each of {sets} datasets"
    if sets == 1:
        where = f"With {size:,} examples of {display_name(curves[0].dataset)}"
    if not known:
        return (
            f"{where} no rule of thumb is to be had: nowhere do {FEWEST_PAIRS} different pairs lie "
            "around p = .05."
        )
    low, high = min(known, key=lambda one: one[2]), max(known, key=lambda one: one[2])
    least, most = (
        f"{number(value)} ({display_name(name)}{_class_after(point.pair_class)}; "
        f"{rests_on(point.threshold)})"
        for name, point, value in (low, high)
    )
    metric = display_name(curves[0].metric)
    text = f"{where} a gain in {metric} is usually enough for p < .05 from {least}"
    text += " on." if low is high else f" to {most} on, by dataset."
    without = sets - len({name for name, _, _ in known})
    if without:
        text += f" On {plural(without, 'dataset').lower()} too few pairs lie there to say."
    return text


def _class_after(name: str) -> str:
    return "" if name == ALL else f",{of_class(name)}"


def one_size_frame(curves: Sequence[ThresholdCurve], n_examples: Mapping[str, int]) -> pd.DataFrame:
    """A row for each dataset and class of pairs, all at one size."""
    import pandas as pd

    rows = [
        {
            "dataset": curve.dataset,
            "examples there": n_examples[curve.dataset],
            "tested": point.size,
            "pairs": display_name(point.pair_class),
            "usually enough": point.threshold.value,
            "interval from": None if own.interval is None else own.interval[0],
            "to": None if own.interval is None else own.interval[1],
            "cases around p = .05": own.n_pairs,
            "different pairs": own.n_distinct_pairs,
            "why there is none": own.reason,
        }
        for curve in curves
        for point in curve.points
        for own in (point.threshold,)
    ]
    frame = pd.DataFrame(rows)
    if (frame["pairs"] == ALL).all():
        frame = frame.drop(columns="pairs")
    if not frame["why there is none"].any():
        frame = frame.drop(columns="why there is none")
    return frame
