"""How far mean ranks must lie apart, and which systems a comparison does not separate.

Vocabulary
----------
critical difference
    Mean ranks at least so far apart are separated, at one level for all pairs.
group
    A set of systems no two of which are separated, and to which none can be added.
    Groups overlap, as "not separated" does not carry over: A and B, B and C may go
    together while A and C do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..significance.lattice import SMALLEST
from ..types import BoolArray, FloatArray
from ..validation import check_alpha

# A matrix without any order can have more groups than anyone could read.
MOST_GROUPS = 2_000
# One letter a group, from a to z.
MOST_LETTERS = 26
# Of the search for groups: far more than a matrix with a readable number of them takes.
_MOST_STEPS = 128_000
# Nodes of the trapezoidal rule: on this analytic, quickly vanishing integrand it is
# exact to about 1e-13 for 2 to 300 systems.
_STEP = 0.125
_REACH = 14.0
# Quantiles are read as q: beyond it every tail is below the smallest float.
_MOST_Q = 60.0


def range_tail(q: npt.ArrayLike, k: int) -> FloatArray:
    """P(range of k standard normals >= q): the studentized range with infinite degrees of freedom.

    k∫φ(z)[Φ(z)^(k−1) − (Φ(z) − Φ(z − q))^(k−1)]dz, in which small tails keep their digits.
    """
    from scipy.special import log_ndtr

    values = np.asarray(q, dtype=np.float64)
    distinct, which = np.unique(values.ravel(), return_inverse=True)
    offsets = np.arange(-_REACH, _REACH + _STEP / 2, _STEP)
    tails = np.empty(distinct.size)
    # Blocks keep the memory small.
    for start in range(0, distinct.size, 4096):
        block = np.minimum(distinct[start : start + 4096, np.newaxis], _MOST_Q)
        # For large q the integrand peaks at q/2.
        z = 0.5 * block + offsets
        log_below = log_ndtr(z)
        share = np.minimum(np.exp(log_ndtr(z - block) - log_below), 1.0)
        with np.errstate(divide="ignore"):
            part = -np.expm1((k - 1) * np.log1p(-share))
        density = np.exp(-0.5 * z * z + (k - 1) * log_below)
        tails[start : start + 4096] = (density * part).sum(axis=1)
    tails *= k * _STEP / np.sqrt(2.0 * np.pi)
    result: FloatArray = np.clip(tails, SMALLEST, 1.0)[which].reshape(values.shape)
    return result


def nemenyi_quantile(alpha: float, k: int) -> float:
    """Demšar's q: what the range of k standard normals reaches with that chance, divided by √2."""
    from scipy.optimize import brentq

    level = check_alpha(alpha)
    q = brentq(lambda q: float(range_tail(q, k)) - level, 0.0, 40.0, xtol=1e-12)
    return float(q) / float(np.sqrt(2.0))


def bonferroni_dunn_quantile(alpha: float, k: int) -> float:
    """The normal quantile of alpha/2 shared among the k − 1 comparisons with a control."""
    from scipy.special import ndtri

    return float(-ndtri(check_alpha(alpha) / (2.0 * (k - 1))))


def groups_not_separated(
    separated: BoolArray, order: Sequence[int], *, at_most: int = MOST_GROUPS
) -> tuple[tuple[int, ...], ...]:
    """The maximal sets of systems no two of which are separated, and what is in them, in an order.

    Where there are more than `at_most`, which can only be where comparisons do not follow one
    order, fewer sets that still hold every two systems that are not separated together.
    """
    together = ~separated[np.ix_(order, order)]
    np.fill_diagonal(together, True)
    found = _maximal_groups(together.tobytes(), together.shape[0], at_most)
    groups = _covering(together) if found is None else found
    return tuple(tuple(order[i] for i in group) for group in sorted(groups))


def letters(groups: Sequence[Sequence[int]], k: int) -> tuple[str, ...]:
    """The letters of each system's groups: two systems that share one are not separated."""
    marks: list[list[str]] = [[] for _ in range(k)]
    for i, group in enumerate(groups):
        for member in group:
            marks[member].append(_letter(i))
    # Beyond z a mark has several letters, so that marks need a space between them.
    return tuple((" " if len(groups) > MOST_LETTERS else "").join(entry) for entry in marks)


def _letter(i: int) -> str:
    text = ""
    while i >= 0:
        text = chr(ord("a") + i % 26) + text
        i = i // 26 - 1
    return text


# A page that is drawn anew asks for the same groups as before, for its marks, its table and its note.
@lru_cache(maxsize=32)
def _maximal_groups(matrix: bytes, m: int, at_most: int) -> tuple[tuple[int, ...], ...] | None:
    """Maximal cliques (Bron and Kerbosch 1973, with Tomita's pivot); None of too many, or too long.

    Systems that are together with the same others are always in the same groups, so each kind of
    them is one vertex.
    """
    together: BoolArray = np.frombuffer(matrix, dtype=np.bool_).reshape(m, m)
    _, kind_of = np.unique(together, axis=0, return_inverse=True)
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
        if len(found) > at_most or steps > _MOST_STEPS:
            return None
        group, candidates, done = stack.pop()
        if not candidates:
            if not done:
                own = sorted(system for kind in _bits(group) for system in members[kind])
                found.append(tuple(own))
            continue
        pivot = max(_bits(candidates | done), key=lambda v: (candidates & beside[v]).bit_count())
        for kind in _bits(candidates & ~beside[pivot]):
            bit = 1 << kind
            stack.append((group | bit, candidates & beside[kind], done & beside[kind]))
            candidates &= ~bit
            done |= bit
    return tuple(found) if len(found) <= at_most else None


def _bits(number: int) -> list[int]:
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found


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
