"""Many systems: who is better than whom on how many datasets, the leaderboard, and the gains that are enough."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..analysis import Analysis, AnalysisSettings
from ..analysis.settings import metric_of
from ..comparison import comparison_named, written_margin
from ..data import ResultSet
from ..effects.post_hoc import MOST_LETTERS, PostHoc, letters
from ..methods.bibliography import WORKS, cited_keys, in_plain_text
from ..methods.testing import systems_passages
from ..replicability.combinations import combination_named
from ..systems.comparisons import PairComparisons, Standings, standings, with_ties
from ..systems.counting import CountMatrix, count_matrix
from ..systems.gain_confidence import gain_confidence
from ..systems.sizes import IidCalibration, ThresholdCurve
from ..types import FloatArray, IntArray
from ..words.formatting import (
    Frame,
    counted,
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    frame_of,
    free_heading,
    how_many,
    joined,
    list_names,
    sentence_case,
)
from ..words.glossary import glossary
from ..words.testing import title_of_test
from .across import NOT_DIFFERENT, NOT_EQUAL, marks_of_ranks, ranks_parts, shared_letter_sentence
from .gains import (
    MOST_DATASETS,
    by_dataset_parts,
    gains_parts,
    groups_sentence,
    iid_parts,
    one_size_parts,
    sizes_parts,
)
from .parts import Bullets, Download, Paragraph, Part, Signature, Table, notes_parts, paragraphs

# Under which an analysis holds what was compared of its systems.
STUDIES = "systems"
OF_ANOTHER_QUESTION = (
    "All pairs were compared on other datasets or by another metric than those chosen now. Compare "
    "all pairs again on the Systems page."
)
PROMISE = (
    "This page compares every pair among three or more systems at once: on at least how many "
    "datasets one is better than another, which systems do not differ significantly, how large a "
    "gain is usually enough, and how far p < .05 can be trusted."
)
RANKS_SAY_NOTHING_OF_CHANCE = (
    "Wins, ties, losses and ranks compare the scores as they are; they say nothing about chance."
)
WITHOUT_MARGIN = "This is about which system is better, without the margin."
ABOUT_CLAIMS = (
    "The leaderboard, its groups and the gains ask which system is better; they have no form at a "
    "margin. Here each ordered pair has its own p-value of the claim on each dataset. A 0 "
    "is no evidence of the opposite."
)
# With more systems a matrix does not fit a page.
MOST_IN_MATRIX = 12
# Of more other systems a sentence tells the number.
_MOST_NAMES = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compared:
    """What was compared of many systems, and how it was looked at.

    `groups` and `detail` are as for `gain_confidence`, `family` and `at_least` what the leaderboard
    counts. `sizes` are thresholds of one dataset at several sizes, `one_size` of every dataset at one; `iid` is agreement
    on test sets drawn from one dataset; `at_margin` are all pairs at a claim with a margin.
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


def systems_parts(analysis: Analysis) -> tuple[Part, ...]:
    """All that was compared of the systems; empty where nothing was."""
    found = compared(analysis)
    if found is None:
        return ()
    if not is_of_today(found.pairs, analysis):
        return (Paragraph(text=OF_ANOTHER_QUESTION, tone="caution"),)
    kept, metric = _of_today(analysis)

    def is_alike(study: ThresholdCurve | IidCalibration) -> bool:
        """Whether it is of a dataset that is not left out, by the metric of the analysis."""
        return study.metric == metric and study.dataset in kept

    further: list[Part] = []
    data, at_margin, settings = analysis.data, found.at_margin, analysis.settings
    if at_margin and isinstance(data, ResultSet) and is_of_today(at_margin, analysis):
        further += claim_parts(at_margin, data, settings, found.family)
    if found.sizes is not None and is_alike(found.sizes):
        further += sizes_parts(found.sizes)
    one_size = [study for study in found.one_size if is_alike(study)]
    if one_size and isinstance(data, ResultSet):
        further += one_size_parts(one_size, data)
    if found.iid is not None and is_alike(found.iid):
        further += iid_parts(found.iid)
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
    is_joint = found.family == "all" and not withheld(joint)
    shown, ranked = joint if is_joint else alone, standings(pairs)
    return (
        Paragraph(text=lead_sentence(joint), tone="lead"),
        *promise_parts(pairs, shown, joint),
        *leaderboard_parts(pairs, shown, ranked, at_least=at_least),
        *((Paragraph(text=alone_sentence(alone)),) if is_joint else ()),
        *_matrices(alone, joint),
        *ranks_parts(ranked, alpha),
        *_threshold_parts(found),
        *method_parts(pairs, alone, joint),
    )


def lead_sentence(counts: CountMatrix) -> str:
    """The system with the best mean rank, than how many the data show it better, and the others."""
    begun = "" if counts.complete else "So far: "
    if withheld(counts):
        return (
            f"{begun}{max(counts.too_few_resamples):,} resamples are too few for any claim: Holm over "
            f"{counts.n_claims:,} claims needs at least {counts.n_resamples_for_any:,}."
        )
    n, systems, ranks, best = counts.n_datasets, counts.systems, counts.mean_ranks, counts.order[0]
    behind, ahead, others = counts.k_hat[best], counts.k_hat[:, best], len(systems) - 1
    equals = [systems[i] for i in np.flatnonzero(ranks == ranks[best]).tolist() if i != best]
    shared = f" (shared with {list_names(equals, most=_MOST_NAMES)})" if equals else ""
    where = "" if n > 1 else f" on {display_name(counts.datasets[0])}"
    level = f"the best {'mean rank' if n > 1 else 'score'}{shared}{where}"
    who = f"{display_name(systems[best])}, with {level},"
    beaten = [i for i in np.argsort(-behind, kind="stable").tolist() if behind[i]]
    if beaten:
        scope = _scope(counts, alone="each pair alone")
        text = f"{begun}{scope}, {who} is better {_than(counts, beaten, behind)}."
    else:
        scope = f"Holm over {counts.n_claims:,} claims" if counts.is_joint else "each pair alone"
        anywhere = f" on any of {n:,} datasets" if n > 1 else ""
        text = (
            f"{begun}No evidence at level {format_level(counts.alpha)} ({scope}) that {who} is better "
            f"than any of the {others:,} other systems{anywhere}. {NOT_EQUAL}"
        )
    worse = [systems[i] for i in np.flatnonzero(ahead).tolist()]
    if worse:
        names, are = list_names(worse, most=_MOST_NAMES), "is" if len(worse) == 1 else "are"
        text += f" {names} {are} better than it on at least one dataset."
    together = [systems[i] for i in counts.order if i != best and not behind[i] and not ahead[i]]
    if together and (beaten or worse):
        names, where = list_names(together, most=_MOST_NAMES), " on any dataset" * (n > 1)
        text += f" By the same test, there is no evidence that it differs from {names}{where}."
    return text


def _than(counts: CountMatrix, beaten: list[int], behind: IntArray) -> str:
    """Which systems one is better than on how many datasets, those with the largest counts first."""
    n, others = counts.n_datasets, len(counts.systems) - 1
    if n == 1 or len(beaten) > _MOST_NAMES:
        where = f", each on at least one of {n:,} datasets" if n > 1 else ""
        share = "all" if len(beaten) == others else f"{len(beaten):,} of the"
        return f"than {share} {others:,} other systems{where}"
    clauses: list[str] = []
    for k in dict.fromkeys(int(behind[i]) for i in beaten):
        names = list_names([counts.systems[i] for i in beaten if behind[i] == k])
        clauses.append(f"than {names} on {f'at least {k:,}' if clauses else how_many(k, n)}")
    return joined(clauses)


def withheld(counts: CountMatrix) -> bool:
    """Whether no claim of all together could be made, however large the differences."""
    return counts.is_joint and len(counts.too_few_resamples) == counts.n_datasets


def _scope(counts: CountMatrix, *, alone: str) -> str:
    """With which confidence, and in what: in all claims together, or in what stands `alone`."""
    what = f"all {counts.n_claims:,} claims together (Holm)" if counts.is_joint else alone
    return f"With {format_confidence(counts.alpha)} confidence in {what}"


def claims_sentence(counts: CountMatrix) -> str:
    """How many of the ordered pairs have a claim, and at which level."""
    m, found = len(counts.systems), int(np.count_nonzero(counts.k_hat))
    where = " on at least one dataset" if counts.n_datasets > 1 else ""
    level = f"at level {format_level(counts.alpha)}, each tested alone"
    if counts.is_joint:
        level = f"with {format_confidence(counts.alpha)} confidence in all of them together"
    return (
        f"{f'{found:,}' if found else 'None'} of {m * (m - 1):,} possible claims (one of {m} systems is "
        f"better than another{where}) {'holds' if found < 2 else 'hold'} {level}."
    )


def alone_sentence(counts: CountMatrix) -> str:
    """Below what holds of all claims together: the best system's counts, each pair alone."""
    name = display_name(counts.systems[counts.order[0]])
    return (
        f"{lead_sentence(counts)} {name} was picked after seeing all systems; a count for one pair "
        "does not allow for that."
    )


def promise_parts(
    pairs: PairComparisons, shown: CountMatrix, joint: CountMatrix
) -> tuple[Paragraph, ...]:
    """How many claims the counts make, what they guarantee, and what limits them."""
    missing = () if pairs.complete else pairs.notes[-1:]
    notes = dict.fromkeys((*joint.notes, *shown.notes, *missing))
    alone = condition = ""
    if not shown.is_joint:
        alone = alone_sentence(shown)
        if shown.n_datasets > 1:
            condition = f"{sentence_case(combination_named(shown.combination).clause)}."
    return (
        *paragraphs(*notes, tone="caution"),
        *paragraphs(alone, claims_sentence(shown)),
        *paragraphs(shown.guarantee, condition, tone="quiet"),
    )


def leaderboard(
    ranked: Standings,
    *,
    counts: CountMatrix | None = None,
    post_hoc: PostHoc | None = None,
    most_letters: float = MOST_LETTERS,
    at_least: int = 1,
) -> Table:
    """A row for each system, best mean rank first, with letters of its counts or of its mean rank."""
    frame, n, terms = ranked.to_frame(), len(ranked.datasets), glossary()
    names, several = frame["system"].tolist(), n > 1
    apart = f" on at least {at_least:,} of {n:,} datasets" if at_least > 1 else ""
    meanings = {
        "letters": terms["letters, tiers"],
        "mean rank": "Over the datasets; 1 is best.",
        NOT_DIFFERENT: f"How many systems do not differ significantly from it{apart}. {terms['systems that differ']}",
        "best on": "Datasets on which no system scores better.",
        "wins": "Over all other systems and datasets, as the scores stand.",
    }
    columns: dict[str, object] = {"system": names}
    if post_hoc is not None:
        heading, marks = marks_of_ranks(post_hoc)
        columns[heading] = [marks[name] for name in names]
    order = [ranked.systems.index(name) for name in names]
    tiers = () if counts is None else counts.tiers(at_least=at_least)
    if tiers and (every := letters(tiers, len(names), most=most_letters)):
        # Beside the names, where a narrow screen still shows them.
        columns["letters"] = [every[i] for i in order]
    columns["mean rank" if several else "rank"] = frame["mean_rank"]
    if not several:
        scores, better = _as_given(ranked)
        columns[f"score, {better}"] = scores[order]
    caption = ""
    if counts is not None:
        shown, half = counts.k_hat >= 1, -(-n // 2)
        on_one = " (on ≥ 1 dataset)" if several else ""
        where = f"on at least one of {n:,} datasets" if several else "beyond chance"
        better, worse = f"better than{on_one}", f"worse than{on_one}"
        columns[better] = shown.sum(axis=1)[order]
        meanings[better] = f"How many other systems it is better than {where}."
        if half > 1:
            columns["… on half"] = (counts.k_hat >= half).sum(axis=1)[order]
            meanings["… on half"] = f"Of these, on at least {half:,} of {n:,} datasets."
        columns[worse] = shown.sum(axis=0)[order]
        meanings[worse] = f"How many other systems are better than it {where}."
        n_apart = counts.separated(at_least=at_least).sum(axis=1)
        columns[NOT_DIFFERENT] = (len(names) - 1 - n_apart)[order]
        held, holm = (
            ("all claims together", " (Holm)") if counts.is_joint else ("each pair alone", "")
        )
        caption = (
            f"{len(names):,} systems on {counted(n, 'dataset')}, the best first; counts of {held} at "
            f"level {format_level(counts.alpha)}{holm}."
        )
    if several:
        columns["best on"] = frame["n_best"]
        columns |= {name: frame[name] for name in ("wins", "ties", "losses")}
    return Table(
        frame=frame_of(columns), caption=caption, name="leaderboard", of="system", meanings=meanings
    )


def leaderboard_parts(
    pairs: PairComparisons, counts: CountMatrix, ranked: Standings, *, at_least: int
) -> tuple[Part, ...]:
    """The leaderboard by these counts, what it is to share a letter, and its tables to take away."""

    def in_full() -> Frame:
        board = leaderboard(ranked, counts=counts, most_letters=math.inf, at_least=at_least)
        return board.frame

    return (
        leaderboard(ranked, counts=counts, at_least=at_least),
        Paragraph(text=counts_note(counts, at_least=at_least), tone="quiet"),
        Download(write=in_full, name="leaderboard", what="the leaderboard"),
        Download(write=counts.to_matrix_frame, name="pair-matrix", what="the matrix"),
        Download(write=counts.to_frame, name="pairs", what="every pair"),
        Download(write=pairs.to_frame, name="pair-p-values", what="every p-value"),
    )


def counts_note(counts: CountMatrix, *, at_least: int = 1) -> str:
    """What it is to share a letter."""
    if not letters(counts.tiers(at_least=at_least), len(counts.systems)):
        start = "There are too many overlapping groups for letters; the download has them all."
        return f"{start} No significant difference does not make systems equal."
    scope = "by these counts"
    if at_least > 1:
        scope = f"on {at_least:,} of {counts.n_datasets:,} datasets: neither is better on at least {at_least:,}"
    if not counts.is_joint:
        scope += f", each way at level {format_level(counts.alpha / 2.0)}"
    return shared_letter_sentence(f"do not differ significantly {scope}")


def _matrices(alone: CountMatrix, joint: CountMatrix) -> list[Table]:
    """The counts of small leaderboards, of all claims together and of each pair alone."""
    if len(alone.systems) > MOST_IN_MATRIX:
        return []
    level, n = format_level(alone.alpha), alone.n_datasets
    where = " (1: it is)" if n == 1 else f" on at least so many of {n:,} datasets"
    kinds = [(alone, f"each pair alone at level {level}, without joint guarantee", "counts-alone")]
    if not withheld(joint):
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
    """On at least how many datasets each row has the claim on each column, the best system first."""
    order, claim = counts.order, comparison_named(counts.pairs.claim)
    frame = counts.to_matrix_frame().iloc[order, [0, *(place + 1 for place in order)]]
    names = [str(counts.systems[k]) for k in order]
    frame.columns = [free_heading(f"row {claim.adjective} {claim.than}", names), *names]
    return frame


def pair_sentence(counts: CountMatrix, ranked: Standings, a: str, b: str) -> str:
    """What is known of one pair: level and family, counts both ways, names, and the plain wins."""
    n, level = counts.n_datasets, format_level(counts.alpha)
    shown_a, shown_b = display_name(a), display_name(b)
    each_way = f"each way at level {format_level(counts.alpha / 2.0)}"
    scope = _scope(counts, alone=f"both directions of this pair ({each_way})")
    claims, of_matrix = [], []
    for one, other in ((a, b), (b, a)):
        first, second = display_name(one), display_name(other)
        place = counts.systems.index(one), counts.systems.index(other)
        both, alone = int(counts.k_hat_both_ways[place]), int(counts.k_hat[place])
        if both:
            own = counts.names(one, other, both_ways=True)
            by_name = f" ({list_names(own)})" if own else ""
            where = f" on {how_many(both, n)}{by_name}" if n > 1 else ""
            claims.append(f"{first} is better than {second}{where}.")
        if alone != both:
            of_matrix.append(
                f"The matrix asks for one direction alone, at level {level}, and has {alone:,} for "
                f"{first} better than {second}."
            )
    if claims:
        claims[0] = f"{scope}: {claims[0]}"
    else:
        within = f"Holm over {counts.n_claims:,} claims" if counts.is_joint else each_way
        none = f"No evidence at level {level} ({within}) that {shown_a} or {shown_b} is better"
        claims = [f"{none}{'' if n == 1 else ' on any dataset'}. {NOT_EQUAL}"]
    wins, ties, losses = ranked.win_tie_loss(a, b)
    tied = f", the same on {ties}" if ties else ""
    scored = f"{shown_a} scores better on {wins}, {shown_b} on {losses}{tied}."
    if n == 1:
        scores, better = _as_given(ranked)
        of_a, of_b = (f"{scores[counts.systems.index(name)]:.4g}" for name in (a, b))
        scored = f"{shown_a} scores {of_a}, {shown_b} {of_b} ({better})."
    return " ".join((*claims, *of_matrix, scored))


def _as_given(ranked: Standings) -> tuple[FloatArray, str]:
    """The systems' scores on the first dataset, not turned, and which of them are better."""
    higher, scores = ranked.higher_is_better[0], ranked.scores[0]
    return (scores, "higher is better") if higher else (0.0 - scores, "lower is better")


def against_frame(ranked: Standings, system: str, *, counts: CountMatrix | None = None) -> Frame:
    """One system against each other one, best mean rank first: counts both ways, wins and ties."""
    i = ranked.systems.index(system)
    order = [k for k in np.argsort(ranked.mean_ranks, kind="stable").tolist() if k != i]
    columns: dict[str, object] = {"other system": [ranked.systems[k] for k in order]}
    if counts is not None:
        columns["better on at least"] = counts.k_hat[i, order]
        columns["worse on at least"] = counts.k_hat[order, i]
    columns["wins"] = ranked.wins[i, order]
    columns["ties"] = ranked.ties[i, order]
    columns["losses"] = ranked.wins[order, i]
    columns["mean rank"] = ranked.mean_ranks[order]
    return frame_of(columns)


def pair_frame(pairs: PairComparisons, a: str, b: str) -> Frame:
    """Each dataset of one pair: scores, gain, and p in both directions."""
    i, j = pairs.systems.index(a), pairs.systems.index(b)
    oriented = with_ties(pairs.oriented_scores)
    return frame_of(
        {
            "dataset": list(pairs.datasets),
            "first": pairs.scores[:, i],
            "second": pairs.scores[:, j],
            "gain of first": oriented[:, i] - oriented[:, j],
            "p (first better)": [format_p_value(float(p)) for p in pairs.p_values[:, i, j]],
            "p (second better)": [format_p_value(float(p)) for p in pairs.p_values[:, j, i]],
            "n": list(pairs.n_examples),
        }
    )


# How a setting that was changed is named.
_SETTINGS: dict[str, Callable[[object], str]] = {
    "test": lambda name: f"test to {title_of_test(str(name))}",
    "n_resamples": lambda number: f"resamples to {number:,}",
    "seed": lambda number: f"seed to {number}",
    "estimator": lambda _: "p-values of resamples to the add-one estimator",
    "zeros": lambda _: "zero differences to being dropped (wilcox)",
    "claim": lambda _: "claim to A being better",
    "margin": lambda _: "margin to none",
    "whole_clusters": lambda _: "clusters to being kept whole",
}


def taken_over_sentence(changed: Mapping[str, object]) -> str:
    """Which settings of the whole session a pair that was opened brought along, and as what."""
    clauses = [_SETTINGS[name](value) for name, value in changed.items()]
    return (
        "So that this pair is tested as on the Systems page, these settings of the session were "
        f"changed: {'; '.join(clauses)}."
    )


def claim_parts(
    pairs: PairComparisons, data: ResultSet, settings: AnalysisSettings, family: str
) -> tuple[Part, ...]:
    """The matrix of all pairs at a claim with a margin, at the level and as it was chosen."""
    margin = written_margin(pairs.margins, data.points_of(pairs.metrics[0]))
    how, level = settings.counted_by, settings.alpha
    counts = count_matrix(pairs, alpha=level, combination=how, family=family)
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
