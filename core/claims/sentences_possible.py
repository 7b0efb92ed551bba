"""Sentences about a printed p-value beside its scores and number of examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from core.claims.attainment import Attainment
from core.claims.printed_scores import ScoreMetric
from core.claims.sentences import printed_p, shown_number, whole_number
from core.data.p_value_table import PValueTable
from core.report.formatting import display_name, format_p_value, list_names
from core.report.subject import Subject
from core.report.testing import TEST_NAMES
from core.types import Alternative

SpeaksFor = Literal["a", "b", "either"]
_MOST_LISTED = 4
NOT_TRIED = "bootstrap, randomization and t were not tried"
_FAMILIES: Mapping[ScoreMetric, str] = {
    "accuracy": "McNemar's test: exact, mid-p, χ² without correction, and χ² with correction",
    "correlation": "the tests of Williams, Steiger, and Meng, Rosenthal and Rubin",
}


def tests_in_words(metric: str | None, *, aside: bool) -> str:
    """Write what gives none of certain p-values; `aside` also tells what was not tried."""
    if metric == "correlation":
        return "none of Williams', Steiger's and Meng's tests"
    return f"no variant of McNemar's test{f' ({NOT_TRIED})' if aside else ''}"


class SidedVariant(NamedTuple):
    """A test and the system that its p-values speak for."""

    test: str
    speaks_for: SpeaksFor


def lacking_sentence(table: PValueTable, metric: ScoreMetric | None) -> str:
    """State what keeps p-values from being held against scores; empty if nothing does."""
    start = "The p-values cannot be held against the scores:"
    if table.scores_a is None or table.scores_b is None:
        return f"{start} the table does not have those of both systems."
    if table.n_examples is None:
        return f"{start} there are no numbers of examples."
    if metric is None:
        return f"{start} that is possible for accuracies and for correlations with gold only."
    return ""


def no_multiple_sentence(dataset: str, scores: Sequence[str], n: int) -> str:
    """State which accuracies no number of right examples gives."""
    said = " and ".join(dict.fromkeys(shown_number(score) for score in scores))
    verb = "is no share" if len(set(scores)) == 1 else "are no shares"
    return (
        f"{display_name(dataset)}: {said} {verb} of {whole_number(n)} examples to the digits "
        "printed. Another n, metric or rounding could explain it, or averages over runs."
    )


def averaged_sentence(dataset: str, scores: Sequence[str], n: int) -> str:
    """State that scores printed with a spread need be no share of the examples."""
    said = " and ".join(dict.fromkeys(shown_number(score) for score in scores))
    return (
        f"{display_name(dataset)}: whether {said} fits {whole_number(n)} examples cannot be decided: "
        "scores are printed with a spread (±), as averages over runs are, and those need be no share "
        "of the examples."
    )


def impossible_sentence(
    dataset: str,
    printed: str,
    scores: tuple[str, str],
    n: int,
    limits: Mapping[str, Any],
    shown: SidedVariant,
    metric: ScoreMetric,
    subject: Subject,
) -> str:
    """State which p-values the scores leave open, and at which n the printed one would be."""
    too_high = limits["too_high"]
    limit = format_p_value(limits["high" if too_high else "low"], digits=2)
    rounded = limits["high_within_rounding" if too_high else "low_within_rounding"]
    within = format_p_value(rounded, digits=2)
    moved = f" Rounding of the scores moves that limit to {within}." if within != limit else ""
    below, above = limits["sizes"]
    sizes = [f"n = {whole_number(size)}" for size in (below, above) if size is not None]
    if sizes:
        by = limits["sizes_by"]
        other = "" if by == shown else f" ({_variant(by, subject)})"
        remedy = f"Another n, test or rounding could explain it: {' or '.join(sizes)} would{other}."
    else:
        first, last = limits["sizes_tried"]
        remedy = (
            "Another test or rounding could explain it, or averages over runs, but by none of the "
            f"tests tried any n from {whole_number(first)} to {whole_number(last)}."
        )
    return (
        f"{display_name(dataset)}: {printed_p(printed)}. {_given(scores, n, metric, subject)} "
        f"{_nothing(metric)} gives a {_sided_p(shown, subject)} "
        f"{'above' if too_high else 'below'} {limit} ({TEST_NAMES[shown.test]}). {remedy}{moved} "
        "None of the other tests that were tried gives it either."
    )


def not_attainable_sentence(
    dataset: str,
    printed: str,
    scores: tuple[str, str],
    n: int,
    nearest: Mapping[str, Any],
    metric: ScoreMetric,
    subject: Subject,
) -> str:
    """State the p-values that come out nearest to one that does not, and by which variants."""
    start = (
        f"{display_name(dataset)}: {printed_p(printed)}. {_given(scores, n, metric, subject)} "
        f"{_nothing(metric)} gives these digits by {_FAMILIES[metric]}"
        f"{f' ({NOT_TRIED})' if metric == 'accuracy' else ''}."
    )
    said = [
        f"{format_p_value(p, digits=4)} (b = {b}, c = {c}; {_variant(nearest[f'{side}_by'], subject)})"
        for side in ("below", "above")
        if nearest[side] is not None
        for b, c, p in [nearest[side]]
    ]
    ending = " Another n, test or rounding could explain it, or averages over runs."
    if not said:
        return f"{start}{ending}"
    verb = "is" if len(said) == 1 else "are"
    return f"{start} Nearest to it {verb} {' and '.join(said)}.{ending}"


def attainable_sentence(
    dataset: str,
    printed: str,
    n: int,
    attainment: Attainment,
    shown: SidedVariant,
    explaining: Sequence[SidedVariant],
    subject: Subject,
    *,
    impossible_sides: Sequence[SpeaksFor] = (),
) -> str:
    """State what a possible p-value takes, and for whom it is not possible."""
    takes = ""
    if attainment.disagreements is not None:
        fewest, most = attainment.disagreements
        span = whole_number(fewest) if fewest == most else f"{fewest:,} to {most:,}"
        takes = f" It takes {span} disagreements among {whole_number(n)} examples"
        if attainment.splits.shape[0] == 1:
            b, c = attainment.splits[0].tolist()
            takes += f" (b = {b}, c = {c})"
    elif attainment.correlations:
        spans = [
            " to ".join(dict.fromkeys(map(_correlation, ends))) for ends in attainment.correlations
        ]
        takes = f" It takes a correlation between the two models of {' or '.join(spans)}"
    if takes:
        takes += f", {sidedness(shown, subject)} ({TEST_NAMES[shown.test]})."
    others = len(explaining) - 1
    more = ""
    if others:
        more = f" {others} other {'variant gives' if others == 1 else 'variants give'} it too."
    for side in impossible_sides:
        kind = sidedness(SidedVariant("", side), subject)
        more += f" It is impossible {kind}, by every test tried."
    return f"{display_name(dataset)}: {printed_p(printed)} is possible.{takes}{more}"


def too_many_sentence(
    dataset: str, printed: str, n: int, possible: Sequence[tuple[float, float]]
) -> str:
    """State that a row has too many possibilities to go through, and their ranges."""
    spans = " or ".join(
        f"from {format_p_value(low, digits=2)} to {format_p_value(high, digits=2)}"
        for low, high in possible
    )
    return (
        f"{display_name(dataset)}: whether {printed_p(printed)} comes out exactly cannot be "
        f"decided: too many possibilities at n = {whole_number(n)} and this rounding of the scores. "
        f"It lies among those {spans} that the tests tried can give."
    )


def variants_sentence(
    explained: Mapping[tuple[str, Alternative], int], n_rows: int, subject: Subject
) -> str:
    """State which tests explain every row, or the most of them."""
    rows = "the row" if n_rows == 1 else f"all {n_rows} rows"
    most = max(explained.values(), default=0)
    best = [
        f"{TEST_NAMES[test]}, {_read(reading, subject)}"
        for (test, reading), number in explained.items()
        if number == most
    ]
    if most == 0:
        return f"No test that was tried explains {'it' if n_rows == 1 else 'any row'}."
    more = len(best) - _MOST_LISTED
    listed = "; ".join(best[:_MOST_LISTED]) + (f"; and {more} more" if more > 0 else "")
    if most == n_rows:
        return f"What explains {rows} with scores and sizes: {listed}."
    return f"No one test explains {rows} with scores and sizes; most, {most}: {listed}."


def _correlation(number: float) -> str:
    text = f"{number:.4g}"
    return text.removeprefix("0") if text != "0" and "e" not in text else text


def _given(scores: tuple[str, str], n: int, metric: ScoreMetric, subject: Subject) -> str:
    a, b = map(shown_number, scores)
    if metric == "correlation":
        return f"With correlations {a} and {b} on {whole_number(n)} pairs"
    kind = "accuracies" if subject.higher_is_better else "error rates"
    return f"With {kind} {a} and {b} on {whole_number(n)} examples"


def _nothing(metric: ScoreMetric) -> str:
    if metric == "correlation":
        return "no agreement between the two models"
    return "no number of disagreements"


def sidedness(shown: SidedVariant, subject: Subject) -> str:
    """Write "two-sided" or "one-sided for Mate"."""
    if shown.speaks_for == "either":
        return "two-sided"
    system = subject.system_a if shown.speaks_for == "a" else subject.system_b
    return f"one-sided for {display_name(system)}"


def _variant(variant: SidedVariant, subject: Subject) -> str:
    """Write "McNemar, exact, two-sided"."""
    return f"{TEST_NAMES[variant.test]}, {sidedness(variant, subject)}"


def _sided_p(shown: SidedVariant, subject: Subject) -> str:
    """Write "two-sided p" or "one-sided p for Mate"."""
    kind, _, whom = sidedness(shown, subject).partition(" ")
    return f"{kind} p {whom}".rstrip()


def _read(reading: Alternative, subject: Subject) -> str:
    return {
        "two-sided": "two-sided",
        "greater": f"one-sided for {list_names([subject.system_a])}",
        "less": f"one-sided for {list_names([subject.system_b])}",
    }.get(reading, f"one-sided {subject.reading(reading)}")
