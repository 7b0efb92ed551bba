"""What a check of claims found, as a sentence, as tables, and as text for a review."""

import csv
import io
from functools import cache

import pytest

from core.claims.check import check_claims
from core.claims.desk import sample_claims, sample_metric
from core.claims.findings import ClaimReport
from core.data import PValueTable, read_sample
from core.export.claims import (
    findings_csv,
    of_tables,
    p_values_grid,
    review_latex,
    review_markdown,
    review_text,
)
from core.words.formatting import format_p_value
from tests.core.claims.made_tables import read_table, sample_table
from tests.core.made import p_value_table

HOSTILE = ("![p](http://example.org/x.png)", "=1+1", r"\input{x} $x$ 5% a_b")


@cache
def sample_report(key: str) -> ClaimReport:
    return check_claims(sample_table(key), sample_claims(key), metric=sample_metric(key))


@pytest.fixture(scope="module")
def word_similarity() -> ClaimReport:
    return sample_report("word-similarity")


@cache
def mistyped_table() -> PValueTable:
    """The sentiment table with another digit in the p-values of B→D and D→E, whose leads are clear."""
    return read_table(read_sample("sentiment")[1].replace(b"0.0011", b"0.6011"))


@cache
def mistyped() -> ClaimReport:
    return check_claims(mistyped_table(), metric="accuracy")


def hostile_report() -> ClaimReport:
    names = "; ".join(HOSTILE)
    table = p_value_table(
        [0.001, 0.002, 0.9],
        datasets=HOSTILE,
        system_a="**A**",
        system_b="<b>B</b>",
        alternative="not-stated",
        printed=(".001", ".002", ".9"),
    )
    return check_claims(table, (f"named {names} by holm for A", "exactly 3 by count"))


def test_what_a_row_shows_is_what_its_sentence_says(word_similarity: ClaimReport) -> None:
    rows = {row.dataset: row for row in word_similarity.judged_rows}
    assert list(rows) == list(word_similarity.subject.datasets)
    related = rows["WS353-REL"]
    assert related.key == "possible"
    assert not related.attainable
    for row in mistyped().judged_rows:
        if row.key != "impossible":
            continue
        ((_, most), (least, _)) = row.ranges
        for end in (most, least):
            assert format_p_value(end, digits=2) in row.reason
        for size in row.sizes:
            assert size is None or f"n = {size:,}" in row.reason


def test_all_three_texts_hold_the_paragraph_and_the_signature() -> None:
    for write in (review_text, review_markdown, review_latex):
        text = write(mistyped())
        assert "o test in use on these examples gives the p-value" in text
        assert "no sign of misconduct" in text
        assert "check:claims" in text
    assert review_text(mistyped()).endswith(f"{mistyped().signature}\n")


def test_names_are_literal_in_markdown_and_latex() -> None:
    report = hostile_report()
    text, markdown, latex = review_text(report), review_markdown(report), review_latex(report)
    assert HOSTILE[0] in text
    assert "![" not in markdown
    assert r"\!\[p\]" in markdown
    assert "<b>" not in markdown.replace(r"\<b", "")
    assert r"{[}p{]}" in latex
    assert r"\input" not in latex
    assert "a_b" not in latex.replace(r"a\_b", "")


def test_the_p_values_behind_the_verdicts_are_those_counted_smallest_first() -> None:
    table = sample_table("pos-tagging")
    grid = p_values_grid(table, 0.05)
    assert sorted(row[0] for row in grid.rows) == sorted(table.datasets)
    by_name = dict(zip(table.datasets, table.p_values.tolist(), strict=True))
    p_values = [by_name[row[0]] for row in grid.rows]
    assert p_values == sorted(p_values)
    small = [row for row in grid.rows if row[5] == "✓"]
    assert len(small) == sum(p <= 0.05 for p in p_values) == 11
    assert all(
        row[3] == ("MIMICK" if float(row[1]) > float(row[2]) else "Char→Tag") for row in small
    )
    assert "11 of 23 datasets: 4 with MIMICK ahead, 7 with Char→Tag ahead" in grid.caption


def test_the_findings_are_a_csv_without_formulas() -> None:
    report = hostile_report()
    rows = list(csv.DictReader(io.StringIO(findings_csv(report))))
    assert len(rows) == len(report.findings)
    assert [row["verdict"] for row in rows] == [f.key or "" for f in report.findings]
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "@"))]


def test_several_tables_of_a_paper_are_one_report_in_every_form() -> None:
    tables = [("Table 1: a_b", hostile_report()), ("Table 2", sample_report("sentiment"))]
    for write in (review_text, review_markdown, review_latex):
        text = of_tables(tables, write)
        assert text.index("Table 1") < text.index("**A**"[2:3]) < text.index("Table 2")
        assert all(write(report) in text for _, report in tables)
        assert of_tables(tables[1:], write) == write(tables[1][1])
    assert "a_b}" not in of_tables(tables, review_latex).replace(r"a\_b", "")
    rows = list(csv.DictReader(io.StringIO(of_tables(tables, findings_csv))))
    assert len(rows) == sum(len(report.findings) for _, report in tables)
    assert [row["table"] for row in rows][-1] == "Table 2"
    (alone,) = list(csv.reader(io.StringIO(findings_csv(tables[0][1]))))[:1]
    assert list(rows[0]) == ["table", *alone]
