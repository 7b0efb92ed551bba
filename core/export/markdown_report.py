"""A whole report as Markdown; charts by what they show."""

from __future__ import annotations

import re
from collections.abc import Collection

from ..analysis import Analysis
from ..sections.parts import Bullets, Grid, Paragraph, Printed, Verbatim
from ..words.formatting import markdown
from .report import chosen_sections, report_title
from .tables_text import grid_markdown


def markdown_report(
    analysis: Analysis, *, chosen: Collection[str] | None = None, title: str = ""
) -> str:
    """Write the report as Markdown.

    Parameters
    ----------
    analysis : Analysis
        With its question and procedure as its settings have them.
    chosen : collection of str, optional
        Keys of `SECTION_TITLES`: only these sections, in their usual order.
    title : str
        Its heading; by default the names of the systems.

    Raises
    ------
    ValueError
        If a key is unknown.
    """
    parts = [f"# {markdown(title.strip() or report_title(analysis))}"]
    for section in chosen_sections(analysis, chosen):
        parts.append(f"## {markdown(section.title)}")
        parts += [_part(part) for part in section.parts]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _part(part: Printed) -> str:
    if isinstance(part, Paragraph):
        text = markdown(part.text)
        return (
            f"**{text}**"
            if part.tone in ("lead", "strong")
            else f"> {text}"
            if part.tone == "caution"
            else text
        )
    if isinstance(part, Bullets):
        return "\n".join(f"- {markdown(item)}" for item in part.items)
    if isinstance(part, Grid):
        return grid_markdown(part)
    if isinstance(part, Verbatim):
        return _fenced(part.text)
    return f"Chart “{markdown(part.name)}”: {markdown(part.title)}"


def _fenced(text: str) -> str:
    """Text between fences longer than any run of back-ticks within."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
