"""The comparison of all pairs of many systems and its form; groups of systems, and what gain is usually enough."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from core.data import PValueTable, ResultSet, ScoreTable
from core.sections import gains as sections
from core.sections.runs import domains_parts
from core.sections.systems import PROMISE, withheld
from core.significance.choose import suitable_tests
from core.significance.known_tests import significance_test_named
from core.systems.all_pairs import chosen_test, compare_all_pairs
from core.systems.comparisons import PairComparisons, Standings, resamples_needed, standings
from core.systems.counting import CountMatrix, count_matrix
from core.systems.gain_confidence import (
    DETAILS,
    FEWEST_PAIRS,
    ORDERING_DOUBLES,
    GainConfidence,
    gain_confidence,
    groups_before,
)
from core.systems.sizes import ThresholdCurve, calibrate_iid, thresholds_by_size
from core.words.formatting import display_name
from core.words.testing import title_of_test
from pages.ui.frame import limits, prose, state, widgets
from pages.ui.frame.widgets import GLOSSARY, RESAMPLES, SEED, Field, choice
from pages.ui.intake import loading
from pages.ui.results import parts
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
from core.systems.gain_confidence import synthetic_systems

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


_SEPARATORS = (":", "/", "_", "-", ".", " ")
_NO_GROUPS, _BY_HAND = "", "by hand"
# Of fewer, classes of pairs are too small to say anything.
_FEW_SYSTEMS = 15
_WRITTEN = "systems-groups-written"
_BASE, _EDITOR = "systems-groups-base", "systems-groups-editor"
_CHOSEN = "systems-groups-chosen"
_ALL = ""
# Of fewer examples thresholds are those of chance.
_FEWEST_EXAMPLES = 20
_USUAL_SIZE = 200
_SUBSETS = Field("n_subsets", "Random subsets", 1, 200, usual=10)
_RESAMPLES = RESAMPLES._replace(low=999, high=200_000, step=10_000)
_TEST_SETS = Field("n_draws", "Test sets", 1, 2_000, usual=50)


class Grouping(NamedTuple):
    """Each system with its group, None without groups; and which classes of pairs they make."""

    mapping: dict[str, str] | None
    detail: str


def choose_groups(systems: tuple[str, ...]) -> Grouping:
    """Ask for the groups of systems, and say which there are."""
    # Every name has it, and it makes fewer groups than systems, but several.
    separators = [
        mark
        for mark in _SEPARATORS
        if all(mark in name for name in systems)
        and 1 < len(set(groups_before(systems, mark).values())) < len(systems)
    ]
    offered = [*separators, _NO_GROUPS]
    if len(systems) < _FEW_SYSTEMS:
        offered = [_NO_GROUPS, *offered[:-1]]
    detail = next(iter(DETAILS))
    with widgets.row():
        how = choice(
            "Groups of systems",
            [*offered, _BY_HAND],
            key=state.of_file("systems-groups"),
            words=lambda mark: _mark(mark, systems),
        )
        if how:
            detail = choice(
                "Colour pairs by",
                tuple(DETAILS),
                key=state.of_file("systems-detail"),
                words=DETAILS.__getitem__,
            )
    groups: dict[str, str] = {}
    if how:
        groups = _by_hand(systems) if how == _BY_HAND else groups_before(systems, how)
        prose.paragraph(sections.groups_sentence(groups), quiet=True)
    found = Grouping(groups or None, detail)
    state.widget(state.of_file(_CHOSEN), found)
    return found


def chosen_groups() -> Grouping:
    """The groups as the Systems page has them, for who tells of them elsewhere."""
    found: Grouping | None = state.value(state.of_file(_CHOSEN))
    return found or Grouping(None, next(iter(DETAILS)))


def _mark(mark: str, systems: tuple[str, ...]) -> str:
    if mark in (_NO_GROUPS, _BY_HAND):
        return "as I assign them" if mark else "no groups"
    groups = list(dict.fromkeys(groups_before(systems, mark).values()))
    shown = ", ".join(display_name(name)[:20] for name in groups[:3])
    word = "blank" if mark == " " else f"“{mark}”"
    return f"before the first {word}: {shown}{' …' if len(groups) > 3 else ''}"


def _by_hand(systems: tuple[str, ...]) -> dict[str, str]:
    """Groups as written in a grid, which begins with what stands first in each name."""
    written, begun, editor = map(state.of_file, (_WRITTEN, _BASE, _EDITOR))
    base: dict[str, str] | None = state.value(begun)
    # The grid keeps changes to what it began with; one that was left begins with what is kept.
    if base is None or state.value(editor) is None:
        marks = f"[{re.escape(''.join(_SEPARATORS))}]"
        guessed = {name: re.split(marks, name, maxsplit=1)[0] or name for name in systems}
        base = state.value(written) or guessed
        state.widget(begun, base)
    prose.paragraph(
        "Write each system's group, or paste a column of them from a spreadsheet. A system without "
        "one is in the group of its own name.",
        quiet=True,
    )
    edited = st.data_editor(
        pd.DataFrame({"system": list(systems), "group": [base[name] for name in systems]}),
        key=editor,
        hide_index=True,
        disabled=["system"],
        height="content" if len(systems) <= 12 else 420,
        width=520,
        column_config={
            "system": st.column_config.TextColumn(pinned=True),
            "group": st.column_config.TextColumn(help=GLOSSARY["group of systems"], max_chars=60),
        },
    )
    given = ["" if group is None else str(group).strip() for group in edited["group"]]
    groups = dict(zip(systems, given, strict=True))
    state.widget(written, groups)
    return {system: group or system for system, group in groups.items()}


def against_confidence(pairs: PairComparisons, grouping: Grouping) -> None:
    """Points by class of pair, thresholds, and what speaks against a rule of thumb."""
    dataset = _choose_dataset(pairs)
    found = state.computed(gain_confidence, pairs, groups=grouping.mapping, detail=grouping.detail)
    own = dataset or None
    thresholds = state.computed(GainConfidence.thresholds, found, dataset=own)
    parts.show(sections.gains_parts(found, thresholds, metric=pairs.metrics[0], dataset=own))


def _choose_dataset(pairs: PairComparisons) -> str:
    """One dataset, or all of them together; '' for all."""
    if len(pairs.datasets) == 1:
        return pairs.datasets[0]
    state.record("gains looked at", ", ".join(dict.fromkeys(pairs.metrics)))
    return widgets.choice(
        "Dataset",
        [*pairs.datasets, _ALL],
        key=state.of_file("systems-gains-dataset"),
        words=lambda name: display_name(name) if name else "all datasets together",
    )


def by_size(data: ResultSet, pairs: PairComparisons, grouping: Grouping) -> None:
    """Thresholds at several sizes of one dataset, and at one size of every dataset."""
    reason = unsuitable(data) or _too_few(data)
    if reason:
        prose.paragraph(reason)
        return
    _against_size(data, pairs, grouping)
    if len(state.chosen_datasets(data)) > 1:
        prose.paragraph("Every dataset at one size", strong=True)
        _at_one_size(data, grouping)


def unsuitable(data: ResultSet) -> str:
    """Why examples cannot be drawn one by one from these data; '' where they can."""
    if data.clusters is not None:
        return "The examples belong together in clusters, so single ones cannot be drawn."
    if state.metric() not in data.metrics:
        return "This metric is made of all labels together, not of a score for each example."
    return ""


def _too_few(data: ResultSet) -> str:
    m = len(data.systems)
    n_pairs = m * (m - 1) // 2
    if n_pairs >= FEWEST_PAIRS:
        return ""
    return (
        f"No rule of thumb: {m} systems make {n_pairs} pairs, and it needs at least {FEWEST_PAIRS}."
    )


def _against_size(data: ResultSet, pairs: PairComparisons, grouping: Grouping) -> None:
    prose.paragraph(
        "With fewer examples a larger gain is needed. Here all pairs are tested on the first "
        "examples and on random subsets of 100, 200, 400, … of them."
    )
    prose.paragraphs(filter(None, [sections.of_bootstrap(pairs.tests)]), quiet=True)
    with widgets.row():
        dataset = widgets.dataset_choice(
            state.chosen_datasets(data), key=state.of_file("systems-sizes-dataset")
        )
        how = widgets.ask(state.of_files("systems-sizes"), _SUBSETS, _RESAMPLES, SEED)
    metric = state.metric()
    background.offered(
        "Test parts of this dataset",
        SIZES,
        partial(_thresholds, data, dataset=dataset, metric=metric, groups=grouping, **how),
        unit="parts",
        tried="gains by size looked at",
        parts=sections.sizes_parts,
    )


def _thresholds(
    data: ResultSet, dataset: str, *, groups: Grouping, size: int | None = None, **how: Any
) -> ThresholdCurve:
    """At several sizes, or at one of random subsets."""
    if size is not None:
        how = {**how, "sizes": [size], "selections": ["random"]}
    return thresholds_by_size(data, dataset, groups=groups.mapping, detail=groups.detail, **how)


def _at_one_size(data: ResultSet, grouping: Grouping) -> None:
    """A threshold for each dataset, all of as many examples, so that sizes do not mix in."""
    names = state.chosen_datasets(data)
    smallest = min(data.n_examples(name) for name in names)
    if smallest < _FEWEST_EXAMPLES:
        prose.paragraph(
            f"The smallest dataset has {smallest} examples: too few for a threshold of any. Leave it "
            "out on the Upload page to compare the others."
        )
        return
    prose.paragraph(
        "Of every dataset random subsets of as many examples are tested by the paired bootstrap, so "
        "that what differs is the datasets and not their sizes."
    )
    with widgets.row():
        size = Field(
            "size", "Examples", _FEWEST_EXAMPLES, smallest, usual=min(_USUAL_SIZE, smallest)
        )
        how = widgets.ask(state.of_file("systems-one-size"), size, _SUBSETS, _RESAMPLES, SEED)
    metric = state.metric()
    one = partial(_thresholds, data, metric=metric, groups=grouping, **how)
    task: Task[background.OfEach[ThresholdCurve]] = Task(
        ONE_SIZE,
        background.called({"datasets": names, **one.keywords}),
        partial(background.of_each, names, one),
        unit="parts",
        tried="gains of every dataset at one size looked at",
        parts=lambda found: sections.one_size_parts(
            list(found.values()), data, complete=found.complete
        ),
    )
    background.offer("Test every dataset at this size", task)


def calibration(data: ResultSet, pairs: PairComparisons) -> None:
    """Within one dataset, from one to others, and what the paper prints."""
    prose.paragraph("New examples of the same kind", strong=True)
    _iid(data, pairs)
    prose.paragraph("Other datasets", strong=True)
    _across(pairs)
    prose.paragraph(ORDERING_DOUBLES, quiet=True)


def _iid(data: ResultSet, pairs: PairComparisons) -> None:
    prose.paragraph(
        "One large dataset is taken as the truth, and test sets are drawn from it. Among pairs with p "
        "around .05, how often is the system ahead that is ahead on the whole dataset? "
        "Berg-Kirkpatrick et al. (2012) print 92% of 942 such tests."
    )
    reason = unsuitable(data)
    if reason:
        prose.paragraph(reason)
        return
    prose.paragraphs(filter(None, [sections.of_bootstrap(pairs.tests)]), quiet=True)
    with widgets.row():
        dataset = widgets.dataset_choice(
            state.chosen_datasets(data), key=state.of_file("systems-iid-dataset")
        )
        usual = min(_USUAL_SIZE, data.n_examples(dataset))
        size = Field("size", "Examples of a test set", 2, 100_000, usual=usual)
        how = widgets.ask(state.of_file("systems-iid"), size, _TEST_SETS, _RESAMPLES, SEED)
    metric = state.metric()
    background.offered(
        "Draw test sets",
        IID,
        partial(calibrate_iid, data, dataset=dataset, metric=metric, **how),
        unit="test sets",
        tried="calibration looked at",
        parts=sections.iid_parts,
    )


def _across(pairs: PairComparisons) -> None:
    prose.paragraph(
        "How often is the system that is ahead on one dataset also ahead on another, by the p-value on "
        "the first? No p-value promises that: the examples are of another kind."
    )
    if len(pairs.datasets) == 1:
        prose.paragraph("There is one dataset, so there is no other to look at.")
        return
    source = widgets.choice(
        "p-values from", pairs.datasets, key=state.of_file("systems-source"), words=display_name
    )
    state.record("calibration looked at", f"from {source}")
    alpha = state.session().settings.alpha
    parts.show(state.computed(domains_parts, pairs, alpha=alpha, source=source))
