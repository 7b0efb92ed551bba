"""Tables of a leaderboard that counts: all systems, one against each other one, and one pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..systems.comparisons import PairComparisons
from ..systems.counting import CountMatrix
from ..systems.standings import Standings
from .formatting import format_p_value
from .systems_leaderboard import half_of
from .systems_tiers import marks_of_counts

if TYPE_CHECKING:
    import pandas as pd


def leaderboard_frame(
    standings: Standings,
    *,
    counts: CountMatrix | None = None,
    rank_marks: tuple[str, dict[str, str]] | None = None,
    all_letters: bool = False,
    at_least: int = 1,
) -> pd.DataFrame:
    """A row for each system, best mean rank first.

    Parameters
    ----------
    standings : Standings
        Ranks and wins.
    counts : CountMatrix, optional
        On how many datasets each is better than each other one; adds columns.
    rank_marks : (str, mapping of system to str), optional
        A further column: its heading, and what it says of each system.
    all_letters : bool
        Whether the tiers of the counts are given as letters one by one, however many they are.
    at_least : int
        On how many datasets one must be better for two to be told apart.
    """
    frame = standings.to_frame()
    several = len(standings.datasets) > 1
    frame = frame.rename(columns={"mean_rank": "mean rank" if several else "rank"})
    frame = frame.rename(columns={"n_best": "best on"})
    if not several:
        place = {name: k for k, name in enumerate(standings.systems)}
        scores = [float(standings.scores[0, place[name]]) for name in frame["system"]]
        frame.insert(2, "score, higher is better", scores)
        frame = frame.drop(columns=["best on", "wins", "ties", "losses"])
    position = 2 if several else 3
    if counts is not None:
        order = [counts.systems.index(name) for name in frame["system"]]
        half = half_of(counts.n_datasets)
        several_counted = " (on ≥ 1 dataset)" if counts.n_datasets > 1 else ""
        columns = {f"better than{several_counted}": (counts.k_hat >= 1).sum(axis=1)}
        if half > 1:
            columns["… on half"] = (counts.k_hat >= half).sum(axis=1)
        columns[f"worse than{several_counted}"] = (counts.k_hat >= 1).sum(axis=0)
        columns["not told apart"] = len(order) - 1 - counts.separated(at_least=at_least).sum(axis=1)
        for name, values in columns.items():
            frame.insert(position, name, values[order])
            position += 1
        marks = marks_of_counts(counts, at_least=at_least)
        if all_letters:
            found = counts.tiers(at_least=at_least)
            marks = dict(zip(found.systems, found.letters, strict=True))
        if marks is not None:
            # Beside the names, where a narrow screen still shows them.
            frame.insert(1, "letters", [marks[name] for name in frame["system"]])
    if rank_marks is not None:
        heading, of_ranks = rank_marks
        frame.insert(1, heading, [of_ranks[name] for name in frame["system"]])
    return frame


def against_frame(
    standings: Standings, system: str, *, counts: CountMatrix | None = None
) -> pd.DataFrame:
    """One system against each other one, best mean rank first: counts both ways, wins and ties."""
    import pandas as pd

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
    return pd.DataFrame(columns)


def pair_frame(pairs: PairComparisons, a: str, b: str) -> pd.DataFrame:
    """Each dataset of one pair: scores, gain, and p in both directions."""
    import pandas as pd

    i, j = pairs.systems.index(a), pairs.systems.index(b)
    oriented = pairs.oriented_scores
    return pd.DataFrame(
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
