"""What each procedure is called, does and promises, and what takes a promise away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.replicability.procedures import procedure_named
from core.report.formatting import display_name, format_confidence, format_errors, list_names

REFERENCE = (
    "Dror, Baumer, Bogomolov and Reichart, “Replicability Analysis for Natural Language "
    "Processing: Testing Significance with Multiple Datasets”, TACL 2017, sections 4.1 to 4.3; "
    "Benjamini and Heller, Biometrics 2008."
)

# What takes a promise away, said beside the choice and in the report.
CHOOSE_DEPENDENCE_BEFORE = (
    "Answer it from what is known about the test sets, not from the counts: an answer chosen "
    "because it counts more carries no guarantee."
)
CHOOSE_COMBINATION_BEFORE = (
    "Choose it before looking: taking the one that counts most carries no guarantee."
)
CHOOSE_PROCEDURE_BEFORE = (
    "Choose a procedure before looking: taking the one that names most carries no guarantee."
)
REPORT_WHAT_WAS_TRIED = (
    "A choice made after looking at the results takes the guarantee away: report everything listed "
    "here."
)


def guarantee_sentence(procedure: str, *, alpha: float) -> str:
    """State what a procedure guarantees at a level."""
    guarantee = procedure_named(procedure).guarantee.format(level=format_errors(alpha))
    return f"Guarantee: {guarantee}."


def together_sentence(alpha: float) -> str:
    """State with which confidence the statements for both systems hold at once."""
    return f"Both directions hold together with {format_confidence(2.0 * alpha)} confidence."


def swapped_sentence(alpha: float, *, a: str, b: str) -> str:
    """Ask whether A was A before looking, as the file has B first, and say what it costs if not."""
    first, second = display_name(a), display_name(b)
    return (
        f"Was {first} meant as A before the results were looked at? The file has {second} first. "
        "If it was chosen afterwards, both directions count: each statement holds with "
        f"{format_confidence(alpha)} confidence by itself, those for A and B together with "
        f"{format_confidence(2.0 * alpha)}."
    )


def exchanged_sentence(alpha: float, *, a: str, b: str) -> str:
    """The same as a paper can say it."""
    first, second = display_name(a), display_name(b)
    return (
        f"{first} was taken as A, though {second} stands first in the file; had that been chosen "
        "after looking at the results, statements for A and B would hold together with "
        f"{format_confidence(2.0 * alpha)} confidence."
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
            f"Left out by hand: {list_names(others)}. Where that was decided after looking at the "
            "results, the guarantee no longer holds."
        )
    if same:
        stay = list(dict.fromkeys(same.values()))
        said.append(
            f"Left out by hand: {list_names(list(same))}, with the same scores as "
            f"{list_names(stay)}, which {'stays' if len(stay) == 1 else 'stay'}. That chooses "
            "nothing among the results."
        )
    return " ".join(said)
