"""Columns of scores: what their cells hold, and columns beside them that may be no scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...errors import Choice, Problem
from ...types import BoolArray
from ..roles import DIVIDED, UNUSED, Roles
from ..tables.headings import heading, lower_is_better
from ..tables.number_column import NumberColumn, numbers_of
from ..tables.numbers import NOTHING_WORDS, UnreadableNumber, read_number
from ..tables.raw_table import RawTable
from ..words import listed, quoted
from .heading_grid import metric_grid
from .per_example import ExampleFindings
from .row_units import candidates
from .scales import mixes_percent, on_one_scale, percent_words, scale_choice

# "yes" and "no" may be answers, so they are no scores.
TRUTH_WORDS = {
    "true": 1.0,
    "false": 0.0,
    "correct": 1.0,
    "incorrect": 0.0,
    "right": 1.0,
    "wrong": 0.0,
}
_INFINITE = frozenset({"inf", "infinity"})
# A column with more different texts holds something else than truth words.
_MOST_SPELLINGS = 100

_GIVE_SCORE = "Give the score, or leave this example out for every system."


def scores_of(raw: RawTable, column: str) -> NumberColumn:
    """One column of scores as numbers, with 1 for words that say right and 0 for wrong."""
    if not says_right_or_wrong(raw, column):
        return numbers_of(raw, column)
    numbers = numbers_of(raw, column)
    texts = numbers.coded.texts
    values = np.array([TRUTH_WORDS.get(text.casefold(), np.nan) for text in texts])
    return replace(numbers, text_values=values)


def says_right_or_wrong(raw: RawTable, column: str) -> bool:
    """Whether a column holds nothing but words for right and wrong, and for missing values."""
    if not raw.is_repetitive(column) or len(raw.coded(column).array) > _MOST_SPELLINGS:
        return False
    held = {text.casefold() for text in raw.coded(column).texts if text} - NOTHING_WORDS
    return bool(held) and held <= TRUTH_WORDS.keys()


def numeric_columns(raw: RawTable, taken: Sequence[str]) -> tuple[str, ...]:
    """Columns that may hold scores: at least half of what they hold are numbers.

    A word for a missing value counts as nothing held.
    """
    return tuple(
        column
        for column in candidates(raw, taken)
        if (numbers := scores_of(raw, column)).n_numbers > 0
        and numbers.n_numbers >= numbers.n_others - _n_nothing(numbers)
    )


def missing_texts(numbers: NumberColumn) -> BoolArray:
    """For each different text whether it is empty or a word for a missing value."""
    missing = numbers.is_blank.copy()
    odd = np.flatnonzero(np.isnan(numbers.text_values) & ~numbers.is_blank)
    words_held = numbers.coded.array.take(odd).to_pylist()
    missing[odd] = [word.casefold() in NOTHING_WORDS for word in words_held]
    return missing


def missing_rows(raw: RawTable, columns: Sequence[str]) -> BoolArray:
    """For each row whether a value of one of these columns is missing."""
    missing: BoolArray = np.zeros(raw.n_rows, dtype=np.bool_)
    for column in columns:
        numbers = scores_of(raw, column)
        if not np.isfinite(numbers.text_values).all():
            missing |= missing_texts(numbers)[numbers.coded.codes]
    return missing


def check_scores(
    found: ExampleFindings, column: str, *, missing_allowed: bool, metric_names: str | None = None
) -> None:
    """Every row holds a number of the notation that the file's separator allows, all on one scale.

    Missing values are no problems where they are left out afterwards. Rows of
    several metrics may be on several scales.
    """
    numbers = scores_of(found.raw, column)
    metrics = None if metric_names is None else found.raw.coded(metric_names).codes.astype(np.intp)
    mixed = np.flatnonzero(mixes_percent(numbers, metrics))
    if mixed.size:
        texts = found.raw.column(column)
        found.cell_problems(mixed, column, lambda row: percent_words(texts[row].as_py()))
    decimal_comma = found.raw.decimal_comma
    wrong = ~np.isfinite(numbers.text_values)
    if not decimal_comma:
        wrong |= numbers.is_comma
    if wrong.any() and missing_allowed:
        wrong &= ~missing_texts(numbers)
    if not wrong.any():
        return
    cells = found.raw.column(column)

    def explain(row: int) -> tuple[str, str]:
        text = cells[row].as_py()
        if not text:
            return "There is no score.", _GIVE_SCORE
        if text.casefold() in NOTHING_WORDS:
            return f"{quoted(text)} stands where a score should.", _GIVE_SCORE
        if text.casefold().lstrip("+-−") in _INFINITE:
            return f"{quoted(text)} is not a finite number.", _GIVE_SCORE
        try:
            read_number(text, decimal_comma=decimal_comma, notation=numbers.notation)
        except UnreadableNumber as error:
            return error.what, error.remedy
        raise AssertionError(text)

    missing = missing_texts(numbers)
    for texts, mended_by in ((wrong & ~missing, ()), (wrong & missing, ("incomplete",))):
        rows = np.flatnonzero(texts[numbers.coded.codes])
        found.cell_problems(rows, column, explain, mended_by=mended_by)


def is_binary(raw: RawTable, columns: Sequence[str]) -> bool:
    """Whether columns hold nothing but 0 and 1, and missing values."""
    return all(
        bool((np.isin(values, (0.0, 1.0)) | missing_texts(numbers)).all())
        for column in columns
        if (values := (numbers := scores_of(raw, column)).text_values) is not None
    )


def remark_on_truth_words(found: ExampleFindings, columns: Sequence[str]) -> None:
    """A remark on columns of words that are read as 1 and 0."""
    truthful = [column for column in columns if says_right_or_wrong(found.raw, column)]
    if truthful:
        held = {text for column in truthful for text in found.raw.coded(column).texts}
        right = sorted({t for t in held if TRUTH_WORDS.get(t.casefold()) == 1.0})
        wrong = sorted({t for t in held if TRUTH_WORDS.get(t.casefold()) == 0.0})
        read = [f"{listed(texts)} as {value}" for texts, value in ((right, 1), (wrong, 0)) if texts]
        found.remarks.append(
            f"In {listed(truthful)} these words are read as scores: {'; '.join(read)}."
        )


def _n_nothing(numbers: NumberColumn) -> int:
    """Number of rows that hold a word for a missing or infinite value."""
    odd = np.flatnonzero(np.isnan(numbers.text_values) & ~numbers.is_blank)
    words_held = numbers.coded.array.take(odd).to_pylist()
    counts = numbers.coded.counts
    return sum(
        int(counts[index])
        for index, word in zip(odd.tolist(), words_held, strict=True)
        if word.casefold() in NOTHING_WORDS or word.casefold().lstrip("+-−") in _INFINITE
    )


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
                    mended_by=(UNUSED,),
                )
            )
    return problems or ([] if on_one_scale(given) else _scale_problems(raw, columns))


def doubt_choices(
    raw: RawTable, columns: Sequence[str], problems: Sequence[Problem]
) -> tuple[Choice, ...]:
    """The questions whose answers settle such problems of these columns."""
    choices: list[Choice] = []
    for problem in problems:
        if problem.remedy == _SCALE:
            choices.append(scale_choice())
            own = [problem.column] if problem.column is not None else []
            question = choices[0].question
            if own and all(_may_be_percent(raw, column) for column in own):
                words = f"No, divide {listed(own)} by 100"
                choices.append(
                    Choice(role=DIVIDED, question=question, options=((tuple(own), words),))
                )
        else:
            beside = _beside(problem.column or "", columns, _PERHAPS_SCORES)
            own = [name for name in (beside, problem.column) if name is not None]
            question = f"Which of {listed(own)} holds the system's scores?"
        for column in own if len(columns) > 2 or len(own) > 1 else ():
            kept = [name for name in own if name != column]
            words = (
                f"{quoted(kept[0])}: leave {quoted(column)} aside"
                if kept
                else (f"No, leave {quoted(column)} aside")
            )
            choices.append(Choice(role=UNUSED, question=question, options=(((column,), words),)))
    return tuple(choices)


def _may_be_percent(raw: RawTable, column: str) -> bool:
    values = scores_of(raw, column).text_values
    held = values[np.isfinite(values)]
    return bool(held.min() >= 0.0 and _TIMES < held.max() <= _TIMES**2)


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
        mended_by=("scales", DIVIDED, UNUSED),
    )
