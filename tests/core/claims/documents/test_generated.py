"""Sixty made tables and those of Dror et al. (2017), read from LaTeX and from two printers' PDFs.

`made.json` says what the tables hold, and `unseen.json` what twenty further ones do, of kinds that
nothing was tried on while the reader was built. pdfTeX set each `.tex`, Chromium printed each `.html`.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pypdfium2
import pytest

from core.claims.documents.pdf_page import read_page
from core.claims.documents.pdf_tables import tables_on
from core.claims.documents.reading import Answered
from core.data import PValueTable, read_results
from core.data.samples import SAMPLE_FOLDER
from core.document import DocumentTable
from core.errors import DataError
from tests.core.claims.documents.scoring import MadeTable, read_latex, score

PRINTED = Path(__file__).parent / "printed"
# Raised digits, names over rows without rules, and the like; each is asked.
MOST_ASKED = 0.08


def made_tables(name: str) -> list[MadeTable]:
    found = json.loads((PRINTED / name).read_text(encoding="utf-8"))
    return [MadeTable(**table) for table in found]


@cache
def read(name: str) -> list[DocumentTable]:
    if name.endswith(".tex"):
        return read_latex({name: (PRINTED / name).read_text(encoding="utf-8")})
    document = pypdfium2.PdfDocument(PRINTED / name)
    return [t for i in range(len(document)) for t in tables_on(read_page(document, i))]


def check(tables: list[DocumentTable], made: list[MadeTable], *, n_winners: int) -> None:
    found = score(tables, made)
    assert found.lost == []
    assert found.wrong_winners == []
    assert found.n_winners > n_winners
    assert found.share_right >= 0.99, found.wrong
    assert found.asked <= MOST_ASKED * (found.right + found.asked)


FORMS = ("made.tex", "made_tex.pdf", "made_html.pdf")


@pytest.mark.parametrize("name", FORMS)
def test_of_sixty_tables_no_winner_is_wrong_and_99_percent_of_cells_are_right(name: str) -> None:
    check(read(name), made_tables("made.json"), n_winners=900)


@pytest.mark.parametrize("name", ["unseen.tex", "unseen_tex.pdf", "unseen_html.pdf"])
def test_so_it_is_with_twenty_tables_of_kinds_that_nothing_was_built_on(name: str) -> None:
    check(read(name), made_tables("unseen.json"), n_winners=250)


def test_the_tables_of_dror_et_al_become_the_same_p_values_from_every_form() -> None:
    for paper in made_tables("made.json")[60:]:
        name = paper.caption.removeprefix("Figures of ").removesuffix(".")
        stored = read_results(SAMPLE_FOLDER / f"{name.replace(' ', '_')}.csv")
        assert isinstance(stored, PValueTable)
        texts = {
            form: Answered.of(own).text()
            for form in FORMS
            for own in read(form)
            if paper.caption in own.caption
        }
        assert len(texts) == len(FORMS), name
        for form, text in texts.items():
            found = read_results(text.encode(), name=form)
            assert isinstance(found, PValueTable), (name, form)
            assert found.datasets == stored.datasets, (name, form)
            assert (found.system_a, found.system_b) == (stored.system_a, stored.system_b)
            assert found.p_values.tolist() == stored.p_values.tolist(), (name, form)
            for own, other in (
                (found.scores_a, stored.scores_a),
                (found.scores_b, stored.scores_b),
            ):
                assert own.tolist() == other.tolist(), (name, form)


def test_what_a_table_marks_is_offered_as_a_claim() -> None:
    source = r"""\begin{table}\begin{tabular}{lrr}
    Data & Ours & BERT \\ \midrule
    SST-2 & \textbf{91.2}$^*$ & 90.1 \\ RTE & 71.5 & \textbf{72.5} \\ QQP & \textbf{88.1}$^*$ & 88.0 \\
    \end{tabular}\caption{Accuracy; $^*$ $p < .01$.}\end{table}"""
    (table,) = read_latex({"a.tex": source})
    offered = Answered.of(table).claims(("SST-2", "RTE", "QQP"), "Ours", "BERT")
    assert [(words, claim.line()) for words, claim in offered] == [
        ("Ours is marked * on 2 of 3 datasets", "significant SST-2; QQP at .01 for A"),
    ]
    for says, n_offered in (
        ("on the test sets", 3),
        ("Best results are in bold; $^*$ $p < .01$", 1),
        ("best in bold, $^*$ is significant at .01", 1),
        ("Bold marks the best result, $^*$ significant ones", 1),
        ("Bold: significantly better than the other", 3),
        ("Bold: $p < .05$ against the best baseline", 3),
        ("Significant improvements ($p<.05$) over the best baseline are in bold", 3),
        ("Improvements over the best baseline in bold ($p < .05$)", 3),
        ("Improvements over the best system in bold", 3),
        ("Best result per dataset is marked in bold (significant at $p < .05$)", 3),
        ("In bold, the best scores. $^*$ $p < .01$", 1),
        ("Best results (per row) in bold", 1),
        ("The best scores in each row (bold)", 1),
    ):
        (table,) = read_latex({"a.tex": source.replace("$^*$ $p < .01$", says)})
        assert len(Answered.of(table).claims(("SST-2", "RTE", "QQP"), "Ours", "BERT")) == n_offered
    # The other way round, systems in rows.
    turned = source.replace("Data & Ours & BERT", "Model & Ours & BERT")
    (table,) = read_latex({"a.tex": turned})
    marked = Answered.of(table).marked(("Ours", "BERT"), "SST-2")
    assert marked == {"*": ("Ours",), "bold": ("Ours",)}


def test_a_sign_against_a_third_system_is_no_claim_about_the_pair() -> None:
    source = r"""\begin{table}\begin{tabular}{lrrr}
    Data & Ours & BERT & RoBERTa \\ \midrule
    SST-2 & 91.2$^{\dagger\ddagger}$ & 90.1 & 90.0 \\ RTE & 71.5$^\dagger$ & 70.5 & 70.0 \\
    QQP & 88.1$^\ddagger$ & 88.0 & 87.1 \\ \end{tabular}\caption{Accuracy. LEGEND}\end{table}"""
    datasets = ("SST-2", "RTE", "QQP")
    for legend, both in (
        (r"$\dagger$ better than BERT, $\ddagger$ better than RoBERTa ($p<.05$).", False),
        (r"$\dagger$/$\ddagger$: gains over BERT/RoBERTa, respectively.", False),
        (r"$\dagger$ $p<.05$ and $\ddagger$ $p<.01$ on the test sets.", True),
    ):
        (table,) = read_latex({"a.tex": source.replace("LEGEND", legend)})
        answered = Answered.of(table)
        for other, sign, own in (("BERT", "†", "SST-2; RTE"), ("RoBERTa", "‡", "SST-2; QQP")):
            offered = answered.claims(datasets, "Ours", other)
            assert len(offered) == 1 + both, legend
            assert both or offered[0][1].datasets == tuple(own.split("; ")), legend
            elsewhere = answered.elsewhere(datasets, "Ours", other)
            assert bool(elsewhere) != both
            assert both or elsewhere[0][1] != sign


def test_a_sign_claims_what_the_legend_says_and_nothing_where_it_means_something_else() -> None:
    source = r"""\begin{table}\begin{tabular}{lrrr} Data & Ours & BERT & RoBERTa \\ \midrule
    RTE & 71.5$^\dagger$ & 70.5 & 70.0 \\ QQP & 86.1$^\dagger$ & 87.1 & 88.0 \\ \end{tabular}\caption{C. LEGEND}\end{table}"""
    for legend, claimed in (
        (r"$\dagger$ denotes $p<0.05$ against the best baseline.", []),
        (r"Significant gains over the strongest baseline are marked $\dagger$ ($p<.05$).", []),
        (r"Results with $\dagger$ are not significantly different from BERT ($p > .05$).", []),
        (r"$\dagger$: as reported in the original paper.", []),
        (r"All gains are significant at $p<.01$ except those with $\dagger$.", []),
        (
            r"Significant gains are marked with $\dagger$ (paired bootstrap, $p<.01$).",
            [("a", 0.01)],
        ),
        (r"$\dagger$ significantly worse than BERT ($p<.05$)", [("b", 0.05)]),
        (r"$\dagger$ significantly better or worse than BERT ($p<.05$)", [("differ", 0.05)]),
        (r"$\dagger$ differs significantly from BERT ($p<.05$)", [("differ", 0.05)]),
        (r"$\dagger$ significantly different and better ($p<.05$)", [("a", 0.05)]),
        (r"$\dagger$ $p<.05$", [("a", 0.05)]),
    ):
        (table,) = read_latex({"a.tex": source.replace("LEGEND", legend)})
        offered = Answered.of(table).claims(("RTE", "QQP"), "Ours", "BERT")
        assert [(claim.better, claim.alpha) for _, claim in offered] == claimed, legend


def test_nothing_is_handed_on_before_each_unsure_cell_is_confirmed_or_typed() -> None:
    source = r"\begin{tabular}{lrr}d & a & b \\ \hline x & 91.2$^1$ & 90.1$^2$ \\ y & 1.5 & 2.5 \\\end{tabular}"
    (table,) = read_latex({"a.tex": source})
    asked = Answered.of(table)
    assert list(asked.open_cells) == [(1, 1), (1, 2)]
    with pytest.raises(DataError, match="not confirmed") as refused:
        asked.text()
    assert len(refused.value.problems) == 2
    confirmed = asked.confirmed([(1, 1)])
    assert list(confirmed.open_cells) == [(1, 2)]
    typed = replace(
        confirmed, texts=(confirmed.texts[0], ("x", "91.2", "90.12"), confirmed.texts[2])
    )
    assert typed.text() == "d\ta\tb\nx\t91.2\t90.12\ny\t1.5\t2.5\n"
    assert [asked.called(at) for at in ((0, 1), (1, 2))] == ["heading 2", "x, b"]
    # A row that a person adds is one, and has the signs that were typed.
    longer = replace(typed, texts=(*typed.texts, ("z", "4.5*", "5.5")))
    assert longer.marked(["x", "z"], "a") == {"*": ("z",)}
    assert longer.lines == (1, 2, 3, 4)
    whole = Answered.of(replace(table, unsure="It is not sure."))
    with pytest.raises(DataError, match="Compare every cell"):
        whole.text()
    assert replace(whole, compared=True).text().startswith("d\ta\tb\n")
