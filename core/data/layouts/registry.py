"""The layouts that a file may have, in the order in which they are tried; what is asked and declined.

A file that is known by its columns and not read as it is, is asked about, or declined with the reason.
"""

import re
from collections.abc import Sequence

from ...errors import DataError, Problem, answers, listed, quoted, stop_at
from ..roles import (
    COVARIATES,
    LAYOUT,
    SYSTEMS,
    Roles,
    column_of,
    foreign_role_problems,
    several_of,
    shared_column_problems,
)
from ..roles import SCORES as SCORE_COLUMNS
from ..tables.headings import heading, is_named
from ..tables.number_column import is_numeric, is_textual
from ..tables.raw_table import RawTable
from . import count_columns, predictions, published_table, scores, whole_datasets
from .cells import are_summaries, find_margin
from .columns import Columns, FileKind, held
from .complete_rows import find_covariates
from .mending import TURN, systems_column
from .per_example import MOST_OFFERED, NEEDS_TWO_SYSTEMS, which_of
from .row_units import (
    candidates,
    counts_rows,
    has_repeats,
    headless_problem,
    may_count,
    n_combinations,
)
from .score_cells import numeric_columns, says_right_or_wrong

PUBLISHED_TABLE = published_table.NAME
PREDICTIONS = predictions.PREDICTIONS
SCORES = scores.IN_COLUMNS
SCORES_IN_ROWS = scores.IN_ROWS
COUNTS = count_columns.PER_EXAMPLE_COUNTS
SCORE_GRID = whole_datasets.SCORE_GRID
LAYOUTS: tuple[FileKind, ...] = (
    published_table.KIND,
    whole_datasets.OF_EFFECTS,
    count_columns.OF_OUTCOMES,
    count_columns.OF_COUNTS,
    predictions.NUMBERS,
    whole_datasets.OF_SCORES,
    scores.ROWS,
    predictions.LABELS,
    scores.COLUMNS,
)
# Kinds whose systems are compared with one column of gold.
OF_GOLD = (predictions.NUMBERS, predictions.LABELS)


def recognise_layout(raw: RawTable, given: Roles) -> tuple[FileKind, Roles]:
    """The layout of a file, as given or as its columns show, and every role resolved."""
    wanted, described = given.get(LAYOUT), several_of(given, COVARIATES)
    if described or column_of(given, "margin"):
        stop_at(shared_column_problems(given))
    # What is declared to describe the examples is nothing else, and margins are no scores.
    whole = shown = Columns(raw.without(described) if described else raw, given)
    margin = find_margin(raw, given)
    if margin is not None:
        shown = Columns(whole.raw.without({margin}), given)
    foreign = {
        layout.name: foreign_role_problems(given, layout=layout.name, known=layout.roles)
        for layout in LAYOUTS
    }
    layouts = [layout for layout in LAYOUTS if wanted in (None, layout.name)]
    # Those that have every column that was given come first.
    layouts.sort(key=lambda layout: bool(foreign[layout.name]))
    chosen = wanted is not None or shown.has_given(
        SYSTEMS, SCORE_COLUMNS, "gold", "example", "cluster"
    )
    for layout in layouts:
        # Some layouts show by their headings; among the rest the kinds that are
        # not read are told apart first, unless the owner chose otherwise.
        if not layout.shows_by_headings and not chosen:
            _systems_in_rows(shown)
            _given_correlations(shown)
            ask(shown)
            _unknown_text(shown)
            chosen = True
        # Of a table of p-values or effects a column headed so is what the headings say.
        has_none = layout.shows_by_headings and "margin" not in layout.roles
        try:
            roles = layout.recognise(whole if has_none else shown)
        except DataError as error:
            # With all that was recognised.
            raise DataError(
                error.problems,
                choices=error.choices,
                roles=_complete(layout, raw, error.roles, given) if error.roles else {},
            ) from None
        if roles is None:
            continue
        stop_at(foreign[layout.name])
        if margin is not None and "margin" in layout.roles:
            roles = {**roles, "margin": margin}
            roles |= {role: given[role] for role in ("margin_unit",) if role in given}
        roles = _complete(layout, raw, roles, given)
        raw.evidence.update(shown.evidence(roles))
        return layout, roles
    if wanted == PUBLISHED_TABLE:
        raise DataError.of(
            f"No column is recognised as p-values among {listed(raw.header)}.",
            "Name the column of p-values 'p_value' or choose it.",
        )
    raise unrecognised(Columns(raw, given))


def _complete(layout: FileKind, raw: RawTable, roles: Roles, given: Roles) -> Roles:
    """The roles with the layout, what is declared, and the columns that describe examples."""
    declared = {role: given[role] for role in layout.declares if role in given}
    roles = {LAYOUT: layout.name, **roles, **declared}
    if COVARIATES not in layout.roles:
        return roles
    described = several_of(given, COVARIATES)
    if described is None:
        described = find_covariates(
            raw,
            roles,
            passed=count_columns.columns_of(count_columns.metrics_of(raw, roles))
            if layout.name == COUNTS
            else (),
            # Text beside labels may be what a system predicted.
            known_only=layout.name == PREDICTIONS,
        )
    return {**roles, COVARIATES: described}


# More rows than a table of datasets has are examples.
_MOST_DATASETS = 1_000


def ask(columns: Columns) -> None:
    """Ask what a row is, where the file leaves it open and the roles given do not say it."""
    if "dataset" not in columns.given:
        _ask_for_split(columns)
        _ask_for_rows(columns)


def _ask_for_rows(columns: Columns) -> None:
    """Rows of scores with a text each, under a heading that says neither dataset nor example."""
    raw, column = columns.raw, _names_of_rows(columns)
    if column is None:
        return
    headless = headless_problem(raw)
    if headless is not None:
        raise DataError([headless], columns=raw.header)
    raise DataError.of(
        f"{quoted(column)} has another text in each row, and no heading says whether "
        "a row is a dataset or an example.",
        "Say which it is, or name the column 'dataset', 'example' or 'system'.",
        column=column,
        columns=raw.header,
        choices=answers(
            f"What does {quoted(column)} name?",
            ("dataset", column, "Each row is a dataset"),
            # Of all examples there is a score by each metric.
            *(
                (("example", column, "Each row is an example"),)
                if not is_named(column, "metric_names")
                else ()
            ),
            (TURN.role, *TURN.options[0]),
        ),
    )


def _names_of_rows(columns: Columns) -> str | None:
    """The first column with another text in each row of scores, where no heading says what it names."""
    raw = columns.raw
    if columns.dataset is not None or "example" in columns.given:
        return None
    if not 2 <= raw.n_rows <= _MOST_DATASETS:
        return None
    if columns.gold is not None or _says_example(raw, columns.example):
        return None
    texts = [c for c in raw.header if is_textual(raw, c) and not has_repeats(raw, c)]
    if any(is_named(column, "input") for column in texts):
        return None
    passed = ("remark", "prediction", "system", "run")
    texts = [column for column in texts if not is_named(column, *passed)]
    return texts[0] if texts and len(numeric_columns(raw, texts)) >= 2 else None


# "en-de", "cs → en": a task of translation.
_LANGUAGES = re.compile(r"[a-z]{2,3} ?[-–/→>_] ?[a-z]{2,3}", re.IGNORECASE)


def _says_example(raw: RawTable, column: str | None) -> bool:
    """Whether a column of ids says that rows are examples, and does not only count them.

    Pairs of languages, and rows with one of averages below them, are rather datasets.
    """
    if column is None or (counts_rows(column) and heading(column) not in ("id", "ids")):
        return False
    names = [name for name in raw.cells(column) if name]
    return not names or not (all(map(_LANGUAGES.fullmatch, names)) or are_summaries(names[-1:])[0])


def _ask_for_split(columns: Columns) -> None:
    """Rows of several parts of one dataset; where each has a single row, one has to be kept."""
    raw, within = columns.raw, columns.within
    n_datasets = n_combinations(raw, within)
    places = [c for c in raw.header if is_named(c, "system", "metric_names")]
    for column in columns.headed("split"):
        if column in within or raw.is_blank(column):
            continue
        texts = [text for text in raw.coded(column).texts if text]
        n_parts = n_combinations(raw, [*within, column])
        if len(texts) < 2 or n_parts == n_datasets or (not within and n_parts == raw.n_rows):
            continue
        together = answers(
            "What names the datasets?",
            *(("dataset", c, f"{quoted(c)} alone, all parts read together") for c in within),
            ("dataset", column, f"Each part in {quoted(column)} is a dataset"),
        )
        single = n_combinations(raw, [*within, column, *places]) == raw.n_rows
        raise DataError.of(
            f"{quoted(column)} divides each dataset into {listed(texts)}"
            + (", with one row each." if single else "."),
            "Keep the rows of one part, or give each part a dataset's name of its own.",
            column=column,
            columns=raw.header,
            # Parts of a dataset are no examples of it.
            choices=() if single else together,
        )


def _systems_in_rows(columns: Columns) -> None:
    """A table with a row for each system, and columns that may be datasets or metrics."""
    raw = columns.raw
    system = column_of(columns.given, "system") or systems_column(columns)
    if system is None or has_repeats(raw, system) or raw.n_rows < 2:
        return
    scores = numeric_columns(raw, [system])
    if len(scores) < 2:
        return
    raise DataError.of(
        what=f"Each system stands in one row of {quoted(system)}, with its scores in the columns "
        f"{listed(scores)}.",
        remedy="If these are datasets, turn the table around; if they are metrics, give a row for "
        "each dataset and a column for each system.",
        column=system,
        choices=answers(
            "",
            (TURN.role, *TURN.options[0]),
            ("dataset", system, "Do not turn it: each row is a dataset, each column a system"),
        ),
    )


def _given_correlations(columns: Columns) -> None:
    if columns.example is not None or len(columns.headed("correlation")) < 3:
        return
    raise DataError.of(
        what="The file holds correlations that are computed already: correlation data are not read "
        "yet.",
        remedy="Give a p-value for each dataset in a column 'p_value'.",
    )


def _unknown_text(columns: Columns) -> None:
    """Scores with a column of repeated text that may name datasets under an unknown heading."""
    raw, gold = columns.raw, columns.gold
    if columns.dataset is not None or "dataset" in columns.given:
        return
    system = columns.system
    # Beside gold, text may be what a system predicted.
    beside_gold = gold is not None
    if (beside_gold and (system is None or not is_numeric(raw, str(gold)))) or len(
        numeric_columns(raw, ())
    ) < (2 if system is None else 1):
        return
    for column in candidates(raw, held(columns.example)):
        if (
            is_textual(raw, column)
            and has_repeats(raw, column)
            and len(raw.coded(column).array) > 1
            and column != system
            and not is_named(column, "system", "metric_names")
            and (not beside_gold or n_combinations(raw, [column, str(system)]) == raw.n_rows)
            and not says_right_or_wrong(raw, column)
        ):
            raise DataError.of(
                what=f"{quoted(column)} holds text that repeats and may name the datasets, but no "
                "heading says so.",
                remedy="Name the column 'dataset' or choose it; if the file is one dataset, choose "
                "none.",
                column=column,
                choices=answers(
                    f"What does {quoted(column)} hold?",
                    ("dataset", column, "Names of datasets"),
                    ("dataset", None, "The file is one dataset"),
                ),
            )


def no_gold_problem(said: Sequence[str]) -> Problem:
    """A problem of files of which each holds what one system gave out, and nothing else."""
    return Problem(
        f"There are predictions ({listed(said)}) and no gold labels to compare them with.",
        "Give a file with the gold labels beside one for each system, 'gold.csv' with the columns "
        "'id' and 'label', or one file with a row for each example: its id, the gold label in a "
        "column 'gold', and a column with each system's predictions.",
    )


def unrecognised(columns: Columns) -> DataError:
    """Why no layout fits, and what a file that fits one has."""
    raw, dataset, example, gold = columns.raw, columns.dataset, columns.example, columns.gold
    headless = headless_problem(raw)
    if headless is not None:
        return DataError([headless])
    taken = columns.base
    preferred = [c for c in raw.header if is_named(c, "preference") and is_textual(raw, c)]
    if preferred:
        return DataError.of(
            what=f"{quoted(preferred[0])} says which system was preferred in each row, and no "
            "column holds a system's scores.",
            remedy="Give each of the two systems a column: 1 where it was preferred, 0 where the "
            "other was, and 0.5 in both for a tie.",
            column=preferred[0],
        )
    free = candidates(raw, taken)
    if gold is None and len(free) >= 2 and not any(is_numeric(raw, column) for column in free):
        labels = [column for column in free[:MOST_OFFERED] if has_repeats(raw, column)]
        return DataError.of(
            what=f"{listed(free)} hold text: predictions need a column of gold labels to be "
            "compared with.",
            remedy="Add a column 'gold' or choose the one that holds them.",
            choices=(which_of("gold", "Which column holds the gold labels?", labels),)
            if len(labels) > 2
            else (),
        )
    systems = numeric_columns(raw, taken)
    differences = [c for c in columns.headed("difference") if is_numeric(raw, c)]
    if len(differences) == 1 and not systems:
        return DataError.of(
            what=f"{quoted(differences[0])} holds differences, and no column holds scores or "
            "standard errors.",
            remedy="Name the differences 'effect' and give the standard error of each in a column "
            "'standard_error': of an interval of 95% it is the width divided by 3.92.",
            column=differences[0],
        )
    said = columns.headed("prediction")
    if gold is None and said and free == said and not systems:
        return DataError([no_gold_problem(said)])
    counting = [c for c in raw.header if c not in (*taken, *systems) and may_count(raw, c, taken)]
    has_examples = example is not None or dataset is None or has_repeats(raw, dataset)
    if len(systems) == 1 and (counting or has_examples):
        # trec_eval's "run" is a system.
        texts = [c for c in raw.header if is_textual(raw, c) and not is_named(c, "unit", "counter")]
        others = [c for c in texts if c not in held(dataset, example, gold)]
        names = [c for c in others if has_repeats(raw, c)]
        names = [c for c in names[:MOST_OFFERED] if len(raw.coded(c).array) > 1]
        count = "counts" if len(counting) == 1 else "count"
        beside = f", as {listed(counting)} {count} the rows" if counting else ""
        scores_too = (SYSTEMS, (*systems, *counting), f"Read {listed(counting)} as scores too")
        return DataError.of(
            what=f"Only {quoted(systems[0])} holds scores{beside}; a comparison needs two systems.",
            remedy=NEEDS_TWO_SYSTEMS,
            choices=(
                *(answers("", scores_too) if counting else ()),
                *((which_of("system", "Which column names the systems?", names),) if names else ()),
            ),
        )
    return DataError.of(
        what=f"No layout fits the columns {listed(raw.header)}.",
        remedy="A published table has a row for each dataset with a column 'p_value'; per-example "
        "scores have a row for each example with 'dataset' and a column of numbers for each of two "
        "or more systems, or a row for each score with 'dataset', 'example', 'system' and 'score'; "
        "predictions have 'gold' and labels in place of numbers. Where a column has another name, "
        "choose it.",
    )
