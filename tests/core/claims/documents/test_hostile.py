"""Files made to do harm: each is refused within five seconds of the processor, by its reason, and nothing else happens."""

import gzip
import io
import os
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from core.claims.documents import __main__ as child
from core.claims.documents import reading
from core.claims.documents.reading import SECONDS, is_document, read_document
from core.errors import DataError
from tests.core.claims.documents.raw import at, pdf, table

ROOT = Path(__file__).resolve().parents[4]
# A process that is begun and ended takes a moment.
GRACE = 2.0


def spent() -> float:
    """Seconds of the processor that this process and those it began have taken."""
    return sum(os.times()[:4])


def _bomb() -> bytes:
    """One page whose content unpacks to 400 megabytes."""
    packer = zlib.compressobj(1)
    packed = (
        b"".join(packer.compress(b"0 0 m 1 1 l S\n" * 1_000_000) for _ in range(30))
        + packer.flush()
    )
    start = pdf([""]).replace(
        b"/Length 0 >> stream\n",
        b"/Length %d /Filter /FlateDecode >> stream\n" % len(packed) + packed,
    )
    return start[: start.rfind(b"xref\n0 1")] + b"trailer << /Root 1 0 R >>\n%%EOF"


def _nested_forms() -> bytes:
    """Forms that each draw the next one ten times: 10 to the 9th drawings."""
    forms = " ".join(
        f"{n} 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 600 400] /Resources << /XObject "
        f"<< /X {n + 1} 0 R >> >> /Length 60 >> stream\n{'/X Do ' * 10}\nendstream endobj\n"
        for n in range(5, 14)
    )
    last = "14 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 600 400] /Length 13 >> stream\n0 0 m 9 9 l S\nendstream endobj"
    content = pdf([at(50, 300, "Table 1: a") + "/X Do"], more=forms + last)
    return content.replace(b"/Font << /F1", b"/XObject << /X 5 0 R >> /Font << /F1")


def _huge_image() -> bytes:
    image = "5 0 obj << /Type /XObject /Subtype /Image /Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Length 0 >> stream\n\nendstream endobj"
    content = pdf([at(50, 300, "Table 1: a") + "q 600 0 0 400 0 0 cm /X Do Q"], more=image)
    return content.replace(b"/Font << /F1", b"/XObject << /X 5 0 R >> /Font << /F1")


def _page_loop() -> bytes:
    """A tree of pages that is its own child."""
    return pdf([table()]).replace(b"/Kids [100 0 R]", b"/Kids [2 0 R]  ")


# Files, and what is said of them; of the others a table is read.
HOSTILE = {
    "a page that unpacks to 400 megabytes": (_bomb, "too complex"),
    "forms within forms": (_nested_forms, "too complex"),
    "an image of ten gigabytes": (_huge_image, ""),
    "pages that hold themselves": (_page_loop, "and no text"),
    "10,000 pages": (lambda: pdf([at(50, 50, "Table 1: a")] * 10_000), "more than 300 pages"),
    "a million letters": (lambda: pdf([table() + at(10, 10, "1.5 " * 250) * 1_000]), ""),
    "no end": (lambda: pdf([table()])[:400], "is damaged"),
    "noise": (lambda: b"%PDF-1.7\n" + bytes(range(256)) * 2_000, "is damaged"),
    "broken cross-references": (lambda: pdf([table()]).replace(b" 00000 n", b" 99999 n")[:-60], "is damaged"),
    "an encrypted file": (lambda: pdf([table()]).replace(b"/Root 1 0 R", b"/Root 1 0 R /Encrypt << /Filter /Standard /V 1 /R 2 /O (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) /U (bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb) /P -4 >> /ID [(a) (a)]"), "by a password"),
    "only pictures": (lambda: pdf(["0 0 m 9 9 l S"]), "and no text"),
    "a page a mile wide": (lambda: pdf([table()]).replace(b"[0 0 600 400]", b"[0 0 9999999 9999999]"), "No table was found"),
}  # fmt: skip


def test_the_process_that_parses_takes_no_more_memory_than_it_may() -> None:
    # Its own limit, and what it takes of the machine at its end.
    program = (
        "import pypdfium2\n"
        "from core.claims.documents.__main__ import _limit\n"
        "_limit()\n"
        "held = []\n"
        "try:\n"
        "    while True: held.append(bytearray(10_000_000))\n"
        "except MemoryError:\n"
        "    print(*[l for l in open('/proc/self/status') if l.startswith('VmHWM')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    most = int(done.stdout.split()[1]) * 1_024
    assert 200_000_000 < most < child.MOST_MEGABYTES * 1_000_000


def test_a_process_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SECONDS", 0.001)
    with pytest.raises(DataError, match="more than five seconds"):
        read_document("paper.pdf", pdf([table()]))


@pytest.mark.parametrize(
    ("reads", "n_pages", "n_read"),
    [((5, 5), 10, 10), ((4, 2), 10, 6), ((5, 0), 10, 5), ((3, 4), 12, 7), ((3,) * 8, 30, 24)],
)
def test_pages_that_several_processes_read_are_put_together_and_the_rest_is_told(
    reads: tuple[int, ...], n_pages: int, n_read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What each process reads; none is a process that fails, and one is stopped by hand at page 7.
    own = reading._from_child(pdf([table()]), 0)
    starts: list[int] = []

    def child(_: bytes, start: int) -> dict[str, Any]:
        read = reads[len(starts)]
        starts.append(start)
        told = {"n_pages": n_pages, "n_read": start + read, "passed_over": [start + 1]}
        return {**own, **told, "has_text": start == 0} if read else {"refused": "time"}

    monkeypatch.setattr(reading, "_from_child", child)
    document = read_document("a.pdf", b"%PDF-", on_progress=lambda done, _: done != 7)
    assert starts == [sum(reads[:k]) for k in range(len(reads))]
    assert len(document.tables) == len(list(filter(None, reads)))
    assert document.tables[0].rows[1][1].place
    passed = ", ".join(str(start + 1) for start, read in zip(starts, reads, strict=True) if read)
    *rest, last = document.remarks
    assert last.endswith(f"pages {passed}.")
    said = f"first {n_read} of {n_pages} pages"
    assert [said in one for one in rest] == [True] * (n_read < n_pages)


TEX = b"\\begin{table}\\caption{A}\\begin{tabular}{lrr}a & b & c \\\\ \\hline x & 1.5 & 2.5 \\\\ y & 3.5 & 1.5 \\\\\\end{tabular}\\end{table}"  # fmt: skip


def packed(kind: str, files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w:gz" if kind == "tar.gz" else "w") as tar:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return out.getvalue()


def test_archives_of_a_papers_source_are_read_and_others_left_to_the_reader_of_results() -> None:
    files = {
        "old.tex": TEX.replace(b"1.5", b"9.5"),
        "main.tex": b"\\documentclass{article}\\begin{document}\\input{t/scores}\\end{document}",
        "t/scores.tex": TEX,
        "figure.png": b"\x89PNG",
    }
    for kind in ("zip", "tar.gz", "tar"):
        content = packed(kind, files)
        assert is_document(f"paper.{kind}", content), kind
        found = read_document(f"paper.{kind}", content)
        # What the paper takes in stands before drafts beside it.
        assert [table.place.file for table in found.tables] == ["t/scores.tex", "old.tex"], kind
    assert is_document("paper.gz", gzip.compress(TEX))
    assert len(read_document("paper.gz", gzip.compress(TEX)).tables) == 1
    assert not is_document("results.zip", packed("zip", {"a.csv": b"dataset,a,b\nx,1,2\n"}))
    assert not is_document("results.csv.gz", gzip.compress(b"dataset,a,b\nx,1,2\n"))
    assert not is_document("results.csv", b"dataset,a,b\nx,1,2\n")
    with pytest.raises(DataError, match="gzip file is damaged"):
        read_document("paper.gz", gzip.compress(TEX)[:-9])
    with pytest.raises(DataError, match="holds no LaTeX"):
        read_document("paper.zip", packed("zip", {"a.csv": b"dataset,a,b\nx,1,2\n"}))
    # What a server sent in place of a paper.
    assert is_document("paper.pdf", b"<html>Please log in</html>")
    with pytest.raises(DataError, match=r"called \.pdf and is no PDF"):
        read_document("paper.pdf", b"<html>Please log in</html>")


HOSTILE_SOURCES = {
    "gzip bomb": (lambda: gzip.compress(b"\\begin{document}" + b"\0" * 60_000_000), "more than 50 MB"),
    "no gzip": (lambda: b"\x1f\x8bnonsense", "gzip file is damaged"),
    "braces": (lambda: b"\\begin{tabular}" + b"{" * 200_000, "No table was found"),
    "endless command": (lambda: b"\\newcommand{\\a}{\\a\\a}" + TEX.replace(b"1.5", b"\\a"), ""),
    "columns": (lambda: b"\\begin{tabular}{*{99}{*{99}{*{99}{c}}}}" + b"a&" * 5_000 + b"\\\\\\end{tabular}", "No table was found"),
    "no columns": (lambda: b"\\begin{tabular}{*{99}{*{99}{*{99}{*{99}{}}}}}a & b\\\\\\end{tabular}", "No table was found"),
    "spans": (lambda: b"\\begin{tabular}{ll}\\multicolumn{999}{c}{a} & \\multirow{-99}{*}{b}\\\\ a & b\\\\\\end{tabular}", ""),
    "too large": (lambda: b"%PDF-" + b"\0" * 101_000_000, "more than 100 MB"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*HOSTILE, *HOSTILE_SOURCES])
def test_a_hostile_document_is_refused_in_five_seconds(name: str) -> None:
    make, said = (HOSTILE | HOSTILE_SOURCES)[name]
    content = make()
    begun = spent()
    try:
        found = read_document("paper.pdf" if name in HOSTILE else "paper.tex", content)
    except DataError as error:
        (problem,) = error.problems
        assert said
        assert said in problem.what
        assert problem.remedy
    else:
        # What the parser can mend, and what is only large, may be read.
        assert not said
        assert all(len(table.rows[0]) < 10_001 for table in found.tables)
    assert spent() - begun < SECONDS + GRACE
