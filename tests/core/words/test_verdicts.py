"""Verdicts: what they count, in which direction, and what carries a guarantee."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import analyse, statements
from core.data import PValueTable
from core.methods.results import methods_paragraphs
from core.replicability.assessment import Assessment, assess
from core.replicability.counting import count_datasets
from core.replicability.sensitivity import find_sensitivity
from core.sections.answers import levels_sentence
from core.types import Alternative, Dependence
from core.words.counting import (
    DEPENDENCE_ANSWERS,
    common_practice_sentence,
    counting_tiles,
    practice_counts,
    swapped_sentence,
    together_sentence,
)
from core.words.subject import Question, Subject, headline_questions, questions
from core.words.verdicts import verdict
from tests.core.made import p_value_table

# Mate and Redshift on seven genres: Dror et al. 2017, Table 2.
GENRES = ("BC", "BN", "MZ", "NW", "PT", "TC", "WB")
REDSHIFT = (0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823)


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


def of_a(assessment: Assessment) -> list[Question]:
    return [question for question in questions(assessment) if question.claim == "a-better"][:1]


def test_the_common_practice_is_named_after_what_the_table_declares_with_its_own_chance() -> None:
    # Two-sided with Mate ahead: 1 - .975^7 = .1624; where nothing is stated, both are said.
    cases: tuple[tuple[Alternative, str, tuple[str, ...]], ...] = (
        ("greater", "one-sided", ("30%",)),
        ("toward-higher-score", "one-sided", ("30%",)),
        ("two-sided", "two-sided", ("16%",)),
        ("not-stated", "", ("30%", "16%")),
    )
    for alternative, sided, chances in cases:
        said = common_practice_sentence(of_a(mate(alternative=alternative)), subject())
        assert ("one-sided" in said.split("≤")[0], "two-sided" in said.split("≤")[0]) == (
            sided == "one-sided",
            sided == "two-sided",
        ), alternative
        assert "2 of 7" in said, alternative
        assert tuple(re.findall(r"\d+%", said)) == chances, alternative


def test_small_p_values_beside_a_lower_score_put_both_directions_in_front() -> None:
    found = assess(
        (1e-6, 2e-6, 0.3, 1e-6, 0.04), (1.0, 1.0, 1.0, -1.0, -1.0), dependence="not-known"
    )
    card = verdict(found, subject(5, "X", "Y"))
    for token in ("at least 2 of 5", "at least 1 of 5", "90%"):
        assert token in card.statement.text
    # A figure is read on from its heading.
    assert [f"{tile.heading} {tile.figure}" for tile in card.tiles] == [
        "X better on at least 2 of 5",
        "Y better on at least 1 of 5",
        "Y has the higher score where p ≤ .05, on 2 of 5",
        "Common practice: p ≤ .05 A ahead on 2, B ahead on 2 of 5",
    ]


def test_an_undirected_count_is_never_the_headline_beside_a_contrary_small_p_value() -> None:
    rng = np.random.default_rng(20171)
    for _ in range(60):
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
                assert " differ on " not in verdict(found, subject(n)).statement.text


def test_the_counting_tiles_put_the_valid_combination_first_and_the_common_practice_last() -> None:
    for dependence, first in (
        ("not-known", "Bonferroni"),
        ("positive", "Simes"),
        ("independent", "Fisher"),
    ):
        found = mate(dependence=dependence)  # type: ignore[arg-type]
        tiles = counting_tiles(of_a(found), subject())
        assert tiles[0].heading.startswith(first)
        assert [tile.guaranteed for tile in tiles] == [True, False, False, False, False]
        assert tiles[-1].detail == "a count without guarantee"


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
    assert "at least 3 of 4" in card.statement.text
    assert [tile.claim for tile in card.tiles] == ["a-better", "b-better", None]
    assert card.tiles[2].figure == "for A on 0, for B on 3 of 4"
    tiles = counting_tiles(headline_questions(found), subject(4))
    assert [tile.claim for tile in tiles] == ["a-better", "b-better", *[None] * 4]
    assert [tile.figure for tile in tiles[:2]] == ["none shown of 4", "at least 3 of 4"]
    assert [tile.figure for tile in tiles[2:]] == [
        "k̂: A 0, B 3",
        "k̂: A 0, B 3",
        "k̂: A 0, B 2",
        "for A on 0, for B on 3 of 4",
    ]


def test_the_common_practice_of_both_sides_is_worth_less_than_that_of_one() -> None:
    # Without a difference one of both p-values is small with chance .2: 1 - .8 * .8 = .36.
    for p_values, p_values_b, alpha, chance in (
        ((0.6, 0.999), (0.4, 0.001), 0.1, "36%"),
        ((0.6, 0.5), (0.4, 0.5), 0.5, "100%"),
    ):
        found = assess(
            p_values, (1.0, -1.0), alternative="greater", p_values_b=p_values_b, alpha=alpha
        )
        said = common_practice_sentence(headline_questions(found), subject(2))
        assert re.findall(r"\d+%", said) == [chance], alpha


def test_a_side_taken_from_the_others_tests_is_given_no_confidence_in_the_verdict() -> None:
    found = assess((0.001, 0.99999, 0.4), (1.0, -1.0, 1.0), alternative="greater")
    assert found.answer_b.complement
    of_a, of_b, *_ = verdict(found, subject(3, "X", "Y")).statement.text.split(". ")
    assert "95%" in of_a
    assert "%" not in of_b


def test_wins_of_whoever_is_ahead_are_of_p_and_not_of_its_complement() -> None:
    # One-sided for the other system, as declared, which .001 with a higher score contradicts:
    # then .001 is counted as printed, and 1 − .001 would be no win.
    found = assess((0.001, 0.9, 0.4), (1.0, -1.0, 1.0), alternative="less")
    (asked, *_) = headline_questions(found)
    assert asked.answer.complement
    said = practice_counts([asked], subject(3))
    assert said.startswith("p ≤ .05 with ")
    assert said.endswith(" ahead on 1")


ROOT = Path(__file__).resolve().parents[3]


def test_the_answers_about_dependence_are_written_out_in_one_place_only() -> None:
    """Whoever quotes one takes it from the table, so that it is quoted as it is offered."""
    answers = "|".join(re.escape(answer) for answer in DEPENDENCE_ANSWERS.values())
    holding = {
        path.relative_to(ROOT).as_posix()
        for room in ("core", "pages")
        for path in (ROOT / room).rglob("*.py")
        if re.search(rf"[\"“]({answers})", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert holding == {"core/words/counting.py"}


def test_from_a_level_of_one_half_on_no_confidence_is_left_for_both_directions() -> None:
    assert "hold with no confidence instead of 50%" in swapped_sentence(0.5, a="X", b="Y")
    assert "hold with no confidence instead of 20%" in swapped_sentence(0.8, a="X", b="Y")
    assert "hold with 80% confidence instead of 90%" in swapped_sentence(0.1, a="X", b="Y")
    assert together_sentence(0.5) == ""


@given(p_values=st.lists(st.floats(1e-6, 0.9), min_size=2, max_size=8))
def test_a_level_is_rounded_so_that_what_is_said_of_it_is_true(p_values: list[float]) -> None:
    found = find_sensitivity(p_values, combination="simes")
    said, k_hat = levels_sentence(found), found.counting.k_hat
    level = r"((?:\d?\.)?\d+(?:e-\d+)?)"

    def counted_at(text: str, factor: float) -> int:
        alpha = min(float(text) * factor, 1.0 - 1e-9)
        return count_datasets(p_values, alpha=alpha, combination="simes").k_hat

    # Levels are found to one part in a million.
    for text in re.findall(rf"or more at α = {level}", said):
        assert counted_at(text, 1.0 + 1e-6) > k_hat, said
    for text in re.findall(rf"less than \d+ below α = {level}", said):
        assert counted_at(text, 1.0 - 1e-6) < k_hat, said


def ahead(p_values: Sequence[float], **more: Any) -> PValueTable:
    """A published table in which A has the higher score on every dataset."""
    scores = np.ones(len(p_values))
    return p_value_table(p_values, scores_a=scores + 1.0, scores_b=scores, **more)


def test_a_reading_that_the_table_states_is_not_said_to_be_unstated() -> None:
    # Declared one-sided for B, which small p-values beside higher scores of A contradict.
    for p_values in ((0.001, 0.01, 0.02), (0.01,)):
        analysis = analyse(ahead(p_values, alternative="less"))
        assert analysis.assessment.declared_is_ruled_out
        question = analysis.question
        assert question.reading == "less"
        said = statements.condition(analysis, question)
        assert "as the table states, although its numbers contradict it" in said
        assert "cannot all be one-sided for B, as stated" in " ".join(methods_paragraphs(analysis))


def test_of_one_dataset_no_reading_gives_at_least_a_count() -> None:
    for p_value, others in ((0.01, "gives the same answer"), (0.3, "")):
        analysis = analyse(ahead([p_value], alternative="not-stated"))
        said = statements.condition(analysis, analysis.question)
        assert "at least" not in said + " ".join(methods_paragraphs(analysis)), p_value
        assert said.endswith(f"{others}." if others else "which the table does not state."), said
