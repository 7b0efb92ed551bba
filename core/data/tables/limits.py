"""How much is read and unpacked, and how far reading has come."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from ...errors import DataError, Problem

# More rows than any results that are compared by example have.
MAX_ROWS = 2_000_000
# More would not fit into one column of text.
MAX_CHARACTERS = 500_000_000
# More columns than anyone compares systems and what goes with them.
MAX_COLUMNS = 1_000


def size_problems(
    *, n_rows: int = 0, n_columns: int = 0, most_rows: int = MAX_ROWS, line: int | None = None
) -> list[Problem]:
    """What makes a table larger than any that is compared."""
    problems = []
    if n_rows > most_rows:
        problems.append(
            Problem(
                f"There are more than {most_rows:,} rows, the most that is read.",
                "Keep only the rows that are compared.",
            )
        )
    if n_columns > MAX_COLUMNS:
        problems.append(
            Problem(
                f"There are {n_columns:,} columns; at most {MAX_COLUMNS:,} are read.",
                "Keep the columns of one table.",
                line=line,
            )
        )
    return problems


MAX_UNPACKED = 500_000_000
# Results pack to a tenth of their size, monotonous ones to a fiftieth.
MAX_RATIO = 200
# Less is harmless however well it is packed.
_RATIO_MATTERS_FROM = 20_000_000
_most_rows: ContextVar[int | None] = ContextVar("most_rows", default=None)


class TooManyRows(DataError):
    """The tables have more rows together than whoever reads them takes."""


@contextmanager
def at_most_rows(most: int) -> Iterator[None]:
    """Within this, files with more rows raise `TooManyRows` as soon as these are counted."""
    token = _most_rows.set(most)
    try:
        yield
    finally:
        _most_rows.reset(token)


def check_rows(n_rows: int) -> None:
    """Raise `TooManyRows` where these are more rows than are taken."""
    most = _most_rows.get()
    if most is not None and n_rows > most:
        raise TooManyRows(size_problems(n_rows=n_rows, most_rows=most))


@dataclass(slots=True, kw_only=True)
class Allowance:
    """How much may still be unpacked."""

    # For everything together.
    max_bytes: int = MAX_UNPACKED
    # Bytes unpacked so far.
    used: int = 0
    # Whether more than allowed was asked for.
    spent: bool = field(default=False, init=False)
    _packed: int = field(default=0, init=False)
    _rows: int = field(default=0, init=False)

    def unpack(self, n_packed: int) -> None:
        """Begin to unpack something of this size."""
        self._packed += n_packed

    def take_rows(self, n_rows: int) -> None:
        """Count rows that were cut; `TooManyRows` is raised if that is more than allowed."""
        self._rows += n_rows
        check_rows(self._rows)

    def take(self, n_bytes: int) -> None:
        """Count bytes that were unpacked; `DataError` is raised if that is more than allowed."""
        self.used += n_bytes
        too_long = self.used > self.max_bytes
        too_dense = self.used > max(_RATIO_MATTERS_FROM, MAX_RATIO * self._packed)
        self.spent = self.spent or too_long or too_dense
        if too_long:
            raise DataError.of(
                f"It unpacks to more than {self.max_bytes:,} bytes, the most that is read.",
                "Give only the files that are compared, or keep only the columns that are.",
            )
        if too_dense:
            raise DataError.of(
                f"It unpacks to more than {MAX_RATIO} times its size, as no results do.",
                "Give the files as they are, not packed.",
            )


OnProgress = Callable[[str, float], bool]

OPENING = "opening"
CUTTING = "cutting"
RECOGNISING = "recognising"
READING = "reading"

# Where each stage begins and ends, as shares of the whole; measured on a long CSV file, so that a bar
# of progress moves roughly evenly.
_SHARES = {OPENING: (0.0, 0.1), CUTTING: (0.1, 0.5), RECOGNISING: (0.5, 0.6), READING: (0.6, 1.0)}


class ReadingStopped(Exception):
    """Reading was given up because `on_progress` said so."""


class Stages:
    """Tells a caller how far reading has come."""

    def __init__(self, on_progress: OnProgress | None = None) -> None:
        self._on_progress = on_progress
        self._done = 0.0

    def reached(self, stage: str, share: float = 0.0) -> None:
        """Say that a share of a stage is done; raise `ReadingStopped` if the caller wants no more."""
        if self._on_progress is None:
            return
        begin, end = _SHARES[stage]
        # Within one of several files nothing is known of the others.
        self._done = max(self._done, begin + share * (end - begin))
        if self._on_progress(stage, self._done) is False:
            raise ReadingStopped
