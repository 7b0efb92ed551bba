"""How the HTML report looks on a screen, light or dark, and on paper; and what draws its charts."""

from __future__ import annotations

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
