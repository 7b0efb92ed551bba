"""Packed files read as their contents do, and nothing hostile goes beyond the limits."""

import gzip
import io
import struct
import tracemalloc
import zipfile
import zlib

import numpy as np
import pyarrow as pa
import pytest

from core.data import read_results
from core.data.sources import files
from core.data.sources.files import MAX_MEMBERS, SourceFile, read_member, unpack, zipped
from core.data.tables.limits import MAX_RATIO, Allowance
from core.errors import DataError

TABLE = b"dataset,A,B,p\nx,1,2,.5\ny,3,2,.01\n"
BLOCK = b"0" * (1 << 20)
N_BLOCKS = 300


def zeros_in_deflate():
    """Hundreds of megabytes of zeros as deflate packs them, made of one block that is repeated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(BLOCK) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * N_BLOCKS + packer.flush()


def zip_bomb(name):
    packed = bytearray(zipped({name: zeros_in_deflate()}, method=zipfile.ZIP_STORED))
    entry = packed.find(b"PK\x01\x02")
    packed[8:10] = packed[entry + 10 : entry + 12] = (8).to_bytes(2, "little")
    packed[entry + 24 : entry + 28] = (N_BLOCKS * len(BLOCK)).to_bytes(4, "little")
    return bytes(packed)


def gzip_bomb():
    return gzip.compress(b"")[:10] + zeros_in_deflate() + bytes(8)


def refusal(content):
    with pytest.raises(DataError) as caught:
        read_results(content)
    return str(caught.value)


def test_very_many_zeros_are_refused_by_the_limit_long_before_their_end():
    for kind in ["gzip", "a.csv", "xl/workbook.xml"]:
        content = gzip_bomb() if kind == "gzip" else zip_bomb(kind)
        tracemalloc.start()
        try:
            message = refusal(content)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert f"more than {MAX_RATIO} times its size" in message, kind
        assert peak < 100e6, kind


def test_what_hardly_packs_is_refused_by_its_size_and_that_of_all_files_together():
    noise = np.random.default_rng(7).bytes(400_000)
    together = zipped({f"{i}.csv": noise for i in range(4)})
    for packed in (gzip.compress(noise * 4, 1), zipped({"a": noise * 4}), together):
        with pytest.raises(DataError, match="more than 1,000,000 bytes"):
            unpack(SourceFile(name="a", content=packed), Allowance(max_bytes=1_000_000))


def test_sizes_in_headers_are_not_believed():
    honest = zipped({"t.csv": TABLE * 40_000})
    lying = bytearray(honest)
    entry = honest.find(b"PK\x01\x02")
    lying[entry + 24 : entry + 28] = (len(TABLE)).to_bytes(4, "little")
    with pytest.raises(DataError):
        unpack(SourceFile(name="a", content=bytes(lying)), Allowance(max_bytes=1_000_000))


def test_too_many_members_are_refused():
    packed = zipped({f"{i}.csv": b"" for i in range(MAX_MEMBERS + 1)})
    assert f"more than {MAX_MEMBERS:,} files" in refusal(packed)


def log_of_inspect(n_samples, summaries=True):
    spec = b'{"version": 2, "eval": {"task": "t", "model": "m"}}'
    inside = {"_journal/start.json": spec}
    inside |= {f"samples/{i}_epoch_1.json": b"{}" for i in range(n_samples)}
    if summaries:
        inside |= {"summaries.json": b"[]", "header.json": spec}
    return zipped(inside)


def test_a_log_of_inspect_has_any_number_of_samples_and_only_its_summaries_are_unpacked():
    content = log_of_inspect(MAX_MEMBERS + 10)
    found = unpack(SourceFile(name="a.eval", content=content), Allowance())
    names = {file.name for file in found.files}
    assert names == {"_journal/start.json", "header.json", "summaries.json"}


def test_a_log_of_inspect_without_summaries_is_still_counted(monkeypatch):
    assert "holds more than 2,000 files" in refusal(log_of_inspect(MAX_MEMBERS, summaries=False))
    monkeypatch.setattr(files, "MAX_LISTED", 20)
    assert "holds more than" in refusal(log_of_inspect(30))


def test_a_log_of_inspect_whose_samples_say_nothing_is_refused_with_what_they_lack():
    assert "no text or number under 'id'" in refusal(log_of_inspect(5, summaries=False))


def by_zstandard(members: dict[str, bytes]) -> bytes:
    """A zip archive of method 93, header by header after PKWARE's APPNOTE.

    So Inspect writes its logs since 2026; `zipfile` writes none before Python 3.14.
    """
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


def test_members_by_zstandard_are_unpacked_and_counted():
    content = b"0123456789" * 300_000
    archive = zipfile.ZipFile(io.BytesIO(by_zstandard({"a.json": content, "b.json": b"{}"})))
    allowance = Allowance()
    allowance.unpack(len(content))
    found = [read_member(archive, info, allowance) for info in archive.infolist()]
    assert found == [content, b"{}"]
    assert allowance.used == len(content) + 2


def test_a_bomb_by_zstandard_is_stopped_on_the_way():
    archive = zipfile.ZipFile(io.BytesIO(by_zstandard({"a.json": bytes(50_000_000)})))
    with pytest.raises(DataError, match="unpacks to more than"):
        read_member(archive, archive.infolist()[0], Allowance(max_bytes=5_000_000))


def test_a_damaged_member_by_zstandard_is_an_error():
    content = bytearray(by_zstandard({"a.json": b"0123456789" * 3_000}))
    content[45] ^= 255
    archive = zipfile.ZipFile(io.BytesIO(bytes(content)))
    with pytest.raises((zipfile.BadZipFile, OSError)):
        read_member(archive, archive.infolist()[0], Allowance())
