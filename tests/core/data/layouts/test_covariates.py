"""Columns that describe the examples are read as such; no system is taken for one of them."""

import numpy as np
import pytest

from core.analysis import Origin, analyse
from core.data import PREDICTIONS, SCORES, ResultSet, read_results
from core.data.layouts.registry import COUNTS, GOLD_NUMBERS, SCORES_IN_ROWS
from core.export.bundle import read_bundle, restore_bundle, write_bundle
from core.report.reading import columns_as_understood
from tests.core.data.layouts.covariate_files import (
    CORRELATED,
    COUNTED,
    COUNTED_IN_ROWS,
    EXAMPLES,
    GENRES,
    LABELS,
    ROWS,
    WIDE,
    N,
    read,
    refused,
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


def wide(heading, values, **roles):
    """The file of scores with one further column of these values, again and again."""
    rows = (
        f"{d},{i},{i % 2},{i % 3 % 2},{values[i % len(values)]}\n" for d, i in EXAMPLES
    )  # fmt: skip
    return read(f"dataset,example,A,B,{heading}\n" + "".join(rows), **roles)


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


@ALL_FILES
def test_the_remarks_and_the_table_of_columns_name_them_and_count_what_is_missing(text, layout):
    reading = read(text).reading
    remarks = " ".join(reading.remarks)
    assert (
        "describing the examples, not as systems: 'length' (numbers), 'genre' (3 kinds)." in remarks
    )
    for name in ("length", "genre"):
        assert f"2 examples of 'x', 'y' have no '{name}'" in remarks.replace("'y', 'x'", "'x', 'y'")
    understood = dict(columns_as_understood(reading))
    assert understood["length"] == "covariate: a number that describes the example"
    assert understood["genre"] == "covariate: a kind of example"
    assert reading.roles["covariates"] == ("length", "genre")
    assert "Not read" not in remarks


@ALL_FILES
def test_the_roles_give_the_same_covariates_again(text, layout):
    results = read(text)
    again = read(text, **results.reading.roles)
    assert again.fingerprint == results.fingerprint
    assert again.reading.roles == results.reading.roles


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


@pytest.mark.parametrize("heading", ["len_src", "ambiguity", "n_entities", "BERT"])
def test_numbers_under_an_unknown_heading_stay_a_system_until_declared(heading):
    found = wide(heading, (0, 1, 1))
    assert found.systems == ("A", "B", heading)
    assert found.covariates == ()
    assert "can be chosen as a covariate" in " ".join(found.reading.remarks)
    declared = wide(heading, (0, 1, 1), covariates=[heading])
    assert declared.systems == ("A", "B")
    assert declared.covariate_kind(heading) == "numeric"
    assert declared.covariate("x", heading).tolist() == [0.0, 1.0, 1.0] * (N // 3)


def test_a_question_about_a_column_is_settled_by_declaring_it_a_covariate():
    error = refused(
        "dataset,example,A,B,ambiguity\n"
        + "".join(f"{d},{i},{i % 2},{i % 3 % 2},{i % 9}\n" for d, i in EXAMPLES)
    )
    assert "'ambiguity' goes up to 8" in str(error)
    assert "as covariates those that describe the examples" in str(error)
    assert wide("ambiguity", range(8), covariates=["ambiguity"]).systems == ("A", "B")


def test_refused_files_say_which_covariates_were_found():
    text = WIDE.replace("x,0,0,0", "x,0,?,0")
    assert refused(text).roles["covariates"] == ("length", "genre")
    text = "dataset,example,A,B,ambiguity,length\n" + "".join(
        f"{d},{i},{i % 2},{i % 3 % 2},{i % 9},{i}\n" for d, i in EXAMPLES
    )
    assert refused(text).roles["covariates"] == ("length",)
    assert refused(text).columns == ("dataset", "example", "A", "B", "ambiguity", "length")


@pytest.mark.parametrize(
    ("heading", "values", "kind"),
    [
        ("Length", (3, 4, 5), "numeric"),
        ("n_tokens", (3, 4, 5), "numeric"),
        ("sentence_length", (3, "", "n/a", 8), "numeric"),
        ("difficulty", (0.5, 0.25), "numeric"),
        ("difficulty", ("easy", "hard"), "categorical"),
        ("year", (1999, 2004), "numeric"),
        ("topic", ("sport", "art"), "categorical"),
        ("type", (1, 2, 3), "categorical"),
        ("fold", (1, 2, 3), "categorical"),
        ("source", ("reddit", "wiki"), "categorical"),
        ("language", ("de", "fi"), "categorical"),
        ("phrasing", ("short", "long"), "categorical"),
    ],
)
def test_headings_and_texts_of_few_kinds_make_a_covariate(heading, values, kind):
    results = wide(heading, values)
    assert results.systems == ("A", "B")
    assert results.covariates == (heading,)
    assert results.covariate_kind(heading) == kind


@pytest.mark.parametrize(
    ("heading", "values"),
    [
        ("annotation", tuple(f"text {i}" for i in range(N))),
        ("BERT", ("yes", "no")),
        ("prediction", ("p", "n")),
        ("label", ("p", "n")),
        ("comment", ("fine", "")),
        ("genre", ("news",)),
        ("source", tuple(f"This is the sentence number {i}." for i in range(N))),
        ("length", (7,)),
        ("seed", (1,)),
    ],
)
def test_what_may_be_something_else_or_tells_nothing_apart_is_no_covariate(heading, values):
    results = wide(heading, values)
    assert results.covariates == ()
    assert heading not in results.systems


def test_a_label_of_datasets_stays_one():
    rows = "".join(
        f"{d},{i},{i % 2},{i % 3 % 2},{'Slavic' if d in 'xy' else 'Uralic'}\n"
        for d in "xyz"
        for i in range(8)
    )
    reading = read("dataset,example,A,B,genre\n" + rows).reading
    assert reading.dataset_labels["genre"] == {"x": "Slavic", "y": "Slavic", "z": "Uralic"}
    assert reading.roles["covariates"] == ()


def test_other_roles_come_first():
    # The genre names the datasets, the tokens are what the correct ones are counted among.
    rows = "".join(f"{d},{i},{i % 5},{i % 4},{i % 3 + 6}\n" for d, i in EXAMPLES)
    results = read("genre,example,correct_A,correct_B,tokens\n" + rows)
    assert results.reading.layout == COUNTS
    assert results.datasets == ("x", "y")
    assert results.covariates == ()


def test_counts_that_are_declared_a_covariate_are_no_system():
    rows = "".join(f"{d},{i},{i % 5},{i % 4},{i % 3},6\n" for d, i in EXAMPLES)
    text = "dataset,example,correct_A,correct_B,correct_C,total\n" + rows
    assert read(text).systems == ("A", "B", "C")
    declared = read(text, covariates=["correct_C"])
    assert declared.systems == ("A", "B")
    assert declared.covariate("x", "correct_C").tolist() == [i % 3 for i in range(N)]


def test_text_beside_labels_counts_only_under_a_known_heading():
    text = LABELS.replace("genre", "C").replace("length", "seconds")
    results = read(text)
    assert results.covariates == ()
    assert results.systems == ("A", "B")
    assert "C" in read(text, covariates=["C"]).covariates


def test_a_column_cannot_be_a_system_and_a_covariate():
    error = refused(WIDE, systems=["A", "B"], covariates=["B", "length"])
    assert "The column has several roles: systems, covariates." in str(error)


def test_other_layouts_have_no_covariates():
    table = "dataset,A,B,p_value\nx,.9,.8,.01\ny,.7,.6,.2\n"
    (problem,) = refused(table, layout="published table", covariates=["A"]).problems
    assert "The role 'covariates' is given" in problem.what
    assert read_results(table.encode(), roles={"covariates": []}).datasets == ("x", "y")
