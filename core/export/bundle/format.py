"""What a bundle is made of: members, limits, the manifest that lists them; and how it is written."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from ...analysis import Analysis, AnalysisSettings
from ...claims.desk import ClaimDesk
from ...data.sources.archives import zipped
from ...data.tables.limits import MAX_RATIO, MAX_UNPACKED
from ...errors import DataError, Problem, quoted
from ...version import __version__, versions
from ...words.formatting import whole_name
from ..as_json import plain, settings_as_json, to_json, written

FORMAT = 1
KIND = "replicability-bundle"
MANIFEST = "replicability-bundle.json"
SETTINGS, TRIED, RESULTS, README = "settings.json", "tried.json", "results.json", "README.txt"
DATA = "data/"

BESIDE_DATA = (SETTINGS, TRIED, RESULTS, README)
# Of what is parsed when a bundle is opened, and of what is kept. Ten thousand datasets take less.
_MOST_PARSED = dict.fromkeys((MANIFEST, SETTINGS, TRIED), 5_000_000)
MOST_BYTES: Mapping[str, int] = {**_MOST_PARSED, RESULTS: 40_000_000}
_LONGEST_MEMBER = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bundle:
    """An analysis as it was taken away: data, settings, and the results it had.

    `name` is what the files are called together, which are names and contents as they were loaded;
    `roles` what their owner corrected, for `read_results`; `sample` the key of the sample that they are.
    `tried` is by kind; `claims` are to be checked again. `results` are the analysis as JSON, neither
    parsed nor looked at. `version` is of the app that wrote it.
    """

    name: str
    files: tuple[tuple[str, bytes], ...]
    settings: AnalysisSettings
    results: bytes
    version: str
    roles: Mapping[str, object] = field(default_factory=dict)
    sample: str = ""
    tried: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    claims: ClaimDesk = field(default_factory=ClaimDesk)


def member_names(names: Sequence[str]) -> list[str]:
    """A member for each file, harmless on any system: its number and what is plain in its name."""
    plain_ends = [re.sub(r"[^A-Za-z0-9._-]+", "_", re.split(r"[/\\]", name)[-1]) for name in names]
    return [f"{DATA}{i}-{end[-_LONGEST_MEMBER:]}" for i, end in enumerate(plain_ends, start=1)]


REMEDY = "Take the bundle anew from the analysis that wrote it."


def refused(what: str, remedy: str = REMEDY) -> DataError:
    """One problem of a bundle."""
    return DataError([Problem(what=what, remedy=remedy)])


def too_large(member: str) -> DataError:
    """A member beyond what any bundle has."""
    return refused(
        f"{quoted(member)} has more than {MOST_BYTES[member]:,} bytes, the most that a bundle has."
    )


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
    members = member_names([original for original, _ in files])
    texts = {
        SETTINGS: written(
            {
                "analysis": settings_as_json(analysis.settings),
                "roles": plain(roles),
                "claims": asdict(claims or ClaimDesk()),
            }
        ),
        TRIED: written(plain(analysis.tried)),
        RESULTS: to_json(analysis),
        README: _readme(analysis),
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
            member: {"sha256": sha256(contents[member]).hexdigest()} for member in BESIDE_DATA
        },
    }
    everything = {MANIFEST: written(manifest).encode(), **contents}
    for member, most in MOST_BYTES.items():
        if len(everything[member]) > most:
            raise too_large(member)
    everything.update(
        (member, content) for member, (_, content) in zip(members, files, strict=True)
    )
    if sum(map(len, everything.values())) > MAX_UNPACKED:
        raise refused(
            f"The files have more than {MAX_UNPACKED:,} bytes, the most that a bundle holds.",
            "Keep only the columns that are compared.",
        )
    packed = zipped(everything)
    # What packs so well would be refused as a trap when it is read.
    if sum(map(len, everything.values())) > MAX_RATIO * len(packed):
        packed = zipped(everything, method=zipfile.ZIP_STORED)
    return packed


def _readme(analysis: Analysis) -> str:
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
        f"  {DATA}: the data as they were loaded",
        f"  {MANIFEST}: which file is what, with the SHA-256 of each",
        f"  {SETTINGS}: every setting, the roles of the files' columns that were chosen, and claims",
        f"  {TRIED}: what was tried on the data",
        f"  {RESULTS}: the analysis: every number and sentence",
        "",
        "There is no program in it. The data are whole: pass it on only to people who may have them.",
    ]
    return "\n".join(lines) + "\n"
