"""Everything that it takes to have an analysis again, in one zip archive."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping, Sequence
from hashlib import sha256

from ...analysis import Analysis
from ...claims.desk import ClaimDesk
from ...data.sources.given import MAX_FILES
from ...data.tables.limits import MAX_RATIO, MAX_UNPACKED
from ...data.words import quoted
from ...version import __version__, versions
from ...words.formatting import whole_name
from ..as_json.document import settings_as_json, to_json
from ..as_json.values import plain, written
from .claims import claims_as_json
from .format import (
    FORMAT,
    KIND,
    MANIFEST,
    MEMBERS,
    MOST_PARTS,
    README,
    RESULTS,
    SETTINGS,
    TRIED,
    member_names,
    too_large,
)
from .parsing import n_parts, refused

# The first moment that a zip archive can state: equal analyses are equal bytes.
_NO_TIME = (1980, 1, 1, 0, 0, 0)
# The manifest lists all of them.
_MOST_LISTED = 50
_FILE_MODE = stat.S_IFREG | 0o644
_WHAT: Mapping[str, str] = {
    SETTINGS: "every setting, the roles of the files' columns that were chosen, and claims",
    TRIED: "what was tried on the data",
    RESULTS: "the analysis: every number and sentence",
    README: "how to open this",
}


def write_bundle(
    analysis: Analysis,
    *,
    files: Sequence[tuple[str, bytes]],
    name: str,
    roles: Mapping[str, object],
    sample: str = "",
    claims: ClaimDesk | None = None,
) -> bytes:
    """Everything that it takes to have this analysis again, as a zip archive.

    The same analysis gives the same bytes.

    Parameters
    ----------
    analysis : Analysis
        What is shown.
    files : sequence of (str, bytes)
        The files that it was read from, as they came.
    name : str
        What they were called together when they were read.
    roles : mapping of str to object
        The roles they were read with, besides those recognised.
    sample : str
        Key of the sample that they are.
    claims : ClaimDesk, optional
        What was claimed of the data, if anything was written down.

    Raises
    ------
    DataError
        If the files are more than a bundle may hold.

    Examples
    --------
    >>> from replicability import analyse, read_results, read_sample, write_bundle
    >>> sample, content = read_sample("six-p-values")
    >>> analysis = analyse(read_results(content))
    >>> packed = write_bundle(analysis, files=[("p.csv", content)], name="p.csv", roles={})
    >>> packed[:2]
    b'PK'
    """
    if not 0 < len(files) <= MAX_FILES:
        raise refused(
            f"A bundle holds 1 to {MAX_FILES:,} files; these are {len(files):,}.",
            "Put all results into one table first.",
        )
    members = member_names([original for original, _ in files])
    texts = {
        SETTINGS: written(
            {
                "analysis": settings_as_json(analysis.settings),
                "roles": plain(roles),
                **({} if claims in (None, ClaimDesk()) else {"claims": claims_as_json(claims)}),
            }
        ),
        TRIED: written(plain(analysis.tried)),
        RESULTS: to_json(analysis),
        README: _readme(analysis, list(zip(members, (own for own, _ in files), strict=True))),
    }
    # A name may hold half of a letter: JSON has escaped it, plain text does it here.
    contents = {member: text.encode("utf-8", "backslashreplace") for member, text in texts.items()}
    manifest = {
        "format": FORMAT,
        "kind": KIND,
        "version": __version__,
        "versions": dict(versions()),
        "name": name,
        "sample": sample,
        "fingerprint": analysis.data.fingerprint,
        "signature": analysis.signature(analysis.questions[0]),
        "files": [
            {
                "name": original,
                "member": member,
                "bytes": len(content),
                "sha256": sha256(content).hexdigest(),
            }
            for member, (original, content) in zip(members, files, strict=True)
        ],
        "members": {
            member: {"what": what, "sha256": sha256(contents[member]).hexdigest()}
            for member, what in _WHAT.items()
        },
    }
    everything = {MANIFEST: written(manifest).encode(), **contents}
    for member, content in everything.items():
        if len(content) > MEMBERS[member]:
            raise too_large(member)
        if member in MOST_PARTS and n_parts(content) > MOST_PARTS[member]:
            raise refused(f"{quoted(member)} would hold more than can be read again.")
    everything.update(
        (member, content) for member, (_, content) in zip(members, files, strict=True)
    )
    if sum(map(len, everything.values())) > MAX_UNPACKED:
        raise refused(
            f"The files have more than {MAX_UNPACKED:,} bytes, the most that a bundle holds.",
            "Keep only the columns that are compared.",
        )
    packed = _packed(everything, zipfile.ZIP_DEFLATED)
    # What packs so well would be refused as a trap when it is read.
    if sum(map(len, everything.values())) > MAX_RATIO * len(packed):
        packed = _packed(everything, zipfile.ZIP_STORED)
    return packed


def _packed(contents: Mapping[str, bytes], method: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for member, content in contents.items():
            info = zipfile.ZipInfo(member, date_time=_NO_TIME)
            info.create_system = 3  # as Unix does, on every system
            info.external_attr = _FILE_MODE << 16
            info.compress_type = method
            archive.writestr(info, content, compresslevel=6)
    return packed.getvalue()


def _readme(analysis: Analysis, names: Sequence[tuple[str, str]]) -> str:
    beyond = len(names) - _MOST_LISTED
    lines = [
        "An analysis of replicability, to be opened again",
        "",
        whole_name(analysis.origin.title),
        analysis.signature(analysis.questions[0]),
        "",
        "To open it, drop this archive as it is on the app's Upload page, or run",
        "    python -m core <this archive>",
        "in the app's folder, or where the package is installed",
        "    replicability <this archive>",
        "The data are read and tested again with the settings in here, and it is said whether",
        "every number is the same as in results.json.",
        f"It was written by version {__version__}.",
        "",
        "What is in it:",
        f"  {MANIFEST}: which file is what, with the SHA-256 of each",
        *(f"  {member}: {what}" for member, what in _WHAT.items() if member != README),
        *(
            f"  {member}: the data, {whole_name(own)} as it was loaded"
            for member, own in names[:_MOST_LISTED]
        ),
        *([f"  and {beyond:,} more files of data"] if beyond > 0 else []),
        "",
        "There is no program in it. The data are whole: pass it on only to people who may have them.",
    ]
    return "\n".join(lines) + "\n"
