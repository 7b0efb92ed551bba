"""A dropped file as a document, and each of its tables on its way to `core.data`.

A PDF is read in a process of its own, LaTeX here, out of an archive or not. Of a table it is kept
what is still asked, what was typed and what is marked: nothing is handed on while a cell is in doubt.
"""

from __future__ import annotations

import base64
import io
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...data.sources.files import SourceFile, damaged_as, is_zip, unpack
from ...data.sources.latex import latex_tables
from ...data.tables.directions import lower_word, tells_p_values
from ...data.tables.headings import TITLE, stated_sidedness
from ...data.tables.limits import Allowance
from ...data.tables.marks import BUT_FOR, DENIES, levels_in, signs_behind, signs_in
from ...data.tables.text import decode_text
from ...document import (
    NO_HEADINGS,
    P_VALUE,
    SIGNS,
    DocumentCell,
    DocumentTable,
    Picture,
    Place,
    as_pasted,
    checked,
    headings_of,
    rows_of,
)
from ...errors import DataError, Problem
from ..claim import Better, Claim

SECONDS = 5.0
# Those are the processor's: a busy server gives them to it in so many times as long.
_PATIENCE = 4
# So many processes one after the other, as long as each reads some pages.
_MOST_ROUNDS, _FEWEST_PAGES = 8, 3
MOST_MEGABYTES = 100
_MOST_UNPACKED = 50_000_000
_PDF, _GZIP, _TAR = b"%PDF-", b"\x1f\x8b", b"ustar"
_TEX_NAMES = (".tex", ".ltx", ".latex")
# "(continued)", "– cont'd", "continued from page 3"; "continued pre-training" is none.
_CONTINUED = re.compile(
    r"\(cont(inued|'d|d?\.?)\)|\bcontinued from\b|[-–—:.,]\s*cont(inued|'d|\.)\W*$", re.IGNORECASE
)
_AGAIN = "Pack it again, or give its .tex file."


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Every table of a file, in its order.

    Pictures are those of pages with a table, by their numbers, and sources the texts of LaTeX files,
    by their names; each is empty for the other kind. `remarks` say what was left aside.
    """

    tables: tuple[DocumentTable, ...]
    pictures: Mapping[int, Picture] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def is_document(name: str, content: bytes) -> bool:
    """Whether a file is a paper: a PDF, LaTeX, or an archive of a paper's sources.

    A zip archive is one if it holds LaTeX, as results are packed so, too. What only its name calls
    a PDF is one as well: `read_document` says what is wrong with it.
    """
    if _PDF in content[:1_024] or name.lower().endswith((*_TEX_NAMES, ".pdf")):
        return True
    if content.startswith(_GZIP):
        try:
            begins = _inflated(content, 100_000)
        except DataError:
            return False
        return begins[257:262] == _TAR or b"\\begin{" in begins or b"\\documentclass" in begins
    if content[257:262] == _TAR:
        return True
    return is_zip(content) and re.search(rb"\.(tex|ltx)PK|\.tex", content[-200_000:]) is not None


def read_document(
    name: str, content: bytes, *, on_progress: Callable[[int, int], object] | None = None
) -> Document:
    """Every table of a PDF, a LaTeX file, or an archive of LaTeX files (.tar, .tar.gz, .zip, .gz).

    A PDF whose pages need longer than one process may take is gone on with by another; `on_progress`
    is called between them with pages done and in all, and ends it by False with those that are read.
    A `DataError` says that it is none of these, is damaged, holds no table or more than 300 pages, or
    needs more than 300 MB, or five seconds without getting anywhere.
    """
    if len(content) > MOST_MEGABYTES * 1_000_000:
        raise DataError.of(
            f"The file has more than {MOST_MEGABYTES} MB.", "Give the pages with its tables."
        )
    if _PDF in content[:1_024]:
        document = _of_pdf(content, on_progress)
    elif name.lower().endswith(".pdf"):
        raise DataError.of(
            "The file is called .pdf and is no PDF.",
            "Download it again, as a web page may have been saved in its place; or give its LaTeX.",
        )
    else:
        files = _sources(name, content)
        tables = map(checked, latex_tables(files))
        document = Document(tables=tuple(tables), sources=files)
    if not document.tables:
        raise DataError.of(
            "No table was found in it.", "Paste the table, or type it into the grid."
        )
    return replace(document, tables=_told_that_go_on(document.tables))


def _told_that_go_on(tables: Sequence[DocumentTable]) -> tuple[DocumentTable, ...]:
    """The tables; one that seems to go on in another is unsure, so that rows may be added to it."""
    found = list(tables)
    for later in tables:
        is_said = _CONTINUED.search(later.caption) is not None
        if later.caption and not is_said:
            continue
        for k, first in enumerate(tables):
            alike = later.headings == first.headings or NO_HEADINGS in (later.unsure or "")
            near = is_said or later.place.page - first.place.page in (0, 1)
            is_first = first.caption and not _CONTINUED.search(first.caption)
            if is_first and near and alike and len(later.rows[0]) == len(first.rows[0]):
                where = f" on page {later.place.page}" if later.place.page else ""
                goes_on = f"It seems to go on in another table{where}: add the rows of that one."
                found[k] = replace(first, unsure=" ".join(filter(None, (first.unsure, goes_on))))
    return tuple(found)


# --- PDF

_REASONS = {
    "memory": ("Reading it takes more than 300 MB.", "Give the pages with its tables."),
    "pages": ("It has more than 300 pages.", "Give the pages with its tables."),
    "damaged": ("The PDF is damaged or too complex.", "Print it as a PDF again, and give that."),
    "password": ("The PDF is protected by a password.", "Save it without one."),
    "missing": ("Reading a PDF needs the package pypdfium2.", "Install it, or give the LaTeX."),
    "time": ("Reading it takes more than five seconds.", "Give the pages with its tables, or its LaTeX."),
}  # fmt: skip


def _of_pdf(content: bytes, on_progress: Callable[[int, int], object] | None) -> Document:
    tables: list[DocumentTable] = []
    pictures: dict[int, Picture] = {}
    passed_over: list[int] = []
    has_text = False
    n_read, n_pages = 0, 1
    for _ in range(_MOST_ROUNDS):
        found = _from_child(content, n_read)
        if "refused" in found and not n_read:
            raise DataError.of(*_REASONS[found["refused"]])
        if "refused" in found:
            break
        n_pages, before, n_read = found["n_pages"], n_read, found["n_read"]
        has_text = has_text or found["has_text"]
        passed_over += found["passed_over"]
        tables += map(_table, found["tables"])
        for number, own in found["pictures"].items():
            pictures[int(number)] = Picture(**{**own, "packed": base64.b64decode(own["packed"])})
        goes_on = on_progress is None or on_progress(n_read, n_pages) is not False
        if n_read == n_pages or n_read - before < _FEWEST_PAGES or not goes_on:
            break
    if n_read == n_pages and not has_text:
        raise DataError.of(
            "The PDF holds pictures of pages and no text.",
            "Give its LaTeX, or type the table into the grid.",
        )
    remarks = []
    if n_read < n_pages:
        remarks.append(
            f"Only the first {n_read} of {n_pages} pages were read in time. Give the later ones as a "
            "file of their own if the table is there."
        )
    if passed_over:
        pages = ", ".join(map(str, passed_over))
        remarks.append(f"Not read, since they hold too much or are damaged: pages {pages}.")
    return Document(tables=tuple(tables), pictures=pictures, remarks=tuple(remarks))


def _from_child(content: bytes, start: int) -> dict[str, Any]:
    """What the process that parses says; that it failed is an answer, too."""
    assert __package__
    # Where the top package stands, whatever it is called.
    root = Path(__file__).resolve().parents[len(__package__.split("."))]
    kept = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "HOME", "TMPDIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    try:
        done = subprocess.run(
            [sys.executable, "-m", __package__, str(start)],
            input=content,
            capture_output=True,
            timeout=_PATIENCE * SECONDS,
            cwd=root,
            env={**environment, "PYTHONPATH": str(root)},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"refused": "time"}
    if done.returncode == -getattr(signal, "SIGXCPU", 0) < 0:
        return {"refused": "time"}
    if done.returncode < 0 or b"MemoryError" in done.stderr:
        # The parser broke down, or asked for more memory than there is.
        return {"refused": "memory" if done.returncode > 0 else "damaged"}
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _table(written: Mapping[str, Any]) -> DocumentTable:
    """A table as the other process has written it."""

    def place(own: Mapping[str, Any] | None) -> Any:
        return None if own is None else Place(**{**own, "box": tuple(own["box"])})

    rows = tuple(
        tuple(DocumentCell(**{**cell, "place": place(cell["place"])}) for cell in row)
        for row in written["rows"]
    )
    many = {name: tuple(written[name]) for name in ("notes", "sections")}
    return DocumentTable(**{**written, **many, "rows": rows, "place": place(written["place"])})


# --- LaTeX


def _sources(name: str, content: bytes) -> dict[str, str]:
    """The LaTeX files by their names, those that the paper uses first."""
    files = {name: content}
    if content.startswith(_GZIP):
        content = _inflated(content, _MOST_UNPACKED)
        if len(content) >= _MOST_UNPACKED:
            raise DataError.of(
                "The archive unpacks to more than 50 MB.", "Give its .tex files alone."
            )
        files = {re.sub(r"\.(gz|tgz)$", "", name, flags=re.IGNORECASE): content}
    if content[257:262] == _TAR:
        files = _from_tar(content)
    elif is_zip(content):
        inner = unpack(SourceFile(name=name, content=content), Allowance()).files
        files = {
            file.name: file.content for file in inner if file.name.lower().endswith(_TEX_NAMES)
        }
    if not files:
        raise DataError.of("The archive holds no LaTeX.", "Give the .tex file, or the PDF.")
    texts = {path: decode_text(own).text for path, own in files.items()}
    used = _used(texts)
    # An old draft beside the paper may have other numbers.
    return dict(sorted(texts.items(), key=lambda item: (item[0] not in used, list(texts).index(item[0]))))  # fmt: skip


def _used(texts: Mapping[str, str]) -> set[str]:
    """The files that a main file takes in, itself among them."""
    waiting = [path for path, text in texts.items() if "\\begin{document}" in text]
    used: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in used:
            continue
        used.add(path)
        for called in re.findall(r"\\(?:input|include|subfile)\s*\{?\s*([^{}\s\\]+)", texts[path]):
            stem = called.removesuffix(".tex").removeprefix("./")
            waiting += [other for other in texts if other.removesuffix(".tex").endswith(stem)]
    return used


def _from_tar(content: bytes) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    with (
        damaged_as("The archive is damaged.", _AGAIN, (tarfile.TarError, EOFError, ValueError)),
        tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive,
    ):
        for member in archive:
            if member.isfile() and member.name.lower().endswith(_TEX_NAMES):
                stream = archive.extractfile(member)
                assert stream is not None
                files[member.name.removeprefix("./")] = stream.read(_MOST_UNPACKED)
    return files


def _inflated(content: bytes, most: int) -> bytes:
    """What a gzip file begins with."""
    stream = zlib.decompressobj(wbits=31)
    with damaged_as("The gzip file is damaged.", _AGAIN, (zlib.error, EOFError)):
        begins = stream.decompress(content, most)
        if not stream.eof and len(begins) < most:
            # Its end is missing, and tables may be.
            raise EOFError
        return begins


# --- A table that a person answers

# Where a caption goes on to another kind of mark.
_CLAUSE = re.compile(rf"[;.](?=\s|$)|[,(](?=[^.,;()]*[{SIGNS}])")
_BOLD = re.compile(r"\bbold", re.IGNORECASE)
# "Gains over the best baseline" are not the best score.
_BEST = re.compile(
    r"(?<!over the )(?<!than the )"
    r"\b(best(?!\s+(\w+\s+)?baseline)|better|highest|lowest|largest|smallest|top|winn\w+)\b",
    re.IGNORECASE,
)
_SIGNIFICANT = re.compile(r"signific|\bp\s*[<≤=]", re.IGNORECASE)
# Of signs that claim nothing, as they stand at reprinted results.
_REPRINTED = re.compile(
    r"\b(from|reported|taken|copied|original|reproduc\w*|re-?(run|ran|implement\w*))\b",
    re.IGNORECASE,
)
# A sign that speaks for the other system, or for either.
_WORSE = re.compile(
    r"\b(?:worse|inferior|degrad\w+|deteriorat\w+|declin\w+|drops?)\b", re.IGNORECASE
)
_BETTER = re.compile(r"\b(?:better|superior|improve\w*|gains?|outperform\w*)\b", re.IGNORECASE)
_DIFFER = re.compile(r"\bdiffer", re.IGNORECASE)
_BEST_OF_SEVERAL = re.compile(r"\b(best|strongest)\b", re.IGNORECASE)
# One sign of a legend, or several that it explains together, with what it says of them.
_EXPLAINED = re.compile(
    rf"(?P<signs>[{SIGNS}]+(?:\s*(?:,|/|&|and)?\s*[{SIGNS}]+)*)"
    rf"(?P<said>[^{SIGNS}]+)"
)
_THAN = (
    r"(?:\b(?:than|over|against|versus|vs\.?|to|with|from|and|or|outperform\w*|beats?)|[,/])\s*"
    r"(?:(?:the|both)\s+)?"
)
# In front of a text that nobody has confirmed yet.
OPEN = "⚠ "


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A table with what a person made of it.

    `texts` is the grid as it is now; an unsure cell begins with `OPEN` until it is confirmed or typed.
    `compared`: a person has compared every cell of a table that is unsure as a whole.
    """

    table: DocumentTable
    texts: tuple[tuple[str, ...], ...]
    n_headings: int
    compared: bool = False

    @classmethod
    def of(cls, table: DocumentTable) -> Answered:
        """The table as it was read, its doubts open."""
        # One that is compared as a whole asks of no cell besides.
        texts = tuple(
            tuple(
                OPEN + cell.text if cell.unsure and not table.unsure else cell.text for cell in row
            )
            for row in table.rows
        )
        return cls(table=table, texts=texts, n_headings=table.n_headings)

    @property
    def lines(self) -> tuple[int, ...]:
        """Where each row stands, as `DocumentTable.lines` has it."""
        lines = self.table.lines
        return lines if len(lines) == len(self.texts) else tuple(range(1, len(self.texts) + 1))

    @property
    def words(self) -> tuple[str, ...]:
        """Notes and caption."""
        return (*self.table.notes, self.table.caption)

    @property
    def bold_is_best(self) -> bool:
        """Whether the words say that bold type marks the best score, and of significance nothing."""
        clauses = [
            clause for line in self.words for clause in _CLAUSE.split(line) if _BOLD.search(clause)
        ]
        return any(map(_BEST.search, clauses)) and not any(map(_SIGNIFICANT.search, clauses))

    @property
    def open_cells(self) -> dict[tuple[int, int], str]:
        """Row and column of each cell that is still asked, and why."""
        return {
            (i, j): self.table.doubts.get((i, j), "")
            for i, row in enumerate(self.texts)
            for j, text in enumerate(row)
            if text.startswith(OPEN.strip())
        }

    def called(self, at: tuple[int, int]) -> str:
        """A cell by the name of its row and its column's heading."""
        i, j = at
        if i >= self.n_headings:
            beside = [self.texts[i][0], headings_of(self.texts[: self.n_headings])[j]]
        else:
            beside = [f"heading {j + 1}"]
        return ", ".join(name.removeprefix(OPEN) for name in beside if name) or f"row {i + 1}"

    def confirmed(self, cells: Sequence[tuple[int, int]]) -> Answered:
        """These cells taken as they read."""
        chosen = set(cells)
        return replace(
            self,
            texts=tuple(
                tuple(
                    text.removeprefix(OPEN.strip()).strip() if (i, j) in chosen else text
                    for j, text in enumerate(row)
                )
                for i, row in enumerate(self.texts)
            ),
        )

    def text(self) -> str:
        """The table as pasted ones are read.

        A `DataError` names each cell that is still asked, and a table that must be compared first.
        """
        problems = [
            Problem(
                what=f"The cell in row {i + 1}, column {j + 1} is not confirmed. {reason}".strip(),
                remedy="Confirm it, or type what the page says.",
            )
            for (i, j), reason in self.open_cells.items()
        ]
        if self.table.unsure and not self.compared:
            problems.append(
                Problem(what=self.table.unsure, remedy="Compare every cell with the page first.")
            )
        if problems:
            raise DataError(problems)
        # Only what says what marks mean is read beside the cells, how p-values were tested, and
        # that the numbers are errors or p-values.
        caption = self.table.caption
        is_named = TITLE.match(caption) or levels_in([caption])
        words = (*self.table.notes, caption if is_named else f"Table: {caption}")
        legends = [
            line
            for line in words
            if levels_in([line]) or lower_word(line, "title") or tells_p_values(line)
        ]
        texts = [list(row) for row in self.texts]
        sides = {side for line in words if (side := stated_sidedness(line))}
        if len(sides) == 1:
            (side,) = sides
            # Where stars stand for p-values their legend is all that is read.
            legends = [line if stated_sidedness(line) else f"{line} ({side})" for line in legends]
            last = self.n_headings - 1
            texts[last] = [
                f"{text} ({side})" if P_VALUE.fullmatch(text) else text for text in texts[last]
            ]
        return as_pasted(
            texts,
            self.n_headings,
            lines=self.lines,
            notes=legends,
            sections=self.table.sections,
        )

    def marked(self, datasets: Sequence[str], system: str) -> dict[str, tuple[str, ...]]:
        """For each sign, and "bold", the datasets on which a system's score has it.

        Datasets and systems are looked up by their names, in rows and columns or the other way
        round; a cell that was typed has the signs that were typed.
        """
        found: dict[str, dict[str, None]] = {}
        for dataset, cells in self._cells(datasets, system).items():
            for i, j in cells:
                text, rows = self.texts[i][j], self.table.rows
                own = rows[i][j] if i < len(rows) and j < len(rows[i]) else None
                is_bold = own is not None and own.bold and own.text == text
                for sign in [*signs_behind(text), *(["bold"] if is_bold else [])]:
                    found.setdefault(sign, {})[dataset] = None
        # Signs first: bold type may only stand for the best score.
        return {sign: tuple(found[sign]) for sign in sorted(found, key="bold".__eq__)}

    def _cells(self, datasets: Sequence[str], system: str) -> dict[str, list[tuple[int, int]]]:
        """Row and column of each cell of a system's, by dataset."""
        headings = [_plain(name) for name in headings_of(self.texts[: self.n_headings])]
        rows = [
            (i, {_plain(text) for text in row})
            for i, row in rows_of(self.texts, self.n_headings, sections=self.table.sections)
        ]
        found = {}
        for dataset in datasets:
            wanted = {_plain(dataset), _plain(system)}
            found[dataset] = [
                (i, j)
                for i, beside in rows
                for j, heading in enumerate(headings)
                if heading in wanted and (wanted - {heading}) & beside
            ]
        return found

    def elsewhere(
        self, datasets: Sequence[str], system_a: str, system_b: str
    ) -> list[tuple[str, str, str]]:
        """Signs that the legend explains by a third system: who has one, the sign, and that system."""
        pair = {_plain(system_a), _plain(system_b)}
        headings, rows = self.texts[: self.n_headings], self.texts[self.n_headings :]
        beside = [*headings_of(headings)[1:], *(row[0] for row in rows)]
        names = {_plain(name): name for name in beside if _plain(name)}
        known = names.keys() - set(map(_plain, datasets))
        # The longest first: "BERT-large" is no "BERT".
        word = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
        against: dict[str, set[str]] = {}
        for found in _EXPLAINED.finditer(" ; ".join(self.words)):
            said = re.findall(rf"{_THAN}({word})(?![\w-])", _plain(found["said"]))
            signs = signs_in(found["signs"])
            for k, sign in enumerate(signs):
                # One system for each sign, or all of them for every one.
                own = said[k : k + 1] if len(said) == len(signs) else said
                against.setdefault(sign, set()).update(own)
        third, several = [], []
        for system, other in ((system_a, system_b), (system_b, system_a)):
            for sign in self.marked(datasets, system):
                of_others = against.get(sign, set()) - pair
                if of_others and _plain(other) not in against[sign]:
                    third.append((system, sign, names[min(of_others)]))
                # Which of several baselines is the best may differ from dataset to dataset.
                if not against.get(sign) and _BEST_OF_SEVERAL.search(self._explained(sign)[1]):
                    several.append((system, sign, "the best of several systems"))
        return third + several * bool(known - pair)

    def _explained(self, sign: str) -> tuple[str, str]:
        """What the words say of a sign: its sentences, and of those with other signs what follows it."""
        sentences = re.split(r"[.;](?=\s|$)", " ; ".join(self.words))
        sentences = [sentence for sentence in sentences if sign in signs_in(sentence)]
        own = [
            one["said"]
            for sentence in sentences
            for one in _EXPLAINED.finditer(sentence)
            if sign in signs_in(one["signs"])
        ]
        alone = [sentence for sentence in sentences if {*signs_in(sentence)} == {sign}]
        return " ".join(sentences), " ".join(alone + own)

    def claims(
        self, datasets: Sequence[str], system_a: str, system_b: str
    ) -> list[tuple[str, Claim]]:
        """What the paper's marks claim, each with the sentence that offers it.

        A sign says p ≤ α on each dataset that has it, at the level of the legend where there is
        one; bold type may stand for that, unless the caption says that it marks the best score, or
        explains other signs alone.
        """
        levels = levels_in(self.words)
        is_told_by_signs = bool(levels) and not any(map(_BOLD.search, self.words))
        found = []
        sides: tuple[tuple[str, Better, Better], ...] = (
            (system_a, "a", "b"),
            (system_b, "b", "a"),
        )
        elsewhere = {sign for _, sign, _ in self.elsewhere(datasets, system_a, system_b)}
        for system, side, other in sides:
            for sign, names in self.marked(datasets, system).items():
                sentences, own = self._explained(sign)
                reprinted = _REPRINTED.search(own) and not _SIGNIFICANT.search(sentences)
                excepted = any(map(BUT_FOR.search, sentences.split(sign)[:-1]))
                if sign in elsewhere or DENIES.search(own) or reprinted or excepted:
                    continue
                # Beside signs with a legend, bold that nothing explains is the best score as well.
                if sign == "bold" and (self.bold_is_best or is_told_by_signs):
                    continue
                level = levels.get(sign)
                alpha = float(level[1:]) if level else None
                worse, better = _WORSE.search(own), _BETTER.search(own)
                is_either = worse if better else not worse and _DIFFER.search(own)
                for_whom: Better = "differ" if is_either else other if worse else side
                claim = Claim(kind="significant", datasets=names, better=for_whom, alpha=alpha)
                means = "bold" if sign == "bold" else f"marked {sign}"
                words = f"{system} is {means} on {len(names)} of {len(datasets)} datasets"
                found.append((words, claim))
        return found


def _plain(name: str) -> str:
    """A name without signs behind it, however it is spaced and spelt."""
    return " ".join(re.sub(rf"[\^{SIGNS}]+$", "", name).split()).casefold()
