"""All procedures side by side: who names which dataset, and with what promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.replicability.assessment import COMBINATION_OF_DEPENDENCE, Answer
from core.replicability.decision import at_most
from core.replicability.identification import closed_names, named_by
from core.report.formatting import display_name, format_p_value
from core.report.guarantees import PROCEDURE_GUARANTEES
from core.report.sentences import COMBINATION_NAMES, PROCEDURE_NAMES, Subject
from core.types import DEPENDENCES, Dependence

if TYPE_CHECKING:
    import pandas as pd

COMMON_PRACTICE = "p ≤ α"
STAR = "★"


def procedures_frame(answer: Answer, subject: Subject) -> pd.DataFrame:
    """A row for each dataset, by p-value; a column for each procedure with ★ where it names it."""
    import pandas as pd

    order = np.argsort(answer.p_values, kind="stable")
    columns: dict[str, list[str]] = {
        "dataset": [display_name(subject.datasets[i]) for i in order],
        "p": [format_p_value(float(answer.p_values[i]), alpha=answer.alpha) for i in order],
    }
    for procedure in PROCEDURE_GUARANTEES:
        named = named_by(answer.p_values, alpha=answer.alpha, procedure=procedure)
        name = PROCEDURE_NAMES[procedure]
        heading = f"{name[:1].upper()}{name[1:]} ({int(named.sum())})"
        columns[heading] = [STAR if named[i] else "" for i in order]
    below = at_most(answer.p_values, answer.alpha)
    columns[f"{COMMON_PRACTICE} ({int(below.sum())})"] = [STAR if below[i] else "" for i in order]
    return pd.DataFrame(columns)


def procedure_promises(alpha: float) -> list[str]:
    """What each column of that table promises, one line each."""
    level = f"{100.0 * alpha:.10g}%"
    lines = []
    for procedure, guarantee in PROCEDURE_GUARANTEES.items():
        name = PROCEDURE_NAMES[procedure]
        lines.append(f"{name[:1].upper()}{name[1:]}: {guarantee.format(level=level)}.")
    return [*lines, "p ≤ α: the common practice, no guarantee."]


DEPENDENCE_EXAMPLES: dict[Dependence, str] = {
    "not-known": (
        "Not known, or yes: translations of one test set, several splits of one corpus, datasets "
        "that share sentences, or nobody has checked."
    ),
    "positive": (
        "Only positively: what makes one test come out well can only make the others come out "
        "better, such as one-sided tests on overlapping samples. Sharing examples alone does not "
        "ensure it."
    ),
    "independent": (
        "Independent: each dataset was collected on its own and no example is in two of them, "
        "such as product reviews of different products."
    ),
}
_ANSWERS: dict[Dependence, str] = {
    "not-known": "not known, or yes",
    "positive": "only positively",
    "independent": "no, independent",
}


def dependence_frame(answer: Answer, subject: Subject) -> pd.DataFrame:
    """What each answer about dependence would give: the count and the names of its closed test."""
    import pandas as pd

    rows = []
    for dependence in DEPENDENCES:
        combination = COMBINATION_OF_DEPENDENCE[dependence]
        k_hat = answer.countings[combination].k_hat
        named = closed_names(answer.p_values, alpha=answer.alpha, combination=combination)
        rows.append(
            (
                _ANSWERS[dependence],
                COMBINATION_NAMES[combination],
                f"at least {k_hat} of {answer.p_values.size}",
                subject.names(named) or "none",
            )
        )
    return pd.DataFrame(rows, columns=["datasets depend", "counted by", "count", "named"])
