"""One app and one Chromium for all browser tests, and a tab for each visitor."""

import os
import socket
from collections.abc import Generator
from contextlib import closing, suppress

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.server import Server
from tests.browser.visit import LOGGED_ERROR, WIDE, Scheme, Visit

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    # Room for what is made and dropped at once, so that garbage is collected less often.
    "--js-flags=--min-semi-space-size=32 --max-semi-space-size=64",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    # What asks another host is recorded, and gets nowhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Generator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        with closing(started):
            yield started


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    started = Server(tmp_path_factory.mktemp("server") / "log.txt")
    yield started
    started.stop()
    assert "Traceback" not in started.log
    assert not LOGGED_ERROR.search(started.log)


@pytest.fixture(scope="session")
def spare_port() -> int:
    """Where servers of one test stand, one after the other.

    What a browser has read and compiled it knows by its address: at one of its own, each server's
    first page would take four seconds more.
    """
    # Below those that a system hands out to whoever connects, so that it stays free meanwhile.
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with closing(socket.socket()) as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def new_context(browser: Browser) -> BrowserContext:
    # An animated menu or expander would be judged half open.
    return browser.new_context(accept_downloads=True, reduced_motion="reduce")


class Visitors:
    """Lets visitors in, each a user of their own.

    The tabs of one browser serve one after the other: a page takes a third of the time to open where
    another of the app was opened before, as its scripts are read already. A visitor leaves nothing
    behind in a tab but these.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self._server = server
        self._shared = new_context(browser)
        self._free: list[Page] = []
        self._visits: list[Visit] = []
        self._to_close: list[Page] = []

    def enter(
        self,
        *,
        scheme: Scheme = "light",
        width: int = WIDE,
        own_tab: bool = False,
        server: Server | None = None,
    ) -> Visit:
        """Give somebody a tab, `own_tab` one that nobody else gets."""
        page = self._free.pop() if self._free and not own_tab else self._shared.new_page()
        if own_tab:
            self._to_close.append(page)
        visit = Visit(page, server or self._server, scheme, width)
        self._visits.append(visit)
        return visit

    def leave(self) -> None:
        """Send everybody home; whatever went wrong for anyone fails the test."""
        while self._visits:
            self._visits[-1].check()
            visit = self._visits.pop()
            visit.leave()
            if visit.page in self._to_close:
                visit.page.close()
            else:
                self._free.append(visit.page)

    def dismiss(self) -> None:
        """Close the tabs of all who are still there, whatever state they are in."""
        while self._visits:
            self._visits.pop().page.close()

    def close(self) -> None:
        self._shared.close()


@pytest.fixture(scope="session")
def all_visitors(browser: Browser, server: Server) -> Generator[Visitors]:
    with closing(Visitors(browser, server)) as opened:
        yield opened


@pytest.fixture
def visitors(all_visitors: Visitors) -> Generator[Visitors]:
    """Of the shared app. What goes wrong for a visitor fails the test at its end."""
    try:
        yield all_visitors
        all_visitors.leave()
    finally:
        all_visitors.dismiss()
