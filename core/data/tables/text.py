"""From the bytes of a file to its text."""

import codecs
import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...errors import DataError, joined_stretches
from ...types import BoolArray

SAVE_AS_CSV = "Save the table as CSV in UTF-8."

_PACKED = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"%PDF", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word document"),
)
# No text file holds these; tab, line ends and form feed are left out.
CONTROL = re.compile("[\x00-\x08\x0e-\x1f]")
_CONTROL = re.compile(CONTROL.pattern.encode())
_NO_CONTROL = bytes((*range(9, 14), *range(32, 256)))
_PRINTED = re.compile(rb"[!-~]")

# Content is looked through in blocks that stay near the processor.
_BLOCK = 1 << 18


# So much of a file shows which script it is in.
_SAMPLE = 1 << 16
_MOST_OF = 0.9
# The characters of everyday Chinese stand in the first part of its character set, in the order of
# their sound; Korean has its syllables there.
_EVERYDAY = "".join(
    bytes((first, second)).decode("gb2312", errors="ignore")
    for first in range(0xB0, 0xD8)
    for second in range(0xA1, 0xFF)
)
# Codec, name, characters, and what no other script would give.
_SCRIPTS = (
    ("shift_jis", "Shift JIS", "[ぁ-ヿ一-龠、。（）：]", "[ぁ-ヿ]"),
    ("euc_kr", "EUC-KR", "[가-힣（）：]", "[가-힣]"),
    ("gb18030", "GB 18030", f"[{_EVERYDAY}、。（）：]", f"[{_EVERYDAY}]"),
    ("cp1251", "Windows-1251", "[А-яЁё«»–—№]", "(?=[А-яЁё]{3})[бвгджзйклмнпрстфхцчшщА-Я]*[аеиоу]"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedText:
    """The text of a file as UTF-8, without byte order mark: a million rows are never one string as well.

    `remarks` are what its owner should know, though nothing is wrong; `encoding` is "UTF-8", "UTF-16",
    "Windows-1252", "Latin-1" or the name of another script's.
    """

    content: bytes
    encoding: str
    remarks: tuple[str, ...] = ()
    # Titles, legends and footnotes that were set apart; their lines are blank.
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text as a string, made anew at each call."""
        return self.content.decode("utf-8")


def decode_text(content: bytes) -> DecodedText:
    """Decode UTF-8 or UTF-16 with its mark, else by script, Windows-1252 or Latin-1."""
    if not content or content.isspace():
        raise DataError.of(
            "The file is empty.",
            "Choose a file with a header line and one row for each dataset.",
        )
    for start, kind in _PACKED:
        if content.startswith(start):
            raise DataError.of(f"The file is {kind}, not a text file.", SAVE_AS_CSV)
    decoded = _decode(content)
    whole = np.frombuffer(decoded.content, dtype=np.uint8)
    found = None if are_among(whole, _NO_CONTROL) else _CONTROL.search(decoded.content)
    if found is not None:
        before = decoded.content[: found.start()]
        line = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1
        raise DataError.of(
            f"The file holds binary data (byte value {found[0][0]}), so it is no text file.",
            SAVE_AS_CSV,
            line=line,
        )
    # Nearly every file holds a printed letter of ASCII; the others are short.
    if not _PRINTED.search(decoded.content) and not decoded.text.strip():
        raise DataError.of(
            "The file holds nothing but blank lines.",
            "Choose a file with a header line and one row for each dataset.",
        )
    return decoded


def _decode(content: bytes) -> DecodedText:
    encoding = "UTF-8"
    try:
        if content.startswith(codecs.BOM_UTF8):
            bare = content[len(codecs.BOM_UTF8) :]
            if not _is_utf_8(bare):
                content.decode("utf-8-sig")
            return DecodedText(content=bare, encoding=encoding)
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            encoding = "UTF-16"
            return DecodedText(content=content.decode("utf-16").encode(), encoding=encoding)
    except UnicodeDecodeError as error:
        raise DataError.of(
            f"The file begins as {encoding} but is not: byte {error.start + 1} cannot be read.",
            SAVE_AS_CSV,
        ) from None
    if _is_utf_8(content):
        return DecodedText(content=content, encoding="UTF-8")
    other = _of_another_script(content[:_SAMPLE])
    codec, encoding = other or ("cp1252", "Windows-1252")
    try:
        text = content.decode(codec)
    except UnicodeDecodeError:
        text, encoding = content.decode("latin-1"), "Latin-1"
    remark = f"The file is not UTF-8 and was read as {encoding}: check letters with accents."
    return DecodedText(content=text.encode("utf-8"), encoding=encoding, remarks=(remark,))


def _of_another_script(sample: bytes) -> tuple[str, str] | None:
    """The codec of a text that is no UTF-8, and its name, where whole words are of one script."""
    for codec, name, script, told_by in _SCRIPTS:
        # The end of the sample may be half a letter.
        text = sample.decode(codec, errors="replace")
        letters = re.findall(r"[^\x00-\x7f]", text)
        words = re.findall(told_by, text)
        n_own = len(re.findall(script, text))
        if words and n_own >= _MOST_OF * len(letters) and len(words) >= len(letters) // 20:
            return codec, name
    return None


def _is_utf_8(content: bytes) -> bool:
    if content.isascii():
        return True
    try:
        pa.array([content], type=pa.binary()).cast(pa.string())
    except pa.ArrowInvalid:
        return False
    return True


@cache
def _stretches(letters: bytes) -> list[tuple[int, int]]:
    """The widest first: most texts need no other."""
    stretches = joined_stretches(((letter, letter) for letter in letters), room=1)
    return sorted(stretches, key=lambda stretch: stretch[0] - stretch[1])


def are_among(text: npt.NDArray[np.uint8], letters: bytes) -> bool:
    """Whether no byte but some stands in a text."""
    for start in range(0, text.size, _BLOCK):
        block = text[start : start + _BLOCK]
        held: BoolArray = np.zeros(block.size, dtype=np.bool_)
        for low, high in _stretches(letters):
            # Bytes have no sign: what is below `low` comes out far above.
            held |= block - low <= high - low
            if held.all():
                break
        else:
            return False
    return True
