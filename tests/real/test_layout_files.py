"""One set of real results in ten layouts reads to the same numbers in each."""

import json

import numpy as np
import pytest

from core.data import PValueTable, ResultSet, read_results
from core.significance import run_significance_test

pytestmark = pytest.mark.real

DATASETS = ("mrpc", "rte", "wnli")
# Files of each layout, read together.
PER_EXAMPLE = {
    "long": ["long.csv"],
    "tidy": ["tidy.csv"],
    "wide": ["wide_system_names.csv"],
    "a file a dataset": [f"{dataset}.csv" for dataset in DATASETS],
    "a file a dataset and system": [
        f"{dataset}.{system}.txt" for dataset in DATASETS for system in ("bert", "distilbert")
    ],
    "nested JSON": ["nested.json"],
    "records of JSON": ["records.json"],
}
OTHERS = {"contingency.csv", "pvalues.csv", "summary_effects.csv"}


@pytest.fixture(scope="module")
def folder(real_data):
    return real_data / "layouts"


@pytest.fixture(scope="module")
def expected(folder):
    return json.loads((folder / "expected.json").read_text(encoding="utf-8"))["per_dataset"]


@pytest.fixture(scope="module")
def reference(folder):
    """The scores as numpy reads them, (n, 2) for each dataset."""
    return {d: np.loadtxt(folder / f"{d}.csv", delimiter=",", skiprows=1) for d in DATASETS}


def read(folder, files):
    paths = [folder / file for file in files]
    return read_results(paths if len(paths) > 1 else paths[0])


def test_every_file_belongs_to_a_layout(folder):
    files = {path.name for path in folder.iterdir()} - {"README.md", "expected.json"}
    assert files == {file for files in PER_EXAMPLE.values() for file in files} | OTHERS
    assert len(PER_EXAMPLE) + len(OTHERS) == 10


@pytest.mark.parametrize("files", PER_EXAMPLE.values(), ids=PER_EXAMPLE)
def test_every_layout_of_scores_has_the_same_scores(folder, reference, files):
    results = read(folder, files)
    assert isinstance(results, ResultSet)
    assert results.datasets == DATASETS
    assert len(results.systems) == 2
    for dataset in DATASETS:
        for index, system in enumerate(results.systems):
            np.testing.assert_array_equal(
                results.scores(dataset, system), reference[dataset][:, index]
            )


@pytest.mark.parametrize("files", [*PER_EXAMPLE.values(), ["contingency.csv"]],
                         ids=[*PER_EXAMPLE, "contingency"])  # fmt: skip
def test_every_layout_gives_the_reference_p_value(folder, expected, files):
    results = read(folder, files)
    assert isinstance(results, ResultSet)
    a, b = results.systems
    for dataset in DATASETS:
        result = run_significance_test(
            results.oriented(dataset, a), results.oriented(dataset, b), test="mcnemar"
        )
        assert result.p_value == pytest.approx(
            expected[dataset]["mcnemar"]["exact_p_greater"], rel=1e-12
        )


def test_printed_p_values_are_those_of_the_reference(folder, expected):
    table = read(folder, ["pvalues.csv"])
    assert isinstance(table, PValueTable)
    assert table.datasets == DATASETS
    references = [expected[dataset]["mcnemar"]["exact_p_greater"] for dataset in DATASETS]
    assert table.p_values.tolist() == pytest.approx(references, rel=1e-12)
