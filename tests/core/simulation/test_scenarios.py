"""Scenarios draw what they say."""

from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import kstest

from core.simulation.batch import MAX_DATASETS
from core.simulation.scenarios import PRESETS, TOY_DEPENDENT, Block, Scenario
from tests.core.simulation.theory import chance_of_fisher, chance_of_none_at_most

N_DRAWS = 40_000


def draw(*blocks: Block, seed: int = 1, n: int = N_DRAWS) -> np.ndarray:
    return Scenario(blocks).draw(np.random.default_rng(seed), n)


def z_of(p_values: np.ndarray) -> np.ndarray:
    return np.asarray(-ndtri(p_values))


@pytest.mark.parametrize("block", [Block(3), Block(3, rho=0.4), Block(3, rho=1.0)])
def test_p_values_of_true_nulls_are_uniform_whatever_the_correlation(block: Block) -> None:
    p_values = draw(block)
    assert p_values.shape == (N_DRAWS, 3)
    for column in p_values.T:
        assert kstest(column, "uniform").pvalue > 1e-4


def test_z_are_correlated_within_blocks_and_not_between_them() -> None:
    # Equal blocks are drawn together, and have a factor each all the same.
    half = Block(2, rho=0.5)
    z = z_of(draw(half, half, Block(3, rho=0.2), Block(2, rho=0.5, effect=1.0), Block(1), half))
    found = np.corrcoef(z, rowvar=False)
    truth = np.eye(12)
    pairs = ((0, 1), (2, 3), (7, 8), (10, 11))
    for members, rho in (((4, 5, 6), 0.2), *((pair, 0.5) for pair in pairs)):
        truth[np.ix_(members, members)] = rho
    np.fill_diagonal(truth, 1.0)
    # Five standard errors of a correlation of 0; fewer for the others.
    assert np.abs(found - truth).max() < 5.0 / np.sqrt(N_DRAWS)


def test_p_values_come_from_the_upper_tail_itself() -> None:
    p_values = draw(Block(5, effect=12.0), n=200)
    # Of z beyond 8.3, 1 - cdf would be 0.
    assert p_values.min() > 0.0
    assert p_values.max() < 1e-12
    assert abs(float(z_of(p_values).mean()) - 12.0) < 0.2


def test_the_signature_tells_every_block() -> None:
    blocks = tuple(Block(10, rho=0.8) for _ in range(10))
    assert Scenario(blocks).signature == "10x10 rho=0.8"
    mixture = (Block(50, effect=3.0), Block(50), Block(50), Block(2, rho=0.25, effect=-0.5))
    assert Scenario(mixture).signature == "50 effect=3 + 2x50 + 2 rho=0.25 effect=-0.5"
    assert TOY_DEPENDENT.scenario.signature == "34 + 33 rho=0.2 + 33 rho=0.5"


def test_a_block_or_scenario_that_cannot_be_is_refused() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"n_datasets": 0}, "`n_datasets` must be a whole number between 1 and 32767; got 0"),
        ({"n_datasets": -1}, "`n_datasets`"),
        ({"n_datasets": 2.5}, "`n_datasets` must be a whole number .*; got 2.5"),
        ({"n_datasets": MAX_DATASETS + 1}, "`n_datasets`"),
        ({"n_datasets": 2, "rho": -0.1}, "`rho` must lie between 0 and 1; got -0.1"),
        ({"n_datasets": 2, "rho": 1.1}, "`rho`"),
        ({"n_datasets": 2, "rho": float("nan")}, "`rho`"),
        ({"n_datasets": 2, "effect": float("nan")}, "`effect` must be a finite number; got nan"),
        ({"n_datasets": 2, "effect": float("inf")}, "`effect`"),
    )
    for arguments, message in wrong:
        with pytest.raises(ValueError, match=message):
            Block(**arguments)
    with pytest.raises(ValueError, match=r"`one_factor` must be .*; got 'x'"):
        Scenario((Block(1),), one_factor="x")  # type: ignore[arg-type]
    no_scenarios: tuple[tuple[Any, str], ...] = (
        ((), "at least one block; got none"),
        ((Block(1), "x"), "nothing but blocks; got 'x'"),
        ((Block(MAX_DATASETS), Block(1)), "at most 32767 datasets in all; got 32768"),
    )
    for blocks, message in no_scenarios:
        with pytest.raises(ValueError, match=message):
            Scenario(blocks)


@pytest.mark.parametrize("preset", PRESETS, ids=["independent", "dependent"])
def test_the_theory_of_the_presets_comes_out_of_integrals(preset: Any) -> None:
    scenario, n = preset.scenario, preset.scenario.n_datasets
    none_small, none_tiny = (
        float(np.prod([chance_of_none_at_most(level, block) for block in scenario.blocks]))
        for level in (0.05, 0.05 / n)
    )
    assert round(1.0 - none_small, 4) == preset.theory["count"]
    assert round(1.0 - none_tiny, 4) == preset.theory["bonferroni"]
    assert chance_of_fisher(scenario, 0.05) == pytest.approx(preset.theory["fisher"], abs=1e-4)
