"""One app and one Chromium for all browser tests, and a tab of its own for each visitor or case."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.server import Server
from tests.browser.visit import LOGGED_ERROR, Visit

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
    assert not LOGGED_ERROR.search(started.log)


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

    def dismiss(self) -> None:
        """Close every tab, whatever state it is in."""
        self._leaving.close()


class SharedTab:
    """One tab for tests that only look, as long as they want the same in it, or that begin anew.

    A page opened by the menu costs a fraction of one opened by its address, and that costs less in
    a tab that has opened one before. A test that fails ends the tab, so that the next begins with a
    fresh one. Who arrives had better be a stranger: whether the sidebar was open is remembered by
    the browser.
    """

    def __init__(self, let_in: Callable[[], Visitors]) -> None:
        self._let_in = let_in
        self._visitors: Visitors | None = None
        self._case: Hashable = None
        self._visit: Visit | None = None

    @contextmanager
    def lend(self, case: Hashable, arrive: Callable[[Visitors], Visit]) -> Generator[Visit]:
        """Lend the tab of the case, where there is none after `arrive`; check it when given back."""
        try:
            if self._visit is None or self._case != case:
                self.close()
                self._visitors = self._let_in()
                self._visit = arrive(self._visitors)
                self._case = case
            yield self._visit
            self._visit.check()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def lend_anew(self, address: str = "/") -> Generator[Visit]:
        """Lend a tab that has just come to the address, as a user whom the app has never seen."""
        with self.lend("anew", lambda visitors: visitors.enter(stranger=True)) as visit:
            visit.open(address)
            yield visit

    def close(self) -> None:
        visitors, self._visitors, self._visit = self._visitors, None, None
        if visitors is not None:
            visitors.dismiss()


@pytest.fixture
def visitors(
    browser: Browser, shared_context: BrowserContext, server: Server
) -> Generator[Visitors]:
    """Of the shared app. What goes wrong for a visitor fails the test at its end."""
    entered = Visitors(browser, shared_context, server)
    yield entered
    entered.leave()


@pytest.fixture(scope="module")
def shared_tab(
    browser: Browser, shared_context: BrowserContext, server: Server
) -> Generator[SharedTab]:
    """Of the shared app, for the tests of a file that only look or begin anew."""
    with closing(SharedTab(lambda: Visitors(browser, shared_context, server))) as tab:
        yield tab
