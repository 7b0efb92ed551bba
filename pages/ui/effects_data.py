"""The effects of what is loaded, as the page's form asks for them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from core.data import EffectTable, PValueTable, ResultSet, ScoreTable
from core.effects import (
    DEFAULT_RESAMPLES,
    DatasetEffects,
    dataset_effects,
    effects_of_table,
    score_differences,
)
from core.effects.combined import CombinedEffects, combine_effects
from core.effects.effect_list import EffectName
from core.metrics.registry import MEAN
from core.replicability.groups import groups_of
from core.report.effects import EFFECT_MEANINGS, EFFECT_NAMES
from pages.ui import limits, prose, state, studies
from pages.ui.jobs import Progress
from pages.ui.session import Data

_KIND = "effects"
_MOST_RESAMPLES = 100_000
_VARIANCES = {"closed-form": "closed form", "bootstrap": "paired bootstrap"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the form holds.

    Attributes
    ----------
    effect : str
        Which effect.
    bootstrap : bool
        Whether variances come from a bootstrap.
    n_resamples, seed : int
        Of it.
    maximum : float or None
        The highest possible score, where it was said.
    """

    effect: EffectName = "difference"
    bootstrap: bool = False
    n_resamples: int = DEFAULT_RESAMPLES
    seed: int = 0
    maximum: float | None = None


def chosen_datasets(data: Data) -> tuple[str, ...]:
    """Those that are not left out."""
    excluded = state.session().settings.excluded
    return tuple(name for name in data.datasets if name not in excluded)


def chosen_rows(data: PValueTable | ScoreTable) -> PValueTable | ScoreTable:
    """A table without the datasets that are left out."""
    left_out = [name for name in state.session().settings.excluded if name in data.datasets]
    return data.without(left_out) if left_out else data


def is_dependent() -> bool:
    """Whether nobody has said that the datasets are independent."""
    return state.session().settings.dependence != "independent"


def asked(data: Data) -> Asked:
    """What is asked for now; what the data do not allow is not asked."""
    effect: EffectName = state.value("effect-kind", "difference")
    if effect not in offered(data):
        effect = "difference"
    needs = isinstance(data, ResultSet) and data.kind_of(state.metric()) != MEAN
    return Asked(
        effect=effect,
        bootstrap=isinstance(data, ResultSet)
        and (needs or state.value("effect-variance", "closed-form") == "bootstrap"),
        n_resamples=int(state.value("effect-resamples", DEFAULT_RESAMPLES)),
        seed=int(state.value("effect-seed", 0)),
        maximum=_maximum() if effect == "error-reduction" else None,
    )


def _maximum() -> float | None:
    text = str(state.value("effect-maximum", "")).strip().replace(",", ".").removesuffix("%")
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def offered(data: Data) -> tuple[EffectName, ...]:
    """Effects that the data allow."""
    if isinstance(data, EffectTable):
        return ("difference",)
    if isinstance(data, ResultSet) and data.kind_of(state.metric()) == MEAN:
        return ("difference", "error-reduction", "standardised")
    return ("difference", "error-reduction")


def current(data: Data, wanted: Asked) -> DatasetEffects | None:
    """The effects; None where none can be made, or while they are worked on."""
    a, b = state.systems()
    datasets = chosen_datasets(data)
    if isinstance(data, ResultSet):
        return _of_results(data, wanted, a, b, datasets)
    if isinstance(data, EffectTable):
        return effects_of_table(data).only(datasets)
    return score_differences(
        chosen_rows(data), a=a, b=b, effect=wanted.effect, maximum=wanted.maximum
    )


def _of_results(
    data: ResultSet, wanted: Asked, a: str, b: str, datasets: tuple[str, ...]
) -> DatasetEffects | None:
    work = partial(
        dataset_effects,
        data,
        a=a,
        b=b,
        metric=state.metric(),
        effect=wanted.effect,
        variance="bootstrap" if wanted.bootstrap else "auto",
        n_resamples=wanted.n_resamples,
        rng=wanted.seed,
        datasets=datasets,
        maximum=wanted.maximum,
    )
    settings: dict[str, Hashable] = {
        "A": a,
        "B": b,
        "metric": state.metric(),
        "datasets": datasets,
        "effect": wanted,
    }
    if not wanted.bootstrap:
        key = (state.session().n_loaded, _KIND, tuple(settings.values()))
        return state.session().results.remember(key, work)
    study = studies.latest(_KIND)
    # What was stopped stays stopped until something else is asked for.
    if study is None or study.settings != settings:
        studies.start(
            _KIND, settings, _with_progress(work), doing="Drawing resamples", unit="datasets"
        )
    found = studies.ended(_KIND, settings)
    return found if isinstance(found, DatasetEffects) else None


def _with_progress(work: Callable[..., DatasetEffects]) -> Callable[[Progress], DatasetEffects]:
    return lambda progress: work(on_progress=progress)


def explain_none(effects: DatasetEffects) -> None:
    """Why no dataset has such an effect."""
    prose.lead("No dataset has such an effect.")
    prose.problems("Each dataset's reason", [f"{o.dataset}: {o.reason}." for o in effects.left_out])


def combined(effects: DatasetEffects) -> CombinedEffects:
    """Every average and model of these effects."""
    alpha = state.session().settings.alpha
    key = (state.session().n_loaded, "combined", effects.signature, effects.datasets, alpha)
    return state.session().results.remember(
        key, lambda: combine_effects(effects, confidence_level=1.0 - alpha)
    )


def groupings(effects: DatasetEffects) -> dict[str, dict[str, tuple[int, ...]]]:
    """Ways to group the datasets that the file offers."""
    loaded = state.session().loaded
    reading = None if loaded is None else loaded.data.reading
    found = {}
    for column, labels in ({} if reading is None else reading.dataset_labels).items():
        groups = groups_of([labels.get(name, "") for name in effects.datasets])
        if len(groups) > 1:
            found[column] = groups
    return found


def form(data: Data) -> None:
    """Which effect, and how sure each is said to be."""
    kinds = offered(data)
    if len(kinds) > 1:
        effect = st.selectbox(
            "Effect on each dataset",
            kinds,
            format_func=lambda kind: EFFECT_NAMES[kind][:1].upper() + EFFECT_NAMES[kind][1:],
            key="effect-kind",
            persist_state="session",
        )
        prose.paragraph(EFFECT_MEANINGS[effect], quiet=True)
        if effect == "error-reduction":
            st.text_input(
                "Highest possible score, where the metric does not say it",
                key="effect-maximum",
                placeholder="1, or 100 for percentages",
                persist_state="session",
            )
    if not isinstance(data, ResultSet):
        return
    if data.kind_of(state.metric()) == MEAN:
        st.selectbox(
            "Variance of each effect",
            list(_VARIANCES),
            format_func=lambda kind: _VARIANCES[kind][:1].upper() + _VARIANCES[kind][1:],
            key="effect-variance",
            help="In closed form, the variance of the examples' differences over their number. By "
            "bootstrap, that of the effect over resampled test sets; error reductions are ratios, "
            "for which the two differ a little.",
            persist_state="session",
        )
    if asked(data).bootstrap:
        with st.container(horizontal=True):
            st.number_input(
                "Resamples",
                min_value=2,
                max_value=_MOST_RESAMPLES,
                value=DEFAULT_RESAMPLES,
                step=50,
                key="effect-resamples",
                help="Søgaard (2013) takes 50, with which the variances are rough.",
                persist_state="session",
                width=150,
            )
            st.number_input(
                "Seed",
                min_value=0,
                max_value=limits.LARGEST_SEED,
                step=1,
                value=0,
                key="effect-seed",
                persist_state="session",
                width=150,
            )
