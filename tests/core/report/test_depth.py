"""Sentences about groups, both directions, dependence and what would change an answer."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from core.data import PValueTable, read_results, read_sample
from core.replicability.assessment import Assessment, assess
from core.replicability.groups import count_in_groups, groups_of
from core.replicability.identification import identify_datasets, named_by
from core.replicability.sensitivity import find_sensitivity
from core.report.family import count_metric_family, family_sentences
from core.report.groups import group_sentence, groups_frame
from core.report.procedures import (
    DEPENDENCE_ANSWERS,
    DEPENDENCE_EXAMPLES,
    dependence_lines,
    procedure_headings,
    procedures_frame,
)
from core.report.sensitivity import (
    hangs_on_sentence,
    levels_sentence,
    sensitivity_frame,
    without_sentence,
)
from core.report.sides import sides_at_alpha_sentence, sides_counts, sides_sentence
from core.report.subject import Subject
from core.types import DEPENDENCES, PROCEDURES, Alternative, Combination, Dependence

ROOT = Path(__file__).resolve().parents[3]
# Mate and Redshift on seven genres: Dror et al. 2017, Table 2.
GENRES = ("BC", "BN", "MZ", "NW", "PT", "TC", "WB")
REDSHIFT = (0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823)
MATE = Subject(system_a="Mate", system_b="Redshift", datasets=GENRES)


def pos_tagging(alternative: Alternative, dependence: Dependence, alpha: float) -> Assessment:
    _, content = read_sample("pos-tagging")
    table = read_results(content)
    assert isinstance(table, PValueTable)
    return assess(
        table.p_values,
        table.differences,
        alternative=alternative,
        alpha=alpha,
        dependence=dependence,
    )


def test_a_side_that_is_shown_nowhere_is_not_said_to_be_better_on_at_least_0() -> None:
    subject = Subject(system_a="a", system_b="b", datasets=("x", "y", "z"))

    def said(p_values: tuple[float, ...], p_values_b: tuple[float, ...]) -> str:
        half = assess(
            p_values, (1.0, 1.0, -1.0), alternative="greater", p_values_b=p_values_b, alpha=0.025
        )
        return sides_sentence(half, subject)

    assert said((0.9, 0.9, 0.999), (0.1, 0.1, 0.001)) == (
        "b is better on at least 1 of 3 datasets, a is not shown to be better on any; both "
        "together with 95% confidence (each at α/2), however the datasets depend on each other "
        "(Bonferroni). On the other 2 the data do not decide."
    )
    assert said((0.9, 0.9, 0.9), (0.1, 0.1, 0.1)) == (
        "Neither a nor b is shown to be better on any of 3 datasets, each direction taken at α/2. "
        "That is not evidence that they are equal."
    )


@pytest.mark.parametrize("dependence", ["not-known", "independent"])
@pytest.mark.parametrize("alternative", ["two-sided", "toward-higher-score"])
def test_at_half_the_level_each_tagger_is_better_on_at_least_three_languages(
    alternative: Alternative, dependence: Dependence
) -> None:
    half = pos_tagging(alternative, dependence, 0.025)
    assert sides_counts(half) == (3, 3)


def test_both_directions_are_said_with_one_confidence_and_what_is_undecided() -> None:
    half = pos_tagging("toward-higher-score", "independent", 0.025)
    subject = Subject(system_a="MIMICK", system_b="Char→Tag", datasets=("d",) * 23)
    assert sides_sentence(half, subject) == (
        "MIMICK is better on at least 3 datasets and Char→Tag on at least 3, of 23; both together "
        "with 95% confidence (each at α/2), if the datasets are independent (Fisher). On the "
        "other 17 the data do not decide."
    )


def test_both_directions_from_complements_carry_no_guarantee() -> None:
    half = assess((0.001, 0.999), (1.0, -1.0), alternative="greater", alpha=0.025)
    words = sides_sentence(half, Subject(system_a="a", system_b="b", datasets=("x", "y")))
    assert "approximate and carries no guarantee" in words
    assert "confidence" not in words


@pytest.mark.parametrize(
    ("combination", "condition"),
    [
        ("bonferroni", "Bonferroni; any dependence"),
        ("fisher", "Fisher; if all datasets are independent"),
        ("simes", "Simes; if all tests are independent or positively dependent"),
    ],
)
def test_a_group_is_said_with_its_bound_and_what_makes_it_hold(
    combination: Combination, condition: str
) -> None:
    p_values = (0.001, 0.002, 0.4, 0.5, 0.6)
    subject = Subject(system_a="ours", system_b="base", datasets=tuple("vwxyz"))
    (group,) = count_in_groups(p_values, {"Slavic": (0, 1, 2)}, combination=combination)
    sentence = group_sentence(group, subject, claim="a-better", alpha=0.05, combination=combination)
    assert sentence == (
        "Of the 3 datasets of Slavic, ours is better than base on at least 2. This holds for every "
        f"group at once, also for one chosen after looking, with 95% confidence ({condition})."
    )


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ((0, 1), "Of the 2 datasets of G, ours is better than base on all."),
        (
            (2, 3),
            "Of the 2 datasets of G, the data do not show that ours is better than base on any.",
        ),
        ((0,), "Of the 1 dataset of G, ours is better than base on it."),
    ],
)
def test_a_group_of_all_none_or_one_reads_right(members: tuple[int, ...], words: str) -> None:
    subject = Subject(system_a="ours", system_b="base", datasets=tuple("wxyz"))
    (group,) = count_in_groups((0.001, 0.002, 0.4, 0.5), {"G": members})
    sentence = group_sentence(
        group, subject, claim="a-better", alpha=0.05, combination="bonferroni"
    )
    assert sentence.startswith(words)


def test_groups_by_label_keep_the_order_of_the_datasets_and_leave_blanks_out() -> None:
    assert groups_of(("b", "a", "", "b")) == {"b": (0, 3), "a": (1,)}


def test_the_table_of_groups_names_the_members() -> None:
    groups = count_in_groups(REDSHIFT, {"news": (1, 3), "web": (6,)}, combination="fisher")
    frame = groups_frame(groups, MATE)
    assert frame["datasets"].tolist() == ["BN, NW", "WB"]
    assert frame["shown on at least"].tolist() == [f"{g.at_least} of {g.size}" for g in groups]


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_the_short_way_to_names_gives_those_of_the_whole_procedure(procedure: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        p_values = np.round(rng.uniform(size=rng.integers(1, 30)) ** 3, 3)
        whole = identify_datasets(p_values, procedure=procedure)  # type: ignore[arg-type]
        short = named_by(p_values, alpha=0.05, procedure=procedure)  # type: ignore[arg-type]
        assert short.tolist() == whole.rejected.tolist()


def test_procedures_stand_side_by_side_in_the_order_of_the_p_values() -> None:
    answer = assess(REDSHIFT, (1.0,) * 7, alternative="greater").answer_a
    assert answer is not None
    frame = procedures_frame(answer, MATE)
    assert frame["dataset"].tolist() == ["MZ", "NW", "WB", "TC", "PT", "BC", "BN"]
    assert frame["Holm (1)"].tolist() == ["★", *[""] * 6]
    assert frame["Fisher (2)"].tolist() == ["★", "★", *[""] * 5]
    promises = procedure_headings(frame, answer, MATE, claim="a-better")
    assert "whatever the dependence" in promises["Holm (1)"]
    assert "averaged over studies" in next(p for h, p in promises.items() if h.startswith("BH"))
    counted = "common practice: one-sided p ≤ .05 for Mate; no guarantee."
    assert promises["common practice (2)"] == counted
    assert frame["common practice (2)"].tolist() == ["★", "★", *[""] * 5]


def test_each_answer_about_dependence_has_its_count_and_its_names() -> None:
    answer = assess(REDSHIFT, (1.0,) * 7, alternative="greater").answer_a
    assert answer is not None
    assert dependence_lines(answer, MATE) == [
        "Not known, or yes (Bonferroni): at least 1 of 7; named: MZ.",
        "Only positively (Simes): at least 1 of 7; named: MZ.",
        "No, independent (Fisher): at least 5 of 7; named: MZ and NW.",
    ]


def test_every_example_of_dependence_begins_with_the_answer_as_it_is_offered() -> None:
    assert tuple(DEPENDENCE_EXAMPLES) == tuple(DEPENDENCE_ANSWERS) == DEPENDENCES
    for dependence, example in DEPENDENCE_EXAMPLES.items():
        assert example.startswith(f"{DEPENDENCE_ANSWERS[dependence]}: ")


def test_the_answers_about_dependence_are_written_out_in_one_place_only() -> None:
    """Whoever quotes one takes it from the table, so that it is quoted as it is offered."""
    answers = "|".join(re.escape(answer) for answer in DEPENDENCE_ANSWERS.values())
    holding = {
        path.relative_to(ROOT).as_posix()
        for room in ("core", "pages")
        for path in (ROOT / room).rglob("*.py")
        if re.search(rf"[\"“]({answers})", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert holding == {"core/report/procedures.py"}


def test_a_verdict_that_hangs_on_one_dataset_says_so() -> None:
    found = find_sensitivity(REDSHIFT)
    assert hangs_on_sentence(found, MATE) == (
        "The verdict hangs on one dataset: without MZ nothing is counted."
    )


def test_a_verdict_that_hangs_on_nothing_does_not_say_so() -> None:
    assert hangs_on_sentence(find_sensitivity(REDSHIFT, combination="fisher"), MATE) == ""


def test_the_levels_at_which_a_count_steps_are_said() -> None:
    assert levels_sentence(find_sensitivity(REDSHIFT)) == (
        "By Bonferroni the count is 1 of 7 at α = .05; it would be 2 or more from α = .226 on, "
        "and less than 1 below α = .0322."
    )


def test_the_range_of_the_count_with_one_dataset_left_out_is_said() -> None:
    assert without_sentence(find_sensitivity(REDSHIFT), MATE) == (
        "With any one dataset left out, the count of the other 6 lies between 0 (without MZ) and 1."
    )
    assert without_sentence(find_sensitivity(REDSHIFT, combination="fisher"), MATE) == (
        "Whichever one dataset is left out, the count of the other 6 is 4."
    )


def test_each_dataset_stands_with_the_p_value_up_to_which_it_is_named() -> None:
    frame = sensitivity_frame(find_sensitivity(REDSHIFT), MATE).set_index("dataset")
    assert frame.loc["MZ", "named up to p"] == f"{0.05 / 7:.3g}".removeprefix("0")
    assert frame.loc["NW", "named up to p"] == f"{0.05 / 6:.3g}".removeprefix("0")
    assert frame.loc["MZ", "k̂ without it"] == 0


def test_several_metrics_are_counted_as_pairs_and_as_datasets_without_fisher() -> None:
    p_values = {"F1": np.array([0.0001, 0.0002, 0.4]), "BLEU": np.array([0.0003, 0.5, 0.6])}
    subject = Subject(system_a="ours", system_b="base", datasets=("x", "y", "z"))
    family = count_metric_family(subject.datasets, p_values)
    assert family.n_pairs_bonferroni == 3
    sentences = family_sentences(family, subject, claim="a-better")
    assert sentences[0] == (
        "3 datasets × 2 metrics make 6 pairs, taken as one family. With 95% confidence, ours is "
        "better than base on at least 3 of the 6 pairs, and by at least one metric on at least 2 of "
        "3 datasets (x and y), whatever the dependence (Bonferroni)."
    )
    assert "Fisher's is not offered" in sentences[-1]


def test_a_family_that_shows_nothing_says_so() -> None:
    subject = Subject(system_a="ours", system_b="base", datasets=("x",))
    family = count_metric_family(subject.datasets, {"F1": np.array([0.4]), "BLEU": np.array([0.3])})
    sentences = family_sentences(family, subject, claim="b-better")
    assert "The data do not show that base is better than ours on any pair" in sentences[0]


def test_a_family_without_a_metric_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one metric"):
        count_metric_family((), {})


def test_counts_at_the_whole_level_are_said_where_they_differ() -> None:
    p_values_a, p_values_b = (0.001, 0.002, 0.9, 0.99), (0.999, 0.99, 0.1, 0.008)
    half, whole = (
        assess(p_values_a, None, alternative="greater", alpha=alpha, p_values_b=p_values_b)
        for alpha in (0.025, 0.05)
    )
    assert sides_counts(half) == (2, 0)
    assert sides_counts(whole) == (2, 1)
    assert sides_at_alpha_sentence(half, whole) == (
        "Each side alone at α: at least 2 and at least 1, which hold together with 90% confidence."
    )
    assert sides_at_alpha_sentence(half, half) == ""


def test_a_subject_in_full_names_every_dataset() -> None:
    subject = Subject(system_a="a", system_b="b", datasets=tuple(f"d{i}" for i in range(40)))
    assert subject.names([True] * 40).endswith("more")
    assert subject.in_full.names([True] * 40).endswith("d38 and d39")
