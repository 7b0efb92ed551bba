"""The app talks to nobody but the visitor's own browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pages.ui.frame import PAGES
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.browser


def test_pages_icons_fonts_and_charts_all_come_from_the_app_itself(visitors: Visitors) -> None:
    visit = visitors.enter(stranger=True)
    visit.open("/?sample=pos-tagging")
    for entry in PAGES:
        visit.go_to(entry.label, entry.heading)
        visit.open_all_expanders()
        icons = visit.page.locator("link[rel~='icon']").evaluate_all(
            "links => links.map(link => new URL(link.href).host)"
        )
        assert icons == [visit.server.host]
    assert visit.hosts == {visit.server.host}


def test_a_request_to_another_host_would_have_been_noticed(visitors: Visitors) -> None:
    visit = visitors.enter()
    visit.open("/")
    expect(visit.main).to_be_visible()
    visit.page.evaluate("new Image().src = 'http://example.org/seen.png'")
    visit.page.evaluate("fetch('http://example.net/seen').catch(() => null)")
    assert {"example.org", "example.net"} < visit.hosts
    with pytest.raises(AssertionError):
        visit.check()
    visit.foreign.clear()
    visit.faults.clear()
