"""Tables about simulated studies: how often each count claims too many, and how much it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..simulation import (
    DatasetsNeeded,
    IdentificationSimulation,
    OverClaimCurve,
    OvercountRate,
    PowerCurve,
    Preset,
    Rate,
    Simulation,
    estimator_names,
)
from .formatting import format_level, format_p_value
from .simulation_results import PROMISES, share_text
from .simulations import estimator_name, interval_text

if TYPE_CHECKING:
    import pandas as pd

# Where a table has nothing to say.
NOTHING = "–"


def promise_table(simulation: Simulation) -> pd.DataFrame:
    """A row for each count: how often it exceeded the truth, and, where that can be, by two."""
    import pandas as pd

    k, all_better = simulation.k, simulation.k == simulation.n_datasets
    rows = []
    for name in estimator_names():
        rate = simulation.overcount(name)
        shown = share_text(rate.rate, level=rate.alpha)
        interval = interval_text(rate.confidence_interval, level=rate.alpha)
        row = {
            "count by": estimator_name(name, alpha=simulation.alpha),
            f"too many: P(k̂ > {k})": NOTHING if all_better else shown,
            "95% interval": NOTHING if all_better else interval,
            f"promise of ≤ {format_level(simulation.alpha)}": _promise(simulation, rate),
        }
        if k + 1 < simulation.n_datasets:
            more = simulation.overcount(name, beyond=k + 1)
            row[f"P(k̂ > {k + 1})"] = format_p_value(more.rate)
            row[f"95% interval of P(k̂ > {k + 1})"] = interval_text(more.confidence_interval)
        rows.append(row)
    return pd.DataFrame(rows)


def claim_table(simulation: Simulation, *, at_least: int) -> pd.DataFrame:
    """A row for each count: its mean, and how often it reaches a number, with intervals."""
    import pandas as pd

    rows = []
    for name in estimator_names():
        mean = simulation.summary(name).mean_k_hat
        power = simulation.power(name, at_least)
        low, high = mean.confidence_interval
        rows.append(
            {
                "count by": estimator_name(name, alpha=simulation.alpha),
                "mean k̂": f"{mean.value:.3g}",
                "95% interval of the mean": f"{low:.3g} to {high:.3g}",
                f"P(k̂ ≥ {at_least})": format_p_value(power.rate),
                f"95% interval of P(k̂ ≥ {at_least})": interval_text(power.confidence_interval),
            }
        )
    return pd.DataFrame(rows)


def results_frame(simulation: Simulation) -> pd.DataFrame:
    """A row for each count with all digits, to take away."""
    import pandas as pd

    rows = []
    for name in estimator_names():
        found = simulation.summary(name)
        row: dict[str, object] = {
            "count_by": name,
            "studies": simulation.n_repetitions,
            "datasets": simulation.n_datasets,
            "k": simulation.k,
            "alpha": simulation.alpha,
            "seed": simulation.seed,
        }
        for label, rate in (
            ("above_k", found.overcount),
            ("above_k_plus_1", found.overcount_by_two),
        ):
            low, high = rate.confidence_interval
            row.update({label: rate.rate, f"{label}_low": low, f"{label}_high": high})
        low, high = found.mean_k_hat.confidence_interval
        row.update({"mean": found.mean_k_hat.value, "mean_low": low, "mean_high": high})
        rows.append(row | {f"at_least_{m}": share for m, share in enumerate(found.power, start=1)})
    return pd.DataFrame(rows)


def printed_table(simulation: Simulation, preset: Preset) -> pd.DataFrame:
    """The paper's printed figures beside the simulated ones and those in theory."""
    import pandas as pd

    rows = []
    for name in estimator_names():
        printed = preset.printed.get(name)
        row = {
            "count by": estimator_name(name, alpha=simulation.alpha),
            "printed in the paper": "–" if printed is None else format_p_value(printed),
            "here: P(k̂ > 0)": format_p_value(simulation.overcount(name).rate),
            "in theory: P(k̂ > 0)": _theory(preset.theory.get(name)),
            "here: P(k̂ > 1)": format_p_value(simulation.overcount(name, beyond=1).rate),
        }
        if preset.more_than_one:
            row["in theory: P(k̂ > 1)"] = _theory(preset.more_than_one.get(name))
        rows.append(row)
    return pd.DataFrame(rows)


def _promise(simulation: Simulation, rate: OvercountRate) -> str:
    """What the table says of a count's promise."""
    if rate.estimator == "count":
        return "none made"
    if simulation.k == simulation.n_datasets:
        return NOTHING
    if rate.estimator in simulation.proved:
        return "proved"
    return PROMISES[rate.position] if rate.n > 1 else NOTHING


def _theory(value: float | None) -> str:
    return "–" if value is None else format_p_value(value)


def names_frame(names: IdentificationSimulation) -> pd.DataFrame:
    """A row for each procedure."""
    import pandas as pd

    rows = []
    for procedure, found in names.summaries.items():
        row: dict[str, object] = {"procedure": procedure, "proved": procedure in names.proved}
        for label, mean in (
            ("any_wrong_name", found.family_wise_error),
            ("share_of_wrong_names", found.false_discovery_proportion),
            ("share_found", found.power),
            ("names", found.mean_named),
        ):
            if mean is not None:
                row[label] = mean.rate if isinstance(mean, Rate) else mean.value
                row[f"{label}_low"], row[f"{label}_high"] = mean.confidence_interval
        rows.append(row | {"signature": names.signature})
    return pd.DataFrame(rows)


def over_claims_frame(curve: OverClaimCurve) -> pd.DataFrame:
    """A row for each number of datasets."""
    import pandas as pd

    rows = []
    for point in curve.points:
        low, high = point.simulated.confidence_interval
        rows.append(
            {
                "datasets": point.n_datasets,
                "simulated": point.simulated.rate,
                "simulated_low": low,
                "simulated_high": high,
                "theory_if_independent": point.theory,
                "signature": curve.signature,
            }
        )
    return pd.DataFrame(rows)


def power_frame(curve: PowerCurve) -> pd.DataFrame:
    """A row for each point of the curve, those with a wrong claim too."""
    import pandas as pd

    rows = []
    for point in curve.points:
        row: dict[str, object] = {
            "value": point.value,
            "datasets": point.n_datasets,
            "k": point.k,
            "at_least": point.at_least,
            "claim_is_true": point.is_true,
            "guaranteed": " ".join(point.proved),
        }
        for name in estimator_names():
            rate = point.power[name]
            row[name] = rate.rate
            row[f"{name}_low"], row[f"{name}_high"] = rate.confidence_interval
        rows.append(row | {"scenario": point.scenario, "signature": curve.signature})
    return pd.DataFrame(rows)


def needed_frame(needed: DatasetsNeeded) -> pd.DataFrame:
    """A row for each number of datasets that was tried."""
    import pandas as pd

    rows = []
    for n, rate in needed.tried.items():
        low, high = rate.confidence_interval
        rows.append(
            {
                "datasets": n,
                "power": rate.rate,
                "power_low": low,
                "power_high": high,
                "signature": needed.signature,
            }
        )
    return pd.DataFrame(rows)
