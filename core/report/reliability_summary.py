"""On how many datasets a verdict hangs on a choice, of everything that was looked at, in a sentence.

The page has it at its top, the report as a line of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.reliability.cut_offs import CutOffStudy
from core.reliability.levels import LevelStudy
from core.reliability.metrics import MetricStudy
from core.reliability.repeated_runs import RunStudy
from core.reliability.subsample_results import SubsampleStudy
from core.report.formatting import display_name, format_level, list_names
from core.report.reliability_choices import n_datasets, within_reach

PROMISE = (
    "This page shows on which datasets a verdict hangs on a choice that could have been made "
    "otherwise: the metric, the test, how many examples, which of them, which run."
)
NO_RUN_YET = "Nothing has been looked at yet: open a question below, or begin with this one."
LIMITS = (
    "This says where a result is fragile among what was looked at, and carries no guarantee. A "
    "verdict that hangs on no choice may still be wrong."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LookedAt:
    """Studies that were run on the same two systems.

    Attributes
    ----------
    metrics : MetricStudy or None
        By metric and test.
    sizes : SubsampleStudy or None
        By size.
    cut_offs : mapping of dataset to CutOffStudy
        Along a numeric covariate.
    levels : LevelStudy or None
        By level of a categorical covariate.
    runs : mapping of dataset to RunStudy
        By pair of runs.
    """

    metrics: MetricStudy | None = None
    sizes: SubsampleStudy | None = None
    cut_offs: Mapping[str, CutOffStudy] = field(default_factory=dict)
    levels: LevelStudy | None = None
    runs: Mapping[str, RunStudy] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        """Whether anything was looked at."""
        return bool(self.metrics or self.sizes or self.cut_offs or self.levels or self.runs)


def direction_line(a: str, b: str) -> str:
    """What every p-value of the page is of."""
    return (
        f"All p-values here are of “{display_name(a)} is better than {display_name(b)}”, "
        "one-sided; the sidebar swaps the two."
    )


def not_yet_line(looked_at: LookedAt, *, covariates: bool, runs: bool) -> str:
    """Which questions are still open; "" where all were asked.

    Parameters
    ----------
    looked_at : LookedAt
        What was run.
    covariates, runs : bool
        Whether the data have any.
    """
    open_ones = [
        words
        for words, still in (
            ("the number of examples", looked_at.sizes is None),
            ("metric and test", looked_at.metrics is None),
            ("covariates", covariates and not looked_at.cut_offs and looked_at.levels is None),
            ("repeated runs", runs and not looked_at.runs),
        )
        if still
    ]
    return f"Not looked at yet: {'; '.join(open_ones)}." if open_ones else ""


def dependences(looked_at: LookedAt) -> dict[str, tuple[str, ...]]:
    """For each choice looked at, the datasets whose verdict hangs on it."""
    found: dict[str, tuple[str, ...]] = {}
    if looked_at.metrics is not None:
        found["metric or test"] = within_reach(looked_at.metrics).datasets_that_depend
    if looked_at.sizes is not None:
        marks = (looked_at.sizes.marked("fragile"), looked_at.sizes.marked("vanishes"))
        held = {name for own in marks for name in own}
        found["number of examples"] = tuple(
            own.dataset for own in looked_at.sizes.datasets if own.dataset in held
        )
    if looked_at.cut_offs:
        some = next(iter(looked_at.cut_offs.values()))
        found[display_name(some.covariate) or "covariate"] = tuple(
            dataset
            for dataset, study in looked_at.cut_offs.items()
            if study.depends and study.verdict_changes
        )
    if looked_at.levels is not None:
        name = display_name(looked_at.levels.covariate) or "level"
        found[name] = within_reach(looked_at.levels).datasets_that_depend
    if looked_at.runs:
        found["run"] = tuple(
            dataset for dataset, study in looked_at.runs.items() if study.hangs_on_runs
        )
    return found


def summary_sentence(looked_at: LookedAt, datasets: Sequence[str], *, alpha: float) -> str:
    """On how many datasets whether p <= alpha depends on a choice; "" where nothing was looked at.

    Parameters
    ----------
    looked_at : LookedAt
        What was run.
    datasets : sequence of str
        All that are compared.
    alpha : float
        The level that the studies are held against.
    """
    if not looked_at.any:
        return ""
    found = dependences(looked_at)
    level, n = format_level(alpha), len(datasets)
    depending = [name for name in datasets if any(name in own for own in found.values())]
    if not depending:
        return (
            f"Whether p ≤ {level} depends on no choice that was looked at, on any of {n_datasets(n)}. "
            f"Looked at: {'; '.join(found)}."
        )
    by_choice = "; ".join(
        f"on the {choice}: {list_names([name for name in datasets if name in own], most=6)}"
        for choice, own in found.items()
        if own
    )
    held = [choice for choice, own in found.items() if not own]
    also = f" Also looked at: {'; '.join(held)}." if held else ""
    return (
        f"Whether p ≤ {level} depends on a choice on {len(depending)} of {n_datasets(n)}: "
        f"{by_choice}.{also}"
    )
