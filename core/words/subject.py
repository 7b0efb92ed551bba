"""What a sentence is about: systems, datasets and claim, and how they are written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from ..comparison import BETTER, Comparison, comparison_named, of_tendency
from ..replicability.assessment import Answer, Assessment, Reading
from ..replicability.direction import ONE_SIDED
from ..significance.known_tests import significance_test_named
from ..types import Alternative
from ..validation import check_choice
from .formatting import MOST_NAMES, display_name, list_names

Claim = Literal["a-better", "b-better", "differ"]
CLAIMS: tuple[Claim, ...] = get_args(Claim)

READING_WORDS: dict[Alternative, str] = {
    "greater": "as one-sided for {a}",
    "less": "as one-sided for {b}",
    "toward-higher-score": "toward the higher score",
    "two-sided": "as two-sided",
    "not-stated": "as printed",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """One question with its answer.

    `key` is its stable name, for settings and links; `reading` is how printed p-values are read,
    "not-stated" for as printed; a `headline` is the answer stated first for its claim, with the
    names that every reading gives.
    """

    key: str
    claim: Claim
    reading: Alternative
    headline: bool
    answer: Answer


def questions(assessment: Assessment) -> tuple[Question, ...]:
    """List what can be asked: both headlines, the other readings, and whether the systems differ.

    A's headline comes first, or B's where only B is shown to be better, so that
    charts and tables begin with the claim that the verdict makes.
    """
    found: list[Question] = []
    sides: dict[Claim, tuple[Reading | None, Answer | None]]
    sides = {"a-better": (assessment.headline_a, assessment.answer_a)}
    if assessment.shows_both_sides:
        sides["b-better"] = (assessment.headline_b, assessment.answer_b)
    for reading in assessment.readings:
        for claim, (first, in_front) in sides.items():
            own = reading.a_better if claim == "a-better" else reading.b_better
            found.append(
                Question(
                    key=f"{claim}/{reading.alternative}",
                    claim=claim,
                    reading=reading.alternative,
                    headline=reading is first,
                    answer=in_front if reading is first and in_front else own,
                )
            )
    counts = [answer.k_hat for _, answer in sides.values() if answer is not None]
    only_b = len(counts) == 2 and not counts[0] and counts[1] > 0
    found.sort(key=lambda one: (not one.headline, (one.claim == "a-better") == only_b))
    # As printed, p-values declared one-sided say nothing of a difference.
    if assessment.declared not in ONE_SIDED or not assessment.readings:
        found.append(
            Question(
                key="differ",
                claim="differ",
                reading=assessment.declared,
                headline=not assessment.readings,
                answer=assessment.undirected,
            )
        )
    return tuple(found)


def headline_questions(assessment: Assessment) -> tuple[Question, ...]:
    """Whose answers the verdict states: A's, A's and B's, or that they differ."""
    asked = questions(assessment)
    sides = sorted((q for q in asked if q.headline), key=lambda q: q.claim)
    return tuple(q for q in sides if q.claim != "differ") or asked[:1]


# The same words where a lower score is the better one.
_OF_LOWER = {reading: words.replace("higher", "lower") for reading, words in READING_WORDS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whose datasets are counted.

    Names are as in the file, and written short and harmless in sentences; of a longer list of datasets
    only `most_names` are named. The p-value 1 of `n_untested` datasets stands for nothing.
    `by_tendency`: the tests ask which system tends to score better, as Wilcoxon's and the sign test
    do. `comparison` is a name of `comparison.COMPARISONS`, `margin` as sentences have it.
    """

    system_a: str
    system_b: str
    datasets: tuple[str, ...]
    higher_is_better: bool = True
    most_names: int = MOST_NAMES
    n_untested: int = 0
    by_tendency: bool = False
    comparison: str = BETTER
    margin: str = ""

    @property
    def in_full(self) -> Subject:
        """The same with every dataset named, for what is taken away."""
        return replace(self, most_names=max(MOST_NAMES, len(self.datasets)))

    def reading(self, reading: Alternative) -> str:
        """How p-values are read, in words."""
        words = READING_WORDS[reading] if self.higher_is_better else _OF_LOWER[reading]
        return words.format(a=display_name(self.system_a), b=display_name(self.system_b))

    def side_read(self, reading: Alternative) -> str:
        """Write "two-sided", "one-sided for Mate" or "one-sided toward the higher score"."""
        words = self.reading(reading)
        return words.removeprefix("as ") if words.startswith("as ") else f"one-sided {words}"

    @property
    def worse(self) -> str:
        """Write "lower", or "higher" where lower is better."""
        return "lower" if self.higher_is_better else "higher"

    @property
    def claimed(self) -> Comparison:
        """What small p-values speak for, as the tests ask it."""
        if self.by_tendency and self.comparison == BETTER:
            return of_tendency(self.higher_is_better)
        return comparison_named(self.comparison)

    @property
    def is_better(self) -> str:
        """What the tests claim of a system: "is better", or "tends to score higher"."""
        return self.claimed.predicate(self.bound)

    @property
    def better(self) -> str:
        """The same in headings: "better", or "tending to score higher"."""
        return self.claimed.described(self.bound)

    @property
    def in_short(self) -> str:
        """The same in charts and column headings: "better", "better by ≥ 0.02", or "tends higher"."""
        return self.claimed.in_short(self.margin)

    @property
    def bound(self) -> str:
        """The margin as the tests ask about it: of ranks it is one of the pseudo-median."""
        return f"{self.margin} in the pseudo-median" if self.by_tendency else self.margin

    @property
    def nowhere(self) -> str:
        """That the null hypothesis is true on every dataset, after "if"."""
        if self.comparison == BETTER:
            return "neither system were better anywhere"
        return "the claim were true nowhere"

    @property
    def not_shown(self) -> str:
        """What it is not evidence of that nothing was shown."""
        opposite = "they are equal" if self.comparison == BETTER else "the opposite is true"
        return f"That is not evidence that {opposite}."

    @property
    def is_significantly_better(self) -> str:
        """Write "is significantly better", or "tends significantly to score higher"."""
        return f"{self.claimed.verb} significantly {self.claimed.adjective}"

    def significant(self, claim: Claim) -> str:
        """Write "Mate is significantly better than Redshift", or "Mate and Redshift differ significantly"."""
        better, other = self.sides(claim)
        if claim == "differ":
            return f"{better} and {other} differ significantly"
        if self.comparison != BETTER:
            return self.claim(claim)
        return f"{better} {self.is_significantly_better} than {other}"

    def claim(self, claim: Claim) -> str:
        """Write "Mate is better than Redshift", or "Mate and Redshift differ"."""
        better, other = self.sides(claim)
        if claim == "differ":
            return f"{better} and {other} differ"
        return self.claimed.statement(better, other, self.bound)

    def heading(self, claim: Claim) -> str:
        """Write "Mate better than Redshift", or "Mate and Redshift differ"."""
        better, other = self.sides(claim)
        return (
            self.claim(claim)
            if claim == "differ"
            else self.claimed.heading(better, other, self.bound)
        )

    def sides(self, claim: Claim) -> tuple[str, str]:
        """The system that a claim is for, and the other one, as they are written; else A and B."""
        check_choice(claim, CLAIMS, name="claim")
        a, b = display_name(self.system_a), display_name(self.system_b)
        return (b, a) if claim == "b-better" else (a, b)

    def chosen(self, mask: Sequence[bool] | np.ndarray) -> tuple[str, ...]:
        """The chosen datasets' names, as in the file."""
        return tuple(self.datasets[i] for i in np.flatnonzero(np.asarray(mask)))

    def names(self, chosen: Sequence[bool] | np.ndarray) -> str:
        """The chosen datasets' names as a list in words."""
        return list_names(self.chosen(chosen), most=self.most_names)


def claim_of_tests(tests: Collection[str]) -> str:
    """What p-values of several tests claim of a system, after its name."""
    asked = [significance_test_named(test) for test in tests]
    tendency = [test for test in asked if test.of_tendency]
    if not tendency:
        return "is better"
    if len(tendency) == len(asked):
        return "tends to score better"
    by = " and ".join(sorted({test.called for test in tendency}, reverse=True))
    return f"is better (by {by}: tends to score better)"
