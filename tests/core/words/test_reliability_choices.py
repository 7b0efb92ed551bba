"""What is said of metrics, tests and levels: counts of verdicts, the family, and free choice."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import ResultSet
from core.reliability.free_choice import simulated_free_choice
from core.reliability.levels import level_study
from core.reliability.metrics import MetricStudy, metric_study
from core.reliability.pairs import count_pairs
from core.words.reliability_choices import (
    choices_sentence,
    family_sentence,
    free_choice_frame,
    free_choice_sentence,
    of_datasets,
    within_reach,
)


def outcomes(wins: int, losses: int, n: int = 200) -> dict[str, list[float]]:
    a = [1.0] * wins + [0.0] * losses + [1.0] * (n - wins - losses)
    b = [0.0] * wins + [1.0] * losses + [1.0] * (n - wins - losses)
    return {"A": a, "B": b}


def study() -> MetricStudy:
    # Of 12 wins to 5 losses the exact p is .0717, mid-p .0481.
    scores = {"clear": outcomes(40, 5), "hangs": outcomes(12, 5), "level": outcomes(10, 10)}
    return metric_study(
        ResultSet.from_scores(scores), a="A", b="B", tests=["mcnemar", "mcnemar-mid-p"]
    )


STUDY = study()


def test_datasets_left_out_elsewhere_are_counted_nowhere() -> None:
    kept = of_datasets(STUDY, ("clear", "level"))
    assert kept is not None
    assert kept.datasets == ("clear", "level")
    assert kept.complete
    assert kept.family.n_pairs == 4
    assert of_datasets(STUDY, STUDY.datasets) is STUDY
    assert of_datasets(STUDY, ()) is None


def test_a_bootstrap_that_says_nothing_contradicts_no_other_test() -> None:
    scores = {"d": {"A": [0.5] * 12, "B": [0.1] * 12}}
    found = metric_study(
        ResultSet.from_scores(scores), a="A", b="B", tests=["paired-bootstrap", "sign"]
    )
    assert any(pair.kept_out for pair in found.pairs)
    assert within_reach(found).datasets_that_differ == ()
    assert "On none does it depend" in choices_sentence(found)


def test_the_family_is_counted_over_all_p_values_and_never_by_fisher() -> None:
    # Holm over four: .001 ≤ .05/4, .002 ≤ .05/3, .003 ≤ .05/2, .9 is above .05.
    family = count_pairs(("a", "a", "b", "c"), ("1", "2", "1", "1"), [0.001, 0.002, 0.003, 0.9])
    sentence = family_sentence(family)
    assert "a and b" in sentence
    assert "at least 2 of 3" in sentence
    assert "Fisher" not in sentence


def test_the_best_of_several_is_told_with_its_rate_and_its_corrected_p_value() -> None:
    rng = np.random.default_rng(5)
    scores = {"d": {"A": rng.normal(0.3, 1.0, 60), "B": rng.normal(0.0, 1.0, 60)}}
    data = ResultSet.from_scores(scores)
    found = simulated_free_choice(
        data, "d", a="A", b="B", tests=["sign", "wilcoxon", "paired-t"], n_repetitions=300
    )
    smallest = found.p_values.min(axis=1)
    sentence = free_choice_sentence(found)
    assert f"in {100 * np.mean(smallest <= 0.05):.0f}% of 300 repetitions" in sentence
    corrected = (1 + np.sum(smallest <= found.observed.min() * (1 + 1e-9))) / 301
    assert found.adjusted_p_value == pytest.approx(corrected)
    assert "the best of 3" in sentence
    frame = free_choice_frame(found)
    assert list(frame["test"]) == ["sign", "wilcoxon", "paired-t", ""]
    best = float(frame["p ≤ .05 by chance"].iloc[-1].rstrip("%"))
    assert best >= max(float(one.rstrip("%")) for one in frame["p ≤ .05 by chance"][:-1])


def test_levels_too_small_for_any_small_p_are_named_and_large_ones_are_not() -> None:
    from core.words.reliability_choices import without_reach_sentence

    ours = [1.0] * 40 + [0.0] * 3
    base = [0.0] * 20 + [1.0] * 3 + [0.0] * 20
    data = ResultSet.from_scores({"d": {"ours": ours, "base": base}})
    kinds = {"d": ["many"] * 40 + ["few"] * 3}
    study = level_study(data, a="ours", b="base", covariate=kinds, n_resamples=99)
    sentence = without_reach_sentence(study)
    assert all(token in sentence for token in ("1 of 2", "few on d"))
    assert without_reach_sentence(study.at_level(0.2)) == ""
