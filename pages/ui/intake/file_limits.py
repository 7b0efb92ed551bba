"""What this server takes of files: each limit refused by its name and value, with who can change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from starlette.formparsers import MultiPartParser
from streamlit import config

from core.data import ResultSet
from core.errors import DataError, Problem
from pages.ui.frame import limits
from pages.ui.frame.session import Data, Loaded, Source

_MEGABYTE = 1_000_000
_OF_SERVER = "whoever runs this server can raise {name}; the library has no such limit."


class BeyondLimits(DataError):
    """Nothing is wrong with some files but that they are more than this server takes."""


def check_before_reading(source: Source, loaded: Loaded | None) -> None:
    """Refuse files that are too much beside what the session keeps while they are read.

    Raises
    ------
    BeyondLimits
        If they are.
    """
    most = limits.MAX_SESSION_MEGABYTES * _MEGABYTE
    kept = {id(content): len(content) for _, content in loaded.source.files} if loaded else {}
    new = {id(content): len(content) for _, content in source.files}
    # What is read again is kept once.
    n_new = sum(size for key, size in new.items() if key not in kept)
    n_kept = sum(kept.values()) + (n_bytes(loaded.data) if loaded else 0)
    if n_new == 0 or n_new + n_kept <= most:
        return
    what = f"These files have {_megabytes(n_new)} together"
    own = []
    if n_new <= most:
        what += f", and the session keeps {_megabytes(n_kept)} of what is loaded"
        own.append("remove what is loaded first")
    if len(source.files) > 1 and min(new.values()) <= most:
        own.append("give fewer files at a time")
    raise BeyondLimits([_session_problem(what, own)])


def check_what_was_read(source: Source, data: Data) -> None:
    """Refuse what is too much to keep.

    Raises
    ------
    BeyondLimits
        With every limit that it goes beyond.
    """
    is_sample = source.sample is not None
    found = []
    most = limits.MAX_DATASETS
    if len(data.datasets) > most:
        found.append(
            _problem(
                f"There are {len(data.datasets):,} datasets; this server takes {most:,}",
                "DASHBOARD_MAX_DATASETS",
                [] if is_sample else ["leave some out"],
            )
        )
    rows = _rows_by_dataset(data)
    if sum(rows.values()) > limits.MAX_ROWS:
        own = ["leave some datasets out"] if min(rows.values()) <= limits.MAX_ROWS else []
        found.append(
            _rows_problem(
                f"There are {sum(rows.values()):,} examples; this server takes "
                f"{limits.MAX_ROWS:,} rows",
                [] if is_sample or len(rows) < 2 else own,
            )
        )
    held = source.n_bytes + n_bytes(data)
    if held > limits.MAX_SESSION_MEGABYTES * _MEGABYTE:
        what = f"The file and what was read from it take {_megabytes(held)}"
        own = [] if is_sample else ["leave out datasets or columns that are not compared"]
        found.append(_session_problem(what, own))
    if found:
        raise BeyondLimits(found)


def too_many_rows(source: Source) -> BeyondLimits:
    """A table that has more rows than the server takes, which were not read further."""
    what = f"There are more than {limits.MAX_ROWS:,} rows, the most that this server takes"
    own = [] if source.sample is not None else ["leave out rows that are not compared"]
    return BeyondLimits([_rows_problem(what, own)])


def reading_took_too_long(source: Source) -> BeyondLimits:
    """Files that took longer to read than the server gives."""
    own = [] if source.sample is not None else ["leave out what is not compared"]
    what = f"Reading took longer than the {limits.time_of_a_run()} that this server gives a run"
    return BeyondLimits([_problem(what, "DASHBOARD_MAX_SECONDS", own)])


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


def _session_problem(what: str, own: list[str]) -> Problem:
    most = limits.MAX_SESSION_MEGABYTES
    name = "DASHBOARD_MAX_SESSION_MB"
    return _problem(f"{what}; this server keeps {most:,} MB for a session", name, own)


def _rows_problem(what: str, own: list[str]) -> Problem:
    return _problem(what, "DASHBOARD_MAX_ROWS", own)


def _problem(what: str, name: str, own: list[str]) -> Problem:
    """A limit that is met; `own` is what the user can do, where there is anything."""
    remedy = f"{', or '.join(own)}; else {_OF_SERVER}" if own else _OF_SERVER
    remedy = remedy.format(name=name)
    return Problem(what=f"{what}.", remedy=remedy[:1].upper() + remedy[1:])


def _rows_by_dataset(data: Data) -> Mapping[str, int]:
    if isinstance(data, ResultSet):
        return {dataset: data.n_examples(dataset) for dataset in data.datasets}
    return dict.fromkeys(data.datasets, 1)


def _megabytes(n: int) -> str:
    """Rounded up to a tenth: what goes beyond a limit is not told as if it did not."""
    return f"{-(-n * 10 // _MEGABYTE) / 10:,.1f} MB"


def keep_in_memory() -> None:
    """Have the server write no part of an upload to disk, as it else does beyond a megabyte."""
    # The uploader asks browsers not to send more; of what is sent all the same the server takes no
    # more either, so that nothing arrives that is larger than what stays in memory.
    if config.get_option("server.maxUploadSize") > limits.MAX_UPLOAD_MEGABYTES:
        config.set_option("server.maxUploadSize", limits.MAX_UPLOAD_MEGABYTES)
    MultiPartParser.spool_max_size = (limits.MAX_UPLOAD_MEGABYTES + 1) * 2**20
