"""Sentences about printed numbers: how they are written, and what a p-value beside its scores allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from ..data.p_value_table import PValueTable
from ..types import Alternative
from ..words.formatting import display_name, format_p_value, printed_number
from ..words.subject import Subject
from ..words.testing import title_of_test
from .in_use import InUse
from .possible import Attainment, Sizes, SpeaksFor, Variant
from .printed_scores import ScoreMetric

_MOST_LISTED = 4
# Tails beyond any table's digits are written as 0.
TINY = 1e-12
# The tests that are gone through split by split, or correlation by correlation.
FAMILIES: Mapping[ScoreMetric, str] = {
    "accuracy": "McNemar's tests",
    "correlation": "Williams', Steiger's and Meng's tests",
}
_OTHERS: Mapping[ScoreMetric, str] = {
    "accuracy": "A bootstrap, a randomization test, Wilcoxon's test, or a t or z test could give it.",
    "correlation": "A bootstrap, a randomization test, or Hotelling's or Fisher's test could give it.",
}
_OTHER_UNITS = "A test over folds, runs or other units than these"


def printed_p(printed: str) -> str:
    """Write "printed p = .2123", "printed p < .001" or "printed .01≤p<.05"."""
    text = printed_number(printed)
    if "p" in text.lower():
        return f"printed {text}"
    if text[:1] in ("<", "≤", "⩽"):
        return f"printed p {text[:1]} {text[1:].strip()}"
    return f"printed p = {text.removeprefix('=').strip()}"


def numbers_in_words(fewest: int, most: int) -> str:
    """Write "9", "8 or 9" or "7 to 9"."""
    if fewest == most:
        return str(most)
    return f"{fewest} or {most}" if most == fewest + 1 else f"{fewest} to {most}"


def lacking_sentence(table: PValueTable, metric: ScoreMetric | None) -> str:
    """State what keeps p-values from being held against scores; empty if nothing does."""
    start = "The p-values cannot be checked against the scores:"
    if table.scores_a is None or table.scores_b is None:
        return f"{start} the table does not have those of both systems."
    if table.n_examples is None:
        return f"{start} there are no numbers of examples."
    if metric is None:
        return f"{start} that is possible for accuracies and for correlations with gold only."
    return ""


def no_share_sentence(dataset: str, scores: Sequence[str], n: int, *, averaged: bool) -> str:
    """State which accuracies no number of right examples gives.

    Where scores are printed with a spread, as averages over runs are, that decides nothing.
    """
    said = " and ".join(dict.fromkeys(printed_number(score) for score in scores))
    if averaged:
        return (
            f"{display_name(dataset)}: whether {said} fits {n:,} examples cannot be "
            "decided: scores are printed with a spread (±), as averages over runs are, and those need "
            "be no share of the examples."
        )
    verb = "is no share" if len(set(scores)) == 1 else "are no shares"
    return (
        f"{display_name(dataset)}: {said} {verb} of {n:,} examples to the digits "
        "printed. Another n, metric or rounding could explain it, or averages over runs."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RowWords:
    """What is said of one row's p-value; `printed` is its name and p-value, as a sentence begins."""

    printed: str
    n: str
    metric: ScoreMetric
    subject: Subject

    def impossible(
        self,
        scores: tuple[str, str],
        in_use: InUse,
        nearest: Variant,
        sizes: Sizes,
        *,
        too_high: bool,
    ) -> str:
        """State which p-values any test in use can give, and at which n the printed one would be."""
        a, b = display_name(self.subject.system_a), display_name(self.subject.system_b)
        ahead, behind = (a, b) if in_use.ahead == "a" else (b, a)
        most, least = (format_p_value(end, digits=2) for end in in_use.ends)
        span = (
            f"Theirs are at most {most}, two-sided or one-sided for {ahead}, or at least {least}, "
            f"one-sided for {behind}."
        )
        if not too_high:
            smallest = format_p_value(in_use.smallest, digits=2)
            span = f"None of their formulas gives less than {smallest}."
        others = [f"n = {size:,}" for size in sizes if size is not None]
        would = ""
        if others:
            would = f": {' or '.join(others)} would ({_variant(nearest, self.subject)})"
        kind = "accuracies" if self.subject.higher_is_better else "error rates"
        units = "examples"
        if self.metric == "correlation":
            kind, units = "correlations", "pairs"
        given = f"With {kind} {' and '.join(map(printed_number, scores))} on {self.n} {units}"
        return (
            f"{self.printed}. {given} no test in use on these {units} gives it. {span} "
            f"{_OTHER_UNITS} could, and so could another n{would}, or another rounding."
        )

    def of_unknown_units(self) -> str:
        """State that a p-value is not by a test on these examples, where scores are averages over runs."""
        return (
            f"{self.printed} is not by a test on {self.n} examples. The scores are printed with a "
            "spread (±), as averages over runs are, and a test over runs could give it."
        )

    def not_by(
        self,
        nearest: Sequence[tuple[float, int, Variant]],
        ranges: Sequence[tuple[float, float]],
        *,
        sides: Sequence[SpeaksFor],
    ) -> str:
        """State that a possible p-value is not by the tests that were gone through, and what is near.

        `sides` are those that the table may speak for.
        """
        theirs = [
            f"{format_p_value(p, digits=4)} ({s:,} disagreements; {_variant(variant, self.subject)})"
            for p, s, variant in nearest
        ]
        near = f"nearest are {' and '.join(theirs)}" if theirs else f"theirs lie {_spans(ranges)}"
        is_any = len(sides) == len(get_args(SpeaksFor))
        how = "" if is_any else " " + " or ".join(sidedness(s, self.subject) for s in sides)
        return (
            f"{self.printed} is possible, but {FAMILIES[self.metric]}{how} give no p-value with these "
            f"digits: {near}. {_OTHERS[self.metric]}"
        )

    def attainable(self, attainment: Attainment, shown: Variant, *, n_others: int) -> str:
        """State what a possible p-value takes, and how many other variants give it."""
        takes = ""
        if attainment.disagreements is not None:
            fewest, most = attainment.disagreements
            span = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
            noun = "disagreement" if most == 1 else "disagreements"
            takes = f" It takes {span} {noun} among {self.n} examples"
        elif attainment.correlations:
            spans = [
                " to ".join(dict.fromkeys(map(_correlation, ends)))
                for ends in attainment.correlations
            ]
            takes = f" It takes a correlation between the two models of {' or '.join(spans)}"
        if takes:
            takes += f", {sidedness(shown.speaks_for, self.subject)} ({title_of_test(shown.test)})."
        more = ""
        if n_others:
            gives = "variant gives" if n_others == 1 else "variants give"
            more = f" {n_others} other {gives} it too."
        return f"{self.printed} is possible.{takes}{more}"

    def too_many(self, ranges: Sequence[tuple[float, float]]) -> str:
        """State that a p-value lies among possible ones, which are too many to go through."""
        return (
            f"{self.printed} is possible. It lies among the p-values of {FAMILIES[self.metric]}, "
            f"{_spans(ranges)}; which numbers of disagreements among {self.n} examples give its "
            "digits was not gone through."
        )


def _spans(ranges: Sequence[tuple[float, float]]) -> str:
    return " or ".join(
        f"from {'0' if low < TINY else format_p_value(low, digits=2)} to {format_p_value(high, digits=2)}"
        for low, high in ranges
    )


def variants_sentence(
    explained: Mapping[tuple[str, Alternative], int],
    n_rows: int,
    subject: Subject,
    metric: ScoreMetric,
) -> str:
    """State which tests explain every row, or the most of them."""
    rows = "the row" if n_rows == 1 else f"all {n_rows} rows"
    most = max(explained.values(), default=0)
    best = [
        f"{title_of_test(test)}, {side_read(reading, subject)}"
        for (test, reading), number in explained.items()
        if number == most
    ]
    if most == 0:
        return f"None of {FAMILIES[metric]} explains {'the row' if n_rows == 1 else 'any row'}."
    more = len(best) - _MOST_LISTED
    listed = "; ".join(best[:_MOST_LISTED]) + (f"; and {more} more" if more > 0 else "")
    if most == n_rows:
        return f"What explains {rows} with scores and sizes: {listed}."
    return (
        f"None of {FAMILIES[metric]} explains {rows} with scores and sizes; most, {most}: {listed}."
    )


def _correlation(number: float) -> str:
    text = f"{number:.4g}"
    return text.removeprefix("0") if text != "0" and "e" not in text else text


def sidedness(speaks_for: SpeaksFor, subject: Subject) -> str:
    """Write "two-sided" or "one-sided for Mate"."""
    if speaks_for == "either":
        return "two-sided"
    system = subject.system_a if speaks_for == "a" else subject.system_b
    return f"one-sided for {display_name(system)}"


def _variant(variant: Variant, subject: Subject) -> str:
    """Write "McNemar, exact, two-sided"."""
    return f"{title_of_test(variant.test)}, {sidedness(variant.speaks_for, subject)}"


def side_read(reading: Alternative, subject: Subject) -> str:
    """Write "two-sided", "one-sided for Mate" or "one-sided toward the higher score"."""
    words = subject.reading(reading)
    return words.removeprefix("as ") if words.startswith("as ") else f"one-sided {words}"
