"""What all verdicts on a claim come to: never harsher than the mildest of those by direction."""

from __future__ import annotations

from itertools import product
from typing import cast

import pytest

from core.claims.check import check_claims
from core.claims.claim import Claim
from core.claims.directed_first import judged_by_direction
from core.claims.findings import DENIED, ClaimVerdict, Finding
from core.claims.standing import Standing, directed_finding, printed_finding, standing_of
from core.claims.verdicts import ClaimReport
from core.export.claims import claims_grid, lead_sentence
from core.report.subject import Subject
from tests.core.claims.made_tables import table_of

# How harsh each is to the paper.
HARSHNESS: dict[str, int] = {
    "confirmed": 0, "confirmed-by-direction": 0,
    "at-least-that-much": 1, "at-least-by-direction": 1,
    "not-excluded": 2, "open": 2, "needs-more": 2, "open-direction": 2, "possible-if-read": 2,
    "cannot-be-decided": 3, "undecided": 3, "undirected": 3, "denied-as-printed": 3,
    "not-supported": 4, "contradicted": 4, "against-direction": 4, "denied": 4,
}  # fmt: skip
# Each verdict, and each with what else its finding may hold.
KINDS: tuple[tuple[ClaimVerdict | None, dict[str, object]], ...] = (
    (None, {}),
    ("confirmed", {"allowed_by": ("two-sided",)}),
    ("at-least-that-much", {}),
    ("not-excluded", {"allowed_by": ("two-sided",)}),
    (
        "not-excluded",
        {"needs": "fisher", "allowed_if": ("two-sided",), "others": {"fisher": (4, 5)}},
    ),
    (
        "not-excluded",
        {
            "needs": "simes",
            "allowed_if": ("two-sided", "toward-higher-score"),
            "others": {"simes": (3, 5)},
        },
    ),
    ("not-excluded", {}),
    ("cannot-be-decided", {}),
    ("not-supported", {}),
    ("contradicted", {}),
)
PRINTED = [kind for kind in KINDS if kind[0] != "at-least-that-much"]
DIRECTED = [kind for kind in KINDS if kind[0] != "contradicted"]
CLAIM = Claim(kind="at-least", k=5)


def report_of(
    printed: tuple[ClaimVerdict | None, dict[str, object]],
    directed: tuple[ClaimVerdict | None, dict[str, object]],
) -> ClaimReport:
    """A report of one claim with these two verdicts; without a verdict by direction it has none."""
    common = {"alpha": 0.05, "method": "bonferroni", "fewest": 2, "most": 2}
    found = [
        Finding(
            verdict=printed[0],
            check="arithmetic",
            claim=CLAIM,
            reason=f"The reason as printed: {printed[0]}.",
            why="as printed.",
            details={**common, "needs": printed[1].get("needs")},
        )
    ]
    if directed[0] is not None:
        found.append(
            Finding(
                verdict=directed[0],
                check="direction",
                claim=CLAIM,
                reason=f"The reason by direction: {directed[0]}.",
                why="by direction.",
                details={**common, "counts": {"two-sided": (3, 4)}, **directed[1]},
            )
        )
        found[0] = judged_by_direction(found[0], found[1], declared=False, made="printed")
    return ClaimReport(
        claims=(CLAIM,),
        findings=tuple(found),
        subject=Subject(system_a="A", system_b="B", datasets=("x", "y")),
        alpha=0.05,
        dependence="not-known",
        metric=None,
        fingerprint="",
    )


@pytest.mark.parametrize(("printed", "directed"), list(product(PRINTED, DIRECTED)))
def test_a_claim_is_never_called_worse_than_what_is_shown_of_it(
    printed: tuple[ClaimVerdict | None, dict[str, object]],
    directed: tuple[ClaimVerdict | None, dict[str, object]],
) -> None:
    if printed[0] is None and directed[0] is None:
        return
    report = report_of(printed, directed)
    standing: Standing = standing_of(report, CLAIM)
    shown = {verdict for verdict in (printed[0], directed[0]) if verdict is not None}
    # Direction decides where it can: never is the standing harsher than its verdict.
    governing = cast(ClaimVerdict, directed[0] or printed[0])
    assert HARSHNESS[standing] <= HARSHNESS[governing]
    # Denied without a word more only where every verdict on the page denies it.
    assert (standing == "denied") == (shown <= DENIED and printed[0] is not None)
    assert (standing == "against-direction") == (
        directed[0] == "not-supported" and printed[0] not in DENIED
    )
    texts = [lead_sentence(report), report.in_detail(), *claims_grid(report).rows[0]]
    for text in texts[:2]:
        denying = any(f"is {words}" in text for words in ("contradicted", "not supported"))
        if standing not in ("denied", "against-direction", "denied-as-printed"):
            assert not denying
            assert "not supported" not in text
        elif standing == "against-direction":
            # What the numbers as printed give or leave open stands beside it.
            said = {"confirmed": "give it", "not-excluded": "may give it"}
            assert said.get(str(printed[0]), "") in text
        elif standing == "denied-as-printed":
            assert "cannot be decided by direction" in text
    # Nor is the verdict itself, which a program reads.
    (verdict,) = report.by_numbers
    assert (verdict in DENIED) <= (standing in ("denied", "against-direction"))
    assert (standing == "denied") <= (verdict in DENIED)
    if standing in ("possible-if-read", "confirmed-by-direction"):
        assert claims_grid(report).rows[0][1].endswith(f" if {report.allowing(CLAIM)}")


def test_what_needs_another_reading_and_more_of_the_datasets_is_said_to_be_possible() -> None:
    printed = (".031", ".12", ".64", "<.001", ".018", ".021", ".078", ".25")
    rows = [(f"d{i}", "82.0", "80.0", p, 900) for i, p in enumerate(printed)]
    report = check_claims(table_of(rows), "at least 5 for A", metric="other")
    (claim,) = report.claims
    found = [printed_finding(report, claim), directed_finding(report, claim)]
    assert [f.verdict for f in found if f] == [None, "not-excluded"]
    assert report.by_numbers == ("not-excluded",)
    assert report.allowing(claim) == "read as two-sided, and if the datasets are independent"
    assert report.allowing(claim) in lead_sentence(report).replace("they are ", "")
    assert "4 or 5" in report.in_detail()
    (row,) = claims_grid(report).rows
    assert row[1].endswith(report.allowing(claim))


def test_a_table_declared_two_sided_is_not_denied_what_needs_more_of_the_datasets() -> None:
    printed = (".031", ".12", ".64", "<.001", ".018", ".021", ".078", ".25")
    rows = [(f"d{i}", "82.0", "80.0", p, 900) for i, p in enumerate(printed)]
    table = table_of(rows, alternative="two-sided")
    report = check_claims(table, "at least 5 for A\nexactly 3 by count for A", metric="other")
    # Halved, 5 are at most .05 but 6 of .0391: by hand .0155, .06, .32, .0005, .009, .0105, .039, .125.
    assert report.by_numbers == ("not-excluded", "at-least-that-much")
    for text in (lead_sentence(report), report.in_detail()):
        assert "is not supported" not in text
        assert "contradicted" not in text
