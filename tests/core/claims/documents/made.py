"""Sixty tables as papers print them, made by a generator: as LaTeX, as HTML, and as what they say."""

from __future__ import annotations

import csv
import html
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.data.samples import SAMPLE_FOLDER

DATASETS = (
    "SST-2", "MNLI", "QQP", "RTE", "WNLI", "CoLA", "MRPC", "QNLI", "STS-B", "finance", "office",
    "SQuAD 2.0", "WSJ 22", "WSJ 23", "Old English", "Basque", "Île-de-France", "K→D", "NW", "WB",
)  # fmt: skip
SYSTEMS = ("Ours", "BERT", "RoBERTa large", "biLSTM-CRF", "Mate", "Redshift", "w2v", "GloVe", "A*")
WORDS = ("We", "compare", "systems", "on", "several", "datasets", "and", "report", "what", "each")


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What is printed in one cell."""

    text: str
    bold: bool = False
    mark: str = ""
    spread: str = ""

    @property
    def reads(self) -> str:
        """As a reader takes it, signs behind the number."""
        signs = "".join(sign for sign in self.mark if sign in "*†‡")
        return f"{self.text}{' ± ' + self.spread if self.spread else ''}{signs}"


@dataclass(frozen=True, kw_only=True)
class MadeTable:
    """One table, as it is printed and as it reads.

    `top` are headings over several columns, `groups` names over several rows, in a first column of
    their own, each with how many; `sections` are headings that stand before these rows.
    """

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    rules: str
    top: tuple[tuple[str, int], ...] = ()
    groups: tuple[tuple[str, int], ...] = ()
    sections: dict[int, str] = field(default_factory=dict)
    notes: str = ""
    rotated: bool = False
    two_columns: bool = False
    caption_below: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The headings that are read, top ones in front."""
        over = [text for text, n in self.top for _ in range(n)] or [""] * len(self.headings)
        telling = len(set(over[1:])) > 1
        own = [
            " | ".join(dict.fromkeys(t for t in (a if telling else "", b) if t))
            for a, b in zip(over, self.headings, strict=True)
        ]
        return (*(("Group",) if self.groups else ()), *own)

    @property
    def body(self) -> list[list[str]]:
        """Each row as it reads, with the name of its group."""
        of_group = [name for name, n in self.groups for _ in range(n)]
        return [
            [*([of_group[i]] if of_group else []), *(cell.reads for cell in row)]
            for i, row in enumerate(self.rows)
        ]


def tables_of_the_paper() -> list[MadeTable]:
    """Tables 2 to 5 of Dror et al. (2017), digits and notations as printed."""
    names = {
        "dependency_parsing_mate_redshift": "booktabs",
        "dependency_parsing_mate_spacy": "plain",
        "pos_tagging_mimick_chartag": "booktabs",
        "sentiment_aesclsr_msda": "grid",
        "word_similarity_w2v_glove": "bare",
    }
    found = []
    for name, rules in names.items():
        with (SAMPLE_FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        found.append(
            MadeTable(
                caption=f"Figures of {name.replace('_', ' ')}.",
                headings=tuple(heading.replace("_", "-") for heading in header),
                rows=tuple(tuple(Cell(text=text) for text in row) for row in rows),
                rules=rules,
                two_columns=len(header) < 5,
            )
        )
    return found


def made_tables(n: int = 60, seed: int = 32) -> list[MadeTable]:
    """Tables that take every feature in turn."""
    rng = random.Random(seed)
    return [_made(i, rng) for i in range(n)]


def _made(i: int, rng: random.Random) -> MadeTable:
    n_rows, n_systems = rng.randint(4, 9), 2 if i % 3 == 2 else rng.randint(2, 4)
    rules = ("booktabs", "plain", "grid", "bare")[i % 4]
    mark = ("", "*", "†", "**", "a", "1")[i % 6]
    has_top = i % 3 == 1
    systems = rng.sample(SYSTEMS, n_systems)
    rows = []
    for name in rng.sample(DATASETS, n_rows):
        scores = [rng.uniform(20, 99) for _ in range(n_systems * (2 if has_top else 1))]
        cells = [Cell(text=name)]
        for score in scores:
            text = f"{score:.1f}"
            if i % 5 == 3 and rng.random() < 0.4:
                text = f"−{score:.1f}" if i % 2 else f"−.{int(score) % 10}"
            if i % 10 == 9:
                text = text.replace(".", ",")
            if i % 8 == 6 and rng.random() < 0.12:
                cells.append(Cell(text=rng.choice(("", "–"))))
                continue
            best = score == max(scores)
            cells.append(
                Cell(
                    text=text,
                    bold=best,
                    mark=mark if best and rng.random() < 0.7 else "",
                    spread=f"{rng.uniform(0.1, 2):.1f}" if i % 4 == 1 and i % 3 != 2 else "",
                )
            )
        if i % 3 == 2 and i % 6 != 5:
            cells.append(Cell(text=rng.choice(("<.001", "0.0018", ".04", ".51", "2·10^-4"))))
        rows.append(tuple(cells))
    headings = ("Dataset", *systems, *(("p",) if i % 6 == 2 else ()))
    top: tuple[tuple[str, int], ...] = ()
    if has_top:
        top = (("", 1), ("Accuracy", n_systems), ("Macro F1", n_systems))
        headings = ("Dataset", *systems, *systems)
    if i % 6 == 5 and not has_top:
        # Systems in rows.
        headings = ("Model", *rng.sample(DATASETS, len(headings) - 1))
        named = rng.sample(SYSTEMS, min(n_rows, len(SYSTEMS)))
        rows = [(Cell(text=name), *row[1:]) for name, row in zip(named, rows, strict=False)]
    groups: tuple[tuple[str, int], ...] = ()
    if i % 5 == 2:
        groups = (("English", len(rows) // 2), ("Finnish", len(rows) - len(rows) // 2))
    sections = (
        {0: "In-domain", len(rows) // 2: "Out-of-domain"} if i % 9 == 4 and not groups else {}
    )
    return MadeTable(
        caption=f"{' '.join(rng.sample(WORDS, 7))}.",
        headings=headings,
        rows=tuple(rows),
        rules=rules,
        top=top,
        groups=groups,
        sections=sections,
        notes=f"{mark} p < .05" if mark in ("*", "†") else "",
        rotated=i % 7 == 3 and rules != "bare",
        two_columns=i % 2 == 0 and len(headings) <= 4 and not groups,
        caption_below=i % 4 == 2,
    )


# --- as LaTeX

_RAISED = {
    "": "", "*": "$^*$", "†": r"$^\dagger$", "**": "$^{**}$", "a": r"\textsuperscript{a}", "1": "$^1$"
}  # fmt: skip
_TEX = {"→": r"$\rightarrow$", "−": "$-$", "–": "--", "Î": r"\^I", "*": r"$^*$"}


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in text)


def _tex_cell(cell: Cell) -> str:
    text = cell.text
    if text.startswith("−"):
        text = f"$-${text[1:]}"
    elif text.startswith("<"):
        text = f"$<${text[1:]}"
    elif "10^" in text:
        text = (
            re.sub(r"10\^(.*)", r"10^{\1}", f"${text}$").replace("$}", "}$").replace("·", r"\cdot ")
        )
    else:
        text = _tex(text)
    if cell.bold:
        text = rf"\textbf{{{text}}}"
    spread = rf" $\pm$ {cell.spread}" if cell.spread else ""
    return text + _RAISED[cell.mark] + spread


def tex_of(table: MadeTable) -> str:
    """A table as a paper's source has it."""
    n = len(table.headings) + bool(table.groups)
    rules = {
        "booktabs": (r"\toprule", r"\midrule", r"\bottomrule"),
        "plain": (r"\hline", r"\hline\hline", r"\hline"),
        "grid": (r"\hline", r"\hline", r"\hline"),
        "bare": ("", "", ""),
    }[table.rules]
    names = "ll" if table.groups else "l"
    spec = names + "r" * (n - len(names))
    if table.rules == "grid":
        spec = f"|{'|'.join(spec)}|"
    lines = [rules[0]]
    lead = ["Group"] if table.groups else []
    if table.top:
        cells, at, under = [""] * len(lead), 1 + len(lead), []
        for text, span in table.top:
            edge = "|c|" if table.rules == "grid" else "c"
            cells.append(rf"\multicolumn{{{span}}}{{{edge}}}{{{text}}}" if span > 1 else text)
            if span > 1:
                under.append(rf"\cmidrule(lr){{{at}-{at + span - 1}}}")
            at += span
        lines.append(" & ".join(cells) + r" \\")
        if table.rules == "booktabs":
            lines.append("".join(under))
        elif table.rules == "grid":
            lines.append(r"\hline")
    turn = r"\rotatebox{90}{%s}" if table.rotated else "%s"
    headings = [*lead, table.headings[0], *(turn % _tex(h) for h in table.headings[1:])]
    lines.append(" & ".join(headings) + r" \\" + rules[1])
    of_group = [(name, n) for name, n in table.groups]
    starts = {sum(k for _, k in of_group[:g]): of_group[g] for g in range(len(of_group))}
    for i, row in enumerate(table.rows):
        if i in table.sections:
            over = f"|l|{''}" if table.rules == "grid" else "l"
            lines.append(rf"\multicolumn{{{n}}}{{{over}}}{{\textit{{{table.sections[i]}}}}} \\")
            if table.rules != "bare":
                lines.append(r"\hline" if table.rules in ("grid", "plain") else r"\midrule")
        first = []
        if table.groups:
            if i and i in starts and table.rules != "bare":
                lines.append(r"\midrule" if table.rules == "booktabs" else r"\hline")
            first = [rf"\multirow{{{starts[i][1]}}}{{*}}{{{starts[i][0]}}}" if i in starts else ""]
        own = [*first, *map(_tex_cell, row)]
        end = r" \\"
        if table.rules == "grid" and i + 1 < len(table.rows) and i + 1 not in starts:
            end += rf"\cline{{2-{n}}}" if table.groups else r"\hline"
        lines.append(" & ".join(own) + end)
        if (
            i + 1 in table.sections
            and i + 1 < len(table.rows)
            and table.rules in ("booktabs", "plain")
        ):
            lines.append(rules[1].removesuffix(r"\hline"))
    lines.append(rules[2])
    wide = table.two_columns is False
    star = "*" if wide else ""
    caption = rf"\caption{{{table.caption}}}"
    note = rf"\\[2pt] {{\footnotesize {_note(table)}}}" if table.notes else ""
    inside = [rf"\begin{{tabular}}{{{spec}}}", *lines, r"\end{tabular}" + note]
    order = [*inside, caption] if table.caption_below else [caption, *inside]
    return "\n".join(
        [rf"\begin{{table{star}}}[tp]\centering\small", *order, rf"\end{{table{star}}}"]
    )


def _note(table: MadeTable) -> str:
    return _RAISED[table.notes[0]] + " $p<.05$"


def tex_document(tables: Sequence[MadeTable]) -> str:
    """A paper of two columns with these tables and text between them."""
    rng = random.Random(5)
    parts = []
    for i, table in enumerate(tables):
        parts.append(" ".join(rng.choice(WORDS) for _ in range(40)) + ".\n\n")
        parts.append(tex_of(table))
        if i % 8 == 7:
            parts.append(r"\clearpage")
    return (
        "\\documentclass[10pt,twocolumn]{article}\n"
        "\\usepackage{booktabs,multirow,graphicx}\n\\usepackage[utf8]{inputenc}\n"
        "\\usepackage[T1]{fontenc}\n\\usepackage{mathptmx}\n"
        "\\usepackage[margin=2cm]{geometry}\n\\begin{document}\n"
        + "\n\n".join(parts)
        + "\n\\end{document}\n"
    )


# --- as HTML

_STYLE = """
@page { size: A4; margin: 18mm }
body { font: 10.5px/1.35 'Liberation Serif', 'DejaVu Serif', serif }
.two { columns: 2; column-gap: 8mm }
figure { break-inside: avoid; margin: 3mm 0 }
table { border-collapse: collapse; margin: 1mm auto; font-size: 9.5px }
td, th { padding: 1.5px 6px; text-align: right; font-weight: normal }
td { white-space: nowrap }
td:first-child, th:first-child, .name { text-align: left }
.booktabs, .plain { border-top: 1px solid; border-bottom: 1px solid }
.booktabs thead, .plain thead { border-bottom: .7px solid }
.grid td, .grid th { border: .7px solid }
.rule td { border-top: .7px solid }
.span { text-align: center; border-bottom: .7px solid }
.grid .span { text-align: center }
.bare .span { border-bottom: none }
.turned span { writing-mode: vertical-rl; transform: rotate(180deg) }
sup { font-size: 7px; line-height: 0 }
"""


def _html_cell(cell: Cell) -> str:
    text = html.escape(cell.text)
    text = re.sub(r"\^(-?\d+)", r"<sup>\1</sup>", text)
    if cell.bold:
        text = f"<b>{text}</b>"
    if cell.mark:
        text += f"<sup>{cell.mark}</sup>"
    if cell.spread:
        text += f" ± {cell.spread}"
    return f"<td>{text}</td>"


def html_of(table: MadeTable, number: int) -> str:
    """A table as a browser prints it."""
    head = []
    lead = '<th class="name">Group</th>' if table.groups else ""
    if table.top:
        cells = "".join(
            f'<th colspan="{n}" class="{"span" if n > 1 else ""}">{text}</th>'
            for text, n in table.top
        )
        head.append(f"<tr>{'<th></th>' if lead else ''}{cells}</tr>")
    turned = ' class="turned"' if table.rotated else ""
    names = "".join(f"<th{turned}><span>{html.escape(h)}</span></th>" for h in table.headings[1:])
    head.append(f'<tr>{lead}<th class="name">{table.headings[0]}</th>{names}</tr>')
    n = len(table.headings) + bool(table.groups)
    starts = {sum(k for _, k in table.groups[:g]): group for g, group in enumerate(table.groups)}
    body = []
    for i, row in enumerate(table.rows):
        ruled = ' class="rule"' if (i in starts and i) and table.rules != "bare" else ""
        if i in table.sections:
            sep = ' class="rule"' if i and table.rules != "bare" else ""
            body.append(f'<tr{sep}><td colspan="{n}"><i>{table.sections[i]}</i></td></tr>')
            ruled = ' class="rule"' if table.rules != "bare" else ""
        first = ""
        if i in starts:
            first = f'<td class="name" rowspan="{starts[i][1]}">{starts[i][0]}</td>'
        cells = "".join(map(_html_cell, row))
        cells = cells.replace("<td>", '<td class="name">', 1)
        body.append(f"<tr{ruled}>{first}{cells}</tr>")
    caption = f"<div>Table {number}: {table.caption}</div>"
    notes = f"<div><sup>{table.notes[0]}</sup>{table.notes[1:]}</div>" if table.notes else ""
    inner = (
        f'<table class="{table.rules}"><thead>{"".join(head)}</thead>'
        f"<tbody>{''.join(body)}</tbody></table>{notes}"
    )
    order = f"{inner}{caption}" if table.caption_below else f"{caption}{inner}"
    return f"<figure>{order}</figure>"


def html_document(tables: Sequence[MadeTable]) -> str:
    """A paper with these tables and text between them, narrow ones in two columns."""
    rng = random.Random(6)
    parts = []
    for i, table in enumerate(tables, start=1):
        text = " ".join(rng.choice(WORDS) for _ in range(40)) + "."
        own = f"<p>{text}</p>{html_of(table, i)}<p>{text}</p>"
        parts.append(f'<div class="two">{own}</div>' if table.two_columns else own)
    return f"<meta charset=utf-8><style>{_STYLE}</style>{''.join(parts)}"
