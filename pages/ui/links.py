"""The address of a page as a link to an analysis: what it may hold, read and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.types import ALTERNATIVES, DEPENDENCES, Dependence
from core.validation import check_alpha

# Roles that name a column of the file, with their short name in an address.
_COLUMNS = {
    "col_dataset": "dataset",
    "col_a": "system_a",
    "col_b": "system_b",
    "col_p": "p_value",
    "col_n": "n_examples",
}
_NO_COLUMN = "~"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What an address says.

    Attributes
    ----------
    sample, data, file : str
        A sample's key, or the short fingerprint and name of the user's own file.
    excluded : tuple of int
        Positions in the file, from 1, of the datasets left out.
    roles : mapping
        Columns and declarations that differ from what is recognised.
    remarks : tuple of str
        What in the address could not be read.
    """

    sample: str = ""
    data: str = ""
    file: str = ""
    alpha: float | None = None
    dependence: Dependence | None = None
    swapped: bool = False
    excluded: tuple[int, ...] = ()
    question: str = ""
    roles: Mapping[str, object] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def short(fingerprint: str) -> str:
    """The part of a fingerprint that people see."""
    return fingerprint[:8]


def parse(parameters: Mapping[str, str]) -> Link:
    """Read an address; what is not understood is left at its default and remarked on."""
    remarks = []
    alpha = dependence = None
    roles: dict[str, object] = {}
    if "alpha" in parameters:
        try:
            alpha = check_alpha(float(parameters["alpha"]))
        except ValueError:
            remarks.append(_remark("alpha", parameters["alpha"], "a number between 0 and 1"))
    if "dependence" in parameters:
        known = [choice for choice in DEPENDENCES if choice == parameters["dependence"]]
        if known:
            dependence = known[0]
        else:
            remarks.append(_remark("dependence", parameters["dependence"], _any_of(DEPENDENCES)))
    if "direction" in parameters:
        if parameters["direction"] in ALTERNATIVES:
            roles["alternative"] = parameters["direction"]
        else:
            remarks.append(_remark("direction", parameters["direction"], _any_of(ALTERNATIVES)))
    if parameters.get("lower") == "better":
        roles["higher_is_better"] = False
    if "zero" in parameters:
        try:
            roles["zero_reads_below"] = float(parameters["zero"])
        except ValueError:
            remarks.append(_remark("zero", parameters["zero"], "a number"))
    for name, role in _COLUMNS.items():
        if name in parameters:
            roles[role] = None if parameters[name] == _NO_COLUMN else parameters[name]
    return Link(
        sample=parameters.get("sample", ""),
        data=parameters.get("data", ""),
        file=parameters.get("file", ""),
        alpha=alpha,
        dependence=dependence,
        swapped=parameters.get("swap") == "1",
        excluded=tuple(
            int(part)
            for part in parameters.get("without", "").split(",")
            if part.isascii() and part.isdigit() and len(part) < 8
        ),
        question=parameters.get("question", ""),
        roles=roles,
        remarks=tuple(remarks),
    )


def write(link: Link) -> dict[str, str]:
    """Write an address; what is at its default is left out."""
    roles = link.roles
    written = {
        "sample": link.sample,
        "data": link.data,
        "file": link.file,
        "alpha": "" if link.alpha in (None, 0.05) else f"{link.alpha:.10g}",
        "dependence": link.dependence or "",
        "swap": "1" if link.swapped else "",
        "without": ",".join(map(str, link.excluded)),
        "question": link.question,
        "direction": str(roles.get("alternative", "")),
        "lower": "better" if roles.get("higher_is_better") is False else "",
        "zero": (
            f"{roles['zero_reads_below']:.10g}" if roles.get("zero_reads_below") is not None else ""
        ),
    }
    for name, role in _COLUMNS.items():
        if role in roles:
            column = roles[role]
            written[name] = _NO_COLUMN if column is None else str(column)
    return {name: text for name, text in written.items() if text}


def _remark(name: str, text: str, expected: str) -> str:
    return f"The link's “{name}” must be {expected}; got “{text}”. The usual setting is used."


def _any_of(choices: tuple[str, ...]) -> str:
    return "one of " + ", ".join(choices)
