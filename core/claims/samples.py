"""What papers claim of the tables that come with the project, and of intervals without a table."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from core.claims.claim import Claim
from core.claims.claim_lines import parse_claims
from core.claims.printed_scores import ScoreMetric
from core.data.samples import SAMPLE_FOLDER

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
    """What a sample's scores are, where p-values can be held against them."""
    return _METRICS.get(key)


@cache
def _recorded() -> dict[str, dict[str, str]]:
    text = (SAMPLE_FOLDER / "claims.toml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = tomllib.loads(text)
    return found
