"""Work is done once: results are kept for one session, few, and only for exactly the same input."""

import ast
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from core.memory import Memory
from core.sections import results
from pages.ui.frame import state
from pages.ui.frame.page import PAGES
from pages.ui.frame.state import Session
from tests.pages.opened import (
    ROOT,
    address,
    drop,
    go_to,
    open_app,
    press,
    results_on_examples,
    run,
    set_alpha,
    when_tested,
)

# With a sample that fills them.
WITH_CHARTS = (
    ("pages/per_dataset_tests.py", "simulated-labels"),
    ("pages/counting.py", "sentiment"),
    ("pages/identification.py", "sentiment"),
    ("pages/check_a_claim.py", "sentiment"),
    ("pages/effect_size.py", "sentiment"),
    ("pages/guide.py", "sentiment"),
    ("pages/systems.py", "synthetic-digits"),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """Such as a result is: frozen, with arrays."""

    name: str
    values: np.ndarray
    parts: tuple[float, ...] = ()


@pytest.mark.parametrize(("page", "sample"), WITH_CHARTS)
def test_a_rerun_that_changes_nothing_draws_no_chart_anew(
    monkeypatch: pytest.MonkeyPatch, page: str, sample: str
) -> None:
    app = when_tested(go_to(open_app(sample=sample), page))
    before = _spec_texts(app)
    assert before
    drawn: list[go.Figure] = []
    original = go.Figure.__init__

    def noting(figure: go.Figure, *args: Any, **kwargs: Any) -> None:
        drawn.append(figure)
        original(figure, *args, **kwargs)

    monkeypatch.setattr(go.Figure, "__init__", noting)
    run(app)
    assert drawn == []
    set_alpha(app, 0.01)
    press(app, "Swap A and B")
    _set_sizes(app, "1000")
    assert drawn, "changes that no chart shows would make this test empty"
    # Charts after changes are those of a session that began with them.
    changed = _spec_texts(app)
    assert changed != before
    beginning = open_app(**address(app))
    assert changed == _spec_texts(when_tested(go_to(beginning, page)))
    press(app, "Swap A and B")
    set_alpha(app, 0.05)
    _set_sizes(app, "")
    assert _spec_texts(app) == before


@pytest.mark.parametrize(
    ("page", "sample"),
    [("pages/per_dataset_tests.py", "simulated-labels"), ("pages/upload.py", "pos-tagging")],
)
def test_a_rerun_that_changes_nothing_lays_out_no_table_anew(monkeypatch, page, sample) -> None:
    made: list[object] = []

    def noting(analysis: Any) -> Any:
        made.append(analysis)
        return original(analysis)

    original = results.results_parts
    monkeypatch.setattr(results, "results_parts", noting)
    app = when_tested(go_to(open_app(sample=sample), page))
    made.clear()
    run(app)
    assert made == []
    press(app, "Swap A and B")
    assert len(made) == 1


def test_a_rerun_that_changes_nothing_makes_no_more_calls_for_many_datasets_than_for_few() -> None:
    few, many = (drop(open_app(), "many.csv", results_on_examples(n, 8)) for n in (10, 200))
    for entry in PAGES:
        calls_few, calls_many = (_calls(when_tested(go_to(a, entry.path))) for a in (few, many))
        assert calls_few > 100, entry.label
        assert calls_many < 1.5 * calls_few, (entry.label, calls_few, calls_many)


def _calls(app: AppTest) -> int:
    """How many calls of functions with a name, of the app and its library, a rerun makes."""
    n, folders = 0, (f"{ROOT}/core/", f"{ROOT}/pages/")

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal n
        code = frame.f_code
        n += event == "call" and "<" not in code.co_name and code.co_filename.startswith(folders)

    threading.setprofile(note)
    try:
        run(app)
    finally:
        threading.setprofile(None)
    return n


def _set_sizes(app: AppTest, text: str) -> None:
    """Numbers of examples, where they can be typed: possible p-values depend on nothing else."""
    if any(one.key == "claim-sizes" for one in app.text_area):
        app.text_area(key="claim-sizes").set_value(text)
        run(app)


def _spec_texts(app: AppTest) -> list[str]:
    return [one.proto.spec for one in app.get("plotly_chart")]


def test_no_more_results_are_kept_than_allowed_and_the_least_used_goes_first() -> None:
    results = Memory(most=3)
    computed: list[str] = []

    def remember(name: str) -> None:
        results.remember(name, lambda: computed.append(name))

    for name in "abc":
        remember(name)
    remember("a")
    remember("d")  # in the place of b, the longest unused
    computed.clear()
    for name in "acd":
        remember(name)
    assert computed == []
    remember("b")
    assert computed == ["b"]
    # Another user's holds none of them.
    assert Memory().remember("b", lambda: "of the other") == "of the other"


def _noted(*given: object, **named: object) -> tuple[object, ...]:
    return given, tuple(named.items()), object()


def _noted_too(*given: object, **named: object) -> tuple[object, ...]:
    return _noted(*given, **named)


def test_what_is_computed_once_is_computed_anew_for_any_other_argument(monkeypatch) -> None:
    own = Session()
    own.memory = Memory(most=100)
    monkeypatch.setattr(state, "session", lambda: own)
    study = Found(name="x", values=np.arange(3))
    again = Found(name="x", values=np.arange(3))
    asked: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((), {}),
        ((1,), {}),
        ((1.0,), {}),
        ((True,), {}),
        ((None,), {}),
        (("a", "b"), {}),
        ((("a", "b"),), {}),
        ((["a", "b"],), {}),
        (({"a": "b"},), {}),
        ((), {"a": "b"}),
        ((), {"a": "c"}),
        ((), {"b": "b"}),
        ((np.zeros(4),), {}),
        ((np.zeros((2, 2)),), {}),
        ((np.zeros(4, dtype=np.int64),), {}),
        ((-np.zeros(4),), {}),
        ((np.zeros(4), 0.05), {}),
        ((np.zeros(4), 0.01), {}),
        ((np.zeros(4), None), {}),
        ((np.zeros(2), np.zeros(2)), {}),
        ((study,), {}),
        ((again,), {}),
        (((study, 0.05),), {}),
    ]
    first = [state.computed(_noted, *given, **named) for given, named in asked]
    assert len(set(map(id, first))) == len(asked)
    for (given, named), found in zip(asked, first, strict=True):
        assert state.computed(_noted, *given, **named) is found, (given, named)
        assert state.computed(_noted_too, *given, **named) is not found, (given, named)
    assert state.computed(_noted, np.zeros(4)) is first[12], "arrays are told by what they hold"


def test_what_is_made_anew_at_each_look_is_no_function_to_compute_once(monkeypatch) -> None:
    own = Session()
    monkeypatch.setattr(state, "session", lambda: own)
    for made in (lambda: 1, partial(int)):
        with pytest.raises(TypeError, match="of its module"):
            state.computed(made)


def test_what_is_computed_once_depends_on_its_arguments_alone() -> None:
    """A function that looked at settings would show what they were when it was first called."""
    found = []
    for path in sorted((Path(__file__).parents[2] / "pages").rglob("*.py")):
        module = ast.parse(path.read_text())
        functions = {one.name: one for one in module.body if isinstance(one, ast.FunctionDef)}
        of_session = _of_session(module)
        for call in _computed(module):
            made = call.args[0]
            found.append(ast.unparse(made))
            assert isinstance(made, ast.Name | ast.Attribute), (path, found[-1])
            seen: set[str] = set()
            names = {one.id for one in ast.walk(made) if isinstance(one, ast.Name)}
            while names - seen:
                name = (names - seen).pop()
                seen.add(name)
                assert name not in of_session, (path, found[-1], name)
                if name not in functions:
                    continue
                given = {
                    one.arg for one in ast.walk(functions[name].args) if isinstance(one, ast.arg)
                }
                parts = (part for line in functions[name].body for part in ast.walk(line))
                names |= {part.id for part in parts if isinstance(part, ast.Name)} - given
    assert len(found) > 10


def _of_session(module: ast.Module) -> set[str]:
    """Names in a module by which what a user has chosen can be asked for."""
    rooms = ("pages", "streamlit")
    found = set()
    for line in ast.walk(module):
        if isinstance(line, ast.ImportFrom) and (line.module or "").split(".")[0] in rooms:
            found |= {one.asname or one.name for one in line.names}
        elif isinstance(line, ast.Import):
            found |= {one.asname or one.name for one in line.names if one.name in rooms}
    return found


def _computed(module: ast.Module) -> Iterator[ast.Call]:
    for call in ast.walk(module):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "state.computed":
            yield call
