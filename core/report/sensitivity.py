"""Sentences and a table about what would change an answer: descriptive, without guarantee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.replicability.combinations import combination_named
from core.replicability.sensitivity import Sensitivity
from core.report.formatting import display_name, format_level, format_p_value, list_names
from core.report.subject import Subject

if TYPE_CHECKING:
    import pandas as pd

# Of stand-ins for p-values nothing can be said to hang on them.
NOT_YET = "Not every dataset is tested; what would change the count is told once they are."
DESCRIPTIVE = (
    "Descriptive: this looks at what would have been, after the fact. Choosing α, the way of "
    "counting, or the datasets by it takes the guarantee away."
)


def hangs_on_sentence(found: Sensitivity, subject: Subject) -> str:
    """State that a verdict hangs on one dataset; empty where it does not."""
    names = [subject.datasets[i] for i in found.hangs_on]
    if not names or found.counting.n_datasets == 1:
        return ""
    if len(names) == 1:
        return f"The verdict hangs on one dataset: without {list_names(names)} nothing is counted."
    return f"The verdict hangs on single datasets: without any one of {list_names(names)} nothing is counted."


def levels_sentence(found: Sensitivity) -> str:
    """State at which α the count would step up and down."""
    k_hat, n = found.counting.k_hat, found.counting.n_datasets
    parts = []
    up, down = found.next_level_up, found.next_level_down
    if up is not None:
        # A level of 1 is no level: nothing would be claimed at it.
        parts.append(
            f"it would be {k_hat + 1} or more from α = {_level(up)} on"
            if up < 1.0
            else f"no α would make it {k_hat + 1}"
        )
    if down is not None:
        parts.append(f"less than {k_hat} below α = {_level(down)}")
    name = combination_named(found.counting.combination).title
    return (
        f"By {name} the count is {k_hat} of {n} at α = {format_level(found.counting.alpha)}; "
        f"{', and '.join(parts)}."
    )


def without_sentence(found: Sensitivity, subject: Subject) -> str:
    """State between which numbers the count lies when any one dataset is left out."""
    n = found.counting.n_datasets
    if n == 1:
        return ""
    low, high = int(found.k_hat_without.min()), int(found.k_hat_without.max())
    if low == high:
        return f"Whichever one dataset is left out, the count of the other {n - 1} is {low}."
    lowest = [subject.datasets[i] for i in (found.k_hat_without == low).nonzero()[0]]
    return (
        f"With any one dataset left out, the count of the other {n - 1} lies between {low} "
        f"(without {list_names(lowest, most=3)}) and {high}."
    )


def sensitivity_frame(found: Sensitivity, subject: Subject) -> pd.DataFrame:
    """A row for each dataset: its p-value, up to which p it would be named, the count without it."""
    import pandas as pd

    alpha = found.counting.alpha
    return pd.DataFrame(
        {
            "dataset": [display_name(name) for name in subject.datasets],
            "p": [format_p_value(float(p), alpha=alpha) for p in found.counting.p_values],
            "named": ["★ named" if named else "not named" for named in found.named],
            "named up to p": [_level(float(p)) for p in found.critical_p_values],
            "k̂ without it": found.k_hat_without.tolist(),
        }
    )


def _level(value: float) -> str:
    return f"{value:.3g}".removeprefix("0") if value < 1.0 else "1"
