"""A page's calls to Streamlit, recorded, and made again with the same arguments: its constants."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

from pages.ui.frame import page

# Not elements, or such as hand their function on.
_LEFT_ALONE = {"fragment", "stop", "rerun", "switch_page", "dialog", "cache_data", "cache_resource"}
_PLACES = (DeltaGenerator, StreamlitPage)
_ALSO = ("set_page_config", "Page", "navigation")


class Recorder:
    """Notes each call to Streamlit that a page makes itself, in order, with what came of it."""

    current: ClassVar[Recorder | None] = None

    def __init__(self) -> None:
        self.steps: list[tuple[str, Any, str, tuple[Any, ...], dict[str, Any], Any]] = []
        self._depth = 0
        self._undo: list[Callable[[], None]] = []

    def __enter__(self) -> Recorder:
        for name in _element_names():
            self._wrap(st, name, on_object=False)
            if hasattr(DeltaGenerator, name):
                self._wrap(DeltaGenerator, name, on_object=True)
        for name in ("__enter__", "__exit__"):
            self._wrap(DeltaGenerator, name, on_object=True)
        return self

    def __exit__(self, *_: object) -> None:
        for undo in reversed(self._undo):
            undo()

    def _wrap(self, holder: Any, name: str, *, on_object: bool) -> None:
        original = getattr(holder, name)

        def noting(*args: Any, **kwargs: Any) -> Any:
            if self._depth:
                return original(*args, **kwargs)
            self._depth += 1
            try:
                made = original(*args, **kwargs)
            finally:
                self._depth -= 1
            owner, rest = (args[0], args[1:]) if on_object else (None, args)
            self.steps.append((name, owner, "object" if on_object else "st", rest, kwargs, made))
            return made

        setattr(holder, name, noting)
        self._undo.append(lambda: setattr(holder, name, original))

    def replay(self) -> None:
        """Make the same calls again, on what the earlier calls now give."""
        now: dict[int, Any] = {}
        for name, owner, where, args, kwargs, made in self.steps:
            if name == "__exit__":
                now.get(id(owner), owner).__exit__(None, None, None)
                continue
            holder = st if where == "st" else now.get(id(owner), owner)
            args = tuple(_now(one, now) for one in args)
            found = getattr(holder, name)(*args, **kwargs)
            if isinstance(made, _PLACES):
                now[id(made)] = found
            elif isinstance(made, list | tuple) and made and isinstance(made[0], _PLACES):
                now.update({id(a): b for a, b in zip(made, found, strict=True)})


def _now(argument: Any, now: dict[int, Any]) -> Any:
    if isinstance(argument, list):
        return [now.get(id(one), one) for one in argument]
    return now.get(id(argument), argument)


def _element_names() -> list[str]:
    names = [
        name
        for name in dir(DeltaGenerator)
        if not name.startswith("_")
        and name not in _LEFT_ALONE
        and callable(getattr(st, name, None))
    ]
    return [*names, *_ALSO]


class Timed:
    """A function whose time on its own thread is noted at each call."""

    def __init__(self, function: Callable[[], None]) -> None:
        self.function = function
        self.spent: list[float] = []

    def __call__(self) -> None:
        start = time.thread_time()
        try:
            self.function()
        finally:
            self.spent.append(time.thread_time() - start)


def reruns(
    app: AppTest, rounds: int, *, beside_constants: bool = True
) -> tuple[list[float], list[float]]:
    """Seconds of each rerun of a page, and of a page that draws its elements from constants.

    Both in one session: what it keeps costs both the same.
    """
    app.run()
    with Recorder() as recorder:
        app.run()
    own, constant = Timed(page.run), Timed(recorder.replay)
    # As on a server, which compiles a page once.
    compiled, anew = ScriptCache(), vars(local_script_runner)["ScriptCache"]
    vars(local_script_runner)["ScriptCache"] = lambda: compiled
    try:
        for _ in range(rounds + 1):
            for timed in (own, constant) if beside_constants else (own,):
                vars(page)["run"] = timed
                app.run()
                assert not app.error, [one.value for one in app.error]
                assert not app.exception, [one.value for one in app.exception]
    finally:
        vars(page)["run"] = own.function
        vars(local_script_runner)["ScriptCache"] = anew
    # The first run of each is no rerun.
    return own.spent[1:], constant.spent[1:]
