"""How much a page says before anything is opened: ``python -m tests.browser.glance [ADDRESS]``.

A word has a letter, and stands in the page's main part outside of tables and charts. A box is
closed and opens on a click. Both are counted on the whole page and above the end of a first screen
of 1280 × 900 pixels.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.server import Server
from tests.browser.visit import SETTLED
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


def measure(address: str) -> None:
    """Print a line for each page."""
    sys.stdout.write(f"{'':44} words   above   boxes   above\n")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for path in ADDRESSES:
            page.goto(address + path)
            page.wait_for_selector("h1")
            page.wait_for_function(SETTLED, timeout=120_000)
            bar = page.locator("[data-testid='stProgress']")
            bar.first.wait_for(state="detached", timeout=120_000)
            page.wait_for_function(SETTLED, timeout=120_000)
            found = page.evaluate(COUNT)
            numbers = "".join(f"{number:6}  " for number in found.values())
            sys.stdout.write(f"{path:44}{numbers}\n")
        browser.close()


if __name__ == "__main__":
    if sys.argv[1:]:
        measure(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(Path(folder) / "log")
            try:
                measure(server.url)
            finally:
                server.stop()
