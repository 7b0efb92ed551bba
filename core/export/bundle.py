"""An analysis in one file: the data as they came, the settings, and the results to compare with.

A bundle holds no program and nothing of it is executed: data are read as any
upload is, the rest is JSON that is checked part by part. The hashes tell what was
changed or damaged. What is of another kind for all that was forged, or is of a later
version: it is refused by its name.

The format, number 1
--------------------
A zip archive without folders but `data/`, the same bytes for the same analysis:

replicability-bundle.json
    format, kind and version; name and sample as the data were called; for each
    file its own name, its member and its SHA-256; the SHA-256 of the others.
data/
    The files as they were loaded.
settings.json
    `analysis`, every setting by its name, and `roles`; of what was laid out to be checked,
    `claims`: their lines, what the scores are, the numbers of examples, and whether A and B
    were exchanged.
tried.json
    What was tried, by kind.
results.json
    The analysis as `export.as_json` writes it, to compare with by its `same_number`.
README.txt
    How to open it.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ..analysis import Analysis, AnalysisSettings, Origin, analyse
from ..analysis.settings import CHOICES, known_settings
from ..claims.desk import ClaimDesk
from ..comparison import COLUMN
from ..data import PValueTable, ResultSet, read_results
from ..data.reading import Results
from ..data.samples import read_sample, samples
from ..data.sources.files import damaged_as, is_zip, open_archive, read_member, zipped
from ..data.tables.limits import MAX_RATIO, MAX_UNPACKED, Allowance
from ..errors import DataError, Problem, listed, quoted
from ..version import __version__, versions
from ..words.formatting import whole_name
from .as_json import plain, settings_as_json, to_json, written

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


def _refused(what: str, remedy: str = REMEDY) -> DataError:
    """One problem of a bundle."""
    return DataError([Problem(what=what, remedy=remedy)])


def _too_large(member: str) -> DataError:
    """A member beyond what any bundle has."""
    return _refused(
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
    data = dict(zip(members, files, strict=True))
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
            for member, (original, content) in data.items()
        ],
        "members": {
            member: {"sha256": sha256(contents[member]).hexdigest()} for member in BESIDE_DATA
        },
    }
    everything = {MANIFEST: written(manifest).encode(), **contents}
    everything |= {member: content for member, (_, content) in data.items()}
    for member, most in MOST_BYTES.items():
        if len(everything[member]) > most:
            raise _too_large(member)
    if sum(map(len, everything.values())) > MAX_UNPACKED:
        raise _refused(
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


def held(kind: Any, written: Mapping[str, object]) -> Any:
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
        raise _refused(
            f"The bundle's {quoted(SETTINGS)} has values that version {__version__} does not know, of "
            f"{listed(unknown)}.",
            "Open the bundle with the version that wrote it, or a later one.",
        )
    return kind(**{name: _as_held(given) for name, given in written.items()})


def _json(content: bytes, member: str, kind: Any) -> Any:
    """What a member holds, which must be of a type."""
    try:
        value = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        value = None
    if not _is_of(value, kind):
        raise _refused(f"The bundle's {quoted(member)} is no JSON of the expected kind.")
    return value


def _hashes(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The hash of each member; of another format nothing else is known."""
    number, version = manifest.get("format"), str(manifest.get("version"))
    if manifest.get("kind") != KIND or type(number) is not int:
        raise _refused(f"The bundle's {quoted(MANIFEST)} does not describe a bundle.")
    if number != FORMAT:
        older = "Open it with that version or a later one." if number > FORMAT else ""
        raise _refused(
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
        raise _refused(f"The bundle's {quoted(MANIFEST)} does not describe a bundle.")
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
        raise _refused("The file is no bundle: it is no zip archive.")
    allowance = Allowance()
    allowance.unpack(len(content))
    with (
        damaged_as("The bundle is damaged or incomplete.", REMEDY),
        open_archive(content) as archive,
    ):
        infos = {info.orig_filename: info for info in archive.infolist()}
        inside = [name for name in infos if name.endswith(f"/{MANIFEST}")]
        if inside and MANIFEST not in infos:
            raise _refused(
                "The bundle was packed again, inside the folder "
                f"{quoted(inside[0].removesuffix(MANIFEST))}.",
                "Give the bundle as it was written, or pack what is in that folder.",
            )

        def member(name: str) -> bytes:
            if name not in infos:
                raise _refused(f"The bundle lacks {quoted(name)}.")
            if infos[name].file_size > MOST_BYTES.get(name, infos[name].file_size):
                raise _too_large(name)
            return read_member(archive, infos[name], allowance)

        manifest = _json(member(MANIFEST), MANIFEST, dict[str, object])
        hashes = _hashes(manifest)
        contents = {name: member(name) for name in hashes}
    changed = [name for name, own in contents.items() if sha256(own).hexdigest() != hashes[name]]
    if changed:
        raise _refused(
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
        settings=held(AnalysisSettings, chosen.get("analysis", {})),
        tried={kind: tuple(texts) for kind, texts in tried.items()},
        claims=held(ClaimDesk, chosen.get("claims", {})),
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
        raise _refused("The bundle's data hold no p-values and nothing to make them of.")
    settings, _ = known_settings(data, bundle.settings)
    sample = next((one for one in samples() if one.key == bundle.sample), None)
    origin = Origin.of(sample, bundle.roles, name=bundle.name, files=bundle.files)
    analysis = analyse(data, settings, origin=origin, on_progress=on_progress)
    return replace(analysis, tried=dict(bundle.tried))
