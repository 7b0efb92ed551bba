"""Many systems: which of them the data tell apart, and how large a gain is usually enough."""

from functools import partial

from core.data import ScoreTable
from pages.ui import (
    frame,
    studies,
    systems_calibration,
    systems_data,
    systems_gains,
    systems_lead,
    systems_ranks,
    systems_sizes,
)
from pages.ui.sections import section

frame.enter()
data = systems_data.require_many()
if isinstance(data, ScoreTable):
    systems_ranks.show_scores(data)
else:
    pairs = systems_data.current(data)
    if pairs is None:
        systems_lead.promise(data)
    else:
        systems_lead.show(data, pairs)
        systems_ranks.show_results(pairs)
        section(
            "Gain against confidence: how large a gain is usually enough?",
            partial(systems_gains.show, pairs),
            key="systems-gains",
        )
        section(
            "How large must a test set be?",
            partial(systems_sizes.show, data),
            key="systems-sizes",
        )
        section(
            "Does p < .05 keep its promise?",
            partial(systems_calibration.show, data, pairs),
            key="systems-calibration",
        )
        section("Make more systems", systems_data.explain_synthetic, key="systems-synthetic")
        section("How this was computed", partial(systems_lead.how, pairs), key="systems-how")
studies.report_failures(*systems_data.KINDS)
