"""Pictures of pages as PNG, written and cut here: sixteen greys and one colour for what is pointed at."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

from .table import Box

_HEAD = b"\x89PNG\r\n\x1a\n"
_COLOUR, _FRAME = 16, 3
_PALETTE = bytes(17 * grey for grey in range(16) for _ in range(3)) + bytes((217, 83, 25))
_TO_GREYS = bytes((grey + 8) // 17 for grey in range(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A page, packed; its size is in pixels."""

    packed: bytes
    width: int
    height: int

    @classmethod
    def of(cls, pixels: bytes, *, width: int, height: int, stride: int) -> Picture:
        """Pack rows of grey pixels that begin `stride` bytes apart."""
        greys = pixels.translate(_TO_GREYS)
        rows = b"".join(greys[y * stride : y * stride + width] for y in range(height))
        return cls(packed=zlib.compress(rows, 6), width=width, height=height)

    def png(
        self, box: Box = (0.0, 0.0, 1.0, 1.0), *, pointed: Box | None = None, every: int = 1
    ) -> bytes:
        """A part of the page as PNG.

        Parameters
        ----------
        box : tuple of float
            Left, top, right and bottom of the part, as shares of the page.
        pointed : tuple of float, optional
            What a coloured frame is drawn around, likewise.
        every : int
            Keep one of so many pixels, across and down.
        """
        whole = bytearray(zlib.decompress(self.packed))
        if pointed is not None:
            self._frame(whole, pointed)
        left, top, right, bottom = self._pixels(box)
        rows = [
            bytes(whole[y * self.width + left : y * self.width + right : every])
            for y in range(top, bottom, every)
        ]
        header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
        data = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
        parts = ((b"IHDR", header), (b"PLTE", _PALETTE), (b"IDAT", data), (b"IEND", b""))
        return _HEAD + b"".join(
            struct.pack(">I", len(own)) + kind + own + struct.pack(">I", zlib.crc32(kind + own))
            for kind, own in parts
        )

    def _pixels(self, box: Box) -> tuple[int, int, int, int]:
        left, top = int(box[0] * self.width), int(box[1] * self.height)
        left, top = min(max(0, left), self.width - 1), min(max(0, top), self.height - 1)
        right, bottom = int(box[2] * self.width) + 1, int(box[3] * self.height) + 1
        return (
            left,
            top,
            min(self.width, max(right, left + 1)),
            min(self.height, max(bottom, top + 1)),
        )

    def _frame(self, pixels: bytearray, box: Box) -> None:
        left, top, right, bottom = self._pixels(box)
        left, top = max(0, left - 2 * _FRAME), max(0, top - 2 * _FRAME)
        right, bottom = min(self.width, right + 2 * _FRAME), min(self.height, bottom + 2 * _FRAME)
        for y in range(top, bottom):
            edge = y < top + _FRAME or y >= bottom - _FRAME
            sides = [(left, right)] if edge else [(left, left + _FRAME), (right - _FRAME, right)]
            for x0, x1 in sides:
                at = y * self.width
                pixels[at + x0 : at + x1] = bytes([_COLOUR]) * (x1 - x0)
