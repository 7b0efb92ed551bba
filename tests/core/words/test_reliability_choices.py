"""What is said of metrics, tests and levels: counts of verdicts, the family, and free choice."""

from __future__ import annotations

from core.data import ResultSet
from core.reliability.metrics import MetricStudy, metric_study
from core.words.reliability_choices import (
    choices_sentence,
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
    assert "The verdict is the same by each" in choices_sentence(found)
