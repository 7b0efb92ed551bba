"""Members packed by Zstandard, as Inspect writes its logs since 2026; `zipfile` writes none before Python 3.14."""

import io
import struct
import zipfile
import zlib

import pyarrow as pa
import pytest

from core.data.sources.archives import read_member
from core.data.tables.limits import Allowance
from core.errors import DataError


def packed(members: dict[str, bytes]) -> bytes:
    """A zip archive of method 93, header by header after PKWARE's APPNOTE."""
    out, directory = io.BytesIO(), b""
    for name, content in members.items():
        inner = pa.Codec("zstd").compress(content, asbytes=True)
        start, own, crc = out.tell(), name.encode(), zlib.crc32(content)
        common = (0, 93, 0, 33, crc, len(inner), len(content), len(own))
        out.write(struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 63, *common, 0) + own + inner)
        fields = (63, 63, *common, 0, 0, 0, 0, 0, start)
        directory += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", *fields) + own
    end, n = out.tell(), len(members)
    out.write(directory)
    out.write(struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, n, n, len(directory), end, 0))
    return out.getvalue()


def test_members_are_unpacked_and_counted():
    content = b"0123456789" * 300_000
    archive = zipfile.ZipFile(io.BytesIO(packed({"a.json": content, "b.json": b"{}"})))
    allowance = Allowance()
    allowance.unpack(len(content))
    assert [read_member(archive, info, allowance) for info in archive.infolist()] == [
        content,
        b"{}",
    ]
    assert allowance.used == len(content) + 2


def test_a_bomb_is_stopped_on_the_way():
    archive = zipfile.ZipFile(io.BytesIO(packed({"a.json": bytes(50_000_000)})))
    with pytest.raises(DataError, match="unpacks to more than"):
        read_member(archive, archive.infolist()[0], Allowance(max_bytes=5_000_000))


def test_a_damaged_member_is_an_error():
    content = bytearray(packed({"a.json": b"0123456789" * 3_000}))
    content[45] ^= 255
    archive = zipfile.ZipFile(io.BytesIO(bytes(content)))
    with pytest.raises((zipfile.BadZipFile, OSError)):
        read_member(archive, archive.infolist()[0], Allowance())
