"""One verdict a claim: the most severe that may be said, why, and what would settle it."""

from __future__ import annotations

import re

import pytest

from core.claims import Claim, check_claims
from core.claims.check import judged_by_direction
from core.claims.findings import DENIED, Finding
from core.claims.verdicts import Evidence, key_of
from core.data import PValueTable, read_results
from core.words.subject import Subject

TABLE = (
    b"dataset,ours,theirs,p_value\nu,91.5,90.1,.001\nv,92.5,90.1,.002\nw,91.5,91.4,.4\n"
    b"x,80.0,81.0,.01\n"
)


@pytest.mark.parametrize(
    ("line", "key", "why"),
    [
        ("significant u; v", "holds", "p is at most"),
        ("ours is significantly better on 3 of 4 datasets", "contradicted", "2 of 4 by p ≤ α"),
        ("significant x", "contradicted", ""),
        ("at least 4", "not-shown", "of 4 by Bonferroni"),
        ("no significant difference on w", "holds", "p is above"),
        ("no significant difference on u", "contradicted", "p is at most .05 on u"),
        ("all 7 datasets", "impossible", ""),
    ],
)
def test_each_claim_has_one_verdict_with_its_reason(line: str, key: str, why: str) -> None:
    if key == "impossible":
        claim = Claim(kind="exactly", k=7, method="count")
        (verdict,) = check_claims(_table(), claim).verdicts
        assert (verdict.key, verdict.why) == (
            "impossible",
            "It speaks of 7 datasets, and there are 4.",
        )
        return
    (verdict,) = check_claims(_table(), line).verdicts
    assert verdict.key == key, (verdict.key, verdict.why)
    assert why in verdict.why
    assert bool(verdict.settle) == (key != "holds")


def _table() -> PValueTable:
    table = read_results(TABLE, roles={"alternative": "two-sided"})
    assert isinstance(table, PValueTable)
    return table


def test_the_paragraph_has_three_sentences_and_is_fair() -> None:
    severe = check_claims(
        _table(), "ours is significantly better on 3 of 4 datasets\nsignificant u"
    )
    for report, words in [
        (severe, "1 holds and 1 is contradicted"),
        (check_claims(_table(), "significant u; v"), "Nothing in the numbers speaks against"),
        (check_claims(_table(), "at least 4"), "The numbers do not show that"),
        (check_claims(_table()), "printed table of ours and theirs on 4 datasets"),
    ]:
        paragraph = report.paragraph()
        assert words in paragraph
        assert len(re.findall(r"\.(?: [A-Z“]|$)", paragraph)) == 3, paragraph
    assert "no sign of misconduct" in severe.paragraph()


def test_a_claim_that_rests_on_an_impossible_p_value_is_not_shown_and_others_stand() -> None:
    # Ahead by 400 of 1,000, no two-sided test gives v p = .5; with a possible one three are small.
    rows = (
        b"dataset,A,B,p_value,n\nu,.900,.500,.0001,1000\nv,.900,.500,.5,1000\n"
        b"w,.700,.600,.0001,1000\nx,.700,.700,.9,1000\n"
    )
    lines = (
        "exactly 2 by count for differ\nat least 1 by bonferroni\nnamed u; w by holm for differ\n"
        "no significant difference on v\nno significant difference on x"
    )
    for declared, keys in (
        ("two-sided", ["not-shown", "holds", "not-shown", "impossible", "holds"]),
        # One-sided for B, v could have any p-value near 1.
        ("not-stated", ["holds", "holds", "holds", "holds", "holds"]),
    ):
        table = read_results(rows, roles={"alternative": declared})
        assert isinstance(table, PValueTable)
        report = check_claims(table, lines, metric="accuracy")
        assert [f.dataset for f in report.rows if f.verdict == "impossible"] == ["v"]
        assert [verdict.key for verdict in report.verdicts] == keys, declared
        assert ("printed p-value of v" in report.verdicts[0].why) == (declared == "two-sided")


def test_a_tiny_p_value_that_a_bootstrap_could_give_as_0_is_no_reason_to_deny_a_claim() -> None:
    table = read_results(
        b"dataset,A,B,p_value,n\nv,.810,.800,1e-9,1000\n", roles={"alternative": "two-sided"}
    )
    report = check_claims(table, "significant v", metric="accuracy")  # type: ignore[arg-type]
    assert report.rows[0].verdict == "impossible"
    assert report.verdicts[0].key == "holds"


@pytest.mark.parametrize("declared", [False, True])
def test_a_claim_is_denied_only_where_everything_shown_of_it_denies_it(declared: bool) -> None:
    printed_ones = (
        "confirmed",
        "not-excluded",
        "not-supported",
        "contradicted",
        "cannot-be-decided",
    )
    directed_ones = (None, "confirmed", "at-least-that-much", "not-excluded", "not-supported",
                     "cannot-be-decided")  # fmt: skip
    claim = Claim(kind="exactly", k=2, method="count")
    for first in printed_ones:
        for second in directed_ones:
            printed = Finding(verdict=first, check="arithmetic", reason="", claim=claim)  # type: ignore[arg-type]
            directed = Finding(verdict=second, check="direction", reason="", claim=claim)  # type: ignore[arg-type]
            if second is not None:
                printed = judged_by_direction(printed, directed, declared=declared, made="printed")
            evidence = Evidence(
                claim=claim,
                printed=printed,
                directed=() if second is None else (directed,),
                subject=Subject(system_a="A", system_b="B", datasets=("x", "y")),
                level=0.05,
            )
            key = key_of(evidence)
            last = second or first
            case = (first, second, key)
            if key == "contradicted":
                assert last in DENIED or (last == "at-least-that-much" and first in DENIED), case
            if key == "holds":
                assert "confirmed" in (first, second), case
                assert not {first, second} & DENIED - {first if second == "confirmed" else None}, (
                    case
                )
            if second == "confirmed":
                assert key == "holds", case
