"""From a sample to a report without a mouse."""

import csv
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.server import ROOT
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser

MOST_STEPS = 150
FOCUSED = """() => {
    const one = document.activeElement;
    const frame = one.getBoundingClientRect();
    const style = getComputedStyle(one);
    return {
        name: (one.getAttribute("aria-label") || one.innerText || one.value || "").trim(),
        role: one.getAttribute("role") || one.tagName.toLowerCase(),
        label: one.labels?.[0]?.innerText.trim() || "",
        shown: frame.width > 0 && frame.height > 0,
        marked: style.outlineStyle !== "none" || style.boxShadow !== "none"
            || style.borderColor !== "rgba(0, 0, 0, 0)",
    };
}"""


def tab_to(visit: Visit, name: str, *, back: bool = False) -> None:
    """Step on until something of that name has the focus, which then can be seen."""
    passed = []
    for _ in range(MOST_STEPS):
        visit.page.keyboard.press("Shift+Tab" if back else "Tab")
        focused = visit.page.evaluate(FOCUSED)
        if name in (focused["name"], focused["label"]):
            assert focused["shown"], focused
            assert focused["marked"], f"nothing shows that the focus is on {focused}"
            return
        passed.append(focused["name"][:30])
    raise AssertionError(f"{name!r} cannot be reached: {passed}")


def test_a_sample_its_settings_its_report_and_a_download_need_no_mouse(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open("/")
    keyboard = visit.page.keyboard

    tab_to(visit, "Sentiment, 12 domain pairs")
    keyboard.press("Enter")
    expect(visit.verdict).to_be_visible()
    visit.settle()
    # The button is gone; the keyboard goes on from the heading.
    expect(visit.page.get_by_role("heading", level=1)).to_be_focused()

    tab_to(visit, "Level α", back=True)
    keyboard.press("Control+A")
    keyboard.type("0.01")
    keyboard.press("Enter")
    expect(visit.verdict).to_contain_text("99% confidence")
    visit.settle()

    tab_to(visit, "Swap A and B", back=True)
    keyboard.press("Space")
    expect(visit.page).to_have_url(re.compile("swap=1"))
    visit.settle()

    tab_to(visit, "Report", back=True)
    keyboard.press("Enter")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("From screen to paper")
    visit.settle()

    tab_to(visit, "Report (HTML)")
    with visit.page.expect_download() as started:
        keyboard.press("Enter")
    content = started.value.path().read_text(encoding="utf-8")
    assert content.startswith("<!DOCTYPE html>")
    assert "alpha:0.01" in content


def test_datasets_are_left_out_by_their_names_typed_one_after_the_other(
    visitors: Visitors,
) -> None:
    with (ROOT / "sample_data" / "pos_tagging_mimick_chartag.csv").open(encoding="utf-8") as sample:
        datasets = [row["dataset"] for row in csv.DictReader(sample)]
    names = ["Czech", "English", "Hindi"]
    visit = visitors.enter()
    visit.open("/?sample=pos-tagging")
    visit.open_part("What we read")
    visit.open_list(visit.exclusions)
    keyboard = visit.page.keyboard
    highlighted = visit.page.locator("[role='option'][data-focused]")
    chosen = visit.main.get_by_test_id("stMultiSelect").locator("[data-tag]")
    for n_left_out, name in enumerate(names):
        if n_left_out:
            # Streamlit's own field may lose letters that come while its page is drawn anew.
            left = len(datasets) - n_left_out
            expect(visit.sidebar).to_contain_text(f"{left} of {len(datasets)}")
            visit.settle()
        keyboard.type(name)
        expect(visit.exclusions).to_have_value(name)
        expect(highlighted).to_have_text(name)
        keyboard.press("Enter")
        expect(visit.exclusions).to_have_value("")
        expect(chosen).to_have_text(names[: n_left_out + 1])
    keyboard.press("Escape")
    expect(visit.sidebar).to_contain_text(f"{len(datasets) - len(names)} of {len(datasets)}")
    visit.settle()
    expect(chosen).to_have_text(names)

    visit.go_to("Identification", "On which datasets?")
    assert {row["dataset"] for row in visit.rows()} == set(datasets) - set(names)
