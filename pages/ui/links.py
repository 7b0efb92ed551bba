"""The address of a page as a link to an analysis: what it may hold, read and written."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.significance import significance_tests
from core.significance.intervals import INTERVAL_KINDS, IntervalKind
from core.significance.result import ESTIMATORS, ZEROS, Estimator, Zeros
from core.types import ALTERNATIVES, DEPENDENCES, PROCEDURES, Dependence, Procedure
from core.validation import check_alpha
from pages.ui import limits
from pages.ui.claims_desk import ClaimDesk, desk_of
from pages.ui.simulation_setup import Setup, setup_of

Choice = TypeVar("Choice", bound=str)
Part = TypeVar("Part")
_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What an address says.

    Attributes
    ----------
    sample, data, file : str
        A sample's key, or the short fingerprint and name of the user's own file.
    table : str
        A small file itself, as `pages.ui.table_links` packs it.
    excluded : tuple of int
        Positions in the file, from 1, of the datasets left out.
    extended : tuple of (int, int)
        Positions of datasets whose tests were extended, with their resamples.
    roles : mapping
        Columns and declarations that differ from what is recognised.
    remarks : tuple of str
        What in the address could not be read.
    """

    sample: str = ""
    data: str = ""
    file: str = ""
    table: str = ""
    alpha: float | None = None
    dependence: Dependence | None = None
    swapped: bool = False
    excluded: tuple[int, ...] = ()
    question: str = ""
    procedure: Procedure | None = None
    pair: tuple[int, int] | None = None
    metric: str = ""
    test: str = ""
    n_resamples: int | None = None
    seed: int | None = None
    interval: IntervalKind | None = None
    estimator: Estimator | None = None
    zeros: Zeros | None = None
    clusters_apart: bool = False
    extended: tuple[tuple[int, int], ...] = ()
    roles: Mapping[str, object] = field(default_factory=dict)
    simulation: Setup | None = None
    claims: ClaimDesk = field(default_factory=ClaimDesk)
    remarks: tuple[str, ...] = ()


def parse(parameters: Mapping[str, str]) -> Link:
    """Read an address; what is not understood is left at its default and remarked on."""
    remarks: list[str] = []
    rest = (parameters, remarks)
    alpha = None
    if "alpha" in parameters:
        try:
            alpha = check_alpha(float(parameters["alpha"]))
        except ValueError:
            alpha = None
        if alpha is None or not limits.SMALLEST_ALPHA <= alpha <= limits.LARGEST_ALPHA:
            alpha = None
            expected = f"a number from {limits.SMALLEST_ALPHA} to {limits.LARGEST_ALPHA}"
            remarks.append(_remark("alpha", parameters["alpha"], expected))
    return Link(
        sample=parameters.get("sample", ""),
        data=parameters.get("data", ""),
        file=parameters.get("file", ""),
        table=parameters.get("table", ""),
        alpha=alpha,
        dependence=_one_of("dependence", parameters, DEPENDENCES, remarks),
        swapped=_one_of("swap", parameters, ("1",), remarks) == "1",
        excluded=_proof("without", lambda: _positions(parameters, remarks), (), *rest),
        question=parameters.get("question", ""),
        procedure=_one_of("procedure", parameters, PROCEDURES, remarks),
        pair=_proof("systems", lambda: _pair(parameters, remarks), None, *rest),
        metric=parameters.get("metric", ""),
        test=_one_of("test", parameters, significance_tests, remarks) or "",
        n_resamples=_whole("resamples", parameters, (1, limits.MAX_RESAMPLES), remarks),
        seed=_whole("seed", parameters, (0, limits.LARGEST_SEED), remarks),
        interval=_one_of("interval", parameters, INTERVAL_KINDS, remarks),
        estimator=_one_of("estimator", parameters, ESTIMATORS, remarks),
        zeros=_one_of("zeros", parameters, ZEROS, remarks),
        clusters_apart=_one_of("clusters", parameters, ("apart",), remarks) == "apart",
        extended=_proof("extended", lambda: _extended(parameters, remarks), (), *rest),
        roles=_proof("roles", lambda: _roles(parameters, remarks), {}, *rest),
        simulation=_proof("simulation", lambda: _simulation(parameters, remarks), None, *rest),
        claims=_proof(
            "claims",
            lambda: desk_of(parameters, lambda *odd: remarks.append(_remark(*odd))),
            ClaimDesk(),
            *rest,
        ),
        remarks=tuple(remarks),
    )


def _proof(
    name: str,
    read: Callable[[], Part],
    usual: Part,
    parameters: Mapping[str, str],
    remarks: list[str],
) -> Part:
    """A part of the address, or the usual where reading it fails in a way that nobody foresaw.

    An address is read before there is a session: an error here would come back
    at each attempt to show anything.
    """
    try:
        return read()
    except Exception:  # noqa: BLE001 - whatever it is, the rest of the address is good
        remarks.append(_remark(name, _short(parameters.get(name, "")), "written by this app"))
        return usual


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def write(link: Link) -> dict[str, str]:
    """Write an address; what is at its default is left out."""
    roles = dict(link.roles)
    # The direction has a place of its own in the address.
    direction = roles.pop("alternative") if roles.get("alternative") in ALTERNATIVES else ""
    written = {
        "sample": link.sample,
        "data": link.data,
        "file": link.file,
        "table": link.table,
        "alpha": "" if link.alpha in (None, 0.05) else f"{link.alpha:.10g}",
        "dependence": link.dependence or "",
        "swap": "1" if link.swapped else "",
        "without": ",".join(map(str, link.excluded)),
        "question": link.question,
        "procedure": link.procedure or "",
        # Systems are counted from 1, as people do.
        "systems": "" if link.pair is None else f"{link.pair[0] + 1},{link.pair[1] + 1}",
        "metric": link.metric,
        "test": link.test,
        "resamples": "" if link.n_resamples is None else str(link.n_resamples),
        "seed": "" if link.seed is None else str(link.seed),
        "interval": link.interval or "",
        "estimator": link.estimator or "",
        "zeros": link.zeros or "",
        "clusters": "apart" if link.clusters_apart else "",
        "extended": ",".join(f"{position}:{n}" for position, n in link.extended),
        "direction": str(direction),
        "roles": json.dumps(roles, ensure_ascii=False, separators=(",", ":")) if roles else "",
        "simulation": "" if link.simulation is None else link.simulation.to_text(),
        **link.claims.to_parameters(),
    }
    return {name: text for name, text in written.items() if text}


def _roles(parameters: Mapping[str, str], remarks: list[str]) -> dict[str, object]:
    """The direction and the other roles; reading the file refuses what does not fit it."""
    roles: dict[str, object] = {}
    if "roles" in parameters:
        try:
            given = json.loads(parameters["roles"])
        except (ValueError, RecursionError):
            given = None
        if isinstance(given, dict):
            roles.update(given)
        else:
            remarks.append(_remark("roles", parameters["roles"], "written by this app"))
    direction = _one_of("direction", parameters, ALTERNATIVES, remarks)
    if direction is not None:
        roles["alternative"] = direction
    return roles


def _simulation(parameters: Mapping[str, str], remarks: list[str]) -> Setup | None:
    if "simulation" not in parameters:
        return None
    setup = setup_of(parameters["simulation"])
    if setup is None:
        shown = _short(parameters["simulation"])
        remarks.append(_remark("simulation", shown, "written by this app"))
    return setup


def _pair(parameters: Mapping[str, str], remarks: list[str]) -> tuple[int, int] | None:
    if "systems" not in parameters:
        return None
    parts = parameters["systems"].split(",")
    numbers = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 5]
    if len(numbers) == len(parts) == 2 and 1 <= numbers[0] < numbers[1]:
        return numbers[0] - 1, numbers[1] - 1
    remarks.append(_remark("systems", parameters["systems"], "two numbers, the smaller first"))
    return None


def _positions(parameters: Mapping[str, str], remarks: list[str]) -> tuple[int, ...]:
    if "without" not in parameters:
        return ()
    parts = parameters["without"].split(",")
    if all(part.isascii() and part.isdigit() and len(part) < 8 for part in parts):
        return tuple(int(part) for part in parts)
    expected = "positions of datasets, such as 2,5"
    remarks.append(_remark("without", parameters["without"], expected))
    return ()


def _extended(parameters: Mapping[str, str], remarks: list[str]) -> tuple[tuple[int, int], ...]:
    if "extended" not in parameters:
        return ()
    pairs = [part.split(":") for part in parameters["extended"].split(",")]
    short = all(
        len(pair) == 2 and all(n.isascii() and n.isdigit() and len(n) < 10 for n in pair)
        for pair in pairs
    )
    if short:
        found = tuple((int(position), int(n)) for position, n in pairs)
        if all(1 <= n <= limits.MAX_RESAMPLES for _, n in found):
            return found
    expected = f"a dataset's position and its resamples, at most {limits.MAX_RESAMPLES}, as 2:99999"
    remarks.append(_remark("extended", parameters["extended"], expected))
    return ()


def _whole(
    name: str, parameters: Mapping[str, str], limit: tuple[int, int], remarks: list[str]
) -> int | None:
    if name not in parameters:
        return None
    text = parameters[name]
    if text.isascii() and text.isdigit() and len(text) < 20 and limit[0] <= int(text) <= limit[1]:
        return int(text)
    remarks.append(_remark(name, text, f"a whole number from {limit[0]} to {limit[1]}"))
    return None


def _one_of(
    name: str, parameters: Mapping[str, str], choices: Sequence[Choice], remarks: list[str]
) -> Choice | None:
    if name not in parameters:
        return None
    for choice in choices:
        if choice == parameters[name]:
            return choice
    remarks.append(_remark(name, parameters[name], f"one of {', '.join(choices)}"))
    return None


def _remark(name: str, text: str, expected: str) -> str:
    return f"The link's “{name}” must be {expected}; got “{text}”. The usual setting is used."
