"""Users who have left for good: told of once, and what they held is freed."""

from __future__ import annotations

import gc
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from pages.ui.frame import limits, state
from pages.ui.work import jobs

SECONDS = 10.0


def test_who_is_away_for_good_is_told_of_once_and_who_comes_back_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "_SECONDS_BETWEEN_CALLS", 0.01)
    monkeypatch.setattr(limits, "SECONDS_UNTIL_ABANDONED", 0.05)
    gone: list[str] = []
    told = threading.Event()
    is_there = threading.Event()
    is_there.set()

    def end(name: str) -> None:
        gone.append(name)
        told.set()

    watcher = jobs.Departures()
    watcher.watch(is_there.is_set, lambda: end("late"))
    watcher.watch(lambda: False, lambda: end("early"))
    assert told.wait(SECONDS)
    assert gone == ["early"]
    told.clear()
    is_there.clear()
    assert told.wait(SECONDS)
    assert gone == ["early", "late"]


def test_what_many_held_who_leave_together_is_freed_once_and_not_by_the_servers_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "_SECONDS_BETWEEN_CALLS", 0.0)
    watcher = jobs.Departures()
    monkeypatch.setattr(jobs, "departures", watcher)
    # As if it slept: what it does at its next look is called below.
    watcher._thread = threading.current_thread()
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(len(closed)))
    closed: list[str] = []
    ended = SimpleNamespace(
        session=SimpleNamespace(
            session_state=SimpleNamespace(
                clear=lambda: None, _new_widget_state=SimpleNamespace(widget_metadata={})
            ),
            _fragment_storage={},
        )
    )
    server: Any = SimpleNamespace(
        is_active_session=lambda _: False,
        close_session=closed.append,
        _session_mgr=SimpleNamespace(get_session_info=lambda _: ended),
    )
    for number in range(20):
        state._Visitor(str(number))._close(server)
    assert len(closed) == 20
    assert collected == []
    watcher._run()
    assert collected == [20]
