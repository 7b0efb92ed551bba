"""The table of text that every file becomes, and its columns; none of it is interpreted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...errors import Choice, Problem, stop_at
from ...types import BoolArray, IntArray, frozen, grouped
from ..roles import FileUse, Matched
from .cutting import (
    LARGE_POOL,
    LineArray,
    in_pieces,
    repeats_texts,
    texts_of_rows,
    texts_to_look_at,
)
from .limits import size_problems
from .numbers import has_grouping_points, shows_decimal_comma

T = TypeVar("T")


def rows_of_each(codes: npt.NDArray[np.integer], n: int) -> IntArray:
    """In how many rows each of `n` codes stands."""
    counts = np.zeros(n, dtype=np.intp)
    for rows in in_pieces(codes.size):
        counts += np.bincount(codes[rows], minlength=n)
    return counts


@dataclass(frozen=True, kw_only=True, eq=False)
class CodedColumn:
    """A column with each different text kept once: a million rows are judged by a few hundred."""

    # pyarrow strings: the texts, in the order of their first rows.
    array: Any
    # Shape (n_rows,): for each row a position in `array`, in as few bytes as that takes.
    codes: npt.NDArray[np.integer]
    # Whether row i holds text i, be it the same as another.
    one_each: bool = False

    @property
    def texts(self) -> list[str]:
        """The texts as strings, made anew at each call."""
        texts: list[str] = self.array.to_pylist()
        return texts

    @cached_property
    def counts(self) -> IntArray:
        """In how many rows each text stands."""
        return rows_of_each(self.codes, len(self.array))


# Tells the files apart that a table was put together from: of a row, and of one cell of it where a
# column is named.
Origin = Callable[[int, str | None], str | None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RawTable:
    """A file cut into cells, none of them interpreted."""

    # Column names, unique and not empty.
    header: tuple[str, ...]
    # pyarrow strings, some dictionary-coded, without outer white space; `column` gives plain ones.
    columns: tuple[Any, ...]
    # Line of the file on which each row begins, counted from 1.
    lines: LineArray
    # "," ";" "|" or a tab.
    separator: str
    encoding: str
    # What the file's owner should know about how it was cut.
    remarks: tuple[str, ...] = ()
    # Titles, legends and footnotes that were set apart.
    notes: tuple[str, ...] = ()
    # Which cell came from which file, where several were put together.
    origin: Origin | None = None
    # Why columns have the roles that they have, once that was found; see `Reading`.
    evidence: dict[str, str] = field(default_factory=dict)
    # What was read of its columns once it was asked for; see `once`.
    known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def n_rows(self) -> int:
        """Number of rows without the header."""
        return int(self.lines.size)

    @property
    def each_row(self) -> npt.NDArray[np.integer]:
        """The number of each row, in half the usual width, made once for all that want it."""
        return self.once(("each row",), lambda: frozen(np.arange(self.n_rows, dtype=np.int32)))

    def file_of(self, row: int, column: str | None = None) -> str | None:
        """The file that a row, or one cell of it, came from; None where there is only one file."""
        return None if self.origin is None else self.origin(row, column)

    @property
    def decimal_comma(self) -> bool:
        """Whether a comma is a decimal mark: it separates no columns, nor perhaps thousands."""
        if self.separator == ",":
            return False
        return self.once(
            ("decimal comma", self.header),
            lambda: shows_decimal_comma(map(texts_to_look_at, self.columns)),
        )

    @property
    def has_grouping_points(self) -> bool:
        """Whether a point separates thousands somewhere, where commas are decimal marks."""
        return self.decimal_comma and self.once(
            ("grouping points", self.header),
            lambda: has_grouping_points(map(texts_to_look_at, self.columns)),
        )

    def once(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """What is made of the columns that a key names, made at the first call."""
        if key not in self.known:
            self.known[key] = make()
        known: T = self.known[key]
        return known

    def column(self, name: str) -> Any:
        """Every row's cell of one column, as a pyarrow array of strings."""
        return texts_of_rows(self.columns[self.header.index(name)])

    def is_blank(self, name: str) -> bool:
        """Whether no cell of one column holds anything."""
        texts = texts_to_look_at(self.columns[self.header.index(name)])
        return not pc.max(pc.binary_length(texts)).as_py()

    def is_repetitive(self, name: str) -> bool:
        """Whether one column seems to hold many texts twice, so that each is looked at once."""
        is_coded = ("coded", name) in self.known
        return is_coded or repeats_texts(self.columns[self.header.index(name)])

    def cells(self, name: str) -> tuple[str, ...]:
        """Every row's cell of one column, as strings: for tables of moderate length."""
        return tuple(self.column(name).to_pylist())

    def kept(self, rows: BoolArray) -> RawTable:
        """The table of those rows alone for which `rows` is true."""
        return self.taken(np.flatnonzero(rows))

    def with_text(self, name: str, text: str) -> RawTable:
        """The table of those rows alone that hold a text in a column."""
        coded = self.coded(name)
        return self.kept(coded.codes == coded.texts.index(text))

    def taken(self, rows: IntArray) -> RawTable:
        """The table of these rows in this order, some perhaps several times."""
        places, origin = pa.array(rows), self.origin
        return replace(
            self,
            columns=tuple(self.column(name).take(places) for name in self.header),
            lines=self.lines[rows],
            origin=origin and (lambda row, column: origin(int(rows[row]), column)),
        )

    def without(self, names: Collection[str]) -> RawTable:
        """The table without these columns; what was read of the others is shared with this one."""
        kept = [index for index, name in enumerate(self.header) if name not in names]
        view = replace(
            self,
            header=tuple(self.header[index] for index in kept),
            columns=tuple(self.columns[index] for index in kept),
        )
        object.__setattr__(view, "known", self.known)
        return view

    def looked_at(self, name: str) -> CodedColumn:
        """One column with each text once; where hardly any stands twice, as if none did."""
        if self.is_repetitive(name):
            return self.coded(name)
        return CodedColumn(array=self.column(name), codes=self.each_row, one_each=True)

    def forget_numbers(self, names: Iterable[str]) -> None:
        """Let go of these columns as numbers; where they are asked for they are read again."""
        for name in names:
            self.known.pop(("numbers", name), None)

    def coded(self, name: str) -> CodedColumn:
        """One column with each different text kept once."""

        def made() -> CodedColumn:
            stored = self.columns[self.header.index(name)]
            if not pa.types.is_dictionary(stored.type):
                stored = pc.dictionary_encode(stored, memory_pool=LARGE_POOL)
            codes = stored.indices.to_numpy(zero_copy_only=False)
            return CodedColumn(array=stored.dictionary, codes=codes)

        return self.once(("coded", name), made)


def in_turn(
    sizes: Sequence[int],
    files: Sequence[str] | Sequence[Mapping[str, str]],
    tables: Sequence[RawTable] = (),
) -> Origin:
    """The origin of rows of one file after those of another, or of files side by side, by column.

    `tables` are what each was, where some may know more than that.
    """
    ends = np.cumsum(sizes)

    def file_of(row: int, column: str | None) -> str | None:
        place = int(np.searchsorted(ends, row, side="right"))
        own = files[place]
        if tables:
            within = tables[place].file_of(row - int(ends[place]) + sizes[place], column)
            if within is not None:
                return within
        return own if isinstance(own, str) else own.get(column or "", next(iter(own.values())))

    return file_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PutTogether:
    """A table that somebody wrote as something else than one table."""

    raw: RawTable
    # Declarations that were settled on the way, such as "name_order".
    roles: dict[str, object] = field(default_factory=dict)
    # Questions left open.
    choices: tuple[Choice, ...] = ()
    # Roles that the files themselves settle; given ones come before them.
    declared: dict[str, object] = field(default_factory=dict)
    # What was made of each file.
    files: tuple[FileUse, ...] = ()
    # How the examples of the systems were matched.
    matched: tuple[Matched, ...] = ()
    # What is known of each dataset as a whole and stands in no column (str to mapping of str to
    # str).
    dataset_labels: dict[str, Mapping[str, str]] = field(default_factory=dict)
    # Problems of the table as those of the file that it was made of.
    in_the_file: Callable[[Iterable[Problem]], list[Problem]] = list

    def then(self, step: PutTogether) -> PutTogether:
        """What a further step makes of the table, with what this one settled, asked and found."""
        before, own = self.in_the_file, step.in_the_file
        return replace(
            self,
            raw=step.raw,
            roles={**self.roles, **step.roles},
            choices=(*self.choices, *step.choices),
            matched=step.matched or self.matched,
            in_the_file=lambda problems: before(own(problems)),
        )


def table_of_columns(
    header: Sequence[str],
    columns: Sequence[Any],
    lines: Sequence[int] | IntArray,
    *,
    separator: str = ",",
    encoding: str = "UTF-8",
    remarks: tuple[str, ...] = (),
    origin: Origin | None = None,
) -> RawTable:
    """A table of columns of equal length, with unique names, each a list of strings or a pyarrow array."""
    check_size(n_rows=len(lines), n_columns=len(header))
    names = tuple(name.strip() for name in header)
    problems = header_problems(names)
    if not problems and not len(lines):
        problems.append(
            Problem(
                "There is a header and no rows.",
                "Add one row for each dataset, or for each example.",
            )
        )
    arrays = tuple(
        column if isinstance(column, pa.Array) else pa.array(column, type=pa.string())
        for column in columns
    )
    stop_at(problems)
    return RawTable(
        header=names,
        columns=arrays,
        lines=np.asarray(lines, dtype=np.intp),
        separator=separator,
        encoding=encoding,
        remarks=remarks,
        origin=origin,
    )


def header_problems(
    names: Sequence[str], positions: Sequence[int] = (), line: int | None = None
) -> list[Problem]:
    """One problem for each column without a name, and for each name over several; by their `positions`."""
    held = grouped(zip(names, positions or range(1, len(names) + 1), strict=True))
    problems = [
        Problem(
            f"Column {position} has no name.", "Name it in the header, or remove it.", line=line
        )
        for position in held.pop("", ())
    ]
    problems += [
        Problem(
            f"The name stands over {len(own)} columns: {', '.join(map(str, own))}.",
            "Give each column a name of its own.",
            column=name,
            line=line,
        )
        for name, own in held.items()
        if len(own) > 1
    ]
    return problems


def check_size(*, n_rows: int, n_columns: int) -> None:
    """Raise a `DataError` where a table is larger than any that is compared."""
    stop_at(size_problems(n_rows=n_rows, n_columns=n_columns))
