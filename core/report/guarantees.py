"""What each procedure is called, does and promises, and what takes a promise away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..replicability.procedures import procedure_named
from .formatting import display_name, format_confidence, format_errors, list_names

REFERENCE = (
    "Dror, Baumer, Bogomolov and Reichart, “Replicability Analysis for Natural Language "
    "Processing: Testing Significance with Multiple Datasets”, TACL 2017, sections 4.1 to 4.3; "
    "Benjamini and Heller, Biometrics 2008."
)

# What takes a promise away, said beside the choice and in the report.
CHOOSE_DEPENDENCE_BEFORE = (
    "Answer from what you know about the test sets, not from the counts. An answer chosen for its "
    "larger count has no guarantee."
)
CHOOSE_COMBINATION_BEFORE = (
    "Choose it before you see the results. The largest of several counts has no guarantee."
)
CHOOSE_PROCEDURE_BEFORE = (
    "Choose a procedure before you see the results. The longest of several lists has no guarantee."
)
REPORT_WHAT_WAS_TRIED = (
    "A choice made after seeing the results has no guarantee. Report everything listed here."
)


def guarantee_sentence(procedure: str, *, alpha: float) -> str:
    """State what a procedure guarantees at a level."""
    guarantee = procedure_named(procedure).guarantee.format(level=format_errors(alpha))
    return f"Guarantee: {guarantee}."


def together_sentence(alpha: float) -> str:
    """State with which confidence the statements for both systems hold at once, if any is left."""
    if alpha >= 0.5:
        return ""
    return f"Both directions together hold with {format_confidence(2.0 * alpha)} confidence."


def swapped_sentence(alpha: float, *, a: str, b: str) -> str:
    """Ask whether A was A before looking, as the file has B first, and say what it costs if not."""
    first, second = display_name(a), display_name(b)
    return (
        f"Was {first} meant as A before you saw the results? The file has {second} first. If not, "
        f"statements for A and B together hold with "
        f"{format_confidence(2.0 * alpha)} confidence instead of {format_confidence(alpha)}."
    )


def left_out_sentence(names: Sequence[str], copies: Mapping[str, str] | None = None) -> str:
    """State which datasets do not count, and what that costs.

    Parameters
    ----------
    names : sequence of str
        Those left out.
    copies : mapping of str to str, optional
        Of those, the ones with the same scores as a dataset that stays, and which.
    """
    same = {name: copies[name] for name in names if copies and name in copies}
    others = [name for name in names if name not in same]
    said = []
    if others:
        said.append(
            f"You left out {list_names(others)}. If you decided that after seeing the results, the "
            "guarantee no longer holds."
        )
    if same:
        stay = list(dict.fromkeys(same.values()))
        said.append(
            f"You left out {list_names(list(same))}, which {'has' if len(same) == 1 else 'have'} the "
            f"same scores as {list_names(stay)}. That does not affect the guarantee."
        )
    return " ".join(said)
