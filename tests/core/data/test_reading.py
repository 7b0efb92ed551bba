"""Any source and any bytes end in a table or in a DataError."""

import csv
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.data import TEMPLATES, read_results, read_sample, samples
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


@pytest.mark.parametrize("sources", [[], [FILE, FILE]])
def test_one_file_is_read_at_a_time(sources):
    with pytest.raises(DataError, match="one published table is read at a time"):
        read(sources)


def test_other_sources_are_refused_by_type():
    with pytest.raises(TypeError, match="got int"):
        read(3)
    with pytest.raises(TypeError, match="binary mode"):
        read(io.StringIO("dataset,p\n"))


def test_a_missing_file_is_an_error_of_the_system():
    with pytest.raises(FileNotFoundError):
        read("no such file.csv")


@pytest.mark.parametrize("text", TEMPLATES.values(), ids=TEMPLATES)
def test_templates_read_without_remarks(text):
    assert read(text.encode()).reading.remarks == ()


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
    table = read(text.getvalue().encode(encoding))
    assert table.datasets == tuple(names)
    assert table.printed_scores_a == tuple(scores_a)
    assert table.scores_b.tolist() == [float(b) for b in scores_b]
    assert table.printed == tuple(map(mark, p_values))
    expected = [float(p) if float(p) else 0.00005 for p in p_values]
    assert table.p_values.tolist() == expected
    assert table.reading.separator == separator


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
        assert problem.what.endswith(".")
        assert problem.remedy.endswith(".")
    if table is None:
        return
    assert table.differences is None or table.differences.size == table.n_datasets
    assert table.printed_zeros.size == table.n_datasets
    assert len(table.to_frame()) == table.n_datasets
    assert table.fingerprint


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=300))
@example(b"\xff\xfe")
@example(b'"')
@example(b"a,p\n\x85,1\n")
def test_random_bytes_end_in_a_table_or_a_data_error(content):
    read_or_refuse(content)


@settings(max_examples=500, deadline=None)
@given(
    st.text(st.sampled_from('dataset p,;|\t\n\r"0123456789.<>=-−·^*{}e%xA'), max_size=120).map(
        lambda text: "dataset,A,B,p\n" + text
    )
)
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
    content = bytearray(read_sample(key)[1])
    for start, length, inserted in cuts:
        at = start % (len(content) + 1)
        content[at : at + length] = inserted
    read_or_refuse(bytes(content))
