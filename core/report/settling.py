"""Sentences about decisions that more resamples may change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ..replicability.identification import Identification
from ..replicability.procedures import procedure_named
from ..replicability.sensitivity import Unsettled
from ..significance import SignificanceResult
from .formatting import format_level, list_names, p_value_clause

# What is open: the mark by α, only p ≤ α, a step of the procedure, or other datasets' resamples.
_Kind = Literal["mark", "level", "step", "elsewhere"]


def unsettled_sentences(
    found: Unsettled,
    names: Identification,
    results: Sequence[SignificanceResult | None],
    datasets: Sequence[str],
) -> tuple[str, ...]:
    """State which marks, and whether the count, hang on Monte Carlo error; empty if nothing does.

    Parameters
    ----------
    found : Unsettled
        Which decisions are open.
    names : Identification
        The p-values of the claim, and the names by the procedure in force.
    results : sequence of SignificanceResult or None, length N
        Each dataset's test.
    datasets : sequence of str, length N
        Their names.
    """
    if found.settled:
        return ()
    procedure = procedure_named(names.procedure).title
    procedure = f"the {procedure}" if procedure[0].islower() else procedure
    level = format_level(names.alpha)
    alike: dict[tuple[_Kind, int], list[int]] = {}
    for i in np.flatnonzero(found.at_alpha | found.marks).tolist():
        result = results[i]
        drawn = 0 if result is None else result.n_resamples or 0
        kind: _Kind = "elsewhere"
        if drawn and found.at_alpha[i]:
            kind = "mark" if found.marks[i] else "level"
        elif drawn:
            kind = "step"
        alike.setdefault((kind, drawn), []).append(i)
    told = []
    for (kind, drawn), places in alike.items():
        listed = list_names([datasets[i] for i in places])
        one = len(places) == 1
        lead = (
            f"{listed}: {p_value_clause(float(names.p_values[places[0]]), alpha=names.alpha)} with "
            f"{drawn:,} resamples; its"
            if one
            else f"{listed}: with {drawn:,} resamples, each p-value's"
        )
        if kind == "mark":
            which = "the mark is" if one else "their marks are"
            told.append(f"{lead} Monte Carlo interval holds {level}, so {which} not settled.")
        elif kind == "level":
            told.append(
                f"{lead} Monte Carlo interval holds {level}, so whether p ≤ {level} is not settled."
            )
        elif kind == "step":
            start = lead.removesuffix(" its") if one else f"{listed}: with {drawn:,} resamples,"
            told.append(
                f"{start} whether {procedure} names {'it' if one else 'them'} is not settled."
            )
        else:
            told.append(
                f"Whether {procedure} names {listed} is not settled: it hangs on the resamples of "
                "other datasets."
            )
    low, high = found.k_hat_range
    if low != high:
        told.append(f"The count is not settled: more resamples may give from {low} to {high}.")
    return tuple(told)
