"""What the page about many systems works on: data, the comparison of all pairs and how long it takes, its form."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from core.data import PValueTable, ResultSet, ScoreTable
from core.sections.systems import PROMISE, withheld
from core.significance.choose import suitable_tests
from core.significance.known_tests import significance_test_named
from core.systems.all_pairs import chosen_test, compare_all_pairs
from core.systems.comparisons import PairComparisons, Standings, resamples_needed, standings
from core.systems.counting import CountMatrix, count_matrix
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
# Examples of a pair that is tested by resamples, or pairs of other tests: about two seconds' work by
# randomization. More waits to be asked for.
_MOST_BY_ITSELF = 40_000
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
    asked = settings(data)
    task = study(data, PAIRS, asked)
    if state.computed(_n_tested, data, asked) <= _MOST_BY_ITSELF:
        background.begin_by_itself(task)
    return background.answer(task)


def study(data: ResultSet, kind: str, asked: dict[str, Any]) -> Task[PairComparisons]:
    """A comparison of all pairs as it is asked."""
    return background.study(
        kind,
        partial(compare_all_pairs, data, **asked),
        doing="Comparing all pairs",
        unit="comparisons",
        tried="all pairs compared",
    )


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
        on_click=lambda: background.start(study(data, PAIRS, settings(data))),
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
    how = settings.counted_by
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


def _n_tested(data: ResultSet, asked: Mapping[str, Any]) -> int:
    """How many examples are gone through by tests that resample, and how many tests there are else."""
    found, m, metric = 0, len(data.systems), asked["metric"]
    # Ranks are found anew in each resample: 1,500 of them are the work of another example.
    times = 1 + asked["n_resamples"] // 1_500 if data.kind_of(metric) == "spearman" else 1
    for name in asked["datasets"]:
        test = asked["test"]
        if test == "auto":
            test = chosen_test(data, name, data.systems, metric)
        found += times * data.n_examples(name) if significance_test_named(test).resamples else 1
    return found * m * (m - 1) // 2
