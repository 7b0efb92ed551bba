"""Sentences about groups, both directions, dependence and what would change an answer."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from core.replicability.assessment import assess
from core.replicability.groups import count_in_groups, groups_of
from core.replicability.identification import identify_datasets, named_by
from core.replicability.procedures import procedure_names
from core.replicability.sensitivity import find_sensitivity
from core.types import DEPENDENCES
from core.words.counting import (
    DEPENDENCE_ANSWERS,
    DEPENDENCE_EXAMPLES,
    procedure_promises,
    procedures_frame,
)
from core.words.sensitivity import (
    count_metric_family,
    family_sentences,
    groups_frame,
    sensitivity_frame,
)
from core.words.subject import Subject
from core.words.verdicts import sides_at_alpha_sentence, sides_counts

ROOT = Path(__file__).resolve().parents[3]
# Mate and Redshift on seven genres: Dror et al. 2017, Table 2.
GENRES = ("BC", "BN", "MZ", "NW", "PT", "TC", "WB")
REDSHIFT = (0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823)
MATE = Subject(system_a="Mate", system_b="Redshift", datasets=GENRES)


def test_the_table_of_groups_names_the_members() -> None:
    groups = count_in_groups(REDSHIFT, {"news": (1, 3), "web": (6,)}, combination="fisher")
    frame = groups_frame(groups, MATE)
    assert frame["datasets"].tolist() == ["BN, NW", "WB"]
    assert frame["shown on at least"].tolist() == [f"{g.at_least} of {g.size}" for g in groups]


def test_procedures_stand_side_by_side_in_the_order_of_the_p_values() -> None:
    answer = assess(REDSHIFT, (1.0,) * 7, alternative="greater").answer_a
    assert answer is not None
    frame = procedures_frame(answer, MATE)
    assert frame["dataset"].tolist() == ["MZ", "NW", "WB", "TC", "PT", "BC", "BN"]
    assert frame["Holm (1)"].tolist() == ["★", *[""] * 6]
    assert frame["Fisher (2)"].tolist() == ["★", "★", *[""] * 5]
    promised = procedure_promises(answer, MATE, claim="a-better")
    promises = dict(zip(list(frame.columns)[2:], promised, strict=True))
    assert "whatever the dependence" in promises["Holm (1)"]
    assert "on average at most 5%" in next(p for h, p in promises.items() if h.startswith("BH"))
    counted = "common practice: one-sided p ≤ .05 for Mate; no guarantee."
    assert promises["common practice (2)"] == counted
    assert frame["common practice (2)"].tolist() == ["★", "★", *[""] * 5]


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
    assert holding == {"core/words/counting.py"}


def test_each_dataset_stands_with_the_p_value_up_to_which_it_is_named() -> None:
    frame = sensitivity_frame(find_sensitivity(REDSHIFT), MATE).set_index("dataset")
    assert frame.loc["MZ", "named up to p"] == f"{0.05 / 7:.3g}".removeprefix("0")
    assert frame.loc["NW", "named up to p"] == f"{0.05 / 6:.3g}".removeprefix("0")
    assert frame.loc["MZ", "k̂ without it"] == 0


def test_several_metrics_are_counted_as_pairs_and_as_datasets_by_no_count_for_independent_ones() -> (
    None
):
    p_values = {"F1": np.array([0.0001, 0.0002, 0.4]), "BLEU": np.array([0.0003, 0.5, 0.6])}
    subject = Subject(system_a="ours", system_b="base", datasets=("x", "y", "z"))
    family = count_metric_family(subject.datasets, p_values)
    assert family.n_pairs_bonferroni == 3
    sentences = family_sentences(family, subject, claim="a-better")
    assert re.findall(r"(?:at least )?\d of (?:the )?\d", sentences[0]) == [
        "at least 3 of the 6",
        "at least 2 of 3",
    ]
    assert "None that needs independence is offered" in sentences[-1]


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
    assert "at least 2 and at least 1" in sides_at_alpha_sentence(half, whole)
    assert sides_at_alpha_sentence(half, half) == ""


def test_groups_by_label_keep_the_order_of_the_datasets_and_leave_blanks_out() -> None:
    assert groups_of(("b", "a", "", "b")) == {"b": (0, 3), "a": (1,)}


def test_the_short_way_to_names_gives_those_of_the_whole_procedure() -> None:
    for procedure in procedure_names():
        rng = np.random.default_rng(5)
        for _ in range(50):
            p_values = np.round(rng.uniform(size=rng.integers(1, 30)) ** 3, 3)
            whole = identify_datasets(p_values, procedure=procedure)
            short = named_by(p_values, alpha=0.05, procedure=procedure)
            assert short.tolist() == whole.rejected.tolist(), (procedure, p_values)
