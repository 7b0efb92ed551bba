"""One visitor's browser tab, with a record of everything that should not happen in it."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Dialog, Download, FilePayload, Locator, Page, expect

from core.charts.theme import DARK, LIGHT
from tests.browser.server import Server

Scheme = Literal["light", "dark"]
Screen = tuple[Scheme, int]
# Wide in light colours and narrow in dark ones: two looks show whether something is too wide, and
# whether it can be read in both.
WIDE, NARROW = 1280, 390
SCREENS: tuple[Screen, Screen] = (("light", WIDE), ("dark", NARROW))
# Nothing runs, and all is drawn: charts and tables are after the script has ended, by code that is
# loaded when needed.
SETTLED = """() => {
    if (!document.querySelector("[data-testid='stApp'][data-test-connection-state='CONNECTED']"
            + "[data-test-script-state='notRunning']"))
        return false;
    const shown = selector =>
        [...document.querySelectorAll(selector)].filter(element => element.checkVisibility());
    return !shown("[data-testid='stSkeleton'], [data-stale='true']").length
        && shown("[data-testid='stPlotlyChart']").every(one => one.querySelector("svg.main-svg"))
        && shown("[data-testid='stDataFrame']").every(one => one.querySelector("canvas"))
        && !document.getAnimations().some(one => one.playState === "running");
}"""
# What an opened part holds comes with the run that its opening asks for.
OPENED_ARE_FILLED = """() => [...document.querySelectorAll("[data-testid='stExpander'] details[open]")]
    .filter(one => one.checkVisibility())
    .every(one => one.querySelector(":scope [data-testid='stElementContainer'], :scope details"))"""
SIDEWAYS = """() => [
        ["document", document.documentElement],
        ["main", document.querySelector("[data-testid='stMain']")],
        ["sidebar", document.querySelector("[data-testid='stSidebarContent']")],
    ]
    // A closed sidebar lies beside the screen.
    .filter(([, element]) => element && element.getBoundingClientRect().right > 0
        && element.scrollWidth > Math.min(innerWidth, element.clientWidth || innerWidth))
    .map(([name, element]) => `${name}: ${element.scrollWidth} > ${element.clientWidth}`)
"""
CHARTS_HAVE_COLOUR = """colour => [...document.querySelectorAll(".js-plotly-plot")]
    .filter(chart => chart.checkVisibility())
    .every(chart => chart._fullLayout?.font.color === colour)"""
NOTE_NEXT_RUN = """() => {
    window.hasRunAgain = false;
    document.activeElement.blur();
    const app = document.querySelector("[data-testid='stApp']");
    const noted = new MutationObserver(() => {
        if (app.dataset.testScriptState === "notRunning") {
            window.hasRunAgain = true;
            noted.disconnect();
        }
    });
    noted.observe(app, {attributeFilter: ["data-test-script-state"]});
}"""
# Beside a wide page, and out of a narrow one until it is asked for.
SIDEBAR_IS_IN_PLACE = """isNarrow => {
    const place = document.querySelector("[data-testid='stSidebar']").getBoundingClientRect();
    return isNarrow ? place.right <= 0 : place.left === 0;
}"""
TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
AXE = Axe().axe_script
# What a page shows anew where a tab was opened on it, the rest having been looked at before.
OPEN_TAB = "[role='tabpanel']"
# What depends on the screen; all else of a page is found on any.
SEEN = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]
# What a rule finds is as serious as the rule: those whose findings do not count are not asked.
FINDINGS = """async ([within, only]) => {
    const lesser = axe._audit.rules.filter(one => ["minor", "moderate"].includes(one.impact));
    const found = await axe.run(within || document, {
        resultTypes: ["violations"],
        rules: Object.fromEntries(lesser.map(one => [one.id, {enabled: false}])),
        ...(only.length ? {runOnly: {type: "rule", values: only}} : {}),
    });
    return found.violations;
}"""
# On a page's own address Streamlit's client first looks for the server below that address.
LOOKS_FOR_SERVER = re.compile(r"/[\w-]+/_stcore/(health|host-config)$")
LOGGED_ERROR = re.compile(r"\berror [0-9a-f]{8}\b|\bERROR\b")
# Long enough for a machine that others use too; nothing waits so long unless it is not there.
MILLISECONDS = 180_000
# Looking at every frame would cost the page a good part of its time.
BETWEEN_LOOKS = 100

expect.set_options(timeout=MILLISECONDS)


def accessibility_findings(
    page: Page, within: str | None = None, only: Sequence[str] = ()
) -> list[str]:
    """Serious and critical findings of axe on a page, by all rules or `only` some of them."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(FINDINGS, [within, list(only)])
    return [
        f"{finding['id']} ({finding['impact']}) at {' '.join(map(str, node['target']))}: "
        f"{node.get('failureSummary', '')} {node['html'][:200]}"
        for finding in found
        for node in finding["nodes"]
    ]


class Visit:
    """A tab, which to the app is a user."""

    def __init__(
        self, page: Page, server: Server, scheme: Scheme = "light", width: int = WIDE
    ) -> None:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        self._scheme = scheme
        self._width = width
        self.page = page
        self.server = server
        # What others brought about on the same server is theirs to answer for.
        self.logged_before = len(server.log)
        self.faults: list[str] = []
        self.hosts: set[str] = set()
        self.foreign: list[str] = []
        # How often the browser has asked whether to leave the page.
        self.asked_to_stay = 0
        page.set_default_timeout(MILLISECONDS)
        self._listeners: dict[str, Callable[..., None]] = {
            "request": lambda request: self._note_request(request.url),
            "websocket": lambda opened: self._note_request(opened.url),
            "dialog": self._note_dialog,
            "console": self._note_message,
            "pageerror": lambda error: self.faults.append(f"page error: {error}"),
        }
        for event, note in self._listeners.items():
            page.on(event, note)  # type: ignore[call-overload]

    # Going about

    def open(self, address: str) -> None:
        """Open a path of the app, or a whole address."""
        self.page.goto(address if "://" in address else f"{self.server.url}{address}")
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        self.settle()

    def leave(self) -> None:
        """End the visit, and leave the tab to somebody of whom the browser knows nothing."""
        self.page.goto(f"{self.server.url}/_stcore/health")
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.page.mouse.move(0, 0)
        for event, note in self._listeners.items():
            self.page.remove_listener(event, note)

    def settle(self) -> None:
        """Wait until nothing runs and all is drawn; first wait for what a change brings."""
        self.page.wait_for_function(SETTLED, polling=BETWEEN_LOOKS)

    def go_to(self, label: str, heading: str) -> None:
        """Follow the menu, which narrow screens keep in the closed sidebar."""
        link = self.page.get_by_role("navigation").get_by_role("link", name=label, exact=True)
        more = self.page.get_by_test_id("stTopNavSection")
        expect(link.or_(more).or_(self.sidebar_opener).first).to_be_visible()
        if self.sidebar_opener.is_visible():
            # One that somebody has opened and closed would stay closed on a wide screen as well.
            link.dispatch_event("click")
        else:
            # Until the menu is measured, its entries lie behind "11 more" as well.
            expect(more.filter(has_text=re.compile("[0-9]"))).to_have_count(0)
            if link.count():
                link.click()
            else:
                more.click()
                self.page.get_by_role("menuitem", name=label, exact=True).click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text(heading)
        self.settle()

    def show_on(self, scheme: Scheme, width: int) -> None:
        """Take what is on the page to another screen."""
        changes_width, changes_scheme = width != self._width, scheme != self._scheme
        # Both at once: charts are drawn once for them.
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme)
        self._width, self._scheme = width, scheme
        if changes_width:
            in_place = SIDEBAR_IS_IN_PLACE
            self.page.wait_for_function(in_place, arg=width == NARROW, polling=BETWEEN_LOOKS)
        if changes_scheme:
            app = self.page.get_by_test_id("stApp")
            expect(app).to_have_css("color-scheme", scheme)
            # What the script draws has the colours of its last run.
            self.run_again()
            colour = {"light": LIGHT, "dark": DARK}[scheme].ink
            self.page.wait_for_function(CHARTS_HAVE_COLOUR, arg=colour, polling=BETWEEN_LOOKS)
        self.settle()

    def run_again(self) -> None:
        """Have the page drawn anew, for which Streamlit has a key."""
        self.page.evaluate(NOTE_NEXT_RUN)
        self.page.keyboard.press("r")
        self.page.wait_for_function("window.hasRunAgain", polling=BETWEEN_LOOKS)

    def open_sidebar(self) -> None:
        self.sidebar_opener.click()
        menu = self.page.get_by_role("navigation")
        expect(menu.get_by_role("link").first).to_be_in_viewport(ratio=1)

    def close_sidebar(self) -> None:
        self.page.get_by_role("button", name="Collapse sidebar").click()
        expect(self.sidebar_opener).to_be_visible()

    def drop(self, name: str, content: bytes) -> None:
        """Give a file to the uploader; what comes of it is the caller's to wait for."""
        file: FilePayload = {"name": name, "mimeType": "text/csv", "buffer": content}
        self.main.locator("input[type='file']").set_input_files(file)

    def open_all_expanders(self) -> None:
        """Open every part that is closed, also those that come with what an opened one shows."""
        closed = self.main.locator("details:not([open]) > summary")
        for _ in range(10):
            if not closed.count():
                break
            closed.evaluate_all("found => found.forEach(one => one.click())")
            self.page.wait_for_function(OPENED_ARE_FILLED, polling=BETWEEN_LOOKS)
            self.settle()
        expect(closed).to_have_count(0)

    def download(self, button: str) -> Download:
        with self.page.expect_download() as started:
            self.main.get_by_role("button", name=button, exact=True).click()
        return started.value

    # Where to look

    @property
    def main(self) -> Locator:
        return self.page.get_by_test_id("stMain")

    @property
    def sidebar(self) -> Locator:
        return self.page.get_by_test_id("stSidebar")

    @property
    def sidebar_opener(self) -> Locator:
        """There only while the sidebar is closed, as it is at first on narrow screens."""
        return self.page.get_by_role("button", name="Expand sidebar")

    @property
    def verdict(self) -> Locator:
        # While the page is drawn again its last one may stand below the new one for a moment.
        return self.main.get_by_role("region", name="Verdict").first

    @property
    def lead(self) -> Locator:
        """The sentence that answers, on pages other than the first."""
        return self.main.locator(".lead, .verdict-sentence")

    @property
    def alpha(self) -> Locator:
        return self.sidebar.get_by_label("Level α", exact=True)

    @property
    def table(self) -> Locator:
        """The first table; one that is drawn as a picture has this beside it for screen readers."""
        return self.main.locator(".results table, [data-testid='stDataFrame'] table").first

    @property
    def exclusions(self) -> Locator:
        return self.main.get_by_role("combobox", name="Leave datasets out")

    @property
    def claim(self) -> Locator:
        return self.main.get_by_role("combobox", name="Claim")

    def open_part(self, label: str) -> None:
        """Open a part of the page that is folded away, by what it is called."""
        self.main.locator("summary").filter(has_text=label).click()
        self.settle()

    def set_alpha(self, text: str) -> None:
        self.alpha.fill(text)
        self.alpha.press("Enter")

    def choose(self, combobox: Locator, option: str | re.Pattern[str]) -> None:
        """Open a list of choices and take one."""
        self.open_list(combobox)
        exact = isinstance(option, str)
        self.page.get_by_role("option", name=option, exact=exact).click()

    def open_list(self, combobox: Locator) -> list[str]:
        """Open a list of choices and return their texts."""
        # A list closes when the page scrolls, and the event comes a frame after the scrolling.
        combobox.scroll_into_view_if_needed()
        self.page.evaluate(TWO_FRAMES)
        combobox.click()
        options = self.page.get_by_role("option")
        expect(options.first).to_be_visible()
        return options.all_inner_texts()

    def rows(self) -> list[dict[str, str]]:
        """What the first table on the page shows, one dictionary a row."""
        expect(self.table).to_be_attached()
        cells: list[list[str]] = self.table.evaluate(
            """grid => [...grid.rows].map(row => [...row.cells].map(cell =>
                [...cell.childNodes].filter(one => one.nodeName !== "SMALL")
                    .map(one => one.textContent).join("")))"""
        )
        header, *rows = cells
        # Scores stand below a system's letter and name.
        header = [name[:1] if re.match("[AB] [^−]", name) else name for name in header]
        return [dict(zip(header, row, strict=True)) for row in rows]

    # What must not be

    def check_on(
        self, screens: Iterable[Screen] = SCREENS, shown: Callable[[], None] = lambda: None
    ) -> None:
        """What is on the page fits each screen and can be read there; `shown` says what must be."""
        for position, screen in enumerate(screens):
            self.show_on(*screen)
            shown()
            assert self.sideways() == []
            assert self.accessibility_findings(only_seen=position > 0) == []

    def sideways(self) -> list[str]:
        """The parts of the page that scroll sideways."""
        found: list[str] = self.page.evaluate(SIDEWAYS)
        return found

    def accessibility_findings(
        self, within: str | None = None, *, only_seen: bool = False
    ) -> list[str]:
        """Serious and critical findings of axe, one line an element.

        Of a page that was looked at on another screen, `only_seen` looks at what a screen changes.
        """
        return accessibility_findings(self.page, within, SEEN if only_seen else ())

    def check(self) -> None:
        """Nothing has gone wrong so far, in the browser or on the server."""
        shown = self.page.get_by_test_id("stApp").inner_text()
        for text in ("Something went wrong", "Traceback", "Page not found"):
            assert text not in shown
        # What the page does not tell, the log does.
        assert self.page.get_by_test_id("stException").count() == 0, self.server.log[-5_000:]
        assert self.faults == [], self.faults
        assert self.foreign == [], "the page asked another host"
        log = self.server.log[self.logged_before :]
        assert "Traceback" not in log
        assert not LOGGED_ERROR.search(log)

    def _note_request(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("data", "blob", "about"):
            return
        self.hosts.add(parts.netloc)
        if parts.netloc != self.server.host:
            self.foreign.append(url)

    def _note_dialog(self, dialog: Dialog) -> None:
        if dialog.type == "beforeunload":
            self.asked_to_stay += 1
            dialog.accept()
            return
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _note_message(self, message: ConsoleMessage) -> None:
        place = message.location["url"]
        if message.type == "error" and not LOOKS_FOR_SERVER.search(place):
            self.faults.append(f"console: {message.text} ({place})")
