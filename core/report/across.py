"""Sentences and tables about tests over datasets: two systems, and many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.effects.across import AcrossTests
from core.effects.friedman import Friedman
from core.effects.post_hoc import PostHoc
from core.replicability.decision import at_most
from core.report.formatting import (
    display_name,
    format_level,
    format_p_value,
    list_names,
    p_value_clause,
)

if TYPE_CHECKING:
    import pandas as pd

WHAT_THEY_ASK = (
    "These tests take the datasets as a random sample from a population and ask whether one system "
    "is better on average over it. They do not say on how many of these datasets it is, nor on "
    "which: where one is rejected, there may be as few as one. They take the datasets as "
    "independent, and every one counts the same, however many examples it has."
)
POST_HOC_NAMES = {
    "nemenyi": "Nemenyi, all pairs of mean ranks",
    "holm": "Holm, all pairs of mean ranks",
    "wilcoxon": "Holm, all pairs by Wilcoxon's test",
}
POST_HOC_MEANINGS = {
    "nemenyi": (
        "One critical difference for all pairs, from the studentized range. A pair's answer "
        "depends on which other systems are in the table."
    ),
    "holm": "Each pair's difference of mean ranks by a normal p-value, adjusted by Holm.",
    "wilcoxon": (
        "Each pair by its own Wilcoxon signed-rank test, adjusted by Holm: no pair's p-value "
        "depends on the other systems (Benavoli, Corani and Mangili 2016)."
    ),
}
_TEST_NAMES = {
    "wilcoxon": "Wilcoxon signed-rank",
    "sign": "sign test",
    "paired-t": "paired t-test",
}


def across_sentence(tests: AcrossTests, *, alpha: float) -> str:
    """State what Wilcoxon's test over the datasets says, and the plain counts."""
    a, b = display_name(tests.system_a), display_name(tests.system_b)
    ties = f", neither on {tests.ties}" if tests.ties else ""
    counts = (
        f"{a} scores better on {tests.wins} of {tests.n_datasets} datasets, {b} on "
        f"{tests.losses}{ties}."
    )
    best = tests.wilcoxon
    if best.p_value_greater is None or best.p_value_less is None:
        return f"{counts} No test over datasets is defined: {best.reason}."
    level = format_level(alpha)
    both = best.p_value_two_sided
    assert both is not None
    p_text = p_value_clause(both, alpha=alpha)
    if at_most(np.array([both]), alpha)[0]:
        ahead = a if best.p_value_greater <= best.p_value_less else b
        return (
            f"On average over datasets like these, {ahead} is better at level {level} "
            f"({p_text}, two-sided; Wilcoxon's signed-rank test over the datasets). {counts}"
        )
    return (
        f"The test over datasets does not show at level {level} that one system is better on "
        f"average ({p_text}, two-sided; Wilcoxon's signed-rank test). {counts}"
    )


def across_frame(tests: AcrossTests) -> pd.DataFrame:
    """A row for each test and variant."""
    import pandas as pd

    rows = []
    for test in tests.tests:
        statistic = (
            "–" if test.statistic is None else f"{test.statistic_name} = {test.statistic:.4g}"
        )
        rows.append(
            (
                _TEST_NAMES[test.test],
                _p(test.p_value_greater),
                _p(test.p_value_less),
                _p(test.p_value_two_sided),
                statistic,
                test.n_used,
                test.variant,
                "; ".join(filter(None, (test.reason, test.note))),
            )
        )
    columns = ["test", "p (A better)", "p (B better)", "p (differ)", "statistic", "N used"]
    frame = pd.DataFrame(rows, columns=[*columns, "variant", "note"])
    return frame if (frame["note"] != "").any() else frame.drop(columns="note")


def _p(value: float | None) -> str:
    return "–" if value is None else format_p_value(value)


def friedman_sentence(found: Friedman, post_hoc: PostHoc) -> str:
    """State whether the systems rank alike, and how many pairs are told apart."""
    k, n = found.n_systems, found.n_datasets
    best = display_name(found.systems[found.order[0]])
    corrected = found.f_p_value_corrected
    p_value = found.f_p_value if corrected is None else corrected
    level = format_level(post_hoc.alpha)
    alike = (
        f"the {k} systems do not all rank alike over {n} datasets"
        if p_value <= post_hoc.alpha
        else f"the data do not show that the {k} systems rank differently over {n} datasets"
    )
    pairs = int(post_hoc.separated.sum()) // 2
    total = post_hoc.n_comparisons
    sentence = (
        f"At level {level}, {alike} ({p_value_clause(p_value, alpha=post_hoc.alpha)}; Friedman, "
        f"F of Iman and Davenport). {best} has the best mean rank, "
        f"{found.mean_ranks[found.order[0]]:.2f}. "
    )
    return sentence + (
        f"{pairs} of {total} pairs are told apart."
        if pairs
        else f"None of the {total} pairs is told apart."
    )


def friedman_details(found: Friedman) -> str:
    """Every variant of the statistic, in one line."""
    text = (
        f"χ² = {found.chi2:.4g} on {found.df} degrees of freedom, {p_value_clause(found.p_value)}; "
        f"F = {found.f:.4g} on {found.f_df[0]} and {found.f_df[1]}, "
        f"{p_value_clause(found.f_p_value)}."
    )
    if found.n_tied_datasets and found.chi2_corrected is not None:
        text = f"As Demšar prints it, without correction for ties: {text}"
        text += (
            f" Corrected for ties, on {found.n_tied_datasets} of {found.n_datasets} datasets: "
            f"χ² = {found.chi2_corrected:.4g}, {_p_clause(found.p_value_corrected)}; "
            f"F = {found.f_corrected:.4g}, {_p_clause(found.f_p_value_corrected)}."
        )
    return text


def _p_clause(value: float | None) -> str:
    return "p –" if value is None else p_value_clause(value)


def ranks_frame(found: Friedman, post_hoc: PostHoc) -> pd.DataFrame:
    """A row for each system: mean rank, letters of the groups that are not told apart."""
    import pandas as pd

    order = list(found.order)
    marks = post_hoc.letters
    best_on = (found.ranks == found.ranks.min(axis=1, keepdims=True)).sum(axis=0)
    return pd.DataFrame(
        {
            "system": [found.systems[i] for i in order],
            "mean rank": [f"{found.mean_ranks[i]:.2f}" for i in order],
            "not told apart": [marks[i] for i in order],
            "best on": [int(best_on[i]) for i in order],
        }
    )


def letters_note(post_hoc: PostHoc) -> str:
    """What letters mean, and what they do not."""
    return (
        "Two systems that share a letter are not told apart at level "
        f"{format_level(post_hoc.alpha)}, which does not make them equal. The chance of any wrong "
        "separation among all pairs is at most that, if the datasets are independent."
    )


def names_of_best(found: Friedman, post_hoc: PostHoc) -> str:
    """The systems that are not told apart from the one that ranks best."""
    first = found.order[0]
    together = [
        found.systems[i] for i in found.order if i != first and not post_hoc.separated[first, i]
    ]
    best = display_name(found.systems[first])
    if not together:
        return f"{best} is told apart from every other system."
    return f"Not told apart from {best}: {list_names(together)}."
