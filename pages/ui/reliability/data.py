"""What the studies of the reliability page have in common, and what they came to, as a sentence."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.comparison import BETTER
from core.data import PValueTable, ResultSet
from core.sections import reliability as sections
from pages.ui.frame import state
from pages.ui.work import background
from pages.ui.work.background import OfEach, Refusal

SIZES, METRICS, FREE_CHOICE = "subsamples", "metrics-and-tests", "free-choice"
CUT_OFFS, LEVELS, RUNS = "cut-offs", "levels", "repeated-runs"
DOMAINS, TOY = "across-datasets", "toy"


def alpha() -> float:
    """The level of the sidebar."""
    return state.session().settings.alpha


def pair() -> dict[str, Any]:
    """The two systems that are compared, and the level, as studies take them."""
    a, b = state.systems()
    return {"a": a, "b": b, "alpha": alpha()}


def compared(data: ResultSet) -> dict[str, Any]:
    """What every study of these two systems depends on, as studies take it."""
    return {**pair(), "metric": state.metric(), "datasets": state.chosen_datasets(data)}


def current(kind: str, data: ResultSet) -> Any:
    """What the last study of a kind came to if it is of what is compared now; says nothing."""
    run = background.latest(kind)
    if run is None or not run.finished or isinstance(run.result, Refusal | None):
        return None
    held = run.task.settings
    wanted = background.called(compared(data))
    if any(held.get(name, wanted[name]) != wanted[name] for name in ("A", "B", "metric")):
        return None
    of = held.get("datasets")
    if isinstance(of, tuple) and not set(state.chosen_datasets(data)) <= set(of):
        return None
    return run.result


def sentence(data: PValueTable | ResultSet, looked_at: sections.LookedAt) -> str:
    """On which datasets p <= alpha depends on a choice; "" where no study is of what is compared."""
    said = sections.summary_sentence(looked_at, state.chosen_datasets(data), alpha=alpha())
    at_margin = state.session().settings.claim != BETTER
    return f"{said} {sections.NOT_AT_A_MARGIN}" if said and at_margin else said


def found(data: ResultSet) -> sections.LookedAt:
    """Every study there is of what is compared now, at the level of the sidebar."""
    names = state.chosen_datasets(data)
    sizes, chosen = (at_level(current(kind, data)) for kind in (SIZES, FREE_CHOICE))
    along, runs, pairs = (current(kind, data) for kind in (CUT_OFFS, RUNS, DOMAINS))
    parts = () if sizes is None else tuple(own for own in sizes.datasets if own.dataset in names)
    is_whole = pairs is not None and pairs.n_datasets > 1 and {*pairs.datasets} <= {*names}
    return sections.LookedAt(
        metrics=only(current(METRICS, data), names),
        sizes=replace(sizes, datasets=parts) if parts else None,
        cut_offs=each_at_level(along, names),
        levels=only(current(LEVELS, data), names),
        runs=each_at_level(runs, names),
        free_choice=chosen if chosen is not None and chosen.dataset in names else None,
        pairs=pairs if is_whole else None,
        stopped=frozenset(
            kind
            for kind, held in (("covariate", along), ("run", runs))
            if held is not None and not held.complete
        ),
    )


def at_level(study: Any) -> Any:
    """A study at the level of the sidebar, if there is one: the same one while that is the same."""
    return study and state.computed(type(study).at_level, study, alpha())


def only(study: Any, names: tuple[str, ...]) -> Any:
    """The same of a family of p-values, without datasets that were left out since."""
    return study and state.computed(type(study).only, at_level(study), names)


def each_at_level(held: OfEach[Any] | None, names: Sequence[str]) -> dict[str, Any]:
    """The studies of these datasets, at the level of the sidebar."""
    return {name: at_level(own) for name, own in (held or {}).items() if name in names}
