"""Sentences on what datasets have in common, and which answer on dependence follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..data.overlap.find import Overlap, Reason
from ..types import BoolArray, IntArray
from .formatting import counted, list_names
from .joint import JOINT_ANSWER
from .overlap_pairs import (
    SIGN_NAMES,
    listed,
    name,
    names,
    same_scores_clause,
    shared_sentence,
    texts_sentence,
    union_clause,
    within_sentence,
)
from .procedures import (
    DEPENDENCE_ANSWERS,
    can_overstate,
    titles_needing_independence,
)

OVERLAP_REFERENCE = (
    "Dror, Baumer, Bogomolov and Reichart, “Replicability Analysis for Natural Language "
    "Processing: Testing Significance with Multiple Datasets”, TACL 2017, footnote 4."
)

_KEEP = (
    f"“{DEPENDENCE_ANSWERS['not-known']}” is the safe answer: Bonferroni holds "
    "whatever the dependence."
)
_SHARING = frozenset({"union", "within", "same-scores", "shared", "texts-shared"})


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapText:
    """What to say about an overlap.

    Attributes
    ----------
    verdict : str
        Whether the datasets share examples.
    reason : str
        What that rests on; may be empty.
    effect : str
        Which answer on dependence follows, and what it changes.
    caveats : tuple of str
        What was not looked at, and what else was noticed.
    """

    verdict: str
    reason: str
    effect: str
    caveats: tuple[str, ...]

    @property
    def beside_answers(self) -> str:
        """What the examples say of dependence, beside the answers that may be given."""
        return f"From the examples in this file: {self.verdict} {self.effect}"


def overlap_text(overlap: Overlap) -> OverlapText:
    """All that is to be said about an overlap, however many datasets there are."""
    return OverlapText(
        verdict=overlap_sentence(overlap),
        reason=overlap_reason_sentence(overlap),
        effect=dependence_sentence(overlap),
        caveats=overlap_caveats(overlap),
    )


def no_examples_sentence() -> str:
    """State what holds for a table without examples, such as a published one."""
    return (
        "This table holds no examples, so nothing in it says whether its datasets share any: "
        f"look at how they were made. {_KEEP}"
    )


def overlap_sentence(overlap: Overlap) -> str:
    """State whether the datasets share test examples."""
    reason = overlap.recommendation.reason
    n = overlap.n_datasets
    if reason == "one-dataset":
        return "One dataset: there is no other that it could depend on."
    if reason == "union":
        return listed(overlap.unions, partial(union_clause, overlap), "; ") + "."
    if reason == "within":
        return within_sentence(overlap)
    if reason == "same-scores":
        return same_scores_sentence(overlap)
    if reason == "shared":
        return shared_sentence(overlap)
    if reason == "texts-shared":
        return texts_sentence(overlap)
    if reason in ("namesakes", "nothing-compared"):
        return "We cannot tell from this file whether the datasets share test examples."
    none = f"No test example was found in {'both' if n == 2 else f'two of the {n:,}'} datasets"
    if reason == "translations":
        groups = listed(
            overlap.translations, lambda group: list_names(names(overlap, group.members)), "; "
        )
        return f"{none}, but these may hold the same examples in other words: {groups}."
    if reason == "none-shared":
        return f"{none}: independence is plausible."
    return f"{none}, but that decides nothing."


def same_scores_sentence(overlap: Overlap) -> str:
    """State which datasets have the same scores on all examples."""
    return listed(overlap.same_scores, partial(same_scores_clause, overlap), "; ") + "."


def overlap_reason_sentence(overlap: Overlap) -> str:
    """State what the verdict rests on; empty where there is nothing to add."""
    reason = overlap.recommendation.reason
    if reason == "same-scores":
        return (
            "Scores alone mostly say nothing of shared examples, but so many that are the same in "
            "the same order are no coincidence: these are duplicates, or one's scores were copied "
            "in place of the other's."
        )
    if reason == "translations":
        signs = tuple(dict.fromkeys(group.sign for group in overlap.translations))
        return f"What points to it: {'; '.join(SIGN_NAMES[sign] for sign in signs)}."
    if reason == "namesakes":
        return _namesakes_sentence(overlap)
    if reason == "not-all-compared":
        return _not_compared_sentence(overlap)
    if reason == "texts-shared":
        columns = list_names(overlap.text_columns)
        return (
            f"No two examples agree in every column, but texts of {columns} do, whichever of them "
            "they stand in: the same examples with a column left empty or in the other order, or "
            "several on one passage."
            if len(overlap.text_columns) > 1
            else f"Texts of the column {columns} agree: these may be several examples on one "
            "passage."
        )
    open_ones = _chosen(overlap, ~overlap.conclusive)
    reasons: Mapping[Reason, str] = {
        "nothing-compared": (
            "The file has no texts or distinctive ids. Gold labels alone prove nothing, nor do "
            "scores that are not all the same."
        ),
        "names-differ": (
            f"The ids of {list_names(open_ones)} may have been given within the dataset, so that "
            "the same example can have another id elsewhere."
        ),
        "few-inputs": (
            f"{list_names(open_ones)} {'repeats' if len(open_ones) == 1 else 'repeat'} the same "
            "input in most examples, so it does not tell them apart."
        ),
    }
    return reasons.get(reason, "") or _compared_sentence(overlap)


def dependence_sentence(overlap: Overlap) -> str:
    """State which answer on dependence follows, and what it changes."""
    recommendation = overlap.recommendation
    if recommendation.reason == "one-dataset":
        return ""
    if recommendation.dependence == "independent":
        return (
            f"{list_names(titles_needing_independence())} may then be used: the answer is "
            f"“{DEPENDENCE_ANSWERS['independent']}”, if nothing else ties these test sets to each other."
        )
    if recommendation.reason == "same-scores":
        return f"Tests on the same scores are one test made twice; {can_overstate()}. {_KEEP}"
    if recommendation.reason in ("union", "within", "shared"):
        return (
            f"Tests on shared examples depend on each other; {can_overstate()}. {_KEEP} "
            f"“{JOINT_ANSWER}” is valid too, and usually counts more."
        )
    if recommendation.reason == "texts-shared":
        return (
            "Tests on examples that share a text depend on each other as well; "
            f"{can_overstate()}. {_KEEP}"
        )
    if recommendation.reason in ("translations", "nothing-compared"):
        return (
            f"{_KEEP} Where equal ids are the same example, as in translations, “{JOINT_ANSWER}” "
            "usually counts more."
        )
    return _KEEP


def overlap_caveats(overlap: Overlap) -> tuple[str, ...]:
    """What was not looked at, and what else was noticed."""
    caveats = []
    reason = overlap.recommendation.reason
    if overlap.n_datasets > 1 and overlap.basis == "inputs":
        caveats.append(
            "Only exact repeats are found: no paraphrase, no translation, and no text that is a "
            "part of a longer one."
            if overlap.text_columns
            else "Only exact repeats are found: no paraphrase, no translation, no pair in the other "
            "order, and no examples that have only a part in common, such as a passage."
        )
    if overlap.n_datasets > 1 and overlap.basis == "ids" and overlap.n_distinct.any():
        caveats.append(
            "Ids alone were compared, letter by letter: an example with another id elsewhere is "
            "not found."
        )
    if reason == "none-shared":
        caveats.extend(_same_size_caveat(overlap))
        caveats.append(
            "This is about test examples. What else ties datasets, such as one source cut into "
            "several, is for you to judge."
        )
    if reason in ("union", "within") and overlap.same_scores:
        caveats.append(same_scores_sentence(overlap))
    if reason in ("union", "within", "same-scores") and overlap.shares_any:
        caveats.append(shared_sentence(overlap))
    if reason in ("union", "within", "same-scores", "shared") and overlap.shares_texts:
        caveats.append(texts_sentence(overlap))
    if reason not in ("translations", "one-dataset") and overlap.translations:
        caveats.append(_translations_caveat(overlap))
    if reason not in ("namesakes", "one-dataset") and overlap.namesakes is not None:
        caveats.append(_namesakes_sentence(overlap))
    compared = overlap.basis != "none"
    if compared and reason in {*_SHARING, "namesakes"} and _n_without_id(overlap).any():
        caveats.append(_not_compared_sentence(overlap))
    n_widespread = overlap.pairs.n_widespread
    if n_widespread:
        caveats.append(
            f"{counted(n_widespread, 'example')} {'is' if n_widespread == 1 else 'are'} so widespread that "
            f"{'it counts' if n_widespread == 1 else 'they count'} in no pair: the pairs' numbers "
            "are lower bounds."
        )
    if overlap.n_repeated.any():
        caveats.append(_repeated_caveat(overlap))
    return tuple(caveats)


def _compared_sentence(overlap: Overlap) -> str:
    n = int((overlap.n_examples - overlap.n_unknown).sum())
    if overlap.basis == "none":
        return ""
    if overlap.basis == "ids":
        return f"{n:,} examples were compared by their ids."
    columns = list_names(overlap.columns)
    word = "column" if len(overlap.columns) == 1 else "columns"
    compared = f"{n:,} examples were compared by the {word} {columns}, letter by letter"
    if not overlap.text_columns:
        return f"{compared}."
    return f"{compared}, and their texts one by one, whichever column they stand in."


def _namesakes_sentence(overlap: Overlap) -> str:
    """State which ids say nothing about shared examples, and why."""
    assert overlap.namesakes is not None
    ids = list_names(overlap.namesakes.ids)
    if overlap.namesakes.by_heading:
        return f"The ids name systems, languages or the like, not test examples: {ids}."
    such = f"Ids such as {ids}" if ids else "Some ids"
    return (
        f"{such} stand for something else in each dataset: their gold and the systems' predictions "
        "differ. Names of systems or languages do so. If they are the same examples, judged in "
        "another way, the datasets depend on each other."
    )


def _n_without_id(overlap: Overlap) -> IntArray:
    """For each dataset how many of its examples have neither a text nor a distinctive id."""
    namesakes = 0 if overlap.namesakes is None else overlap.namesakes.n_examples
    missing: IntArray = overlap.n_unknown - namesakes
    return missing


def _not_compared_sentence(overlap: Overlap) -> str:
    missing = _n_without_id(overlap)
    what = "a text" if overlap.basis == "inputs" else "a distinctive id"
    return (
        f"{counted(int(missing.sum()), 'example')} of "
        f"{list_names(_chosen(overlap, missing > 0))} without {what} could not be compared."
    )


def _same_size_caveat(overlap: Overlap) -> Iterator[str]:
    sizes, counts = np.unique(overlap.n_examples, return_counts=True)
    repeated = sizes[counts > 1].tolist()
    if not repeated:
        return
    groups = listed(
        repeated[::-1],
        lambda size: f"{list_names(_chosen(overlap, overlap.n_examples == size))} ({size:,} each)",
        "; ",
    )
    yield (
        f"Equally many examples: {groups}. Should they be the same ones in other languages, they "
        f"depend on each other: keep “{DEPENDENCE_ANSWERS['not-known']}” then."
    )


def _translations_caveat(overlap: Overlap) -> str:
    groups = listed(
        overlap.translations,
        lambda group: f"{list_names(names(overlap, group.members))} ({SIGN_NAMES[group.sign]})",
        "; ",
    )
    return (
        f"Possibly the same examples in other words, such as translations: "
        f"{groups}. That proves nothing."
    )


def _repeated_caveat(overlap: Overlap) -> str:
    repeated = overlap.n_repeated
    worst = int(np.argmax(repeated))
    where = f"in {name(overlap, worst)}"
    if np.count_nonzero(repeated) > 1:
        where = f"most of them {where}: {int(repeated[worst]):,}"
    total = int(repeated.sum())
    return (
        f"Within their own datasets {counted(total, 'example')} {'repeats' if total == 1 else 'repeat'} an "
        f"earlier input ({where}). A test takes the examples of its dataset for independent."
    )


def _chosen(overlap: Overlap, chosen: BoolArray) -> list[str]:
    return names(overlap, np.flatnonzero(chosen).tolist())
