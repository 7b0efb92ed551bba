"""What this server takes of one session, in words; `file_limits` refuses what is beyond."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pages.ui.frame import limits
from pages.ui.work.jobs import Job

_OTHERWISE = "or use the library, which has no such limit."


def in_words() -> str:
    """Every limit on files and runs, for whoever is about to meet one."""
    return (
        f"This server takes files of up to {limits.MAX_UPLOAD_MEGABYTES:,} MB, "
        f"{limits.MAX_ROWS:,} rows and {limits.MAX_DATASETS:,} datasets, keeps up to "
        f"{limits.MAX_SESSION_MEGABYTES:,} MB for a session, and lets one run take up to "
        f"{_minutes()}; the library has no such limits."
    )


def reading_out_of_time() -> str:
    """That a file took too long."""
    return f"Reading took longer than the {_minutes()} that this server gives a run"


def limit_reached(job: Job[Any], what: str) -> str:
    """That a run was ended by the limit on its time, to go on from; empty where it was not."""
    if not job.out_of_time:
        return ""
    return f"{what} reached this server's limit of {_minutes()} for one run and was stopped"


def out_of_time(job: Job[Any], what: str, *, kept: bool | None = None) -> str:
    """That a run was ended by the limit on its time; empty where it was not.

    Parameters
    ----------
    job : Job
        The run.
    what : str
        How the sentence begins.
    kept : bool, optional
        Whether anything was finished; by default whether the job has a result.
    """
    reached = limit_reached(job, what)
    if not reached:
        return ""
    if kept is None:
        kept = job.result is not None
    left = "; what was finished by then is kept" if kept else " before anything was finished"
    return f"{reached}{left}. Ask for fewer resamples, studies or datasets, {_OTHERWISE}"


def testing_out_of_time(job: Job[Any], *, n_new: int, n_before: int) -> str:
    """That tests were ended by the limit on their time, and how they all get done.

    Parameters
    ----------
    job : Job
        The run.
    n_new, n_before : int
        How many datasets were tested in this run, and before it went on.
    """
    reached = limit_reached(job, "Testing")
    if not reached:
        return ""
    if n_new:
        return f"{reached}; what was finished by then is kept, and testing can go on from there."
    one = "one more dataset" if n_before else "a single dataset"
    return (
        f"{reached} before {one} was done, and most likely would be again. Ask for fewer resamples, choose "
        "another test, or have whoever runs this server raise its limit (DASHBOARD_MAX_SECONDS); "
        "the library has no such limit."
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


def _minutes() -> str:
    seconds = limits.MAX_JOB_SECONDS
    if seconds < 120 or seconds % 60:
        return f"{seconds:,g} second{'s' if seconds != 1 else ''}"
    return f"{seconds / 60:,g} minutes"
