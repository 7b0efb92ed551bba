"""What was simulated, as the report tells of it."""

from __future__ import annotations

from typing import Any

from core.reliability.power import SizePlan
from core.sections.simulation import Simulated
from core.simulation import DatasetsNeeded, IdentificationSimulation, OverClaimCurve, PowerCurve
from pages.ui.simulation import results
from pages.ui.simulation.examples import PLAN
from pages.ui.work import background


def simulated() -> Simulated | None:
    """The simulations that were run, the last one of each kind; None before any."""
    found: dict[str, Any] = {
        "names": background.result_of("names", IdentificationSimulation),
        "over_claims": background.result_of("over-claims", OverClaimCurve),
        "power": background.result_of("power", PowerCurve),
        "needed": background.result_of("needed", DatasetsNeeded),
        "plan": background.result_of(PLAN, SizePlan),
    }
    run = results.shown_run()
    if run is not None:
        setup = run.task.context
        found |= {
            "counts": run.result.simulation,
            "title": f"{run.task.title}; seed {setup.seed}",
            "independent_nulls": setup.independent_nulls,
            "preset": setup.preset,
        }
    if not any(value is not None for value in found.values()):
        return None
    for kind, name in (("names", "names_title"), ("power", "quantity")):
        last = background.to_show(kind)
        if found[kind] is not None and last is not None:
            found[name] = last.task.title if kind == "names" else last.task.context
    return Simulated(**found)
