"""How often the counts by joint flips overstate: ``./run.sh calibrate joint``."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from scipy.stats import binomtest

from core.replicability.joint import JOINT_STATISTICS, flip_jointly, k_hat_by_flips
from core.types import FloatArray

N_STUDIES, N_FLIPS = 20_000, 99
N_UNITS, N_DATASETS, ALPHA = 40, 6, 0.05


class Study(NamedTuple):
    """Differences of units by datasets, and on how many of these A truly is better."""

    differences: FloatArray
    k: int


Draw = Callable[[np.random.Generator], Study]


def _normal(
    rng: np.random.Generator,
    *,
    rho: float,
    shifts: tuple[float, ...],
    n_units: int = N_UNITS,
    absent: float = 0.0,
) -> Study:
    shape = (n_units, len(shifts))
    noise = np.sqrt(rho) * rng.normal(size=(n_units, 1)) + np.sqrt(1.0 - rho) * rng.normal(
        size=shape
    )
    differences = noise + np.array(shifts)
    if absent:
        differences[rng.random(shape) < absent] = 0.0
    return Study(differences, sum(shift > 0.0 for shift in shifts))


def _scores(rng: np.random.Generator, *, discrete: bool) -> Study:
    """Scores of two exchangeable systems, skewed; a unit's difficulty is one in all datasets."""
    hard = rng.gamma(0.5, size=(N_UNITS, 1, 1))
    noise = rng.gamma(0.5, size=(N_UNITS, N_DATASETS, 2))
    scores = hard * noise
    if discrete:
        scores = np.floor(3.0 * scores)
    return Study(scores[..., 0] - scores[..., 1], 0)


_NONE = (0.0,) * N_DATASETS
_HALF = (0.4,) * (N_DATASETS // 2) + (0.0,) * (N_DATASETS - N_DATASETS // 2)
_ONE = (1.5,) + (0.0,) * (N_DATASETS - 1)
_CASES: dict[str, Draw] = {
    f"{name}, ρ = {rho:.1f}".replace("0.", "."): partial(_normal, rho=rho, shifts=shifts)
    for name, shifts in (("all null", _NONE), ("half null", _HALF), ("one strong", _ONE))
    for rho in (0.0, 0.3, 0.6, 0.9)
}
_CASES["partial overlap"] = partial(_normal, rho=0.6, shifts=_HALF, absent=0.5)
_CASES["discrete scores"] = partial(_scores, discrete=True)
_CASES["skewed scores"] = partial(_scores, discrete=False)
SCENARIOS: Mapping[str, Draw] = MappingProxyType(_CASES)


def studies(scenario: str, n_studies: int, rng: np.random.Generator) -> Iterator[Study]:
    """So many studies of a scenario."""
    for _ in range(n_studies):
        yield SCENARIOS[scenario](rng)


def run(tell: Callable[[str], None], *, n_studies: int = N_STUDIES) -> int:
    """Tell each scenario's rates; how many of them exceed alpha."""
    broken = 0
    tell(f"P(k̂ > k) at α = {ALPHA} in {n_studies:,} studies of {N_DATASETS} datasets")
    for place, scenario in enumerate(SCENARIOS):
        rng = np.random.default_rng((21, place))
        wrong = dict.fromkeys(JOINT_STATISTICS, 0)
        for study in studies(scenario, n_studies, rng):
            flips = flip_jointly(study.differences, n_flips=N_FLIPS, rng=rng)
            for each in JOINT_STATISTICS:
                wrong[each] += k_hat_by_flips(flips, alpha=ALPHA, statistic=each) > study.k
        exceeds = [
            each
            for each, n in wrong.items()
            if binomtest(n, n_studies, ALPHA, alternative="greater").pvalue < 0.001
        ]
        broken += len(exceeds)
        tell(
            f"{scenario:24} "
            + "  ".join(f"{each} {n / n_studies:.4f}" for each, n in wrong.items())
            + (f"   ABOVE: {', '.join(exceeds)}" if exceeds else "")
        )
    _skewed_differences(tell, n_studies)
    return broken


def _skewed_differences(tell: Callable[[str], None], n_studies: int) -> None:
    """Mean zero without exchangeability: told, not judged."""
    for n_units in (30, 300):
        rng, wrong = np.random.default_rng(7), 0
        for _ in range(n_studies // 10):
            drawn = 1.0 - rng.exponential(size=(n_units, N_DATASETS))
            wrong += (
                k_hat_by_flips(flip_jointly(drawn, n_flips=N_FLIPS, rng=rng), statistic="max") > 0
            )
        tell(f"1 − Exp(1), n = {n_units}: max {10 * wrong / n_studies:.3f}, not exchangeable")
