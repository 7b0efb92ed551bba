"""PDFs in which a number is not what its text says: read as the page shows it, or asked."""

import pypdfium2
import pytest

from core.claims.documents.pdf_page import read_page
from core.claims.documents.pdf_tables import tables_on
from core.claims.documents.reading import read_document
from core.document import DocumentTable
from tests.core.claims.documents.raw import PLAIN, XS, YS, at, pdf, rule, table

HERE = (1, 1)
X, Y = XS[1], YS[1]
WHITE_BOX = "1 1 1 rg 200 275 60 14 re f"


def read(content: str, box: bytes = b"[0 0 600 400]") -> list[DocumentTable]:
    document = pypdfium2.PdfDocument(pdf([content]).replace(b"[0 0 600 400]", box))
    return tables_on(read_page(document, 0))


def texts(found: DocumentTable) -> list[list[str]]:
    return [[cell.text for cell in row] for row in found.rows]


def test_a_plain_table_is_read_without_a_question() -> None:
    (found,) = read(table())
    assert texts(found) == [list(row) for row in PLAIN]
    assert (found.doubts, found.unsure) == ({}, None)
    assert found.caption == "Table 1: Scores."
    box = found.rows[1][1].place
    assert box.box[0] == pytest.approx(X / 600, abs=0.002)
    assert box.box[3] == pytest.approx((400 - Y) / 400, abs=0.02)
    (landscape,) = read(f"0 1 -1 0 400 0 cm {table()}", b"[0 0 400 600] /Rotate 90")
    assert texts(landscape) == texts(found)


# What is drawn in place of 91.2, and how the cell may be read without asking: "91.2", or not at all.
SHOWN = {
    "bold drawn twice": (at(X, Y, "91.2") + at(X + 0.3, Y, "91.2"), "91.2"),
    "drawn twice on the spot": (at(X, Y, "91.2") * 2, "91.2"),
    "digit by digit": ("".join(at(X + 5.56 * i, Y, c) for i, c in enumerate("91")) + at(X + 11.12, Y, ".2"), "91.2"),
    "hidden digit behind": (at(X, Y, "91.2") + at(X + 19.5, Y, "7", how="3 Tr"), "91.2"),
    "in the bold font": (at(X, Y, "91.2", font="F2"), "91.2"),
    "raised star": (at(X, Y, "91.2") + at(X + 19.5, Y + 4, "*", size=7), "91.2*"),
    "raised letter": (at(X, Y, "91.2") + at(X + 19.5, Y + 4, "a", size=7), "91.2"),
    "a minus sign": (at(X, Y, "\x9691.2"), "–91.2"),
    "a decimal comma": (at(X, Y, "91,2"), "91,2"),
}  # fmt: skip
ASKED = {
    "raised footnote digit": at(X, Y, "91.2") + at(X + 19.5, Y + 4, "1", size=7),
    "lowered spread": at(X, Y, "91.2") + at(X + 19.5, Y - 2, "0.3", size=6),
    "white digit": at(X, Y, "91.2") + at(X + 19.5, Y, "7", how="1 1 1 rg"),
    "digits below a white box": at(X, Y, "19.2") + WHITE_BOX + "\n",
    "one digit out of line": at(X, Y, "9") + at(X + 5.56, Y + 1.7, "1.2"),
    "two numbers in one cell": at(X, Y, "91.2") + at(X + 22, Y, "3"),
    "a dash before the number": at(X, Y, "\x96") + at(X + 8, Y, "91.2"),
    "a footnote in full size": at(X, Y, "91.21"),
    "an unreadable character": at(X, Y, "91\x812"),
    "between two columns": at(X + 38, Y, "91.2"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_number_is_read_as_the_page_shows_it(name: str) -> None:
    drawn, expected = SHOWN[name]
    (found,) = read(table(without=[HERE], more=drawn))
    cell = found.rows[1][1]
    assert (cell.text, cell.unsure) == (expected, None)
    assert cell.bold == (name == "in the bold font")


@pytest.mark.parametrize("name", ASKED)
def test_what_can_be_read_in_two_ways_is_asked(name: str) -> None:
    (found,) = read(table(without=[HERE], more=ASKED[name]))
    others = [list(row) for row in PLAIN]
    got = texts(found)
    wrong = [
        (i, j)
        for i, row in enumerate(got)
        for j, text in enumerate(row)
        if not found.unsure
        and not found.rows[i][j].unsure
        and (len(row) != 3 or i >= len(others) or text != others[i][j])
    ]
    assert not wrong, got


def test_an_empty_cell_shifts_nothing() -> None:
    for missing in [(1, 1), (2, 2), (4, 1)]:
        (found,) = read(table(without=[missing]))
        wanted = [list(row) for row in PLAIN]
        wanted[missing[0]][missing[1]] = ""
        assert texts(found) == wanted, missing


def test_two_tables_side_by_side_are_two_or_asked() -> None:
    found = read(table() + table(dx=260))
    assert [texts(each) for each in found] == [[list(row) for row in PLAIN]] * 2
    # Under rules that go through, no column may pass for the other table's.
    content = table() + table(dx=260) + "".join(rule(95, 605, y) for y in (315, 295, 228))
    assert all(each.unsure for each in read(content))


def test_a_merged_number_is_asked() -> None:
    (found,) = read(table(without=[(1, 1), (1, 2)], more=at(245, Y, "91.2 on both of them")))
    assert found.unsure or any(i == 1 for i, _ in found.doubts)


def test_a_table_whose_headings_hold_no_rule_and_no_word_is_unsure() -> None:
    content = table(without=[(0, 0), (0, 1), (0, 2)])
    assert all(each.unsure or each.doubts for each in read(content))


HEADLESS = table(without=[(0, j) for j in range(3)]).replace("Table 1: Scores.", "")


@pytest.mark.parametrize(
    ("second", "goes_on"),
    [
        (HEADLESS, True),
        (table().replace("Table 1: Scores.", ""), True),
        (table().replace("Scores.", "continued from page 1."), True),
        (table().replace("Scores.", "Scores (cont.)"), True),
        (table().replace("Scores.", "Continued pre-training."), False),
        (table().replace("Table 1: Scores.", "Table 2: Others."), False),
        (table().replace("BERT", "XLNet").replace("Table 1: Scores.", ""), False),
    ],
)
def test_a_table_that_goes_on_elsewhere_is_to_be_completed(second: str, goes_on: bool) -> None:
    for pages in ([table(), second], [table(), "", second]):
        document = read_document("a.pdf", pdf(pages))
        near = len(pages) == 2 or "cont" in second
        told = "It seems to go on in another table on page" in (document.tables[0].unsure or "")
        assert told == (goes_on and near), len(pages)
        assert not any("go on in" in (one.unsure or "") for one in document.tables[1:])
