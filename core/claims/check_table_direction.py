"""Whose lead the p-values of a table speak for: counts and names by every reading, whatever is claimed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from core.claims import sentences
from core.claims.check_inputs import CheckedTable
from core.claims.findings import Finding
from core.claims.sentences_direction import (
    by_direction_sentence,
    not_toward_sentence,
    practice_of,
)
from core.replicability.assessment import Reading
from core.replicability.direction import small_beside_lower_score
from core.types import Alternative, BoolArray

Side = Literal["a", "b"]
# Of fewer p-values, all below one half says too little.
FEWEST_BELOW_HALF = 5


def check_direction_of_table(
    checked: CheckedTable, alpha: float, *, sides: Sequence[Side], first: bool = True
) -> list[Finding]:
    """State small p-values beside a lower score, and counts and names by direction.

    With `first` also what the numbers say of the readings, which is much the same at every level.
    """
    table = checked.table
    signs = checked.signs
    found = []
    both: tuple[Side, ...] = ("a", "b")
    for side in both:
        if contradicted := checked.other_side(side, alpha):
            details = {"alpha": alpha, "better": side, "other_side": True}
            found.append(
                Finding(verdict=None, check="direction", reason=contradicted, details=details)
            )
    if signs is None:
        return found
    for side in sides:
        small = small_beside_lower_score(
            checked.p_values(side), signs if side == "a" else -signs, alpha=alpha
        )
        if small.any() and table.p_values_b is None:
            names = names_of(small, checked)
            found.append(
                Finding(
                    verdict=None,
                    check="direction",
                    reason=sentences.beside_lower_sentence(
                        system_of(checked, side),
                        names,
                        n=checked.n,
                        alpha=alpha,
                        worse=checked.subject.worse,
                    ),
                    details={"alpha": alpha, "better": side, "datasets": names},
                )
            )
    assessment = checked.assessed(alpha)
    readings = {
        reading.alternative: {"a": _answers(reading, "a"), "b": _answers(reading, "b")}
        for reading in assessment.readings
    }
    parts = [by_direction_sentence(assessment, checked.subject, made=checked.made)]
    spoken_of = {"greater": "a" in sides, "less": "b" in sides}
    for ruled_out in assessment.ruled_out if first else ():
        if spoken_of.get(ruled_out.alternative, True):
            parts.append(not_toward_sentence(ruled_out, checked.subject, table.printed))
    below_half = _all_below_half(checked, [r.alternative for r in assessment.readings])
    if below_half and first:
        largest = table.printed[int(np.argmax(table.p_values))]
        parts.append(sentences.below_half_sentence(checked.n, largest))
    found.append(
        Finding(
            verdict=None,
            check="direction",
            reason=" ".join(part for part in parts if part),
            details={
                "alpha": alpha,
                "readings": readings,
                "all_below_half": below_half,
                "largest_printed": table.printed[int(np.argmax(table.p_values))],
            },
        )
    )
    return found


def _answers(reading: Reading, side: Side) -> dict[str, object]:
    answer = reading.a_better if side == "a" else reading.b_better
    return {
        "count": practice_of(reading, side)[0],
        **{name: counting.k_hat for name, counting in answer.countings.items()},
        "holm": tuple(np.flatnonzero(answer.named_by_holm).tolist()),
    }


def _all_below_half(checked: CheckedTable, readings: Sequence[Alternative]) -> bool:
    return (
        checked.table.alternative == "not-stated"
        and checked.n >= FEWEST_BELOW_HALF
        and "toward-higher-score" in readings
        # Where one system leads everywhere, p-values for it look the same.
        and not {"greater", "less"} & set(readings)
        and bool((checked.table.p_value_bounds[1] < 0.5).all())
    )


def system_of(checked: CheckedTable, side: Side) -> str:
    """Name of a system."""
    return checked.table.system_a if side == "a" else checked.table.system_b


def names_of(chosen: BoolArray, checked: CheckedTable) -> tuple[str, ...]:
    """Names of the chosen datasets."""
    return tuple(checked.table.datasets[i] for i in np.flatnonzero(chosen))
