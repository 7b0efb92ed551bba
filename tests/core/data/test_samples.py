"""Every sample is described, reads as any upload does, and says what its source says."""

import dataclasses
from decimal import Decimal

import pytest

from core.data import read_results, read_sample, samples
from core.data.samples import SAMPLE_FOLDER

KEYS = [sample.key for sample in samples()]
PUBLISHED = [
    "pos-tagging",
    "parsing-redshift",
    "parsing-spacy",
    "sentiment",
    "word-similarity",
    "six-p-values",
    "pos-tagging-four-tests",
]
SIMULATED = [
    "simulated-accuracy",
    "simulated-sentences",
    "simulated-labels",
    "simulated-parsing",
    "simulated-similarity",
    "simulated-documents",
    "simulated-lengths",
    "simulated-translations",
    "simulated-quantised",
]
# Made by fitting models, not from random numbers alone.
FITTED = ["synthetic-digits"]
# The same sentences in each language.
SHARED = {"simulated-translations"}
INDEPENDENT = {"pos-tagging", "parsing-redshift", "parsing-spacy", *SIMULATED} - SHARED


def read(key):
    return read_results(read_sample(key)[1])


def test_the_samples_are_these_in_this_order():
    assert [*PUBLISHED, *SIMULATED, *FITTED] == KEYS


def test_every_table_in_the_folder_is_a_sample():
    assert {path.name for path in SAMPLE_FOLDER.glob("*.csv")} == {
        sample.file_name for sample in samples() if "/" not in sample.file_name
    }


def test_the_folders_readme_has_a_row_for_every_table():
    rows = (SAMPLE_FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    for path in SAMPLE_FOLDER.rglob("*.csv"):
        name = path.relative_to(SAMPLE_FOLDER).as_posix()
        assert any(row.startswith(f"| `{name}` |") for row in rows), name


def test_every_sample_is_described_whole():
    for sample in samples():
        texts = [getattr(sample, field.name) for field in dataclasses.fields(sample)]
        assert all(text for text in texts if isinstance(text, str)), sample
        assert sample.per_example == (sample.key in (*SIMULATED, *FITTED)), sample
        assert sample.description.endswith("."), sample
        assert sample.dependence == ("independent" if sample.key in INDEPENDENT else "not-known"), (
            sample
        )


def test_none_of_the_papers_says_which_way_its_p_values_point():
    for key in PUBLISHED:
        (sample,) = (sample for sample in samples() if sample.key == key)
        assert sample.alternative == "not-stated", key


def test_samples_read_with_their_systems_and_zeros():
    for key, n_datasets, systems, n_zeros in [
        ("pos-tagging", 23, ("MIMICK", "Char→Tag"), 1),
        ("parsing-redshift", 7, ("Mate", "Redshift"), 0),
        ("parsing-spacy", 7, ("Mate", "SpaCy"), 3),
        ("sentiment", 12, ("AE-SCL-SR", "MSDA"), 0),
        ("word-similarity", 12, ("W2V", "GloVe"), 2),
        ("six-p-values", 6, ("A", "B"), 0),
        ("pos-tagging-four-tests", 10, ("A", "B"), 0),
    ]:
        table = read(key)
        assert table.n_datasets == n_datasets, (key, n_datasets, systems, n_zeros)
        assert (table.system_a, table.system_b) == systems, (key, n_datasets, systems, n_zeros)
        assert table.printed_zeros.sum() == n_zeros, (key, n_datasets, systems, n_zeros)
        assert set(table.p_values[table.printed_zeros].tolist()) <= {0.00005}, (
            key,
            n_datasets,
            systems,
            n_zeros,
        )
        assert table.reading.remarks == (), (key, n_datasets, systems, n_zeros)
        assert sum("read as below .00005" in note for note in table.notes) == n_zeros, (
            key,
            n_datasets,
            systems,
            n_zeros,
        )


def test_differences_are_those_of_the_printed_digits():
    for key in PUBLISHED[:-2]:
        table = read(key)
        assert table.differences.tolist() == [
            float(Decimal(a) - Decimal(b))
            for a, b in zip(table.printed_scores_a, table.printed_scores_b, strict=True)
        ], key


def test_the_known_facts_of_the_tables_hold():
    assert (read("parsing-redshift").differences > 0).all()
    similarity = read("word-similarity")
    ypy = similarity.datasets.index("YP-130")
    assert similarity.differences[ypy] == -0.0275
    assert read("sentiment").p_values.max() == 0.9507
    assert read("six-p-values").p_values.tolist() == [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]


def test_an_unknown_sample_is_refused_with_the_keys():
    with pytest.raises(ValueError, match=r"'pos-tagging'.*got 'x'"):
        read_sample("x")
