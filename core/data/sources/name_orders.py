"""Which part of a name is the dataset: the question that several sources leave open."""

from __future__ import annotations

from core.data.roles import NAME_ORDERS
from core.errors import Choice

DATASET_FIRST, SYSTEM_FIRST, _, ONE_DATASET = NAME_ORDERS
# What tables or lists of values stand in, one in each.
FILE, SHEET = "file", "sheet"

_WORDS = {
    DATASET_FIRST: "the dataset comes first, then the system",
    SYSTEM_FIRST: "the system comes first, then the dataset",
}


def order_choice(named: str | None) -> Choice:
    """The question which part of a name is the dataset.

    Parameters
    ----------
    named : {"file", "sheet"} or None
        What has the names; None for the outer and inner names of JSON.
    """
    if named is None:
        return Choice(
            role="name_order",
            question="Do the outer names of the JSON name datasets or systems?",
            options=tuple(_WORDS.items()),
        )
    whole = (ONE_DATASET, f"each {named} is a system, all of one dataset")
    return Choice(
        role="name_order",
        question=f"Which part of the {named}s' names is the dataset?",
        options=(*_WORDS.items(), whole),
    )
