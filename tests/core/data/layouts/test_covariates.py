"""Columns that describe the examples are read as such; no system is taken for one of them."""

import numpy as np
import pytest

from core.analysis import Origin, analyse
from core.data import PREDICTIONS, SCORES, ResultSet
from core.data.layouts.registry import COUNTS, GOLD_NUMBERS, SCORES_IN_ROWS
from core.export.bundle import read_bundle, restore_bundle, write_bundle
from tests.core.data.layouts.covariate_files import (
    CORRELATED,
    COUNTED,
    COUNTED_IN_ROWS,
    GENRES,
    LABELS,
    ROWS,
    WIDE,
    read,
)

FILES = {
    "wide": (WIDE, SCORES),
    "rows": (ROWS, SCORES_IN_ROWS),
    "labels": (LABELS, PREDICTIONS),
    "counts": (COUNTED, COUNTS),
    "counts in rows": (COUNTED_IN_ROWS, COUNTS),
    "correlated": (CORRELATED, GOLD_NUMBERS),
}
ALL_FILES = pytest.mark.parametrize(("text", "layout"), FILES.values(), ids=FILES)


@ALL_FILES
def test_every_layout_keeps_lengths_and_genres_beside_each_example(text, layout):
    results = read(text)
    assert results.reading.layout == layout
    assert results.systems == ("A", "B")
    assert results.covariates == ("length", "genre")
    assert results.covariate_kind("length") == "numeric"
    assert set(results.covariate_levels("genre")) == set(GENRES)
    for dataset in "xy":
        ids = [int(one) for one in results.examples(dataset)]
        lengths = [np.nan if i == 2 else i + 3 for i in ids]
        np.testing.assert_array_equal(results.covariate(dataset, "length"), lengths)
        genres = ["" if i == 4 else GENRES[i % 3] for i in ids]
        assert results.covariate(dataset, "genre").tolist() == genres


@ALL_FILES
def test_covariates_follow_their_examples_in_whatever_order_the_rows_come(text, layout):
    header, *rows = text.splitlines(keepends=True)
    order = np.random.default_rng(5).permutation(len(rows))
    results = read(header + "".join(rows[index] for index in order))
    for dataset in "xy":
        ids = [int(one) for one in results.examples(dataset)]
        assert ids != sorted(ids)
        lengths = [np.nan if i == 2 else i + 3 for i in ids]
        np.testing.assert_array_equal(results.covariate(dataset, "length"), lengths)
        genres = ["" if i == 4 else GENRES[i % 3] for i in ids]
        assert results.covariate(dataset, "genre").tolist() == genres


@ALL_FILES
def test_covariates_change_nothing_else(text, layout):
    with_them, without = read(text), read(text, covariates=[])
    assert without.covariates == ()
    assert without.fingerprint != with_them.fingerprint
    for dataset in "xy":
        assert without.examples(dataset) == with_them.examples(dataset)
        for system in "AB":
            np.testing.assert_array_equal(
                without.scores(dataset, system), with_them.scores(dataset, system)
            )


def test_a_bundle_gives_covariates_back():
    content = WIDE.encode()
    data = read(WIDE)
    analysis = analyse(data, origin=Origin(title="mine.csv"))
    bundle = read_bundle(
        write_bundle(analysis, files=[("mine.csv", content)], name="mine.csv", roles={})
    )
    restored = restore_bundle(bundle).data
    assert isinstance(restored, ResultSet)
    assert restored.fingerprint == data.fingerprint
    np.testing.assert_array_equal(restored.covariate("y", "length"), data.covariate("y", "length"))
