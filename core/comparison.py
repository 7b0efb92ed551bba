"""What is claimed of A and B on a dataset: better, or something at a margin.

Vocabulary
----------
difference
    score(A) − score(B), turned so that higher is better.
margin
    A difference that still counts as none, or the least one that counts, in the
    metric's units; fixed before looking. Each dataset has one, be it the same for all.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from .validation import WRITTEN_NUMBER, Records


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A claim about two systems, with its null hypothesis and its verbs.

    A small p-value speaks against the `null_hypothesis`, after "that"; "{margin}" is the margin. A
    system is said to be `adjective`, after the `verb`, `than` the other one, and by which `amount`,
    with a blank before it; empty without a margin. Without a verb the `adjective` follows `being`, if
    there is such a word. `shift` times the margin is added to the difference
    before it is compared with 0. With `both_sides` it must be shown of B beside A as well, so that p
    is the larger of two.
    """

    name: str
    title: str
    null_hypothesis: str
    adjective: str
    than: str = "than"
    amount: str = ""
    shift: int = 0
    both_sides: bool = False
    verb: str = "is"
    being: str = ""

    @property
    def of_a_alone(self) -> bool:
        """Whether it is asked of A alone: the same may well be true of B, beside A."""
        return self.shift > 0

    @property
    def takes_margin(self) -> bool:
        """Whether a margin belongs to the claim."""
        return self.shift != 0

    @property
    def p_values(self) -> str:
        """What its p-values are: where it is shown on both sides, the larger of two."""
        return "p-values of two one-sided tests" if self.both_sides else "one-sided p-values"

    def inside(self, difference: float, margin: float) -> float:
        """How far a difference lies within those of which the claim is true; negative outside."""
        above = difference + self.shift * margin
        return min(above, margin - difference) if self.both_sides else above

    def is_false_of(self, interval: tuple[float, float], margin: float) -> bool:
        """Whether the claim is true of no difference of an interval."""
        low, high = interval
        nearest = min(max(0.0, low), high)
        return max(self.inside(at, margin) for at in (low, high, nearest)) < 0.0

    def described(self, margin: str = "") -> str:
        """What a system is said to be, the other one left out: "not worse by more than 1 point"."""
        return f"{self.being}{self.adjective}{self.amount.format(margin=margin)}"

    def predicate(self, margin: str = "") -> str:
        """The same with its verb: "is not worse by more than 1 point"."""
        return f"{self.verb} {self.adjective}{self.amount.format(margin=margin)}"

    def in_short(self, margin: str = "") -> str:
        """The same where room is short: "not worse by > 1 point"; of several margins without their span."""
        said = self.described(margin.partition(" (")[0])
        # Of a tendency the verb says it.
        said = said.replace(f"{self.being}to score", self.verb)
        return said.replace("at least", "≥").replace("more than", ">")

    def heading(self, system: str, other: str, margin: str = "") -> str:
        """The claim without a verb: "A not worse than B by more than 1 point"."""
        amount = self.amount.format(margin=margin)
        return f"{system} {self.being}{self.adjective} {self.than} {other}{amount}"

    def statement(self, system: str, other: str, margin: str = "") -> str:
        """The claim as a clause: "A is not worse than B by more than 1 point"."""
        amount = self.amount.format(margin=margin)
        return f"{system} {self.verb} {self.adjective} {self.than} {other}{amount}"


COMPARISONS = Records(
    Comparison(
        name="better",
        title="A is better",
        null_hypothesis="A is not better than B",
        adjective="better",
    ),
    Comparison(
        name="better-by",
        title="A is better by a margin",
        null_hypothesis="A is ahead of B by at most {margin}",
        adjective="better",
        amount=" by at least {margin}",
        shift=-1,
    ),
    Comparison(
        name="not-worse",
        title="A is not worse by a margin",
        null_hypothesis="A is behind B by {margin} or more",
        adjective="not worse",
        amount=" by more than {margin}",
        shift=1,
    ),
    Comparison(
        name="equivalent",
        title="A and B are equivalent",
        null_hypothesis="A and B are apart by {margin} or more",
        adjective="equivalent",
        than="to",
        amount=" within {margin}",
        shift=1,
        both_sides=True,
    ),
    argument="claim",
)
comparison_named, comparison_names = COMPARISONS.named, COMPARISONS.names
BETTER, BETTER_BY = comparison_names()[:2]


def of_tendency(higher_is_better: bool) -> Comparison:
    """What tests of a tendency ask in the place of "better": which system tends to score higher."""
    toward = "to score higher" if higher_is_better else "to score lower"
    return replace(comparison_named(BETTER), adjective=toward, verb="tends", being="tending ")


# In the place of one margin for all datasets: each dataset's own, from a column of the file.
COLUMN: Literal["column"] = "column"
Margin = float | Literal["column"]


def checked_margin(claim: str, margin: float) -> float:
    """Return the margin as a float that goes with a claim."""
    comparison = comparison_named(claim)
    try:
        value = float("nan") if isinstance(margin, bool) else float(margin)
    except (TypeError, ValueError):
        value = float("nan")
    if not 0.0 <= value < float("inf"):
        raise ValueError(f"`margin` must be a number of at least 0; got {margin!r}.")
    if value and not comparison.takes_margin:
        having = " or ".join(f"'{one.name}'" for one in COMPARISONS if one.takes_margin)
        raise ValueError(
            f"`margin` must come with `claim` {having}; got {margin!r} with {claim!r}."
        )
    if comparison.both_sides and not value:
        raise ValueError(f"`margin` must be above 0 with `claim` {claim!r}; got {margin!r}.")
    return value


def margin_of_all(margins: Iterable[float]) -> Margin:
    """The margin that all datasets have, else that each has its own; nan stands for unknown ones."""
    different = {margin for margin in margins if margin == margin}
    return COLUMN if len(different) > 1 else next(iter(different), 0.0)


_WRITTEN = re.compile(rf"({WRITTEN_NUMBER})(e-?[0-9]{{1,2}})?\s*(points?|%)?", re.IGNORECASE)


def written_margin(margins: float | Iterable[float], points: float | None) -> str:
    """A margin as sentences have it, "0.5 points" or a bare number; of several what they span.

    `points`: how many of them 1 in the metric's units is: 100 of a share, 1 of percentages, None of
    other scores.
    """
    given = [margins] if isinstance(margins, int | float) else margins
    numbers = sorted(given)
    low, high = (f"{one * (points or 1.0):.10g}" for one in (numbers[0], numbers[-1]))
    unit = "" if points is None else " point" if high == "1" else " points"
    return f"{high}{unit}" if low == high else f"each dataset's own margin ({low} to {high}{unit})"


def parsed_margin(text: str) -> tuple[Decimal, bool] | None:
    """The number of a margin as it is written, and whether it is in points; None if it is none."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    return Decimal(found[1].replace(",", ".") + (found[2] or "")), found[3] is not None


def read_margin(text: str, points: float | None) -> float:
    """A margin in the metric's units, from a number with its unit; `points` as of `written_margin`.

    A bare number is taken where there are no points alone. ValueError if it is no number, or its unit
    is not said or does not go with the scores.
    """
    parsed = parsed_margin(text)
    if parsed is None:
        example = "0.25" if points is None else "0.5 points"
        raise ValueError(f"`margin` must be a number such as {example!r}; got {text!r}.")
    number, in_points = parsed
    if points is None:
        if in_points:
            raise ValueError(
                "`margin` must be a bare number in the units of the scores, as nothing says that "
                f"these are in points; got {text!r}."
            )
        return float(number)
    if not in_points:
        share = "" if points == 1.0 else f" (1 point is {1.0 / points:g})"
        raise ValueError(
            f"`margin` must say its unit on these scores, as in '0.5 points'{share}; got {text!r}."
        )
    return float(number / Decimal(points))
