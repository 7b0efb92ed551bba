"""A bundle read, each part checked, and the analysis made anew."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from ...analysis import Analysis, Origin, analyse
from ...analysis.settings import known_settings
from ...claims.desk import ClaimDesk
from ...data import PValueTable, ResultSet, read_results
from ...data.reading import Results
from ...data.samples import read_sample, samples
from ...data.sources.archives import BROKEN_ARCHIVE, is_zip, open_archive, read_member
from ...data.tables.limits import Allowance
from ...errors import DataError, Problem, listed, quoted
from .format import (
    DATA,
    MANIFEST,
    MAX_MEMBERS,
    MEMBERS,
    RESULTS,
    SETTINGS,
    TRIED,
    Bundle,
    Manifest,
    manifest_of,
    too_large,
    tried_of,
)
from .settings import (
    REMEDY,
    claims_from_json,
    refused,
    roles_from_json,
    settings_from_json,
    strict_json,
)

_HEADER_LENGTH = 30
# More than there are settings, roles or parts of claims: each that is unknown is a problem of its own.
_MOST_KEYS = 200
# What the settings of a bundle hold, and what reads it; without claims nothing is laid out.
_PARTS: Mapping[str, Callable[[object], object]] = {
    "analysis": settings_from_json,
    "roles": roles_from_json,
    "claims": claims_from_json,
}


def is_bundle(content: bytes) -> bool:
    """Whether bytes are meant as a bundle, be it damaged; quick on anything else."""
    if not is_zip(content):
        return False
    name = MANIFEST.encode()
    if content[_HEADER_LENGTH : _HEADER_LENGTH + len(name)] == name:
        return True
    if name not in content and TRIED.encode() not in content:
        return False
    try:
        with open_archive(content) as archive:
            held = {path.rpartition("/")[2] for path in archive.namelist()}
    except DataError:
        return False
    # One whose list is lost is refused as a bundle, not read as tables.
    return MANIFEST in held or held >= {SETTINGS, TRIED, RESULTS}


def read_bundle(content: bytes) -> Bundle:
    """Open a bundle and check all of it, without computing anything.

    Raises
    ------
    DataError
        If it is damaged, was changed, has another format, holds what no bundle
        holds, unpacks to more than the limits, or has settings that are none.

    Examples
    --------
    >>> from replicability import analyse, read_bundle, read_results, read_sample, write_bundle
    >>> sample, content = read_sample("six-p-values")
    >>> analysis = analyse(read_results(content))
    >>> packed = write_bundle(analysis, files=[("p.csv", content)], name="p.csv", roles={})
    >>> read_bundle(packed).name
    'p.csv'
    """
    if not is_zip(content):
        raise refused("The file is no bundle: it is no zip archive.")
    allowance = Allowance()
    allowance.unpack(len(content))
    try:
        with open_archive(content) as archive:
            infos = _checked_members(archive)
            manifest_bytes = _member(archive, infos, MANIFEST, allowance)
            manifest = manifest_of(strict_json(manifest_bytes, MANIFEST))
            unknown = [name for name in infos if name not in manifest.hashes and name != MANIFEST]
            if unknown:
                raise refused(
                    f"The bundle holds what no bundle of version {manifest.version} holds: "
                    f"{listed(unknown)}."
                )
            contents = {
                member: _member(archive, infos, member, allowance) for member in manifest.hashes
            }
    except DataError:
        raise
    except BROKEN_ARCHIVE:
        raise refused("The bundle is damaged or incomplete.") from None
    changed = [
        member
        for member, digest in manifest.hashes.items()
        if sha256(contents[member]).hexdigest() != digest
    ]
    if changed:
        raise refused(
            f"The bundle was changed or damaged after it was written: {listed(changed)} "
            f"{'is' if len(changed) == 1 else 'are'} not as {quoted(MANIFEST)} states."
        )
    return _bundle(manifest, contents)


def _bundle(manifest: Manifest, contents: Mapping[str, bytes]) -> Bundle:
    chosen = strict_json(contents[SETTINGS], SETTINGS)
    if not isinstance(chosen, dict) or set(chosen) - {"claims"} != {"analysis", "roles"}:
        raise refused(f"The bundle's {quoted(SETTINGS)} does not hold settings and roles.")
    if any(len(part) > _MOST_KEYS for part in chosen.values() if isinstance(part, dict)):
        raise refused(f"The bundle's {quoted(SETTINGS)} holds more than any bundle's does.")
    problems: list[Problem] = []
    parts: dict[str, Any] = {}
    for part, read in _PARTS.items():
        try:
            parts[part] = read(chosen[part]) if part in chosen else ClaimDesk()
        except DataError as error:
            problems.extend(error.problems)
    if problems:
        raise DataError(problems)
    files = tuple(
        (original, contents[member]) for member, original in manifest.original_names.items()
    )
    return Bundle(
        name=manifest.name,
        files=files,
        roles=parts["roles"],
        sample=manifest.sample if _is_that_sample(manifest.sample, files) else "",
        settings=parts["analysis"],
        tried=tried_of(strict_json(contents[TRIED], TRIED)),
        claims=parts["claims"],
        packed_results=zlib.compress(contents[RESULTS], level=1),
        version=manifest.version,
    )


def _is_that_sample(key: str, files: Sequence[tuple[str, bytes]]) -> bool:
    """Whether the data are a sample's own, so that its source may be stated beside them."""
    if key not in {sample.key for sample in samples()}:
        return False
    return [content for _, content in files] == [read_sample(key)[1]]


def _checked_members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Every member by its name, if all of them are plain files with harmless names."""
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise refused(f"The bundle holds more than {MAX_MEMBERS:,} files.")
    found: dict[str, zipfile.ZipInfo] = {}
    problems: list[str] = []
    for info in infos:
        name = info.orig_filename
        if name == DATA:
            continue
        if _leads_out(name):
            problems.append(f"The bundle holds a path that leads out of it: {quoted(name)}.")
        elif stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG) or info.is_dir():
            problems.append(f"The bundle holds {quoted(name)}, a link or folder and no file.")
        elif info.flag_bits & 1:
            problems.append(f"The bundle's {quoted(name)} is encrypted.")
        elif name in found:
            problems.append(f"The bundle holds {quoted(name)} twice.")
        found[name] = info
    if problems:
        raise DataError(Problem(what=problem, remedy=REMEDY) for problem in dict.fromkeys(problems))
    if MANIFEST not in found:
        inside = [name for name in found if name.endswith(f"/{MANIFEST}")]
        if inside:
            folder = inside[0].removesuffix(MANIFEST)
            raise refused(
                f"The bundle was packed again, inside the folder {quoted(folder)}.",
                "Give the bundle as it was written, or pack what is in that folder.",
            )
    return found


def _leads_out(path: str) -> bool:
    """Whether a path is absolute, goes upwards, or means something else on another system."""
    parts = path.split("/")
    return (
        not path
        or any(part in ("", ".", "..") for part in parts[:-1])
        or parts[-1] in (".", "..")
        or any(character in path for character in "\\:\0")
    )


def _member(
    archive: zipfile.ZipFile,
    infos: Mapping[str, zipfile.ZipInfo],
    member: str,
    allowance: Allowance,
) -> bytes:
    if member not in infos:
        raise refused(f"The bundle lacks {quoted(member)}.")
    info = infos[member]
    most = MEMBERS.get(member)
    if most is not None and info.file_size > most:
        raise too_large(member)
    try:
        content = read_member(archive, info, allowance)
    except DataError:
        raise
    except BROKEN_ARCHIVE:
        raise refused(f"The bundle's {quoted(member)} is damaged.") from None
    return content


def read_named(
    files: Sequence[tuple[str, bytes]],
    *,
    name: str | None,
    roles: Mapping[str, object],
    on_progress: Callable[[str, float], bool] | None = None,
) -> Results:
    """Read files that are held in memory under their own names, as `read_results` does."""
    sources = []
    for own_name, content in files:
        source = io.BytesIO(content)
        source.name = own_name
        sources.append(source)
    return read_results(
        sources if len(sources) > 1 else sources[0],
        name=name,
        roles=roles or None,
        on_progress=on_progress,
    )


def restore_bundle(
    bundle: Bundle, *, on_progress: Callable[[int, int], object] | None = None
) -> Analysis:
    """The analysis of a bundle, computed anew from its data and settings.

    Settings that the data do not have are passed over, as the app does;
    `compare_with_bundle` states them.

    Parameters
    ----------
    bundle : Bundle
        From `read_bundle`.
    on_progress : callable, optional
        As `run_dataset_tests` calls it.

    Raises
    ------
    DataError
        If this version cannot read the data so, or they do not suit the tests.
    ValueError
        If the settings do not go together.

    Examples
    --------
    >>> from replicability import analyse, read_bundle, read_results, read_sample
    >>> from replicability import restore_bundle, write_bundle
    >>> sample, content = read_sample("six-p-values")
    >>> analysis = analyse(read_results(content))
    >>> packed = write_bundle(analysis, files=[("p.csv", content)], name="p.csv", roles={})
    >>> restore_bundle(read_bundle(packed)).question.answer.k_hat
    1
    """
    data = read_named(bundle.files, name=bundle.name, roles=bundle.roles)
    if not isinstance(data, PValueTable | ResultSet):
        raise refused("The bundle's data hold no p-values and nothing to make them of.")
    settings, _ = known_settings(data, bundle.settings)
    analysis = analyse(data, settings, origin=origin_of(bundle), on_progress=on_progress)
    return replace(analysis, tried=dict(bundle.tried))


def origin_of(bundle: Bundle) -> Origin:
    """Where a bundle's data come from; a sample's source where they are that sample's own."""
    for sample in samples():
        if bundle.sample == sample.key:
            return Origin.of_sample(sample, bundle.roles)
    names = tuple(name for name, _ in bundle.files)
    return Origin(title=bundle.name, files=names, roles=dict(bundle.roles))
