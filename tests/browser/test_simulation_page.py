"""The simulation page in a browser: run, drawn, stopped, and opened again by its link."""

from __future__ import annotations

import csv
import json
import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser

# By section the button that runs it, and the one that its result brings.
ON_DEMAND = {
    "Names: which procedure names a wrong dataset": ("Run the procedures", "the names"),
    "“At least one win” where there is none, by number of datasets": (
        "Run for 1 to 100 datasets",
        "the curve",
    ),
    "How often would a claim be made?": ("Draw the curve", "this curve"),
    "How many datasets does a claim take?": ("Find the number", "these numbers"),
}
BLOCKS = {
    "of": "own",
    "blocks": [{"n": 6, "d": 0.02, "examples": 1000, "q": 0.1}, {"n": 6, "rho": 0.3}],
    "n": 1000,
    "seed": 4,
}


def press(visit: Visit, label: str) -> None:
    visit.main.get_by_role("button", name=label, exact=True).click()
    visit.settle()


def link(**setup: object) -> str:
    return f"/simulation?simulation={quote(json.dumps(setup))}"


def check_figures(content: str) -> None:
    """What is taken away has a row a count, with the scenario beside it."""
    header, *rows = csv.reader(content.splitlines())
    assert ",".join(header).startswith("count_by,studies,datasets,k,alpha,seed,above_k,above_k_low")
    assert [row[:6] for row in rows] == [
        [name, "1000", "12", "6", "0.05", "4"]
        for name in ("count", "bonferroni", "fisher", "simes", "stouffer")
    ]


# As the page is before anything is run, each screen is tried with every other page.
def test_everything_on_the_page_is_accessible_and_fits(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open(link(**BLOCKS))
    expect(visit.lead).to_contain_text("In 1,000 simulated studies of 12 datasets")
    check_figures(visit.download("Download all figures (CSV)").path().read_text(encoding="utf-8"))
    for section, (button, what) in ON_DEMAND.items():
        visit.main.get_by_text(section, exact=True).click()
        # A section that opens is drawn by a run of its own, which comes before the next click.
        expect(visit.main.get_by_role("button", name=button, exact=True)).to_be_visible()
        press(visit, button)
        # No other can be started meanwhile.
        expect(
            visit.main.get_by_role("button", name=f"Download {what} (CSV)", exact=True)
        ).to_be_visible()
        visit.settle()
    visit.main.get_by_text("One study at a time", exact=True).click()
    press(visit, "Draw one more study")
    expect(visit.main).to_contain_text("Study 1,001 (seed 4)")
    visit.settle()
    visit.open_all_expanders()

    def shown() -> None:
        expect(visit.main).to_contain_text("Study 1,001 (seed 4)")
        expect(visit.main.get_by_test_id("stPlotlyChart")).to_have_count(4)

    visit.check_on(shown=shown)


def test_a_study_is_drawn_and_a_thousand_more_and_the_address_brings_them_back(
    visitors: Visitors,
) -> None:
    visit = visitors.enter()
    visit.open("/simulation")
    visit.main.get_by_text("One study at a time", exact=True).click()
    press(visit, "Draw one study")
    expect(visit.lead).to_contain_text("In one simulated study of 100 datasets")
    press(visit, "Run 1,000 more")
    expect(visit.lead).to_contain_text("In 1,001 simulated studies of 100 datasets")
    sentence = visit.lead.inner_text()
    (carried,) = parse_qs(urlsplit(visit.page.url).query)["simulation"]
    assert json.loads(carried) == {"of": "toy-1", "n": 1001, "seed": 2017}
    other = visitors.enter()
    other.open(visit.page.url)
    expect(other.lead).to_have_text(sentence)


def test_the_counting_page_leads_here_with_as_many_datasets(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open("/counting?sample=parsing-redshift&alpha=0.01")
    press(visit, "With dependence: Simulation →")
    expect(visit.main).to_contain_text("How often does each count over-claim?")
    press(visit, "Run")
    expect(visit.lead).to_contain_text("In 10,000 simulated studies of 7 datasets")
    expect(visit.lead).to_contain_text("counting one-sided p ≤ .01")


def test_a_long_run_is_stopped_and_what_was_done_stays(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open(link(of="own", blocks=[{"n": 3000, "effect": 1}], n=1_000_000, seed=0))
    expect(visit.main.get_by_role("progressbar")).to_be_visible()
    expect(visit.main).to_contain_text(
        re.compile(r"Simulating \(.*3000 effect=1.*\): [\d,]+ of 1,000,000 studies")
    )
    # Meanwhile every other page can be used.
    visit.go_to("Counting", "On at least how many datasets?")
    press(visit, "Stop the simulation")
    visit.settle()
    visit.go_to("Simulation", "How often does each count over-claim?")
    expect(visit.main).to_contain_text("The run was stopped")
    expect(visit.lead).to_contain_text("studies of 3,000 datasets, with A truly better on all")
    visit.settle()
