"""What was tried on data, in words, so that a report can tell all of it."""

from __future__ import annotations

from core.analysis.settings import AnalysisSettings
from core.analysis.testing import TestPlan, plan_of
from core.data import PValueTable, ResultSet
from core.report.formatting import list_names

# Settings whose every value is kept, under the words for them.
RECORDED_SETTINGS = {
    "alpha": "levels",
    "dependence": "dependence",
    "excluded": "datasets left out",
    "procedure": "procedures",
}
# What the studies of reliability came to in the end; a later sentence takes an earlier one's place.
HANGS_ON_CHOICES = "what p ≤ α hangs on"


def setting_in_words(value: object) -> str:
    """A setting as the list of what was tried names it."""
    if isinstance(value, tuple):
        names = [str(name) for name in value]
        return list_names(names, most=max(1, len(names))) or "none"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def plan_in_words(plan: TestPlan) -> str:
    """A run of tests as the list of what was tried names it."""
    name = "recommended tests" if plan.test == "auto" else plan.test
    further = [
        words
        for chosen, words in (
            (plan.interval != "basic", f"{plan.interval} interval"),
            (plan.estimator != "add-one", f"{plan.estimator} estimator"),
            (plan.zeros != "wilcox", f"zeros by {plan.zeros}"),
            (not plan.whole_clusters, "clusters taken apart"),
            (bool(plan.extended), _extended(plan)),
        )
        if chosen
    ]
    return ", ".join(
        (
            f"{plan.system_a} and {plan.system_b}, {plan.metric}: {name}",
            f"{plan.n_resamples} resamples where they resample",
            f"seed {plan.seed}",
            *further,
        )
    )


def first_record(
    data: PValueTable | ResultSet, settings: AnalysisSettings
) -> dict[str, tuple[str, ...]]:
    """What is tried by looking at data once, with these settings."""
    record: dict[str, tuple[str, ...]] = {
        "levels": (setting_in_words(settings.alpha),),
        "dependence": (settings.dependence,),
    }
    if settings.excluded:
        record["datasets left out"] = (setting_in_words(settings.excluded),)
    if settings.procedure != "holm":
        record["procedures"] = (settings.procedure,)
    if isinstance(data, ResultSet):
        record["tests"] = (plan_in_words(plan_of(data, settings)),)
    return record


def _extended(plan: TestPlan) -> str:
    each = [f"{dataset} to {n_resamples}" for dataset, n_resamples in plan.extended]
    return f"extended: {list_names(each)}"
