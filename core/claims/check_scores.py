"""Claims against scores and numbers of examples alone, where no p-values are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..data.score_table import ScoreTable
from ..replicability.combinations import combination_names
from ..replicability.identification import named_by
from ..types import DEPENDENCES, Dependence, FloatArray
from ..validation import check_choice
from ..words.subject import Subject
from . import wording
from .check_inputs import members_of, method_of
from .check_rounding import count_by
from .check_rows import has_spread
from .claim import ANY, COUNT, Claim, Method, method_name
from .findings import NO_STEPS, Finding, Steps, Verdict
from .in_use import in_use_of
from .intervals import check_interval
from .judging import Outcome, beyond, combined, details_of, taken
from .printed_scores import ScoreMetric, check_n, printed_as, read_scores
from .readings import Side, Way
from .sentences import averaged_sentence, no_multiple_sentence, numbers_in_words


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PossibleBox:
    """Where each dataset's one-sided p-value must lie, whatever test in use was made.

    Attributes
    ----------
    low, high : ndarray, shape (N,)
        Over every test in use, `high` without Monte Carlo error; 0 and 1 where the digits
        leave open who is ahead, or scores and size do not fit.
    misfits : tuple of (str, tuple of str)
        Datasets with scores that are no shares of their examples, and those scores.
    """

    low: FloatArray
    high: FloatArray
    misfits: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def ways(self) -> tuple[Way, Way]:
        """Of tests made one-sided for the system, and two-sided.

        A two-sided p-value speaks for a system only where that is ahead: there it is twice
        a one-sided one, and elsewhere 1 stands here.
        """
        low, high = (np.minimum(1.0, 2.0 * end) for end in (self.low, self.high))
        return (
            Way(name="if one-sided", low=self.low, high=self.high),
            Way(name="if two-sided", low=low, high=high),
        )


def possible_box(
    table: ScoreTable,
    ahead: str,
    behind: str,
    *,
    n_examples: Sequence[int],
    metric: ScoreMetric,
    steps: Steps = NO_STEPS,
) -> PossibleBox:
    """Where each dataset's p-value of "ahead is better" lies, over every test in use."""
    scores = table.printed_scores(ahead), table.printed_scores(behind)
    if not table.higher_is_better:
        # Rates of errors leave the same splits open with the systems exchanged.
        scores = scores[1], scores[0]
    decimals, scale = printed_as(text for column in scores for text in column)
    ends, misfits = [], []
    for dataset, a, b, n in zip(table.datasets, *scores, n_examples, strict=True):
        steps.step()
        n = check_n(n)
        first, second = read_scores(a, b, metric=metric, decimals=decimals, scale=scale)
        own = in_use_of(first, second, n, metric=metric).toward("a")
        unfitting = tuple(
            score.printed
            for score in (first, second)
            if metric == "accuracy" and not score.fitting(n).is_multiple_of_one_in(n)
        )
        if unfitting:
            misfits.append((dataset, unfitting))
            own = 0.0, 1.0
        ends.append(own)
    low, high = np.array(ends, dtype=np.float64).T
    return PossibleBox(low=low, high=high, misfits=tuple(misfits))


def check_scores_alone(
    table: ScoreTable,
    claims: Sequence[Claim],
    *,
    n_examples: Sequence[int],
    metric: ScoreMetric,
    alpha: float,
    dependence: Dependence,
    subject: Subject,
    steps: Steps = NO_STEPS,
) -> list[Finding]:
    """Judge claims by every p-value that is possible beside the scores, one-sided and two-sided.

    As datasets may be anywhere in their ranges at once, all p-values at their
    low ends give the largest counts and lists, and all at their high ends the
    smallest. Bounds hold for the tests that are tried, so that nothing is contradicted.

    Raises
    ------
    ValueError
        If there is no such metric, or nothing such is known of the datasets.
    """
    check_choice(dependence, DEPENDENCES, name="dependence")
    sides: list[Side] = [side for c in claims if (side := c.better) != "differ"] or ["a"]
    pair = subject.system_a, subject.system_b
    boxes = {
        side: possible_box(
            table,
            *(pair if side == "a" else pair[::-1]),
            n_examples=n_examples,
            metric=metric,
            steps=steps,
        )
        for side in dict.fromkeys(sides)
    }
    found: list[Finding] = []
    for claim in claims:
        found.append(_judged(claim, boxes, alpha=alpha, dependence=dependence, subject=subject))
        steps.step()
    sizes = dict(zip(table.datasets, n_examples, strict=True))
    averaged = has_spread(table)
    said = averaged_sentence if averaged else no_multiple_sentence
    found += [
        Finding(
            key="undecided" if averaged else "impossible",
            check="granularity",
            dataset=dataset,
            reason=said(dataset, scores, sizes[dataset]),
            details={"scores": scores, "n_examples": sizes[dataset]},
        )
        for dataset, scores in next(iter(boxes.values())).misfits
    ]
    about_table = [c for c in claims if c.kind != "interval"]
    levels = dict.fromkeys([alpha if c.alpha is None else c.alpha for c in about_table] or [alpha])
    for side, box in boxes.items():
        found += [_range_finding(box, level, side, subject) for level in levels]
    return found


def _judged(
    claim: Claim,
    boxes: Mapping[Side, PossibleBox],
    *,
    alpha: float,
    dependence: Dependence,
    subject: Subject,
) -> Verdict:
    if claim.kind == "interval":
        return check_interval(claim, alpha=alpha)
    level = alpha if claim.alpha is None else claim.alpha
    method = method_of(claim, dependence)
    words = claim.words(
        alpha=level, system_a=subject.system_a, system_b=subject.system_b, assumed=method
    )
    if (finding := beyond(claim, len(subject.datasets), words)) is not None:
        return finding
    if claim.method == ANY or claim.better == "differ":
        why = "Scores alone are judged for one system at a time."
        if claim.method == ANY:
            why = "The table has no p-values to choose among."
        settle = "The p-values themselves would settle it."
        return wording.verdict_on(claim, "not-shown", words, why, settle=settle)
    members = members_of(claim, subject.datasets)
    readings = tuple(
        (judged,)
        for way in boxes[claim.better].ways
        if (judged := taken(claim, way, method=method, alpha=level, members=members)) is not None
    )
    outcome = Outcome(
        claim=claim,
        key="holds" if combined(readings) == "holds" else "not-shown",
        readings=readings,
        stand=None,
        method=method,
        level=level,
        members=members,
        subject=subject,
        made="possible",
    )
    return wording.verdict_on(
        claim,
        outcome.key,
        words,
        wording.why(outcome),
        settle=wording.settle(outcome),
        behind=(wording.by_way(outcome),),
        details=details_of(outcome),
    )


def _range_finding(box: PossibleBox, alpha: float, side: Side, subject: Subject) -> Finding:
    """Every count, and Holm's lists, that scores and sizes alone leave open."""
    n = box.low.size
    methods: tuple[Method, ...] = (COUNT, *combination_names())
    counts = {
        way.name: {m: (count_by(way.high, m, alpha), count_by(way.low, m, alpha)) for m in methods}
        for way in box.ways
    }
    said = {
        name: ", ".join(
            f"{numbers_in_words(*span)} by {method_name(method)}" for method, span in found.items()
        )
        for name, found in counts.items()
    }
    each = "; ".join(f"{name}, {words}" for name, words in said.items())
    if len(set(said.values())) == 1:
        each = f"{next(iter(said.values()))}, whether one-sided or two-sided"
    # Two-sided p-values are the larger ones.
    always = named_by(box.ways[1].high, alpha=alpha, procedure="holm")
    ever = named_by(box.low, alpha=alpha, procedure="holm")
    return Finding(
        key=None,
        check="scores-alone",
        reason=(
            f"Scores and sizes alone leave open on how many of {n} datasets "
            f"{wording.system_of(subject, side)} is counted as better: {each}. By either reading Holm "
            f"identifies {subject.names(always) if always.any() else 'none'} for certain and at most "
            f"{int(np.count_nonzero(ever))}."
        ),
        details={
            "better": side,
            "alpha": alpha,
            "counts": counts,
            "holm_always": tuple(subject.datasets[i] for i in np.flatnonzero(always)),
            "holm_ever": tuple(subject.datasets[i] for i in np.flatnonzero(ever)),
            "low": tuple(box.low.tolist()),
            "high": tuple(box.high.tolist()),
        },
    )
