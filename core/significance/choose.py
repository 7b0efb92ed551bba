"""Which tests suit a metric and its scores, and which is advised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ..metrics.per_example import LABEL_METRICS, listed, other_than_binary
from ..metrics.registry import CORRELATIONS, MEAN, check_kind, is_counted
from ..types import FloatArray
from ..validation import check_choice
from .differences import (
    Clusters,
    Differences,
    clusters_of,
    few_clusters,
    paired_differences,
    shifted,
)
from .known_tests import (
    Family,
    SignificanceTest,
    at_a_margin,
    significance_test_named,
    significance_test_names,
)
from .outcome import attainable
from .paired_tests import is_exact
from .settings import TEST_ALTERNATIVES, TestAlternative

# Below, the bootstrap is discouraged (Søgaard et al. 2014).
FEWEST_FOR_BOOTSTRAP = 200

# Of a test of the mean at level .05, by number of examples: with equal means and on one example in
# ten a loss nine times as large as the gain on the others, as `choose_test` has it.
RARE_LOSS_RATES: Mapping[int, float] = MappingProxyType(
    {12: 0.28, 20: 0.12, 30: 0.18, 100: 0.09, 400: 0.07}
)

# What the fixed rule takes.
_OF_OUTCOMES, _OF_MEANS, _OF_COUNTS = "mcnemar", "paired-t", "paired-bootstrap"
# Of clusters, of correlations, and of means where it is exact. Few clusters make the bootstrap's
# p-values too small, not those of randomization.
_BY_EXCHANGE = "approximate-randomization"


def suitable_tests(
    kind: str, *, zero_one: bool = True, clustered: bool = False, margin: bool = False
) -> tuple[str, ...]:
    """The tests that may be run on a metric of this kind, those that "auto" may take first."""
    family = family_of(kind)
    first = _OF_COUNTS if family == "counted" and not clustered else ""

    def offered(test: SignificanceTest) -> bool:
        return (zero_one or not test.suits_outcomes_only) and not why_unfit(
            test,
            family,
            outside=() if zero_one else None,
            clustered=clustered,
            margin=float(margin),
        )

    return tuple(sorted(significance_test_names(offered), key=lambda name: name != first))


def family_of(kind: str) -> Family:
    """The family of metrics of this kind."""
    if kind in LABEL_METRICS or is_counted(check_kind(kind)):
        return "counted"
    return "correlation" if kind in CORRELATIONS else "mean"


# Of each family what it needs, and which tests to take.
_OF_OTHER_MEANS = "Choose randomization, the paired t-test or Wilcoxon for this dataset."
_NEEDED: Mapping[Family, tuple[str, str]] = {
    "mean": (
        "averages scores, and {test} compares correlations with gold scores.",
        _OF_OTHER_MEANS,
    ),
    "counted": (
        "is computed from sums of counts, and {test} needs one score an example.",
        "Choose the bootstrap or randomization for this dataset.",
    ),
    "correlation": (
        "is a correlation with gold, and {test} needs scores that are averaged.",
        "Choose randomization, Williams, Steiger, Meng or the bootstrap for this dataset.",
    ),
}


def why_unfit(
    test: SignificanceTest,
    family: Family,
    *,
    named: str = "",
    outside: Sequence[float] | None = None,
    clustered: bool = False,
    margin: float = 0.0,
) -> list[tuple[str, str]]:
    """Why a test cannot be run on scores of a metric `named` so, each with what to choose.

    `outside`: scores of a mean other than 0 and 1, none of outcomes; None where nobody looked.
    """
    called = test.called
    found = []
    if family not in test.takes and not (family == "mean" and test.suits_outcomes_only):
        needed, remedy = _NEEDED[family]
        found.append((f"{named} {needed.format(test=called)}", remedy))
    elif test.suits_outcomes_only and outside:
        what = f"{named} must be 0 or 1 for {called}; got {listed(outside)}."
        found.append((what, _OF_OTHER_MEANS))
    if clustered and not test.takes_clusters:
        found.append(
            (f"{called} takes examples to be independent, and these come in clusters.", "")
        )
        # Other tests, which take other scores, take no clusters either.
        found = [
            (what, "Choose randomization or the bootstrap for this dataset.") for what, _ in found
        ]
    if found:
        return found
    outcomes = outside is not None and not outside and not clustered
    why_not = why_not_at(margin, test, of_means=family == "mean", zero_one=outcomes)
    return [(f"{why_not}.", "Choose the recommended test for this dataset.")] if why_not else []


def why_not_at(margin: float, test: SignificanceTest, *, of_means: bool, zero_one: bool) -> str:
    """Why a test has no p-value at a margin, of known 0/1 outcomes, or without; empty if it has."""
    if not margin:
        return "" if test.takes else f"{test.called} is one of a margin above 0"
    if not at_a_margin(test):
        return f"{test.called} has no form at a margin"
    if zero_one and of_means and not test.suits_outcomes_only:
        return "0/1 outcomes have an exact one, 'mcnemar', and an approximate one, 'tango'"
    if not of_means and test.asks == "exchange":
        return (
            "exchanging A and B says that there is no difference, so that randomization is of "
            "means alone"
        )
    return ""


def choose_test(
    a: FloatArray,
    b: FloatArray,
    *,
    gold: object | None = None,
    kind: str = MEAN,
    clustered: bool = False,
    zero_one: bool | None = None,
    exact: bool | None = None,
    margin: float = 0.0,
) -> tuple[str, str]:
    """The test that ``test="auto"`` stands for, and why, as one sentence.

    The rule looks at the kind of the scores, never at which system is ahead or at how many datasets
    there are. Scores other than 0 and 1 that are averaged get a test of their mean difference:
    randomization where it is exact, so that no p-value depends on resamples, else the paired t-test.
    Wilcoxon's test is no default, as its null hypothesis is about symmetry. `zero_one` and `exact`:
    whether all scores of the metric are 0 or 1, and randomization is exact, where more than `a` and
    `b` is to be looked at.

    Notes
    -----
    Neither randomization nor t keeps its level for every distribution with
    equal means. Share of p <= .05, one-sided, at n = 12, 20, 30, 100, 400 (3,000 to
    100,000 draws each, scores of two decimals and measurements alike):

    - normal: .05 .05 .05 .05 .05; Wilcoxon .05 .05 .05 .05 .05
    - 1 − Exp(1): .13 .11 .10 .07 .06; Wilcoxon .16 .19 .23 .50 .94
    - rare large loss: .28 .12 .18 .09 .07; Wilcoxon .66 .86 .92 1 1
    - tied: .01 .02 .03 .04 .04; Wilcoxon .01 .02 .03 .05 .05

    Rare large loss: a gain of .08 to .12 on 90% of examples, a loss of .8 to 1
    on the others. Tied: ratings that differ on 40% of examples, by 1.

    References
    ----------
    Dror et al. (TACL 2017), section 6.2; Noreen (1989), chapter 2; for correlations
    Deutsch, Dror and Roth (TACL 2021), "PERM-BOTH".
    """
    counted = family_of(kind) == "counted"
    of_gold_scores = _is_of_gold_scores(kind, gold)
    if margin and (counted or of_gold_scores):
        return (
            _OF_COUNTS,
            "The metric is no mean and the claim is at a margin, so the paired bootstrap is used.",
        )
    if clustered:
        return (
            _BY_EXCHANGE,
            "Examples come in clusters, so approximate randomization of whole clusters is used.",
        )
    if counted:
        return (
            _OF_COUNTS,
            "The metric is computed from sums of counts, so the paired bootstrap is used.",
        )
    if zero_one is None:
        zero_one = kind == MEAN and not (other_than_binary(a) or other_than_binary(b))
    if kind == MEAN and zero_one:
        at = " and the claim is at a margin, so the melded" if margin else ", so the exact McNemar"
        return _OF_OUTCOMES, f"Each score is 0 or 1{at} test is used."
    if of_gold_scores:
        return (
            _BY_EXCHANGE,
            "Two numeric predictions are compared with gold scores, so randomization of standings "
            "is used: of ranks, ranked anew after each swap, or of standardised scores.",
        )
    if exact is None:
        differences = paired_differences(a, b)
        exact = is_exact(shifted(differences, margin) if margin else differences)
    if exact:
        return (
            _BY_EXCHANGE,
            "Scores other than 0 and 1 are averaged, so approximate randomization of the mean "
            "difference is used, which is exact here.",
        )
    return (
        _OF_MEANS,
        "Scores other than 0 and 1 are averaged and exact randomization is out of reach, so the "
        "paired t-test of the mean difference is used.",
    )


def _is_of_gold_scores(kind: str, gold: object | None) -> bool:
    return kind in CORRELATIONS or (gold is not None and np.asarray(gold).dtype.kind in "fiu")


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The test that "auto" stands for, why, and what to keep in mind of the data."""

    test: str
    reason: str
    remarks: tuple[str, ...]


def advise(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    gold: object | None = None,
    kind: str = MEAN,
    clusters: npt.ArrayLike | None = None,
    alternative: TestAlternative = "greater",
    zero_one: bool | None = None,
    margin: float = 0.0,
) -> Advice:
    """What `choose_test` takes, with remarks that look at the data.

    The test and its reason follow the fixed rule. The remarks depend on how
    many examples there are, tie, differ or belong together, and not on which
    system is ahead.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, s)
        Per-example scores, or statistics.
    gold : array_like, shape (n,), optional
        Gold scores that `a` and `b` predict.
    kind : str
        The metric's kind, as `suitable_tests` takes it.
    clusters : array_like, shape (n,), optional
        Labels of what examples belong to.
    alternative : {"greater", "less", "two-sided"}
        For the smallest attainable p-value.
    zero_one : bool, optional
        As `choose_test` takes it.
    margin : float
        Of the claim. Above 0 equal scores are evidence too, so that ties and the number of
        examples that differ are not remarked on.

    Raises
    ------
    ValueError
        If there is no such kind or alternative, or shapes differ.

    References
    ----------
    Søgaard et al. (CoNLL 2014); Dror et al. (TACL 2017), section 6.2.

    Examples
    --------
    >>> from replicability import advise
    >>> advise([1, 0, 1, 1], [0, 0, 1, 0]).test
    'mcnemar'
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.shape != second.shape or first.shape[:1] in ((), (0,)):
        raise ValueError(
            "`a` and `b` must have the same shape and at least one example; got "
            f"{first.shape} and {second.shape}."
        )
    n = first.shape[0]
    together = None if clusters is None else clusters_of(clusters, n_examples=n)
    test, reason = choose_test(
        first,
        second,
        gold=gold,
        kind=kind,
        clustered=together is not None,
        zero_one=zero_one,
        margin=margin,
    )
    remarks: list[str] = []
    if together is not None:
        remarks += few_clusters(together.n_clusters)
    elif n < FEWEST_FOR_BOOTSTRAP:
        instead = {
            _OF_OUTCOMES: "the exact McNemar test" + ("" if margin else " or randomization"),
            _OF_MEANS: "the paired t-test or randomization",
            # At a margin it is the only one.
            _OF_COUNTS: "" if margin else "randomization",
        }.get(test, "randomization")
        remarks.append(
            f"With fewer than {FEWEST_FOR_BOOTSTRAP} examples the bootstrap's p-values "
            "are often too small (Søgaard et al. 2014)."
            + (f" Those of {instead} do not have that fault." if instead else "")
        )
    if margin:
        return Advice(test=test, reason=reason, remarks=tuple(remarks))
    of_gold_scores = _is_of_gold_scores(kind, gold) and test == _BY_EXCHANGE
    of_mean = significance_test_named(test).of_mean
    if kind == MEAN and together is None and of_mean and not of_gold_scores:
        remarks += _of_ties(paired_differences(first, second))
    if not of_gold_scores:
        remarks += _of_few_differing(first, second, kind, together, alternative)
    return Advice(test=test, reason=reason, remarks=tuple(remarks))


def _of_ties(differences: Differences) -> list[str]:
    remarks = []
    n, zeros = differences.n, differences.ties
    sizes = np.abs(differences.values[differences.values != 0.0])
    if 2 * zeros > n and sizes.size:
        remarks.append(
            f"{zeros:,} of {n:,} differences are zero: Wilcoxon drops them, so that its null "
            "hypothesis is about the others only. Randomization keeps them, as does the rule "
            "'pratt' for zeros."
        )
    if sizes.size:
        most = int(np.unique(sizes, return_counts=True)[1].max())
        if 2 * most > sizes.size and most > 1:
            remarks.append(
                f"{most:,} of the {sizes.size:,} differences that are not zero have the same size: "
                "ranks say little more than the sign does. Randomization uses the sizes as they "
                "are."
            )
    return remarks


def _of_few_differing(
    a: FloatArray,
    b: FloatArray,
    kind: str,
    clusters: Clusters | None,
    alternative: TestAlternative,
) -> tuple[str, ...]:
    # Ties of decimals are ties: .1 + .2 adds up to .3.
    if kind == MEAN:
        differences = paired_differences(a, b)
        if clusters is not None:
            differences = clusters.summed_differences(differences)
        differs = differences.values != 0.0
    else:
        apart = a - b if clusters is None else clusters.summed(a) - clusters.summed(b)
        differs = (apart != 0.0).any(axis=-1)
    n_differing = int(np.count_nonzero(differs))
    if n_differing == 0:
        return (f"All {differs.size:,} differences are zero: each test gives p = 1.",)
    notes = attainable(
        alternative,
        n_differing=n_differing,
        n=differs.size,
        unit="examples" if clusters is None else "clusters",
    )
    return tuple(
        f"{note if note.startswith('n = ') else note[0].upper() + note[1:]} in exact tests."
        for note in notes
    )
