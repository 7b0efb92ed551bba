"""Tests of one dataset by several choices: which of them fit, and what they found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core.data.result_set import ResultSet
from core.errors import DataError, Problem
from core.metrics.labels import LABEL_METRICS
from core.metrics.per_example import other_than_binary
from core.metrics.registry import MEAN
from core.significance.choose import choose_test, suitable_tests
from core.significance.known_tests import significance_test_names
from core.significance.plan import PlannedTest, given_of, gold_for
from core.significance.result import SignificanceResult
from core.significance.stopping import Stopped, goes_on
from core.significance.suitability import problems_of_clusters, problems_of_scores
from core.significance.threads import run_pieces
from core.types import FloatArray
from core.validation import check_choice

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[int, int], object]
# What a test of a metric holds beside its result.
_BYTES_OF_A_TEST = 16 << 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestedPair:
    """One p-value of one dataset.

    Attributes
    ----------
    dataset, metric : str
        Their names.
    level : str or None
        Of a covariate, where a part of the dataset was tested.
    test : str
        One of `core.significance.significance_tests`.
    by_rule : bool
        Whether it is the test that "auto" stands for.
    result : SignificanceResult
        Its result.
    """

    # No test of pytest's, whatever its name begins with.
    __test__ = False

    dataset: str
    metric: str
    level: str | None
    test: str
    by_rule: bool
    result: SignificanceResult

    @property
    def p_value(self) -> float:
        """Of "A is better"."""
        return self.result.p_value_greater

    @property
    def kept_out(self) -> bool:
        """Whether the p-value says no more than that the bootstrap cannot reach so far."""
        return self.result.out_of_reach[0]

    @property
    def counted_p_value(self) -> float:
        """As it enters counting: 1 where it is kept out."""
        return 1.0 if self.kept_out else self.p_value

    @property
    def n_examples(self) -> int:
        """On how many examples."""
        return self.result.n_examples


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A pair without a p-value.

    Attributes
    ----------
    dataset, choice : str
        Which.
    reason, remedy : str
        Why, and what to do, each a sentence.
    """

    dataset: str
    choice: str
    reason: str
    remedy: str


def checked_tests(tests: str | Sequence[str]) -> tuple[str, ...]:
    """The tests asked for: names, "auto" or "all", each once.

    Raises
    ------
    ValueError
        If there is none, or no such test.
    """
    asked = (tests,) if isinstance(tests, str) else tuple(dict.fromkeys(tests))
    if not asked:
        raise ValueError("`tests` must name at least one test; got none.")
    known = ("auto", "all", *significance_test_names())
    return tuple(check_choice(test, known, name="tests") for test in asked)


def checked_metrics(result_set: ResultSet, metrics: Sequence[str] | None) -> tuple[str, ...]:
    """The metrics asked for, each once; by default all, those of labels among them.

    Raises
    ------
    ValueError
        If there is none, or no such metric.
    """
    known = (*result_set.metrics, *result_set.label_metrics)
    if metrics is None:
        return known
    if isinstance(metrics, str):
        raise ValueError(f"`metrics` must be a sequence of names; got the text {metrics!r}.")
    asked = tuple(dict.fromkeys(metrics))
    if not asked:
        raise ValueError("`metrics` must name at least one metric; got none.")
    return tuple(check_choice(metric, known, name="metrics") for metric in asked)


def fitting_tests(
    result_set: ResultSet,
    dataset: str,
    metric: str,
    *,
    a: str,
    b: str,
    tests: tuple[str, ...],
) -> tuple[list[tuple[PlannedTest, bool]], list[Problem]]:
    """The tests asked for that fit a metric on a dataset, and whether each is the rule's.

    Problems are given where none fits, and where the metric is not defined.

    Raises
    ------
    ValueError
        If there is no such test.
    """
    checked_tests(tests)
    kind = result_set.kind_of(metric)
    labels = result_set.clusters_of(dataset)
    try:
        gold = gold_for(result_set, dataset, kind)
        first, second = (
            given_of(result_set, dataset, system, metric=metric, kind=kind) for system in (a, b)
        )
        scores = {} if kind == MEAN else {s: result_set.score(dataset, s, metric) for s in (a, b)}
    except DataError as error:
        return [], list(error.problems)
    zero_one = kind == MEAN and not (other_than_binary(first) or other_than_binary(second))
    clustered = labels is not None
    rule, _ = choose_test(
        first,
        second,
        gold=gold,
        kind=kind,
        clustered=clustered,
        zero_one=result_set.has_outcomes(metric),
    )
    suitable = suitable_tests(kind, zero_one=zero_one, clustered=clustered)
    asked: dict[str, None] = {}
    for test in tests:
        if test in ("auto", "all"):
            asked.update(dict.fromkeys((rule,) if test == "auto" else suitable))
        else:
            asked[test] = None
    found: list[tuple[PlannedTest, bool]] = []
    problems: list[Problem] = []
    for test in asked:
        wrong = problems_of_scores(
            dataset,
            {a: first, b: second},
            scores,
            gold,
            test=test,
            metric=metric,
            kind=kind,
            of_labels=kind in LABEL_METRICS or metric not in result_set.metrics,
        )
        if labels is not None:
            wrong += problems_of_clusters(dataset, labels, test, n_examples=len(first))
        if wrong:
            problems += wrong
            continue
        plan = PlannedTest(
            test=test,
            metric=metric,
            kind=kind,
            higher_is_better=result_set.is_higher_better(metric),
            clusters=labels,
        )
        found.append((plan, test == rule))
    return found, [] if found else problems


def run_pairs(
    works: Sequence[Callable[[Callable[[], bool]], TestedPair]],
    *,
    n_threads: int,
    on_progress: Progress | None,
) -> tuple[tuple[TestedPair, ...], bool]:
    """Run tests in order; those that were done, and whether these are all.

    Raises
    ------
    Stopped
        If none was done.
    """
    total = len(works)
    done: dict[int, TestedPair] = {}

    def keep_going() -> bool:
        return goes_on(on_progress, len(done), total)

    run_pieces(
        works,
        n_threads=n_threads,
        bytes_held=lambda _place: _BYTES_OF_A_TEST,
        keep_going=keep_going,
        on_done=partial(_keep, done),
    )
    if not done:
        raise Stopped("The tests were stopped before one was done.")
    if on_progress is not None and len(done) == total:
        on_progress(total, total)
    return tuple(done[place] for place in sorted(done)), len(done) == total


def _keep(done: dict[int, TestedPair], place: int, pair: TestedPair) -> None:
    done[place] = pair


def left_out_of(problems: Sequence[Problem], dataset: str, choice: str) -> LeftOut:
    """What the problems of one pair come to."""
    first = problems[0]
    return LeftOut(dataset=dataset, choice=choice, reason=first.what, remedy=first.remedy)


def pair_frame(pairs: Sequence[TestedPair], named: Sequence[bool]) -> pd.DataFrame:
    """A row for each pair."""
    import pandas as pd

    rows = [
        {
            "dataset": pair.dataset,
            "metric": pair.metric,
            **({} if pair.level is None else {"level": pair.level}),
            "test": pair.test,
            "by_rule": pair.by_rule,
            "n_examples": pair.n_examples,
            "score_a": pair.result.score_a,
            "score_b": pair.result.score_b,
            "difference": pair.result.difference,
            "p_value": pair.p_value,
            "p_value_counted": pair.counted_p_value,
            "named_by_holm": is_named,
            "notes": "; ".join(pair.result.notes),
        }
        for pair, is_named in zip(pairs, named, strict=True)
    ]
    return pd.DataFrame(rows)


def p_values_of(pairs: Sequence[TestedPair]) -> FloatArray:
    """As they enter counting."""
    return np.array([pair.counted_p_value for pair in pairs], dtype=np.float64)
