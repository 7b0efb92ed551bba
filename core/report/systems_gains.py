"""Sentences and tables about gains: how large one is usually enough, and with how many examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from core.report.formatting import display_name, minus
from core.systems.gain_confidence import ALL, DIFFERENT, OF_SEVERAL_SIZES, SAME
from core.systems.threshold import FEWEST_PAIRS, Threshold
from core.systems.threshold_curve import ThresholdAtSize, ThresholdCurve

if TYPE_CHECKING:
    import pandas as pd

WHAT_POINTS_ARE = (
    "A point is a pair: how far the one that is ahead is ahead, and how sure its p-value makes that. "
    "The gain that is usually enough is the 95th percentile of the gains of pairs with "
    ".04 < p < .06. Its interval draws systems anew, not pairs, which share systems."
)
NOT_A_TEST = (
    "A gain that is usually enough replaces no test: it belongs to these systems and this test set."
)
PRINTED_SOURCE = (
    "Printed by Berg-Kirkpatrick, Burkett and Klein (2012), for comparison: the gain at which p < .05 "
    "becomes usual. Different models need larger gains than variants of one model."
)
SIZES_PRINTED = (
    "Berg-Kirkpatrick et al. (2012) print, for parsing the Brown corpus, a gain of 3.00 F1 with 100 "
    "sentences and .22 with all 24,000."
)
SELECTION_NAMES = {"initial": "first examples", "random": "random subsets"}
_PRINTED = (
    ("summarization, TAC 2008", "ROUGE", "1.10", "–"),
    ("dependency parsing", "UAS", "1.20", "1.51"),
    ("machine translation", "BLEU", ".28", ".37"),
    ("word alignment", "AER", ".50", "1.12"),
    ("constituency parsing", "F1", ".47", ".57"),
)
_OF_CLASS = {
    ALL: "",
    SAME: " between systems of the same group",
    DIFFERENT: " between systems of different groups",
}


def number(value: float) -> str:
    """Three significant digits."""
    return minus(f"{value:.3g}")


def thresholds_sentence(
    found: Mapping[str, Threshold], *, metric: str, dataset: str | None = None
) -> str:
    """The gain that is usually enough in each class; or that there is none, and why."""
    where = "" if dataset is None else f"On {display_name(dataset)} "
    known = [(name, own) for name, own in found.items() if own.value is not None]
    if not known:
        mixed = _reason_of_sizes(found)
        if mixed:
            return f"{where}no rule of thumb is to be had: {mixed[:1].lower()}{mixed[1:]}".replace(
                "no", "No", 1
            )
        text = (
            f"{where}no rule of thumb is to be had: it needs at least {FEWEST_PAIRS} {_word(found.values())} with p around "
            f".05, and there {_are([own.n_pairs for own in found.values()], list(found))}."
        )
        return text[:1].upper() + text[1:]
    clauses = []
    for name, own in known:
        assert own.value is not None
        within = ""
        if own.interval is not None:
            within = f", interval {number(own.interval[0])} to {number(own.interval[1])}"
        clauses.append(f"{number(own.value)}{_class(name)} ({_cases(own)}{within})")
    text = (
        f"{where}a gain in {display_name(metric)} is usually enough for p < .05 from "
        f"{_joined(clauses)} on."
    )
    missing = [name for name in found if name not in dict(known)]
    if missing:
        text += f" Too few {_word(found.values())} lie around p = .05{_class(missing[0])} to say."
    return text[:1].upper() + text[1:]


def _reason_of_sizes(found: Mapping[str, Threshold]) -> str:
    """Why there is none although pairs are many enough."""
    reasons = {own.reason for own in found.values()}
    return next(iter(reasons)) if len(reasons) == 1 and OF_SEVERAL_SIZES in min(reasons) else ""


def _word(found: Iterable[Threshold]) -> str:
    """A pair counts again on each dataset or subset where it lies around .05: a case."""
    return "pairs" if all(own.n_pairs == own.n_distinct_pairs for own in found) else "cases"


def _cases(own: Threshold) -> str:
    if own.n_pairs == own.n_distinct_pairs:
        return f"{own.n_pairs:,} pairs"
    return f"{own.n_pairs:,} cases of {own.n_distinct_pairs:,} pairs"


def _class(name: str) -> str:
    return _OF_CLASS.get(name, f" within {display_name(name)}")


def _are(numbers: Sequence[int], classes: Sequence[str]) -> str:
    if len(numbers) == 1:
        return "is one" if numbers[0] == 1 else f"are {numbers[0] or 'none'}"
    return "are " + _joined(
        [f"{n or 'none'}{_class(name)}" for n, name in zip(numbers, classes, strict=True)]
    )


def _joined(clauses: Sequence[str]) -> str:
    if len(clauses) < 2:
        return "".join(clauses)
    return f"{', '.join(clauses[:-1])} and {clauses[-1]}"


def thresholds_frame(found: Mapping[str, Threshold]) -> pd.DataFrame:
    """A row for each class."""
    import pandas as pd

    rows = [
        {
            "pairs": display_name(name),
            "usually enough": "–" if own.value is None else number(own.value),
            "95% interval": "–"
            if own.interval is None
            else f"{number(own.interval[0])} to {number(own.interval[1])}",
            f"{_word(found.values())} around p = .05": own.n_pairs,
            "different pairs": own.n_distinct_pairs,
            "systems in them": own.n_systems,
            "moved by resampling": "–"
            if own.monte_carlo_range is None
            else f"{number(own.monte_carlo_range[0])} to {number(own.monte_carlo_range[1])}",
        }
        for name, own in found.items()
    ]
    frame = pd.DataFrame(rows)
    if (frame["different pairs"] == frame.iloc[:, 3]).all():
        frame = frame.drop(columns="different pairs")
    if (frame["moved by resampling"] == "–").all():
        frame = frame.drop(columns="moved by resampling")
    return frame


def warnings_of(found: Mapping[str, Threshold]) -> tuple[str, ...]:
    """Why a threshold is a poor rule of thumb, a sentence each."""
    several = len(found) > 1
    said = []
    for name, own in found.items():
        start = f"{display_name(name)[:1].upper()}{display_name(name)[1:]}: " if several else ""
        said += [f"{start}{one}" for one in own.warnings]
    return tuple(said)


def printed_frame() -> pd.DataFrame:
    """The paper's thresholds, as printed."""
    import pandas as pd

    return pd.DataFrame(
        list(_PRINTED), columns=["task", "metric", "same base model", "different models"]
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
    of_class = _class(pair_class).strip()
    start = f"{of_class[:1].upper()}{of_class[1:]} a" if of_class else "A"
    text = (
        f"{start} gain in {display_name(curve.metric)} of {_value(first)} is usually enough with "
        f"{first.size:,} examples of {display_name(curve.dataset)}"
    )
    if last.size != first.size:
        text += f", one of {_value(last)} with {last.size:,}"
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

    lines = {(fit.selection, fit.pair_class): fit for fit in curve.fits}
    rows = []
    for point in curve.points:
        own, fit = point.threshold, lines.get((point.selection, point.pair_class))
        rows.append(
            {
                "examples": point.size,
                "drawn": SELECTION_NAMES[point.selection],
                "pairs": display_name(point.pair_class),
                "usually enough": "–" if own.value is None else number(own.value),
                "95% interval": "–"
                if own.interval is None
                else f"{number(own.interval[0])} to {number(own.interval[1])}",
                "c/√n": "–" if fit is None else number(fit.at(point.size)),
                "cases around p = .05": own.n_pairs,
                "different pairs": own.n_distinct_pairs,
            }
        )
    return pd.DataFrame(rows)
