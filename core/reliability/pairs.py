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
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, Self

import numpy as np

from ..data.result_set import ResultSet
from ..errors import DataError, Problem
from ..metrics.per_example import LABEL_METRICS, label_statistics, other_than_binary
from ..metrics.registry import MEAN, aggregate
from ..replicability.counting import count_groups
from ..replicability.identification import identify_datasets
from ..shown import DataFrame, frame_of
from ..signature import listed, short_fingerprint, signature_line
from ..significance.choose import suitable_tests
from ..significance.plan import Given, given_on, problems_of, wanted_datasets
from ..significance.settings import Rng, Settings, dataset_stream, seed_of
from ..significance.single import SignificanceResult
from ..significance.stopping import Progress, run_counted
from ..types import BoolArray, FloatArray, grouped
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
        return frozenset(pair.result.test for pair in self.pairs)

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
        return tuple(dataset for dataset, below in self._below().items() if any(below))

    @property
    def datasets_by_all(self) -> tuple[str, ...]:
        """Datasets with p <= alpha by every choice that there is on them."""
        return tuple(dataset for dataset, below in self._below().items() if all(below))

    @property
    def datasets_that_differ(self) -> tuple[str, ...]:
        """Datasets on which p <= alpha by some choices and not by others."""
        by_all = set(self.datasets_by_all)
        return tuple(dataset for dataset in self.datasets_by_any if dataset not in by_all)

    def only(self, datasets: Collection[str]) -> Self | None:
        """The part of the study that is of some datasets; None where it has none of them."""
        pairs = tuple(pair for pair in self.pairs if pair.dataset in datasets)
        if not pairs:
            return None
        return replace(
            self,
            datasets=tuple(name for name in self.datasets if name in datasets),
            pairs=pairs,
            left_out=tuple(one for one in self.left_out if one.dataset in datasets),
            n_asked=self.n_asked - (len(self.pairs) - len(pairs)),
        )

    def to_frame(self) -> DataFrame:
        """A row for each p-value."""
        rows = [
            {
                "dataset": pair.dataset,
                "metric": pair.result.metric,
                **({} if pair.level is None else {"level": pair.level}),
                "test": pair.result.test,
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
        return grouped(zip((pair.dataset for pair in self.pairs), below, strict=True))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedPair:
    """One p-value of one dataset, of the `level` of a covariate where a part of it was tested.

    `by_rule`: it is the test that "auto" stands for.
    """

    # No test of pytest's, whatever its name begins with.
    __test__ = False

    dataset: str
    level: str | None
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlannedPair:
    """What is tested on a dataset, or on the examples of one level of it.

    What is `given` is made when it is asked for: that of all pairs at once may be large.
    """

    dataset: str
    metric: str
    given: Callable[[], Given]
    test: str
    by_rule: bool
    level: str | None = None


def fitting_tests(
    result_set: ResultSet, dataset: str, metric: str, *, a: str, b: str, tests: Sequence[str]
) -> tuple[list[PlannedPair], list[Problem]]:
    """The tests asked for that fit a metric on a dataset.

    Problems are given where none fits, and where the metric is not defined.
    """
    labels = result_set.clusters_of(dataset)
    ask = partial(given_on, result_set, dataset, (a, b), metric, clusters=labels)
    try:
        given = ask()
    except DataError as error:
        return [], list(error.problems)
    zero_one = given.kind == MEAN and not any(map(other_than_binary, given.first_two))
    rule = given.rule()
    meant = {
        "auto": (rule,),
        "all": suitable_tests(given.kind, zero_one=zero_one, clustered=labels is not None),
    }
    found: list[PlannedPair] = []
    problems: list[Problem] = []
    for test in dict.fromkeys(one for asked in tests for one in meant.get(asked, (asked,))):
        wrong = problems_of(given, test)
        problems += wrong
        if not wrong:
            found.append(
                PlannedPair(
                    dataset=dataset, metric=metric, given=ask, test=test, by_rule=test == rule
                )
            )
    return found, [] if found else problems


def planned_pairs(
    result_set: ResultSet,
    datasets: Sequence[str],
    metrics: Sequence[str],
    *,
    a: str,
    b: str,
    tests: Sequence[str],
    labels: Mapping[str, Sequence[str]] | None = None,
) -> tuple[list[PlannedPair], tuple[Problem, ...]]:
    """The tests asked for that fit, as `fitting_tests`, and what is left out.

    With `labels`, the level of each example or '', they are of each level of each dataset. Raises
    DataError if no test fits anything.
    """
    planned: list[PlannedPair] = []
    left_out: list[Problem] = []
    problems: list[Problem] = []
    levels = list(dict.fromkeys(one for own in (labels or {}).values() for one in own))

    def leave_out(wrong: list[Problem], dataset: str, place: str) -> None:
        problems.extend(wrong)
        left_out.extend(replace(one, dataset=dataset, column=place) for one in wrong[:1])

    for dataset in datasets:
        own = [] if labels is None else labels[dataset]
        if missing := sum(not one for one in own):
            left_out.append(
                Problem(
                    what=f"{missing:,} of {len(own):,} examples have no level.",
                    remedy="Give each example a level to have it tested.",
                    dataset=dataset,
                )
            )
        for metric in metrics:
            found, wrong = fitting_tests(result_set, dataset, metric, a=a, b=b, tests=tests)
            leave_out(wrong, dataset, metric)
            if labels is None:
                planned += found
                continue
            for whole, level in product(found, sorted({*own} - {""}, key=levels.index)):
                ask = partial(_part, whole.given, own, level)
                wrong = problems_of(ask(), whole.test)
                leave_out(wrong, dataset, level)
                planned += [] if wrong else [replace(whole, given=ask, level=level)]
    if not planned:
        raise DataError(problems)
    return planned, tuple(left_out)


def _part(whole: Callable[[], Given], labels: Sequence[str], level: str) -> Given:
    """The examples of one level, with the systems' scores on them."""
    part = whole().part(np.array([one == level for one in labels]))
    if part.kind == MEAN:
        return part
    scored, counted = None, part.systems
    if part.kind in LABEL_METRICS:
        scored, *own = label_statistics(*part.first_two, part.gold, metric=part.kind)
        counted = dict(zip(part.systems, own, strict=True))
    scores = {
        system: float(scored.score(values.sum(axis=0)))
        if scored is not None
        else aggregate(part.kind, values, gold=part.gold)
        for system, values in counted.items()
    }
    return replace(part, scores=scores)


# What a test of a metric holds beside its result.
_BYTES_OF_A_TEST = 16 << 20


def run_pairs(
    result_set: ResultSet,
    planned: Sequence[PlannedPair],
    *,
    a: str,
    b: str,
    alpha: float,
    n_resamples: int,
    seed: int,
    n_threads: int,
    on_progress: Progress | None,
) -> dict[str, Any]:
    """Run tests in order: the fields of a study that come of it, with those that were done."""
    settings = Settings(n_resamples=n_resamples)

    def work(pair: PlannedPair, going: Callable[[], bool]) -> TestedPair:
        test, level, name = pair.test, pair.level, result_set.name_in_file(pair.dataset)
        stream = dataset_stream(seed, name, test if level is None else f"{test}|level {level}")
        result = pair.given().tested(test, settings, rng=stream, keep_going=going)
        drawn_by = name if level is None else ""
        return TestedPair(
            dataset=pair.dataset,
            level=level,
            by_rule=pair.by_rule,
            result=replace(result, metric=pair.metric, seed=seed, dataset=drawn_by),
        )

    done: dict[int, TestedPair] = {}
    run_counted(
        [partial(work, pair) for pair in planned],
        n_threads=n_threads,
        bytes_held=lambda _place: _BYTES_OF_A_TEST,
        on_progress=on_progress,
        on_done=done.__setitem__,
        nothing="The tests were stopped before one was done.",
    )
    return {
        "system_a": a,
        "system_b": b,
        "alpha": alpha,
        "pairs": tuple(done[place] for place in sorted(done)),
        "n_asked": len(planned),
        "n_resamples": n_resamples,
        "seed": seed,
        "fingerprint": result_set.fingerprint,
    }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricStudy(PairStudy):
    """P-values of "A is better" by every metric and test, on every dataset.

    `tests_asked`: names, "auto" or "all".
    """

    metrics: tuple[str, ...]
    tests_asked: tuple[str, ...]

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Each metric and test that some dataset has, metric by metric."""
        held = dict.fromkeys((pair.result.metric, pair.result.test) for pair in self.pairs)
        return tuple(sorted(held, key=lambda column: self.metrics.index(column[0])))

    @property
    def signature(self) -> str:
        """The one line that names everything the p-values and counts depend on."""
        return self._signature(
            "metrics", metrics=",".join(self.metrics), tests=",".join(self.tests_asked)
        )


def metric_study(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    tests: Sequence[str] = ("auto",),
    alpha: float = 0.05,
    rng: Rng = 0,
    n_resamples: int = 9999,
    n_threads: int = 1,
    datasets: Sequence[str] | None = None,
    on_progress: Progress | None = None,
) -> MetricStudy:
    """Test "A is better than B" on every dataset by every metric and test that fits it.

    A p-value is the one that `run_dataset_tests` gives for the same seed, dataset, metric and
    test, whichever datasets are asked for beside it. Where a metric, those of labels among them, is
    not defined on a dataset, the pair is left out and said to be. `tests` "auto" is of each metric
    the one test that the fixed rule takes, "all" every test that fits; of names each metric has those
    that fit. Raises DataError if no test fits any metric of any dataset. Søgaard et al. (CoNLL 2014),
    section 3; Dror et al. (TACL 2017), footnote 3.
    """
    names = (*result_set.metrics, *result_set.label_metrics)
    chosen = wanted_datasets(result_set, datasets)
    planned, left_out = planned_pairs(result_set, chosen, names, a=a, b=b, tests=tests)
    found = run_pairs(
        result_set,
        planned,
        a=a,
        b=b,
        alpha=alpha,
        n_resamples=n_resamples,
        seed=seed_of(rng),
        n_threads=n_threads,
        on_progress=on_progress,
    )
    return MetricStudy(
        **found, datasets=chosen, left_out=left_out, metrics=names, tests_asked=tuple(tests)
    )
