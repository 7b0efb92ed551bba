"""Read files of results: open, cut into cells, put together, recognise the layout, read by roles."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import DataError, Problem, answers, first_of, listed, quoted, stop_at
from ..types import FloatArray
from .layouts.cells import read_as
from .layouts.columns import Results
from .layouts.mending import mend, of_turned, settle_headings
from .layouts.registry import LAYOUTS, OF_GOLD, recognise_layout
from .p_value_table import PValueTable
from .result_set import ResultSet
from .roles import (
    COLUMN_ROLES,
    LAYOUT,
    MENDING,
    NEW_NAMES,
    Reading,
    Roles,
    declared_direction,
    role_problems,
)
from .score_table import EffectTable, ScoreTable
from .sources.beside_gold import predictions_in_rows
from .sources.files import Source, SourceFiles, kind_of_text, source_files
from .sources.name_grid import stem_of, without_ending
from .sources.opening import cut_files, only_one_problem, unpack_files, uses_of
from .sources.several_files import put_together, whole_name
from .tables.cutting import LARGE_POOL
from .tables.directions import says_direction, usually_of_errors
from .tables.limits import (
    OPENING,
    READING,
    RECOGNISING,
    Allowance,
    OnProgress,
    ReadingStopped,
    Stages,
)
from .tables.marks import p_values_of_marks
from .tables.raw_table import PutTogether
from .tables.splitting import UnevenRows
from .tools.texts import choices_on_labels
from .tools.together import (
    Claimed,
    cannot_compare,
    claim,
    table_of_tools,
    with_others_named,
    without_tools,
)

__all__ = ["OnProgress", "Reading", "ReadingStopped", "Results", "Source", "read_results"]

_DECLARED_BEFORE = ("name_order", "sheet", "filter", "measure", "marks")
# The layouts leave out the endings of plain text files themselves.
_NOT_PLAIN = (".gz", ".zip", ".xlsx", ".xlsm", ".json", ".jsonl", ".ndjson")


def read_results(
    source: Source | Sequence[Source],
    *,
    name: str | None = None,
    roles: Roles | None = None,
    on_progress: OnProgress | None = None,
) -> Results:
    r"""Read results from one file or from several that belong together.

    Parameters
    ----------
    source : bytes, path, binary file, or a sequence of them
        Text files, Excel workbooks, JSON, and zip archives or gzip of these.
        Several files are put together by their columns and their names.
    name : str, optional
        What to call it; by default the file's own name.
    roles : mapping, optional
        Roles that are known, by name. What is not given is recognised.
        "layout" is a name of `data.LAYOUTS`. A column or None for "not
        there" are the names in `data.roles.COLUMN_ROLES`, such as
        "dataset" and "p_value"; a sequence of columns is "systems",
        "scores" or "covariates". Declarations are those of `data.roles.DECLARATIONS`,
        such as "metric" and "higher_is_better"; "sheet" chooses one sheet of
        a workbook, "name_order" says what files' names or nested names
        are made of, and "marks" what stars beside scores state.
    on_progress : callable (stage, share) -> bool, optional
        Called with "opening", "cutting", "recognising" or "reading" and the
        share of the whole that is done, roughly; returning False stops.

    Returns
    -------
    ResultSet, PValueTable, ScoreTable or EffectTable
        Per-example results, a published table, datasets × systems with one
        score each, or effects with their standard errors; with how it was read
        in `reading`.

    Raises
    ------
    DataError
        If the content cannot be read; with every problem, with the columns
        where the files have any, so that roles can be given, and with the
        questions whose answers would mend it.
    OSError
        If a path cannot be opened.
    ReadingStopped
        If `on_progress` returned False.
    TypeError
        If a source is of another kind.

    Examples
    --------
    >>> from replicability import read_results
    >>> table = read_results(b"dataset,A,B,p_value\nnews,.91,.89,.003\nmail,.85,.86,.7\n")
    >>> table.datasets, table.p_values.tolist()
    (('news', 'mail'), [0.003, 0.7])
    """
    not_compared: list[DataError] = []
    try:
        return _read(
            source, name, {} if roles is None else roles, Stages(on_progress), not_compared
        )
    except UnevenRows as error:
        others = _problems_with_cells(error.rest, {} if roles is None else roles)
        raise DataError([*error.problems, *others]) from None
    except DataError:
        if not_compared:
            # Nor can the others be read: what is wrong with the tools' files counts more.
            raise not_compared[0] from None
        raise


def _problems_with_cells(content: bytes, roles: Roles) -> list[Problem]:
    """What is wrong with the cells of a text, whatever it lacks."""
    try:
        _read(content, None, roles, Stages(None), [])
    except DataError as error:
        return [problem for problem in error.problems if problem.line and problem.column]
    return []


def _read(
    source: Source | Sequence[Source],
    name: str | None,
    given: Roles,
    stages: Stages,
    not_compared: list[DataError],
) -> Results:
    """Read as `read_results` says; what keeps tools' files from being read goes to `not_compared`."""
    stages.reached(OPENING)
    layouts = tuple(layout.name for layout in LAYOUTS)
    # Some are needed before it is known whether all of them fit.
    fitting = {
        role: value
        for role, value in given.items()
        if not role_problems({role: value}, columns=None, layouts=layouts)
    }
    mending = {role: value for role, value in given.items() if role in MENDING}
    stop_at(role_problems(mending, columns=None, layouts=layouts))
    sources = source_files(source)
    called, dataset, found = _opened(sources, name, fitting, stages, not_compared)
    # What they held is cut into cells now.
    del sources
    LARGE_POOL.release_unused()
    if given.get(LAYOUT) in (None, found.declared.get(LAYOUT)):
        given = {**found.declared, **given}
    mended = mend(found.raw, fitting)
    found = found.then(mended)
    if given.get("name_order") and "name_order" not in found.roles:
        found = found.then(settle_headings(found.raw, given, OF_GOLD))
    in_rows = predictions_in_rows(found.raw, given, whole=without_ending(dataset))
    if in_rows is not None:
        found = found.then(in_rows)
        kept = {r: v for r, v in given.items() if r not in COLUMN_ROLES or v in found.raw.header}
        given = {**in_rows.declared, **kept}
    marked = p_values_of_marks(found.raw, given)
    found = found.then(marked)
    raw, choices = found.raw, found.choices
    # Of more than two systems the pair that the marks are read of.
    given = {**{role: c for role, c in marked.roles.items() if role in COLUMN_ROLES}, **given}
    # What was left aside or divided is checked where that is done.
    of_table = {role: value for role, value in given.items() if role not in MENDING}
    problems = role_problems(of_table, columns=raw.header, layouts=layouts)
    stop_at(problems, columns=raw.header, choices=choices)
    recognised: Roles = {}
    try:
        stages.reached(RECOGNISING)
        layout, recognised = recognise_layout(raw, given)
        # Ids and names are no numbers any more, whatever they look like.
        raw.forget_numbers(
            {str(recognised.get(role)) for role in ("dataset", "example", "cluster")}
        )
        stages.reached(READING)
        results = read_as(layout, raw, recognised, dataset)
        _ask_about_direction(results, given)
    except DataError as error:
        problems = found.in_the_file(error.problems)
        asked = of_turned(problems, error.choices) if mended.roles else error.choices
        raise DataError(
            problems,
            columns=error.columns or raw.header,
            choices=(*asked, *(c for c in choices if c not in asked)),
            roles=recognised or error.roles,
        ) from None
    stages.reached(READING, 1.0)
    for role in (*_DECLARED_BEFORE, *MENDING):
        if given.get(role) is not None:
            found.roles.setdefault(role, given[role])
    results = _with_reading(results, called, found)
    return _renamed(results, given) if any(given.get(role) for role in NEW_NAMES) else results


def _ask_about_direction(results: Results, given: Roles) -> None:
    """Ask which score is better where the numbers themselves speak against what was read.

    No error, distance or time lies below 0: scikit-learn's 'neg_mean_squared_error' may stand under
    'MSE'. Of the ranks 1, 2, … of the systems the lower one is better, whatever their heading, and
    of perplexities and word error rates, whose datasets may be all that a table names.
    Raises `DataError` unless it is declared.
    """
    if isinstance(results, EffectTable):
        return
    scores: Mapping[str, Sequence[FloatArray | None]]
    if isinstance(results, ResultSet):
        scores, higher = results.values, results.higher_is_better
    else:
        scores = {
            results.metric or "score": (results.values,)
            if isinstance(results, ScoreTable)
            else (results.scores_a, results.scores_b)
        }
        higher = dict.fromkeys(scores, results.higher_is_better)
    arrays = {
        metric: [array for array in own if array is not None]
        for metric, own in scores.items()
        if declared_direction(given, metric) is None
    }
    turned = [
        metric
        for metric, own in arrays.items()
        if own
        and not higher[metric]
        and max(map(np.nanmax, own)) <= 0.0
        and min(map(np.nanmin, own)) < 0.0
    ]
    ranks = [m for m, own in arrays.items() if own and higher[m] and _are_ranks(own)]
    unnamed = [m for m, own in arrays.items() if own and higher[m] and not says_direction(m)]
    errors = usually_of_errors(results.datasets) if unnamed and not turned and not ranks else []
    doubtful = turned or ranks or (unnamed if errors else [])
    if not doubtful:
        return
    raise DataError.of(
        f"Lower is better by the name of {listed(turned)}, but no score there lies above 0: the "
        "signs may have been turned, so that higher is better."
        if turned
        else f"Scores on {listed(errors)} are usually errors or perplexities, of which lower is "
        "better, and the file names no metric."
        if errors
        else f"The numbers in each row of {listed(ranks)} are ranks of the systems: 1 is usually the "
        "best of them.",
        "Say which score is better.",
        choices=answers(
            f"Which score is better in {listed(doubtful)}?",
            *(
                (
                    "higher_is_better",
                    higher_one if len(scores) == 1 else dict.fromkeys(doubtful, higher_one),
                    "The higher one" if higher_one else "The lower one",
                )
                # The likelier answer first.
                for higher_one in (bool(turned), not turned)
            ),
        ),
    )


# How far the sum of average ranks with two decimals may be from that of ranks.
_ROUNDED = 0.05


def _are_ranks(arrays: Sequence[FloatArray]) -> bool:
    """Whether each row ranks at least three systems, ties by their mean or least rank."""
    if any(array.ndim != 2 or array.shape[1] < 3 for array in arrays) or sum(map(len, arrays)) < 2:
        return False
    differ = False
    for array in arrays:
        n = array.shape[1]
        # Scores of millions of examples are not sorted to see that most are below 1.
        if not (array.min(initial=1.0) >= 1.0 and array.max(initial=1.0) <= n):
            return False
        rows = np.sort(array, axis=1)
        in_order = (rows[:, 1:] == np.arange(2, n + 1)) | (rows[:, 1:] == rows[:, :-1])
        of_ties = (rows[:, 0] == 1.0) & in_order.all(axis=1)
        if not (of_ties | (np.abs(rows.sum(axis=1) - n * (n + 1) / 2) <= _ROUNDED)).all():
            return False
        differ |= bool((rows[:, 0] < rows[:, -1]).any())
    return differ


def _opened(
    sources: SourceFiles,
    name: str | None,
    fitting: Roles,
    stages: Stages,
    not_compared: list[DataError],
) -> tuple[str, str, PutTogether]:
    """What the files are called, the dataset that only their name names, and the one table of all."""
    allowance = Allowance()
    unpacked = unpack_files(sources.files, allowance, stages)
    claimed = claim(unpacked.files, fitting)
    of_tools: PutTogether | None = None
    if claimed.by_tool:
        try:
            of_tools = table_of_tools(claimed, fitting, stages)
        except DataError as error:
            lacking = _nothing_to_compare(error, claimed, fitting, stages)
            not_compared.append(with_others_named(lacking or error, claimed))
            if lacking is None:
                raise
            unpacked = without_tools(unpacked, claimed, lacking)
    if of_tools is None:
        # A text that may be a table or a list of values stays.
        unpacked = unpacked.without([kind_of_text(file) for file in unpacked.files])
    called = name
    if called is None:
        files = sources.files if len(sources.files) == 1 else unpacked.files
        names = [file.name for file in files]
        called = names[0] if len(names) == 1 else whole_name(names, sources.folder)
    dataset = without_ending(called) if called.lower().endswith(_NOT_PLAIN) else called
    if of_tools is not None:
        remarks, found = unpacked.remarks, of_tools
    else:
        opened = cut_files(unpacked, fitting, allowance, stages)
        first, *others = opened.parts
        if others:
            found = put_together(opened.parts, fitting, name=called, folder=sources.folder)
        elif first.is_list:
            raise DataError([only_one_problem()])
        else:
            found = PutTogether(raw=first.content)
        if not others and [first.path] != [file.name for file in sources.files]:
            # Out of an archive, or beside files without results: it has a name of its own.
            dataset = stem_of(first.path)
        remarks = opened.remarks
        found = replace(
            found,
            roles={**opened.roles, **found.roles},
            choices=(*opened.choices, *choices_on_labels(fitting), *found.choices),
            files=found.files or (tuple(uses_of(opened.parts)) if unpacked.aside else ()),
        )
    raw = replace(found.raw, remarks=(*found.raw.remarks, *remarks))
    return called, dataset, replace(found, raw=raw, files=(*found.files, *unpacked.aside))


def _nothing_to_compare(
    error: DataError, claimed: Claimed, roles: Roles, stages: Stages
) -> DataError | None:
    """Why tools' files are too few, where others beside them may be read instead.

    A layout that tools' files do not have may be that of the table beside them.
    """
    if not claimed.rest or cannot_compare(error):
        return error if claimed.rest else None
    if roles.get(LAYOUT) is None:
        return None
    try:
        table_of_tools(claimed, {r: v for r, v in roles.items() if r != LAYOUT}, stages)
    except DataError as other:
        return other if cannot_compare(other) else None
    return None


def _with_reading(results: Results, name: str, found: PutTogether) -> Results:
    """The results with what was settled before their layout was recognised."""
    reading = results.reading
    # Made anew, everything in a set of results would be checked again.
    if reading is None or (
        reading.source_name == name
        and not (found.roles or found.choices or found.files or found.matched)
    ):
        return results
    labels = {
        label: {dataset: own.get(dataset, "") for dataset in results.datasets}
        for label, own in found.dataset_labels.items()
    }
    complete = replace(
        reading,
        source_name=name,
        roles={**reading.roles, **found.roles},
        choices=(*reading.choices, *found.choices),
        files=found.files,
        matched=found.matched,
        dataset_labels={**reading.dataset_labels, **labels},
    )
    return replace(results, reading=complete)


def _renamed(results: Results, roles: Roles) -> Results:
    """The results under the names that were chosen for datasets and systems, with a remark."""
    held = {"dataset": results.datasets, "system": systems_of_results(results)}
    new: dict[str, dict[str, str]] = {}
    problems: list[Problem] = []
    for (unit, names), role in zip(held.items(), NEW_NAMES, strict=True):
        given = roles.get(role)
        pairs = given.items() if isinstance(given, Mapping) else ()
        own = new[unit] = {str(old): str(name).strip() for old, name in pairs}
        problems += [
            Problem(
                f"A new name is given for the {unit} {quoted(old)}, which the file does not have.",
                f"Its {unit}s are {listed(names)}." if names else "Leave the name out.",
            )
            for old in own
            if old not in names
        ]
        counts = Counter(own.get(name, name) for name in names)
        if twice := [name for name, n in counts.items() if n > 1]:
            what = f"Several {unit}s would be called {listed(twice)}."
            problems.append(Problem(what, "Give each a name of its own."))
    stop_at(problems)
    datasets, systems = new.values()
    every, called = (
        tuple(own.get(name, name) for name in names)
        for own, names in zip(new.values(), held.values(), strict=True)
    )
    reading = results.reading
    if reading is not None:
        reading = _with_names(reading, datasets, systems)
    if isinstance(results, PValueTable):
        a, b = called
        return replace(results, datasets=every, system_a=a, system_b=b, reading=reading)
    if isinstance(results, EffectTable):
        return replace(results, datasets=every, reading=reading)
    return replace(results, datasets=every, systems=called, reading=reading)


def systems_of_results(results: Results) -> tuple[str, ...]:
    """The systems' names; () of effects, which name none."""
    if isinstance(results, PValueTable):
        return (results.system_a, results.system_b)
    return () if isinstance(results, EffectTable) else results.systems


def _with_names(
    reading: Reading, datasets: Mapping[str, str], systems: Mapping[str, str]
) -> Reading:
    new = [
        f"{quoted(old)} is {quoted(name)}"
        for old, name in (*datasets.items(), *systems.items())
        if old != name
    ]
    labels = {
        column: {datasets.get(name, name): label for name, label in own.items()}
        for column, own in reading.dataset_labels.items()
    }
    matched = tuple(
        replace(
            one,
            dataset=datasets.get(one.dataset, one.dataset),
            system=systems.get(one.system, one.system),
        )
        for one in reading.matched
    )
    return replace(
        reading,
        remarks=(*reading.remarks, *([f"Renamed, as chosen: {first_of(new)}."] if new else [])),
        dataset_labels=labels,
        matched=matched,
    )
