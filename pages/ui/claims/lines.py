"""Claims as lines: read with every problem, typed in a field, with examples and papers to try."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.claims.claim import Claim
from core.claims.claim_words import Read
from core.claims.desk import (
    Example,
    RecordedClaims,
    check_names,
    examples,
    mended,
    reads_of_lines,
    sample_claims,
    samples_without_table,
)
from core.claims.printed_scores import MOST_EXAMPLES
from core.claims.vocabulary import NO_NAMES, TableNames
from core.data import PValueTable, ScoreTable
from core.errors import DataError, Problem, listed
from core.words.formatting import display_name, list_names
from pages.ui.frame import figures, prose, state
from pages.ui.intake import loading

# The label of the box with menus.
FORM = "Menus for claims and numbers"
_WHOLE = re.compile(r"[0-9]{1,9}|[0-9]{1,3}(?:[,  ][0-9]{3}){1,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLines:
    """Lines of claims: what could be read of them, by line, and every problem of the others.

    `mended` are those of the others that are claims in the nearest known words, or as several lines.
    """

    typed: str
    reads: Mapping[int, Read]
    problems: tuple[Problem, ...]
    mended: Mapping[int, str]

    @property
    def line_numbers(self) -> Mapping[Claim, tuple[int, ...]]:
        """Each claim once, with where it stands."""
        found: dict[Claim, tuple[int, ...]] = {}
        for number, read in self.reads.items():
            found[read.claim] = (*found.get(read.claim, ()), number)
        return found

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Each claim once."""
        return tuple(self.line_numbers)

    @property
    def n_unread(self) -> int:
        """How many lines are no claims."""
        return len({problem.line for problem in self.problems})

    def notes(self, systems: Sequence[str] = ()) -> dict[Claim, str]:
        """Where each claim stands, and what its lines leave out or was left aside, once where they agree."""
        found = {}
        for claim, numbers in self.line_numbers.items():
            said = {number: _note(self.reads[number], systems) for number in numbers}
            if len(set(said.values())) > 1:
                said = {number: f"Line {number}: {note}" for number, note in said.items() if note}
            parts = dict.fromkeys(said.values())
            if len(self.reads) > 1:
                at = list_names(list(map(str, numbers)), most=len(numbers))
                parts = {f"Line{'s' if len(numbers) > 1 else ''} {at}.": None, **parts}
            found[claim] = " ".join(filter(None, parts))
        return found


def _note(read: Read, systems: Sequence[str]) -> str:
    said = f"Read without {listed(read.passed_over)}." if read.passed_over else ""
    if read.is_assumed:
        system, other = map(display_name, systems[:: -1 if read.claim.better == "b" else 1])
        said += f" It names no system: read for {system}. End with “for {other}” if that is meant."
    return said.lstrip()


def read_lines(text: str, names: TableNames | None, columns: Sequence[str] = ()) -> ReadLines:
    """Read claims a line each; those that cannot be read do not keep back the others.

    Without a table, where `names` is None, only intervals can be judged; `columns` are those of
    p-values that claims may name.
    """
    known = () if names is None else tuple(names.datasets)
    reads: dict[int, Read] = {}
    problems: list[Problem] = []
    nearest: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            for read in reads_of_lines(line, NO_NAMES if names is None else names):
                if names is None and read.claim.kind != "interval":
                    raise DataError([_NEEDS_A_TABLE])
                check_names((read.claim,), known, tuple(columns))
                reads[number] = read
        except DataError as error:
            wrong = error.problems
            if names is None and not line.strip().lower().startswith("interval"):
                wrong = (_NEEDS_A_TABLE,)
            elif names is not None and (near := mended(line, names)) not in ("", line.strip()):
                nearest[number] = near
            for problem in wrong:
                # Where it was no claim, the form beneath is named.
                form = f" Or use “{FORM}” below." if names is not None and problem.line else ""
                problems.append(replace(problem, line=number, remedy=f"{problem.remedy}{form}"))
    return ReadLines(typed=text, reads=reads, problems=tuple(problems), mended=nearest)


def with_sizes(
    table: PValueTable | ScoreTable, text: str
) -> tuple[PValueTable | ScoreTable, tuple[Problem, ...]]:
    """A table with the numbers of examples that were typed, and every problem of these."""
    if not text.strip():
        return table, ()
    try:
        sizes: Any = read_sizes(text, table.datasets)
        return replace(table, n_examples=sizes), ()
    except DataError as error:
        return table, error.problems


def read_sizes(text: str, datasets: Sequence[str]) -> tuple[int, ...]:
    """Read numbers of examples: one for all, or a line ``name: n`` for each dataset.

    A `DataError` has every line that cannot be read and every dataset without a number.
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
        if not colon or n is None:
            what = f"This is no name with a whole number of examples up to {MOST_EXAMPLES:,}."
            remedy, name = _REMEDY_SIZES, ""
        elif name not in datasets:
            what = "The table does not have this dataset."
            remedy = "Write its name as the table does."
        elif found.setdefault(name, n) != n:
            what = f"It has two numbers of examples, {found[name]:,} and {n:,}."
            remedy = "Leave one of them."
        else:
            continue
        problems.append(Problem(what=what, remedy=remedy, line=number, dataset=name or None))
    if not problems and (without := [name for name in datasets if name not in found]):
        names = list_names(without, most=len(without))
        what = f"There is no number of examples for {names}."
        problems.append(Problem(what=what, remedy="Add a line with each name and its number."))
    if problems:
        raise DataError(problems)
    return tuple(found[dataset] for dataset in datasets)


_NEEDS_A_TABLE = Problem(
    what="Without a table only intervals can be checked.",
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


def examples_for(
    table: PValueTable | ScoreTable | None, systems: tuple[str, str] = ("A", "B")
) -> list[Example]:
    """Lines that could be typed about a table, in its own names."""
    if table is None:
        return examples(NO_NAMES)[-1:]
    names = TableNames(systems=systems, datasets=table.datasets)
    several = isinstance(table, PValueTable) and bool(table.further)
    return state.computed(examples, names, of_several=several)


def field(lines: str, examples: Sequence[Example]) -> None:
    """The lines as they are, to be changed."""
    key = _key()
    n_lines = len(lines.splitlines())
    st.text_area(
        "One claim per line",
        key=state.widget(key, lines),
        on_change=_take,
        args=(key,),
        height=min(280, max(110, 24 * (n_lines + 2))),
        placeholder="\n".join(example.line for example in examples[:2]),
    )


def fill(lines: str | None) -> None:
    """Put lines into the field; None for those recorded with a sample."""
    change(lines=lines)
    state.session().n_claims_filled += 1


def append(lines: str, *, before: str) -> None:
    """Put lines below those that are there."""
    # What was typed just now is newer than what the page was drawn with.
    typed = state.claims().lines
    kept = (before if typed is None else typed).rstrip()
    fill(f"{kept}\n{lines}" if kept else lines)


def put(number: int, line: str, *, before: str) -> None:
    """Write one line in place of another, the first of which is 1."""
    typed = state.claims().lines
    every = (before if typed is None else typed).splitlines()
    every[number - 1] = line
    fill("\n".join(every))


def change(**changes: object) -> None:
    """Change what is laid out."""
    state.session().claims = replace(state.claims(), **changes)  # type: ignore[arg-type]


def _key() -> str:
    # Where lines are filled in, the field is a new one: what a browser that has not yet
    # drawn them sends of the old field must not take their place.
    current = state.session()
    side = "swapped" if current.settings.swapped else "own"
    return state.of_file(f"claim-lines-{side}-{current.n_claims_filled}")


def _take(key: str) -> None:
    lines = state.value(key)
    # Of a table that was replaced in the same moment its field is gone.
    if lines is not None:
        change(lines=lines)


def written_so(examples: Sequence[Example]) -> None:
    """How a line is written, and what it says."""
    quiet = figures.theme().quiet
    rows = prose.listed(
        f"<code style='font-size:.9em'>{html.escape(line)}</code>: {html.escape(words)}"
        for line, words in examples
    )
    style = f"color:{quiet};font-size:.95rem"
    st.html(f"<div class='claim-examples' style='{style}'>Examples:{rows}</div>")


def sample_buttons(*, before: str = "") -> None:
    """One button a paper's table, and one for each set of claims without one, to go below those `before`."""
    loading.sample_buttons(lambda sample: bool(sample_claims(sample.key)))
    with st.container(horizontal=True):
        for found in samples_without_table():
            st.button(
                found.title,
                key=f"sample-{found.key}",
                help=found.description,
                on_click=_lay_out,
                args=(found, before),
            )


def source_of(lines: str) -> None:
    """Whose claims are laid out, where they are a paper's that need no table."""
    for found in samples_without_table():
        if found.lines in lines:
            prose.paragraph(f"{found.source}. {found.note}", quiet=True)


def _lay_out(found: RecordedClaims, before: str) -> None:
    if found.lines not in (state.claims().lines or before):
        append(found.lines, before=before)
