"""What a careful reader asks next: sensitivity, all metrics as one family, groups of datasets."""

from __future__ import annotations

from collections.abc import Sequence

from ..replicability.combinations import combination_named, counting_method_named
from ..replicability.counting import GroupCount
from ..replicability.sensitivity import Sensitivity
from .counting import STAR
from .formatting import (
    Frame,
    counted,
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    frame_of,
    list_names,
    rounded_level,
)
from .subject import Claim, Subject

# Of stand-ins for p-values nothing can be said to depend on them.
NOT_YET = "Sensitivity is shown once every dataset is tested."
DESCRIPTIVE = "This is descriptive. Choosing α, the way of counting or the datasets by it voids the guarantee."


OF_OWN_TESTS = "The p-values here are those of each dataset's own test, not of the joint flips."


def depends_on_sentence(found: Sensitivity, subject: Subject) -> str:
    """State that a count depends on one dataset; empty where it does not."""
    names = [subject.datasets[i] for i in found.depends_on]
    if not names or found.counting.n_datasets == 1:
        return ""
    if len(names) == 1:
        return f"The count depends on one dataset: without {list_names(names)} it is 0."
    return f"The count depends on single datasets: without any one of {list_names(names)} it is 0."


def levels_sentence(found: Sensitivity) -> str:
    """State at which α the count would step up and down."""
    k_hat, n = found.counting.k_hat, found.counting.n_datasets
    parts = []
    up, down = found.next_level_up, found.next_level_down
    if up is not None:
        # A level of 1 is no level: nothing would be claimed at it.
        parts.append(
            f"it rises to {k_hat + 1} or more at α = {rounded_level(up, up=True)}"
            if up < 1.0
            else f"no α raises it to {k_hat + 1}"
        )
    if down is not None:
        parts.append(f"it is less than {k_hat:,} below α = {rounded_level(down)}")
    name = combination_named(found.counting.combination).title
    return (
        f"By {name} the count is {k_hat:,} of {n:,} at α = {format_level(found.counting.alpha)}; "
        f"{', and '.join(parts)}."
    )


def without_sentence(found: Sensitivity, subject: Subject) -> str:
    """State between which numbers the count lies when any one dataset is left out."""
    n = found.counting.n_datasets
    low, high = int(found.k_hat_without.min()), int(found.k_hat_without.max())
    others = "the other" if n == 2 else f"the other {n - 1:,}"
    if low == high:
        return f"Whichever one dataset is left out, the count of {others} is {low:,}."
    lowest = [subject.datasets[i] for i in (found.k_hat_without == low).nonzero()[0]]
    return (
        f"With any one dataset left out, the count of {others} lies between {low:,} "
        f"(without {list_names(lowest, most=3)}) and {high:,}."
    )


def sensitivity_frame(found: Sensitivity, subject: Subject) -> Frame:
    """A row for each dataset: its p-value, up to which p it would be significant, the count without it."""
    alpha = found.counting.alpha
    return frame_of(
        {
            "dataset": [display_name(name) for name in subject.datasets],
            "p": [format_p_value(float(p), alpha=alpha) for p in found.counting.p_values],
            "significant": [STAR if named else "" for named in found.named],
            "significant up to p": [rounded_level(float(p)) for p in found.critical_p_values],
            "k̂ without it": found.k_hat_without.tolist(),
        }
    )


WHEN_ONE_FAMILY = (
    "Use this count if you did not fix the metric before looking; else use the count of your metric. "
    "Counts that need independence are not offered: metrics of the same outputs depend on each other."
)
WHY_ALLOWED = (
    "You may choose a group after looking: one closed test of all datasets bounds the false positives of "
    "every possible group, and all these bounds hold at once. Counting p ≤ α in a group picked because "
    "it looks good has no such bound: among many groups one looks good by chance."
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
    of = f"{display_name(group.name) or 'Your group'} ({counted(group.size, 'dataset')})"
    many = "all" if group.at_least == group.size > 1 else f"at least {group.at_least:,}"
    if group.size == 1:
        many = "it"
    if not group.at_least:
        level, condition = format_level(alpha), groups_condition(combination)
        return f"{of}: no evidence at α = {level} that {statement} ({condition})."
    return (
        f"{of}: {statement} on {many}. This holds with {format_confidence(alpha)} confidence for all groups at once, "
        f"also for one chosen after looking ({groups_condition(combination)})."
    )


def groups_frame(groups: Sequence[GroupCount], subject: Subject) -> Frame:
    """A row for each group: its size, the bound, its members."""
    return frame_of(
        {
            "group": [display_name(group.name) for group in groups],
            "shown on at least": [f"{group.at_least:,} of {group.size:,}" for group in groups],
            "datasets": [
                ", ".join(display_name(subject.datasets[i]) for i in group.members)
                for group in groups
            ],
        }
    )


def groups_condition(name: str) -> str:
    """Which closed test bounds groups, and when its bounds hold."""
    method = counting_method_named(name)
    whatever = "any dependence" if not method.through else method.holds
    return f"{method.title}; {method.holds if method.condition else whatever}"
