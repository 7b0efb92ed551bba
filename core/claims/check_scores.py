"""Claims against scores and numbers of examples alone, where no p-values are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from ..data.score_table import ScoreTable
from ..replicability.combinations import combination_names
from ..replicability.identification import named_by
from ..types import DEPENDENCES, BoolArray, Dependence, FloatArray
from ..validation import check_choice
from ..words.formatting import display_name, format_level
from ..words.subject import Subject
from . import sentences
from .check_arithmetic import allowing, at_least_verdict
from .check_inputs import further_methods, listed_by, members_of, method_of, procedure_of
from .check_rounding import count_by
from .check_rows import has_spread
from .claim import ANY, COUNT, Claim, Method, method_name
from .findings import NO_STEPS, ClaimVerdict, Finding, Steps
from .in_use import in_use_of
from .intervals import check_interval
from .printed_scores import ScoreMetric, check_n, printed_as, read_scores
from .sentences_rows import averaged_sentence, no_multiple_sentence

Sidedness = Literal["one-sided", "two-sided"]
# Nothing in a table without p-values says how its paper tested.
SIDEDNESSES: tuple[Sidedness, ...] = get_args(Sidedness)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PossibleBox:
    """Where each dataset's one-sided p-value must lie, whatever test in use was made.

    Attributes
    ----------
    low, high : ndarray, shape (N,)
        Over every test in use, `high` without Monte Carlo error; 0 and 1 where the digits
        leave open who is ahead, or scores and size do not fit.
    farthest : ndarray, shape (N,)
        `high` with the Monte Carlo error of 100 resamples.
    misfits : tuple of (str, tuple of str)
        Datasets with scores that are no shares of their examples, and those scores.
    """

    low: FloatArray
    high: FloatArray
    farthest: FloatArray
    misfits: tuple[tuple[str, tuple[str, ...]], ...]

    def read(self, sidedness: Sidedness) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Low, high and farthest ends for a system, of tests made one-sided for it or two-sided.

        A two-sided p-value speaks for a system only where that is ahead: there it is twice
        a one-sided one, and elsewhere 1 stands here.

        Raises
        ------
        ValueError
            If there is no such sidedness.
        """
        check_choice(sidedness, SIDEDNESSES, name="sidedness")
        if sidedness == "one-sided":
            return self.low, self.high, self.farthest
        low, high, farthest = (
            np.minimum(1.0, 2.0 * end) for end in (self.low, self.high, self.farthest)
        )
        return low, high, farthest


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
            own = 0.0, 1.0, 1.0
        ends.append(own)
    low, high, farthest = np.array(ends, dtype=np.float64).T
    return PossibleBox(low=low, high=high, farthest=farthest, misfits=tuple(misfits))


Side = Literal["a", "b"]
# Bounds hold for the tests that are tried, so that nothing here is called contradicted.
_POSSIBLE = "of the p-values that are possible beside the scores,"


def check_scores_alone(
    table: ScoreTable,
    claims: Sequence[Claim],
    *,
    system_a: str,
    system_b: str,
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
    smallest.

    Raises
    ------
    ValueError
        If there is no such metric, or nothing such is known of the datasets.
    """
    check_choice(dependence, DEPENDENCES, name="dependence")
    sides: list[Side] = [side for c in claims if (side := c.better) != "differ"] or ["a"]
    boxes = {
        side: possible_box(
            table,
            *((system_a, system_b) if side == "a" else (system_b, system_a)),
            n_examples=n_examples,
            metric=metric,
            steps=steps,
        )
        for side in dict.fromkeys(sides)
    }
    found = []
    for claim in claims:
        found.append(
            _judged(table, claim, boxes, alpha=alpha, dependence=dependence, subject=subject)
        )
        steps.step()
    any_box = next(iter(boxes.values()))
    sizes = dict(zip(table.datasets, n_examples, strict=True))
    averaged = has_spread(table)
    said = averaged_sentence if averaged else no_multiple_sentence
    found += [
        Finding(
            verdict="cannot-be-decided" if averaged else "impossible",
            check="granularity",
            dataset=dataset,
            reason=said(dataset, scores, sizes[dataset]),
            details={"scores": scores, "n_examples": sizes[dataset]},
        )
        for dataset, scores in any_box.misfits
    ]
    about_table = [c for c in claims if c.kind != "interval"]
    levels = dict.fromkeys([alpha if c.alpha is None else c.alpha for c in about_table] or [alpha])
    for side, box in boxes.items():
        found += [_range_finding(box, level, side, subject) for level in levels]
    return found


def _judged(
    table: ScoreTable,
    claim: Claim,
    boxes: dict[Side, PossibleBox],
    *,
    alpha: float,
    dependence: Dependence,
    subject: Subject,
) -> Finding:
    level = alpha if claim.alpha is None else claim.alpha
    words = sentences.that(
        sentences.claim_words(claim, subject, level, method_of(claim, dependence)), claim
    )
    n = len(table.datasets)

    def finding(verdict: ClaimVerdict, why: str, **details: object) -> Finding:
        stated = sentences.claim_sentence(words, verdict, why, by="by scores and sizes")
        return Finding(
            verdict=verdict,
            check="scores-alone",
            claim=claim,
            reason=stated,
            details={"alpha": level, **details},
            why=why,
        )

    if claim.kind == "interval":
        return check_interval(claim, alpha=alpha)
    if claim.method == ANY:
        return finding("cannot-be-decided", "the table has no p-values to choose among.")
    if claim.better == "differ":
        return finding("cannot-be-decided", "scores alone are judged for one system at a time.")
    if claim.n_datasets not in (None, n):
        assert claim.n_datasets is not None
        return finding("cannot-be-decided", sentences.other_n_sentence(claim.n_datasets, n))
    box = boxes[claim.better]
    if claim.counts:
        assert claim.k is not None
        method = method_of(claim, dependence)
        spans = _spans(box, method, level)
        each = [
            _count_verdict(claim, *span, least_drawn=count_by(box.read(s)[2], method, level))
            for s, span in spans.items()
        ]
        fewest = min(least for least, _ in spans.values())
        most = max(largest for _, largest in spans.values())
        said = _by_reading(
            {s: f"{sentences.numbers_in_words(*span)} of {n}" for s, span in spans.items()}
        )
        others: dict[Method, tuple[int, int]] = {}
        if claim.kind == "at-least" and claim.method is None:
            for further in further_methods(dependence):
                found = _spans(box, further, level).values()
                others[further] = min(low for low, _ in found), max(high for _, high in found)
        verdict = _of_all(each)
        needs = allowing(claim.k, verdict, others)
        beside = sentences.beside_reason(others, n)
        return finding(
            "not-excluded" if needs else verdict,
            f"{_POSSIBLE} {method_name(method)} counts {said}. {beside}".rstrip(),
            others=others,
            needs=needs,
            fewest=fewest,
            most=most,
            method=method,
            counts=spans,
        )
    members = members_of(claim, table.datasets)
    verdicts, words_of, always_of, ever_of = [], {}, [], []
    for sidedness in SIDEDNESSES:
        ever, always, drawn = (listed_by(claim, end, alpha=level) for end in box.read(sidedness))
        never = members & ~ever
        verdicts.append(_list_verdict(claim, members, always, ever, drawn))
        always_of.append(always)
        ever_of.append(ever)
        sure = subject.names(always) if always.any() else "none"
        may = subject.names(ever & ~always) if (ever & ~always).any() else "no others"
        words_of[sidedness] = f"{sure} for certain, and {may} perhaps" + (
            f", never {subject.names(never)}" if never.any() else ""
        )
    if claim.kind == "named":
        verb = f"{method_name(procedure_of(claim))} names"
    else:
        verb = f"p is at most {format_level(level)} on"
    return finding(
        _of_all(verdicts),
        f"{_POSSIBLE} {verb} {_by_reading(words_of)}.",
        always=_names(np.logical_and.reduce(always_of), table),
        ever=_names(np.logical_or.reduce(ever_of), table),
    )


def _spans(box: PossibleBox, method: Method, alpha: float) -> dict[Sidedness, tuple[int, int]]:
    """The smallest and the largest count, by each reading."""
    spans: dict[Sidedness, tuple[int, int]] = {}
    for sidedness in SIDEDNESSES:
        low, high, _ = box.read(sidedness)
        spans[sidedness] = count_by(high, method, alpha), count_by(low, method, alpha)
    return spans


def _count_verdict(claim: Claim, fewest: int, most: int, *, least_drawn: int) -> ClaimVerdict:
    """`least_drawn` is the fewest with Monte Carlo error: what only that allows is not denied."""
    assert claim.k is not None
    if claim.kind == "at-least":
        return at_least_verdict(claim.k, fewest, most)
    if fewest == most == claim.k:
        return "confirmed"
    return "not-excluded" if least_drawn <= claim.k <= most else "not-supported"


def _list_verdict(
    claim: Claim, members: BoolArray, always: BoolArray, ever: BoolArray, drawn: BoolArray
) -> ClaimVerdict:
    """`drawn` are those always named also with Monte Carlo error."""
    left_out = drawn & ~members
    if (members & ~ever).any() or (claim.kind == "named" and left_out.any()):
        return "not-supported"
    if always[members].all() and (claim.kind == "significant" or np.array_equal(ever, members)):
        return "confirmed"
    return "not-excluded"


def _of_all(verdicts: Sequence[ClaimVerdict]) -> ClaimVerdict:
    """What holds by every reading, and otherwise that nothing is excluded."""
    (one, *others) = dict.fromkeys(verdicts)
    return "not-excluded" if others else one


def _by_reading(said: Mapping[Sidedness, str]) -> str:
    """Write "1 of 3, one-sided or two-sided", or each by its own."""
    if len(set(said.values())) == 1:
        return f"{next(iter(said.values()))}, whether one-sided or two-sided"
    return "; ".join(f"if {sidedness}, {words}" for sidedness, words in said.items())


def _range_finding(box: PossibleBox, alpha: float, side: Side, subject: Subject) -> Finding:
    """Every count, and Holm's lists, that scores and sizes alone leave open."""
    n = box.low.size
    methods: tuple[Method, ...] = (COUNT, *combination_names())
    spans = {method: _spans(box, method, alpha) for method in methods}
    each = _by_reading(
        {
            sidedness: ", ".join(
                f"{sentences.numbers_in_words(*found[sidedness])} by {method_name(method)}"
                for method, found in spans.items()
            )
            for sidedness in SIDEDNESSES
        }
    )
    # Two-sided p-values are the larger ones.
    always = named_by(box.read("two-sided")[1], alpha=alpha, procedure="holm")
    ever = named_by(box.low, alpha=alpha, procedure="holm")
    system = subject.system_a if side == "a" else subject.system_b
    return Finding(
        verdict=None,
        check="scores-alone",
        reason=(
            f"Scores and sizes alone leave open on how many of {n} datasets "
            f"{display_name(system)} is counted as better: {each}. By either reading Holm identifies "
            f"{subject.names(always) if always.any() else 'none'} for certain and at most "
            f"{int(np.count_nonzero(ever))}."
        ),
        details={
            "better": side,
            "alpha": alpha,
            "counts": {method: found["one-sided"] for method, found in spans.items()},
            "counts_two_sided": {method: found["two-sided"] for method, found in spans.items()},
            "holm_always": tuple(subject.datasets[i] for i in np.flatnonzero(always)),
            "holm_ever": tuple(subject.datasets[i] for i in np.flatnonzero(ever)),
            "low": tuple(box.low.tolist()),
            "high": tuple(box.high.tolist()),
        },
    )


def _names(chosen: BoolArray, table: ScoreTable) -> tuple[str, ...]:
    return tuple(table.datasets[i] for i in np.flatnonzero(chosen))
