"""One HTML file that holds a whole report and opens without a network."""

from __future__ import annotations

import base64
from collections.abc import Collection
from hashlib import sha256

from ...analysis import Analysis
from ...charts.offline import figure_height, figure_json, plotly_script
from ...charts.theme import LIGHT
from ...sections.parts import Bullets, Figure, Grid, Paragraph, Printed, Section, Verbatim
from ...words.formatting import html_text, script_json
from ..report import chosen_sections, report_title
from ..tables_text import grid_html
from .look import HIGHEST_ON_PAPER, SCRIPT, STYLE

# With more columns a table is set smaller on paper.
_MANY_COLUMNS = 9


def html_report(
    analysis: Analysis, *, chosen: Collection[str] | None = None, title: str = ""
) -> str:
    """Write the report as one HTML file: no request to anywhere, every table without scripts.

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

    Examples
    --------
    >>> from replicability import analyse, html_report, read_results, read_sample
    >>> sample, content = read_sample("parsing-redshift")
    >>> table = read_results(content, roles={"alternative": sample.alternative})
    >>> html_report(analyse(table), chosen=["verdict"])[:15]
    '<!DOCTYPE html>'
    """
    sections = chosen_sections(analysis, chosen)
    heading = html_text(title.strip() or report_title(analysis))
    written = [_section(section) for section in sections]
    has_charts = any(isinstance(part, Figure) for section in sections for part in section.parts)
    # Charts are only drawn where there are some; plotly's script is most of the file.
    scripts = (plotly_script(), SCRIPT) if has_charts else ()
    links = "".join(
        f'<li><a href="#{section.key}">{html_text(section.title)}</a></li>' for section in sections
    )
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{heading}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            f"<header><h1 dir=auto>{heading}</h1></header>",
            "<main>",
            *written[:1],
            # The answer comes before what else there is.
            f'<nav aria-label="Contents"><ul>{links}</ul></nav>',
            *written[1:],
            "</main>",
            *(f"<script>{script}</script>" for script in scripts),
            "</body>",
            "</html>",
            "",
        ]
    )


def _policy(scripts: Collection[str]) -> str:
    """Nothing is loaded, and only the report's own scripts run."""
    hashes = [
        f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"
        for script in scripts
    ] or ["'none'"]
    return "; ".join(
        (
            "default-src 'none'",
            "style-src 'unsafe-inline'",
            f"script-src {' '.join(hashes)}",
            # A chart becomes a picture by way of one.
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _section(section: Section) -> str:
    parts = "\n".join(part_html(part) for part in section.parts)
    key = html_text(section.key)
    return (
        f'<section id="{key}" aria-labelledby="{key}-heading">\n'
        f'<h2 id="{key}-heading">{html_text(section.title)}</h2>\n{parts}\n</section>'
    )


def part_html(part: Printed) -> str:
    """One part as HTML, all text in it escaped."""
    if isinstance(part, Paragraph):
        if part.tone == "caution":
            return f'<div class="caution">{html_text(part.text)}</div>'
        tone = "" if part.tone == "plain" else f' class="{part.tone}"'
        return f"<p{tone}>{html_text(part.text)}</p>"
    if isinstance(part, Bullets):
        return f"<ul>{''.join(f'<li>{html_text(item)}</li>' for item in part.items)}</ul>"
    if isinstance(part, Grid):
        return _grid(part)
    if isinstance(part, Verbatim):
        return f"<pre>{html_text(part.text, lines=True)}</pre>"
    return _figure(part)


def _grid(grid: Grid) -> str:
    wide = " wide" if len(grid.header) > _MANY_COLUMNS else ""
    # What scrolls must be reachable by keyboard, and then needs a name.
    label = html_text(grid.caption or "Table")
    return (
        f'<div class="table{wide}" tabindex="0" role="region" aria-label="{label}">'
        f"{grid_html(grid)}</div>"
    )


def _figure(figure: Figure) -> str:
    drawn = figure.draw(theme=LIGHT)
    # Saved as a picture it stands on white as well.
    drawn.update_layout(paper_bgcolor=LIGHT.page, autosize=True)
    name = html_text(figure.name)
    on_paper = min(1.0, HIGHEST_ON_PAPER / figure_height(drawn))
    buttons = "".join(
        f'<button type="button" data-format="{kind}" aria-label="Save the chart “{name}” as '
        f'{kind.upper()}">{kind.upper()}</button>'
        for kind in ("svg", "png")
    )
    return (
        f'<figure data-chart="{name}" aria-labelledby="chart-{name}" '
        f'style="--on-paper: {on_paper:.3g}">\n'
        f'<div class="chart" role="img" aria-label="{html_text(figure.alt)}">'
        '<div class="plot"></div>'
        "<noscript>The chart is drawn by a script; its numbers are in the tables.</noscript></div>\n"
        f'<figcaption id="chart-{name}">{html_text(figure.title)}</figcaption>\n'
        f'<div class="buttons" hidden>{buttons}</div>\n'
        f'<script type="application/json">{script_json(figure_json(drawn))}</script>\n'
        "</figure>"
    )
