"""From the bytes of a file to its text.

Vocabulary
----------
remark
    A sentence about how something was read that its owner should know, though
    nothing is wrong.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from core.errors import DataError, Problem

SAVE_AS_CSV = "Save the table as CSV in UTF-8."

_PACKED = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"%PDF", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word document"),
)
# No text file holds these; tab, line ends and form feed are left out.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
_JSON = re.compile(r'\s*(\{\s*"|\[\s*[\[{"])')


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedText:
    """The text of a file.

    Attributes
    ----------
    text : str
        Without byte order mark; line ends as in the file.
    encoding : str
        "UTF-8", "UTF-16", "Windows-1252" or "Latin-1".
    remarks : tuple of str
        What its owner should know about the encoding.
    """

    text: str
    encoding: str
    remarks: tuple[str, ...] = ()


def decode_text(content: bytes) -> DecodedText:
    """Decode UTF-8 or UTF-16 (by its mark), else Windows-1252, else Latin-1.

    Raises
    ------
    DataError
        If the file is empty, packed, or no text.
    """
    if not content.strip():
        raise _refused(
            "The file is empty.",
            "Choose a file with a header line and one row for each dataset.",
        )
    for start, kind in _PACKED:
        if content.startswith(start):
            raise _refused(f"The file is {kind}, not a text file.", SAVE_AS_CSV)
    decoded = _decode(content)
    found = _CONTROL.search(decoded.text)
    if found:
        line = len(re.findall("\r\n|\r|\n", decoded.text[: found.start()])) + 1
        raise _refused(
            f"The file holds binary data (byte value {ord(found[0])}), so it is no text file.",
            SAVE_AS_CSV,
            line=line,
        )
    if _JSON.match(decoded.text):
        raise _refused("The file is JSON, which is not read yet.", SAVE_AS_CSV)
    if not decoded.text.strip():
        raise _refused(
            "The file holds nothing but blank lines.",
            "Choose a file with a header line and one row for each dataset.",
        )
    return decoded


def _decode(content: bytes) -> DecodedText:
    marked: tuple[tuple[bytes, str, str], ...] = (
        (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
        (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
        (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
    )
    for mark, codec, encoding in marked:
        if content.startswith(mark):
            try:
                return DecodedText(text=content.decode(codec), encoding=encoding)
            except UnicodeDecodeError as error:
                raise _refused(
                    f"The file begins as {encoding} but is not: byte {error.start + 1} "
                    f"cannot be read.",
                    SAVE_AS_CSV,
                ) from None
    try:
        return DecodedText(text=content.decode("utf-8"), encoding="UTF-8")
    except UnicodeDecodeError:
        pass
    try:
        text, encoding = content.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        text, encoding = content.decode("latin-1"), "Latin-1"
    remark = f"The file is not UTF-8 and was read as {encoding}: check letters with accents."
    return DecodedText(text=text, encoding=encoding, remarks=(remark,))


def _refused(what: str, remedy: str, *, line: int | None = None) -> DataError:
    return DataError([Problem(what=what, remedy=remedy, line=line)])
