"""Many systems: leaderboard, counts, ranks and gains, shown by a page and printed by a report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..analysis import Analysis, AnalysisSettings
from ..analysis.settings import metric_of
from ..charts.critical_difference import MOST_DRAWN, critical_difference_diagram
from ..comparison import comparison_named
from ..data import ResultSet
from ..effects.friedman import FEWEST_SYSTEMS, Friedman, Quade, friedman
from ..effects.post_hoc import PostHoc, nemenyi
from ..effects.score_columns import too_few_datasets
from ..methods.bibliography import WORKS, cited_keys, in_plain_text
from ..methods.testing import systems_passages
from ..systems.calibration import IidCalibration
from ..systems.comparisons import PairComparisons, Standings, standings
from ..systems.counting import CountMatrix, count_matrix
from ..systems.gain_confidence import gain_confidence
from ..systems.sizes import ThresholdCurve
from ..words import across as ranks_words
from ..words import systems_board as words
from ..words.formatting import Frame, counted, format_level, free_heading
from .gains import (
    MOST_DATASETS,
    by_dataset_parts,
    gains_parts,
    groups_sentence,
    iid_parts,
    one_size_parts,
    sizes_parts,
)
from .parts import (
    Bullets,
    Download,
    Paragraph,
    Part,
    Printed,
    Signature,
    Table,
    charted,
    notes_parts,
    paragraphs,
)

_Study = TypeVar("_Study", ThresholdCurve, IidCalibration)

# Under which an analysis holds what was compared of its systems.
STUDIES = "systems"
OF_ANOTHER_QUESTION = (
    "All pairs were compared on other datasets or by another metric than those chosen now. Compare "
    "all pairs again on the Systems page."
)
# With more systems a matrix does not fit a page.
MOST_IN_MATRIX = 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compared:
    """What was compared of many systems, and how it was looked at.

    `groups` and `detail` are as for `gain_confidence`, `family` and `at_least` what the leaderboard
    counts. `sizes` are thresholds of one dataset at several sizes, `one_size` of every dataset at one; `iid` is agreement
    on test sets drawn from one dataset; `at_margin` are all pairs at a claim with this `margin`.
    """

    pairs: PairComparisons
    groups: Mapping[str, str] | None = None
    detail: str = "same-or-different"
    family: str = "all"
    at_least: int = 1
    sizes: ThresholdCurve | None = None
    one_size: tuple[ThresholdCurve, ...] = ()
    iid: IidCalibration | None = None
    at_margin: PairComparisons | None = None
    margin: str = ""


def compared(analysis: Analysis) -> Compared | None:
    """What was compared of the systems of these data; None where nothing was."""
    found = analysis.studies.get(STUDIES)
    if not isinstance(found, Compared) or found.pairs.fingerprint != analysis.data.fingerprint:
        return None
    return found


def is_of_today(pairs: PairComparisons, analysis: Analysis) -> bool:
    """Whether pairs were compared on the datasets and by the metric of the analysis."""
    kept, metric = _of_today(analysis)
    # One that was stopped is of some of the datasets that it was asked for.
    asked = pairs.n_asked == len(kept) and set(pairs.datasets) <= kept
    return asked and set(pairs.metrics) == {metric}


def _of_today(analysis: Analysis) -> tuple[set[str], str]:
    """The datasets that are not left out, and the metric."""
    data, settings = analysis.data, analysis.settings
    kept = {name for name in data.datasets if name not in settings.excluded}
    return kept, metric_of(data, settings) if isinstance(data, ResultSet) else ""


def _alike(found: Iterable[_Study | None], analysis: Analysis) -> list[_Study]:
    """The studies of a dataset that is not left out, by the metric of the analysis."""
    kept, metric = _of_today(analysis)
    return [one for one in found if one and one.metric == metric and one.dataset in kept]


def systems_parts(analysis: Analysis) -> tuple[Part, ...]:
    """All that was compared of the systems; empty where nothing was."""
    found = compared(analysis)
    if found is None:
        return ()
    if not is_of_today(found.pairs, analysis):
        return (Paragraph(text=OF_ANOTHER_QUESTION, tone="caution"),)
    further: list[Part] = []
    if found.at_margin is not None and is_of_today(found.at_margin, analysis):
        further += claim_parts(
            counts_at_margin(found.at_margin, analysis.settings, found.family),
            found.at_margin,
            found.margin,
        )
    for sizes in _alike([found.sizes], analysis):
        further += sizes_parts(sizes)
    one_size = _alike(found.one_size, analysis)
    if one_size and isinstance(analysis.data, ResultSet):
        further += one_size_parts(one_size, analysis.data)
    for iid in _alike([found.iid], analysis):
        further += iid_parts(iid)
    settings = analysis.settings
    parts = parts_of_pairs(found, alpha=settings.alpha, combination=settings.counted_by)
    return (*parts, *further)


def parts_of_pairs(
    found: Compared, *, alpha: float = 0.05, combination: str = "bonferroni"
) -> tuple[Part, ...]:
    """Answer, leaderboard with tiers, counts of small leaderboards, ranks, thresholds and methods.

    `combination` is of a pair that stands alone. Each does where there are too few resamples for any
    claim of all together.
    """
    pairs = found.pairs
    at_least = found.at_least if found.at_least <= pairs.n_datasets else 1
    alone = count_matrix(pairs, alpha=alpha, combination=combination)
    joint = count_matrix(pairs, alpha=alpha, family="all")
    is_joint = found.family == "all" and not words.withheld(joint)
    shown, ranked = joint if is_joint else alone, standings(pairs)
    return (
        Paragraph(text=words.lead_sentence(joint), tone="lead"),
        *promise_parts(pairs, shown, joint),
        *leaderboard_parts(pairs, shown, ranked, at_least=at_least),
        *((Paragraph(text=words.alone_sentence(alone)),) if is_joint else ()),
        *_matrices(alone, joint),
        *ranks_parts(ranked, alpha),
        *_threshold_parts(found),
        *method_parts(pairs, alone, joint),
    )


def promise_parts(
    pairs: PairComparisons, shown: CountMatrix, joint: CountMatrix
) -> tuple[Paragraph, ...]:
    """How many claims the counts make, what they guarantee, and what limits them."""
    missing = () if pairs.complete else pairs.notes[-1:]
    notes = dict.fromkeys((*joint.notes, *shown.notes, *missing))
    return (
        *paragraphs(*notes, tone="caution"),
        *(() if shown.is_joint else (Paragraph(text=words.alone_sentence(shown)),)),
        Paragraph(text=words.claims_sentence(shown)),
        *paragraphs(*words.guarantee_sentences(shown), tone="quiet"),
    )


def leaderboard_parts(
    pairs: PairComparisons, counts: CountMatrix, ranked: Standings, *, at_least: int
) -> tuple[Part, ...]:
    """The leaderboard by these counts, what it is to share a letter, and its tables to take away."""
    n, level = pairs.n_datasets, format_level(counts.alpha)
    held = "all claims together" if counts.is_joint else "each pair alone"
    holm = " (Holm)" if counts.is_joint else ""
    where = counted(n, "dataset")
    return (
        Table(
            frame=words.leaderboard_frame(ranked, counts=counts, at_least=at_least),
            caption=f"{pairs.n_systems:,} systems on {where}, the best first; counts of {held} at "
            f"level {level}{holm}.",
            name="leaderboard",
            of="system",
            meanings=words.column_meanings(n, at_least),
        ),
        Paragraph(text=words.counts_note(counts, at_least=at_least), tone="quiet"),
        Download(
            write=lambda: words.leaderboard_frame(
                ranked, counts=counts, most_letters=math.inf, at_least=at_least
            ),
            name="leaderboard",
            what="the leaderboard",
        ),
        Download(write=counts.to_matrix_frame, name="pair-matrix", what="the matrix"),
        Download(write=counts.to_frame, name="pairs", what="every pair"),
        Download(write=pairs.to_frame, name="pair-p-values", what="every p-value"),
    )


def _matrices(alone: CountMatrix, joint: CountMatrix) -> list[Table]:
    """The counts of small leaderboards, of all claims together and of each pair alone."""
    if len(alone.systems) > MOST_IN_MATRIX:
        return []
    level, n = format_level(alone.alpha), alone.n_datasets
    where = " (1: it is)" if n == 1 else f" on at least so many of {n:,} datasets"
    kinds = [(alone, f"each pair alone at level {level}, without joint guarantee", "counts-alone")]
    if not words.withheld(joint):
        kinds.insert(0, (joint, f"all claims together at level {level} (Holm)", "counts-together"))
    return [
        Table(
            frame=matrix_frame(counts),
            caption=f"The row is better than the column{where}; {held}.",
            name=name,
            of="system",
        )
        for counts, held, name in kinds
    ]


def matrix_frame(counts: CountMatrix) -> Frame:
    """On at least how many datasets each row is better than each column, the best system first."""
    order = counts.order
    frame = counts.to_matrix_frame().iloc[order, [0, *(place + 1 for place in order)]]
    names = [str(counts.systems[k]) for k in order]
    frame.columns = [free_heading("row better than", names), *names]
    return frame


def compared_ranks(ranked: Standings, alpha: float) -> tuple[Friedman, PostHoc] | None:
    """Friedman's test of the mean ranks and Nemenyi's of each two; None of too few to be ranked."""
    if too_few_datasets(len(ranked.datasets)) or len(ranked.systems) < FEWEST_SYSTEMS:
        return None
    ranks = friedman(
        ranked.scores,
        datasets=ranked.datasets,
        systems=ranked.systems,
        fingerprint=ranked.fingerprint,
    )
    return ranks, nemenyi(ranks, alpha)


def ranks_parts(ranked: Standings, alpha: float) -> tuple[Part, ...]:
    """What mean ranks over the datasets say: another question than the counts'."""
    if len(ranked.datasets) == 1 or len(ranked.systems) < FEWEST_SYSTEMS:
        return ()
    found = compared_ranks(ranked, alpha)
    if found is None:
        return (Paragraph(text=too_few_datasets(len(ranked.datasets))),)
    return _ranks_found(*found)


def _ranks_found(
    ranks: Friedman, found: PostHoc, name: str = "systems-critical-difference"
) -> tuple[Part, ...]:
    return (
        Paragraph(text=ranks_words.friedman_sentence(ranks, found)),
        ranks_diagram(ranks, found, name),
        *paragraphs(ranks_words.names_of_best(ranks, found)),
    )


def ranks_diagram(ranks: Friedman, found: PostHoc, name: str) -> Printed:
    """The critical-difference diagram, or why there is none."""
    if ranks.n_systems > MOST_DRAWN:
        return Paragraph(
            text=f"A diagram of {ranks.n_systems} systems could not be read: the table has them all.",
            tone="quiet",
        )
    said = ranks_words.friedman_sentence(ranks, found)
    return charted(name, "Mean ranks", said, critical_difference_diagram, found)


def how_ranked_parts(
    ranks: Friedman, found: PostHoc, meaning: str, by_quade: Quade
) -> tuple[Part, ...]:
    """Mean ranks compared in a way with a `meaning`: what it says of each system, and how it was done."""
    details = (
        ranks_words.letters_note(found),
        meaning,
        ranks_words.friedman_details(ranks),
        ranks_words.quade_line(by_quade),
    )
    return (
        Paragraph(text=ranks_words.WHAT_THEY_ASK),
        *_ranks_found(ranks, found, "systems-compared"),
        Table(frame=ranks_words.ranks_frame(ranks, found), name="ranks", of="system"),
        Download(
            write=lambda: ranks_words.ranks_frame(ranks, found), name="ranks", what="the ranks"
        ),
        *paragraphs(*details, tone="quiet"),
        Signature(line=found.signature, of="these tests"),
    )


def counts_at_margin(
    pairs: PairComparisons, settings: AnalysisSettings, family: str
) -> CountMatrix:
    """The counts of a claim at a margin, at the level and by the combination that were chosen."""
    how = "bonferroni" if family == "all" else settings.counted_by
    return count_matrix(pairs, alpha=settings.alpha, combination=how, family=family)


def claim_parts(counts: CountMatrix, pairs: PairComparisons, margin: str) -> tuple[Part, ...]:
    """The matrix of all pairs at a claim with a margin."""
    m, n, comparison = len(counts.systems), counts.n_datasets, comparison_named(pairs.claim)
    shown, n_pairs, which = counts.k_hat, m * (m - 1), "ordered pairs"
    if comparison.both_sides:
        shown, n_pairs, which = np.triu(shown), n_pairs // 2, "pairs"
    claim = comparison.statement("one system", "the other", margin)
    where = f" on at least one of {n:,} datasets" if n > 1 else ""
    found = f"For {np.count_nonzero(shown):,} of {n_pairs:,} {which}, {claim}{where}."
    heading = comparison.heading("Row", "column", margin)
    heading += f" on at least … of {n:,} datasets" if n > 1 else ""
    return (
        Paragraph(text=f"{found} {counts.guarantee}", tone="strong"),
        Table(
            frame=matrix_frame(counts), name="pairs-at-margin", caption=f"{heading}.", of="system"
        ),
        Download(write=counts.to_matrix_frame, name="pairs-at-margin", what="the matrix"),
        Download(write=pairs.to_frame, name="pair-p-values-at-margin", what="every p-value"),
        *notes_parts((*counts.notes, *pairs.notes)),
        Signature(line=counts.signature),
    )


def _threshold_parts(found: Compared) -> tuple[Part, ...]:
    pairs = found.pairs
    points = gain_confidence(pairs, groups=found.groups, detail=found.detail)
    only = pairs.datasets[0] if pairs.n_datasets == 1 else None
    own_groups = dict(zip(points.pairs.systems, points.groups, strict=True))
    thresholds = points.thresholds(dataset=only)
    return (
        *paragraphs(groups_sentence(own_groups) if any(points.groups) else ""),
        *gains_parts(points, thresholds, metric=pairs.metrics[0], dataset=only),
        *(by_dataset_parts(points) if only is None and pairs.n_datasets <= MOST_DATASETS else ()),
    )


def method_parts(
    pairs: PairComparisons, alone: CountMatrix, joint: CountMatrix
) -> tuple[Part, ...]:
    """How systems were compared and counted, the works cited, and the reproducing lines."""
    methods = systems_passages(pairs, alone, joint)
    return (
        *paragraphs(*map(in_plain_text, methods)),
        Bullets(items=tuple(WORKS[key].text for key in cited_keys(methods))),
        Signature(line=joint.signature, of="the counts of all claims together"),
        Signature(line=alone.signature, of="the counts of each pair alone"),
    )
