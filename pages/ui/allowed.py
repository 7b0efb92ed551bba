"""What this server takes of one session: counted, refused with its remedy, and said in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from core.data import ResultSet
from core.errors import Problem
from pages.ui import limits
from pages.ui.jobs import Job
from pages.ui.session import Data, Source

_MEGABYTE = 1_000_000
_OTHERWISE = "or use the library, which has no such limit."


def in_words() -> str:
    """Every limit on files and runs, for whoever is about to meet one."""
    return (
        f"This server takes files of up to {limits.MAX_UPLOAD_MEGABYTES:,} MB, "
        f"{limits.MAX_ROWS:,} rows and {limits.MAX_DATASETS:,} datasets, keeps up to "
        f"{limits.MAX_SESSION_MEGABYTES:,} MB for a session, and lets one run take up to "
        f"{_minutes()}; the library has no such limits."
    )


def too_large_to_read(source: Source) -> list[Problem]:
    """Why files are not read, nor kept; nothing where they are."""
    most = limits.MAX_SESSION_MEGABYTES
    if source.n_bytes <= most * _MEGABYTE:
        return []
    return [
        Problem(
            what=f"These files have {source.n_bytes / _MEGABYTE:,.0f} MB together; this server "
            f"keeps {most:,} MB for a session.",
            remedy=f"Give fewer of them at a time, {_OTHERWISE}",
        )
    ]


def too_large_to_keep(source: Source, data: Data) -> list[Problem]:
    """Every limit that what was read goes beyond."""
    found = []
    if len(data.datasets) > limits.MAX_DATASETS:
        found.append(
            Problem(
                what=f"The table has {len(data.datasets)} datasets; this server takes "
                f"{limits.MAX_DATASETS}.",
                remedy=f"Leave some out, {_OTHERWISE}",
            )
        )
    n_rows = _n_rows(data)
    if n_rows > limits.MAX_ROWS:
        found.append(
            Problem(
                what=f"There are {n_rows:,} examples; this server takes {limits.MAX_ROWS:,}.",
                remedy=f"Leave some datasets out, {_OTHERWISE}",
            )
        )
    held = source.n_bytes + n_bytes(data)
    if held > limits.MAX_SESSION_MEGABYTES * _MEGABYTE:
        found.append(
            Problem(
                what=f"The file and what was read from it take {held / _MEGABYTE:,.0f} MB; this "
                f"server keeps {limits.MAX_SESSION_MEGABYTES:,} MB for a session.",
                remedy=f"Leave out datasets or columns that are not compared, {_OTHERWISE}",
            )
        )
    return found


def reading_out_of_time() -> Problem:
    """A file that took too long."""
    return Problem(
        what=f"Reading took longer than the {_minutes()} that this server gives a run.",
        remedy=f"Leave out what is not compared, {_OTHERWISE}",
    )


def out_of_time(job: Job[Any], what: str) -> str:
    """That a run was ended by the limit on its time; empty where it was not."""
    if not job.out_of_time:
        return ""
    return (
        f"{what} reached this server's limit of {_minutes()} for one run and was stopped; what was "
        f"finished by then is kept. Ask for fewer resamples, studies or datasets, {_OTHERWISE}"
    )


def waiting_words(job: Job[Any]) -> str:
    """Where in the line of this server a run stands that waits for its turn."""
    n = job.n_before
    if not n:
        return "Waiting: this is next on this server"
    others = "1 other is" if n == 1 else f"{n:,} others are"
    return f"Waiting: {others} before this one on this server"


def n_bytes(held: object) -> int:
    """How much the arrays and files hold that an object is made of."""
    if isinstance(held, bytes):
        return len(held)
    own = getattr(held, "nbytes", None)
    if isinstance(own, int):
        return own
    if isinstance(held, Mapping):
        return sum(map(n_bytes, held.values()))
    if isinstance(held, tuple | list):
        return sum(map(n_bytes, held))
    if is_dataclass(held):
        return sum(n_bytes(getattr(held, each.name)) for each in fields(held))
    return 0


def _n_rows(data: Data) -> int:
    if isinstance(data, ResultSet):
        return sum(map(data.n_examples, data.datasets))
    return len(data.datasets)


def _minutes() -> str:
    seconds = limits.MAX_JOB_SECONDS
    if seconds < 120 or seconds % 60:
        return f"{seconds:,g} second{'s' if seconds != 1 else ''}"
    return f"{seconds / 60:,g} minutes"
