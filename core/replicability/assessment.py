"""Every answer a table of p-values gives at one level: each reading, both directions, counts, names.

Vocabulary
----------
answer
    Counts and names from one set of p-values: "A better", "B better", or
    "the systems differ".
headline
    The reading whose count is the smallest among those the numbers allow, so
    that it holds whichever of them is true; names in front are those that all
    of them give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ..types import (
    ALTERNATIVES,
    DEPENDENCES,
    Alternative,
    BoolArray,
    Dependence,
    FloatArray,
    IntArray,
)
from ..validation import at_most, check_alpha, check_choice, check_p_values, check_same_order
from .combinations import JOINT_FLIPS, chosen_combination, combination_names
from .counting import Counting, closed_names, count_datasets
from .direction import (
    NEAR_ZERO,
    ONE_SIDED,
    READINGS,
    CommonPractice,
    RuledOut,
    check_differences,
    p_values_toward_a,
    p_values_toward_b,
    practices_of_printed,
    practices_of_tests,
    readings_ruled_out,
    small_beside_lower_score,
)
from .joint import FlipAnswer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """Counts and names from one set of p-values.

    `countings` are by every combination, and by joint flips where these were made; the combination
    is the one in front, `named` are by the same closed test, `named_apart` by the procedure `apart`,
    which needs no assumption on dependence. `complement`: p-values are 1 - p of the other direction's
    tests, so only approximate.
    """

    p_values: FloatArray
    alpha: float
    practice: CommonPractice
    countings: Mapping[str, Counting]
    combination: str
    named: BoolArray
    named_apart: BoolArray
    apart: str = "holm"
    complement: bool

    @property
    def counting(self) -> Counting:
        """The count in front."""
        return self.countings[self.combination]

    @property
    def k_hat(self) -> int:
        """That count's lower bound."""
        return self.counting.k_hat


def answer_of(
    values: FloatArray,
    alpha: float,
    combination: str,
    *,
    practice: CommonPractice,
    complement: bool = False,
) -> Answer:
    """Count by every combination, and name by the closed tests of one and of Holm."""
    countings = {
        name: count_datasets(values, alpha=alpha, combination=name) for name in combination_names()
    }
    return Answer(
        p_values=values,
        alpha=alpha,
        practice=practice,
        countings=MappingProxyType(countings),
        combination=combination,
        named=closed_names(values, alpha=alpha, combination=combination),
        named_apart=closed_names(values, alpha=alpha, combination="bonferroni"),
        complement=complement,
    )


def counted_by_flips(answer: Answer, flips: FlipAnswer) -> Answer:
    """The same answer with the count by joint flips in front, and their names."""
    countings = {**answer.countings, flips.count.combination: flips.count}
    return replace(
        answer,
        countings=MappingProxyType(countings),
        combination=flips.count.combination,
        named=flips.named.rejected,
        named_apart=flips.step_down.rejected,
        apart=flips.step_down.procedure,
    )


def in_common(answers: Sequence[Answer]) -> Answer | None:
    """The smallest count, with the names that all the answers give; None of no answer."""
    if not answers:
        return None
    return replace(
        min(answers, key=size_of),
        named=np.logical_and.reduce([answer.named for answer in answers]),
        named_apart=np.logical_and.reduce([answer.named_apart for answer in answers]),
    )


def size_of(answer: Answer) -> tuple[int, int]:
    """How much an answer says: its count, then how many it names."""
    return answer.k_hat, int(np.count_nonzero(answer.named))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """Both directions under one reading of the printed p-values; each holds at alpha by itself."""

    alternative: Alternative
    a_better: Answer
    b_better: Answer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Assessment:
    """What a table of p-values says, by every reading its numbers allow.

    The owner `declared` what they speak for. `readings` are those allowed, empty where nothing tells
    which system is ahead, `ruled_out` those that the numbers contradict. `undirected`: that the
    systems differ, by p-values as printed, doubled where they point toward the higher score.
    `beside_lower_score` are the datasets with p <= alpha and a lower score of A. It
    `shows_both_sides` where the numbers speak for B somewhere, so that A alone would mislead.
    """

    p_values: FloatArray
    declared: Alternative
    readings: tuple[Reading, ...]
    ruled_out: tuple[RuledOut, ...]
    undirected: Answer
    beside_lower_score: IntArray
    shows_both_sides: bool
    dependence: Dependence
    alpha: float

    @property
    def n_datasets(self) -> int:
        """N."""
        return self.undirected.p_values.size

    @property
    def headline_a(self) -> Reading | None:
        """The reading with the smallest count for A, or None where there is no reading."""
        return min(self.readings, key=lambda reading: size_of(reading.a_better), default=None)

    @property
    def headline_b(self) -> Reading | None:
        """The reading with the smallest count for B."""
        return min(self.readings, key=lambda reading: size_of(reading.b_better), default=None)

    @property
    def answer_a(self) -> Answer | None:
        """The headline's answer for A, with the names that every reading gives."""
        return in_common([reading.a_better for reading in self.readings])

    @property
    def answer_b(self) -> Answer | None:
        """The headline's answer for B, with the names that every reading gives."""
        return in_common([reading.b_better for reading in self.readings])

    @property
    def by_flips(self) -> bool:
        """Whether joint flips of shared examples count in front."""
        return any(each.a_better.combination == JOINT_FLIPS.name for each in self.readings)

    @property
    def n_printed(self) -> int:
        """How many p-values are at most alpha as printed, whichever system is ahead."""
        return int(np.count_nonzero(at_most(self.p_values, self.alpha)))

    @property
    def only_two_sided(self) -> bool:
        """Whether nothing was stated and the numbers leave no other reading."""
        return self.declared == "not-stated" and [r.alternative for r in self.readings] == [
            "two-sided"
        ]

    @property
    def declared_is_ruled_out(self) -> bool:
        """Whether the numbers contradict what the table's owner declared."""
        return any(_contradicts(entry, self.declared) for entry in self.ruled_out)


def assess_by_flips(
    assessment: Assessment, a_better: FlipAnswer, b_better: FlipAnswer
) -> Assessment:
    """The same assessment with the counts by joint flips in front, whatever the p-values count."""
    readings = (
        replace(
            reading,
            a_better=counted_by_flips(reading.a_better, a_better),
            b_better=counted_by_flips(reading.b_better, b_better),
        )
        for reading in assessment.readings
    )
    return replace(assessment, readings=tuple(readings))


def assess(
    p_values: npt.ArrayLike,
    differences: npt.ArrayLike | None,
    *,
    alternative: Alternative = "not-stated",
    alpha: float = 0.05,
    dependence: Dependence = "not-known",
    combination: str = "",
    p_values_b: npt.ArrayLike | None = None,
    p_values_two_sided: npt.ArrayLike | None = None,
    lower_ends: npt.ArrayLike | None = None,
    of_a_alone: bool = False,
) -> Assessment:
    """Count and name by every reading that the numbers allow.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        As printed, in [0, 1].
    differences : array_like, shape (N,), or None
        score(A) - score(B), higher better; None where the table has no scores.
    alternative : str
        What the table declares. A declaration that the numbers contradict is
        reported, and the other readings are taken beside it: a doubt can make
        a count smaller, never larger.
    alpha : float
        In (0, 1).
    dependence : {"not-known", "positive", "independent"}
        What is known about the datasets.
    combination : str
        The one in front, which may need no more than that; empty for the usual one.
    p_values_b : array_like, shape (N,), optional
        P-values of "B better" from B's own tests, beside those of "A better":
        then nothing has to be inferred about direction.
    p_values_two_sided : array_like, shape (N,), optional
        The same tests' two-sided p-values, which the common practice counts.
    lower_ends : array_like of bool, shape (N,), optional
        Where no more is known of p than a lower end, as of "n.s.": there p is 1 toward
        either system by every reading, and speaks neither for nor against a reading.
    of_a_alone : bool
        Whether the claim is asked of A alone, as that it is not worse, which may well
        be true of B beside A too.

    Returns
    -------
    Assessment

    Raises
    ------
    ValueError
        If an argument is out of range, the combination needs more to be known of the
        datasets, or "toward-higher-score" is declared without differences.

    References
    ----------
    Dror et al. (TACL 2017), section 4; the readings by direction are this
    project's own.

    Examples
    --------
    >>> from replicability import assess
    >>> found = assess([.01, .002, .04], [1.2, .8, -.5], alternative="two-sided")
    >>> found.answer_a.k_hat, found.answer_b.k_hat
    (2, 0)
    """
    level = check_alpha(alpha)
    check_choice(dependence, DEPENDENCES, name="dependence")
    in_front = chosen_combination(dependence, combination)
    check_choice(alternative, ALTERNATIVES, name="alternative")
    check_same_order(
        p_values=p_values,
        differences=differences,
        p_values_b=p_values_b,
        p_values_two_sided=p_values_two_sided,
    )
    values = check_p_values(p_values)
    signs = None
    if differences is not None:
        some_missing = alternative in ONE_SIDED
        signs = check_differences(differences, values.size, some_missing=some_missing)
    elif alternative == "toward-higher-score":
        raise ValueError(
            "`differences` must be given to read p-values as 'toward-higher-score'; got None."
        )
    ruled_out: tuple[RuledOut, ...] = ()
    # Under each reading the p-values of "A better" and "B better".
    directed: list[tuple[Alternative, FloatArray, FloatArray]]
    if p_values_b is not None:
        if alternative != "greater":
            raise ValueError(
                f"`alternative` must be 'greater' where `p_values_b` is given; got '{alternative}'."
            )
        own_b = check_p_values(p_values_b, name="p_values_b")
        two_sided = (
            None
            if p_values_two_sided is None
            else check_p_values(p_values_two_sided, name="p_values_two_sided")
        )
        practices = practices_of_tests(values, own_b, two_sided, signs, alpha=level)
        directed = [("greater", values, own_b)]
        undirected = np.minimum(1.0, 2.0 * np.minimum(values, own_b))
    else:
        open_above = np.zeros(values.size, dtype=np.bool_)
        if lower_ends is not None:
            open_above = np.asarray(lower_ends, np.bool_)
        if open_above.shape != values.shape:
            raise ValueError(
                "`lower_ends` must hold one truth value a p-value; got shape "
                f"{open_above.shape} for {values.size}."
            )
        values = np.where(open_above, 1.0, values)
        speaking = None if signs is None else np.where(open_above, np.nan, signs)
        ruled_out = readings_ruled_out(values, speaking, alpha=level)
        if signs is not None:
            # Where a score is missing nobody can tell who is ahead, as where both are level.
            signs = np.nan_to_num(signs, nan=0.0)
        allowed = _allowed(alternative, signs, ruled_out)
        known = allowed[0] if len(allowed) == 1 else "not-stated" if allowed else alternative
        practices = practices_of_printed(values, signs, alpha=level, known=known)
        directed = [
            (
                reading,
                np.where(open_above, 1.0, p_values_toward_a(values, signs, alternative=reading)),
                np.where(open_above, 1.0, p_values_toward_b(values, signs, alternative=reading)),
            )
            for reading in allowed
        ]
        # One-sided toward whoever is ahead: as evidence of a difference it counts twice.
        doubled = alternative == "toward-higher-score"
        undirected = np.minimum(1.0, 2.0 * values) if doubled else values

    def answer(toward: FloatArray, practice: CommonPractice, complement: bool = False) -> Answer:
        return answer_of(toward, level, in_front, practice=practice, complement=complement)

    one_sided = p_values_b is None
    readings = tuple(
        Reading(
            alternative=reading,
            a_better=answer(toward_a, practices.a_better, one_sided and reading == "less"),
            b_better=answer(toward_b, practices.b_better, one_sided and reading == "greater"),
        )
        for reading, toward_a, toward_b in directed
    )
    return Assessment(
        p_values=values,
        declared=alternative,
        readings=readings,
        ruled_out=ruled_out,
        undirected=answer(undirected, practices.differ),
        beside_lower_score=np.flatnonzero(small_beside_lower_score(values, signs, alpha=level)),
        shows_both_sides=not of_a_alone
        and _speaks_for_b(values, signs, readings, max(NEAR_ZERO, level)),
        dependence=dependence,
        alpha=level,
    )


def _speaks_for_b(
    values: FloatArray, signs: FloatArray | None, readings: tuple[Reading, ...], level: float
) -> bool:
    """Whether a p-value at most `level` speaks for B, by all readings or by A's lower score.

    The level is .1, so that a direction does not come and go with alpha, or a larger alpha.
    """
    if small_beside_lower_score(values, signs, alpha=level).any():
        return True
    small = [at_most(reading.b_better.p_values, level) for reading in readings]
    return bool(small) and bool(np.logical_and.reduce(small).any())


def _allowed(
    declared: Alternative, differences: FloatArray | None, ruled_out: tuple[RuledOut, ...]
) -> tuple[Alternative, ...]:
    """What printed p-values may mean; where counts tie the first is in front."""
    if differences is None:
        return (declared,) if declared in ONE_SIDED else ()
    if declared != "not-stated" and not any(_contradicts(entry, declared) for entry in ruled_out):
        return (declared,)
    contradicted = {entry.alternative for entry in ruled_out}
    return tuple(
        reading for reading in READINGS if reading == declared or reading not in contradicted
    )


def _contradicts(entry: RuledOut, declared: Alternative) -> bool:
    """Whether what was found speaks against the declaration, not only against a guess."""
    return entry.alternative == declared and (declared not in ONE_SIDED or entry.small.size > 0)
