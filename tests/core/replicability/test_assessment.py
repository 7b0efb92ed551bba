"""The assessment: every reading that the numbers allow, and which one is in front."""

import numpy as np
import pytest

from core.replicability.assessment import assess
from core.replicability.combinations import combination_names, combinations_under, usual_combination
from core.replicability.counting import closed_names, count_datasets
from core.replicability.direction import READINGS, p_values_toward_a, p_values_toward_b
from core.replicability.identification import identify_datasets
from core.types import ALTERNATIVES, DEPENDENCES, Alternative
from core.words.subject import questions

MIXED = (1e-6, 0.3, 1e-5, 0.6)
SIGNS = (1.0, 1.0, -1.0, -1.0)


def test_each_dependence_puts_its_own_combination_in_front() -> None:
    expected = {"not-known": "bonferroni", "positive": "simes", "independent": "fisher"}
    assert {dependence: usual_combination(dependence) for dependence in DEPENDENCES} == expected
    for dependence in DEPENDENCES:
        found = assess(MIXED, SIGNS, dependence=dependence)
        assert found.undirected.combination == expected[dependence]
        assert found.undirected.counting.combination == found.undirected.combination


def test_another_combination_that_holds_is_in_front_with_the_names_of_its_closed_test() -> None:
    for dependence in DEPENDENCES:
        allowed = combinations_under(dependence)
        for combination in combination_names():
            if combination not in allowed:
                with pytest.raises(ValueError, match=f"'{combination}' holds if .*'{dependence}'"):
                    assess(MIXED, SIGNS, dependence=dependence, combination=combination)
                continue
            found = assess(MIXED, SIGNS, dependence=dependence, combination=combination)
            for answer in (found.answer_a, found.undirected):
                assert answer.counting.combination == combination
                named = closed_names(answer.p_values, alpha=0.05, combination=combination)
                assert answer.named.tolist() == named.tolist()


def test_swapping_the_systems_exchanges_the_answers() -> None:
    rng = np.random.default_rng(5)
    for alternative, exchanged in (
        ("two-sided", "two-sided"),
        ("toward-higher-score", "toward-higher-score"),
        ("greater", "less"),
    ):
        for _ in range(20):
            p_values, signs = rng.random(5) ** 2, rng.choice([-1.0, 1.0], 5)
            one = assess(p_values, signs, alternative=alternative)  # type: ignore[arg-type]
            other = assess(p_values, -signs, alternative=exchanged)  # type: ignore[arg-type]
            if one.declared_is_ruled_out:
                assert other.declared_is_ruled_out
                continue
            assert np.array_equal(one.answer_a.p_values, other.answer_b.p_values)
            assert one.answer_a.k_hat == other.answer_b.k_hat


def test_own_tests_of_both_systems_need_no_inference_about_direction() -> None:
    # A small p-value beside a lower mean is what a rank test may say: it stands.
    found = assess(
        (0.001, 0.9), (-0.1, 0.2), alternative="greater", p_values_b=(0.9995, 0.0001), alpha=0.05
    )
    assert [reading.alternative for reading in found.readings] == ["greater"]
    assert (found.answer_a.k_hat, found.answer_b.k_hat) == (1, 1)
    assert not found.answer_b.complement
    assert found.shows_both_sides


@pytest.mark.parametrize(
    ("alternative", "expected"),
    [
        ("two-sided", [0.01, 0.3, 0.8]),
        ("not-stated", [0.01, 0.3, 0.8]),
        # One-sided toward the system ahead, it is half of the two-sided one.
        ("toward-higher-score", [0.02, 0.6, 1.0]),
    ],
)
def test_that_the_systems_differ_is_told_by_two_sided_p_values(
    alternative: Alternative, expected: list[float]
) -> None:
    found = assess((0.01, 0.3, 0.8), (1.0, 1.0, -1.0), alternative=alternative)
    assert found.undirected.p_values.tolist() == expected
    own = assess(
        (0.001, 0.9, 0.7), (1, -1, 0), alternative="greater", p_values_b=(0.9995, 0.125, 0.6)
    )
    assert own.undirected.p_values.tolist() == [0.002, 0.25, 1.0]


def test_in_front_is_what_every_reading_that_the_numbers_allow_agrees_on() -> None:
    rng = np.random.default_rng(11)
    seen = set()
    for _ in range(30):
        p_values = rng.choice([0.001, 0.004, 0.02, 0.2, 0.4, 0.6, 0.97], 5)
        signs = rng.choice([-1.0, 0.0, 1.0], 5, p=[0.3, 0.2, 0.5])
        found = assess(p_values, signs)
        ruled_out = {entry.alternative for entry in found.ruled_out}
        allowed = [reading for reading in READINGS if reading not in ruled_out]
        assert [reading.alternative for reading in found.readings] == allowed
        seen.add(len(allowed))
        for answer, toward in (
            (found.answer_a, p_values_toward_a),
            (found.answer_b, p_values_toward_b),
        ):
            each = [toward(p_values, signs, alternative=reading) for reading in allowed]
            assert answer.k_hat == min(count_datasets(one).k_hat for one in each)
            named = np.array([identify_datasets(one).rejected for one in each])
            assert answer.named.tolist() == answer.named_apart.tolist() == named.all(0).tolist()
        assert found.only_two_sided == (allowed == ["two-sided"])
        assert found.n_printed == int(np.sum(p_values <= 0.05))
    assert len(seen) >= 3


def test_a_small_p_value_beside_a_lower_score_contradicts_a_declaration_a_large_one_not() -> None:
    small, large = ((0.001, 0.2), (-1.0, 1.0)), ((0.95, 0.2), (1.0, 1.0))
    for alternative, turn in (("greater", 1.0), ("less", -1.0)):
        found = assess(small[0], np.multiply(small[1], turn), alternative=alternative)  # type: ignore[arg-type]
        assert found.declared_is_ruled_out
        # The others are taken beside it.
        assert {reading.alternative for reading in found.readings} > {alternative, "two-sided"}
        stands = assess(large[0], np.multiply(large[1], turn), alternative=alternative)  # type: ignore[arg-type]
        assert not stands.declared_is_ruled_out
        assert [reading.alternative for reading in stands.readings] == [alternative]
    toward = assess(large[0], large[1], alternative="toward-higher-score")
    assert toward.declared_is_ruled_out


def test_both_sides_are_shown_as_soon_as_one_number_speaks_for_b_whatever_the_level() -> None:
    ahead, behind = (1.0, 1.0), (1.0, -1.0)
    for alpha in (0.0001, 0.01, 0.05, 0.1):
        cases: tuple[tuple[tuple[float, ...], tuple[float, ...] | None, bool], ...] = (
            ((0.01, 0.2), ahead, False),
            ((0.01, 0.2), behind, False),
            # Under the reading as declared, .91 would be .09 for B.
            ((0.01, 0.91), behind, True),
            ((0.2, 0.1), behind, True),
        )
        for p_values, signs, shown in cases:
            found = assess(p_values, signs, alternative="greater", alpha=alpha)
            assert found.shows_both_sides == shown, (alpha, p_values)
        assert not assess((0.01, 0.02), None, alpha=alpha).shows_both_sides
        for p_b, shown in ((0.1, True), (0.11, False)):
            tested = assess(
                (0.01, 0.95), behind, alternative="greater", p_values_b=(0.995, p_b), alpha=alpha
            )
            assert tested.shows_both_sides == shown, (alpha, p_b)
    assert assess((0.2, 0.05), behind, alternative="greater").beside_lower_score.tolist() == [1]
    # A larger level takes the place of .1, or a count for B would not be seen.
    loose = assess((0.01, 0.9), behind, alternative="greater", p_values_b=(0.99, 0.15), alpha=0.2)
    assert loose.shows_both_sides


def test_which_claims_can_be_asked_does_not_hang_on_the_level() -> None:
    rng = np.random.default_rng(16)
    for _ in range(12):
        n = int(rng.integers(1, 7))
        p_values, signs = rng.random(n) ** 3, rng.choice([-1.0, 0.0, 1.0], n)
        for alternative in ALTERNATIVES:
            asked = [
                sorted(
                    q.key
                    for q in questions(
                        assess(p_values, signs, alternative=alternative, alpha=alpha)
                    )
                )
                for alpha in (0.001, 0.01, 0.05, 0.1)
            ]
            assert asked[1:] == asked[:-1], (alternative, p_values.tolist(), signs.tolist())


def test_complements_are_marked_and_never_certain() -> None:
    found = assess((1.0, 1.0 - 1e-16, 0.2), None, alternative="greater")
    assert found.answer_b.complement
    assert found.answer_b.p_values.tolist() == [1.0, 1.0, 0.8]
    assert found.answer_b.k_hat == 0
    for alternative, marked in (("greater", (False, True)), ("less", (True, False))):
        sides = assess((0.2, 0.4), None, alternative=alternative)  # type: ignore[arg-type]
        assert (sides.answer_a.complement, sides.answer_b.complement) == marked


def test_a_missing_score_says_no_more_of_who_is_ahead_than_level_scores() -> None:
    p_values = (0.001, 0.2, 0.01)
    missing, level = (
        assess(p_values, (-1.0, 1.0, unknown), alternative="greater") for unknown in (np.nan, 0.0)
    )
    # The first speaks against the declaration, so that other readings come beside it.
    assert len(missing.readings) > 1
    for one, other in zip(missing.readings, level.readings, strict=True):
        assert one.alternative == other.alternative
        assert one.a_better.p_values.tolist() == other.a_better.p_values.tolist()
        assert one.b_better.p_values.tolist() == other.b_better.p_values.tolist()


def test_without_scores_only_a_declared_side_has_a_direction() -> None:
    assert assess(MIXED, None).readings == ()
    assert [q.claim for q in questions(assess(MIXED, None))] == ["differ"]
    assert questions(assess(MIXED, None, alternative="greater"))[0].claim == "a-better"
    assert assess(MIXED, None, alternative="two-sided").readings == ()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"differences": (1.0,)}, "`differences` must hold one number a p-value"),
        (
            {"differences": (1.0,), "alternative": "greater"},
            "`differences` must hold one number a p-value",
        ),
        ({"differences": (float("nan"), 1.0, 1.0, 1.0)}, "got nan at index 0"),
        ({"alternative": "nonsense"}, "`alternative` must be one of"),
        (
            {"differences": None, "alternative": "toward-higher-score"},
            "`differences` must be given",
        ),
        ({"p_values_b": MIXED}, "'greater' where `p_values_b` is given; got 'not-stated'"),
        ({"lower_ends": [True]}, "`lower_ends` must hold one truth value a p-value"),
        ({"dependence": "some"}, "`dependence` must be one of"),
        ({"alpha": None}, "`alpha` must lie strictly between 0 and 1; got None"),
    ],
)
def test_wrong_arguments_are_named_with_what_came(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        assess(MIXED, **{"differences": SIGNS, **arguments})  # type: ignore[arg-type]


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided", "toward-higher-score"])
@pytest.mark.parametrize("sign", [1.0, -1.0, 0.0])
def test_where_only_a_lower_end_is_known_p_is_1_toward_either_system(
    alternative: Alternative, sign: float
) -> None:
    found = assess(
        [0.05, 0.001],
        [sign, 1.0],
        alternative=alternative,
        lower_ends=[True, False],
    )
    for reading in found.readings:
        assert reading.a_better.p_values[0] == reading.b_better.p_values[0] == 1.0
    assert found.undirected.p_values[0] == 1.0


def test_a_lower_end_rules_no_reading_out_though_its_value_is_1() -> None:
    p_values, differences = [1.0, 0.2, 0.3], [2.0, 1.0, -1.0]
    counted = assess(p_values, differences)
    assert {ruled.alternative for ruled in counted.ruled_out} == {"greater", "toward-higher-score"}
    ends = assess(p_values, differences, lower_ends=[True, False, False])
    assert ends.ruled_out == ()
    assert {reading.alternative for reading in ends.readings} >= {"greater", "toward-higher-score"}
