"""A bundle read, each part of it checked, and the analysis made anew.

The hashes tell what was changed or damaged. What is of another kind for all that was forged, or is of
a later version: it is refused by its name.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ...analysis import Analysis, AnalysisSettings, Origin, analyse
from ...analysis.settings import CHOICES, known_settings
from ...claims.desk import ClaimDesk
from ...comparison import COLUMN
from ...data import PValueTable, ResultSet, read_results
from ...data.reading import Results
from ...data.samples import read_sample, samples
from ...data.sources.archives import damaged_as, is_zip, open_archive, read_member
from ...data.tables.limits import Allowance
from ...errors import DataError, listed, quoted
from ...version import __version__
from .format import (
    BESIDE_DATA,
    FORMAT,
    KIND,
    MANIFEST,
    MOST_BYTES,
    REMEDY,
    RESULTS,
    SETTINGS,
    TRIED,
    Bundle,
    refused,
    too_large,
)

_HEADER_LENGTH = 30
# Beyond this a bundle would not ask for tests but keep a machine busy.
_MOST_RESAMPLES = 100_000_000
# What of a setting its type does not say.
_MAY_BE: Mapping[str, Callable[[Any], bool]] = {
    "alpha": lambda level: 0.0 < level < 1.0,
    "margin": lambda margin: margin == COLUMN or 0 <= margin < 1e300,
    "pair": lambda places: 0 <= places[0] < places[1],
    "n_resamples": lambda n: 1 <= n <= _MOST_RESAMPLES,
    "seed": lambda seed: 0 <= seed < 2**63,
    "extended": lambda pairs: all(1 <= n <= _MOST_RESAMPLES for _, n in pairs),
}


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
    return kind is object or type(value) is kind or (kind is float and type(value) is int)


def _as_held(value: Any) -> Any:
    """A value of JSON as it is held: tuples in place of lists."""
    return tuple(map(_as_held, value)) if isinstance(value, list) else value


def _held(kind: Any, written: Mapping[str, object]) -> Any:
    """Settings or claims as they are written; one that is left out has its usual value."""
    kinds, unknown = get_type_hints(kind), []
    listed_values = {
        one.name: (*one.values(), one.usual) for one in CHOICES.values() if one.values()
    }
    for name, given in written.items():
        if not (
            name in kinds
            and _is_of(given, kinds[name])
            and _MAY_BE.get(name, lambda _: True)(given)
            and given in listed_values.get(name, (given,))
        ):
            unknown.append(name)
    if unknown:
        raise refused(
            f"The bundle's {quoted(SETTINGS)} has values that version {__version__} does not know, of "
            f"{listed(unknown)}.",
            "Open the bundle with the version that wrote it, or a later one.",
        )
    return kind(**{name: _as_held(given) for name, given in written.items()})


def settings_from_json(written: Mapping[str, object]) -> AnalysisSettings:
    """Settings as `settings_as_json` writes them."""
    settings: AnalysisSettings = _held(AnalysisSettings, written)
    return settings


def _json(content: bytes, member: str, kind: Any) -> Any:
    """What a member holds, which must be of a type."""
    try:
        value = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        value = None
    if not _is_of(value, kind):
        raise refused(f"The bundle's {quoted(member)} is no JSON of the expected kind.")
    return value


def _hashes(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The hash of each member; of another format nothing else is known."""
    number, version = manifest.get("format"), str(manifest.get("version"))
    if manifest.get("kind") != KIND or type(number) is not int:
        raise refused(f"The bundle's {quoted(MANIFEST)} does not describe a bundle.")
    if number != FORMAT:
        older = "Open it with that version or a later one." if number > FORMAT else ""
        raise refused(
            f"The bundle has format {number}, written by version {version}; this version, "
            f"{__version__}, reads format {FORMAT}.",
            older or "Open it with that version, and take its data and settings from there.",
        )
    try:
        files = {str(entry["member"]): str(entry["sha256"]) for entry in manifest["files"]}
        beside = {name: str(manifest["members"][name]["sha256"]) for name in BESIDE_DATA}
        names = [manifest[part] for part in ("version", "name", "sample")]
        names += [one["name"] for one in manifest["files"]]
    except (KeyError, TypeError):
        files = {}
    if not files or not all(isinstance(name, str) for name in names):
        raise refused(f"The bundle's {quoted(MANIFEST)} does not describe a bundle.")
    return files | beside


def is_bundle(content: bytes) -> bool:
    """Whether bytes are meant as a bundle, be it damaged; quick on anything else."""
    name = MANIFEST.encode()
    if not is_zip(content) or name not in content:
        return False
    if content[_HEADER_LENGTH : _HEADER_LENGTH + len(name)] == name:
        return True
    try:
        with open_archive(content) as archive:
            return MANIFEST in {path.rpartition("/")[2] for path in archive.namelist()}
    except DataError:
        return False


def read_bundle(content: bytes) -> Bundle:
    """Open a bundle and check all of it, without computing anything.

    Raises
    ------
    DataError
        If it is damaged, was changed, has another format, unpacks to more than the
        limits, or has settings that this version does not know.

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
    with damaged_as("The bundle is damaged or incomplete.", REMEDY), open_archive(content) as held:
        infos = {info.orig_filename: info for info in held.infolist()}
        inside = [name for name in infos if name.endswith(f"/{MANIFEST}")]
        if inside and MANIFEST not in infos:
            raise refused(
                "The bundle was packed again, inside the folder "
                f"{quoted(inside[0].removesuffix(MANIFEST))}.",
                "Give the bundle as it was written, or pack what is in that folder.",
            )

        def member(name: str) -> bytes:
            if name not in infos:
                raise refused(f"The bundle lacks {quoted(name)}.")
            if infos[name].file_size > MOST_BYTES.get(name, infos[name].file_size):
                raise too_large(name)
            return read_member(held, infos[name], allowance)

        manifest = _json(member(MANIFEST), MANIFEST, dict[str, object])
        hashes = _hashes(manifest)
        contents = {name: member(name) for name in hashes}
    changed = [name for name, own in contents.items() if sha256(own).hexdigest() != hashes[name]]
    if changed:
        raise refused(
            f"The bundle was changed or damaged after it was written: {listed(changed)} "
            f"{'is' if len(changed) == 1 else 'are'} not as {quoted(MANIFEST)} states."
        )
    chosen = _json(contents[SETTINGS], SETTINGS, dict[str, dict[str, object]])
    tried = _json(contents[TRIED], TRIED, dict[str, tuple[str, ...]])
    files = tuple((entry["name"], contents[entry["member"]]) for entry in manifest["files"])
    # A sample's source is stated where the data are that sample's own.
    own = [one.key for one in samples() if one.key == manifest["sample"]]
    is_own = bool(own) and [read_sample(own[0])[1]] == [content for _, content in files]
    return Bundle(
        name=manifest["name"],
        files=files,
        # Whether they are roles, reading the files says.
        roles={role: _as_held(given) for role, given in chosen.get("roles", {}).items()},
        sample=own[0] if is_own else "",
        settings=settings_from_json(chosen.get("analysis", {})),
        tried={kind: tuple(texts) for kind, texts in tried.items()},
        claims=_held(ClaimDesk, chosen.get("claims", {})),
        results=contents[RESULTS],
        version=manifest["version"],
    )


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
    sample = next((one for one in samples() if one.key == bundle.sample), None)
    origin = Origin.of(sample, bundle.roles, name=bundle.name, files=bundle.files)
    analysis = analyse(data, settings, origin=origin, on_progress=on_progress)
    return replace(analysis, tried=dict(bundle.tried))
