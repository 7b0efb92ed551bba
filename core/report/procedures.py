"""All procedures side by side: who names which dataset, and with what promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..replicability.assessment import Answer
from ..replicability.closed_testing import closed_names
from ..replicability.combinations import all_combinations
from ..replicability.identification import named_by
from ..replicability.procedures import all_procedures
from ..types import DEPENDENCES, Dependence
from .common_practice import practice_name
from .formatting import display_name, format_errors, format_p_value, list_names
from .questions import Claim
from .subject import Subject

if TYPE_CHECKING:
    import pandas as pd

COMMON_PRACTICE = "common practice"
STAR = "★"


def procedures_frame(answer: Answer, subject: Subject) -> pd.DataFrame:
    """A row for each dataset, by p-value; a column for each procedure with ★ where it names it."""
    import pandas as pd

    order = np.argsort(answer.p_values, kind="stable")
    columns: dict[str, list[str]] = {
        "dataset": [display_name(subject.datasets[i]) for i in order],
        "p": [format_p_value(float(answer.p_values[i]), alpha=answer.alpha) for i in order],
    }
    for procedure in all_procedures():
        named = named_by(answer.p_values, alpha=answer.alpha, procedure=procedure.name)
        heading = f"{procedure.heading} ({int(named.sum())})"
        columns[heading] = [STAR if named[i] else "" for i in order]
    wins = answer.practice.wins
    columns[f"{COMMON_PRACTICE} ({answer.practice.n})"] = [STAR if wins[i] else "" for i in order]
    return pd.DataFrame(columns)


def procedure_headings(
    frame: pd.DataFrame, answer: Answer, subject: Subject, *, claim: Claim
) -> dict[str, str]:
    """For each procedure's column of that table what it promises."""
    promises = procedure_promises(answer, subject, claim=claim)
    return dict(zip(list(frame.columns)[2:], promises, strict=True))


def procedure_promises(answer: Answer, subject: Subject, *, claim: Claim) -> list[str]:
    """What each column of that table promises, one line each."""
    level = format_errors(answer.alpha)
    system = subject.sides(claim)[0]
    counted = practice_name(answer.practice, system, complement=answer.complement)
    lines = []
    for procedure in all_procedures():
        name = procedure.title
        short = f" ({procedure.heading})" if procedure.heading not in name else ""
        promise = procedure.compared or procedure.guarantee
        lines.append(f"{name[:1].upper()}{name[1:]}{short}: {promise.format(level=level)}.")
    return [*lines, f"{COMMON_PRACTICE}: {counted}; no guarantee."]


# The answers as they are offered, and quoted wherever one is spoken of.
DEPENDENCE_ANSWERS: Mapping[Dependence, str] = {
    "not-known": "Not known, or yes",
    "positive": "Only positively",
    "independent": "No, independent",
}
DEPENDENCE_EXAMPLES: Mapping[Dependence, str] = {
    "not-known": (
        f"{DEPENDENCE_ANSWERS['not-known']}: translations of one test set, several splits of one "
        "corpus, datasets that share sentences, or nobody has checked."
    ),
    "positive": (
        f"{DEPENDENCE_ANSWERS['positive']}: what makes one test come out well can only make the "
        "others come out better, such as one-sided tests on overlapping samples. Sharing examples "
        "alone does not ensure it."
    ),
    "independent": (
        f"{DEPENDENCE_ANSWERS['independent']}: each dataset was collected on its own and no example "
        "is in two of them, such as product reviews of different products."
    ),
}


def titles_needing_independence() -> tuple[str, ...]:
    """Titles of the combinations that hold for independent datasets alone."""
    return tuple(each.title for each in all_combinations() if each.dependence == "independent")


def can_overstate(*, then: bool = False) -> str:
    """Write "Fisher's and Stouffer's counts can overstate", as they do on shared examples."""
    whose = [f"{title}'s" for title in titles_needing_independence()]
    counts = "count" if len(whose) == 1 else "counts"
    return f"{list_names(whose)} {counts} can {'then ' if then else ''}overstate"


def dependence_lines(answer: Answer, subject: Subject) -> list[str]:
    """What each answer about dependence would give: counts and the names of their closed tests."""
    lines = []
    for dependence in DEPENDENCES:
        for combination in all_combinations():
            if combination.dependence != dependence:
                continue
            k_hat = answer.countings[combination.name].k_hat
            named = closed_names(answer.p_values, alpha=answer.alpha, combination=combination.name)
            names = f"named: {subject.names(named)}" if named.any() else "none named"
            lines.append(
                f"{DEPENDENCE_ANSWERS[dependence]} ({combination.title}): at least {k_hat} of "
                f"{answer.p_values.size}; {names}."
            )
    return lines
