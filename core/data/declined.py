"""Layouts that are known by their columns and not read by this version, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.data.columns import heading, is_numeric, is_textual
from core.data.headings import SYSTEM_HEADINGS, words
from core.data.per_example import base_columns, candidates, counts_rows, has_repeats
from core.data.predictions import are_ratings, predicting_columns
from core.data.raw_table import RawTable
from core.data.roles import Roles
from core.data.score_columns import numeric_columns
from core.data.words import listed, quoted
from core.errors import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """One kind of file that is told apart and declined.

    Attributes
    ----------
    name : str
        As a person calls it.
    recognise : callable (raw, given) -> problem or None
        What to say, None if the file is of another kind.
    """

    name: str
    recognise: Callable[[RawTable, Roles], Problem | None]


def _long(raw: RawTable, given: Roles) -> Problem | None:
    dataset, example, gold = base_columns(raw, given)
    for column in raw.header:
        if (
            heading(column) in SYSTEM_HEADINGS
            and column not in (dataset, example, gold)
            and _names_systems(raw, column, [c for c in (dataset, example, gold, column) if c])
            and (gold is None or column not in predicting_columns(raw, gold, ()))
        ):
            return Problem(
                what=f"The file has one row for each example and system, with the system's name in "
                f"{quoted(column)}: long scores are not read yet.",
                remedy="Give each system a column of its own, one row an example.",
                column=column,
            )
    return None


def _names_systems(raw: RawTable, column: str, taken: list[str]) -> bool:
    """Whether several names repeat in a column; if they are numbers, beside one column of scores."""
    if not has_repeats(raw, column) or _n_texts(raw, column) < 2:
        return False
    return is_textual(raw, column) or len(numeric_columns(raw, taken)) == 1


def _sufficient_statistics(raw: RawTable, given: Roles) -> Problem | None:
    named = {column: {word.casefold() for word in words(column)} for column in raw.header}
    every = set().union(*named.values())
    counts = (
        {"tp", "fp"} <= every
        or ("correct" in every and any(heading(column) == "total" for column in raw.header))
        or (_any(r"match(es)?[1-4]?", every) and _any(r"total[1-4]?", every))
        or (_any(r"match(es)?", every) and {"sys", "ref", "len"} <= every)
    )
    if not counts:
        return None
    return Problem(
        what="The file holds counts from which a score is computed, such as correct and total: "
        "such sufficient statistics are not read yet.",
        remedy="Give one score for each example and system, if the metric has one.",
    )


def _contingency(raw: RawTable, given: Roles) -> Problem | None:
    named = [" ".join(words(column)).casefold() for column in raw.header]
    sides = r"(right|wrong|correct|incorrect)"
    both = any(re.search(rf"\bboth {sides}\b", name) for name in named)
    if not both and not {"n00", "n01", "n10", "n11"} <= set(named):
        return None
    return Problem(
        what="The file holds how often both, one or none of the systems was right on each dataset: "
        "McNemar's counts are not read yet.",
        remedy="Give one row for each example, with 0 or 1 for each system.",
    )


def _effects(raw: RawTable, given: Roles) -> Problem | None:
    named = {heading(column) for column in raw.header}
    effects = named & {"effect", "effects", "effect size", "yi", "mean difference", "estimate"}
    spreads = named & {"se", "standard error", "sei", "variance", "var", "vi", "std error"}
    if not effects or not spreads:
        return None
    return Problem(
        what="The file holds an effect and its standard error or variance for each dataset: data "
        "for a meta-analysis are not read yet.",
        remedy="Give a p-value for each dataset in a column 'p_value', or per-example scores.",
    )


def _given_correlations(raw: RawTable, given: Roles) -> Problem | None:
    _, example, _ = base_columns(raw, given)
    n_correlations = sum(heading(column).startswith("r ") for column in raw.header)
    if example is not None or n_correlations < 3:
        return None
    return Problem(
        what="The file holds correlations that are computed already: correlation data are not read "
        "yet.",
        remedy="Give a p-value for each dataset in a column 'p_value'.",
    )


def _correlation(raw: RawTable, given: Roles) -> Problem | None:
    dataset, example, gold = base_columns(raw, given)
    if gold is None:
        return None
    taken = [column for column in (dataset, example, gold) if column is not None]
    if not are_ratings(raw, gold, candidates(raw, taken)):
        return None
    return Problem(
        what=f"The gold column {quoted(gold)} and the predictions are numbers, to be compared by "
        "their correlation: correlation data are not read yet.",
        remedy="Give a p-value for each dataset in a column 'p_value'. If the numbers are labels "
        "of classes, choose the layout 'predictions'.",
        column=gold,
    )


def _unknown_text(raw: RawTable, given: Roles) -> Problem | None:
    """Scores with a column of repeated text that may name datasets under an unknown heading."""
    dataset, example, gold = base_columns(raw, given)
    if (
        "dataset" in given
        or dataset is not None
        or gold is not None
        or len(numeric_columns(raw, ())) < 2
    ):
        return None
    for column in candidates(raw, [example] if example is not None else []):
        if is_textual(raw, column) and has_repeats(raw, column) and _n_texts(raw, column) > 1:
            return Problem(
                what=f"{quoted(column)} holds text that repeats and may name the datasets, but no "
                "heading says so.",
                remedy="Name the column 'dataset' or choose it; if the file is one dataset, choose "
                "none.",
                column=column,
            )
    return None


def _one_score_each(raw: RawTable, given: Roles) -> Problem | None:
    dataset, example, gold = base_columns(raw, given)
    if dataset is None or has_repeats(raw, dataset):
        return None
    if example is not None and not counts_rows(example):
        return None
    systems = numeric_columns(raw, (dataset,))
    if gold is not None and len(predicting_columns(raw, gold, (dataset, gold))) >= 2:
        return Problem(
            what=f"Each dataset of {quoted(dataset)} stands in one row, with a gold label and one "
            "prediction for each system: there is nothing to test within a dataset.",
            remedy="Give one row for each example. If the rows are examples, choose their column "
            "for the ids, and another or none for the datasets.",
            column=dataset,
        )
    if gold is not None or len(systems) < 2:
        return None
    return Problem(
        what=f"Each dataset of {quoted(dataset)} stands in one row, with one score for "
        f"{listed(systems)} and no p-value: datasets × systems with one score each are not read "
        "yet.",
        remedy="Add a column 'p_value', or give one row for each example. If a column holds "
        "p-values under another name, or the rows are examples, choose it.",
        column=dataset,
    )


DECLINED: tuple[Declined, ...] = (
    Declined(name="scores, long", recognise=_long),
    Declined(name="sufficient statistics", recognise=_sufficient_statistics),
    Declined(name="McNemar's counts", recognise=_contingency),
    Declined(name="effects and standard errors", recognise=_effects),
    Declined(name="correlations, computed", recognise=_given_correlations),
    Declined(name="predictions to be correlated", recognise=_correlation),
    Declined(name="datasets under an unknown heading", recognise=_unknown_text),
    Declined(name="datasets × systems", recognise=_one_score_each),
)


def declined_problem(raw: RawTable, given: Roles) -> Problem | None:
    """Why a file of a known kind is not read, None if it is of no such kind."""
    for declined in DECLINED:
        problem = declined.recognise(raw, given)
        if problem is not None:
            return problem
    return None


def unrecognised_problem(raw: RawTable, given: Roles) -> Problem:
    """Why no layout fits, and what a file that fits one has."""
    dataset, example, gold = base_columns(raw, given)
    taken = [column for column in (dataset, example, gold) if column is not None]
    free = candidates(raw, taken)
    if gold is None and len(free) >= 2 and not any(is_numeric(raw, column) for column in free):
        return Problem(
            what=f"{listed(free)} hold text: predictions need a column of gold labels to be "
            "compared with.",
            remedy="Add a column 'gold' or choose the one that holds them.",
        )
    systems = numeric_columns(raw, taken)
    if len(systems) == 1 and (example is not None or dataset is None or has_repeats(raw, dataset)):
        return Problem(
            what=f"Only {quoted(systems[0])} holds scores; a comparison needs two systems.",
            remedy="Give each system a column of scores, one a row, or choose the columns.",
        )
    return Problem(
        what=f"No layout fits the columns {listed(raw.header)}.",
        remedy="A published table has a row for each dataset with a column 'p_value'; per-example "
        "scores have a row for each example with 'dataset' and a column of numbers for each of two "
        "or more systems; predictions have 'gold' and labels in their place. Where a column has "
        "another name, choose it.",
    )


def _any(pattern: str, found: set[str]) -> bool:
    return any(re.fullmatch(pattern, word) for word in found)


def _n_texts(raw: RawTable, column: str) -> int:
    return len(raw.coded(column).array)
