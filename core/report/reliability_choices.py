"""What another metric, test or level of a covariate does to a verdict, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ..reliability.free_choice import FreeChoice, free_choice_rate
from ..reliability.levels import LevelStudy
from ..reliability.metrics import MetricStudy
from ..reliability.pairs import PairFamily
from .formatting import (
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    format_share,
    list_names,
    p_value_clause,
)

if TYPE_CHECKING:
    import pandas as pd

_Study = TypeVar("_Study", MetricStudy, LevelStudy)

WHY_NONE_FOR_INDEPENDENT = (
    "Counts that need independent p-values are not offered here: those of one dataset are of the "
    "same examples."
)
SMALL_LEVELS = (
    "A level has fewer examples than its dataset, so that p > α on some levels is to be expected "
    "even where A is equally better on all."
)


def n_datasets(n: int) -> str:
    """Write "1 dataset", "7 datasets"."""
    return "1 dataset" if n == 1 else f"{n} datasets"


def of_datasets(study: MetricStudy, datasets: Sequence[str]) -> MetricStudy | None:
    """The part of a study that is of some datasets; None where it has none of them."""
    kept = tuple(name for name in study.datasets if name in datasets)
    if kept == study.datasets:
        return study
    pairs = tuple(pair for pair in study.pairs if pair.dataset in kept)
    if not pairs:
        return None
    return replace(
        study,
        datasets=kept,
        pairs=pairs,
        left_out=tuple(one for one in study.left_out if one.dataset in kept),
        n_asked=study.n_asked - (len(study.pairs) - len(pairs)),
    )


def within_reach(study: _Study) -> _Study:
    """A study without p-values that say nothing: a bootstrap out of its reach contradicts nobody."""
    kept = tuple(pair for pair in study.pairs if not pair.kept_out)
    return study if len(kept) == len(study.pairs) else replace(study, pairs=kept)


def choices_sentence(study: MetricStudy) -> str:
    """On how many datasets the verdict hangs on metric and test."""
    level, n = format_level(study.alpha), len(study.tested_datasets)
    m = len(study.columns)
    begun = "" if study.complete else "Stopped early. "
    study = within_reach(study)
    if m == 1:
        return (
            f"{begun}There is one metric with one test that fits: p ≤ {level} on "
            f"{len(study.datasets_by_any)} of {n_datasets(n)}, and no choice to hang on."
        )
    found = (
        f"{begun}p ≤ {level} by at least one of {m} metrics and tests on "
        f"{len(study.datasets_by_any)} of {n_datasets(n)}, by all of them on "
        f"{len(study.datasets_by_all)}. "
    )
    depending = study.datasets_that_differ
    if not depending:
        return f"{found}On none does it depend on which of them is reported."
    return f"{found}It depends on which is reported on {list_names(depending)}."


def levels_sentence(study: LevelStudy) -> str:
    """On how many datasets the verdict hangs on the level of a covariate."""
    level = format_level(study.alpha)
    n = len({pair.dataset for pair in study.pairs})
    begun = "" if study.complete else "Stopped early. "
    study = within_reach(study)
    smaller = study.datasets_that_differ
    found = (
        f"{begun}p ≤ {level} on at least one {_of(study)} on {len(study.datasets_by_any)} of "
        f"{n_datasets(n)}, on every one on {len(study.datasets_by_all)}."
    )
    if smaller:
        found += (
            f" On {list_names(smaller)}, p ≤ {level} on some levels and not on others, as smaller "
            "parts make likely."
        )
    depending = depending_on_level(study)
    if depending:
        return (
            f"{found} The difference itself depends on {_name(study)} on "
            f"{list_names(depending)} (one test of all levels of a dataset together, by Holm at "
            f"{level})."
        )
    if not study.dependence_p_values:
        return found
    return (
        f"{found} The data do not show of any dataset that the difference itself depends on "
        f"{_name(study)} (one test of all its levels together, by Holm at {level})."
    )


def depending_on_level(study: LevelStudy) -> tuple[str, ...]:
    """Datasets where one test of all levels together has the difference depend on the level."""
    return study.datasets_that_depend


def family_sentence(
    family: PairFamily, *, choice: str = "choice", claimed: str = "is better"
) -> str:
    """All p-values counted at once.

    Parameters
    ----------
    family : PairFamily
        What is counted.
    choice : str
        What a dataset has several p-values by: "choice", "level".
    claimed : str
        What the tests claim of A, as `claim_of_tests` writes it.
    """
    n, confidence = family.n_datasets, format_confidence(family.alpha)
    named = family.named_datasets
    bonferroni, simes = family.n_datasets_by("bonferroni"), family.n_datasets_by("simes")
    begun = f"All {family.n_pairs} p-values counted as one family: "
    if not simes:
        on = "the one dataset" if n == 1 else f"any of {n_datasets(n)}"
        return f"{begun}the data do not show that A {claimed} by any {choice} on {on}."
    said = []
    if bonferroni:
        names = f" ({list_names(named, most=6)}, by Holm)" if named else ""
        said.append(
            f"with {confidence} confidence A {claimed} by at least one {choice} on at least "
            f"{bonferroni} of {n_datasets(n)}{names}, whatever the dependence (Bonferroni)"
        )
    if simes > bonferroni:
        beside = "" if bonferroni else f", with {confidence} confidence,"
        said.append(
            f"on at least {simes}{beside} if all these tests are independent or positively "
            "dependent (Simes)"
        )
    return f"{begun}{'; '.join(said)}."


def theory_sentence(n_choices: int, *, alpha: float) -> str:
    """What a free choice would do if the choices had nothing in common."""
    level = format_level(alpha)
    if n_choices < 2:
        return ""
    return (
        f"Whoever picks the best of {n_choices} has p ≤ {level} by chance in up to "
        f"{100.0 * free_choice_rate(n_choices, alpha):.3g}% of comparisons without a "
        f"difference, were the {n_choices} independent: 1 − (1 − {level})^{n_choices}. Metrics and "
        "tests of the same examples have much in common, so that it is less; how much less is "
        "simulated on a dataset's own scores."
    )


def free_choice_sentence(found: FreeChoice) -> str:
    """What a free choice does on one dataset, simulated."""
    level, rate = format_level(found.alpha), found.rate
    low, high = rate.confidence_interval
    m = len(found.choices)
    unit = "cluster" if found.of_clusters else "example"
    began = "" if found.complete else "Stopped early. "
    return (
        f"{began}{display_name(found.dataset)}, A and B exchanged at random on every {unit} so "
        f"that no metric has a difference: the best of {m} has p ≤ {level} in "
        f"{format_share(rate.rate)} of {rate.n:,} repetitions ({format_share(low)} to "
        f"{format_share(high)}), as {_as_many(found)} would. The smallest p-value of "
        f"the data, {format_p_value(found.smallest_observed)}, comes to "
        f"{p_value_clause(found.adjusted_p_value, alpha=found.alpha)} once the choice is allowed "
        "for."
    )


def free_choice_frame(found: FreeChoice) -> pd.DataFrame:
    """A row for each choice and one for the best of all."""
    import pandas as pd

    level = format_level(found.alpha)
    rates = (*found.rates, found.rate)
    names = [*found.choices, ("the best of them", "")]
    observed = [*found.observed.tolist(), found.smallest_observed]
    return pd.DataFrame(
        {
            "metric": [display_name(metric) for metric, _ in names],
            "test": [test for _, test in names],
            "p of the data": [format_p_value(p, alpha=found.alpha) for p in observed],
            f"p ≤ {level} by chance": [f"{100.0 * rate.rate:.1f}%" for rate in rates],
            "95% interval": [
                f"{100.0 * rate.confidence_interval[0]:.1f}% to "
                f"{100.0 * rate.confidence_interval[1]:.1f}%"
                for rate in rates
            ],
        }
    )


def without_reach_sentence(study: LevelStudy) -> str:
    """State which levels are too small for p <= alpha whatever their scores; '' where none is."""
    small = study.levels_without_reach
    if not small:
        return ""
    names = list_names([f"{level} on {dataset}" for dataset, level, _ in small], most=6)
    level = format_level(study.alpha)
    return (
        f"{len(small):,} of {len(study.pairs):,} parts are too small for p ≤ {level}, whatever "
        f"their scores: {names}. That they have a larger p says nothing."
    )


def left_out_lines(study: MetricStudy | LevelStudy) -> list[str]:
    """What could not be tested, with each reason."""
    untold = study.dependence_left_out if isinstance(study, LevelStudy) else {}
    return [
        *(
            f"{display_name(dataset)}, dependence on the level: {reason}"
            for dataset, reason in untold.items()
        ),
        *_not_tested(study),
    ]


def _not_tested(study: MetricStudy | LevelStudy) -> list[str]:
    return [
        f"{display_name(one.dataset)}{', ' + display_name(one.choice) if one.choice else ''}: "
        f"{one.reason} {one.remedy}".rstrip()
        for one in study.left_out
    ]


def _as_many(found: FreeChoice) -> str:
    number = found.n_as_if_independent
    if number == float("inf"):
        return "ever more independent choices"
    if number < 1.05:
        return "one choice fixed beforehand"
    return f"{number:.1f} independent choices"


def _name(study: LevelStudy) -> str:
    return display_name(study.covariate) if study.covariate else "the level"


def _of(study: LevelStudy) -> str:
    return f"level of {display_name(study.covariate)}" if study.covariate else "level"
