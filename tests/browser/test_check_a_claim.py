"""The page that checks claims in a browser: all of it open, a claim added, a large table."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visit import OPEN_TAB

pytestmark = pytest.mark.browser


def test_the_whole_check_is_accessible_and_fits(visitors: Visitors) -> None:
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
        visit.main.get_by_role("tab", name=name, exact=True).click()
        visit.settle()
        assert visit.accessibility_findings(OPEN_TAB) == [], name
    expect(visit.main).to_contain_text("Whoever opens this link sees this check.")
