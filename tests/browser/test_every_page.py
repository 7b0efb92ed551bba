"""Every page in the menu, without data, with samples of each kind, and with hostile names."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from pages.ui.frame.page import PAGES
from tests.browser.conftest import Visitors
from tests.browser.hostile import FILE_NAME, HARMLESS_NAME, HOSTILE_NAMES, hostile_table
from tests.browser.server import ROOT
from tests.browser.visit import SCREENS, Screen, Visit

pytestmark = pytest.mark.browser

# Elements that only a name taken for markup could have made.
MADE_OF_NAMES = """() => {
    // Lists that open lie outside the app's own element.
    const made = [...document.body.querySelectorAll(
        "[data-testid='stApp'] script, iframe, [onerror], img[src*='example'], img[src='x'], a[href^='javascript'],"
        + " a[href*='example']"
    )];
    const interpreted = [...document.body.querySelectorAll("strong, em, b, .katex, [data-testid*='Icon'], span")]
        .filter(element => ["x", "bold", "y", "f", "home"].includes(element.textContent.trim())
            || element.tagName === "B" && element.textContent.startsWith("y"));
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
# One dataset, of which nothing is counted: of its sixty systems every fifth.
MANY_SYSTEMS = "many systems"
# How many charts there are at least.
FEWEST_CHARTS = {
    "nothing": {"Reliability": 1},
    "hostile": {"Reliability": 1, "Counting": 1, "Identification": 1, "Effect size": 1},
    MANY_SYSTEMS: {"Tests": 1, "Systems": 2, "Effect size": 1},
}
DIGITS = ROOT / "sample_data" / "systems" / "synthetic_digits.csv"
HEADINGS_OF_ONE_DATASET = dict.fromkeys(
    ("Upload", "Counting", "Identification"), "Is A really better?"
)
# These show nothing of a file.
WITHOUT_DATA = ("Guide", "Simulation")
# Pages that are left out: without data those which then only say where to load some, and those
# which are opened whole elsewhere, with everything on them asked.
LEFT_OUT = {
    "nothing": (*WITHOUT_DATA, "Tests", "Identification", "Report", "Effect size", "Systems"),
    "hostile": WITHOUT_DATA,
    MANY_SYSTEMS: (*WITHOUT_DATA, "Check a paper", "Reliability"),
}
# Pages that results on examples fill otherwise than a table: these are tried on both screens.
ON_BOTH_SCREENS = ("Tests", "Effect size", "Systems")
# A table that somebody else has tested, whose names could be taken for something else, and results
# that are tested here. Names that are too long are so on a narrow screen.
DATA: dict[str, Screen] = {
    "nothing": SCREENS[0],
    "hostile": SCREENS[1],
    MANY_SYSTEMS: SCREENS[0],
}
HOSTILE_SYSTEMS = (
    "<img src=x onerror=alert(1)> ![p](http://example.org/x.png)",
    "so **bold** :red[x] $x",
)


def address_of(label: str) -> str:
    """A page's own address: its file's stem, and the root for the first page."""
    position = [entry.label for entry in PAGES].index(label)
    return "/" if position == 0 else f"/{Path(PAGES[position].path).stem}"


def many_systems() -> bytes:
    """Dataset and example, then every fifth system."""
    rows = [line.split(",") for line in DIGITS.read_text(encoding="utf-8").splitlines()]
    return "\n".join(",".join([*row[:2], *row[2::5]]) for row in rows).encode()


def arrive(visit: Visit, data: str) -> None:
    """Open the first page with the data."""
    visit.open("/")
    if data == "hostile":
        visit.drop(FILE_NAME, hostile_table(*HOSTILE_SYSTEMS))
    elif data == MANY_SYSTEMS:
        visit.drop("digits.csv", many_systems())
    if data != "nothing":
        expect(visit.verdict).to_be_visible()
    wait_for_tests(visit)


def wait_for_tests(visit: Visit) -> None:
    expect(visit.main.get_by_role("progressbar")).to_have_count(0)
    visit.settle()


def check_open_sidebar(visit: Visit) -> None:
    """On a narrow screen it lies over the page."""
    visit.open_sidebar()
    assert visit.sideways() == []
    assert visit.accessibility_findings("[data-testid='stSidebar']") == []
    visit.close_sidebar()


def check_charts_are_told(visit: Visit, data: str, label: str) -> None:
    """A name says what is drawn and what it shows; beside it stands the same as a table, or in words."""
    charts = visit.page.evaluate(CHARTS)
    assert len(charts) >= FEWEST_CHARTS[data].get(label, 0)
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


def check_lists_are_literal(visit: Visit) -> None:
    """Names are text also in the lists that open on a click."""
    for combobox, names in ((visit.claim, HOSTILE_SYSTEMS[:1]), (visit.exclusions, HOSTILE_NAMES)):
        if combobox.is_visible():
            options = visit.open_list(combobox)
            assert [name for name in names if not any(name in one for one in options)] == []
            assert visit.page.evaluate(MADE_OF_NAMES) == []
            visit.page.keyboard.press("Escape")
            expect(visit.page.get_by_role("option")).to_have_count(0)


@pytest.mark.parametrize("data", DATA)
def test_every_page_is_whole_accessible_and_literal(
    visitors: Visitors, subtests: pytest.Subtests, data: str
) -> None:
    screen = DATA[data]
    visit = visitors.enter(scheme=screen[0], width=screen[1])
    arrive(visit, data)
    headings = {entry.label: entry.heading for entry in PAGES}
    if data == MANY_SYSTEMS:
        headings |= HEADINGS_OF_ONE_DATASET
    for label in LEFT_OUT[data]:
        del headings[label]
    for label, heading in headings.items():
        with subtests.test(page=label):
            visit.go_to(label, heading)
            # Where one dataset is compared, three pages have one heading.
            expect(visit.page).to_have_url(re.compile(rf"//[^/]+{address_of(label)}(\?|$)"))
            wait_for_tests(visit)
            expect(visit.page.get_by_role("heading", level=1)).to_have_text(heading)
            expect(visit.page).to_have_title("Replicability dashboard")
            visit.open_all_expanders()
            if data == "hostile":
                check_names_are_literal(visit)
                check_lists_are_literal(visit)
            check_charts_are_told(visit, data, label)
            screens = [screen]
            if data == MANY_SYSTEMS and label in ON_BOTH_SCREENS:
                screens.append(SCREENS[1 - SCREENS.index(screen)])
            visit.check_on(screens)
            check_hosts(visit)
            # The next page begins on the screen on which this one ends.
            screen = screens[-1]
    if data == "hostile":
        with subtests.test("the menu and the settings lie over a narrow page"):
            check_open_sidebar(visit)
