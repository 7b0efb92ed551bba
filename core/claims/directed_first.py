"""Which verdict of a claim stands in front: as the p-values stand, or by direction."""

from __future__ import annotations

from dataclasses import replace

from core.claims import sentences
from core.claims.check_inputs import Made
from core.claims.findings import DENIED, Finding


def judged_by_direction(
    printed: Finding, directed: Finding, *, declared: bool, made: Made
) -> Finding:
    """What the p-values give as they stand, where that is no verdict on the claim.

    A claim that one system is better is denied only where no reading allows it. Where the
    table says itself how its p-values read by direction, that decides; elsewhere it does
    where the p-values as they stand deny the claim and direction does not.

    Parameters
    ----------
    printed, directed : Finding
        As the p-values stand, and by direction.
    declared : bool
        Whether the table declares its p-values as two-sided or toward the higher score.
    made : {"printed", "computed"}
        How the p-values came to be.

    Returns
    -------
    Finding
        `printed` as it is, or as a remark without a verdict, which `details` then have as
        "undirected", or as "denied" where nothing is declared.
    """
    denied = printed.verdict in DENIED
    if printed.verdict is None:
        return printed
    if denied and directed.verdict == "not-supported":
        if made == "printed":
            return printed
        # One- and two-sided p-values were computed, and neither gives it.
        verdict = printed.reason.removesuffix(printed.why)
        return replace(printed, reason=f"{verdict}{directed.why}", why=directed.why)
    decided = declared and directed.verdict != "cannot-be-decided"
    if not (decided or denied):
        return printed
    remark = sentences.undirected_remark(printed.why, made=made)
    kept = "undirected" if decided else "denied"
    return replace(
        printed,
        verdict=None,
        reason=remark,
        why=remark,
        details={**printed.details, kept: printed.verdict},
    )
