"""Which answer about dependence follows from what is known of the datasets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ..types import Dependence

Reply = Literal["unknown", "no", "yes"]
REPLIES: tuple[Reply, ...] = get_args(Reply)
REPLY_LABELS: Mapping[Reply, str] = {"unknown": "Not checked", "no": "No", "yes": "Yes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DependenceQuestion:
    """A question about the datasets.

    Attributes
    ----------
    key : str
        Its short name.
    text : str
        As it is asked.
    if_yes : str
        What a yes means, as a sentence.
    """

    key: str
    text: str
    if_yes: str


SHARING_QUESTIONS = (
    DependenceQuestion(
        key="examples",
        text=(
            "Do datasets share texts, translations of the same texts, or examples written by the "
            "same annotators?"
        ),
        if_yes="Datasets that share texts, translations or annotators share their luck.",
    ),
    DependenceQuestion(
        key="union",
        text="Is one dataset the union of others, or a part of one?",
        if_yes="A dataset and its part hold the same examples, so one result enters twice.",
    ),
    DependenceQuestion(
        key="metrics",
        text="Does one test set count several times, with several metrics or settings?",
        if_yes="Results on one test set depend on each other, whatever is measured on it.",
    ),
)
POSITIVE_QUESTION = DependenceQuestion(
    key="positive",
    text=(
        "Can you argue, not only hope, that what makes one test come out well can only make the "
        "others come out better?"
    ),
    if_yes=(
        "You can argue that the tests depend on each other only positively, so Simes' count holds; "
        "state the argument."
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpliedDependence:
    """An answer to “may the datasets depend on each other?”, with its reason as a sentence."""

    dependence: Dependence
    reason: str


def implied_dependence(replies: Mapping[str, Reply]) -> ImpliedDependence:
    """The answer that follows from replies to the questions, by their keys; none is “not checked”."""
    shared = [q for q in SHARING_QUESTIONS if replies.get(q.key) == "yes"]
    unchecked = [q for q in SHARING_QUESTIONS if replies.get(q.key, "unknown") == "unknown"]
    if not (shared or unchecked):
        return ImpliedDependence(
            dependence="independent",
            reason="Nothing is shared, so chance on one dataset says nothing about another.",
        )
    if replies.get(POSITIVE_QUESTION.key) == "yes":
        return ImpliedDependence(dependence="positive", reason=POSITIVE_QUESTION.if_yes)
    if shared:
        reason = " ".join(question.if_yes for question in shared)
    else:
        reason = "What has not been checked cannot be relied on."
    return ImpliedDependence(
        dependence="not-known", reason=f"{reason} Bonferroni's count holds in any case."
    )
