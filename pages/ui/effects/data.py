"""The effects of what is loaded, as the page's form asks for them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.effects.combined import CombinedEffects, combine_effects
from core.effects.dataset_effects import DatasetEffects
from core.effects.from_results import dataset_effects
from core.effects.table_effects import effects_of_table, score_differences
from core.replicability.groups import groups_of
from core.words.effects import left_out_lines
from pages.ui.effects.form import Asked, asked, asked_tau2
from pages.ui.frame import prose, state
from pages.ui.frame.session import Data
from pages.ui.work import background, studies
from pages.ui.work.background import Task

KIND = "effects"
_Make = Callable[..., DatasetEffects]


class _NotKept(Exception):
    """Nothing is kept under this key."""


def chosen_rows(data: PValueTable | ScoreTable) -> PValueTable | ScoreTable:
    """A table without the datasets that are left out."""
    left_out = [name for name in state.session().settings.excluded if name in data.datasets]
    return data.without(left_out) if left_out else data


def is_dependent() -> bool:
    """Whether nobody has said that the datasets are independent."""
    return state.session().settings.dependence != "independent"


def current(data: Data) -> DatasetEffects:
    """The effects; while a bootstrap is at work, the scores' differences alone."""
    a, b = state.systems()
    datasets = state.chosen_datasets(data)
    wanted = asked(data)
    if isinstance(data, ResultSet):
        return _of_results(data, wanted, a, b, datasets)
    if isinstance(data, EffectTable):
        return effects_of_table(data).only(datasets)
    return state.kept(
        ("score-differences", a, b, datasets, wanted.effect, wanted.maximum),
        lambda: score_differences(
            chosen_rows(data), a=a, b=b, effect=wanted.effect, maximum=wanted.maximum
        ),
    )


def _of_results(
    data: ResultSet, wanted: Asked, a: str, b: str, datasets: tuple[str, ...]
) -> DatasetEffects:
    make: _Make = partial(
        dataset_effects,
        data,
        a=a,
        b=b,
        metric=state.metric(),
        effect=wanted.effect,
        n_resamples=wanted.n_resamples,
        rng=wanted.seed,
        maximum=wanted.maximum,
    )
    settings: dict[str, Hashable] = {
        "A": a,
        "B": b,
        "metric": state.metric(),
        "datasets": datasets,
        "effect": wanted,
    }
    key = (KIND, tuple(settings.values()))
    if not wanted.bootstrap:
        return state.kept(key, lambda: make(variance="auto", datasets=datasets))
    found = _drawn(make, settings, datasets, key)
    if found is not None:
        return found
    return state.kept((*key, "averages"), lambda: make(variance="none", datasets=datasets))


def _drawn(
    make: _Make,
    settings: dict[str, Hashable],
    datasets: tuple[str, ...],
    key: tuple[Hashable, ...],
) -> DatasetEffects | None:
    """By bootstrap, in the background; what was finished for these settings is not drawn again."""

    def nothing() -> DatasetEffects:
        raise _NotKept

    try:
        return state.kept(key, nothing)
    except _NotKept:
        pass
    task = _study(make, settings, datasets)
    studies.begin_by_itself(task)
    found = studies.answer(task, DatasetEffects, again=True)
    if found is None:
        return None
    if found.complete:
        return state.kept(key, lambda: found)
    studies.button(
        f"Go on with the other {len(found.not_done)}",
        _study(make, settings, datasets, before=found),
        key="go-on-effects",
    )
    return found


def _study(
    make: _Make,
    settings: dict[str, Hashable],
    datasets: tuple[str, ...],
    *,
    before: DatasetEffects | None = None,
) -> Task:
    """Draw all datasets, or those that are missing: each has draws of its own."""
    rest = datasets if before is None else before.not_done
    n_before = len(datasets) - len(rest)

    def work(on_progress: Callable[[int, int], bool]) -> DatasetEffects:
        def told(done: int, _: int) -> bool:
            return on_progress(n_before + done, len(datasets))

        found = make(variance="bootstrap", datasets=rest, on_progress=told)
        return found if before is None else before.followed_by(found)

    return studies.study(
        KIND, settings, work, doing="Drawing resamples", unit="datasets", before=before
    )


def is_at_work() -> bool:
    """Whether resamples are being drawn."""
    return background.is_at_work(KIND)


def explain_none(effects: DatasetEffects) -> None:
    """Why no dataset has such an effect."""
    prose.lead("No dataset has such an effect.")
    _, b = state.systems()
    prose.problems("What stands in the way", left_out_lines(effects.left_out, b=b, remedy=True))


def combined(effects: DatasetEffects) -> CombinedEffects:
    """Every average and model of these effects."""
    level, tau2 = 1.0 - state.session().settings.alpha, asked_tau2()
    return state.kept(
        key_of("combined", effects),
        lambda: combine_effects(effects, confidence_level=level, tau2=tau2),
    )


def key_of(what: str, effects: DatasetEffects) -> tuple[Hashable, ...]:
    """The key of something that depends on these effects, on τ²'s estimate and on the level."""
    alpha = state.session().settings.alpha
    return what, effects.signature, effects.content, effects.complete, alpha, asked_tau2()


def groupings(effects: DatasetEffects) -> dict[str, dict[str, tuple[int, ...]]]:
    """Ways to group the datasets that the file offers."""
    loaded = state.session().loaded
    reading = None if loaded is None else loaded.data.reading
    found = {}
    for column, labels in ({} if reading is None else reading.dataset_labels).items():
        groups = groups_of([labels.get(name, "") for name in effects.datasets])
        # Groups of one dataset each would only repeat the datasets.
        if 1 < len(groups) < len(effects.datasets):
            found[column] = groups
    return found
