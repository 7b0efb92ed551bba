"""What was made of each file, and how the examples of the systems were matched."""

from __future__ import annotations

from core.data import Reading
from core.report.reading_files import (
    LEFT_OVER,
    files_sentence,
    files_table,
    matched_table,
    reasons,
)
from pages.ui.frame import prose, tables
from pages.ui.frame.sections import section
from pages.ui.frame.session import Data


def show(data: Data) -> None:
    """One sentence, and the tables behind a click; nothing where one table was read."""
    reading = data.reading
    if reading is None or not (reading.files or reading.matched):
        return
    prose.paragraph(files_sentence(reading), quiet=True)
    section("What each file was used for", lambda: _tables(reading), key="matching")


def _tables(reading: Reading) -> None:
    if reading.files:
        aside = reasons(reading)
        if aside:
            prose.paragraph("Left aside:")
            prose.bullets(aside)
        tables.frame(files_table(reading), aside=True)
    if reading.matched:
        prose.paragraph(LEFT_OVER)
        tables.frame(matched_table(reading), aside=True)
