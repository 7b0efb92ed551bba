"""What each procedure is called, does and promises, and what takes a promise away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.report.formatting import display_name, format_confidence, format_errors, list_names
from core.types import Procedure

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
CHOOSE_PROCEDURE_BEFORE = (
    "Choose a procedure before looking: taking the one that names most carries no guarantee."
)
REPORT_WHAT_WAS_TRIED = (
    "A choice made after looking at the results takes the guarantee away: report everything listed "
    "here."
)

PROCEDURE_NAMES: Mapping[str, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "fisher-closed": "closed Fisher test",
    "benjamini-hochberg": "Benjamini–Hochberg",
    "benjamini-yekutieli": "Benjamini–Yekutieli",
}

# What each procedure guarantees, in the order in which they are offered.
PROCEDURE_GUARANTEES: Mapping[Procedure, str] = {
    "holm": "a wrong name in at most {level} of studies, whatever the dependence",
    "bonferroni": "as Holm, but never names more",
    "hochberg": "a wrong name in at most {level} of studies, if the tests are independent or "
    "positively dependent",
    "hommel": "as Hochberg, and never names fewer; the closed test behind the count by Simes",
    "fisher-closed": "a wrong name in at most {level} of studies, if the datasets are "
    "independent; the closed test behind the count by Fisher",
    "benjamini-hochberg": "averaged over studies at most {level} of the names are wrong (no names "
    "count as no error), if the tests are independent or positively dependent; a single list may "
    "hold more",
    "benjamini-yekutieli": "averaged over studies at most {level} of the names are wrong, "
    "whatever the dependence; a single list may hold more",
}

PROCEDURE_RULES: Mapping[Procedure, str] = {
    "holm": (
        "Sort the p-values. Compare the smallest with α/N, the next with α/(N − 1), and so on; "
        "stop at the first that exceeds its threshold. Those before it are named."
    ),
    "bonferroni": "Every p-value at most α/N is named.",
    "hochberg": (
        "The thresholds are Holm's, but the search begins at the largest p-value: the first that "
        "is at most its threshold is named with all smaller ones."
    ),
    "hommel": (
        "A dataset is named when Simes' test rejects every set of datasets that holds it. With h "
        "the size of the largest set not rejected, that is p ≤ α/h."
    ),
    "fisher-closed": (
        "A dataset is named when Fisher's test rejects every set of datasets that holds it; its "
        "threshold is the largest p-value with which that would be so, the others as they are."
    ),
    "benjamini-hochberg": (
        "Sort the p-values. Find the last whose p-value is at most rank · α/N; it and all smaller "
        "ones are named."
    ),
    "benjamini-yekutieli": (
        "As Benjamini–Hochberg with α divided by 1 + 1/2 + … + 1/N, the price of any dependence."
    ),
}


def guarantee_sentence(procedure: Procedure, *, alpha: float) -> str:
    """State what a procedure guarantees at a level."""
    guarantee = PROCEDURE_GUARANTEES[procedure].format(level=format_errors(alpha))
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
