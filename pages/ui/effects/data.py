"""The effects of what is loaded, and the form that asks for them."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import streamlit as st

from core.data import EffectTable, ResultSet
from core.effects.dataset_effects import (
    CombinedEffects,
    DatasetEffects,
    combine_effects,
    effects_of_table,
    joined,
    score_differences,
)
from core.effects.from_results import DEFAULT_RESAMPLES, dataset_effects
from core.effects.heterogeneity import tau2_estimator, tau2_names
from core.effects.paired_effect import EFFECTS, effect_named, effects_of_scores
from core.metrics.registry import MEAN
from core.replicability.counting import groups_of
from core.sections.effects import left_out_lines
from core.validation import names_of
from core.words.formatting import sentence_case
from core.words.reading import unlike_metrics
from pages.ui.frame import prose, state, widgets
from pages.ui.frame.session import Data
from pages.ui.frame.widgets import RESAMPLES, SEED
from pages.ui.work import background
from pages.ui.work.background import Task

_VARIANCES = {"closed-form": "closed form", "bootstrap": "paired bootstrap"}
KIND = "effects"
_BOOTSTRAP = (
    RESAMPLES._replace(
        low=2,
        step=50,
        help="Søgaard (2013) takes 50, with which the variances are rough.",
        usual=DEFAULT_RESAMPLES,
    ),
    SEED,
)


def asked(data: Data) -> dict[str, Any]:
    """The arguments that the form holds; what the data do not allow is not asked."""
    usual = offered(data)[0]
    effect: str = state.value(_kind_key(data), usual)
    if effect not in offered(data):
        effect = usual
    return {
        "effect": effect,
        "maximum": _maximum(data)[-1] if effect_named(effect).needs_maximum else None,
    }


def by_bootstrap(data: ResultSet) -> bool:
    """Whether variances are to be drawn: those of metrics that are no means have no closed form."""
    needs = data.kind_of(state.metric()) != MEAN
    chosen: str = state.value(state.of_files("effect-variance"), "closed-form")
    return needs or chosen == "bootstrap"


def asked_of_bootstrap() -> dict[str, Any]:
    """How many resamples are asked for, and from which seed."""
    return widgets.asked(state.of_files("effect"), *_BOOTSTRAP)


def asked_tau2() -> str:
    """How the variance between datasets is to be estimated."""
    method: str = state.value(state.of_files("effect-tau2"), tau2_names()[0])
    return method


def metric(data: Data) -> str:
    """The metric that is compared; "" of one score per dataset."""
    return state.metric() if isinstance(data, ResultSet) else ""


def _maximum(data: Data) -> tuple[str, str, float | None]:
    """The widget of the highest possible score, what was typed there, and the number that it is."""
    # Another metric has another scale.
    key, number = state.of_file(f"effect-maximum-{metric(data)}"), np.nan
    typed = str(state.value(key, "")).strip()
    with suppress(ValueError):
        number = float(typed.replace(",", "."))
    return key, typed, number if np.isfinite(number) else None


def unlike(data: Data) -> dict[str, str]:
    """The metric of each dataset that is not left out, where these are not all the same."""
    return unlike_metrics(data.reading, state.chosen_datasets(data))


def _kind_key(data: Data) -> str:
    # What is usual for unlike metrics must not stay where the unlike ones are left out.
    return state.of_files("effect-kind-own" if unlike(data) else "effect-kind")


def offered(data: Data) -> tuple[str, ...]:
    """Effects that the data allow, the usual one first."""
    if isinstance(data, EffectTable):
        return ("difference",)
    has_spread = isinstance(data, ResultSet) and data.kind_of(state.metric()) == MEAN
    found = EFFECTS if has_spread else effects_of_scores()
    if unlike(data):
        # Unlike metrics have no highest score in common, by which a share could be taken.
        return names_of(each for each in found if not each.needs_maximum)[::-1]
    return names_of(found)


def form(data: Data, *, is_answered: bool) -> None:
    """The form behind a click; open while something other than the usual is asked."""
    has_variances = isinstance(data, (ResultSet, EffectTable))
    # One dataset has no variance between datasets.
    several = len(state.chosen_datasets(data)) > 1
    if isinstance(data, EffectTable) and not several:
        return
    usual = asked_tau2() == tau2_names()[0] and asked(data)["effect"] == offered(data)[0]
    with st.expander(
        "Another effect, variance or model" if has_variances else "Another effect",
        expanded=not is_answered or not usual,
        key="section-effect-form",
    ):
        if not isinstance(data, EffectTable):
            _effect(data)
        if isinstance(data, ResultSet):
            _variance(data)
        if has_variances and several:
            _between_datasets()


def _effect(data: Data) -> None:
    effect = widgets.choice(
        "Effect on each dataset",
        offered(data),
        key=_kind_key(data),
        words=lambda name: sentence_case(effect_named(name).title),
    )
    prose.paragraph(effect_named(effect).meaning, quiet=True)
    if not effect_named(effect).needs_maximum:
        return
    st.text_input(
        "Highest possible score, where the metric does not say it",
        key=_maximum(data)[0],
        placeholder="1, or 100 for percentages",
        persist_state="session",
    )
    _, typed, number = _maximum(data)
    if typed and number is None:
        prose.notice(f"“{typed[:40]}” is no number: type 1, or 100 for percentages.")


def _between_datasets() -> None:
    method = widgets.choice(
        "Variance between datasets (τ²) of random effects",
        tau2_names(),
        key=state.of_files("effect-tau2"),
        words=lambda name: tau2_estimator(name).title,
    )
    prose.paragraph(tau2_estimator(method).meaning, quiet=True)


def _variance(data: ResultSet) -> None:
    if data.kind_of(state.metric()) == MEAN:
        st.selectbox(
            "Variance of each effect",
            list(_VARIANCES),
            format_func=lambda kind: sentence_case(_VARIANCES[kind]),
            key=state.of_files("effect-variance"),
            help="In closed form, the variance of the examples' differences over their number. By "
            "bootstrap, that of the effect over resampled test sets; error reductions are ratios, "
            "for which the two differ a little.",
            persist_state="session",
        )
    if not by_bootstrap(data):
        return
    with widgets.row():
        widgets.ask(state.of_files("effect"), *_BOOTSTRAP)


def current(data: Data) -> DatasetEffects:
    """The effects; while a bootstrap is at work, the scores' differences alone."""
    a, b = state.systems()
    datasets = state.chosen_datasets(data)
    if isinstance(data, EffectTable):
        return state.computed(effects_of_table, data, datasets)
    given: dict[str, Any] = {"a": a, "b": b, **asked(data)}
    if not isinstance(data, ResultSet):
        return state.computed(score_differences, state.chosen_rows(data), **given)
    given |= {"metric": state.metric(), **asked_of_bootstrap()}
    bootstrap = by_bootstrap(data)
    found = _drawn(data, given, datasets) if bootstrap else None
    if found is not None:
        return found
    variance = "none" if bootstrap else "auto"
    return state.computed(dataset_effects, data, **given, variance=variance, datasets=datasets)


def _drawn(
    data: ResultSet, given: dict[str, Any], datasets: tuple[str, ...]
) -> DatasetEffects | None:
    """By bootstrap, in the background; what was finished before it was stopped is not drawn again."""

    def task(before: DatasetEffects | None) -> Task[DatasetEffects]:
        """Draw all datasets, or those that are missing: each has draws of its own."""
        rest = datasets if before is None else before.not_done

        def work(on_progress: Callable[[int, int], bool]) -> DatasetEffects:
            def told(done: int, n_left: int) -> bool:
                return on_progress(len(datasets) - n_left + done, len(datasets))

            how: dict[str, Any] = {"variance": "bootstrap", "datasets": rest, "on_progress": told}
            found = dataset_effects(data, **given, **how)
            return found if before is None else joined((before, found))

        settings = background.called({**given, "datasets": datasets})
        return Task(KIND, settings, work, doing="Drawing resamples", unit="datasets", before=before)

    background.begin_by_itself(task(None))
    found = background.answer(task(None), again=True)
    if found is not None and not found.complete:
        background.button(f"Go on with the other {len(found.not_done)}", task(found))
    return found


def explain_none(effects: DatasetEffects) -> None:
    """Why no dataset has such an effect."""
    prose.lead("No dataset has such an effect.")
    _, b = state.systems()
    prose.problems("What stands in the way", left_out_lines(effects, b=b, remedy=True))


def combined(effects: DatasetEffects) -> CombinedEffects:
    """Every average and model of these effects."""
    level, tau2 = 1.0 - state.session().settings.alpha, asked_tau2()
    return state.computed(combine_effects, effects, confidence_level=level, tau2=tau2)


def groupings(effects: DatasetEffects) -> dict[str, dict[str, tuple[int, ...]]]:
    """Ways to group the datasets that the file offers."""
    data, found = state.data(), {}
    reading = None if data is None else data.reading
    for column, labels in ({} if reading is None else reading.dataset_labels).items():
        groups = groups_of([labels.get(name, "") for name in effects.datasets])
        # Groups of one dataset each would only repeat the datasets.
        if 1 < len(groups) < len(effects.datasets):
            found[column] = groups
    return found
