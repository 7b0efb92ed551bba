"""Sentences on what datasets have in common, and on answers about dependence that the data contradict."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Literal, TypeVar

import numpy as np

from ..data.overlap.find import Overlap
from ..data.overlap.signs import MAX_MATRIX, MOST_HOLDERS, SHARE_WITHIN, SharedPairs, Sign, Union
from ..types import BoolArray, IntArray, UnitsBy
from .counting import (
    DEPENDENCE_ANSWERS,
    JOINT_ANSWER,
    PAPER,
    UNITS_WORDS,
    can_overstate,
    titles_needing_independence,
)
from .formatting import Frame, counted, display_name, format_share, frame_of, list_names, whole_name

# Pairs, unions or groups that one sentence names.
MOST_SHOWN = 10
# Rows of the table; those that share least are left off.
MOST_ROWS = 10_000

SIGN_NAMES: Mapping[Sign, str] = {
    "ids": "equal ids with different texts",
    "id-order": "the same numbers as ids, which are more than a count",
    "gold-order": "the same gold labels in the same order",
    "names": "equal numbers of examples, and names that differ only in the language",
}

_Item = TypeVar("_Item")


def overlap_table(overlap: Overlap) -> Frame:
    """A row for each pair that shares something, or may: those that share most first."""
    pairs, notes, rows = overlap.pairs, pair_notes(overlap), []
    for i in _by_share(overlap).tolist():
        one, other = int(pairs.first[i]), int(pairs.second[i])
        note = notes.pop((one, other), "")
        rows.append((one, other, int(pairs.n_common[i]), float(overlap.shares[i]), note))
    for (one, other), note in notes.items():
        compared = overlap.n_distinct[one] and overlap.n_distinct[other]
        rows.append((one, other, 0, 0.0 if compared else float("nan"), note))
    frame = frame_of(rows[:MOST_ROWS], columns=["dataset", "other", "shared", "share", "note"])
    for column in ("dataset", "other"):
        frame[column] = [whole_name(overlap.datasets[i]) for i in frame[column]]
    return frame


def pair_notes(overlap: Overlap) -> dict[tuple[int, int], str]:
    """What pairs of datasets have in common besides numbers of examples, by both places in their order."""
    found: dict[tuple[int, int], list[str]] = {}

    def add(one: int, other: int, note: str) -> None:
        found.setdefault((min(one, other), max(one, other)), []).append(note)

    pairs, texts = overlap.pairs, overlap.texts
    order = _by_share(overlap)
    for i in order[overlap.shares[order] >= SHARE_WITHIN].tolist():
        one, other = int(pairs.first[i]), int(pairs.second[i])
        is_part = pairs.n_common[i] >= SHARE_WITHIN * overlap.n_distinct[one]
        within = within_clause(overlap, (one, other) if is_part else (other, one))
        add(one, other, within)
    for union in overlap.unions:
        for part in union.parts:
            add(union.whole, part, union_clause(overlap, union))
    for one, other, n in zip(
        texts.first.tolist(), texts.second.tolist(), texts.n_common.tolist(), strict=True
    ):
        if not overlap.n_common(one, other):
            add(one, other, f"{counted(n, 'text')} in common")
    for same in overlap.same_scores:
        for one, other in islice(combinations(same, 2), MOST_ROWS):
            add(one, other, "the same scores on all examples")
    for group in overlap.translations:
        for one, other in islice(combinations(group.members, 2), MOST_ROWS):
            add(one, other, f"possibly translations: {SIGN_NAMES[group.sign]}")
    return {pair: "; ".join(notes) for pair, notes in found.items()}


def union_clause(overlap: Overlap, union: Union) -> str:
    """Write "WS-353 is the union of REL and SIM", with the number where some are missing."""
    n = int(overlap.n_distinct[union.whole])
    whole, parts = _name(overlap, union.whole), list_names(_names(overlap, union.parts))
    if union.n_covered == n:
        return f"{whole} is the union of {parts}"
    return f"{whole} is nearly the union of {parts} ({union.n_covered:,} of its {n:,} examples)"


def within_clause(overlap: Overlap, pair: Sequence[int]) -> str:
    """Write "MC-30 lies wholly within WS-353", for positions of the part and the whole."""
    part, whole = (_name(overlap, place) for place in pair)
    n_common = overlap.n_common(*pair)
    n_part, n_whole = (int(overlap.n_distinct[place]) for place in pair)
    if n_common == n_part == n_whole:
        return f"{part} and {whole} hold the same examples"
    how_much = "wholly" if n_common == n_part else f"with {n_common:,} of {n_part:,} examples"
    return f"{part} lies {how_much} within {whole}"


def same_scores_clauses(
    groups: Sequence[Sequence[int]], datasets: Sequence[str], n_examples: Sequence[int] | IntArray
) -> str:
    """Write "hi and hi_copy have the same scores on all 500 examples", a clause for each group."""
    return _listed(
        groups,
        lambda group: (
            f"{list_names([datasets[i] for i in group])} have the same scores on all "
            f"{counted(int(n_examples[group[0]]), 'example')}"
        ),
    )


def _listed(
    items: Sequence[_Item],
    clause: Callable[[_Item], str],
    *,
    separator: str = "; ",
    n: int | None = None,
) -> str:
    """The clauses of the first ten of `n` items, by default all, and how many more there are."""
    shown = separator.join(clause(item) for item in items[:MOST_SHOWN])
    n_more = (len(items) if n is None else n) - MOST_SHOWN
    return f"{shown}{separator}and {n_more:,} more" if n_more > 0 else shown


def _name(overlap: Overlap, index: int) -> str:
    return display_name(overlap.datasets[index])


def _names(overlap: Overlap, chosen: Sequence[int] | BoolArray) -> list[str]:
    """Several datasets' names as given, by their places or a mask."""
    names = np.array(overlap.datasets, dtype=object)[np.asarray(chosen)]
    return [str(name) for name in names]


def _by_share(overlap: Overlap) -> IntArray:
    """Places of the pairs that share the greatest part, the greatest first."""
    pairs, shares = overlap.pairs, overlap.shares
    kept = np.arange(shares.size)
    if shares.size > MOST_ROWS:
        kept = np.flatnonzero(shares >= np.partition(shares, -MOST_ROWS)[-MOST_ROWS])
    keys = (pairs.second[kept], pairs.first[kept], -pairs.n_common[kept], -shares[kept])
    order: IntArray = kept[np.lexsort(keys)][:MOST_ROWS]
    return order


OVERLAP_REFERENCE = f"{PAPER}, footnote 4."

_KEEP = (
    f"“{DEPENDENCE_ANSWERS['not-known']}” is the safe answer: Bonferroni holds "
    "whatever the dependence."
)
# Of a table without examples, such as a published one.
NO_EXAMPLES = (
    "This table has no examples, so it cannot show whether its datasets share any: check how they "
    f"were made. {_KEEP}"
)


def same_ids_sentence(n_datasets: int) -> str:
    """Offer the joint count where every dataset has the same ids, which may be the same examples."""
    which = "Both" if n_datasets == 2 else f"All {n_datasets:,}"
    return (
        f"{which} datasets have the same example ids. If an id is the same example in each, as in "
        "translations, they can be counted jointly; if ids only number the rows, leave it as it is."
    )


def _in_common(overlap: Overlap) -> list[str]:
    """What datasets have in common, a sentence each, the strongest first."""
    found = []
    if overlap.unions:
        found.append(_listed(overlap.unions, lambda union: union_clause(overlap, union)))
    elif overlap.subsets.size:
        first = overlap.subsets[:MOST_SHOWN].tolist()
        found.append(
            _listed(first, lambda pair: within_clause(overlap, pair), n=len(overlap.subsets))
        )
    if overlap.same_scores:
        sizes = overlap.n_examples
        found.append(same_scores_clauses(overlap.same_scores, overlap.datasets, sizes))
    pairs, texts, shares = overlap.pairs, overlap.texts, overlap.shares

    def clauses(of: SharedPairs, order: IntArray, said: Callable[[int], str]) -> str:
        return _listed(
            order.tolist(),
            lambda i: (
                f"{_name(overlap, int(of.first[i]))} and {_name(overlap, int(of.second[i]))} ({said(i)})"
            ),
            separator=", ",
            n=of.first.size,
        )

    if overlap.shares_any:
        n_sharing, n_pairs = pairs.first.size, overlap.n_datasets * (overlap.n_datasets - 1) // 2
        lead = "The two datasets have test examples in common"
        if n_pairs > 1:
            has = "has" if n_sharing == 1 else "have"
            lead = f"{n_sharing:,} of {n_pairs:,} pairs of datasets {has} test examples in common"
        those = clauses(
            pairs,
            _by_share(overlap),
            lambda i: (
                f"{int(pairs.n_common[i]):,}, {format_share(float(shares[i]))} of the smaller"
            ),
        )
        found.append(f"{lead}: {those}")
    if overlap.shares_texts:
        order = np.lexsort((texts.second, texts.first, -texts.n_common))
        those = clauses(texts, order, lambda i: counted(int(texts.n_common[i]), "text"))
        found.append(f"Examples of these datasets have texts in common: {those}")
    return [f"{said}." for said in found]


def _translations(overlap: Overlap) -> str:
    groups = _listed(
        overlap.translations,
        lambda group: f"{list_names(_names(overlap, group.members))} ({SIGN_NAMES[group.sign]})",
    )
    return f"These may hold the same examples in other words, such as translations: {groups}."


def overlap_sentence(overlap: Overlap) -> str:
    """State whether the datasets share test examples."""
    reason, n = overlap.reason, overlap.n_datasets
    if reason == "one-dataset":
        return "One dataset: there is no dependence to consider."
    if in_common := _in_common(overlap):
        return in_common[0]
    if reason in ("namesakes", "nothing-compared"):
        return "We cannot tell from this file whether the datasets share test examples."
    none = f"No test example is in {'both' if n == 2 else f'two of the {n:,}'} datasets"
    if reason == "translations":
        return f"{none}. {_translations(overlap)}"
    if reason == "none-shared":
        return f"{none}: independence is plausible."
    return f"{none}, but this is not conclusive."


def contradicted_sentence(overlap: Overlap) -> str:
    """State that datasets answered to be independent share examples, or may; else empty."""
    if overlap.reason != "translations" and not _in_common(overlap):
        return ""
    return (
        f"{overlap_sentence(overlap)} This is evidence against the answer "
        f"“{DEPENDENCE_ANSWERS['independent']}”: {can_overstate()}."
    )


def effect_sentence(
    overlap: Overlap, *, offers_flips: bool = True, counted_by: UnitsBy | Literal[""] = ""
) -> str:
    """State which answer on dependence follows, and what it changes.

    `offers_flips` says whether shared examples could be counted jointly, which not all can, and
    `counted_by` by which answer they are; empty where they are not.
    """
    if counted_by:
        words = UNITS_WORDS[counted_by]
        return f"By your answer, shared examples are counted jointly: “{words}”."
    reason, found, jointly = overlap.reason, "", ""
    if reason == "one-dataset":
        return ""
    if overlap.dependence == "independent":
        return (
            f"If nothing else links these test sets, answer “{DEPENDENCE_ANSWERS['independent']}”: "
            f"{list_names(titles_needing_independence())} are then valid."
        )
    if _in_common(overlap):
        what = {"same-scores": "the same scores", "texts-shared": "examples that share a text"}
        tests = f"Tests on {what.get(reason, 'shared examples')}"
        found = f"{tests} depend on each other; {can_overstate()}. "
    if reason in ("union", "within", "shared"):
        jointly = f" “{JOINT_ANSWER}” is valid too, and usually counts more."
    elif reason in ("translations", "nothing-compared"):
        jointly = (
            f" Where equal ids are the same example, as in translations, “{JOINT_ANSWER}” usually "
            "counts more."
        )
    return f"{found}{_KEEP}{jointly if offers_flips else ''}"


def overlap_notes(overlap: Overlap) -> Iterator[str]:
    """What was compared, what else was noticed, and what was not looked at."""
    reason = overlap.reason
    if overlap.n_datasets > 1:
        yield from _compared(overlap)
        if reason == "texts-shared":
            yield (
                f"Only single texts of {list_names(overlap.text_columns)} agree. These may be the same "
                "examples with a column empty or in another order, or several on one passage."
            )
        yield from _in_common(overlap)[1:]
        if overlap.same_scores:
            yield (
                "So many equal scores in the same order are no coincidence: these datasets are "
                "duplicates, or one's scores were copied to the other."
            )
        if overlap.translations and reason != "translations":
            yield _translations(overlap)
        open_ones = list_names(_names(overlap, ~overlap.conclusive))
        if reason == "few-inputs":
            yield f"Most examples of {open_ones} have the same input, which does not tell them apart."
        elif reason == "names-differ":
            yield (
                f"The ids of {open_ones} may have been assigned within the dataset, so the same "
                "example may have another id elsewhere."
            )
        elif reason == "none-shared":
            sizes, counts = np.unique(overlap.n_examples, return_counts=True)
            groups = _listed(
                sizes[counts > 1].tolist()[::-1],
                lambda n: f"{list_names(_names(overlap, overlap.n_examples == n))} ({n:,} each)",
            )
            if groups:
                yield (
                    f"Equal numbers of examples: {groups}. If these are the same examples in other "
                    f"languages, keep “{DEPENDENCE_ANSWERS['not-known']}”."
                )
            yield (
                "This is about test examples only. Judge other links yourself, such as one source "
                "split into several datasets."
            )
        if overlap.shares_any and overlap.n_datasets > MAX_MATRIX:
            yield (
                f"An example in more than {MOST_HOLDERS} datasets is counted for the first "
                f"{MOST_HOLDERS} of them, so the pairs' numbers are lower bounds."
            )
    if overlap.n_repeated.any():
        total, worst = int(overlap.n_repeated.sum()), int(np.argmax(overlap.n_repeated))
        yield (
            f"{counted(total, 'example')} {'repeats' if total == 1 else 'repeat'} an earlier input of "
            f"the same dataset, {int(overlap.n_repeated[worst]):,} of them in {_name(overlap, worst)}. A "
            "test takes the examples of a dataset as independent."
        )


def _compared(overlap: Overlap) -> Iterator[str]:
    """By what examples were compared, and which could not be."""
    namesakes = overlap.namesakes
    n, by_text = int((overlap.n_examples - overlap.n_unknown).sum()), overlap.basis == "inputs"
    if by_text:
        word = "column" if len(overlap.columns) == 1 else "columns"
        compared = f"{n:,} examples were compared by the {word} {list_names(overlap.columns)}"
        texts = (
            ", and each of their texts with the texts in any column" if overlap.text_columns else ""
        )
        only = "no pair in the other order, and no examples that have only a part in common, such as a passage"
        only = "and no text that is a part of a longer one" if texts else only
        yield (
            f"{compared}, letter by letter{texts}. Only exact repeats are found: no paraphrase, no "
            f"translation, {only}."
        )
    elif overlap.basis == "ids" and n:
        yield (
            f"{n:,} examples were compared by their ids, letter by letter: an example with another id "
            "elsewhere is not found."
        )
    elif namesakes is None:
        yield (
            "The file has no texts or distinctive ids. Gold labels cannot show it, and scores only if "
            "all are the same."
        )
    if namesakes is not None:
        ids = list_names(namesakes.ids)
        if namesakes.by_heading:
            yield f"The ids name systems, languages or the like, not test examples: {ids}."
        else:
            such = f"Ids such as {ids}" if ids else "Some ids"
            yield (
                f"{such} mean something else in each dataset: their gold and the systems' predictions "
                "differ, as with names of systems or languages. If they are the same examples, judged "
                "in another way, the datasets depend on each other."
            )
    missing = overlap.n_unknown - (0 if namesakes is None else namesakes.n_examples)
    if overlap.basis != "none" and missing.any():
        what = "a text" if by_text else "a distinctive id"
        yield (
            f"{counted(int(missing.sum()), 'example')} of {list_names(_names(overlap, missing > 0))} "
            f"without {what} could not be compared."
        )
