"""Cells of per-example scores: numbers, words for right and wrong, and words for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.data.layouts.example_columns import candidates
from core.data.layouts.nothing import NOTHING_WORDS
from core.data.layouts.number_notation import mixes_percent, percent_words
from core.data.layouts.per_example import ExampleFindings
from core.data.tables.number_column import NumberColumn, numbers_of
from core.data.tables.numbers import UnreadableNumber, read_number
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.types import BoolArray

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

    found.cell_problems(np.flatnonzero(wrong[numbers.coded.codes]), column, explain)


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
