"""Gain against confidence: the points, and the gain that is usually enough."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from core.charts.gain_confidence import gain_confidence as chart
from core.report import systems_gains as words
from core.report.formatting import display_name
from core.systems import GainConfidence, PairComparisons, Threshold, gain_confidence
from core.systems.gain_confidence import ORDERING_DOUBLES
from pages.ui.frame import downloads, figures, prose, state, tables
from pages.ui.frame.sections import section
from pages.ui.results import explanations
from pages.ui.systems import data as systems_data
from pages.ui.systems import table
from pages.ui.systems.groups import Grouping
from pages.ui.work import studies

_ALL = ""
# More points are a cloud, slow to draw.
_MOST_POINTS = 5_000
# A line for each class; of many groups they would fill a screen.
_MOST_SIGNATURES = 3


def show(pairs: PairComparisons, grouping: Grouping) -> None:
    """Points by class of pair, thresholds, and what speaks against a rule of thumb."""
    dataset = _choose_dataset(pairs)
    found = state.session().results.remember(
        systems_data.key_of("gains", pairs, grouping),
        lambda: gain_confidence(pairs, groups=grouping.mapping, detail=grouping.detail),
    )
    own = dataset or None
    thresholds: dict[str, Threshold] = state.session().results.remember(
        systems_data.key_of("thresholds", pairs, grouping, dataset),
        lambda: _thresholds(found, own),
    )
    metric = pairs.metrics[0]
    sentence = words.thresholds_sentence(thresholds, metric=metric, dataset=own)
    if any(one.value is not None for one in thresholds.values()):
        prose.paragraph(sentence, strong=True)
    else:
        prose.notice(sentence)
    points = _at_most(found, own)
    figures.show(
        partial(chart, points, thresholds=thresholds, dataset=own, metric=display_name(metric)),
        name="gain-confidence",
        alt=f"Gain against 1 − p of every pair. {sentence}",
    )
    if points is not found:
        prose.paragraph(
            f"Drawn are {_MOST_POINTS:,} of the pairs, chosen at random; the numbers are of all.",
            quiet=True,
        )
    warnings = words.warnings_of(thresholds)
    if warnings:
        prose.paragraph("What speaks against this as a rule of thumb:", strong=True)
        prose.bullets(warnings)
    table.show(words.thresholds_frame(thresholds), key="systems-thresholds", of="class")
    prose.paragraphs((words.WHAT_POINTS_ARE, ORDERING_DOUBLES, words.NOT_A_TEST), quiet=True)
    downloads.table(found.to_frame, name="gain-confidence")
    for pair_class, one in list(thresholds.items())[:_MOST_SIGNATURES]:
        explanations.signature(found.signature_of(one, pair_class=pair_class, dataset=own))
    section("As printed by Berg-Kirkpatrick et al. (2012)", _printed, key="systems-gains-printed")


def _thresholds(found: GainConfidence, dataset: str | None) -> dict[str, Threshold]:
    """The threshold of each class that has pairs: a group of one system has none."""
    there = set(np.unique(found.class_of).tolist())
    return {
        name: found.threshold(pair_class=name, dataset=dataset)
        for place, name in enumerate(found.classes)
        if place in there
    }


def _choose_dataset(pairs: PairComparisons) -> str:
    """One dataset, or all of them together; '' for all."""
    if len(pairs.datasets) == 1:
        return pairs.datasets[0]
    state.record("gains looked at", ", ".join(dict.fromkeys(pairs.metrics)))
    return studies.choice(
        "Dataset",
        [*pairs.datasets, _ALL],
        key="systems-gains-dataset",
        words=lambda name: display_name(name) if name else "all datasets together",
    )


def _at_most(found: GainConfidence, dataset: str | None) -> GainConfidence:
    place = None if dataset is None else found.datasets.index(dataset)
    own = np.arange(found.gains.size)
    if place is not None:
        own = np.flatnonzero(found.dataset_of == place)
    if own.size <= _MOST_POINTS:
        return found
    chosen = np.sort(np.random.default_rng(0).choice(own, size=_MOST_POINTS, replace=False))
    return replace(
        found,
        gains=found.gains[chosen],
        p_values=found.p_values[chosen],
        ahead=found.ahead[chosen],
        behind=found.behind[chosen],
        dataset_of=found.dataset_of[chosen],
        class_of=found.class_of[chosen],
    )


def _printed() -> None:
    tables.frame(words.printed_frame())
    prose.paragraph(words.PRINTED_SOURCE, quiet=True)
