"""Errors that nobody foresaw: an id for the user, a place for the log, no one's data in either."""

from __future__ import annotations

import logging
import secrets
import traceback
from pathlib import Path

from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui.frame import state

_LOG = logging.getLogger("dashboard")
# Streamlit's own, of what fails where no page can catch it: in what a click calls.
_STREAMLITS_LOG = logging.getLogger("streamlit.error_util")


def report(error: BaseException) -> str:
    """Log where it happened, without what was in the cells; what to tell the user, with its id."""
    reference, line = _described(error)
    _LOG.error("%s", line)
    return _words(reference)


class _WithoutContent(logging.Filter):
    """What Streamlit logs of an error is its id, its kind and its places, no text of a user's."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        reference, record.msg = _described(error)
        record.args, record.exc_info, record.exc_text = (), None, None
        if get_script_run_ctx() is not None:
            # Streamlit says only that there was an error; its id is said at the next look.
            state.remark(_words(reference))
        return True


def guard_log() -> None:
    """Keep cells out of what Streamlit logs; to be called once or more."""
    if not any(isinstance(one, _WithoutContent) for one in _STREAMLITS_LOG.filters):
        _STREAMLITS_LOG.addFilter(_WithoutContent())


def _described(error: BaseException) -> tuple[str, str]:
    reference = secrets.token_hex(4)
    chain = "; ".join(f"{why}{_kind_and_places(one)}" for why, one in _with_causes(error))
    return reference, f"error {reference}: {chain}"


def _with_causes(error: BaseException) -> list[tuple[str, BaseException]]:
    """The error and what led to it, as a traceback tells of them, the latest first."""
    found = [("", error)]
    while True:
        last = found[-1][1]
        why, earlier = "caused by ", last.__cause__
        if earlier is None and not last.__suppress_context__:
            why, earlier = "while handling ", last.__context__
        if earlier is None or any(earlier is one for _, one in found):
            return found
        found.append((why, earlier))


def _kind_and_places(error: BaseException) -> str:
    places = [
        f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    name = type(error).__name__
    # A cause that was made and never raised has been nowhere.
    return f"{name} at {' < '.join(places[::-1])}" if places else name


def _words(reference: str) -> str:
    return (
        f"Something went wrong that should not have (error {reference}). Your data are kept: "
        "change a setting or open another page. If it comes back, tell whoever runs this server "
        "the error's number."
    )
