"""What scores and sizes, or marks, leave open without p-values: against every split by brute force and by SciPy."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.claims.check import check_claims
from core.claims.checked import Side, Way
from core.claims.claim import Claim
from core.claims.desk import parse_claims
from core.claims.in_use import in_use_of
from core.claims.no_p_values import (
    MarkBounds,
    Reach,
    marked_datasets,
    marks_of,
    reach_of,
    reach_sentence,
    ways_toward,
)
from core.claims.printed_scores import read_rows
from core.data import ScoreTable
from core.errors import DataError
from core.replicability.combinations import combination_names
from core.replicability.counting import count_datasets
from core.words.formatting import list_names, numbers_in_words
from tests.core.claims.made_tables import holm_by_hand, keys
from tests.core.claims.oracles import mcnemar_p, splits
from tests.read_as import read_as


def table(*rows: str) -> ScoreTable:
    """Scores of A and B and, where a third is there, the number of examples."""
    heading = "dataset,A,B,n" if rows[0].count(",") == 2 else "dataset,A,B"
    return read_as(
        ScoreTable, "\n".join([heading, *(f"x{i},{row}" for i, row in enumerate(rows))]).encode()
    )


SCORES = table("0.90,0.50", "0.70,0.50", "0.45,0.50")
SIZES = [20, 20, 20]


def toward(read: ScoreTable, sizes: list[int], side: Side = "a") -> Way:
    """The one-sided p-values for a system that are possible."""
    columns = [read.printed_scores(name) for name in ("A", "B")]
    scores = [(ranges, n) for ranges, n in read_rows(columns, sizes, "accuracy") if ranges]
    return ways_toward(side, [in_use_of(*ranges, n) for ranges, n in scores])[0]


def test_counts_and_names_that_scores_leave_open() -> None:
    near, seen = table("70.4,65.0", "45.0,50.0"), set()
    asked: tuple[tuple[ScoreTable, list[int], str, Side, float], ...] = (
        (SCORES, SIZES, "at least 1 for A", "a", 0.05),
        (SCORES, SIZES, "interval 1 to 2 about 1.5", "a", 0.05),
        (near, [1000, 100], "exactly 1 by count at .001 for B", "b", 0.001),
        (near, [1000, 100], "at least 1 for A", "a", 0.05),
    )
    for read, sizes, line, side, alpha in asked:
        report = check_claims(read, line, metric="accuracy", n_examples=sizes)
        (whole,) = [f for f in report.of("scores-alone") if f.claim is None]
        box = toward(read, sizes, side)
        always = list_names([f"x{i}" for i in holm_by_hand(2 * box.high, alpha)]) or "none"
        ever = len(holm_by_hand(box.low, alpha))
        assert f"Holm identifies {always} for certain and at most {ever}." in whole.reason
        one, two = (
            numbers_in_words(*(int((by * end <= alpha).sum()) for end in (box.high, box.low)))
            for by in (1, 2)
        )
        assert f" {side.upper()} is counted as better: " in whole.reason
        alike = "whether one-sided or two-sided" in whole.reason
        said = [one] if alike else [f"if one-sided, {one}", f"if two-sided, {two}"]
        assert all(f"{each} by common practice" in whole.reason for each in said)
        assert alike <= (one == two)
        seen.add(alike)
    assert seen == {True, False}


def test_verdicts_hold_for_every_possible_p_value() -> None:
    for line, expected in [
        ("at least 1 by count for A", "holds"),
        ("at least 1 for A", "not-shown"),
        ("at least 3 for A", "contradicted"),
        # Right on 1 of 20 more, where a bootstrap may never see A ahead.
        ("at least 1 for B", "not-shown"),
        ("at least 2 for B", "contradicted"),
        ("exactly 3 by count for A", "not-shown"),
        ("named x0; x1 by holm for A", "not-shown"),
        ("named x2 by holm for A", "not-shown"),
        ("significant x0 for A", "holds"),
        ("significant x2 for A", "not-shown"),
        ("at least 1 for differ", "not-shown"),
        ("at least 1 by any for A", "not-shown"),
        ("interval 1 to 2 about 1.5", "holds"),
        ("at least 1 of 4 for A", "not-shown"),
    ]:
        report = check_claims(SCORES, line, metric="accuracy", n_examples=SIZES)
        assert keys(report) == (expected,), (line, expected)
        assert report.verdicts[0].why, line
    turned = replace(SCORES, higher_is_better=False)
    lower = check_claims(turned, "at least 1 by count for B", metric="accuracy", n_examples=SIZES)
    assert keys(lower) == ("holds",)
    (verdict,) = check_claims(
        table("0.900,0.500"),
        "significant x0 for B",
        metric="accuracy",
        n_examples=[1000],
    ).verdicts
    assert verdict.why == "No test that was tried gives p ≤ .05 for B on x0."


def test_without_sizes_only_more_wins_than_better_scores_are_denied_and_the_scores_are_told():
    read = table("0.90\u2605,0.50", "0.70\u2605,0.50", "0.45,0.50", "0.5,0.5")
    for line, expected, why in [
        ("A consistently outperforms B", "contradicted", "On x2 the score of A is the lower one"),
        ("A is better on 3 of 4 datasets", "not-shown", "A scores better (higher) on 2 of 4"),
        ("A is significantly better on 2 of 4 datasets", "not-shown", "on 2 of 4 datasets, B on 1"),
        ("B is better on 3 of 4 datasets", "contradicted", "so that at most 2 of 4 can be wins"),
        ("no significant difference on x3", "not-shown", "B on 1, and neither on 1"),
        ("at least 5", "impossible", "there are 4"),
    ]:
        (verdict,) = check_claims(
            read, Claim(kind="at-least", k=5) if "5" in line else line
        ).verdicts
        assert verdict.key == expected, line
        assert why in verdict.why, line


def test_scores_that_fit_no_number_of_examples_are_told_and_leave_everything_open() -> None:
    report = check_claims(SCORES, "at least 1 for A", metric="accuracy", n_examples=[20, 20, 19])
    (found,) = report.of("granularity")
    assert (found.dataset, found.key) == ("x2", "impossible")
    (whole,) = report.of("scores-alone")
    assert "1 to 3 by common practice" in whole.reason


def test_a_verdict_must_hold_whether_the_paper_tested_one_sided_or_two_sided() -> None:
    read = table("70.4,65.0")
    box = toward(read, [1000])
    assert box.high[0] < 0.05 < 2 * box.high[0]
    report = check_claims(read, "at least 1 by count", metric="accuracy", n_examples=[1000])
    assert keys(report) == ("not-shown",)
    assert all(t in report.verdicts[0].reason for t in ("1 of 1 (if one", "0 or 1 of 1 (if two"))


def reach(read: ScoreTable, **settings: object) -> tuple[Reach, ...]:
    assert read.n_examples is not None
    return reach_of(read, "A", "B", n_examples=read.n_examples, metric="accuracy", **settings)  # type: ignore[arg-type]


def test_the_ends_are_those_of_every_split_and_leads_suffice_as_is_said() -> None:
    rng = np.random.default_rng(7)
    for _ in range(40):
        n = int(rng.integers(8, 60))
        right_a, right_b = (int(x) for x in rng.integers(0, n + 1, 2))
        if right_a == right_b:
            continue
        (row,) = reach(table(f"{right_a / n:.5f},{right_b / n:.5f},{n}"))
        one_a, one_b = range(right_a, right_a + 1), range(right_b, right_b + 1)
        p_values = [mcnemar_p(b, c, "mcnemar", "two-sided") for b, c in splits(n, one_a, one_b)]
        low, high = min(p_values), max(p_values)
        assert (row.low, row.high) == pytest.approx((low, high))
        expected = "always" if high <= 0.05 else "possibly" if low <= 0.05 else "never"
        assert row.significant == expected
        # Alone right on 6 of 6 is the first that is significant, two-sided.
        assert row.fewest == 6


def test_a_lead_that_is_sure_is_significant_at_the_most_disagreements() -> None:
    for scores, right in ((".700,.600", 600), (".300,.250", 250)):
        (row,) = reach(table(f"{scores},1000"))
        assert row.surely is not None
        for lead, significant in ((row.surely, True), (row.surely - 1, False)):
            most = min(2 * right + lead, 2000 - 2 * right - lead)
            p_value = stats.binomtest((most + lead) // 2, most).pvalue
            assert (p_value <= 0.05) == significant, lead


def test_how_many_differences_can_be_significant_is_said_and_which_scores_are_no_shares() -> None:
    # 40 more of at most 60 that differ, 10 more of 10 to 90, and 1 more, which is never enough.
    rows = reach(table(".90,.50,100", ".60,.50,100", ".51,.50,100", ".803,.500,150"))
    assert [row.significant for row in rows] == ["always", "possibly", "never", "no-share"]
    p_values = [stats.binomtest(b, b + c).pvalue for b, c in ((50, 10), (10, 0), (50, 40), (1, 0))]
    assert [p <= 0.05 for p in p_values] == [True, True, False, False]
    said = reach_sentence(rows, alpha=0.05)
    assert "is significant on 1 of 4 datasets in any case, possibly on 1, and not on 1." in said
    assert "are no share of their examples on x3. A lead of fewer than 6 examples is" in said
    # Of 5 examples all are too few, and of 6 all are needed.
    five, six = (reach(table(f"1.0,0.0,{n}")) for n in (5, 6))
    assert (five[0].fewest, five[0].surely, six[0].fewest, six[0].surely) == (None, None, 6, 6)
    assert reach_sentence(five, alpha=0.05).endswith("possibly on 0, and not on 1.")


def test_marks_behind_scores_are_kept_and_sizes_that_are_none_are_not() -> None:
    read = read_as(
        ScoreTable,
        b"dataset,A,B,C\nu,93.1*,92.0,91.0\nv,60.5,58.1\xe2\x80\xa0,57.0\nw,70,66,65**\n",
    )
    assert marked_datasets(read, "A", "B") == (("u", "v"), False)
    assert marked_datasets(read, "A", "C") == (("u", "w"), False)
    assert read.without(["u"]).marks == (("", "†", ""), ("", "", "**"))
    assert table(".9,.8,100", ".9,.8,20").without(["x0"]).n_examples == (20,)
    assert table(".9,.8,100", ".9,.8,2.5").n_examples is None


def test_nine_of_twelve_support_none_by_bonferroni_and_six_by_fisher() -> None:
    found = MarkBounds(n_marked=9, n_datasets=12)
    assert found.counts["bonferroni"] == (0, 9)
    least, most = found.sentences()
    assert least.startswith(
        "With p ≤ .05 on 9 of 12 and nothing more known, Bonferroni supports 0, "
        "Fisher 6 if the datasets are independent"
    )
    assert least.endswith("ask for p-values.")
    assert "Bonferroni 9 and Fisher 11" in most
    assert "no count of wins is supported" in MarkBounds(n_marked=2, n_datasets=12).sentences()[0]


def test_no_table_with_these_marks_counts_fewer_or_more() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = int(rng.integers(1, 9))
        marked = int(rng.integers(0, n + 1))
        alpha = float(rng.choice([0.01, 0.05, 0.1]))
        p = np.where(
            np.arange(n) < marked,
            alpha * rng.random(n) ** rng.integers(1, 9),
            alpha + (1 - alpha) * np.maximum(rng.random(n) ** rng.integers(1, 9), 1e-6),
        )
        for name in combination_names():
            fewest, most = MarkBounds(n_marked=marked, n_datasets=n, alpha=alpha).counts[name]
            assert fewest <= count_datasets(p, alpha=alpha, combination=name).k_hat <= most


def test_claims_of_marks_are_answered_and_others_passed_over() -> None:
    claims = parse_claims(
        "significant on 9 of 12 datasets (p < .05)\nat least 3 by fisher\nsignificant u; v at .01"
    )
    assert [(f.n_marked, f.n_datasets, f.alpha) for f in marks_of(claims, None, alpha=0.05)] == [
        (9, 12, 0.05)
    ]
    assert [(f.n_marked, f.n_datasets, f.alpha) for f in marks_of(claims, 5, alpha=0.05)][1:] == [
        (2, 5, 0.01)
    ]
    assert len(marks_of(parse_claims("exactly 5 by count"), 5, alpha=0.05)) == 1
    assert not marks_of(parse_claims("exactly 6 by count\nnot significant a; b"), 5, alpha=0.05)
    # What is claimed of at least so many, or of these, leaves all others open.
    for line, most in [
        ("exactly 9 of 12 by count", (6, 11)),
        ("at least 9 of 12 by count", (6, 12)),
        ("significant a; b; c; d; e; f; g; h; i", (6, 12)),
    ]:
        (found,) = marks_of(parse_claims(line), 12, alpha=0.05)
        assert found.counts["fisher"] == most, line
        assert ("at most" in found.sentences()[1]) == (most[1] < 12), line


def test_lower_errors_on_a_table_read_with_higher_as_better_are_refused_and_not_contradicted():
    read = table("20.1,22.3", "30.2,33.1", "15.0,14.0")
    with pytest.raises(DataError, match="“lower” speaks of errors"):
        check_claims(read, "A has lower perplexity than B on 2 of 3 datasets")
    (verdict,) = check_claims(read, "A is better on 2 of 3 datasets").verdicts
    assert verdict.why.endswith("at most 1 of 3 can be wins if higher is better.")
