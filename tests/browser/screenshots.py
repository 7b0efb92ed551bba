"""Take the README's screenshots: ``.venv/bin/python -m tests.browser.screenshots``."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.server import Server
from tests.browser.visit import SETTLED
from tests.conftest import find_chromium

FOLDER = Path(__file__).with_name("screenshots")
SHOTS = (
    ("verdict", "/?sample=pos-tagging", 800),
    ("counting", "/counting?sample=parsing-redshift", 1080),
)


def main() -> None:
    """Start the app, photograph each page, stop it."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "log")
        try:
            photograph(server.url)
        finally:
            server.stop()


def photograph(address: str) -> None:
    """One picture a shot, at 1280 pixels, in light colours."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for name, path, height in SHOTS:
            page = browser.new_page(viewport={"width": 1280, "height": height})
            page.goto(address + path)
            page.wait_for_selector(".verdict-tile")
            page.wait_for_function(SETTLED)
            page.evaluate("document.fonts.ready")
            page.screenshot(path=str(FOLDER / f"{name}.png"))
        browser.close()


if __name__ == "__main__":
    main()
