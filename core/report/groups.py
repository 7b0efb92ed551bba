"""Sentences and a table about groups of datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.replicability.combinations import combination_named
from core.replicability.groups import GroupCount
from core.report.formatting import display_name, format_confidence
from core.report.questions import Claim
from core.report.subject import Subject

if TYPE_CHECKING:
    import pandas as pd

WHY_ALLOWED = (
    "Why a group may be chosen after looking: one closed test of all datasets bounds, for every "
    "group there is, how many of its members can be false positives, and all these bounds hold at "
    "once. So the best-looking group was paid for before it was found. Counting p-values at most "
    "α in a group that was picked because it looks good has no such bound: among many groups one "
    "looks good by chance."
)


def group_sentence(
    group: GroupCount,
    subject: Subject,
    *,
    claim: Claim,
    alpha: float,
    combination: str,
) -> str:
    """State the bound for one group, with what makes it hold."""
    statement = subject.claim(claim)
    of = f"of {display_name(group.name)}" if group.name else "chosen"
    which = "dataset" if group.size == 1 else "datasets"
    many = "all" if group.at_least == group.size > 1 else f"at least {group.at_least}"
    if group.size == 1:
        many = "it" if group.at_least else "none"
    holds = (
        "This holds for every group at once, also for one chosen after looking, with "
        f"{format_confidence(alpha)} confidence ({_condition(combination)})."
    )
    if group.at_least == 0:
        return (
            f"Of the {group.size} {which} {of}, the data do not show that {statement} on any. "
            f"{holds}"
        )
    return f"Of the {group.size} {which} {of}, {statement} on {many}. {holds}"


def groups_frame(groups: Sequence[GroupCount], subject: Subject) -> pd.DataFrame:
    """A row for each group: its size, the bound, its members."""
    import pandas as pd

    return pd.DataFrame(
        {
            "group": [display_name(group.name) for group in groups],
            "shown on at least": [f"{group.at_least} of {group.size}" for group in groups],
            "datasets": [
                ", ".join(display_name(subject.datasets[i]) for i in group.members)
                for group in groups
            ],
        }
    )


def _condition(name: str) -> str:
    combination = combination_named(name)
    condition = f"if {combination.condition}" if combination.condition else "any dependence"
    return f"{combination.title}; {condition}"
