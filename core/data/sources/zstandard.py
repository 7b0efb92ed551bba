"""Members of zip archives that are packed by Zstandard, as Inspect's logs are; never onto a disk."""

from __future__ import annotations

import struct
import zipfile
import zlib

import pyarrow as pa

from core.data.sources.allowance import Allowance

# The number that stands for it in zip archives.
ZSTANDARD = 93
_BLOCK = 1 << 20
_LOCAL = struct.Struct("<4s22xHH")


def read_zstandard(archive: zipfile.ZipFile, info: zipfile.ZipInfo, allowance: Allowance) -> bytes:
    """One member, counted while it is unpacked.

    Raises
    ------
    BadZipFile, OSError
        If it is damaged.
    """
    file = archive.fp
    if file is None:
        raise zipfile.BadZipFile("The archive is closed.")
    file.seek(info.header_offset)
    header = file.read(_LOCAL.size)
    if len(header) < _LOCAL.size or not header.startswith(b"PK\x03\x04"):
        raise zipfile.BadZipFile("The member is not where the archive says.")
    _, n_name, n_extra = _LOCAL.unpack(header)
    file.seek(n_name + n_extra, 1)
    packed = pa.BufferReader(file.read(info.compress_size))
    blocks = []
    with pa.CompressedInputStream(packed, "zstd") as stream:
        while block := stream.read(_BLOCK):
            allowance.take(len(block))
            blocks.append(block)
    content = b"".join(blocks)
    if zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile("The member's checksum does not fit.")
    return content
