"""How far to trust a p-value: which choices a verdict depends on, and what p ≤ α is worth."""

from functools import partial

from core.sections.reliability import TITLES
from pages.ui.frame import page
from pages.ui.frame.sections import from_the_papers, section
from pages.ui.reliability import choices, covariates, lead, odds, runs, sizes
from pages.ui.reliability import data as reliability_data

page.enter()
data = reliability_data.results()
lead.show(data)
if data is not None:
    for key, show in (
        ("sizes", sizes.show),
        ("choices", choices.show),
        ("covariates", covariates.show),
        ("runs", runs.show),
        ("domains", runs.show_domains),
    ):
        section(TITLES[key], partial(show, data), key=f"reliability-{key}")
from_the_papers(
    [
        ("What p ≤ α is worth: prior odds", odds.show, "reliability-odds"),
        ("Toy examples: choosing after looking", odds.show_toys, "reliability-toys"),
    ],
    key="reliability",
)
