"""Real per-example results read to the numbers of their references; what is not read says why."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.data import (
    PREDICTIONS,
    SCORES,
    EffectTable,
    PValueTable,
    ResultSet,
    ScoreTable,
    read_results,
)
from core.data.layouts.registry import COUNTS, EFFECTS, GOLD_NUMBERS, MCNEMAR_COUNTS, SCORE_GRID
from core.errors import DataError

pytestmark = pytest.mark.real

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
REAL = DATA / "real"
LAYOUTS = DATA / "layouts"
BBH = "r01_bbh_cot_vs_direct"
MULTILINGUAL = "r05_multilingual_marc_xnli"

# Every data file that is declined, with a part of the reason.
DECLINED = {
    **{
        f"layouts/{dataset}.{system}.txt": "holds one value a line"
        for dataset in ("mrpc", "rte", "wnli")
        for system in ("bert", "distilbert")
    },
    "published/c03_dependent_correlations/data.csv": "correlation data are not read yet",
    "published/c05_meta_analysis/data.csv": "The rows are of 12 analyses",
    "published/c07_partial_conjunction/data.csv": "one for each of 'dror2017_readme'",
    "published/dror2017/table1_claims.csv": "'comparison' holds text that repeats",
    "real/r08_wordsim_correlations/data_with_missing.csv": "There is no score",
    "real/r11_mteb_datasets_by_models/data_with_missing.csv": "leave the dataset out for every system",
    "real/r14_wmt22_human_da_unbalanced/data_long.csv": "'Online-A' lacks 71 of 1,448 examples",
}
READ = {
    "layouts/long.csv": SCORES,
    "layouts/tidy.csv": "scores in rows",
    "layouts/nested.json": SCORES,
    "layouts/records.json": SCORES,
    "layouts/wide_system_names.csv": SCORES,
    "layouts/mrpc.csv": SCORES,
    "layouts/rte.csv": SCORES,
    "layouts/wnli.csv": SCORES,
    "layouts/pvalues.csv": "published table",
    "layouts/contingency.csv": MCNEMAR_COUNTS,
    "layouts/summary_effects.csv": EFFECTS,
    "published/c01_demsar2006/data.csv": SCORE_GRID,
    "published/c01_demsar2006/data_untied.csv": SCORE_GRID,
    "published/dror2017/table2_mate_redshift.csv": "published table",
    "published/dror2017/table2_mate_spacy.csv": "published table",
    "published/dror2017/table3_mimick_chartag.csv": "published table",
    "published/dror2017/table4_aesclsr_msda.csv": "published table",
    "published/dror2017/table5_w2v_glove.csv": "published table",
    "real/r01_bbh_cot_vs_direct/data.csv": SCORES,
    "real/r04b_wmt22_bleu_stats/data.csv": COUNTS,
    "real/r07_ud_pos_correct_total/data.csv": COUNTS,
    "real/r08_wordsim_correlations/data.csv": GOLD_NUMBERS,
    "real/r11_mteb_datasets_by_models/data.csv": SCORE_GRID,
    "real/r05_multilingual_marc_xnli/data.csv": SCORES,
    "real/r05_multilingual_marc_xnli/data_gold_pred.csv": PREDICTIONS,
    "real/r14_wmt22_human_da_unbalanced/data_paired_intersection.csv": SCORES,
}


def read(path):
    results = read_results(path)
    assert isinstance(results, ResultSet)
    return results


def expected(folder):
    return json.loads((folder / "expected.json").read_text(encoding="utf-8"))["per_dataset"]


def assert_as_expected(results, per_dataset):
    assert set(results.datasets) == set(per_dataset)
    a, b = results.systems
    for dataset, reference in per_dataset.items():
        first, second = results.oriented(dataset, a), results.oriented(dataset, b)
        assert results.n_examples(dataset) == reference["n"]
        assert first.mean() == pytest.approx(reference["mean_a"], rel=1e-12)
        assert second.mean() == pytest.approx(reference["mean_b"], rel=1e-12)
        assert (first > second).sum() == reference["sign"]["wins"]
        assert (first < second).sum() == reference["sign"]["losses"]
        assert results.is_binary(dataset)


@pytest.mark.parametrize(
    ("case", "file", "n_datasets", "n_examples"),
    [
        (BBH, "data.csv", 27, 6511),
        (MULTILINGUAL, "data.csv", 9, 39030),
        (MULTILINGUAL, "data_gold_pred.csv", 9, 39030),
    ],
)
def test_real_results_have_the_sizes_means_and_wins_of_their_reference(
    case, file, n_datasets, n_examples
):
    results = read(REAL / case / file)
    assert results.n_datasets == n_datasets
    assert sum(map(results.n_examples, results.datasets)) == n_examples
    assert_as_expected(results, expected(REAL / case))
    assert results.metrics == ("accuracy",)
    assert results.reading.remarks == ()


def test_labels_and_correctness_of_the_same_results_are_one_reading():
    scores = read(REAL / MULTILINGUAL / "data.csv")
    labels = read(REAL / MULTILINGUAL / "data_gold_pred.csv")
    assert scores.datasets == labels.datasets
    for dataset in scores.datasets:
        assert scores.examples(dataset) == labels.examples(dataset)
        for one, other in zip(scores.systems, labels.systems, strict=True):
            np.testing.assert_array_equal(
                scores.scores(dataset, one), labels.scores(dataset, other)
            )
            gold, predicted = labels.gold(dataset), labels.predictions(dataset, other)
            np.testing.assert_array_equal(gold == predicted, labels.scores(dataset, other) == 1)


@pytest.mark.parametrize(
    "file", ["long.csv", "tidy.csv", "wide_system_names.csv", "nested.json", "records.json"]
)
def test_one_file_of_all_datasets_is_as_expected(file):
    assert_as_expected(read(LAYOUTS / file), expected(LAYOUTS))


@pytest.mark.parametrize("dataset", ["mrpc", "rte", "wnli"])
def test_one_file_a_dataset_reads_as_the_file_of_all(dataset):
    own = read(LAYOUTS / f"{dataset}.csv")
    every = read(LAYOUTS / "wide_system_names.csv")
    assert own.datasets == (dataset,)
    assert_as_expected(own, {dataset: expected(LAYOUTS)[dataset]})
    for one, other in zip(own.systems, every.systems, strict=True):
        np.testing.assert_array_equal(own.scores(dataset, one), every.scores(dataset, other))


@pytest.mark.parametrize("file", READ)
def test_a_file_of_a_known_layout_is_read(file):
    results = read_results(DATA / file)
    types = {"published table": PValueTable, SCORE_GRID: ScoreTable, EFFECTS: EffectTable}
    assert isinstance(results, types.get(READ[file], ResultSet))
    assert results.reading is not None
    assert results.reading.layout == READ[file]


@pytest.mark.parametrize("file", DECLINED)
def test_a_file_of_another_kind_is_declined_with_the_reason(file):
    with pytest.raises(DataError) as caught:
        read_results(DATA / file)
    assert DECLINED[file] in str(caught.value.problems[0])


def test_every_file_is_read_or_declined():
    files = {
        str(path.relative_to(DATA))
        for path in DATA.rglob("*")
        if path.is_file() and path.suffix != ".md" and path.name != "expected.json"
    }
    assert files == set(READ) | set(DECLINED)


def test_texts_and_references_beside_the_data_are_no_results():
    others = [*DATA.rglob("*.md"), *DATA.rglob("expected.json")]
    assert len(others) > 10
    for path in others:
        with pytest.raises(DataError):
            read_results(path)


def test_a_length_and_a_genre_beside_real_scores_change_none_of_them():
    path = REAL / MULTILINGUAL / "data.csv"
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    # What a row's text is long and of which kind is made up from the row itself.
    lengths = [len(row) for row in rows]
    kinds = [("odd", "even")[index % 2] for index in range(len(rows))]
    text = "\n".join(
        [f"{header},length,genre"]
        + [f"{row},{n},{kind}" for row, n, kind in zip(rows, lengths, kinds, strict=True)]
    )
    plain, described = read_results(path), read_results(text.encode())
    assert isinstance(plain, ResultSet)
    assert isinstance(described, ResultSet)
    assert described.covariates == ("length", "genre")
    assert described.reading is not None
    assert plain.reading is not None
    assert described.reading.layout == plain.reading.layout
    assert (described.datasets, described.systems) == (plain.datasets, plain.systems)
    start = 0
    for dataset in plain.datasets:
        for system in plain.systems:
            np.testing.assert_array_equal(
                described.scores(dataset, system), plain.scores(dataset, system)
            )
        n = plain.n_examples(dataset)
        # The file has its datasets one after the other.
        assert described.covariate(dataset, "length").tolist() == lengths[start : start + n]
        assert described.covariate(dataset, "genre").tolist() == kinds[start : start + n]
        start += n
    assert start == len(rows)
