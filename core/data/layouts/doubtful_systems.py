"""Columns that hold no system's scores, or may hold none: questions and remarks."""

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ...errors import DataError, answers, first_of, listed, quoted
from ..overlap.known_by import input_columns
from ..roles import (
    DIVIDED,
    ONE_SCALE,
    SCORES,
    SYSTEMS,
    UNUSED,
    Roles,
    column_of,
    columns_in_use,
    several_of,
    systems_of,
)
from ..tables.directions import (
    are_metrics,
    lower_is_better,
    lower_metric,
    metric_grid,
    names_metric,
    runs_or_splits,
    two_parts,
)
from ..tables.headings import heading, is_named, name_comparisons, roles_named, spread_columns
from ..tables.number_column import differing_columns, is_numeric, is_textual
from ..tables.raw_table import RawTable
from .cells import AVERAGES
from .per_example import ExampleFindings, label_columns
from .row_units import has_repeats, may_count, metric_column
from .score_cells import SCALE_CHOICE, WHOLE, scores_of

# With these a heading says how sure a system was, or what it cost, not how right it was.
_SURENESS = (
    *("confidence", "conf", "prob", "probs", "probability", "logit", "logits", "logprob"),
    *("log prob", "certainty", "uncertainty"),
)
_COSTS = ("cost", "costs", "price", "params", "parameters", "latency", "runtime", "flops")
_WHOLE = frozenset({"all", "overall", "total", "totals", "all datasets", "gesamt"})
# 'all' and 'total' may be systems that were trained on everything.
_OF_THE_OTHERS = (AVERAGES - _WHOLE) | {"best"}


def no_score_columns(columns: Sequence[str], *, least: int = 2) -> dict[str, str]:
    """Columns that hold no system's scores by their headings, and what each holds instead."""
    found = {}
    for column in columns:
        if heading(column) in _OF_THE_OTHERS:
            found[column] = "the average or best of the systems"
        elif heading(column) in _COSTS or beside_system(column, columns, _COSTS) is not None:
            found[column] = "what systems cost"
        elif beside_system(column, columns, _SURENESS) is not None:
            found[column] = "how sure systems were"
    return found if len(columns) - len(found) >= least else {}


def remark_on_columns(
    found: ExampleFindings,
    systems: Sequence[str] = (),
    *,
    read: Collection[str] = (),
    of_examples: bool = False,
    grouped: bool = True,
) -> None:
    """Remarks on columns without a role that are not `read` either, and on many systems."""
    raw, used = found.raw, columns_in_use(found.roles).union(read)
    texts = input_columns(raw, used) if of_examples else ()
    if texts:
        found.remarks.append(f"Read only to find examples that datasets share: {listed(texts)}.")
    labels = tuple(label_columns(found, used)) if grouped else ()
    if labels:
        found.remarks.append(f"Kept for grouping the datasets: {listed(labels)}.")
    # Of which metric rows of scores are is read, too.
    metric = None if found.column("gold") else metric_column(raw, found.roles)
    passed = {*used, *texts, *labels, metric}
    unread = [c for c in raw.header if c not in passed]
    reasons = {
        c: f"the spread, bound or rank of {quoted(of)}"
        for c, of in spread_columns(raw.header).items()
    }
    scores = systems_of(found.roles) or several_of(found.roles, SCORES) or systems
    numbers = [column for column in unread if is_numeric(raw, column)]
    reasons |= no_score_columns((*scores, *numbers), least=1)
    for column in unread:
        if both := differing_columns(raw, column):
            reasons[column] = f"the difference of {listed(both)}"
    reasons |= {c: "a count of the rows" for c in unread if may_count(raw, c, used)}
    reasons |= {c: "empty" for c in unread if raw.is_blank(c)}
    unread.sort(key=lambda column: column not in reasons)
    if unread:
        why = (f"{quoted(c)} ({reasons[c]})" if c in reasons else quoted(c) for c in unread)
        found.remarks.append(f"Not read: {first_of(list(why))}.")
    complements = [c for c in unread if is_named(c, "complement")]
    if complements and not any("p_value" in roles_named(c) for c in raw.header):
        found.remarks.append(
            f"By the heading {listed(complements)} may hold p in another form, such as 1 − p or "
            "log p: it is not counted. To count it, give p itself in a column 'p_value'."
        )
    if of_examples and len(systems) > 2:
        found.remarks.append(
            f"{len(systems)} systems are read: {listed(systems)}. Choose others if one of these is "
            "no system; a column that describes the examples can be chosen as a covariate."
        )


# Under these stand the right answers of a set of training data.
_CLASSES = ("class", "species", "target class", "klasse", "classe", "clase")
# With these it may be the system's score, how sure it was, or a system: 'Memory Transformer'.
_PERHAPS_SCORES = (
    *("score", "scores", "output", "value", "rank", "length", "len", "time", "memory", "margin"),
)

# Numbers on a scale of 0 to 1 come this far at most, by rounding or by some metric's habit.
_BEYOND_ONE = 1.5
# A few numbers beyond 1 may be mistakes, or errors that are counted.
_SHARE = 0.25
_TIMES = 10.0
_FEW_SYSTEMS = 8
# Of fewer scores all may happen to lie between 0 and 1.
_FEWEST = 5


def ask_about_systems(
    raw: RawTable, columns: Sequence[str], given: Roles, roles: Mapping[str, object]
) -> None:
    """Ask, by a `DataError`, about columns that nobody chose and that may be no systems."""
    if metric_grid(columns) is not None:
        return

    def question(what: str, remedy: str, *options: tuple[str, object, str]) -> DataError:
        every = (SYSTEMS, tuple(columns), f"Yes: all {len(columns):,} are systems")
        asked = f"Are {listed(columns)} systems?"
        return DataError.of(what, remedy, choices=answers(asked, *options, every), roles=roles)

    def without(some: Sequence[str]) -> list[tuple[str, object, str]]:
        """The answers that leave some columns aside, or those beside them."""
        others = [column for column in columns if column not in some]
        return [
            (UNUSED, tuple(aside), f"No: leave {listed(aside)} aside")
            for aside, kept in ((some, others), (others, some))
            if len(kept) > 1
        ]

    _ask_about_two_parts(columns, given, roles)
    choose = (
        "Choose the columns of the systems, and as covariates those that describe the examples."
    )
    for column in raw.header:
        free = column not in columns_in_use(roles) and is_named(column, "system")
        texts = raw.coded(column).texts if free and is_textual(raw, column) else ()
        if len(texts) == 1 and texts[0]:
            raise question(
                f"{quoted(column)} names only {quoted(texts[0])}, of which {listed(columns)} may be "
                "metrics; a comparison needs two systems.",
                "Add the rows of another system, in this file or in one of its own.",
            )
    if are_metrics(columns):
        raise question(
            f"{listed(columns)} are metrics, not systems.",
            "Give each system a column, with its scores by one metric.",
        )
    # "gold1" and "gold2" are two people's.
    plain = {column: re.sub(" ?[0-9]+$", "", heading(column)) for column in columns}
    classes = [c for c in columns if plain[c] in _CLASSES or is_named(plain[c], "gold")]
    others = [column for column in columns if column not in classes]
    if classes and others:
        raise question(
            f"{listed(classes)} may hold the right classes or labels, and {listed(others)} what "
            "describes the examples: features are no systems.",
            "Give each system a column of its predictions beside one of the right labels, 'gold'.",
            (UNUSED, tuple(classes), f"All but {listed(classes)}"),
        )
    if name_comparisons(columns):
        raise question(
            f"{listed(columns)} are comparisons, not systems.",
            "Choose the p-values that are counted.",
            *(("p_value", column, f"p-values: count {quoted(column)}") for column in columns),
        )
    if lower_is_better(columns) is not None:
        return
    # "err_a" and "err_b", and columns whose headings name no errors.
    words_of = {column: lower_metric((column,)) for column in columns}
    errors = [column for column, word in words_of.items() if word is not None]
    if len(errors) < 2 or len({words_of[column] for column in errors}) > 1:
        errors = []
    # A letter may as well name a system.
    named = errors or [c for c in columns if len(c) > 1 and are_metrics((c,), fewest=1)]
    others = [column for column in columns if column not in named]
    if named and others:
        raise question(
            f"The headings of {listed(named)} name a metric, those of {listed(others)} none: they "
            "may not all be systems.",
            choose,
            *without(named),
        )
    owners = {c: beside_system(c, columns, _PERHAPS_SCORES) for c in columns}
    beside = [column for column, owner in owners.items() if owner is not None]
    if beside:
        whose = tuple(dict.fromkeys(str(owners[column]) for column in beside))
        raise question(
            f"{listed(beside)} may belong to the same {'system' if len(whose) == 1 else 'systems'} "
            f"as {listed(whose)}.",
            choose,
            *without(beside),
        )
    if given.get("scales") != ONE_SCALE:
        _ask_about_scale(raw, columns, roles)


def _ask_about_two_parts(columns: Sequence[str], given: Roles, roles: Mapping[str, object]) -> None:
    """Ask which headings are compared that all name a system and something else."""
    runs = runs_or_splits(columns)
    grid = runs or (None if "name_order" in given else two_parts(columns))
    # Many systems may well be named by what they differ in.
    if grid is None or (runs is None and len(columns) > _FEW_SYSTEMS):
        return
    remedy = "Compare one of them."
    if runs is not None:
        remedy += " To compare means over runs, give each system one column."
    # Nothing else says which of the parts names the systems.
    parts = grid.seconds if runs is not None else (*grid.seconds, *grid.firsts)
    aside = {part: tuple(c for key, c in grid.columns.items() if part not in key) for part in parts}
    raise DataError.of(
        f"The headings name {listed(grid.seconds)} of each of {listed(grid.firsts)}: as they "
        f"stand, these are {len(columns):,} systems.",
        remedy,
        choices=answers(
            f"Which columns are compared: {listed(parts)}?",
            *((UNUSED, others, f"{part} alone") for part, others in aside.items()),
            (SYSTEMS, tuple(columns), f"All, as {len(columns):,} systems"),
        ),
        roles=roles,
    )


def beside_system(column: str, columns: Sequence[str], words: Sequence[str]) -> str | None:
    """The other column that a heading names together with one of these words."""
    named = heading(column)
    rests = {named.removesuffix(f" {word}") for word in words}
    rests |= {named.removeprefix(f"{word} ") for word in words}
    rests -= {named, ""}
    if not rests:
        # So it is of nearly all of what may be hundreds of columns.
        return None
    return next((c for c in columns if c != column and heading(c) in rests), None)


def _ask_about_scale(raw: RawTable, columns: Sequence[str], roles: Roles) -> None:
    """Ask about columns whose numbers lie on another scale than those of the others.

    In a table with a row for each dataset the only one from 0 to 1 may hold p-values.
    """
    if len(columns) < 2:
        return
    ranges = np.array([_range(raw, column) for column in columns])
    if np.isnan(ranges).any():
        return
    lowest, highest, typical, beyond, signed = ranges.T
    small = (lowest >= 0.0) & (highest <= 1.0) & (signed == 0.0)
    dataset, only = column_of(roles, "dataset"), columns[int(small.argmax())]
    perhaps_p_values = (
        dataset is not None
        and not has_repeats(raw, dataset)
        and small.sum() == 1
        and (lowest[~small] >= _BEYOND_ONE).all()
        # "eval/accuracy" beside a time.
        and not names_metric(only)
    )
    if raw.n_rows < _FEWEST and not perhaps_p_values:
        return
    large, most = (highest > _BEYOND_ONE) & (beyond > _SHARE), 1.0
    if not (small.any() and large.any() and (small | large).all()):
        top = int(highest.argmax())
        others = np.arange(len(columns)) != top
        most = np.maximum(np.abs(lowest), np.abs(highest))[others].max()
        is_beyond = highest[top] > _TIMES * most > 0.0 and beyond[top] > _SHARE
        # Of two systems one may be far better, but no share goes beyond the whole.
        is_beyond &= len(columns) > 2 or highest[top] > WHOLE
        if not (is_beyond and typical[top] > _TIMES * typical[others].max()):
            return
        large = ~others
    far = [column for column, own in zip(columns, large, strict=True) if own]
    high = highest[large].max()
    column = far[0] if len(far) == 1 else None
    options: list[tuple[str, object, str]] = []
    remedy = "Choose the columns of the systems, and as covariates those that describe the examples"
    if perhaps_p_values:
        column = only
        remedy = f"If {quoted(only)} holds p-values, name it 'p_value' or choose it"
        options.append(("p_value", only, f"No, {quoted(only)} holds p-values"))
    elif column is not None and (lowest[large] >= 0.0).all() and _TIMES < high <= _TIMES**2:
        options.append((DIVIDED, (column,), f"No, divide {quoted(column)} by 100"))
    if column is not None and (len(columns) > 2 or perhaps_p_values):
        options.append((UNUSED, (column,), f"No, leave {quoted(column)} aside"))
    raise DataError.of(
        f"Numbers go up to {high:,.10g} in {listed(far)}, only to {most:,.10g} in the others: are "
        "all columns systems?",
        f"{remedy}; if all are systems, bring their scores to one scale.",
        column=column,
        mended_by=("scales", "p_value", DIVIDED, UNUSED),
        choices=(SCALE_CHOICE, *answers(SCALE_CHOICE.question, *options)),
        roles=roles,
    )


def _range(raw: RawTable, column: str) -> Sequence[float]:
    """A column's least and largest score, the mean of their sizes, and how many lie beyond 1.

    And whether any has a sign of percent; nan where there is no score.
    """
    numbers = scores_of(raw, column)
    # By the different texts, as the numbers of all rows would take far more room.
    finite = np.isfinite(numbers.text_values)
    held = numbers.text_values[finite]
    if not held.size:
        return [np.nan] * 5
    times = None if numbers.coded.one_each else numbers.coded.counts[finite]
    typical = np.average(np.abs(held), weights=times)
    beyond = np.average(held > 1.0, weights=times)
    return [held.min(), held.max(), typical, beyond, float(numbers.is_percent.any())]
