"""Bundles of files, and with members exchanged, for the tests of what is refused."""

import io
import json
import zipfile
from dataclasses import replace
from hashlib import sha256

from core.analysis import Origin, analyse
from core.data import PValueTable, ResultSet, read_results
from core.data.sources.files import zipped
from core.export.bundle import MANIFEST, write_bundle


def bundled(content, chosen=None, *, name, roles=None):
    """The analysis of a file, and its bundle."""
    data = read_results(content, name=name, roles=roles)
    assert isinstance(data, PValueTable | ResultSet)
    analysis = analyse(data, chosen, origin=Origin(title=name))
    return analysis, write_bundle(analysis, files=[(name, content)], name=name, roles=roles or {})


def members(content):
    """Every member of an archive by its name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def forged_of(bundle, change=None, *, manifest=None, **contents):
    """A bundle with members exchanged and their hashes put right."""
    held = members(bundle) | {f"{name}.json": content for name, content in contents.items()}
    about = json.loads(held[MANIFEST])
    for name, entry in about["members"].items():
        entry["sha256"] = sha256(held[name]).hexdigest()
    about.update(manifest or {})
    held[MANIFEST] = json.dumps(about).encode()
    if change is not None:
        change(held)
    return zipped(held)


def with_results(bundle, found, **changes):
    """A bundle as read, with other results in it."""
    return replace(bundle, results=json.dumps(found).encode(), **changes)
