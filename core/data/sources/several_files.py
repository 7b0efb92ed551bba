"""Several tables put together as one, by their columns and the names of their files."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from ...errors import Choice, DataError, Problem, listed, quoted, stop_at
from ..layouts.cells import find_margin
from ..layouts.columns import Columns, held
from ..layouts.doubtful_systems import no_score_columns
from ..layouts.registry import ask, no_gold_problem
from ..layouts.row_units import candidates, headless_problem, n_combinations
from ..layouts.score_cells import says_right_or_wrong
from ..roles import COLUMN_ROLES, NAME_ORDERS, Roles, column_of
from ..tables.directions import (
    HeadingGrid,
    are_metrics,
    metric_grid,
    names_metric,
    runs_of_names,
    slot_of_names,
)
from ..tables.headings import (
    VOCABULARY,
    find_column,
    heading,
    is_named,
    names_p_values,
    roles_named,
    words,
)
from ..tables.number_column import is_numeric, is_textual
from ..tables.raw_table import PutTogether, RawTable, check_size, in_turn, table_of_columns
from .beside_gold import beside_gold, other_ids
from .json_table import differing
from .name_grid import (
    FILE,
    ONE_DATASET,
    SHEET,
    NameGrid,
    check_folders,
    common_folder,
    find_grid,
    says_system,
    stems_of,
    without_ending,
)
from .opening import Part


def _notation_problems(
    paths: Sequence[str], tables: Sequence[RawTable], names: Collection[str | None]
) -> Iterator[Problem]:
    """One problem for each file with commas in its numbers, where files are written in several ways.

    In one file a comma is a decimal mark, in another it divides thousands. Columns of these `names`
    hold no numbers.
    """
    for path, table in zip(paths, tables, strict=True):
        for column in table.header:
            is_number = names_p_values(column) or is_numeric(table, column)
            texts = table.coded(column).texts if is_number and column not in names else ()
            with_comma = next((text for text in texts if "," in text), None)
            if with_comma is not None:
                yield Problem(
                    f"Numbers such as {quoted(with_comma)} hold commas, and the files do not all "
                    "separate columns in one way: which mark is the decimal one may differ.",
                    "Save all files in the same way, or write numbers with decimal points.",
                    column=column,
                    file=path,
                )
                break


_DATASETS = NAME_ORDERS[2]
_FOLD = "fold"
# Beside these a number is no system's score.
_SPREADS = frozenset(VOCABULARY["standard_error"])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Added:
    """Columns that say for each file what its name says, one value a file."""

    remark: str
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    roles: dict[str, object] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    numbered: bool = False


def put_together(
    parts: Sequence[Part], given: Roles, *, name: str, folder: str = ""
) -> PutTogether:
    """One table of several files or sheets.

    A dataset that all are of is called by the `folder` in which they are, where it is known, else
    by the `name` of the whole.
    """
    paths = [part.path for part in parts]
    whole = common_folder(paths) or folder or without_ending(name)
    order = given.get("name_order")
    tables = [part.content for part in parts]
    are_lists = [part.is_list for part in parts]
    predicted = beside_gold(paths, tables, are_lists, given, whole=whole)
    if predicted is not None:
        return predicted
    # Said to be systems each, files are no runs of one.
    apart = None if order == ONE_DATASET else runs_of_names(stems_of(paths))
    if len(set(are_lists)) > 1:
        of_values, of_table = (paths[are_lists.index(is_list)] for is_list in (True, False))
        raise DataError.of(
            f"Some files hold one value a line, such as {quoted(of_values)}, others a table, "
            f"such as {quoted(of_table)}.",
            "Give files of one kind; gold labels in a file of their own, one a line, called 'gold'.",
        )
    if are_lists[0] and apart is None:
        return _side_by_side(paths, tables, whole=whole, order=order)
    problems = _prediction_problems(tables)
    if not problems:
        tables = [_without_texts(table, tables) for table in tables]
        problems = list(_header_problems(paths, tables))
    if problems:
        headless = zip(paths, map(headless_problem, tables), strict=True)
        problems = [replace(p, file=path) for path, p in headless if p is not None] or problems
    stop_at(problems, of="files", columns=tables[0].header)
    check_size(n_rows=sum(table.n_rows for table in tables), n_columns=len(tables[0].header) + 3)
    named = SHEET if all(part.is_sheet for part in parts) else FILE
    keys = dataset, _, by_row = _keys(tables[0], given)
    alike = {name for table in tables for name in (table.coded(by_row).texts if by_row else ())}
    if dataset and by_row and len(alike) == 1 and not _share_no_dataset(tables, dataset):
        # A column calls the system of all files alike: their names tell systems apart.
        stems = tuple(stems_of(paths))
        tables = [table.without({by_row}) for table in tables]
        added = _Added(
            columns={by_row: stems},
            remark=f"{quoted(by_row)} is {quoted(*alike)} in every {named}, so each {named} is read "
            f"as a system, by its name: {listed(stems)}.",
        )
    else:
        added = _added(paths, tables, given, keys, whole, named, apart)
    stored = (part.is_stored for part in parts)
    commas = ((table.separator == ",", table.decimal_comma) for table in tables)
    if len(set(zip(commas, stored, strict=True))) > 1:
        size = column_of(given, "n_examples") or find_column(tables[0].header, "n_examples")
        taken = (*keys, column_of(given, "cluster"), size)
        stop_at([*_notation_problems(paths, tables, taken)], columns=tables[0].header)
    return _stacked(parts, tables, added, named)


def _side_by_side(
    paths: Sequence[str], lists: Sequence[RawTable], *, whole: str, order: object
) -> PutTogether:
    """A wide table: a row for each dataset and line, a column for each system."""
    stems = stems_of(paths)
    grid = find_grid(stems, [one.n_rows for one in lists], whole=whole, order=order)
    check_folders(grid, stems, order)
    datasets: list[str] = []
    lines: list[int] = []
    sizes: list[int] = []
    files: list[dict[str, str]] = []
    places = grid.places
    for dataset in grid.datasets:
        own = places[dataset]
        first = lists[next(iter(own.values()))]
        sizes.append(first.n_rows)
        datasets += [dataset] * first.n_rows
        lines += first.lines.tolist()
        files.append({system: paths[place] for system, place in own.items()})
    raw = table_of_columns(
        ["dataset", *grid.systems],
        [
            datasets,
            *(
                pa.concat_arrays([lists[places[d][system]].columns[0] for d in grid.datasets])
                for system in grid.systems
            ),
        ],
        lines,
        separator=next((one.separator for one in lists if one.separator != ","), ","),
        encoding=lists[0].encoding,
        remarks=(grid.remark, *dict.fromkeys(r for one in lists for r in one.remarks)),
        origin=in_turn(sizes=sizes, files=files),
    )
    return PutTogether(raw=raw, roles={"name_order": grid.order}, choices=grid.choices)


def _keys(raw: RawTable, given: Roles) -> tuple[str | None, str | None, str | None]:
    """The columns of datasets, examples and systems, as far as there are any."""
    header = raw.header
    # Roles may name columns that were added when the files were read before.
    known = {
        role: value
        for role, value in given.items()
        if role not in COLUMN_ROLES or value is None or value in header
    }
    columns = Columns(raw, known)
    taken = held(column_of(known, "cluster"), columns.dataset)
    by_row = column_of(known, "system") or find_column(header, "system", taken=taken)
    return columns.dataset, columns.example, by_row


def _added(
    paths: Sequence[str],
    tables: Sequence[RawTable],
    given: Roles,
    keys: tuple[str | None, str | None, str | None],
    whole: str,
    named: str,
    apart: HeadingGrid | None,
) -> _Added:
    """What the files' or sheets' names say that no column does; with `apart` their runs, too."""
    header = tables[0].header
    dataset, example, by_row = keys
    stems = tuple(stems_of(paths))
    has_scores = by_row is None and _has_score_column(
        tables[0],
        (dataset, example, column_of(given, "cluster"), find_margin(tables[0], given)),
        # 'ours.csv' beside 'baseline.csv' are systems, whatever its columns are called.
        are_systems=any(map(says_system, stems)) and not any(map(says_system, header)),
    )
    order = given.get("name_order")
    if dataset is None and by_row is not None and order is None:
        each = [table.coded(by_row).texts for table in tables]
        if {len(own) for own in each} == {1} and len({own[0] for own in each}) == len(each):
            return _Added(
                remark=f"Each {named} holds the rows of one system, which {quoted(by_row)} names.",
            )
    if dataset is None and example is None and order is None and _share_texts(tables):
        # Under a known heading they would be the datasets, or the examples, of all files.
        ask(Columns(tables[0], given))
    if dataset is None and (not has_scores or order == _DATASETS):
        return _Added(
            columns={_free("dataset", header): stems},
            remark=f"Each {named} is read as a dataset, by its name: {listed(stems)}.",
        )
    if dataset is None:
        # Said to be of one dataset, examples with ids are matched by these.
        by_id = example is not None and order == ONE_DATASET
        sizes = [0 if by_id else table.n_rows for table in tables]
        names, runs = _runs_of(stems, apart, header)
        try:
            grid, placed = _grid_of(names, sizes, whole=whole, order=order, named=named)
        except DataError:
            if not runs:
                raise
            return _added(paths, tables, given, keys, whole, named, None)
        if (
            runs
            and grid.order == ONE_DATASET
            and heading(next(iter(runs.values()))[0]).startswith("run")
        ):
            # 'news.run1' may as well be a run that somebody handed in, on a dataset.
            return _added(paths, tables, given, keys, whole, named, None)
        if example is not None:
            _check_ids(paths, tables, example, [placed[name][0] for name in names])
        datasets, systems = zip(*map(placed.__getitem__, names), strict=True)
        # Whoever says that each file is a system has no runs.
        is_said = not (runs and grid.order == ONE_DATASET)
        return _Added(
            columns={"dataset": datasets, "system": systems, **runs},
            remark=grid.remark + _on_runs(runs, named),
            roles={"name_order": grid.order} if is_said else {},
            choices=grid.choices,
            # A score of a whole dataset is no example, nor is one of a step of training.
            numbered=example is None
            and max(table.n_rows for table in tables) > 1
            and find_column(header, "step") is None,
        )
    if has_scores and not _share_no_dataset(tables, dataset):
        names, runs = _runs_of(stems, apart, header)
        systems = tuple(dict.fromkeys(names))
        return _Added(
            columns={_free("system", header): names, **runs},
            remark=f"Each {named} is read as a system, by its name: {listed(systems)}."
            + _on_runs(runs, named),
        )
    own = held(dataset, by_row)
    has_slots = any({"run", "metric_names"} & roles_named(column) for column in header)
    if has_slots or example is not None or not _share_rows(tables, own):
        return _Added(
            remark=f"The rows of {len(tables)} {named}s are put together: {listed(paths)}.",
        )
    slot = slot_of_names(stems)
    if slot is None:
        raise DataError.of(
            f"The same rows by {listed(own)} stand in several {named}s, {listed(stems)}, and "
            "their names do not say what each holds.",
            f"Give one {named}, or name the {named}s by their runs ('seed1') or metrics ('F1').",
            columns=header,
        )
    return _Added(
        columns={slot: stems},
        remark=f"Each {named} is read as a {slot}, by its name: {listed(stems)}.",
    )


def _share_texts(tables: Sequence[RawTable]) -> bool:
    """Whether a column has another text in each row, and the same texts in each of several files."""
    n_rows = tables[0].n_rows
    return all(table.n_rows == n_rows for table in tables) and any(
        is_textual(tables[0], column)
        and len(own := set(tables[0].coded(column).texts)) == n_rows
        and all(own == set(table.coded(column).texts) for table in tables)
        for column in tables[0].header
    )


def _check_ids(
    paths: Sequence[str], tables: Sequence[RawTable], example: str, datasets: Sequence[str]
) -> None:
    """Raise a `DataError` where a file has no example in common with any other one of its dataset."""
    held = [set(table.coded(example).texts) for table in tables]
    problems: list[Problem] = []
    for place, (path, dataset) in enumerate(zip(paths, datasets, strict=True)):
        others = [i for i, name in enumerate(datasets) if name == dataset and i != place]
        told = {problem.file for problem in problems}
        if others and all(held[place].isdisjoint(held[i]) for i in others):
            if len(others) == 1 and paths[others[0]] in told:
                continue
            own, theirs = (tables[i].cells(example) for i in (place, others[0]))
            problems.append(other_ids(path, example, own, paths[others[0]], theirs))
    stop_at(problems, columns=tables[0].header)


def _grid_of(
    names: Sequence[str], sizes: Sequence[int], *, whole: str, order: object, named: str
) -> tuple[NameGrid, dict[str, tuple[str, str]]]:
    """How names are read, of which several files may have one, and dataset and system of each name."""
    first = dict(reversed(list(zip(names, sizes, strict=True))))
    once = list(dict.fromkeys(names))
    grid = find_grid(once, [first[name] for name in once], whole=whole, order=order, named=named)
    check_folders(grid, once, order)
    return grid, dict(zip(once, grid.pairs, strict=True))


def _runs_of(
    stems: tuple[str, ...], apart: HeadingGrid | None, header: Sequence[str]
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """What the names say beside their runs, and a column of these where they name some."""
    if apart is None:
        return stems, {}
    pairs = {stem: pair for pair, stem in apart.columns.items()}
    names, runs = zip(*map(pairs.__getitem__, stems), strict=True)
    folds = all(heading(run).startswith(_FOLD) for run in runs)
    return names, {_free(_FOLD if folds else "run", header): runs}


def _on_runs(runs: Mapping[str, tuple[str, ...]], named: str) -> str:
    return "".join(
        f" The {named}s' names also say which {column} each holds: "
        f"{listed(tuple(dict.fromkeys(own)))}."
        for column, own in runs.items()
    )


def _share_rows(tables: Sequence[RawTable], keys: Sequence[str]) -> bool:
    """Whether these columns tell the rows of each table apart, but not those of all tables."""
    seen: set[tuple[str, ...]] = set()
    for table in tables:
        if n_combinations(table, keys) < table.n_rows:
            return False
        rows = set(zip(*(table.cells(column) for column in keys), strict=True))
        if rows & seen:
            return True
        seen |= rows
    return False


def _has_score_column(raw: RawTable, keys: Sequence[str | None], *, are_systems: bool) -> bool:
    """Whether one column alone holds scores, or each those of a metric, and none other results."""
    known = {heading(name) for name in raw.header}
    # Beside what was said, a number judges it: it is not what gold is compared with.
    judges = any(is_named(name, "prediction") for name in raw.header)
    if known & (_SPREADS if judges else _SPREADS.union(VOCABULARY["gold"])):
        return False
    if any(names_p_values(name) for name in raw.header):
        return False
    taken = [column for column in keys if column is not None]
    free = [
        column
        for column in candidates(raw, taken)
        if not is_named(column, "run")
        and (is_numeric(raw, column) or says_right_or_wrong(raw, column))
    ]
    # Files of scores also say what systems cost: 'correct', 'latency'.
    scores = [column for column in free if column not in no_score_columns(free, least=1)]
    if len(scores) == 1 or are_metrics(scores) or (scores and are_systems):
        return True
    # "accuracy" and "accuracy_with_calc" of one file are one system's.
    begin = [names_metric(word) for column in scores for word in words(column)[:1]]
    return raw.n_rows == 1 and bool(begin) and all(begin) and metric_grid(scores) is None


def _share_no_dataset(tables: Sequence[RawTable], column: str) -> bool:
    """Whether each dataset stands in one file alone: the files then cannot be systems."""
    seen: set[str] = set()
    for table in tables:
        own = set(table.coded(column).texts)
        if own & seen:
            return False
        seen |= own
    return True


def _stacked(
    parts: Sequence[Part], tables: Sequence[RawTable], added: _Added, named: str
) -> PutTogether:
    header = tables[0].header
    sizes = [table.n_rows for table in tables]
    names = [*added.columns]
    columns = [
        pa.array([value for value, n in zip(values, sizes, strict=True) for _ in range(n)])
        for values in added.columns.values()
    ]
    if added.numbered:
        names.append(_free("example", header))
        # Other folds have other examples.
        folds = [f"{name} " for name in added.columns.get(_FOLD, ())] or [""] * len(sizes)
        columns.append(
            pa.array(
                [f"{f}{i}" for f, n in zip(folds, sizes, strict=True) for i in range(1, n + 1)]
            )
        )
    columns += [pa.concat_arrays([table.column(name) for table in tables]) for name in header]
    separators = [table.separator for table in tables]
    remarks = [added.remark]
    if added.numbered:
        remarks.append(f"The rows of {named}s of one dataset are paired in their order.")
    for part, table in zip(parts, tables, strict=True):
        remarks += [f"{quoted(part.path)}: {remark}" for remark in table.remarks]
    raw = table_of_columns(
        [*names, *header],
        columns,
        np.concatenate([table.lines for table in tables]),
        # Anything but a comma allows decimal commas.
        separator=next((s for s in separators if s != ","), ","),
        encoding=tables[0].encoding,
        remarks=tuple(remarks),
        origin=in_turn(sizes=sizes, files=[part.path for part in parts], tables=tables),
    )
    return PutTogether(raw=raw, roles=added.roles, choices=added.choices)


def _prediction_problems(tables: Sequence[RawTable]) -> list[Problem]:
    """One problem where each file holds what one system gave out, alone or beside gold labels."""
    said = {column for table in tables for column in table.header if is_named(column, "prediction")}
    of_one = [
        len(said.intersection(table.header)) == 1
        and find_column(table.header, "system") is None
        and not any(is_numeric(table, c) for c in candidates(table, said))
        for table in tables
    ]
    if sum(of_one) < 2 or len(said) > 1:
        return []
    return [no_gold_problem(tuple(said))]


def _without_texts(table: RawTable, tables: Sequence[RawTable]) -> RawTable:
    """The table without texts that describe examples, as some other file lacks them."""
    aside = [
        column
        for column in table.header
        if is_textual(table, column)
        and roles_named(column) <= {"input", "measure", "category"}
        and not says_right_or_wrong(table, column)
        and not all(column in other.header for other in tables)
    ]
    if not aside:
        return table
    remark = f"Not read, as not all files have it: {listed(aside)}."
    return replace(table.without(aside), remarks=(*table.remarks, remark))


def _header_problems(paths: Sequence[str], tables: Sequence[RawTable]) -> Iterator[Problem]:
    """One problem for each file whose columns are not those of the first."""
    expected = tables[0].header
    for path, table in zip(paths[1:], tables[1:], strict=True):
        lacking = [name for name in expected if name not in table.header]
        more = [name for name in table.header if name not in expected]
        if lacking or more:
            yield Problem(
                f"Its columns differ from those of {quoted(paths[0])}: "
                f"{differing('it lacks', lacking, 'it has', more)}.",
                "Give all files the same columns, or read them one by one.",
                file=path,
            )


def _free(name: str, header: Sequence[str]) -> str:
    """The name, or one like it that no column has."""
    return name if name not in header else f"{name} (file)"


# What several files are called that have no name in common.
THESE_FILES = "these files"


def whole_name(paths: Sequence[str], folder: str) -> str:
    """What to call several files that were given no name, in a folder or in none that is known.

    Never by their number: of one dataset, "better on 3 files" would be read as three.
    """
    return common_folder(paths) or folder or THESE_FILES
