"""What goes to a terminal or into a file: no control characters there, no half-written file here."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..analysis import Analysis, statements
from ..analysis.statements import group_sentences, open_answers, unsettled_of
from ..errors import DataError, rows_choice
from ..export.record import role_in_words
from ..replicability.counting import count_datasets
from ..version import PROGRAM
from ..words.formatting import counted, list_names, shell_word, whole_name
from ..words.reading import files_sentence
from ..words.verdicts import verdict
from .options import BAD_DATA, BAD_USE, DONE, TOO_FEW, Options


class Failure(Exception):
    """Why a command ends without an answer.

    `lines` are for standard error.
    """

    def __init__(self, status: int, *lines: str) -> None:
        self.status = status
        self.lines = lines
        super().__init__("\n".join(lines))

    @classmethod
    def of_use(cls, what: str) -> Failure:
        """The command is not as described, or does not fit the data."""
        return cls(BAD_USE, f"{PROGRAM}: {what}")


def say(text: str) -> None:
    """One line of plain text, whatever names are in it."""
    sys.stdout.write(f"{whole_name(text)}\n")


def complain(*lines: str) -> None:
    """Lines on standard error."""
    for line in lines:
        # Spaces at the beginning set answers apart.
        indent = line[: len(line) - len(line.lstrip(" "))]
        sys.stderr.write(f"{indent}{whole_name(line)}\n")


def problem_lines(error: DataError, *, title: str) -> list[str]:
    """Every problem of some data, and for each open question the options that answer it."""
    return [f"{PROGRAM}: {title}: {counted(len(error.problems), 'problem')}.", *_told(error)]


@contextlib.contextmanager
def failing(title: str) -> Iterator[None]:
    """What data do not allow ends the command, with every problem below a title."""
    try:
        yield
    except DataError as error:
        raise Failure(BAD_DATA, *problem_lines(error, title=title)) from None


def reading_lines(error: DataError, *, name: str) -> list[str]:
    """As `problem_lines`, of a file that is not read: where only answers are missing, that they are."""
    offered = {choice.role for choice in error.choices if choice.options}
    asked = {problem.answered_by for problem in error.problems}
    if not asked <= offered:
        return problem_lines(error, title=f"{name} cannot be read")
    title = (
        f"{PROGRAM}: {counted(len(asked), 'question')} before {name} can be read; give the command "
    )
    return [f"{title}again with an option for each, from below.", *_told(error)]


def _told(error: DataError) -> list[str]:
    lines = [f"- {problem}" for problem in error.problems]
    rows = rows_choice(error.problems)
    for choice in (*error.choices, *([] if rows is None else [rows])):
        lines += [choice.question] if choice.question else []
        for value, words in choice.options:
            option = shell_word(role_in_words(choice.role, value))
            lines.append(f"    --role {option}    {words}")
    return lines


def check_places(inputs: Iterable[str], outputs: Mapping[str, str | None]) -> None:
    """No output, by its option, in the place of an input, within one, or of another output."""
    read = {Path(path).resolve(): path for path in inputs}
    taken = dict(read)
    for option, path in outputs.items():
        if path is None:
            continue
        resolved = Path(path).resolve()
        if resolved in taken:
            raise Failure.of_use(f"{option} {path!r} would take the place of {taken[resolved]!r}.")
        for folder in resolved.parents:
            if folder in read:
                raise Failure.of_use(
                    f"{option} {path!r} would lie in {read[folder]!r}, where the next run reads results."
                )
        taken[resolved] = path


def write_file(path: str, content: bytes) -> None:
    """Write a file whole or not at all."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            # A pipe or a device: there is nothing to put in its place.
            target.write_bytes(content)
            return
        # Through a link, what it leads to is replaced.
        target = target.resolve()
        beside = target.with_name(f".{target.name[:80]}.{os.getpid()}.part")
        try:
            with beside.open("xb") as file:
                file.write(content)
            beside.replace(target)
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise Failure(BAD_DATA, cannot(path, "be written", error)) from None


def cannot(path: str, what: str, error: OSError | ValueError) -> str:
    """A sentence on a file that the system refuses."""
    reason = (error.strerror if isinstance(error, OSError) else None) or "it is no file's name"
    return f"{PROGRAM}: '{path}' cannot {what}: {reason[:1].lower()}{reason[1:]}."


@contextlib.contextmanager
def progress(options: Options) -> Iterator[Callable[[int, int], None]]:
    """How far the tests are, on a terminal only and gone at the end."""
    said = ""

    def tell(done: int, total: int) -> None:
        nonlocal said
        if not options.quiet and sys.stderr.isatty():
            said = f"Testing: {done:,} of {total:,} datasets"
            sys.stderr.write(f"\r{said}")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        if said:
            sys.stderr.write(f"\r{' ' * len(said)}\r")
            sys.stderr.flush()


def answer_lines(analysis: Analysis, groups: Sequence[Sequence[str]] = ()) -> Iterator[str]:
    """What the first page says, as plain text, and the bounds for groups of datasets."""
    from ..sections.marked import marked_table

    question, datasets = analysis.question, analysis.table.datasets
    reading, found = analysis.data.reading, verdict(analysis.assessment, analysis.subject)
    lines = [
        statements.what_was_read(analysis),
        "" if reading is None else files_sentence(reading),
    ]
    yield from filter(None, lines)
    for caution in analysis.cautions:
        yield from ("", f"Caution: {caution}")
    for sentence in open_answers(analysis):
        yield from ("", f"Not settled: {sentence}")
    yield from ("", analysis.so_far + found.statement.text)
    for tile in found.tiles:
        yield f"- {tile.heading}: {'; '.join(filter(None, (tile.figure, tile.detail)))}"
    yield from found.notes
    lines = []
    if question.key != analysis.questions[0].key:
        yield ""
        lead = analysis.so_far + statements.lead(analysis, question)
        lines += [lead, statements.condition(analysis, question)]
    if len(datasets) > 1:
        other = statements.other_names(analysis, question, analysis.procedure)
        lines += [marked_table(analysis, question).caption, other]
    yield from filter(None, [*lines, statements.flipped(analysis, question)])
    for group in groups:
        members = [datasets.index(name) for name in dict.fromkeys(group)]
        (sentence,) = group_sentences(analysis, question, {"": members})
        yield f"{list_names(group, most=len(group))}: {sentence}"
    remarks = statements.remarks(analysis)
    if remarks:
        yield from ("", "Notes on your data", *(f"- {remark}" for remark in remarks))
    yield from ("", analysis.signature(question))


def required_status(options: Options, analysis: Analysis) -> int:
    """The status of `--require-at-least`, with a sentence where it is not reached."""
    required, answer = options.require_at_least, analysis.assessment.answer_a
    if required is None:
        return DONE
    a, better = analysis.subject.system_a, analysis.subject.be_better
    for question in analysis.questions:
        found = unsettled_of(analysis, question) if question.claim == "a-better" else None
        if not question.headline or found is None:
            continue
        fewest, most = found.k_hat_range
        if fewest < most:
            # Whether more resamples may change the status.
            either = fewest < required <= most
            side = f", on either side of the {required:,} required" if either else ""
            complain(
                f"{PROGRAM}: the count is not settled: with more resamples it may lie from "
                f"{fewest:,} to {most:,}{side}."
            )
    if answer is None:
        complain(
            f"{PROGRAM}: these p-values do not say which system is better, so they cannot show "
            f"{a} to {better} on {required:,}."
        )
        return TOO_FEW
    k_hat, n = answer.k_hat, analysis.table.n_datasets
    if not analysis.assessment.by_flips:
        p_values = analysis.agreed_p_values(answer, "a-better")
        k_hat = count_datasets(p_values, alpha=answer.alpha, combination=answer.combination).k_hat
    if k_hat < required:
        shown = f"on at least {k_hat:,} of {n:,}" if k_hat else f"on none of {n:,}"
        left = ", not counting those whose scores say otherwise" if k_hat < answer.k_hat else ""
        complain(
            f"{PROGRAM}: {a} is shown to {better} {shown} datasets{left}; {required:,} required."
        )
        return TOO_FEW
    if answer.complement:
        complain(
            f"{PROGRAM}: {a} has no p-values of its own here; the count, from 1 − p, is "
            "approximate and carries no guarantee."
        )
    return DONE
