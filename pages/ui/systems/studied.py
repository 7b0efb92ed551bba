"""What was compared of many systems, as the report tells of it."""

from __future__ import annotations

from core.sections.systems import Compared
from core.systems.calibration import IidCalibration
from core.systems.comparisons import PairComparisons
from core.systems.sizes import ThresholdCurve
from pages.ui.frame import state
from pages.ui.systems import data, groups
from pages.ui.systems.at_margin import AT_MARGIN, written
from pages.ui.work import background
from pages.ui.work.studies import OfEach


def studied() -> Compared | None:
    """All pairs as they were last compared and looked at; None before that."""
    pairs = background.result_of(data.PAIRS, PairComparisons)
    if pairs is None:
        return None
    grouping = groups.chosen(pairs.systems)
    at_least = int(state.value("systems-at-least", 1))
    at_margin = background.result_of(AT_MARGIN, PairComparisons)
    one_size = background.result_of(data.ONE_SIZE, OfEach)
    return Compared(
        pairs=pairs,
        family=data.family(pairs),
        at_least=at_least if at_least <= pairs.n_datasets else 1,
        groups=grouping.mapping,
        detail=grouping.detail,
        sizes=background.result_of(data.SIZES, ThresholdCurve),
        one_size=() if one_size is None else tuple(one_size.values()),
        iid=background.result_of(data.IID, IidCalibration),
        at_margin=at_margin,
        margin="" if at_margin is None else written(at_margin.margins),
    )
