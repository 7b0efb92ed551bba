"""Which of several annotated files is the gold one: by its name, else as is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from core.data.tools.gold_files import Placement, place
from core.data.tools.gold_words import named_as_gold, plainly_gold
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem

# The role "filter" names the gold file so,
GOLD_FILE = "gold:"
# or says so of several,
_NAMED, _PLAIN = "gold-by-name", "gold-by-plain-name"
# or of none, where each file has the gold itself.
IN_COLUMN = "gold-in-column"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledGold:
    """The positions of gold files and of the others.

    Attributes
    ----------
    gold, systems : tuple of int
        Positions.
    answer : str
        The value of the role "filter" that says so.
    choice : Choice
        The question that it answers.
    is_said : bool
        Whether it was said, and not told by names.
    """

    gold: tuple[int, ...]
    systems: tuple[int, ...]
    answer: str
    choice: Choice
    is_said: bool


def settle_gold(
    paths: Sequence[str],
    said: object,
    *,
    kind: str,
    gold: str = "gold standard",
    word: str = "gold",
    in_column: bool = False,
) -> SettledGold:
    """Tell gold files from those of systems: as is said, else by names that say it plainly.

    Parameters
    ----------
    paths : sequence of str
        The names, with folders.
    said : object
        The role "filter".
    kind, gold, word : str
        What the files are, what the gold ones among them are, and what to put
        into a name to say so.
    in_column : bool
        Whether every file may hold the gold itself.

    Raises
    ------
    DataError
        If no name says so plainly, or some say so and may mean something
        else, and nothing was said; with the question.
    """
    choice = gold_choice(paths, gold=gold, in_column=in_column)
    named, plain = tuple(named_as_gold(paths)), tuple(plainly_gold(paths))
    answers = {_answer(paths, held, several): held for held, several in _sets(named, plain)}
    answers |= {f"{GOLD_FILE}{path}": (position,) for position, path in enumerate(paths)}
    if in_column:
        answers[IN_COLUMN] = ()
    is_said = isinstance(said, str) and said in answers
    if is_said:
        answer = str(said)
    elif in_column and not plain:
        answer = IN_COLUMN
    elif not named:
        raise DataError(
            [
                Problem(
                    what=f"None of the {kind} {listed(paths)} is named as the {gold}.",
                    remedy=f"Say which one it is, or put {quoted(word)} into its name, as in "
                    f"{quoted(word + '.txt')}.",
                    answered_by="filter",
                )
            ],
            choices=(choice,) if len(paths) > 1 else (),
        )
    elif len(plain) < len(named):
        doubtful = [paths[position] for position in named if position not in plain]
        raise DataError(
            [
                Problem(
                    what=f"By its name, {quoted(path)} may be the {gold} or the output of a "
                    "system that is called so.",
                    remedy=f"Say what the {gold} is, or name it {quoted(word + '.txt')} and "
                    "each other file after its system.",
                    answered_by="filter",
                )
                for path in doubtful
            ],
            choices=(choice,),
        )
    else:
        answer = _answer(paths, named, _NAMED)
    chosen = answers[answer]
    return SettledGold(
        gold=chosen,
        systems=tuple(p for p in range(len(paths)) if p not in chosen),
        answer=answer,
        choice=choice,
        is_said=is_said and chosen != named,
    )


def gold_choice(
    paths: Sequence[str], *, gold: str = "gold standard", in_column: bool = False
) -> Choice:
    """The question which file is gold."""
    options = {
        _answer(paths, held, several): listed([paths[position] for position in held])
        for held, several in _sets(tuple(named_as_gold(paths)), tuple(plainly_gold(paths)))
    }
    options |= {f"{GOLD_FILE}{path}": path for path in paths}
    if in_column:
        options[IN_COLUMN] = "none: each file has it in the last column but one"
    return Choice(
        role="filter", question=f"Which file is the {gold}?", options=tuple(options.items())
    )


@contextmanager
def asking(choice: Choice) -> Iterator[None]:
    """Put a question to every `DataError` that is raised within."""
    try:
        yield
    except DataError as error:
        if any(choice.role == other.role for other in error.choices):
            raise
        raise DataError(
            error.problems,
            columns=error.columns,
            choices=(choice, *error.choices),
            roles=error.roles,
        ) from None


def gold_remark(placed: Placement, paths: Sequence[str], settled: SettledGold, gold: str) -> str:
    """Which files were taken for gold, and why."""
    told = "; ".join(
        f"{', '.join(quoted(paths[position]) for position in own)} for {quoted(dataset)}"
        for dataset, own in placed.gold.items()
    )
    return f"Taken for {gold} {'as was said' if settled.is_said else 'by name'}: {told}."


def _sets(named: tuple[int, ...], plain: tuple[int, ...]) -> list[tuple[tuple[int, ...], str]]:
    """The sets of files that names offer, each with what says so where it has several."""
    fewer = [(plain, _PLAIN)] if plain and plain != named else []
    return [*fewer, (named, _NAMED)] if named else []


def _answer(paths: Sequence[str], held: Sequence[int], several: str) -> str:
    return f"{GOLD_FILE}{paths[held[0]]}" if len(held) == 1 else several


def placed_by(
    settled: SettledGold, paths: Sequence[str], *, order: object, whole: str
) -> Placement:
    """As `place`; a `DataError` with the question where a dataset has several gold files."""
    placed = place(paths, gold=settled.gold, systems=settled.systems, order=order, whole=whole)
    problems = [
        Problem(
            what="Several files are named as its gold standard: "
            f"{listed([paths[position] for position in gold])}.",
            remedy="Keep one, or name the others after the systems that wrote them.",
            dataset=dataset,
        )
        for dataset, gold in placed.gold.items()
        if len(gold) > 1
    ]
    if problems:
        raise DataError(problems, choices=(settled.choice, *placed.choices))
    return placed


def content_of(placed: Placement, n_units: Sequence[int], unit: str) -> dict[int, str]:
    """For each position what the file holds, in a few words."""
    told = {}
    for dataset, own in placed.systems.items():
        for position in placed.gold[dataset]:
            told[position] = f"{n_units[position]:,} {unit}, gold of {dataset}"
        for system, position in own.items():
            told[position] = f"{n_units[position]:,} {unit}, output of {system} on {dataset}"
    return told
