"""Claims by direction, on the published tables that come with the project and on made ones."""

from typing import Any

import numpy as np
import pytest

from core.claims.check import check_claims
from core.claims.checked import CheckedTable, Side
from core.claims.findings import SEVERE
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.export.claims import findings_csv, review_text
from core.replicability.assessment import assess
from core.significance.run import run_dataset_tests
from tests.core.claims.made_tables import (
    counts_of,
    keys,
    p_table,
    read_table,
    sample_table,
    table_of,
)


def summary(table: PValueTable, alpha: float = 0.05) -> dict[str, dict[str, dict[str, int]]]:
    """How many p ≤ α and each combination counts, by reading and system."""
    checked = CheckedTable(table=table, alpha=alpha, dependence="not-known")
    sides: dict[Side, str] = {"a": "a_better", "b": "b_better"}
    return {
        reading.alternative: {
            side: {
                "count": getattr(reading, own).practice.n,
                **{name: c.k_hat for name, c in getattr(reading, own).countings.items()},
            }
            for side, own in sides.items()
        }
        for reading in checked.assessed(alpha).readings
    }


# (count, Bonferroni, Fisher) by direction, as an independent computation gives them. Two-sided
# p-values are counted as they stand where the system is ahead, and combined halved.
BY_DIRECTION = [
    ("pos-tagging", 0.05, "a", "two-sided", (4, 3, 4)),
    ("pos-tagging", 0.05, "a", "toward-higher-score", (4, 3, 3)),
    ("pos-tagging", 0.05, "b", "two-sided", (7, 3, 4)),
    ("pos-tagging", 0.05, "b", "toward-higher-score", (7, 3, 3)),
    ("pos-tagging", 0.01, "a", "two-sided", (4, 3, 3)),
    ("pos-tagging", 0.01, "a", "toward-higher-score", (4, 3, 2)),
    ("pos-tagging", 0.01, "b", "two-sided", (3, 3, 3)),
    ("pos-tagging", 0.01, "b", "toward-higher-score", (3, 2, 2)),
    ("sentiment", 0.05, "a", "two-sided", (10, 10, 9)),
    ("sentiment", 0.01, "a", "two-sided", (6, 5, 8)),
    ("word-similarity", 0.05, "a", "two-sided", (7, 5, 7)),
    ("word-similarity", 0.01, "a", "two-sided", (5, 5, 6)),
]


def test_counts_by_direction_are_the_known_ones() -> None:
    for key, alpha, side, reading, expected in BY_DIRECTION:
        found = summary(sample_table(key), alpha)[reading][side]
        counted = (found["count"], found["bonferroni"], found["fisher"])
        assert counted == expected, (key, alpha, side, reading)


def leading(*p_values: str, alternative: str = "two-sided") -> PValueTable:
    """A ahead by as much on each of x0, x1 …"""
    rows = [(f"x{i}", "0.90", "0.80", p, 900) for i, p in enumerate(p_values)]
    return table_of(rows, alternative=alternative)


def test_a_claim_holds_or_is_denied_only_by_what_comes_out_of_every_reading() -> None:
    printed, clear = sample_table("pos-tagging"), leading(*[".0001"] * 4)
    bare, halved = p_table("0.001", "0.02"), leading("0.01", "0.10")
    mixed = {
        side: table_of(MIXED, alternative=side) for side in ("toward-higher-score", "two-sided")
    }
    for table, line, expected in (
        (printed, "at least 3 by fisher for A", "holds"),
        (printed, "at least 4 by fisher for A", "depends"),
        (printed, "at least 5 by fisher for A", "contradicted"),
        # Without scores direction cannot be decided, unless it is declared.
        (bare, "at least 1 for A", "depends"),
        (bare, "at least 1 for differ", "holds"),
        (p_table("0.001", "0.02", alternative="greater"), "at least 1 for A", "holds"),
        # Of exactly so many, or of a list, no more may come out.
        (clear, "exactly 2 by bonferroni for A", "contradicted"),
        (clear, "exactly 4 by bonferroni for A", "holds"),
        (clear, "named x0; x1 by holm for A", "contradicted"),
        (clear, "named x0; x1; x2; x3 by holm for A", "holds"),
        (clear, "significant x0 for A", "holds"),
        # What a reading allows is never among what is denied.
        (leading(".03", ".04", ".06", alternative="not-stated"), "significant x2", "depends"),
        (leading(".03", ".04", ".06", alternative="not-stated"), "exactly 3 by count", "depends"),
        (leading(".03", ".04", ".06", alternative="not-stated"), "named x0; x1; x2 by hochberg",
         "depends"),
        # p/2 of .10 may be just at most .05 or just above: one or two come out, and p itself is
        # at most .05 once.
        (halved, "exactly 1 by count for A", "holds"),
        (halved, "exactly 2 by count for A", "depends"),
        (halved, "exactly 0 by count for A", "contradicted"),
        (halved, "named x0 by benjamini-hochberg for A", "holds"),
        (halved, "named x0; x1 by benjamini-hochberg for A", "depends"),
        # Halved, .0350 is .0175 and .10 is .0475 to .0525: Simes counts 0 or 2 of (.07, .10).
        (leading("0.0700", "0.10"), "exactly 1 by simes for A", "contradicted"),
        # By Fisher .03 and .06 count 1 as they stand, and 2 once each is halved.
        (leading(".03", ".06"), "exactly 1 by fisher for A", "depends"),
        (leading(".03", ".06"), "exactly 0 by fisher for A", "contradicted"),
        # A difference may be claimed of doubled one-sided p-values: .01 and .02 are at most .05
        # when doubled, .03 is not.
        (mixed["toward-higher-score"], "exactly 2 by count for differ", "depends"),
        (mixed["toward-higher-score"], "exactly 4 by count for differ", "contradicted"),
        (mixed["two-sided"], "exactly 2 by count for differ", "contradicted"),
    ):  # fmt: skip
        (verdict,) = check_claims(table, line, metric="other").verdicts
        assert verdict.key == expected, (line, verdict.reason)
    (verdict,) = check_claims(clear, "exactly 2 by bonferroni for A", metric="other").verdicts
    assert verdict.settle == "“At least 2” would hold."


LEADING = [("a", "0.90", "0.80", ".03", 900), ("b", "0.90", "0.80", ".04", 900),
           ("c", "0.90", "0.80", ".06", 900)]  # fmt: skip


def test_what_a_table_calls_not_significant_is_a_win_by_no_reading() -> None:
    rows = [("x", "88.9", "88.9", "n.s.", 900), ("y", "65.1", "64.1", "n.s.", 900),
            ("v", "61.0", "62.0", ">.05", 900), ("z", "70.0", "66.0", "<.001", 900)]  # fmt: skip
    for alternative, declared in (("not-stated", "contradicted"), ("two-sided", "contradicted"),
                                  ("greater", "depends")):  # fmt: skip
        table = table_of(rows, alternative=alternative)
        for line, expected in (
            ("significant x for A", "contradicted"),
            ("significant y for A", "contradicted"),
            # Toward B the p-value of A would be no smaller.
            ("significant v for A", "contradicted"),
            ("not significant x; y", "holds"),
            ("exactly 3 by count for A", "contradicted"),
            ("exactly 1 by count for A", "holds"),
            # One-sided for A it says nothing of B.
            ("significant x; y for differ", declared),
            ("significant y for B", declared),
            # Half of a two-sided p above .05 may be below, and n.s. may be below .1.
            ("significant v for B", "depends"),
            ("significant y for A at .1", "depends"),
        ):
            report = check_claims(table, line, metric="other")
            assert keys(report) == (expected,), (alternative, line)
            assert "digits" not in report.verdicts[0].reason, (alternative, line)
    without_scores = p_table("n.s.", ".01")
    assert keys(check_claims(without_scores, "at least 2 by count for A")) == ("contradicted",)
    # By Fisher the exact value counts.
    (by_fisher,) = check_claims(table, "at least 3 by fisher for A", metric="other").verdicts
    assert by_fisher.settle == "The p-values themselves would settle it."


# A ahead on three datasets, B on one.
MIXED = [
    ("u", "0.90", "0.80", ".01", 900),
    ("v", "0.90", "0.80", ".03", 900),
    ("w", "0.90", "0.80", ".08", 900),
    ("x", "0.80", "0.90", ".02", 900),
]


@pytest.mark.parametrize("alternative", ["two-sided", "toward-higher-score"])
def test_p_values_counted_where_the_system_is_ahead_are_a_reading_of_their_own(
    alternative: str,
) -> None:
    lines = "exactly 2 by count for A\nexactly 1 by count for B\nnamed u; v by benjamini-hochberg"
    declared = check_claims(table_of(MIXED, alternative=alternative), lines, metric="other")
    assert keys(declared) == ("holds",) * 3
    assert not {"contradicted", "not-shown"} & {*keys(check_claims(table_of(MIXED), lines))}
    # As printed three p-values are small, of which one is B's.
    for k, beyond in ((2, False), (3, alternative != "two-sided"), (5, True)):
        table = table_of(MIXED, alternative=alternative)
        (key,) = keys(check_claims(table, f"exactly {k} by count for A", metric="other"))
        assert (key in SEVERE) == beyond, (k, key)


def test_small_p_values_are_counted_as_on_the_other_pages() -> None:
    # Beside: what halving two-sided p-values would give.
    cases = [
        ("parsing-redshift", "a", 0.05, 2, 6), ("parsing-redshift", "b", 0.05, 0, 0),
        ("pos-tagging", "a", 0.05, 4, 7), ("pos-tagging", "b", 0.05, 7, 8),
        ("pos-tagging", "b", 0.01, 3, 4),
    ]  # fmt: skip
    for key, side, alpha, k, halved in cases:
        table = sample_table(key)
        report = check_claims(table, f"exactly {k} by count at {alpha} for {side}", metric="other")
        (found,) = report.verdicts
        case = (key, side, alpha)
        assert found.key == "holds", case
        counts = counts_of(found)
        assert (counts["where-ahead"], counts["two-sided"]) == ((k, k), (halved, halved)), case
        assessed = assess(table.p_values, table.differences, alpha=alpha)
        for reading in assessed.readings:
            answer = reading.a_better if side == "a" else reading.b_better
            assert answer.practice.n == k, case
        if halved != k:
            assert (
                f"{k} of {table.n_datasets} by p ≤ α with p as it stands, or {halved} if each two-sided p is halved"
                in found.why
            )
            line = f"exactly {halved} by count at {alpha} for {side}"
            (other,) = check_claims(table, line, metric="other").verdicts
            assert other.key == "depends", case


def test_two_sided_p_values_computed_here_are_counted_as_on_the_other_pages() -> None:
    results = read_results(read_sample("simulated-sentences")[1])
    assert isinstance(results, ResultSet)
    plain = run_dataset_tests(results, a="ours", b="baseline", rng=0)
    for table, side, other in ((plain, "A", "B"), (plain.swapped(), "B", "A")):
        lines = [f"exactly {k} by count for {side}" for k in range(9)]
        report = check_claims(table, [*lines, f"exactly 0 by count for {other}"])
        # Three two-sided p-values are at most .05 with ours ahead, and five one-sided ones.
        assert [k for k, v in enumerate(keys(report)[:-1]) if v == "holds"] == [3, 5], side
        assert keys(report)[4] == "contradicted", side
        assert keys(report)[-1] == "holds", side
        counts = {"greater": (5, 5), "where-ahead": (3, 3)}
        assert counts_of(report.verdicts[3]) == counts, side
        assert summary(table)["greater"][side.lower()]["count"] == 3, side
    two_sided = plain.p_values_two_sided
    n_differ = sum(p <= 0.05 for p in two_sided.tolist())
    report = check_claims(plain, f"exactly {n_differ} by count for differ")
    assert keys(report) == ("holds",)


def gains_and_rare_losses() -> ResultSet:
    """On d0 to d3 ours gains a little on nine of ten examples and loses much on the tenth."""
    base = np.round(np.linspace(0.4, 0.9, 60), 3)
    gains = [np.where(np.arange(60) % 10 == i, -0.4, 0.02) for i in range(4)]
    scores = {f"d{i}": {"ours": base + gain, "base": base} for i, gain in enumerate(gains)}
    scores["clear"] = {"ours": base + np.tile([0.02, 0.03], 30), "base": base}
    return ResultSet.from_scores(scores)


def test_tests_of_ranks_confirm_no_claim_that_the_mean_contradicts() -> None:
    behind = ("d0", "d1", "d2", "d3")
    lines = [
        "at least 5 for ours", "at least 2 for ours", "exactly 5 by holm for ours",
        "named d0; d1; d2; d3; clear by holm for ours", "significant d0 for ours",
    ]  # fmt: skip
    for test in ("wilcoxon", "sign"):
        plain = run_dataset_tests(gains_and_rare_losses(), a="ours", b="base", test=test, rng=0)
        for table in (plain, plain.swapped()):
            case = (test, table.system_a)
            report = check_claims(table, lines)
            assert keys(report) == ("depends",) * 5, case
            for found in report.verdicts:
                assert found.outcome is not None
                assert found.outcome.lower == behind[: 1 if found.claim.of_levels else 4], case
            assert counts_of(report.verdicts[0]) == {"greater": (1, 5)}, case
            more = check_claims(
                table,
                ["at least 1 for ours", "significant clear for ours", "exactly 1 by count for ours",
                 "exactly 4 by count for base"],
            )  # fmt: skip
            assert keys(more) == ("holds",) * 3 + ("contradicted",), case
            for one in (report, more):
                (told,) = [f for f in one.findings if f.details.get("other_side")]
                assert all(name in told.reason for name in behind), case
                assert "clear" not in told.reason, case
                assert told.reason in review_text(one), case
                assert told.reason in findings_csv(one), case
                said = [one.lead(), one.paragraph(), findings_csv(one)]
                assert not [text for text in said if "is better on" in text], case
    # A test of the mean itself is not contradicted by it.
    table = run_dataset_tests(gains_and_rare_losses(), a="ours", b="base", test="paired-t")
    report = check_claims(table, "at least 1 for ours")
    assert keys(report) == ("holds",)
    assert not [f for f in report.findings if f.details.get("other_side")]


TAMIL_BEHIND = "language,Ours,Base,p\nBasque,91.0,90.2,.003\nTamil,82.5,84.1,.011\n"


def test_a_table_without_claims_is_said_to_have_small_p_values_beside_lower_scores() -> None:
    report = check_claims(read_table(TAMIL_BEHIND))
    found = "On Tamil a p ≤ .05 comes with a lower score of Ours."
    assert report.lead().endswith(found)
    assert report.paragraph().endswith(
        f"against each other. {found} The authors could say which metric was tested, and in which "
        "direction."
    )
    # What could not be checked is not said to agree.
    said = check_claims(read_table(TAMIL_BEHIND.replace("82.5", "84.5"))).paragraph()
    assert "cannot be checked against the scores: there are no numbers of examples." in said
    # Small ones beside a higher and a lower score; the one side first, and then how p is read.
    about_a, read = check_claims(table_of(MIXED, alternative="greater")).of("direction")
    assert about_a.reason.startswith(
        "On 1 of 4 datasets a p ≤ .05 comes with a lower score of A: x."
    )
    assert read.reason.startswith("The p-values cannot all be one-sided for A, as stated: .02 on x")
    assert not check_claims(p_table("0.001", "0.99", alternative="greater")).of("direction")


def test_claims_that_hold_do_not_hide_small_p_values_beside_lower_scores_in_a_review() -> None:
    # An interval's level is none of the table's.
    interval = "interval 0.1 to 0.9 about 0.5 at .2"
    for claims in ("significant Basque", f"significant Basque\nexactly 1 by count\n{interval}"):
        report = check_claims(read_table(TAMIL_BEHIND), claims, metric="other")
        assert set(keys(report)) == {"holds"}, report.paragraph()
        assert "on Tamil a p ≤ .05 comes with a lower score of Ours." in report.paragraph()


def test_more_wins_than_better_scores_are_contradicted_of_tests_run_here_but_at_no_margin() -> None:
    right = {"x": 90, "y": 90, "z": 69}
    data = ResultSet.from_scores(
        {
            name: {"A": [1] * n + [0] * (100 - n), "B": [1] * 70 + [0] * 30}
            for name, n in right.items()
        }
    )
    asked: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "contradicted"),
        ({"claim": "not-worse", "margin": 0.02}, "not-shown"),
        ({"test": "wilcoxon"}, "not-shown"),
    )
    for given, key in asked:
        table = run_dataset_tests(data, a="A", b="B", **given)
        (verdict,) = check_claims(table, "at least 3 for A").verdicts
        assert verdict.key == key, (given, verdict.why)
        assert ("at most 2 of 3 can be wins" in verdict.why) == (key == "contradicted")


def test_a_count_that_holds_without_a_guarantee_says_so_with_the_count_that_has_one() -> None:
    table = p_table(".001", ".02", ".03", ".04", ".2", ".6", alternative="greater")
    beside = "This count has no guarantee: Bonferroni counts 1 of 6."
    (verdict,) = check_claims(table, "exactly 4 by count").verdicts
    assert (verdict.key, verdict.why) == ("holds", f"The numbers give 4 of 6 by p ≤ α. {beside}")
    several = check_claims(table, "exactly 4 by count\nexactly 1 by bonferroni").paragraph()
    assert (
        "claimed; the count of p ≤ α that holds has no guarantee (Bonferroni counts 1 of 6)."
        in (several)
    )
    # Where Bonferroni counts as many, or the claim is another, there is nothing to add.
    for claims in ("exactly 1 by count at .01", "exactly 1 by bonferroni", "exactly 5 by count"):
        assert "guarantee" not in check_claims(table, claims).paragraph(), claims


def test_a_small_two_sided_p_value_beside_a_lower_score_is_the_other_systems_win() -> None:
    stated = read_table(TAMIL_BEHIND, "two-sided")
    lost, won = (("Tamil",), "Base"), (("Basque",), "Ours")
    # Where nothing is claimed for one system, the wins of both are said.
    for claims, wins in (("", [lost, won]), ("significant Basque\nat least 1 for B", [lost])):
        report = check_claims(stated, claims, metric="other")
        said = [f.details for f in report.of("direction") if f.details.get("datasets")]
        assert [(one["datasets"], one["in_favour_of"]) for one in said] == wins
        assert "on Tamil the two-sided p ≤ .05 is in favour of Base" in report.paragraph().replace(
            "On T", "on T"
        )
        assert "comes with" not in report.paragraph()
        assert "which metric was tested" not in report.paragraph()
    unstated = read_table(TAMIL_BEHIND.replace("Ours,Base", "BERT,Ours"))
    assert "on Basque a p ≤ .05 comes with a lower score of Ours" in check_claims(
        unstated, metric="other"
    ).paragraph().replace("On B", "on B")


def test_a_claim_for_the_system_that_was_not_tested_holds_by_no_complement() -> None:
    rows = [("a", "91", "90", ".01", 900), ("c", "91", "92", ".97", 900),
            ("d", "91", "92", ".9999", 900)]  # fmt: skip
    table = table_of(rows, alternative="greater")
    for line in ("significant c for B", "exactly 2 by count for B", "at least 1 for B"):
        (verdict,) = check_claims(table, line).verdicts
        assert verdict.key == "depends", line
        assert verdict.on == "whether 1 \u2212 p stands for tests made for B"
        assert "Tests made for B would settle it" in verdict.settle
        assert "within rounding" not in verdict.reason
    # 1 \u2212 p is the least that a test for B could give.
    (verdict,) = check_claims(table, "exactly 3 by count for B").verdicts
    assert verdict.key == "contradicted"
    # Of a test made for A nothing small speaks for B.
    said = "".join(f.reason for f in check_claims(table, "significant c for B").findings)
    assert "comes with a lower score of B" not in said


def test_what_fits_the_second_system_alone_is_no_riddle_about_the_first() -> None:
    rows = [("u", "90", "92", ".02", 900), ("v", "80", "81", ".03", 900)]
    for claims in ("", "no significant difference on u"):
        found = check_claims(table_of(rows), claims, metric="other").findings
        assert "comes with a lower score" not in "".join(f.reason for f in found)
    # Halved they would give other names, which is said of a list as of a count.
    weak = [("u", "90", "92", ".04", 900), ("v", "80", "81", ".06", 900)]
    (verdict,) = check_claims(table_of(weak), "named none by holm for B").verdicts
    assert verdict.key == "holds"
    assert "another way names others (if each two-sided p is halved" in verdict.why


def test_small_two_sided_p_values_beside_lower_scores_are_the_other_systems_in_a_verdict() -> None:
    rows = [*LEADING[:2], ("c", "0.80", "0.90", ".01", 900)]
    for alternative, said in (
        ("two-sided", "On a and b the two-sided p ≤ .05 is in favour of A."),
        ("not-stated", "On a and b a p ≤ .05 comes with a lower score of B."),
    ):
        table = table_of(rows, alternative=alternative)
        report = check_claims(table, "at least 3 by count for B", metric="other")
        assert said in report.verdicts[0].behind, alternative


def test_of_one_dataset_nothing_is_counted() -> None:
    report = check_claims(table_of(LEADING[:1], alternative="two-sided"), metric="other")
    text = " ".join(f.reason for f in report.findings)
    assert "Bonferroni" not in text
    assert "of 1" not in text
    assert "On a the two-sided p ≤ .05 is in favour of A." in text
    assert not report.of("common-practice")
    assert check_claims(table_of(LEADING), metric="other").of("common-practice")
    assert all(f.reason for f in report.findings)
