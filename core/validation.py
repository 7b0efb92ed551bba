"""Checks of arguments, each with a message that says what came; levels, as typed and as compared with."""

import numbers
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from reprlib import repr as repr_in_short
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from .types import BoolArray, FloatArray, frozen

Choice = TypeVar("Choice", bound=str)


class Named(Protocol):
    """A record of a table of choices."""

    @property
    def name(self) -> str:
        """As functions take it."""


Record = TypeVar("Record", bound=Named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Titled:
    """A record of a table of choices, by its name in calls, links and files, with its title."""

    name: str
    title: str


# A number as it is typed, with a decimal point or comma. "1,000" may be a thousand or one, and is none.
WRITTEN_NUMBER = r"(?![1-9][0-9]{0,2},[0-9]{3}(?![0-9]))(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)"
# A level as people write it: .05, 0.05, 0,05, 5%, 1e-3.
WRITTEN_LEVEL = WRITTEN_NUMBER + r"(?:e[-+]?[0-9]{1,3})?(?:\s*%)?"
# The levels that may be typed for an analysis: a page offers no others.
SMALLEST_ALPHA, LARGEST_ALPHA = 0.0001, 0.5
# Far above the rounding of the few operations behind an adjusted p-value (about
# 1e-15), far below any digit that a p-value is printed or decided with.
RELATIVE_TOLERANCE = 2.0**-40


def check_alpha(alpha: float) -> float:
    """Return `alpha` as a float that lies strictly between 0 and 1."""
    return check_open_share(alpha, name="alpha")


def check_open_share(value: float, *, name: str) -> float:
    """Return a share such as a level or a power as a float strictly between 0 and 1."""
    try:
        share = float(value)
    except (TypeError, ValueError):
        share = float("nan")
    if not 0.0 < share < 1.0:
        raise ValueError(f"`{name}` must lie strictly between 0 and 1; got {value!r}.")
    return share


class HeldAgainst:
    """A frozen result with p-values that can be held against another level without a new run."""

    __slots__ = ()

    alpha: float

    def at_level(self, alpha: float) -> Self:
        """The same with another level, strictly between 0 and 1."""
        return replace(self, alpha=check_alpha(alpha))  # type: ignore[type-var]


def read_level(text: str) -> float | None:
    """Read a level as it is typed; None where that is no number strictly between 0 and 1.

    Examples
    --------
    >>> read_level("5%") == read_level("0,05") == 0.05
    True
    """
    typed = text.strip()
    if re.fullmatch(WRITTEN_LEVEL, typed, re.IGNORECASE) is None:
        return None
    number = Decimal(typed.rstrip("% \t").replace(",", "."))
    # As a decimal, since .7% divided as a float is not .007 but a float beside it.
    level = float(number / 100 if typed.endswith("%") else number)
    return level if 0.0 < level < 1.0 else None


def read_alpha(text: str) -> float | None:
    """Read the level of an analysis; None where it is none or out of the range that is offered."""
    alpha = read_level(text)
    return alpha if alpha is not None and SMALLEST_ALPHA <= alpha <= LARGEST_ALPHA else None


def at_most(p_values: FloatArray, level: float) -> BoolArray:
    """Whether each p-value is at most `level`, a tie counting as at most.

    The one comparison of a p-value with a level, and of a level with a p-value's threshold.
    Counting and identification both decide by it, so that the Bonferroni count equals the
    number of Holm rejections whatever the rounding of floats: for N = 11, 22 or 44 and
    alpha = .05, N * (alpha / N) exceeds alpha in floats.
    """
    return p_values <= level * (1.0 + RELATIVE_TOLERANCE)


def is_at_most(p_value: float, level: float) -> bool:
    """The same of a single p-value."""
    return bool(at_most(np.array(p_value), level))


def floats_of(
    given: npt.ArrayLike, *, name: str, must: str = "be a list of numbers", of: str = "datasets"
) -> FloatArray:
    """Return numbers as floats, whatever their shape; floats are not copied.

    Masked and complex ones are refused: `must` is what a message says, `of` what entries are of.
    """
    if np.ma.is_masked(given):
        raise ValueError(f"`{name}` must have no masked entries: leave those {of} out.")
    try:
        # A copy to floats would drop the imaginary parts.
        if not np.iscomplexobj(given):
            return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        pass
    raise ValueError(f"`{name}` must {must}; got {repr_in_short(given)}.")


def check_same_order(**given: Any) -> None:
    """Check that arguments whose entries are paired by position have their labels in one order.

    Only pandas objects have labels. Two that share none are rows of one frame, A's and B's, whose
    order is the only thing they have in common; two that share some must share all.
    """
    # The index of a pandas object; lists and tuples have a method of that name.
    labelled = {
        name: value.index
        for name, value in given.items()
        if hasattr(getattr(value, "index", None), "equals")
    }
    for (name, one), (other, two) in combinations(labelled.items(), 2):
        if not one.equals(two) and not set(one).isdisjoint(two):
            raise ValueError(
                f"`{name}` and `{other}` must have the same index in the same order, as entries "
                f"are paired by position. Align them, as by `{other}.reindex({name}.index)`, or "
                "pass both as arrays (`.to_numpy()`) if their rows do belong together."
            )


def is_missing(entry: object) -> bool:
    """Whether an entry is None, nan or another value of a missing one, such as pandas' NA."""
    try:
        # Only nan differs from itself.
        return entry is None or bool(entry != entry)
    except TypeError:
        # NA neither equals anything nor differs from it.
        return True


def check_numbers(
    given: npt.ArrayLike,
    *,
    name: str,
    must: str,
    holds: Callable[[FloatArray], BoolArray],
    one: str = "entry",
    why: str = "",
) -> FloatArray:
    """Return numbers as a read-only copy, shape (N,) with N >= 1, of each of which something holds.

    `must` and `why` are what a message says of those of which it does not, `one` what an entry is.
    """
    # A copy, in which no zero is negative.
    values = floats_of(given, name=name) + 0.0
    if values.ndim != 1:
        raise ValueError(f"`{name}` must be one-dimensional; got {values.ndim} dimensions.")
    if values.size == 0:
        raise ValueError(f"`{name}` must hold at least one {one}; got none.")
    wrong = np.flatnonzero(~holds(values))
    if wrong.size:
        shown = ", ".join(f"{float(values[i])!r} at index {i}" for i in wrong[:5])
        more = f" and {wrong.size - 5} more" if wrong.size > 5 else ""
        raise ValueError(f"`{name}` must {must}; got {shown}{more}.{why}")
    return frozen(values)


def check_p_values(p_values: npt.ArrayLike, *, name: str = "p_values") -> FloatArray:
    """Return p-values as a read-only copy, shape (N,) with N >= 1."""
    return check_numbers(
        p_values,
        name=name,
        must="lie between 0 and 1",
        holds=lambda values: (values >= 0.0) & (values <= 1.0),
        one="p-value",
    )


def check_two_systems(a: str, b: str, systems: Sequence[str]) -> None:
    """Check that `a` and `b` are two of `systems`."""
    check_choice(a, systems, name="a")
    check_choice(b, systems, name="b")
    if a == b:
        raise ValueError(f"`a` and `b` must be different systems; both are {a!r}.")


def check_yes_or_no(value: object, *, name: str) -> bool:
    """Return `value` if it is True or False: "no" and a mapping would count as True."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"`{name}` must be True or False; got {value!r}.")
    return bool(value)


def check_whole(value: object, *, name: str, least: int, most: int | None = None) -> int:
    """Return `value` if it is a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise ValueError(f"`{name}` must be a whole number; got {value!r}.")
    whole = int(value)
    if whole < least or (most is not None and whole > most):
        span = f"be at least {least}" if most is None else f"lie between {least} and {most:,}"
        raise ValueError(f"`{name}` must {span}; got {value!r}.")
    return whole


def check_choice(value: Choice, choices: Sequence[Choice], *, name: str) -> Choice:
    """Return `value` if it is one of `choices`."""
    if value not in choices:
        raise _no_such(value, choices, name)
    return value


def _no_such(value: object, choices: Sequence[object], name: str) -> ValueError:
    listed = ", ".join(f"'{choice}'" for choice in choices)
    return ValueError(f"`{name}` must be one of {listed}; got {value!r}.")


def record_named(records: Iterable[Record], name: str, *, argument: str) -> Record:
    """Return the record of this name, or raise a ValueError that names all that there are."""
    for each in records:
        if each.name == name:
            return each
    raise _no_such(name, names_of(records), argument)


def names_of(records: Iterable[Named]) -> tuple[str, ...]:
    """The records' names, in the order in which they are offered."""
    return tuple(each.name for each in records)


class Records(Generic[Record]):
    """A table of choices in the order in which they are offered; `argument` is one's name in calls."""

    def __init__(self, *records: Record, argument: str) -> None:
        self.records = records
        self._argument = argument

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def named(self, name: str) -> Record:
        """As `record_named`."""
        return record_named(self.records, name, argument=self._argument)

    def names(self) -> tuple[str, ...]:
        """As `names_of`."""
        return names_of(self.records)
