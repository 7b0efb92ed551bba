"""What the studies of the reliability page have in common: data, forms, and what was run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from core.charts.metric_heat import heat_legend, metric_heat
from core.data import ResultSet
from core.reliability.levels import LevelStudy
from core.reliability.metrics import MetricStudy
from core.report.formatting import display_name
from core.report.reliability_summary import of_others
from core.significance import Stopped
from pages.ui.frame import figures, limits, prose, state
from pages.ui.frame.glossary import TOOLTIPS
from pages.ui.work import studies
from pages.ui.work.job_progress import Progress

Value = TypeVar("Value")


class OfEach(dict[str, Value]):
    """A study for each dataset, and whether every dataset that was asked for is done."""

    complete: bool = True


SIZES, METRICS, FREE_CHOICE = "subsamples", "metrics-and-tests", "free-choice"
CUT_OFFS, LEVELS, RUNS = "cut-offs", "levels", "repeated-runs"
DOMAINS, TOY = "across-datasets", "toy"
KINDS = (SIZES, METRICS, FREE_CHOICE, CUT_OFFS, LEVELS, RUNS, DOMAINS, TOY)

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
    study = studies.latest(kind)
    if study is None or not study.job.finished or study.error is not None:
        return None
    held = study.settings
    wanted = compared(data)
    if any(held.get(name, wanted[name]) != wanted[name] for name in ("A", "B", "metric")):
        return None
    of = held.get("datasets")
    if isinstance(of, tuple) and not set(state.chosen_datasets(data)) <= set(of):
        return None
    return study.job.result


def number(
    label: str, *, key: str, value: int, low: int, high: int, step: int = 1, help: str | None = None
) -> int:
    """A whole number of a form."""
    return int(
        st.number_input(
            label,
            min_value=low,
            max_value=high,
            value=value,
            step=step,
            key=key,
            help=help,
            persist_state="session",
            width=170,
        )
    )


def seed(key: str) -> int:
    """The seed of a form."""
    return number(
        "Seed", key=f"{key}-seed", value=0, low=0, high=limits.LARGEST_SEED, help=TOOLTIPS["seed"]
    )


def resamples(key: str, *, value: int, low: int = 99, high: int = 100_000, step: int = 1000) -> int:
    """How many resamples a test draws."""
    return number(
        "Resamples", key=key, value=value, low=low, high=high, step=step, help=TOOLTIPS["resample"]
    )


def choice(
    label: str, options: Sequence[Value], *, key: str, words: Callable[[Value], str] = str
) -> Value:
    """One of several; what is kept from other data is forgotten."""
    if state.value(key, options[0]) not in options:
        state.widget(key, options[0])
    return st.selectbox(
        label, list(options), format_func=words, key=key, persist_state="session", width=300
    )


def dataset_choice(names: Sequence[str], *, key: str) -> str:
    """One of these datasets."""
    return choice("Dataset", names, key=key, words=display_name)


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


def notes(found: Sequence[str]) -> None:
    """What to know about the numbers, each as a sentence."""
    prose.paragraphs([f"{note[:1].upper()}{note[1:].rstrip('.')}." for note in found], quiet=True)


def ended(kind: str, settings: dict[str, Hashable]) -> Any:
    """What a study of two systems came to; None where it is of others, or of these swapped.

    Its sentences say A and B: below the names of other systems they would tell something else.
    """
    result = studies.ended(kind, settings)
    study = studies.latest(kind)
    if result is None or study is None:
        return None
    a, b = str(study.settings.get("A", "")), str(study.settings.get("B", ""))
    if (a, b) == (settings.get("A"), settings.get("B")):
        return result
    prose.paragraph(of_others(a, b))
    return None


def of_each(
    names: Sequence[str],
    one: Callable[[str, Progress], Value],
    progress: Progress,
) -> OfEach[Value]:
    """The same work on each dataset, reported as one; what is done when it is stopped is kept.

    Raises
    ------
    Stopped
        If it was stopped before anything was done.
    """
    found: OfEach[Value] = OfEach()
    for place, name in enumerate(names):
        try:
            found[name] = one(name, _part(progress, place, len(names)))
        except Stopped:
            if not found:
                raise
        if not progress.goes_on():
            break
    found.complete = len(found) == len(names)
    return found


def _part(progress: Progress, place: int, n: int) -> Any:
    return lambda done, total: progress(place * total + done, n * total)
