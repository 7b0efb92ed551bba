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
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.effects.critical_difference import letters
from core.types import BoolArray, IntArray

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
    found = _all_tiers(together.tobytes(), m, at_most)
    maximal = found is not None
    groups = _covering(together) if found is None else list(found)
    return Tiers(
        systems=tuple(systems[k] for k in place.tolist()),
        tiers=tuple(sorted(groups)),
        maximal=maximal,
    )


def tiers_of_mean_ranks(
    mean_ranks: npt.ArrayLike, critical_difference: float, *, systems: tuple[str, ...]
) -> Tiers:
    """Tiers of systems whose mean ranks differ by less than a critical difference.

    Parameters
    ----------
    mean_ranks : array_like, shape (m,)
        1 being the best.
    critical_difference : float
        Two systems are separated where their mean ranks differ by at least this.
    systems : tuple of str
        Their names.

    Raises
    ------
    ValueError
        If there is not one mean rank a system, or the difference is not positive.
    """
    ranks = np.asarray(mean_ranks, dtype=np.float64)
    if ranks.shape != (len(systems),):
        raise ValueError(
            f"`mean_ranks` must have one number a system, {len(systems)}; got shape {ranks.shape}."
        )
    if not critical_difference > 0.0:
        raise ValueError(
            f"`critical_difference` must be larger than 0; got {critical_difference!r}."
        )
    place = np.argsort(ranks, kind="stable")
    ordered = ranks[place]
    # A tier is a stretch of ranks; the longest from each start, if it is in no earlier one.
    room = 1e-9 * max(1.0, critical_difference)
    ends: IntArray = np.searchsorted(ordered, ordered + critical_difference - room, side="left")
    stretches = [
        tuple(range(start, end))
        for start, end in enumerate(ends.tolist())
        if start == 0 or end > ends[start - 1]
    ]
    return Tiers(
        systems=tuple(systems[k] for k in place.tolist()), tiers=tuple(stretches), maximal=True
    )


# A page that is drawn anew asks for the same tiers as before, for its marks, its table and its note.
@lru_cache(maxsize=32)
def _all_tiers(matrix: bytes, m: int, at_most: int) -> tuple[tuple[int, ...], ...] | None:
    """Maximal cliques (Bron and Kerbosch 1973, with Tomita's pivot), or None beyond `at_most`.

    Systems that are together with the same others are always in the same tiers,
    so each kind of them is one vertex.
    """
    together: BoolArray = np.frombuffer(matrix, dtype=np.bool_).reshape(m, m)
    alike: BoolArray = together | np.eye(together.shape[0], dtype=np.bool_)
    _, kind_of = np.unique(alike, axis=0, return_inverse=True)
    members: list[list[int]] = [[] for _ in range(int(kind_of.max()) + 1)]
    for system, kind in enumerate(kind_of.ravel().tolist()):
        members[kind].append(system)
    first = [own[0] for own in members]
    small = together[np.ix_(first, first)]
    beside = [
        sum(1 << other for other in np.flatnonzero(row).tolist() if other != kind)
        for kind, row in enumerate(small)
    ]
    found: list[tuple[int, ...]] = []
    steps = 0
    stack = [(0, (1 << len(members)) - 1, 0)]
    while stack:
        steps += 1
        if len(found) > at_most or steps > 64 * at_most:
            return None
        tier, candidates, done = stack.pop()
        if not candidates:
            if not done:
                own = sorted(system for kind in _bits(tier) for system in members[kind])
                found.append(tuple(own))
            continue
        pivot = max(_bits(candidates | done), key=lambda v: (candidates & beside[v]).bit_count())
        for kind in _bits(candidates & ~beside[pivot]):
            bit = 1 << kind
            stack.append((tier | bit, candidates & beside[kind], done & beside[kind]))
            candidates &= ~bit
            done |= bit
    return tuple(found) if len(found) <= at_most else None


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


def _bits(number: int) -> list[int]:
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found
