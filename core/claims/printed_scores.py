"""What two printed scores and the number of examples allow the true scores to be.

Vocabulary
----------
printed unit
    What the scores are printed in: fractions (.864) or percent (86.4).
granularity
    An accuracy over n examples is a multiple of 1/n; one printed precisely
    enough that is none was not computed on n examples.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from ..data.tables.numbers import UnreadableNumber, read_number
from ..types import IntArray
from ..validation import check_choice

ScoreMetric = Literal["accuracy", "correlation"]
Scale = Literal["auto", "fraction", "percent"]

METRICS: tuple[ScoreMetric, ...] = get_args(ScoreMetric)
SCALES: tuple[Scale, ...] = get_args(Scale)
# Beyond it whole ranges of counts no longer fit a table's row in about a second.
MOST_EXAMPLES = 1_000_000
# A number that is computed rather than typed is off by a few roundings.
_ROUNDINGS = 8
_MOST_DECIMALS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRange:
    """Where a true score lies, given how it is printed.

    Attributes
    ----------
    printed : str
        As given.
    low, high : Fraction
        As fractions, not percent; both ends may be rounded to what is printed.
    """

    printed: str
    low: Fraction
    high: Fraction

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends as floats."""
        return float(self.low), float(self.high)

    def counts(self, n: int) -> tuple[int, int]:
        """Fewest and most right examples of n; the first is larger where no number fits."""
        return math.ceil(self.low * n), math.floor(self.high * n)

    def counts_of_each(self, sizes: IntArray) -> tuple[IntArray, IntArray]:
        """`counts` of many n at once."""
        largest = int(sizes.max(initial=1))
        if max(*self.low.as_integer_ratio(), *self.high.as_integer_ratio()) * largest < 2**62:
            fewest = -(-self.low.numerator * sizes // self.low.denominator)
            return fewest, self.high.numerator * sizes // self.high.denominator
        both = np.array([self.counts(size) for size in sizes.tolist()], dtype=np.intp)
        return both[:, 0], both[:, 1]

    def is_multiple_of_one_in(self, n: int) -> bool:
        """Whether some number of right examples out of n gives what is printed."""
        fewest, most = self.counts(n)
        return fewest <= most

    def by_any_rounding(self) -> ScoreRange:
        """Where the true score lies if it was rounded to the nearest, up, or down to its digits."""
        width = self.high - self.low
        # A range that ends with the scale is half of one already.
        half = width if self.low in (-1, 0) or self.high == 1 else width / 2
        lowest = Fraction(-1 if self.low < 0 else 0)
        return ScoreRange(
            printed=self.printed,
            low=max(lowest, self.low - half),
            high=min(Fraction(1), self.high + half),
        )

    def fitting(self, n: int) -> ScoreRange:
        """The range, or that by any rounding where no share of `n` lies in it."""
        return self if self.is_multiple_of_one_in(n) else self.by_any_rounding()


def check_n(n: int) -> int:
    """Return `n` as a number of examples.

    Raises
    ------
    ValueError
        If it is none.
    """
    if isinstance(n, bool) or not isinstance(n, numbers.Integral):
        raise ValueError(f"`n` must be a whole number; got {n!r}.")
    if not 1 <= n <= MOST_EXAMPLES:
        raise ValueError(f"`n` must lie between 1 and {MOST_EXAMPLES:,}; got {int(n)}.")
    return int(n)


def read_scores(
    *scores: float | str,
    metric: ScoreMetric = "accuracy",
    decimals: int | None = None,
    scale: Scale = "auto",
    names: tuple[str, ...] = ("score_a", "score_b"),
) -> tuple[ScoreRange, ...]:
    """Where the true scores lie.

    A text is a rounded number, within half a unit of its last digit. A number is
    exact unless `decimals` says to how many it was rounded; beside a text
    `decimals` says how many the column has, as software drops closing zeros.
    With scale "auto" all scores are percent if one has a percent sign or lies
    beyond 1 (below −1), and fractions otherwise.

    Raises
    ------
    ValueError
        If a score is no number, has more decimals than `decimals` or lies
        where no accuracy (0 to 1) or correlation (−1 to 1) can.
    """
    check_choice(metric, METRICS, name="metric")
    check_choice(scale, SCALES, name="scale")
    _check_decimals(decimals)
    read = [_value(score, name) for score, name in zip(scores, names, strict=True)]
    values = [value for value, _ in read]
    percent = scale == "percent" or (
        scale == "auto"
        and (any(sign for _, sign in read) or any(abs(value) > 1 for value in values))
    )
    return tuple(
        _range(score, value, name, metric=metric, decimals=decimals, percent=percent)
        for score, value, name in zip(scores, values, names, strict=True)
    )


def decimals_of(printed: str) -> int:
    """How many decimals a printed number has, percent signs and marks aside."""
    exponent = Decimal(read_number(printed.strip()).digits).as_tuple().exponent
    assert isinstance(exponent, int)  # read_number takes finite numbers only
    return max(0, -exponent)


def is_percent(printed: str) -> bool:
    """Whether a printed score can only be meant as percent."""
    number = read_number(printed.strip())
    return number.percent or abs(number.value) > 1


def printed_as(columns: Iterable[str]) -> tuple[int, Literal["fraction", "percent"]]:
    """Decimals and scale of whole columns of printed scores; empty texts are passed over.

    The most decimals that any score has count for all, as software drops closing zeros;
    one score that can only be percent makes all of them percent.
    """
    printed = [text for text in columns if text]
    decimals = max(map(decimals_of, printed), default=0)
    return decimals, "percent" if any(map(is_percent, printed)) else "fraction"


def _check_decimals(decimals: int | None) -> None:
    if decimals is None:
        return
    if isinstance(decimals, bool) or not isinstance(decimals, numbers.Integral):
        raise ValueError(f"`decimals` must be a whole number or None; got {decimals!r}.")
    if not 0 <= decimals <= _MOST_DECIMALS:
        raise ValueError(f"`decimals` must lie between 0 and {_MOST_DECIMALS}; got {decimals}.")


def _value(score: float | str, name: str) -> tuple[Decimal, bool]:
    """The number, and whether a percent sign follows it."""
    if isinstance(score, str):
        try:
            number = read_number(score.strip())
        except UnreadableNumber as error:
            raise ValueError(f"`{name}` must be a printed number. {error}") from None
        return Decimal(number.digits), number.percent
    if isinstance(score, bool) or not isinstance(score, numbers.Real):
        raise ValueError(f"`{name}` must be a number or a printed number; got {score!r}.")
    if not math.isfinite(score):
        raise ValueError(f"`{name}` must be finite; got {score!r}.")
    return Decimal(repr(float(score))), False


def read_numbers(
    given: Mapping[str, float | str], *, decimals: int | None = None
) -> dict[str, tuple[Fraction, Fraction]]:
    """The range of each number by its name, as `read_scores` takes them; any unit will do.

    Raises
    ------
    ValueError
        If one is no number or has more decimals than `decimals`.
    """
    _check_decimals(decimals)
    ranges = {}
    for name, number in given.items():
        exact, half = _rounding(number, _value(number, name)[0], name, decimals)
        ranges[name] = (exact - half, exact + half)
    return ranges


def _range(
    score: float | str,
    value: Decimal,
    name: str,
    *,
    metric: ScoreMetric,
    decimals: int | None,
    percent: bool,
) -> ScoreRange:
    exact, half = _rounding(score, value, name, decimals)
    if half == 0 and exact.denominator > 1 and metric == "accuracy":
        # 1/3 as a float is no third: a share is told by its nearest count.
        half = _roundings(score)
    divisor = 100 if percent else 1
    lowest = Fraction(0 if metric == "accuracy" else -1)
    if not lowest <= exact / divisor <= 1:
        written = f"{lowest * divisor} and {divisor}"
        kind = "an accuracy" if metric == "accuracy" else "a correlation"
        raise ValueError(f"`{name}` must lie between {written} to be {kind}; got {score!r}.")
    return ScoreRange(
        printed=str(score),
        low=max(lowest, (exact - half) / divisor),
        high=min(Fraction(1), (exact + half) / divisor),
    )


def _rounding(
    number: float | str, value: Decimal, name: str, decimals: int | None
) -> tuple[Fraction, Fraction]:
    """What is printed, and how far from it the true number may lie."""
    # Through Fraction, as Decimal would round to its context's digits.
    exact = Fraction(value)
    if isinstance(number, str):
        exponent = value.as_tuple().exponent
        assert isinstance(exponent, int)  # read_number takes finite numbers only
        own = -exponent
        if decimals is not None and decimals < own:
            raise ValueError(
                f"`decimals` must be at least the {own} that `{name}` is printed with; "
                f"got {decimals}."
            )
        return exact, Fraction(10) ** -(own if decimals is None else decimals) / 2
    if decimals is None:
        return exact, Fraction(0)
    unit = Fraction(10) ** -decimals
    whole = round(exact / unit) * unit
    if abs(exact - whole) > _roundings(number):
        raise ValueError(f"`{name}` must have at most {decimals} decimals; got {number!r}.")
    return whole, unit / 2


def _roundings(number: float | str) -> Fraction:
    return _ROUNDINGS * Fraction(math.ulp(float(number)))
