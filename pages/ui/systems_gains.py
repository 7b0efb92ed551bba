"""Gain against confidence: the points, and the gain that is usually enough."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from core.charts.gain_confidence import gain_confidence as chart
from core.report import systems_gains as words
from core.report.formatting import display_name
from core.systems import GainConfidence, PairComparisons, Threshold, gain_confidence
from core.systems.gain_confidence import ORDERING_DOUBLES
from pages.ui import explanations, figures, prose, state, systems_data
from pages.ui import reliability_data as common
from pages.ui.sections import section

_SEPARATORS = (":", "/", "_", "-", ".", " ")
_NO_GROUPS = ""
_ALL = ""
# Of fewer, classes of pairs are too small to say anything.
_FEW_SYSTEMS = 15
# More points are a cloud, slow to draw.
_MOST_POINTS = 5_000


def show(pairs: PairComparisons) -> None:
    """Points by class of pair, thresholds, and what speaks against a rule of thumb."""
    with st.container(horizontal=True):
        dataset = choose_dataset(pairs)
        separator = choose_groups(pairs.systems)
    found = state.session().results.remember(
        systems_data.key_of("gains", pairs, separator),
        lambda: gain_confidence(pairs, groups=separator or None),
    )
    own = dataset or None
    thresholds: dict[str, Threshold] = state.session().results.remember(
        systems_data.key_of("thresholds", pairs, separator, dataset),
        lambda: found.thresholds(dataset=own),
    )
    metric = pairs.metrics[0]
    sentence = words.thresholds_sentence(thresholds, metric=metric, dataset=own)
    prose.paragraph(sentence, strong=True)
    prose.notice(ORDERING_DOUBLES)
    prose.bullets(words.warnings_of(thresholds))
    points = _at_most(found, own)
    figures.show(
        lambda theme: chart(
            points, thresholds=thresholds, dataset=own, metric=display_name(metric), theme=theme
        ),
        name="gain-confidence",
        alt=f"Gain against 1 − p of every pair. {sentence}",
    )
    if points is not found:
        prose.paragraph(
            f"Drawn are {_MOST_POINTS:,} of the pairs, chosen at random; the numbers are of all.",
            quiet=True,
        )
    common.table(words.thresholds_frame(thresholds))
    prose.paragraph(words.WHAT_POINTS_ARE, quiet=True)
    prose.paragraph(words.NOT_A_TEST, quiet=True)
    common.download(found.to_frame, name="gain-confidence")
    for pair_class, one in thresholds.items():
        explanations.signature(found.signature_of(one, pair_class=pair_class, dataset=own))
    section("As printed by Berg-Kirkpatrick et al. (2012)", _printed, key="systems-gains-printed")


def choose_dataset(pairs: PairComparisons) -> str:
    """One dataset, or all of them together; '' for all."""
    if len(pairs.datasets) == 1:
        return pairs.datasets[0]
    state.record("gains looked at", ", ".join(dict.fromkeys(pairs.metrics)))
    return common.choice(
        "Dataset",
        [*pairs.datasets, _ALL],
        key="systems-gains-dataset",
        words=lambda name: display_name(name) if name else "all datasets together",
    )


def choose_groups(systems: tuple[str, ...], *, key: str = "systems-groups") -> str:
    """By what the systems are grouped: what stands before a character of their names."""
    offered = [_NO_GROUPS, *_separators(systems)]
    if len(offered) == 1:
        return _NO_GROUPS
    return common.choice(
        "Groups of systems",
        offered if len(systems) < _FEW_SYSTEMS else [*offered[1:], _NO_GROUPS],
        key=key,
        words=lambda mark: _mark(mark, systems),
    )


def _mark(mark: str, systems: tuple[str, ...]) -> str:
    if not mark:
        return "no groups"
    groups = list(dict.fromkeys(name.split(mark, 1)[0] for name in systems))
    shown = ", ".join(display_name(name)[:20] for name in groups[:3])
    word = {" ": "blank"}.get(mark, f"“{mark}”")
    return f"before the first {word}: {shown}{' …' if len(groups) > 3 else ''}"


def _separators(systems: tuple[str, ...]) -> list[str]:
    """Characters that every name has, and that make fewer groups than systems, but several."""
    found = []
    for mark in _SEPARATORS:
        if all(mark in name for name in systems):
            groups = {name.split(mark, 1)[0] for name in systems}
            if 1 < len(groups) < len(systems):
                found.append(mark)
    return found


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
    common.table(words.printed_frame())
    prose.paragraph(words.PRINTED_SOURCE, quiet=True)
