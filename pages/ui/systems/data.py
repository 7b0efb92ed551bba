"""What the page about many systems works on: data, the comparison of all pairs and how long it takes, its form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.data import PValueTable, ResultSet, ScoreTable
from core.metrics.registry import CORRELATIONS, MEAN
from core.significance.choose import suitable_tests
from core.significance.known_tests import is_bootstrap, significance_test_named
from core.systems.all_pairs import chosen_test, compare_all_pairs
from core.systems.comparisons import PairComparisons, Standings, resamples_needed, standings
from core.systems.counting import CountMatrix, count_matrix
from core.words.systems_board import PROMISE, withheld
from core.words.testing import title_of_test
from pages.ui.frame import limits, prose, state, widgets
from pages.ui.frame.widgets import RESAMPLES, SEED, Field
from pages.ui.intake import loading
from pages.ui.work import background
from pages.ui.work.background import Task

PAIRS, SIZES, IID = "all-pairs", "thresholds-by-size", "calibration-iid"
ONE_SIZE = "thresholds-at-one-size"
FAMILY = "systems-family-chosen"
FEWEST_SYSTEMS = 3
# Beyond it the comparison waits to be asked for.
_SECONDS_BY_ITSELF = 2.0
# What the comparison keeps: all p-values, at most 400 MiB of them.
_MOST_P_VALUES = 400 * 2**20 // 8
# Of the samples, what has many systems.
_FOLDER = "systems/"
# What remarks of the reading say where something is missing here.
_LEFT_OUT = ("not read", "left out")
_SYNTHETIC_CALL = """from core import compare_all_pairs
from core.systems.synthetic import synthetic_systems

def fit_predict(places, rng):
    # Fit the model on these training examples (some of them several times), and give
    # one score for each test example: 1 where it is right, 0 where it is not.
    ...

models = {"my model": fit_predict}
made = synthetic_systems(models, n_training_examples, dataset="my test set", rng=0)
pairs = compare_all_pairs(made)"""
# Rough costs of one pair on one dataset, as measured: of tests without resamples, of randomization
# for each example, of a metric that is no mean, and of each cluster or, with ranks anew, each example
# in each resample.
_SECONDS_AT_ONCE, _SECONDS_OF_EXAMPLE, _SECONDS_OF_METRIC = 4e-5, 5e-5, 0.1
_SECONDS_OF_CLUSTER_AND_RESAMPLE = 1.2e-8
_SECONDS_OF_CORRELATION: Mapping[str, float] = {"spearman": 4e-8, "pearson": 6e-9}
# Of the bootstrap, which all pairs share.
_SECONDS_OF_BOOTSTRAP = 8e-9


def require_many() -> ResultSet | ScoreTable:
    """Results or scores of three or more systems, or what this page needs; then the page stops."""
    data = state.data()
    if not isinstance(data, ResultSet | ScoreTable) or len(data.systems) < FEWEST_SYSTEMS:
        prose.paragraph(PROMISE)
        if isinstance(data, ResultSet | ScoreTable | PValueTable):
            prose.paragraph(
                "Your data have two systems. The Counting and Effect size pages compare them."
            )
        elif data is not None:
            prose.paragraph("Your data are effects, without systems to rank.")
        prose.paragraph(
            "This page needs results on every example from three or more systems. With one score per "
            "system and dataset, it shows ranks alone."
        )
        loading.ask(
            "Load results of several systems on the Upload page →",
            lambda sample: sample.file_name.startswith(_FOLDER),
        )
        st.stop()
    return data


def settings(data: ResultSet) -> dict[str, Any]:
    """The arguments of the comparison, as the form and the sidebar hold them."""
    test = state.value(state.of_file("systems-test"), "auto")
    return {
        "datasets": state.chosen_datasets(data),
        "metric": state.metric(),
        "test": test if test in offered_tests(data) else "auto",
        **widgets.asked(*_fields(data)),
    }


def _fields(data: ResultSet) -> tuple[str, Field, Field]:
    usual = resamples_needed(len(data.datasets), n_systems=len(data.systems))
    resamples = RESAMPLES._replace(
        high=limits.MAX_RESAMPLES,
        step=10_000,
        help="Of tests that are not exact on these scores. All pairs share them, so that few would "
        "shift all p-values together.",
        usual=usual,
    )
    # What is usual for few systems must not stay where the file is read with more.
    return state.of_files(f"systems-{usual}"), resamples, SEED


def not_read(data: ResultSet | ScoreTable) -> tuple[str, ...]:
    """What the reading of the file left out, which may be a system."""
    remarks = () if data.reading is None else data.reading.remarks
    return tuple(one for one in remarks if any(said in one.casefold() for said in _LEFT_OUT))


def offered_tests(data: ResultSet) -> tuple[str, ...]:
    """Tests that suit the metric."""
    metric = state.metric()
    return (
        "auto",
        *suitable_tests(
            data.kind_of(metric),
            zero_one=data.has_outcomes(metric),
            clustered=data.clusters is not None,
        ),
    )


def too_many(data: ResultSet) -> bool:
    """Whether the p-values of all pairs would not fit."""
    return len(state.chosen_datasets(data)) * len(data.systems) ** 2 > _MOST_P_VALUES


def current(data: ResultSet) -> PairComparisons | None:
    """All pairs compared as asked; what is quick is begun at once."""
    if too_many(data):
        return None
    task = _study(data)
    if seconds(data) < _SECONDS_BY_ITSELF:
        background.begin_by_itself(task)
    return background.answer(task)


def compared_with() -> Mapping[str, Any]:
    """The settings with which all pairs were last compared."""
    run = background.latest(PAIRS)
    assert run is not None
    held: Mapping[str, Any] = run.task.settings
    return held


def _study(data: ResultSet) -> Task[PairComparisons]:
    asked = settings(data)
    return background.study(
        PAIRS,
        partial(compare_all_pairs, data, **asked),
        doing="Comparing all pairs",
        unit="comparisons",
        tried="all pairs compared",
    )


def seconds(data: ResultSet) -> float:
    """About how long the comparison will take."""
    return state.computed(_estimated_seconds, data, settings(data))


def form(data: ResultSet) -> None:
    """Which test, how many resamples, which seed."""
    with widgets.row():
        key = state.of_file("systems-test")
        widgets.choice("Test", offered_tests(data), key=key, words=title_of_test)
        widgets.ask(*_fields(data))
    st.button(
        "Compare all pairs",
        key="systems-run",
        type="primary",
        on_click=lambda: background.start(_study(data)),
    )


def family(pairs: PairComparisons) -> str:
    """What the counts are about: as the headline, unless resamples are too few for that."""
    chosen: str | None = state.value(state.of_file(FAMILY))
    if chosen is not None:
        return chosen
    return "pair" if withheld(counts(pairs, "all")) else "all"


def counts(pairs: PairComparisons, family: str) -> CountMatrix:
    """The matrix of counts at the level of the sidebar."""
    settings = state.session().settings
    how: str = "bonferroni" if family == "all" else settings.counted_by
    return state.computed(count_matrix, pairs, alpha=settings.alpha, combination=how, family=family)


def ranked(pairs: PairComparisons) -> Standings:
    """Ranks and wins."""
    return state.computed(standings, pairs)


def explain_synthetic() -> None:
    """How more systems are made where few exist."""
    prose.paragraphs(
        (
            "A threshold needs many pairs, and few tasks have many systems. Berg-Kirkpatrick et al. "
            "(2012) make more: each base model is fitted again and again on training sets drawn from "
            "its own, of full, half and quarter size. Variants of one model are alike, so their "
            "pairs need smaller gains than pairs of different models: group them by what stands "
            "before the colon in their names.",
            "Models are fitted where they live, so this is a call of the library; write the scores "
            "to a file and load it here.",
        )
    )
    st.code(_SYNTHETIC_CALL, language="python", wrap_lines=True)
    prose.paragraph(
        "The sample “Synthetic systems” was made so, from two models and the digits that come with "
        "scikit-learn.",
        quiet=True,
    )


def _estimated_seconds(data: ResultSet, asked: Mapping[str, Any]) -> float:
    """About how long all pairs will take, by the tests that are really run."""
    metric, resamples = asked["metric"], asked["n_resamples"]
    kind, m = data.kind_of(metric), len(data.systems)
    n_pairs = m * (m - 1) // 2
    total = 0.0
    for name in asked["datasets"]:
        test = asked["test"]
        if test == "auto":
            test = chosen_test(data, name, data.systems, metric)
        labels = data.clusters_of(name)
        n = data.n_examples(name) if labels is None else len(set(np.asarray(labels).tolist()))
        of_pair = _SECONDS_AT_ONCE
        if kind in CORRELATIONS and significance_test_named(test).resamples:
            of_pair = _SECONDS_OF_CORRELATION[kind] * resamples * data.n_examples(name)
        elif is_bootstrap(test):
            of_pair = _SECONDS_OF_BOOTSTRAP * resamples * n * (1.0 + m / 50.0) / n_pairs
        elif labels is not None:
            # Whole clusters are drawn anew for each pair.
            of_pair = _SECONDS_OF_CLUSTER_AND_RESAMPLE * resamples * n
        elif significance_test_named(test).resamples:
            of_pair = _SECONDS_OF_EXAMPLE * n if kind == MEAN else _SECONDS_OF_METRIC
        total += n_pairs * of_pair
    return total
