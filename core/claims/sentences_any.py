"""Sentences about datasets that count where at least one of several p-values is small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.claims.sentences import (
    WITHIN,
    numbers_in_words,
    shown_number,
)
from core.report.formatting import (
    display_name,
    format_level,
    format_percent,
    format_share,
    list_names,
)

ONE_COLUMN = (
    "the table as read has one p-value for each dataset. Add the other columns, with headings that "
    "begin with “p_value”."
)
_MOST_SHOWN = 4


def any_reason(
    *,
    fewest: int,
    most: int,
    n: int,
    n_columns: int,
    without: Mapping[str, str],
    alpha: float,
    at_least: int,
) -> str:
    """State how many datasets have a small p-value at all, and which have none."""
    every = "every value" if fewest == most else "values"
    gives = "gives" if fewest == most else "give"
    small = f"at least one of {n_columns} p-values" if n_columns > 1 else "a p-value"
    why = (
        f"{every} {WITHIN} {gives} {numbers_in_words(fewest, most)} of {n} datasets with {small} "
        f"≤ {format_level(alpha)}"
    )
    if without:
        shown = [
            f"{display_name(name)} (smallest {shown_number(printed)})"
            for name, printed in list(without.items())[:_MOST_SHOWN]
        ]
        more = len(without) - len(shown)
        shown += [f"{more} more"] if more > 0 else []
        listed = " and ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)
        why += f"; {listed} {'has' if len(without) == 1 else 'have'} none"
    if n_columns == 1:
        return f"{why}."
    return (
        f"{why}. Allowing for the choice among {n_columns}, Bonferroni over all {n_columns * n} "
        f"p-values gives at least {at_least} of {n} datasets."
    )


def choice_sentence(
    *, n: int, n_columns: int, counted: int, names: Sequence[str], alpha: float
) -> str:
    """State what a free choice gives by chance, and the count over all pairs."""
    level = format_level(alpha)
    chance = 1.0 - (1.0 - alpha) ** n_columns
    significant = f"significant after Holm correction at level {level}"
    found = f"With all {n_columns * n} p-values in one family, none is {significant}."
    if names:
        found = (
            f"With all {n_columns * n} p-values in one family, {counted} "
            f"{'is' if counted == 1 else 'are'} {significant}, on {len(names)} of {n} "
            f"{'dataset' if n == 1 else 'datasets'}: {list_names(names, most=len(names))}."
        )
    return (
        f"Whoever may choose among {n_columns} independent p-values finds one ≤ {level} on a dataset "
        f"without any difference with probability {format_percent(chance)}, and up to "
        f"{format_share(min(1.0, n_columns * alpha))} where they depend on each other. {found} "
        "This holds however the p-values depend. No count that needs independence is used: "
        "p-values of one dataset share its examples."
    )
