"""The guide in a browser, with everything open that waits behind a click."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors

pytestmark = pytest.mark.browser

BOTTOM = "element => element.getBoundingClientRect().bottom"


def test_the_guide_is_accessible_fits_and_leads_to_the_page_where_a_thing_is_done(
    visitors: Visitors,
) -> None:
    visit = visitors.enter()
    visit.open("/guide")
    visit.main.get_by_role("button", name="Draw another study").click()
    expect(visit.main).to_contain_text("of 2 studies so far")
    visit.settle()
    visit.main.get_by_text("Which test on each dataset?", exact=True).click()

    def shown() -> None:
        expect(visit.main).to_contain_text("of 2 studies so far")
        expect(visit.main).to_contain_text("Null hypothesis")

    visit.check_on(shown=shown)
    visit.main.get_by_role("link", name="Tests →").last.click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text("Results by dataset")


def test_each_step_of_the_talk_is_one_screen_and_arrow_keys_turn_to_the_next(
    visitors: Visitors,
) -> None:
    visit = visitors.enter()
    visit.open("/")
    visit.main.get_by_role("button", name="Start the demo").click()
    visit.page.set_viewport_size({"width": 1280, "height": 720})
    for step in range(1, 8):
        expect(visit.page).to_have_url(re.compile(rf"/guide\?step={step}$"))
        expect(visit.main).to_contain_text(f"Step {step} of 7")
        visit.settle()
        assert visit.main.locator(".st-key-talk-step > :last-child").evaluate(BOTTOM) <= 720, step
        reference = visit.page.get_by_role("heading", name="Reference").bounding_box()
        assert reference is not None
        assert reference["y"] > 700, step
        assert visit.accessibility_findings(".st-key-talk-step") == [], step
        visit.page.keyboard.press("ArrowRight")
    visit.page.keyboard.press("ArrowLeft")
    expect(visit.main).to_contain_text("Step 6 of 7")
