"""What simulations came to with all digits, to take away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.simulation import (
    DatasetsNeeded,
    IdentificationSimulation,
    OverClaimCurve,
    PowerCurve,
    Rate,
    estimator_names,
)

if TYPE_CHECKING:
    import pandas as pd


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
