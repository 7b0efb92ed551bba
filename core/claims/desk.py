"""What is laid out to be checked: claims as lines, what the scores are, and how many examples."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from ..data.samples import SAMPLE_FOLDER
from .claim import Claim, ClaimMetric
from .claim_lines import parse_claims, read_line
from .printed_scores import ScoreMetric

METRICS: tuple[ClaimMetric, ...] = ("accuracy", "correlation", "other")
# Both texts together must fit into an address beside a small table.
LONGEST_TEXT = 4_000
# What stands for "no claims" in an address, where an empty text is left out: a comment.
_NONE = "#"
_SIDE = re.compile(r"\s+for\s+(?P<side>[AaBb])\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDesk:
    """What is laid out for a check.

    Attributes
    ----------
    lines : str or None
        Claims, one a line; None while nobody wrote any: a sample's own then hold.
    metric : {"accuracy", "correlation", "other"} or None
        What the scores are; None for what table or sample says.
    sizes : str
        Numbers of examples as typed; empty for the table's own.
    swapped : bool
        Whether A and B were exchanged when the lines were written.
    """

    lines: str | None = None
    metric: ClaimMetric | None = None
    sizes: str = ""
    swapped: bool = False

    def facing(
        self, *, swapped: bool, systems: Sequence[str] = (), datasets: Sequence[str] = ()
    ) -> ClaimDesk:
        """The same claims about the same systems, with A and B as they now are."""
        if swapped == self.swapped:
            return self
        turned = None if self.lines is None else exchanged(self.lines, systems, datasets)
        return replace(self, lines=turned, swapped=swapped)

    def to_parameters(self) -> dict[str, str]:
        """As the address carries it."""
        written = {
            "claims": "" if self.lines is None else self.lines.strip("\n") or _NONE,
            "scores": self.metric or "",
            "sizes": self.sizes.strip(),
        }
        too_long = sum(map(len, written.values())) > LONGEST_TEXT
        return {"scores": written["scores"]} if too_long else written


def may_be_typed(character: str) -> bool:
    """Whether a character may stand in claims and sizes that come from elsewhere."""
    # Names may hold any space or mark of direction, but nothing that controls a terminal.
    return character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs")


def exchanged(lines: str, systems: Sequence[str] = (), datasets: Sequence[str] = ()) -> str:
    """The same claims with A and B in each other's place.

    What cannot be read, and what is for a system by its name, stays.
    """
    return "\n".join(_exchanged(line, systems, datasets) for line in lines.split("\n"))


def _exchanged(line: str, systems: Sequence[str], datasets: Sequence[str]) -> str:
    if not line.strip() or line.strip().startswith("#"):
        return line
    try:
        read = read_line(line.strip(), systems, datasets)
    except ValueError:
        return line
    if read.claim.better == "differ" or read.by_name:
        return line
    if read.in_words:
        return replace(read.claim, better="b" if read.claim.better == "a" else "a").line()
    side = _SIDE.search(line)
    if side is None:
        return f"{line.rstrip()} for B"
    other = "A" if side["side"] in "Bb" else "B"
    return f"{line[: side.start()]} for {other}"


# What the scores of samples with sizes are: their files do not say it.
_METRICS: dict[str, ScoreMetric] = {"sentiment": "accuracy", "word-similarity": "correlation"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsWithoutTable:
    """A paper's claims about printed intervals.

    Attributes
    ----------
    key : str
        Short name.
    title, description, note : str
        For the person who chooses, and what to look for.
    source : str
        Citation.
    lines : str
        The claims, one a line, with remarks.
    """

    key: str
    title: str
    description: str
    note: str
    source: str
    lines: str


@cache
def sample_claims(key: str) -> tuple[Claim, ...]:
    """The paper's claims about a sample; none where it makes none that are recorded."""
    recorded = _recorded()
    return parse_claims(recorded[key]["claims"]) if key in recorded else ()


def samples_without_table() -> tuple[ClaimsWithoutTable, ...]:
    """Claims that need no table, in the order in which to offer them."""
    return tuple(
        ClaimsWithoutTable(
            key=key,
            title=entry["title"],
            description=entry["description"],
            note=entry["note"],
            source=entry["source"],
            lines=entry["claims"].strip(),
        )
        for key, entry in _recorded().items()
        if "title" in entry
    )


def sample_metric(key: str) -> ScoreMetric | None:
    """What a sample's scores are, where p-values can be checked against them."""
    return _METRICS.get(key)


@cache
def _recorded() -> dict[str, dict[str, str]]:
    text = (SAMPLE_FOLDER / "claims.toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = tomllib.loads(text)
    return found
