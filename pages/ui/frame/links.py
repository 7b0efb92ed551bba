"""The address of a page as a link to an analysis: read, written, made of a session; with a small table, too."""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from core.analysis import AnalysisSettings
from core.analysis.settings import CHOICES, USUAL, Choice
from core.claims.desk import LONGEST_TEXT, METRICS, ClaimDesk, may_be_typed
from core.comparison import COLUMN
from core.signature import short_fingerprint
from core.types import ALTERNATIVES, Dependence
from core.validation import read_alpha
from pages.ui.frame import limits, state
from pages.ui.simulation import studies
from pages.ui.simulation.setup import Setup, setup_of

_LONGEST_SHOWN = 80
# Parts of a link that are texts, and are read where they are used.
_AS_THEY_ARE = ("sample", "data", "file", "table")
# What an address says where a setting of two values has the one that is not usual.
_SAID_OF_UNUSUAL = {"swapped": "1", "whole_clusters": "apart"}
# Browsers and servers take addresses of this length; beyond it a link may break.
LONGEST_IN_LINK = 4_000
# What hosts and trackers of clicks write into addresses.
_OF_OTHERS = re.compile(r"^(_|utm_|embed)|clid$")
# Of a link these are positions of datasets.
_OF_DATASETS = ("excluded", "extended")
# Of the guide's talk.
N_STEPS = 7
_MOST_BYTES = 200_000
CARRIES = (
    "The link holds the table itself, so your file is not needed: whoever sees the link can read the "
    "table, and so can this server's log."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What an address says: a sample's key, or the short fingerprint and name of the user's own file.

    `table` is a small file itself, as `packed` writes it. `said` has the settings that it speaks
    of; datasets are positions in the file there, from 1, as the talk's steps are. `roles` are those
    that differ from what is recognised, `remarks` what could not be read.
    """

    sample: str = ""
    data: str = ""
    file: str = ""
    table: str = ""
    said: Mapping[str, Any] = field(default_factory=dict)
    roles: Mapping[str, object] = field(default_factory=dict)
    simulation: Setup | None = None
    claims: ClaimDesk = field(default_factory=ClaimDesk)
    step: int = 0
    remarks: tuple[str, ...] = ()


def parse(parameters: Mapping[str, str]) -> Link:
    """Read an address; what is not understood is left at its default and remarked on.

    An address is read before there is a session: an error here would come back at each attempt to
    show anything. So a part of which reading fails, in whichever way, leaves the others.
    """
    readers: dict[str, Callable[[str], Any]] = {
        **{choice.link: partial(_read, choice) for choice in CHOICES.values()},
        "roles": _roles,
        "direction": partial(_one_of, ALTERNATIVES),
        "simulation": setup_of,
        "claims": _lines,
        "scores": partial(_one_of, METRICS),
        "sizes": _lines,
        "step": lambda text: _whole(text, 1, N_STEPS),
    }
    found: dict[str, Any] = {}
    remarks = []
    for name, read in readers.items():
        if name not in parameters:
            continue
        value = None
        with suppress(Exception):
            value = read(parameters[name])
        if value is not None:
            found[name] = value
            continue
        shown = _short(parameters[name])
        remarks.append(f"The link's “{name}” cannot be “{shown}”. The usual setting is used.")
    known = {*readers, *_AS_THEY_ARE}
    unknown = [name for name in parameters if name not in known and not _OF_OTHERS.search(name)]
    remarks += [f"The link's “{_short(name)}” is no setting and is left aside." for name in unknown]
    direction = {"alternative": found["direction"]} if found.get("direction") else {}
    return Link(
        **{name: parameters.get(name, "") for name in _AS_THEY_ARE},
        said={name: found[c.link] for name, c in CHOICES.items() if c.link in found},
        roles={**found.get("roles", {}), **direction},
        simulation=found.get("simulation"),
        claims=ClaimDesk(
            lines=found.get("claims") or None,
            metric=found.get("scores"),
            sizes=found.get("sizes", ""),
        ),
        step=found.get("step", 0),
        remarks=tuple(remarks),
    )


def _short(text: str) -> str:
    """What is shown of a text in an address."""
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def write(link: Link) -> dict[str, str]:
    """Write an address; what is at its default is left out."""
    roles = dict(link.roles)
    # The direction has a place of its own in the address.
    direction = roles.pop("alternative") if roles.get("alternative") in ALTERNATIVES else ""
    written = {
        **{name: getattr(link, name) for name in _AS_THEY_ARE},
        **{c.link: _written(c, link.said.get(name)) for name, c in CHOICES.items()},
        "direction": str(direction),
        "roles": json.dumps(roles, ensure_ascii=False, separators=(",", ":")) if roles else "",
        "simulation": "" if link.simulation is None else link.simulation.to_text(),
        "step": str(link.step or ""),
        **link.claims.to_parameters(),
    }
    return {name: text for name, text in written.items() if text}


def _written(choice: Choice, value: Any) -> str:
    """A setting as an address has it; empty where it is the usual one."""
    if value is None:
        return ""
    if choice.name in ("alpha", "margin") and value != COLUMN:
        return "" if value == choice.usual else f"{value:.10g}"
    if choice.name == "extended":
        return ",".join(f"{position}:{n}" for position, n in value)
    if isinstance(value, bool):
        return "" if value == choice.usual else _SAID_OF_UNUSUAL[choice.name]
    if isinstance(value, tuple):
        # Systems are counted from 1, as people do; datasets are already.
        return ",".join(str(n + 1 if choice.name == "pair" else n) for n in value)
    return str(value)


def _read(choice: Choice, text: str) -> Any:
    """What a text says of a setting; None if it is not understood."""
    most = limits.MAX_RESAMPLES
    match choice.name:
        case "alpha":
            return read_alpha(text)
        case "margin":
            written = re.fullmatch(r"[0-9]{1,15}([.][0-9]{1,15})?(e-[0-9]{1,2})?", text)
            return COLUMN if text == COLUMN else float(text) if written else None
        case "n_resamples":
            return _whole(text, choice.least, most)
        case "seed":
            return _whole(text, choice.least, limits.LARGEST_SEED)
        case "pair":
            first, second = _numbers(text, "[0-9]{1,4},[0-9]{1,4}") or (0, 0)
            return (first - 1, second - 1) if 1 <= first < second else None
        case "excluded":
            return tuple(_numbers(text, "[0-9]{1,7}(,[0-9]{1,7})*")) or None
        case "extended":
            numbers = _numbers(text, "[0-9]{1,9}:[0-9]{1,9}(,[0-9]{1,9}:[0-9]{1,9})*")
            extended = tuple(zip(numbers[::2], numbers[1::2], strict=True))
            return extended if extended and all(1 <= n <= most for _, n in extended) else None
    if isinstance(choice.usual, bool):
        return not choice.usual if text == _SAID_OF_UNUSUAL[choice.name] else None
    # The recommended test is meant where none is named.
    return _one_of([value for value in choice.values() if value != "auto"] or [text], text)


def _numbers(text: str, pattern: str) -> list[int]:
    """The numbers of a text that is written so; none of any other."""
    return [int(n) for n in re.findall("[0-9]+", text)] if re.fullmatch(pattern, text) else []


def _whole(text: str, least: int, most: int) -> int | None:
    known = re.fullmatch("[0-9]{1,19}", text) and least <= int(text) <= most
    return int(text) if known else None


def _roles(text: str) -> dict[str, object] | None:
    """Roles but for the direction; reading the file refuses what does not fit it."""
    given = json.loads(text)
    return given if isinstance(given, dict) else None


def _lines(text: str) -> str | None:
    return text if len(text) <= LONGEST_TEXT and all(map(may_be_typed, text)) else None


def _one_of(values: Sequence[str], text: str) -> str | None:
    return text if text in values else None


def packed(content: bytes) -> str | None:
    """The text that stands for a file in an address; None where it would be too long."""
    if len(content) > _MOST_BYTES:
        return None
    text = base64.urlsafe_b64encode(zlib.compress(content, 9)).decode("ascii").rstrip("=")
    return text if len(text) <= LONGEST_IN_LINK else None


def unpacked(text: str) -> bytes | None:
    """The file that a text in an address stands for; None where it stands for none."""
    if not text.isascii() or len(text) > LONGEST_IN_LINK:
        return None
    try:
        compressed = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        inflating = zlib.decompressobj()
        content = inflating.decompress(compressed, _MOST_BYTES)
    except (binascii.Error, zlib.error, ValueError):
        return None
    return content if content and inflating.eof else None


def settings_of(link: Link) -> AnalysisSettings:
    """The settings of an address; what names datasets waits until they are known."""
    return AnalysisSettings(
        **{name: value for name, value in link.said.items() if name not in _OF_DATASETS}
    )


def settings_on(
    datasets: Sequence[str], link: Link, *, dependence: Dependence
) -> tuple[AnalysisSettings, tuple[str, ...]]:
    """The same once the datasets are known, with what they declare where the address does not.

    With a remark on datasets that it names and that are not there.
    """
    names = dict(enumerate(datasets, start=1))
    excluded, extended = link.said.get("excluded", ()), link.said.get("extended", ())
    settings = replace(
        settings_of(link),
        dependence=link.said.get("dependence", dependence),
        excluded=tuple(names[i] for i in excluded if i in names),
        extended=tuple((names[i], to) for i, to in extended if i in names),
    )
    beyond = sorted({*excluded, *(i for i, _ in extended)} - names.keys())
    listed = ", ".join(map(str, beyond))
    remark = f"The link names datasets that are not there: {listed} of {len(names)}."
    return settings, (remark,) if beyond else ()


def link_of_session() -> Link:
    """The address of what is shown; what is at its default is left out."""
    current, simulation = state.session(), studies.in_address()
    if current.loaded is None:
        said = {"alpha": current.settings.alpha}
        waiting = current.awaited or Link(said=said, claims=current.claims)
        return replace(waiting, simulation=simulation)
    source, settings, sample = current.loaded.source, current.settings, current.loaded.source.sample
    # What a sample declares of itself need not be said.
    usual = replace(USUAL, dependence=sample.dependence) if sample else USUAL
    roles = dict(source.roles)
    if sample and roles.get("alternative") == sample.alternative:
        del roles["alternative"]
    data = current.loaded.data
    positions = {name: i for i, name in enumerate(data.datasets, start=1)}
    chosen: dict[str, object] = {
        name: value
        for name in CHOICES
        if (value := getattr(settings, name)) != getattr(usual, name) and name not in _OF_DATASETS
    }
    excluded = tuple(positions[name] for name in positions if name in settings.excluded)
    extended = tuple((positions[name], n) for name, n in settings.extended if name in positions)
    return Link(
        sample=sample.key if sample else "",
        data="" if sample or source.in_link else short_fingerprint(data.fingerprint),
        table=source.in_link,
        file="" if sample else source.name,
        said={**chosen, "excluded": excluded, "extended": extended},
        roles=roles,
        claims=state.claims(),
        simulation=simulation,
    )


def link_with_table() -> Link | None:
    """The same address with the file itself in it; None where it is not one small file."""
    current = state.session()
    link = link_of_session()
    if current.loaded is None or link.sample or link.table:
        return None
    files = current.loaded.source.files
    table = packed(files[0][1]) if len(files) == 1 else None
    return None if table is None else replace(link, data="", table=table)
