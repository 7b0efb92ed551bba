"""How p-values arise: which datasets have an effect, and how far they depend on each other.

Vocabulary
----------
block
    Datasets that share one normal factor: z_i = sqrt(rho) z_0 + sqrt(1 - rho) e_i + effect.
effect
    Shift of z. A dataset whose effect is positive is one on which A is better.
k
    The number of such datasets, which the counts are to bound from below.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ..replicability.combinations import combinations_under
from ..replicability.joint import JointFlips
from ..significance.counting import binomial_point, fair_coin_at_least
from ..types import BoolArray, FloatArray
from ..validation import check_yes_or_no
from .batch import MAX_DATASETS

# P-values drawn at once: 1 MiB, which stays in a processor's cache, takes a few milliseconds and
# keeps all temporaries of a chunk below 64 MiB.
CHUNK_ENTRIES = 1 << 17


class PValueSource(Protocol):
    """Anything that draws p-values and knows the truth behind them, in several threads at once.

    Used where there are any: ``n_datasets``; ``signature`` (a line of text); ``truly_better``, shape
    (N,); ``n_at_once`` (how many studies to draw together, where p-values cost much); ``proved``
    (the counts that keep their promise by theory); ``draw_flips`` (from a stream in the same state
    the joint flips of the same studies, which then count too).
    """

    @property
    def k(self) -> int:
        """On how many datasets A is better."""

    def draw(self, rng: np.random.Generator, n: int, /) -> npt.NDArray[np.floating]:
        """P-values of `n` studies, shape (n, N)."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """What draws p-values and says of itself all that `PValueSource` may; its signature tells it apart.

    `truly_better`, shape (N,), is on which datasets A is better; `draw` and `draw_flips` are from a
    stream and a number of studies.
    """

    signature: str
    truly_better: BoolArray = field(compare=False)
    proved: tuple[str, ...] = field(compare=False)
    draw: Callable[[np.random.Generator, int], FloatArray] = field(compare=False)
    n_at_once: int | None = field(default=None, compare=False)
    draw_flips: Callable[[np.random.Generator, int], list[JointFlips]] | None = field(
        default=None, compare=False
    )

    @property
    def n_datasets(self) -> int:
        """N."""
        return self.truly_better.size

    @property
    def k(self) -> int:
        """On how many datasets A is better."""
        return int(np.count_nonzero(self.truly_better))


def plain(number: float) -> str:
    """Write a number so that different ones differ: "0.5", "2"."""
    return repr(float(number)).removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Block:
    """Datasets with one effect that are equally correlated with each other.

    Attributes
    ----------
    n_datasets : int
        At least 1.
    rho : float
        Correlation of any two of their z, in [0, 1].
    effect : float
        Shift of their z: 0 makes every null hypothesis of the block true with
        uniform p-values, a negative one makes B better.

    Raises
    ------
    ValueError
        If one of them is no such number.
    """

    n_datasets: int
    rho: float = 0.0
    effect: float = 0.0

    def __post_init__(self) -> None:
        try:
            n = operator.index(self.n_datasets)
        except TypeError:
            n = 0
        if not 1 <= n <= MAX_DATASETS:
            raise ValueError(
                f"`n_datasets` must be a whole number between 1 and {MAX_DATASETS}; "
                f"got {self.n_datasets!r}."
            )
        rho, effect = float(self.rho), float(self.effect)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"`rho` must lie between 0 and 1; got {self.rho!r}.")
        if not math.isfinite(effect):
            raise ValueError(f"`effect` must be a finite number; got {self.effect!r}.")
        object.__setattr__(self, "n_datasets", n)
        object.__setattr__(self, "rho", rho)
        object.__setattr__(self, "effect", effect)

    def draw(self, rng: np.random.Generator, n: int, *, times: int = 1) -> FloatArray:
        """Draw p-values of so many such blocks in `n` studies, shape (n, times * n_datasets)."""
        from scipy.special import ndtr

        if self.rho == self.effect == 0.0:
            # What 1 - cdf(z) is distributed as, at a tenth of the time.
            return rng.random((n, times * self.n_datasets))
        z = rng.standard_normal((n, times * self.n_datasets))
        factor = rng.standard_normal((n, times, 1)) if self.rho > 0.0 else None
        self.turn(z.reshape(n, times, self.n_datasets), factor)
        p_values: FloatArray = ndtr(z, out=z)
        return p_values

    def turn(self, z: FloatArray, factor: FloatArray | None) -> None:
        """Make -z, whose lower tail is wanted, of independent normals and what they share, in place."""
        z *= -math.sqrt(1.0 - self.rho)
        if factor is not None and self.rho > 0.0:
            z -= math.sqrt(self.rho) * factor
        if self.effect != 0.0:
            z -= self.effect


@dataclass(frozen=True, slots=True)
class Scenario:
    """Blocks of datasets, independent of each other unless one factor moves all.

    Attributes
    ----------
    blocks : tuple of Block
        At least one.
    one_factor : bool
        Whether the normal factor is the same for all blocks, z_i = √ρ_i z_0 + √(1 − ρ_i) e_i +
        effect_i; by default each has a factor of its own.

    Raises
    ------
    ValueError
        If there is no block, something is no `Block`, there are more than 32767 datasets, or
        `one_factor` is neither true nor false.

    Examples
    --------
    >>> from replicability import Block, Scenario
    >>> mixture = Scenario((Block(50, effect=3.0), Block(50)))
    >>> mixture.k, mixture.n_datasets, mixture.signature
    (50, 100, '50 effect=3 + 50')
    """

    blocks: tuple[Block, ...]
    one_factor: bool = False

    def __post_init__(self) -> None:
        blocks = (self.blocks,) if isinstance(self.blocks, Block) else tuple(self.blocks)
        if not blocks:
            raise ValueError("`blocks` must hold at least one block; got none.")
        for block in blocks:
            if not isinstance(block, Block):
                raise ValueError(f"`blocks` must hold nothing but blocks; got {block!r}.")
        object.__setattr__(self, "blocks", blocks)
        check_yes_or_no(self.one_factor, name="one_factor")
        if self.n_datasets > MAX_DATASETS:
            raise ValueError(
                f"`blocks` must hold at most {MAX_DATASETS} datasets in all; got {self.n_datasets}."
            )

    @property
    def n_datasets(self) -> int:
        """N."""
        return sum(block.n_datasets for block in self.blocks)

    @property
    def truly_better(self) -> BoolArray:
        """On which datasets A is better, shape (n_datasets,)."""
        return np.repeat(
            [block.effect > 0.0 for block in self.blocks],
            [block.n_datasets for block in self.blocks],
        )

    @property
    def k(self) -> int:
        """On how many."""
        return int(np.count_nonzero(self.truly_better))

    @property
    def signature(self) -> str:
        """The blocks on one line: sizes, correlations and effects other than 0."""
        parts = []
        for block, alike in groupby(self.blocks):
            times = sum(1 for _ in alike)
            text = f"{times}x{block.n_datasets}" if times > 1 else str(block.n_datasets)
            for name, value in (("rho", block.rho), ("effect", block.effect)):
                if value != 0.0:
                    text += f" {name}={plain(value)}"
            parts.append(text)
        return ("one factor over " if self.one_factor else "") + " + ".join(parts)

    @property
    def proved(self) -> tuple[str, ...]:
        """Counts whose promise is proved here.

        No two z have a correlation below 0, so that the tests depend positively at most.
        """
        moved = [block.n_datasets for block in self.blocks if block.rho > 0.0]
        independent = (sum(moved) if self.one_factor else max(moved, default=0)) <= 1
        return combinations_under("independent" if independent else "positive")

    def draw(self, rng: np.random.Generator, n: int) -> FloatArray:
        """Draw `n` studies: one-sided p-values of "A is better", shape (n, n_datasets).

        The blocks are in their order.
        """
        if self.one_factor and len(self.blocks) > 1:
            return self._moved_together(rng, n)
        # Equal blocks that follow upon each other once, with their number.
        alike = [(block, sum(1 for _ in same)) for block, same in groupby(self.blocks)]
        if len(alike) == 1:
            return alike[0][0].draw(rng, n, times=alike[0][1])
        p_values = np.empty((n, self.n_datasets))
        start = 0
        # Each into its place as it is drawn: all of them at once would take the memory twice.
        for block, times in alike:
            width = times * block.n_datasets
            p_values[:, start : start + width] = block.draw(rng, n, times=times)
            start += width
        return p_values

    def _moved_together(self, rng: np.random.Generator, n: int) -> FloatArray:
        from scipy.special import ndtr

        z = rng.standard_normal((n, self.n_datasets))
        factor = rng.standard_normal((n, 1))
        start = 0
        # Block by block, without a second table.
        for block in self.blocks:
            block.turn(z[:, start : start + block.n_datasets], factor)
            start += block.n_datasets
        p_values: FloatArray = ndtr(z, out=z)
        return p_values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Preset:
    """A scenario from the paper, with k = 0, and P(k̂ > 0) at alpha = .05 by estimator.

    `printed` is as the paper prints it, `theory` computed without simulation; `more_than_one` is P(k̂
    > 1), where that is what the paper's figures are consistent with.
    """

    scenario: Scenario
    printed: Mapping[str, float]
    theory: Mapping[str, float]
    note: str
    more_than_one: Mapping[str, float] = field(default_factory=dict)


# Dror et al. (TACL 2017), section 5 and Figure 1.
TOY_INDEPENDENT = Preset(
    scenario=Scenario((Block(100),)),
    printed={"count": 0.963, "bonferroni": 0.001, "fisher": 0.021},
    theory={"count": 0.9941, "bonferroni": 0.0488, "fisher": 0.05},
    note=(
        "The figures printed there fit a count above 1 rather than above 0: "
        "P(k̂ > 1) = .963, .0012 and .0180."
    ),
    more_than_one={"count": 0.9629, "bonferroni": 0.0012, "fisher": 0.018},
)
TOY_DEPENDENT = Preset(
    scenario=Scenario((Block(34), Block(33, rho=0.2), Block(33, rho=0.5))),
    printed={"count": 0.943, "bonferroni": 0.046, "fisher": 0.234},
    theory={"count": 0.9616, "bonferroni": 0.0433, "fisher": 0.2335},
    note=(
        "Here each group of 33 has a shared factor of its own. One factor shared by both groups "
        "gives .944, .041 and .267: neither gives all three of the paper's figures."
    ),
)
PRESETS = (TOY_INDEPENDENT, TOY_DEPENDENT)


def shift_of(difference: float, n_examples: int, share_differing: float) -> float:
    """How far "A is better by d on n examples" shifts the z of a dataset.

    A alone is right on a share (q + d)/2, B alone on (q − d)/2. The mean of n differences has the
    standard deviation √(q − d²)/√n, so that z is shifted by d√n/√(q − d²).
    """
    return difference * math.sqrt(n_examples / (share_differing - difference**2))


class Difference(NamedTuple):
    """A is better by d on n examples, of which exactly one system is right on a share q."""

    d: float = 0.02
    n_examples: int = 1_000
    q: float = 0.1


def shift_by(effect: float | Difference) -> float:
    """By how much an effect, a shift itself or a difference in accuracy, shifts z."""
    return shift_of(*effect) if isinstance(effect, Difference) else effect


# Of more examples there are too many outcomes to list.
MOST_EXAMPLES = 2000
# Outcomes below this are left out: of all together there is less than 1e-12.
_UNLIKELY = 1e-19


def mcnemar_datasets(
    n_datasets: int,
    n_examples: int = 30,
    share_differing: float = 0.2,
    difference: float = 0.0,
    n_better: int = 0,
) -> Source:
    """Independent datasets of 0/1 outcomes with exact McNemar p-values, which are discrete.

    `share_differing` is q, on what share of examples exactly one system is right, in (0, 1];
    `difference` d, accuracy of A less that of B on the first `n_better` datasets, in [0, q].
    """
    signature = f"mcnemar {n_datasets} n={n_examples} q={plain(share_differing)}"
    if n_better:
        signature += f" d={plain(difference)} on {n_better}"

    def draw(rng: np.random.Generator, n: int) -> FloatArray:
        p_values = rng.random((n, n_datasets))
        for columns, d in ((slice(0, n_better), difference), (slice(n_better, None), 0.0)):
            part = p_values[:, columns]
            if part.size:
                share, first, second = _urns(n_examples, share_differing, d)
                place = part * share.size
                urn = np.minimum(place.astype(np.intp), share.size - 1)
                part[:] = np.where(place - urn < share[urn], first[urn], second[urn])
        return p_values

    return Source(
        signature=signature,
        truly_better=np.arange(n_datasets) < n_better,
        proved=combinations_under("independent"),
        draw=draw,
    )


# Power along a curve, or a search for a number, draws from the same few distributions again.
@lru_cache(maxsize=8)
def _urns(n: int, q: float, d: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The distribution as urns that are equally likely, with one or two balls each.

    Of each urn the share of the first ball, and both balls' p-values: a tenth of the time of drawing
    binomials (Walker, ACM TOMS 1977).
    """
    p_values, chances = _outcomes(n, q, d)
    share = (chances * chances.size).tolist()
    other = list(range(len(share)))
    low = [index for index, part in enumerate(share) if part < 1.0]
    high = [index for index, part in enumerate(share) if part >= 1.0]
    while low and high:
        small, large = low.pop(), high[-1]
        other[small] = large
        share[large] -= 1.0 - share[small]
        if share[large] < 1.0:
            low.append(high.pop())
    # What rounding leaves over fills its urn alone.
    for index in (*low, *high):
        share[index] = 1.0
    return np.array(share), p_values, p_values[other]


def _outcomes(n: int, q: float, d: float) -> tuple[FloatArray, FloatArray]:
    m = np.arange(n + 1)
    of_m = binomial_point(m, n, q)
    m = m[of_m > _UNLIKELY]
    differing = np.repeat(m, m + 1)
    for_a = np.arange(differing.size) - np.repeat(np.cumsum(m + 1) - (m + 1), m + 1)
    chances = of_m[differing] * binomial_point(for_a, differing, 0.5 + 0.5 * d / q)
    likely = chances > _UNLIKELY
    differing, for_a, chances = differing[likely], for_a[likely], chances[likely]
    return fair_coin_at_least(for_a, differing - for_a), chances / chances.sum()
