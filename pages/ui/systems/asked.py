"""How the Systems page shows a comparison, for the report to show it so too."""

from __future__ import annotations

from core.export.sections.systems_stored import Asked
from core.systems import PairComparisons
from pages.ui.frame import state
from pages.ui.systems import data, groups


def of(pairs: PairComparisons) -> Asked:
    """What the page counts, on how many datasets two systems are told apart, and their groups."""
    at_least = int(state.value("systems-at-least", 1))
    grouping = groups.chosen(pairs.systems)
    return Asked(
        family=data.family(pairs),
        at_least=at_least if at_least <= pairs.n_datasets else 1,
        groups=grouping.mapping,
        detail=grouping.detail,
    )
