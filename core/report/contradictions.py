"""Where an answer that was given contradicts the data."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.data.overlap.find import Overlap
from core.data.result_set import ResultSet
from core.report.formatting import counted, list_names
from core.report.overlap import overlap_sentence
from core.report.overlap_pairs import listed
from core.report.procedures import DEPENDENCE_ANSWERS

# Findings that speak against independence, and do not only leave it open.
_SHARING = frozenset({"union", "within", "same-scores", "shared", "texts-shared", "translations"})


def counted_twice_sentence(
    data: ResultSet, same: Sequence[Sequence[int]], excluded: Collection[str] = ()
) -> str:
    """State that datasets with the same scores count more than once; empty where none do.

    Parameters
    ----------
    data : ResultSet
        The datasets.
    same : sequence of sequence of int
        Positions of those with the same scores, in groups.
    excluded : collection of str
        Datasets that are left out, and so do not count.
    """
    counting = [[i for i in group if data.datasets[i] not in excluded] for group in same]
    groups = [group for group in counting if len(group) > 1]
    if not groups:
        return ""
    clauses = listed(
        groups,
        lambda group: (
            f"{list_names([data.datasets[index] for index in group])} have the same scores on all "
            f"{counted(data.n_examples(data.datasets[group[0]]), 'example')}"
        ),
        "; ",
    )
    if len(groups) == 1 and len(groups[0]) == 2:
        return (
            f"{clauses}: what is one dataset under two names counts twice here. Leave one of them "
            "out."
        )
    all_but_one = "all but one of each" if len(groups) > 1 else "all but one"
    return (
        f"{clauses}: what is one dataset under several names counts more than once here. Leave "
        f"{all_but_one} out."
    )


def copies_left_out(
    data: ResultSet, same: Sequence[Sequence[int]], excluded: Collection[str]
) -> dict[str, str]:
    """Of datasets that are left out those with the same scores as one that stays, and which it is."""
    found = {}
    for group in same:
        named = [data.datasets[index] for index in group]
        stays = next((name for name in named if name not in excluded), None)
        if stays is not None:
            found.update({name: stays for name in named if name in excluded})
    return found


def contradicted_sentence(overlap: Overlap) -> str:
    """State that datasets answered to be independent share examples; else empty."""
    if overlap.recommendation.reason not in _SHARING:
        return ""
    return (
        f"{overlap_sentence(overlap)} That speaks against the answer "
        f"“{DEPENDENCE_ANSWERS['independent']}”: Fisher's count can then overstate, and its "
        "guarantee rests on that answer."
    )
