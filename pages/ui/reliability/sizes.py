"""The section on sample size: parts of each dataset, and power at a stated difference."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.data import ResultSet
from core.reliability.sample_size import SubsampleStudy, subsample_significance
from core.sections import reliability as sections
from core.sections.parts import take_away
from core.words import reliability_sizes as words
from pages.ui.frame import prose, state, tables
from pages.ui.frame.sections import TOOLTIPS, section
from pages.ui.reliability import data as common
from pages.ui.results import parts
from pages.ui.work import studies
from pages.ui.work.background import Task


def show(data: ResultSet) -> None:
    """What random parts of each dataset would have said."""
    prose.paragraph(
        "Would fewer examples have given the same verdict? Random parts of each dataset are "
        "tested as if they were all there is."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_parts = studies.number(
            "Parts of each size",
            key="reliability-parts",
            value=100,
            low=10,
            high=2000,
            step=100,
            help=TOOLTIPS["subsample"],
        )
        resamples = studies.resamples("reliability-sizes-resamples", value=1000)
        seed = studies.seed("reliability-sizes")
    task = _study(data, parts=n_parts, resamples=resamples, seed=seed)
    studies.button("Draw parts of every dataset", task, key="run-sizes")
    found = studies.answer(task, SubsampleStudy)
    if found is not None:
        _answer(found.at(common.alpha()))
    section("As printed by Søgaard et al. (2014)", _printed, key="reliability-printed")


def _answer(found: SubsampleStudy) -> None:
    parts.show(sections.sizes_parts(found))
    by_name = {own.dataset: own for own in found.datasets}
    names = list(by_name)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = studies.dataset_choice(names, key="reliability-sizes-dataset")
        effect = st.number_input(
            "A difference A − B that would matter",
            value=None,
            format="%.4g",
            placeholder="none stated",
            key="reliability-effect",
            help=TOOLTIPS["power"],
            persist_state="session",
            width=300,
        )
    parts.show(sections.dataset_sizes_parts(by_name[chosen], effect))
    parts.show(take_away(found, name="subsamples"))


def _study(data: ResultSet, *, parts: int, resamples: int, seed: int) -> Task:
    (a, b), metric = state.systems(), state.metric()
    return studies.study(
        common.SIZES,
        {**common.compared(data), "parts": parts, "resamples": resamples, "seed": seed},
        partial(
            subsample_significance,
            data,
            a=a,
            b=b,
            metric=metric,
            alpha=common.alpha(),
            n_subsamples=parts,
            n_resamples=resamples,
            rng=seed,
            datasets=state.chosen_datasets(data),
        ),
        doing="Drawing parts",
        unit="parts",
        tried=(
            "sample sizes looked at",
            f"{a} and {b}, {metric}: {parts} parts of each size, seed {seed}",
        ),
    )


def _printed() -> None:
    tables.frame(words.printed_frame())
    prose.paragraph(words.ABOUT_PRINTED, quiet=True)
