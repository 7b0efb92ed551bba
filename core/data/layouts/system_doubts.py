"""Columns of numbers beside the systems' scores that may be no systems: a question, no guess."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.layouts.metric_grid import metric_grid
from core.data.layouts.scales import on_one_scale, scale_choice
from core.data.layouts.score_cells import scores_of
from core.data.roles import Roles
from core.data.tables.columns import heading
from core.data.tables.headings import lower_is_better
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.errors import Choice, Problem

# With these a heading says how sure a system was, not how right.
_SURENESS = (
    "confidence",
    "conf",
    "prob",
    "probs",
    "probability",
    "logit",
    "logits",
    "logprob",
    "log prob",
    "certainty",
    "uncertainty",
    "margin",
)
# With these it may be the system's score, or how sure it was.
_PERHAPS_SCORES = ("score", "scores", "output", "value", "rank", "length", "len", "time")

# Numbers on a scale of 0 to 1 come this far at most, by rounding or by some metric's habit.
_BEYOND_ONE = 1.5
# A few numbers beyond 1 may be mistakes, or errors that are counted.
_SHARE = 0.25
_TIMES = 10.0
# Of fewer scores all may happen to lie between 0 and 1.
_FEWEST = 5

_CHOOSE = "Choose the columns of the systems, or remove the others."
_SCALE = (
    "Choose the columns of the systems, and as covariates those that describe the examples; if "
    "all are systems, bring their scores to one scale."
)


def certainty_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Columns that say by their headings how sure a system of another column was.

    None where fewer than two others would stay.
    """
    beside = tuple(c for c in columns if _beside(c, columns, _SURENESS) is not None)
    return beside if len(columns) - len(beside) >= 2 else ()


def certainty_remarks(header: Sequence[str], used: Sequence[str]) -> list[str]:
    """A remark on columns left aside because they say how sure a system was."""
    beside = [c for c in header if c not in used and _beside(c, used, _SURENESS) is not None]
    if not beside:
        return []
    said = "says how sure a system was" if len(beside) == 1 else "say how sure systems were"
    return [
        f"{listed(beside)} {said}, by the heading, and "
        f"{'is' if len(beside) == 1 else 'are'} not taken for scores."
    ]


def doubt_problems(raw: RawTable, columns: Sequence[str], given: Roles) -> list[Problem]:
    """Problems of columns that nobody chose and that may be no systems.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    columns : sequence of str
        The columns that would be the systems.
    given : mapping
        Roles that are known, of which "scales" may say that all are systems.
    """
    if metric_grid(columns) is not None or lower_is_better(tuple(columns)) is not None:
        return []
    problems = []
    for column in columns:
        system = _beside(column, columns, _PERHAPS_SCORES)
        if system is not None:
            problems.append(
                Problem(
                    what=f"{quoted(column)} stands beside {quoted(system)} and may be of the same "
                    "system: which of them holds its scores?",
                    remedy=_CHOOSE,
                    column=column,
                )
            )
    return problems or ([] if on_one_scale(given) else _scale_problems(raw, columns))


def doubt_choices(problems: Sequence[Problem]) -> tuple[Choice, ...]:
    """The questions whose answers settle such problems."""
    return (scale_choice(),) if any(problem.remedy == _SCALE for problem in problems) else ()


def _beside(column: str, columns: Sequence[str], words: Sequence[str]) -> str | None:
    """The other column that a heading names together with one of these words."""
    named = heading(column)
    rests = {named.removesuffix(f" {word}") for word in words}
    rests |= {named.removeprefix(f"{word} ") for word in words}
    rests -= {named, ""}
    if not rests:
        # So it is of nearly all of what may be hundreds of columns.
        return None
    return next((c for c in columns if c != column and heading(c) in rests), None)


def _scale_problems(raw: RawTable, columns: Sequence[str]) -> list[Problem]:
    """One problem where some numbers lie on another scale than those of other columns."""
    if raw.n_rows < _FEWEST:
        return []
    lowest, highest, typical, beyond = {}, {}, {}, {}
    signed = set()
    for column in columns:
        numbers = scores_of(raw, column)
        # By the different texts, as the numbers of all rows would take far more room.
        finite = np.isfinite(numbers.text_values)
        held = numbers.text_values[finite]
        if not held.size:
            return []
        times = None if numbers.coded.one_each else numbers.coded.counts[finite]
        if numbers.is_percent.any():
            signed.add(column)
        lowest[column], highest[column] = float(held.min()), float(held.max())
        typical[column] = float(np.average(np.abs(held), weights=times))
        beyond[column] = float(np.average(held > 1.0, weights=times))
    small = [c for c in columns if lowest[c] >= 0.0 and highest[c] <= 1.0 and c not in signed]
    large = [c for c in columns if highest[c] > _BEYOND_ONE and beyond[c] > _SHARE]
    if small and large and len(small) + len(large) == len(columns):
        return [_scale_problem(large, max(highest[c] for c in large), "1")]
    if len(columns) < 3:
        return []
    for column in columns:
        others = [c for c in columns if c != column]
        most = max(max(abs(lowest[c]), abs(highest[c])) for c in others)
        usual = max(typical[c] for c in others)
        if (
            highest[column] > _TIMES * most > 0.0
            and typical[column] > _TIMES * usual
            and beyond[column] > _SHARE
        ):
            return [_scale_problem([column], highest[column], f"{most:,.10g}")]
    return []


def _scale_problem(large: Sequence[str], high: float, others: str) -> Problem:
    one = len(large) == 1
    return Problem(
        what=f"{listed(large)} {'goes' if one else 'go'} up to {high:,.10g}, the others only to "
        f"{others}: {'is it a system' if one else 'are they systems'}?",
        remedy=_SCALE,
        column=large[0] if one else None,
    )
