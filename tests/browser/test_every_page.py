"""Every page in the menu, without data, with samples of each kind, and with hostile names."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from core.data import samples
from pages.ui.frame.page import PAGES
from tests.browser.conftest import Scheme, SharedTab, Visitors
from tests.browser.hostile import (
    FILE_NAME,
    HARMLESS_NAME,
    HOSTILE_NAMES,
    hostile_table,
)
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser

# Elements that only a name taken for markup could have made.
MADE_OF_NAMES = """() => {
    // Lists that open lie outside the app's own element.
    const made = [...document.body.querySelectorAll(
        "[data-testid='stApp'] script, iframe, b, [onerror], img[src*='example'], img[src='x'], a[href^='javascript'],"
        + " a[href*='example']"
    )];
    const interpreted = [...document.body.querySelectorAll("strong, em, .katex, [data-testid*='Icon'], span")]
        .filter(element => ["x", "bold", "y", "f", "home"].includes(element.textContent.trim()));
    return [...made, ...interpreted].map(element => element.outerHTML.slice(0, 200));
}"""

# What stands on the page as text, and what within charts. Tables are drawn as pictures, and
# exports, shown as code, have escapes of their own.
TEXTS = """() => {
    const texts = {page: [], chart: []};
    const walker = document.createTreeWalker(
        document.querySelector("[data-testid='stMain']"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!parent.closest("code, canvas, style"))
            texts[parent.closest("svg") ? "chart" : "page"].push(walker.currentNode.data);
    }
    return [texts.page.join("\\n"), texts.chart.join("\\n")];
}"""


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
# How many charts there are at least.
CHARTS_WITHOUT_DATA = {"Reliability": 1, "Guide": 1}
CHARTS_OF_DATA = {"Counting": 1, "Identification": 1, "Report": 3, "Effect size": 1}
CHARTS_OF_MANY_SYSTEMS = {"Per-dataset tests": 1, "Report": 4, "Systems": 2}


class Case(NamedTuple):
    """What is loaded, and on which kind of screen."""

    data: str
    scheme: Scheme
    width: int
    systems: tuple[str, str] = ("", "")
    # Whether each page is opened by its own address, or followed to by the menu.
    by_address: bool = False


# A sample that is tested here, beside the one that comes with its p-values.
PER_EXAMPLE = next(sample.key for sample in samples() if sample.per_example)
MANY_SYSTEMS = "synthetic-digits"
# Each page in both schemes and both widths, without data and with.
CASES = (
    Case("nothing", "light", 1280, by_address=True),
    Case("nothing", "dark", 390),
    Case("pos-tagging", "light", 390),
    Case(PER_EXAMPLE, "dark", 1280),
    Case(MANY_SYSTEMS, "dark", 1280),
    Case("hostile", "light", 1280, ("<img src=x onerror=alert(1)>", "**bold**")),
    Case("hostile", "dark", 390, ("![p](http://example.org/x.png)", ":red[x] $x$")),
)


def address_of(label: str) -> str:
    """A page's own address: its file's stem, and the root for the first page."""
    position = [entry.label for entry in PAGES].index(label)
    return "/" if position == 0 else f"/{Path(PAGES[position].path).stem}"


def arrive(visitors: Visitors, case: Case) -> Visit:
    """A tab with the data of the case."""
    visit = visitors.enter(scheme=case.scheme, width=case.width, stranger=True)
    if case.data == "hostile":
        visit.open("/")
        visit.drop(FILE_NAME, hostile_table(*case.systems))
        expect(visit.verdict).to_be_visible()
        visit.settle()
    elif case.data != "nothing":
        visit.open(f"/?sample={case.data}")
        expect(visit.verdict).to_be_visible()
        wait_for_tests(visit)
    elif not case.by_address:
        visit.open("/")
    return visit


def wait_for_tests(visit: Visit) -> None:
    expect(visit.main.get_by_role("progressbar")).to_have_count(0)
    visit.settle()


def check_look(visit: Visit) -> None:
    assert visit.sideways() == []
    assert visit.accessibility_findings() == []
    if visit.sidebar_opener.is_visible():
        visit.open_sidebar()
        assert visit.sideways() == []
        assert visit.accessibility_findings("[data-testid='stSidebar']") == []
        visit.close_sidebar()


def check_charts_are_told(visit: Visit, case: Case, label: str) -> None:
    """A name says what is drawn and what it shows; beside it stands the same as a table, or in words."""
    fewest = CHARTS_WITHOUT_DATA.get(label, 0)
    if case.data != "nothing":
        fewest = max(fewest, CHARTS_OF_DATA.get(label, 0))
    if case.data == MANY_SYSTEMS:
        fewest = max(fewest, CHARTS_OF_MANY_SYSTEMS.get(label, 0))
    charts = visit.page.evaluate(CHARTS)
    assert len(charts) >= fewest
    assert [one for one in charts if len(one["name"].split()) < FEWEST_WORDS] == []
    assert [one for one in charts if not one["table"] and one["words"] < FEWEST_WORDS] == []


def check_hosts(visit: Visit) -> None:
    """Scripts, fonts, charts and icons all come from the app itself."""
    icons = visit.page.locator("link[rel~='icon']").evaluate_all(
        "links => links.map(link => new URL(link.href).host)"
    )
    assert icons == [visit.server.host]
    assert visit.hosts == {visit.server.host}


def check_names_are_literal(visit: Visit) -> None:
    """Each hostile name stands as text wherever, and so as often as, the harmless one does."""
    assert visit.page.evaluate(MADE_OF_NAMES) == []
    in_text, in_charts = visit.page.evaluate(TEXTS)
    for place, shown, most in (("text", in_text, 60), ("charts", in_charts, 12)):
        times = shown.count(HARMLESS_NAME)
        # Longer names are cut. A name that is also a system's stands there as well.
        fewer = {
            name: shown.count(name)
            for name in HOSTILE_NAMES
            if len(name) <= most and shown.count(name) < times
        }
        assert fewer == {}, f"{HARMLESS_NAME!r} stands {times} times in {place}"


def check_lists_are_literal(visit: Visit, case: Case) -> None:
    """Names are text also in the lists that open on a click."""
    for combobox, names in ((visit.claim, case.systems[:1]), (visit.exclusions, HOSTILE_NAMES)):
        if combobox.is_visible():
            options = visit.open_list(combobox)
            assert [name for name in names if not any(name in one for one in options)] == []
            assert visit.page.evaluate(MADE_OF_NAMES) == []
            visit.page.keyboard.press("Escape")
            expect(visit.page.get_by_role("option")).to_have_count(0)


# Of the module's scope, so that pytest runs the tests of a case together, in its one tab.
@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.data}-{case.scheme}-{case.width}", scope="module"
)
@pytest.mark.parametrize(("label", "heading"), [(e.label, e.heading) for e in PAGES])
def test_page_is_whole_accessible_and_literal(
    shared_tab: SharedTab, label: str, heading: str, case: Case
) -> None:
    with shared_tab.lend(case, lambda visitors: arrive(visitors, case)) as visit:
        if case.by_address:
            visit.open(address_of(label))
        else:
            visit.go_to(label, heading)
        expect(visit.page.get_by_role("heading", level=1)).to_have_text(heading)
        wait_for_tests(visit)
        expect(visit.page).to_have_title("Replicability dashboard")
        visit.open_all_expanders()
        if case.data == "hostile":
            check_names_are_literal(visit)
            check_lists_are_literal(visit, case)
        check_charts_are_told(visit, case, label)
        check_look(visit)
        check_hosts(visit)
        if case.data == MANY_SYSTEMS and label == "Systems":
            # Nothing is wider than this page.
            expect(visit.lead).to_contain_text("of the 59 other systems")
            visit.show_on(case.scheme, 390)
            assert visit.sideways() == []
            assert visit.accessibility_findings() == []
            visit.show_on(case.scheme, case.width)
