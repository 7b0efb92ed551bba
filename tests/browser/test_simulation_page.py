"""The simulation page in a browser: a link runs it, and everything that can be asked is open."""

from __future__ import annotations

import csv
import json
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visit import OPEN_TAB, Visit

pytestmark = pytest.mark.browser

# By section the button that runs it, and the one that its result brings: a table, and a chart.
ON_DEMAND = {
    "Wrong names": ("Run the procedures", "the names"),
    "How often would a claim be made?": ("Draw the curve", "this curve"),
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
    visit.open_part("Look closer")
    visit.open_part("Plan a study")
    for section, (button, what) in ON_DEMAND.items():
        visit.main.get_by_role("tab", name=section, exact=True).click()
        # What a tab holds is drawn by a run of its own, which comes before the next click.
        expect(visit.main.get_by_role("button", name=button, exact=True)).to_be_visible()
        press(visit, button)
        # No other can be started meanwhile.
        expect(
            visit.main.get_by_role("button", name=f"Download {what} (CSV)", exact=True)
        ).to_be_visible()
        visit.settle()
        assert visit.sideways() == []
        assert visit.accessibility_findings(OPEN_TAB) == [], section
    visit.main.get_by_role("tab", name="One study at a time", exact=True).click()
    press(visit, "Draw one more study")
    expect(visit.main).to_contain_text("Study 1,001 (seed 4)")
    visit.settle()
    visit.open_all_expanders()

    def shown() -> None:
        expect(visit.main).to_contain_text("Study 1,001 (seed 4)")
        expect(visit.main.get_by_test_id("stPlotlyChart")).to_have_count(3)

    visit.check_on(shown=shown)
