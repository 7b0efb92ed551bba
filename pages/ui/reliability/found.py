"""What the studies of the reliability page came to for what is compared now, as a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from core.data import ResultSet
from core.reliability.cut_offs import CutOffStudy
from core.reliability.levels import LevelStudy
from core.reliability.metrics import MetricStudy
from core.reliability.run_study import RunStudy
from core.reliability.subsample_results import SubsampleStudy
from core.report import reliability_summary as words
from core.report.reliability_choices import of_datasets
from pages.ui.frame import state
from pages.ui.reliability import data as common
from pages.ui.work.studies import OfEach


def sentence(data: ResultSet) -> str:
    """On which datasets p <= alpha hangs on a choice; "" where no study is of what is compared."""
    return words.summary_sentence(found(data), state.chosen_datasets(data), alpha=common.alpha())


def found(data: ResultSet) -> words.LookedAt:
    """Every study there is of what is compared now, at the level of the sidebar."""
    alpha, names = common.alpha(), state.chosen_datasets(data)
    metrics = common.current(common.METRICS, data)
    sizes = common.current(common.SIZES, data)
    levels = common.current(common.LEVELS, data)
    along, runs = common.current(common.CUT_OFFS, data), common.current(common.RUNS, data)
    kept = None
    if isinstance(metrics, MetricStudy):
        kept = of_datasets(metrics.at_level(alpha), names)
    return words.LookedAt(
        metrics=kept,
        sizes=sizes.at(alpha) if isinstance(sizes, SubsampleStudy) else None,
        cut_offs={
            name: study.at_level(alpha)
            for name, study in _studies(along).items()
            if isinstance(study, CutOffStudy) and name in names
        },
        levels=levels.at_level(alpha) if isinstance(levels, LevelStudy) else None,
        runs={
            name: study.at(alpha)
            for name, study in _studies(runs).items()
            if isinstance(study, RunStudy) and name in names
        },
        stopped=frozenset(
            kind
            for kind, held in (("covariate", along), ("run", runs))
            if isinstance(held, OfEach) and not held.complete
        ),
    )


def _studies(held: object) -> Mapping[str, object]:
    return held if isinstance(held, dict) else {}
