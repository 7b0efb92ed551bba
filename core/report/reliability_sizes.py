"""What more or fewer examples do to p-values, in words, with a power that nobody observed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..reliability.power import (
    ExamplesNeeded,
    ExpectedShares,
    examples_needed,
    tests_of_known_power,
)
from ..reliability.sample_size import DatasetSubsamples, SubsampleStudy
from ..reliability.subsamples import SubsamplePoint
from ..significance.known_tests import significance_test_named
from .formatting import (
    display_name,
    format_level,
    format_p_value,
    format_percent,
    format_share,
    list_names,
    p_value_clause,
)
from .reliability_choices import n_datasets

if TYPE_CHECKING:
    import pandas as pd

USUAL_POWER = 0.8
MARK_MEANINGS = {
    "vanishes": "does not last",
    "fragile": "needs nearly all",
    "": "–",
}
WHAT_MARKS_MEAN = (
    "“Does not last”: the whole has p > {level}, yet of the random parts of some size at least "
    "twice as many as chance gives have p ≤ {level}, so that whoever stopped there would often "
    "have reported it. It is no test: with 100 parts of each size at α = .05 about 15% of datasets "
    "with two equal systems bear this mark. “Needs nearly all”: the whole has p ≤ {level}, but fewer than half of its "
    "largest parts do."
)
WHAT_THE_CURVE_IS = (
    "Parts share examples with the whole, so the share of them with p ≤ {level} follows the "
    "whole's own p-value, whatever the truth is: the dotted line foretells it from that p-value "
    "alone. The curve shows how far a verdict hangs on the size, not how large the effect is."
)
OPTIMISTIC = (
    "State a difference that would matter to you, not the one observed: power at the observed "
    "difference is its p-value told a second time, and a difference that was picked because its "
    "p-value is small is on average too large, so that power computed from it is optimistic."
)
# Søgaard et al. (2014), Table 4: share of random parts with p ≤ .05 by labelled attachment score.
PRINTED_SHARES = (10, 25, 50, 75, 100)
PRINTED = {
    "Emails": (14, 15, 19, 22, 0),
    "Newsgroups": (9, 23, 25, 41, 36),
    "Reviews": (33, 52, 78, 97, 100),
    "Weblogs": (42, 68, 100, 100, 100),
    "WSJ": (28, 27, 60, 80, 100),
}
ABOUT_PRINTED = (
    "Søgaard et al. (2014), Table 4: two parsers, labelled attachment score, per cent of random "
    "parts with p ≤ .05. As printed; the 36% at 100% cannot be of one test of the whole."
)


def sizes_sentence(study: SubsampleStudy) -> str:
    """How many datasets' verdicts hang on their size."""
    n, level = len(study.datasets), format_level(study.alpha)
    whole = f"Taken whole and alone, {len(study.significant)} of {n_datasets(n)} {'has' if n == 1 else 'have'} p ≤ {level}"
    if not study.complete:
        whole = f"Stopped early. {whole}"
    fragile, vanishing = study.marked("fragile"), study.marked("vanishes")
    said = []
    if fragile:
        said.append(f"on {list_names(fragile)} it needs nearly all examples")
    if vanishing:
        said.append(
            f"on {list_names(vanishing)} parts reach it at least twice as often as chance gives, "
            "and the whole does not"
        )
    if not said:
        return f"{whole}; on none does it need nearly all examples."
    return f"{whole}; {'; '.join(said)}."


def dataset_sentence(own: DatasetSubsamples) -> str:
    """One dataset at its sizes."""
    level = format_level(own.alpha)
    parts = [
        f"{point.n_significant:,} of {point.n_subsamples:,} random parts of {_size(own, point)}"
        for point in own.points[:-1]
    ]
    clause = p_value_clause(own.p_value, alpha=own.alpha)
    size = f"{own.n_examples:,} examples"
    if own.unit == "clusters":
        size += f" in {own.n_units:,} clusters"
    # A p-value of few resamples differs from that of the other pages, which draw more.
    drawn = own.full.n_resamples if own.full.method == "monte-carlo" else None
    by = "" if drawn is None else f" (from {drawn:,} resamples)"
    whole = f"the whole, {size}, has {clause}{by}"
    if not parts:
        return f"{display_name(own.dataset)}: {whole}."
    resampled = [
        _size(own, point) for point in own.points[:-1] if point.method == "monte-carlo" and not by
    ]
    estimated = (
        f" The p-values of parts of {list_names(resampled)} are estimated from resamples."
        if resampled
        else ""
    )
    return f"{display_name(own.dataset)}: p ≤ {level} in {', '.join(parts)}; {whole}.{estimated}"


def _size(own: DatasetSubsamples, point: SubsamplePoint) -> str:
    if own.unit == "examples":
        return f"{point.n_examples:,}"
    clusters = "1 cluster" if point.n_units == 1 else f"{point.n_units:,} clusters"
    return f"{clusters} (about {point.n_examples:,} examples)"


def sizes_frame(study: SubsampleStudy) -> pd.DataFrame:
    """A row for each dataset, a column for each size: per cent of parts with p <= alpha."""
    import pandas as pd

    columns: dict[str, list[str]] = {
        "dataset": [display_name(own.dataset) for own in study.datasets],
        "n": [f"{own.n_examples:,}" for own in study.datasets],
    }
    for place, share in enumerate(study.shares[:-1]):
        columns[_percent(share)] = [
            _percent(own.points[place].share_significant) for own in study.datasets
        ]
    columns["p of the whole"] = [
        ("★ " if own.significant else "– ") + _p(own.p_value, own.alpha) for own in study.datasets
    ]
    columns["hangs on size"] = [MARK_MEANINGS[own.mark] for own in study.datasets]
    left = [_left_out(own) for own in study.datasets]
    if any(left):
        columns["note"] = left
    return pd.DataFrame(columns)


def printed_frame() -> pd.DataFrame:
    """Table 4 of Søgaard et al. (2014) as printed."""
    import pandas as pd

    rows = [(name, *(f"{share}%" for share in shares)) for name, shares in PRINTED.items()]
    return pd.DataFrame(rows, columns=["dataset", *(f"{share}%" for share in PRINTED_SHARES)])


class StatedPower(NamedTuple):
    """What a stated difference leads to.

    Attributes
    ----------
    sentence : str
        For a reader; where nothing is known, why.
    expected : ExpectedShares or None
        For the chart.
    """

    sentence: str
    expected: ExpectedShares | None


def power_of_stated(own: DatasetSubsamples, effect: float) -> StatedPower:
    """Power on one dataset at a difference that a person states.

    Parameters
    ----------
    own : DatasetSubsamples
        Gives sizes, test, and how often or how far the systems differ.
    effect : float
        A − B, higher being better.
    """
    reason = _unknown(own, effect)
    if reason:
        return StatedPower(reason, None)
    try:
        expected = own.expected(effect)
        needed = _needed(own, effect)
    except ValueError:
        return StatedPower(
            f"The power of this test ({own.test}) on such scores is not known in closed form.", None
        )
    assert expected.by_effect is not None
    level = format_level(own.alpha)
    spread = (
        f"the systems differ on {format_share(own.disagreement)} of examples, as here"
        if own.binary
        else f"differences spread as here (standard deviation {own.standard_deviation:.4g})"
    )
    sentence = (
        f"If A were truly better by {effect:g} and {spread}, a new test set of "
        f"{own.n_examples:,} examples would have p ≤ {level} with probability "
        f"{format_percent(expected.by_effect[-1])}. {_needed_sentence(needed)}"
    )
    if expected.approximation:
        sentence += f" {expected.approximation[:1].upper()}{expected.approximation[1:]}."
    return StatedPower(sentence, expected)


def _unknown(own: DatasetSubsamples, effect: float) -> str:
    if own.unit == "clusters":
        return (
            "These examples come in clusters: the power depends on how alike a cluster's examples "
            "are, and is not given."
        )
    if effect < 0.0:
        return "State how much better A is than B, above 0; to ask about B, swap the two."
    if own.binary and effect > 1.0:
        return (
            f"These scores are 0 or 1, so that their averages cannot be {effect:g} apart: "
            f"{effect:g} percentage points are written {format_level(effect / 100.0)}."
        )
    if own.binary and effect > own.disagreement:
        return (
            f"The two systems differ on {format_share(own.disagreement)} of these examples only, "
            f"so that their accuracies cannot be {effect:g} apart with as much agreement as here."
        )
    if not own.binary and not own.standard_deviation:
        return "The power is given of scores that are averaged over examples, and these are not."
    if own.test not in tests_of_known_power():
        return f"Nothing is known here of the power of {significance_test_named(own.test).called}."
    return ""


def _needed(own: DatasetSubsamples, effect: float) -> ExamplesNeeded | None:
    if effect <= 0.0:
        return None
    return examples_needed(
        USUAL_POWER,
        effect=effect,
        test=own.test,
        alpha=own.alpha,
        alternative=own.alternative,
        disagreement=own.disagreement if own.binary else None,
        standard_deviation=None if own.binary else own.standard_deviation,
    )


def _needed_sentence(needed: ExamplesNeeded | None) -> str:
    if needed is None:
        return "A difference above 0 has a power worth asking for."
    share = format_percent(needed.power)
    if needed.n_examples is None:
        return f"For {share} more than {needed.most:,} examples would be needed."
    return f"For {share} it would take {needed.n_examples:,} examples."


def _left_out(own: DatasetSubsamples) -> str:
    undefined = _many(own.points, "n_undefined")
    beyond = _many(own.points, "n_out_of_reach")
    said = []
    if undefined:
        said.append(f"{undefined:,} parts without a defined score")
    if beyond:
        said.append(f"{beyond:,} parts beyond the bootstrap's reach")
    return ", ".join(said)


def _many(points: Sequence[SubsamplePoint], name: str) -> int:
    return sum(int(getattr(point, name)) for point in points)


def _p(p_value: float, alpha: float) -> str:
    return format_p_value(p_value, alpha=alpha)


def _percent(share: float) -> str:
    return f"{100.0 * share:.3g}%"
