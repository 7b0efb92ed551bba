"""Claims travel in a bundle, and nothing odd among them is taken in."""

from __future__ import annotations

import io
import json
import zipfile
from hashlib import sha256

import pytest

from core.analysis import AnalysisSettings, Origin, analyse
from core.claims.desk import ClaimDesk
from core.data import PValueTable, read_results
from core.errors import DataError
from core.export.bundle import read_bundle, write_bundle
from core.export.bundle.format import MANIFEST, SETTINGS

TABLE = b"dataset,ours,theirs,p_value\nu,91.5,90.1,.001\nv,92.5,90.1,.002\n"
DESK = ClaimDesk(
    lines="at least 2 for A\n# 9 %", metric="accuracy", sizes="u: 10\nv: 20", swapped=True
)


def bundle(claims: ClaimDesk | None) -> bytes:
    data = read_results(TABLE, name="t.csv")
    assert isinstance(data, PValueTable)
    analysis = analyse(data, AnalysisSettings(), origin=Origin(title="t.csv"))
    return write_bundle(analysis, files=[("t.csv", TABLE)], name="t.csv", roles={}, claims=claims)


def forged(claims: object) -> bytes:
    """A bundle with other claims, every checksum right."""
    with zipfile.ZipFile(io.BytesIO(bundle(DESK))) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    settings = {**json.loads(contents[SETTINGS]), "claims": claims}
    contents[SETTINGS] = json.dumps(settings).encode()
    manifest = json.loads(contents[MANIFEST])
    manifest["members"][SETTINGS]["sha256"] = sha256(contents[SETTINGS]).hexdigest()
    contents[MANIFEST] = json.dumps(manifest).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return packed.getvalue()


def test_what_is_laid_out_is_read_back() -> None:
    for desk in [DESK, ClaimDesk(lines=""), ClaimDesk(sizes="100")]:
        assert read_bundle(bundle(desk)).claims == desk, desk


def test_claims_that_no_page_could_have_written_are_refused() -> None:
    for claims, said in [
        ([], "no JSON object"),
        ({"lines": 3}, "'lines' of the claims must be null or a text"),
        ({"metric": "f1"}, "'metric' of the claims must be null or one of accuracy"),
        ({"metric": ["accuracy"]}, "'metric' of the claims"),
        ({"sizes": None}, "'sizes' of the claims must be a text"),
        ({"swapped": 1}, "'swapped' of the claims must be true or false"),
        ({"lines": "x\u0000y"}, "'lines' of the claims"),
        ({"lines": "x" * 500_001}, "'lines' of the claims"),
        ({"k_hat": 3}, "'k_hat', which is no part of them"),
    ]:
        with pytest.raises(DataError, match=said):
            read_bundle(forged(claims))
