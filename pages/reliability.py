"""How far to trust a p-value: on which choices a verdict hangs, and what p ≤ α is worth."""

from functools import partial

from pages.ui import (
    frame,
    reliability_choices,
    reliability_covariates,
    reliability_data,
    reliability_lead,
    reliability_odds,
    reliability_runs,
    reliability_sizes,
    studies,
)
from pages.ui.sections import section

frame.enter()
data = reliability_data.results()
reliability_lead.show(data)
if data is not None:
    for label, key, show in (
        ("More or fewer examples", "sizes", reliability_sizes.show),
        ("Another metric or test", "choices", reliability_choices.show),
        ("Short and long examples: covariates", "covariates", reliability_covariates.show),
        ("Another seed: repeated runs", "runs", reliability_runs.show),
        ("From one dataset to another", "domains", reliability_runs.show_domains),
    ):
        section(label, partial(show, data), key=f"reliability-{key}")
section("What p ≤ α is worth: prior odds", reliability_odds.show, key="reliability-odds")
section("Toy examples: choosing after looking", reliability_odds.show_toys, key="reliability-toys")
studies.report_failures(*reliability_data.KINDS)
