"""One p-value for each dataset, with what is known beside it.

Scores are compared as digits: subtracting binary floats would break ties that are printed as ties.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from ..comparison import BETTER, COLUMN, comparison_named, margin_of_all
from ..shown import DataFrame, Shown, frame_of
from ..signature import bytes_of_numbers
from ..types import ALTERNATIVES, EXCHANGED, Alternative, BoolArray, FloatArray, IntArray, Rebuilt
from ..validation import check_choice, check_p_values, check_yes_or_no
from .roles import Reading
from .side_data import check_length, checked_names, checked_sizes, one_each, read_only
from .tables.numbers import printed_kind

# More than a cell can hold, so that every difference is exact.
_LONGEST = 300_000


def exact_differences(minuends: Sequence[str], subtrahends: Sequence[str]) -> list[float]:
    """Each difference of printed numbers, rounded to a float once; nan where one is ''."""
    with localcontext() as context:
        context.prec = _LONGEST
        return [
            float(Decimal(a) - Decimal(b)) if a and b else math.nan
            for a, b in zip(minuends, subtrahends, strict=True)
        ]


def checked_bounds(
    bounds: tuple[npt.ArrayLike, npt.ArrayLike], p_values: FloatArray, datasets: Sequence[str]
) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest that each p-value may be, read-only."""
    low, high = (check_p_values(end, name="p_value_bounds") for end in bounds)
    check_length("p_value_bounds", low.size, datasets)
    check_length("p_value_bounds", high.size, datasets)
    wrong = np.flatnonzero((low > p_values) | (p_values > high))
    if wrong.size:
        i = int(wrong[0])
        raise ValueError(
            f"`p_value_bounds` must enclose the p-values; got {float(p_values[i])!r} "
            f"outside [{float(low[i])!r}, {float(high[i])!r}] at index {i}."
        )
    return low, high


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FurtherPValues(Rebuilt):
    """One more p-value for each dataset: of another metric or another test.

    Its parts are as those of `PValueTable`; `name` is the heading of its column.
    """

    name: str
    p_values: FloatArray
    p_value_bounds: tuple[FloatArray, FloatArray]
    printed: tuple[str, ...]

    def __post_init__(self) -> None:
        p_values = check_p_values(self.p_values)
        check_length("p_values", p_values.size, self.printed)
        object.__setattr__(self, "p_values", p_values)
        bounds = checked_bounds(self.p_value_bounds, p_values, self.printed)
        object.__setattr__(self, "p_value_bounds", bounds)

    def of(self, rows: Sequence[int]) -> FurtherPValues:
        """The same of some of the datasets."""
        kept = np.array(rows, dtype=np.intp)
        low, high = self.p_value_bounds
        return replace(
            self,
            p_values=self.p_values[kept],
            p_value_bounds=(low[kept], high[kept]),
            printed=tuple(self.printed[i] for i in rows),
        )


_TUPLES = ("printed", "notes", "results", "printed_scores_a", "printed_scores_b")
# What stands in each part for a dataset that is not tested yet.
_UNTESTED = {
    "p_values": 1.0,
    "p_values_b": 1.0,
    "scores_a": np.nan,
    "scores_b": np.nan,
    "printed": "",
    "printed_scores_a": "",
    "printed_scores_b": "",
    "notes": "not tested",
    "results": None,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PValueTable(Shown, Rebuilt):
    """P-values of comparing the same two systems on N datasets.

    Attributes
    ----------
    datasets : tuple of str
        Their names, all different.
    p_values : ndarray, shape (N,)
        What verdicts use: as printed, and the upper end where a zero or a
        bound such as ``<0.001`` is printed; 1 where only a lower end is, or none.
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
    has_spreads : bool
        Whether some score has a spread behind it, as in 91.2 ± 0.3.
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
        How the table came out of its file; `swapped` leaves it as it was.
    exchanged : bool
        Whether A and B have changed places since `results` were made.
    further : tuple of FurtherPValues
        More p-values of each dataset, from other columns; nothing counts them
        but claims that name several.
    claim : str
        What a small p-value speaks for: one of `comparison.COMPARISONS`, at a
        margin only of tests that were run here.
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
    has_spreads: bool = False
    higher_is_better: bool = True
    n_examples: IntArray | None = None
    p_values_b: FloatArray | None = None
    results: tuple[Any, ...] | None = None
    notes: tuple[str, ...] = ()
    complete: bool = True
    reading: Reading | None = None
    exchanged: bool = False
    further: tuple[FurtherPValues, ...] = ()
    claim: str = BETTER

    def __post_init__(self) -> None:
        comparison_named(self.claim)
        if self.claim != BETTER and self.results is None:
            raise ValueError(
                "`claim` must be 'better' of printed p-values, as no margin can be put into them; "
                f"got {self.claim!r}."
            )
        check_choice(self.alternative, ALTERNATIVES, name="alternative")
        check_yes_or_no(self.higher_is_better, name="higher_is_better")
        if self.system_a == self.system_b:
            raise ValueError(f"`system_a` and `system_b` must differ; both are {self.system_a!r}.")
        datasets = checked_names(self.datasets, name="datasets")
        self._set("datasets", datasets)
        self._set("p_values", check_p_values(self.p_values))
        check_length("p_values", self.p_values.size, datasets)
        self._set("p_value_bounds", checked_bounds(self.p_value_bounds, self.p_values, datasets))
        if self.p_values_b is not None:
            if self.alternative != "greater":
                raise ValueError(
                    f"`p_values_b` must come with `alternative` 'greater'; got '{self.alternative}'."
                )
            self._set("p_values_b", check_p_values(self.p_values_b, name="p_values_b"))
            check_length("p_values_b", self.p_values_b.size, datasets)
        if not self.notes:
            self._set("notes", ("",) * len(datasets))
        for name in _TUPLES:
            entries = getattr(self, name)
            if entries is not None:
                self._set(name, tuple(entries))
                check_length(name, len(getattr(self, name)), datasets)
        for name in ("scores_a", "scores_b"):
            self._check_scores(name)
        for other in self.further:
            check_length("further", len(other.printed), datasets)
        self._set("n_examples", checked_sizes(self.n_examples, datasets))

    def _check_scores(self, name: str) -> None:
        """One system's scores are numbers, and all that the declared direction needs."""
        given, alternative = getattr(self, name), self.alternative
        if given is None:
            if getattr(self, f"printed_{name}") is not None:
                raise ValueError(f"`printed_{name}` must come with `{name}`.")
            if alternative == "toward-higher-score":
                raise ValueError(
                    "`alternative` 'toward-higher-score' needs the scores of both systems."
                )
            return
        scores = one_each(name, given, self.datasets)
        if np.isinf(scores).any():
            raise ValueError(f"`{name}` must be finite or nan; got an infinite score.")
        if alternative not in ("greater", "less") and np.isnan(scores).any():
            raise ValueError(
                f"`alternative` '{alternative}' needs a score for every dataset; "
                "only 'greater' and 'less' do without."
            )
        self._set(name, scores)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    def scores(self, system: str) -> FloatArray:
        """One system's scores, shape (N,), nan where one is missing.

        Raises ValueError if there is no such system, or the table has not both systems' scores.
        """
        check_choice(system, (self.system_a, self.system_b), name="system")
        if self.scores_a is None or self.scores_b is None:
            raise ValueError("The table must have both systems' scores; it has p-values alone.")
        return self.scores_a if system == self.system_a else self.scores_b

    @property
    def p_value_columns(self) -> tuple[str, ...]:
        """Headings of the p-values that are counted, and of the further ones."""
        own = self.reading.roles.get("p_value") if self.reading is not None else None
        return (str(own) if own else "p_value", *(other.name for other in self.further))

    @property
    def printed_zeros(self) -> BoolArray:
        """Where the p-value is printed as a zero; p-values of tests run here are not printed."""
        return self._printed_as("zero")

    def has_lost_zeros(self, alpha: float) -> bool:
        """Whether what printed zeros are read as lies above a level, so that they are no evidence."""
        chosen = self.printed_zeros
        return bool(chosen.any() and self.p_value_bounds[1][chosen][0] > alpha)

    @property
    def printed_lower_ends(self) -> BoolArray:
        """Where the file says no more of p than what it lies above, as ``n.s.`` and ``>.05`` do.

        Of a row without a p-value, such as one printed as 1.2, it says nothing at all.
        """
        return self.no_p_values | self._printed_as("above")

    @property
    def no_p_values(self) -> BoolArray:
        """Where the file has no p-value, or prints a number outside 0 to 1, and 1 is counted."""
        missing: BoolArray = self._printed_as("none") & (self.p_values == 1.0)
        return missing

    def _printed_as(self, kind: str) -> BoolArray:
        ours = self.results is not None
        return np.array([not ours and printed_kind(text) == kind for text in self.printed])

    def printed_scores(self, system: str) -> tuple[str, ...] | None:
        """One system's scores as printed, or the shortest digits that give the floats; '' where missing."""
        is_a = system == self.system_a
        scores = self.scores_a if is_a else self.scores_b
        printed = self.printed_scores_a if is_a else self.printed_scores_b
        if scores is None or printed is not None:
            return printed
        return tuple("" if math.isnan(score) else repr(score) for score in scores.tolist())

    @property
    def differences(self) -> FloatArray | None:
        """score(A) − score(B), turned so that higher is better; None without both scores.

        Formed from the printed digits in decimal arithmetic: 0.3 − 0.2 and
        0.2 − 0.1 are the same number. nan where a score is missing.
        """
        a, b = map(self.printed_scores, (self.system_a, self.system_b))
        if a is None or b is None:
            return None
        ahead, behind = (a, b) if self.higher_is_better else (b, a)
        return read_only(exact_differences(ahead, behind))

    @property
    def p_values_two_sided(self) -> FloatArray | None:
        """The tests' own two-sided p-values, shape (N,); None where no tests were run here.

        1 where there is nothing to count: on a dataset not tested yet, and where a
        bootstrap's p-value is out of its reach. A claim at a margin has none.
        """
        if self.results is None or comparison_named(self.claim).takes_margin:
            return None
        counted = [
            1.0
            if result is None or result.is_out_of_reach("two-sided")
            else result.p_value_two_sided
            for result in self.results
        ]
        return read_only(np.array(counted, dtype=np.float64))

    @property
    def margins(self) -> FloatArray:
        """Each dataset's margin of the claim, in the metric's units; nan where none was tested."""
        results = self.results or ()
        of_results = [math.nan if result is None else result.margin for result in results]
        return read_only(of_results or np.zeros(self.n_datasets))

    @property
    def score_decimals(self) -> int:
        """Precision of the scores: the most decimals in either column."""
        printed = (*(self.printed_scores_a or ()), *(self.printed_scores_b or ()))
        return max((len(text.partition(".")[2]) for text in printed if _is_plain(text)), default=6)

    @property
    def fingerprint(self) -> str:
        """SHA-256, in hexadecimal, of what the file says.

        Datasets, systems, printed p-values, printed scores and sizes, in their
        order; of p-values and scores computed here their first nine digits. What is declared about them does not count: `alternative`,
        `higher_is_better`, how zeros are read.
        """
        ours = self.results is not None
        content: list[object] = [
            list(self.datasets),
            [self.system_a, self.system_b],
            [] if ours else list(self.printed),
            *([] if ours else self.printed_scores(name) for name in (self.system_a, self.system_b)),
            None if self.n_examples is None else self.n_examples.tolist(),
        ]
        if ours:
            computed = (self.p_values, self.p_values_b, self.scores_a, self.scores_b)
            content += [bytes_of_numbers(numbers).decode() for numbers in computed]
        if self.claim != BETTER:
            one = margin_of_all(self.margins.tolist())
            content += [self.claim, self.margins.tolist() if one == COLUMN else one]
        return sha256(json.dumps(content).encode()).hexdigest()

    def swapped(self) -> PValueTable:
        """The table with A and B exchanged.

        Printed p-values stay as they are: what was "greater" is then "less".
        Where B's own tests were run, their p-values come to the front.
        """
        sides = {
            f"{part}_{one}": getattr(self, f"{part}_{other}")
            for part in ("system", "scores", "printed_scores")
            for one, other in ("ab", "ba")
        }
        exchanged = replace(
            self,
            **sides,
            p_values_b=None,
            exchanged=not self.exchanged,
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
        given = [names] if isinstance(names, str) else names
        left_out = {check_choice(name, self.datasets, name="names") for name in given}
        kept = [i for i, name in enumerate(self.datasets) if name not in left_out]
        if not kept:
            raise ValueError("`names` must leave at least one dataset; all would be left out.")
        return replace(
            self,
            **self._of_rows(kept),
            datasets=tuple(self.datasets[i] for i in kept),
            n_examples=None if self.n_examples is None else self.n_examples[kept],
            further=tuple(other.of(kept) for other in self.further),
        )

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
        return replace(
            self,
            **self._of_rows([known.get(name) for name in datasets]),
            datasets=tuple(datasets),
            n_examples=None,
            complete=False,
            further=(),
        )

    def _of_rows(self, rows: Sequence[int | None]) -> dict[str, Any]:
        """What is known of these datasets; nothing is shown on one that is None."""

        def taken(values: Any, untested: object) -> list[Any]:
            return [untested if i is None else values[i] for i in rows]

        of_rows: dict[str, Any] = {
            name: taken(getattr(self, name), untested)
            for name, untested in _UNTESTED.items()
            if getattr(self, name) is not None
        }
        low, high = self.p_value_bounds
        of_rows["p_value_bounds"] = (taken(low, 1.0), taken(high, 1.0))
        return of_rows

    def to_frame(self) -> DataFrame:
        """A row for each dataset: its scores, difference, p-value and notes.

        Columns that the table does not have are left out. A system that is
        named as another column is gets " (score)" after its name.
        """
        low, high = self.p_value_bounds
        others: dict[str, object] = {
            "dataset": list(self.datasets),
            "difference": self.differences,
            "margin": None if self.claim == BETTER else self.margins,
            "p_value": self.p_values,
            "p_value_low": low,
            "p_value_high": high,
            "printed": list(self.printed),
            "n_examples": self.n_examples,
            "note": list(self.notes),
        }
        columns: dict[str, object] = {"dataset": others.pop("dataset")}
        for name, scores in ((self.system_a, self.scores_a), (self.system_b, self.scores_b)):
            while name in others or name in columns:
                name += " (score)"
            columns[name] = scores
        held = {name: own for name, own in (columns | others).items() if own is not None}
        return frame_of(held)


def _is_plain(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).isdigit()
