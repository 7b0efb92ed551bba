"""Sentences of a leaderboard that counts: who is better than whom on how many datasets."""

from __future__ import annotations

import numpy as np

from ..effects.post_hoc import PostHoc
from ..replicability.combinations import combination_named
from ..systems.counting import CountMatrix
from ..systems.standings import Standings
from ..types import BoolArray, IntArray
from .formatting import (
    display_name,
    format_confidence,
    format_level,
    list_names,
)

PROMISE = (
    "This page compares every pair among three or more systems at once: on at least how many "
    "datasets one is better than another, which systems the data do not tell apart, how large a "
    "gain is usually enough, and how far p < .05 can be trusted."
)
EACH_WAY = (
    "To be told apart either system may be the better one, so of each pair alone both directions are "
    "asked for at half the level; the numbers of systems it is better or worse than are of one "
    "direction at the whole level."
)
RANKS_SAY_NOTHING_OF_CHANCE = (
    "Wins, ties, losses and ranks compare the scores as they stand; they say nothing of chance."
)
NEEDS_EXAMPLES = (
    "On how many datasets one system is better than another, beyond chance, needs the results on "
    "every example: one score per dataset carries no sampling error."
)
NOT_EQUAL = "That is not evidence that they are equal."


def half_of(n_datasets: int) -> int:
    """The smallest number of datasets that is at least half of them."""
    return -(-n_datasets // 2)


def best_of(counts: CountMatrix) -> int:
    """Position of the system with the best mean rank."""
    return int(np.argmin(counts.mean_ranks))


def lead_sentence(counts: CountMatrix, *, most_names: int = 4) -> str:
    """The system with the best mean rank, than how many the data show it better, and the others.

    Of others that are not told apart from it more than `most_names` are counted, not named. Where all datasets have too few resamples for any claim of all together, that
    nothing can be said, and how many are needed.
    """
    if withheld(counts):
        return _withheld(counts)
    best = best_of(counts)
    others = len(counts.systems) - 1
    behind, ahead = counts.k_hat[best], counts.k_hat[:, best]
    name = display_name(counts.systems[best])
    several = counts.n_datasets > 1
    level = "mean rank" if several else "score"
    tied = [
        counts.systems[i]
        for i in np.flatnonzero(counts.mean_ranks == counts.mean_ranks[best]).tolist()
        if i != best
    ]
    first = (
        f"sharing the best {level} with {list_names(tied, most=3)}"
        if tied
        else f"with the best {level}"
    )
    where = "" if several else f" on {display_name(counts.datasets[0])}"
    if (behind > 0).any():
        text = f"{_scope(counts)}{name}, {first}{where}, {_better_than(counts, behind, others)}"
    else:
        text = _better_than_none(counts, f"{name}, {first}{where},", others)
    worse = np.flatnonzero(ahead > 0).tolist()
    if worse:
        names = [counts.systems[i] for i in worse]
        text += (
            f" {list_names(names, most=4)} {'is' if len(names) == 1 else 'are'} better than it on at "
            "least one dataset."
        )
    # Better than none and worse than none: who is not told apart has been said.
    if worse or (behind > 0).any():
        text += f" {_not_apart(counts, best, most=most_names)}"
    return f"{_so_far(counts)}{text}"


def withheld(counts: CountMatrix) -> bool:
    """Whether no claim of all together could be made, however large the differences."""
    return counts.is_joint and len(counts.too_few_resamples) == counts.n_datasets


def _withheld(counts: CountMatrix) -> str:
    return (
        f"{_so_far(counts)}Of all claims together nothing can be said with "
        f"{max(counts.too_few_resamples):,} resamples: Holm over {counts.n_claims:,} claims needs at "
        f"least {counts.n_resamples_for_any:,} before any p-value can be small enough."
    )


def _so_far(counts: CountMatrix) -> str:
    return "" if counts.complete else "So far: "


def _scope(counts: CountMatrix) -> str:
    level = format_confidence(counts.alpha)
    if counts.is_joint:
        return f"With {level} confidence in all {counts.n_claims:,} claims together (Holm), "
    return f"With {level} confidence in each pair alone, "


def _better_than(counts: CountMatrix, behind: IntArray, others: int) -> str:
    n, half = counts.n_datasets, half_of(counts.n_datasets)
    any_of, half_of_them = int((behind >= 1).sum()), int((behind >= half).sum())
    text = f"is better than {_of(any_of, others)} other systems"
    if n == 1:
        return f"{text}."
    text += f" on at least one of {n} datasets"
    if half > 1 and half_of_them:
        text += f", and than {_of_these(half_of_them, any_of)} on at least half ({half} of {n})"
    elif half > 1:
        text += f"; on at least half ({half} of {n}) the data show it for none of these"
    return f"{text}."


def _better_than_none(counts: CountMatrix, who: str, others: int) -> str:
    level = format_level(counts.alpha)
    if counts.is_joint:
        scope = f"Of all {counts.n_claims:,} claims together (Holm, level {level}),"
    else:
        scope = f"Of each pair alone, at level {level},"
    where = f" on any of {counts.n_datasets} datasets" if counts.n_datasets > 1 else ""
    return (
        f"{scope} the data show {who} to be better than none of the {others:,} other systems{where}; "
        "that is not evidence that they are equal."
    )


def _of(number: int, total: int) -> str:
    if number == total:
        return "both" if total == 2 else f"all {total:,}"
    return f"{'none' if number == 0 else f'{number:,}'} of the {total:,}"


def _of_these(number: int, total: int) -> str:
    return "all of these" if number == total else f"{number:,} of these"


def _not_apart(counts: CountMatrix, best: int, *, most: int) -> str:
    apart = counts.separated()[best]
    order = np.argsort(counts.mean_ranks, kind="stable").tolist()
    together = [counts.systems[i] for i in order if i != best and not apart[i]]
    where = "" if counts.n_datasets == 1 else " on any dataset"
    how = "" if counts.is_joint else f" ({each_way(counts)})"
    if not together:
        return f"Every other system is told apart from it{how}."
    also = _also_claimed(counts, best, apart)
    if len(together) == len(order) - 1:
        return f"No other system is told apart from it{where}{how}{also}."
    if len(together) > most:
        # One direction at the level and both at half of it do not add up to all systems.
        start = "The other" if counts.is_joint else "Of all others"
        return f"{start} {len(together):,} are not told apart from it{where}{how}{also}."
    return f"Not told apart from it{where}{how}: {list_names(together)}{also}."


def _also_claimed(counts: CountMatrix, best: int, apart: BoolArray) -> str:
    """How many of those not told apart have a claim one way, at the whole level."""
    claimed = (counts.k_hat[best] > 0) | (counts.k_hat[:, best] > 0)
    both = int((claimed & ~apart).sum())
    if not both:
        return ""
    level = format_level(counts.alpha)
    return f"; one way at level {level} there is a claim about {both:,} of these"


def each_way(counts: CountMatrix) -> str:
    """At which level each direction of a pair is asked for, where either may be the better one."""
    return f"each way at level {format_level(counts.alpha / 2.0)}"


def claims_sentence(counts: CountMatrix) -> str:
    """How many of the ordered pairs have a claim, at which level, and what that allows for."""
    m, n = len(counts.systems), counts.n_datasets
    total, half = m * (m - 1), half_of(n)
    found = int((counts.k_hat >= 1).sum())
    text = f"Of the {total:,} claims that one of {m} systems is better than another"
    text += " on at least one dataset, " if n > 1 else ", "
    text += f"{f'{found:,}' if found else 'none'} {'is' if found < 2 else 'are'} made "
    if counts.is_joint:
        text += f"with {format_confidence(counts.alpha)} confidence in all of them together"
    else:
        text += f"at level {format_level(counts.alpha)}, each alone"
    if found and n > 1 and half > 1:
        at_half = int((counts.k_hat >= half).sum())
        text += (
            f", {f'{at_half:,}' if at_half else 'none'} of them on at least half ({half} of {n})"
        )
    both = int(((counts.k_hat >= 1) & (counts.k_hat.T >= 1)).sum()) // 2
    if both:
        text += f"; in {both:,} {'pair' if both == 1 else 'pairs'} each is better on some dataset"
    if not counts.is_joint and found:
        text += "; among so many some are to be expected wrong"
    return f"{text}."


def alone_sentence(counts: CountMatrix) -> str:
    """Below what holds of all claims together: the best system's counts, each pair alone."""
    name = display_name(counts.systems[best_of(counts)])
    return (
        f"{lead_sentence(counts)} {name} was picked after looking at all systems, which a count of "
        "one pair does not allow for."
    )


def guarantee_sentences(counts: CountMatrix) -> tuple[str, ...]:
    """What the counts promise, and under which condition."""
    if counts.is_joint:
        return (counts.guarantee,)
    if counts.n_datasets == 1:
        return (counts.guarantee,)
    return (counts.guarantee, condition_sentence(counts.combination))


def scores_lead(standings: Standings, post_hoc: PostHoc | None = None) -> str:
    """Of a table of scores: who has the best mean rank, and who is not told apart by it."""
    order = np.argsort(standings.mean_ranks, kind="stable").tolist()
    best = order[0]
    n, m = len(standings.datasets), len(standings.systems)
    shared = [
        standings.systems[i]
        for i in order[1:]
        if standings.mean_ranks[i] <= standings.mean_ranks[best] + 1e-9
    ]
    if len(shared) == m - 1:
        where = "one dataset" if n == 1 else f"{n} datasets"
        return f"Of {m} systems over {where}, none has a better mean rank than another. {NOT_EQUAL}"
    name = display_name(standings.systems[best])
    top = int((standings.ranks[:, best] == standings.ranks.min(axis=1)).sum())
    where = "one dataset" if n == 1 else f"{n} datasets"
    too = (
        f" (as {'has' if len(shared) == 1 else 'have'} {list_names(shared, most=3)})"
        if shared
        else ""
    )
    text = (
        f"Of {m} systems over {where}, {name} has the best mean rank, "
        f"{standings.mean_ranks[best]:.2f}{too}, and the best score on {top}."
    )
    if post_hoc is None:
        return text
    together = [
        standings.systems[i] for i in order if i != best and not post_hoc.separated[best, i]
    ]
    level = format_level(post_hoc.alpha)
    if not together:
        return f"{text} Its mean rank is told apart from every other at level {level} (Nemenyi)."
    if len(together) == m - 1:
        return f"{text} Its mean rank is told apart from no other at level {level} (Nemenyi). {NOT_EQUAL}"
    return (
        f"{text} Its mean rank is told apart from {m - 1 - len(together)} of the {m - 1} others at "
        f"level {level} (Nemenyi), not from {list_names(together, most=6)}."
    )


def condition_sentence(name: str) -> str:
    """Under which condition each entry holds, by which combination."""
    combination = combination_named(name)
    if not combination.condition:
        return f"{combination.clause[:1].upper()}{combination.clause[1:]}."
    return f"If {combination.condition}, as the sidebar says ({combination.title})."
