"""Rows of a table, those of Dror et al. (2017) among them: which are possible, and what is said of them."""

from dataclasses import replace
from functools import cache

import pytest

from core.claims.check import check_claims
from core.claims.checked import CheckedTable
from core.claims.findings import ClaimReport
from core.claims.possible import Variant, nearest_sizes, possible_p_values
from core.claims.printed_scores import ScoreMetric, read_scores
from core.claims.rows import Row, judge_rows
from core.data import PValueTable, read_results
from core.significance.known_tests import of_outcomes, significance_test_names
from tests.core.claims.made_tables import read_table, sample_table, table_of
from tests.core.claims.oracles import TESTS, mcnemar_p


def row_verdicts(report: ClaimReport) -> dict[str, str | None]:
    return {f.dataset: f.key for f in report.findings if f.dataset and f.claim is None}


def test_one_test_that_explains_every_row_is_found() -> None:
    counts = [(400, 31, 9), (700, 40, 12), (300, 8, 15)]
    rows = [
        (f"x{i}", f"{(n // 2 + b) / n:.4f}", f"{(n // 2 + c) / n:.4f}",
         f"{mcnemar_p(b, c, 'mcnemar', 'two-sided'):.4f}", n)
        for i, (n, b, c) in enumerate(counts)
    ]  # fmt: skip
    report = check_claims(table_of(rows), metric="accuracy")
    (whole,) = [f for f in report.of("possible-p-values") if f.dataset is None]
    assert whole.details["n_explained"]["mcnemar", "two-sided"] == 3
    assert "What explains all 3 rows" in whole.reason
    # Sizes that a table does not have may be given beside it.
    bare = replace(table_of(rows), n_examples=None)
    given = check_claims(bare, metric="accuracy", n_examples=[n for n, *_ in counts])
    assert [f.reason for f in given.rows] == [f.reason for f in report.rows]


def test_a_p_value_for_the_second_system_is_possible_where_it_leads() -> None:
    # All 12 disagreements are won by B: its one-sided mid-p is 2^-13, half of any two-sided one.
    rows = [("x", "0.50", "0.62", "0.000122", 100), ("y", "0.60", "0.50", "0.0213", 100)]
    for alternative, gives in (
        ("not-stated", True),
        ("toward-higher-score", True),
        ("two-sided", False),
        ("greater", False),
    ):
        report = check_claims(table_of(rows, alternative=alternative), metric="accuracy")
        # Whatever is declared, a test in use may have been one-sided for B.
        assert row_verdicts(report)["x"] == "possible", alternative
        assert bool(report.judged_rows[0].attainable) == gives, alternative


def test_of_averages_over_runs_no_p_value_is_called_impossible() -> None:
    for spread, expected in (("", "impossible"), (" ± 0.01", "undecided")):
        text = f"dataset\tA\tB\tp_value\tn_examples\nx\t0.90{spread}\t0.50{spread}\t0.5\t1000\n"
        (found,) = check_claims(read_table(text), metric="accuracy").judged_rows
        assert found.key == expected
        assert (found.shown is None) == (found.attainment is None) == (expected == "undecided")


def test_a_printed_number_that_no_p_value_can_be_is_reported_with_and_without_sizes() -> None:
    head, rows = "dataset,A,B,p", ["x,91.2,90.1,.01", "y,88.2,89.1,1.2", "z,71.2,70.1,.02"]
    for text in ((head, *rows), (f"{head},n", *(f"{row},1000" for row in rows))):
        table = read_results("\n".join(text).encode(), roles={"incomplete": "as-one"})
        assert isinstance(table, PValueTable)
        report = check_claims(
            table, ("p ≤ .05 on 2 of 3 for B", "significant: y"), metric="accuracy"
        )
        (found,) = [f for f in report.rows if f.key == "impossible"]
        assert (found.dataset, found.check) == ("y", "no-p-value")
        assert "printed p = 1.2 is no p-value" in found.reason
        assert "y (1.2)" in report.paragraph()
        assert "could correct the p-value of y" in report.paragraph()
        assert not any(v.outcome is not None and "y" in v.outcome.lower for v in report.verdicts)


@cache
def rows(key: str, metric: ScoreMetric) -> tuple[Row | None, ...]:
    table = CheckedTable(table=sample_table(key), alpha=0.05, dependence="not-known")
    return judge_rows(table, metric)


def row(dataset: str, key: str = "sentiment", metric: ScoreMetric = "accuracy") -> Row:
    (found,) = [r for r in rows(key, metric) if r is not None and r.dataset == dataset]
    return found


def test_two_rows_of_table_4_are_impossible_one_sided() -> None:
    for dataset in ["E→B", "E→K"]:
        impossible = row(dataset).with_verdict("impossible")
        assert {v.test for v in impossible if v.speaks_for == "a"} == set(
            significance_test_names(of_outcomes)
        ), dataset


def test_the_nearest_p_values_are_those_of_all_splits_tests_and_sides() -> None:
    # 1,546 and 1,521 of 2,000 are right: A is alone right on 25 more.
    every = [
        (mcnemar_p(c + 25, c, test, alternative), 2 * c + 25)
        for c in range(400)
        for test in TESTS
        for alternative in ("greater", "two-sided")
    ]
    assert not [p for p, _ in every if 0.01855 <= p <= 0.01865]
    nearest = max(e for e in every if e[0] < 0.0186), min(e for e in every if e[0] > 0.0186)
    assert [(f"{p:.5f}", s) for p, s in nearest] == [("0.01851", 133), ("0.01868", 113)]
    report = check_claims(sample_table("sentiment"), metric="accuracy")
    (said,) = [f.reason for f in report.judged_rows if f.dataset == "D→B"]
    assert "nearest are .01851 (133 disagreements; McNemar, exact, one-sided for" in said
    assert "and .01868 (113 disagreements; McNemar, χ² without correction, two-sided)" in said


SIZES = {"WS353": 353, "WS353-SIM": 203, "WS353-REL": 252, "MC-30": 30, "RG-65": 65, "RW": 2034,
         "MEN": 3000, "MTurk-287": 287, "MTurk-771": 771, "YP-130": 130, "SimLex999": 999,
         "Verb-143": 143}  # fmt: skip


def test_the_largest_possible_p_and_the_n_at_which_the_printed_one_is() -> None:
    for dataset, a, b, largest, n in [
        ("WS353-REL", 0.6814, 0.5706, "0.0634", 114),
        ("RW", 0.4819, 0.4144, "0.033", 614),
        ("MEN", 0.7960, 0.7362, "1.1e-09", 772),
    ]:
        exact = possible_p_values(
            a, b, SIZES[dataset], metric="correlation", alternative="two-sided"
        )
        assert exact["williams"].high == pytest.approx(float(largest), rel=0.03), dataset
        found = row(dataset, "word-similarity", "correlation")
        scores = read_scores(f"{a:.4f}", f"{b:.4f}", metric="correlation")
        williams = Variant("williams", "either")
        sizes = nearest_sizes(scores[0], scores[1], SIZES[dataset], found.bounds, williams)
        assert sizes == (n, None), dataset
