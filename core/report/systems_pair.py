"""Sentences about one pair of many systems, and how Counting will show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..systems.comparisons import monte_carlo_error
from ..systems.counting import CountMatrix, family_named
from ..systems.standings import Standings
from .formatting import (
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    list_names,
)
from .systems_leaderboard import NOT_EQUAL, each_way
from .testing import title_of_test

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
    i, j = counts.systems.index(a), counts.systems.index(b)
    n = counts.n_datasets
    shown_a, shown_b = display_name(a), display_name(b)
    wins, ties, losses = standings.win_tie_loss(a, b)
    scope = _scope_of_pair(counts)
    parts: list[str] = []
    for k_hat, one, other, names in (
        (int(counts.k_hat_both_ways[i, j]), shown_a, shown_b, (a, b)),
        (int(counts.k_hat_both_ways[j, i]), shown_b, shown_a, (b, a)),
    ):
        if k_hat:
            own = counts.names(*names, both_ways=True)
            by_name = f", by name {list_names(own)}" if own and n > 1 else ""
            where = f" on at least {k_hat} of {n} datasets{by_name}" if n > 1 else ""
            parts.append(f"{'' if parts else scope}{one} is better than {other}{where}.")
    if not parts:
        parts.append(f"{scope}{shown_a} and {shown_b} are not told apart. {NOT_EQUAL}")
    for k, both, one, other in (
        (int(counts.k_hat[i, j]), int(counts.k_hat_both_ways[i, j]), shown_a, shown_b),
        (int(counts.k_hat[j, i]), int(counts.k_hat_both_ways[j, i]), shown_b, shown_a),
    ):
        if k != both:
            parts.append(
                f"The matrix asks for one direction alone, at level {format_level(counts.alpha)}, and "
                f"has {k} for {one} better than {other}."
            )
    if n == 1:
        scores = [f"{float(standings.scores[0, k]):.4g}" for k in (i, j)]
        parts.append(f"The scores are {scores[0]} and {scores[1]}, higher being better.")
        return " ".join(parts)
    tied = f", the same on {ties}" if ties else ""
    parts.append(f"{shown_a} scores higher on {wins}, {shown_b} on {losses}{tied}.")
    return " ".join(parts)


def _scope_of_pair(counts: CountMatrix) -> str:
    level = format_confidence(counts.alpha)
    if counts.is_joint:
        return f"With {level} confidence in all {counts.n_claims:,} claims together (Holm): "
    return f"With {level} confidence in both directions of this pair ({each_way(counts)}): "


def taken_over_sentence(changed: Mapping[str, object]) -> str:
    """Which settings of the whole session a pair that was opened brought along, and as what.

    Parameters
    ----------
    changed : mapping of str to value
        By their names in `AnalysisSettings`.
    """
    clauses = [_SETTINGS[name](value) for name, value in changed.items()]
    return (
        "So that this pair is tested as on the Systems page, these settings of the session were "
        f"changed: {'; '.join(clauses)}."
    )


def opened_sentence(
    family: str,
    tests: Sequence[str],
    n_resamples: int | None,
    *,
    by_itself: bool,
    other: Sequence[str] = (),
) -> str:
    """How the Counting page's numbers of a pair relate to those of the matrix.

    Parameters
    ----------
    family : {"pair", "all"}
        What the matrix counts.
    tests : sequence of str
        Names of the tests.
    n_resamples : int or None
        The fewest of a dataset whose p-values are drawn at random, None where none are.
    by_itself : bool
        Whether those p-values are drawn anew for the pair.
    other : sequence of str
        Datasets on which the test recommended for this pair alone is another one.
    """
    is_joint = family_named(family).is_joint
    named = list_names(tests)
    if other:
        text = (
            "Counting opens it with the test recommended for this pair alone. On "
            f"{list_names(other)} that is another test than the one for all pairs here ({named}), "
            "so the p-values differ."
        )
    elif n_resamples is None or not by_itself:
        text = f"Counting opens it with the test of this page ({named}), and has the same p-values."
    else:
        room = 2.0 * monte_carlo_error(0.05, n_resamples)
        text = (
            f"Counting opens it with the test of this page ({named}), as many resamples and the same "
            "seed. It tests this pair by itself: exactly where the scores allow that, else on resamples "
            f"of its own, so a p-value of .05 may differ by about {format_p_value(room)}."
        )
    if is_joint:
        text += " It counts this pair alone, so its count may be larger than one of all claims together."
    return text
