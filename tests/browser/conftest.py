"""One app and one Chromium for all browser tests, and a tab of its own for each visitor."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.server import Server
from tests.browser.visit import Visit

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    # What asks another host is recorded, and gets nowhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
Scheme = Literal["light", "dark"]


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


@pytest.fixture
def cold_server(tmp_path: Path) -> Generator[Server]:
    """A server that nobody has asked for anything; to be named before `visitors`, who leave first."""
    started = Server(tmp_path / "log.txt")
    yield started
    started.stop()


@pytest.fixture(scope="session")
def shared_context(browser: Browser) -> Generator[BrowserContext]:
    """For visitors who need not be strangers to the browser: its cache saves them a second."""
    with closing(new_context(browser)) as context:
        yield context


def new_context(browser: Browser) -> BrowserContext:
    # An animated menu or expander would be judged half open.
    return browser.new_context(accept_downloads=True, reduced_motion="reduce")


class Visitors:
    """Lets visitors in, each a user of their own."""

    def __init__(self, browser: Browser, shared: BrowserContext, server: Server) -> None:
        self._browser = browser
        self._shared = shared
        self._server = server
        self._leaving = ExitStack()
        self._visits: list[Visit] = []

    def enter(
        self,
        *,
        scheme: Scheme = "light",
        width: int = 1280,
        stranger: bool = False,
        server: Server | None = None,
    ) -> Visit:
        """Open a tab; a `stranger` brings a browser that has never been here."""
        context = self._shared
        if stranger:
            context = new_context(self._browser)
            self._leaving.callback(context.close)
        page = context.new_page()
        self._leaving.callback(page.close)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        visit = Visit(page, server or self._server)
        self._visits.append(visit)
        return visit

    def leave(self) -> None:
        """Send everybody home; whatever went wrong for anyone fails the test."""
        with self._leaving:
            for visit in self._visits:
                visit.page.evaluate("localStorage.clear()")
            for visit in self._visits:
                visit.check()


@pytest.fixture
def visitors(
    browser: Browser, shared_context: BrowserContext, server: Server
) -> Generator[Visitors]:
    """Of the shared app. What goes wrong for a visitor fails the test at its end."""
    entered = Visitors(browser, shared_context, server)
    yield entered
    entered.leave()
