"""Groups of systems, the gain that is usually enough, and whether a system ahead with p around .05 is ahead elsewhere too."""

import re
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from core.data import ResultSet
from core.sections import gains as sections
from core.sections.runs import domains_parts
from core.systems.comparisons import PairComparisons
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
from pages.ui.frame import prose, state, widgets
from pages.ui.frame.widgets import GLOSSARY, RESAMPLES, SEED, Field, choice
from pages.ui.results import parts
from pages.ui.systems import data as systems_data
from pages.ui.work import background
from pages.ui.work.background import Task

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
    offered = [*_separators(systems), _NO_GROUPS]
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


def _separators(systems: tuple[str, ...]) -> list[str]:
    """Characters that every name has, and that make fewer groups than systems, but several."""
    return [
        mark
        for mark in _SEPARATORS
        if all(mark in name for name in systems)
        and 1 < len(set(groups_before(systems, mark).values())) < len(systems)
    ]


def _by_hand(systems: tuple[str, ...]) -> dict[str, str]:
    """Groups as written in a grid, which begins with what stands first in each name."""
    written, begun, editor = map(state.of_file, (_WRITTEN, _BASE, _EDITOR))
    base: dict[str, str] | None = state.value(begun)
    # The grid keeps changes to what it began with; one that was left begins with what is kept.
    if base is None or state.value(editor) is None:
        base = state.value(written) or _guessed(systems)
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


def _guessed(systems: tuple[str, ...]) -> dict[str, str]:
    pattern = "[" + re.escape("".join(_SEPARATORS)) + "]"
    return {name: re.split(pattern, name, maxsplit=1)[0] or name for name in systems}


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
        systems_data.SIZES,
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
        systems_data.ONE_SIZE,
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
        systems_data.IID,
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
