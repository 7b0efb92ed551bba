"""Whatever the bytes, reading ends in results or in a `DataError`, and soon.

The usual run is short. ``FUZZ_SECONDS=300 python -m pytest tests/core/data/test_fuzz.py`` runs on.
"""

import gzip
import os
import random
import time

import pytest

from core import read_results
from core.data.sources.files import zipped
from core.errors import DataError, Problem

SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("FUZZ_SEED", "17"))
# Short of a machine at rest: what takes longer hangs, or grows with the square.
LONGEST = 20.0
USUAL_ROUNDS = 60

SCORES = "dataset,example,ours,baseline\n" + "".join(
    f"set{i % 3},{i},{i % 2},{(i + 1) / 7:.4f}\n" for i in range(30)
)
PREDICTIONS = "dataset,id,gold,ours,baseline\n" + "".join(
    f"x,{i},{'AB'[i % 2]},{'AB'[i % 3 % 2]},{'BA'[i % 2]}\n" for i in range(30)
)
PUBLISHED = (
    'dataset;A;B;n;p\n"x; y";90,7;90,2;"1 200";<0,001\nGermän;1.234,5;1;300;p = ,03*\nz;1;2;4;ns\n'
)
LONG = "dataset,example,system,score\n" + "".join(
    f"x,{i // 2},{'AB'[i % 2]},{i / 10}\n" for i in range(40)
)
COUNTS = "dataset,example,system,correct,total\n" + "".join(
    f"x,{i // 2},{'AB'[i % 2]},{i % 5},7\n" for i in range(40)
)
TITLED = "Table 3: results,,,\n\ndataset,A,B,p\nx,1,2,.5\n"
JSON_LINES = "".join(
    f'{{"dataset": "x", "example": {i}, "A": {i % 2}, "B": 0.5}}\n' for i in range(20)
)
JSON = '{"x": {"A": [1, 0, 1], "B": [0, 0, 1]}, "y": {"A": [1, 0], "B": [0.5, null]}}'


def packed(**files):
    # Without the time of day, so that a seed always gives the same bytes.
    return zipped(
        {n: text.encode() if isinstance(text, str) else text for n, text in files.items()}
    )


WORKBOOK = packed(
    **{
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": "<Relationships/>",
        "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="rId1"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId1" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is>'
        "<t>dataset</t></is></c></row></sheetData></worksheet>",
    }
)
GOOD = {
    "scores": SCORES.encode(),
    "predictions": PREDICTIONS.encode("utf-16"),
    "published": PUBLISHED.encode("cp1252"),
    "long": LONG.replace(",", "\t").encode("utf-8-sig"),
    "counts": COUNTS.encode(),
    "titled": TITLED.encode(),
    "sep": b"sep=|\r\n" + SCORES.replace(",", "|").replace("\n", "\r\n").encode(),
    "quoted": b"\n".join(
        b",".join(b'"%s"' % cell for cell in line.split(b",")) for line in SCORES.encode().split()
    ),
    "JSON": JSON.encode(),
    "JSON lines": JSON_LINES.encode(),
    "zip": packed(**{"a.csv": SCORES, "b/c.csv": SCORES}),
    "zip in zip": packed(**{"a.zip": packed(**{"a.csv": SCORES}), "b.gz": gzip.compress(b"x")}),
    "gzip": gzip.compress(SCORES.encode(), mtime=0),
    "workbook": WORKBOOK,
}
# What readers stumble over, put in at any place.
BITS = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b'""', b"\r", b"\n\n", b",", b";", b"\t", b"|",
    b"sep=;\n", b"nan", b"inf", b"1e999", b"1e-999", b"-", b"1,234.5", b"1.234.567", b"1\xa0234",
    b"\xe2\x88\x92", b"%", b"<", b"{", b"[", b"}", b"]", b"[[[[[[[[", b'{"a":', b"null", b"p_value",
    b"gold", b"system", b"dataset", b"metric", b"run", b"9" * 400, b"x" * 5000, b"\xe2\x80\xa8",
    b"\xd8\x00", b"\xc3", b"\xed\xa0\x80", b"\x1a", b"PK\x03\x04", b"\x1f\x8b", b"10^", b"10^99999",
]  # fmt: skip


def mutated(rng, content):
    """A few changes at random places."""
    content = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(content) + 1)
        to = min(len(content), at + rng.choice((0, 1, 1, 8, 100)))
        kind = rng.randrange(7)
        if kind == 0:
            content[at:to] = b""
        elif kind == 1:
            content[at:to] = rng.choice(BITS)
        elif kind == 2:
            content[at:at] = content[at:to]
        elif kind == 3:
            content[at:to] = rng.randbytes(to - at)
        elif kind == 4 and at < len(content):
            content[at] ^= 1 << rng.randrange(8)
        elif kind == 5:
            lines = bytes(content).split(b"\n")
            rng.shuffle(lines)
            content = bytearray(b"\n".join(lines))
        else:
            content[at:] = b"" if rng.random() < 0.2 else content[at:] + content[:at]
    return bytes(content)


def strange(rng):
    """Bytes of no file, but of few kinds, so that they get past the first checks."""
    kinds = (
        lambda: rng.randbytes(rng.randrange(300)),
        lambda: bytes(rng.choices(b'ab01.,;\t|"\n\r -+eE%{}[]:', k=rng.randrange(300))),
        lambda: b"".join(rng.choices(BITS, k=rng.randrange(30))),
        lambda: "".join(map(chr, rng.choices(range(1, 0xD7FF), k=50))).encode(),
        lambda: (
            rng.choice([b"PK\x03\x04", b"\x1f\x8b\x08", b"%PDF", b"{", b"[", b"\xff\xfe"])
            + rng.randbytes(rng.randrange(100))
        ),
    )
    return rng.choice(kinds)()


def declared(rng):
    """Roles that may or may not fit."""
    if rng.random() < 0.7:
        return None
    names = ["dataset", "example", "ours", "baseline", "A", "B", "p", "gold", None, "score"]
    roles = {
        role: rng.choice(names)
        for role in rng.sample(["dataset", "example", "gold", "p_value", "n_examples"], 2)
    }
    if rng.random() < 0.5:
        roles["systems"] = tuple(rng.sample(["ours", "baseline", "A", "B"], 2))
    return roles


def ends_well(content, roles):
    start = time.monotonic()
    problems: tuple[Problem, ...] | None = None
    try:
        assert read_results(content, roles=roles).fingerprint
    except DataError as error:
        problems = error.problems
        str(error)
    assert problems is None or (problems and all(p.what and p.remedy for p in problems))
    # Not a measure of speed: something is wrong by orders of magnitude.
    assert time.monotonic() - start < LONGEST


def run(seed, make):
    """Many contents from one seed; the failing one is told by its round."""
    end = time.monotonic() + SECONDS / (len(GOOD) + 1)
    rounds = 0
    while rounds < USUAL_ROUNDS or time.monotonic() < end:
        rng = random.Random(f"{seed}-{rounds}")
        content, roles = make(rng), declared(rng)
        try:
            ends_well(content, roles)
        except BaseException as error:
            error.add_note(f"seed {seed!r}, round {rounds}: {content!r}, roles={roles!r}")
            raise
        rounds += 1


@pytest.mark.parametrize("kind", GOOD)
def test_a_damaged_file_ends_in_results_or_a_data_error(kind):
    ends_well(GOOD[kind], None)
    run(f"{SEED}-{kind}", lambda rng: mutated(rng, GOOD[kind]))


def test_bytes_of_no_file_end_in_results_or_a_data_error():
    run(f"{SEED}-strange", strange)
