"""Tables without p-values: what scores and numbers of examples, or marks of significance, leave open.

A mark says p ≤ α, and no mark p > α. The fewest datasets are counted where every marked
p-value is α itself and every other is 1, the most where marked ones are 0 and the others
just above α; both by the counting that p-values themselves would have.

Vocabulary
----------
fewest
    The smallest number of examples by which a system must be ahead for any p ≤ alpha: where the
    other one is right on nothing alone.
surely
    The smallest number from which p ≤ alpha whatever the examples: where the systems disagree
    as often as their scores allow.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from ..data.score_table import ScoreTable
from ..replicability.combinations import combination_named, combination_names, usual_combination
from ..replicability.identification import named_by
from ..types import Dependence, IntArray
from ..validation import at_most
from ..words.formatting import display_name, format_level, list_names, numbers_in_words
from ..words.subject import Subject
from ..words.verdicts import score_table_sentence
from . import wording
from .checked import JUST_ABOVE, Side, Way
from .claim import ANY, COUNT, Claim, Method, method_name
from .findings import Finding, Verdict
from .in_use import InUse, in_use_of
from .judging import Outcome, beyond, combined, count_by, denied_by_scores, taken
from .means import check_interval
from .possible import Variant, possible_of
from .printed_scores import ScoreMetric, mcnemar_p_values, read_rows, unfitting
from .rows import Step, no_share

Significant = Literal["always", "possibly", "never", "no-share"]
_TEST = {"accuracy": "mcnemar", "correlation": "williams"}
_TITLES = {"accuracy": "exact McNemar", "correlation": "Williams"}


def ways_toward(side: Side, in_use: Sequence[InUse | None]) -> tuple[Way, Way]:
    """Of tests made one-sided for a system, and two-sided, where each dataset's p-value must lie.

    Its ends are those over every test in use, the high one without Monte Carlo error; 0 and 1 where the
    digits leave open who is ahead, or scores and size do not fit (None). A two-sided p-value speaks
    for a system only where that is ahead: there it is twice a one-sided one, and elsewhere 1 stands here.
    """
    ends = [(0.0, 1.0) if own is None else own.toward(side) for own in in_use]
    low, high = np.array(ends, dtype=np.float64).T
    two_low, two_high = np.minimum(1.0, 2.0 * low), np.minimum(1.0, 2.0 * high)
    return (
        Way(name="if one-sided", low=low, high=high),
        Way(name="if two-sided", low=two_low, high=two_high),
    )


def check_scores_alone(
    table: ScoreTable,
    claims: Sequence[Claim],
    *,
    n_examples: Sequence[int] | None,
    metric: ScoreMetric | None,
    alpha: float,
    dependence: Dependence,
    subject: Subject,
    step: Step = bool,
) -> list[Finding]:
    """Judge claims by every p-value that is possible beside the scores, one-sided and two-sided.

    Bounds hold for the tests that are tried, so that no p-value is denied: contradicted is only what
    counts more wins than there are better scores. Without sizes or a metric that is all that is judged.
    """
    pair = subject.system_a, subject.system_b
    ways: dict[Side, tuple[Way, Way]] = {}
    misfits: list[Finding] = []
    if n_examples is not None and metric is not None:
        # Rates of errors leave the same splits open with the systems exchanged.
        names = pair if table.higher_is_better else pair[::-1]
        in_use: list[InUse | None] = []
        read = read_rows([table.printed_scores(name) for name in names], n_examples, metric)
        for dataset, (ranges, n) in zip(table.datasets, read, strict=True):
            step()
            assert ranges is not None
            wrong = unfitting(ranges, n)
            in_use.append(None if wrong else in_use_of(*ranges, n))
            if wrong:
                misfits.append(no_share(dataset, wrong, n, averaged=bool(table.spreads)))
        sides: list[Side] = [side for c in claims if (side := c.better) != "differ"] or ["a"]
        ways = {side: ways_toward(side, in_use) for side in sides}
    found: list[Finding] = []
    for claim in claims:
        found.append(_judged(claim, ways, table, subject, alpha, dependence))
        step()
    about_table = [c for c in claims if c.kind != "interval"]
    levels = dict.fromkeys([c.level(alpha) for c in about_table] or [alpha])
    ranges_open = [
        _range_finding(own, level, side, subject) for side, own in ways.items() for level in levels
    ]
    return [*found, *misfits, *ranges_open]


def _judged(
    claim: Claim,
    ways: Mapping[Side, tuple[Way, Way]],
    table: ScoreTable,
    subject: Subject,
    alpha: float,
    dependence: Dependence,
) -> Verdict:
    if claim.kind == "interval":
        return check_interval(claim, alpha=alpha)
    level, method = claim.level(alpha), claim.counted_by(dependence)
    words = claim.words(subject, alpha=alpha, dependence=dependence)
    if (finding := beyond(claim, len(subject.datasets), words)) is not None:
        return finding
    pair = subject.system_a, subject.system_b
    # The system that is claimed to be better is A from here on.
    first, second = pair[::-1] if claim.better == "b" else pair
    own, of_a = replace(subject, system_a=first, system_b=second), claim.for_a
    differences = table.scores(first) - table.scores(second)
    differences = differences if table.higher_is_better else -differences
    worse = denied_by_scores(of_a, differences, own)
    unable = ""
    if not ways and not worse:
        unable = score_table_sentence(table, a=pair[0], b=pair[1])
    elif claim.method == ANY:
        unable = "The table has no p-values to choose among."
    elif claim.better == "differ":
        unable = "Scores alone are judged for one system at a time."
    if unable or claim.better == "differ":
        return wording.verdict_on(claim, "not-shown", words, unable, settle=wording.THEMSELVES)
    members = claim.members(subject.datasets)
    readings = tuple(
        (judged,)
        for way in ways.get(claim.better, ())
        if (judged := taken(of_a, way, method=method, alpha=level, members=members)) is not None
    )
    outcome = Outcome(
        claim=of_a,
        key="contradicted" if worse else "holds" if combined(readings) == "holds" else "not-shown",
        readings=readings,
        stand=None,
        method=method,
        level=level,
        members=members,
        subject=own,
        made="possible",
        worse=worse,
    )
    return wording.verdict_on(
        claim,
        outcome.key,
        words,
        wording.why(outcome),
        settle=wording.settle(outcome),
        behind=(wording.by_way(outcome),) if readings else (),
        outcome=outcome,
    )


def _range_finding(ways: tuple[Way, Way], alpha: float, side: Side, subject: Subject) -> Finding:
    """Every count, and Holm's lists, that scores and sizes alone leave open."""
    one_sided, two_sided = ways
    system = subject.system_b if side == "b" else subject.system_a
    n = one_sided.low.size
    methods: tuple[Method, ...] = (COUNT, *combination_names())
    said = {
        way.name: ", ".join(
            f"{numbers_in_words(count_by(way.high, method, alpha), count_by(way.low, method, alpha))}"
            f" by {method_name(method)}"
            for method in methods
        )
        for way in ways
    }
    each = "; ".join(f"{name}, {words}" for name, words in said.items())
    if len(set(said.values())) == 1:
        each = f"{next(iter(said.values()))}, whether one-sided or two-sided"
    # Two-sided p-values are the larger ones.
    always = named_by(two_sided.high, alpha=alpha, procedure="holm")
    ever = named_by(one_sided.low, alpha=alpha, procedure="holm")
    return Finding(
        key=None,
        check="scores-alone",
        reason=(
            f"Scores and sizes alone leave open on how many of {n} datasets "
            f"{display_name(system)} is counted as better: {each}. By either reading Holm "
            f"identifies {subject.names(always) if always.any() else 'none'} for certain and at most "
            f"{int(np.count_nonzero(ever))}."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What one dataset's printed scores of A and B, and its size, leave open.

    `low` and `high` are the ends of the two-sided p-values, nan where a score is no share of n;
    `significant` says whether p ≤ alpha. Of accuracies `fewest` and `surely` are leads in examples;
    None where no lead on n examples is enough.
    """

    dataset: str
    n_examples: int
    scores: tuple[str, str]
    low: float
    high: float
    significant: Significant
    metric: ScoreMetric
    fewest: int | None = None
    surely: int | None = None


def reach_of(
    table: ScoreTable,
    system_a: str,
    system_b: str,
    *,
    n_examples: Sequence[int],
    metric: ScoreMetric,
    alpha: float = 0.05,
) -> tuple[Reach, ...]:
    """Of each dataset, which two-sided p-values its scores leave open, by McNemar's exact or Williams' test."""
    columns = table.printed_scores(system_a), table.printed_scores(system_b)
    found = []
    read = read_rows(columns, n_examples, metric)
    for dataset, (ranges, n) in zip(table.datasets, read, strict=True):
        assert ranges is not None
        significant: Significant = "possibly"
        ends, fewest, surely = (np.nan, np.nan), None, None
        if unfitting(ranges, n):
            significant = "no-share"
        elif possible := possible_of(*ranges, n, sides=("either",)).get(
            Variant(_TEST[metric], "either")
        ):
            ends = possible.low, possible.high
            low, high = at_most(np.array(ends), alpha)
            significant = "always" if high else "possibly" if low else "never"
            if metric == "accuracy":
                right = min(sum(r.fitting(n).counts(n)) // 2 for r in ranges)
                leads = np.arange(1, n - right + 1)
                most = np.maximum(leads, np.minimum(2 * right + leads, 2 * (n - right) - leads))
                # Where the other is right on nothing alone, and where they disagree the most.
                few = np.arange(1, min(n, 1000) + 1)
                fewest, surely = _first(few, few, alpha), _first(leads, most, alpha)
        found.append(
            Reach(
                dataset=dataset,
                n_examples=n,
                scores=(ranges[0].printed, ranges[1].printed),
                low=ends[0],
                high=ends[1],
                significant=significant,
                metric=metric,
                fewest=fewest,
                surely=surely,
            )
        )
    return tuple(found)


def reach_sentence(rows: Sequence[Reach], *, alpha: float) -> str:
    """On how many datasets the difference is, can be and cannot be significant."""
    numbers = {
        kind: sum(row.significant == kind for row in rows)
        for kind in ("always", "possibly", "never")
    }
    said = (
        f"By scores and sizes alone ({_TITLES[rows[0].metric]}, two-sided p ≤ {format_level(alpha)}), the "
        f"difference is significant on {numbers['always']} of {len(rows)} datasets in any case, "
        f"possibly on {numbers['possibly']}, and not on {numbers['never']}."
    )
    odd = [row.dataset for row in rows if row.significant == "no-share"]
    if odd:
        said += f" Scores are no share of their examples on {list_names(odd)}."
    fewest = [row.fewest for row in rows if row.fewest is not None]
    if fewest:
        said += f" A lead of fewer than {min(fewest):,} examples is never significant."
    return said


def _first(leads: IntArray, disagreements: IntArray, alpha: float) -> int | None:
    """The first of some leads that is significant, beside so many disagreements each."""
    p_values = mcnemar_p_values(leads, disagreements, test="mcnemar", alternative="two-sided")
    return next(iter(leads[at_most(p_values, alpha)].tolist()), None)


@dataclass(frozen=True, kw_only=True)
class MarkBounds:
    """What marks of p ≤ alpha on so many of so many datasets leave open by themselves.

    The others are known to have p > alpha, unless marks are not all there are, `are_all`.
    """

    n_marked: int
    n_datasets: int
    alpha: float = 0.05
    are_all: bool = True

    @cached_property
    def counts(self) -> dict[str, tuple[int, int]]:
        """By each combination the fewest and the most datasets at level alpha."""
        marked = np.arange(self.n_datasets) < self.n_marked
        largest = np.where(marked, self.alpha, 1.0)
        unmarked = min(1.0, self.alpha * JUST_ABOVE) if self.are_all else 0.0
        smallest = np.where(marked, 0.0, unmarked)
        return {
            name: (count_by(largest, name, self.alpha), count_by(smallest, name, self.alpha))
            for name in combination_names()
        }

    def sentences(self) -> tuple[str, str]:
        """What is supported whatever the p-values, and what they could support at most."""
        title = combination_named(usual_combination("independent")).title
        (fewest, most), (fewest_there, most_there) = (
            self.counts[usual_combination(known)] for known in ("not-known", "independent")
        )
        supported = (
            f"Bonferroni supports {fewest}, {title} {fewest_there} if the datasets are independent"
        )
        if not any(least for least, _ in self.counts.values()):
            supported = "no count of wins is supported"
        limit = (
            f"The p-values behind the marks could support at most Bonferroni {most} and {title} "
            f"{most_there}."
        )
        if not self.are_all:
            limit = (
                "The claim does not say that p is large on the others, and so sets no upper limit."
            )
        return (
            f"With p ≤ {format_level(self.alpha)} on {self.n_marked} of {self.n_datasets} and nothing "
            f"more known, {supported}: ask for p-values.",
            limit,
        )


def marked_datasets(
    table: ScoreTable, system_a: str, system_b: str
) -> tuple[tuple[str, ...], bool]:
    """The datasets where a score of one of two systems has a mark, and whether all can be one test's.

    Marks of both systems, or of different signs, may be those of different tests or systems.
    """
    pair = [table.systems.index(name) for name in (system_a, system_b)]
    marks = {
        (dataset, i, sign)
        for dataset, own in zip(table.datasets, table.marks, strict=False)
        for i in pair
        for sign in re.sub("[∗⋆★]", "*", own[i])
    }
    marked = {dataset for dataset, *_ in marks}
    return tuple(d for d in table.datasets if d in marked), len({m[1:] for m in marks}) < 2


def marks_of(claims: Iterable[Claim], n_datasets: int | None, *, alpha: float) -> list[MarkBounds]:
    """What marks support that are all a claim is made from: how many p ≤ alpha, or on which.

    Claims that count or list p ≤ alpha are answered, others passed over; without a table, None, a claim
    must say how many datasets there are.
    """
    found = []
    for claim in claims:
        n = claim.n_datasets or n_datasets
        marked = claim.k if claim.method == COUNT else None
        if claim.kind == "significant" and claim.of_levels:
            marked = len(claim.datasets)
        if n and marked is not None and marked <= n:
            # "At least 9", and a list of names, leave open what the others are.
            are_all = claim.kind == "exactly"
            level = claim.level(alpha)
            found.append(MarkBounds(n_marked=marked, n_datasets=n, alpha=level, are_all=are_all))
    return found
