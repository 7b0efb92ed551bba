"""Gains: how large one is usually enough, with how many examples, and whether it holds on new ones."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..charts.systems import gain_confidence as gains_chart
from ..charts.systems import thresholds_against_size
from ..data import ResultSet
from ..shown import stacked
from ..significance.known_tests import significance_test_named
from ..systems.gain_confidence import (
    ALL,
    BAND,
    DIFFERENT,
    FEWEST_PAIRS,
    ORDERING_DOUBLES,
    SAME,
    GainConfidence,
    Threshold,
)
from ..systems.sizes import (
    ALL_EXAMPLES,
    SELECTIONS,
    IidCalibration,
    ThresholdAtSize,
    ThresholdCurve,
)
from ..types import grouped
from ..words.formatting import (
    Frame,
    counted,
    display_name,
    format_level,
    format_share,
    frame_of,
    joined,
    list_names,
    minus,
    sentence_case,
)
from ..words.testing import title_of_test
from .parts import (
    Download,
    Paragraph,
    Part,
    Signature,
    Table,
    charted,
    paragraphs,
    stopped_parts,
    take_away,
)

_NOT_A_TEST = "This does not replace a test: it is about these systems and this test set."
# More are given by the smallest and the largest of them.
_MOST_CLASSES = 3
_MOST_GROUPS = 8
# Each dataset has a threshold of its own, whose interval is a bootstrap.
MOST_DATASETS = 30
# More points are a cloud, slow to draw.
_MOST_POINTS = 5_000
# A line for each class; of many groups they would fill a screen.
_MOST_SIGNATURES = 3
# A pair is tested again on each dataset, or each part of one.
_NEAR_LEVEL = f"tests with {format_level(BAND[0])} < p < {format_level(BAND[1])}"
_OF_CLASS = {
    ALL: "",
    SAME: " between systems of the same group",
    DIFFERENT: " between systems of different groups",
}


def gains_parts(
    points: GainConfidence, found: Mapping[str, Threshold], *, metric: str, dataset: str | None
) -> tuple[Part, ...]:
    """Points by class of pair, thresholds, and what speaks against a rule of thumb."""
    sentence = thresholds_sentence(found, metric=metric, dataset=dataset)
    known = any(one.value is not None for one in found.values())
    drawn = _at_most(points, dataset)
    warnings = warnings_of(found)
    parts: list[Part] = [
        Paragraph(text=sentence, tone="strong" if known else "caution"),
        charted(
            "gain-confidence",
            "Gain against 1 − p of every pair",
            sentence,
            gains_chart,
            drawn,
            thresholds=found,
            dataset=dataset,
            metric=display_name(metric),
        ),
    ]
    if drawn is not points:
        text = f"Drawn are {_MOST_POINTS:,} of the pairs, chosen at random; the numbers are of all."
        parts.append(Paragraph(text=text, tone="quiet"))
    parts += paragraphs(*warnings, tone="caution")
    if known:
        parts.append(
            Table(
                frame=_frame([({"pairs": display_name(name)}, own) for name, own in found.items()]),
                caption="The gain from which p < .05 is usual: the 95th percentile of the gains of "
                "pairs with .04 < p < .06, its interval from resamples of systems.",
                name="thresholds",
                of="class",
            )
        )
    points_are = (
        "Each point is a pair: its gain against 1 − p. The gain that is usually enough is the 95th "
        "percentile of the gains of pairs with .04 < p < .06. Its interval resamples systems, as "
        "pairs share systems."
    )
    printed = (
        "Berg-Kirkpatrick, Burkett and Klein (2012) print as the gain at which p < .05 becomes usual, "
        "for variants of one model and for different models: 1.20 and 1.51 UAS in dependency parsing, "
        ".47 and .57 F1 in constituency parsing, .28 and .37 BLEU in translation, .50 and 1.12 AER in "
        "word alignment; 1.10 ROUGE for variants in summarization."
    )
    notes = (points_are, ORDERING_DOUBLES, _NOT_A_TEST, printed)
    signatures = [
        Signature(line=points.signature_of(one, pair_class=name, dataset=dataset))
        for name, one in list(found.items())[:_MOST_SIGNATURES]
    ]
    return (
        *parts,
        *paragraphs(*notes, tone="quiet"),
        Download(write=points.to_frame, name="gain-confidence"),
        *signatures,
    )


def _at_most(points: GainConfidence, dataset: str | None) -> GainConfidence:
    """As many points as a chart can show, at random."""
    own = np.arange(points.gains.size)
    if dataset is not None:
        own = np.flatnonzero(points.dataset_of == points.pairs.datasets.index(dataset))
    if own.size <= _MOST_POINTS:
        return points
    chosen = np.sort(np.random.default_rng(0).choice(own, size=_MOST_POINTS, replace=False))
    fields = ("gains", "p_values", "ahead", "behind", "dataset_of", "class_of")
    return replace(points, **{name: getattr(points, name)[chosen] for name in fields})


def number(value: float) -> str:
    """Three significant digits."""
    return minus(f"{value:.3g}")


def thresholds_sentence(
    found: Mapping[str, Threshold], *, metric: str, dataset: str | None = None
) -> str:
    """The gain that is usually enough in each class; or that there is none, and why."""
    where = "" if dataset is None else f"On {display_name(dataset)} "
    known = {name: own.value for name, own in found.items() if own.value is not None}
    if not known:
        name, most = max(found.items(), key=lambda one: one[1].n_distinct_pairs)
        even = f", not even{of_class(name)}" if of_class(name) else ""
        reason = f"{most.reason[:1].lower()}{most.reason[1:]}"
        return sentence_case(f"{where}no rule of thumb{even}: {reason}")
    named = list(known)
    if len(known) > _MOST_CLASSES:
        named = [end(known, key=known.__getitem__) for end in (min, max)]
    gains = ", and of ".join(
        f"{number(known[name])}{of_class(name)} ({rests_on(found[name])})" for name in named
    )
    text = f"{where}a gain in {display_name(metric)} of {gains} is usually enough for p < .05."
    if len(named) < len(found):
        text += f" The table has all {len(found)} classes of pairs."
    return sentence_case(text)


def rests_on(own: Threshold) -> str:
    """On how many pairs a threshold rests, and within what it lies."""
    cases = counted(own.n_distinct_pairs, "pair")
    if own.n_pairs != own.n_distinct_pairs:
        cases = f"{own.n_pairs:,} cases of {cases}"
    if own.interval is not None:
        return f"{cases}, interval {ends_of(own)}"
    return f"{cases}, {f'{ends_of(own)}, ' if own.step is not None else ''}no interval"


def ends_of(own: Threshold) -> str:
    """Within what a threshold lies, as a cell of a table."""
    if own.interval is not None:
        return f"{number(own.interval[0])} to {number(own.interval[1])}"
    return "–" if own.step is None else f"in steps of {number(own.step)}"


def of_class(name: str) -> str:
    """A class of pairs as it stands after a gain: " between systems of the same group"; '' of all."""
    return _OF_CLASS.get(name, f" within {display_name(name)}")


def _frame(rows: Sequence[tuple[Mapping[str, object], Threshold]]) -> Frame:
    """A row for each threshold behind what it is of; a column that says nothing of any is left out."""
    frame = frame_of(
        [
            {
                **of,
                "usually enough": "–" if own.value is None else number(own.value),
                "95% interval": ends_of(own),
                _NEAR_LEVEL: own.n_pairs,
                "pairs of systems in them": own.n_distinct_pairs,
                "systems in them": own.n_systems,
                "moved by resampling": "–"
                if own.monte_carlo_range is None
                else " to ".join(map(number, own.monte_carlo_range)),
                "why there is none": own.reason,
            }
            for of, own in rows
        ]
    )
    silent = {"moved by resampling": "–", "why there is none": ""}
    return frame.drop(
        columns=[name for name, no in silent.items() if rows and (frame[name] == no).all()]
    )


def by_dataset_parts(points: GainConfidence) -> tuple[Part, ...]:
    """Each dataset's own threshold, where there is one."""
    rows = [
        ({"dataset": dataset, "pairs": display_name(name)}, own)
        for dataset in points.pairs.datasets
        for name, own in points.thresholds(dataset=dataset).items()
        if own.value is not None
    ]
    if not rows:
        return ()
    caption = "The gain from which p < .05 is usual, by dataset; none where too few pairs lie around p = .05."
    table = Table(frame=_frame(rows), caption=caption, name="thresholds-by-dataset", of="dataset")
    return table.printed()


def warnings_of(found: Mapping[str, Threshold]) -> tuple[str, ...]:
    """Why a threshold is a poor rule of thumb, a sentence each; one of several classes once."""
    classes = grouped((one, name) for name, own in found.items() for one in own.warnings)
    if len(found) < 2:
        return tuple(classes)
    said = []
    for one, names in classes.items():
        start = list_names(names, most=_MOST_CLASSES)
        said.append(f"{sentence_case(start)}: {one[:1].lower()}{one[1:]}")
    return tuple(said)


def groups_sentence(groups: Mapping[str, str]) -> str:
    """Which groups there are, the largest first, with how many systems each has."""
    sizes = Counter(groups.values())
    listed = [f"{name} ({n})" for name, n in sizes.most_common() if n > 1]
    alone = sum(n == 1 for n in sizes.values())
    if not listed:
        return "No two systems are in one group, so there are only pairs of different groups."
    text = f"{counted(len(listed), 'group')}: {list_names(listed, most=_MOST_GROUPS)}."
    if len(sizes) == 1:
        return f"{text} All systems are in it, so no two are of different groups."
    if alone:
        text += f" {counted(alone, 'system')} {'is' if alone == 1 else 'are'} in no group."
    return text


def sizes_parts(found: ThresholdCurve) -> tuple[Part, ...]:
    """The gain that is usually enough against the number of examples of one dataset."""
    sentence, rows = sizes_sentence(found), []
    for point in found.points:
        fit = found.fit(point.selection, point.pair_class)
        of = {
            "examples": point.size,
            "drawn": SELECTIONS.get(point.selection, "all examples"),
            "pairs": display_name(point.pair_class),
            "c/√n": "–" if fit is None else number(fit.at(point.size)),
        }
        rows.append((of, point.threshold))
    printed = (
        "Berg-Kirkpatrick et al. (2012) print, for parsing the Brown corpus, a gain of 3.00 F1 with "
        "100 sentences and .22 with all 24,000."
    )
    return (
        Paragraph(text=sentence, tone="strong"),
        *stopped_parts(len(found.sizes), found.n_asked, "sizes"),
        charted(
            "thresholds-by-size",
            "The gain that is usually enough against the number of examples",
            sentence,
            thresholds_against_size,
            found,
            metric=display_name(found.metric),
        ),
        Table(frame=_frame(rows), name="thresholds-by-size", of="size"),
        *paragraphs(printed, _NOT_A_TEST, tone="quiet"),
        *take_away(found.to_frame, found.signature, name="thresholds-by-size"),
    )


def sizes_sentence(curve: ThresholdCurve) -> str:
    """The gain that is usually enough at the smallest and the largest size, and how it falls."""
    dataset = display_name(curve.dataset)
    known = [point for point in curve.points if point.threshold.value is not None]
    if not known:
        return (
            f"No size of {dataset} has enough pairs around p = .05 for a rule of thumb. More systems "
            "would give more pairs."
        )
    own = [point for point in known if point.pair_class == known[-1].pair_class]
    own = [point for point in own if point.selection in ("random", ALL_EXAMPLES)] or own
    first, last = own[0], own[-1]
    text = sentence_case(
        f"{of_class(first.pair_class)} a gain in {display_name(curve.metric)} of {_enough(first)} is "
        f"usually enough with {first.size:,} examples of {dataset}".strip()
    )
    if last.size != first.size:
        text += f", one of {_enough(last)} with {last.size:,}"
    fit = curve.fit(first.selection, first.pair_class)
    if fit is None or fit.slope is None or fit.n_sizes <= 2:
        return f"{text}."
    return (
        f"{text}. Where it falls as 1/√n, four times the examples halve it; here the slope on log "
        f"axes is {minus(f'{fit.slope:.2f}')} (1/√n has −0.50)."
    )


def _enough(point: ThresholdAtSize, *within: str) -> str:
    """A threshold, and what it is of and rests on."""
    assert point.threshold.value is not None
    rest = "; ".join((*within, rests_on(point.threshold)))
    return f"{number(point.threshold.value)} ({rest})"


def of_bootstrap(tests: Sequence[str]) -> str:
    """That parts are tested by the paired bootstrap, where other tests were chosen; else ''."""
    others = [name for name in dict.fromkeys(tests) if not significance_test_named(name).bootstraps]
    if not others:
        return ""
    return (
        "Every part is tested by the paired bootstrap, although the matrix above uses "
        f"{joined([title_of_test(name) for name in others])}, so the numbers may differ from those of "
        "the whole dataset there."
    )


def one_size_parts(
    curves: Sequence[ThresholdCurve], data: ResultSet, *, complete: bool = True
) -> tuple[Part, ...]:
    """A threshold for each dataset, all of as many examples, so that sizes do not mix in."""
    # The study's, which the form may have left.
    size = curves[0].sizes[0]
    rows = []
    for curve in curves:
        for point in curve.points:
            of = {
                "dataset": display_name(curve.dataset),
                "examples there": data.n_examples(curve.dataset),
                "tested": point.size,
                "pairs": display_name(point.pair_class),
            }
            rows.append((of, point.threshold))
    text = f"Stopped after {counted(len(curves), 'dataset')}: the others are missing."
    return (
        Paragraph(text=one_size_sentence(curves, size), tone="strong"),
        *(() if complete else (Paragraph(text=text, tone="caution"),)),
        Table(frame=_frame(rows), name="thresholds-at-one-size", of="dataset"),
        Download(
            write=lambda: stacked([one.to_frame().assign(dataset=one.dataset) for one in curves]),
            name="thresholds-at-one-size",
            what="the thresholds by dataset",
        ),
        Signature(line=curves[0].signature, of="the first dataset; the others differ in its name"),
    )


def one_size_sentence(curves: Sequence[ThresholdCurve], size: int) -> str:
    """At one size on every dataset: from which to which gain is usually enough."""
    points = [(curve.dataset, point) for curve in curves for point in curve.points]
    known = [(p.threshold.value, name, p) for name, p in points if p.threshold.value is not None]
    sets = len(curves)
    where = f"With {size:,} examples of "
    where += display_name(curves[0].dataset) if sets == 1 else f"each of {sets} datasets"
    if not known:
        return (
            f"{where} there is no rule of thumb: nowhere do {FEWEST_PAIRS} different pairs lie around "
            "p = .05."
        )
    ends = [end(known, key=lambda one: one[0])[1:] for end in (min, max)]
    least, most = (
        _enough(point, ",".join(filter(None, (display_name(name), of_class(point.pair_class)))))
        for name, point in ends
    )
    span = least if least == most else f"between {least} and {most}"
    metric = display_name(curves[0].metric)
    text = f"{where}, the gain in {metric} that is usually enough for p < .05 is {span}."
    without = sets - len({name for _, name, _ in known})
    if without:
        text += f" On {counted(without, 'dataset')} too few pairs have p around .05."
    return text


def iid_parts(found: IidCalibration) -> tuple[Part, ...]:
    """Of test sets drawn from one dataset, how many agree with it on who is ahead."""
    return (
        Paragraph(text=iid_sentence(found), tone="strong"),
        *stopped_parts(found.n_draws, found.n_asked, "test sets"),
        *take_away(found.to_frame, found.signature, name="calibration", notes=found.notes),
    )


def iid_sentence(found: IidCalibration) -> str:
    """Of tests with p around .05, how many agree with the whole dataset on who is ahead."""
    own = found.agreeing
    band = f"{format_level(BAND[0])} < p < {format_level(BAND[1])}"
    sets = f"{found.n_draws:,} test sets of {found.size:,} examples"
    if not own.n:
        return (
            f"No pair has {band} in {sets} of {display_name(found.dataset)}: draw more test sets, or "
            "choose another size."
        )
    within = "no interval"
    if found.interval is not None:
        low, high = found.interval
        within = f"95% interval {format_share(low)} to {format_share(high)}"
    return (
        f"The system ahead is the one ahead on all examples in {own.count:,} of {counted(own.n, 'test')} with {band}, "
        f"in {sets} of {display_name(found.dataset)} ({format_share(own.rate)}, {within}; {counted(found.n_pairs, 'different pair')})."
    )
