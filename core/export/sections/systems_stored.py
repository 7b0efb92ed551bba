"""What an analysis holds of a comparison of all pairs, and whether that is of the same question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Never

from ...analysis import Analysis
from ...analysis.settings import metric_of
from ...data import ResultSet
from ...systems.comparisons import PairComparisons

# Under which an analysis remembers the comparison of all pairs, where one was made.
STORED = "systems"
# And under which how it was shown there.
ASKED = "systems-asked"
OF_ANOTHER_QUESTION = (
    "The comparison on the Systems page is of other datasets or another metric than this analysis, so "
    "nothing of it is told here: compare all pairs there once more."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How whoever compared all pairs looked at them, as `parts_of_pairs` takes it."""

    groups: Mapping[str, str] | str | None = None
    detail: str = "same-or-different"
    family: str = "all"
    at_least: int = 1


def stored(analysis: Analysis) -> PairComparisons | None:
    """All pairs of the data of an analysis as they were compared; None where they were not."""
    found: PairComparisons | None = _remembered(analysis, STORED)
    if found is None or found.fingerprint != analysis.data.fingerprint:
        return None
    return found


def asked_of(analysis: Analysis) -> Asked:
    """How they were looked at."""
    found: Asked | None = _remembered(analysis, ASKED)
    return Asked() if found is None else found


def is_of_today(pairs: PairComparisons, analysis: Analysis) -> bool:
    """Whether pairs were compared on the datasets and by the metric of the analysis."""
    data, excluded = analysis.data, analysis.settings.excluded
    kept = {name for name in data.datasets if name not in excluded}
    # One that was stopped is of some of the datasets that it was asked for.
    asked = pairs.n_asked == len(kept) and set(pairs.datasets) <= kept
    metric = metric_of(data, analysis.settings) if isinstance(data, ResultSet) else ""
    return asked and set(pairs.metrics) == {metric}


def _remembered(analysis: Analysis, key: str) -> Any:
    """What an analysis was given beforehand; None where it was given nothing."""

    def nothing() -> Never:
        # Not None, which would be remembered.
        raise LookupError(key)

    try:
        return analysis.remember(key, nothing)
    except LookupError:
        return None
