"""Where an answer contradicts the data: one that was given, or one that a test of ranks gives."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ..data.overlap.find import Overlap
from ..data.result_set import ResultSet
from ..metrics.registry import MEAN
from ..significance.known_tests import significance_test_named
from ..significance.result import SignificanceResult
from ..types import BoolArray
from .formatting import counted, format_confidence, format_level, list_names
from .overlap import overlap_sentence
from .overlap_pairs import listed
from .procedures import DEPENDENCE_ANSWERS, can_overstate
from .questions import Claim
from .subject import Subject

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
        return f"{clauses}: these are duplicates and count twice here. Leave one of them out."
    all_but_one = "all but one of each" if len(groups) > 1 else "all but one"
    return (
        f"{clauses}: these are duplicates and count more than once here. Leave {all_but_one} out."
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


def other_side_sentence(
    results: Sequence[SignificanceResult | None],
    small: Sequence[bool] | np.ndarray,
    subject: Subject,
    *,
    claim: Claim,
    turned: bool,
    alpha: float,
) -> str:
    """State where p is small for a system whose score is not the better one; else empty.

    Parameters
    ----------
    results : sequence of SignificanceResult or None
        As run, one a dataset of `subject`.
    small : sequence of bool
        Where p <= alpha for the claim: every dataset that can be counted or named.
    subject : Subject
        Systems and datasets.
    claim : {"a-better", "b-better"}
        For whom.
    turned : bool
        Whether A and B of the results have changed places in `subject`.
    alpha : float
        The level.
    """
    behind = speaks_against(results, claim=claim, turned=turned) & np.asarray(small)
    toward = _toward(claim, turned)
    against = [
        result for result, one in zip(results, behind, strict=True) if one and result is not None
    ]
    if not against:
        return ""
    whose, other = subject.sides(claim)
    score = "mean score" if all(result.kind == MEAN for result in against) else "score"
    lower = all(toward * result.difference < 0.0 for result in against)
    than = f"is {'worse' if lower else 'not better'} than that of {other}"
    n, of = len(against), int(np.count_nonzero(small))
    which = f"{n} of the {of} datasets" if n < of else f"all {of} datasets"
    which = "the only dataset" if of == 1 else which
    sentence = (
        f"On {which} with p ≤ {format_level(alpha)} for {whose}, its {score} {than}: "
        f"{subject.names(behind)}."
    )
    beyond = sum(_interval_is_behind(result, toward) for result in against)
    if beyond:
        level = format_confidence(1.0 - against[0].confidence_level)
        where = "there" if beyond == n else f"on {beyond} of them"
        sentence += f" The whole {level} interval of the difference speaks for {other} {where}."
    tests = [significance_test_named(name) for name in {result.test for result in against}]
    if all(test.of_tendency for test in tests):
        called = list_names(sorted(test.called for test in tests))
        asks = f"{called[:1].upper()}{called[1:]} {'asks' if len(tests) == 1 else 'ask'}"
        sentence += (
            f" {asks} which system {subject.is_better}, not whose mean is better: choose the "
            "recommended test for a claim about the mean."
        )
    return sentence


def speaks_against(
    results: Sequence[SignificanceResult | None], *, claim: Claim, turned: bool
) -> BoolArray:
    """Where the score of the system claimed to be better is not, or its whole interval is behind.

    Parameters
    ----------
    results : sequence of SignificanceResult or None
        As run; None where a dataset is not tested.
    claim : {"a-better", "b-better"}
        For whom.
    turned : bool
        Whether A and B of the results have changed places.
    """
    toward = _toward(claim, turned)
    return np.array([r is not None and _is_behind(r, toward) for r in results], dtype=bool)


def _toward(claim: Claim, turned: bool) -> float:
    return 1.0 if (claim == "a-better") != turned else -1.0


def _is_behind(result: SignificanceResult, toward: float) -> bool:
    return toward * result.difference <= 0.0 or _interval_is_behind(result, toward)


def _interval_is_behind(result: SignificanceResult, toward: float) -> bool:
    if result.confidence_interval is None:
        return False
    return max(toward * end for end in result.confidence_interval) < 0.0


def contradicted_sentence(overlap: Overlap) -> str:
    """State that datasets answered to be independent share examples; else empty."""
    if overlap.recommendation.reason not in _SHARING:
        return ""
    return (
        f"{overlap_sentence(overlap)} That speaks against the answer "
        f"“{DEPENDENCE_ANSWERS['independent']}”: {can_overstate(then=True)}, as the guarantee "
        "rests on that answer."
    )
