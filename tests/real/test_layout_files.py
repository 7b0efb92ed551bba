"""One set of real results in ten layouts reads to the same numbers in each."""

import numpy as np
import pytest

from core.data import PValueTable, ResultSet
from core.significance.single import run_significance_test
from tests.read_as import read_as
from tests.real.cases import DATA, expected

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


FOLDER = DATA / "layouts"


def reference_p_value(dataset):
    return expected("layouts")["per_dataset"][dataset]["mcnemar"]["exact_p_greater"]


def test_every_file_belongs_to_a_layout():
    files = {path.name for path in FOLDER.iterdir()} - {"README.md", "expected.json"}
    assert files == {file for files in PER_EXAMPLE.values() for file in files} | OTHERS
    assert len(PER_EXAMPLE) + len(OTHERS) == 10


@pytest.mark.parametrize("files", [*PER_EXAMPLE.values(), ["contingency.csv"]],
                         ids=[*PER_EXAMPLE, "contingency"])  # fmt: skip
def test_every_layout_has_the_same_scores_and_gives_the_reference_p_value(files):
    paths = [FOLDER / file for file in files]
    results = read_as(ResultSet, paths if len(paths) > 1 else paths[0])
    assert results.datasets == DATASETS
    a, b = results.systems
    for dataset in DATASETS:
        if files != ["contingency.csv"]:
            # As numpy reads them.
            scores = np.loadtxt(FOLDER / f"{dataset}.csv", delimiter=",", skiprows=1)
            own = [results.scores(dataset, system) for system in (a, b)]
            np.testing.assert_array_equal(np.column_stack(own), scores)
        result = run_significance_test(
            results.oriented(dataset, a), results.oriented(dataset, b), test="mcnemar"
        )
        assert result.p_value == pytest.approx(reference_p_value(dataset), rel=1e-12)


def test_printed_p_values_are_those_of_the_reference():
    table = read_as(PValueTable, FOLDER / "pvalues.csv")
    assert table.datasets == DATASETS
    assert table.p_values.tolist() == pytest.approx([*map(reference_p_value, DATASETS)], rel=1e-12)
