"""What of the data is compared: the systems and the metric that settings mean, and what data do not have."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.settings import USUAL, AnalysisSettings
from core.data import PValueTable, ResultSet, ScoreTable
from core.data.words import quoted
from core.metrics.registry import CORRELATIONS
from core.replicability.combinations import (
    combination_named,
    combinations_under,
    usual_combination,
)


def known_settings(
    data: PValueTable | ResultSet | ScoreTable, settings: AnalysisSettings
) -> tuple[AnalysisSettings, tuple[str, ...]]:
    """The settings that the data have, and in words what they do not have."""
    said: list[str] = []
    if isinstance(data, ResultSet | ScoreTable) and max(settings.pair) >= len(data.systems):
        numbers = f"{settings.pair[0] + 1} and {settings.pair[1] + 1}"
        said.append(f"There are no systems {numbers} in these data; the first two are compared.")
        settings = replace(settings, pair=USUAL.pair)
    if isinstance(data, ResultSet) and settings.metric not in ("", *metrics_of(data)):
        said.append(
            f"There is no metric {quoted(settings.metric)} in these data; {data.metrics[0]} is "
            "compared."
        )
        settings = replace(settings, metric="")
    if settings.combination not in ("", *combinations_under(settings.dependence)):
        needed = combination_named(settings.combination)
        said.append(
            f"{needed.title} counts only {needed.holds}, which is not answered here; "
            f"{combination_named(usual_combination(settings.dependence)).title} counts."
        )
        settings = replace(settings, combination="")
    elsewhere = [name for name in settings.excluded if name not in data.datasets]
    if elsewhere:
        listed = ", ".join(quoted(name) for name in elsewhere)
        said.append(f"Datasets to be left out are not in these data: {listed}.")
    kept = tuple(name for name in settings.excluded if name in data.datasets)
    if kept and len(kept) == len(data.datasets):
        said.append("Every dataset was to be left out; none is.")
        kept = ()
    return replace(settings, excluded=kept), tuple(said)


def systems_of(settings: AnalysisSettings, n_systems: int) -> tuple[int, int]:
    """Positions of the two systems compared: those chosen, or the first two."""
    first, second = settings.pair
    return (first, second) if 0 <= first < second < n_systems else (0, 1)


def metric_of(data: ResultSet, settings: AnalysisSettings) -> str:
    """The metric compared: the one chosen, or the file's first."""
    return settings.metric if settings.metric in metrics_of(data) else data.metrics[0]


def other_correlation(data: ResultSet, metric: str) -> str | None:
    """The file's metric of the other correlation with gold, where one of them is compared."""
    kind = data.kind_of(metric)
    if kind not in CORRELATIONS:
        return None
    return next(
        (
            name
            for name in data.metrics
            if data.kind_of(name) in CORRELATIONS and data.kind_of(name) != kind
        ),
        None,
    )


def metrics_of(data: ResultSet) -> tuple[str, ...]:
    """What two systems can be compared by: the file's metrics, and those its labels allow."""
    return (*data.metrics, *data.label_metrics)
