"""The toy example of the guide: studies in which A and B are equal on every dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..replicability.combinations import combination_named, usual_combination
from ..replicability.counting import Counting, count_by_common_practice, count_datasets
from ..simulation import TOY_INDEPENDENT
from ..simulation.batch import BatchCounter
from ..types import FloatArray
from .formatting import format_level
from .simulations import rate_without_effects
from .tiles import Tile

N_DATASETS = TOY_INDEPENDENT.scenario.n_datasets


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToyStudy:
    """One study of datasets on which A and B are equal.

    Attributes
    ----------
    seed : int
        From which the p-values follow.
    alpha : float
        The level.
    p_values : ndarray, shape (100,)
        Independent and uniform.
    n_common_practice : int
        How many are at most alpha.
    countings : mapping of combination to Counting
        Those in front where nothing is known of the datasets, and where they are independent, as
        these are.
    """

    seed: int
    alpha: float
    p_values: FloatArray
    n_common_practice: int
    countings: Mapping[str, Counting]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyTally:
    """In how many toy studies each count found a win, which is always a wrong one.

    Attributes
    ----------
    seeds : range
        One study each.
    alpha : float
        The level.
    n_wrong : mapping of estimator to int
        Studies whose count is above 0.
    """

    seeds: range
    alpha: float
    n_wrong: Mapping[str, int]


def toy_study(seed: int, *, alpha: float) -> ToyStudy:
    """Draw a study and count it."""
    p_values = _drawn(seed)
    return ToyStudy(
        seed=seed,
        alpha=alpha,
        p_values=p_values,
        n_common_practice=count_by_common_practice(p_values, alpha=alpha),
        countings={
            name: count_datasets(p_values, alpha=alpha, combination=name)
            for name in (usual_combination("not-known"), usual_combination("independent"))
        },
    )


def toy_tally(seeds: range, *, alpha: float) -> ToyTally:
    """Count the studies with these seeds."""
    drawn = np.array([_drawn(seed) for seed in seeds]).reshape(len(seeds), N_DATASETS)
    counts = BatchCounter(N_DATASETS, alpha=alpha).k_hat(drawn)
    wrong = {name: int(np.count_nonzero(count)) for name, count in counts.items()}
    return ToyTally(seeds=seeds, alpha=alpha, n_wrong=wrong)


def toy_tiles(study: ToyStudy, tally: ToyTally) -> tuple[Tile, ...]:
    """What each count says of the study, and how often it was wrong so far."""
    level = format_level(study.alpha)
    common = Tile(
        heading=f"Counting one-sided p ≤ {level}",
        figure=f"{study.n_common_practice} of {study.p_values.size}",
        detail=_so_far("count", tally),
        claim=None,
        guaranteed=False,
    )
    return (
        common,
        *(
            Tile(
                heading=f"With a guarantee ({combination_named(name).title})",
                figure=f"at least {counting.k_hat}" if counting.k_hat else "none",
                detail=_so_far(name, tally),
                claim=None,
            )
            for name, counting in study.countings.items()
        ),
    )


def toy_sentence(study: ToyStudy, tally: ToyTally) -> str:
    """State what was drawn and what is true of it."""
    n = study.p_values.size
    expected = f"{n * study.alpha:.10g}"
    return (
        f"Study {len(tally.seeds)} (seed {study.seed}): {n} datasets on which A and B are equal, so "
        f"every “win” is wrong. {study.n_common_practice} of them have a one-sided "
        f"p ≤ {format_level(study.alpha)}; chance alone gives about {expected}."
    )


def _so_far(estimator: str, tally: ToyTally) -> str:
    n = len(tally.seeds)
    theory = rate_without_effects(estimator, N_DATASETS, alpha=tally.alpha)
    studies = "study" if n == 1 else "studies"
    return (
        f"wrong in {tally.n_wrong[estimator]} of {n} {studies} so far; in theory "
        f"{100.0 * theory:.3g}%"
    )


def _drawn(seed: int) -> FloatArray:
    drawn: FloatArray = TOY_INDEPENDENT.scenario.draw(np.random.default_rng(seed), 1)[0]
    return drawn
