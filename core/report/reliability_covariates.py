"""What short and long examples do to a verdict, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..reliability.cut_offs import CutOffStudy
from ..replicability.identification import identify_datasets
from .formatting import (
    display_name,
    format_level,
    format_p_value,
    list_names,
    p_value_clause,
)

if TYPE_CHECKING:
    import pandas as pd

_STOPPED = "Stopped early. "
# Above one half on every part: B is ahead on each of them.
_NOTHING_FOR_A = 0.5
HOW_TO_HAVE_ONE = (
    "These data say nothing of the examples but their scores. Add a column that describes each "
    "example, such as its length in words or its genre, and load the file again: this section then "
    "shows where along it the verdict changes."
)
NO_TEST = (
    "A correlation of some of the examples is no sum of their shares, so that there is no study "
    "along a covariate for this metric. Choose another metric in the sidebar."
)
WHAT_THE_FLAG_IS = (
    "“Depends” is decided by how far apart the two sides of a cut-off are, beside the same with "
    "the covariate's values dealt out at random: one p-value for all cut-offs of a dataset "
    "together. A small p-value on some part alone is no sign of dependence: many parts are looked "
    "at, and small ones have little power."
)


def cut_offs_sentence(studies: Mapping[str, CutOffStudy], *, complete: bool = True) -> str:
    """On which datasets the difference depends on the covariate.

    Parameters
    ----------
    studies : mapping of dataset to CutOffStudy
        What is known.
    complete : bool
        Whether every dataset asked for is among them.
    """
    some = next(iter(studies.values()))
    level, n = format_level(some.alpha), len(studies)
    name = display_name(some.covariate)
    depending = [dataset for dataset, study in studies.items() if study.depends]
    if n == 1:
        return f"{'' if complete or not some.complete else _STOPPED}{cut_off_sentence(some)}"
    stopped = not complete or any(not study.complete for study in studies.values())
    begun = _STOPPED if stopped else ""
    if not depending:
        return (
            f"{begun}The data do not show on any of {n} datasets that the difference between A and B "
            f"depends on {name} (each tested alone at {level})."
        )
    found = (
        f"{begun}The difference between A and B depends on {name} on {len(depending)} of {n} datasets "
        f"({list_names(depending)}; p ≤ {level} each, tested alone)."
    )
    held = _held(studies)
    return (
        f"{found} Allowing for {n} tests, Holm identifies {list_names(held)}."
        if held
        else (f"{found} Allowing for {n} tests, Holm identifies none.")
    )


def cut_off_sentence(study: CutOffStudy) -> str:
    """One dataset along a covariate."""
    name = display_name(study.covariate)
    level = format_level(study.alpha)
    own = p_value_clause(study.dependence_p_value, alpha=study.alpha)
    side, cut = study.smallest_at
    smallest = p_value_clause(study.smallest_p_value, alpha=study.alpha)
    chance = p_value_clause(study.chance_p_value, alpha=study.alpha)
    whole = p_value_clause(study.p_value_of_all, alpha=study.alpha)
    if study.depends:
        told = (
            f"the difference depends on {name} ({own}, all cut-offs together); the two sides are "
            f"furthest apart at {study.largest_contrast_at:g}"
        )
    else:
        told = f"the data do not show that the difference depends on {name} ({own})"
    changes = (
        f" p ≤ {level} holds of some parts and not of others."
        if study.verdict_changes
        else f" Every part is on the same side of {level} as the whole."
    )
    begun = (
        ""
        if study.complete
        else f"Stopped early, after {study.n_random:,} of {study.n_asked:,} random orders. "
    )
    found = f"{begun}{display_name(study.dataset)}: {told}.{changes} All examples: {whole}."
    if study.smallest_p_value > _NOTHING_FOR_A:
        return f"{found} On no part do the data speak for A: swap A and B in the sidebar."
    return (
        f"{found} The smallest, "
        f"{smallest} at {name} {side} {cut:g}, is what choosing the cut-off after looking gives; "
        f"with the covariate dealt out at random it is as small with {chance}."
    )


def cut_offs_frame(studies: Mapping[str, CutOffStudy]) -> pd.DataFrame:
    """A row for each dataset."""
    import pandas as pd

    own = list(studies.values())
    frame = pd.DataFrame(
        {
            "dataset": [display_name(study.dataset) for study in own],
            "depends on it": ["★ yes" if study.depends else "– not shown" for study in own],
            "p of dependence": [
                format_p_value(study.dependence_p_value, alpha=study.alpha) for study in own
            ],
            "furthest apart at": [f"{study.largest_contrast_at:g}" for study in own],
            "p of all examples": [
                format_p_value(study.p_value_of_all, alpha=study.alpha) for study in own
            ],
            "smallest p of a part": [
                format_p_value(study.smallest_p_value, alpha=study.alpha) for study in own
            ],
            "there": [f"{study.smallest_at[0]} {study.smallest_at[1]:g}" for study in own],
        }
    )
    if any(study.n_missing for study in own):
        frame["without a value"] = [
            f"{study.n_missing:,} of {study.n_missing + study.n_examples:,}" for study in own
        ]
    return frame


def parts_frame(study: CutOffStudy) -> pd.DataFrame:
    """A row for each cut-off and side of one dataset."""
    import pandas as pd

    return pd.DataFrame(
        [
            (
                f"{curve.side} {cut:g}",
                f"{n:,}",
                f"{difference:+.4g}".replace("-", "−"),
                format_p_value(p, alpha=study.alpha),
                f"{format_p_value(low)} to {format_p_value(high)}",
            )
            for curve in (study.at_most, study.at_least)
            for cut, n, difference, p, low, high in zip(
                curve.cut_offs.tolist(),
                curve.n_examples.tolist(),
                curve.differences.tolist(),
                curve.p_values.tolist(),
                curve.low.tolist(),
                curve.high.tolist(),
                strict=True,
            )
        ],
        columns=["examples with", "n", "A − B", "p", "p of random parts, 5–95%"],
    )


def why_not_read(remarks: Sequence[str]) -> list[str]:
    """Of what reading a file remarked, why columns describe no examples."""
    return [remark for remark in remarks if "not read as describing the examples" in remark]


def not_looked_at(reasons: Sequence[tuple[str, str]]) -> list[str]:
    """Datasets without a study along the covariate, each with its reason."""
    return [f"{display_name(dataset)}: {reason}" for dataset, reason in reasons]


def _held(studies: Mapping[str, CutOffStudy]) -> list[str]:
    p_values = np.array([study.dependence_p_value for study in studies.values()])
    alpha = next(iter(studies.values())).alpha
    rejected = identify_datasets(p_values, alpha=alpha).rejected.tolist()
    return [dataset for dataset, held in zip(studies, rejected, strict=True) if held]
