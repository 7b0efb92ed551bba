"""The reliability page in a browser: every question asked, on both kinds of screen, in both themes."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from pages.ui.frame.links import Link, packed, write
from tests.browser.conftest import Visitors
from tests.browser.visit import OPEN_TAB

pytestmark = pytest.mark.browser

ON_DEMAND = {
    "More or fewer examples": "Draw parts of every dataset",
    "Another metric or test": "Test by every metric and test",
    "Short and long examples": "Look along it on every dataset",
    "From one dataset to another": "Compare every pair of systems",
    "Toy examples: choosing after looking": "Run these studies",
}
LONGEST_STUDY = 180_000
# Few examples, on which every study is quick; each has a length.
EXAMPLES = "\n".join(
    ["dataset,example,length,ours,base"]
    + [f"{d},{i},{i % 9},{i % 7 + 5},{i % 5}" for d in ("news", "mail") for i in range(40)]
)


def test_everything_on_the_page_is_accessible_and_fits(visitors: Visitors) -> None:
    visit = visitors.enter()
    table = packed(EXAMPLES.encode())
    assert table is not None
    visit.open(f"/reliability?{urlencode(write(Link(table=table, file='few.csv')))}")
    expect(visit.main).to_contain_text("on which datasets a verdict depends on a choice")
    charts = visit.main.get_by_test_id("stPlotlyChart")
    visit.open_part("Each choice by itself")
    visit.open_part("From the papers")
    for section, button in ON_DEMAND.items():
        visit.main.get_by_role("tab", name=section, exact=True).click()
        start = visit.main.get_by_role("button", name=button, exact=True)
        # What a tab holds is drawn by a run of its own, which comes before the next click.
        expect(start).to_be_visible()
        visit.settle()
        if section.startswith("Short"):
            few = visit.main.get_by_label("Random orders", exact=True)
            few.fill("19")
            few.press("Enter")
            visit.settle()
        seen = charts.count()
        start.click()
        # Each study ends in a chart.
        expect(charts).to_have_count(seen + 1, timeout=LONGEST_STUDY)
        visit.settle()
        assert visit.sideways() == []
        assert visit.accessibility_findings(OPEN_TAB) == [], section
    visit.main.get_by_role("tab", name="What p ≤ α is worth: prior odds", exact=True).click()
    expect(charts).to_have_count(2)
    visit.settle()
    expect(visit.lead).to_contain_text("Every choice tried gives the same verdict at p ≤ .05")
    visit.check_on(shown=lambda: expect(charts).to_have_count(2))
