"""Charts for those who do not see them, and pages on every screen, with everything open."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from pages.ui.frame import PAGES
from tests.browser.conftest import Scheme, Visitors

pytestmark = pytest.mark.browser

MANY_SYSTEMS = "synthetic-digits"
# Of each chart its accessible name, and whether text or a table is beside it.
CHARTS = """() => [...document.querySelectorAll("[data-testid='stPlotlyChart']")]
    .filter(chart => chart.checkVisibility())
    .map(chart => {
        let [block, beside, words] = [chart, [], 0];
        while (words < 6 && (block = block.parentElement?.closest("[data-testid='stVerticalBlock']"))) {
            beside = [...block.children].filter(one => !one.contains(chart));
            words = beside.map(one => one.innerText).join(" ").trim().split(/\\s+/).length;
            if (beside.some(one => one.querySelector("table"))) break;
        }
        return {
            name: ["img", "figure"].includes(chart.getAttribute("role"))
                ? chart.getAttribute("aria-label") || "" : "",
            table: beside.some(one => one.querySelector("table")),
            words,
        };
    })"""
FEWEST_WORDS = 6


class Look(NamedTuple):
    sample: str
    scheme: Scheme
    width: int
    n_charts: int


# Beside what tests/browser/test_every_page.py looks at.
LOOKS = (
    Look("", "dark", 1280, 1),
    Look("sentiment", "light", 390, 6),
    Look(MANY_SYSTEMS, "dark", 1280, 6),
)


@pytest.mark.parametrize(
    "look", LOOKS, ids=lambda look: f"{look.sample}-{look.scheme}-{look.width}"
)
def test_with_everything_open_no_page_has_a_serious_finding_and_every_chart_is_told_in_words(
    visitors: Visitors, look: Look
) -> None:
    visit = visitors.enter(scheme=look.scheme, width=look.width)
    visit.open(f"/?sample={look.sample}" if look.sample else "/")
    found, charts = {}, []
    for entry in PAGES:
        visit.go_to(entry.label, entry.heading)
        expect(visit.main.get_by_role("progressbar")).to_have_count(0)
        visit.open_all_expanders()
        found[entry.label] = [*visit.accessibility_findings(), *visit.sideways()]
        charts += [{"page": entry.label, **chart} for chart in visit.page.evaluate(CHARTS)]
    assert {label: faults for label, faults in found.items() if faults} == {}
    assert len(charts) >= look.n_charts
    # A name says what is drawn and what it shows; beside it stands the same as a table, or in words.
    assert [one for one in charts if len(one["name"].split()) < FEWEST_WORDS] == []
    assert [one for one in charts if not one["table"] and one["words"] < FEWEST_WORDS] == []
