"""Scenarios made by a few numbers, and some to begin with.

Vocabulary
----------
test set
    Examples that several datasets are tested on, as three of twelve pairs of
    domains share each target domain's test set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from core.simulation.discrete import MOST_EXAMPLES, McNemarDatasets
from core.simulation.effects import shift_of
from core.simulation.scenarios import Block, Scenario
from core.simulation.shapes import OneFactor, Part, Together, UnionOfOthers
from core.simulation.sources import plain, positive_whole


def shared_test_sets(
    n_test_sets: int = 4,
    n_sharing: int = 3,
    *,
    rho: float = 0.5,
    effect: float = 0.0,
    n_better: int = 0,
) -> Together:
    """Datasets that share test sets, as twelve pairs of sentiment domains share four.

    Parameters
    ----------
    n_test_sets, n_sharing : int
        How many test sets, and how many datasets are tested on each.
    rho : float
        Correlation of two z on one test set, in [0, 1]; on different ones 0.
    effect : float
        Shift of z where A is better.
    n_better : int
        On how many datasets of each test set A is better.

    Raises
    ------
    ValueError
        If one is no such number.
    """
    sets = positive_whole(n_test_sets, name="n_test_sets")
    sharing = positive_whole(n_sharing, name="n_sharing")
    if not 0 <= n_better <= sharing:
        raise ValueError(f"`n_better` must lie between 0 and {sharing}; got {n_better}.")
    if n_better and not effect > 0.0:
        raise ValueError(f"`effect` must be above 0 where `n_better` is; got {effect!r}.")
    blocks = []
    if n_better:
        blocks.append(Block(n_better, rho=rho, effect=effect))
    if n_better < sharing:
        blocks.append(Block(sharing - n_better, rho=rho))
    name = f"{sets} test sets of {sharing} rho={plain(rho)}"
    if n_better:
        name += f" effect={plain(effect)} on {n_better}"
    return Together((OneFactor(tuple(blocks)),) * sets, name=name)


def family_of(
    n_datasets: int, *, share_better: float = 1.0, effect: float = 0.0, rho: float = 0.0
) -> OneFactor | Scenario:
    """A scenario of a family that has one member for each number of datasets.

    Parameters
    ----------
    n_datasets : int
        N.
    share_better : float
        On what share of them A is better, in [0, 1]; rounded to whole datasets.
    effect : float
        Shift of their z; `shift_of` gives it for a difference on so many examples.
    rho : float
        Correlation of any two z, in [0, 1].
    """
    n = positive_whole(n_datasets, name="n_datasets")
    n_better = _n_better(n, share_better)
    blocks = [
        Block(size, rho=rho, effect=shift)
        for size, shift in ((n_better, effect), (n - n_better, 0.0))
        if size
    ]
    return OneFactor(tuple(blocks)) if rho > 0.0 else Scenario(tuple(blocks))


def accuracy_family_of(
    n_datasets: int,
    *,
    share_better: float = 1.0,
    difference: float,
    n_examples: int,
    share_differing: float,
    rho: float = 0.0,
) -> McNemarDatasets | OneFactor | Scenario:
    """As `family_of`, where A is better by a difference in accuracy.

    With `drawn_exactly` the p-values are McNemar's exact ones; else z is shifted
    by `shift_of`, a normal approximation, which finds too much where only a few
    examples differ.

    Parameters
    ----------
    n_datasets, share_better, rho : optional
        As for `family_of`.
    difference, n_examples, share_differing : float, int, float
        As for `shift_of`.
    """
    if not drawn_exactly(difference, n_examples, rho=rho):
        shift = shift_of(difference, n_examples, share_differing)
        return family_of(n_datasets, share_better=share_better, effect=shift, rho=rho)
    n = positive_whole(n_datasets, name="n_datasets")
    n_better = _n_better(n, share_better) if difference > 0.0 else 0
    return McNemarDatasets(n, n_examples, share_differing, difference, n_better)


def drawn_exactly(difference: float, n_examples: int, *, rho: float = 0.0) -> bool:
    """Whether examples themselves are drawn: of independent datasets that are not too large."""
    return rho == 0.0 and difference >= 0.0 and n_examples <= MOST_EXAMPLES


def _n_better(n_datasets: int, share_better: float) -> int:
    if not 0.0 <= share_better <= 1.0:
        raise ValueError(f"`share_better` must lie between 0 and 1; got {share_better!r}.")
    return math.floor(share_better * n_datasets + 0.5)


# By the names that links and pages know them by.
SHAPES: Mapping[str, Part] = MappingProxyType(
    {
        "one-factor": OneFactor((Block(100, rho=0.5),)),
        "test-sets": shared_test_sets(),
        "union": Together((UnionOfOthers((203, 252)), Scenario((Block(9),)))),
        "mcnemar": McNemarDatasets(20),
    }
)
