"""What was claimed and assumed on the page that checks claims, as data: read, written, exchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.claims.claim import Claim
from core.claims.desk import (
    LONGEST_TEXT,
    METRICS,
    ClaimDesk,
    check_names,
    exchanged,
    may_be_typed,
    parse_claims,
)
from core.claims.printed_scores import MOST_EXAMPLES
from core.errors import DataError, Problem

__all__ = [
    "FORM",
    "LONGEST_TEXT",
    "METRICS",
    "MOST_CLAIMS",
    "ClaimDesk",
    "ReadLines",
    "desk_of",
    "exchanged",
    "read_lines",
    "read_sizes",
]

MOST_CLAIMS = 50
# The label of the box with menus.
FORM = "Menus for claims and numbers"
_WHOLE = re.compile(r"[0-9]{1,9}|[0-9]{1,3}(?:[,  ][0-9]{3}){1,2}")


def desk_of(parameters: Mapping[str, str], refuse: Callable[[str, str, str], None]) -> ClaimDesk:
    """Read what an address carries; `refuse` is told what is not understood and what was expected."""
    texts = {"claims": parameters.get("claims", ""), "sizes": parameters.get("sizes", "")}
    for name, text in texts.items():
        if len(text) > LONGEST_TEXT or not all(map(may_be_typed, text)):
            refuse(name, text[:80], f"lines of text, together at most {LONGEST_TEXT:,} characters")
            texts[name] = ""
    metric = None
    if "scores" in parameters:
        metric = next((known for known in METRICS if known == parameters["scores"]), None)
        if metric is None:
            refuse("scores", parameters["scores"][:80], f"one of {', '.join(METRICS)}")
    return ClaimDesk(lines=texts["claims"] or None, metric=metric, sizes=texts["sizes"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLines:
    """Claims that could be read with the lines they stand on, and every problem of the others."""

    claims: tuple[Claim, ...]
    line_numbers: tuple[int, ...]
    problems: tuple[Problem, ...]
    n_unread: int


def read_lines(
    text: str,
    datasets: Sequence[str] | None,
    columns: Sequence[str] = (),
    systems: Sequence[str] = (),
    others: Sequence[str] = (),
) -> ReadLines:
    """Read claims a line each; those that cannot be read do not keep back the others.

    Parameters
    ----------
    text : str
        As typed.
    datasets, columns : sequence of str
        Datasets and columns of p-values that claims may name; without a table, None,
        only intervals can be judged.
    systems, others : sequence of str
        Names of A and B, which claims may name as well, and of the table's other systems.
    """
    known, own_columns = tuple(datasets or ()), tuple(columns)
    claims: list[Claim] = []
    numbers: list[int] = []
    problems: list[Problem] = []
    n_unread = 0
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            found = _parsed(line, known, systems, others, by_form=datasets is not None)
            if datasets is None and any(claim.kind != "interval" for claim in found):
                raise DataError([_NEEDS_A_TABLE])
            check_names(found, known, own_columns)
        except DataError as error:
            problems += [replace(problem, line=number) for problem in error.problems]
            n_unread += 1
            continue
        if found and len(claims) == MOST_CLAIMS:
            problems.append(_one_too_many(number))
            n_unread += 1
            continue
        claims += found
        numbers += [number for _ in found]
    return ReadLines(
        claims=tuple(claims),
        line_numbers=tuple(numbers),
        problems=tuple(problems),
        n_unread=n_unread,
    )


def _parsed(
    line: str,
    datasets: Sequence[str],
    systems: Sequence[str],
    others: Sequence[str],
    *,
    by_form: bool,
) -> tuple[Claim, ...]:
    """Read a line; where it is none, the form beneath is named, if there is one."""
    try:
        return parse_claims(line, systems=systems, datasets=datasets, others=others)
    except DataError as error:
        if not by_form:
            raise
        raise DataError(
            [replace(p, remedy=f"{p.remedy} Or use “{FORM}” below.") for p in error.problems]
        ) from error


def read_sizes(text: str, datasets: Sequence[str]) -> tuple[int, ...]:
    """Read numbers of examples: one for all, or a line ``name: n`` for each dataset.

    Raises
    ------
    DataError
        With every line that cannot be read and every dataset without a number.
    """
    lines = [(i, line.strip()) for i, line in enumerate(text.splitlines(), start=1)]
    lines = [(i, line) for i, line in lines if line]
    if len(lines) == 1 and (one := _whole(lines[0][1])) is not None:
        return (one,) * len(datasets)
    problems: list[Problem] = []
    found: dict[str, int] = {}
    for number, line in lines:
        name, colon, n_text = line.rpartition(":")
        name, n = name.strip(), _whole(n_text.strip())
        if colon and _is_too_large(n_text.strip()):
            what = f"{n_text.strip()} is too large: at most {MOST_EXAMPLES:,} examples are checked."
            problems.append(Problem(what=what, remedy=_REMEDY_SIZES, line=number))
        elif not colon and _is_too_large(line):
            what = f"{line} is too large: at most {MOST_EXAMPLES:,} examples are checked."
            problems.append(Problem(what=what, remedy=_REMEDY_SIZES, line=number))
        elif not colon or n is None:
            what = "This is no name with a whole number of examples."
            problems.append(Problem(what=what, remedy=_REMEDY_SIZES, line=number))
        elif name not in datasets:
            what = "The table does not have this dataset."
            remedy = "Write its name as the table does."
            problems.append(Problem(what=what, remedy=remedy, line=number, dataset=name))
        elif found.setdefault(name, n) != n:
            what = f"It has two numbers of examples, {found[name]:,} and {n:,}."
            remedy = "Leave one of them."
            problems.append(Problem(what=what, remedy=remedy, line=number, dataset=name))
    if not problems:
        problems = [
            Problem(
                what="There is no number of examples.",
                remedy="Add a line with its name and number.",
                dataset=dataset,
            )
            for dataset in datasets
            if dataset not in found
        ]
    if problems:
        raise DataError(problems)
    return tuple(found[dataset] for dataset in datasets)


_NEEDS_A_TABLE = Problem(
    what="This claim is about a table, and none is loaded.",
    remedy="Load the table, or state an interval: interval 3.9 to 5.2 about 4.6 at .05.",
)
_REMEDY_SIZES = (
    f"Write one number from 1 to {MOST_EXAMPLES:,} for all datasets, or a line such as “SST-2: 872” "
    "for each."
)


def _whole(text: str) -> int | None:
    if not _WHOLE.fullmatch(text):
        return None
    n = int(re.sub("[^0-9]", "", text))
    return n if 1 <= n <= MOST_EXAMPLES else None


def _is_too_large(text: str) -> bool:
    return (
        bool(re.fullmatch(r"[0-9][0-9, ]*", text))
        and int(re.sub("[^0-9]", "", text)) > MOST_EXAMPLES
    )


def _one_too_many(number: int) -> Problem:
    return Problem(
        what=f"This is one claim more than the {MOST_CLAIMS} that are checked at once.",
        remedy="Remove some, and check them in a second round.",
        line=number,
    )
