"""Sentences and tables for planning: how often a claim would be made, and with how many datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.report.formatting import format_level, format_p_value, format_percent
from core.report.sentences import COMBINATION_NAMES, PROCEDURE_NAMES
from core.report.simulation_results import PROMISES, how_often, percent
from core.report.simulations import estimator_name
from core.simulation import (
    ESTIMATORS,
    DatasetsNeeded,
    IdentificationSimulation,
    OverClaimCurve,
    PowerCurve,
)
from core.simulation.identification import OF_FALSE_DISCOVERY
from core.types import COMBINATIONS

if TYPE_CHECKING:
    import pandas as pd

STOPPED = "Stopped before the end: what is shown is what was done."


def names_sentence(names: IdentificationSimulation) -> str:
    """State which procedures kept their promise about names."""
    broken = [
        "the closed Fisher test" if name == "fisher-closed" else PROCEDURE_NAMES[name]
        for name, found in names.summaries.items()
        if found.position == "above" and name not in names.proved
    ]
    studies = f"In {names.n_repetitions:,} studies"
    if not names.complete:
        studies += f" (stopped; {names.n_asked:,} were asked for)"
    if len(names.proved) == len(names.summaries):
        return f"{studies}, every procedure keeps its promise about names, as is proved."
    if not broken:
        return f"{studies}, no procedure is shown to break its promise about names."
    verb = "does" if len(broken) == 1 else "do"
    listed = broken[0] if len(broken) == 1 else f"{', '.join(broken[:-1])} and {broken[-1]}"
    others = ""
    if len(broken) + len(names.proved) == len(names.summaries):
        others = "; the others keep it, as is proved"
    return f"{studies}, {listed} {verb} not keep the promise about wrong names{others}."


def names_table(names: IdentificationSimulation) -> pd.DataFrame:
    """A row for each procedure: how often a name is wrong, and how many right ones are found."""
    import pandas as pd

    level = format_level(names.alpha)
    rows = []
    for procedure, found in names.summaries.items():
        low, high = found.family_wise_error.confidence_interval
        false_low, false_high = found.false_discovery_proportion.confidence_interval
        bounded = "share of wrong names" if procedure in OF_FALSE_DISCOVERY else "any wrong name"
        row = {
            "procedure": _procedure(procedure),
            f"promises ≤ {level} for": bounded,
            "promise": "proved" if procedure in names.proved else PROMISES[found.position],
            "any wrong name": format_p_value(found.family_wise_error.rate),
            "its 95% interval": f"{format_p_value(low)} to {format_p_value(high)}",
            "share of wrong names": format_p_value(found.false_discovery_proportion.value),
            "the share's 95% interval": (
                f"{format_p_value(false_low)} to {format_p_value(false_high)}"
            ),
        }
        if found.power is not None:
            row["finds, of those truly better"] = percent(found.power.value)
        row["names, on average"] = f"{found.mean_named.value:.3g}"
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
    theory = f"; in theory {percent(last.theory)}" if curve.rho == 0.0 else ""
    return (
        f"Where A and B are equally good, {of_all} has p ≤ {format_level(curve.alpha)} in {how_often(last.simulated)} of "
        f"{curve.n_repetitions:,} simulated studies{stopped}{theory}; with {few} it is "
        f"{how_often(first.simulated)}."
    )


def over_claims_table(curve: OverClaimCurve) -> pd.DataFrame:
    """A row for each number of datasets."""
    import pandas as pd

    rows = []
    for point in curve.points:
        low, high = point.simulated.confidence_interval
        rows.append(
            {
                "N": point.n_datasets,
                "simulated": format_p_value(point.simulated.rate),
                "95% interval": f"{format_p_value(low)} to {format_p_value(high)}",
                "theory, independent": format_p_value(point.theory),
            }
        )
    return pd.DataFrame(rows)


def power_sentence(curve: PowerCurve, *, quantity: str) -> str:
    """State how often the claim is made at the last point of a curve."""
    point = curve.points[-1]
    made = [
        f"by {COMBINATION_NAMES[name]} in {how_often(point.power[name])}" for name in COMBINATIONS
    ]
    datasets = "dataset" if point.n_datasets == 1 else "datasets"
    text = (
        f"At the last point of the curve ({quantity}: {point.value:g}), with A truly better on "
        f"{point.k} of {point.n_datasets} {datasets}, “on at least {point.at_least}” is claimed "
        f"{', '.join(made[:-1])} and {made[-1]} of {curve.n_repetitions:,} simulated studies."
    )
    return text if curve.complete else f"{text} {STOPPED}"


def power_table(curve: PowerCurve, *, quantity: str) -> pd.DataFrame:
    """A row for each point: what is claimed, and how often by each count."""
    import pandas as pd

    rows = []
    for point in curve.points:
        row: dict[str, object] = {
            quantity: f"{point.value:g}",
            "datasets": point.n_datasets,
            "A better on": point.k,
            "claim: at least": point.at_least,
        }
        for name in ESTIMATORS:
            label = estimator_name(name, alpha=curve.alpha)
            low, high = point.power[name].confidence_interval
            row[label] = format_p_value(point.power[name].rate)
            row[f"{label}, 95%"] = f"{format_p_value(low)} to {format_p_value(high)}"
        rows.append(row)
    return pd.DataFrame(rows)


def needed_sentence(needed: DatasetsNeeded) -> str:
    """State how many datasets the claim takes, with what simulation leaves open."""
    name = estimator_name(needed.estimator, alpha=needed.alpha)
    claim = (
        f"“on at least {needed.at_least}” is claimed by {name} in at least "
        f"{format_percent(needed.power)} of studies"
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
    datasets = "dataset" if needed.n_datasets == 1 else "datasets"
    low = "fewer" if needed.low is None else f"{needed.low:,}"
    high = f"more than {needed.most:,}" if needed.high is None else f"{needed.high:,}"
    return (
        f"With {needed.n_datasets:,} {datasets} or more, {claim}. Simulation leaves it between {low} "
        f"and {high} ({needed.n_repetitions:,} studies for each number tried, 95% intervals)."
    )


def needed_table(needed: DatasetsNeeded) -> pd.DataFrame:
    """A row for each number of datasets that was tried."""
    import pandas as pd

    rows = []
    for n, rate in needed.tried.items():
        low, high = rate.confidence_interval
        rows.append(
            {
                "datasets": n,
                "power": format_p_value(rate.rate),
                "95% interval": f"{format_p_value(low)} to {format_p_value(high)}",
            }
        )
    return pd.DataFrame(rows)


def _procedure(name: str) -> str:
    label = PROCEDURE_NAMES[name]
    return label[:1].upper() + label[1:]
