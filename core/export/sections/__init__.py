"""The sections of a report, each made of parts that know nothing of HTML or Markdown."""

from .contents import (
    SECTION_TITLES,
    chosen_sections,
    report_sections,
    report_title,
    sections_that_apply,
)
from .results import tests_grid

__all__ = [
    "SECTION_TITLES",
    "chosen_sections",
    "report_sections",
    "report_title",
    "sections_that_apply",
    "tests_grid",
]
