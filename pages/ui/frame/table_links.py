"""A small table carried whole in an address, so that a link needs no file."""

from __future__ import annotations

import base64
import binascii
import zlib

# Browsers and servers take addresses of this length; beyond it a link may break.
LONGEST_IN_LINK = 4_000
_MOST_BYTES = 200_000


def packed(content: bytes) -> str | None:
    """The text that stands for a file in an address; None where it would be too long."""
    if len(content) > _MOST_BYTES:
        return None
    text = base64.urlsafe_b64encode(zlib.compress(content, 9)).decode("ascii").rstrip("=")
    return text if len(text) <= LONGEST_IN_LINK else None


def unpacked(text: str) -> bytes | None:
    """The file that a text in an address stands for; None where it stands for none."""
    if not text.isascii() or len(text) > LONGEST_IN_LINK:
        return None
    try:
        compressed = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        inflating = zlib.decompressobj()
        content = inflating.decompress(compressed, _MOST_BYTES)
    except (binascii.Error, zlib.error, ValueError):
        return None
    return content if content and inflating.eof else None
