"""Twenty tables of kinds that nothing was tried on while the reader was built; made once it was done.

Scaled and narrow ones in Computer Modern, commands of the author's own, spreads below the line, numbers
cut at their point into two columns, headings of two lines, stripes, dark headings, percent signs.
"""

from __future__ import annotations

import html
import random
from collections.abc import Sequence

from tests.core.claims.documents.made import Cell, MadeTable

LANGUAGES = (
    "Arabic", "Bulgarian", "Czech", "Danish", "Estonian", "French", "Greek", "Hindi", "Irish",
)  # fmt: skip
MODELS = (
    "mBART", "mT5-base", "NLLB", "Prior work", "This paper", "LSTM + att.", "k-NN", "T5 (11B)",
)  # fmt: skip
WORDS = (
    "for", "our", "main", "result", "on", "held", "out", "test", "sets", "with", "models",
    "seen",
)  # fmt: skip


def unseen_tables() -> list[MadeTable]:
    rng = random.Random(2017)
    return [_made(i, rng) for i in range(20)]


def _made(i: int, rng: random.Random) -> MadeTable:
    kind = i % 5
    n = rng.randint(2, 3)
    models = tuple(rng.sample(MODELS, n))
    n_scores = 3 * n if kind == 4 else n
    rows = []
    for name in rng.sample(LANGUAGES, rng.randint(5, 8)):
        scores = [rng.uniform(1, 99.9) for _ in range(n_scores)]
        unit = "%" if kind == 2 else ""
        rows.append(
            (
                Cell(text=name),
                *(
                    Cell(
                        text=f"{score:.{2 if i % 2 else 1}f}{unit}",
                        bold=score == max(scores),
                        mark="†" if kind == 2 and score > 80 else "",
                        spread=f"{rng.uniform(0.1, 1.9):.1f}" if kind == 1 else "",
                    )
                    for score in scores
                ),
            )
        )
    return MadeTable(
        caption=f"Scores {' '.join(rng.sample(WORDS, 4))} {i}.",
        headings=("Lang.", *(models * (3 if kind == 4 else 1))),
        top=(("", 1), ("dev", n), ("test", n), ("out of domain", n)) if kind == 4 else (),
        rows=tuple(rows),
        rules=str(kind),
        notes="† p < .01" if kind == 2 else "",
    )


def tex_unseen(tables: Sequence[MadeTable]) -> str:
    parts = [_tex(table) for table in tables]
    return (
        "\\documentclass[11pt,twocolumn]{article}\n\\usepackage[table]{xcolor}\n"
        "\\usepackage{booktabs,graphicx,makecell,threeparttable}\n\\usepackage[margin=2.2cm]{geometry}\n"
        "\\newcommand{\\best}[1]{\\textbf{#1}}\n\\newcommand{\\ci}[1]{$_{\\pm #1}$}\n"
        "\\def\\dag#1{#1\\rlap{$^\\dagger$}}\n\\begin{document}\n"
        + "\n\n".join(parts)
        + "\\end{document}\n"
    )


def _tex_number(cell: Cell, kind: str) -> str:
    text = cell.text.replace("%", "\\%")
    if kind == "3":
        whole, _, part = text.partition(".")
        return f"{{\\bf {whole}}}&{{\\bf {part}}}" if cell.bold else f"{whole}&{part}"
    text = f"\\best{{{text}}}" if cell.bold else text
    text = f"\\dag{{{text}}}" if cell.mark else text
    return text + (f"\\ci{{{cell.spread}}}" if cell.spread else "")


def _tex(table: MadeTable) -> str:
    kind, n = table.rules, len(table.headings) - 1
    spec = {
        "0": "@{}l" + "c" * n + "@{}", "1": "l" + "r" * n, "2": "l" + "c" * n,
        "3": "l" + "r@{.}l" * n, "4": "l|" + "|".join(["c" * (n // 3)] * 3),
    }[kind]  # fmt: skip
    names = [table.headings[0], *table.headings[1:]]
    if kind == "2":
        names = [names[0], *("\\makecell{" + h.replace(" ", "\\\\", 1) + "}" for h in names[1:])]
    if kind == "3":
        names = [names[0], *(f"\\multicolumn{{2}}{{c}}{{{h}}}" for h in names[1:])]
    lines = ["\\toprule" if kind != "4" else "\\hline"]
    if table.top:
        lines.append(
            " & ".join(f"\\multicolumn{{{k}}}{{c|}}{{{t}}}" if k > 1 else t for t, k in table.top)
            + f"\\\\ \\cline{{2-{n + 1}}}"
        )
    lines.append(" & ".join(names) + "\\\\" + ("\\midrule" if kind != "4" else "\\hline"))
    for i, row in enumerate(table.rows):
        stripe = "\\rowcolor{gray!15} " if kind == "4" and i % 2 else ""
        cells = [row[0].text, *(_tex_number(cell, kind) for cell in row[1:])]
        lines.append(stripe + " & ".join(cells) + "\\\\% row")
    lines.append("\\bottomrule" if kind != "4" else "\\hline")
    tabular = f"\\begin{{tabular}}{{{spec}}}\n" + "\n".join(lines) + "\n\\end{tabular}"
    if kind == "0":
        tabular = f"\\resizebox{{0.9\\columnwidth}}{{!}}{{{tabular}}}"
    if kind == "1":
        tabular = f"\\setlength{{\\tabcolsep}}{{3pt}}\\footnotesize {tabular}"
    if table.notes:
        tabular = f"\\begin{{threeparttable}}{tabular}\\begin{{tablenotes}}\\item $^\\dagger$ $p<.01$\\end{{tablenotes}}\\end{{threeparttable}}"
    star = "*" if kind == "4" else ""
    return f"\\begin{{table{star}}}[t]\\centering\n{tabular}\n\\caption{{{table.caption}}}\\end{{table{star}}}"


_STYLE = """
@page { size: letter; margin: 20mm } body { font: 11px 'DejaVu Sans', sans-serif }
figure { break-inside: avoid; margin: 5mm 0 } table { border-collapse: collapse; font-size: 10px }
td, th { padding: 3px 9px; text-align: center; font-weight: 600 } td { font-weight: 400; white-space: nowrap }
.k0 tr:nth-child(even) td { background: #e8e8f0 } .k0 thead { border-bottom: 1px solid #999 }
.k1 th { background: #223; color: white } .k2 thead { border-bottom: 2px solid }
.k3 td, .k3 th { text-align: right } .k3 td + td, .k3 th + th { border-left: 1px solid }
.k4 td, .k4 th { border: 1px solid #555 } sub { font-size: 7px } sup { font-size: 7px }
"""


def html_unseen(tables: Sequence[MadeTable]) -> str:
    return f"<meta charset=utf-8><style>{_STYLE}</style>" + "".join(
        f"<figure>{_html(table)}<p>Table {i}. {table.caption}</p></figure>"
        for i, table in enumerate(tables, start=1)
    )


def _html(table: MadeTable) -> str:
    def number(cell: Cell) -> str:
        text = f"<b>{cell.text}</b>" if cell.bold else cell.text
        text += f"<sup>{cell.mark}</sup>" if cell.mark else ""
        return f"<td>{text}{f'<sub>±{cell.spread}</sub>' if cell.spread else ''}</td>"

    top = "".join(f"<th colspan={n}>{t}</th>" for t, n in table.top)
    names = "".join(
        f"<th>{html.escape(h).replace(' ', '<br>', 1) if table.rules == '2' else html.escape(h)}</th>"
        for h in table.headings
    )
    rows = "".join(
        f"<tr><td>{r[0].text}</td>{''.join(map(number, r[1:]))}</tr>" for r in table.rows
    )
    note = "<p><sup>†</sup> p &lt; .01</p>" if table.notes else ""
    head = f"<tr>{top}</tr>" if top else ""
    return f"<table class=k{table.rules}><thead>{head}<tr>{names}</tr></thead><tbody>{rows}</tbody></table>{note}"
