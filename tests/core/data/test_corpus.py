"""Small files, good and bad, each with what has to become of it."""

import numpy as np
import pytest

from core.data import PValueTable, ResultSet, read_results
from core.errors import DataError

HEAD = "dataset,A,B,p\n"
ROWS = "x,1,2,.5\ny,3,4,.25\n"

# Title, bytes, datasets, p-values.
PUBLISHED = [
    ("Excel's separator line", "sep=;\r\ndataset;A;B;p\r\nx;1;2;0,5\r\n", ["x"], [0.5]),
    ("a title", f"Table 3: results\n{HEAD}{ROWS}", ["x", "y"], [0.5, 0.25]),
    ("a title with empty cells", f"Table 3: results,,,\n{HEAD}{ROWS}", ["x", "y"], [0.5, 0.25]),
    ("UTF-16 without a mark", (HEAD + ROWS).encode("utf-16-le"), ["x", "y"], [0.5, 0.25]),
    ("names like numbers", HEAD + "007,1,2,.5\n1.0,1,2,.5\n", ["007", "1.0"], [0.5, 0.5]),
    ("names like nothing", HEAD + "NA,1,2,.5\nNone,1,2,.5\nnan,1,2,.5\n", ["NA", "None", "nan"], [0.5] * 3),
    ("white space around names", HEAD + " x ,1,2,.5\n\ty z\xa0,1,2,.5\n", ["x", "y z"], [0.5, 0.5]),
    ("right to left", HEAD + "שלום,1,2,.5\nمرحبا,1,2,.5\n", ["שלום", "مرحبا"], [0.5, 0.5]),
    ("combining characters", HEAD + "e\u0301,1,2,.5\né,1,2,.5\n", ["e\u0301", "é"], [0.5, 0.5]),
    ("a long name", HEAD + "x" * 10_000 + ",1,2,.5\n", ["x" * 10_000], [0.5]),
    ("printed p-values", "dataset,p\na,p = .03\nb,.04*\nc,<0.001\nd,2·10^-4\ne,1.2×10−5\nf,5.0E-03\n",
     list("abcdef"), [0.03, 0.04, 0.001, 2e-4, 1.2e-5, 5e-3]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "datasets", "p_values"),
    [case[1:] for case in PUBLISHED],
    ids=[case[0] for case in PUBLISHED],
)
def test_published_tables(content, datasets, p_values):
    table = read_results(content if isinstance(content, bytes) else content.encode())
    assert isinstance(table, PValueTable)
    assert table.datasets == tuple(datasets)
    assert table.p_values.tolist() == p_values


SCORES = [
    ("one dataset", "A,B\n1,0\n0,0\n1,1\n", ["results"], [1, 0, 1]),
    ("grouped by commas", 'dataset,A,B\nx,"1,234.5",1\nx,"1,234",1\n', ["x"], [1234.5, 1234]),
    ("grouped by points", "dataset;A;B\nx;1.234,5;1\nx;1.234;1\n", ["x"], [1234.5, 1234]),
    ("grouped by thin spaces", "dataset,A,B\nx,1\u2009234.5,1\nx,2,1\n", ["x"], [1234.5, 2]),
    ("decimal commas of three digits", "dataset;A;B\nx;1,234;1\nx;2,5;1\n", ["x"], [1.234, 2.5]),
    ("a title of predictions' neighbours", "# run 7\ndataset,A,B\nx,1,0\nx,0,0\n", ["x"], [1, 0]),
]


@pytest.mark.parametrize(
    ("content", "datasets", "first"), [c[1:] for c in SCORES], ids=[c[0] for c in SCORES]
)
def test_scores(content, datasets, first):
    results = read_results(content.encode())
    assert isinstance(results, ResultSet)
    assert results.datasets == tuple(datasets)
    assert results.scores(datasets[0], "A").tolist() == first


@pytest.mark.parametrize(
    ("content", "remark"),
    [
        (f"Table 3\n{HEAD}{ROWS}", "Line 1 is taken for a title and left aside: 'Table 3'."),
        ('dataset,A,B,n,p\nx,1,2,"1,234",.5\n', "Separators of thousands in 'n' are left out: "
         "'1,234' as 1234."),
        ('dataset,A,B,p\nx,"1,234.5",2,.5\n', "in 'A' are left out: '1,234.5' as 1234.5."),
        ("dataset;A;B\nx;1.234,5;1\nx;1.234;1\n", "'1.234,5' as 1234.5, '1.234' as 1234."),
        ((HEAD + ROWS).encode("utf-16-be"), "was read as UTF-16"),
    ],
)  # fmt: skip
def test_what_was_settled_by_reading_is_said(content, remark):
    results = read_results(content if isinstance(content, bytes) else content.encode())
    assert results.reading is not None
    assert any(remark in said for said in results.reading.remarks)


BAD = [
    ("empty", b"", "The file is empty."),
    ("a header alone", HEAD.encode(), "header and no rows"),
    ("a separator line alone", b"sep=;\n", "No comma, semicolon, tab or vertical bar"),
    ("another separator", b"sep=:\na:p\nx:1\n", "':' separates the columns, which is not read"),
    ("zero bytes", HEAD.encode() + b"x\x00,1,2,.5\n", "binary data (byte value 0)"),
    ("binary data", bytes(range(256)) * 64, "binary data"),
    ("a thousand in a comma-separated file", b'dataset,A,B\nx,"1,234",1\nx,1,2\n',
     "'1,234' may be 1.234 or 1234: nothing in the file shows"),
    ("points of both meanings", b"dataset;A;B;p\nx;1.234,5;1;.5\ny;1.234;1;.5\nz;0.5;1;.5\n",
     "'1.234' may be 1.234 or 1234: the column has the same mark"),
    ("p-values in percent", b"dataset,p\nx,<1%\n", "'<1%' is not a p-value"),
    ("no p-value but a word", b"dataset,p\nx,ns\n", "only that a test was not significant"),
    ("too many columns", (",".join(map("c{}".format, range(5000))) + "\n").encode()
     + b",".join([b"1"] * 5000) + b"\n", "The header has 5,000 columns; at most 1,000 are read."),
    ("a cell without end", b"dataset,p\n" + b"x" * 200_000 + b",.5\n", "more than 131,072 characters"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"), [case[1:] for case in BAD], ids=[case[0] for case in BAD]
)
def test_what_cannot_be_read_says_why(content, said):
    with pytest.raises(DataError) as caught:
        read_results(content)
    assert any(said in str(problem) for problem in caught.value.problems)


def test_a_thousand_datasets_are_read_in_their_order():
    text = "dataset,example,A,B\n" + "".join(
        f"set{i % 1000},{i},{i % 2},{i % 3 % 2}\n" for i in range(5000)
    )
    results = read_results(text.encode())
    assert isinstance(results, ResultSet)
    assert results.datasets == tuple(f"set{i}" for i in range(1000))
    assert results.examples("set7") == ("7", "1007", "2007", "3007", "4007")
    assert results.scores("set7", "A").tolist() == [1.0] * 5


def test_a_long_file_reads_as_its_rows_in_any_order_do():
    rng = np.random.default_rng(3)
    rows = [f"set{i // 15_000},{i},{i % 2},{i / 60_000:.6f}" for i in range(60_000)]
    plain = read_results("\n".join(["dataset,example,A,B", *rows]).encode())
    assert isinstance(plain, ResultSet)
    assert plain.scores("set2", "B")[:2].tolist() == [
        round(i / 60_000, 6) for i in (30_000, 30_001)
    ]
    # The datasets' rows lie apart, but those of each keep their order.
    apart = sorted(rows, key=lambda row: int(row.split(",")[1]) % 15_000)
    assert apart != rows
    mixed = read_results("\n".join(["dataset,example,A,B", *apart]).encode())
    assert isinstance(mixed, ResultSet)
    assert mixed.fingerprint == plain.fingerprint
    twice = [*rows, rows[int(rng.integers(len(rows)))]]
    with pytest.raises(DataError, match="is already on line"):
        read_results("\n".join(["dataset,example,A,B", *twice]).encode())
