"""A leaderboard that counts, as a section of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Never

import numpy as np

from ..analysis import Analysis
from ..analysis.settings import margin_in_words, margins_of, metric_of
from ..comparison import comparison_named
from ..data import ResultSet
from ..methods.bibliography import WORKS
from ..methods.passages import cited_keys, in_plain_text
from ..methods.systems import systems_passages
from ..systems.comparisons import PairComparisons
from ..systems.counting import CountMatrix, count_matrix, family_named
from ..systems.gain_confidence import GainConfidence, gain_confidence
from ..systems.standings import standings
from ..words import systems_board as words
from ..words import systems_gains as gains
from ..words.formatting import format_level, whole_name
from ..words.systems_board import counts_note, leaderboard_frame
from .parts import (
    MOST_ROWS,
    Bullets,
    Grid,
    Paragraph,
    Part,
    Verbatim,
    clean,
    grid_of_frame,
    left_out_part,
)

if TYPE_CHECKING:
    import pandas as pd

# Under which an analysis remembers the comparison of all pairs, where one was made.
STORED = "systems"
# And under which how it was shown there, and all pairs at the claim, where that has a margin.
ASKED, AT_MARGIN = "systems-asked", "systems-at-margin"
OF_ANOTHER_QUESTION = (
    "The comparison on the Systems page is of other datasets or another metric than this analysis, so "
    "nothing of it is told here: compare all pairs there once more."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How whoever compared all pairs looked at them, as `parts_of_pairs` takes it."""

    groups: Mapping[str, str] | str | None = None
    detail: str = "same-or-different"
    family: str = "all"
    at_least: int = 1


def stored(analysis: Analysis) -> PairComparisons | None:
    """All pairs of the data of an analysis as they were compared; None where they were not."""
    found: PairComparisons | None = _remembered(analysis, STORED)
    if found is None or found.fingerprint != analysis.data.fingerprint:
        return None
    return found


def asked_of(analysis: Analysis) -> Asked:
    """How they were looked at."""
    found: Asked | None = _remembered(analysis, ASKED)
    return Asked() if found is None else found


def is_of_today(pairs: PairComparisons, analysis: Analysis) -> bool:
    """Whether pairs were compared on the datasets and by the metric of the analysis."""
    data, excluded = analysis.data, analysis.settings.excluded
    kept = {name for name in data.datasets if name not in excluded}
    # One that was stopped is of some of the datasets that it was asked for.
    asked = pairs.n_asked == len(kept) and set(pairs.datasets) <= kept
    metric = metric_of(data, analysis.settings) if isinstance(data, ResultSet) else ""
    return asked and set(pairs.metrics) == {metric}


def _remembered(analysis: Analysis, key: str) -> Any:
    """What an analysis was given beforehand; None where it was given nothing."""

    def nothing() -> Never:
        # Not None, which would be remembered.
        raise LookupError(key)

    try:
        return analysis.remember(key, nothing)
    except LookupError:
        return None


# With more systems a matrix does not fit a page.
MOST_IN_MATRIX = 12
# Each has a threshold of its own, whose interval is a bootstrap.
_MOST_DATASETS = 30


def has_systems(analysis: Analysis) -> bool:
    """Whether all pairs of these data were compared, if only of other datasets or another metric."""
    return stored(analysis) is not None


def systems_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The leaderboard of what was compared on these data; none where nothing was.

    A comparison may take minutes, so a report tells of one and makes none: whoever
    made it lets the analysis remember it as `STORED`.
    """
    pairs = stored(analysis)
    if pairs is None:
        return ()
    if not is_of_today(pairs, analysis):
        return (Paragraph(text=OF_ANOTHER_QUESTION, tone="caution"),)
    asked = asked_of(analysis)
    return parts_of_pairs(
        pairs,
        alpha=analysis.settings.alpha,
        combination=analysis.settings.counted_by,
        groups=asked.groups,
        detail=asked.detail,
        family=asked.family,
        at_least=asked.at_least if asked.at_least <= pairs.n_datasets else 1,
        at_margin=_at_margin(analysis, asked.family),
    )


def _at_margin(analysis: Analysis, family: str) -> tuple[Part, ...]:
    """The matrix of a claim at a margin, where the pairs were compared at it."""
    settings = analysis.settings
    pairs: PairComparisons | None = _remembered(analysis, AT_MARGIN)
    margins = margins_of(analysis.data, settings)
    if pairs is None or not margins or pairs.fingerprint != analysis.data.fingerprint:
        return ()
    of_claim = settings.claim, tuple(margins[name] for name in pairs.datasets)
    if (pairs.claim, pairs.margins) != of_claim or not is_of_today(pairs, analysis):
        return (Paragraph(text=OF_ANOTHER_QUESTION, tone="caution"),)
    how = "bonferroni" if family_named(family).is_joint else settings.counted_by
    counts = count_matrix(pairs, alpha=settings.alpha, combination=how, family=family)
    margin = margin_in_words(analysis.data, settings)
    heading = words.claim_heading(pairs, margin, n_datasets=counts.n_datasets)
    comparison = comparison_named(settings.claim)
    of_row = f"{comparison.adjective} {comparison.than}"
    small = len(counts.systems) <= MOST_IN_MATRIX
    return (
        Paragraph(text=words.claim_sentence(counts, pairs, margin), tone="lead"),
        Paragraph(text=words.ABOUT_CLAIMS, tone="quiet"),
        *([_matrix(counts, f"{heading}.", "counts-at-margin", of_row)] if small else []),
        *(Paragraph(text=text, tone="caution") for text in (*counts.notes, *pairs.notes)),
        Verbatim(text=counts.signature),
    )


def parts_of_pairs(
    pairs: PairComparisons,
    *,
    alpha: float = 0.05,
    combination: str = "bonferroni",
    groups: Mapping[str, str] | str | None = None,
    detail: str = "same-or-different",
    family: str = "all",
    at_least: int = 1,
    at_margin: tuple[Part, ...] = (),
) -> tuple[Part, ...]:
    """Answer, leaderboard with tiers, counts of small leaderboards, thresholds, method and works.

    Parameters
    ----------
    pairs : PairComparisons
        Of two or more systems.
    alpha : float
        Level.
    combination : str
        How a pair's p-values are combined where it stands alone.
    groups, detail
        As for `gain_confidence`.
    family : {"pair", "all"}
        What the leaderboard counts; of all claims together too few resamples allow none.
    at_least : int
        On how many datasets one system must be better for two to be told apart.
    at_margin : tuple of Part
        What else is told of the pairs, at the margin of a claim.
    """
    is_joint = family_named(family).is_joint
    alone = count_matrix(pairs, alpha=alpha, combination=combination)
    joint = count_matrix(pairs, alpha=alpha, family="all")
    shown = _shown(joint, alone) if is_joint else alone
    missing = () if pairs.complete else pairs.notes[-1:]
    notes = dict.fromkeys((*joint.notes, *alone.notes, *missing))
    return (
        Paragraph(text=words.lead_sentence(joint), tone="lead"),
        Paragraph(text=words.claims_sentence(joint)),
        # Before the counts that it is of: one answer stands before the first table.
        *([Paragraph(text=words.alone_sentence(alone))] if shown is alone else []),
        *(Paragraph(text=text, tone="quiet") for text in words.guarantee_sentences(shown)),
        *(Paragraph(text=text, tone="caution") for text in notes),
        *_leaderboard_parts(pairs, shown, at_least),
        *([] if shown is alone else [Paragraph(text=words.alone_sentence(alone))]),
        *_matrices(alone, joint),
        *at_margin,
        *_threshold_parts(pairs, groups, detail),
        *_method_parts(pairs, alone, joint),
    )


def _shown(joint: CountMatrix, alone: CountMatrix) -> CountMatrix:
    """The counts that hold together, unless resamples were too few for any of them."""
    return alone if words.withheld(joint) else joint


def _leaderboard_parts(
    pairs: PairComparisons, counts: CountMatrix, at_least: int = 1
) -> list[Part]:
    frame = leaderboard_frame(standings(pairs), counts=counts, at_least=at_least)
    kept = frame.head(MOST_ROWS)
    n = pairs.n_datasets
    level = format_level(counts.alpha)
    held = (
        f"all claims together at level {level} (Holm)"
        if counts.is_joint
        else f"each pair alone at level {level}"
    )
    where = "one dataset" if n == 1 else f"{n:,} datasets"
    return [
        _grid(
            kept,
            caption=f"{pairs.n_systems:,} systems on {where}, the best first; counts of {held}.",
            name="leaderboard",
        ),
        *left_out_part(len(frame) - len(kept), "systems"),
        Paragraph(text=counts_note(counts, at_least=at_least), tone="quiet"),
    ]


def _grid(frame: pd.DataFrame, *, caption: str, name: str) -> Grid:
    """A table whose numbers are written for a reader."""
    import pandas as pd

    cells = {}
    numeric = []
    for column in frame.columns:
        values = frame[column]
        numeric.append(pd.api.types.is_numeric_dtype(values))
        if pd.api.types.is_float_dtype(values):
            form = ".2f" if "rank" in str(column) else ".4g"
        else:
            form = "," if numeric[-1] else ""
        cells[str(column)] = [clean(format(value, form)) for value in values.tolist()]
    return grid_of_frame(pd.DataFrame(cells), numeric=numeric, caption=caption, name=name)


def _matrices(alone: CountMatrix, joint: CountMatrix) -> list[Part]:
    if len(alone.systems) > MOST_IN_MATRIX:
        return []
    level = format_level(alone.alpha)
    kinds = [(alone, f"each pair alone at level {level}, without joint guarantee", "counts-alone")]
    if not words.withheld(joint):
        kinds.insert(0, (joint, f"all claims together at level {level} (Holm)", "counts-together"))
    n = alone.n_datasets
    where = " (1: it is)" if n == 1 else f" on at least so many of {n:,} datasets"
    of = f"The row is better than the column{where}"
    return [_matrix(counts, f"{of}; {held}.", name, "better than") for counts, held, name in kinds]


def _matrix(counts: CountMatrix, caption: str, name: str, of_row: str) -> Grid:
    order = np.argsort(counts.mean_ranks, kind="stable").tolist()
    m = len(order)
    return Grid(
        header=(of_row, *(str(k + 1) for k in range(m))),
        rows=tuple(
            (
                f"{place + 1}. {clean(whole_name(counts.systems[i]))}",
                *("–" if i == j else f"{int(counts.k_hat[i, j]):,}" for j in order),
            )
            for place, i in enumerate(order)
        ),
        numeric=(False, *(True for _ in order)),
        caption=caption,
        name=name,
    )


def _threshold_parts(
    pairs: PairComparisons,
    groups: Mapping[str, str] | str | None,
    detail: str = "same-or-different",
) -> tuple[Part, ...]:
    points = gain_confidence(pairs, groups=groups, detail=detail)
    only = pairs.datasets[0] if pairs.n_datasets == 1 else None
    found = points.thresholds(dataset=only)
    metric = pairs.metrics[0]
    own_groups = dict(zip(points.systems, points.groups, strict=True))
    parts: list[Part] = [
        *([Paragraph(text=gains.groups_sentence(own_groups))] if any(points.groups) else []),
        Paragraph(text=gains.thresholds_sentence(found, metric=metric, dataset=only)),
    ]
    if any(own.value is not None for own in found.values()):
        parts.append(
            _grid(
                gains.thresholds_frame(found),
                caption="The gain from which on p < .05 is usual: the 95th percentile of the gains of "
                "pairs with .04 < p < .06, its interval from resamples of systems.",
                name="thresholds",
            )
        )
        parts += [Paragraph(text=text, tone="caution") for text in gains.warnings_of(found)]
        parts.append(Paragraph(text=gains.NOT_A_TEST, tone="quiet"))
    if only is None and pairs.n_datasets <= _MOST_DATASETS:
        parts += _by_dataset(points)
    return tuple(parts)


def _by_dataset(points: GainConfidence) -> list[Part]:
    """Each dataset's own threshold, where there is one."""
    rows = []
    several = len(points.classes) > 1
    for dataset in points.datasets:
        for name, own in points.thresholds(dataset=dataset).items():
            if own.value is None:
                continue
            kind = (name,) if several else ()
            rows.append(
                (
                    clean(whole_name(dataset)),
                    *kind,
                    gains.number(own.value),
                    gains.ends_of(own),
                    f"{own.n_pairs:,}",
                )
            )
    if not rows:
        return []
    kinds = ("pairs",) if several else ()
    return [
        Grid(
            header=("dataset", *kinds, "usually enough", "95% interval", "pairs around p = .05"),
            rows=tuple(rows),
            numeric=(False, *(False for _ in kinds), True, False, True),
            caption="The gain from which on p < .05 is usual, by dataset; none where fewer pairs lie "
            "around p = .05 than a threshold must rest on.",
            name="thresholds-by-dataset",
        )
    ]


def _method_parts(
    pairs: PairComparisons, alone: CountMatrix, joint: CountMatrix
) -> tuple[Part, ...]:
    methods = systems_passages(pairs, alone, joint)
    return (
        *(Paragraph(text=in_plain_text(own)) for own in methods),
        Bullets(items=tuple(WORKS[key].text for key in cited_keys(methods))),
        Verbatim(text=joint.signature),
        Verbatim(text=alone.signature),
    )
