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
    # Left and right end of 91.2, and its line.
    box = found.rows[1][1].place.box
    assert box == pytest.approx((X / 600, 113 / 400, (X + 19.5) / 600, 120 / 400), abs=0.01)
    (narrow,) = read(table(without=[(i, 2) for i in range(5)]))
    assert (texts(narrow), narrow.unsure) == ([list(row[:2]) for row in PLAIN], None)
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
    "a power of ten": (at(X, Y, "2\xd710") + at(X + 23, Y + 4, "-5", size=7), "2×10^-5"),
    "a spread": (at(X, Y, "91.2") + at(X + 23, Y, "\xb1") + at(X + 32, Y, "0.3"), "91.2 ± 0.3"),
    "a lowered spread": (at(X, Y, "91.2") + at(X + 19.5, Y - 2, "\xb10.3", size=6), "91.2 ±0.3"),
    "a starred spread": (at(X, Y, "91.2*") + at(X + 26, Y, "\xb1") + at(X + 35, Y, "0.3"), "91.2 ± 0.3*"),
    "a bound": (at(X, Y, "<") + at(X + 9, Y, ".001"), "<.001"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_a_number_is_read_as_the_page_shows_it(name: str) -> None:
    drawn, expected = SHOWN[name]
    (found,) = read(table(without=[HERE], more=drawn))
    cell = found.rows[1][1]
    assert (cell.text, cell.unsure) == (expected, None)
    assert cell.bold == (name == "in the bold font")


def row(y: float, *cells: str) -> str:
    return "".join(at(x, y, text) for x, text in zip(XS, cells, strict=True))


# What is drawn in place of 91.2, or the whole page, and what is told of it.
ASKED = {
    "raised footnote digit": (at(X, Y, "91.2") + at(X + 19.5, Y + 4, "1", size=7), "A raised 1"),
    "raised digit of the font": (at(X, Y, "91.2\xb2"), "A raised digit"),
    "raised digit before": (at(X - 5, Y + 4, "1", size=7) + at(X, Y, "91.2"), "stands before it"),
    "lowered spread": (at(X, Y, "91.2") + at(X + 19.5, Y - 2, "0.3", size=6), "A smaller 0.3"),
    "white digit": (at(X, Y, "91.2") + at(X + 19.5, Y, "7", how="1 1 1 rg"), "cannot be seen"),
    "digits below a white box": (at(X, Y, "19.2") + WHITE_BOX + "\n", "cannot be seen"),
    "one digit out of line": (at(X, Y, "9") + at(X + 5.56, Y + 1.7, "1.2"), "Two numbers"),
    "two numbers in one cell": (at(X, Y, "91.2") + at(X + 22, Y, "3"), "Two numbers"),
    "a dash before the number": (at(X, Y, "\x96") + at(X + 8, Y, "91.2"), "minus sign, or an empty"),
    "a footnote in full size": (at(X, Y, "91.21"), "one more decimal"),
    "an unreadable character": (at(X, Y, "91\x812"), "and this is none"),
    "between two columns": (at(X + 38, Y, "91.2"), "A column has no heading"),
    "over both columns": (table(without=[HERE, (1, 2)], more=at(222, Y, "91.2 on both of them")), "spans several"),
    "over two rows": (table(without=[HERE, (2, 1)], more=at(X, 272, "91.2") + rule(295, 345, 275)), "several rows"),
    "a row without a name": (table(without=[(2, 0)]), "No name stands"),
    "a close line": (table(more=row(241, "base", "1.3", "1.4")), "close together"),
    "words between numbers": (table(more="".join(at(260, y, "u") for y in YS)), "side by side"),
    "one row": (table(without=[(i, j) for i in (2, 3, 4) for j in range(3)]), "No columns"),
    "beyond the rules": (table(without=[(1, 2)], more=at(338, Y, "90.12")), "beyond its rules"),
    "one column": (table(without=[(i, j) for i in range(5) for j in (0, 2)]), "No columns"),
    "a line that ends in a hyphen": (table(more=at(X, 307, "Ro-", size=6)), "ends in a hyphen"),
    "no headings": (table(without=[(0, j) for j in range(3)]), "no row of headings"),
    "slanted": (table(more=at(0, 0, "draft", how=".87 .5 -.5 .87 310 240 cm")), "is slanted"),
    "turned": (table(more=at(0, 0, "side", how="0 1 -1 0 340 240 cm")), "Rotated words"),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_what_can_be_read_in_two_ways_is_asked(name: str) -> None:
    drawn, told = ASKED[name]
    (found,) = read(drawn if "Table 1" in drawn else table(without=[HERE], more=drawn))
    assert told in " ".join([found.unsure or "", *found.doubts.values()])
    wrong = [
        (i, j)
        for i, row in enumerate(texts(found))
        for j, text in enumerate(row)
        if not found.unsure and not found.rows[i][j].unsure and text not in (PLAIN[i][j], "")
    ]
    assert not wrong


def test_an_empty_cell_shifts_nothing() -> None:
    for i, j in [(1, 1), (2, 2), (4, 1)]:
        (found,) = read(table(without=[(i, j)]))
        wanted = [list(row) for row in PLAIN]
        wanted[i][j] = ""
        assert texts(found) == wanted, (i, j)


def test_two_tables_side_by_side_are_two_or_asked() -> None:
    found = read(table() + table(dx=260))
    assert [texts(each) for each in found] == [[list(row) for row in PLAIN]] * 2
    # Under rules that go through, no column may pass for the other table's.
    content = table() + table(dx=260) + "".join(rule(95, 605, y) for y in (315, 295, 228))
    assert all(each.unsure for each in read(content))


def test_turned_words_above_the_numbers_are_headings() -> None:
    turned = [at(0, 0, PLAIN[0][j], size=5, how=f"0 1 -1 0 {XS[j] + 9} 298 cm") for j in (1, 2)]
    above = [(0, 1), (0, 2), *((i, j) for i in (3, 4) for j in range(3))]
    (found,) = read(table(without=above, more="".join(turned)))
    assert (texts(found), found.unsure) == ([list(row) for row in PLAIN[:3]], None)


def test_a_caption_of_two_lines_and_a_note_below_are_of_the_table() -> None:
    (found,) = read(table(more=at(XS[0], 319, "of all sets.") + at(XS[0], 216, "* p < .05")))
    assert (found.caption, found.notes) == ("Table 1: Scores. of all sets.", ("* p < .05",))


def test_a_heading_is_for_the_columns_below_its_rule_or_the_upper_line_of_a_name() -> None:
    upper = at(X, 307, "Test", size=6)
    for drawn, headings in (
        (upper + rule(218, 325, 305.5), [["", "Test", "Test"], [*PLAIN[0]]]),
        (upper, [["Dataset", "Test Ours", "BERT"]]),
        (upper + at(XS[2] + 34, 307, "The", size=6), [["Dataset", "Test Ours", "The BERT"]]),
    ):
        (found,) = read(table(more=drawn))
        assert texts(found)[: found.n_headings] == headings
        assert (found.doubts, found.unsure) == ({}, None)


def test_a_line_of_words_between_rows_with_names_heads_the_second() -> None:
    names = [(i, j) for i in (2, 4) for j in (1, 2)]
    (found,) = read(table(without=names, more=row(220, "dev", "50.1", "49.1") + rule(95, 345, 214)))
    assert [line[0] for line in texts(found)] == [*(line[0] for line in PLAIN), "dev"]
    assert (found.sections, list(found.doubts)) == ((2, 4), [(2, 0), (4, 0)])


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


def test_a_table_without_rules_in_one_of_two_columns_of_text_ends_at_its_column() -> None:
    said = "and the words of a column go on like this"
    for x, beside in [(40, 320), (320, 40)]:
        cells = [(x + XS[j] - 100, YS[i], PLAIN[i][j]) for i in range(5) for j in range(3)]
        prose = [(x, 320, "Table 1: Scores."), *((x, y, said) for y in (370, 358, 346, 200, 188))]
        other = [(beside, 370 - 12 * i, said) for i in range(16)]
        (found,) = read("".join(at(*drawn) for drawn in [*prose, *other, *cells]))
        assert (texts(found), found.unsure) == ([list(row) for row in PLAIN], None)
        assert found.caption == "Table 1: Scores."
