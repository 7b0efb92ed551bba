"""How far to trust a p-value: which choices a verdict depends on, and what p ≤ α is worth."""

from functools import partial

from pages.ui.frame import page, state
from pages.ui.frame.widgets import details, from_the_papers
from pages.ui.reliability import sections

page.enter()
data = state.results()
sections.answer(data)
if data is not None:
    details(
        [
            (label, partial(show, data))
            for label, show in (
                ("More or fewer examples", sections.sizes),
                ("Another metric or test", sections.choices),
                ("Short and long examples", sections.covariates),
                ("Repeated runs", sections.runs),
                ("From one dataset to another", sections.domains),
            )
        ],
        key="reliability",
        label="Each choice by itself",
    )
from_the_papers(
    [
        ("What p ≤ α is worth: prior odds", sections.prior_odds),
        ("Toy examples: choosing after looking", sections.toys),
    ],
    key="reliability-papers",
)
