"""How the p-values of several datasets become one: a record for each way, and nowhere else.

Vocabulary
----------
combination
    A local test with its name, its words, and what it assumes of how the datasets
    depend on each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.replicability.local_tests import BonferroniTest, LocalTest, SimesTest, SumOfEvidence
from core.types import DEPENDENCES, Dependence, FloatArray
from core.validation import check_choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """One way of combining p-values.

    Attributes
    ----------
    name : str
        As functions take it.
    title : str
        What sentences call it.
    test_title : str
        What a methods section calls the test.
    dependence : {"not-known", "positive", "independent"}
        The least that must be known of the datasets for its guarantee.
    condition : str
        The same as the end of "if …"; empty where nothing need be known.
    rule : str
        What it computes and when it is of use, in one or two sentences.
    formula : str
        Its partial conjunction p-value, in LaTeX.
    procedure : str
        The name of the procedure whose names come from the same closed test.
    references, closed_references : tuple of str
        Keys of the bibliography: of the test, and of the closed test.
    local : LocalTest
        What computes.
    """

    name: str
    title: str
    test_title: str
    dependence: Dependence
    condition: str
    rule: str
    formula: str
    procedure: str
    references: tuple[str, ...]
    closed_references: tuple[str, ...]
    local: LocalTest

    @property
    def holds(self) -> str:
        """Under which condition it holds."""
        return (
            f"if {self.condition}"
            if self.condition
            else "however the datasets depend on each other"
        )

    @property
    def clause(self) -> str:
        """The same, with the combination's title."""
        return f"{self.holds} ({self.title})"


def fisher_tail(sum_of_minus_logs: FloatArray, n_combined: FloatArray) -> FloatArray:
    """P(chi-squared with 2m d.f. >= 2s), by the upper tail itself: 1 - cdf would lose it."""
    from scipy.special import gammaincc

    tail: FloatArray = gammaincc(n_combined, sum_of_minus_logs)
    return tail


def fisher_quantile(n_combined: FloatArray, alpha: float) -> FloatArray:
    """Half the chi-squared quantile: the least sum of -ln p that has a tail of at most alpha."""
    from scipy.special import gammainccinv

    return np.asarray(gammainccinv(n_combined, alpha), dtype=np.float64)


def minus_logs(p_values: FloatArray) -> FloatArray:
    """-ln p, infinite for p = 0."""
    with np.errstate(divide="ignore"):
        # 0.0 - x rather than -x: the logarithm of 1 must give 0, not -0.
        return 0.0 - np.log(p_values)


COMBINATIONS = (
    Combination(
        name="bonferroni",
        title="Bonferroni",
        test_title="Bonferroni's rule",
        dependence="not-known",
        condition="",
        rule="The smallest of m p-values, times m.",
        formula=r"p^{u/N} = \min\bigl(1,\; (N-u+1)\, p_{(u)}\bigr)",
        procedure="holm",
        references=("dunn1961multiple",),
        closed_references=("marcus1976closed", "goeman2011multiple"),
        local=BonferroniTest(),
    ),
    Combination(
        name="fisher",
        title="Fisher",
        test_title="Fisher's combination test",
        dependence="independent",
        condition="the datasets are independent",
        rule=(
            "The sum of −2 ln p against a χ² distribution. Many p-values that are moderately "
            "small add up."
        ),
        formula=r"p^{u/N} = P\Bigl(\chi^2_{2(N-u+1)} \ge -2 \sum_{i=u}^{N} \ln p_{(i)}\Bigr)",
        procedure="fisher-closed",
        references=("fisher1932statistical",),
        closed_references=("marcus1976closed", "goeman2011multiple"),
        local=SumOfEvidence(
            evidence=minus_logs,
            p_value_of=lambda evidence: np.exp(-evidence),
            tail=fisher_tail,
            quantile=fisher_quantile,
        ),
    ),
    Combination(
        name="simes",
        title="Simes",
        test_title="Simes' test",
        dependence="positive",
        condition="the tests are independent or positively dependent",
        rule="Of m sorted p-values, the smallest of m · p / rank. It never exceeds Bonferroni's.",
        formula=r"p^{u/N} = \min_{i \ge u} \frac{N-u+1}{i-u+1}\, p_{(i)}",
        procedure="hommel",
        references=("simes1986improved",),
        closed_references=("marcus1976closed", "goeman2019simultaneous"),
        local=SimesTest(),
    ),
)


def combination_named(name: str) -> Combination:
    """Return the record of a combination.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    check_choice(name, combination_names(), name="combination")
    return next(each for each in COMBINATIONS if each.name == name)


def combination_names() -> tuple[str, ...]:
    """All names, in the order in which they are shown."""
    return tuple(each.name for each in COMBINATIONS)


def combinations_under(dependence: Dependence) -> tuple[str, ...]:
    """Names of the combinations that need no more to be known of the datasets than this.

    Raises
    ------
    ValueError
        If there is no such answer about dependence.
    """
    check_choice(dependence, DEPENDENCES, name="dependence")
    known = DEPENDENCES.index(dependence)
    return tuple(e.name for e in COMBINATIONS if DEPENDENCES.index(e.dependence) <= known)
