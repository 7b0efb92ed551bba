"""Files of evaluation tools beside other files: neither keeps the other from being seen."""

from __future__ import annotations

import json

import pytest

from core.data import ResultSet, ScoreTable
from tests.core.data.tools.files_of import kind_of, read, refused

SCORES = [(0.12, 0.34), (0.55, 0.41), (0.31, 0.39), (0.94, 0.9), (0.5, 0.62)]
TABLE = "id,A,B\n" + "".join(f"q{i},{a},{b}\n" for i, (a, b) in enumerate(SCORES))
BLEU = json.dumps({"name": "BLEU", "score": 30.1, "signature": "nrefs:1"})
STRAY = {
    "scores of one system": {"bleu.json": BLEU},
    "averages of one run": {"bm25.eval": "map\tall\t0.25\n"},
    "tasks of one system": {"x.json": json.dumps({f"a__b-{i}": i > 1 for i in range(4)})},
    "a ranking": {"bm25.run": "301 Q0 FT1 1 9.5 bm25\n301 Q0 FT2 2 8.5 bm25\n"},
    "notes": {
        "notes_reference.txt": "these are the references of the paper\nplease see the other file\n",
        "notes.txt": "run with the usual settings on the cluster\nthen copied to here\n",
    },
}


@pytest.mark.parametrize("kind", STRAY)
def test_a_stray_file_of_a_tool_leaves_the_table_to_be_read_and_is_reported(kind: str):
    results = read({"res.csv": TABLE, **STRAY[kind]})
    assert kind_of(results) is ResultSet
    assert results.systems == ("A", "B")
    assert list(results.scores("res", "B")) == [b for _, b in SCORES]
    uses = {use.path: use for use in results.reading.files}
    assert uses.keys() == {"res.csv", *STRAY[kind]}
    assert uses["res.csv"].used
    assert not any(uses[path].used for path in STRAY[kind])
    assert all(uses[path].reason for path in STRAY[kind])
    said = " ".join(results.reading.remarks)
    assert all(f"'{path}'" in said for path in STRAY[kind])


def test_roles_given_back_beside_a_stray_file_read_the_same():
    files = {"res.csv": TABLE, "bleu.json": BLEU}
    results = read(files)
    again = read(files, roles=dict(results.reading.roles))
    assert again.fingerprint == results.fingerprint


def test_where_the_others_cannot_be_read_either_both_are_named():
    said = str(refused({"res.csv": "id,A\nq1,x\nq2,y\n", "bleu.json": BLEU}))
    assert "'bleu' are of one system" in said
    assert "other files are not read: 'res.csv'. To read these, leave out 'bleu.json'." in said


def test_a_broken_file_of_a_tool_is_not_passed_over_and_the_others_are_named():
    broken = json.dumps({"ndcg@10": {f"q{i}": i / 99 for i in range(40)}}, indent=1)[:-50]
    files = {"res.csv": TABLE, "a.json": broken, "b.json": broken}
    error = refused(files)
    assert "no JSON from here on" in error.problems[0].what
    assert "other files are not read: 'res.csv'" in error.problems[-1].what


def test_files_of_a_tool_that_can_be_compared_are_read_and_the_table_is_left_aside():
    table = read({"res.csv": TABLE, "a.json": BLEU, "b.json": BLEU.replace("30.1", "31.5")})
    assert kind_of(table) is ScoreTable
    assert [use.path for use in table.reading.files if not use.used] == ["res.csv"]
