"""Scores, counts, numbers beside gold, grids and effects of real systems read to their references."""

import pytest

from core.data import EffectTable, ResultSet, read_results
from core.errors import DataError
from tests.read_as import read_as
from tests.real.cases import DATA, expected

pytestmark = pytest.mark.real

REAL = DATA / "real"
SIMILARITY = REAL / "r08_wordsim_correlations"
GRID = REAL / "r11_mteb_datasets_by_models"
META = DATA / "published" / "c05_meta_analysis"


@pytest.mark.parametrize(
    ("case", "kind", "start"),
    [
        ("r07_ud_pos_correct_total", "ratio", "metric_"),
        ("r04b_wmt22_bleu_stats", "bleu", "bleu_"),
    ],
)
def test_counts_read_to_the_scores_of_their_reference(case, kind, start):
    results = read_as(ResultSet, REAL / case / "data.csv")
    per_dataset = expected(REAL / case)["per_dataset"]
    assert set(results.datasets) == set(per_dataset)
    assert results.systems == ("a", "b")
    assert list(results.kinds.values()) == [kind]
    assert results.reading.remarks == ()
    for dataset, reference in per_dataset.items():
        assert results.n_examples(dataset) == reference["n"]
        for system in results.systems:
            assert results.score(dataset, system) == pytest.approx(
                reference[f"{start}{system}"], rel=1e-12
            )


@pytest.mark.parametrize("file", ["data.csv", "data_with_missing.csv"])
def test_numbers_beside_gold_have_the_correlations_of_their_reference(file):
    results = read_as(ResultSet, SIMILARITY / file, roles={"incomplete": "leave-out"})
    per_dataset = expected(SIMILARITY)["per_dataset"]
    assert set(results.datasets) == set(per_dataset)
    for dataset, reference in per_dataset.items():
        assert results.n_examples(dataset) == reference["n"]
        for kind in ("pearson", "spearman"):
            for system, key in (("score_a", "r_ga"), ("score_b", "r_gb")):
                assert results.score(dataset, system, kind) == pytest.approx(
                    reference[kind][key], abs=1e-12
                )


@pytest.mark.parametrize(
    ("folder", "n_problems", "offered"),
    [(SIMILARITY, None, "Leave out 945 examples"), (GRID, 5, "Leave out 5 datasets")],
)
def test_leaving_out_what_is_incomplete_gives_the_complete_file(folder, n_problems, offered):
    with pytest.raises(DataError) as caught:
        read_results(folder / "data_with_missing.csv")
    assert len(caught.value.problems) == n_problems or n_problems is None
    assert ("leave-out", offered) in [pair for one in caught.value.choices for pair in one.options]
    left = read_results(folder / "data_with_missing.csv", roles={"incomplete": "leave-out"})
    assert left.fingerprint == read_results(folder / "data.csv").fingerprint


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
        table = read_as(EffectTable, META / "data.csv", roles={"metric": name})
        assert list(table.datasets) == reference["names"]
        assert table.effects == pytest.approx(reference["yi"], rel=1e-12)
        assert table.variances == pytest.approx(reference["vi"], rel=1e-12)
    assert n_read >= 9


@pytest.mark.parametrize(
    ("case", "file", "n_datasets", "n_examples"),
    [
        ("r01_bbh_cot_vs_direct", "data.csv", 27, 6511),
        ("r05_multilingual_marc_xnli", "data.csv", 9, 39030),
        ("r05_multilingual_marc_xnli", "data_gold_pred.csv", 9, 39030),
    ],
)
def test_real_results_have_the_sizes_means_and_wins_of_their_reference(
    case, file, n_datasets, n_examples
):
    results = read_as(ResultSet, REAL / case / file)
    assert results.n_datasets == n_datasets
    assert sum(map(results.n_examples, results.datasets)) == n_examples
    per_dataset = expected(REAL / case)["per_dataset"]
    assert set(results.datasets) == set(per_dataset)
    a, b = results.systems
    for dataset, reference in per_dataset.items():
        first, second = results.oriented(dataset, a), results.oriented(dataset, b)
        assert results.n_examples(dataset) == reference["n"]
        assert first.mean() == pytest.approx(reference["mean_a"], rel=1e-12)
        assert second.mean() == pytest.approx(reference["mean_b"], rel=1e-12)
        assert (first > second).sum() == reference["sign"]["wins"]
        assert (first < second).sum() == reference["sign"]["losses"]
    assert results.has_outcomes()
    assert results.metrics == ("accuracy",)
    assert results.reading.remarks == ()
