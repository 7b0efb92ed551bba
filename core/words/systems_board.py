"""Sentences and tables of a leaderboard that counts: who is better than whom on how many datasets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..effects.post_hoc import MOST_LETTERS, letters
from ..replicability.combinations import combination_named
from ..systems.comparisons import PairComparisons, Standings, with_ties
from ..systems.counting import CountMatrix
from ..types import IntArray
from .across import SAME_RANK, best_rank_sentence, shared_letter_sentence
from .formatting import (
    Frame,
    counted,
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    frame_of,
    how_many,
    joined,
    list_names,
    sentence_case,
)
from .glossary import glossary
from .testing import title_of_test

PROMISE = (
    "This page compares every pair among three or more systems at once: on at least how many "
    "datasets one is better than another, which systems the data do not tell apart, how large a "
    "gain is usually enough, and how far p < .05 can be trusted."
)
RANKS_SAY_NOTHING_OF_CHANCE = (
    "Wins, ties, losses and ranks compare the scores as they are; they say nothing about chance."
)
WITHOUT_MARGIN = "This is about which system is better, without the margin."
# Of more other systems a sentence tells the number.
_MOST_NAMES = 4
NOT_EQUAL = "That is not evidence that they are equal."


def half_of(n_datasets: int) -> int:
    """The smallest number of datasets that is at least half of them."""
    return -(-n_datasets // 2)


def best_of(counts: CountMatrix) -> int:
    """Position of the system with the best mean rank."""
    return int(np.argmin(counts.mean_ranks))


def lead_sentence(counts: CountMatrix) -> str:
    """The system with the best mean rank, than how many the data show it better, and the others."""
    begun = "" if counts.complete else "So far: "
    if withheld(counts):
        return (
            f"{begun}{max(counts.too_few_resamples):,} resamples are too few for any claim: Holm over "
            f"{counts.n_claims:,} claims needs at least {counts.n_resamples_for_any:,}."
        )
    best, several, others = best_of(counts), counts.n_datasets > 1, len(counts.systems) - 1
    behind, ahead = counts.k_hat[best], counts.k_hat[:, best]
    same = np.flatnonzero(counts.mean_ranks == counts.mean_ranks[best]).tolist()
    equals = [counts.systems[i] for i in same if i != best]
    shared = f" (shared with {list_names(equals, most=_MOST_NAMES)})" if equals else ""
    level = f"the best {'mean rank' if several else 'score'}{shared}"
    where = "" if several else f" on {display_name(counts.datasets[0])}"
    who = f"{display_name(counts.systems[best])}, with {level}{where},"
    n_beaten = int((behind > 0).sum())
    if n_beaten:
        text = f"{_scope(counts)}, {who} {_better_than(counts, behind, others)}"
    else:
        scope = f"Holm over {counts.n_claims:,} claims" if counts.is_joint else "each pair alone"
        anywhere = f" on any of {counts.n_datasets:,} datasets" if several else ""
        text = (
            f"No evidence at level {format_level(counts.alpha)} ({scope}) that {who} is better than any "
            f"of the {others:,} other systems{anywhere}. {NOT_EQUAL}"
        )
    worse = [counts.systems[i] for i in np.flatnonzero(ahead > 0).tolist()]
    if worse:
        names, are = list_names(worse, most=_MOST_NAMES), "is" if len(worse) == 1 else "are"
        text += f" {names} {are} better than it on at least one dataset."
    # Better than none and worse than none, or of all together better than all: it has been said.
    if (worse or n_beaten) and not (counts.is_joint and n_beaten == others):
        text += f" {_not_apart(counts, best)}"
    return f"{begun}{text}"


def withheld(counts: CountMatrix) -> bool:
    """Whether no claim of all together could be made, however large the differences."""
    return counts.is_joint and len(counts.too_few_resamples) == counts.n_datasets


def _scope(counts: CountMatrix, *, alone: str = "each pair alone") -> str:
    """With which confidence, and in what: in all claims together, or in what stands `alone`."""
    what = f"all {counts.n_claims:,} claims together (Holm)" if counts.is_joint else alone
    return f"With {format_confidence(counts.alpha)} confidence in {what}"


def _better_than(counts: CountMatrix, behind: IntArray, others: int) -> str:
    n = counts.n_datasets
    beaten = [i for i in np.argsort(-behind, kind="stable").tolist() if behind[i] >= 1]
    if n == 1 or len(beaten) > _MOST_NAMES:
        where = f", each on at least one of {n:,} datasets" if n > 1 else ""
        share = "all" if len(beaten) == others else f"{len(beaten):,} of the"
        return f"is better than {share} {others:,} other systems{where}."
    # The matrix's own counts, the largest first; systems with the same count share it.
    clauses: list[str] = []
    for k in dict.fromkeys(int(behind[i]) for i in beaten):
        names = list_names([counts.systems[i] for i in beaten if behind[i] == k])
        where = f"at least {k:,}" if clauses else how_many(k, n)
        clauses.append(f"than {names} on {where}")
    return f"is better {joined(clauses)}."


def _not_apart(counts: CountMatrix, best: int) -> str:
    apart = counts.separated()[best]
    order = counts.order
    together = [counts.systems[i] for i in order if i != best and not apart[i]]
    # Of all together the sentence before has said how.
    by = "By the same test" if counts.is_joint else f"{sentence_case(each_way(counts))}"
    if not together:
        return f"{by}, every other system is told apart from it."
    names = list_names(together, most=_MOST_NAMES)
    where = "" if counts.n_datasets == 1 else " on any dataset"
    text = f"{by}, there is no evidence that it differs from {names}{where}"
    # One direction at the level says more than both at half of it.
    claimed = ((counts.k_hat[best] > 0) | (counts.k_hat[:, best] > 0)) & ~apart
    if n_claimed := int(claimed.sum()):
        level = format_level(counts.alpha)
        text += f"; one way at level {level} there is a claim about {n_claimed:,} of these"
    return f"{text}."


def each_way(counts: CountMatrix) -> str:
    """At which level each direction of a pair is asked for, where either may be the better one."""
    return f"each way at level {format_level(counts.alpha / 2.0)}"


def claims_sentence(counts: CountMatrix) -> str:
    """How many of the ordered pairs have a claim, at which level, and what that allows for."""
    m = len(counts.systems)
    found = int((counts.k_hat >= 1).sum())
    where = " on at least one dataset" if counts.n_datasets > 1 else ""
    text = (
        f"{f'{found:,}' if found else 'None'} of {m * (m - 1):,} possible claims (one of {m} systems is "
        f"better than another{where}) {'holds' if found < 2 else 'hold'} "
    )
    if counts.is_joint:
        return f"{text}with {format_confidence(counts.alpha)} confidence in all of them together."
    text += f"at level {format_level(counts.alpha)}, each tested alone."
    if not found:
        return text
    caution = "it may be wrong" if found == 1 else counts.caution("these claims")
    return f"{text} {sentence_case(caution)}."


def alone_sentence(counts: CountMatrix) -> str:
    """Below what holds of all claims together: the best system's counts, each pair alone."""
    name = display_name(counts.systems[best_of(counts)])
    return (
        f"{lead_sentence(counts)} {name} was picked after seeing all systems; a count for one pair "
        "does not allow for that."
    )


def one_pair_sentence(counts: CountMatrix, *, at_margin: bool) -> str:
    """Between what holds of all claims together and the verdict on the one pair that is chosen."""
    said = "is about A and B alone: it holds if you chose this pair before seeing the results"
    if at_margin:
        return f"This {said}."
    allows = f"The answer above allows for all {counts.n_claims:,} claims."
    return f"{allows} This one {said}; if not, use the answer above."


def guarantee_sentences(counts: CountMatrix) -> tuple[str, ...]:
    """What the counts promise, and under which condition."""
    if counts.is_joint or counts.n_datasets == 1:
        return (counts.guarantee,)
    return counts.guarantee, f"{sentence_case(combination_named(counts.combination).clause)}."


def scores_lead(standings: Standings) -> str:
    """Of a table of scores: who has the best mean rank."""
    ranks, where = standings.mean_ranks, counted(len(standings.datasets), "dataset")
    said = best_rank_sentence(standings.systems, ranks, where=f" over {where}")
    return said if np.ptp(ranks) > SAME_RANK else f"{said} {NOT_EQUAL}"


def column_meanings(n_datasets: int, at_least: int = 1) -> dict[str, str]:
    """What the leaderboard's columns mean, by their headings."""
    several = n_datasets > 1
    where = f"on at least one of {n_datasets:,} datasets" if several else "beyond chance"
    on_one = " (on ≥ 1 dataset)" if several else ""
    apart = f" on at least {at_least:,} of {n_datasets:,} datasets" if at_least > 1 else ""
    terms = glossary()
    return {
        "letters": terms["letters, tiers"],
        "mean rank": "Over the datasets; 1 is best.",
        f"better than{on_one}": f"How many other systems it is better than {where}.",
        "… on half": f"Of these, on at least {half_of(n_datasets):,} of {n_datasets:,} datasets.",
        f"worse than{on_one}": f"How many other systems are better than it {where}.",
        "not told apart": f"How many systems are not told apart from it{apart}. "
        f"{terms['told apart']}",
        "best on": "Datasets on which no system scores higher.",
        "wins": "Over all other systems and datasets, as the scores stand.",
    }


def marks_of_counts(
    counts: CountMatrix, *, at_least: int = 1, most: float = MOST_LETTERS
) -> dict[str, str] | None:
    """Each system's letters by the counts; None where there are more tiers than `most`."""
    tiers = counts.tiers(at_least=at_least)
    if len(tiers) > most:
        return None
    return dict(zip(counts.systems, letters(tiers, len(counts.systems)), strict=True))


ABOUT_CLAIMS = (
    "The leaderboard, its groups and the gains ask which system is better; they have no form at a "
    "margin. Here each ordered pair has its own p-value of the claim on each dataset. A 0 "
    "is no evidence of the opposite."
)


def counts_note(counts: CountMatrix, *, at_least: int = 1) -> str:
    """What it is to share a letter."""
    apart = "not told apart by these counts"
    if at_least > 1:
        apart = (
            f"not told apart on {at_least:,} of {counts.n_datasets:,} datasets: neither is better on at "
            f"least {at_least:,}"
        )
    if marks_of_counts(counts, at_least=at_least) is None:
        start = "There are too many overlapping groups for letters; the download has them all."
        return f"{start} Not to be told apart does not make systems equal."
    return shared_letter_sentence(apart)


# How a setting that was changed is named.
_SETTINGS: dict[str, Callable[[object], str]] = {
    "test": lambda name: f"test to {title_of_test(str(name))}",
    "n_resamples": lambda number: f"resamples to {number:,}",
    "seed": lambda number: f"seed to {number}",
    "estimator": lambda _: "p-values of resamples to the add-one estimator",
    "zeros": lambda _: "zero differences to being dropped (wilcox)",
    "claim": lambda _: "claim to A being better",
    "margin": lambda _: "margin to none",
    "whole_clusters": lambda _: "clusters to being kept whole",
}


def pair_sentence(counts: CountMatrix, standings: Standings, a: str, b: str) -> str:
    """What is known of one pair: level and family, counts both ways, names, and the plain wins."""
    n, level = counts.n_datasets, format_level(counts.alpha)
    shown_a, shown_b = display_name(a), display_name(b)
    scope = _scope(counts, alone=f"both directions of this pair ({each_way(counts)})")
    claims, of_matrix = [], []
    for one, other in ((a, b), (b, a)):
        first, second = display_name(one), display_name(other)
        place = counts.systems.index(one), counts.systems.index(other)
        both, alone = int(counts.k_hat_both_ways[place]), int(counts.k_hat[place])
        if both:
            own = counts.names(one, other, both_ways=True)
            by_name = f" ({list_names(own)})" if own and n > 1 else ""
            where = f" on {how_many(both, n)}{by_name}" if n > 1 else ""
            claims.append(f"{first} is better than {second}{where}.")
        if alone != both:
            of_matrix.append(
                f"The matrix asks for one direction alone, at level {level}, and has {alone:,} for "
                f"{first} better than {second}."
            )
    claims = claims or [f"{shown_a} and {shown_b} are not told apart. {NOT_EQUAL}"]
    wins, ties, losses = standings.win_tie_loss(a, b)
    tied = f", the same on {ties}" if ties else ""
    scored = f"{shown_a} scores higher on {wins}, {shown_b} on {losses}{tied}."
    if n == 1:
        scores = [f"{standings.scores[0, counts.systems.index(name)]:.4g}" for name in (a, b)]
        scored = f"The scores are {scores[0]} and {scores[1]}, higher being better."
    return " ".join((f"{scope}: {claims[0]}", *claims[1:], *of_matrix, scored))


def taken_over_sentence(changed: Mapping[str, object]) -> str:
    """Which settings of the whole session a pair that was opened brought along, and as what."""
    clauses = [_SETTINGS[name](value) for name, value in changed.items()]
    return (
        "So that this pair is tested as on the Systems page, these settings of the session were "
        f"changed: {'; '.join(clauses)}."
    )


def leaderboard_frame(
    standings: Standings,
    *,
    counts: CountMatrix | None = None,
    rank_marks: tuple[str, dict[str, str]] | None = None,
    most_letters: float = MOST_LETTERS,
    at_least: int = 1,
) -> Frame:
    """A row for each system, best mean rank first."""
    frame, several = standings.to_frame(), len(standings.datasets) > 1
    names = frame["system"].tolist()
    columns: dict[str, object] = {"system": names}
    if rank_marks is not None:
        heading, of_ranks = rank_marks
        columns[heading] = [of_ranks[name] for name in names]
    marks = counts and marks_of_counts(counts, at_least=at_least, most=most_letters)
    if marks:
        # Beside the names, where a narrow screen still shows them.
        columns["letters"] = [marks[name] for name in names]
    columns["mean rank" if several else "rank"] = frame["mean_rank"]
    if not several:
        scores = dict(zip(standings.systems, standings.scores[0].tolist(), strict=True))
        columns["score, higher is better"] = [scores[name] for name in names]
    if counts is not None:
        order = [counts.systems.index(name) for name in names]
        half, apart = half_of(counts.n_datasets), counts.separated(at_least=at_least)
        on_one = " (on ≥ 1 dataset)" if counts.n_datasets > 1 else ""
        columns[f"better than{on_one}"] = (counts.k_hat >= 1).sum(axis=1)[order]
        if half > 1:
            columns["… on half"] = (counts.k_hat >= half).sum(axis=1)[order]
        columns[f"worse than{on_one}"] = (counts.k_hat >= 1).sum(axis=0)[order]
        columns["not told apart"] = (len(order) - 1 - apart.sum(axis=1))[order]
    if several:
        columns |= {"best on": frame["n_best"]}
        columns |= {name: frame[name] for name in ("wins", "ties", "losses")}
    return frame_of(columns)


def against_frame(standings: Standings, system: str, *, counts: CountMatrix | None = None) -> Frame:
    """One system against each other one, best mean rank first: counts both ways, wins and ties."""
    i = standings.systems.index(system)
    order = [k for k in np.argsort(standings.mean_ranks, kind="stable").tolist() if k != i]
    columns: dict[str, object] = {"other system": [standings.systems[k] for k in order]}
    if counts is not None:
        columns["better on at least"] = counts.k_hat[i, order]
        columns["worse on at least"] = counts.k_hat[order, i]
    columns["wins"] = standings.wins[i, order]
    columns["ties"] = standings.ties[i, order]
    columns["losses"] = standings.wins[order, i]
    columns["mean rank"] = standings.mean_ranks[order]
    return frame_of(columns)


def pair_frame(pairs: PairComparisons, a: str, b: str) -> Frame:
    """Each dataset of one pair: scores, gain, and p in both directions."""
    i, j = pairs.systems.index(a), pairs.systems.index(b)
    oriented = with_ties(pairs.oriented_scores)
    return frame_of(
        {
            "dataset": list(pairs.datasets),
            "first": pairs.scores[:, i],
            "second": pairs.scores[:, j],
            "gain of first": oriented[:, i] - oriented[:, j],
            "p (first better)": [format_p_value(float(p)) for p in pairs.p_values[:, i, j]],
            "p (second better)": [format_p_value(float(p)) for p in pairs.p_values[:, j, i]],
            "n": list(pairs.n_examples),
        }
    )
