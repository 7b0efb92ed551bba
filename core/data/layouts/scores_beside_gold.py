"""Numbers beside a few whole-numbered gold classes: scores of each example, or numbers to correlate.

F1 or a loss for each example stands beside its label as a predicted rating
stands beside a rating from 1 to 5, so the file's owner is asked.
"""

from __future__ import annotations

from core.data.layouts.example_columns import base_columns, candidates
from core.data.layouts.predictions import are_ratings, are_whole_classes
from core.data.roles import LAYOUT, Roles, systems_of
from core.data.tables.raw_table import RawTable
from core.data.words import quoted
from core.errors import Choice, DataError, Problem

SCORES = "per-example scores"
CORRELATED = "numbers to be correlated with gold"


def ask_what_numbers_are(raw: RawTable, given: Roles) -> None:
    """Nothing where the question is answered or none.

    Raises
    ------
    DataError
        With the question, where gold holds few whole numbers and systems hold
        others.
    """
    choice = scores_or_correlated(raw, given)
    # Who says which column is gold has said what the numbers are for.
    if choice is None or given.get(LAYOUT) is not None or "gold" in given:
        return
    _, _, gold = base_columns(raw, given)
    problem = Problem(
        what="It holds few different whole numbers, as classes are written, and the systems' "
        "numbers are no such classes: they may be scores of each example, or numbers to be "
        "correlated with these.",
        remedy="Choose which they are.",
        column=gold,
    )
    raise DataError([problem], columns=raw.header, choices=[choice])


def scores_or_correlated(raw: RawTable, given: Roles) -> Choice | None:
    """The question what the systems' numbers are; None where gold leaves none."""
    dataset, example, gold = base_columns(raw, given)
    if gold is None:
        return None
    taken = [column for column in (dataset, example, gold) if column is not None]
    others = systems_of(given) or candidates(raw, taken)
    if not are_ratings(raw, gold, others) or not are_whole_classes(raw, gold):
        return None
    return Choice(
        role=LAYOUT,
        question=f"Are the systems' numbers scores of each example, or numbers like {quoted(gold)}?",
        options=(
            (SCORES, f"They are scores; {quoted(gold)} is not needed"),
            (CORRELATED, f"Correlate them with {quoted(gold)}"),
        ),
    )
