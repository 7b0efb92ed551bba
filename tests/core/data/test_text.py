"""Bytes become text, or the reason why not."""

import pytest

from core.data.text import decode_text
from core.errors import DataError

TABLE = "dataset,A,B,p\nGermän,1,2,.5\n"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (TABLE.encode(), "UTF-8"),
        (TABLE.encode("utf-8-sig"), "UTF-8"),
        (TABLE.encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + TABLE.encode("utf-16-be"), "UTF-16"),
    ],
)
def test_marked_and_plain_unicode_is_read_without_remark(content, encoding):
    decoded = decode_text(content)
    assert (decoded.text, decoded.encoding, decoded.remarks) == (TABLE, encoding, ())


def test_other_bytes_are_windows_1252_with_a_remark():
    decoded = decode_text("dataset,p\nGermän – “x”,.5\n".encode("cp1252"))
    assert decoded.text == "dataset,p\nGermän – “x”,.5\n"
    assert decoded.encoding == "Windows-1252"
    assert "Windows-1252" in decoded.remarks[0]


def test_bytes_that_windows_1252_lacks_are_latin_1():
    assert decode_text(b"dataset\x81\xe4").encoding == "Latin-1"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"  \n\t\r\n", "empty"),
        (" \n".encode("utf-16"), "blank lines"),
        (b"dataset,p\nx\x00y,.5\n", "line 2: The file holds binary data (byte value 0)"),
        (TABLE.encode("utf-16-le"), "binary data"),
        (b"dataset,p\rx,\x1b\r", "Line 2: The file holds binary data (byte value 27)"),
        (b"PK\x03\x04rest", "zip"),
        (b"\x1f\x8b\x08rest", "gzip"),
        (b"\xff\xfed\x00a", "begins as UTF-16 but is not: byte 5"),
        (b"\xef\xbb\xbfdata\xff", "begins as UTF-8 but is not"),
    ],
)
def test_what_is_no_text_is_refused_with_a_reason_and_a_remedy(content, said):
    with pytest.raises(DataError) as caught:
        decode_text(content)
    (problem,) = caught.value.problems
    assert said.casefold() in str(problem).casefold()
    assert problem.remedy
