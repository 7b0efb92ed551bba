"""Bytes become text, or the reason why not."""

import pytest

from core.data.tables.text import decode_text
from core.errors import DataError

TABLE = "dataset,A,B,p\nGermän,1,2,.5\n"


def test_marked_and_plain_unicode_is_read_without_remark():
    for content, encoding in [
        (TABLE.encode(), "UTF-8"),
        (TABLE.encode("utf-8-sig"), "UTF-8"),
        (TABLE.encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + TABLE.encode("utf-16-be"), "UTF-16"),
    ]:
        decoded = decode_text(content)
        assert (decoded.text, decoded.encoding, decoded.remarks) == (TABLE, encoding, ()), encoding


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"  \n\t\r\n", "empty"),
        (" \n".encode("utf-16"), "blank lines"),
        (TABLE.encode("utf-16-le"), "binary data"),
        (b"dataset,p\nx\x00y,.5\n", "line 2: The file holds binary data (byte value 0)"),
        (b"da\x00ta,p\x00\nx,.5\n\x00\x00", "binary data"),
        (bytes(range(256)) * 8, "binary data"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Excel"),
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


def test_binary_data_beyond_the_first_block_are_found_with_their_line():
    rows, control = b"x,1\r\n" * 60_000, (*range(9), *range(14, 32))
    for byte in control:
        with pytest.raises(DataError, match="Line 60001"):
            decode_text(rows + b"y,%c\r\n" % byte)
    decode_text(rows + bytes(byte for byte in range(128) if byte not in control))


@pytest.mark.parametrize(
    ("codec", "encoding", "names"),
    [
        ("shift_jis", "Shift JIS", "データセット,提案手法\n新聞,ニュース"),
        ("gb18030", "GB 18030", "数据集,我们的模型\n新闻,医学"),
        ("euc_kr", "EUC-KR", "데이터셋,우리모델\n뉴스,의학"),
        ("cp1251", "Windows-1251", "набор,наша модель\nновости,медицина"),
        ("cp1252", "Windows-1252", "Übergröße,naïve\n“Été” – à côté,São Tomé: coração"),
        ("cp1252", "Windows-1252", "é,èé\nß,ø"),
    ],
)
def test_whole_words_of_another_script_tell_in_which_encoding_they_are(codec, encoding, names):
    text = f"{names},1.5\n"
    decoded = decode_text(text.encode(codec))
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert f"read as {encoding}" in decoded.remarks[0]
