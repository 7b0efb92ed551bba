"""Whether a system that is ahead with p around .05 is ahead elsewhere too."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.data import ResultSet
from core.sections import systems as sections
from core.systems.calibration import (
    AcrossCalibration,
    IidCalibration,
    calibrate_across,
    calibrate_iid,
)
from core.systems.comparisons import PairComparisons
from core.systems.gain_confidence import ORDERING_DOUBLES
from core.words import systems_gains as words
from core.words.formatting import display_name
from core.words.systems_gains import of_bootstrap
from pages.ui.frame import prose, state, tables
from pages.ui.frame.sections import section
from pages.ui.results import parts
from pages.ui.systems import data as systems_data
from pages.ui.systems import gains
from pages.ui.work import studies


def show(data: ResultSet, pairs: PairComparisons) -> None:
    """Within one dataset, from one to others, and what the paper prints."""
    prose.paragraph("New examples of the same kind", strong=True)
    _iid(data, pairs)
    prose.paragraph("Other datasets", strong=True)
    _across(pairs)
    prose.paragraph(ORDERING_DOUBLES, quiet=True)
    section("As printed by Berg-Kirkpatrick et al. (2012)", _printed, key="systems-across-printed")


def _iid(data: ResultSet, pairs: PairComparisons) -> None:
    prose.paragraph(words.IID_MEANING)
    reason = gains.unsuitable(data)
    if reason:
        prose.paragraph(reason)
        return
    prose.paragraphs(filter(None, [of_bootstrap(pairs.tests)]), quiet=True)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        dataset = studies.dataset_choice(state.chosen_datasets(data), key="systems-iid-dataset")
        n = data.n_examples(dataset)
        size = studies.number(
            "Examples of a test set", key="systems-iid-size", value=min(200, n), low=2, high=100_000
        )
        draws = studies.number("Test sets", key="systems-draws", value=50, low=1, high=2_000)
        resamples = studies.resamples(
            "systems-iid-resamples", value=9_999, low=999, high=200_000, step=10_000
        )
        seed = studies.seed("systems-iid")
    metric = state.metric()
    task = studies.study(
        systems_data.IID,
        {
            "dataset": dataset,
            "metric": metric,
            "examples": size,
            "test sets": draws,
            "resamples": resamples,
            "seed": seed,
        },
        partial(
            calibrate_iid,
            data,
            dataset,
            size,
            draws,
            metric=metric,
            n_resamples=resamples,
            rng=seed,
        ),
        doing="Drawing test sets",
        unit="test sets",
        tried=("calibration looked at", f"{dataset}, {metric}, {draws} test sets, seed {seed}"),
    )
    studies.button("Draw test sets", task, key="systems-run-iid")
    found = studies.answer(task, IidCalibration)
    if found is not None:
        parts.show(sections.iid_parts(found))


def _across(pairs: PairComparisons) -> None:
    prose.paragraph(words.ACROSS_MEANING)
    if len(pairs.datasets) == 1:
        prose.paragraph("There is one dataset, so there is no other to look at.")
        return
    source = studies.choice(
        "p-values from", pairs.datasets, key="systems-source", words=display_name
    )
    found: AcrossCalibration = state.session().results.remember(
        systems_data.key_of("across", pairs, source), lambda: calibrate_across(pairs, source)
    )
    state.record("calibration looked at", f"from {source}")
    parts.show(sections.across_parts(found))


def _printed() -> None:
    tables.frame(words.printed_bins_frame())
    prose.paragraph(words.PRINTED_TITLE, quiet=True)
