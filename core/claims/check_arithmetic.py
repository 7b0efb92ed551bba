"""Claims against the p-values as printed: every count and list within their rounding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..replicability.counting import chance_of_a_false_win, count_by_common_practice
from ..replicability.decision import at_most
from ..types import DEPENDENCES, BoolArray, Dependence, FloatArray
from . import sentences
from .check_any import (
    check_any,
    check_choice_among_columns,
)
from .check_inputs import (
    CheckedTable,
    procedure_of,
)
from .check_rounding import count_by, count_within, list_within
from .claim import ANY, Claim, Method, needed_dependence
from .findings import NO_STEPS, ClaimVerdict, Finding, Steps
from .intervals import check_interval

# What a method needs of the datasets.
_NEEDS: dict[Dependence, str] = {
    "not-known": "",
    "positive": "for independent or positively dependent tests",
    "independent": "for independent datasets",
}


def check_arithmetic(checked: CheckedTable, claim: Claim, steps: Steps = NO_STEPS) -> Finding:
    """Judge one claim by the p-values as they stand, undirected as papers count them."""
    if claim.kind == "interval":
        return check_interval(claim, alpha=checked.alpha)
    if claim.method == ANY:
        return check_any(checked, claim, steps)
    alpha, n = checked.level(claim), checked.n
    if claim.n_datasets in (None, n):
        found = _as_they_stand(checked, claim, checked.bounds_for(claim), steps)
        if claim.better == "differ" and found.verdict in ("contradicted", "not-supported"):
            return _if_one_sided(checked, claim, found, steps)
        return found
    assert claim.n_datasets is not None
    why = sentences.other_n_sentence(claim.n_datasets, n)
    words = sentences.that(checked.words(claim), claim)
    return Finding(
        verdict="cannot-be-decided",
        check="arithmetic",
        claim=claim,
        reason=sentences.claim_sentence(words, "cannot-be-decided", why),
        details={"alpha": alpha, "n_datasets": n},
        why=why,
    )


def _if_one_sided(
    checked: CheckedTable, claim: Claim, as_they_stand: Finding, steps: Steps
) -> Finding:
    """What a claim that systems differ comes to where p-values may be one-sided, to be doubled."""
    low, high = checked.table.p_value_bounds
    declared = checked.table.alternative
    # Toward the higher score p is doubled; one-sided for one system the smaller tail is.
    ways: list[tuple[FloatArray, FloatArray]] = []
    if declared in ("toward-higher-score", "not-stated"):
        ways.append((low, high))
    if declared in ("greater", "less", "not-stated"):
        ways.append((np.minimum(low, 1.0 - high), np.minimum(high, 1.0 - low)))
    for least, largest in ways if checked.made == "printed" else ():
        bounds = np.minimum(1.0, 2.0 * least), np.minimum(1.0, 2.0 * largest)
        doubled = _as_they_stand(checked, claim, bounds, steps)
        if doubled.verdict not in ("contradicted", "not-supported"):
            why = f"{as_they_stand.why} Doubled, as one-sided p-values are: {doubled.why}"
            words = sentences.that(checked.words(claim), claim)
            return replace(
                as_they_stand,
                verdict="not-excluded",
                reason=sentences.claim_sentence(words, "not-excluded", why),
                why=why,
            )
    return as_they_stand


def _as_they_stand(
    checked: CheckedTable, claim: Claim, bounds: tuple[FloatArray, FloatArray], steps: Steps
) -> Finding:
    """Judge one claim by p-values within these bounds, whichever system they speak for."""
    low, high = bounds
    rounded = bool((low < high).any())
    alpha, n = checked.level(claim), checked.n
    words = sentences.that(checked.words(claim), claim)
    details: dict[str, object] = {"alpha": alpha, "n_datasets": n}

    def finding(verdict: ClaimVerdict, why: str) -> Finding:
        return Finding(
            verdict=verdict,
            check="arithmetic",
            claim=claim,
            reason=sentences.claim_sentence(words, verdict, why),
            details=details,
            why=why,
        )

    if claim.kind == "exactly":
        assert claim.k is not None
        method = checked.method(claim)
        count = count_within(low, high, claim.k, method=method, alpha=alpha, ask=steps.ask)
        details |= {
            "method": method,
            "fewest": count.fewest,
            "most": count.most,
            "printed": count_by(_as_printed(checked, claim), method, alpha),
            "witness": _plain(count.witness),
        }
        return finding(
            count.verdict,
            sentences.count_reason(
                fewest=count.fewest,
                most=count.most,
                n=n,
                k=claim.k,
                found=count.witness is not None,
                others=count.others if count.verdict == "contradicted" else (),
                verdict=count.verdict,
                rounded=rounded,
            ),
        )
    if claim.kind == "at-least":
        assert claim.k is not None
        verdict: ClaimVerdict
        method = checked.method(claim)
        fewest, most = count_by(high, method, alpha), count_by(low, method, alpha)
        others = checked.others(claim, low, high)
        verdict = at_least_verdict(claim.k, fewest, most)
        needs = allowing(claim.k, verdict, others)
        details |= {
            "method": method, "fewest": fewest, "most": most, "others": others, "needs": needs
        }  # fmt: skip
        why = sentences.least_reason(fewest=fewest, most=most, n=n, method=method, rounded=rounded)
        beside = sentences.beside_reason(others, n)
        return finding("not-excluded" if needs else verdict, f"{why} {beside}".rstrip())
    members = checked.members(claim)
    if claim.kind == "named":
        procedure = procedure_of(claim)
        found = list_within(low, high, members, procedure=procedure, alpha=alpha, ask=steps.ask)
        details |= {
            "procedure": procedure,
            "always": _names(found.always, checked),
            "ever": _names(found.ever, checked),
            "too_many": _names(members & ~found.ever, checked),
            "left_out": _names(found.always & ~members, checked),
            "witness": _plain(found.witness),
        }
        why = sentences.list_reason(
            always=found.always,
            ever=found.ever,
            members=members,
            subject=checked.subject,
            method=procedure,
            rounded=rounded,
        )
        return finding(found.verdict, why)
    sure, never = at_most(high, alpha), ~at_most(low, alpha)
    small = claim.kind == "significant"
    if not small:
        sure, never = never, sure
    details |= {"above" if small else "not_above": _names(members & never, checked)}
    verdict = "not-excluded"
    if (members & never).any():
        verdict = "contradicted"
    elif sure[members].all():
        verdict = "confirmed"
    return finding(
        verdict,
        sentences.levels_reason(
            sure=sure,
            never=never,
            members=members,
            subject=checked.subject,
            alpha=alpha,
            small=small,
        ),
    )


def allowing(
    k: int, verdict: ClaimVerdict, others: Mapping[Method, tuple[int, int]]
) -> Method | None:
    """The method of fewest assumptions that may count k where the assumed one cannot."""
    if verdict != "not-supported":
        return None
    return next((method for method, (_, most) in others.items() if most >= k), None)


def at_least_verdict(k: int, fewest: int, most: int) -> ClaimVerdict:
    """Judge "at least k" by the smallest and the largest count."""
    if fewest >= k:
        return "confirmed"
    return "not-supported" if most < k else "not-excluded"


def check_common_practice(checked: CheckedTable, alpha: float) -> Finding:
    """State what counting p ≤ alpha would have claimed, and how often it says too much."""
    n = checked.n
    # Whichever system is ahead, as printed ones are counted.
    two_sided = checked.table.p_values_two_sided
    p_values = checked.table.p_values if two_sided is None else two_sided
    n_small = count_by_common_practice(p_values, alpha=alpha)
    own_b = checked.table.p_values_b
    one_sided = [checked.table.p_values] if own_b is None else [checked.table.p_values, own_b]
    k_hat = max(count_by(values, "bonferroni", alpha) for values in one_sided)
    chance = chance_of_a_false_win(n, alpha=alpha)
    beyond = chance_of_a_false_win(n - k_hat, alpha=alpha)
    return Finding(
        verdict=None,
        check="common-practice",
        reason=sentences.common_practice_reason(
            n_small=n_small, n=n, alpha=alpha, chance=chance, k_hat=k_hat, chance_beyond=beyond
        ),
        details={
            "alpha": alpha,
            "count": n_small,
            "chance_of_a_false_win": chance,
            "k_hat_bonferroni": k_hat,
            "chance_beyond": beyond,
        },
    )


def check_assumption(checked: CheckedTable, claim: Claim) -> Finding | None:
    """State what the claim's method needs, where that is not known to hold."""
    if claim.of_levels or claim.kind == "interval":
        return None
    if claim.method == ANY:
        return check_choice_among_columns(checked, claim)
    method = checked.method(claim)
    needed = needed_dependence(method)
    if DEPENDENCES.index(needed) <= DEPENDENCES.index(checked.dependence):
        return None
    low, high = checked.bounds(claim.better)
    alpha = checked.level(claim)
    fewest, most = count_by(high, "bonferroni", alpha), count_by(low, "bonferroni", alpha)
    return Finding(
        verdict=None,
        check="assumption",
        reason=sentences.assumption_reason(
            method, needs=_NEEDS[needed], fewest=fewest, most=most, n=checked.n, alpha=alpha
        ),
        details={"method": method, "alpha": alpha, "fewest": fewest, "most": most},
    )


def _as_printed(checked: CheckedTable, claim: Claim) -> FloatArray:
    """The p-values themselves: as printed, or as computed."""
    if checked.has_own_tests:
        return checked.bounds_for(claim)[0]
    return checked.p_values(claim.better)


def _names(chosen: BoolArray, checked: CheckedTable) -> tuple[str, ...]:
    return tuple(checked.table.datasets[i] for i in np.flatnonzero(chosen))


def _plain(witness: FloatArray | None) -> tuple[float, ...] | None:
    return None if witness is None else tuple(witness.tolist())
