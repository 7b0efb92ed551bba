"""Take the README's screenshots: ``.venv/bin/python -m tests.browser.screenshots``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.visit import SETTLED

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).with_name("screenshots")
SHOTS = (
    ("verdict", "/?sample=pos-tagging", 800),
    ("counting", "/counting?sample=parsing-redshift", 1080),
)


def main(port: int = 8531) -> None:
    """Start the app, photograph each page, stop it."""
    FOLDER.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as server:
        try:
            photograph(f"http://127.0.0.1:{port}")
        finally:
            server.terminate()


def photograph(address: str) -> None:
    """One picture a shot, at 1280 pixels, in light colours."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, path, height in SHOTS:
            page = browser.new_page(viewport={"width": 1280, "height": height})
            for _ in range(40):
                try:
                    page.goto(address + path)
                    break
                except Exception as error:
                    if "ERR_CONNECTION_REFUSED" not in str(error):
                        raise
                    page.wait_for_load_state()
            page.wait_for_selector(".verdict-tile")
            page.wait_for_function(SETTLED)
            page.evaluate("document.fonts.ready")
            page.screenshot(path=str(FOLDER / f"{name}.png"))
        browser.close()


if __name__ == "__main__":
    main()
