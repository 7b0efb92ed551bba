"""How numbers are written, and whether all systems' scores are on one scale.

Percent beside fractions compared as they stand would lose whatever the systems did,
so nothing is computed before someone has said that they are on one scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import Choice, Problem
from ...types import BoolArray, FloatArray, IntArray
from ..roles import DIVIDED, ONE_SCALE, Roles
from ..tables.headings import lower_is_better
from ..tables.number_column import NumberColumn
from ..words import listed, quoted
from .per_example import ExampleFindings

_WRITE_ALIKE = "Write every number of a column with '%', or none."


def notation_remarks(columns: Mapping[str, NumberColumn]) -> Iterator[str]:
    """Remarks on signs of percent, decimal commas and separators of thousands."""
    held = list(columns.values())
    percent = [bool(numbers.is_percent.any()) for numbers in held]
    if any(percent):
        yield percent_remark(mixed=not all(percent))
    if any(bool(numbers.is_comma.any()) for numbers in held):
        points = any(bool(((numbers.decimals > 0) & ~numbers.is_comma).any()) for numbers in held)
        grouped = any(bool(numbers.is_grouped.any()) for numbers in held)
        yield comma_remark(points=points, grouped=grouped)
    for name, numbers in columns.items():
        remark = numbers.grouping_remark(name)
        if remark is not None:
            yield remark


def percent_remark(*, mixed: bool) -> str:
    """On scores with a sign of percent, beside others without one where they are mixed."""
    return "Scores with '%' keep the number as printed" + (
        "; others have no '%' and are taken to be on the same scale." if mixed else "."
    )


def comma_remark(*, points: bool, grouped: bool) -> str:
    """On decimal commas, beside decimal points and separated thousands where there are such."""
    return (
        "Commas in numbers are read as decimal marks"
        + (", and so are points" if points else "")
        + ("." if not points or grouped else "; none is read as a separator of thousands.")
    )


def mixes_percent(numbers: NumberColumn, groups: IntArray | None = None) -> BoolArray:
    """The rows that have a sign of percent where most others have none, or the other way round.

    `groups` says of each row with which others it is on one scale; a 0 is the
    same on every scale.
    """
    wrong: BoolArray = np.zeros(numbers.coded.codes.size, dtype=np.bool_)
    if not numbers.is_percent.any():
        return wrong
    percent = numbers.is_percent[numbers.coded.codes]
    with np.errstate(invalid="ignore"):
        counts = np.isfinite(numbers.values) & (numbers.values != 0.0)
    of_row = np.zeros(wrong.size, dtype=np.intp) if groups is None else groups
    n_percent = np.bincount(of_row[counts & percent], minlength=int(of_row.max()) + 1)
    n_plain = np.bincount(of_row[counts & ~percent], minlength=int(of_row.max()) + 1)
    mixed = (n_percent > 0) & (n_plain > 0)
    odd = np.where((n_plain <= n_percent)[of_row], ~percent, percent)
    wrong = counts & mixed[of_row] & odd
    return wrong


def has_percent(numbers: NumberColumn, rows: IntArray) -> bool:
    """Whether a number of these rows has a sign of percent."""
    return bool(numbers.is_percent.any() and numbers.is_percent[numbers.coded.codes[rows]].any())


def percent_words(text: str) -> tuple[str, str]:
    """What is wrong with a cell that `mixes_percent`, and the remedy."""
    if "%" in text:
        return (
            f"{quoted(text)} has a sign of percent, others of the column have none.",
            _WRITE_ALIKE,
        )
    return f"{quoted(text)} has no sign of percent, others of the column have one.", _WRITE_ALIKE


# Beyond this a score is no fraction of 1, not by rounding nor by some metric's habit.
_PERCENT = 10.0
# Nor is a score beyond this percent, but for rates of errors, of which there may be more than words.
_WHOLE = 100.0
# So far apart on a single dataset are percent and fractions of systems of which neither is more
# than twice as good; 0.7 beside 12 may be two systems that are bad there, both in percent.
_A_HUNDREDFOLD = (50.0, 200.0)
# Of the words for scores of which lower is better, those of shares that are written either way.
# Losses, times and distances are not: 0.9 beside 12 is one scale.
_SHARES = frozenset(
    {"aer", "wer", "cer", "ter", "der", "per", "mer", "far", "frr", "wil", "error", "errors",
     "err", "errs", "mape", "hter", "eer", "fpr", "fnr", "ece", "toxicity", "hallucination",
     "hallucinations", "disagreement"}
)  # fmt: skip

_CANNOT = "percent beside fractions cannot be compared."
_REMEDY = "Bring the scores of all systems to one scale; if they are on one, say so."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Extents:
    """How far the scores of each system go.

    Attributes
    ----------
    datasets, systems : tuple of str
    lowest, highest : ndarray, shape (n_datasets, n_systems)
        NaN where there is no score.
    percent : ndarray of bool, shape (n_systems,)
        Whether they are written with a sign of percent.
    columns : tuple of str
        The column of each system's scores, where each has one for itself.
    """

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    lowest: FloatArray
    highest: FloatArray
    percent: BoolArray
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleFindings:
    """What is wrong with scales or, where they were said to be one, remarked; and the question."""

    problems: tuple[Problem, ...] = ()
    remarks: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()


def on_one_scale(roles: Roles) -> bool:
    """Whether someone said that the scores of all systems are on one scale."""
    return roles.get("scales") == ONE_SCALE


def scale_choice() -> Choice:
    """The question whether scores that lie far apart are on one scale."""
    return Choice(
        role="scales",
        question="Some scores go far beyond the others. Are all of them scores of systems, on one scale?",
        options=((ONE_SCALE, "Yes, compare them as they are"),),
    )


def check_scales(
    extents: Extents, roles: Roles, *, metric: str | None, of: str = "Scores"
) -> ScaleFindings:
    """Refuse scores of some systems in percent beside others in fractions of 1, unless told better.

    Parameters
    ----------
    extents : Extents
        How far they go.
    roles : mapping
        Roles, of which "scales" says that all are on one scale.
    metric : str or None
        What they are scores of: of losses and times no scale is doubted.
    of : str
        What they are called at the beginning of a sentence.
    """
    what = _apart(extents, of, metric)
    if what is None:
        remark = _units_remark(extents, of)
        return ScaleFindings(remarks=() if remark is None else (remark,))
    choice = scale_choice()
    if not on_one_scale(roles):
        problem = Problem(what=f"{what}: {_CANNOT}", remedy=_REMEDY, mended_by=("scales", DIVIDED))
        large = _columns_in_percent(extents)
        options = ((large, f"No, divide {listed(large)} by 100"),) if large else ()
        divide = replace(choice, role=DIVIDED, options=options)
        return ScaleFindings(problems=(problem,), choices=(divide, choice) if large else (choice,))
    return ScaleFindings(
        remarks=(f"{what}: they are compared, as chosen, as scores on one scale.",),
        choices=(choice,),
    )


def _columns_in_percent(extents: Extents) -> tuple[str, ...]:
    """The columns whose scores seem to be percent, where those of all others are fractions of 1."""
    if not extents.columns or not (np.fmin.reduce(extents.lowest, axis=None) >= 0.0):
        return ()
    top = np.fmax.reduce(extents.highest, axis=0)
    percent = (top > _PERCENT) & (top <= _WHOLE)
    if not (percent | (top <= 1.0)).all():
        return ()
    own = zip(extents.columns, percent.tolist(), strict=True)
    return tuple(dict.fromkeys(column for column, is_percent in own if is_percent))


def _apart(extents: Extents, of: str, metric: str | None) -> str | None:
    """What says that systems are on different scales; None where nothing does."""
    bottom = np.fmin.reduce(extents.lowest, axis=0)
    top = np.fmax.reduce(extents.highest, axis=0)
    # A 0 is the same on every scale.
    small = (bottom >= 0.0) & (top > 0.0) & (top <= 1.0) & ~extents.percent
    signed = extents.percent & (top > 0.0)
    if small.any() and signed.any():
        return (
            f"{of} of {_named(extents, signed)} are written with '%', those of "
            f"{_named(extents, small)} without it go only up to {top[small].max():.10g}"
        )
    word = lower_is_better((metric,)) if metric else None
    is_rate = word is not None and word.casefold() in _SHARES
    if word is not None and not is_rate:
        return None
    whole = np.inf if is_rate else _WHOLE
    large = (bottom >= 0.0) & (top > _PERCENT) & (top <= whole)
    if small.any() and large.any():
        return (
            f"{of} of {_named(extents, large)} go up to {top[large].max():,.10g}, those of "
            f"{_named(extents, small)} only to {top[small].max():.10g}"
        )
    return _apart_within(extents, of)


def _apart_within(extents: Extents, of: str) -> str | None:
    """The same of systems on single datasets, where no system has the same scale on all."""
    low, high = extents.lowest, extents.highest
    # What goes below 0 anywhere is neither percent nor a fraction.
    shares = np.fmin.reduce(low, axis=0) >= 0.0
    small = shares & (high > 0.0) & (high <= 1.0) & ~extents.percent
    large = shares & (high > _PERCENT) & (high <= _WHOLE)
    # The least of the large beside the greatest of the small: others lie further apart.
    least = np.where(large, high, np.inf).min(axis=1)
    most = np.where(small, high, 0.0).max(axis=1)
    held = small.any(axis=1) & large.any(axis=1)
    near, far = _A_HUNDREDFOLD
    odd = np.flatnonzero(held & (near * most <= least) & (least <= far * most))
    if not odd.size:
        return None
    first = int(odd[0])
    names = listed([extents.datasets[index] for index in odd.tolist()])
    return (
        f"{of} on {names} are apart by a factor of about 100: those of "
        f"{_named(extents, large[first])} go up to {high[first][large[first]].max():.10g}, those of "
        f"{_named(extents, small[first])} only to {most[first]:.10g}"
    )


def _units_remark(extents: Extents, of: str) -> str | None:
    """A remark where the scores on some datasets are all in percent, on others all in fractions."""
    bottom = np.fmin.reduce(extents.lowest, axis=1)
    top = np.fmax.reduce(extents.highest, axis=1)
    if (bottom < 0.0).any() or (top > 100.0).any():
        return None
    percent, fractions = top > _PERCENT, (top > 0.0) & (top <= 1.0)
    if not (percent.any() and fractions.any()):
        return None
    few = percent.sum() <= fractions.sum()
    shown, others = (percent, fractions) if few else (fractions, percent)
    names = [name for name, held in zip(extents.datasets, shown, strict=True) if held]
    only, only_others = ("", "only ") if few else ("only ", "")
    kind = "percent" if few else "fractions of 1"
    return (
        f"{of} on {listed(names)} go {only}up to {top[shown].max():.10g}, on most others "
        f"{only_others}to {top[others].max():.10g}: they seem to be {kind}. Tests within a dataset "
        "are not touched by this, means over datasets are."
    )


def _named(extents: Extents, held: Sequence[bool] | BoolArray) -> str:
    return listed([name for name, own in zip(extents.systems, held, strict=True) if own])


# At most one value in twenty is taken for an exception.
_EXCEPTIONS = 20


def remark_on_exceptions(
    found: ExampleFindings, systems: Sequence[str], values: FloatArray, rows: IntArray
) -> None:
    """A remark on a few values that are neither 0 nor 1 in a column that holds nothing else.

    `values` has a column for each system, and `rows` says where in the file each value stands.
    """
    for index, system in enumerate(systems):
        column = values[:, index]
        others = np.flatnonzero((column != 0.0) & (column != 1.0))
        if not 0 < others.size <= column.size // _EXCEPTIONS:
            continue
        count = "one value" if others.size == 1 else f"{others.size:,} values"
        places = rows[others, index]
        first = int(places.argmin())
        found.remarks.append(
            f"{quoted(system)} holds 0 and 1 but for {count}, the first "
            f"{column[others[first]]:.10g} on {found.place(int(places[first]))}: it is not read as right or wrong there."
        )


def find_scales(
    found: ExampleFindings,
    roles: Roles,
    systems: Sequence[str],
    values: FloatArray,
    ends: IntArray,
    *,
    metric: str,
    percent: BoolArray,
    of: str,
    columns: Sequence[str] = (),
) -> None:
    """A problem where some systems' scores seem to be percent beside others' fractions of 1.

    `values` has a column for each system, and `percent` says of which scores
    are written with its sign.
    """
    starts = np.r_[0, ends[:-1]]
    extents = Extents(
        datasets=found.groups.datasets,
        systems=tuple(systems),
        lowest=np.minimum.reduceat(values, starts, axis=0),
        highest=np.maximum.reduceat(values, starts, axis=0),
        percent=percent,
        columns=tuple(columns),
    )
    scales = check_scales(extents, roles, metric=metric, of=of)
    found.problems.extend(scales.problems)
    found.remarks.extend(scales.remarks)
    found.choices.extend(choice for choice in scales.choices if choice not in found.choices)
