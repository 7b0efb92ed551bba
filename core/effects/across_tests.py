"""Each test of N pairs of scores: Wilcoxon's in three variants, the sign test in two, t."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.significance.binomial import fair_coin
from core.significance.differences import Differences
from core.significance.lattice import SMALLEST
from core.significance.result import Outcome, Sides, TestAlternative
from core.significance.t import paired_t
from core.significance.wilcoxon import wilcoxon

AcrossTestName = Literal["wilcoxon", "sign", "paired-t"]
_EQUAL = "the scores are equal on every dataset: there is no difference to rank"
_NO_WINS = "the scores are equal on every dataset: nobody wins"
_CONSTANT = "the differences do not vary: t is undefined"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcrossTest:
    """One test over N pairs of scores.

    Attributes
    ----------
    test : {"wilcoxon", "sign", "paired-t"}
        Its name.
    variant : str
        How zeros are treated and where the p-value comes from.
    statistic_name : str
        "T", "wins" or "t".
    statistic : float or None
        T is the smaller of R+ and R−; t is positive where A is better.
    p_value : float or None
        For `alternative`; None where the test is not defined.
    p_value_greater, p_value_less, p_value_two_sided : float or None
        For A better, B better, either.
    alternative : {"greater", "less", "two-sided"}
        What `p_value` speaks for.
    n_used : int
        Datasets that enter.
    rank_sums : (float, float) or None
        R+ and R−, of Wilcoxon's test.
    z : float or None
        Of a normal approximation, positive where A is better.
    reason : str
        Why there is no p-value; '' where there is one.
    note : str
        What to know about the p-value, '' if nothing.
    """

    test: AcrossTestName
    variant: str
    statistic_name: str
    statistic: float | None
    p_value: float | None
    p_value_greater: float | None
    p_value_less: float | None
    p_value_two_sided: float | None
    alternative: TestAlternative
    n_used: int
    rank_sums: tuple[float, float] | None = None
    z: float | None = None
    reason: str = ""
    note: str = ""


def _result(
    test: AcrossTestName,
    variant: str,
    statistic: tuple[str, float | None],
    sides: Sides | None,
    alternative: TestAlternative,
    **more: object,
) -> AcrossTest:
    greater, less, two_sided = sides or (None, None, None)
    return AcrossTest(
        test=test,
        variant=variant,
        statistic_name=statistic[0],
        statistic=statistic[1],
        p_value=None if sides is None else sides.of(alternative),
        p_value_greater=greater,
        p_value_less=less,
        p_value_two_sided=two_sided,
        alternative=alternative,
        **more,  # type: ignore[arg-type]
    )


def _without_an_odd_zero(differences: Differences) -> Differences:
    """Of an odd number of zeros one is left out, so that they can be split."""
    values = differences.values
    zeros = np.flatnonzero(values == 0.0)
    if zeros.size % 2 == 0:
        return differences
    return replace(differences, values=np.delete(values, zeros[0]), integers=None, step=None)


def signed_rank_split(differences: Differences, alternative: TestAlternative) -> AcrossTest:
    """Demšar's T, with the exact p-value given the zeros."""
    kept = _without_an_odd_zero(differences)
    return _signed_rank(
        kept,
        wilcoxon(kept, zeros="zsplit", alternative=alternative),
        "zeros split (Demšar 2006)",
        kept.n,
        alternative,
    )


def signed_rank_dropped(differences: Differences, alternative: TestAlternative) -> AcrossTest:
    """Wilcoxon's own treatment of zeros, with the exact p-value."""
    outcome = wilcoxon(differences, zeros="wilcox", alternative=alternative)
    n_used = differences.wins + differences.losses
    return _signed_rank(differences, outcome, "zeros dropped", n_used, alternative)


def _signed_rank(
    differences: Differences,
    outcome: Outcome,
    zeros: str,
    n_used: int,
    alternative: TestAlternative,
) -> AcrossTest:
    n_differing = differences.wins + differences.losses
    how = (
        "exact"
        if outcome.approximation is None
        else "normal approximation with the variance of the ranks as tied"
    )
    if n_differing == 0:
        return _result(
            "wilcoxon", zeros, ("T", None), None, alternative, n_used=n_used, reason=_EQUAL
        )
    plus = outcome.statistic or 0.0
    sums = (plus, n_used * (n_used + 1) / 2.0 - plus)
    return _result(
        "wilcoxon",
        f"{zeros}, {how}",
        ("T", min(sums)),
        outcome.p_values,
        alternative,
        n_used=n_used,
        rank_sums=sums,
        note=_smallest_note(n_differing, alternative),
    )


def signed_rank_normal(differences: Differences, alternative: TestAlternative) -> AcrossTest:
    """Demšar's T with his normal approximation."""
    from scipy.special import ndtr

    variant = "zeros split (Demšar 2006), normal approximation without correction for ties"
    split = signed_rank_split(differences, alternative)
    n = split.n_used
    if split.rank_sums is None:
        return replace(split, variant=variant)
    z = (split.rank_sums[0] - n * (n + 1) / 4.0) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
    greater, less = (max(float(ndtr(tail)), SMALLEST) for tail in (-z, z))
    return _result(
        "wilcoxon",
        variant,
        ("T", split.statistic),
        Sides(greater, less, min(1.0, 2.0 * min(greater, less))),
        alternative,
        n_used=n,
        rank_sums=split.rank_sums,
        z=z,
        note="an approximation meant for more than 25 datasets" if n <= 25 else "",
    )


def sign_test(differences: Differences, alternative: TestAlternative) -> AcrossTest:
    """The exact sign test without the ties."""
    return _sign(differences, 0, "ties dropped, exact", alternative)


def sign_test_split(differences: Differences, alternative: TestAlternative) -> AcrossTest:
    """Demšar's sign test: half of the ties are wins; of an odd number one is left out."""
    return _sign(differences, differences.ties // 2, "ties split (Demšar 2006), exact", alternative)


def _sign(
    differences: Differences, given: int, variant: str, alternative: TestAlternative
) -> AcrossTest:
    wins, losses = differences.wins + given, differences.losses + given
    n_used = wins + losses
    undefined = differences.wins + differences.losses == 0
    return _result(
        "sign",
        variant,
        ("wins", None if undefined else float(wins)),
        None if undefined else fair_coin(wins, losses),
        alternative,
        n_used=n_used,
        reason=_NO_WINS if undefined else "",
        note="" if undefined else _smallest_note(n_used, alternative),
    )


def student_t(differences: Differences, alternative: TestAlternative) -> AcrossTest:
    """The paired t-test; not defined where differences do not vary."""
    outcome = paired_t(differences)
    undefined = outcome.statistic is None
    return _result(
        "paired-t",
        f"{differences.n - 1} degrees of freedom",
        ("t", outcome.statistic),
        None if undefined else outcome.p_values,
        alternative,
        n_used=differences.n,
        reason=_CONSTANT if undefined else "",
    )


def _smallest_note(n_differing: int, alternative: TestAlternative) -> str:
    smallest = min(1.0, (2.0 if alternative == "two-sided" else 1.0) * 2.0**-n_differing)
    if smallest <= 0.01:
        return ""
    differ = "dataset differs" if n_differing == 1 else "datasets differ"
    return f"{n_differing} {differ}: the smallest attainable p is {f'{smallest:.4g}'.removeprefix('0')}"
