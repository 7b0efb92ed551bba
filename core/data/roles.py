"""Roles: what each column is for, what the file itself does not say, and what it was taken for.

Vocabulary
----------
column role
    Its value is a column's name, or None where the file has no such column.
"systems", "scores", "covariates"
    Their value is a sequence of columns' names: one for each system, for each
    metric of scores in rows, and for each thing that describes the examples.
declaration
    Its value is a fact that the file's owner states. A layout takes those that
    it knows and leaves the others aside.
"layout"
    Its value is a layout's name, or None to recognise it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeGuard

from ..errors import LEFT_OUT, Choice, Problem, lines_in_words, lines_of_words, listed, quoted
from ..types import ALTERNATIVES, Rebuilt, grouped

Roles = Mapping[str, object]

COLUMN_ROLES = (
    "dataset",
    "system_a",
    "system_b",
    "p_value",
    "n_examples",
    "example",
    "gold",
    "system",
    "metric_names",
    "run",
    "cluster",
    "effect",
    "standard_error",
    "margin",
)
SYSTEMS = "systems"
# Of scores in rows: one column for each metric.
SCORES = "scores"
# What describes the examples, such as their length or genre.
COVARIATES = "covariates"
# Columns that are left aside, and columns whose numbers are divided by 100.
UNUSED, DIVIDED = "unused", "divided"
# Roles that several columns have.
SEVERAL = (SYSTEMS, SCORES, COVARIATES, UNUSED, DIVIDED)
LAYOUT = "layout"
LEAVE_OUT, COUNT_WRONG, COUNT_AS_ONE = "leave-out", "wrong", "as-one"
MARGIN_UNITS = (IN_POINTS, IN_SHARES) = "points", "shares"
INCOMPLETE = ("refuse", LEAVE_OUT, COUNT_WRONG, COUNT_AS_ONE)
FIRST_COPY = "first"
AVERAGES = ("apart", "datasets")
# What is done to a table before its columns are recognised, or to what was read of it.
NEW_NAMES = ("dataset_names", "system_names")
MENDING = (UNUSED, DIVIDED, LEFT_OUT, "copies", "turned", *NEW_NAMES)
ONE_SCALE = "one"
NAME_ORDERS = ("dataset, system", "system, dataset", "dataset", "system")
DATASET_FIRST, SYSTEM_FIRST, _, ONE_DATASET = NAME_ORDERS
AVERAGE_RUNS = "average"
ONLY_RUN = "only:"


def with_answer(roles: Roles, role: str, value: object) -> dict[str, object]:
    """Roles with one more: rows and columns that are left out or divided join those of before."""
    before = roles.get(role)
    if role == LEFT_OUT and isinstance(before, str) and isinstance(value, str):
        lines = lines_of_words(before)
        for file, stretches in lines_of_words(value).items():
            lines.setdefault(file, []).extend(stretches)
        value = lines_in_words(lines)
    if role in (UNUSED, DIVIDED) and isinstance(value, tuple):
        value = tuple(dict.fromkeys((*(several_of(roles, role) or ()), *value)))
    if role == UNUSED and isinstance(value, tuple):
        roles = {
            other: tuple(name for name in held if name not in value)
            if isinstance(held, tuple | list)
            else held
            for other, held in roles.items()
            if not (other in COLUMN_ROLES and held in value)
        }
    return {**roles, role: value}


def role_problems(
    roles: Roles, *, columns: Sequence[str] | None, layouts: Sequence[str]
) -> list[Problem]:
    """Everything wrong with roles that a caller gave, values of any kind.

    The file's `columns` are None as long as they are not known; `layouts` are the names of all.
    """
    found = (_role_problem(role, value, columns, layouts) for role, value in roles.items())
    return [problem for problem in found if problem is not None]


def _role_problem(
    role: str, value: object, columns: Sequence[str] | None, layouts: Sequence[str]
) -> Problem | None:
    if role in DECLARATIONS:
        _, fits, wanted = _DECLARED[role]
        if fits(value):
            return None
        return Problem(f"`{role}` must be {wanted}; got {value!r}.", "Correct this declaration.")
    if role not in (*COLUMN_ROLES, *SEVERAL, LAYOUT):
        known = ", ".join(map(quoted, (*COLUMN_ROLES, *SEVERAL, LAYOUT, *DECLARATIONS)))
        return Problem(f"There is no role {role!r}.", f"The roles are {known}.")
    if value is None:
        return None
    if role == LAYOUT:
        if isinstance(value, str) and value in layouts:
            return None
        return Problem(f"There is no layout {value!r}.", f"The layouts are {listed(layouts)}.")
    names = [value] if role in COLUMN_ROLES else several_of({role: value}, role)
    if names is None or (columns is None and not all(isinstance(name, str) for name in names)):
        return Problem(
            f"The role '{role}' must be {'a column' if role in COLUMN_ROLES else 'a list of columns'}; "
            f"got {value!r}.",
            "Name one column for each of them.",
        )
    unknown = [
        name
        for name in names
        if columns is not None and not (isinstance(name, str) and name in columns)
    ]
    if not unknown:
        return None
    return Problem(
        f"The role '{role}' names the column {unknown[0]!r}, which the file does not have.",
        f"The file has the columns {listed(columns or ())}.",
    )


def foreign_role_problems(roles: Roles, *, layout: str, known: Sequence[str]) -> list[Problem]:
    """One problem for each column role that was given and that the layout does not have."""
    return [
        Problem(
            f"The role '{role}' is given, but {quoted(layout)} has no such column.",
            f"Leave it out, or choose another layout: this one has {listed(known)}.",
        )
        for role in (*COLUMN_ROLES, *SEVERAL)
        if role not in known
        and role not in MENDING
        and roles.get(role) is not None
        # That nothing describes the examples is true of every layout.
        and (role != COVARIATES or several_of(roles, role))
    ]


def column_of(roles: Roles, role: str) -> str | None:
    """The column with this role, None where there is none."""
    value = roles.get(role)
    return value if isinstance(value, str) else None


def systems_of(roles: Roles) -> tuple[str, ...] | None:
    """The columns of the systems, None where they are not given."""
    return several_of(roles, SYSTEMS)


def several_of(roles: Roles, role: str) -> tuple[str, ...] | None:
    """The columns with this role, None where they are not given."""
    value = roles.get(role)
    if isinstance(value, str) or not isinstance(value, Sequence):
        return None
    return tuple(value)


def declared_direction(roles: Roles, metric: str | None) -> bool | None:
    """Whether higher is declared to be better in a metric, None where nothing is declared."""
    declared = roles.get("higher_is_better")
    if isinstance(declared, Mapping):
        declared = declared.get(metric)
    return declared if isinstance(declared, bool) else None


def lower_is_better_problems(roles: Roles, *, of: str) -> list[Problem]:
    """One problem where lower is declared to be better, of scores of which higher always is."""
    if declared_direction(roles, str(roles["metric"])) is not False:
        return []
    return [
        Problem(
            f"{of} is better where it is higher.", "Leave the declaration `higher_is_better` out."
        )
    ]


def _roles_of_columns(roles: Roles) -> Iterator[tuple[str, str]]:
    """Every column that has a role, with the role."""
    for role in (role for role in (*COLUMN_ROLES, *SEVERAL) if role not in MENDING):
        column = column_of(roles, role) if role in COLUMN_ROLES else None
        for name in (several_of(roles, role) or ()) if column is None else (column,):
            yield name, role


def columns_in_use(roles: Roles) -> set[str]:
    """Every column that has a role."""
    return {column for column, _ in _roles_of_columns(roles)}


def shared_column_problems(roles: Roles) -> list[Problem]:
    """One problem for each column that has two roles."""
    return [
        Problem(
            f"The column has several roles: {', '.join(held)}.",
            "Choose another column for all but one of them.",
            column=column,
        )
        for column, held in grouped(_roles_of_columns(roles)).items()
        if len(held) > 1
    ]


def _is_direction_of_each(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        _is_name(metric) and isinstance(higher, bool) for metric, higher in value.items()
    )


def _are_lines(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(lines_of_words(value))
    except ValueError:
        return False


def _are_names(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        _is_name(name) and bool(name.strip()) for pair in value.items() for name in pair
    )


def _is_name(value: object) -> TypeGuard[str]:
    """Whether a value is text that can be written to a file: no half of a letter is in it."""
    if not isinstance(value, str):
        return False
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _is_probability(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= 1


# Whether a value may be declared, and in words what may.
_Declared = tuple[Callable[[object], bool], str]


def _or_none(fits: Callable[[object], bool], wanted: str) -> _Declared:
    return lambda value: value is None or fits(value), f"None or {wanted}"


def _one_of(values: Sequence[str]) -> _Declared:
    return lambda value: isinstance(value, str) and value in values, f"one of {listed(values)}"


def _are_runs(value: object) -> bool:
    return _is_name(value) and (value == AVERAGE_RUNS or value.startswith(ONLY_RUN))


_A_NAME = _or_none(_is_name, "a name")
_A_NAME_FOR_EACH = _or_none(_are_names, "a mapping of names to other names")
# What each declaration is where nobody makes it, and what it may be.
_DECLARED: Mapping[str, tuple[object, Callable[[object], bool], str]] = {
    "alternative": ("not-stated", *_one_of(ALTERNATIVES)),
    "higher_is_better": (
        True,
        lambda value: isinstance(value, bool) or _is_direction_of_each(value),
        "True or False, or a mapping of metrics to True or False",
    ),
    "zero_reads_below": (None, *_or_none(_is_probability, "from 0 to 1")),
    # Where there are several metrics, the one that comes first.
    "metric": (None, *_A_NAME),
    # What to do with examples that lack a score of some system, and datasets without a p-value.
    "incomplete": ("refuse", *_one_of(INCOMPLETE)),
    # "one" where scores that seem to be percent beside fractions are on one scale; None asks.
    "scales": (None, *_or_none(lambda value: value == ONE_SCALE, quoted(ONE_SCALE))),
    # Of several runs of each example: "average", or "only:" and a run's name; None asks.
    "runs": (
        None,
        _or_none(_are_runs, "")[0],
        f"None, '{AVERAGE_RUNS}', or '{ONLY_RUN}' and the name of a run",
    ),
    # Which part of a file's name, of nested names or of headings, is the dataset.
    "name_order": (None, *_or_none(*_one_of(NAME_ORDERS))),
    # Which sheet of a workbook is read; None for all.
    "sheet": (None, *_A_NAME),
    # Of files of evaluation tools: by which of several filters answers are judged,
    "filter": (None, *_A_NAME),
    # and by which metric, "each-own" or "only:" and its name, where datasets differ in theirs.
    "measure": (None, *_A_NAME),
    # Of bare numbers in a column of margins, where scores are shares or percentages.
    "margin_unit": (None, *_or_none(*_one_of(MARGIN_UNITS))),
    # What stars and daggers beside scores state.
    "marks": (None, _A_NAME[0], "None, 'none' or a legend such as '* p < .05'"),
    # Rows that are left out, by their lines; of several files "a.csv: 3; b.csv: 7-9".
    LEFT_OUT: (None, *_or_none(_are_lines, "lines such as '3, 7-9'")),
    # "first" keeps the first of rows that are the same in every column.
    "copies": (None, *_or_none(lambda value: value == FIRST_COPY, quoted(FIRST_COPY))),
    # True where rows are systems and columns are datasets; None turns what can be nothing else.
    "turned": (None, lambda value: value is None or isinstance(value, bool), "None, True or False"),
    # "datasets" where what is named as an average of the datasets is one itself.
    "averages": (None, *_or_none(*_one_of(AVERAGES))),
    # What datasets and systems are called: a mapping of the file's names to others.
    "dataset_names": (None, *_A_NAME_FOR_EACH),
    "system_names": (None, *_A_NAME_FOR_EACH),
}
DECLARATIONS: Roles = {role: default for role, (default, *_) in _DECLARED.items()}


# What results are called whose file has no name.
NO_NAME = "results"
# Of the ids that some system lacks.
_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUse:
    """What was made of one of several files."""

    # Its name, with folders.
    path: str
    # What kind of file it is, such as "lm-evaluation-harness"; '' where it is of none that is
    # known.
    kind: str
    # What it holds, in a few words: "1,000 examples of arc_easy, system pythia".
    content: str = ""
    # Whether results were taken from it.
    used: bool = True
    # Why it was left aside, as one sentence; '' where it was used.
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """How one system's examples of one dataset were matched with those of the others."""

    dataset: str
    system: str
    # How many examples the system has.
    n_examples: int
    # How many of them every system has.
    n_matched: int
    # Ids, the first few, of those that some other system lacks.
    left_over: tuple[str, ...] = ()


def matched_of(dataset: str, ids: Mapping[str, Mapping[Any, str]]) -> list[Matched]:
    """How each system's examples of one dataset are matched, of their ids by what tells them apart."""
    common = set.intersection(*map(set, ids.values())) if ids else set()
    return [
        Matched(
            dataset=dataset,
            system=system,
            n_examples=len(own),
            n_matched=len(common),
            left_over=tuple(islice((own[key] for key in own if key not in common), _MOST_SHOWN)),
        )
        for system, own in ids.items()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Rebuilt):
    """What a file was taken for, so that it can be shown and corrected.

    Attributes
    ----------
    source_name : str
        Name of the file.
    layout : str
        Name of the layout, as in `data.LAYOUTS`.
    roles : mapping of str to object
        Every role resolved: a column's name or None for columns, the value for
        declarations. Read-only; given back to `read_results` it gives the same
        table.
    columns : tuple of str
        Every column of the file.
    remarks : tuple of str
        What its owner should know, one sentence or two each.
    separator, encoding : str
        As found.
    choices : tuple of Choice
        Questions that the file leaves open and that `roles` answer.
    dataset_labels : mapping of str to mapping of str to str
        For each column that says something about datasets as a whole, each
        dataset's label, '' where it has none.
    other_columns : mapping of str to str
        What columns without a role were read for, in a few words.
    evidence : mapping of str to str
        For each column with a role why it has that one: "given", "heading", or what it
        holds, in a few words. Two readings that differ in it alone are equal.
    files : tuple of FileUse
        What was made of each file, where they are those of evaluation tools.
    matched : tuple of Matched
        How their examples were matched, by dataset and system.
    """

    source_name: str
    layout: str
    roles: Mapping[str, object]
    columns: tuple[str, ...]
    remarks: tuple[str, ...]
    separator: str
    encoding: str
    choices: tuple[Choice, ...] = ()
    dataset_labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    other_columns: Mapping[str, str] = field(default_factory=dict)
    evidence: Mapping[str, str] = field(default_factory=dict, compare=False)
    files: tuple[FileUse, ...] = ()
    matched: tuple[Matched, ...] = ()

    def __post_init__(self) -> None:
        for part in ("roles", "other_columns", "evidence"):
            object.__setattr__(self, part, MappingProxyType(dict(getattr(self, part))))
        labels = {
            column: MappingProxyType(dict(own)) for column, own in self.dataset_labels.items()
        }
        object.__setattr__(self, "dataset_labels", MappingProxyType(labels))
