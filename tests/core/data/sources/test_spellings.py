"""Names of files that say one thing in two spellings, or lack a file."""

from __future__ import annotations

import pytest

from core.data.sources.name_grid import find_grid
from core.data.sources.name_orders import SYSTEM_FIRST
from core.data.sources.spellings import spelled_otherwise
from core.errors import DataError
from tests.core.data.tools.files_of import read, refused

TEXT = "".join(f"{word} sentence number {word} of this text here\n" for word in "abcdefgh")
OUTPUTS = {"A": TEXT.replace("of", "off"), "B": TEXT.replace("this", "that")}


def submissions(
    references: tuple[str, ...], outputs: tuple[str, ...], name: str
) -> dict[str, str | bytes]:
    """As WMT gives them: references, and each system's translations."""
    files: dict[str, str | bytes] = {
        f"references/newstest2019-{pair}-ref.{pair[-2:]}": TEXT for pair in references
    }
    files |= {name.format(p=p, s=s): OUTPUTS[s] for p in outputs for s in "AB"}
    return files


FLAT = "newstest2019.{s}.{p}"
FOLDERS = "system-outputs/{p}/newstest2019.{s}.{p}"


@pytest.mark.parametrize("name", [FLAT, FOLDERS], ids=["flat", "folders"])
def test_references_of_a_pair_spelled_otherwise_are_named_with_both_spellings(name: str) -> None:
    error = refused(submissions(("ende", "enfr"), ("en-de", "en-fr"), name))
    first = name.format(p="en-de", s="A")
    assert [problem.file for problem in error.problems] == [
        "references/newstest2019-ende-ref.de",
        "references/newstest2019-enfr-ref.fr",
    ]
    assert error.problems[0].what == (
        f"It has no partner: its name says 'ende', where that of '{first}' says 'en-de'."
    )
    assert "one system" not in str(error)


@pytest.mark.parametrize("name", [FLAT, FOLDERS], ids=["flat", "folders"])
@pytest.mark.parametrize("pairs", [("ende", "enfr"), ("en-de", "en-fr")], ids=["one", "two"])
def test_pairs_spelled_alike_are_read(name: str, pairs: tuple[str, ...]) -> None:
    results = read(submissions(pairs, pairs, name))
    assert results.datasets == pairs
    assert results.systems == ("newstest2019.A", "newstest2019.B")


def test_the_one_file_spelled_otherwise_is_the_one_that_is_named() -> None:
    names = ["news.A.ende", "news.B.ende", "news.A.enfr", "news.C.enfr", "news.B.en-fr"]
    (problem,) = spelled_otherwise(names, named="file")
    assert problem.file == "news.B.en-fr"
    assert "its name says 'en-fr', where that of 'news.A.enfr' says 'enfr'" in problem.what


def test_numbers_and_parts_of_few_letters_are_not_taken_for_spellings() -> None:
    names = ["run1.1.A", "run11.B", "a.b.x", "ab.y", "v2-0", "v20"]
    assert spelled_otherwise(names, named="file") == []


def test_a_missing_file_is_told_where_all_names_begin_alike() -> None:
    stems = [
        f"newstest2019.{system}.en-{to}"
        for to in ("de", "fr", "cs")
        for system in "AB"
        if (system, to) != ("B", "fr")
    ]
    with pytest.raises(DataError) as caught:
        find_grid(stems, [1] * len(stems), whole="all", order=SYSTEM_FIRST)
    (problem,) = caught.value.problems
    assert problem.what.startswith("The file 'newstest2019.B.en-fr' is missing")


def test_files_of_one_system_are_still_told_to_be_so() -> None:
    with pytest.raises(DataError) as caught:
        find_grid(["ende.A", "enfr.A"], [1, 2], whole="all")
    assert "are of one system" in str(caught.value)
