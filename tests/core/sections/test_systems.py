"""The section of a report about many systems."""

import csv
import io
from dataclasses import replace
from functools import cache
from typing import Any

from core import analyse
from core.analysis import Analysis, AnalysisSettings
from core.data import ResultSet
from core.effects.post_hoc import letters
from core.export.report import chosen_sections, html_report, markdown_report, sections_that_apply
from core.export.tables import frame_csv
from core.sections import gains, systems
from core.sections.parts import Download, Figure, Grid, Paragraph, Part, Printed, printed
from core.sections.runs import domains_parts
from core.sections.systems import (
    MOST_IN_MATRIX,
    OF_ANOTHER_QUESTION,
    STUDIES,
    Compared,
    alone_sentence,
    lead_sentence,
)
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons
from core.systems.counting import count_matrix
from core.systems.gain_confidence import gain_confidence, groups_before
from core.systems.sizes import calibrate_iid, thresholds_by_size
from tests.core.systems.made import result_set, two_groups


@cache
def data(m: int = 6, n_datasets: int = 3) -> ResultSet:
    return result_set(*(two_groups(120, m, k, spread=0.4) for k in range(n_datasets)))


@cache
def compared(m: int = 6, n_datasets: int = 3, test: str = "paired-bootstrap") -> PairComparisons:
    return compare_all_pairs(data(m, n_datasets), test=test, n_resamples=9_999)


def parts_of_pairs(pairs: PairComparisons, **asked: Any) -> tuple[Printed, ...]:
    return printed(systems.parts_of_pairs(Compared(pairs=pairs, **asked)))


def systems_parts(analysis: Analysis) -> tuple[Printed, ...]:
    return printed(systems.systems_parts(analysis))


def with_stored(pairs: PairComparisons | None, **settings: Any) -> Analysis:
    analysis = analyse(data(), AnalysisSettings(test="paired-t", **settings))
    return analysis if pairs is None else told(analysis, Compared(pairs=pairs))


def told(analysis: Analysis, found: Compared) -> Analysis:
    return replace(analysis, studies={STUDIES: found})


def grid(parts: tuple[Part, ...], name: str) -> Grid:
    grids = [part for part in printed(parts) if isinstance(part, Grid)]
    (found,) = [part for part in grids if part.name == name]
    return found


def names_of(parts: tuple[Part, ...]) -> list[str]:
    return [part.name for part in printed(parts) if isinstance(part, Grid | Figure)]


def text_of(parts: tuple[Printed, ...]) -> str:
    return "\n".join(part.text for part in parts if isinstance(part, Paragraph))


def test_a_report_has_the_section_where_all_pairs_were_compared_and_only_there() -> None:
    without, stored = with_stored(None), with_stored(compared())
    assert systems_parts(without) == ()
    assert "systems" not in [one.key for one in chosen_sections(without)]
    for analysis in (without, stored):
        keys = [one.key for one in chosen_sections(analysis)]
        assert keys == sections_that_apply(analysis)
    assert keys.index("effects") < keys.index("systems") < keys.index("methods")
    for written in (html_report(stored), markdown_report(stored)):
        assert "Many systems" in written
        assert "6 systems on 3 datasets" in written


def test_a_comparison_of_other_datasets_or_by_another_metric_is_named_as_such_and_not_told():
    other = (Paragraph(text=OF_ANOTHER_QUESTION, tone="caution"),)
    assert systems_parts(with_stored(compared(), excluded=("d1",))) == other
    some = compare_all_pairs(data(), datasets=["d0", "d2"], test="paired-t")
    assert systems_parts(with_stored(some)) == other
    assert systems_parts(with_stored(some, excluded=("d0",))) == other
    assert (
        "6 systems on 2 datasets"
        in grid(systems_parts(with_stored(some, excluded=("d1",))), "leaderboard").caption
    )
    assert systems_parts(with_stored(replace(compared(), metrics=("other",) * 3))) == other
    stale = with_stored(compared(), excluded=("d1",))
    assert "systems" in sections_that_apply(stale)
    assert "6 systems on 3 datasets" not in html_report(stale)


def test_two_systems_have_counts_and_thresholds_but_no_ranks_of_several() -> None:
    pairs = compare_all_pairs(data(2, 5), test="paired-t")
    parts = parts_of_pairs(pairs)
    assert len(grid(parts, "leaderboard").rows) == 2
    assert "Friedman" not in text_of(parts)


def test_the_section_looks_at_pairs_as_whoever_compared_them_did() -> None:
    asked = Compared(
        pairs=compared(),
        groups={f"s{k}": "ab"[k // 3] for k in range(6)},
        detail="each-group",
        family="pair",
        at_least=2,
    )
    parts = systems_parts(told(with_stored(None), asked))
    assert "counts of each pair alone" in grid(parts, "leaderboard").caption
    assert "neither is better on at least 2, each way at level .025" in text_of(parts)
    assert "2 groups: a (3) and b (3)." in text_of(parts)
    counts = count_matrix(compared())
    marks = letters(counts.tiers(at_least=2), 6)
    rows = grid(parts, "leaderboard").rows
    assert [row[1] for row in rows] == [marks[k] for k in counts.order]


def test_studies_of_another_metric_or_of_a_dataset_that_was_left_out_are_not_told() -> None:
    sized: dict[str, Any] = {"dataset": "d1", "test": "paired-t"}
    pairs = compare_all_pairs(data(), test="paired-t")
    curve = thresholds_by_size(data(), sizes=[60], n_subsets=2, **sized)
    iid = calibrate_iid(data(), size=60, n_draws=4, **sized)
    asked = Compared(pairs=pairs, sizes=curve, one_size=(curve,), iid=iid, at_margin=pairs)
    names = {"thresholds-by-size", "thresholds-at-one-size", "calibration", "pairs-at-margin"}

    def held(analysis: Analysis) -> set[str]:
        return names & {str(getattr(part, "name", "")) for part in systems.systems_parts(analysis)}

    assert held(told(with_stored(None), asked)) == names
    some = replace(asked, pairs=compare_all_pairs(data(), datasets=["d0", "d2"], test="paired-t"))
    by_other = replace(
        asked,
        at_margin=replace(pairs, metrics=("other",) * 3),
        sizes=replace(curve, metric="other"),
        one_size=(),
        iid=replace(iid, metric="other"),
    )
    left_out = told(with_stored(None, excluded=("d1",)), some)
    assert held(left_out) == held(told(with_stored(None), by_other)) == set()


def test_every_download_is_a_csv_with_whole_numbers_whole_and_gaps_empty() -> None:
    pairs = compared(test="paired-t")
    resampled = replace(pairs, n_resamples=(9_999, None, None))
    sized: dict[str, Any] = {"dataset": "d0", "test": "paired-t"}
    curve = thresholds_by_size(data(), sizes=[60], n_subsets=2, **sized)
    k_hat = count_matrix(pairs).k_hat
    parts = [
        *systems.parts_of_pairs(Compared(pairs=pairs)),
        *systems.claim_parts(resampled, data(), AnalysisSettings(), "pair"),
        *gains.sizes_parts(curve),
        *gains.one_size_parts([curve], data()),
        *gains.iid_parts(calibrate_iid(data(), size=60, n_draws=4, **sized)),
        *domains_parts(pairs, alpha=0.05, source="d0"),
    ]
    written = {
        part.name: list(csv.DictReader(io.StringIO(frame_csv(part.write()).decode())))
        for part in parts
        if isinstance(part, Download)
    }
    assert len(written) == 11
    assert all(written.values())
    matrix = written["pairs-at-margin"]
    assert [row["system"] for row in matrix] == list(pairs.systems)
    assert [[row[name] for name in pairs.systems] for row in matrix] == [
        ["" if i == j else str(k_hat[i, j]) for j in range(6)] for i in range(6)
    ]
    drawn = [row["n_resamples"] for row in written["pair-p-values-at-margin"]]
    assert drawn == ["9999"] * 15 + [""] * 30


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
    assert joint.tiers() != count_matrix(compared(10)).tiers()
    assert parts[0] == Paragraph(text=lead_sentence(joint), tone="lead")
    board = grid(parts, "leaderboard")
    marks = letters(joint.tiers(), len(joint.systems))
    assert [row[0] for row in board.rows] == [joint.systems[k] for k in joint.order]
    assert [row[1] for row in board.rows] == [marks[k] for k in joint.order]
    better = board.header.index("better than (on ≥ 1 dataset)")
    expected = (joint.k_hat >= 1).sum(axis=1)[joint.order].tolist()
    assert [int(row[better]) for row in board.rows] == expected


def test_small_leaderboards_have_every_count_both_together_and_alone() -> None:
    parts = parts_of_pairs(compared())
    for name, counts in (
        ("counts-together", count_matrix(compared(), family="all")),
        ("counts-alone", count_matrix(compared())),
    ):
        order = counts.order
        found = grid(parts, name)
        assert [row[0] for row in found.rows] == [counts.systems[i] for i in order]
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
    groups = groups_before(pairs.systems, ":")
    parts, points = parts_of_pairs(pairs, groups=groups), gain_confidence(pairs, groups=groups)
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
