"""Prints the made tables once: ``python -m tests.core.claims.documents.printing``.

`tex.pdf` is set by pdfTeX, `html.pdf` printed by Chromium; both are kept beside this file, so that
the tests need neither.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.core.claims.documents.made import (
    MadeTable,
    html_document,
    made_tables,
    tables_of_the_paper,
    tex_document,
)
from tests.core.claims.documents.unseen import html_unseen, tex_unseen, unseen_tables

FOLDER = Path(__file__).parent / "printed"
BROWSER = "/usr/bin/chromium"


def by_tex(source: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "paper.tex").write_text(source, encoding="utf-8")
        for _ in range(2):
            command = ["pdflatex", "-interaction=batchmode", "paper.tex"]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        (FOLDER / name).write_bytes((Path(folder) / "paper.pdf").read_bytes())


def by_browser(pages: dict[str, str]) -> None:
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=BROWSER, args=options)
        for name, source in pages.items():
            page = browser.new_page()
            page.set_content(source)
            page.pdf(path=FOLDER / name, prefer_css_page_size=True)
        browser.close()


def every_table() -> list[MadeTable]:
    return [*made_tables(), *tables_of_the_paper()]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    by_tex(tex_document(every_table()), "tex.pdf")
    by_tex(tex_unseen(unseen_tables()), "unseen_tex.pdf")
    by_browser(
        {
            "html.pdf": html_document(every_table()),
            "unseen_html.pdf": html_unseen(unseen_tables()),
        }
    )
