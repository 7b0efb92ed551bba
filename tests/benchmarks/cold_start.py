"""How long a cold start takes to its first heading, beside an app that shows one table.

From the process's start to the heading in Chromium, which is running before. Wall time of the
quickest of some rounds, both in turn.
"""

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.startup import tell
from tests.browser.conftest import ARGUMENTS
from tests.browser.server import ROOT, Server
from tests.conftest import find_chromium

ROUNDS = 5
MOST = 1.3
ONE_TABLE = """import pandas as pd
import streamlit as st

st.title("One table")
st.dataframe(pd.DataFrame({"dataset": ["a", "b"], "p_value": [0.01, 0.2]}))
"""


def _seconds_to_heading(browser: Browser, script: Path, log: Path) -> float:
    began = time.perf_counter()
    server = Server(log, script=script)
    try:
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(server.url)
            page.get_by_role("heading", level=1).wait_for()
            return time.perf_counter() - began
    finally:
        server.stop()


def main() -> None:
    """Both apps in turn."""
    chromium = find_chromium()
    if chromium is None:
        print("cold start: not measured, as no Chromium was found", file=sys.stderr)
        return
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        one_table = Path(folder) / "one_table.py"
        one_table.write_text(ONE_TABLE, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        spent: tuple[list[float], list[float]] = ([], [])
        # The first round reads from the disk.
        for turn in range(ROUNDS + 1):
            for script, times in zip((ROOT / "app.py", one_table), spent, strict=True):
                seconds = _seconds_to_heading(browser, script, Path(folder) / "log.txt")
                if turn:
                    times.append(seconds)
        tell("cold start to the first heading", spent[0], "an app of one table", spent[1], MOST)
        browser.close()
