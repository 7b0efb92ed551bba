"""The pieces for a paper: what each says, that it is sound LaTeX or SVG, and what the archive holds."""

import io
import re
import xml.etree.ElementTree as ET
import zipfile
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.analysis import AnalysisSettings, analyse, statements
from core.charts.theme import LIGHT
from core.data import PValueTable, ResultSet
from core.export.paper import FORMS, marks_of, paper_pieces, paper_table, paper_zip
from core.export.paper_figures import paper_plots, pgfplots, svg
from core.methods.results import results_sentences
from core.replicability.combinations import combination_named
from core.sections.marked import intervals_of, marked_table
from tests.core.export.samples_of_analyses import (
    HOSTILE_NAMES,
    hostile_results,
    hostile_table,
    of_sample,
    resampled,
)
from tests.core.export.strict_latex import check_latex
from tests.read_as import read_as

SVG_TAGS = {"svg", "title", "rect", "line", "text", "circle", "polygon", "polyline"}


def rows_of(table: str) -> list[list[str]]:
    body = table.split("\\midrule\n")[1].split("\\bottomrule")[0]
    lines = [line for line in body.splitlines() if line != r"\endhead"]
    return [re.split(r"(?<!\\)&", line.removesuffix(r" \\")) for line in lines]


@pytest.mark.parametrize("made", [hostile_table, hostile_results])
def test_no_name_breaks_a_piece(made: object) -> None:
    analysis = made()  # type: ignore[operator]
    for form in FORMS:
        for piece in paper_pieces(analysis, form=form):
            if piece.name.endswith(".tex"):
                check_latex(piece.text)
            elif piece.name.endswith(".svg"):
                drawn = ET.fromstring(piece.text).iter()
                tags = {element.tag.partition("}")[2] for element in drawn}
                assert tags <= SVG_TAGS
        table = rows_of(paper_table(analysis, form=form))
        assert len(table) == len(HOSTILE_NAMES)
        assert len({len(row) for row in table}) == 1


def test_the_strict_reader_finds_what_is_broken() -> None:
    wrong = [*"{}#", "50% of", "a_b", "$x", "a^b", 'say "x"', "`x`", r"\input{x}"]
    for text in [*wrong, r"\begin{table*}"]:
        with pytest.raises((AssertionError, IndexError)):
            check_latex(text)


def test_a_long_name_of_a_system_stands_over_its_column_in_short_lines() -> None:
    names: dict[str, Any] = {
        "system_a": "Multilingual Adapter Transformer [ours]",
        "system_b": "XLM-RoBERTa",
    }
    data = replace(of_sample("parsing-redshift").table, **names)
    table = paper_table(analyse(data, AnalysisSettings()))
    check_latex(table)
    stacked = r"\shortstack[r]{Multilingual\\Adapter\\Transformer\\{[}ours{]}}"
    assert f"Dataset & {stacked} & XLM-RoBERTa & Diff." in table


def test_each_mark_stands_on_the_score_of_the_system_that_is_better() -> None:
    # MIMICK and Char→Tag are each significantly better on three languages after Holm correction.
    rows = rows_of(paper_table(of_sample("pos-tagging"), form="narrow"))
    starred = {
        side: {row[0].strip() for row in rows if "star" in row[side]}
        for side in range(len(rows[0]))
    }
    assert starred == {
        0: set(),
        1: {"Hungarian", "Chinese", "Czech"},
        2: {"Tamil", "Basque", "Indonesian"},
        3: set(),
    }


def test_a_dagger_is_what_only_the_assumption_of_the_count_adds() -> None:
    analysis = of_sample("parsing-redshift")
    marks = dict(zip(analysis.table.datasets, marks_of(analysis, analysis.question), strict=True))
    assert {name: mark for name, mark in marks.items() if mark} == {"MZ": "★", "NW": "†"}
    table = paper_table(analysis)
    for fact in ("N = 7", r"$\alpha$ = .05", "Holm", "independent", r"5\%"):
        assert fact in table, fact
    # Without an assumption there is nothing to add.
    alone = of_sample("parsing-redshift", AnalysisSettings(dependence="not-known"))
    assert set(marks_of(alone, alone.question)) == {"★", ""}
    assert "dagger" not in paper_table(alone)


def test_the_results_give_range_count_assumption_names_and_a_practice_that_differs() -> None:
    pieces = {piece.name: piece.text for piece in paper_pieces(of_sample("parsing-redshift"))}
    numbers = ("+0.36 to +1.02", ".0046 to .1662", "at least 5 of 7", r"95\%", "ahead on 2 of 7")
    for fact in (*numbers, "independent", "MZ"):
        assert fact in pieces["results.tex"], fact
    agreed = {piece.name: piece.text for piece in paper_pieces(of_sample("parsing-spacy"))}
    assert "no guarantee" not in agreed["results.tex"]


def test_table_and_results_each_answer_how_many_which_assuming_what_and_by_what_test() -> None:
    for key in ("parsing-redshift", "pos-tagging", "word-similarity", "simulated-accuracy"):
        for settings in (None, AnalysisSettings()):
            analysis = of_sample(key, settings)
            assert 3 <= len(results_sentences(analysis)) <= 6, key
            table, results = paper_table(analysis), " ".join(results_sentences(analysis))
            condition = combination_named(analysis.question.answer.combination).clause
            test = "as published" if analysis.printed else "McNemar's test"
            for asked in statements.stated(analysis, analysis.question):
                named = analysis.identification(asked, "holm").rejected
                for name, is_named in zip(analysis.table.datasets, named, strict=True):
                    (row,) = (line for line in table.splitlines() if line.startswith(f"{name} &"))
                    assert not is_named or (r"\star" in row and name in results), (key, name)
                for text in (table, results):
                    k_hat = asked.answer.k_hat
                    assert not k_hat or re.search(rf"at least {k_hat}\b", text), (key, k_hat)
                    assert condition in text, key
            assert test in table, key
            assert ("published" if analysis.printed else test) in results, key
            assert "significantly better than the other after Holm correction" in table, key
            assert "after Holm correction" in results or "After Holm correction" in results, key


def test_table_results_and_readme_say_where_more_resamples_may_change_the_answer() -> None:
    for analysis, is_open in ((resampled(), True), (of_sample("simulated-accuracy"), False)):
        with zipfile.ZipFile(io.BytesIO(paper_zip(analysis))) as archive:
            for name in ("table.tex", "results.tex", "README.txt"):
                text = " ".join(archive.read(name).decode().split()).lower()
                assert ("not settled" in text) == is_open, name


def test_every_piece_says_that_a_joint_count_is_not_settled_and_which_p_values_are_joint() -> None:
    rng = np.random.default_rng(0)
    rows = ["dataset,example,ours,base"]
    for language in ("de", "fr", "sw"):
        base = rng.normal(size=60)
        ours = base + rng.normal(size=60) + 0.15
        rows += [f"{language},{i},{ours[i]:.3f},{base[i]:.3f}" for i in range(60)]
    data = read_as(ResultSet, "\n".join(rows).encode())
    analysis = analyse(data, AnalysisSettings(joint="example-id", n_resamples=99))
    joint = analysis.joint(analysis.question)
    assert not joint.settled
    with zipfile.ZipFile(io.BytesIO(paper_zip(analysis))) as archive:
        for name in ("table.tex", "results.tex", "methods.tex", "README.txt"):
            text = " ".join(archive.read(name).decode().split()).lower()
            assert "not settled" in text, name
            assert "the p-values are" not in text, name
            if name == "table.tex":
                assert "of each dataset alone, adj. p of the joint step-down test with" in text
    (heading,) = (h for h in marked_table(analysis).grid().header if "ours better" in h)
    assert heading == "p, joint flips (ours better)"


def test_figures_draw_the_numbers_of_the_analysis() -> None:
    analysis = resampled()
    forest, staircase = paper_plots(analysis)
    drawn = {
        y: (x, ends)
        for one in forest.series
        for x, y, ends in zip(one.x, one.y, one.intervals, strict=True)
    }
    for i, result in enumerate(analysis.table.results or ()):
        x, ends = drawn[float(i)]
        assert x == pytest.approx(result.difference)
        assert ends == result.confidence_interval
    front = staircase.series[-1]
    answer = analysis.question.answer
    expected = np.maximum(answer.counting.partial_conjunction_p_values, 1e-6)
    assert front.y == tuple(expected.tolist())
    assert front.label.endswith(f": {answer.k_hat}")
    numbers = re.findall(r"^\d+ (\S+)$", pgfplots(staircase), flags=re.MULTILINE)
    assert len(numbers) == 8 * len(answer.countings)


def test_a_legend_of_long_names_goes_on_in_a_new_line_above_the_plot() -> None:
    analysis = of_sample("pos-tagging")
    n_lines = []
    for label in ("{}", "{} is a system of a very long name"):
        plot = paper_plots(analysis)[1]
        series = tuple(
            replace(plot.series[0], label=label.format(letter)) for letter in ("A", "B", "C")
        )
        drawn = ET.fromstring(svg(replace(plot, series=series)))
        width = float(drawn.attrib["width"])
        texts = list(drawn.iter("{http://www.w3.org/2000/svg}text"))
        legend = [one for one in texts if (one.text or "")[:2].strip() in ("A", "B", "C")]
        assert len(legend) == 3
        for one in legend:
            assert float(one.attrib["x"]) + 6.2 * len(one.text or "") <= width
        n_lines.append(len({one.attrib["y"] for one in legend}))
        top = min(float(one.attrib["y1"]) for one in drawn.iter("{http://www.w3.org/2000/svg}line"))
        assert all(float(one.attrib["y"]) < top for one in legend)
    assert n_lines[0] == 1 < n_lines[1]


def test_at_a_margin_the_pieces_show_the_margin_and_name_the_test_of_it() -> None:
    asked = AnalysisSettings(claim="not-worse", margin=0.02)
    analysis = of_sample("simulated-accuracy", asked)
    forest = paper_plots(analysis)[0]
    shown = {int(y) for one in forest.series if one.colour == LIGHT.a for y in one.y}
    assert shown == set(np.flatnonzero(analysis.table.p_values <= 0.05).tolist())
    across_0 = {i for i, ends in enumerate(intervals_of(analysis)) if ends and ends[0] < 0.0}
    assert shown & across_0
    assert forest.bands == (0.02,) * analysis.table.n_datasets
    check_latex(pgfplots(forest))
    assert pgfplots(forest).count(r"\fill") == svg(forest).count(LIGHT.grid) == len(forest.bands)
    pieces = {piece.name: piece.text for piece in paper_pieces(analysis)}
    for name in ("table.tex", "results.tex", "methods.tex"):
        assert "the melded exact test of Fay and Lumbard" in pieces[name], name
        assert "binomial form" not in pieces[name]
    assert "two one-sided tests" in pieces["table.tex"]


def test_the_archive_is_the_same_each_time_and_says_what_is_in_it() -> None:
    analysis = of_sample("pos-tagging")
    packed = paper_zip(analysis, form="narrow", bundle=b"bundle")
    assert packed == paper_zip(analysis, form="narrow", bundle=b"bundle")
    archive = zipfile.ZipFile(io.BytesIO(packed))
    names = set(archive.namelist())
    pieces = {piece.name: piece.text for piece in paper_pieces(analysis, form="narrow")}
    assert names == {*pieces, "analysis.json", "bundle.zip", "README.txt"}
    assert all(archive.read(name).decode() == text for name, text in pieces.items())
    readme = archive.read("README.txt").decode()
    assert all(name in readme for name in names - {"README.txt"})
    cited = re.findall(r"\\citep\{([^}]*)\}", pieces["methods.tex"])
    assert set(",".join(cited).split(",")) == set(
        re.findall(r"@\w+\{(\w+)", pieces["references.bib"])
    )


@pytest.mark.parametrize(
    ("alternative", "taken"),
    [("two-sided", "take p/2 for"), ("toward-higher-score", "take p for"), ("greater", "")],
)
def test_a_caption_says_what_of_published_p_values_the_adjusted_ones_are(
    alternative: str, taken: str
) -> None:
    rows = b"dataset,Foo,Bar,p_value\nNews,91.5,90.0,.004\nWeb,88.0,87.3,.03\n"
    table = read_as(PValueTable, rows, roles={"alternative": alternative})
    caption = paper_table(analyse(table, AnalysisSettings()))
    assert ("Counts, marks and adjusted p-values take" in caption) == bool(taken)
    assert taken in caption
