"""What goes to a terminal or into a file: no control characters there, no half-written file here."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from ..errors import Choice, DataError, rows_choice
from ..export.role_words import role_in_words
from ..version import PROGRAM
from ..words.formatting import shell_word, whole_name
from .options import BAD_DATA


class Failure(Exception):
    """Why a command ends without an answer.

    Attributes
    ----------
    status : int
        Of the process.
    lines : tuple of str
        For standard error.
    """

    def __init__(self, status: int, *lines: str) -> None:
        self.status = status
        self.lines = lines
        super().__init__("\n".join(lines))


def say(text: str, *, stream: TextIO | None = None) -> None:
    """One line of plain text, whatever names are in it."""
    write(f"{whole_name(text)}\n", stream=stream or sys.stdout)


def complain(text: str) -> None:
    """One line on standard error."""
    say(text, stream=sys.stderr)


def write(text: str, *, stream: TextIO) -> None:
    """Text as it is; what the stream's encoding lacks is written as escapes."""
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def write_bytes(content: bytes) -> None:
    """Bytes to standard output, in UTF-8 whatever the terminal's encoding is."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(content.decode())
        return
    sys.stdout.flush()
    buffer.write(content)
    buffer.flush()


def problem_lines(error: DataError, *, title: str) -> list[str]:
    """Every problem of some data, and for each open question the options that answer it."""
    n = len(error.problems)
    counted = "1 problem" if n == 1 else f"{n:,} problems"
    return [f"{PROGRAM}: {title}: {counted}.", *_told(error)]


def reading_lines(error: DataError, *, name: str) -> list[str]:
    """As `problem_lines`, of a file that is not read: where only answers are missing, that they are."""
    offered = {choice.role for choice in error.choices if choice.options}
    asked = {problem.answered_by for problem in error.problems}
    if not asked <= offered:
        return problem_lines(error, title=f"{name} cannot be read")
    counted = "a question needs an answer"
    each = "one of the options below"
    if len(asked) > 1:
        counted, each = f"{len(asked)} questions need answers", "an option for each, from below"
    title = f"{PROGRAM}: {counted} before {name} is read; give the command again with {each}."
    return [title, *_told(error)]


def _told(error: DataError) -> list[str]:
    lines = []
    lines += [f"- {problem}" for problem in error.problems]
    rows = rows_choice(error.problems)
    for choice in (*error.choices, *([] if rows is None else [rows])):
        lines += [choice.question] if choice.question else []
        lines += [f"    {answer(choice, value)}    {words}" for value, words in choice.options]
    return lines


def answer(choice: Choice, value: object) -> str:
    """The option that answers a question, as a shell takes it."""
    return f"--role {shell_word(role_in_words(choice.role, value))}"


def write_file(path: str, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    Failure
        If it cannot be written.
    """
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


class Progress:
    """How far the tests are, on a terminal only and gone at the end."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._said = ""

    def __call__(self, done: int, total: int) -> None:
        """Say it if it has changed."""
        text = f"Testing: {done} of {total} datasets"
        if self._shown and text != self._said:
            self._said = text
            sys.stderr.write(f"\r{text}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Leave an empty line."""
        if self._said:
            sys.stderr.write(f"\r{' ' * len(self._said)}\r")
            sys.stderr.flush()
            self._said = ""


def complain_each(lines: Sequence[str]) -> None:
    """Several lines on standard error."""
    for line in lines:
        # Spaces at the beginning set answers apart.
        indent = line[: len(line) - len(line.lstrip(" "))]
        write(f"{indent}{whole_name(line)}\n", stream=sys.stderr)
