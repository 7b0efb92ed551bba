"""The page that checks claims in a browser: all of it open, a claim added, a large table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visit import OTHER_SCREENS

pytestmark = pytest.mark.browser

NOTE_WHAT_IS_SAID = """text => {
    window.wasSaid = false;
    new MutationObserver(() => { window.wasSaid ||= document.body.innerText.includes(text); })
        .observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


def test_the_whole_check_is_accessible_and_fits(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open("/check_a_claim?sample=word-similarity&claims=foo%0Aexactly+8+by+fisher")
    expect(visit.main).to_contain_text("1 line of the claims could not be read.")
    # What is opened while the check is at work closes when its answer comes.
    expect(visit.lead).to_contain_text("The claim is contradicted")
    visit.settle()
    visit.open_all_expanders()

    def shown() -> None:
        expect(visit.main).to_contain_text("Whoever opens this link sees this check.")
        expect(visit.main.get_by_text("Is contradicted", exact=False).first).to_be_visible()

    visit.check_on(shown=shown)


def test_an_interval_without_a_table_is_accessible_and_fits(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open("/check_a_claim")
    visit.main.get_by_role("button", name="Meta-analysis, two intervals").click()
    expect(visit.lead).to_contain_text("Of 2 claims 1 holds and 1 is not shown")
    visit.settle()
    visit.open_all_expanders()
    visit.check_on(OTHER_SCREENS, lambda: expect(visit.main).to_contain_text("it needs no table"))


def test_a_claim_is_added_and_taken_away(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open("/check_a_claim?sample=sentiment&claims=%23")
    expect(visit.lead).to_contain_text("No claim is entered")
    visit.main.get_by_text("Add or change a claim by menus", exact=True).click()
    visit.main.get_by_role("button", name="Add a claim", exact=True).click()
    visit.settle()
    visit.choose(visit.main.get_by_role("combobox", name="What is said"), re.compile("exactly so"))
    visit.settle()
    number = visit.main.get_by_role("spinbutton", name="How many of 12")
    for _ in range(5):
        # What is typed while the page is drawn anew may be drawn over.
        number.fill("10")
        number.press("Tab")
        visit.settle()
        visit.choose(visit.main.get_by_role("combobox", name="Counted by"), "Fisher")
        visit.settle()
        if number.input_value() == "10":
            break
    expect(number).to_have_value("10")
    expect(visit.lead).to_contain_text(
        "The claim is contradicted: the numbers give 9 of 12 by Fisher"
    )
    visit.settle()
    assert "exactly+10+by+fisher" in visit.page.url
    visit.main.get_by_text("Take the review away", exact=True).click()
    content = visit.download("Download Text").path().read_text(encoding="utf-8")
    assert "gives 9 of 12" in content or "give 9 of 12" in content
    assert "check:claims" in content


def test_a_large_table_is_checked_while_other_pages_are_used(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open("/")
    rows = "".join(f"d{i},{80 + i % 7},{79 - i % 5},300,.0{i % 9 + 1}\n" for i in range(259))
    rows += "far apart,95,60,300,.5\n"
    visit.drop("large.csv", f"dataset,ours,theirs,n,p_value\n{rows}".encode())
    expect(visit.verdict).to_be_visible()
    visit.go_to("Check a paper", "Do the numbers allow the claim?")
    visit.main.get_by_text("What the scores are, and of how many examples", exact=True).click()
    # However briefly it is said, it is noted.
    visit.page.evaluate(NOTE_WHAT_IS_SAID, "Checking 260 datasets")
    visit.main.get_by_text("accuracies or error rates", exact=False).click()
    visit.page.wait_for_function("window.wasSaid")
    visit.go_to("Guide", "Why a count needs a guarantee")
    visit.go_to("Check a paper", "Do the numbers allow the claim?")
    expect(visit.lead).to_contain_text("1 of 260 p-values is not by a test")
