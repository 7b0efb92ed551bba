"""On how many datasets a verdict hangs on a choice, of everything that was looked at, in a sentence.

The page has it at its top, the report as a line of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..reliability.cut_offs import CutOffStudy
from ..reliability.levels import LevelStudy
from ..reliability.metrics import MetricStudy
from ..reliability.repeated_runs import RunStudy
from ..reliability.sample_size import SubsampleStudy
from .formatting import display_name, format_level, list_names
from .reliability_choices import depending_on_level, n_datasets, within_reach
from .subject import Subject

PROMISE = (
    "This page shows on which datasets a verdict hangs on a choice that could have been made "
    "otherwise: the metric, the test, how many examples, which of them, which run."
)
NO_RUN_YET = (
    "Nothing has been looked at yet that this could hang on: open a question below, or begin with "
    "this one."
)
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
    stopped : set of {"covariate", "run"}
        Which of these two were stopped before every dataset was begun.
    """

    metrics: MetricStudy | None = None
    sizes: SubsampleStudy | None = None
    cut_offs: Mapping[str, CutOffStudy] = field(default_factory=dict)
    levels: LevelStudy | None = None
    runs: Mapping[str, RunStudy] = field(default_factory=dict)
    stopped: frozenset[str] = frozenset()

    @property
    def any(self) -> bool:
        """Whether anything was looked at."""
        return bool(self.metrics or self.sizes or self.cut_offs or self.levels or self.runs)

    @property
    def tests(self) -> frozenset[str]:
        """The tests whose p-values were looked at."""
        found = {own.test for own in self.cut_offs.values()}
        found |= {own.test for own in self.runs.values()}
        found |= {own.test for own in self.sizes.datasets} if self.sizes else set()
        found |= self.metrics.tests if self.metrics else set()
        return frozenset(found | self.levels.tests) if self.levels else frozenset(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What one kind of choice did, where it was looked at.

    Attributes
    ----------
    name : str
        In a sentence: "metric or test", the name of a covariate.
    looked_at : tuple of str
        Datasets with at least two outcomes to compare.
    depending : tuple of str
        Those of them whose verdict hangs on the choice.
    complete : bool
        Whether all that was begun is done.
    """

    name: str
    looked_at: tuple[str, ...]
    depending: tuple[str, ...]
    complete: bool


def opening_sentence(subject: Subject, n_small: int, n: int, *, metric: str, alpha: float) -> str:
    """What the tests of the sidebar say, before any choice is looked at.

    Parameters
    ----------
    subject : Subject
        Systems, and what the tests ask.
    n_small, n : int
        Datasets with p <= alpha, and all that are compared.
    metric : str
        By which.
    alpha : float
        The level.
    """
    claim = f"“{subject.claim('a-better')}” has"
    how = f"by {display_name(metric)}, as tested now{', each dataset alone' if n > 1 else ''}"
    if n == 1:
        said = f"{claim} {'p ≤' if n_small else 'p >'} {format_level(alpha)} on the one dataset"
    else:
        said = f"{claim} p ≤ {format_level(alpha)} on {n_small} of {n_datasets(n)}"
    return f"{said}, {how}."


def direction_line(a: str, b: str, *, claimed: str = "is better") -> str:
    """What every p-value of the page is of.

    Parameters
    ----------
    a, b : str
        Systems.
    claimed : str
        What the tests claim of A, as `claim_of_tests` writes it.
    """
    is_better, bracket, by = claimed.partition(" (")
    whose = f"“{display_name(a)} {is_better} than {display_name(b)}”{bracket}{by}"
    return f"All p-values here are of {whose}, one-sided; the sidebar swaps the two."


def of_others(a: str, b: str) -> str:
    """Why a study of two systems is not shown while others, or the same swapped, are compared."""
    return (
        f"These results compare {display_name(a)} (A) with {display_name(b)} (B) and are not shown "
        "here: choose the two again in the sidebar, or run it for the ones chosen now."
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


def choices_looked_at(looked_at: LookedAt, datasets: Sequence[str]) -> tuple[Choice, ...]:
    """For each kind of choice, where it was looked at and where a verdict hangs on it.

    Parameters
    ----------
    looked_at : LookedAt
        What was run.
    datasets : sequence of str
        All that are compared; others are in no answer.
    """
    found = []
    metrics, sizes, levels = looked_at.metrics, looked_at.sizes, looked_at.levels
    if metrics is not None:
        within = within_reach(metrics)
        several = Counter(pair.dataset for pair in within.pairs)
        # With one choice in all there is nothing to hang on, and that is an answer.
        least = min(2, metrics.n_choices)
        found.append(
            Choice(
                name="metric or test",
                looked_at=tuple(name for name in datasets if several[name] >= least),
                depending=within.datasets_that_differ,
                complete=metrics.complete,
            )
        )
    if sizes is not None:
        found.append(
            Choice(
                name="number of examples",
                looked_at=tuple(own.dataset for own in sizes.datasets),
                depending=tuple(own.dataset for own in sizes.datasets if own.mark),
                complete=sizes.complete,
            )
        )
    if looked_at.cut_offs:
        along = looked_at.cut_offs
        found.append(
            Choice(
                name=display_name(next(iter(along.values())).covariate) or "covariate",
                looked_at=tuple(along),
                depending=tuple(
                    name for name, own in along.items() if own.depends and own.verdict_changes
                ),
                complete="covariate" not in looked_at.stopped
                and all(own.complete for own in along.values()),
            )
        )
    if levels is not None:
        found.append(
            Choice(
                name=display_name(levels.covariate) or "level",
                # Parts have p > α more often than the whole: only the test of all levels tells.
                looked_at=tuple(levels.dependence_p_values),
                depending=depending_on_level(levels),
                complete=levels.complete,
            )
        )
    if looked_at.runs:
        runs = looked_at.runs
        found.append(
            Choice(
                name="run",
                looked_at=tuple(name for name, own in runs.items() if own.n_pairs >= 2),
                depending=tuple(name for name, own in runs.items() if own.hangs_on_runs),
                complete="run" not in looked_at.stopped
                and all(own.complete for own in runs.values()),
            )
        )
    return tuple(_of_present(choice, datasets) for choice in found)


def summary_sentence(looked_at: LookedAt, datasets: Sequence[str], *, alpha: float) -> str:
    """On how many datasets whether p <= alpha depends on a choice; "" where nothing was looked at.

    A dataset that a choice was not looked at on is never counted among those
    that do not depend on it.

    Parameters
    ----------
    looked_at : LookedAt
        What was run.
    datasets : sequence of str
        All that are compared.
    alpha : float
        The level that the studies are held against.
    """
    choices = choices_looked_at(looked_at, datasets)
    if not choices:
        return ""
    level, n = format_level(alpha), len(datasets)
    seen = [name for name in datasets if any(name in own.looked_at for own in choices)]
    if not seen:
        names = "; ".join(f"{own.name}{_extent(own, n)}" for own in choices)
        return f"Nothing is known yet of whether p ≤ {level} depends on a choice: {names}."
    depending = [name for name in datasets if any(name in own.depending for own in choices)]
    whole = all(len(own.looked_at) == n and own.complete for own in choices)
    among = n_datasets(n) if len(seen) == n else f"the {len(seen)} of {n_datasets(n)} looked at"
    if not depending:
        listed = "; ".join(_held(own, n) for own in choices)
        if whole:
            on = "the one dataset" if n == 1 else f"any of {among}"
            return (
                f"Whether p ≤ {level} is the same under every choice tried, on {on}. "
                f"Looked at: {listed}."
            )
        return f"No dependence of p ≤ {level} on a choice was found as far as was looked: {listed}."
    by_choice = "; ".join(
        f"on the {own.name}{_extent(own, n)}: {list_names(own.depending, most=6)}"
        for own in choices
        if own.depending
    )
    held = [own for own in choices if not own.depending]
    also = f" Also looked at: {'; '.join(_held(own, n) for own in held)}." if held else ""
    count = "the one dataset" if n == 1 else f"{len(depending)} of {among}"
    return f"Whether p ≤ {level} depends on a choice on {count}: {by_choice}.{also}"


def _of_present(choice: Choice, datasets: Sequence[str]) -> Choice:
    return replace(
        choice,
        looked_at=tuple(name for name in datasets if name in choice.looked_at),
        depending=tuple(name for name in datasets if name in choice.depending),
    )


def _extent(choice: Choice, n: int) -> str:
    """How far it was looked at; "" where that is everywhere and to the end."""
    said = []
    if len(choice.looked_at) < n:
        said.append(f"looked at on {len(choice.looked_at)} of {n_datasets(n)}")
    if not choice.complete:
        said.append("stopped early")
    return f" ({'; '.join(said)})" if said else ""


def _held(choice: Choice, n: int) -> str:
    # The mark of sizes says more than that nothing hangs on them: the wording is its own.
    said = (
        "number of examples, where on none does it need nearly all"
        if choice.name == "number of examples"
        else choice.name
    )
    return f"{said}{_extent(choice, n)}"
