"""Files without results beside results are set aside by name; what may hold results never is."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from core.data.sources.foreign_files import kind_of_name, kind_of_text
from core.data.sources.given import SourceFile
from tests.core.data.tools.files_of import read, refused

ROWS = "A,B\n" + "1,0\n0,1\n1,1\n" * 5
LOG = (
    "2024-05-01 12:00:00,123 - INFO - start\n2024-05-01 12:03:09,456 - INFO - epoch 1, loss 0.31\n"
)
PROSE = (
    "These are the results of the second run, made on the first of May.\n\n"
    "The seed was three, and the temperature was left as it is.\n"
)


def zipped(files: dict[str, str | bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, inner in files.items():
            archive.writestr(name, inner)
    return content.getvalue()


FOREIGN: dict[str, str | bytes] = {
    "README": PROSE,
    "run/config.yaml": "seed: 3\n",
    "run/train.log": LOG,
    "run/notes.txt": PROSE,
    "run/plot.png": b"\x89PNG\r\n\x1a\n\x00",
    "run/.cache/x": b"\x00",
    "run/config.json": '{"seed": 3}',
}


def test_a_folder_as_a_zip_is_read_past_readme_logs_and_settings():
    packed = zipped({**FOREIGN, "run/sst.csv": ROWS, "run/rte.csv": ROWS})
    results = read({"all.zip": packed})
    assert (results.datasets, results.systems) == (("sst", "rte"), ("A", "B"))
    uses = {use.path: use for use in results.reading.files}
    assert uses.keys() == {*FOREIGN, "run/sst.csv", "run/rte.csv"}
    assert {path for path, use in uses.items() if use.used} == {"run/sst.csv", "run/rte.csv"}
    assert uses["run/sst.csv"].content == "15 rows"
    assert uses["run/train.log"].reason == "It is a log, no table or list of results."
    assert uses["run/config.yaml"].reason == "It holds settings and no results."


def test_every_file_set_aside_is_named_in_a_remark():
    packed = zipped({**FOREIGN, "run/sst.csv": ROWS})
    said = " ".join(read({"all.zip": packed}).reading.remarks)
    assert [name for name in FOREIGN if f"'{name}'" not in said] == []


def test_files_dropped_beside_each_other_are_sorted_alike():
    results = read({"README.md": PROSE, "sst.csv": ROWS, "notes.txt": PROSE})
    assert results.datasets == ("sst",)
    assert results.reading.source_name == "sst.csv"
    assert [(use.path, use.used) for use in results.reading.files] == [
        ("sst.csv", True),
        ("README.md", False),
        ("notes.txt", False),
    ]


def test_roles_given_back_read_the_same():
    packed = zipped({**FOREIGN, "run/sst.csv": ROWS, "run/rte.csv": ROWS})
    results = read({"all.zip": packed})
    again = read({"all.zip": packed}, roles=dict(results.reading.roles))
    assert again.fingerprint == results.fingerprint


def test_one_table_alone_has_no_report_of_files():
    assert read({"sst.csv": ROWS}).reading.files == ()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run/b.pkl", b"\x80\x04\x95\x00\x00\x00"),
        ("run/b.npy", b"\x93NUMPY\x01\x00"),
        ("run/b.csv", "dataset;x;y\n1;2\n"),
        ("run/b.txt", "yes\nno\nyes\n"),
        ("run/empty.csv", ""),
    ],
)
def test_what_may_hold_results_and_cannot_be_read_is_refused_by_name(
    name: str, content: str | bytes
):
    assert f"'{name}'" in str(refused({"all.zip": zipped({"run/a.csv": ROWS, name: content})}))


def test_where_there_is_nothing_but_prose_it_is_refused_as_ever():
    refused({"notes.txt": PROSE, "more.txt": PROSE})
    refused({"README.md": PROSE})


def test_beside_the_files_of_a_tool_a_log_is_called_a_log():
    scores = {f"q{i}": i / 50 for i in range(40)}
    files: dict[str, str | bytes] = {
        "a.json": json.dumps({"map": scores}),
        "b.json": json.dumps({"map": scores}),
        "train.log": LOG,
        "conf.yaml": "x: 1\n",
    }
    reading = read(files).reading
    said = " ".join(reading.remarks)
    assert "Left aside, beside the files of evaluation tools: 'train.log'." in said
    assert "'conf.yaml'" in said
    uses = {use.path: use for use in reading.files}
    assert [path for path, use in uses.items() if use.used] == ["a.json", "b.json"]
    assert uses["train.log"].kind == "log"
    assert uses["conf.yaml"].kind == "settings"


def file(name: str, content: str) -> SourceFile:
    return SourceFile(name=name, content=content.encode())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.log", "0.5\n0.25\n0.125\n"),
        ("a.log", "score\n0.5\n0.25\n0.125\n"),
        ("a.txt", "entailment\nneutral\nentailment\n"),
        ("a.txt", "id\ttext\tscore\n" + "1\tthis is a long text of words.\t0.5\n" * 9),
        ("a.txt", "id,said\n" + "1,this is a long text of words.\n" * 9),
        ("a.txt", "gold;said\n" + "yes;this is a long text of words\n" * 9),
        ("a.txt", "301 Q0 FT1 1 4.5 bm25\n" * 5),
        ("a.csv", PROSE),
        ("a.out", "1 0\n1 1\n"),
        ("a.txt", ""),
    ],
)
def test_tables_and_lists_are_never_taken_for_prose(name: str, content: str):
    assert kind_of_text(file(name, content)) == ""


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.log", LOG, "log"),
        ("a.txt", PROSE, "running text"),
        ("notes", PROSE, "running text"),
        ("a.err", "", "log"),
        ("slurm.out", "12:00:01 loading\n12:00:05 done\n 40%|####   | 4/10\n", "log"),
    ],
)
def test_logs_and_prose_are_known_by_their_text(name: str, content: str, kind: str):
    assert kind_of_text(file(name, content)) == kind


@pytest.mark.parametrize(
    "name",
    ["results.json", "notice.csv", "environment.csv", "a.pkl", "a.npy", "sst.c", "mrpc.r", "a.tex"],
)
def test_names_that_may_be_those_of_results_say_nothing(name: str):
    assert kind_of_name(name) == ""
