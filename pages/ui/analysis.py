"""The analysis of what this user has loaded, as they have set it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from core.analysis import Analysis, analysis_of
from core.data import PValueTable, ResultSet
from pages.ui import runs, state

Result = TypeVar("Result")


def current_analysis() -> Analysis | None:
    """The table with the user's choices applied and assessed; None where nothing is to show yet."""
    user = state.session()
    if user.loaded is None:
        return None
    data = user.loaded.data
    whole: PValueTable | None = None
    if isinstance(data, ResultSet):
        run = runs.current_run()
        whole = run.table if run is not None else None
    elif isinstance(data, PValueTable):
        whole = data
    if whole is None or not isinstance(data, PValueTable | ResultSet):
        return None
    return analysis_of(
        data,
        whole,
        user.settings,
        origin=user.loaded.origin,
        tried={kind: tuple(values) for kind, values in user.tried.items()},
        remember=_remember,
    )


def _remember(key: Hashable, compute: Callable[[], Result], /) -> Result:
    """What is kept of what is loaded, computed where there is nothing."""
    user = state.session()
    # A fingerprint would not do: texts beside the results are no part of it.
    return user.results.remember((user.n_loaded, key), compute)
