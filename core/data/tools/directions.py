"""Metrics of which nothing says whether higher or lower is better, and the remark that names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.data.tables.headings import lower_is_better, names_metric
from core.data.words import listed


def unsaid(metrics: Iterable[str], directions: Mapping[str, bool]) -> list[str]:
    """Those of which neither a tool nor a well-known word in the name says the direction."""
    return [
        metric
        for metric in dict.fromkeys(metrics)
        if metric not in directions
        and lower_is_better((metric,)) is None
        and not names_metric(metric)
    ]


def unsaid_remark(metrics: Iterable[str]) -> tuple[str, ...]:
    """Name metrics that are read as higher is better because nothing says otherwise."""
    named = list(metrics)
    if not named:
        return ()
    return (
        f"Nothing says whether higher or lower values of {listed(named)} are better: read as "
        "higher is better; change it under How this was read.",
    )
