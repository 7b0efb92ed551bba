"""Sentences about decisions that more resamples may change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.replicability.identification import Identification
from core.replicability.unsettled import Unsettled
from core.report.formatting import display_name, format_level, p_value_clause
from core.report.sentences import PROCEDURE_NAMES
from core.significance import SignificanceResult

# Of more open decisions these are told one by one.
MOST_TOLD = 5


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
    procedure = PROCEDURE_NAMES[names.procedure]
    procedure = f"the {procedure}" if procedure[0].islower() else procedure
    told = []
    for i in np.flatnonzero(found.at_alpha | found.marks).tolist():
        result = results[i]
        name = display_name(datasets[i])
        if result is None or result.n_resamples is None:
            told.append(
                f"Whether {procedure} names {name} is not settled: it hangs on the resamples of "
                "other datasets."
            )
            continue
        p_value = p_value_clause(float(names.p_values[i]), alpha=names.alpha)
        lead = f"{name}: {p_value} with {result.n_resamples:,} resamples; "
        level = format_level(names.alpha)
        if found.at_alpha[i] and found.marks[i]:
            end = f"its Monte Carlo interval holds {level}, so the mark is not settled."
        elif found.at_alpha[i]:
            end = f"its Monte Carlo interval holds {level}, so whether p ≤ {level} is not settled."
        else:
            end = f"whether {procedure} names it is not settled."
        told.append(lead + end)
    if len(told) > MOST_TOLD:
        told = [*told[:MOST_TOLD], f"So are {len(told) - MOST_TOLD} more marks."]
    low, high = found.k_hat_range
    if low != high:
        told.append(f"The count is not settled: more resamples may give from {low} to {high}.")
    return tuple(told)
