"""Does A tend to score better over datasets like these: Wilcoxon's test, the sign test and t over N pairs.

One score a system and dataset is enough. The N datasets stand for a population
that they are drawn from, and the null hypothesis of each test (`ACROSS_TESTS`) is about
it. On how many of these N datasets A is better is another
question, which none of the three answers.

Vocabulary
----------
zeros
    Datasets on which both score the same. "split" (Demšar 2006): they keep their
    ranks, and half of them goes to either side; of an odd number one is left out
    first. "dropped": they are left out before ranking.
R+, R−
    Sums of the ranks of the datasets on which A, or B, is better; T is the smaller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

import numpy as np

from ..data.side_data import checked_names
from ..errors import DataError, Problem
from ..shown import DataFrame, frame_of
from ..signature import bytes_of_numbers, short_fingerprint, signature_line
from ..significance.counting import SIGN
from ..significance.differences import Differences, paired_differences, tied
from ..significance.outcome import Sides
from ..significance.paired_tests import student, wilcoxon
from ..significance.settings import TEST_ALTERNATIVES, TestAlternative
from ..types import FloatArray, frozen
from ..validation import check_choice, check_yes_or_no, is_missing, record_named

# Numbers, or digits as printed.
Scores = Sequence[float] | Sequence[str] | FloatArray

# With four, not even a one-sided Wilcoxon or sign test can reach .05: 1/16 is its smallest p.
FEWEST_DATASETS = 5
# Scores that were computed are off by a few roundings of the largest; that breaks no tie.
ROUNDINGS = 2.0**-50


def too_few_datasets(n_datasets: int) -> str:
    """Why so few datasets are not tested, '' where they are enough."""
    if n_datasets >= FEWEST_DATASETS:
        return ""
    smallest = f"{2.0**-n_datasets:.10g}".removeprefix("0")
    return (
        f"Tests over datasets need at least {FEWEST_DATASETS} of them; got {n_datasets}. "
        f"With {n_datasets}, the smallest p that Wilcoxon's test or the sign test can reach "
        f"is {smallest} one-sided and twice that two-sided."
    )


def given_names(names: Sequence[str] | None, n: int, *, of: str) -> tuple[str, ...]:
    """The names given, or "dataset 1", "dataset 2" and so on where they are `of` "dataset"."""
    if names is None:
        return tuple(f"{of} {i + 1}" for i in range(n))
    checked = checked_names(names, name=f"{of}s")
    if len(checked) != n:
        raise ValueError(f"`{of}s` must have {n} names; got {len(checked)}.")
    return checked


def read_columns(
    columns: Sequence[Scores], *, datasets: Sequence[str], systems: Sequence[str]
) -> FloatArray:
    """A column of finite scores for each system, shape (N, k).

    Raises DataError if scores are missing; every one is named.
    """
    problems: list[Problem] = []
    values = np.zeros((len(datasets), len(systems)))
    for j, (column, system) in enumerate(zip(columns, systems, strict=True)):
        for i, (entry, dataset) in enumerate(zip(column, datasets, strict=True)):
            if is_missing(entry) or entry == "":
                what, remedy = (
                    "There is no score.",
                    "Add it, or leave the dataset out for every system.",
                )
                problems.append(Problem(what=what, remedy=remedy, dataset=dataset, column=system))
                continue
            try:
                values[i, j] = entry
            except (TypeError, ValueError, OverflowError):
                values[i, j] = np.nan
            if not math.isfinite(values[i, j]):
                raise ValueError(
                    f"Scores must be finite numbers; got {entry!r} of system {system!r} on "
                    f"dataset {dataset!r}."
                )
    if problems:
        raise DataError(problems)
    return values


def paired_averages(a: FloatArray, b: FloatArray) -> Differences:
    """The differences of scores that may have been computed: rounding breaks no tie of sizes."""
    largest = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
    return paired_differences(a, b, room=ROUNDINGS * largest)


def midranks(values: FloatArray) -> FloatArray:
    """Midranks in each row, the smallest value first; rounding of the row's largest breaks no tie."""
    from scipy.stats import rankdata

    room = ROUNDINGS * np.abs(values).max(axis=1, keepdims=True)
    return np.asarray(rankdata(tied(values, room), axis=1), dtype=np.float64)


_EQUAL = "the scores are equal on every dataset: there is no difference to rank"
_NO_WINS = "the scores are equal on every dataset: nobody wins"
_CONSTANT = "the differences do not vary: t is undefined"
_SYMMETRIC = "differences of scores are symmetric around zero"
_AS_OFTEN = "differences of scores are as often above zero as below"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcrossTest:
    """One test over the population that N datasets are drawn from, and what it found on pairs of scores.

    `test` is one over a dataset's examples. The variant says how zeros are treated, and where p comes
    from; the kernel goes from differences and the test with nothing found to what it found. T is the
    smaller of the rank sums R+ and R−; t and z are positive where A is better. `sides` are the
    p-values, None where the test is not defined, with the reason.
    """

    name: str
    test: str
    null_hypothesis: str
    variant: str
    statistic_name: str
    kernel: Callable[[Differences, AcrossTest], AcrossTest]
    alternative: TestAlternative = "greater"
    statistic: float | None = None
    sides: Sides | None = None
    n_used: int = 0
    rank_sums: tuple[float, float] | None = None
    z: float | None = None
    reason: str = ""
    note: str = ""

    @property
    def p_value(self) -> float | None:
        """For the alternative that was asked for."""
        return None if self.sides is None else self.sides.of(self.alternative)

    @property
    def p_value_greater(self) -> float | None:
        """Of A better."""
        return None if self.sides is None else self.sides.greater

    @property
    def p_value_less(self) -> float | None:
        """Of B better."""
        return None if self.sides is None else self.sides.less

    @property
    def p_value_two_sided(self) -> float | None:
        """Of one of the two being better."""
        return None if self.sides is None else self.sides.two_sided

    def of(self, differences: Differences, alternative: TestAlternative) -> AcrossTest:
        """What the test finds."""
        return self.kernel(differences, replace(self, alternative=alternative))

    def by(self, how: str) -> AcrossTest:
        """The same with where its p-value comes from."""
        return replace(self, variant=", ".join(filter(None, (self.variant, how))))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AcrossTests:
    """The tests of one pair of systems over N datasets, as in `ACROSS_TESTS`.

    `differences` are A − B, higher being better.
    """

    datasets: tuple[str, ...]
    system_a: str
    system_b: str
    differences: FloatArray
    wins: int
    ties: int
    losses: int
    alternative: TestAlternative
    higher_is_better: bool
    tests: tuple[AcrossTest, ...]
    metric: str | None = None
    fingerprint: str = ""

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    def of(self, name: str) -> AcrossTest:
        """The test of this name."""
        return record_named(self.tests, name, argument="name")

    @property
    def signature(self) -> str:
        """The line that names everything the p-values depend on."""
        content = "\x00".join(self.datasets).encode() + bytes_of_numbers(self.differences)
        return signature_line(
            across="wilcoxon,sign,paired-t",
            a=self.system_a,
            b=self.system_b,
            metric=self.metric,
            alt=self.alternative,
            higher_is_better="yes" if self.higher_is_better else "no",
            datasets=self.n_datasets,
            differences=short_fingerprint(sha256(content).hexdigest()),
            data=short_fingerprint(self.fingerprint) or None,
        )

    def to_frame(self) -> DataFrame:
        """A row for each test."""
        columns = (
            "test",
            "variant",
            "statistic_name",
            "statistic",
            "n_used",
            "p_value",
            "p_value_greater",
            "p_value_less",
            "p_value_two_sided",
            "z",
            "reason",
            "note",
        )
        return frame_of([{name: getattr(test, name) for name in columns} for test in self.tests])


def compare_across(
    scores_a: Scores,
    scores_b: Scores,
    *,
    higher_is_better: bool = True,
    alternative: TestAlternative = "greater",
    datasets: Sequence[str] | None = None,
    systems: tuple[str, str] = ("A", "B"),
    metric: str | None = None,
    fingerprint: str = "",
) -> AcrossTests:
    """Test whether A scores better than B over datasets like these: by ranks, signs and the mean.

    Parameters
    ----------
    scores_a, scores_b : sequence of float or of str, length N
        One score per dataset, as numbers or in the digits printed. Differences that
        are equal in decimals tie.
    higher_is_better : bool
        Whether a higher score is the better one.
    alternative : {"greater", "less", "two-sided"}
        A is better, B is better, one of the two is.
    datasets : sequence of str, optional
        Their names, for messages and tables.
    systems : (str, str)
        Names of A and B, for messages.
    metric, fingerprint : str, optional
        Of the scores, for the signature.

    Raises
    ------
    ValueError
        If there are fewer than 5 datasets, the lengths differ, or a score is no
        finite number.
    DataError
        If a score is missing; every one is named.

    References
    ----------
    Demšar (JMLR 2006), section 3.1.

    Examples
    --------
    >>> from replicability import compare_across
    >>> found = compare_across([.91, .85, .78, .66, .72], [.90, .83, .79, .60, .68])
    >>> found.wins, round(found.tests[0].p_value, 4)
    (4, 0.0938)
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    check_yes_or_no(higher_is_better, name="higher_is_better")
    if len(scores_a) != len(scores_b):
        raise ValueError(
            "`scores_a` and `scores_b` must have one score per dataset each; "
            f"got {len(scores_a)} and {len(scores_b)}."
        )
    if reason := too_few_datasets(len(scores_a)):
        raise ValueError(reason)
    names = given_names(datasets, len(scores_a), of="dataset")
    a, b = read_columns([scores_a, scores_b], datasets=names, systems=systems).T
    differences = paired_averages(a, b) if higher_is_better else paired_averages(b, a)
    return AcrossTests(
        datasets=names,
        system_a=systems[0],
        system_b=systems[1],
        differences=frozen(differences.values),
        wins=differences.wins,
        ties=differences.ties,
        losses=differences.losses,
        alternative=alternative,
        higher_is_better=higher_is_better,
        tests=tuple(each.of(differences, alternative) for each in ACROSS_TESTS),
        metric=metric,
        fingerprint=fingerprint,
    )


def _signed_ranks(differences: Differences, asked: AcrossTest, *, split: bool) -> AcrossTest:
    """T of the sum of the ranks of wins, with zeros split or dropped."""
    n_differing = differences.wins + differences.losses
    kept, n_used = differences, n_differing
    if split:
        zeros = np.flatnonzero(differences.values == 0.0)
        if zeros.size % 2:
            # One is left out, so that the others can be split.
            values = np.delete(differences.values, zeros[0])
            kept = replace(differences, values=values, integers=None, step=None)
        n_used = kept.n
    if n_differing == 0:
        return replace(asked, n_used=n_used, reason=_EQUAL)
    alternative = asked.alternative
    outcome = wilcoxon(kept, zeros="zsplit" if split else "wilcox", alternative=alternative)
    plus = outcome.statistic or 0.0
    sums = (plus, n_used * (n_used + 1) / 2.0 - plus)
    exact = outcome.method == "exact"
    how = "exact" if exact else "normal approximation with the variance of the ranks as tied"
    return replace(
        asked.by(how),
        statistic=min(sums),
        sides=outcome.p_values,
        n_used=n_used,
        rank_sums=sums,
        note=_smallest_note(n_differing, alternative),
    )


def _split_normal(differences: Differences, asked: AcrossTest) -> AcrossTest:
    from scipy.special import ndtr

    split = replace(_signed_ranks(differences, asked, split=True), variant=asked.variant)
    n = split.n_used
    if split.rank_sums is None:
        return split
    z = (split.rank_sums[0] - n * (n + 1) / 4.0) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
    return replace(
        split,
        sides=Sides.of_statistic(z, ndtr),
        z=z,
        note="an approximation meant for more than 25 datasets" if n <= 25 else "",
    )


def _coins(differences: Differences, asked: AcrossTest, *, given: int = 0) -> AcrossTest:
    """Wins and losses, each with so many of the ties."""
    wins, losses = differences.wins + given, differences.losses + given
    n_differing = differences.wins + differences.losses
    counted = replace(asked, n_used=wins + losses)
    if n_differing == 0:
        return replace(counted, reason=_NO_WINS)
    return replace(
        counted,
        statistic=float(wins),
        sides=SIGN.sides(wins, losses),
        note=_smallest_note(n_differing, asked.alternative, given=given),
    )


def _t(differences: Differences, asked: AcrossTest) -> AcrossTest:
    n, outcome = differences.n, student(differences)
    tested = replace(asked.by(f"{n - 1} degrees of freedom"), n_used=n)
    if outcome.statistic is None:
        return replace(tested, reason=_CONSTANT)
    return replace(tested, statistic=outcome.statistic, sides=outcome.p_values)


def _smallest_note(n_differing: int, alternative: TestAlternative, *, given: int = 0) -> str:
    """What p is where one system wins all that differ, and so many of the ties go to either side."""
    side: TestAlternative = "two-sided" if alternative == "two-sided" else "greater"
    smallest = SIGN.sides(n_differing + given, given).of(side)
    if smallest <= 0.01:
        return ""
    differ = "dataset differs" if n_differing == 1 else "datasets differ"
    return f"{n_differing} {differ}: the smallest attainable p is {f'{smallest:.4g}'.removeprefix('0')}"


# The recommended one first.
ACROSS_TESTS = (
    AcrossTest(
        name="wilcoxon",
        test="wilcoxon",
        null_hypothesis=_SYMMETRIC,
        variant="zeros split (Demšar 2006)",
        statistic_name="T",
        kernel=partial(_signed_ranks, split=True),
    ),
    AcrossTest(
        name="wilcoxon-normal",
        test="wilcoxon",
        null_hypothesis=_SYMMETRIC,
        variant="zeros split (Demšar 2006), normal approximation without correction for ties",
        statistic_name="T",
        kernel=_split_normal,
    ),
    AcrossTest(
        name="wilcoxon-zeros-dropped",
        test="wilcoxon",
        null_hypothesis=_SYMMETRIC,
        variant="zeros dropped",
        statistic_name="T",
        kernel=partial(_signed_ranks, split=False),
    ),
    AcrossTest(
        name="sign",
        test="sign",
        null_hypothesis=_AS_OFTEN,
        variant="ties dropped, exact",
        statistic_name="wins",
        kernel=_coins,
    ),
    AcrossTest(
        name="sign-ties-split",
        test="sign",
        null_hypothesis=_AS_OFTEN,
        variant="ties split (Demšar 2006), exact",
        statistic_name="wins",
        kernel=lambda found, asked: _coins(found, asked, given=found.ties // 2),
    ),
    AcrossTest(
        name="paired-t",
        test="paired-t",
        null_hypothesis="the mean of normally distributed differences of scores is zero",
        variant="",
        statistic_name="t",
        kernel=_t,
    ),
)
