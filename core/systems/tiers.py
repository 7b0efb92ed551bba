"""Systems that the data do not separate, as overlapping letters.

Vocabulary
----------
separated
    Of two systems: the data tell them apart. It need not be transitive in its
    absence: A and B may not be separated, nor B and C, and yet A and C.
tier
    As many systems as there are none of which is separated from another: two
    systems are separated where no tier holds both. Each tier has a letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..effects.critical_difference import letters, maximal_groups
from ..types import BoolArray

if TYPE_CHECKING:
    import pandas as pd

# A matrix without any order can have more tiers than anyone could read.
MOST_TIERS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tiers:
    """Tiers in the order of their best systems.

    Attributes
    ----------
    systems : tuple of str
        Best first.
    tiers : tuple of tuple of int
        Each tier's positions in `systems`, rising.
    maximal : bool
        Whether these are all tiers that cannot be larger. Where there are more than
        2,000 of these, fewer groups are given that still hold every two systems
        that are not separated together.
    """

    systems: tuple[str, ...]
    tiers: tuple[tuple[int, ...], ...]
    maximal: bool

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Names of each tier's systems."""
        return tuple(tuple(self.systems[k] for k in tier) for tier in self.tiers)

    @property
    def letters(self) -> tuple[str, ...]:
        """Each system's letters, in the order of `systems`: two that share one are not separated.

        From the 27th tier on "aa", "ab", ...; several are joined by spaces then.
        """
        return letters(self.tiers, len(self.systems))

    def to_frame(self) -> pd.DataFrame:
        """A row for each system, best first: system and its letters."""
        import pandas as pd

        return pd.DataFrame({"system": list(self.systems), "tiers": list(self.letters)})


def tiers(
    separated: npt.ArrayLike,
    *,
    systems: tuple[str, ...],
    order: npt.ArrayLike | None = None,
    at_most: int = MOST_TIERS,
) -> Tiers:
    """All tiers: every largest group of systems no two of which are separated.

    Parameters
    ----------
    separated : array_like of bool, shape (m, m)
        Symmetric; its diagonal is not looked at.
    systems : tuple of str
        Their names.
    order : array_like, shape (m,), optional
        Lower is better, such as mean ranks; by default the order of `systems`.
    at_most : int
        Of more tiers, fewer groups are given (see `Tiers.maximal`).

    Raises
    ------
    ValueError
        If the matrix is not symmetric or not of that size.
    """
    matrix = np.array(separated, dtype=np.bool_)
    m = len(systems)
    if matrix.shape != (m, m):
        raise ValueError(f"`separated` must have the shape {(m, m)}; got {matrix.shape}.")
    np.fill_diagonal(matrix, False)
    if not bool((matrix == matrix.T).all()):
        raise ValueError("`separated` must be symmetric: two systems are separated or not.")
    ranks = np.arange(m) if order is None else np.asarray(order, dtype=np.float64)
    if ranks.shape != (m,):
        raise ValueError(f"`order` must have one number a system, {m}; got shape {ranks.shape}.")
    place = np.argsort(ranks, kind="stable")
    together = ~matrix[np.ix_(place, place)]
    found = maximal_groups(together, at_most=at_most)
    maximal = found is not None
    groups = _covering(together) if found is None else list(found)
    return Tiers(
        systems=tuple(systems[k] for k in place.tolist()),
        tiers=tuple(sorted(groups)),
        maximal=maximal,
    )


def _covering(together: BoolArray) -> list[tuple[int, ...]]:
    """Groups that hold every two systems that are together at least once, grown from the best on."""
    m = together.shape[0]
    left: BoolArray = np.array(np.triu(together, 1), dtype=np.bool_)
    groups: list[tuple[int, ...]] = []
    for i in range(m):
        while bool(left[i].any()):
            own = [i, int(np.argmax(left[i]))]
            common: BoolArray = np.logical_and.reduce(together[own], axis=0)
            for k in range(m):
                if common[k] and k not in own:
                    own.append(k)
                    common = common & together[k]
            own.sort()
            left[np.ix_(own, own)] = False
            groups.append(tuple(own))
    held = {k for group in groups for k in group}
    return groups + [(k,) for k in range(m) if k not in held]
