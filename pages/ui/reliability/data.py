"""What the studies of the reliability page have in common, and what they came to, as a sentence."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

from core.comparison import BETTER
from core.data import PValueTable, ResultSet
from core.reliability.choices import FreeChoice, MetricStudy
from core.reliability.cut_offs import CutOffStudy
from core.reliability.levels import LevelStudy
from core.reliability.repeated_runs import RunStudy
from core.reliability.sample_size import SubsampleStudy
from core.systems.comparisons import PairComparisons
from core.words import reliability_choices as words
from pages.ui.frame import state
from pages.ui.work import background
from pages.ui.work.background import OfEach

Value = TypeVar("Value")


SIZES, METRICS, FREE_CHOICE = "subsamples", "metrics-and-tests", "free-choice"
CUT_OFFS, LEVELS, RUNS = "cut-offs", "levels", "repeated-runs"
DOMAINS, TOY = "across-datasets", "toy"


def results() -> ResultSet | None:
    """Per-example results, where such are loaded."""
    loaded = state.session().loaded
    return loaded.data if loaded is not None and isinstance(loaded.data, ResultSet) else None


def alpha() -> float:
    """The level of the sidebar."""
    return state.session().settings.alpha


def compared(data: ResultSet) -> dict[str, Hashable]:
    """What every study of these two systems depends on, as a form's settings begin."""
    a, b = state.systems()
    return {"A": a, "B": b, "metric": state.metric(), "datasets": state.chosen_datasets(data)}


def current(kind: str, data: ResultSet) -> Any:
    """What the last study of a kind came to if it is of what is compared now; says nothing."""
    run = background.latest(kind)
    if run is None or run.at_work or run.error is not None:
        return None
    held = run.task.settings
    wanted = compared(data)
    if any(held.get(name, wanted[name]) != wanted[name] for name in ("A", "B", "metric")):
        return None
    of = held.get("datasets")
    if isinstance(of, tuple) and not set(state.chosen_datasets(data)) <= set(of):
        return None
    return run.result


def sentence(data: PValueTable | ResultSet, looked_at: words.LookedAt) -> str:
    """On which datasets p <= alpha depends on a choice; "" where no study is of what is compared."""
    said = words.summary_sentence(looked_at, state.chosen_datasets(data), alpha=alpha())
    at_margin = state.session().settings.claim != BETTER
    return f"{said} {words.NOT_AT_A_MARGIN}" if said and at_margin else said


def found(data: ResultSet) -> words.LookedAt:
    """Every study there is of what is compared now, at the level of the sidebar."""
    level = alpha()
    metrics = current(METRICS, data)
    sizes = current(SIZES, data)
    levels = current(LEVELS, data)
    along, runs = current(CUT_OFFS, data), current(RUNS, data)
    chosen, pairs = current(FREE_CHOICE, data), current(DOMAINS, data)
    looked_at = words.LookedAt(
        metrics=metrics.at_level(level) if isinstance(metrics, MetricStudy) else None,
        sizes=sizes.at_level(level) if isinstance(sizes, SubsampleStudy) else None,
        cut_offs={
            name: study.at_level(level)
            for name, study in _studies(along).items()
            if isinstance(study, CutOffStudy)
        },
        levels=levels.at_level(level) if isinstance(levels, LevelStudy) else None,
        runs={
            name: study.at_level(level)
            for name, study in _studies(runs).items()
            if isinstance(study, RunStudy)
        },
        free_choice=chosen.at_level(level) if isinstance(chosen, FreeChoice) else None,
        pairs=pairs if isinstance(pairs, PairComparisons) and pairs.n_datasets > 1 else None,
        stopped=frozenset(
            kind
            for kind, held in (("covariate", along), ("run", runs))
            if isinstance(held, OfEach) and not held.complete
        ),
    )
    return looked_at.only(state.chosen_datasets(data))


def _studies(held: object) -> Mapping[str, object]:
    return held if isinstance(held, dict) else {}
