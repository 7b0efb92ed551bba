"""One printed p-value of a paired t-test beside two means with standard deviations, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..words.formatting import format_p_value
from .possible import Attainment, PossibleP, possible_t_p_values, printed_bounds
from .sentences import printed_p, shown_number, whole_number
from .sizes import PossibleSizes, n_at_which_t_possible
from .splits import ClaimAlternative

CheckedSide = Literal["a", "b", "either"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeansChecked:
    """What two means with standard deviations make of a printed p-value.

    Attributes
    ----------
    possible : PossibleP
        The p-values of the paired t-test that they leave open.
    attainment : Attainment
        Whether the printed one is among them.
    sizes : PossibleSizes
        The nearest n at which it is.
    sentence : str
        All of it in words.
    """

    possible: PossibleP
    attainment: Attainment
    sizes: PossibleSizes
    sentence: str


def check_means(
    mean_a: str,
    mean_b: str,
    n: int,
    p_value: str,
    *,
    sd_a: str | None = None,
    sd_b: str | None = None,
    sd_difference: str | None = None,
    speaks_for: CheckedSide = "either",
) -> MeansChecked:
    """Judge one printed p-value of a paired t-test.

    Parameters
    ----------
    mean_a, mean_b, n, sd_a, sd_b, sd_difference
        As in `possible_t_p_values`, as printed.
    p_value : str
        As printed.
    speaks_for : {"a", "b", "either"}
        One-sided for A or B, or two-sided.

    Raises
    ------
    ValueError
        If one is no number, or neither both standard deviations nor that of the
        differences is given.
    """
    if speaks_for == "b":
        mean_a, mean_b, sd_a, sd_b = mean_b, mean_a, sd_b, sd_a
    alternative: ClaimAlternative = "two-sided" if speaks_for == "either" else "greater"
    possible = possible_t_p_values(
        mean_a,
        mean_b,
        n,
        sd_a=sd_a,
        sd_b=sd_b,
        sd_difference=sd_difference,
        alternative=alternative,
    )
    attainment = possible.attains(*printed_bounds(p_value))
    sizes = n_at_which_t_possible(
        mean_a,
        mean_b,
        n,
        p_value,
        sd_a=sd_a,
        sd_b=sd_b,
        sd_difference=sd_difference,
        alternative=alternative,
    )
    side = {"either": "two-sided", "a": "one-sided for A", "b": "one-sided for B"}[speaks_for]
    return MeansChecked(
        possible=possible,
        attainment=attainment,
        sizes=sizes,
        sentence=_sentence(possible, attainment, sizes, p_value, side),
    )


def _sentence(
    possible: PossibleP, attainment: Attainment, sizes: PossibleSizes, p_value: str, side: str
) -> str:
    n = whole_number(possible.n_examples)
    span = " to ".join(format_p_value(p, digits=2) for p in (possible.low, possible.high))
    start = (
        f"By the paired t-test, {side}, these means and standard deviations with n = {n} leave p "
        f"{span} open, whatever the correlation between the two systems' scores"
    )
    printed = printed_p(p_value)
    if attainment.verdict == "attainable":
        spans = [
            f"{shown_number(f'{low:.3f}')} to {shown_number(f'{high:.3f}')}"
            for low, high in attainment.correlations
        ]
        takes = f"; it takes a correlation of {' or '.join(spans)}" if spans else ""
        return f"{start}. The {printed} is possible{takes}."
    others = [
        f"n = {whole_number(size)}"
        for size in (sizes.largest_below, sizes.smallest_above)
        if size is not None
    ]
    would = f": {' or '.join(others)} would make it possible" if others else ""
    return (
        f"{start}. The {printed} is not by this test. Another n, test or rounding, or averages over runs, "
        f"could explain it{would}. It is no sign of misconduct."
    )
