"""What is said of each row of a table, beside numbers that are enumerated or taken from SciPy."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from scipy import stats

from core.claims.check import check_claims
from core.claims.checked import CheckedTable
from core.claims.findings import Finding, RowFinding
from core.claims.possible import SpeaksFor, Variant
from core.claims.rows import judge_rows
from core.data import PValueTable, read_results
from core.types import ALTERNATIVES
from tests.core.claims.made_tables import PrintedRow, read_table, table_of
from tests.core.claims.oracles import TESTS, mcnemar_p, splits, williams_p


def said_of(rows: Sequence[PrintedRow], metric: Any = "accuracy", **settings: Any) -> list[Finding]:
    found = check_claims(table_of(list(rows), **settings), metric=metric).findings
    return [each for each in found if each.check in ("possible-p-values", "granularity")]


def said(a: str, b: str, p: str, n: int, metric: Any = "accuracy", **settings: Any) -> RowFinding:
    first = said_of([("x", a, b, p, n)], metric, **settings)[0]
    assert isinstance(first, RowFinding)
    return first


def test_scores_that_are_no_shares_are_named_once_and_beside_a_spread_left_open() -> None:
    # 120 of 150 are .800, 121 are .8067: none is .803 or .805.
    assert {right / 150 for right in (120, 121)} == {0.8, 0.80666666666666667}
    for a, b, named in (
        (".805", ".803", ".805 and .803 are no shares of 150 examples"),
        (".805", ".805", ".805 is no share of 150 examples"),
        (".800", ".803", ".803 is no share of 150 examples"),
    ):
        found = said(a, b, ".9", 150)
        assert found.key == "impossible"
        assert named in found.reason
    text = "dataset\tA\tB\tp_value\tn_examples\nx\t.805 ± .01\t.800 ± .01\t.9\t150\n"
    (open_one, *_) = check_claims(read_table(text), metric="accuracy").of("granularity")
    assert open_one.key == "undecided"
    assert "whether .805 fits 150 examples cannot be decided" in open_one.reason


def test_disagreements_and_further_variants_are_those_that_enumeration_finds() -> None:
    n, ends, right = 100, (0.00015, 0.00025), {"a": range(50, 51), "b": range(62, 63)}
    both = [(b, c) for b, c in splits(n, right["a"], right["b"])]
    sides: tuple[SpeaksFor, ...] = ("a", "b", "either")
    giving = {
        (test, side): {b + c for b, c in both if ends[0] <= p_of(b, c, test, side) <= ends[1]}
        for test in TESTS
        for side in sides
    }
    assert {key for key, sums in giving.items() if sums} == {
        ("mcnemar-mid-p", "either"),
        ("mcnemar", "b"),
    }
    found = said("0.50", "0.62", "0.0002", n)
    assert set(found.attainable) == {Variant(*key) for key, sums in giving.items() if sums}
    assert giving["mcnemar-mid-p", "either"] == {12}
    assert found.reason.endswith(
        "It takes 12 disagreements among 100 examples, two-sided (McNemar, mid-p). "
        "1 other variant gives it too."
    )
    # 11 of 20 beside 10: mid-p is one quarter where they differ on that one example alone.
    one = said("0.55", "0.50", "0.2500", 20, alternative="greater")
    assert (
        "It takes 1 disagreement among 20 examples, one-sided for A (McNemar, mid-p)." in one.reason
    )
    alone = said("0.50", "0.62", "0.0002", n, alternative="toward-higher-score")
    assert alone.reason.endswith(
        "12 disagreements among 100 examples, one-sided for B (McNemar, exact)."
    )


def p_of(b: int, c: int, test: str, side: str) -> float:
    if side == "b":
        b, c = c, b
    return mcnemar_p(b, c, test, "two-sided" if side == "either" else "greater")


def test_correlations_that_it_takes_are_written_as_all_numbers_below_1_are() -> None:
    found = said("0.3000", "0.1000", "0.2", 100, "correlation")
    (low, high) = re.findall(
        r"the two models of −(\S+) to −(\S+), two-sided \(Williams", found.reason
    )[0]
    assert (low[0], high[0]) == (".", ".")
    # At its ends are p-values that are printed .2, but for scores at the ends of their digits.
    for end, p in ((low, 0.25), (high, 0.15)):
        assert williams_p(0.3, 0.1, -float(end), 100, "two-sided") == pytest.approx(p, abs=2e-3)


def test_where_no_test_gives_the_digits_it_is_said_where_theirs_lie() -> None:
    # A alone is right on 12 more than B, on 12 to 88 that differ.
    ways = [(12 + c, c) for c in range(39)]
    every = {side: [p_of(b, c, test, side) for b, c in ways for test in TESTS] for side in "ab"}
    two_sided = [p_of(b, c, test, "either") for b, c in ways for test in TESTS]
    low = min(every["a"])
    most, least = max(two_sided + every["a"]), min(every["b"])
    assert (f"{low:.5f}", f"{most:.3f}", f"{least:.4f}") == ("0.00012", "0.241", "0.8984")
    found = said("0.62", "0.50", "0.5", 100)
    assert "McNemar's tests give no p-value with these digits" in found.reason
    assert "theirs lie from .00012 to .241 or from .8984 to 1." in found.reason
    assert f"{max(every['a']):.4f}" == "0.1205"
    one_sided = said("0.62", "0.50", "0.5", 100, alternative="greater")
    assert "McNemar's tests one-sided for A give no" in one_sided.reason
    assert "theirs lie from .00012 to .1205." in one_sided.reason


def test_of_what_no_test_gives_the_one_whose_range_holds_it_is_shown() -> None:
    # Of 7 and 5 of 10 no two-sided p lies above .73; one-sided for B 15/16 and 1 are neighbours.
    ways = [(2 + c, c) for c in range(4)]
    assert max(p_of(b, c, test, "either") for b, c in ways for test in TESTS) < 0.73
    assert sorted(p_of(b, c, "mcnemar", "b") for b, c in ways)[-2:] == [15 / 16, 1.0]
    found = said("0.7", "0.5", ".950", 10)
    assert (found.key, found.attainable, found.shown) == ("possible", (), Variant("mcnemar", "b"))


def test_an_impossible_p_value_names_its_scores_units_and_the_n_that_would_do() -> None:
    # 4 of 4 against 1 of 4: all 3 that differ are A's, half of 2^-3 is printed .06.
    assert mcnemar_p(3, 0, "mcnemar-mid-p", "greater") == 1 / 16
    found = said("1.00", "0.25", "0.06", 40)
    assert (found.key, found.sizes) == ("impossible", (4, None))
    assert "With accuracies 1.00 and .25 on 40 examples" in found.reason
    assert "another n: n = 4 would (McNemar, mid-p, one-sided for A), or" in found.reason
    # 6 of 6 against 1 of 6 is nearer to 40 than 5 of 5 against 1 of 5, one-sided .07 as well.
    assert round(mcnemar_p(5, 0, "mcnemar-chi2-corrected", "two-sided"), 2) == 0.07
    assert round(mcnemar_p(4, 0, "mcnemar-chi2-corrected", "greater"), 2) == 0.07
    nearer = said("1.0", "0.2", "0.07", 40).reason
    assert "n = 6 would (McNemar, χ² with correction, two-sided)" in nearer
    # 9 of 10 against 5 of 10: of 4 to 6 that differ the two-sided p is .125 to .219.
    assert [f"{mcnemar_p(4 + c, c, 'mcnemar', 'two-sided'):.3f}" for c in (0, 1)] == [
        "0.125",
        "0.219",
    ]
    assert said("0.90", "0.50", "0.2", 100).reason.count("n = 10 would (McNemar, exact, two-sided)")
    assert "could another n, or another rounding" in said("0.90", "0.50", "0.3", 100).reason
    # Of 4 pairs a one-sided test could give .12 as well; the one in front is named.
    of_four = said("0.99", "0.10", "0.12", 1000, "correlation").reason
    assert "n = 4 would (Williams' T2 for two correlations, two-sided)" in of_four
    of_pairs = said("0.99", "0.10", "0.2", 1000, "correlation", alternative="two-sided")
    assert (
        "With correlations .99 and .10 on 1,000 pairs no test in use on these pairs"
        in of_pairs.reason
    )


def test_what_is_too_small_for_every_formula_is_said_to_be() -> None:
    # 20 of 1,000 more are right: with no loss at all 2^-20, and z by unpaired and paired formulas.
    found = said("0.5200", "0.5000", "1.2e-40", 1000)
    assert found.key == "impossible"
    (smallest,) = re.findall(r"None of their formulas gives less than (\S+)\.", found.reason)
    assert 1.2e-40 < float(smallest) <= stats.norm.sf(20**0.5) < 2.0**-17


def test_where_lower_is_better_error_rates_are_named_as_printed() -> None:
    text = "dataset,A,B,p_value,n_examples\nx,0.10,0.50,0.3,100\n"
    found = check_claims(
        replace(read_table(text), higher_is_better=False), metric="accuracy"
    ).judged_rows[0]
    assert "With error rates .10 and .50 on 100 examples" in found.reason
    assert "one-sided for A, or at least" in found.reason


def test_the_reach_of_a_row_is_that_of_the_side_that_the_table_declares() -> None:
    for scores, ahead, behind in (
        (("0.90", "0.50"), "greater", "less"),
        (("0.50", "0.90"), "less", "greater"),
    ):
        reach: dict[str, Any] = {
            each: said(*scores, "0.3", 100, alternative=each).reach for each in ALTERNATIVES
        }
        low, most = reach[ahead]
        assert low == 0.0 < most < 0.05
        assert reach["two-sided"] == reach["toward-higher-score"] == (0.0, most)
        least, high = reach[behind]
        assert 0.95 < least < high == 1.0
        assert reach["not-stated"] == (0.0, 1.0)


def test_rows_without_a_score_or_a_p_value_are_not_judged() -> None:
    text = b"dataset,A,B,p,n\nx,.62,.5,.2,100\ny,,.5,.2,100\nz,.6,.5,1.2,100\nw,.50,.62,.2,100\n"
    table = read_results(text, roles={"alternative": "greater", "incomplete": "as-one"})
    assert isinstance(table, PValueTable)
    checked = CheckedTable(table=table, alpha=0.05, dependence="not-known")
    rows = judge_rows(checked, "accuracy")
    assert [row.dataset if row else None for row in rows] == ["x", None, None, "w"]
    found = check_claims(table, metric="accuracy").judged_rows
    assert [(row.dataset, row.printed) for row in found] == [("x", ".2"), ("w", ".2")]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_test_toward_the_higher_score_is_one_for_the_system_ahead(alternative: Any) -> None:
    sides = {
        "greater": ("a", "a", "a"),
        "less": ("b", "b", "b"),
        "two-sided": ("either",) * 3,
        "toward-higher-score": ("a", "b", "ab"),
        "not-stated": ("abeither",) * 3,
    }[alternative]
    rows = [
        ("x", ".62", ".50", ".2", 100),
        ("y", ".50", ".62", ".2", 100),
        ("z", ".5", ".5", ".9", 100),
    ]
    table = table_of(rows, alternative=alternative)
    judged = judge_rows(CheckedTable(table=table, alpha=0.05, dependence="not-known"), "accuracy")
    found = ["".join(sorted({v.speaks_for for v in row.by_variant})) for row in judged if row]
    assert tuple(found) == sides


def test_a_number_that_is_no_correlation_leaves_the_p_values_undecided() -> None:
    rows = [("x", ".6", ".5", ".2", 100), ("y", "150", ".6", ".3", 100)]
    (found,) = check_claims(table_of(rows), metric="correlation").of("possible-p-values")
    assert found.key == "undecided"
    assert "cannot be checked against the scores: " in found.reason
    assert "score_a" in found.reason
