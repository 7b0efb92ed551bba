"""What a check of claims found, as a sentence, as tables, and as text for a review."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.claims import ClaimReport, check_claims, sample_claims, sample_metric
from core.data import PValueTable, ScoreTable, read_results, read_sample, samples
from core.export.claims import (
    VERDICT_RULES,
    VERDICT_WORDS,
    claims_grid,
    findings_csv,
    lead_sentence,
    possible_grid,
    possible_rows,
    review_latex,
    review_markdown,
    review_text,
)
from core.report.formatting import format_p_value

HOSTILE = ("![p](http://example.org/x.png)", "=1+1", r"\input{x} $x$ 5% a_b")


def sample_table(key: str) -> PValueTable:
    sample = next(one for one in samples() if one.key == key)
    file = io.BytesIO(read_sample(key)[1])
    file.name = sample.file_name
    table = read_results(file, name=sample.file_name, roles={"alternative": sample.alternative})
    assert isinstance(table, PValueTable)
    return table


@cache
def sample_report(key: str) -> ClaimReport:
    return check_claims(sample_table(key), sample_claims(key), metric=sample_metric(key))


@pytest.fixture(scope="module")
def word_similarity() -> ClaimReport:
    return sample_report("word-similarity")


@cache
def mistyped_table() -> PValueTable:
    """The sentiment table with another digit in the p-values of B→D and D→E, whose leads are clear."""
    table = read_results(
        read_sample("sentiment")[1].replace(b"0.0011", b"0.6011"),
        roles={"alternative": "not-stated"},
    )
    assert isinstance(table, PValueTable)
    return table


@cache
def mistyped() -> ClaimReport:
    return check_claims(mistyped_table(), metric="accuracy")


def bare_table(datasets: tuple[str, ...], system_a: str = "A", system_b: str = "B") -> PValueTable:
    p_values = np.array([0.001, 0.002, 0.9])
    return PValueTable(
        datasets=datasets,
        system_a=system_a,
        system_b=system_b,
        p_values=p_values,
        p_value_bounds=(p_values, p_values),
        alternative="not-stated",
        printed=(".001", ".002", ".9"),
    )


def hostile_report() -> ClaimReport:
    names = "; ".join(HOSTILE)
    table = bare_table(HOSTILE, "**A**", "<b>B</b>")
    return check_claims(table, (f"named {names} by holm for A", "exactly 3 by count"))


def test_the_lead_quotes_the_claim_that_is_contradicted() -> None:
    sentence = lead_sentence(sample_report("sentiment"))
    assert sentence.startswith(
        "7 of 8 claims are confirmed by the p-values as printed. 1 is contradicted: AE-SCL-SR is "
        "better on exactly 10 datasets by Fisher at level .05."
    )


def test_the_lead_names_the_datasets_that_speak_for_the_other_system() -> None:
    sentence = lead_sentence(sample_report("pos-tagging"))
    assert sentence == (
        "None of the 7 claims is supported once each p-value is read by direction, though as printed, "
        "whichever system they speak for, the p-values give them. Tamil, Basque and Indonesian are claimed for MIMICK, whose score is lower there."
    )


def test_the_lead_says_of_what_no_test_gives_that_it_need_be_nobodys_fault(
    word_similarity: ClaimReport,
) -> None:
    assert lead_sentence(mistyped()).endswith(
        "Of 12 p-values beside their scores, 2 are not by a test on these examples (B→D and D→E). "
        "Another n, a test on other units, another rounding, or averages over runs could explain that."
    )
    # What is only not by Williams', Steiger's and Meng's tests is no doubt.
    assert "test" not in lead_sentence(word_similarity)


@pytest.mark.parametrize(
    ("lines", "start"),
    [
        ((), "No claim is entered, so the table alone is checked."),
        (
            ("exactly 2 by count",),
            "The claim holds only as “differ”, not as “better”: the table has",
        ),
        (("exactly 2 by count for differ",), "The claim is confirmed by the p-values as printed."),
        (
            ("exactly 1 by count",),
            "The claim is not what the p-values as printed give, and cannot be decided by direction.",
        ),
        (
            ("exactly 1 by count for differ",),
            "The claim is contradicted by the p-values as printed.",
        ),
        (("exactly 2 of 9 by count",), "The claim cannot be decided by the p-values as printed."),
        (
            ("exactly 1 by count", "at least 3 by count"),
            "1 of 2 claims is not supported by the p-values as printed: A is better on at least 3 "
            "datasets, counting p ≤ .05. 1 of 2 claims is not what the p-values as printed give, and "
            "cannot be decided by direction: A is better on exactly 1 dataset",
        ),
        (
            ("exactly 1 by count for differ", "at least 3 by count for differ"),
            "1 of 2 claims is contradicted by the p-values as printed: A and B differ on exactly 1 "
            "dataset, counting p ≤ .05. 1 is not supported: ",
        ),
    ],
)
def test_the_lead_fits_few_claims(lines: tuple[str, ...], start: str) -> None:
    table = bare_table(("u", "v", "w"))
    assert lead_sentence(check_claims(table, lines)).startswith(start)


def test_scores_alone_are_named_as_what_was_judged_by() -> None:
    table = ScoreTable(
        datasets=("u", "v"),
        systems=("A", "B"),
        values=np.array([[0.95, 0.50], [0.94, 0.51]]),
        printed=((".95", ".50"), (".94", ".51")),
    )
    report = check_claims(table, "at least 2", metric="accuracy", n_examples=(1000, 1000))
    assert lead_sentence(report) == "The claim is confirmed by scores and sizes alone."


def test_every_verdict_has_a_sign_words_and_a_rule() -> None:
    assert VERDICT_WORDS.keys() == VERDICT_RULES.keys()
    assert len({words.words for words in VERDICT_WORDS.values()}) == len(VERDICT_WORDS)
    assert "no sign of misconduct" in VERDICT_RULES["impossible"]


def test_what_a_row_shows_is_what_its_sentence_says(word_similarity: ClaimReport) -> None:
    rows = {
        row.dataset: row for row in possible_rows(word_similarity, sample_table("word-similarity"))
    }
    assert list(rows) == list(word_similarity.subject.datasets)
    related = rows["WS353-REL"]
    assert related.verdict == "not-excluded"
    assert not related.explained_by
    for row in possible_rows(mistyped(), mistyped_table()):
        (finding,) = mistyped().about(row.dataset)
        assert row.verdict == finding.verdict
        if row.verdict != "impossible":
            continue
        ((_, most), (least, _)) = row.ranges
        for end in (most, least):
            assert format_p_value(end, digits=2) in finding.reason
        for size in row.sizes:
            assert size is None or f"n = {size:,}" in finding.reason


def test_a_possible_row_lies_in_its_range_and_names_what_explains_it() -> None:
    table = sample_table("sentiment")
    report = sample_report("sentiment")
    rows = {row.dataset: row for row in possible_rows(report, table)}
    for row in rows.values():
        assert row.low is not None
        assert row.high is not None
        # What is not by McNemar's tests to its digits lies within the range of one of them.
        assert row.low <= row.p_high
        assert row.p_low <= row.high
    assert [(v.test, v.speaks_for) for v in rows["B→K"].explained_by] == [("mcnemar", "a")]
    assert rows["B→K"].disagreements == (155, 155)
    assert rows["D→B"].verdict == "not-excluded"
    assert not rows["D→B"].explained_by


def test_rows_of_exchanged_systems_tell_the_same_ranges() -> None:
    table = sample_table("sentiment")
    exchanged = table.swapped()
    own = possible_rows(check_claims(table, metric="accuracy"), table)
    others = possible_rows(check_claims(exchanged, metric="accuracy"), exchanged)
    assert [(row.low, row.high) for row in own] == [(row.low, row.high) for row in others]
    assert [row.verdict for row in own] == [row.verdict for row in others]


def test_error_rates_leave_the_same_p_values_open_as_accuracies() -> None:
    table = sample_table("sentiment")
    assert table.printed_scores_a is not None
    assert table.printed_scores_b is not None

    def wrong(printed: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(f"{1 - float(text):.4f}" for text in printed)

    a, b = wrong(tuple(table.printed_scores_a)), wrong(tuple(table.printed_scores_b))
    rates = replace(
        table,
        scores_a=np.array(a, dtype=float),
        scores_b=np.array(b, dtype=float),
        printed_scores_a=a,
        printed_scores_b=b,
        higher_is_better=False,
    )
    own = possible_rows(check_claims(table, metric="accuracy"), table)
    others = possible_rows(check_claims(rates, metric="accuracy"), rates)
    assert [(r.low, r.high, r.verdict) for r in own] == [(r.low, r.high, r.verdict) for r in others]


def test_the_grids_have_a_row_each_and_the_caveat_beside_what_no_test_gives(
    word_similarity: ClaimReport,
) -> None:
    odd = possible_grid(possible_rows(mistyped(), mistyped_table()), mistyped().subject)
    marks = {row[0]: row[1] for row in odd.rows}
    assert [name for name, mark in marks.items() if mark.startswith("✗ ")] == ["B→D", "D→E"]
    rows = possible_rows(word_similarity, sample_table("word-similarity"))
    grid = possible_grid(rows, word_similarity.subject)
    cells = {row[0]: row for row in grid.rows}
    assert cells["WS353-REL"][1] == "✓ possible"
    assert cells["RG-65"][1] == "✓ possible"
    assert cells["RG-65"][7].startswith("r .948")
    assert "no sign of misconduct" in grid.caption
    claims = claims_grid(word_similarity)
    assert len(claims.rows) == len(word_similarity.claims)
    assert claims.rows[0][2:] == ("8", "none", "MTurk-771 and Verb-143")


def test_all_three_texts_hold_the_paragraph_and_the_signature() -> None:
    for write in (review_text, review_markdown, review_latex):
        text = write(mistyped())
        assert "not by a test on the n examples" in text
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


def test_the_findings_are_a_csv_without_formulas() -> None:
    report = hostile_report()
    rows = list(csv.DictReader(io.StringIO(findings_csv(report))))
    assert len(rows) == len(report.findings)
    assert [row["verdict"] for row in rows] == [f.verdict or "" for f in report.findings]
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "@"))]


def test_a_name_that_is_a_formula_is_guarded_in_the_csv() -> None:
    table = sample_table("word-similarity").without(
        set(sample_table("word-similarity").datasets) - {"WS353-REL"}
    )
    report = check_claims(replace(table, datasets=("=1+1",)), metric="correlation")
    rows = list(csv.DictReader(io.StringIO(findings_csv(report))))
    assert "'=1+1" in [row["dataset"] for row in rows]


def test_contradicted_is_said_only_where_no_reading_allows_a_claim() -> None:
    content = (
        b"dataset,A,B,p_value\nSST-2,91.2,90.1,.03\nMRPC,85.0,84.0,.20\n"
        b"RTE,70.4,66.1,.01\nCoLA,60.0,61.0,.40\n"
    )
    table = read_results(content)
    assert isinstance(table, PValueTable)
    one = check_claims(table, "exactly 2 by bonferroni for A")
    assert lead_sentence(one) == (
        "The claim is not what the p-values as printed give, but possible if they are read as "
        "two-sided."
    )
    three = check_claims(
        table, "exactly 2 by bonferroni for A\nat least 1 for B\nexactly 3 by bonferroni for A"
    )
    sentence = lead_sentence(three)
    assert "1 of 3 claims is contradicted" in sentence
    assert "possible if they are read as two-sided: A is better on exactly 2 datasets" in sentence
    assert "1 of 3 claims is not supported once each p-value is read by direction" in sentence


def test_ranges_are_told_over_every_test_in_use(word_similarity: ClaimReport) -> None:
    for row in possible_rows(word_similarity, sample_table("word-similarity")):
        assert row.ranges
        assert row.low is not None
        assert row.high is not None
        assert row.ranges[0][0] <= row.low * (1 + 1e-9)
        assert row.ranges[-1][1] >= row.high * (1 - 1e-9)


def test_scores_of_which_fewer_are_better_are_called_rates_of_errors() -> None:
    table = read_results(b"dataset,A,B,p_value\nu,10.0,20.0,.5\nv,11.0,20.0,.5\n")
    assert isinstance(table, PValueTable)
    for higher, kind in ((False, "error rates"), (True, "accuracies")):
        turned = replace(table, higher_is_better=higher)
        report = check_claims(turned, metric="accuracy", n_examples=[1000, 1000])
        assert any(f"With {kind} 10.0 and 20.0" in f.reason for f in report.findings)


def test_the_paragraph_tells_failures_first_and_stays_short() -> None:
    report = sample_report("pos-tagging")
    paragraph = report.paragraph()
    assert paragraph.startswith(
        "I checked the 7 claims against the printed table of MIMICK and Char→Tag on 23 datasets. With "
        "each p-value read for the system whose score is the better one, none of the 7 claims is "
        "supported, "
        "though the p-values give them where direction is left aside. For MIMICK (its score is lower "
        "on Tamil, Basque and Indonesian): at level .05, 4 to 7 by counting p ≤ .05 (claimed 11), "
        "3 by Bonferroni (claimed 6), "
    )
    sentiment = sample_report("sentiment").paragraph()
    assert (
        "That AE-SCL-SR is better on exactly 10 datasets by Fisher at level .05 is contradicted"
        in sentiment
    )
    assert "The other 7 claims are confirmed by the printed numbers." in sentiment


@pytest.mark.parametrize("key", [sample.key for sample in samples() if sample_claims(sample.key)])
def test_the_paragraph_on_a_papers_own_table_can_be_pasted_whole(key: str) -> None:
    assert 20 < len(sample_report(key).paragraph().split()) <= 200
