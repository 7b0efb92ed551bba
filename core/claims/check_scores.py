"""Claims against scores and numbers of examples alone, where no p-values are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.claims import sentences
from core.claims.check_arithmetic import at_least_verdict
from core.claims.check_inputs import members_of, method_of, procedure_of
from core.claims.check_rounding import count_by
from core.claims.claim import COUNT, Claim, Method, method_name
from core.claims.possible import possible_p_values
from core.claims.printed_scores import ScoreMetric, decimals_of, is_percent
from core.claims.sentences_possible import no_multiple_sentence
from core.claims.verdicts import ClaimVerdict, Finding
from core.data.score_table import ScoreTable
from core.replicability.decision import at_most
from core.replicability.identification import named_by
from core.report.formatting import display_name, format_level
from core.report.sentences import Subject
from core.types import COMBINATIONS, BoolArray, Dependence, FloatArray

Side = Literal["a", "b"]
# Bounds hold for the tests that are tried, so that nothing here is called contradicted.
_POSSIBLE = "one-sided p-values that are possible beside the scores"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PossibleBox:
    """Where each dataset's one-sided p-value must lie, whatever test of the family was made.

    Attributes
    ----------
    low, high : ndarray, shape (N,)
        Over every test of such scores; 0 and 1 where scores and size do not fit.
    misfits : tuple of (str, tuple of str)
        Datasets with scores that are no shares of their examples, and those scores.
    """

    low: FloatArray
    high: FloatArray
    misfits: tuple[tuple[str, tuple[str, ...]], ...]


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
) -> list[Finding]:
    """Judge claims by every p-value that is possible beside the scores.

    As datasets may be anywhere in their ranges at once, all p-values at their
    low ends give the largest counts and lists, and all at their high ends the
    smallest.
    """
    sides: list[Side] = [side for c in claims if (side := c.better) != "differ"] or ["a"]
    boxes = {
        side: possible_box(
            table,
            *((system_a, system_b) if side == "a" else (system_b, system_a)),
            n_examples=n_examples,
            metric=metric,
        )
        for side in dict.fromkeys(sides)
    }
    found = [
        _judged(table, claim, boxes, alpha=alpha, dependence=dependence, subject=subject)
        for claim in claims
    ]
    any_box = next(iter(boxes.values()))
    sizes = dict(zip(table.datasets, n_examples, strict=True))
    found += [
        Finding(
            verdict="impossible",
            check="granularity",
            dataset=dataset,
            reason=no_multiple_sentence(dataset, scores, sizes[dataset]),
            details={"scores": scores, "n_examples": sizes[dataset]},
        )
        for dataset, scores in any_box.misfits
    ]
    levels = dict.fromkeys([alpha if c.alpha is None else c.alpha for c in claims] or [alpha])
    for side, box in boxes.items():
        found += [_range_finding(box, level, side, subject) for level in levels]
    return found


def possible_box(
    table: ScoreTable,
    ahead: str,
    behind: str,
    *,
    n_examples: Sequence[int],
    metric: ScoreMetric,
) -> PossibleBox:
    """Where each dataset's p-value of "ahead is better" lies, over every test of such scores."""
    scores = table.printed_scores(ahead), table.printed_scores(behind)
    if not table.higher_is_better:
        # Rates of errors leave the same splits open with the systems exchanged.
        scores = scores[1], scores[0]
    printed = [text for column in scores for text in column]
    decimals = max(map(decimals_of, printed))
    scale: Literal["percent", "fraction"] = (
        "percent" if any(map(is_percent, printed)) else "fraction"
    )
    low, high, misfits = [], [], []
    for dataset, a, b, n in zip(table.datasets, *scores, n_examples, strict=True):
        try:
            found = possible_p_values(
                a, b, n, metric=metric, alternative="greater", decimals=decimals, scale=scale
            ).values()
        except ValueError as error:
            if "must be a share of" not in str(error):
                raise
            misfits.append((dataset, (a, b)))
            low.append(0.0)
            high.append(1.0)
            continue
        low.append(min(p.low for p in found))
        high.append(max(p.high for p in found))
    return PossibleBox(low=np.array(low), high=np.array(high), misfits=tuple(misfits))


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
    words = sentences.claim_words(claim, subject, level)
    n = len(table.datasets)

    def finding(verdict: ClaimVerdict, why: str, **details: object) -> Finding:
        stated = sentences.claim_sentence(words, verdict, why)
        return Finding(
            verdict=verdict,
            check="scores-alone",
            claim=claim,
            reason=stated.replace("by these p-values", "by scores and sizes"),
            details={"alpha": level, **details},
        )

    if claim.better == "differ":
        return finding("cannot-be-decided", "scores alone are judged for one system at a time.")
    if claim.n_datasets not in (None, n):
        assert claim.n_datasets is not None
        return finding("cannot-be-decided", sentences.other_n_sentence(claim.n_datasets, n))
    box = boxes[claim.better]
    if claim.counts:
        assert claim.k is not None
        method = method_of(claim, dependence)
        fewest, most = count_by(box.high, method, level), count_by(box.low, method, level)
        verdict = at_least_verdict(claim.k, fewest, most)
        if claim.kind == "exactly":
            verdict = "not-excluded" if fewest <= claim.k <= most else "not-supported"
            verdict = "confirmed" if fewest == most == claim.k else verdict
        return finding(
            verdict,
            f"{_POSSIBLE} give {sentences.numbers_in_words(fewest, most)} of {n} by "
            f"{method_name(method)}.",
            fewest=fewest,
            most=most,
            method=method,
        )
    members = members_of(claim, table.datasets)

    def chosen(p_values: FloatArray) -> BoolArray:
        if claim.kind == "significant":
            return at_most(p_values, level)
        return named_by(p_values, alpha=level, procedure=procedure_of(claim))

    always, ever = chosen(box.high), chosen(box.low)
    never, left_out = members & ~ever, always & ~members
    verdict = "not-excluded"
    if never.any() or (claim.kind == "named" and left_out.any()):
        verdict = "not-supported"
    elif always[members].all() and (claim.kind == "significant" or np.array_equal(ever, members)):
        verdict = "confirmed"
    sure = subject.names(always) if always.any() else "none"
    may = subject.names(ever & ~always) if (ever & ~always).any() else "no others"
    verb = "name" if claim.kind == "named" else f"are at most {format_level(level)} on"
    why = f"{_POSSIBLE} {verb} {sure} for certain, and {may} perhaps"
    why += f", never {subject.names(never)}." if never.any() else "."
    return finding(verdict, why, always=_names(always, table), ever=_names(ever, table))


def _range_finding(box: PossibleBox, alpha: float, side: Side, subject: Subject) -> Finding:
    """Every count, and Holm's lists, that scores and sizes alone leave open."""
    n = box.low.size
    methods: tuple[Method, ...] = (COUNT, *COMBINATIONS)
    counts = {
        method: (count_by(box.high, method, alpha), count_by(box.low, method, alpha))
        for method in methods
    }
    always = named_by(box.high, alpha=alpha, procedure="holm")
    ever = named_by(box.low, alpha=alpha, procedure="holm")
    each = ", ".join(
        f"{sentences.numbers_in_words(low, high)} by {method_name(method)}"
        for method, (low, high) in counts.items()
    )
    system = subject.system_a if side == "a" else subject.system_b
    return Finding(
        verdict=None,
        check="scores-alone",
        reason=(
            f"Scores and sizes alone leave open on how many of {n} datasets "
            f"{display_name(system)} is counted as better: {each}. Holm names "
            f"{subject.names(always) if always.any() else 'none'} for certain and at most "
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


def _names(chosen: BoolArray, table: ScoreTable) -> tuple[str, ...]:
    return tuple(table.datasets[i] for i in np.flatnonzero(chosen))
