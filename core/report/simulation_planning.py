"""Sentences and tables for planning: how often a claim would be made, and with how many datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..replicability.combinations import combination_named, combination_names
from ..replicability.counting import chance_of_a_false_win
from ..replicability.procedures import procedure_named
from ..simulation import (
    DatasetsNeeded,
    IdentificationSimulation,
    OverClaimCurve,
    PowerCurve,
    PowerPoint,
    estimator_names,
)
from .formatting import format_level, format_p_value, format_percent
from .simulation_results import PROMISES, how_often, percent
from .simulations import estimator_name, interval_text, joined

if TYPE_CHECKING:
    import pandas as pd

STOPPED = "Stopped before the end: what is shown is what was done."


def names_sentence(names: IdentificationSimulation) -> str:
    """State which procedures kept their promise about names."""
    broken = [
        _in_a_sentence(name)
        for name, found in names.summaries.items()
        if found.position == "above" and name not in names.proved
    ]
    studies = f"In {names.n_repetitions:,} studies"
    if not names.complete:
        studies += f" (stopped; {names.n_asked:,} were asked for)"
    if len(names.proved) == len(names.summaries):
        return (
            f"{studies}, every procedure keeps its promise about false positives, as theory says."
        )
    if not broken:
        return f"{studies}, no procedure is shown to break its promise about names."
    verb = "does" if len(broken) == 1 else "do"
    listed = joined(broken)
    others = ""
    if len(broken) + len(names.proved) == len(names.summaries):
        others = "; the others keep it, as theory says"
    return f"{studies}, {listed} {verb} not keep the promise about false positives{others}."


def _in_a_sentence(procedure: str) -> str:
    title = procedure_named(procedure).title
    return f"the {title}" if title[:1].islower() else title


def names_table(names: IdentificationSimulation) -> pd.DataFrame:
    """A row for each procedure: how often a name is wrong, and how many right ones are found."""
    import pandas as pd

    level = format_level(names.alpha)
    rows = []
    for procedure, found in names.summaries.items():
        each_list = procedure_named(procedure).bounds_each_list
        bounded = "any wrong name" if each_list else "share of wrong names"
        row = {
            "procedure": _procedure(procedure),
            f"promises ≤ {level} for": bounded,
            "promise": "proved" if procedure in names.proved else PROMISES[found.position],
            "any wrong name": format_p_value(found.family_wise_error.rate),
            "share of wrong names": format_p_value(found.false_discovery_proportion.value),
        }
        if found.power is not None:
            row["finds, of those truly better"] = percent(found.power.value)
        row["names, on average"] = f"{found.mean_named.value:.3g}"
        row["any wrong name: 95% interval"] = interval_text(
            found.family_wise_error.confidence_interval
        )
        row["share of wrong names: 95% interval"] = interval_text(
            found.false_discovery_proportion.confidence_interval
        )
        rows.append(row)
    return pd.DataFrame(rows)


NAMES_WORDS = (
    "Any wrong name: the share of studies that name at least one dataset on which A is not better "
    "(family-wise error). Share of wrong names: among the named ones, averaged over studies, 0 "
    "where nothing is named (false discovery rate)."
)


def over_claims_sentence(curve: OverClaimCurve) -> str:
    """State how the chance of at least one wrong win grows with the number of datasets."""
    first, last = curve.points[0], curve.points[-1]
    dependence = "independent" if curve.rho == 0.0 else f"dependent (ρ = {curve.rho:g})"
    stopped = "" if curve.complete else f" (stopped; {curve.n_asked:,} were asked for)"
    of_all = (
        "one dataset"
        if last.n_datasets == 1
        else f"at least one of {last.n_datasets:,} {dependence} datasets"
    )
    few = "one dataset" if first.n_datasets == 1 else f"{first.n_datasets:,} datasets"
    usual = chance_of_a_false_win(last.n_datasets, alpha=curve.alpha, two_sided=True)
    theory = (
        f"; in theory {percent(last.theory)}, and {percent(usual)} for two-sided "
        f"p ≤ {format_level(curve.alpha)} with A ahead"
        if curve.rho == 0.0
        else ""
    )
    return (
        f"Where A and B are equally good, {of_all} has a one-sided p ≤ {format_level(curve.alpha)} in {how_often(last.simulated)} of "
        f"{curve.n_repetitions:,} simulated studies{stopped}{theory}; with {few} it is "
        f"{how_often(first.simulated)}."
    )


def over_claims_table(curve: OverClaimCurve) -> pd.DataFrame:
    """A row for each number of datasets."""
    import pandas as pd

    rows = []
    for point in curve.points:
        rows.append(
            {
                "N": point.n_datasets,
                "simulated": format_p_value(point.simulated.rate),
                "95% interval": interval_text(point.simulated.confidence_interval),
                "theory, independent": format_p_value(point.theory),
            }
        )
    return pd.DataFrame(rows)


def power_sentence(curve: PowerCurve, *, quantity: str, target: float) -> str:
    """State from where on each count makes the claim often enough."""
    points = curve.true_points
    stopped = "" if curve.complete else f" {STOPPED}"
    if not points:
        return (
            "At no point of the curve is the claim true, as A is better on fewer datasets: making "
            f"it would be an error, not power.{stopped}"
        )
    claims = sorted({point.at_least for point in points})
    claim = f"{claims[0]}" if len(claims) == 1 else f"{claims[0]} to {claims[-1]}"
    parts = []
    for name in combination_names():
        enough = [point.power[name].rate >= target for point in points]
        # From there on, to the end of the curve.
        first = next((i for i in range(len(points)) if all(enough[i:])), None)
        by = f"by {combination_named(name).title}{_caution(name in curve.proved)}"
        if first is None:
            parts.append(f"{by} not up to {points[-1].value:g}, with {_last(points[-1], name)}")
        else:
            parts.append(f"{by} from {points[first].value:g} on")
    text = (
        f"“On at least {claim}” is claimed in at least {format_percent(target)} of "
        f"{curve.n_repetitions:,} simulated studies, of the points drawn ({quantity}): "
        f"{joined(parts)}."
    )
    n_wrong = len(curve.points) - len(points)
    if n_wrong:
        points_are = "point is" if n_wrong == 1 else "points are"
        text += (
            f" {n_wrong} {points_are} left out, where A is better on fewer datasets: making the "
            "claim there is an error, not power."
        )
    return text + stopped


def _last(point: PowerPoint, name: str) -> str:
    return f"{how_often(point.power[name])} there"


def _caution(guaranteed: bool) -> str:
    return "" if guaranteed else " (no guarantee here)"


def power_table(curve: PowerCurve, *, quantity: str) -> pd.DataFrame:
    """A row for each point: what is claimed, whether that is true, and how often by each count."""
    import pandas as pd

    rows = []
    for point in curve.points:
        row: dict[str, object] = {
            quantity: f"{point.value:g}",
            "datasets": point.n_datasets,
            "A better on": point.k,
            "claim: at least": point.at_least,
            "claim is": "true" if point.is_true else "wrong",
        }
        rates = {
            estimator_name(name, alpha=curve.alpha): point.power[name] for name in estimator_names()
        }
        row |= {label: format_p_value(rate.rate) for label, rate in rates.items()}
        row |= {
            f"{label}, 95%": interval_text(rate.confidence_interval)
            for label, rate in rates.items()
        }
        rows.append(row)
    return pd.DataFrame(rows)


def needed_sentence(needed: DatasetsNeeded) -> str:
    """State how many datasets the claim takes, with what simulation leaves open."""
    name = estimator_name(needed.estimator, alpha=needed.alpha) + _caution(needed.guaranteed)
    claim = (
        f"“on at least {needed.at_least}” is claimed by {name} in at least "
        f"{format_percent(needed.power)} of studies"
    )
    if needed.least is None:
        return (
            f"Up to {needed.most:,} datasets A is better on fewer than {needed.at_least}: the claim "
            "would be wrong. A larger share of datasets with an effect, or a smaller claim, makes "
            "it true."
        )
    if not needed.complete:
        return f"The search was stopped before it found with how many datasets {claim}."
    if needed.n_datasets is None:
        largest = max(needed.tried)
        return (
            f"Up to {needed.most:,} datasets do not suffice: with {largest:,} the claim is made in "
            f"{how_often(needed.tried[largest])} of studies. A larger effect, a larger share of "
            "datasets with one, or a smaller claim would help."
        )
    first = needed.n_datasets
    if needed.lasting == first:
        text = f"From {first:,} {_datasets(first)} on, {claim}."
    else:
        text = f"{first:,} {_datasets(first)} are the first with which {claim}; "
        text += (
            f"from {needed.lasting:,} on it is so with every number"
            if needed.lasting is not None
            else f"not with every larger number up to {needed.most:,}"
        )
        text += (
            ". Between, a dataset more may be one without an effect, as the share is rounded to "
            "whole datasets."
        )
    return f"{text} {_left_open(needed)}"


def _datasets(n: int) -> str:
    return "dataset" if n == 1 else "datasets"


def _left_open(needed: DatasetsNeeded) -> str:
    """What the intervals of the numbers tried leave of the first one."""
    on = f"{needed.n_repetitions:,} studies for each number tried, 95% intervals"
    if needed.low is not None and needed.low == needed.high:
        return f"Simulation leaves no other number as the first ({on})."
    low = "fewer" if needed.low is None else f"{needed.low:,}"
    high = f"more than {needed.most:,}" if needed.high is None else f"{needed.high:,}"
    return f"Simulation leaves the first between {low} and {high} ({on})."


def needed_table(needed: DatasetsNeeded) -> pd.DataFrame:
    """A row for each number of datasets that was tried."""
    import pandas as pd

    rows = []
    for n, rate in needed.tried.items():
        rows.append(
            {
                "datasets": n,
                "power": format_p_value(rate.rate),
                "95% interval": interval_text(rate.confidence_interval),
            }
        )
    return pd.DataFrame(rows)


def _procedure(name: str) -> str:
    label = procedure_named(name).title
    return label[:1].upper() + label[1:]
