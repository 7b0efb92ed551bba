"""Counts, numbers beside gold, grids and effects of real systems read to their references."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from core.data import EffectTable, ResultSet, ScoreTable, read_results
from core.errors import DataError

pytestmark = pytest.mark.real

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
REAL = DATA / "real"
SIMILARITY = REAL / "r08_wordsim_correlations"
GRID = REAL / "r11_mteb_datasets_by_models"
DEMSAR = DATA / "published" / "c01_demsar2006"
META = DATA / "published" / "c05_meta_analysis"


def expected(folder):
    return json.loads((folder / "expected.json").read_text(encoding="utf-8"))


def cells(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize(
    ("case", "kind", "start"),
    [
        ("r07_ud_pos_correct_total", "ratio", "metric_"),
        ("r04b_wmt22_bleu_stats", "bleu", "bleu_"),
    ],
)
def test_counts_read_to_the_scores_of_their_reference(case, kind, start):
    results = read_results(REAL / case / "data.csv")
    assert isinstance(results, ResultSet)
    per_dataset = expected(REAL / case)["per_dataset"]
    assert set(results.datasets) == set(per_dataset)
    assert results.systems == ("a", "b")
    assert list(results.kinds.values()) == [kind]
    assert results.reading is not None
    assert results.reading.remarks == ()
    for dataset, reference in per_dataset.items():
        assert results.n_examples(dataset) == reference["n"]
        for system in results.systems:
            assert results.score(dataset, system) == pytest.approx(
                reference[f"{start}{system}"], rel=1e-12
            )


def test_counts_of_tokens_add_up():
    case = REAL / "r07_ud_pos_correct_total"
    results = read_results(case / "data.csv")
    assert isinstance(results, ResultSet)
    for dataset, reference in expected(case)["per_dataset"].items():
        assert results.scores(dataset, "a")[:, 1].sum() == reference["tokens"]
        ratios = results.scores(dataset, "a")[:, 0] / results.scores(dataset, "a")[:, 1]
        mean = reference["macro_mean_sentence_accuracy"]["a"]
        assert ratios.mean() == pytest.approx(mean, rel=1e-12)


def test_mcnemars_counts_are_the_reference_and_the_examples():
    results = read_results(DATA / "layouts" / "contingency.csv")
    examples = read_results(DATA / "layouts" / "long.csv")
    assert isinstance(results, ResultSet)
    assert isinstance(examples, ResultSet)
    per_dataset = expected(DATA / "layouts")["per_dataset"]
    assert set(results.datasets) == set(per_dataset)
    for dataset, reference in per_dataset.items():
        a, b = (results.scores(dataset, system) for system in results.systems)
        assert results.n_examples(dataset) == reference["n"]
        assert a.mean() == pytest.approx(reference["mean_a"], rel=1e-12)
        assert ((a > b).sum(), (a < b).sum()) == (
            reference["sign"]["wins"],
            reference["sign"]["losses"],
        )
        given = np.array([examples.scores(dataset, s) for s in examples.systems])
        rebuilt = np.array([a, b])
        for outcome in np.ndindex(2, 2):
            counts = [
                (scores == np.array(outcome)[:, np.newaxis]).all(axis=0).sum()
                for scores in (given, rebuilt)
            ]
            assert counts[0] == counts[1]


@pytest.mark.parametrize("file", ["data.csv", "data_with_missing.csv"])
def test_numbers_beside_gold_have_the_correlations_of_their_reference(file):
    results = read_results(SIMILARITY / file, roles={"incomplete": "leave-out"})
    assert isinstance(results, ResultSet)
    per_dataset = expected(SIMILARITY)["per_dataset"]
    assert set(results.datasets) == set(per_dataset)
    for dataset, reference in per_dataset.items():
        assert results.n_examples(dataset) == reference["n"]
        for kind in ("pearson", "spearman"):
            for system, key in (("score_a", "r_ga"), ("score_b", "r_gb")):
                assert results.score(dataset, system, kind) == pytest.approx(
                    reference[kind][key], abs=1e-12
                )


def test_leaving_incomplete_pairs_out_gives_the_complete_file():
    complete = read_results(SIMILARITY / "data.csv")
    with pytest.raises(DataError) as caught:
        read_results(SIMILARITY / "data_with_missing.csv")
    assert [choice.question for choice in caught.value.choices] == [
        "A value is missing in 945 examples."
    ]
    left = read_results(SIMILARITY / "data_with_missing.csv", roles={"incomplete": "leave-out"})
    assert left.fingerprint == complete.fingerprint


@pytest.mark.parametrize(
    "path", [GRID / "data.csv", DEMSAR / "data.csv", DEMSAR / "data_untied.csv"]
)
def test_a_grid_is_read_cell_by_cell(path):
    table = read_results(path)
    assert isinstance(table, ScoreTable)
    header, *rows = cells(path)
    assert table.systems == tuple(header[1:])
    assert table.datasets == tuple(row[0] for row in rows)
    assert table.printed == tuple(tuple(row[1:]) for row in rows)
    assert table.values.tolist() == [[float(cell) for cell in row[1:]] for row in rows]


def test_the_mean_ranks_of_a_grid_are_those_of_its_reference():
    table = read_results(GRID / "data.csv")
    assert isinstance(table, ScoreTable)
    beaten_by = (table.values[:, :, None] < table.values[:, None, :]).sum(axis=2)
    tied_with = (table.values[:, :, None] == table.values[:, None, :]).sum(axis=2) - 1
    ranks = (1 + beaten_by + tied_with / 2).mean(axis=0)
    reference = expected(GRID)["reference"]["mean_ranks"]
    assert ranks == pytest.approx([reference[system] for system in table.systems])


def test_leaving_incomplete_datasets_out_of_a_grid_gives_the_complete_one():
    with pytest.raises(DataError) as caught:
        read_results(GRID / "data_with_missing.csv")
    assert len(caught.value.problems) == 5
    assert [choice.options for choice in caught.value.choices] == [
        (("leave-out", "Leave out 5 datasets"),)
    ]
    left = read_results(GRID / "data_with_missing.csv", roles={"incomplete": "leave-out"})
    assert left.fingerprint == read_results(GRID / "data.csv").fingerprint


def test_summary_effects_are_those_of_the_examples():
    table = read_results(DATA / "layouts" / "summary_effects.csv")
    assert isinstance(table, EffectTable)
    assert table.n_examples is not None
    per_dataset = expected(DATA / "layouts")["per_dataset"]
    for index, dataset in enumerate(table.datasets):
        reference = per_dataset[dataset]
        assert table.effects[index] == pytest.approx(reference["delta"], rel=1e-12)
        assert table.standard_errors[index] == pytest.approx(reference["t"]["se"], rel=1e-12)
        assert table.n_examples[index] == reference["n"]


def test_each_of_several_analyses_can_be_read():
    with pytest.raises(DataError) as caught:
        read_results(META / "data.csv")
    (choice,) = caught.value.choices
    references, n_read = expected(META), 0
    assert {value for value, _ in choice.options} == set(references)
    for name, reference in references.items():
        if len(set(reference["names"])) < len(reference["names"]):
            # A study that is in it twice cannot be told from itself.
            with pytest.raises(DataError, match="The dataset is already on line"):
                read_results(META / "data.csv", roles={"metric": name})
            continue
        n_read += 1
        table = read_results(META / "data.csv", roles={"metric": name})
        assert isinstance(table, EffectTable)
        assert list(table.datasets) == reference["names"]
        assert table.effects == pytest.approx(reference["yi"], rel=1e-12)
        assert table.variances == pytest.approx(reference["vi"], rel=1e-12)
    assert n_read >= 9
