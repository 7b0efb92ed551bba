"""The fast way of cutting gives the cells and lines that the slow way gives, or leaves it to that."""

import sys

from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.data.tables.cutting import WHITE_SPACE, cut_fast, cut_slowly


def cells(cut):
    return [column.to_pylist() for column in cut.columns]


def assert_same(text, separator):
    fast = cut_fast(text.encode(), separator, max_rows=50)
    if fast is None:
        return
    slow = cut_slowly(text.encode(), separator, max_rows=50)
    assert slow.is_regular
    assert fast.is_regular
    assert (fast.header, fast.header_line) == (slow.header, slow.header_line)
    assert cells(fast) == cells(slow)
    assert fast.lines.tolist() == slow.lines.tolist()
    assert (fast.blank, fast.n_rows) == (slow.blank, slow.n_rows)


def test_the_white_space_that_is_trimmed_is_what_python_strips():
    every = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    assert set(WHITE_SPACE) == every


@settings(max_examples=300, deadline=None)
@given(
    st.text(st.sampled_from("ab ,;\t\n\r\x0b\xa0\u2028é0.'\\#\""), max_size=60),
    st.sampled_from([",", ";", "\t", "|"]),
)
@example('"a","b"\n"1",""\n', ",")
@example('"a",b\n"1,\t ",2\n"","x"\n', ",")
@example("a,b\r\n1,2\r\n", ",")
@example("\n\na,b\n\n1,2\n\n,\n3,4", ",")
@example(" a , b \n\xa01\u2028,\x0b2 \n", ",")
@example("a,b\n1,2\n   \n3,4\n", ",")
@example("a\tb\n\t\n1\t2\n", "\t")
@example("a,b\n1,2\n1,2,3\n", ",")
def test_fast_and_slow_agree(text, separator):
    assert_same(text, separator)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.lists(
            st.text(st.sampled_from("ab 1.é"), max_size=4)
            | st.text(st.sampled_from("ab, 1.é"), max_size=4).map('"{}"'.format),
            min_size=3,
            max_size=3,
        ),
        min_size=2,
        max_size=8,
    ),
    st.sampled_from(["\n", "\r\n", "\r", "\n\n"]),
    st.booleans(),
)
def test_fast_and_slow_agree_on_regular_files(rows, end, closed):
    assert_same(end.join(map(",".join, rows)) + (end if closed else ""), ",")


def test_a_plain_file_takes_the_fast_way():
    fast = cut_fast(b"\ndataset,A,B\nx,1,0\ny,0,1\n\n", ",", max_rows=50)
    assert cells(fast) == [["x", "y"], ["1", "0"], ["0", "1"]]
    assert fast.lines.tolist() == [3, 4]


def test_what_may_be_wrong_oddly_quoted_or_empty_is_left_to_the_slow_way():
    quoted = (' "1",2\n', '"1""",2\n', '"1\n",2\n', 'x"1",2\n', '"1,2\n')
    empty = ("1,2\n\n3,4\n", "1,2\n , \n", "")
    irregular = ("1,2,3\n", f"{'x' * 140_000},1\n", "1,2\n" * 51)
    for text in ("", "a\n1\n", *(f"a,b\n{rows}" for rows in (*quoted, *empty, *irregular))):
        assert cut_fast(text.encode(), ",", max_rows=50) is None, text


def test_many_rows_are_cut_alike_in_pieces_whether_few_or_many_texts_repeat():
    # What is looked at in advance lets expect a repeated text in d, and few letters in e.
    rows = [
        (
            *(str(i), f"{i % 7}", f"w{i % 200}"),
            *(f"é{i}" if 8_000 < i % 34_500 < 30_000 else "é", "x" * 90 * (i > 115_000) + str(i)),
        )
        for i in range(120_000)
    ]
    text = 'a,b,c,d,e\n"0",' + "\n".join(map(",".join, rows))[2:]
    slow, fast = (cut(text.encode(), ",", max_rows=200_000) for cut in (cut_slowly, cut_fast))
    assert cells(slow) == cells(fast) == [list(column) for column in zip(*rows, strict=True)]
    assert slow.lines[-1] == fast.lines[-1] == 120_001
    assert [column.type.index_type.bit_width for column in fast.columns[1:4]] == [8, 16, 32]
