"""Pages with everything on them asked and open: accessible, and fitting both kinds of screen."""

import csv
import json
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Locator, expect

from pages.ui.frame.links import Link, packed, write
from tests.browser.conftest import Visitors
from tests.browser.visit import OPEN_TAB, Visit

pytestmark = pytest.mark.browser

# By section the button that runs it, and the one that its result brings: a table, and a chart.
SIMULATED = {
    "Wrong names": ("Run the procedures", "the names"),
    "How often would a claim be made?": ("Draw the curve", "this curve"),
}
BLOCKS = {
    "of": "own",
    "blocks": [{"n": 6, "d": 0.02, "examples": 1000, "q": 0.1}, {"n": 6, "rho": 0.3}],
    "n": 1000,
    "seed": 4,
}
STUDIED = {
    "More or fewer examples": "Draw parts of every dataset",
    "Another metric or test": "Test by every metric and test",
    "Short and long examples": "Look along it on every dataset",
    "From one dataset to another": "Compare every pair of systems",
    "Toy examples: choosing after looking": "Run these studies",
}
# Few examples, on which every study is quick; each has a length.
EXAMPLES = "\n".join(
    ["dataset,example,length,ours,base"]
    + [f"{d},{i},{i % 9},{i % 7 + 5},{i % 5}" for d in ("news", "mail") for i in range(40)]
)


def open_tab(visit: Visit, name: str) -> None:
    visit.main.get_by_role("tab", name=name, exact=True).click()


def button_of_tab(visit: Visit, tab: str, name: str) -> Locator:
    open_tab(visit, tab)
    button = visit.main.get_by_role("button", name=name, exact=True)
    # What a tab holds is drawn by a run of its own, which comes before the next click.
    expect(button).to_be_visible()
    visit.settle()
    return button


def check_tab(visit: Visit, name: str) -> None:
    visit.settle()
    assert visit.sideways() == [], name
    assert visit.accessibility_findings(OPEN_TAB) == [], name


def check_figures(content: str) -> None:
    """What is taken away has a row a count, with the scenario beside it."""
    header, *rows = csv.reader(content.splitlines())
    assert ",".join(header).startswith("count_by,studies,datasets,k,alpha,seed,above_k,above_k_low")
    assert [row[:6] for row in rows] == [
        [name, "1000", "12", "6", "0.05", "4"]
        for name in ("count", "bonferroni", "fisher", "simes", "stouffer")
    ]


# As the page is before anything is run, each screen is tried with every other page.
def test_simulation(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open(f"/simulation?simulation={quote(json.dumps(BLOCKS))}")
    expect(visit.lead).to_contain_text("In 1,000 simulated studies of 12 datasets")
    check_figures(visit.download("Download all figures (CSV)").path().read_text(encoding="utf-8"))
    visit.open_part("Look closer")
    visit.open_part("Plan a study")
    for section, (button, what) in SIMULATED.items():
        button_of_tab(visit, section, button).click()
        # No other can be started meanwhile.
        expect(
            visit.main.get_by_role("button", name=f"Download {what} (CSV)", exact=True)
        ).to_be_visible()
        check_tab(visit, section)
    button_of_tab(visit, "One study at a time", "Draw one more study").click()
    expect(visit.main).to_contain_text("Study 1,001 (seed 4)")
    visit.settle()
    visit.open_all_expanders()

    def shown() -> None:
        expect(visit.main).to_contain_text("Study 1,001 (seed 4)")
        expect(visit.main.get_by_test_id("stPlotlyChart")).to_have_count(3)

    visit.check_on(shown=shown)


def test_reliability(visitors: Visitors) -> None:
    visit = visitors.enter()
    link = Link(table=packed(EXAMPLES.encode()) or "", file="few.csv")
    visit.open(f"/reliability?{urlencode(write(link))}")
    expect(visit.main).to_contain_text("on which datasets a verdict depends on a choice")
    charts = visit.main.get_by_test_id("stPlotlyChart")
    visit.open_part("Each choice by itself")
    visit.open_part("From the papers")
    for section, name in STUDIED.items():
        start = button_of_tab(visit, section, name)
        if section.startswith("Short"):
            few = visit.main.get_by_label("Random orders", exact=True)
            few.fill("19")
            few.press("Enter")
            visit.settle()
        seen = charts.count()
        start.click()
        # Each study ends in a chart.
        expect(charts).to_have_count(seen + 1)
        check_tab(visit, section)
    open_tab(visit, "What p ≤ α is worth: prior odds")
    expect(charts).to_have_count(2)
    visit.settle()
    expect(visit.lead).to_contain_text("on a choice was found on 2 datasets")
    visit.check_on(shown=lambda: expect(charts).to_have_count(2))


def test_check_of_a_claim_on_a_large_table(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open("/check_a_claim?sample=word-similarity&claims=foo%0Aexactly+8+by+fisher")
    expect(visit.main).to_contain_text("1 line of the claims could not be read.")
    # What is opened while the check is at work closes when its answer comes.
    expect(visit.lead).to_contain_text("The claim is contradicted")
    visit.settle()
    visit.open_all_expanders()
    contradicted = visit.main.get_by_text("Is contradicted", exact=False).first
    visit.check_on(shown=lambda: expect(contradicted).to_be_visible())
    for name in ("Numbers", "Other checks", "Verdicts", "Copy"):
        open_tab(visit, name)
        check_tab(visit, name)
    expect(visit.main).to_contain_text("Whoever opens this link sees this check.")
