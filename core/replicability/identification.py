"""On which datasets A is better: a record for each procedure that names them, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..shown import Plotted
from ..types import BoolArray, Dependence, FloatArray, frozen
from ..validation import Titled, at_most, check_alpha, check_p_values, names_of, record_named
from .combinations import COMBINATIONS, JOINT_FLIPS, Combination, combination_named
from .counting import closed_p_values


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Titled):
    """One way of naming datasets, with a heading where several stand side by side.

    The guarantee needs the dependence at least to be known; `compared` is added to it in a list that
    holds the others. `within` is the combination whose closed test names all that it names, if there
    is one. A step-up procedure has `factors` of the p-values by rank, from N: from the largest
    p-value on, it names the first small product and all below; without them it is that closed test.
    If it `bounds_each_list`, its level is that of any wrong name (the family-wise error), else of
    the mean share of wrong ones (the false discovery rate).
    """

    heading: str
    full_title: str
    dependence: Dependence
    guarantee: str
    compared: str = ""
    rule: str
    references: tuple[str, ...]
    within: str = ""
    bounds_each_list: bool = True
    factors: Callable[[int], FloatArray] | None = None

    @property
    def correction(self) -> str:
        """As a sentence has it: "after Holm correction", or "by the closed Fisher test"."""
        is_test = self.title.endswith("test")
        return f"by the {self.title}" if is_test else f"after {self.title} correction"

    def adjusted(self, values: FloatArray) -> FloatArray:
        """Smallest level at which each dataset would be named; may exceed 1."""
        if self.factors is None:
            return closed_p_values(values, combination=self.within)
        order = np.argsort(values, kind="stable")
        products = self.factors(values.size) * values[order]
        # For rank i the smallest product from rank i upward.
        result = np.empty_like(products)
        result[order] = np.minimum.accumulate(products[::-1])[::-1]
        return result

    def thresholds(self, values: FloatArray, alpha: float) -> FloatArray:
        """What each p-value is compared with at a level."""
        if self.factors is None:
            return combination_named(self.within).local.thresholds(values, alpha)
        # Ties share the last one's.
        last = np.searchsorted(np.sort(values), values, side="right")
        return alpha / self.factors(values.size)[last - 1]


def _by_rank(n: int) -> FloatArray:
    return n / np.arange(1.0, n + 1.0)


_NO_WRONG_NAME = "at most a {level} chance of any false positive"
_FEW_WRONG_NAMES = "on average at most {level} of the identified datasets are false positives"
_POSITIVE = "if the tests are independent or positively dependent"
_ONE_LIST = "a single list may have more"

# In the order in which they are offered; the closed tests of the other combinations between them.
_FAMILY_WISE = (
    Procedure(
        name="holm",
        title="Holm",
        heading="Holm",
        full_title="the procedure of Holm",
        dependence="not-known",
        guarantee=f"{_NO_WRONG_NAME}, whatever the dependence",
        rule=(
            "Sort the p-values. Compare the smallest with α/N, the next with α/(N − 1), and so on; "
            "stop at the first that exceeds its threshold. Those before it are named."
        ),
        references=("holm1979simple",),
        within="bonferroni",
    ),
    Procedure(
        name="bonferroni",
        title="Bonferroni",
        heading="Bonferroni",
        full_title="the procedure of Bonferroni",
        dependence="not-known",
        guarantee=f"{_NO_WRONG_NAME}, whatever the dependence",
        compared="never names more than Holm",
        rule="Every p-value at most α/N is named.",
        references=("dunn1961multiple",),
        within="bonferroni",
        factors=lambda n: np.full(n, float(n)),
    ),
    Procedure(
        name="hochberg",
        title="Hochberg",
        heading="Hochberg",
        full_title="the procedure of Hochberg",
        dependence="positive",
        guarantee=f"{_NO_WRONG_NAME}, {_POSITIVE}",
        rule=(
            "The thresholds are Holm's, but the search begins at the largest p-value: the first "
            "that is at most its threshold is named with all smaller ones."
        ),
        references=("hochberg1988sharper",),
        within="simes",
        factors=lambda n: np.arange(n, 0.0, -1.0),
    ),
    Procedure(
        name="hommel",
        title="Hommel",
        heading="Hommel",
        full_title="the procedure of Hommel",
        dependence="positive",
        guarantee=f"{_NO_WRONG_NAME}, {_POSITIVE}",
        compared="never names fewer than Hochberg; the closed test behind the count by Simes",
        rule=(
            "A dataset is named when Simes' test rejects every set of datasets that holds it. With "
            "h the size of the largest set not rejected, that is p ≤ α/h."
        ),
        references=("hommel1988stagewise",),
        within="simes",
    ),
)
_FALSE_DISCOVERY = (
    Procedure(
        name="benjamini-hochberg",
        title="Benjamini–Hochberg",
        heading="BH",
        full_title="the procedure of Benjamini and Hochberg",
        dependence="positive",
        guarantee=f"{_FEW_WRONG_NAMES}, {_POSITIVE}; {_ONE_LIST}",
        rule=(
            "Sort the p-values. Find the last whose p-value is at most rank · α/N; it and all "
            "smaller ones are named."
        ),
        references=("benjamini1995controlling",),
        bounds_each_list=False,
        factors=_by_rank,
    ),
    Procedure(
        name="benjamini-yekutieli",
        title="Benjamini–Yekutieli",
        heading="BY",
        full_title="the procedure of Benjamini and Yekutieli",
        dependence="not-known",
        guarantee=f"{_FEW_WRONG_NAMES}, whatever the dependence; {_ONE_LIST}",
        rule=(
            "As Benjamini–Hochberg with α divided by 1 + 1/2 + … + 1/N, the price of any "
            "dependence."
        ),
        references=("benjamini2001control",),
        bounds_each_list=False,
        factors=lambda n: float(np.sum(1.0 / np.arange(1, n + 1))) * _by_rank(n),
    ),
)


# Beside a count by joint flips, in the order in which they are offered.
OF_JOINT_FLIPS = (
    Procedure(
        name="joint-max",
        title="joint step-down test",
        heading="joint step-down",
        full_title="the step-down test of Westfall and Young with joint sign flips",
        dependence="not-known",
        guarantee=f"{_NO_WRONG_NAME}, {JOINT_FLIPS.holds}",
        rule=(
            "On each example both systems change places in all datasets at once. The largest z is "
            "compared with the largest of all datasets under such flips, the next with the largest "
            "of those below it, and so on; stop at the first that is reached too often. Those "
            "before it are named."
        ),
        references=("westfall1993resampling",),
    ),
    Procedure(
        name=JOINT_FLIPS.procedure,
        title="closed joint flips test",
        heading="joint flips",
        full_title="the closed test of joint sign flips",
        dependence="not-known",
        guarantee=f"{_NO_WRONG_NAME}, {JOINT_FLIPS.holds}",
        compared="the closed test behind the count by joint flips",
        rule=(
            "A dataset is named when joint flips reject every set of datasets that holds it, by the "
            "sum of the squares of their positive z."
        ),
        references=JOINT_FLIPS.closed_references,
        within=JOINT_FLIPS.name,
    ),
)


def all_procedures() -> tuple[Procedure, ...]:
    """All records of procedures of p-values, in the order in which they are offered."""
    closed = (_closed_test_of(each) for each in COMBINATIONS if not each.own_procedure)
    return (*_FAMILY_WISE, *closed, *_FALSE_DISCOVERY)


def procedure_named(name: str) -> Procedure:
    """Return the record of a procedure, of p-values or of joint flips."""
    return record_named((*OF_JOINT_FLIPS, *all_procedures()), name, argument="procedure")


def procedure_of_p_values(name: str) -> Procedure:
    """Return the record of a procedure that needs no more than p-values."""
    return record_named(all_procedures(), name, argument="procedure")


def procedure_names(*, joint: bool = False) -> tuple[str, ...]:
    """All names, in the order in which they are offered; with `joint` first those of joint flips."""
    of_flips = OF_JOINT_FLIPS if joint else ()
    return names_of((*of_flips, *all_procedures()))


def usual_procedure(*, joint: bool = False) -> str:
    """Name of the procedure in front where none is chosen: it needs no assumption on dependence."""
    return (OF_JOINT_FLIPS if joint else _FAMILY_WISE)[0].name


def _closed_test_of(combination: Combination) -> Procedure:
    return Procedure(
        name=combination.procedure,
        title=f"closed {combination.title} test",
        heading=combination.title,
        full_title=f"the closed test of {combination.test_title}",
        dependence=combination.dependence,
        guarantee=f"{_NO_WRONG_NAME}, {combination.holds}",
        compared=f"the closed test behind the count by {combination.title}",
        rule=(
            f"A dataset is named when {combination.title}'s test rejects every set of datasets that "
            "holds it; its threshold is the largest p-value with which that would be so, the others as "
            "they are."
        ),
        references=combination.closed_references,
        within=combination.name,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Identification(Plotted):
    """Which datasets are named as those on which A is better.

    Attributes
    ----------
    rejected : ndarray of bool, shape (N,)
        True where the dataset is named, in the order of the p-values given.
    adjusted_p_values : ndarray, shape (N,)
        Smallest level at which the dataset would be named, in the order given.
    thresholds : ndarray, shape (N,)
        What the procedure compares this dataset's p-value with at `alpha`; nan where it compares
        none. A step-down procedure (Holm) stops at its first failure, so a p-value below its own
        threshold need not be named; a step-up one names all below its last success.
    n_rejected : int
        How many are named.
    alpha : float
        In (0, 1).
    procedure : str
        Its name.
    p_values : ndarray, shape (N,)
        As given.
    """

    rejected: BoolArray
    adjusted_p_values: FloatArray
    thresholds: FloatArray
    n_rejected: int
    alpha: float
    procedure: str
    p_values: FloatArray

    @property
    def compares_p_values(self) -> bool:
        """Whether each p-value has a threshold; joint flips compare none."""
        return not bool(np.isnan(self.thresholds).all())


def identify_datasets(
    p_values: npt.ArrayLike, *, alpha: float = 0.05, procedure: str = "holm"
) -> Identification:
    """Name the datasets on which A is better.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        One p-value a dataset in [0, 1], of the null hypothesis "A is not better
        than B here" and valid for it.
    alpha : float
        Level in (0, 1): of the family-wise error for "holm", "bonferroni" (any dependence),
        "hochberg", "hommel" (where Simes' inequality holds) and "fisher-closed" and
        "stouffer-closed" (independent datasets); of the false discovery rate for
        "benjamini-hochberg" (independent or positively dependent) and "benjamini-yekutieli" (any
        dependence).
    procedure : str
        One of those names.

    Returns
    -------
    Identification

    Raises
    ------
    ValueError
        If there are no p-values, one lies outside [0, 1], `alpha` outside
        (0, 1), or the procedure is unknown.

    References
    ----------
    Dror et al. (TACL 2017), section 4.3; Holm (1979); Hochberg (1988); Hommel
    (1988); Benjamini and Hochberg (1995); Benjamini and Yekutieli (2001).

    Examples
    --------
    >>> from replicability import identify_datasets
    >>> identify_datasets([.168, .297, .357, .019, .218, .001], procedure="holm").rejected.tolist()
    [False, False, False, False, False, True]
    """
    level = check_alpha(alpha)
    known = procedure_of_p_values(procedure)
    values = check_p_values(p_values)
    adjusted = np.minimum(known.adjusted(values), 1.0)
    thresholds = known.thresholds(values, level)
    return identified(values, adjusted, thresholds, alpha=level, procedure=procedure)


def identified(
    p_values: FloatArray,
    adjusted: FloatArray,
    thresholds: FloatArray,
    *,
    alpha: float,
    procedure: str,
) -> Identification:
    """The names that adjusted p-values give at a level, in arrays that nobody changes."""
    rejected = at_most(adjusted, alpha)
    return Identification(
        rejected=frozen(rejected),
        adjusted_p_values=frozen(adjusted),
        thresholds=frozen(thresholds),
        n_rejected=int(np.count_nonzero(rejected)),
        alpha=alpha,
        procedure=procedure,
        p_values=frozen(p_values),
    )


def named_by(p_values: npt.ArrayLike, *, alpha: float, procedure: str) -> BoolArray:
    """Which datasets a procedure names: `identify_datasets` without the rest."""
    known = procedure_of_p_values(procedure)
    return at_most(known.adjusted(check_p_values(p_values)), check_alpha(alpha))
