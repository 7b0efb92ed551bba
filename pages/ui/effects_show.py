"""The average effect: sentence, forest plot, tables, and what they hang on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import pandas as pd
import streamlit as st

from core.charts.forest import forest
from core.charts.forest_rows import forest_rows
from core.effects import (
    FEWEST_FOR_EXPERIMENT,
    DatasetEffects,
    PredictionExperiment,
    distribution_tests,
    group_analyses,
    leave_one_out,
    prediction_experiment,
)
from core.effects.combined import CombinedEffects
from core.effects.distributions import FEWEST_FOR_DISTRIBUTIONS
from core.report import effects as words
from pages.ui import effects_data, explanations, figures, limits, prose, state, studies
from pages.ui.jobs import Progress
from pages.ui.sections import section

_EXPERIMENT = "prediction"
_ORDERS = {"file": "as in the file", "effect": "by effect", "size": "by number of examples"}
_NO_GROUPS = "no groups"
_TALL = 25


def lead(combined: CombinedEffects) -> None:
    """The answer, how far datasets differ, and what limits it."""
    a, b = state.systems()
    prose.lead(words.lead_sentence(combined, a=a, b=b))
    differing = words.differing_sentence(combined)
    if differing:
        prose.paragraph(differing)
    prose.paragraph(words.NOT_A_COUNT, quiet=True)
    for caution in words.cautions(combined, dependent=effects_data.is_dependent()):
        prose.notice(caution)


def plot(combined: CombinedEffects) -> None:
    """The forest plot, with how to sort and group it."""
    effects = combined.effects
    orders = [key for key in _ORDERS if key != "size" or effects.n_examples is not None]
    by_column = effects_data.groupings(effects)
    with st.container(horizontal=True):
        order = st.selectbox(
            "Sorted",
            orders,
            format_func=lambda key: _ORDERS[key],
            key="effect-order",
            persist_state="session",
            width=220,
        )
        column = _NO_GROUPS
        if by_column:
            column = st.selectbox(
                "Grouped by",
                [_NO_GROUPS, *by_column],
                key="effect-groups",
                persist_state="session",
                width=220,
            )
    groups = by_column.get(column, {})
    places = _ordered(effects, order)
    rows = forest_rows(combined, order=places, groups=groups)
    a, b = state.systems()
    level = words.level_text(combined.macro.confidence_level)
    figures.show(
        lambda theme: forest(
            rows, effect_label=words.effect_label(effects), level=level, theme=theme
        ),
        name="forest",
        alt=f"Forest plot. {words.lead_sentence(combined, a=a, b=b)}",
    )
    _table(words.combined_frame(combined))
    if groups and combined.random is not None:
        _between_groups(combined, groups)


def _ordered(effects: DatasetEffects, order: str) -> list[int]:
    places = list(range(effects.n_datasets))
    if order == "effect":
        return sorted(places, key=lambda i: -float(effects.effects[i]))
    if order == "size" and effects.n_examples is not None:
        sizes = effects.n_examples
        return sorted(places, key=lambda i: -int(sizes[i]))
    return places


def _between_groups(combined: CombinedEffects, groups: dict[str, tuple[int, ...]]) -> None:
    effects = combined.effects
    assert effects.variances is not None
    group_of = {i: name for name, members in groups.items() for i in members}
    own = [i for i in combined.weighed if i in group_of]
    if len({group_of[i] for i in own}) < 2:
        return
    found = group_analyses(
        effects.effects[own],
        effects.variances[own],
        [group_of[i] for i in own],
        confidence_level=combined.macro.confidence_level,
    )
    prose.paragraph(words.groups_sentence(found))


def details(combined: CombinedEffects) -> None:
    """Everything behind a click."""
    effects = combined.effects
    order = _ordered(effects, str(state.value("effect-order", "file")))
    section(
        "Every dataset: effect, interval, weight",
        lambda: _datasets(combined, order),
        key="effect-datasets",
    )
    if combined.random is not None and combined.random.n_datasets > 2:
        section(
            "Which dataset does it hang on?", lambda: _influence(combined), key="effect-influence"
        )
    if effects.n_datasets >= FEWEST_FOR_DISTRIBUTIONS:
        section(
            "Do the effects follow a known distribution?",
            lambda: _distributions(effects),
            key="effect-distributions",
        )
    if len(combined.weighed) >= FEWEST_FOR_EXPERIMENT:
        section(
            "Which average predicts new datasets best?",
            lambda: _experiment(combined),
            key="effect-experiment",
        )
    section("How these are computed", lambda: _how(combined), key="effect-how")


def _datasets(combined: CombinedEffects, order: Sequence[int]) -> None:
    frame = words.effects_frame(combined, order)
    _table(frame)
    st.download_button(
        "Download these numbers (CSV)",
        data=lambda: combined.effects.to_frame().to_csv(index=False).encode("utf-8"),
        file_name="effects.csv",
        mime="text/csv",
        on_click="ignore",
        key="download-effects",
    )


def _influence(combined: CombinedEffects) -> None:
    effects = combined.effects
    own = list(combined.weighed)
    assert effects.variances is not None
    found = leave_one_out(
        effects.effects[own],
        effects.variances[own],
        confidence_level=combined.macro.confidence_level,
    )
    datasets = [effects.datasets[i] for i in own]
    prose.paragraph(words.influence_sentence(found, datasets), strong=True)
    _table(words.influence_frame(found, datasets))
    prose.paragraph("Random effects, with Hartung and Knapp's interval.", quiet=True)


def _distributions(effects: DatasetEffects) -> None:
    try:
        found = distribution_tests(effects.effects)
    except ValueError:
        prose.paragraph("All effects are equal: there is no distribution to test.")
        return
    prose.bullets(words.distribution_sentences(found))
    prose.paragraph(
        "By Anderson and Darling's test, with location and scale fitted to the same effects. With "
        "few datasets nearly every distribution passes.",
        quiet=True,
    )


def _experiment(combined: CombinedEffects) -> None:
    prose.paragraph(
        "Søgaard (2013): some datasets are drawn, their effects are averaged in each way, and the "
        "result is compared with the mean effect of 5 others that were held out."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_repetitions = st.number_input(
            "Repetitions",
            min_value=5,
            max_value=5000,
            value=20,
            step=20,
            key="effect-repetitions",
            help="Søgaard (2013) takes 20.",
            persist_state="session",
            width=150,
        )
        seed = st.number_input(
            "Seed",
            min_value=0,
            max_value=limits.LARGEST_SEED,
            step=1,
            value=0,
            key="effect-experiment-seed",
            persist_state="session",
            width=150,
        )
        effects = combined.effects
        settings: dict[str, Hashable] = {
            "repetitions": int(n_repetitions),
            "seed": int(seed),
            "effects": (effects.signature, effects.datasets),
        }
        st.button("Run", on_click=_run, args=(combined, settings), key="effect-run")
    found = studies.ended(_EXPERIMENT, settings)
    if isinstance(found, PredictionExperiment):
        prose.paragraph(words.experiment_sentence(found), strong=True)
        _table(words.experiment_frame(found))
        explanations.signature(found.signature)


def _run(combined: CombinedEffects, settings: dict[str, Hashable]) -> None:
    effects, own = combined.effects, list(combined.weighed)
    assert effects.variances is not None
    values, within = effects.effects[own], effects.variances[own]
    sizes = None if effects.n_examples is None else effects.n_examples[own]
    n_repetitions, seed = settings["repetitions"], settings["seed"]
    assert isinstance(n_repetitions, int)
    assert isinstance(seed, int)

    def work(progress: Progress) -> PredictionExperiment:
        return prediction_experiment(
            values, within, sizes, n_repetitions=n_repetitions, rng=seed, on_progress=progress
        )

    studies.start(_EXPERIMENT, settings, work, doing="Drawing datasets", unit="draws")


def _how(combined: CombinedEffects) -> None:
    if combined.random is not None:
        prose.paragraph(words.heterogeneity_line(combined.random))
    names = dict.fromkeys(words.combined_frame(combined)["combined by"])
    prose.bullets(
        [f"{name}: {words.MODEL_MEANINGS[name]}" for name in names if name in words.MODEL_MEANINGS]
    )


def _table(frame: pd.DataFrame) -> None:
    st.dataframe(frame, hide_index=True, height="content" if len(frame) <= _TALL else 600)
