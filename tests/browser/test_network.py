"""The app talks to nobody but the visitor's own browser.

Every visit of these tests fails where it asks another host, and test_every_page.py says of each
page that its icons, fonts, scripts and charts come from the app: here, that this would be seen.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors

pytestmark = pytest.mark.browser


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
