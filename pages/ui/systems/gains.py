"""The gain that is usually enough, and whether a system ahead with p around .05 is ahead elsewhere too."""

from __future__ import annotations

from functools import partial
from typing import Any

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
from core.systems.gain_confidence import ORDERING_DOUBLES, gain_confidence
from core.systems.sizes import ThresholdCurve, thresholds_by_size
from core.systems.threshold import FEWEST_PAIRS, Threshold
from core.words import systems_gains as words
from core.words.formatting import display_name
from core.words.systems_gains import of_bootstrap
from pages.ui.frame import prose, state, tables, widgets
from pages.ui.frame.widgets import section
from pages.ui.results import parts
from pages.ui.systems import data as systems_data
from pages.ui.systems.groups import Grouping
from pages.ui.work import study

_ALL = ""
# Of fewer examples thresholds are those of chance.
_FEWEST_EXAMPLES = 20
_USUAL_SIZE = 200


def against_confidence(pairs: PairComparisons, grouping: Grouping) -> None:
    """Points by class of pair, thresholds, and what speaks against a rule of thumb."""
    dataset = _choose_dataset(pairs)
    found = state.session().results.remember(
        systems_data.key_of("gains", pairs, grouping),
        lambda: gain_confidence(pairs, groups=grouping.mapping, detail=grouping.detail),
    )
    own = dataset or None
    thresholds: dict[str, Threshold] = state.session().results.remember(
        systems_data.key_of("thresholds", pairs, grouping, dataset),
        lambda: sections.threshold_classes(found, own),
    )
    parts.show(sections.gains_parts(found, thresholds, metric=pairs.metrics[0], dataset=own))
    section(
        "As printed by Berg-Kirkpatrick et al. (2012)", _printed_gains, key="systems-gains-printed"
    )


def _choose_dataset(pairs: PairComparisons) -> str:
    """One dataset, or all of them together; '' for all."""
    if len(pairs.datasets) == 1:
        return pairs.datasets[0]
    state.record("gains looked at", ", ".join(dict.fromkeys(pairs.metrics)))
    return widgets.choice(
        "Dataset",
        [*pairs.datasets, _ALL],
        key="systems-gains-dataset",
        words=lambda name: display_name(name) if name else "all datasets together",
    )


def _printed_gains() -> None:
    tables.frame(words.printed_frame())
    prose.paragraph(words.PRINTED_SOURCE, quiet=True)


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
    prose.paragraphs(filter(None, [words.of_bootstrap(pairs.tests)]), quiet=True)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        dataset = widgets.dataset_choice(state.chosen_datasets(data), key="systems-sizes-dataset")
        how = _how(key="systems-sizes")
    metric = state.metric()
    task = study.task(
        systems_data.SIZES,
        {"dataset": dataset, "metric": metric, "groups": grouping, **how},
        partial(thresholds_by_size, data, dataset, **_asked(how, metric, grouping)),
        doing="Testing parts",
        unit="parts",
        tried=("gains by size looked at", f"{dataset}, {metric}, seed {how['seed']}"),
    )
    found = study.offer("Test parts of this dataset", task, ThresholdCurve, key="systems-run-sizes")
    if found is not None:
        parts.show(sections.sizes_parts(found))


def _how(*, key: str) -> dict[str, int]:
    subsets = widgets.number("Random subsets", key=f"{key}-subsets", value=10, low=1, high=200)
    resamples = widgets.resamples(
        f"{key}-resamples", value=9_999, low=999, high=200_000, step=10_000
    )
    return {"subsets": subsets, "resamples": resamples, "seed": widgets.seed(key)}


def _asked(how: dict[str, int], metric: str, grouping: Grouping) -> dict[str, Any]:
    return {
        "n_subsets": how["subsets"],
        "metric": metric,
        "groups": grouping.mapping,
        "detail": grouping.detail,
        "n_resamples": how["resamples"],
        "rng": how["seed"],
    }


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
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = widgets.number(
            "Examples",
            key="systems-one-size",
            value=min(_USUAL_SIZE, smallest),
            low=_FEWEST_EXAMPLES,
            high=smallest,
        )
        how = _how(key="systems-one-size")
    metric = state.metric()
    one = partial(
        thresholds_by_size,
        data,
        sizes=[size],
        selections=["random"],
        **_asked(how, metric, grouping),
    )
    task = study.task(
        systems_data.ONE_SIZE,
        {"datasets": names, "metric": metric, "groups": grouping, "examples": size, **how},
        partial(study.of_each, names, one),
        doing="Testing parts",
        unit="parts",
        tried=(
            "gains by size looked at",
            f"every dataset at {size}, {metric}, seed {how['seed']}",
        ),
    )
    found = study.offer(
        "Test every dataset at this size", task, study.OfEach, key="systems-run-one-size"
    )
    if found is not None:
        parts.show(sections.one_size_parts(list(found.values()), data, complete=found.complete))


def calibration(data: ResultSet, pairs: PairComparisons) -> None:
    """Within one dataset, from one to others, and what the paper prints."""
    prose.paragraph("New examples of the same kind", strong=True)
    _iid(data, pairs)
    prose.paragraph("Other datasets", strong=True)
    _across(pairs)
    prose.paragraph(ORDERING_DOUBLES, quiet=True)
    section(
        "As printed by Berg-Kirkpatrick et al. (2012)",
        _printed_calibration,
        key="systems-across-printed",
    )


def _iid(data: ResultSet, pairs: PairComparisons) -> None:
    prose.paragraph(words.IID_MEANING)
    reason = unsuitable(data)
    if reason:
        prose.paragraph(reason)
        return
    prose.paragraphs(filter(None, [of_bootstrap(pairs.tests)]), quiet=True)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        dataset = widgets.dataset_choice(state.chosen_datasets(data), key="systems-iid-dataset")
        n = data.n_examples(dataset)
        size = widgets.number(
            "Examples of a test set", key="systems-iid-size", value=min(200, n), low=2, high=100_000
        )
        draws = widgets.number("Test sets", key="systems-draws", value=50, low=1, high=2_000)
        resamples = widgets.resamples(
            "systems-iid-resamples", value=9_999, low=999, high=200_000, step=10_000
        )
        seed = widgets.seed("systems-iid")
    metric = state.metric()
    task = study.task(
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
    found = study.offer("Draw test sets", task, IidCalibration, key="systems-run-iid")
    if found is not None:
        parts.show(sections.iid_parts(found))


def _across(pairs: PairComparisons) -> None:
    prose.paragraph(words.ACROSS_MEANING)
    if len(pairs.datasets) == 1:
        prose.paragraph("There is one dataset, so there is no other to look at.")
        return
    source = widgets.choice(
        "p-values from", pairs.datasets, key="systems-source", words=display_name
    )
    found: AcrossCalibration = state.session().results.remember(
        systems_data.key_of("across", pairs, source), lambda: calibrate_across(pairs, source)
    )
    state.record("calibration looked at", f"from {source}")
    parts.show(sections.across_parts(found))


def _printed_calibration() -> None:
    tables.frame(words.printed_bins_frame())
    prose.paragraph(words.PRINTED_TITLE, quiet=True)
