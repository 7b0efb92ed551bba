"""The section of a report about many systems."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from core import analyse
from core.analysis import Analysis, AnalysisSettings
from core.data import ResultSet
from core.export.html import html_report
from core.export.markdown_report import markdown_report
from core.export.report import report_sections, sections_that_apply
from core.sections.parts import Figure, Grid, Paragraph, Part
from core.sections.systems import (
    ASKED,
    AT_MARGIN,
    MOST_IN_MATRIX,
    OF_ANOTHER_QUESTION,
    STORED,
    Asked,
    parts_of_pairs,
    systems_parts,
)
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons
from core.systems.counting import count_matrix
from core.systems.gain_confidence import gain_confidence
from core.words.systems_board import alone_sentence, claim_sentence, lead_sentence
from tests.core.systems.made import result_set, two_groups


@cache
def data(m: int = 6, n_datasets: int = 3) -> ResultSet:
    return result_set(*(two_groups(120, m, k, spread=0.4) for k in range(n_datasets)))


@cache
def compared(m: int = 6, n_datasets: int = 3, test: str = "paired-bootstrap") -> PairComparisons:
    return compare_all_pairs(data(m, n_datasets), test=test, n_resamples=9_999)


class Memory:
    """Of an analysis that was given results beforehand."""

    def __init__(self, **kept: Any) -> None:
        self.kept: dict[Any, Any] = kept

    def __call__(self, key, compute):
        if key not in self.kept:
            self.kept[key] = compute()
        return self.kept[key]


def with_stored(pairs: PairComparisons | None, **settings: Any) -> Analysis:
    analysis = analyse(data(), AnalysisSettings(test="paired-t", **settings))
    return replace(analysis, remember=Memory() if pairs is None else Memory(**{STORED: pairs}))


def grid(parts: tuple[Part, ...], name: str) -> Grid:
    (found,) = [part for part in parts if isinstance(part, Grid) and part.name == name]
    return found


def names_of(parts: tuple[Part, ...]) -> list[str]:
    return [part.name for part in parts if isinstance(part, Grid | Figure)]


def text_of(parts: tuple[Part, ...]) -> str:
    return "\n".join(part.text for part in parts if isinstance(part, Paragraph))


def test_a_report_has_the_section_where_all_pairs_were_compared_and_only_there() -> None:
    without, stored = with_stored(None), with_stored(compared())
    assert systems_parts(without) == ()
    assert "systems" not in [one.key for one in report_sections(without)]
    for analysis in (without, stored):
        keys = [one.key for one in report_sections(analysis)]
        assert keys == sections_that_apply(analysis)
    assert keys.index("effects") < keys.index("systems") < keys.index("methods")
    for written in (html_report(stored), markdown_report(stored)):
        assert "Many systems" in written
        assert "6 systems on 3 datasets" in written


def test_a_comparison_of_other_datasets_or_by_another_metric_is_named_as_such_and_not_told() -> (
    None
):
    told = (Paragraph(text=OF_ANOTHER_QUESTION, tone="caution"),)
    assert systems_parts(with_stored(compared(), excluded=("d1",))) == told
    some = compare_all_pairs(data(), datasets=["d0", "d2"], test="paired-t")
    assert systems_parts(with_stored(some)) == told
    assert systems_parts(with_stored(some, excluded=("d0",))) == told
    assert (
        "6 systems on 2 datasets"
        in grid(systems_parts(with_stored(some, excluded=("d1",))), "leaderboard").caption
    )
    assert systems_parts(with_stored(replace(compared(), metrics=("other",) * 3))) == told
    stale = with_stored(compared(), excluded=("d1",))
    assert "systems" in sections_that_apply(stale)
    assert "6 systems on 3 datasets" not in html_report(stale)


def test_the_section_looks_at_pairs_as_whoever_compared_them_did() -> None:
    asked = Asked(
        groups={f"s{k}": "ab"[k // 3] for k in range(6)},
        detail="each-group",
        family="pair",
        at_least=2,
    )
    analysis = replace(with_stored(None), remember=Memory(**{STORED: compared(), ASKED: asked}))
    parts = systems_parts(analysis)
    assert "counts of each pair alone" in grid(parts, "leaderboard").caption
    assert "neither is better on at least 2" in text_of(parts)
    assert "2 groups: a (3) and b (3)." in text_of(parts)
    letters = count_matrix(compared()).tiers(at_least=2).letters
    assert tuple(row[1] for row in grid(parts, "leaderboard").rows) == letters


def test_pairs_compared_at_a_claims_margin_have_a_matrix_of_it_in_the_report() -> None:
    at: dict[str, Any] = {"claim": "not-worse", "margin": 0.5}
    analysis = with_stored(compared(), **at)
    assert "counts-at-margin" not in names_of(systems_parts(analysis))
    pairs = compare_all_pairs(data(), test="paired-t", **at)
    memory = Memory(**{STORED: compared(), AT_MARGIN: pairs})
    parts = systems_parts(replace(analysis, remember=memory))
    counts = count_matrix(pairs, family="all")
    assert claim_sentence(counts, pairs, "0.5") in text_of(parts)
    found = grid(parts, "counts-at-margin")
    assert found.header[0] == "not worse than"
    assert "Row not worse than column by more than 0.5 on at least … of 3" in found.caption
    order = np.argsort(counts.mean_ranks, kind="stable").tolist()
    assert [row[1:] for row in found.rows] == [
        tuple("–" if i == j else str(counts.k_hat[i, j]) for j in order) for i in order
    ]
    # Of another margin than the analysis asks at nothing is told but that.
    other = with_stored(compared(), **{**at, "margin": 0.25})
    stale = systems_parts(replace(other, remember=memory))
    assert "counts-at-margin" not in names_of(stale)
    assert Paragraph(text=OF_ANOTHER_QUESTION, tone="caution") in stale


def test_the_best_systems_counts_of_each_pair_alone_stand_with_the_table_that_has_them() -> None:
    parts = parts_of_pairs(compared())
    said = Paragraph(text=alone_sentence(count_matrix(compared())))
    board = parts.index(grid(parts, "leaderboard"))
    assert parts.index(said) > board
    alone = parts_of_pairs(compared(), family="pair")
    assert alone.index(said) < alone.index(grid(alone, "leaderboard"))


def test_the_answer_and_the_leaderboard_are_of_all_claims_together() -> None:
    parts = parts_of_pairs(compared(10))
    joint = count_matrix(compared(10), family="all")
    assert joint.tiers().letters != count_matrix(compared(10)).tiers().letters
    assert parts[0] == Paragraph(text=lead_sentence(joint), tone="lead")
    board = grid(parts, "leaderboard")
    tiers = joint.tiers()
    assert tuple(row[0] for row in board.rows) == tiers.systems
    assert tuple(row[1] for row in board.rows) == tiers.letters
    better = board.header.index("better than (on ≥ 1 dataset)")
    order = [joint.systems.index(name) for name in tiers.systems]
    assert [int(row[better]) for row in board.rows] == (joint.k_hat >= 1).sum(axis=1)[
        order
    ].tolist()


def test_small_leaderboards_have_every_count_both_together_and_alone() -> None:
    parts = parts_of_pairs(compared())
    for name, counts in (
        ("counts-together", count_matrix(compared(), family="all")),
        ("counts-alone", count_matrix(compared())),
    ):
        order = [counts.systems.index(one) for one in counts.tiers().systems]
        found = grid(parts, name)
        assert [row[0] for row in found.rows] == [
            f"{k + 1}. {counts.systems[i]}" for k, i in enumerate(order)
        ]
        for k, i in enumerate(order):
            expected = ["–" if i == j else str(counts.k_hat[i, j]) for j in order]
            assert list(found.rows[k][1:]) == expected
    assert "without joint guarantee" in grid(parts, "counts-alone").caption
    many = compared(MOST_IN_MATRIX + 2, 1, "paired-t")
    assert not [name for name in names_of(parts_of_pairs(many)) if name.startswith("counts")]


def test_thresholds_are_those_of_the_points_by_class_and_by_dataset() -> None:
    pairs = compare_all_pairs(
        result_set(
            *(two_groups(300, 50, k, spread=0.1) for k in range(2)),
            names=[f"{'ab'[k // 25]}:{k}" for k in range(50)],
        ),
        test="paired-t",
    )
    parts = parts_of_pairs(pairs, groups=":")
    points = gain_confidence(pairs, groups=":")
    found = points.thresholds()
    shown = grid(parts, "thresholds")
    assert [row[0] for row in shown.rows] == ["same group", "different groups"]
    assert [row[1] for row in shown.rows] == [f"{own.value:.3g}" for own in found.values()]
    assert all(" to " in row[2] for row in shown.rows)
    by_dataset = grid(parts, "thresholds-by-dataset")
    expected = {
        (dataset, name): own
        for dataset in pairs.datasets
        for name, own in points.thresholds(dataset=dataset).items()
        if own.value is not None
    }
    assert expected
    assert [row[:2] for row in by_dataset.rows] == list(expected)
    assert [row[2] for row in by_dataset.rows] == [f"{own.value:.3g}" for own in expected.values()]
