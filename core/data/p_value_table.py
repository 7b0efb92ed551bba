"""One p-value for each dataset, with what is known beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.data.digits import exact_differences, said_scores
from core.data.further_p_values import FurtherPValues
from core.data.provenance import Reading
from core.data.tables.numbers import UnreadableNumber, read_p_value
from core.types import ALTERNATIVES, EXCHANGED, Alternative, BoolArray, FloatArray, IntArray
from core.validation import check_choice, check_p_values

if TYPE_CHECKING:
    import pandas as pd

_OTHER_THAN_ZERO = re.compile(r"[<>=≤≥ ]*[0-9]*[.,]?[0-9]*[1-9][0-9]*")
_TUPLES = ("printed", "notes", "results", "printed_scores_a", "printed_scores_b")
_FIXED_COLUMNS = (
    "dataset",
    "difference",
    "p_value",
    "p_value_low",
    "p_value_high",
    "printed",
    "n_examples",
    "note",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PValueTable:
    """P-values of comparing the same two systems on N datasets.

    Attributes
    ----------
    datasets : tuple of str
        Their names, all different.
    p_values : ndarray, shape (N,)
        What verdicts use: as printed, and the upper end where a zero or a
        bound such as ``<0.001`` is printed.
    p_value_bounds : (ndarray, ndarray)
        What the printed digits allow: lowest and highest.
    alternative : {"greater", "less", "two-sided", "toward-higher-score", "not-stated"}
        What the p-values speak for; "greater" is for system A, "less" for B.
    printed : tuple of str
        Each p-value as the file has it, also after `swapped`.
    system_a, system_b : str
        Names of the systems.
    metric : str or None
        Name of the scores' metric.
    scores_a, scores_b : ndarray, shape (N,), or None
        nan where a score is missing, which only "greater" and "less" allow.
    printed_scores_a, printed_scores_b : tuple of str or None
        The digits as given, with '.' as decimal mark; '' where missing.
    higher_is_better : bool
        Whether a higher score is the better one.
    n_examples : ndarray of int, shape (N,), or None
        Size of each dataset.
    p_values_b : ndarray, shape (N,), or None
        P-values of "B better" from B's own tests, where they were run here;
        without them 1 − p has to do.
    results : tuple or None
        Results of the tests that made the p-values, where they were run here.
    notes : tuple of str
        What to know about each dataset's p-value, '' if nothing.
    complete : bool
        False if testing was stopped before every dataset was done.
    reading : Reading or None
        How the table came out of its file; `swapped` and `with_alternative`
        leave it as it was.
    further : tuple of FurtherPValues
        More p-values of each dataset, from other columns; nothing counts them
        but claims that name several.
    """

    datasets: tuple[str, ...]
    p_values: FloatArray
    p_value_bounds: tuple[FloatArray, FloatArray]
    alternative: Alternative
    printed: tuple[str, ...]
    system_a: str
    system_b: str
    metric: str | None = None
    scores_a: FloatArray | None = None
    scores_b: FloatArray | None = None
    printed_scores_a: tuple[str, ...] | None = None
    printed_scores_b: tuple[str, ...] | None = None
    higher_is_better: bool = True
    n_examples: IntArray | None = None
    p_values_b: FloatArray | None = None
    results: tuple[Any, ...] | None = None
    notes: tuple[str, ...] = ()
    complete: bool = True
    reading: Reading | None = None
    further: tuple[FurtherPValues, ...] = ()

    def __post_init__(self) -> None:
        check_choice(self.alternative, ALTERNATIVES, name="alternative")
        if self.system_a == self.system_b:
            raise ValueError(f"`system_a` and `system_b` must differ; both are {self.system_a!r}.")
        object.__setattr__(self, "datasets", _checked_names(self.datasets))
        object.__setattr__(self, "p_values", check_p_values(self.p_values))
        self._check_length("p_values", self.p_values.size)
        object.__setattr__(self, "p_value_bounds", self._checked_bounds())
        if self.p_values_b is not None:
            object.__setattr__(self, "p_values_b", self._checked_own_p_values())
        if not self.notes:
            object.__setattr__(self, "notes", ("",) * self.n_datasets)
        for name in _TUPLES:
            entries = getattr(self, name)
            if entries is not None:
                object.__setattr__(self, name, tuple(entries))
                self._check_length(name, len(getattr(self, name)))
        for name in ("scores_a", "scores_b"):
            object.__setattr__(self, name, self._checked_scores(name))
        for other in self.further:
            self._check_length("further", len(other.printed))
        self._check_direction()
        object.__setattr__(self, "n_examples", self._checked_sizes())

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor, so that a copy's arrays are read-only as well.
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return partial(PValueTable, **values), ()

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    @property
    def p_value_columns(self) -> tuple[str, ...]:
        """Headings of the p-values that are counted, and of the further ones."""
        own = self.reading.roles.get("p_value") if self.reading is not None else None
        return (str(own) if own else "p_value", *(other.name for other in self.further))

    @property
    def printed_zeros(self) -> BoolArray:
        """Where the p-value is printed as a zero; p-values of tests run here are not printed."""
        ours = self.results is not None
        zeros = np.array(
            [not ours and _is_printed_zero(text) for text in self.printed], dtype=np.bool_
        )
        zeros.flags.writeable = False
        return zeros

    @property
    def differences(self) -> FloatArray | None:
        """score(A) − score(B), turned so that higher is better; None without both scores.

        Formed from the printed digits in decimal arithmetic: 0.3 − 0.2 and
        0.2 − 0.1 are the same number. nan where a score is missing.
        """
        a = said_scores(self.scores_a, self.printed_scores_a)
        b = said_scores(self.scores_b, self.printed_scores_b)
        if a is None or b is None:
            return None
        ahead, behind = (a, b) if self.higher_is_better else (b, a)
        return _read_only(exact_differences(ahead, behind))

    @property
    def score_decimals(self) -> int:
        """Precision of the scores: the most decimals in either column."""
        printed = (*(self.printed_scores_a or ()), *(self.printed_scores_b or ()))
        return max((len(text.partition(".")[2]) for text in printed if _is_plain(text)), default=6)

    @property
    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, of what the file says.

        Datasets, systems, printed p-values, printed scores and sizes, in their
        order. What is declared about them does not count: `alternative`,
        `higher_is_better`, how zeros are read.
        """
        content: list[object] = [
            list(self.datasets),
            [self.system_a, self.system_b],
            list(self.printed),
            said_scores(self.scores_a, self.printed_scores_a),
            said_scores(self.scores_b, self.printed_scores_b),
            None if self.n_examples is None else self.n_examples.tolist(),
        ]
        if self.results is not None:
            # Numbers of our own are not printed: every digit counts.
            own_b = self.p_values_b
            content += [self.p_values.tolist(), None if own_b is None else own_b.tolist()]
        return sha256(json.dumps(content).encode()).hexdigest()

    def swapped(self) -> PValueTable:
        """The table with A and B exchanged.

        Printed p-values stay as they are: what was "greater" is then "less".
        Where B's own tests were run, their p-values come to the front.
        """
        exchanged = replace(
            self,
            system_a=self.system_b,
            system_b=self.system_a,
            scores_a=self.scores_b,
            scores_b=self.scores_a,
            printed_scores_a=self.printed_scores_b,
            printed_scores_b=self.printed_scores_a,
            p_values_b=None,
            alternative=EXCHANGED.get(self.alternative, self.alternative),
        )
        if self.p_values_b is None:
            return exchanged
        return replace(
            exchanged,
            alternative="greater",
            p_values=self.p_values_b,
            p_values_b=self.p_values,
            p_value_bounds=(self.p_values_b, self.p_values_b),
            printed=tuple(repr(float(p)) for p in self.p_values_b),
        )

    def without(self, names: Iterable[str]) -> PValueTable:
        """The table without these datasets.

        Raises
        ------
        ValueError
            If a name is not in the table, or none would be left.
        """
        left_out = {names} if isinstance(names, str) else set(names)
        unknown = [name for name in left_out if name not in self.datasets]
        if unknown:
            listed = ", ".join(repr(name) for name in sorted(map(str, unknown)))
            raise ValueError(f"`names` must be datasets of the table; got {listed}.")
        kept = [i for i, name in enumerate(self.datasets) if name not in left_out]
        if not kept:
            raise ValueError("`names` must leave at least one dataset; all would be left out.")
        per_dataset: dict[str, Any] = {}
        for name in ("datasets", *_TUPLES):
            entries = getattr(self, name)
            per_dataset[name] = None if entries is None else tuple(entries[i] for i in kept)
        for name in ("p_values", "p_values_b", "scores_a", "scores_b", "n_examples"):
            values = getattr(self, name)
            per_dataset[name] = None if values is None else values[kept]
        low, high = self.p_value_bounds
        per_dataset["p_value_bounds"] = (low[kept], high[kept])
        per_dataset["further"] = tuple(other.of(kept) for other in self.further)
        return replace(self, **per_dataset)

    def with_untested(self, datasets: Sequence[str]) -> PValueTable:
        """The table with a row for each of `datasets` that has none yet, its p-value 1.

        So a count over all datasets holds while tests are still running or
        were stopped, whenever that was: nothing is shown on what is untested.

        Raises
        ------
        ValueError
            If a dataset of the table is not among them.
        """
        known = {name: i for i, name in enumerate(self.datasets)}
        if not set(known) <= set(datasets):
            raise ValueError("`datasets` must hold every dataset of the table.")
        if len(known) == len(datasets):
            return self
        rows = [known.get(name) for name in datasets]

        def numbers(values: FloatArray, missing: float) -> FloatArray:
            return np.array([missing if i is None else values[i] for i in rows])

        def texts(values: tuple[str, ...], missing: str) -> tuple[str, ...]:
            return tuple(missing if i is None else values[i] for i in rows)

        low, high = self.p_value_bounds
        a, b, printed_a, printed_b = (
            self.scores_a,
            self.scores_b,
            self.printed_scores_a,
            self.printed_scores_b,
        )
        return replace(
            self,
            datasets=tuple(datasets),
            p_values=numbers(self.p_values, 1.0),
            p_values_b=None if self.p_values_b is None else numbers(self.p_values_b, 1.0),
            p_value_bounds=(numbers(low, 1.0), numbers(high, 1.0)),
            printed=texts(self.printed, ""),
            scores_a=None if a is None else numbers(a, np.nan),
            scores_b=None if b is None else numbers(b, np.nan),
            printed_scores_a=None if printed_a is None else texts(printed_a, ""),
            printed_scores_b=None if printed_b is None else texts(printed_b, ""),
            n_examples=None,
            results=(
                None
                if self.results is None
                else tuple(None if i is None else self.results[i] for i in rows)
            ),
            notes=texts(self.notes, "not tested"),
            complete=False,
            further=(),
        )

    def with_alternative(self, alternative: Alternative) -> PValueTable:
        """The same file under another declaration of what its p-values speak for.

        Raises
        ------
        ValueError
            If the alternative needs scores that are missing.
        """
        return replace(self, alternative=alternative)

    def to_frame(self) -> pd.DataFrame:
        """A row for each dataset: its scores, difference, p-value and notes.

        Columns that the table does not have are left out. A system that is
        named as another column is gets " (score)" after its name.
        """
        import pandas as pd

        low, high = self.p_value_bounds
        name_a, name_b = self._score_columns()
        columns: dict[str, object] = {
            "dataset": list(self.datasets),
            name_a: self.scores_a,
            name_b: self.scores_b,
            "difference": self.differences,
            "p_value": self.p_values,
            "p_value_low": low,
            "p_value_high": high,
            "printed": list(self.printed),
            "n_examples": self.n_examples,
            "note": list(self.notes),
        }
        return pd.DataFrame(
            {name: values for name, values in columns.items() if values is not None}
        )

    def _score_columns(self) -> tuple[str, str]:
        taken = set(_FIXED_COLUMNS)
        names = []
        for system in (self.system_a, self.system_b):
            name = system
            while name in taken:
                name += " (score)"
            taken.add(name)
            names.append(name)
        return names[0], names[1]

    def _check_length(self, name: str, length: int) -> None:
        if length != self.n_datasets:
            raise ValueError(
                f"`{name}` must hold one entry for each of {self.n_datasets} datasets; "
                f"got {length}."
            )

    def _checked_own_p_values(self) -> FloatArray:
        if self.alternative != "greater":
            raise ValueError(
                f"`p_values_b` must come with `alternative` 'greater'; got '{self.alternative}'."
            )
        values = check_p_values(self.p_values_b, name="p_values_b")  # type: ignore[arg-type]
        self._check_length("p_values_b", values.size)
        return values

    def _checked_bounds(self) -> tuple[FloatArray, FloatArray]:
        low, high = (check_p_values(end, name="p_value_bounds") for end in self.p_value_bounds)
        self._check_length("p_value_bounds", low.size)
        self._check_length("p_value_bounds", high.size)
        wrong = np.flatnonzero((low > self.p_values) | (self.p_values > high))
        if wrong.size:
            i = int(wrong[0])
            raise ValueError(
                f"`p_value_bounds` must enclose the p-values; got {float(self.p_values[i])!r} "
                f"outside [{float(low[i])!r}, {float(high[i])!r}] at index {i}."
            )
        return low, high

    def _checked_scores(self, name: str) -> FloatArray | None:
        given: FloatArray | None = getattr(self, name)
        if given is None:
            if getattr(self, f"printed_{name}") is not None:
                raise ValueError(f"`printed_{name}` must come with `{name}`.")
            return None
        scores = _read_only(given)
        self._check_length(name, scores.size)
        if np.isinf(scores).any():
            raise ValueError(f"`{name}` must be finite or nan; got an infinite score.")
        return scores

    def _check_direction(self) -> None:
        scores = (self.scores_a, self.scores_b)
        if self.alternative == "toward-higher-score" and any(s is None for s in scores):
            raise ValueError(
                "`alternative` 'toward-higher-score' needs the scores of both systems."
            )
        if self.alternative not in ("greater", "less") and any(
            s is not None and bool(np.isnan(s).any()) for s in scores
        ):
            raise ValueError(
                f"`alternative` '{self.alternative}' needs a score for every dataset; "
                "only 'greater' and 'less' do without."
            )

    def _checked_sizes(self) -> IntArray | None:
        if self.n_examples is None:
            return None
        sizes = np.array(self.n_examples, dtype=np.intp)
        self._check_length("n_examples", sizes.size)
        if (sizes < 1).any():
            raise ValueError(f"`n_examples` must be positive; got {int(sizes.min())}.")
        sizes.flags.writeable = False
        return sizes


def _checked_names(datasets: Iterable[str]) -> tuple[str, ...]:
    names = tuple(datasets)
    seen: set[str] = set()
    for name in names:
        if not name:
            raise ValueError("`datasets` must have names; got ''.")
        if name in seen:
            raise ValueError(f"`datasets` must all differ; got {name!r} twice.")
        seen.add(name)
    return names


def _read_only(values: npt.ArrayLike) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


def _is_plain(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).isdigit()


def _is_printed_zero(text: str) -> bool:
    # Most are seen to be no zero at a glance; reading each would take longer than all else.
    if _OTHER_THAN_ZERO.fullmatch(text):
        return False
    try:
        return read_p_value(text, decimal_comma=True).kind == "zero"
    except UnreadableNumber:
        return False
