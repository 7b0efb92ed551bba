"""Ways of counting datasets: a record for each, and nowhere else.

Vocabulary
----------
counting method
    A closed test of all datasets: its name, its words, and what it assumes of how the datasets
    depend on each other.
combination
    A counting method that needs no more than a p-value of each dataset, which a local test
    combines.
"""

from dataclasses import dataclass

import numpy as np

from ..types import DEPENDENCES, Dependence, FloatArray
from ..validation import Records, Titled, check_choice, record_named
from .local_tests import BonferroniTest, LocalTest, SimesTest, SumOfEvidence


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingMethod(Titled):
    """One way of counting, of which `test_title` is what a methods section calls the test.

    Its guarantee needs the `dependence` at least to be known, "if" the condition; where that is
    empty, `through` is what alone the datasets may depend on each other through, empty for anything.
    The formula, in LaTeX, is of its partial conjunction p-value. `own_procedure` names what the closed
    test names and has been found by another way.
    """

    test_title: str
    dependence: Dependence
    condition: str
    rule: str
    formula: str
    references: tuple[str, ...]
    closed_references: tuple[str, ...] = ("marcus1976closed", "goeman2011multiple")
    own_procedure: str = ""
    through: str = ""

    @property
    def procedure(self) -> str:
        """The name of the procedure whose names come from the same closed test."""
        return self.own_procedure or f"{self.name}-closed"

    @property
    def holds(self) -> str:
        """Under which condition it holds."""
        if self.condition:
            return f"if {self.condition}"
        through = f" through {self.through}" if self.through else ""
        return f"however the datasets depend on each other{through}"

    @property
    def clause(self) -> str:
        """The same, with the method's title."""
        return f"{self.holds} ({self.title})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination(CountingMethod):
    """A way of counting by p-values, which the local test combines."""

    local: LocalTest


# The z of every other p-value lies between -9 and 39.
_Z_OF_ONE = -1e100
_Z_OF_ZERO = 1e200


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


def upper_tails(z: FloatArray) -> FloatArray:
    """P(Z >= z) of a standard normal Z."""
    from scipy.special import ndtr

    tails: FloatArray = ndtr(-z)
    return tails


def stouffer_tail(sum_of_z: FloatArray, n_combined: FloatArray) -> FloatArray:
    """P(Z >= s / sqrt(m)) of a standard normal Z, by the upper tail itself."""
    return upper_tails(sum_of_z / np.sqrt(n_combined))


def stouffer_quantile(n_combined: FloatArray, alpha: float) -> FloatArray:
    """The least sum of m standard normal z that has a tail of at most alpha."""
    from scipy.special import ndtri

    return np.asarray(-ndtri(alpha) * np.sqrt(n_combined), dtype=np.float64)


def normal_quantiles(p_values: FloatArray) -> FloatArray:
    """Give z with P(Z >= z) = p; for p = 1 and p = 0 numbers that outweigh all others.

    Infinities would, too, but leave their sum unknown. A p-value of 0 outweighs
    even those of 1, as with Fisher and Bonferroni: where A is not better it never occurs.
    """
    from scipy.special import ndtri

    z: FloatArray = np.clip(-ndtri(p_values), _Z_OF_ONE, _Z_OF_ZERO)
    return z


COMBINATIONS = Records(
    Combination(
        name="bonferroni",
        title="Bonferroni",
        test_title="Bonferroni's rule",
        dependence="not-known",
        condition="",
        rule="The smallest of m p-values, times m.",
        formula=r"p^{u/N} = \min\bigl(1,\; (N-u+1)\, p_{(u)}\bigr)",
        own_procedure="holm",
        references=("dunn1961multiple",),
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
        references=("fisher1932statistical",),
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
        own_procedure="hommel",
        references=("simes1986improved",),
        closed_references=("marcus1976closed", "goeman2019simultaneous"),
        local=SimesTest(),
    ),
    Combination(
        name="stouffer",
        title="Stouffer",
        test_title="Stouffer's combination test",
        dependence="independent",
        condition="the datasets are independent",
        rule=(
            "The sum of z = Φ⁻¹(1 − p), divided by √m, against the normal distribution. Good where "
            "evidence is spread evenly over the datasets; one p-value near 1 can undo it, and where "
            "one is 1, nothing is counted."
        ),
        formula=(
            r"p^{u/N} = P\Bigl(Z \ge \tfrac{1}{\sqrt{N-u+1}} "
            r"\sum_{i=u}^{N} \Phi^{-1}(1 - p_{(i)})\Bigr)"
        ),
        references=("stouffer1949american",),
        local=SumOfEvidence(
            evidence=normal_quantiles,
            p_value_of=upper_tails,
            tail=stouffer_tail,
            quantile=stouffer_quantile,
        ),
    ),
    argument="combination",
)
combination_named, combination_names = COMBINATIONS.named, COMBINATIONS.names


# By the exchange of both systems on each shared example in all datasets at once.
JOINT_FLIPS = CountingMethod(
    name="joint-sum",
    title="joint flips",
    test_title="joint sign flips of shared examples",
    dependence="not-known",
    condition="",
    through="their shared examples",
    rule=(
        "On each example both systems change places in all datasets at once. The sum of the squares "
        "of the datasets' positive z is compared with its values under such flips."
    ),
    formula=(
        r"p^{u/N} = \max_{|I| \ge N-u+1} \frac{1}{R} \#\Bigl\{g : \sum_{i \in I} \max(0, Z_i(g))^2 "
        r"\ge \sum_{i \in I} \max(0, Z_i)^2\Bigr\}"
    ),
    references=("westfall1993resampling", "vesely2023permutation"),
    own_procedure="joint-sum",
)
JOINT_STEP_DOWN = CountingMethod(
    name="joint-max",
    title="joint step-down",
    test_title="joint sign flips of shared examples, by the largest z",
    dependence="not-known",
    condition="",
    through=JOINT_FLIPS.through,
    rule=(
        "On each example both systems change places in all datasets at once. The largest z is "
        "compared with its values under such flips, step down; the count is the number of names."
    ),
    formula=(
        r"p^{u/N} = \max_{v \le u} \frac{1}{R} \#\{g : \max_{i \ge v} Z_{(i)}(g) \ge Z_{(v)}\}"
    ),
    references=("westfall1993resampling",),
    own_procedure="joint-max",
)
JOINT_METHODS = (JOINT_FLIPS, JOINT_STEP_DOWN)


def counting_method_named(name: str) -> CountingMethod:
    """Return the record of a way of counting, by p-values or by joint flips."""
    every: tuple[CountingMethod, ...] = (*COMBINATIONS, *JOINT_METHODS)
    return record_named(every, name, argument="combination")


def combinations_under(dependence: Dependence) -> tuple[str, ...]:
    """Names of the combinations that need no more to be known of the datasets than this."""
    check_choice(dependence, DEPENDENCES, name="dependence")
    known = DEPENDENCES.index(dependence)
    return tuple(e.name for e in COMBINATIONS if DEPENDENCES.index(e.dependence) <= known)


def usual_combination(dependence: Dependence) -> str:
    """Name of the combination in front where none is chosen: the first that needs just this."""
    check_choice(dependence, DEPENDENCES, name="dependence")
    return next(each.name for each in COMBINATIONS if each.dependence == dependence)


def chosen_combination(dependence: Dependence, combination: str = "") -> str:
    """Name of the combination in front: the one chosen, or the usual one where it is empty."""
    if not combination:
        return usual_combination(dependence)
    needed = combination_named(combination)
    if combination not in combinations_under(dependence):
        raise ValueError(
            f"`combination` {combination!r} holds {needed.holds}, which `dependence` "
            f"{dependence!r} does not say."
        )
    return combination
