"""Tables about effects over many datasets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..effects.combined import CombinedEffects
from ..effects.heterogeneity import Interval
from ..effects.prediction import PredictionExperiment
from ..effects.subsets import Influence
from .effects_words import (
    effect_label,
    interval_text,
    level_text,
    number,
    percent,
    size_of,
    way_title,
    width_of,
)
from .formatting import format_p_value, minus, whole_name
from .own_metrics import METRIC_COLUMN

if TYPE_CHECKING:
    import pandas as pd

_Row = tuple[str, str, str, str]


def combined_frame(combined: CombinedEffects) -> pd.DataFrame:
    """A row for each way of combining, the one of the answer first; of one dataset its own interval."""
    import pandas as pd

    level = level_text(combined.macro.confidence_level)
    columns = ["combined by", effect_label(combined.effects), f"{level} interval", "made by"]
    random, macro, micro = combined.random, combined.macro, combined.micro
    if combined.effects.n_datasets == 1:
        own = None if random is None else random.confidence_interval
        return pd.DataFrame([_row("one dataset", macro.estimate, own, "normal")], columns=columns)
    rows: list[_Row] = []
    if random is not None:
        title, estimate = way_title(random.model), random.estimate
        both = [
            _row(title, estimate, random.hartung_knapp_interval, "Hartung–Knapp"),
            _row(title, estimate, random.confidence_interval, "normal"),
        ]
        rows += both[::-1] if random.interval == random.confidence_interval else both
        if random.hartung_knapp_interval is None:
            rows = rows[:1]
    for found in (combined.fixed, combined.gumbel):
        if found is not None:
            interval = found.confidence_interval
            rows.append(_row(way_title(found.model), found.estimate, interval, "normal"))
    first = _row(way_title(macro.kind), macro.estimate, macro.confidence_interval, "Student's t")
    rows = [first, *rows] if combined.front == "macro-average" else [*rows, first]
    if micro is not None:
        rows.append(
            _row(way_title(micro.kind), micro.estimate, micro.confidence_interval, "normal")
        )
    return pd.DataFrame(rows, columns=columns)


def _row(name: str, estimate: float, interval: Interval | None, by: str) -> _Row:
    width = width_of(interval)
    return name, number(estimate, width), interval_text(interval, width), by if interval else "–"


def numbers_frame(combined: CombinedEffects) -> pd.DataFrame:
    """Every way of combining in full digits, to take away."""
    import pandas as pd

    rows: list[tuple[object, ...]] = []

    def add(name: str, by: str, estimate: float, interval: Interval | None) -> None:
        low, high = interval or (None, None)
        rows.append((name, by, estimate, low, high))

    random = combined.random
    if random is not None:
        if random.hartung_knapp_interval is not None:
            add("random", "hartung-knapp", random.estimate, random.hartung_knapp_interval)
        add("random", "normal", random.estimate, random.confidence_interval)
        if random.prediction_interval is not None:
            add("random", "prediction", random.estimate, random.new_dataset_interval)
            add("random", "prediction-higgins", random.estimate, random.prediction_interval)
    for found in (combined.fixed, combined.gumbel):
        if found is not None:
            add(found.model, "normal", found.estimate, found.confidence_interval)
    macro, micro = combined.macro, combined.micro
    add(macro.kind, "student-t", macro.estimate, macro.confidence_interval)
    if micro is not None:
        add(micro.kind, "normal", micro.estimate, micro.confidence_interval)
    frame = pd.DataFrame(rows, columns=["combined_by", "interval", "estimate", "low", "high"])
    frame["confidence_level"] = macro.confidence_level
    if random is not None:
        for name in ("tau2_method", "tau2", "i2", "q", "q_p_value"):
            frame[name] = getattr(random, name)
    return frame


def influence_frame(influence: Influence, datasets: Sequence[str]) -> pd.DataFrame:
    """A row for each dataset that is left out, what moves most first."""
    import pandas as pd

    whole = influence.whole
    width = width_of(whole.confidence_interval)
    order = sorted(range(len(datasets)), key=lambda i: -abs(float(influence.shifts[i])))
    level = level_text(whole.confidence_level)
    return pd.DataFrame(
        {
            "without": [datasets[i] for i in order],
            "combined effect": [number(influence.without[i].estimate, width) for i in order],
            "moves by": [number(float(influence.shifts[i]), width) for i in order],
            f"{level} interval": [
                interval_text(influence.without[i].interval, width) for i in order
            ],
            "I²": [percent(float(influence.i2[i])) for i in order],
        }
    )


def experiment_frame(experiment: PredictionExperiment) -> pd.DataFrame:
    """A row for each number of datasets drawn and each way of combining."""
    import pandas as pd

    absolute, signed_errors = experiment.mean_absolute_errors, experiment.mean_signed_errors
    rows = []
    for i, size in enumerate(experiment.sizes):
        unit = float(absolute[i, 0]) if math.isfinite(float(absolute[i, 0])) else 0.0
        for j, method in enumerate(experiment.methods):
            p_value = float(experiment.p_values[i, j])
            rows.append(
                (
                    size,
                    way_title(method),
                    size_of(float(absolute[i, j]), unit),
                    number(float(signed_errors[i, j]), unit),
                    "–" if math.isnan(p_value) else format_p_value(p_value),
                )
            )
    columns = ["k drawn", "combined by", "mean error", "mean signed error", "p against macro"]
    return pd.DataFrame(rows, columns=columns)


def effects_frame(
    combined: CombinedEffects,
    order: Sequence[int],
    *,
    metrics: Mapping[str, str] | None = None,
    is_averaged: bool = True,
) -> pd.DataFrame:
    """A row for each dataset: size, scores, effect, interval, weight.

    Parameters
    ----------
    combined : CombinedEffects
        The numbers.
    order : sequence of int
        Places of the datasets, as the rows are to follow.
    metrics : mapping of str to str, optional
        Each dataset's own metric, where they have one each.
    is_averaged : bool
        Whether effects are averaged, so that they have weights.
    """
    import pandas as pd

    effects = combined.effects
    level = combined.macro.confidence_level
    columns: dict[str, list[str]] = {"dataset": [effects.datasets[i] for i in order]}
    if metrics:
        columns[METRIC_COLUMN] = [
            whole_name(metrics.get(effects.datasets[i], "")) or "–" for i in order
        ]
    intervals = effects.intervals(level)
    typical = sorted(high - low for low, high in (one for one in intervals if one is not None))
    unit = typical[len(typical) // 2] if typical else 0.0
    columns[effect_label(effects)] = [number(float(effects.effects[i]), unit) for i in order]
    if effects.variances is not None:
        columns[f"{level_text(level)} interval"] = [
            interval_text(intervals[i], unit) for i in order
        ]
    several = is_averaged and effects.n_datasets > 1
    if combined.random is not None and combined.fixed is not None and several:
        for name, found in (("random", combined.random), ("fixed", combined.fixed)):
            shares = dict(zip(combined.weighed, found.weights.tolist(), strict=True))
            columns[f"weight, {name}"] = [
                f"{100.0 * shares[i]:.1f}%" if i in shares else "–" for i in order
            ]
    if effects.n_examples is not None:
        columns["n"] = [f"{int(effects.n_examples[i]):,}" for i in order]
    for name, scores in (("A", effects.scores_a), ("B", effects.scores_b)):
        if scores is not None:
            columns[name] = [minus(f"{float(scores[i]):.5g}") for i in order]
    if any(effects.notes):
        columns["note"] = [effects.notes[i] for i in order]
    return pd.DataFrame(columns)
