"""Files out of zip archives and gzip, within limits and never onto a disk; and into an archive.

What a header says about sizes is not believed: bytes are counted as they come.
"""

from __future__ import annotations

import gzip
import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pyarrow as pa

from ...errors import DataError, Problem
from ..provenance import FileUse
from ..tables.limits import Allowance, stop_at
from .given import (
    LINK,
    SourceFile,
    SourceFiles,
    clean_path,
    kind_of_name,
    left_aside,
    may_hold_results,
)

# The number that stands for it in zip archives.
ZSTANDARD = 93
_LOCAL = struct.Struct("<4s22xHH")
# The first moment that an archive can state.
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_FILE_MODE = stat.S_IFREG | 0o644


MAX_MEMBERS = 2_000
# Only listed, not read: a log of Inspect has a member for every sample.
MAX_LISTED = 100_000
_MAX_GZIP_MEMBERS = 100_000
_BLOCK = 1 << 20

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP = b"\x1f\x8b"
_TAR = (257, b"ustar")
_ENTRY = b"PK\x01\x02"
# With these a log of Inspect tells everything: its header, and the scores of all samples.
_LOG_STARTS = "_journal/start.json"
_LOG_HEADER = "header.json"
_LOG_SUMMARIES = "summaries.json"
_LOG_PARTS = "_journal/summaries/"
_READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What `zipfile`, `tarfile` and `zlib` raise for damaged ones, or such as they cannot open.
BROKEN_ARCHIVE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    OSError,
    ValueError,
    OverflowError,
    LookupError,
    struct.error,
)
_AGAIN = "Pack it again, or give the files themselves."
# What these are told by, and what to do with them.
_DOCUMENTS = (
    ("xl/workbook.bin", "a binary Excel workbook (.xlsb)", "Save it as .xlsx or as CSV."),
    ("word/document.xml", "a Word document", "Save its table as CSV in UTF-8."),
    ("content.xml", "an OpenDocument file", "Save its table as .xlsx or as CSV."),
)


@contextmanager
def damaged_as(
    what: str, remedy: str, kinds: tuple[type[Exception], ...] = BROKEN_ARCHIVE
) -> Iterator[None]:
    """Within this, what damage raises becomes a `DataError` that says this."""
    try:
        yield
    except DataError:
        raise
    except kinds:
        raise DataError.of(what, remedy) from None


def is_zip(content: bytes) -> bool:
    """Whether bytes begin as a zip archive does; workbooks are such archives, too."""
    return content.startswith(_ZIP)


def is_workbook(content: bytes) -> bool:
    """Whether bytes are a workbook of Excel (.xlsx)."""
    if not is_zip(content):
        return False
    try:
        with open_archive(content) as archive:
            return "xl/workbook.xml" in {clean_path(name) for name in archive.namelist()}
    except (DataError, *BROKEN_ARCHIVE):
        return False


def unpack(file: SourceFile, allowance: Allowance) -> SourceFiles:
    """The files inside a zip archive or gzip; workbooks stay whole."""
    if file.content.startswith(_GZIP):
        name = file.name[:-3] if file.name.lower().endswith(".gz") else file.name
        inner = SourceFile(name=name, content=_gunzip(file.content, allowance))
        _refuse_packed(inner.content)
        return SourceFiles(files=(inner,))
    if not is_zip(file.content) or is_workbook(file.content):
        return SourceFiles(files=(file,))
    with _whole_zip(), open_archive(file.content) as archive:
        names = set(archive.namelist())
        for member, kind, remedy in _DOCUMENTS:
            if member in names and ("mimetype" in names or "[Content_Types].xml" in names):
                raise DataError.of(f"The file is {kind}, which is not read.", remedy)
        allowance.unpack(len(file.content))
        return _members(archive, allowance)


def _whole_zip() -> AbstractContextManager[None]:
    return damaged_as("The zip archive is damaged or incomplete.", _AGAIN)


def read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, allowance: Allowance) -> bytes:
    """One member of an archive, counted while it is read."""
    by_zstandard = info.compress_type == ZSTANDARD
    if not by_zstandard and info.compress_type not in _READABLE:
        raise DataError.of(
            "It is packed by a method other than deflate, which is not read.",
            "Pack the files again with the usual settings.",
        )
    with _zstandard(archive, info) if by_zstandard else archive.open(info) as stream:
        content = _counted(stream, allowance)
    if by_zstandard and zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile("The member's checksum does not fit.")
    return content


def _counted(stream: Any, allowance: Allowance) -> bytes:
    """All of a stream, counted while it is unpacked."""
    blocks = []
    while block := stream.read(_BLOCK):
        allowance.take(len(block))
        blocks.append(block)
    return b"".join(blocks)


def _zstandard(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Any:
    """A stream of one member that is packed so, which `zipfile` does not read."""
    file = archive.fp
    if file is None:
        raise zipfile.BadZipFile("The archive is closed.")
    file.seek(info.header_offset)
    header = file.read(_LOCAL.size)
    if len(header) < _LOCAL.size or not header.startswith(b"PK\x03\x04"):
        raise zipfile.BadZipFile("The member is not where the archive says.")
    _, n_name, n_extra = _LOCAL.unpack(header)
    file.seek(n_name + n_extra, 1)
    return pa.CompressedInputStream(pa.BufferReader(file.read(info.compress_size)), "zstd")


def open_archive(content: bytes) -> zipfile.ZipFile:
    """An archive of moderate length; a `DataError` where it is broken or has too many members."""
    # The list of members is read as a whole, so it is counted before.
    n_listed = MAX_LISTED if _LOG_STARTS.encode() in content else 10 * MAX_MEMBERS
    if content.count(_ENTRY) > n_listed:
        raise _too_many()
    with _whole_zip():
        return zipfile.ZipFile(io.BytesIO(content))


def _members(archive: zipfile.ZipFile, allowance: Allowance) -> SourceFiles:
    infos = _telling([info for info in archive.infolist() if not info.is_dir()])
    if len(infos) > MAX_MEMBERS:
        raise _too_many()
    files: list[SourceFile] = []
    skipped: list[FileUse] = []
    problems: list[Problem] = []
    for info in infos:
        path = clean_path(info.filename)
        if not path or _is_of_the_machine(path):
            continue
        kind = LINK if stat.S_ISLNK(info.external_attr >> 16) else kind_of_name(path)
        if kind and (kind == LINK or not may_hold_results(path)):
            skipped.append(left_aside(path, kind))
            continue
        try:
            files.append(_member(archive, info, path, allowance))
        except DataError as error:
            if allowance.spent:
                raise
            problems.extend(
                Problem(problem.what, problem.remedy, file=path) for problem in error.problems
            )
    stop_at(problems)
    if not files:
        raise DataError.of(
            "The zip archive holds no file that could be read.", "Put the tables themselves in it."
        )
    return SourceFiles(files=tuple(files), aside=tuple(skipped))


def _telling(infos: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """Of a log of Inspect its header and its summaries, of any other archive every member."""
    names = {info.filename for info in infos}
    if _LOG_STARTS not in names:
        return infos
    header = _LOG_HEADER if _LOG_HEADER in names else _LOG_STARTS
    summaries = [info for info in infos if info.filename == _LOG_SUMMARIES] or [
        info for info in infos if info.filename.startswith(_LOG_PARTS)
    ]
    if not summaries:
        return infos
    return [info for info in infos if info.filename in (header, _LOG_STARTS)] + summaries


def _member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str, allowance: Allowance
) -> SourceFile:
    if info.flag_bits & 1:
        raise DataError.of("The file is encrypted.", "Pack it again without a password.")
    with damaged_as(
        "The file is damaged inside the archive.", "Pack it again, or give the file itself."
    ):
        content = read_member(archive, info, allowance)
    if content.startswith(_GZIP):
        allowance.unpack(len(content))
        path, content = path.removesuffix(".gz"), _gunzip(content, allowance)
    _refuse_packed(content)
    return SourceFile(name=path, content=content)


def _refuse_packed(content: bytes) -> None:
    """Packed once is read; packed twice is no results but an accident or worse."""
    if content.startswith(_GZIP) or (is_zip(content) and not is_workbook(content)):
        raise DataError.of(
            "The archive holds another archive, which is not read.",
            "Pack the tables themselves into one archive.",
        )
    start, mark = _TAR
    if content[start : start + len(mark)] == mark:
        raise DataError.of(
            "The file is a tar archive, which is not read.",
            "Pack the tables as a zip archive, or give them one by one.",
        )


def _gunzip(content: bytes, allowance: Allowance) -> bytes:
    allowance.unpack(len(content))
    # Each is begun anew, which takes its time.
    if content.count(_GZIP + b"\x08") > _MAX_GZIP_MEMBERS:
        raise _too_many()
    with (
        damaged_as("The gzip file is damaged or incomplete.", _AGAIN),
        gzip.GzipFile(fileobj=io.BytesIO(content)) as stream,
    ):
        return _counted(stream, allowance)


def _is_of_the_machine(path: str) -> bool:
    """Whether a file only says how a folder looked on the machine that packed it."""
    parts = path.split("/")
    return parts[0] == "__MACOSX" or parts[-1] in (".DS_Store", "Thumbs.db", "desktop.ini")


def _too_many() -> DataError:
    return DataError.of(
        f"The archive holds more than {MAX_MEMBERS:,} files, the most that is read.",
        "Put all results into one table, with a column for what the files' names say.",
    )


def zipped(members: Mapping[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of these members in their order, the same bytes on every system."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for member, content in members.items():
            info = zipfile.ZipInfo(member, date_time=_NO_TIME)
            info.create_system = 3  # as Unix does, on every system
            info.external_attr = _FILE_MODE << 16
            info.compress_type = method
            archive.writestr(info, content, compresslevel=6)
    return packed.getvalue()
