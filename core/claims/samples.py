"""What papers claim of the tables that come with the project."""

from __future__ import annotations

import tomllib

from core.claims.claim import Claim, parse_claims
from core.claims.printed_scores import ScoreMetric
from core.data.samples import SAMPLE_FOLDER

# What the scores of samples with sizes are: their files do not say it.
_METRICS: dict[str, ScoreMetric] = {"sentiment": "accuracy", "word-similarity": "correlation"}


def sample_claims(key: str) -> tuple[Claim, ...]:
    """The paper's claims about a sample; none where it makes none that are recorded."""
    recorded = tomllib.loads((SAMPLE_FOLDER / "claims.toml").read_text(encoding="utf-8"))
    return parse_claims(recorded[key]["claims"]) if key in recorded else ()


def sample_metric(key: str) -> ScoreMetric | None:
    """What a sample's scores are, where p-values can be held against them."""
    return _METRICS.get(key)
