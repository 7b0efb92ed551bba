"""Which verdict of a claim stands in front where its table says itself how p-values read by direction."""

from __future__ import annotations

from dataclasses import replace

from core.claims import sentences
from core.claims.findings import Finding


def judged_by_direction(printed: Finding, directed: Finding) -> Finding:
    """What the p-values as printed give, where the table says itself how they read by direction.

    The claim's verdict is then that by direction; what stands beside it is a remark, unless
    direction cannot be decided or both deny the claim.
    """
    denied = printed.verdict in ("contradicted", "not-supported")
    if (
        printed.verdict is None
        or directed.verdict == "cannot-be-decided"
        or (denied and directed.verdict == "not-supported")
    ):
        return printed
    return replace(
        printed,
        verdict=None,
        reason=sentences.undirected_remark(printed.why),
        why=sentences.undirected_remark(printed.why),
        details={**printed.details, "undirected": printed.verdict},
    )
