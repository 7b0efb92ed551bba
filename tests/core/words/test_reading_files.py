"""What is said of several files, and of examples without a partner."""

from __future__ import annotations

from core.data import Reading
from core.data.provenance import FileUse, Matched
from core.words.reading import files_table, matched_table, reasons


def reading(files: tuple[FileUse, ...] = (), matched: tuple[Matched, ...] = ()) -> Reading:
    return Reading(
        source_name="files",
        layout="scores in rows",
        roles={},
        columns=(),
        remarks=(),
        separator=",",
        encoding="UTF-8",
        files=files,
        matched=matched,
    )


def used(path: str) -> FileUse:
    return FileUse(path=path, kind="table", content="10 rows")


def aside(path: str) -> FileUse:
    return FileUse(path=path, kind="", used=False, reason="It is a log.")


def matched(
    dataset: str, system: str, n: int, n_matched: int, left: tuple[str, ...] = ()
) -> Matched:
    return Matched(
        dataset=dataset, system=system, n_examples=n, n_matched=n_matched, left_over=left
    )


PARTLY = (
    matched("arc", "a", 1000, 990, ("3", "17")),
    matched("arc", "b", 990, 990),
    matched("arc", "c", 991, 990, ("x",)),
)


def test_the_table_of_files_says_which_were_used_and_the_reasons_why_others_were_not() -> None:
    found = reading((used("a.csv"), aside("b.log"), aside("c.log")))
    table = files_table(found)
    assert table["file"].tolist() == ["a.csv", "b.log", "c.log"]
    assert table["kind"].tolist() == ["table", "not known", "not known"]
    assert table["used"].tolist() == ["yes", "no", "no"]
    assert reasons(found) == ["'b.log', 'c.log': It is a log."]


def test_the_table_of_examples_counts_those_left_over_and_names_the_first() -> None:
    table = matched_table(reading(matched=PARTLY))
    assert table["left over"].tolist() == [10, 0, 1]
    assert table["ids left over"].tolist() == ["'3', '17' and 8 more", "", "'x'"]
