"""A page of a PDF as what can be seen of it: letters with their places, rules, and its picture.

All lengths are points from the upper left of the page as it is turned when it is read.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from pypdfium2 import PdfMatrix

from ...document import VALUE, Picture

# Pixels a point, and the most pixels on one side.
_SCALE, _MOST_PIXELS = 1.7, 2_400
MOST_LETTERS, _MOST_PATHS, _DEEPEST = 40_000, 20_000, 5
# Grey levels that ink differs from what is around it, to be seen.
_CONTRAST = 24
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SPACES = frozenset((0x20, 0xA0, 0x0A, 0x0D, 0x09, 0x2009, 0x202F, 0x2002, 0x2003))
_BOLD = re.compile(
    r"bold|black|heavy|demi|semib|cmbx|cmmib|cmbsy|sfbx|-medi|nimbus.*medi|[a-z]-?bd\b", re.I
)
_INVISIBLE = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
# What a rule is at least as long as, and at most as thick as.
_RULE_LENGTH, _RULE_WIDTH = 4.0, 2.5


@dataclass(slots=True, kw_only=True)
class Word:
    """A letter, letters without a gap, or all words of a cell's line, with their box.

    `x0` and `x1` are its ends along its line, `base` is the line that it stands on. The angle is 0 for
    upright, 90 where it is read from below upwards, 270 from above, and 45 for any other. Letters drawn
    together have the same `piece`; `ink` is left, top, right and bottom of what is drawn of one.
    `raised` and `lowered` stand smaller behind a word, until a table's cell has them in its text;
    `doubt` is why the text may be another.
    """

    text: str
    x0: float
    x1: float
    base: float
    top: float
    bottom: float
    size: float
    bold: bool = False
    angle: int = 0
    piece: int = 0
    ink: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    raised: str = ""
    lowered: str = ""
    doubt: str = ""

    @property
    def is_value(self) -> bool:
        """Whether it may stand in a column of numbers."""
        return VALUE.fullmatch(self.text) is not None

    @property
    def middle(self) -> float:
        """Between its left and its right end."""
        return (self.x0 + self.x1) / 2

    def meets(self, x0: float, x1: float) -> bool:
        """Whether part of it stands between two distances from the left."""
        return self.x0 < x1 - 0.3 and self.x1 > x0 + 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A line of a table; `at` is its height where it lies, its distance from the left where it stands."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """The page in grey."""

    pixels: bytes
    width: int
    height: int
    stride: int
    scale: float

    @classmethod
    def of(cls, page: Any) -> Image:
        """Draw a page."""
        longest = max(page.get_width(), page.get_height())
        scale = min(_SCALE, _MOST_PIXELS / longest)
        made = page.render(scale=scale, grayscale=True, may_draw_forms=False, draw_annots=False)
        image = cls(
            pixels=bytes(made.buffer),
            width=made.width,
            height=made.height,
            stride=made.stride,
            scale=scale,
        )
        made.close()
        return image

    @property
    def picture(self) -> Picture:
        """What is shown of it."""
        return Picture.of(self.pixels, width=self.width, height=self.height, stride=self.stride)

    def shows(self, box: tuple[float, float, float, float]) -> bool:
        """Whether there is ink in a box of points: left, top, right, bottom."""
        left, top, right, bottom = (self.scale * end for end in box)
        x0, x1 = max(0, math.floor(left)), min(self.width, math.ceil(right) + 1)
        y0, y1 = max(0, math.floor(top)), min(self.height, math.ceil(bottom) + 1)
        if x0 >= x1 or y0 >= y1:
            return False
        rows = [self.pixels[y * self.stride + x0 : y * self.stride + x1] for y in range(y0, y1)]
        return max(map(max, rows)) - min(map(min, rows)) >= _CONTRAST


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its letters, lying and standing rules, and its picture."""

    number: int
    width: float
    height: float
    letters: list[Word]
    lying: list[Rule]
    standing: list[Rule]
    image: Image


class TooDense(Exception):
    """A page holds more than any page of a paper."""


def read_page(document: pypdfium2.PdfDocument, index: int) -> Page:
    """What can be seen on a page, which is turned until most of its letters stand upright.

    `TooDense` or `PdfiumError` is raised where that is too much, or damaged.
    """
    page = document[index]
    text = page.get_textpage()
    try:
        if pdfium.FPDFText_CountChars(text.raw) > MOST_LETTERS:
            raise TooDense
        to_page, width, height = _to_page(page)
        # The page may be shown turned by itself, as landscape ones are.
        letters = _letters(text, to_page, page.get_rotation() // 90)
        angles = Counter(letter.angle for letter in letters).most_common(1)
        if angles and angles[0][0] in (90, 270):
            page.set_rotation((page.get_rotation() + angles[0][0]) % 360)
            to_page, width, height = _to_page(page)
            letters = _letters(text, to_page, page.get_rotation() // 90)
        lying, standing = _rules(page, to_page)
        return Page(
            number=index + 1,
            width=width,
            height=height,
            letters=_each_once(letters),
            lying=lying,
            standing=standing,
            image=Image.of(page),
        )
    finally:
        text.close()
        page.close()


def _to_page(page: Any) -> tuple[PdfMatrix, float, float]:
    """How the PDF's points become ours, and the size of the page as it is turned."""
    width, height = page.get_width(), page.get_height()
    if not (1.0 <= width <= 20_000.0 and 1.0 <= height <= 20_000.0):
        raise TooDense
    fine = 1_000_000
    x, y = ctypes.c_int(), ctypes.c_int()

    def at(px: float, py: float) -> tuple[float, float]:
        pdfium.FPDF_PageToDevice(page.raw, 0, 0, fine, fine, 0, px, py, x, y)
        return x.value / fine * width, y.value / fine * height

    (e, f), (ax, ay), (cx, cy) = at(0, 0), at(100, 0), at(0, 100)
    matrix = PdfMatrix((ax - e) / 100, (ay - f) / 100, (cx - e) / 100, (cy - f) / 100, e, f)
    return matrix, width, height


def _font_at(text: Any, i: int, fonts: dict[int, Word | None]) -> Word | None:
    """What a letter has in common with others of its piece of text, read once; None where it is hidden."""
    piece = pdfium.FPDFText_GetTextObject(text, i)
    address = ctypes.cast(piece, ctypes.c_void_p).value or -1 - i
    if address in fonts:
        return fonts[address]
    m = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text, i, m)
    upright = m.a * m.d - m.b * m.c > 0
    degrees = math.degrees(math.atan2(m.b, m.a)) % 360
    near = {0: 0, 1: 90, 3: 270}.get(round(degrees / 90) % 4, 45)
    angle = near if upright and min(degrees % 90, 90 - degrees % 90) < 2 else 45
    mode, bold, alpha = 0, False, ctypes.c_uint(255)
    if piece:
        mode = pdfium.FPDFTextObj_GetTextRenderMode(piece)
        font = pdfium.FPDFTextObj_GetFont(piece)
        buffer = ctypes.create_string_buffer(256)
        pdfium.FPDFFont_GetBaseFontName(font, buffer, 256)
        name = buffer.value.decode("utf-8", "replace").rpartition("+")[2]
        forced = pdfium.FPDFFont_GetFlags(font) & (1 << 18)
        bold = (
            bool(_BOLD.search(name)) or forced > 0 or mode == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE
        )
        shades = [ctypes.c_uint() for _ in range(3)]
        pdfium.FPDFPageObj_GetFillColor(piece, *shades, alpha)
    size = pdfium.FPDFText_GetFontSize(text, i) * math.hypot(m.c, m.d)
    is_hidden = mode in _INVISIBLE or alpha.value == 0 or size < 1.0
    own = Word(text="", x0=0, x1=0, base=0, top=0, bottom=0, size=size, bold=bold, angle=angle, piece=address)  # fmt: skip
    return fonts.setdefault(address, None if is_hidden else own)


def _letters(textpage: pypdfium2.PdfTextPage, to_page: PdfMatrix, turn: int) -> list[Word]:
    """Every character but spaces, hidden ones, and those that only the reader would add."""
    text = textpage.raw
    fonts: dict[int, Word | None] = {}
    x, y = ctypes.c_double(), ctypes.c_double()
    found = []
    for i in range(pdfium.FPDFText_CountChars(text)):
        code = pdfium.FPDFText_GetUnicode(text, i)
        if code in _SPACES or pdfium.FPDFText_IsGenerated(text, i) == 1:
            continue
        font = _font_at(text, i, fonts)
        if font is None:
            continue
        sign, fault = chr(code), ""
        if not 0x20 < code < 0x7F or code == 0x2D:
            # A hyphen at the end of a line has a code of the reader's own.
            sign = "-" if pdfium.FPDFText_IsHyphen(text, i) == 1 else _LIGATURES.get(sign, sign)
            if not sign.isprintable() or sign == "�" or 0xE000 <= ord(sign) <= 0xF8FF:
                sign, fault = "�", "A character has no known text."
        if pdfium.FPDFText_HasUnicodeMapError(text, i) == 1:
            fault = "A character has no known text."
        x0, top, x1, bottom = to_page.on_rect(*textpage.get_charbox(i, loose=True))
        pdfium.FPDFText_GetCharOrigin(text, i, x, y)
        angle = font.angle if font.angle == 45 else (font.angle - 90 * turn) % 360
        is_across = angle in (90, 270)
        found.append(
            replace(
                font,
                text=sign,
                x0=x0,
                x1=x1,
                base=to_page.on_point(x.value, y.value)[0 if is_across else 1],
                top=top,
                bottom=bottom,
                angle=angle if angle == 0 or is_across else 45,
                ink=to_page.on_rect(*textpage.get_charbox(i)),
                doubt=fault,
            )
        )
    return found


def _each_once(letters: list[Word]) -> list[Word]:
    """Letters without those drawn a second time on the spot, as some programs make bold ones."""
    kept: dict[tuple[str, int], list[int]] = {}
    found: list[Word] = []
    for letter in letters:
        rows = [(letter.text, round(letter.base) + step) for step in (-1, 0, 1)]
        near = [k for row in rows for k in kept.get(row, ()) if _is_same(found[k], letter)]
        if near:
            found[near[0]] = replace(found[near[0]], bold=True)
            continue
        kept.setdefault(rows[1], []).append(len(found))
        found.append(letter)
    return found


def _is_same(one: Word, other: Word) -> bool:
    return (
        abs(one.x0 - other.x0) < 0.25 * max(other.x1 - other.x0, 1.0)
        and abs(one.top - other.top) < 0.15 * other.size
        and one.angle == other.angle
        # Both letters of "ff" drawn as one sign have its whole box.
        and (one.piece != other.piece or not other.text.isalpha())
    )


def _rules(page: Any, to_page: PdfMatrix) -> tuple[list[Rule], list[Rule]]:
    """Lying and standing lines, pieces that touch put together."""
    lying: list[Rule] = []
    standing: list[Rule] = []
    kinds = [pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_FORM]
    for n, part in enumerate(page.get_objects(kinds, max_depth=_DEEPEST)):
        if n == _MOST_PATHS:
            raise TooDense
        if part.type == pdfium.FPDF_PAGEOBJ_PATH:
            matrix, form = part.get_matrix(), part.container
            while form is not None:
                matrix, form = matrix.multiply(form.get_matrix()), form.container
            _add_rules(part.raw, matrix.multiply(to_page), lying, standing)
    return _joined(lying), _joined(standing)


def _add_rules(path: Any, m: PdfMatrix, lying: list[Rule], standing: list[Rule]) -> None:
    fill, is_stroked = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, is_stroked)
    if not (fill.value or is_stroked.value) or _is_white(path, is_stroked=bool(is_stroked.value)):
        return
    pieces: list[list[tuple[float, float]]] = []
    for i in range(min(pdfium.FPDFPath_CountSegments(path), 4_000)):
        segment = pdfium.FPDFPath_GetPathSegment(path, i)
        x, y = ctypes.c_float(), ctypes.c_float()
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO or not pieces:
            pieces.append([])
        pieces[-1].append(m.on_point(x.value, y.value))
        if pdfium.FPDFPathSegment_GetClose(segment) and is_stroked.value:
            pieces[-1].append(pieces[-1][0])
    for piece in pieces:
        whole = [piece] if fill.value or len(piece) < 3 else []
        # Of a shape that is drawn along its edge each side is a line.
        sides = [[a, b] for a, b in pairwise(piece)] if is_stroked.value else []
        for points in whole + sides:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            width, height = max(xs) - min(xs), max(ys) - min(ys)
            if height <= _RULE_WIDTH and width >= _RULE_LENGTH and width > 2 * height:
                lying.append(Rule(at=(max(ys) + min(ys)) / 2, start=min(xs), end=max(xs)))
            elif width <= _RULE_WIDTH and height >= _RULE_LENGTH and height > 2 * width:
                standing.append(Rule(at=(max(xs) + min(xs)) / 2, start=min(ys), end=max(ys)))


def _is_white(path: Any, *, is_stroked: bool) -> bool:
    shades = [ctypes.c_uint() for _ in range(4)]
    read = pdfium.FPDFPageObj_GetStrokeColor if is_stroked else pdfium.FPDFPageObj_GetFillColor
    read(path, *shades)
    return min(shade.value for shade in shades[:3]) >= 250 or shades[3].value == 0


def _joined(rules: list[Rule]) -> list[Rule]:
    found: list[Rule] = []
    for rule in sorted(rules, key=lambda r: (round(r.at), r.start)):
        last = found[-1] if found else None
        if last and abs(last.at - rule.at) < 1.2 and rule.start <= last.end + 1.2:
            found[-1] = Rule(at=last.at, start=last.start, end=max(last.end, rule.end))
        else:
            found.append(rule)
    return sorted(found, key=lambda r: (r.at, r.start))
