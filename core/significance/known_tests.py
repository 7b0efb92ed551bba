"""The tests that there are, each one record; every other place reads it here.

To add a test: its record in `SIGNIFICANCE_TESTS`, with its `of_scores`, a function from differences,
sums or predictions and what is `Asked` to p-values and effect size: of averaged scores it is given
their differences, and gives p = 1 where these are all the same (`constant`) and its statistic is
undefined. It raises ValueError if "exact" is asked for in vain. That is all a test needs. What else
a record has makes it quicker: p-values that depend on wins and losses alone (`counting`), on a sum
and its squares alone, or on the signs of fixed weights are computed for many samples at once; a test
that has none of these is asked sample by sample. The null hypotheses of the two tests that resample
are in `bootstrap`, `randomization` and `correlation`.

Vocabulary
----------
unit
    What is drawn or exchanged: an example, or a whole cluster of them.
moments
    Of differences: how many they are, their sum, and the sum of their squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args

from ..comparison import comparison_named
from ..metrics.registry import CORRELATIONS, MEAN
from ..types import FloatArray, IntArray
from ..validation import Records, check_choice
from .bootstrap import bootstrap_of_moments, paired_bootstrap
from .correlation import MENG, STEIGER, WILLIAMS, CorrelationTest
from .counting import (
    MCNEMAR,
    MCNEMAR_CHI2,
    MCNEMAR_CHI2_CORRECTED,
    MCNEMAR_MID_P,
    SIGN,
    CountingTest,
    PAtMargin,
    melded_p_values,
    tango_p_values,
)
from .lattice import Integers
from .paired_tests import (
    approximate_randomization,
    signed_differences,
    signed_midranks,
    signed_ranks,
    student,
    student_of_moments,
)
from .settings import Method, Settings

Asks = Literal["mean", "exchange", "tendency", "outcomes", "correlation"]


# How a metric makes one score of a dataset: by averaging, from sums of counts, or beside gold.
Family = Literal["mean", "counted", "correlation"]


# From how many differences there are, their sum, the sum of their squares, and the differences in
# whole steps where they have one, to p-values of "A is better", elementwise; 1 where they do not vary.
OfMoments = Callable[[FloatArray, FloatArray, FloatArray, Integers | None], FloatArray]
# From differences, and these in whole steps, to whole weights with the signs observed, and whether
# all sums are counted, not normal: p is the chance that fair signs add up to so much.
OfSigns = Callable[[FloatArray, IntArray | None], tuple[IntArray, bool]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignificanceTest:
    """A test of "A is better than B" on one dataset.

    Menus and tables have its titles, the middle of a sentence what it is `called`, with its article,
    a methods section the `full_title`; the null hypothesis stands after "that". It `asks` about the
    mean difference; the same by way of exchange; who tends to score better, whatever the sizes of the
    differences; who is right on 0/1 outcomes; who correlates with gold. It `takes` metrics of these
    families, none without a margin if there are none. `worth` is what a p-value
    without Monte Carlo error is, after "is". With `gives_interval` the interval comes with the
    p-value; beside the others one is drawn by the bootstrap. Whole clusters are for those that
    `takes_clusters`. At a margin it tests the differences less the margin if it `shifts`; one that has
    `p_at_margin` takes wins and losses of 0/1 outcomes there, then `at_margin` is its title.
    `settings`, of "estimator", "resample_size" and "zeros", and `methods`, beside "auto", are those
    that it has.
    """

    name: str
    title: str
    short_title: str
    called: str
    full_title: str
    null_hypothesis: str
    rule: str
    references: tuple[str, ...]
    asks: Asks
    # None of a test that has p-values at a margin alone.
    of_scores: Any = None
    counting: CountingTest | None = None
    of_correlations: CorrelationTest | None = None
    p_of_moments: OfMoments | None = None
    signed_weights: OfSigns | None = None
    takes: tuple[Family, ...] = ("mean",)
    worth: str = "exact"
    suits_outcomes_only: bool = False
    gives_interval: bool = False
    takes_clusters: bool = False
    shifts: bool = False
    settings: tuple[str, ...] = ()
    methods: tuple[Method, ...] = ()
    p_at_margin: PAtMargin | None = None
    at_margin: str = ""
    margin_references: tuple[str, ...] = ()

    def of_claim(self, claim: str) -> SignificanceTest:
        """The record as it is where this is claimed."""
        if not (self.at_margin and comparison_named(claim).takes_margin):
            return self
        return replace(
            self,
            title=self.at_margin,
            full_title=f"the {self.at_margin}",
            references=(*self.references, *self.margin_references),
        )

    def null_of(self, kind: str) -> str:
        """The null hypothesis about scores of a kind: a metric of all examples has no mean difference."""
        if not self.bootstraps or kind == MEAN:
            return self.null_hypothesis
        return _CORRELATION_AT_MOST if kind in CORRELATIONS else _METRIC_NO_BETTER

    @property
    def bootstraps(self) -> bool:
        """Whether it is the paired bootstrap."""
        return self.of_scores is paired_bootstrap

    @property
    def exchanges(self) -> bool:
        """Whether it is approximate randomization."""
        return self.of_scores is approximate_randomization

    @property
    def of_mean(self) -> bool:
        """Whether its statistic is the mean difference."""
        return self.asks in ("mean", "exchange")

    @property
    def of_tendency(self) -> bool:
        """Whether it asks who tends to score better, so that the mean may lie on the other side."""
        return self.asks == "tendency"

    @property
    def resamples(self) -> bool:
        """Whether it draws resamples where it is not exact."""
        return "monte-carlo" in self.methods


_AT_MOST_HALF = (
    "of the examples on which exactly one system is right, A is expected to win at most half"
)
_MEAN_AT_MOST_ZERO = "the expected difference in favour of A is at most zero"
_CORRELATION_AT_MOST = "A's correlation with the gold scores is at most B's"
_METRIC_NO_BETTER = (
    "over the population that the examples are drawn from, A's score is no better than B's"
)

_mcnemars = partial(
    SignificanceTest,
    called="McNemar's test",
    null_hypothesis=_AT_MOST_HALF,
    asks="outcomes",
    suits_outcomes_only=True,
)
_of_three_correlations = partial(
    SignificanceTest,
    null_hypothesis=_CORRELATION_AT_MOST,
    asks="correlation",
    takes=("correlation",),
    worth="approximate",
)

# Where several suit, menus list them in this order.
SIGNIFICANCE_TESTS = Records(
    _mcnemars(
        name="mcnemar",
        title="McNemar, exact",
        short_title="McNemar exact",
        full_title="McNemar's test in its exact, binomial form",
        rule=(
            "Of the examples on which exactly one system is right, how many A wins: a binomial "
            "distribution with one half, exact. It needs 0/1 outcomes. At a margin it is melded with "
            "what is known of how often the systems differ (Fay and Lumbard 2021), and its level "
            "is at most α in every case tried."
        ),
        references=("mcnemar1947note",),
        of_scores=MCNEMAR.of_scores,
        counting=MCNEMAR,
        methods=("exact",),
        p_at_margin=melded_p_values,
        at_margin="melded exact test of Fay and Lumbard",
        margin_references=("fay2021confidence",),
    ),
    _mcnemars(
        name="mcnemar-mid-p",
        title="McNemar, mid-p",
        short_title="McNemar mid-p",
        full_title="McNemar's test with the mid-p-value",
        rule="As McNemar, counting the observed outcome by half: approximate.",
        references=("mcnemar1947note", "fagerland2013mcnemar"),
        worth="mid-p, which is approximate",
        of_scores=MCNEMAR_MID_P.of_scores,
        counting=MCNEMAR_MID_P,
        methods=("exact",),
    ),
    _mcnemars(
        name="mcnemar-chi2",
        title="McNemar, χ² without correction",
        short_title="McNemar χ²",
        full_title="McNemar's χ² test without continuity correction",
        rule="McNemar's normal approximation: approximate, poor for few differences.",
        references=("mcnemar1947note",),
        of_scores=MCNEMAR_CHI2.of_scores,
        counting=MCNEMAR_CHI2,
    ),
    _mcnemars(
        name="mcnemar-chi2-corrected",
        title="McNemar, χ² with correction",
        short_title="McNemar χ² corrected",
        full_title="McNemar's χ² test with continuity correction",
        rule="McNemar's normal approximation with a continuity correction.",
        references=("mcnemar1947note", "edwards1948note"),
        of_scores=MCNEMAR_CHI2_CORRECTED.of_scores,
        counting=MCNEMAR_CHI2_CORRECTED,
    ),
    SignificanceTest(
        name="tango",
        title="Tango's score test, at a margin",
        short_title="Tango",
        called="Tango's test",
        full_title="Tango's score test for a difference of paired proportions",
        null_hypothesis="the difference of the two accuracies is no better than the margin",
        rule=(
            "At a margin: wins less losses against their spread where the difference is just the "
            "margin (Tango 1998). Approximate; McNemar's test at a margin is exact."
        ),
        references=("tango1998equivalence",),
        asks="outcomes",
        worth="approximate",
        takes=(),
        suits_outcomes_only=True,
        p_at_margin=tango_p_values,
    ),
    SignificanceTest(
        name="approximate-randomization",
        title="approximate randomization",
        short_title="randomization",
        called="randomization",
        full_title="approximate randomization",
        null_hypothesis="on each example the outputs of A and B can be exchanged",
        rule=(
            "A and B are exchanged on random examples; counted is how often the difference reaches "
            "the observed one (Noreen 1989). The null hypothesis is that they can be exchanged. For "
            "averaged scores it is recommended where all exchanges can be counted, without "
            "resamples. Of correlations with gold, what is exchanged are ranks, ranked anew after "
            "each exchange, or standardised scores (Deutsch et al. 2021)."
        ),
        references=("noreen1989computer",),
        asks="exchange",
        of_scores=approximate_randomization,
        signed_weights=signed_differences,
        takes=get_args(Family),
        shifts=True,
        takes_clusters=True,
        methods=("exact", "monte-carlo"),
    ),
    SignificanceTest(
        name="paired-t",
        title="paired t-test",
        short_title="paired t",
        called="the paired t-test",
        full_title="Student's paired t-test",
        null_hypothesis=_MEAN_AT_MOST_ZERO,
        rule=(
            "Student's t on the differences: exact for normal ones, otherwise approximate, with too "
            "small p-values where few examples have rare large losses. Recommended for averaged "
            "scores where exact randomization is out of reach."
        ),
        references=("student1908probable",),
        asks="mean",
        worth="exact for normal differences and otherwise approximate",
        of_scores=student,
        p_of_moments=student_of_moments,
        shifts=True,
    ),
    SignificanceTest(
        name="wilcoxon",
        title="Wilcoxon signed-rank",
        short_title="Wilcoxon",
        called="Wilcoxon's test",
        full_title="the Wilcoxon signed-rank test",
        null_hypothesis=(
            "the differences in favour of A are symmetric around zero, or lie lower, which is about "
            "symmetry and not about the mean"
        ),
        rule=(
            "Differences that are not zero are ranked by size, ties sharing their rank, and the "
            "ranks of A's wins are summed. The null hypothesis is symmetry of the differences, not a "
            "mean of zero: it says which system tends to score higher, which need not be the one "
            "with the higher mean (Wilcoxon 1945)."
        ),
        references=("wilcoxon1945individual",),
        asks="tendency",
        of_scores=signed_ranks,
        signed_weights=signed_midranks,
        shifts=True,
        settings=("zeros",),
        methods=("exact", "normal"),
    ),
    _of_three_correlations(
        name="williams",
        title="Williams' T2 for two correlations",
        short_title="Williams",
        called="Williams' test",
        full_title="Williams' T2 test for two correlations that share the gold scores",
        rule=(
            "Compares two correlations that share the gold scores, with Student's t of n − 3 degrees "
            "of freedom (Williams 1959; Steiger 1980). Approximate; the examples count as "
            "independent."
        ),
        references=("williams1959comparison", "steiger1980tests"),
        of_scores=WILLIAMS.of_scores,
        of_correlations=WILLIAMS,
    ),
    _of_three_correlations(
        name="steiger",
        title="Steiger's Z for two correlations",
        short_title="Steiger",
        called="Steiger's test",
        full_title="Steiger's Z test for two correlations that share the gold scores",
        rule=(
            "Compares two correlations that share the gold scores after Fisher's transformation, "
            "with their mean in the covariance (Steiger 1980). Approximate."
        ),
        references=("steiger1980tests",),
        of_scores=STEIGER.of_scores,
        of_correlations=STEIGER,
    ),
    _of_three_correlations(
        name="meng",
        title="Meng, Rosenthal and Rubin's Z for two correlations",
        short_title="Meng",
        called="Meng's test",
        full_title=(
            "the Z test of Meng, Rosenthal and Rubin for two correlations that share the gold scores"
        ),
        rule=(
            "Compares two correlations that share the gold scores after Fisher's transformation "
            "(Meng, Rosenthal and Rubin 1992). Approximate."
        ),
        references=("meng1992comparing",),
        of_scores=MENG.of_scores,
        of_correlations=MENG,
    ),
    SignificanceTest(
        name="paired-bootstrap",
        title="paired bootstrap (Berg-Kirkpatrick)",
        short_title="bootstrap",
        called="the paired bootstrap",
        full_title="the paired bootstrap",
        null_hypothesis=_MEAN_AT_MOST_ZERO,
        rule=(
            "Examples are drawn with replacement, the same for A and B; counted is how often the "
            "difference reaches twice the observed one (Berg-Kirkpatrick et al. 2012). Of metrics of "
            "all examples together, as BLEU, and of correlations the null hypothesis is that A's is no "
            "better. An approximation that needs some hundreds of examples."
        ),
        references=("bergkirkpatrick2012empirical",),
        asks="mean",
        worth="free of Monte Carlo error, but approximate, as the bootstrap is",
        of_scores=paired_bootstrap,
        p_of_moments=bootstrap_of_moments,
        takes=get_args(Family),
        shifts=True,
        gives_interval=True,
        takes_clusters=True,
        settings=("estimator", "resample_size"),
        methods=("exact", "monte-carlo"),
    ),
    SignificanceTest(
        name="sign",
        title="sign test, exact",
        short_title="sign test",
        called="the sign test",
        full_title="the exact sign test, ties dropped",
        null_hypothesis="of the examples that are not ties, A is expected to win at most half",
        rule=(
            "Of the examples that are not ties, how many A wins: a binomial distribution, exact. It "
            "says which system tends to score higher, whatever the sizes of the differences."
        ),
        references=("dixon1946statistical",),
        asks="tendency",
        of_scores=SIGN.of_scores,
        counting=SIGN,
        methods=("exact",),
    ),
    argument="test",
)
significance_test_named = SIGNIFICANCE_TESTS.named


def significance_test_names(
    which: Callable[[SignificanceTest], bool] = lambda _: True,
) -> tuple[str, ...]:
    """Names of all tests, or of those of which something is so."""
    return tuple(test.name for test in SIGNIFICANCE_TESTS if which(test))


# The public name; modules of this package ask `significance_test_names` when they are called.
significance_tests = significance_test_names()


def of_outcomes(test: SignificanceTest) -> bool:
    """Whether it is one of McNemar's tests, of 0/1 outcomes."""
    return test.suits_outcomes_only and test.counting is not None


def at_a_margin(test: SignificanceTest) -> bool:
    """Whether it can test a claim at a margin."""
    return test.shifts or test.p_at_margin is not None


def of_three_correlations(test: SignificanceTest) -> bool:
    """Whether it needs three correlations only, as Williams', Steiger's and Meng's tests do."""
    return test.of_correlations is not None


def correlation_test_named(name: str) -> CorrelationTest:
    """The test of this name, which needs three correlations only."""
    check_choice(name, significance_test_names(of_three_correlations), name="test")
    known = significance_test_named(name).of_correlations
    assert known is not None
    return known


def own_settings(test: SignificanceTest, settings: Settings) -> Settings:
    """The settings that a test has; of those that it has not, the usual ones."""
    usual = Settings()
    return replace(
        settings,
        **{
            name: getattr(usual, name)
            for name in _NOT_OF_ALL
            if not _goes_with(test, name, settings)
        },
    )


def check_settings(settings: Settings, tests: Iterable[SignificanceTest]) -> None:
    """Check that each setting that is not the usual one is one of some test's."""
    planned = tuple(dict.fromkeys(tests))
    usual = Settings()
    for name in _NOT_OF_ALL:
        value = getattr(settings, name)
        if value == getattr(usual, name) or any(_goes_with(t, name, settings) for t in planned):
            continue
        having = significance_test_names(lambda test: _goes_with(test, name, settings))  # noqa: B023
        raise ValueError(
            f"`{name}` {value!r} must come with `test` {_listed(having, 'or')}; got "
            f"{_listed([test.name for test in planned], 'and')}."
        )


# What only some tests have; an alternative, a level and an interval are of all.
_NOT_OF_ALL = ("method", "estimator", "zeros", "resample_size")


def _goes_with(test: SignificanceTest, name: str, settings: Settings) -> bool:
    if name == "method":
        return settings.method == "auto" or settings.method in test.methods
    return name in test.settings


def _listed(names: Iterable[str], word: str) -> str:
    *most, last = (f"'{name}'" for name in names)
    return f"{', '.join(most)} {word} {last}" if most else last
