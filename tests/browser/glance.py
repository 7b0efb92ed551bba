"""How much a page says, and how far it is to an answer: ``python -m tests.browser.glance [ADDRESS]``.

Of each page words and closed boxes before anything is opened; of each walk clicks and seconds,
from the first page to what somebody came for.

A word has a letter, and stands in the page's main part outside of tables and charts. A box is
closed and opens on a click. Both are counted on the whole page and above the end of a first screen
of 1280 × 900 pixels.
"""

import sys
import tempfile
import time
from contextlib import nullcontext, suppress
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Error, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.server import Server
from tests.browser.test_three_walks import WALKS, Walker
from tests.browser.visit import SETTLED, Visit
from tests.conftest import find_chromium

TABLE, EXAMPLES, SYSTEMS = "parsing-redshift", "simulated-accuracy", "synthetic-digits"
ADDRESSES = (
    "/",
    f"/?sample={TABLE}",
    "/?sample=pos-tagging",
    f"/?sample={SYSTEMS}",
    f"/per_dataset_tests?sample={EXAMPLES}",
    f"/counting?sample={TABLE}",
    f"/identification?sample={TABLE}",
    f"/report?sample={TABLE}",
    f"/check_a_claim?sample={TABLE}",
    "/guide",
    f"/effect_size?sample={EXAMPLES}",
    f"/systems?sample={SYSTEMS}",
    f"/reliability?sample={EXAMPLES}",
    "/simulation",
)
COUNT = """() => {
    const main = document.querySelector("[data-testid='stMain']");
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const found = {words: 0, above: 0, boxes: 0, boxesAbove: 0};
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (parent.closest("style, script, svg, canvas, table, [data-testid*='Icon']")
            || !parent.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const place = range.getBoundingClientRect();
        if (place.width < 2 || place.height < 2) continue;
        const words = walker.currentNode.textContent.split(/\\s+/).filter(one => /\\p{L}/u.test(one));
        found.words += words.length;
        found.above += place.top < innerHeight ? words.length : 0;
    }
    for (const box of main.querySelectorAll("details:not([open])"))
        if (box.checkVisibility()) {
            found.boxes += 1;
            found.boxesAbove += box.getBoundingClientRect().top < innerHeight ? 1 : 0;
        }
    return found;
}"""


class Elsewhere:
    """A server that somebody else has started: nothing is known of its log."""

    log = ""

    def __init__(self, address: str) -> None:
        self.url = address
        self.host = urlsplit(address).netloc


def measure(server: Server | Elsewhere) -> None:
    """Print a line for each page and each walk."""
    sys.stdout.write(f"{'':44} words   above   boxes   above\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for path in ADDRESSES:
            page.goto(server.url + path)
            page.wait_for_selector("h1")
            page.wait_for_function(SETTLED, timeout=120_000)
            bar = page.locator("[data-testid='stProgress']")
            bar.first.wait_for(state="detached", timeout=120_000)
            page.wait_for_function(SETTLED, timeout=120_000)
            found = page.evaluate(COUNT)
            numbers = "".join(f"{number:6}  " for number in found.values())
            sys.stdout.write(f"{path:44}{numbers}\n")
        page.close()
        sys.stdout.write(f"\n{'':44}clicks  seconds\n")
        for walk in WALKS:
            context = browser.new_context(accept_downloads=True, reduced_motion="reduce")
            visit = Visit(context.new_page(), server)  # type: ignore[arg-type]
            visit.open("/")
            walker, start = Walker(visit), time.monotonic()
            found = f"{'another way':>15}"
            # Another version of the app may have other names, or no such way.
            with (
                suppress(AssertionError, Error) if isinstance(server, Elsewhere) else nullcontext()
            ):
                walk(walker)
                found = f"{walker.clicks:6}{time.monotonic() - start:9.1f}"
            sys.stdout.write(f"{walk.__name__.replace('_', ' '):44}{found}\n")
            context.close()
        browser.close()


if __name__ == "__main__":
    if sys.argv[1:]:
        measure(Elsewhere(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder) / "log")
            try:
                measure(server)
            finally:
                server.stop()
