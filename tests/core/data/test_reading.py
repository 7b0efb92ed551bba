"""Any source and any bytes end in a table, a set of results or a DataError."""

import csv
import gzip
import io
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from core.data import (
    LAYOUTS,
    TEMPLATES,
    PValueTable,
    ResultSet,
    read_results,
    read_sample,
    reading,
    samples,
)
from core.data.layouts.averages import average_problems
from core.data.layouts.registry import MCNEMAR_COUNTS, SCORE_GRID, recognise_layout
from core.errors import DataError, Problem

FILE = b"dataset,A,B,p\nx,1,2,.5\n"

# Outer white space is trimmed and control characters are refused, so neither is in a name;
# a name is not drawn to be blank.
NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12
).map(str.strip).filter(bool)  # fmt: skip


def read(*arguments, **named):
    """Without the declared type: that a table has a reading and scores is what is tested."""
    return read_results(*arguments, **named)


def printed_numbers(largest, places):
    return st.integers(0, largest * 10**places).map(
        lambda digits: f"{digits // 10**places}.{digits % 10**places:0{places}d}"
    )


def test_bytes_paths_and_binary_files_read_the_same():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(FILE)
        with path.open("rb") as opened:
            tables = [
                read(FILE),
                read(bytearray(FILE)),
                read(str(path)),
                read(path),
                read(opened),
                read(io.BytesIO(FILE)),
                read([path]),
                read((FILE,)),
            ]
    assert {table.fingerprint for table in tables} == {tables[0].fingerprint}
    assert [table.reading.source_name for table in tables] == [
        "results", "results", "table.csv", "table.csv", "table.csv", "results", "table.csv",
        "results",
    ]  # fmt: skip


def test_a_name_can_be_given():
    assert read(FILE, name="mine").reading.source_name == "mine"


@pytest.mark.parametrize(("sources", "said"), [([], "no file"), ([FILE] * 2_001, "2,001 files")])
def test_there_is_a_file_and_not_too_many(sources, said):
    with pytest.raises(DataError, match=said):
        read(sources)


def test_paths_are_named_from_the_folder_that_they_share(tmp_path):
    for place in ("bert/mrpc.txt", "bert/rte.txt", "gpt/mrpc.txt", "gpt/rte.txt"):
        (tmp_path / "runs" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "runs" / place).write_text("1\n0\n" if "mrpc" in place else "1\n0\n1\n")
    results = read(sorted((tmp_path / "runs").rglob("*.txt")))
    assert (results.datasets, results.systems) == (("mrpc", "rte"), ("bert", "gpt"))
    assert results.reading.source_name == "runs"


def test_other_sources_are_refused_by_type():
    with pytest.raises(TypeError, match="got int"):
        read(3)
    with pytest.raises(TypeError, match="binary mode"):
        read(io.StringIO("dataset,p\n"))


def test_what_a_layout_made_stays_as_it_is_and_its_scores_are_not_copied(monkeypatch):
    made: list[Any] = []

    def recorded(raw, given):
        layout, roles = recognise_layout(raw, given)

        def read_and_keep(*arguments):
            made.append(layout.read(*arguments))
            return made[0]

        return replace(layout, read=read_and_keep), roles

    monkeypatch.setattr(reading, "recognise_layout", recorded)
    rows = "".join(f"x,{i},{i % 2},0.5\n" for i in range(50))
    results = read(gzip.compress(f"dataset,example,A,B\n{rows}".encode()), name="mine.gz")
    assert isinstance(results, ResultSet)
    assert results.reading is not None
    assert (made[0].reading.source_name, results.reading.source_name) == ("mine", "mine.gz")
    assert results.fingerprint == made[0].fingerprint
    assert np.shares_memory(results.scores("x", "A"), made[0].scores("x", "A"))


def test_a_missing_file_is_an_error_of_the_system():
    with pytest.raises(FileNotFoundError):
        read("no such file.csv")


def test_every_layout_has_a_template():
    assert set(TEMPLATES) == {layout.name for layout in LAYOUTS}


# What holds for every file of a layout is said of its template too.
SAID_OF_ALL = {
    MCNEMAR_COUNTS: "The examples are rebuilt from the counts",
    SCORE_GRID: "One score for each dataset and system",
}


@pytest.mark.parametrize(("layout", "text"), TEMPLATES.items(), ids=TEMPLATES)
def test_templates_read_as_their_layout_with_no_remark_of_their_own(layout, text):
    reading = read(text.encode()).reading
    assert reading.layout == layout
    said = [SAID_OF_ALL[layout]] if layout in SAID_OF_ALL else []
    assert [remark.split(" and have")[0].split(":")[0] for remark in reading.remarks] == said


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_layouts_say_which_roles_their_columns_have(layout):
    roles = read(TEMPLATES[layout.name].encode()).reading.roles
    assert set(layout.roles) <= set(roles)
    assert roles["layout"] == layout.name
    assert layout.description.endswith(".")


@settings(max_examples=150, deadline=None)
@given(
    names=st.lists(NAMES, min_size=1, max_size=6, unique=True),
    data=st.data(),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    comma=st.booleans(),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_table_written_in_any_way_reads_back_equal(names, data, separator, encoding, comma, end):
    n = len(names)
    # A row that is named as an average of the others is refused.
    assume(not average_problems(names, np.arange(n), "dataset"))
    scores_a, scores_b = (
        data.draw(st.lists(printed_numbers(100, 2), min_size=n, max_size=n)) for _ in "ab"
    )
    p_values = data.draw(st.lists(printed_numbers(1, 4), min_size=n, max_size=n))
    comma = comma and separator != ","

    def mark(text):
        return text.replace(".", ",") if comma else text

    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["dataset", "ours", "theirs", "p_value"])
    for name, a, b, p in zip(names, scores_a, scores_b, p_values, strict=True):
        writer.writerow([name, mark(a), mark(b), mark(p)])
    table = read(text.getvalue().encode(encoding), roles={"scales": "one"})
    assert table.datasets == tuple(names)
    assert table.printed_scores_a == tuple(scores_a)
    assert table.scores_b.tolist() == [float(b) for b in scores_b]
    assert table.printed == tuple(map(mark, p_values))
    expected = [float(p) if float(p) else 0.00005 for p in p_values]
    assert table.p_values.tolist() == expected
    assert table.reading.separator == separator


def distinct(names, n):
    return st.lists(names, min_size=n, max_size=n, unique=True)


# Names of columns that are taken for systems by nothing but their cells.
SYSTEMS = st.sampled_from(
    ["ours", "Base line", "café", "v1.2", "x-y", "Große", "q;r", "s|t", "u,v"]
)


@st.composite
def written(draw):
    """How a file is written: separator, encoding, decimal comma, line end, quoting."""
    separator = draw(st.sampled_from([",", ";", "\t", "|"]))
    return {
        "separator": separator,
        "encoding": draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])),
        "comma": separator != "," and draw(st.booleans()),
        "end": draw(st.sampled_from(["\n", "\r\n", "\r"])),
        "quoting": draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])),
    }


def write(rows, how):
    text = io.StringIO()
    writer = csv.writer(
        text, delimiter=how["separator"], lineterminator=how["end"], quoting=how["quoting"]
    )
    writer.writerows(rows)
    return text.getvalue().encode(how["encoding"])


@st.composite
def keys(draw):
    """Datasets and ids, mixed; each pair once."""
    names = draw(distinct(NAMES, draw(st.integers(1, 3))))
    pairs = draw(
        st.lists(st.tuples(st.sampled_from(names), NAMES), min_size=1, max_size=12, unique=True)
    )
    return pairs


def rows_of(pairs, dataset):
    return [row for row, (name, _) in enumerate(pairs) if name == dataset]


@settings(max_examples=150, deadline=None)
@given(pairs=keys(), systems=distinct(SYSTEMS, 3), how=written(), data=st.data())
def test_scores_written_in_any_way_read_back_equal(pairs, systems, how, data):
    scores = data.draw(
        st.lists(
            # With three decimals "1,000" would be a thousand as well.
            st.lists(printed_numbers(100, 4), min_size=3, max_size=3),
            min_size=len(pairs),
            max_size=len(pairs),
        )
    )
    rows = [["dataset", "example", *systems]]
    for pair, numbers in zip(pairs, scores, strict=True):
        rows.append([*pair, *(n.replace(".", ",") if how["comma"] else n for n in numbers)])
    results = read(write(rows, how), roles={"systems": systems, "scales": "one"})
    assert isinstance(results, ResultSet)
    assert results.datasets == tuple(dict.fromkeys(name for name, _ in pairs))
    assert results.systems == tuple(systems)
    assert results.score_decimals == 4
    assert results.reading is not None
    assert results.reading.separator == how["separator"]
    for dataset in results.datasets:
        own = rows_of(pairs, dataset)
        assert results.examples(dataset) == tuple(pairs[row][1] for row in own)
        for j, system in enumerate(systems):
            expected = [float(scores[row][j]) for row in own]
            assert results.scores(dataset, system).tolist() == expected


@settings(max_examples=150, deadline=None)
@given(pairs=keys(), systems=distinct(SYSTEMS, 2), how=written(), data=st.data())
def test_predictions_written_in_any_way_read_back_equal(pairs, systems, how, data):
    labels = st.sampled_from(["yes", "no", "it, depends", 'so "so"', "日本"])
    cells = data.draw(
        st.lists(st.lists(labels, min_size=3, max_size=3), min_size=len(pairs), max_size=len(pairs))
    )
    rows = [["dataset", "example", "gold", *systems]]
    rows += [[*pair, *own] for pair, own in zip(pairs, cells, strict=True)]
    results = read(
        write(rows, how),
        roles={"dataset": "dataset", "example": "example", "gold": "gold", "systems": systems},
    )
    for dataset in results.datasets:
        own = [cells[row] for row in rows_of(pairs, dataset)]
        assert results.gold(dataset).tolist() == [gold for gold, *_ in own]
        for j, system in enumerate(systems, start=1):
            assert results.predictions(dataset, system).tolist() == [row[j] for row in own]
            right = [float(row[j] == row[0]) for row in own]
            assert results.scores(dataset, system).tolist() == right


def read_or_refuse(content):
    """Whatever else it raises fails the test."""
    table = None
    problems: list[Problem] = []
    try:
        table = read(content)
    except DataError as error:
        problems.extend(error.problems)
    assert (table is None) == bool(problems)
    for problem in problems:
        assert problem.what.endswith((".", "?"))
        assert problem.remedy.endswith(".")
    if table is None:
        return
    assert table.fingerprint
    assert table.reading.columns
    if isinstance(table, ResultSet):
        assert len(table.to_frame()) == table.n_datasets * len(table.systems)
        for dataset in table.datasets:
            for system in table.systems:
                assert table.oriented(dataset, system).size == table.n_examples(dataset)
        return
    if not isinstance(table, PValueTable):
        assert len(table.to_frame()) >= len(table.datasets)
        return
    assert table.differences is None or table.differences.size == table.n_datasets
    assert table.printed_zeros.size == table.n_datasets
    assert len(table.to_frame()) == table.n_datasets


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=300))
@example(b"\xff\xfe")
@example(b'"')
@example(b"a,p\n\x85,1\n")
def test_random_bytes_end_in_a_table_or_a_data_error(content):
    read_or_refuse(content)


@settings(max_examples=300, deadline=None)
@given(
    st.builds(
        bytes.__add__,
        st.sampled_from(
            [b"[{", b'{"a":{', b'[{"a":', b"PK\x03\x04", b"\x1f\x8b\x08\x00", b"1\n0\n"]
        ),
        st.one_of(
            st.binary(max_size=80),
            st.text(st.sampled_from('{}[]":,ab01.eE+-\\u \n'), max_size=80).map(str.encode),
        ),
    )
)
def test_what_begins_as_another_kind_of_file_ends_in_a_table_or_a_data_error(content):
    read_or_refuse(content)


@settings(max_examples=1000, deadline=None)
@given(
    st.builds(
        str.__add__,
        st.sampled_from(
            [
                "dataset,A,B,p\n",
                "dataset,example,A,B\nx,1,1,0\nx,2,0,0\n",
                "dataset,example,gold,A,B\nx,1,0,1,0\n",
                "A;B\n0;1\n",
            ]
        ),
        st.text(st.sampled_from('dataset p,;|\t\n\r"0123456789.<>=-−·^*{}e%xA'), max_size=120),
    )
)
@example("dataset,example,A,B\nx,1,1,0\n,,,\nx,2,,\n")
@example("dataset,example,gold,A,B\nx,1,0,1,0\nx,2,0,1,\n")
def test_random_rows_end_in_a_table_or_a_data_error(text):
    read_or_refuse(text.encode())


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    key=st.sampled_from([sample.key for sample in samples()]),
    cuts=st.lists(
        st.tuples(st.integers(0, 1000), st.integers(0, 4), st.binary(max_size=4)),
        min_size=1,
        max_size=6,
    ),
)
def test_damaged_good_files_end_in_a_table_or_a_data_error(key, cuts):
    # The long samples are cut: what they end with is like what they begin with.
    content = bytearray(read_sample(key)[1][:3000])
    for start, length, inserted in cuts:
        at = start % (len(content) + 1)
        content[at : at + length] = inserted
    read_or_refuse(bytes(content))
