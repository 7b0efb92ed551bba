"""Claims against the printed p-values: what rounding leaves open, and what a claim depends on."""

from core.claims.check import check_claims
from core.claims.findings import Finding
from core.data.p_value_table import PValueTable
from core.types import DEPENDENCES
from tests.core.claims.made_tables import keys, p_table


def verdict(table: PValueTable, line: str) -> str:
    (found,) = keys(check_claims(table, line))
    return found


def finding(table: PValueTable, line: str, check: str) -> Finding:
    report = check_claims(table, line)
    return next(f for f in report.findings if f.check == check)


# By Holm .05/3, .05/2 and .05: the first is named for certain, the second for p up to .025.
TABLE = p_table("0.001", "0.025", "0.5")


def test_verdicts_hold_for_every_value_within_rounding() -> None:
    for line, expected in [
        ("exactly 2 by count for differ", "holds"),
        ("exactly 3 by count for differ", "contradicted"),
        ("exactly 2 by bonferroni for differ", "depends"),
        ("exactly 1 by bonferroni for differ", "depends"),
        ("exactly 0 by bonferroni for differ", "contradicted"),
        ("exactly 3 by holm for differ", "contradicted"),
        ("at least 1 for differ", "holds"),
        ("at least 2 for differ", "depends"),
        ("at least 3 for differ", "not-shown"),
        ("at least 0 for differ", "holds"),
        ("named d1 by holm for differ", "depends"),
        ("named d1; d2 by holm for differ", "depends"),
        ("named d2 by holm for differ", "contradicted"),
        ("named d1; d3 by holm for differ", "contradicted"),
        ("named none by holm for differ", "contradicted"),
        ("named d1 by bonferroni for differ", "holds"),
        # Whatever else it names.
        ("significant d1 by holm for differ", "holds"),
        ("significant d1; d2 by holm for differ", "depends"),
        ("significant d2 by bonferroni for differ", "contradicted"),
        ("significant d1; d3 by holm for differ", "contradicted"),
        ("significant d1; d2 for differ", "holds"),
        ("significant d2 at .025 for differ", "depends"),
        ("significant d1; d3 for differ", "contradicted"),
        ("exactly 2 of 4 by count for differ", "not-shown"),
    ]:
        assert verdict(TABLE, line) == expected, (line, expected)


def test_the_reason_says_what_the_p_values_give() -> None:
    reason = finding(TABLE, "exactly 3 by bonferroni at .05 for A", "claim").reason
    assert "1 or 2 of 3" in reason
    between = finding(p_table("0.0350", "0.05"), "exactly 1 by simes for differ", "claim")
    assert between.key == "contradicted"
    assert "0 or 2 of 2" in between.reason
    listed = finding(TABLE, "named d2; d3 by holm for differ", "claim")
    assert "Holm does not name d3, however the p-values are read." in listed.reason


def test_at_least_without_a_method_is_counted_as_dependence_allows_and_names_others_beside() -> (
    None
):
    table = p_table("0.03", "0.03", "0.03", "0.03", "0.03")
    (found,) = check_claims(table, "at least 4 for differ").verdicts
    assert "(no method is named: counted by Bonferroni)" in found.reason
    # By hand: 5 × .03 > .05, every Simes subset has its largest p ≤ .05, and Fisher counts 4.
    assert found.outcome is not None
    assert found.outcome.others["simes"][1] == 5
    assert found.outcome.needs == "simes"
    assert found.key == "depends"
    assert "and 5 by Simes if the tests are" in found.reason
    assert "Fisher counts" in found.reason
    for known in DEPENDENCES[1:]:
        assert keys(check_claims(table, "at least 4 for differ", dependence=known)) == ("holds",)
    named = check_claims(table, "at least 4 by bonferroni for differ")
    assert keys(named) == ("contradicted",)


def test_what_a_method_assumes_is_said_where_it_is_not_known() -> None:
    for line, dependence, said in [
        ("exactly 1 by fisher", "not-known", True),
        ("exactly 1 by fisher", "positive", True),
        ("exactly 1 by fisher", "independent", False),
        ("exactly 1 by simes", "not-known", True),
        ("exactly 1 by simes", "positive", False),
        ("named d1 by hommel", "not-known", True),
        ("named d1 by benjamini-hochberg", "not-known", True),
        ("named d1 by benjamini-yekutieli", "not-known", False),
        ("named d1 by holm", "not-known", False),
        ("significant d1", "not-known", False),
        ("exactly 1 by count", "not-known", False),
    ]:
        report = check_claims(TABLE, line, dependence=dependence)  # type: ignore[arg-type]
        assert bool(report.of("assumption")) == said, (line, dependence, said)
