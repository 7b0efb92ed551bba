"""What a row is, where no heading says it: asked, and not guessed."""

from __future__ import annotations

from collections.abc import Sequence

from core.data.layouts.example_columns import base_columns, counts_rows, has_repeats
from core.data.layouts.row_units import n_combinations
from core.data.layouts.score_cells import numeric_columns
from core.data.overlap.inputs import INPUT_HEADINGS
from core.data.roles import Roles, column_of
from core.data.tables.columns import heading, is_textual
from core.data.tables.headings import (
    METRIC_NAME_HEADINGS,
    PREDICTION_HEADINGS,
    SPLIT_HEADINGS,
    SYSTEM_HEADINGS,
)
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem

# More rows than a table of datasets has are examples.
_MOST_DATASETS = 1_000
# Texts beside an example that say nothing of what it is.
_REMARKS = frozenset({"comment", "comments", "note", "notes", "explanation", "url"})


def ask(raw: RawTable, given: Roles) -> None:
    """Ask what a row is, where the file leaves it open and the roles given do not say it.

    Raises
    ------
    DataError
        With the question.
    """
    _ask_for_split(raw, given)
    _ask_for_rows(raw, given)


def _ask_for_rows(raw: RawTable, given: Roles) -> None:
    """Rows of scores with a text each, under a heading that says neither dataset nor example."""
    if "dataset" in given or "example" in given or not 2 <= raw.n_rows <= _MOST_DATASETS:
        return
    dataset, example, gold = base_columns(raw, given)
    if dataset is not None or gold is not None or _says_example(example):
        return
    texts = [c for c in raw.header if is_textual(raw, c) and not has_repeats(raw, c)]
    if any(heading(column) in INPUT_HEADINGS for column in texts):
        return
    passed = {*_REMARKS, *PREDICTION_HEADINGS, *SYSTEM_HEADINGS, *METRIC_NAME_HEADINGS}
    texts = [column for column in texts if heading(column) not in passed]
    if not texts or len(numeric_columns(raw, texts)) < 2:
        return
    column, question = texts[0], f"What does {quoted(texts[0])} name?"
    raise DataError(
        [
            Problem(
                what=f"{quoted(column)} has another text in each row, and no heading says whether "
                "a row is a dataset or an example.",
                remedy="Say which it is, or name the column 'dataset' or 'example'. If it names "
                "systems, turn the table around: a row for each dataset, a column for each system.",
                column=column,
            )
        ],
        columns=raw.header,
        choices=(
            Choice(role="dataset", question=question, options=((column, "Each row is a dataset"),)),
            Choice(
                role="example", question=question, options=((column, "Each row is an example"),)
            ),
        ),
    )


def _says_example(column: str | None) -> bool:
    """Whether a column of ids says that rows are examples, and does not only count them."""
    return column is not None and (not counts_rows(column) or heading(column) in ("id", "ids"))


def _ask_for_split(raw: RawTable, given: Roles) -> None:
    """Rows of several parts of one dataset."""
    if "dataset" in given:
        return
    dataset, _, _ = base_columns(raw, given)
    within = [dataset] if dataset is not None else []
    n_datasets = n_combinations(raw, within)
    for column in raw.header:
        if heading(column) not in SPLIT_HEADINGS or column in within or raw.is_blank(column):
            continue
        texts = [text for text in raw.coded(column).texts if text]
        n_parts = n_combinations(raw, [*within, column])
        if len(texts) < 2 or n_parts == n_datasets or (not within and n_parts == raw.n_rows):
            continue
        raise _split_question(raw, column, texts, dataset)


def _split_question(
    raw: RawTable, column: str, texts: Sequence[str], dataset: str | None
) -> DataError:
    """Which part is meant; where each has a single row, one part has to be kept."""
    places = [c for c in raw.header if heading(c) in (*SYSTEM_HEADINGS, *METRIC_NAME_HEADINGS)]
    each = [*([dataset] if dataset is not None else []), column, *places]
    if n_combinations(raw, each) == raw.n_rows:
        problem = Problem(
            what=f"{quoted(column)} divides each dataset into {listed(texts)}, with one row each: "
            "parts of a dataset are no examples of it.",
            remedy="Keep the rows of one part, or give each part a dataset's name of its own.",
            column=column,
        )
        return DataError([problem], columns=raw.header)
    problem = Problem(
        what=f"{quoted(column)} divides the examples into {listed(texts)}: are they read "
        "together, or each as a dataset?",
        remedy="Keep the rows of one part, or choose the column that names the datasets.",
        column=column,
    )
    apart = (column, f"Each part in {quoted(column)} is a dataset")
    together = (dataset or "", f"{quoted(dataset or '')} alone, all parts read together")
    choice = Choice(
        role="dataset",
        question="What names the datasets?",
        options=(apart,) if dataset is None else (together, apart),
    )
    return DataError([problem], columns=raw.header, choices=(choice,))


def several_systems_problem(raw: RawTable, given: Roles) -> Problem | None:
    """What to say of a table with a row for each system and a column for each dataset."""
    dataset, example, gold = base_columns(raw, given)
    if dataset is not None or gold is not None or _says_example(example):
        return None
    system = column_of(given, "system") or next(
        (c for c in raw.header if heading(c) in SYSTEM_HEADINGS and is_textual(raw, c)), None
    )
    if system is None or has_repeats(raw, system) or raw.n_rows < 2:
        return None
    scores = numeric_columns(raw, [system])
    if len(scores) < 2:
        return None
    return Problem(
        what=f"Each system stands in one row of {quoted(system)}, and each dataset in a column, "
        f"{listed(scores)}.",
        remedy="Turn the table around: one row for each dataset, with its name in a column "
        "'dataset', and one column for each system.",
        column=system,
    )
