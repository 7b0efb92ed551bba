"""Tests of one dataset by several choices: which of them fit, what they found, and all as one family.

Vocabulary
----------
choice
    What a dataset has several p-values by: its metrics and tests, or the levels
    of a covariate.
pair
    A dataset with one of its choices: one p-value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..data.result_set import ResultSet
from ..errors import DataError, Problem
from ..metrics.per_example import other_than_binary
from ..metrics.registry import MEAN
from ..replicability.counting import count_groups
from ..replicability.identification import identify_datasets
from ..shown import DataFrame, frame_of
from ..signature import listed, short_fingerprint, signature_line
from ..significance.choose import suitable_tests
from ..significance.plan import PlannedTest, given_on, problems_of
from ..significance.result import SignificanceResult
from ..significance.stopping import Progress, Stopped, run_counted
from ..types import BoolArray, FloatArray
from ..validation import HeldAgainst, at_most


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairStudy(HeldAgainst):
    """P-values of "A is better" for each dataset and choice, such as a metric or a level.

    `left_out` are those without any p-value, each choice in the place of a column, and `n_asked` is
    how many p-values there were to be.
    """

    system_a: str
    system_b: str
    datasets: tuple[str, ...]
    alpha: float
    pairs: tuple[TestedPair, ...]
    left_out: tuple[Problem, ...]
    n_asked: int
    n_resamples: int
    seed: int
    fingerprint: str

    @property
    def tests(self) -> frozenset[str]:
        """The tests whose p-values these are."""
        return frozenset(pair.test for pair in self.pairs)

    @property
    def complete(self) -> bool:
        """Whether all tests were run."""
        return len(self.pairs) == self.n_asked

    def _signature(self, study: str, **asked: object) -> str:
        return signature_line(
            study=study,
            a=self.system_a,
            b=self.system_b,
            datasets=listed(self.datasets),
            **asked,
            alpha=self.alpha,
            resamples=self.n_resamples,
            pairs=self.n_asked,
            done=None if self.complete else len(self.pairs),
            seed=self.seed,
            data=short_fingerprint(self.fingerprint),
        )

    @property
    def family(self) -> PairFamily:
        """All p-values counted as one family, by no count that needs independence."""
        return PairFamily(
            datasets=tuple(pair.dataset for pair in self.pairs),
            p_values=np.array([pair.counted_p_value for pair in self.pairs], dtype=np.float64),
            alpha=self.alpha,
        )

    @property
    def tested_datasets(self) -> tuple[str, ...]:
        """Those with a p-value."""
        return tuple(dict.fromkeys(pair.dataset for pair in self.pairs))

    @property
    def datasets_by_any(self) -> tuple[str, ...]:
        """Datasets with p <= alpha by at least one choice."""
        found = self._below()
        return tuple(dataset for dataset in self.tested_datasets if any(found[dataset]))

    @property
    def datasets_by_all(self) -> tuple[str, ...]:
        """Datasets with p <= alpha by every choice that there is on them."""
        found = self._below()
        return tuple(dataset for dataset in self.tested_datasets if all(found[dataset]))

    @property
    def datasets_that_differ(self) -> tuple[str, ...]:
        """Datasets on which p <= alpha by some choices and not by others."""
        by_all = set(self.datasets_by_all)
        return tuple(dataset for dataset in self.datasets_by_any if dataset not in by_all)

    def to_frame(self) -> DataFrame:
        """A row for each p-value."""
        rows = [
            {
                "dataset": pair.dataset,
                "metric": pair.metric,
                **({} if pair.level is None else {"level": pair.level}),
                "test": pair.test,
                "by_rule": pair.by_rule,
                "n_examples": pair.result.n_examples,
                "score_a": pair.result.score_a,
                "score_b": pair.result.score_b,
                "difference": pair.result.difference,
                "p_value": pair.result.p_value_greater,
                "p_value_counted": pair.counted_p_value,
                "named_by_holm": is_named,
                "notes": "; ".join(pair.result.notes),
            }
            for pair, is_named in zip(self.pairs, self.family.named.tolist(), strict=True)
        ]
        return frame_of(rows)

    def _below(self) -> dict[str, list[bool]]:
        below = at_most(self.family.p_values, self.alpha).tolist()
        found: dict[str, list[bool]] = {}
        for pair, is_below in zip(self.pairs, below, strict=True):
            found.setdefault(pair.dataset, []).append(is_below)
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairFamily:
    """On at least how many pairs, and so on how many datasets, A is better.

    P-values of one dataset depend on each other, so no count that needs independence is offered,
    and Simes' needs its condition. `p_values`, shape (n_pairs,), are as counted.
    """

    datasets: tuple[str, ...]
    p_values: FloatArray
    alpha: float = 0.05

    @property
    def n_pairs(self) -> int:
        """How many pairs there are."""
        return self.p_values.size

    @property
    def n_datasets(self) -> int:
        """How many datasets have a pair."""
        return len(set(self.datasets))

    @property
    def most_choices(self) -> int:
        """m: of how many pairs a dataset is at most."""
        return max(Counter(self.datasets).values())

    def n_datasets_by(self, combination: str) -> int:
        """On at least how many datasets there is an effect by at least one choice.

        By Bonferroni on the `named_datasets`.
        """
        return count_groups(self.p_values, self.datasets, alpha=self.alpha, combination=combination)

    @property
    def named(self) -> BoolArray:
        """Which pairs Holm's procedure names, shape (n_pairs,)."""
        return identify_datasets(self.p_values, alpha=self.alpha).rejected

    @property
    def named_datasets(self) -> tuple[str, ...]:
        """Datasets of which Holm's procedure names a pair, from Bonferroni's closed test."""
        named = zip(self.datasets, self.named.tolist(), strict=True)
        return tuple(dict.fromkeys(dataset for dataset, is_named in named if is_named))


# What a test of a metric holds beside its result.
_BYTES_OF_A_TEST = 16 << 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestedPair:
    """One p-value of one dataset, of the `level` of a covariate where a part of it was tested.

    `by_rule`: it is the test that "auto" stands for.
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
    def kept_out(self) -> bool:
        """Whether the p-value says no more than that the bootstrap cannot reach so far."""
        return self.result.out_of_reach[0]

    @property
    def counted_p_value(self) -> float:
        """As it enters counting: 1 where it is kept out."""
        return 1.0 if self.kept_out else self.result.p_value_greater


def fitting_tests(
    result_set: ResultSet,
    dataset: str,
    metric: str,
    *,
    a: str,
    b: str,
    tests: Sequence[str],
) -> tuple[list[tuple[PlannedTest, bool]], list[Problem]]:
    """The tests asked for that fit a metric on a dataset, and whether each is the rule's.

    Problems are given where none fits, and where the metric is not defined.
    """
    labels = result_set.clusters_of(dataset)
    try:
        given = given_on(result_set, dataset, (a, b), metric, clusters=labels)
    except DataError as error:
        return [], list(error.problems)
    zero_one = given.kind == MEAN and not any(map(other_than_binary, given.first_two))
    rule = given.rule()
    suitable = suitable_tests(given.kind, zero_one=zero_one, clustered=labels is not None)
    asked: dict[str, None] = {}
    for test in tests:
        if test in ("auto", "all"):
            asked.update(dict.fromkeys((rule,) if test == "auto" else suitable))
        else:
            asked[test] = None
    found: list[tuple[PlannedTest, bool]] = []
    problems: list[Problem] = []
    for test in asked:
        wrong = problems_of(given, test)
        problems += wrong
        if not wrong:
            plan = PlannedTest(test=test, metric=metric, clusters=labels)
            found.append((plan, test == rule))
    return found, [] if found else problems


def planned_pairs(
    result_set: ResultSet,
    datasets: Sequence[str],
    metrics: Sequence[str],
    *,
    a: str,
    b: str,
    tests: Sequence[str],
) -> tuple[list[tuple[str, PlannedTest, bool]], tuple[Problem, ...]]:
    """Datasets with the tests asked for that fit them, as `fitting_tests`, and what is left out.

    Raises DataError if no test fits any metric of any dataset.
    """
    planned: list[tuple[str, PlannedTest, bool]] = []
    left_out: list[Problem] = []
    problems: list[Problem] = []
    for dataset in datasets:
        for metric in metrics:
            found, wrong = fitting_tests(result_set, dataset, metric, a=a, b=b, tests=tests)
            planned += [(dataset, plan, by_rule) for plan, by_rule in found]
            problems += wrong
            if wrong:
                left_out.append(replace(wrong[0], dataset=dataset, column=metric))
    if not planned:
        raise DataError(problems)
    return planned, tuple(left_out)


def run_pairs(
    works: Sequence[Callable[[Callable[[], bool]], TestedPair]],
    *,
    n_threads: int,
    on_progress: Progress | None,
) -> tuple[tuple[TestedPair, ...], bool]:
    """Run tests in order; those that were done, and whether these are all."""
    done: dict[int, TestedPair] = {}
    complete = run_counted(
        works,
        n_threads=n_threads,
        bytes_held=lambda _place: _BYTES_OF_A_TEST,
        on_progress=on_progress,
        on_done=done.__setitem__,
    )
    if not done:
        raise Stopped("The tests were stopped before one was done.")
    return tuple(done[place] for place in sorted(done)), complete
