"""What a report contains and in which order; as Markdown, as one HTML file, its tables as a workbook."""

import base64
import re
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import NamedTuple

from ..analysis import Analysis
from ..analysis.statements import groupings, open_answers
from ..charts.theme import LIGHT, plotly_script
from ..data import ResultSet
from ..sections import answers, simulation
from ..sections.effects import effects_parts
from ..sections.marked import marked_table, printed_records, results_records
from ..sections.parts import (
    Bullets,
    Figure,
    Grid,
    Paragraph,
    Part,
    Printed,
    Section,
    Verbatim,
    paragraphs,
    printed,
)
from ..sections.reliability import looked_at, reliability_parts
from ..sections.results import data_parts, how_tested_parts, per_dataset_parts, results_parts
from ..sections.simulation import simulation_parts
from ..sections.systems import compared, systems_parts
from ..words.formatting import display_name, html_text, markdown, script_json
from . import record
from .tables import grid_html, grid_markdown, workbook_of


def _verdict(analysis: Analysis) -> tuple[Part, ...]:
    """What limits the answer, the answer, and its picture."""
    cautions = paragraphs(*analysis.cautions, *open_answers(analysis), tone="caution")
    picture = answers.staircase_parts(analysis) if analysis.table.n_datasets > 1 else ()
    return (*cautions, *answers.verdict_parts(analysis), *picture)


def _results(analysis: Analysis) -> tuple[Part, ...]:
    tested = isinstance(analysis.data, ResultSet)
    return (
        *(per_dataset_parts(analysis) if tested else ()),
        *results_parts(analysis),
        *(how_tested_parts(analysis) if tested else ()),
    )


def _counting(analysis: Analysis) -> tuple[Part, ...]:
    return (
        *answers.count_parts(analysis),
        *answers.about_count_parts(analysis),
        *answers.joint_parts(analysis),
        *answers.claims_parts(analysis),
    )


class _Kind(NamedTuple):
    """A section that a report may have; `of_several` datasets only where one has nothing to count."""

    key: str
    title: str
    parts: Callable[[Analysis], tuple[Part, ...]]
    of_several: bool = False


_SECTIONS = (
    _Kind("verdict", "Verdict", _verdict),
    _Kind("counting", "How many: counting", _counting, of_several=True),
    _Kind(
        "identification",
        "Which ones: identification",
        answers.identification_parts,
        of_several=True,
    ),
    _Kind("both-sides", "Both directions at once", answers.both_sides_parts, of_several=True),
    _Kind("groups", "Groups of datasets", answers.groups_parts, of_several=True),
    _Kind("results", "Results by dataset", _results),
    _Kind("effects", "How much: effect size", effects_parts),
    _Kind("systems", "Many systems", systems_parts),
    _Kind("reliability", "What the verdicts depend on", reliability_parts),
    _Kind("simulation", "Simulated studies", simulation_parts),
    _Kind("data", "The data", data_parts),
    _Kind("dependence", "Dependence, and what each answer changes", answers.dependence_parts, True),
    _Kind("procedures", "All procedures side by side", answers.procedures_parts, of_several=True),
    _Kind("sensitivity", "Sensitivity", answers.sensitivity_parts, of_several=True),
    _Kind("methods", "Methods", record.methods_parts),
    _Kind("references", "References", record.references_parts),
    _Kind("tried", "What was tried on these data", record.tried_parts),
    _Kind("repeat", "How to repeat it", record.repeat_parts),
    _Kind("input", "All p-values", record.input_parts),
)
# The sections that a report may have, in reading order, each with its title.
SECTION_TITLES: dict[str, str] = {kind.key: kind.title for kind in _SECTIONS}


def sections_that_apply(analysis: Analysis) -> list[str]:
    """Keys of the sections that an analysis has, without making them."""
    table = analysis.table
    has = {
        "both-sides": analysis.assessment.shows_both_sides,
        "effects": table.scores_a is not None and table.scores_b is not None,
        "systems": compared(analysis) is not None,
        "reliability": looked_at(analysis) is not None,
        "simulation": analysis.studies.get(simulation.STUDIES) is not None,
        "groups": bool(groupings(analysis)),
    }
    one = table.n_datasets == 1
    return [k.key for k in _SECTIONS if has.get(k.key, True) and not (one and k.of_several)]


def chosen_sections(
    analysis: Analysis, chosen: Collection[str] | None = None
) -> tuple[Section, ...]:
    """The sections with parts, of those that are chosen by their keys; None for all.

    One says no sentence of an earlier one again, but below a table; what is there to be quoted is
    whole.
    """
    unknown = sorted(set(chosen or ()) - SECTION_TITLES.keys())
    if unknown:
        raise ValueError(
            f"`chosen` must hold keys of sections ({', '.join(SECTION_TITLES)}); "
            f"got {', '.join(map(repr, unknown))}."
        )
    found, said, one = [], set[str](), analysis.table.n_datasets == 1
    for key, title, parts_of, of_several in _SECTIONS:
        if (chosen is not None and key not in chosen) or (one and of_several):
            continue
        own = printed(parts_of(analysis))
        parts = tuple(
            part
            for before, part in zip((None, *own), own, strict=False)
            if not isinstance(part, Paragraph)
            or part.text not in said
            or isinstance(before, Grid)
            or key == "methods"
        )
        said |= {part.text for part in own if isinstance(part, Paragraph)}
        if parts:
            found.append(Section(key=key, title=title, parts=parts))
    return tuple(found)


def report_title(analysis: Analysis) -> str:
    """What a report is called unless its owner calls it otherwise."""
    a, b = display_name(analysis.table.system_a), display_name(analysis.table.system_b)
    return f"{a} and {b}: replicability analysis"


def markdown_report(
    analysis: Analysis, *, chosen: Collection[str] | None = None, title: str = ""
) -> str:
    """Write the report as Markdown; `chosen` and `title` are as `html_report` takes them."""
    parts = [f"# {markdown(title.strip() or report_title(analysis))}"]
    for section in chosen_sections(analysis, chosen):
        parts.append(f"## {markdown(section.title)}")
        parts += [_part(part) for part in section.parts]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _part(part: Printed) -> str:
    if isinstance(part, Paragraph):
        text = markdown(part.text)
        tones = {"lead": f"**{text}**", "strong": f"**{text}**", "caution": f"> {text}"}
        return tones.get(part.tone, text)
    if isinstance(part, Bullets):
        return "\n".join(f"- {markdown(item)}" for item in part.items)
    if isinstance(part, Grid):
        return grid_markdown(part)
    if isinstance(part, Verbatim):
        # Fences are longer than any run of back-ticks within.
        longest = max((len(run) for run in re.findall("`+", part.text)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}\n{part.text}\n{fence}"
    return f"Chart “{markdown(part.name)}”: {markdown(part.title)}"


def workbook(analysis: Analysis) -> bytes:
    """Sheets "results", "names", "claims" and "settings" as an .xlsx file."""
    tested = isinstance(analysis.data, ResultSet)
    sheets = {
        "results": results_records(analysis) if tested else printed_records(analysis.table),
        "names": marked_table(analysis).records(),
        "claims": answers.claims_records(analysis),
        "settings": record.settings_records(analysis),
    }
    return workbook_of(sheets)


# The HTML file

# As wide as A4 between its margins, so that a chart that was drawn on a screen fits on paper.
CHART_WIDTH = 680
# Higher ones are made smaller on paper.
HIGHEST_ON_PAPER = 900

STYLE = f"""
:root {{ color-scheme: light dark; --ink: #111827; --quiet: #4b5563; --page: #ffffff;
  --line: #d1d5db; --soft: #f3f4f6; --accent: #1d4ed8; --caution: #b45309; }}
@media screen and (prefers-color-scheme: dark) {{
  :root {{ --ink: #f3f4f6; --quiet: #a9b1bd; --page: #101318; --line: #3b4452; --soft: #1b2029;
    --accent: #8ab4ff; --caution: #f5a14a; }}
}}
* {{ box-sizing: border-box; }}
html {{ -webkit-text-size-adjust: 100%; }}
body {{ margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }}
main, header {{ max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }}
main {{ padding-bottom: 3rem; }}
h1 {{ font-size: 1.75rem; line-height: 1.25; margin: 2rem 0 .25rem; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .75rem; padding-top: .75rem;
  border-top: 1px solid var(--line); }}
p, ul, pre, figure, .caution {{ max-width: {CHART_WIDTH}px; }}
p, ul {{ margin: 0 0 .75rem; overflow-wrap: anywhere; }}
ul {{ padding-left: 1.25rem; }}
li {{ margin: .25rem 0; }}
a {{ color: var(--accent); }}
nav ul {{ columns: 2; column-gap: 2rem; padding-left: 0; list-style: none; max-width: 44rem; }}
nav li {{ margin: 0; padding: .15rem 0; break-inside: avoid; }}
.lead {{ font-size: 1.15rem; font-weight: 600; }}
.strong {{ font-weight: 600; }}
.quiet {{ color: var(--quiet); }}
.caution {{ border-left: .3rem solid var(--caution); background: var(--soft);
  padding: .5rem .9rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }}
pre {{ background: var(--soft); border: 1px solid var(--line); border-radius: .3rem; margin: 0 0 1rem;
  padding: .6rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem;
  line-height: 1.45; font-family: ui-monospace, "Cascadia Mono", Consolas, monospace; }}
.table {{ overflow-x: auto; margin: 1rem 0 1.25rem; }}
.table:focus-visible, a:focus-visible, button:focus-visible {{ outline: 2px solid var(--accent);
  outline-offset: 2px; }}
table {{ border-collapse: collapse; font-size: .9rem; line-height: 1.4; }}
caption {{ text-align: left; font-weight: 600; padding: 0 0 .4rem;
  max-width: min({CHART_WIDTH}px, calc(100vw - 2.5rem));
  overflow-wrap: anywhere; }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0;
  border-bottom: 1px solid var(--line); }}
thead th {{ border-bottom: 2px solid var(--quiet); vertical-align: bottom; max-width: 9rem;
  overflow-wrap: break-word; }}
tbody th {{ font-weight: 400; min-width: 7rem; max-width: 20rem; overflow-wrap: anywhere; }}
td {{ max-width: 26rem; overflow-wrap: break-word; }}
.wide td:last-child:not(.n) {{ min-width: 11rem; }}
.n {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
thead th.n {{ white-space: normal; }}
tbody th.n {{ min-width: 0; }}
tr > :last-child {{ padding-right: .25rem; }}
.n + :not(.n) {{ padding-left: .6rem; }}
.marked > * {{ font-weight: 650; background: var(--soft); }}
tr > :first-child {{ padding-left: .4rem; }}
figure {{ margin: 1.25rem 0 1.5rem; }}
.chart {{ background: #ffffff; border: 1px solid var(--line); border-radius: .3rem; padding: .4rem;
  color: #111827; }}
figcaption {{ font-size: .9rem; color: var(--quiet); margin-top: .4rem; overflow-wrap: anywhere; }}
.buttons {{ margin-top: .4rem; }}
button {{ font: inherit; font-size: .85rem; color: var(--ink); background: var(--soft);
  border: 1px solid var(--quiet); border-radius: .3rem; padding: .2rem .7rem; margin-right: .4rem;
  min-height: 28px; cursor: pointer; }}
@media screen and (prefers-color-scheme: dark) {{
  .chart {{ background: #121212; color: var(--ink); }}
  .plot {{ filter: invert(.93) hue-rotate(180deg); }}
}}
@media screen and (max-width: 40rem) {{
  .table:has(td.n) table {{ min-width: max-content; }}
  .table:has(td.n) td {{ max-width: 20rem; }}
}}
@media (max-width: 40rem) {{
  nav ul {{ columns: 1; }}
  h1 {{ font-size: 1.4rem; }}
}}
@page {{ size: A4; margin: 15mm; }}
@media print {{
  body {{ font-size: 10pt; line-height: 1.4; }}
  header, main {{ max-width: none; padding: 0; }}
  h1 {{ font-size: 16pt; margin-top: 0; }}
  h2 {{ font-size: 12.5pt; margin: 16pt 0 6pt; padding-top: 6pt; }}
  h1, h2, caption, thead {{ break-after: avoid; }}
  p, li {{ orphans: 3; widows: 3; }}
  tr, li, figure, .caution, p + pre {{ break-inside: avoid; }}
  p:has(+ pre) {{ break-after: avoid; }}
  thead {{ display: table-header-group; }}
  tbody tr:nth-child(-n+3) {{ break-after: avoid; }}
  tbody tr:nth-last-child(-n+3) {{ break-before: avoid; }}
  caption {{ max-width: none; }}
  .table {{ overflow: visible; }}
  table {{ font-size: 8pt; width: 100%; }}
  th, td {{ padding: 2pt 5pt 2pt 0; max-width: none; }}
  tbody th {{ min-width: 5rem; }}
  .wide table {{ font-size: 7pt; }}
  .wide td:last-child:not(.n) {{ min-width: 0; }}
  .buttons, nav {{ display: none; }}
  a {{ color: inherit; text-decoration: none; }}
  pre {{ font-size: 7.5pt; }}
  .chart {{ border: none; padding: 0; zoom: var(--on-paper, 1); }}
}}
"""

SCRIPT = """
"use strict";
const touched = matchMedia("(pointer: coarse)").matches;
for (const figure of document.querySelectorAll("figure[data-chart]")) {
  const place = figure.querySelector(".plot");
  const drawing = JSON.parse(figure.querySelector("script").textContent);
  // A finger that scrolls the page must not draw a frame in the chart.
  if (touched) drawing.layout.dragmode = false;
  place.style.height = `${drawing.layout.height}px`;
  Plotly.newPlot(place, drawing.data, drawing.layout, {displayModeBar: false, responsive: true});
  for (const button of figure.querySelectorAll("button")) {
    button.addEventListener("click", () => Plotly.downloadImage(place, {
      format: button.dataset.format,
      filename: figure.dataset.chart,
      width: place.clientWidth,
      height: drawing.layout.height,
      scale: button.dataset.format === "png" ? 3 : 1,
    }));
  }
  figure.querySelector(".buttons").hidden = false;
}
"""


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
    written = []
    for section in sections:
        parts, key = "\n".join(map(part_html, section.parts)), html_text(section.key)
        written.append(
            f'<section id="{key}" aria-labelledby="{key}-heading">\n'
            f'<h2 id="{key}-heading">{html_text(section.title)}</h2>\n{parts}\n</section>'
        )
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
            # The answer comes before everything else.
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
    digests = [base64.b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
    hashes = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    # A chart becomes a picture by way of one.
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src {hashes}; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
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
    on_paper = min(1.0, HIGHEST_ON_PAPER / (drawn.layout.height or 450))
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
        f'<script type="application/json">{script_json(drawn.to_json(validate=False))}</script>\n'
        "</figure>"
    )
