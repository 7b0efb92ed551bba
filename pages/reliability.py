"""How far to trust a p-value: on which choices a verdict hangs, and what p ≤ α is worth."""

from functools import partial

from pages.ui.frame import page
from pages.ui.frame.sections import from_the_papers, section
from pages.ui.reliability import choices, covariates, lead, odds, runs, sizes
from pages.ui.reliability import data as reliability_data

page.enter()
data = reliability_data.results()
lead.show(data)
if data is not None:
    for label, key, show in (
        ("More or fewer examples", "sizes", sizes.show),
        ("Another metric or test", "choices", choices.show),
        ("Short and long examples: covariates", "covariates", covariates.show),
        ("Another seed: repeated runs", "runs", runs.show),
        ("From one dataset to another", "domains", runs.show_domains),
    ):
        section(label, partial(show, data), key=f"reliability-{key}")
from_the_papers(
    [
        ("What p ≤ α is worth: prior odds", odds.show, "reliability-odds"),
        ("Toy examples: choosing after looking", odds.show_toys, "reliability-toys"),
    ],
    key="reliability",
)
