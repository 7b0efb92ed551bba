"""Sentences about groups, both directions, dependence and what would change an answer."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from core.replicability.assessment import assess
from core.replicability.identification import identify_datasets, named_by, procedure_names
from core.words.counting import (
    DEPENDENCE_ANSWERS,
)
from core.words.subject import Subject
from core.words.verdicts import sides_at_alpha_sentence, sides_counts

ROOT = Path(__file__).resolve().parents[3]
# Mate and Redshift on seven genres: Dror et al. 2017, Table 2.
GENRES = ("BC", "BN", "MZ", "NW", "PT", "TC", "WB")
REDSHIFT = (0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823)
MATE = Subject(system_a="Mate", system_b="Redshift", datasets=GENRES)


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


def test_counts_at_the_whole_level_are_said_where_they_differ() -> None:
    p_values_a, p_values_b = (0.001, 0.002, 0.9, 0.99), (0.999, 0.99, 0.1, 0.008)
    half, whole = (
        assess(p_values_a, None, alternative="greater", alpha=alpha, p_values_b=p_values_b)
        for alpha in (0.025, 0.05)
    )
    assert sides_counts(half) == (2, 0)
    assert sides_counts(whole) == (2, 1)
    assert "at least 2 and 1" in sides_at_alpha_sentence(half, whole)
    assert sides_at_alpha_sentence(half, half) == ""


def test_the_short_way_to_names_gives_those_of_the_whole_procedure() -> None:
    for procedure in procedure_names():
        rng = np.random.default_rng(5)
        for _ in range(50):
            p_values = np.round(rng.uniform(size=rng.integers(1, 30)) ** 3, 3)
            whole = identify_datasets(p_values, procedure=procedure)
            short = named_by(p_values, alpha=0.05, procedure=procedure)
            assert short.tolist() == whole.rejected.tolist(), (procedure, p_values)
