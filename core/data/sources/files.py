"""Where files come from, out of archives too, and which plainly hold no results; and into an archive.

Sources are bytes, paths, open files, or several of them. Files without results are told by
their names or, where these say little, by their text. Archives are unpacked within limits and never
onto a disk: what a header says about sizes is not believed, bytes are counted as they come.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa

from ...errors import DataError, Problem, listed, stop_at
from ..roles import NO_NAME, FileUse
from ..tables.limits import Allowance
from ..tables.numbers import is_number_cell

Source = bytes | bytearray | str | os.PathLike[str] | BinaryIO
# Beyond this, results are one row each in a table.
MAX_FILES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """All bytes of one file, with the folders by which its name differs from the others'."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFiles:
    """Files that may hold results, at least one, in the order given, and what was left aside.

    `folder` is the innermost that several are in, '' where none is known.
    """

    files: tuple[SourceFile, ...]
    folder: str = ""
    aside: tuple[FileUse, ...] = ()

    @property
    def remarks(self) -> list[str]:
        """What was left aside: by its name or text, or as it cannot be compared with anything."""
        plain: list[str] = []
        of_tools: list[str] = []
        for use in self.aside:
            (plain if use.kind in _REASONS else of_tools).append(use.path)
        told = {
            "without results of their own": plain,
            "as they cannot be compared by themselves": of_tools,
        }
        return [f"Left aside, {why}: {listed(paths)}." for why, paths in told.items() if paths]

    def without(self, kinds: Sequence[str]) -> SourceFiles:
        """The same without those that are of a kind which holds no results; '' is none.

        All stay where nothing else would.
        """
        if all(kinds) or not any(kinds):
            return self
        pairs = list(zip(self.files, kinds, strict=True))
        aside = tuple(left_aside(file.name, kind) for file, kind in pairs if kind)
        files = tuple(file for file, kind in pairs if not kind)
        return replace(self, files=files, aside=(*self.aside, *aside))


def source_files(source: Source | Sequence[Source]) -> SourceFiles:
    """Every file of a source, with the name that it has itself.

    An `OSError` if a path cannot be opened, a `TypeError` if a source is of another kind.
    """
    several = not isinstance(source, (bytes, bytearray, str)) and isinstance(source, Sequence)
    sources = tuple(cast("Sequence[Source]", source)) if several else (cast("Source", source),)
    if not 0 < len(sources) <= MAX_FILES:
        none = "There is no file." if not sources else f"There are {len(sources):,} files."
        raise DataError.of(none, f"Give one file or several, at most {MAX_FILES:,}.")
    files = [_file(source) for source in sources]
    if len(files) == 1:
        (only,) = files
        return SourceFiles(files=(replace(only, name=base_of(only.name) or NO_NAME),))
    paths = [file.name or f"file {position}" for position, file in enumerate(files, start=1)]
    named = zip(files, without_common_folders(paths), strict=True)
    return SourceFiles(
        files=tuple(replace(file, name=name) for file, name in named),
        folder=(shared_folders(paths) or [""])[-1],
    )


def clean_path(path: str) -> str:
    """A path as a name: with "/" between folders, and no way out of any folder."""
    parts = path.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part.strip() not in ("", ".", ".."))


def base_of(path: str) -> str:
    """The name of a file without its folders."""
    return path.rpartition("/")[2]


def without_common_folders(paths: Sequence[str]) -> list[str]:
    """The paths without the folders that all of them are in."""
    n_common = len(shared_folders(paths))
    return ["/".join(path.split("/")[n_common:]) for path in paths]


def shared_folders(paths: Sequence[str]) -> list[str]:
    """The folders that all files are in, from the outermost on."""
    folders = [path.split("/")[:-1] for path in paths]
    return folders[0][: n_common(folders)] if folders else []


def n_common(lists: Sequence[Sequence[str]]) -> int:
    """With how many equal entries all lists begin."""
    n = 0
    for entries in zip(*lists, strict=False):
        if len(set(entries)) > 1:
            break
        n += 1
    return n


def check_names_differ(names: Sequence[str]) -> None:
    """Raise a `DataError` where two files have the same name."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError.of(
            f"Several files have the same name: {listed(repeated)}.",
            "Give each file a name of its own.",
        )


def _file(source: Source) -> SourceFile:
    """The bytes and the name that the source itself has, with all its folders."""
    if isinstance(source, (bytes, bytearray)):
        return SourceFile(name="", content=bytes(source))
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        return SourceFile(name=clean_path(str(path)), content=path.read_bytes())
    if not hasattr(source, "read"):
        raise TypeError(
            f"`source` must be bytes, a path or a binary file; got {type(source).__name__}."
        )
    content = source.read()
    if not isinstance(content, bytes):
        raise TypeError("`source` must be opened in binary mode; its content came as text.")
    own_name = getattr(source, "name", None)
    return SourceFile(
        name=clean_path(own_name) if isinstance(own_name, str) else "", content=content
    )


_HIDDEN, LINK, _COPY = "hidden file", "link", "copy of results"
_LOG, _PROSE = "log", "running text"
_AGAIN, _EVALUATED = "all_results.json", "eval_results.json"
# Kinds of files without results, and why they are left aside.
_REASONS = {
    "text about the files": "It describes the files and holds no results.",
    "program": "It is a program and holds no results.",
    "settings": "It holds settings and no results.",
    "figures of training": "It says how training went and holds no results.",
    "picture": "It is a picture and holds no results that can be read.",
    "weights of a model": "It holds the weights of a model and no results.",
    _HIDDEN: "Hidden files are not read.",
    _COPY: f"It repeats {_EVALUATED} beside it.",
    LINK: "Links in an archive are not followed.",
    _LOG: "It is a log, no table or list of results.",
    _PROSE: "It is running text, no table or list of results.",
}
# By their names: whole, without the ending (a name with a "." behind it), or the ending alone.
_NAMED = {
    "text about the files": (
        "readme. license. licence. citation. changelog. authors authors.txt notice notice.txt "
        "contributing.txt .md .rst .license .licence .bib .pdf .docx"
    ),
    "program": "makefile. dockerfile. .py .pyc .sh .bat .ps1 .ipynb",
    "settings": (
        "requirements.txt config.json tokenizer_config.json generation_config.json "
        "training_args.json hparams.json hyperparameters.json .yaml .yml .toml .ini .cfg .conf "
        ".slurm"
    ),
    "figures of training": "train_results.json",
    "picture": ".png .jpg .jpeg .gif .svg .webp",
    "weights of a model": ".pt .pth .ckpt .safetensors .onnx .gguf",
}
MODEL_INDEX = re.compile(rb"\A(?:\xef\xbb\xbf)?---\r?\n(?:.*\n)?model-index:", re.DOTALL)
_KINDS_OF_TEXT = (".txt", ".text", ".log", ".err", ".out")
_LOG_LINE = re.compile(
    r"\W{0,2}(\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:\d\d)"
    # One digit before the %: to look for several takes a line of digits' length squared.
    r"|.*\b(INFO|WARNING|DEBUG|ERROR|CRITICAL|Traceback)\b|.*\bWarning:|.*\d%\|"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_HEAD = 1 << 16
_LINES_LOOKED_AT = 200
# In prose this share of the lines has so many words.
_SHARE, _WORDS = 0.6, 4
# More lines than this that are values, and the text is a list of them with a heading.
_VALUES = 0.2
_REGULAR = 0.9
_ENDS = (".", "!", "?", ":")


def kind_of_name(path: str) -> str:
    """What a file without results is by its name; '' where it may hold some."""
    name = path.split("/")[-1].lower()
    if any(part.startswith(".") for part in path.split("/")):
        return _HIDDEN
    stem, _, ending = name.partition(".")
    known = {name, f"{stem}.", f".{name.rpartition('.')[2]}" if ending else ""}
    return next((kind for kind, names in _NAMED.items() if known & {*names.split()}), "")


def without_names(files: SourceFiles) -> SourceFiles:
    """The same without those that by their names hold no results, but for models' results in YAML."""
    paths = {file.name for file in files.files}
    kinds = ["" if holds_results(file) else kind_of_name(file.name) for file in files.files]
    # Hugging Face's Trainer writes what it evaluated twice.
    again = [path.removesuffix(_AGAIN) + _EVALUATED for path in (f.name for f in files.files)]
    return files.without(
        [
            kind or (_COPY if file.name.endswith(_AGAIN) and own in paths else "")
            for kind, file, own in zip(kinds, files.files, again, strict=True)
        ]
    )


def may_hold_results(path: str) -> bool:
    """Whether a repository of a model may say its results here: in a folder, or in its card."""
    name = path.lower()
    return name.endswith(".md") or (name.endswith((".yaml", ".yml")) and ".eval_results/" in name)


def holds_results(file: SourceFile) -> bool:
    """Whether a repository of a model says its results here, a card in its header."""
    if not may_hold_results(file.name):
        return False
    is_card = file.name.lower().endswith(".md")
    return not is_card or MODEL_INDEX.match(file.content[:_HEAD]) is not None


def left_aside(path: str, kind: str) -> FileUse:
    """The report of a file without results."""
    return FileUse(path=path, kind=kind, used=False, reason=_REASONS[kind])


def kind_of_text(file: SourceFile) -> str:
    """Whether a file is a log or prose by its text; '' where it may be a table or values."""
    name = file.name.split("/")[-1].lower()
    if not name.endswith(_KINDS_OF_TEXT) and "." in name:
        return ""
    head = file.content[:_HEAD]
    if b"\x00" in head:
        return ""
    lines = [line.strip() for line in head.decode("utf-8", "replace").splitlines()]
    lines = [line for line in lines if line][:_LINES_LOOKED_AT]
    if not lines:
        # A run that failed may leave an empty table behind, but a log is often empty.
        return _LOG if name.endswith((".log", ".err")) else ""
    if sum(map(is_number_cell, lines)) > _VALUES * len(lines):
        return ""
    if sum(_LOG_LINE.match(line) is not None for line in lines) * 2 > len(lines):
        return _LOG
    if _is_table(lines):
        return ""
    wordy = sum(len(_WORD.findall(line)) >= _WORDS for line in lines)
    return _PROSE if wordy >= _SHARE * len(lines) else ""


def _is_table(lines: Sequence[str]) -> bool:
    """Whether some separator cuts nearly all lines alike, into cells that no prose has."""
    for separator in "\t;|,":
        counts = [line.count(separator) for line in lines]
        usual = max(set(counts), key=counts.count)
        regular = [line for line, count in zip(lines, counts, strict=True) if count == usual]
        if usual == 0 or len(lines) < 2 or len(regular) < _REGULAR * len(lines):
            continue
        columns = list(zip(*(line.split(separator) for line in regular), strict=True))
        # Below the header, where there is one.
        below = [[cell.strip() for cell in column[1:]] for column in columns]
        if any(all(map(is_number_cell, column)) for column in below):
            return True
        n_ended = sum(line.endswith(_ENDS) for line in regular)
        short = any(all(len(cell.split()) < _WORDS for cell in column) for column in below)
        if short and n_ended < _SHARE * len(regular):
            return True
    return False


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
# They only say how a folder looked on the machine that packed it.
_OF_THE_MACHINE = (".DS_Store", "Thumbs.db", "desktop.ini")
_PACK_AGAIN = "Pack it again, or give the files themselves."
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
    return damaged_as("The zip archive is damaged or incomplete.", _PACK_AGAIN)


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
        if not path or path.startswith("__MACOSX/") or base_of(path) in _OF_THE_MACHINE:
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
        damaged_as("The gzip file is damaged or incomplete.", _PACK_AGAIN),
        gzip.GzipFile(fileobj=io.BytesIO(content)) as stream,
    ):
        return _counted(stream, allowance)


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
