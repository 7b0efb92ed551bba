"""A bundle read, each part of it checked, and the analysis made anew.

The hashes tell what was changed; what is of another kind for all that was forged, and is refused by its
name.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ...analysis import Analysis, AnalysisSettings, Origin, analyse
from ...analysis.settings import CHOICES, known_settings
from ...claims.desk import ClaimDesk, may_be_typed
from ...comparison import COLUMN
from ...data import PValueTable, ResultSet, read_results
from ...data.layouts.registry import LAYOUTS
from ...data.reading import Results
from ...data.roles import role_problems
from ...data.samples import read_sample, samples
from ...data.sources.archives import BROKEN_ARCHIVE, is_zip, open_archive, read_member
from ...data.sources.given import MAX_FILES
from ...data.tables.limits import Allowance
from ...errors import DataError, Problem, listed, quoted
from ...version import __version__
from .format import (
    DATA,
    FORMAT,
    KIND,
    MANIFEST,
    MAX_MEMBERS,
    MEMBERS,
    REMEDY,
    RESULTS,
    SETTINGS,
    TRIED,
    Bundle,
    refused,
    too_large,
)

_HEADER_LENGTH = 30
# More than there are settings, roles or parts of claims: each that is unknown is a problem of its own.
_MOST_KEYS = 200
# Beyond this a bundle would not ask for tests but keep a machine busy.
_MOST_RESAMPLES = 100_000_000
# Ten thousand datasets have claims and sizes of less.
_MOST_CHARACTERS = 500_000
_LONGEST = 80
_DATA_MEMBER = re.compile(r"data/[A-Za-z0-9_][A-Za-z0-9._-]{0,120}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,40}", re.ASCII)
# What the value of a role may be.
_RoleValue = None | str | bool | float | tuple[str, ...] | dict[str, bool | str]
# What of a setting or claim its type does not say.
_MAY_BE: Mapping[str, Callable[[Any], bool]] = {
    "alpha": lambda level: 0.0 < level < 1.0,
    "excluded": lambda names: "" not in names and len(set(names)) == len(names),
    "margin": lambda margin: margin == COLUMN or 0 <= margin < 1e300,
    "pair": lambda places: 0 <= places[0] < places[1],
    "n_resamples": lambda n: 1 <= n <= _MOST_RESAMPLES,
    "seed": lambda seed: 0 <= seed < 2**63,
    "extended": lambda pairs: all(1 <= n <= _MOST_RESAMPLES for _, n in pairs),
    "lines": lambda text: _may_be_typed(text or ""),
    "sizes": lambda text: _may_be_typed(text),
}
Held = TypeVar("Held", AnalysisSettings, ClaimDesk)


def _may_be_typed(text: str) -> bool:
    return len(text) <= _MOST_CHARACTERS and all(map(may_be_typed, text))


def _is_of(value: object, kind: Any) -> bool:
    """Whether a value of JSON is of a type, whose tuples are lists there, and whole numbers floats too."""
    origin, of = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(_is_of(value, one) for one in of)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in of)
    if origin is dict:
        return isinstance(value, dict) and all(_is_of(one, of[1]) for one in value.values())
    if origin is tuple:
        kinds = of[:1] * len(value) if isinstance(value, list) and of[-1] is ... else of
        return (
            isinstance(value, list) and len(kinds) == len(value) and all(map(_is_of, value, kinds))
        )
    return type(value) is kind or (kind is float and type(value) is int)


def _as_held(value: Any) -> Any:
    """A value of JSON as it is held: tuples in place of lists."""
    return tuple(map(_as_held, value)) if isinstance(value, list) else value


def _shown(value: object) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _held(kind: type[Held], value: object, called: str) -> Held:
    """Settings or claims as they are written; one that is left out has its usual value."""
    if not isinstance(value, dict):
        raise refused(f"{called} are no JSON object.")
    kinds, problems = get_type_hints(kind), []
    for name, given in value.items():
        what = f"{called.removesuffix('s')} {quoted(name)}"
        values = _values_of(name) if kind is AnalysisSettings else ()
        if name not in kinds:
            what += " is not one that this version knows."
            remedy = "Open the bundle with the version that wrote it, or a later one."
        elif (
            _is_of(given, kinds[name])
            and _MAY_BE.get(name, lambda _: True)(given)
            and (given in values or not values)
        ):
            continue
        else:
            known = f" It is one of {', '.join(map(quoted, values))}." if values else ""
            what += f" cannot be {_shown(given)}.{known}"
            remedy = REMEDY
        problems.append(Problem(what=what, remedy=remedy))
    if problems:
        raise DataError(problems)
    return kind(**{name: _as_held(given) for name, given in value.items()})


def _values_of(name: str) -> tuple[str, ...]:
    """All that a setting may be; empty where that is no list."""
    choice = CHOICES.get(name)
    return (*choice.values, choice.usual) if choice is not None and choice.values else ()


def settings_from_json(value: object) -> AnalysisSettings:
    """Settings as `settings_as_json` writes them."""
    return _held(AnalysisSettings, value, "The settings")


def _roles_from_json(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise refused("The roles are no JSON object.")
    wrong = [
        f"The role {quoted(role)} cannot be {_shown(given)}."
        for role, given in value.items()
        if not _is_of(given, _RoleValue)
    ]
    roles = {role: _as_held(given) for role, given in value.items()}
    if not wrong:
        layouts = tuple(layout.name for layout in LAYOUTS)
        wrong = [one.what for one in role_problems(roles, columns=None, layouts=layouts)]
    if wrong:
        raise DataError(Problem(what=what, remedy=REMEDY) for what in wrong)
    return roles


# What the settings of a bundle hold, and what reads it; without claims nothing is laid out.
_PARTS: Mapping[str, Callable[[object], object]] = {
    "analysis": settings_from_json,
    "roles": _roles_from_json,
    "claims": lambda value: _held(ClaimDesk, value, "The claims"),
}


def parsed(content: bytes) -> object:
    """Parse JSON without NaN, Infinity or a key twice; ValueError if it is none."""
    try:
        return json.loads(
            content.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_pairs
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _strict_json(content: bytes, member: str) -> object:
    try:
        return parsed(content)
    except ValueError:
        raise refused(f"The bundle's {quoted(member)} is no JSON of the expected kind.") from None


def _refuse_constant(text: str) -> object:
    raise ValueError(text)


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _checked_manifest(value: Any) -> dict[str, Any]:
    """What a bundle says of itself, its every part checked; of another format nothing else is known."""
    if not isinstance(value, dict) or value.get("kind") != KIND:
        raise refused(f"The bundle's {quoted(MANIFEST)} does not describe a bundle.")
    number, version = value.get("format"), value.get("version")
    if type(number) is not int:
        raise refused("The bundle does not state the number of its format.")
    if not _matches(_VERSION, version):
        raise refused("The bundle does not state which version wrote it.")
    if number != FORMAT:
        older = "Open it with that version or a later one." if number > FORMAT else ""
        raise refused(
            f"The bundle has format {number}, written by version {version}; this version, "
            f"{__version__}, reads format {FORMAT}.",
            older or "Open it with that version, and take its data and settings from there.",
        )
    files, beside = value.get("files"), value.get("members")
    own = files if isinstance(files, list) and all(map(_is_file, files)) else []
    for part, fits in {
        "name": isinstance(value.get("name"), str) and isinstance(value.get("sample"), str),
        "files": 0 < len({entry["member"] for entry in own}) == len(own) <= MAX_FILES,
        "members": isinstance(beside, dict)
        and set(beside) == set(MEMBERS) - {MANIFEST}
        and all(map(_has_hash, beside.values())),
    }.items():
        if not fits:
            raise refused(f"The bundle's {quoted(MANIFEST)} has no '{part}' of the expected kind.")
    return value


def _matches(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _has_hash(entry: object) -> bool:
    return isinstance(entry, dict) and _matches(_HASH, entry.get("sha256"))


def _is_file(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and _has_hash(entry)
        and _matches(_DATA_MEMBER, entry.get("member"))
        and isinstance(entry.get("name"), str)
    )


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
            infos = _infos(archive)
            manifest = _checked_manifest(
                _strict_json(_member(archive, infos, MANIFEST, allowance), MANIFEST)
            )
            hashes = {entry["member"]: entry["sha256"] for entry in manifest["files"]}
            hashes |= {member: entry["sha256"] for member, entry in manifest["members"].items()}
            unknown = [name for name in infos if name not in {*hashes, MANIFEST, DATA}]
            if unknown:
                raise refused(
                    f"The bundle holds what no bundle of version {manifest['version']} holds: "
                    f"{listed(unknown)}."
                )
            contents = {member: _member(archive, infos, member, allowance) for member in hashes}
    except DataError:
        raise
    except BROKEN_ARCHIVE:
        raise refused("The bundle is damaged or incomplete.") from None
    changed = [
        member
        for member, digest in hashes.items()
        if sha256(contents[member]).hexdigest() != digest
    ]
    if changed:
        raise refused(
            f"The bundle was changed or damaged after it was written: {listed(changed)} "
            f"{'is' if len(changed) == 1 else 'are'} not as {quoted(MANIFEST)} states."
        )
    chosen = _strict_json(contents[SETTINGS], SETTINGS)
    if not isinstance(chosen, dict) or set(chosen) - {"claims"} != {"analysis", "roles"}:
        raise refused(f"The bundle's {quoted(SETTINGS)} does not hold settings and roles.")
    if any(len(part) > _MOST_KEYS for part in chosen.values() if isinstance(part, dict)):
        raise refused(f"The bundle's {quoted(SETTINGS)} holds more than any bundle's does.")
    problems: list[Problem] = []
    parts: dict[str, Any] = {"claims": ClaimDesk()}
    for part, given in chosen.items():
        try:
            parts[part] = _PARTS[part](given)
        except DataError as error:
            problems.extend(error.problems)
    if problems:
        raise DataError(problems)
    tried: Any = _strict_json(contents[TRIED], TRIED)
    if not _is_of(tried, dict[str, tuple[str, ...]]):
        raise refused(f"The bundle's {quoted(TRIED)} does not hold what was tried, by kind.")
    files = tuple((entry["name"], contents[entry["member"]]) for entry in manifest["files"])
    return Bundle(
        name=manifest["name"],
        files=files,
        roles=parts["roles"],
        sample=manifest["sample"] if _is_that_sample(manifest["sample"], files) else "",
        settings=parts["analysis"],
        tried={kind: tuple(texts) for kind, texts in tried.items()},
        claims=parts["claims"],
        packed_results=zlib.compress(contents[RESULTS], level=1),
        version=manifest["version"],
    )


def _is_that_sample(key: str, files: Sequence[tuple[str, bytes]]) -> bool:
    """Whether the data are a sample's own, so that its source may be stated beside them."""
    if key not in {sample.key for sample in samples()}:
        return False
    return [content for _, content in files] == [read_sample(key)[1]]


def _infos(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Every member by its name; none is written to a disk, and those that no bundle has are refused."""
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise refused(f"The bundle holds more than {MAX_MEMBERS:,} files.")
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        if info.orig_filename in found:
            raise refused(f"The bundle holds {quoted(info.orig_filename)} twice.")
        found[info.orig_filename] = info
    inside = [name for name in found if name.endswith(f"/{MANIFEST}")]
    if inside and MANIFEST not in found:
        raise refused(
            "The bundle was packed again, inside the folder "
            f"{quoted(inside[0].removesuffix(MANIFEST))}.",
            "Give the bundle as it was written, or pack what is in that folder.",
        )
    return found


def _member(
    archive: zipfile.ZipFile,
    infos: Mapping[str, zipfile.ZipInfo],
    member: str,
    allowance: Allowance,
) -> bytes:
    if member not in infos:
        raise refused(f"The bundle lacks {quoted(member)}.")
    info = infos[member]
    if info.file_size > MEMBERS.get(member, info.file_size):
        raise too_large(member)
    if info.flag_bits & 1:
        raise refused(f"The bundle's {quoted(member)} is encrypted.")
    try:
        return read_member(archive, info, allowance)
    except DataError:
        raise
    except BROKEN_ARCHIVE:
        raise refused(f"The bundle's {quoted(member)} is damaged.") from None


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
    # A sample's source is stated where the data are that sample's own.
    sample = next((one for one in samples() if one.key == bundle.sample), None)
    origin = Origin.of(sample, bundle.roles, name=bundle.name, files=bundle.files)
    analysis = analyse(data, settings, origin=origin, on_progress=on_progress)
    return replace(analysis, tried=dict(bundle.tried))
