"""What is said of sample size: the numbers of a study, and a power that nobody observed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.data import ResultSet
from core.reliability.sample_size import DatasetSubsamples, SubsampleStudy, subsample_significance
from core.words.reliability_sizes import (
    dataset_sentence,
    power_of_stated,
    sizes_frame,
)


def outcomes(wins: int, losses: int, n: int) -> dict[str, list[float]]:
    a = [1.0] * wins + [0.0] * losses + [1.0] * (n - wins - losses)
    b = [0.0] * wins + [1.0] * losses + [1.0] * (n - wins - losses)
    return {"A": a, "B": b}


def study(alpha: float = 0.05) -> SubsampleStudy:
    scores = {
        "strong": outcomes(60, 5, 200),
        # One-sided p of 15 wins to 6 losses: .0392.
        "fragile": outcomes(15, 6, 200),
        # 13 to 6: .0835.
        "vanishing": outcomes(13, 6, 200),
        "level": outcomes(20, 20, 200),
    }
    return subsample_significance(
        ResultSet.from_scores(scores), a="A", b="B", alpha=alpha, n_subsamples=200, rng=3
    )


STUDY = study()


def test_the_table_holds_the_share_of_parts_below_the_level_and_the_p_value_of_the_whole() -> None:
    frame = sizes_frame(STUDY).set_index("dataset")

    def cell(dataset: str, heading: str) -> str:
        return str(frame.loc[dataset, heading])

    for own in STUDY.datasets:
        for point, heading in zip(own.points[:-1], ("10%", "25%", "50%", "75%"), strict=True):
            share = 100.0 * np.mean(point.p_values <= 0.05)
            assert float(cell(own.dataset, heading).rstrip("%")) == pytest.approx(share)
    exact = stats.binomtest(15, 21, alternative="greater").pvalue
    assert cell("fragile", "p of the whole") == f"★ {exact:.4f}".replace("0.", ".")
    assert cell("level", "p of the whole").startswith("–")
    assert cell("fragile", "depends on size") == "needs nearly all"


def test_parts_that_are_resampled_though_the_whole_is_exact_are_said_to_be() -> None:
    rng = np.random.default_rng(4)
    for decimals, resampled in ((1, False), (4, True)):
        scores = {system: rng.random(600).round(decimals) for system in ("A", "B")}
        found = subsample_significance(
            ResultSet.from_scores({"d": scores}), a="A", b="B", n_subsamples=20, n_resamples=99
        )
        (own,) = found.datasets
        assert (own.full.test, own.full.method) == ("approximate-randomization", "exact")
        assert any(point.method == "monte-carlo" for point in own.points) == resampled
        assert ("estimated from resamples" in dataset_sentence(own)) == resampled


def scored(n: int = 50) -> DatasetSubsamples:
    rng = np.random.default_rng(1)
    scores = {"d": {"A": rng.normal(1.0, 2.0, n), "B": rng.normal(0.0, 2.0, n)}}
    found = subsample_significance(
        ResultSet.from_scores(scores), a="A", b="B", test="paired-t", n_subsamples=10
    )
    return found.datasets[0]


def test_the_power_is_that_of_the_noncentral_t_distribution_at_the_stated_difference() -> None:
    own = scored()
    assert own.standard_deviation is not None
    stated = power_of_stated(own, 0.7)
    shift = 0.7 / own.standard_deviation * np.sqrt(50)
    power = stats.nct.sf(stats.t.isf(0.05, 49), 49, shift)
    assert f"with probability {100 * power:.0f}%" in stated.sentence
    assert stated.expected is not None
    assert stated.expected.effect == 0.7
    n = int(stated.sentence.split("it would take ")[1].split(" ")[0].replace(",", ""))

    def reached(size: int) -> float:
        moved = 0.7 / float(own.standard_deviation or 1.0) * np.sqrt(size)
        return float(stats.nct.sf(stats.t.isf(0.05, size - 1), size - 1, moved))

    assert reached(n) >= 0.8 > reached(n - 1)
