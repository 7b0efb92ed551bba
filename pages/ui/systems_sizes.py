"""The gain that is usually enough against the size of the test set."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from core.charts.gain_confidence import thresholds_against_size
from core.data import ResultSet
from core.report import systems_gains as words
from core.report.formatting import display_name
from core.systems import ThresholdCurve, thresholds_by_size
from pages.ui import explanations, figures, prose, state, studies, systems_data
from pages.ui import reliability_data as common
from pages.ui.glossary import TOOLTIPS
from pages.ui.jobs import Progress
from pages.ui.systems_gains import choose_groups


def show(data: ResultSet) -> None:
    """Thresholds at several sizes, with the line that falls as 1/√n."""
    reason = unsuitable(data)
    if reason:
        prose.paragraph(reason)
        return
    prose.paragraph(
        "With fewer examples a larger gain is needed. Here all pairs are tested on the first "
        "examples and on random subsets of 100, 200, 400, … of them, by the paired bootstrap."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        dataset = common.choice(
            "Dataset", common.datasets(data), key="systems-sizes-dataset", words=display_name
        )
        groups = choose_groups(data.systems, key="systems-sizes-groups")
        subsets = common.number("Random subsets", key="systems-subsets", value=10, low=1, high=200)
        resamples = common.number(
            "Resamples",
            key="systems-sizes-resamples",
            value=9_999,
            low=999,
            high=200_000,
            step=10_000,
            help=TOOLTIPS["resample"],
        )
        seed = common.seed("systems-sizes")
    settings: dict[str, Hashable] = {
        "dataset": dataset,
        "metric": state.metric(),
        "groups": groups,
        "subsets": subsets,
        "resamples": resamples,
        "seed": seed,
    }
    st.button(
        "Test parts of this dataset", key="systems-run-sizes", on_click=_run, args=(data, settings)
    )
    found = studies.ended(systems_data.SIZES, settings)
    if isinstance(found, ThresholdCurve):
        _answer(found)


def unsuitable(data: ResultSet) -> str:
    """Why examples cannot be drawn one by one from these data; '' where they can."""
    if data.clusters is not None:
        return "The examples belong together in clusters, so single ones cannot be drawn."
    if state.metric() not in data.metrics:
        return "This metric is made of all labels together, not of a score for each example."
    return ""


def _answer(found: ThresholdCurve) -> None:
    sentence = words.sizes_sentence(found)
    prose.paragraph(sentence, strong=True)
    if not found.complete:
        prose.notice(f"Stopped after {len(found.sizes)} of {found.n_asked} sizes.")
    figures.show(
        lambda theme: thresholds_against_size(
            found, metric=display_name(found.metric), theme=theme
        ),
        name="thresholds-by-size",
        alt=f"The gain that is usually enough against the number of examples. {sentence}",
    )
    common.table(words.sizes_frame(found))
    prose.paragraph(words.SIZES_PRINTED, quiet=True)
    prose.paragraph(words.NOT_A_TEST, quiet=True)
    common.download(found.to_frame, name="thresholds-by-size")
    explanations.signature(found.signature)


def _run(data: ResultSet, settings: dict[str, Hashable]) -> None:
    dataset, metric, groups = (str(settings[k]) for k in ("dataset", "metric", "groups"))
    subsets, resamples, seed = (int(str(settings[k])) for k in ("subsets", "resamples", "seed"))

    def work(progress: Progress) -> ThresholdCurve:
        return thresholds_by_size(
            data,
            dataset,
            n_subsets=subsets,
            metric=metric,
            groups=groups or None,
            n_resamples=resamples,
            rng=seed,
            on_progress=progress,
        )

    state.record("gains by size looked at", f"{dataset}, {metric}, seed {seed}")
    studies.start(systems_data.SIZES, settings, work, doing="Testing parts", unit="parts")
