"""Every sample is described, reads as any upload does, and says what its source says."""

import dataclasses

import pytest

from core.data import read_sample, samples
from core.data.samples import SAMPLE_FOLDER

KEYS = [sample.key for sample in samples()]
PUBLISHED = [
    "pos-tagging", "parsing-redshift", "parsing-spacy", "sentiment", "word-similarity",
    "six-p-values", "pos-tagging-four-tests",
]  # fmt: skip
SIMULATED = [
    f"simulated-{kind}"
    for kind in ("accuracy", "sentences", "labels", "parsing", "similarity", "documents", "lengths",
                 "translations", "quantised")
]  # fmt: skip
# Made by fitting models, not from random numbers alone.
FITTED = ["synthetic-digits"]
# The same sentences in each language.
SHARED = {"simulated-translations"}
INDEPENDENT = {"pos-tagging", "parsing-redshift", "parsing-spacy", *SIMULATED} - SHARED


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
        # None of the papers says which way its p-values point.
        assert sample.per_example or sample.alternative == "not-stated", sample
        assert sample.dependence == ("independent" if sample.key in INDEPENDENT else "not-known"), (
            sample
        )


def test_an_unknown_sample_is_refused_with_the_keys():
    with pytest.raises(ValueError, match=r"'pos-tagging'.*got 'x'"):
        read_sample("x")
