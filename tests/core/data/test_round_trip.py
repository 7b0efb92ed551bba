"""What is written to a file in any layout, separator, encoding and notation is read back equal."""

import csv
import io
import json
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.data import PValueTable, ResultSet, read_results
from core.data.layouts.cells import are_summaries
from tests.read_as import read_as

quick = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)

# What names hold that files use otherwise, and what readers like to change.
AWKWARD = [
    "007", "1.0", "NA", "None", "nan", "null", "True", "1e5", "-", "a,b", "a;b", "a|b", 'say "x"', '"',
    '""', "'", "x' y", "#1", "=1+1", "@x", "{a}", "[1]", "a\u2028b", "ﬁ", "é", "e\u0301", "שלום", "مرحبا",
    "中文", "🙂", "1,234", "12:30", "2020-01-01", "a  b", "\\n", "a/b", "sep=;", "x y z w" * 20,
]  # fmt: skip
CLEAN = st.characters(exclude_categories=("Cc", "Cs"))


def trimmed(texts):
    return texts.map(str.strip).filter(bool)


# Marks and emphasis are no part of names; what becomes of them is tested with marks. A row that is
# named µ is an average.
MARKED = re.compile(r".*[*∗⋆★†‡§¶]\+?|[*_]+.*[*_]+|.*[$<\\].*", re.DOTALL)
NAMES = st.sampled_from(AWKWARD) | trimmed(st.text(CLEAN, min_size=1, max_size=12)).filter(
    lambda name: MARKED.fullmatch(name) is None and not are_summaries([name])[0]
)
# Letters of one byte that no chance makes into UTF-8. A row that is named ø is an average.
WESTERN = trimmed(st.text(st.sampled_from("abc 01,;|\"'.äöüéßñç"), min_size=1, max_size=8))
SEPARATORS = st.sampled_from([",", ";", "\t", "|"])
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])
SCORES = st.one_of(
    st.integers(0, 1),
    st.integers(-(10**6), 10**6).map(lambda n: n / 1000),
    st.floats(-1e150, 1e150),
)


@st.composite
def notations(draw):
    separator = draw(SEPARATORS)
    return {
        "separator": separator,
        "encoding": draw(ENCODINGS),
        "end": draw(LINE_ENDS),
        "decimal": draw(st.sampled_from(".,")) if separator != "," else ".",
        "quoting": draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
    }


@st.composite
def result_sets(draw, cells=SCORES):
    """A notation, and names, ids and cells that it can write."""
    notation = draw(notations())
    names = WESTERN if notation["encoding"] == "cp1252" else NAMES
    datasets = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    systems = draw(st.lists(names, min_size=2, max_size=3, unique=True))
    held = {}
    for dataset in datasets:
        ids = draw(st.lists(names, min_size=2, max_size=4, unique=True))
        held[dataset] = {
            "ids": ids,
            "cells": {
                system: draw(st.lists(cells, min_size=len(ids), max_size=len(ids)))
                for system in systems
            },
        }
    return notation, systems, held


def printed(number, notation):
    digits = repr(number)
    if notation["decimal"] == "," and re.fullmatch(r"-?[1-9][0-9]{0,2}[.][0-9]{3}", digits):
        # With three decimals alone a comma could as well separate thousands.
        digits += "0"
    return digits.replace(".", notation["decimal"])


def written(rows, notation):
    text = io.StringIO(newline="")
    writer = csv.writer(
        text,
        delimiter=notation["separator"],
        lineterminator=notation["end"],
        quoting=notation["quoting"],
    )
    writer.writerows(rows)
    return text.getvalue().encode(notation["encoding"])


def own_systems(systems):
    """Their columns, told apart from the others; differences may lie anywhere, whatever the metric."""
    return [f"sys diff {system}" for system in systems]


def under(columns, held):
    """The same with the systems' columns as their names."""
    return {
        d: {**part, "cells": dict(zip(columns, part["cells"].values(), strict=True))}
        for d, part in held.items()
    }


def of_examples(columns):
    """Roles of scores on examples in these columns."""
    return {
        "layout": "per-example scores",
        "systems": tuple(columns),
        "metric": "score",
        "higher_is_better": True,
        "scales": "one",
    }


def expected(systems, held):
    return ResultSet.from_scores(
        {d: {s: part["cells"][s] for s in systems} for d, part in held.items()},
        examples={d: part["ids"] for d, part in held.items()},
    )


def assert_equal(results, wanted):
    assert isinstance(results, ResultSet)
    assert (results.datasets, results.systems) == (wanted.datasets, wanted.systems)
    for dataset in wanted.datasets:
        assert results.examples(dataset) == wanted.examples(dataset)
        for system in wanted.systems:
            assert np.array_equal(results.scores(dataset, system), wanted.scores(dataset, system))
    # The order in which labels are numbered is no part of what they say.
    if wanted.labels is None:
        assert results.fingerprint == wanted.fingerprint


@quick
@given(result_sets())
def test_scores_side_by_side(made):
    notation, systems, held = made
    columns = own_systems(systems)
    rows = [["dataset", "example", *columns]]
    for dataset, part in held.items():
        for i, own_id in enumerate(part["ids"]):
            scores = [printed(part["cells"][s][i], notation) for s in systems]
            rows.append([dataset, own_id, *scores])
    results = read_results(written(rows, notation), roles=of_examples(columns))
    assert_equal(results, expected(columns, under(columns, held)))


@quick
@given(result_sets())
def test_scores_below_each_other(made):
    notation, systems, held = made
    rows = [["dataset", "example", "system", "score"]]
    for dataset, part in held.items():
        for i, own_id in enumerate(part["ids"]):
            rows.extend(
                [dataset, own_id, s, printed(part["cells"][s][i], notation)] for s in systems
            )
    results = read_results(
        written(rows, notation),
        roles={"dataset": "dataset", "example": "example", "system": "system", "metric": "score",
               "scores": ("score",), "higher_is_better": True, "scales": "one"},
    )  # fmt: skip
    assert_equal(results, expected(systems, held))


COUNTS = st.integers(1, 20).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))


@quick
@given(result_sets(COUNTS))
def test_counts_of_right_and_all(made):
    notation, systems, held = made
    rows = [["dataset", "example", "system", "correct", "total"]]
    for dataset, part in held.items():
        for i, own_id in enumerate(part["ids"]):
            # The total is the example's own, the same for every system.
            total = max(part["cells"][s][i][1] for s in systems)
            rows.extend([dataset, own_id, s, part["cells"][s][i][0], total] for s in systems)
    results = read_as(ResultSet, written(rows, notation))
    assert (results.datasets, results.systems) == (tuple(held), tuple(systems))
    for dataset, part in held.items():
        assert results.examples(dataset) == tuple(part["ids"])
        for system in systems:
            counts = results.scores(dataset, system)
            assert counts[:, 0].tolist() == [correct for correct, _ in part["cells"][system]]


@quick
@given(result_sets(st.sampled_from(["A", "B", "ß", "x, y", "1", "01", "NA"])), st.data())
def test_predictions(made, data):
    notation, systems, held = made
    columns = own_systems(systems)
    rows = [["dataset", "example", "gold", *columns]]
    gold = {}
    for dataset, part in held.items():
        gold[dataset] = data.draw(st.lists(st.sampled_from(["A", "ß", "01", "NA"]),
                                           min_size=len(part["ids"]), max_size=len(part["ids"])))  # fmt: skip
        for i, own_id in enumerate(part["ids"]):
            labels = [part["cells"][s][i] for s in systems]
            rows.append([dataset, own_id, gold[dataset][i], *labels])
    wanted = ResultSet.from_predictions(
        gold,
        {d: part["cells"] for d, part in under(columns, held).items()},
        examples={d: part["ids"] for d, part in held.items()},
    )
    results = read_results(
        written(rows, notation),
        roles={"layout": "predictions", "gold": "gold", "systems": tuple(columns)},
    )
    assert_equal(results, wanted)
    assert isinstance(results, ResultSet)
    for dataset in wanted.datasets:
        read_gold = results.gold(dataset)
        assert read_gold.tolist() == gold[dataset]
        for column in columns:
            given, read = (one.predictions(dataset, column) for one in (wanted, results))
            assert read.tolist() == given.tolist()


@quick
@given(st.data(), notations())
def test_a_published_table(data, notation):
    names = WESTERN if notation["encoding"] == "cp1252" else NAMES
    datasets = data.draw(st.lists(names, min_size=1, max_size=6, unique=True))
    rows, numbers = [["dataset", "first", "second", "n", "p_value"]], []
    for dataset in datasets:
        a, b, p = (data.draw(st.integers(1, 9999)) / 10_000 for _ in range(3))
        n = data.draw(st.integers(1, 10**6))
        numbers.append((a, b, n, p))
        rows.append([dataset, printed(a, notation), printed(b, notation), n, printed(p, notation)])
    table = read_as(PValueTable, written(rows, notation))
    assert table.datasets == tuple(datasets)
    assert (table.system_a, table.system_b) == ("first", "second")
    assert table.printed == tuple(row[4] for row in rows[1:])
    read = (table.scores_a, table.scores_b, table.n_examples, table.p_values)
    for column, wanted in zip(read, zip(*numbers, strict=True), strict=True):
        assert column.tolist() == list(wanted)


@quick
@given(result_sets())
@pytest.mark.parametrize("lines", [False, True])
def test_json(lines, made):
    notation, systems, held = made
    columns = own_systems(systems)
    rows = [
        {"dataset": d, "example": own_id}
        | {c: part["cells"][s][i] for c, s in zip(columns, systems, strict=True)}
        for d, part in held.items()
        for i, own_id in enumerate(part["ids"])
    ]
    encoding = notation["encoding"] if notation["encoding"] != "cp1252" else "utf-8"
    text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows, ensure_ascii=False)
    results = read_results(text.encode(encoding), roles=of_examples(columns))
    assert_equal(results, expected(columns, under(columns, held)))


@quick
@given(result_sets())
def test_a_file_for_each_dataset(made):
    notation, systems, held = made
    columns = own_systems(systems)
    files = []
    # A name of a dataset may be none of a file.
    for position, part in enumerate(held.values()):
        rows = [["example", *columns]]
        for i, own_id in enumerate(part["ids"]):
            rows.append([own_id, *(printed(part["cells"][s][i], notation) for s in systems)])
        file = io.BytesIO(written(rows, notation))
        file.name = f"set {'abc'[position]}.csv"
        files.append(file)
    results = read_results(files, roles=of_examples(columns))
    by_file = dict(
        zip((file.name.removesuffix(".csv") for file in files), held.values(), strict=True)
    )
    wanted = expected(columns, under(columns, by_file))
    assert isinstance(results, ResultSet)
    assert results.systems == wanted.systems
    for dataset, name in zip(wanted.datasets, results.datasets, strict=True):
        assert dataset.endswith(name)
        assert results.examples(name) == wanted.examples(dataset)
        for system in wanted.systems:
            assert np.array_equal(results.scores(name, system), wanted.scores(dataset, system))
