"""Scenarios made by a few numbers, some to begin with, and further ways of depending on each other.

Vocabulary
----------
test set
    Examples that several datasets are tested on, as three of twelve pairs of
    domains share each target domain's test set.
"""

import math
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType

import numpy as np

from ..replicability.combinations import (
    JOINT_METHODS,
    combination_names,
    combinations_under,
    upper_tails,
)
from ..replicability.joint import JointFlips, flip_jointly
from ..types import FloatArray
from .scenarios import (
    MOST_EXAMPLES,
    Block,
    Difference,
    Scenario,
    Source,
    mcnemar_datasets,
    plain,
    shift_by,
)


def union_of_others(*sizes: int) -> Source:
    """Datasets of these sizes without a common example, and last one that holds all their examples.

    Its z is the mean of theirs, each weighted by the root of its size, as the z of a mean over all
    examples is. A is better on none of them. No two z have a correlation below 0.
    """
    weights = np.sqrt(np.array(sizes) / sum(sizes))

    def draw(rng: np.random.Generator, n: int) -> FloatArray:
        z = rng.standard_normal((n, len(sizes)))
        return upper_tails(np.column_stack([z, z @ weights]))

    return Source(
        signature=f"union of {', '.join(map(str, sizes))}",
        truly_better=np.zeros(len(sizes) + 1, dtype=np.bool_),
        proved=combinations_under("positive"),
        draw=draw,
    )


def together(*parts: Scenario | Source, name: str = "") -> Source:
    """Independent parts; a name stands in the place of their lines, of which a hash is kept.

    What is proved for every part is so for independent ones together.
    """
    signature = " + ".join(part.signature for part in parts)
    if name:
        signature = f"{name} ({sha256(signature.encode('utf-8')).hexdigest()[:8]})"

    def draw(rng: np.random.Generator, n: int) -> FloatArray:
        return np.concatenate([part.draw(rng, n) for part in parts], axis=1)

    return Source(
        signature=signature,
        truly_better=np.concatenate([part.truly_better for part in parts]),
        proved=tuple(
            method for method in combination_names() if all(method in p.proved for p in parts)
        ),
        draw=draw,
    )


def shared_test_sets(
    n_test_sets: int, n_sharing: int, *, rho: float, effect: float = 0.0, n_better: int = 0
) -> Source:
    """Datasets that share test sets, on `n_better` of each A is better by a shift of z."""
    blocks = []
    if n_better:
        blocks.append(Block(n_better, rho=rho, effect=effect))
    if n_better < n_sharing:
        blocks.append(Block(n_sharing - n_better, rho=rho))
    name = f"{n_test_sets} test sets of {n_sharing} rho={plain(rho)}"
    if n_better:
        name += f" effect={plain(effect)} on {n_better}"
    return together(*[Scenario(tuple(blocks), one_factor=True)] * n_test_sets, name=name)


def family_of(
    n_datasets: int,
    *,
    share_better: float = 1.0,
    effect: float | Difference = 0.0,
    rho: float = 0.0,
) -> Scenario | Source:
    """Datasets on a share of which A is better by an effect; any two z correlate by `rho`.

    Unless a difference in accuracy is `drawn_exactly`, z is shifted, a normal approximation, which
    finds too much where only a few examples differ.
    """
    n_better = math.floor(share_better * n_datasets + 0.5)
    if isinstance(effect, Difference) and drawn_exactly(effect, rho=rho):
        n_better = n_better if effect.d > 0.0 else 0
        return mcnemar_datasets(n_datasets, effect.n_examples, effect.q, effect.d, n_better)
    blocks = tuple(
        Block(size, rho=rho, effect=shift)
        for size, shift in ((n_better, shift_by(effect)), (n_datasets - n_better, 0.0))
        if size
    )
    return Scenario(blocks, one_factor=rho > 0.0)


def drawn_exactly(difference: Difference, *, rho: float) -> bool:
    """Whether examples themselves are drawn: of independent datasets that are not too large."""
    return rho == 0.0 and difference.d >= 0.0 and difference.n_examples <= MOST_EXAMPLES


# Those without numbers to choose, by the names that links and pages know them by.
SHAPES: Mapping[str, Scenario | Source] = MappingProxyType(
    {
        "one-factor": Scenario((Block(100, rho=0.5),), one_factor=True),
        "union": together(union_of_others(203, 252), Scenario((Block(9),))),
    }
)


# More datasets make the closed test by "sum" slow, which each study runs.
MOST_SHARING_DATASETS = 30
# Fewer have hardly more flips than are drawn, or fewer.
FEWEST_SHARED_EXAMPLES, MOST_SHARED_EXAMPLES = 10, 2_000
_FLIPS = 499
# Studies drawn at once: a stop is waited for by half a second.
_AT_ONCE = 32


def shared_examples(
    *,
    n_test_sets: int = 4,
    n_sharing: int = 3,
    n_examples: int = 100,
    rho: float = 0.5,
    effect: float = 0.0,
    n_better: int = 0,
) -> Source:
    """Several datasets on each of some test sets; the differences of every example are drawn.

    They are normal with standard deviation 1 and the correlation `rho` of any two datasets, so that
    the paired t-test is exact. A is better on `n_better` datasets of each test set; `effect` is the
    expected z of these, sqrt(n_examples) times the mean difference.
    """
    signature = f"{n_test_sets} test sets of {n_sharing} rho={plain(rho)}"
    if n_better:
        signature += f" effect={plain(effect)} on {n_better}"
    independent = rho == 0.0 or n_sharing == 1
    of_p_values = combinations_under("independent" if independent else "not-known")

    def differences(rng: np.random.Generator, n: int) -> FloatArray:
        """A - B on every example, shape (n * n_test_sets, n_examples, n_sharing)."""
        shape = (n * n_test_sets, n_examples, n_sharing)
        drawn = math.sqrt(1.0 - rho) * rng.standard_normal(shape)
        drawn += math.sqrt(rho) * rng.standard_normal((*shape[:2], 1))
        drawn[:, :, :n_better] += effect / math.sqrt(n_examples)
        return drawn

    def draw(rng: np.random.Generator, n: int) -> FloatArray:
        from scipy.special import stdtr

        drawn = differences(rng, n)
        t = math.sqrt(n_examples) * drawn.mean(axis=1) / drawn.std(axis=1, ddof=1)
        p_values: FloatArray = stdtr(n_examples - 1, -t)
        return p_values.reshape(n, n_test_sets * n_sharing)

    def draw_flips(rng: np.random.Generator, n: int) -> list[JointFlips]:
        drawn = differences(rng, n)
        found = []
        for start in range(0, len(drawn), n_test_sets):
            # Each test set has units of its own.
            parts = [
                flip_jointly(own, n_flips=_FLIPS, rng=rng)
                for own in drawn[start : start + n_test_sets]
            ]
            flipped = np.hstack([part.flipped for part in parts])
            n_units = n_test_sets * n_examples
            found.append(
                JointFlips(observed=flipped[0], flipped=flipped, n_units=n_units, exact=False)
            )
        return found

    return Source(
        signature=f"{signature} examples={n_examples} flips={_FLIPS}",
        truly_better=np.tile(np.arange(n_sharing) < n_better, n_test_sets),
        proved=(*of_p_values, *(each.name for each in JOINT_METHODS)),
        draw=draw,
        n_at_once=_AT_ONCE,
        draw_flips=draw_flips,
    )
