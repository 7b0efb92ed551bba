"""The sentences that state a result, pinned word for word."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.replicability.answers import Answer
from core.replicability.assessment import Assessment, assess
from core.replicability.identification import identify_datasets
from core.report.common_practice import common_practice_sentence
from core.report.printed import zeros_sentence
from core.report.questions import questions
from core.report.sentences import (
    count_sentence,
    identification_sentence,
    names_sentence,
)
from core.report.subject import Subject
from core.report.tiles import counting_tiles
from core.report.verdicts import verdict
from core.types import Alternative, Dependence

# Mate and Redshift on seven genres: Dror et al. 2017, Table 2.
GENRES = ("BC", "BN", "MZ", "NW", "PT", "TC", "WB")
REDSHIFT = (0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823)
AHEAD = (1.0,) * 7


def mate(
    p_values: tuple[float, ...] = REDSHIFT,
    *,
    dependence: Dependence = "independent",
    alternative: Alternative = "greater",
    alpha: float = 0.05,
) -> Assessment:
    return assess(
        p_values,
        (1.0,) * len(p_values),
        alternative=alternative,
        alpha=alpha,
        dependence=dependence,
    )


def subject(n: int = 7, a: str = "Mate", b: str = "Redshift") -> Subject:
    names = GENRES if n == 7 else tuple(f"d{i + 1}" for i in range(n))
    return Subject(system_a=a, system_b=b, datasets=names)


def answer_of(assessment: Assessment) -> Answer:
    assert assessment.answer_a is not None
    return assessment.answer_a


def test_a_positive_count_is_said_with_confidence_and_assumption() -> None:
    sentence = count_sentence(answer_of(mate()), subject(), claim="a-better")
    assert sentence == (
        "With 95% confidence, Mate is better than Redshift on at least 5 of 7 datasets. "
        "This holds if the datasets are independent (Fisher)."
    )


def test_all_datasets_are_said_as_all() -> None:
    found = mate((0.0001,) * 7, dependence="not-known")
    assert count_sentence(answer_of(found), subject(), claim="a-better") == (
        "With 95% confidence, Mate is better than Redshift on all 7 datasets, however they depend "
        "on each other (Bonferroni)."
    )


def test_simes_names_its_condition() -> None:
    sentence = count_sentence(
        answer_of(mate((0.001,) * 5 + (0.5, 0.6), dependence="positive")),
        subject(),
        claim="a-better",
    )
    assert sentence.endswith(
        "on at least 5 of 7 datasets. This holds if the tests are independent or positively "
        "dependent (Simes)."
    )


def test_without_direction_the_sentence_says_differ_and_that_it_does_not_say_which() -> None:
    found = assess([1e-8] * 16 + [0.9] * 7, None, alternative="two-sided", dependence="independent")
    sentence = count_sentence(found.undirected, subject(23, "A", "B"), claim="differ")
    assert sentence == (
        "With 95% confidence, A and B differ on at least 16 of 23 datasets. These p-values do not "
        "say which is better. The count holds if the datasets are independent (Fisher)."
    )


def test_nothing_shown_is_not_called_equality() -> None:
    found = mate((0.4,) * 7)
    answer = answer_of(found)
    assert count_sentence(answer, subject(), claim="a-better") == (
        "The data do not show that Mate is better than Redshift on any of the 7 datasets. That is "
        "not evidence that they are equal."
    )
    assert names_sentence(answer, subject()) == ""


@pytest.mark.parametrize(
    ("p_value", "expected"),
    [
        (
            0.003,
            "One dataset: Mate is better than Redshift there at level .05 (p = .003). Counting "
            "needs several.",
        ),
        (
            0.3,
            "One dataset: the data do not show that Mate is better than Redshift (p = .3). That is "
            "not evidence that they are equal. Counting needs several.",
        ),
    ],
)
def test_one_dataset_is_not_counted(p_value: float, expected: str) -> None:
    found = mate((p_value,), dependence="not-known")
    assert count_sentence(answer_of(found), subject(1), claim="a-better") == expected
    assert names_sentence(answer_of(found), subject(1)) == ""
    assert common_practice_sentence(answer_of(found), subject(1), claim="a-better") == ""


def test_a_count_above_its_names_says_which_may_be_named_under_which_assumption() -> None:
    assert names_sentence(answer_of(mate()), subject()) == (
        "At least 5 of 7, if the datasets are independent (Fisher). Under the same assumption MZ "
        "and NW can be named; the other 3 are not identified. Without that assumption: MZ (Holm)."
    )


def test_a_count_below_holms_names_is_said_as_two_statements() -> None:
    # statistics: p = .001 and five of .9 give 0 by Fisher and one name by Holm.
    found = assess(
        (0.001, 0.9, 0.9, 0.9, 0.9, 0.9),
        (1.0, -1.0, -1.0, -1.0, -1.0, -1.0),
        alternative="greater",
        dependence="independent",
    )
    answer = answer_of(found)
    assert answer.k_hat == 0
    assert names_sentence(answer, subject(6)) == (
        "Fisher's count gives none; Holm, a separate 95% statement that needs no "
        "independence, names 1: d1."
    )
    assert count_sentence(answer, subject(6), claim="a-better") == (
        "Fisher's count does not show that Mate is better than Redshift on any of the 6 datasets."
    )


def test_holms_list_is_said_with_its_error_rate_and_its_condition() -> None:
    found = answer_of(mate(dependence="not-known"))
    assert names_sentence(found, subject()) == (
        "Holm names MZ. A list made this way holds a wrong name in at most 5% of studies, however "
        "the datasets depend on each other, provided each dataset's own test is valid."
    )


def test_the_common_practice_is_said_to_have_no_guarantee() -> None:
    # 1 - .95^7 = .3017
    assert common_practice_sentence(answer_of(mate()), subject(), claim="a-better") == (
        "Common practice: one-sided p ≤ .05 for Mate on 2 of 7. This count has no guarantee: if "
        "neither system were better anywhere, up to 30% of studies of 7 independent datasets would "
        "still show such a “win”."
    )


def test_the_common_practice_is_named_after_what_the_table_declares_with_its_own_chance() -> None:
    # Two-sided with Mate ahead: 1 - .975^7 = .1624; where nothing is stated, both are said.
    cases: tuple[tuple[Alternative, str, tuple[str, ...]], ...] = (
        ("greater", "one-sided p ≤ .05 for Mate", ("30%",)),
        ("toward-higher-score", "one-sided p ≤ .05 with Mate ahead", ("30%",)),
        ("two-sided", "two-sided p ≤ .05 with Mate ahead", ("16%",)),
        ("not-stated", "p ≤ .05 with Mate ahead", ("30%", "16%")),
    )
    for alternative, name, chances in cases:
        found = mate(alternative=alternative)
        said = common_practice_sentence(answer_of(found), subject(), claim="a-better")
        assert said.startswith(f"Common practice: {name} on 2 of 7."), alternative
        assert tuple(re.findall(r"\d+%", said)) == chances, alternative
        assert verdict(found, subject()).tiles[-1].heading == f"Common practice: {name} on"


def test_holms_names_beyond_the_common_practice_are_explained() -> None:
    # One-sided .01, .02, .04: Holm names all three; two-sided .08 is no win.
    found = assess((0.02, 0.04, 0.08), AHEAD[:3], alternative="two-sided")
    assert answer_of(found).named_by_holm.all()
    assert answer_of(found).practice.n == 2
    said = common_practice_sentence(answer_of(found), subject(3), claim="a-better")
    assert said.endswith("Holm can find more than that: it takes one-sided p-values.")


def test_printed_zeros_are_said_to_be_read_as_below_half_a_unit() -> None:
    assert zeros_sentence(["0.0"] * 3, 0.00005) == (
        "3 p-values were printed as 0.0. They are read as below .00005, half a unit of the table's "
        "last digit."
    )
    assert zeros_sentence(["0"], 0.001, declared=True) == (
        "1 p-value was printed as 0. It is read as below .001, as stated for this table."
    )
    assert zeros_sentence(["0.0"], 0.0) == "1 p-value was printed as 0.0. It is read as exactly 0."
    assert zeros_sentence([], None) == ""


def test_a_table_without_direction_trouble_has_one_verdict_for_a() -> None:
    found = mate(alternative="not-stated")
    card = verdict(found, subject())
    assert card.sentence.startswith(
        "With 95% confidence, Mate is better than Redshift on at least 5 of 7 datasets."
    )
    assert [tile.figure for tile in card.tiles] == ["at least 5 of 7", "2 of 7"]
    assert [tile.guaranteed for tile in card.tiles] == [True, False]
    assert card.tiles[0].detail == (
        "MZ and NW under the same assumption (Fisher); MZ whatever the dependence (Holm)"
    )
    assert card.notes == (
        "The table does not say which way its p-values point. The figures above read them as "
        "one-sided for A, the smallest count of all; read as two-sided: at least 6.",
    )


def test_small_p_values_beside_a_lower_score_put_both_directions_in_front() -> None:
    found = assess(
        (1e-6, 2e-6, 0.3, 1e-6, 0.04), (1.0, 1.0, 1.0, -1.0, -1.0), dependence="not-known"
    )
    card = verdict(found, subject(5, "X", "Y"))
    assert card.sentence == (
        "X is better than Y on at least 2 of 5 datasets; Y is better than X on at least 1 of 5 "
        "datasets. Each is a statement of its own with 95% confidence, whatever the dependence "
        "between datasets (Bonferroni); both directions together with 90%."
    )
    assert [tile.figure for tile in card.tiles] == ["at least 2 of 5", "at least 1 of 5", "2"]
    assert "p-values ≤ .05 stand beside a lower score of X" in card.tiles[2].heading
    assert "As printed, without direction: the systems differ on at least" in card.notes[0]


def test_an_undirected_count_is_never_the_headline_beside_a_contrary_small_p_value() -> None:
    rng = np.random.default_rng(20171)
    for _ in range(200):
        n = int(rng.integers(1, 8))
        p_values = rng.random(n) ** 3
        differences = rng.choice([-1.0, 1.0, 0.0], n)
        for alternative in ("not-stated", "greater", "two-sided", "toward-higher-score"):
            found = assess(p_values, differences, alternative=alternative)
            if found.beside_lower_score.size:
                assert found.readings
                if alternative != "greater":
                    assert "greater" not in {reading.alternative for reading in found.readings}
                assert questions(found)[0].claim != "differ"
                assert " differ on " not in verdict(found, subject(n)).sentence


def test_the_headline_is_the_smallest_count_of_all_readings() -> None:
    rng = np.random.default_rng(20172)
    for _ in range(200):
        n = int(rng.integers(1, 9))
        found = assess(
            rng.random(n) ** 4, rng.choice([-1.0, 1.0], n), dependence="independent", alpha=0.1
        )
        assert found.answer_a is not None
        assert found.answer_b is not None
        assert found.answer_a.k_hat == min(r.a_better.k_hat for r in found.readings)
        assert found.answer_b.k_hat == min(r.b_better.k_hat for r in found.readings)


def test_a_declaration_that_the_numbers_contradict_is_said_and_never_loosened() -> None:
    found = assess((1e-6, 0.2, 1e-5), (1.0, 1.0, -1.0), alternative="greater")
    note = verdict(found, subject(3, "X", "Y")).notes[0]
    assert note.startswith("The p-values cannot all be one-sided for X, as stated")
    assert "d3" in note
    # A doubt can only make the count smaller: the declared reading stays among them.
    assert {reading.alternative for reading in found.readings} == {
        "greater",
        "toward-higher-score",
        "two-sided",
    }


def test_a_p_value_near_one_beside_a_higher_score_shows_two_sided() -> None:
    found = assess((0.001, 0.02, 0.9507), (1.0, 1.0, 0.5))
    assert [reading.alternative for reading in found.readings] == ["two-sided"]
    assert ".9507 on d3 shows that they are two-sided." in verdict(found, subject(3)).notes[0]


def test_the_counting_tiles_put_the_valid_combination_first_and_the_common_practice_last() -> None:
    for dependence, first in (
        ("not-known", "Bonferroni"),
        ("positive", "Simes"),
        ("independent", "Fisher"),
    ):
        found = mate(dependence=dependence)  # type: ignore[arg-type]
        tiles = counting_tiles(answer_of(found), subject(), claim="a-better")
        assert tiles[0].heading.startswith(first)
        assert [tile.guaranteed for tile in tiles] == [True, False, False, False]
        assert tiles[-1].detail == "a count without guarantee"


def test_identification_says_who_names_whom() -> None:
    found = mate()
    question = questions(found)[0]
    holm = identify_datasets(question.answer.p_values)
    assert identification_sentence(holm, question, subject()) == (
        "Holm names 1 of 7 as a dataset where Mate is better than Redshift: MZ."
    )
    none = identify_datasets(question.answer.p_values, alpha=0.01)
    assert identification_sentence(none, question, subject()) == (
        "Holm names none of the 7 datasets as one where Mate is better than Redshift."
    )


def test_no_sentence_uses_a_forbidden_word() -> None:
    forbidden = ("significant", "no difference between", "proves", "probability that A is better")
    rng = np.random.default_rng(20173)
    for _ in range(100):
        n = int(rng.integers(1, 7))
        dependence = ("not-known", "positive", "independent")[int(rng.integers(3))]
        found = assess(
            rng.random(n) ** 5,
            rng.choice([-1.0, 1.0], n),
            dependence=dependence,  # type: ignore[arg-type]
        )
        card = verdict(found, subject(n))
        texts = [card.sentence, *card.notes]
        for question in questions(found):
            texts += [
                count_sentence(question.answer, subject(n), claim=question.claim),
                names_sentence(question.answer, subject(n)),
                common_practice_sentence(question.answer, subject(n), claim=question.claim),
            ]
        assert not [text for text in texts for word in forbidden if word in text]


def test_a_doubt_about_the_declaration_never_raises_the_count() -> None:
    # .95 beside a higher score cannot be one-sided toward it; two-sided would halve .03.
    assert (
        answer_of(assess((0.001, 0.03, 0.95), AHEAD[:3], alternative="toward-higher-score")).k_hat
        == 1
    )
    rng = np.random.default_rng(20174)
    for _ in range(300):
        n = int(rng.integers(1, 7))
        p_values, differences = rng.random(n) ** 3, rng.choice([-1.0, 1.0], n)
        for alternative in ("greater", "less", "two-sided", "toward-higher-score"):
            found = assess(p_values, differences, alternative=alternative)
            declared = [r for r in found.readings if r.alternative == alternative]
            assert len(declared) == 1
            assert answer_of(found).k_hat <= declared[0].a_better.k_hat


def test_names_in_front_are_those_of_every_reading() -> None:
    rng = np.random.default_rng(20175)
    for _ in range(300):
        n = int(rng.integers(1, 7))
        found = assess(rng.random(n) ** 3, rng.choice([-1.0, 0.0, 1.0], n), alpha=0.1)
        for reading in found.readings:
            assert np.all(reading.a_better.named_by_holm[answer_of(found).named_by_holm])
            assert np.all(reading.a_better.named[answer_of(found).named])


def test_p_values_toward_the_higher_score_count_twice_as_evidence_of_a_difference() -> None:
    found = assess((0.024, 0.3), (1.0, 1.0), alternative="toward-higher-score")
    assert found.undirected.p_values.tolist() == [0.048, 0.6]
    assert found.undirected.k_hat == 0


def test_swapping_a_table_that_states_nothing_mirrors_its_verdict() -> None:
    rng = np.random.default_rng(20176)
    for _ in range(300):
        n = int(rng.integers(1, 7))
        p_values, differences = rng.random(n) ** 2, rng.choice([-1.0, 0.0, 1.0], n)
        one, other = assess(p_values, differences), assess(p_values, -differences)
        assert other.answer_b is not None
        assert answer_of(one).k_hat == other.answer_b.k_hat
        assert np.array_equal(answer_of(one).named_by_holm, other.answer_b.named_by_holm)


def test_a_missing_score_beside_a_contradicted_declaration_is_no_crash() -> None:
    found = assess((0.03, 0.2, 0.001), (-1.0, float("nan"), 10.0), alternative="greater")
    assert found.declared_is_ruled_out
    assert answer_of(found).k_hat <= 1
    assert verdict(found, subject(3)).sentence


def test_complements_lead_with_approximate_and_without_confidence() -> None:
    found = assess((0.99, 0.995, 0.999), None, alternative="less")
    sentence = count_sentence(answer_of(found), subject(3), claim="a-better")
    assert sentence == (
        "By 1 − p of the other system's tests, Mate is better than Redshift on all 3 datasets. "
        "That is approximate and carries no guarantee."
    )
    tiles = counting_tiles(answer_of(found), subject(3), claim="a-better")
    assert not any(tile.guaranteed for tile in tiles)


def test_both_sides_without_any_count_are_not_called_equal() -> None:
    found = assess((0.04, 0.04, 0.6), (1.0, -1.0, 1.0))
    assert verdict(found, subject(3, "X", "Y")).sentence == (
        "The data do not show on any of the 3 datasets that X is better than Y, nor that Y is "
        "better than X. That is not evidence that they are equal."
    )


def test_one_side_without_a_count_is_said_in_a_sentence_of_its_own() -> None:
    found = assess((1e-6, 0.04, 0.3), (1.0, -1.0, 1.0))
    assert verdict(found, subject(3, "X", "Y")).sentence == (
        "X is better than Y on at least 1 of 3 datasets, with 95% confidence, whatever the "
        "dependence between datasets (Bonferroni); both directions together with 90%. The data do "
        "not show that Y is better than X on any."
    )


def test_both_directions_of_our_own_tests_keep_the_common_practice_in_sight() -> None:
    found = assess(
        (0.001, 0.04, 0.99), (1.0, 1.0, -1.0), alternative="greater", p_values_b=(0.999, 0.97, 0.01)
    )
    tiles = verdict(found, subject(3)).tiles
    assert [tile.claim for tile in tiles] == ["a-better", "b-better", None]
    assert (tiles[2].figure, tiles[2].detail) == ("A 2, B 1 of 3", "a count without guarantee")


def test_where_both_sides_are_stated_the_common_practice_is_of_both() -> None:
    # B is ahead on three, A on none: the naive number for A alone would be 0.
    found = assess(
        (0.6, 0.999, 0.99, 0.98),
        (1.0, -1.0, -1.0, -1.0),
        alternative="greater",
        p_values_b=(0.4, 0.001, 0.01, 0.02),
    )
    assert found.answer_b is not None
    card = verdict(found, subject(4))
    assert card.sentence.startswith("Redshift is better than Mate on at least 3 of 4 datasets")
    assert card.tiles[2].figure == "A 0, B 3 of 4"
    tiles = counting_tiles(answer_of(found), subject(4), claim="a-better", of_b=found.answer_b)
    assert [tile.claim for tile in tiles] == ["a-better", "b-better", None, None, None]
    assert [tile.figure for tile in tiles[:2]] == ["none shown of 4", "at least 3 of 4"]
    assert tiles[0].heading == "Mate better, Bonferroni: any dependence"
    assert tiles[1].heading == "Redshift better, Bonferroni: any dependence"
    assert [tile.figure for tile in tiles[2:]] == [
        "k̂: A 0, B 3",
        "k̂: A 0, B 3",
        "A 0, B 3 of 4",
    ]


def test_the_common_practice_of_both_sides_is_worth_less_than_that_of_one() -> None:
    found = assess(
        (0.6, 0.999), (1.0, -1.0), alternative="greater", p_values_b=(0.4, 0.001), alpha=0.1
    )
    said = common_practice_sentence(
        answer_of(found), subject(2), claim="a-better", of_b=found.answer_b
    )
    # Without a difference one of both p-values is small with chance .2: 1 - .8 * .8 = .36.
    assert said == (
        "Common practice: one-sided p ≤ .1 for Mate on 0 and for Redshift on 1, of 2. These counts "
        "have no guarantee: if neither system were better anywhere, up to 36% of studies of 2 "
        "independent datasets would still show such a “win” of either system."
    )
    half = assess((0.6, 0.5), (1.0, 1.0), alternative="greater", p_values_b=(0.4, 0.5), alpha=0.5)
    assert "up to almost 100% of studies" in common_practice_sentence(
        answer_of(half), subject(2), claim="a-better", of_b=half.answer_b
    )


def test_a_side_taken_from_the_others_tests_is_given_no_confidence_in_the_verdict() -> None:
    found = assess((0.001, 0.99999, 0.4), (1.0, -1.0, 1.0), alternative="greater")
    assert found.answer_b is not None
    assert found.answer_b.complement
    assert verdict(found, subject(3, "X", "Y")).sentence == (
        "With 95% confidence, X is better than Y on at least 1 of 3 datasets, however they depend "
        "on each other (Bonferroni). By 1 − p of the other system's tests, Y is better than X on at "
        "least 1 of 3 datasets. That is approximate and carries no guarantee."
    )


def test_one_dataset_on_which_b_is_ahead_says_what_choosing_the_direction_costs() -> None:
    found = assess((0.03,), (-1.0,))
    assert verdict(found, subject(1, "X", "Y")).sentence == (
        "One dataset: Y is better than X there at level .05 (p = .03). Counting needs several. "
        "Where the direction was chosen by looking, that holds with 90% confidence."
    )
