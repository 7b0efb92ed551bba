"""What the studies of the reliability page have in common: data, forms, and what was run."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from core.charts.metric_heat import heat_legend, metric_heat
from core.data import ResultSet
from core.reliability.levels import LevelStudy
from core.reliability.metrics import MetricStudy
from pages.ui.frame import figures, prose, state
from pages.ui.work import background

Value = TypeVar("Value")


SIZES, METRICS, FREE_CHOICE = "subsamples", "metrics-and-tests", "free-choice"
CUT_OFFS, LEVELS, RUNS = "cut-offs", "levels", "repeated-runs"
DOMAINS, TOY = "across-datasets", "toy"

# Cells bear to be a little narrower before a table is scrolled for its last column.
_TIGHT = 0.88


def results() -> ResultSet | None:
    """Per-example results, where such are loaded."""
    loaded = state.session().loaded
    return loaded.data if loaded is not None and isinstance(loaded.data, ResultSet) else None


def alpha() -> float:
    """The level of the sidebar."""
    return state.session().settings.alpha


def compared(data: ResultSet, *, metric: bool = True) -> dict[str, Hashable]:
    """What every study of these two systems depends on, as a form's settings begin."""
    a, b = state.systems()
    of_metric: dict[str, Hashable] = {"metric": state.metric()} if metric else {}
    return {"A": a, "B": b, **of_metric, "datasets": state.chosen_datasets(data)}


def current(kind: str, data: ResultSet) -> Any:
    """What the last study of a kind came to if it is of what is compared now; says nothing."""
    run = background.latest(kind)
    if run is None or run.at_work or run.error is not None:
        return None
    held = run.task.settings
    wanted = compared(data)
    if any(held.get(name, wanted[name]) != wanted[name] for name in ("A", "B", "metric")):
        return None
    of = held.get("datasets")
    if isinstance(of, tuple) and not set(state.chosen_datasets(data)) <= set(of):
        return None
    return run.result


def heat(study: MetricStudy | LevelStudy, *, name: str, alt: str) -> None:
    """The heat table; where its cells do not fit beside each other it scrolls sideways."""
    width = round(_TIGHT * metric_heat(study).layout.meta["least_width"])
    st.html(
        f"<style>.st-key-wide-{name}{{overflow-x:auto}}"
        f".st-key-wide-{name}>*{{min-width:{width}px}}</style>"
    )
    with st.container(key=f"wide-{name}"):
        figures.show(partial(metric_heat, study), name=name, alt=alt)
    prose.paragraph(heat_legend(study), quiet=True)
