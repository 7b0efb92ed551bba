"""Sentences on counts by joint flips of shared examples.

Null hypothesis behind them: on every unit (an example with its copies and translations, or a
cluster), the two systems are exchangeable jointly over the datasets where neither is better.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..replicability.combinations import combination_named
from ..replicability.counting import Counting
from ..replicability.identification import Identification
from ..types import UnitsBy
from .formatting import format_confidence, format_errors, format_p_value, whole_name
from .questions import Claim
from .subject import Subject

if TYPE_CHECKING:
    import pandas as pd

# As it is offered beside the answers about dependence.
JOINT_ANSWER = "They share examples: count those jointly"
UNITS_WORDS: Mapping[UnitsBy, str] = {
    "matched": "Those with equal texts, or ids that tell examples apart",
    "example-id": "Also those with equal ids (sentence 7 is sentence 7 in every language)",
}
NULL_AND_LIMITS = (
    "The null hypothesis: on every example, with its copies and translations, A and B could be "
    "exchanged in all datasets at once without changing the distribution of the scores. Equal "
    "means of skewed differences are no such case: with few examples the count is then too large "
    "too often (measured: 21% of studies at 30 examples, 8% at 300). Dependence through anything "
    "but examples, such as the same training runs or annotators, is not covered (Westfall and Young "
    "1993; Vesely, Finos and Goeman 2023)."
)


def joint_count_sentence(
    counting: Counting,
    step_down: Identification,
    subject: Subject,
    *,
    claim: Claim,
    settled: bool = True,
) -> str:
    """On at least how many datasets, under the dependence of their shared examples."""
    n, k_hat = counting.n_datasets, counting.k_hat
    statement = subject.claim(claim)
    if k_hat == 0 and step_down.n_rejected:
        found = f"The sum over datasets does not show that {statement} on any of the {n}."
    elif k_hat == 0:
        found = f"Joint flips do not show that {statement} on any of the {n} datasets."
    else:
        how_many = f"all {n} datasets" if k_hat == n else f"at least {k_hat} of {n} datasets"
        found = (
            f"With {format_confidence(counting.alpha)} confidence, {statement} on {how_many}. This "
            "holds however the datasets depend on each other through their shared examples (joint "
            "flips)."
        )
    return found if settled else f"{found} More flips could change this count."


def joint_names_sentence(named: Identification, step_down: Identification, subject: Subject) -> str:
    """Which datasets by the count's own test, and by the step-down test."""
    own = (
        f"The same test names {subject.names(named.rejected)}."
        if named.n_rejected
        else "The same test names no single dataset."
    )
    names = subject.names(step_down.rejected) if step_down.n_rejected else "none"
    return (
        f"{own} The step-down test (largest z) is a separate statement: it names {names}, with a "
        f"wrong name in at most {format_errors(step_down.alpha)} of studies."
    )


def joint_beside_sentence(counts: dict[str, int]) -> str:
    """What combinations of p-values count beside it; `counts` by their names."""
    told = [
        f"{combination_named(name).title} counts {k_hat}, valid {combination_named(name).holds}"
        for name, k_hat in counts.items()
    ]
    return f"Beside it: {'; '.join(told)}."


def joint_units_sentence(*, n_units: int, n_shared: int, n_flips: int, exact: bool) -> str:
    """What was flipped, and how often."""
    units = f"{n_units:,} {'unit' if n_units == 1 else 'units'}"
    shared = f"{n_shared:,} of them in two datasets or more"
    how = f"all {n_flips:,} flips" if exact else f"{n_flips:,} random flips"
    return f"A and B are flipped on {units}, {shared}: {how}."


def joint_frame(
    count: Counting,
    named: Identification,
    step_down: Identification,
    datasets: tuple[str, ...],
) -> pd.DataFrame:
    """A row a dataset: its own p-value by flips, and the adjusted ones by both tests."""
    import pandas as pd

    return pd.DataFrame(
        {
            "dataset": [whole_name(name) for name in datasets],
            "p by flips": [format_p_value(p) for p in count.p_values],
            "adjusted p (step-down)": [format_p_value(p) for p in step_down.adjusted_p_values],
            "significant (step-down)": ["★" if own else "" for own in step_down.rejected],
            "adjusted p (same test as the count)": [
                format_p_value(p) for p in named.adjusted_p_values
            ],
            "significant (same test)": ["†" if own else "" for own in named.rejected],
        }
    )
