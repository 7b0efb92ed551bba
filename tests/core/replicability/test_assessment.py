"""The assessment: every reading that the numbers allow, and which one is in front."""

from __future__ import annotations

import numpy as np
import pytest

from core.replicability.assessment import COMBINATION_OF_DEPENDENCE, assess
from core.report.questions import questions
from core.types import DEPENDENCES

MIXED = (1e-6, 0.3, 1e-5, 0.6)
SIGNS = (1.0, 1.0, -1.0, -1.0)


def test_each_dependence_puts_its_own_combination_in_front() -> None:
    assert set(COMBINATION_OF_DEPENDENCE) == set(DEPENDENCES)
    for dependence in DEPENDENCES:
        found = assess(MIXED, SIGNS, dependence=dependence)
        assert found.undirected.combination == COMBINATION_OF_DEPENDENCE[dependence]
        assert found.undirected.counting.combination == found.undirected.combination


def test_swapping_the_systems_exchanges_the_answers() -> None:
    rng = np.random.default_rng(5)
    for alternative, exchanged in (
        ("two-sided", "two-sided"),
        ("toward-higher-score", "toward-higher-score"),
        ("greater", "less"),
    ):
        for _ in range(50):
            p_values, signs = rng.random(5) ** 2, rng.choice([-1.0, 1.0], 5)
            one = assess(p_values, signs, alternative=alternative)  # type: ignore[arg-type]
            other = assess(p_values, -signs, alternative=exchanged)  # type: ignore[arg-type]
            if one.declared_is_ruled_out:
                assert other.declared_is_ruled_out
                continue
            assert one.answer_a is not None
            assert other.answer_b is not None
            assert np.array_equal(one.answer_a.p_values, other.answer_b.p_values)
            assert one.answer_a.k_hat == other.answer_b.k_hat


def test_own_tests_of_both_systems_need_no_inference_about_direction() -> None:
    # A small p-value beside a lower mean is what a rank test may say: it stands.
    found = assess(
        (0.001, 0.9), (-0.1, 0.2), alternative="greater", p_values_b=(0.9995, 0.0001), alpha=0.05
    )
    assert [reading.alternative for reading in found.readings] == ["greater"]
    assert found.answer_a is not None
    assert found.answer_b is not None
    assert (found.answer_a.k_hat, found.answer_b.k_hat) == (1, 1)
    assert not found.answer_b.complement
    assert found.shows_both_sides


def test_complements_are_marked_and_never_certain() -> None:
    found = assess((1.0, 1.0 - 1e-16, 0.2), None, alternative="greater")
    assert found.answer_b is not None
    assert found.answer_b.complement
    assert found.answer_b.p_values.tolist() == [1.0, 1.0, 0.8]
    assert found.answer_b.k_hat == 0


def test_without_scores_only_a_declared_side_has_a_direction() -> None:
    assert assess(MIXED, None).readings == ()
    assert [q.claim for q in questions(assess(MIXED, None))] == ["differ"]
    assert questions(assess(MIXED, None, alternative="greater"))[0].claim == "a-better"
    assert assess(MIXED, None, alternative="two-sided").readings == ()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"differences": (1.0,)}, "`differences` must hold one number a p-value"),
        ({"differences": (float("nan"), 1.0, 1.0, 1.0)}, "got nan at index 0"),
        ({"alternative": "nonsense"}, "`alternative` must be one of"),
        (
            {"differences": None, "alternative": "toward-higher-score"},
            "`differences` must be given",
        ),
        ({"p_values_b": MIXED}, "'greater' where `p_values_b` is given; got 'not-stated'"),
        ({"dependence": "some"}, "`dependence` must be one of"),
        ({"alpha": None}, "`alpha` must be a number between 0 and 1; got None"),
    ],
)
def test_wrong_arguments_are_named_with_what_came(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        assess(MIXED, **{"differences": SIGNS, **arguments})  # type: ignore[arg-type]


def test_masked_p_values_are_refused_rather_than_counted() -> None:
    with pytest.raises(ValueError, match="no masked entries"):
        assess(np.ma.array([0.001, 0.002], mask=[False, True]), None)


def test_p_values_on_the_wrong_side_of_one_half_on_most_datasets_rule_a_side_out() -> None:
    found = assess((0.12, 0.2, 0.3, 0.15), (1.0, 1.0, 1.0, 1.0))
    assert "less" not in {reading.alternative for reading in found.readings}
    # Two datasets are no pattern.
    found = assess((0.12, 0.2), (1.0, 1.0))
    assert "less" in {reading.alternative for reading in found.readings}
