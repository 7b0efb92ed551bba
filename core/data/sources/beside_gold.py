"""Predictions of several files put beside their gold labels: by ids where both have them, else by line.

Vocabulary
----------
gold file
    Holds the gold label of each example; without one every file of predictions holds it itself.
said
    A column of what a system gave out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ...errors import Choice, DataError, Problem, listed, quoted, stop_at
from ..layouts.columns import Columns, held
from ..layouts.doubtful_systems import no_score_columns
from ..layouts.row_units import candidates
from ..layouts.scores import IN_ROWS
from ..roles import LAYOUT, SYSTEMS, FileUse, Matched, Roles, column_of, matched_of
from ..tables.directions import names_score
from ..tables.headings import VOCABULARY, find_column, heading, is_named
from ..tables.number_column import is_numeric, is_textual, numbers_of
from ..tables.raw_table import PutTogether, RawTable, check_size, in_turn, table_of_columns
from .gold_files import Answers, Placement, check_one_gold, place, plainly_named, words_of
from .name_grid import stems_of, without_ending

_SHOWN = 3
_PROMPTS = ("prompt", "input", "inputs", "input text")
_GOLD = "gold"
_SURELY_GOLD = re.compile(r"\b(gold|truth|true|labels?)\b")
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _File:
    """One file, and what its columns are.

    Each of those in `said` is what one system gave out; a gold file has none. A list has one value
    a line, of which its heading may say nothing.
    """

    path: str
    table: RawTable
    dataset: str | None = None
    id: str | None = None
    gold: str | None = None
    said: tuple[str, ...] = ()
    is_list: bool = False

    @property
    def beside(self) -> list[str]:
        """The columns without a role here."""
        known = {self.dataset, self.id, self.gold, *self.said}
        return [column for column in self.table.header if column not in known]

    @property
    def values(self) -> str | None:
        """The one column that may hold gold labels or answers, as nothing says which; else None."""
        if self.said:
            return self.said[0] if self.is_list else None
        free = candidates(self.table, held(self.dataset, self.id))
        return self.gold or (free[0] if len(free) == 1 else None)

    def keys(self, columns: Sequence[str]) -> list[Key]:
        """What these columns hold in each row."""
        return list(zip(*(self.table.cells(column) for column in columns), strict=True))


def beside_gold(
    paths: Sequence[str],
    contents: Sequence[RawTable],
    are_lists: Sequence[bool],
    given: Roles,
    *,
    whole: str,
) -> PutTogether | None:
    """One table of gold labels and every system's predictions; None where files are others.

    `whole` is the dataset's name where the files name none.
    """
    files = list(map(_file, paths, contents, are_lists))
    gold, files = _gold_of(files)
    if gold is None:
        return None
    systems = [position for position in range(len(files)) if position not in gold]
    answers = Answers(given=given)
    if len(files[systems[0]].said) > 1:
        placed = Placement(gold={whole: tuple(gold)}, systems={whole: {"": systems[0]}})
    else:
        # Where there are tables and lists, their endings say nothing else.
        bare = [without_ending(path) for path in paths]
        endings = {path.rpartition("/")[2].rpartition(".")[2] for path in paths}
        told = bare if len(set(bare)) == len(bare) and len(endings) > 1 else paths
        placed = place(told, gold=gold, systems=systems, whole=whole, answers=answers)
    together = _put_beside(files, placed, answers)
    raw = together.raw
    remarks = (*raw.remarks, *_of_files(files, raw.header))
    return replace(together, raw=replace(raw, remarks=remarks), files=tuple(_uses(files, placed)))


def predictions_in_rows(raw: RawTable, given: Roles, *, whole: str) -> PutTogether | None:
    """One table of gold labels and every system's predictions, which stand in rows of one column.

    None where rows name no system, gold label or prediction, or where numbers judge what was said.
    """
    columns = Columns(raw, {r: v for r, v in given.items() if column_of(given, r) in raw.header})
    system, gold, said = columns.system, columns.gold, columns.headed("prediction")
    if system is None or gold is None or len(said) != 1 or system in said:
        return None
    names = [name for name in raw.coded(system).texts if name]
    files = [
        _File(
            path=f"the rows of {name}",
            table=raw.with_text(system, name).without({system}),
            dataset=columns.dataset,
            id=columns.example,
            gold=gold,
            said=(said[0],),
        )
        for name in names
    ]
    if len(files) < 2:
        return None
    judging = list(dict.fromkeys(c for file in files for c in _judging(file, files)))
    if judging and column_of(given, _GOLD) is None:
        if LAYOUT in given or any(map(names_score, judging)):
            return None
        raise _scores_or_not(raw, gold, said[0], judging)
    own = {name: place for place, name in enumerate(names)}
    together = _put_beside(files, Placement(gold={whole: ()}, systems={whole: own}), Answers())
    unread = [column for column in files[0].beside if column not in together.raw.header]
    aside = (f"Not read: {listed(unread)}.",) if unread else ()
    remarks = (*raw.remarks, *together.raw.remarks, *aside)
    return replace(together, raw=replace(together.raw, remarks=remarks, origin=None))


def _put_beside(files: Sequence[_File], placed: Placement, answers: Answers) -> PutTogether:
    """The rows of each dataset's gold file, or of the first file that holds gold, with all columns."""
    check_one_gold(placed.gold, [file.path for file in files])
    problems: list[Problem] = []
    matched: list[Matched] = []
    blocks: list[dict[str, Sequence[str]]] = []
    rights: list[_File] = []
    n_rows = 0
    for dataset, systems in placed.systems.items():
        gold = placed.gold[dataset]
        right, *_ = own = [files[position] for position in (*gold, *systems.values())]
        n_rows += right.table.n_rows
        check_size(n_rows=n_rows, n_columns=len(systems) + len(right.table.header) + 2)
        said = dict(zip(systems, own[len(gold) :], strict=True))
        others = () if gold else own
        block, found = _join(dataset, right, said, others, answers.remarks, problems)
        blocks.append(block)
        rights.append(right)
        matched += _tell_matched(dataset, right, found, answers.remarks)
    stop_at(problems, of="places", choices=answers.choices)
    sizes = [right.table.n_rows for right in rights]
    names = list(dict.fromkeys(name for block in blocks for name in block))
    columns = [
        [cell for block, n in zip(blocks, sizes, strict=True) for cell in block.get(name, [""] * n)]
        for name in names
    ]
    read = {
        name
        for own in placed.systems.values()
        for system, p in own.items()
        for name in ([system] if system else files[p].said)
    }
    return PutTogether(
        raw=table_of_columns(
            names,
            columns,
            [line for right in rights for line in right.table.lines.tolist()],
            separator=next((f.table.separator for f in files if f.table.separator != ","), ","),
            encoding=files[0].table.encoding,
            remarks=tuple(answers.remarks),
            origin=in_turn(sizes=sizes, files=[right.path for right in rights]),
        ),
        roles=answers.roles,
        choices=tuple(answers.choices),
        declared={_GOLD: _GOLD, SYSTEMS: tuple(name for name in names if name in read)},
        matched=tuple(matched),
    )


def are_beside_gold(paths: Sequence[str], contents: Sequence[RawTable]) -> bool:
    """Whether tables hold predictions and gold labels, so that their columns may differ."""
    return _gold_of(list(map(_file, paths, contents)))[0] is not None


def _file(path: str, content: RawTable, is_list: bool = False) -> _File:
    """What a file holds: of a table the columns that are named as predictions, or may be."""
    if is_list:
        (name,) = content.header
        own = {"gold": name} if is_named(name, "gold") else {"said": (name,)}
        return _File(path=path, table=content, is_list=True, **own)
    columns = Columns(content, {})
    file = _File(
        path=path,
        table=content,
        dataset=columns.dataset,
        id=columns.example,
        gold=columns.gold,
    )
    if find_column(content.header, "system") is not None:
        return file
    said = [column for column in file.beside if is_named(column, "prediction")]
    if not said and file.gold is None:
        said = [
            c for c in candidates(content, held(file.dataset, file.id)) if is_textual(content, c)
        ]
    return replace(file, said=tuple(said))


def _gold_of(files: Sequence[_File]) -> tuple[list[int] | None, list[_File]]:
    """The positions of gold files, [] where every file holds its gold, and what each file is.

    None where files are others.
    """
    paths = [file.path for file in files]
    known = list(files)
    named = [place for place in plainly_named(paths) if files[place].values is not None]
    if len(named) == len(files):
        return None, known
    stems = {heading(stem.rpartition("/")[2]) for stem in stems_of(paths)}
    # Of scores one a line, or under one heading, "reference" may be a system.
    sure = any(_SURELY_GOLD.search(" ".join(words_of(paths[place]))) for place in named)
    if named and not sure and all(file.is_list for file in files):
        labels = any(is_textual(file.table, file.table.header[0]) for file in files)
        if not labels and stems.isdisjoint(VOCABULARY["gold"]):
            return None, known
    unsaid = all(file.said or file.gold or (sure and file.values) for file in files)
    for position in named if unsaid or any(file.said for file in files) else ():
        # Its name says whose labels it holds.
        file = files[position]
        known[position] = replace(file, said=(), gold=file.values)
        for other, own in enumerate(files):
            if other not in named and own.values is not None and not own.said:
                known[other] = replace(own, said=(own.values,), gold=None)
    gold = [position for position, file in enumerate(known) if not file.said]
    said = [file for file in known if file.said]
    if any(known[position].gold is None for position in gold) or not (
        {len(file.said) for file in said} == {1} or (len(said) == len(gold) == 1)
    ):
        return None, known
    if gold:
        return gold, known
    others = any(file.gold is None or _judging(file, said) for file in said)
    return (None if others else []), known


def _judging(file: _File, files: Sequence[_File]) -> list[str]:
    """The columns that may score what was said otherwise than as right or wrong.

    One that is the same in all files describes the examples, as "answer_index" does.
    """
    pairs = zip(file.table.cells(str(file.gold)), file.table.cells(file.said[0]), strict=True)
    right = [float(label == said) for label, said in pairs]
    free = candidates(file.table, held(file.dataset, file.id, file.gold, *file.said))
    return [
        column
        for column in free
        if is_numeric(file.table, column)
        and column not in no_score_columns(free, least=0)
        and numbers_of(file.table, column).values.tolist() != right
        and not all(_is_alike(file, other, column) for other in files)
    ]


def _scores_or_not(raw: RawTable, gold: str, said: str, numbers: Sequence[str]) -> DataError:
    """The question what is compared of rows with predictions, gold labels and other numbers."""
    question = f"Are the numbers in {listed(numbers)} scores of the predictions in {quoted(said)}?"
    problem = Problem(
        f"{question} Each row has a gold label in {quoted(gold)} besides.",
        "Choose what is compared.",
        mended_by=(_GOLD, LAYOUT),
    )
    right = (gold, f"No, compare {quoted(said)} with {quoted(gold)}")
    return DataError(
        [problem],
        columns=raw.header,
        choices=(
            Choice(role=_GOLD, question=question, options=(right,)),
            Choice(role=LAYOUT, question=question, options=((IN_ROWS, "Yes, compare them"),)),
        ),
    )


def _is_alike(file: _File, other: _File, column: str) -> bool:
    """Whether two files hold the same in a column, of the examples that both have."""
    if other is file:
        return True
    if column not in other.table.header:
        return False
    if None in (file.id, other.id):
        return bool(file.table.column(column).equals(other.table.column(column)))
    own, theirs = (
        dict(zip(f.keys(held(f.dataset, f.id)), f.table.cells(column), strict=True))
        for f in (file, other)
    )
    return all(theirs.get(key, text) == text for key, text in own.items())


def _join(
    dataset: str,
    right: _File,
    said: Mapping[str, _File],
    others: Sequence[_File],
    remarks: list[str],
    problems: list[Problem],
) -> tuple[dict[str, Sequence[str]], dict[str, list[int | None]]]:
    """The columns of one dataset, and for each system its rows; `others` have gold themselves."""
    named = right.table.cells(right.dataset) if right.dataset else [dataset] * right.table.n_rows
    block: dict[str, Sequence[str]] = {"dataset": named}
    if right.id is not None:
        block["example"] = right.table.cells(right.id)
    labels = block[_GOLD] = right.table.cells(str(right.gold))
    found: dict[str, list[int | None]] = {}
    for system, file in said.items():
        try:
            rows = _rows(right, file, dataset, remarks)
        except DataError as error:
            problems += [problem for problem in error.problems if problem not in problems]
            continue
        if file is not right and file.gold is not None:
            problems += _differing_gold(right, labels, file, rows)
        for column in file.said:
            name = column if len(file.said) > 1 else system
            cells = file.table.cells(column)
            block[name] = ["" if row is None else cells[row] for row in rows]
            found[name] = rows
            problems += _other_labels(name, dataset, right, labels, {*cells} - {""})
    for side in right.beside:
        # What systems' files have in common describes the examples.
        if all(_is_alike(right, other, side) for other in others):
            block[side] = right.table.cells(side)
    return block, found


def _rows(right: _File, file: _File, dataset: str, remarks: list[str]) -> list[int | None]:
    """For each row of the gold file that of a system's; a `DataError` where they do not fit."""
    n_right, n_own = right.table.n_rows, file.table.n_rows
    if file is right:
        return list(range(n_right))
    if right.id is None or file.id is None:
        if n_right != n_own:
            problem = Problem(
                f"It has {n_own:,} predictions, {quoted(right.path)} has {n_right:,} gold labels, and "
                "not both have ids: which belongs to which is not known.",
                "Give both one line for each example, in the same order, or a column 'id' in each.",
                dataset=dataset,
                file=file.path,
            )
            raise DataError([problem])
        stop_at([*_other_inputs(right, file, dataset)])
        return list(range(n_right))
    both = right.dataset is not None and file.dataset is not None
    keys = right.keys(held(right.dataset if both else None, right.id))
    own = file.keys(held(file.dataset if both else None, file.id))
    stop_at([*_repeated(right, keys)] or [*_repeated(file, own)])
    places = {key: row for row, key in enumerate(own)}
    rows = [places.get(key) for key in keys]
    if all(row is None for row in rows):
        own_ids, ids = ([key[-1] for key in each] for each in (own, keys))
        raise DataError(
            [other_ids(file.path, str(file.id), own_ids, right.path, ids, dataset)],
        )
    known = set(keys)
    beyond = [key[-1] for key in own if key not in known]
    if beyond:
        remarks.append(
            f"{quoted(file.path)}: predictions without a gold label in {quoted(right.path)} are left "
            f"aside, {len(beyond):,} of {n_own:,}: {listed(beyond)}."
        )
    return rows


def _other_inputs(right: _File, file: _File, dataset: str) -> Iterator[Problem]:
    """A problem where most lines of two files hold different texts, and no prompts around them."""
    for column in right.beside:
        if (
            column not in file.beside
            or not is_named(column, "input")
            or heading(column) in _PROMPTS
        ):
            continue
        both = zip(right.table.cells(column), file.table.cells(column), strict=True)
        apart = [row for row, (own, other) in enumerate(both) if own != other]
        if 2 * len(apart) > right.table.n_rows:
            yield Problem(
                f"Line by line, {len(apart):,} of {right.table.n_rows:,} texts are not those of "
                f"{quoted(right.path)}: the files hold other examples, or others first.",
                "Give both the same examples in the same order, or a column 'id' in each; files of "
                "other datasets need names that say which.",
                dataset=dataset,
                column=column,
                line=int(file.table.lines[apart[0]]),
                file=file.path,
            )


def other_ids(
    path: str,
    column: str,
    own: Sequence[str],
    other: str,
    ids: Sequence[str],
    dataset: str | None = None,
) -> Problem:
    """That no id of one file stands in another, which would be matched with it."""
    return Problem(
        f"None of its ids, such as {listed(own[:_SHOWN])}, stands in {quoted(other)}, whose ids are "
        f"such as {listed(ids[:_SHOWN])}.",
        "Write the ids alike in all files, or leave their column out to match line by line; if they "
        "are of different datasets, say so in a column 'dataset'.",
        dataset=dataset,
        file=path,
        column=column,
    )


def _repeated(file: _File, keys: Sequence[Key]) -> Iterator[Problem]:
    """The first id that stands in a file twice."""
    first: dict[Key, int] = {}
    twice = (row for row, key in enumerate(keys) if first.setdefault(key, row) != row)
    for row in islice(twice, 1):
        before = file.table.lines[first[keys[row]]]
        yield Problem(
            f"The id {quoted(keys[row][-1])} stands on line {before} already.",
            "Keep one row for each id; of several datasets, give each file a column 'dataset'.",
            file=file.path,
            column=file.id,
            line=int(file.table.lines[row]),
        )


def _differing_gold(
    right: _File, labels: Sequence[str], file: _File, rows: Sequence[int | None]
) -> Iterator[Problem]:
    """The first example of which two files have different gold labels."""
    own = file.table.cells(str(file.gold))
    pairs = ((n, row) for n, row in enumerate(rows) if row is not None and own[row] != labels[n])
    for number, row in islice(pairs, 1):
        yield Problem(
            f"The gold label {quoted(own[row])} is {quoted(labels[number])} in "
            f"{quoted(right.path)}, on line {right.table.lines[number]}.",
            "Give every file the same gold labels, or matching ids in a column 'id'.",
            file=file.path,
            column=file.gold,
            line=int(file.table.lines[row]),
        )


def _other_labels(
    system: str, dataset: str, right: _File, labels: Sequence[str], said: set[str]
) -> Iterator[Problem]:
    """A problem where no prediction is a class, such as numbers for words or what a model argues."""
    classes = list(dict.fromkeys(labels))
    own = {label.casefold() for label in said}
    if (
        is_textual(right.table, str(right.gold))
        and 2 * len(classes) <= len(labels)
        and own.isdisjoint(label.casefold() for label in classes)
    ):
        yield Problem(
            f"No prediction of {quoted(system)} is one of the gold labels "
            f"{listed(classes[:_SHOWN])} of {quoted(right.path)}: predictions are such as "
            f"{listed(sorted(said)[:_SHOWN])}.",
            "Write predictions as the gold labels are written, and the label alone.",
            dataset=dataset,
        )


def _tell_matched(
    dataset: str, right: _File, found: Mapping[str, list[int | None]], remarks: list[str]
) -> list[Matched]:
    """How many examples each system has, and which of them others lack."""
    way = f"by their ids in {quoted(right.id)}" if right.id else "line by line"
    remarks.append(
        f"Predictions on {quoted(dataset)} are compared with the gold labels of {quoted(right.path)}, "
        f"matched {way}."
    )
    numbers = range(1, right.table.n_rows + 1)
    ids = right.table.cells(right.id) if right.id else list(map(str, numbers))
    return matched_of(
        dataset,
        {
            # Ids may be told apart by other columns of the gold file alone.
            system: {number: ids[number] for number, row in enumerate(rows) if row is not None}
            for system, rows in found.items()
        },
    )


def _of_files(files: Sequence[_File], read: Sequence[str]) -> Iterator[str]:
    """Remarks of single files, and which columns of predictions' files are not read."""
    for file in files:
        yield from (f"{quoted(file.path)}: {remark}" for remark in file.table.remarks)
        unread = [column for column in file.beside if column not in read]
        if file.said and unread:
            yield f"{quoted(file.path)}: not read are {listed(unread)}."


def _uses(files: Sequence[_File], placed: Placement) -> Iterator[FileUse]:
    for dataset, own in placed.gold.items():
        for position in own:
            yield FileUse(
                path=files[position].path, kind="gold labels", content=f"gold of {dataset}"
            )
    for dataset, systems in placed.systems.items():
        for system, position in systems.items():
            told = system or listed(files[position].said)
            n = files[position].table.n_rows
            content = f"{n:,} predictions of {told} on {dataset}"
            yield FileUse(path=files[position].path, kind="predictions", content=content)
