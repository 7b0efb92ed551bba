"""One verdict a claim: the most severe that may be said, why, and what would settle it."""

from __future__ import annotations

import re

import pytest

from core.claims import Claim, check_claims
from core.data import PValueTable, read_results

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
