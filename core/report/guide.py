"""What the guide says: the argument in seven steps, and a short answer to each question around it."""

from __future__ import annotations

from dataclasses import dataclass

from ..replicability.combinations import Combination, all_combinations
from ..replicability.counting import chance_of_a_false_win
from ..replicability.procedures import procedure_named
from .formatting import (
    format_confidence,
    format_errors,
    format_level,
    format_percent,
)
from .guarantees import REFERENCE
from .guide_toy import N_DATASETS
from .sentences import validity_sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A question of the guide that needs nothing but words.

    Attributes
    ----------
    key : str
        Its short name.
    heading, answer : str
        The question in a few words, and the sentence that answers it.
    label : str
        What waits behind a click.
    details : tuple of str
        Its paragraphs.
    pages : tuple of str
        Labels of the pages where the thing is done.
    """

    key: str
    heading: str
    answer: str
    label: str
    details: tuple[str, ...]
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the argument: a claim, and what makes it so."""

    claim: str
    reason: str


def steps(alpha: float) -> tuple[Step, ...]:
    """The seven steps at a level."""
    level, errors = format_level(alpha), format_errors(alpha)
    chance = format_percent(chance_of_a_false_win(N_DATASETS, alpha=alpha))
    usual = format_percent(chance_of_a_false_win(N_DATASETS, alpha=alpha, two_sided=True))
    return (
        Step(
            claim=f"{N_DATASETS} datasets, two equal systems: some p-values are small all the same",
            reason=(
                f"Papers count the datasets with p ≤ {level}. Here neither system is better "
                "anywhere, so every “win” is wrong."
            ),
        ),
        Step(
            claim="Study after study, the usual count claims wins that are not there",
            reason=(
                f"Where A and B are equal, a one-sided p ≤ {level} still comes up in {errors} of "
                f"cases. Of {N_DATASETS} such datasets about {N_DATASETS * alpha:.10g} look like "
                f"wins. If they are independent, {chance} of studies show at least one. By "
                f"two-sided p-values with A ahead, {usual} of studies show at least one."
            ),
        ),
        Step(
            claim="“On at least u datasets” asks more of the p-values",
            reason=(
                "Set the u − 1 smallest p-values aside, as if those wins were certain. The others "
                "must carry the evidence that there is one more. The largest such u is the count, "
                f"k̂. It is too high in at most {errors} of studies."
            ),
        ),
        Step(
            claim="Which count keeps its promise depends on what the datasets share",
            reason=(
                "Two groups of 33 datasets each share a cause. Fisher assumes independence, which "
                "is wrong here. Bonferroni needs no assumption. If unsure, use Bonferroni."
            ),
        ),
        Step(
            claim="Four published applications: counts as printed, and with direction",
            reason=(
                "Dror et al. (2017), Table 1, ignores which system is ahead. The app counts the "
                "wins of each system and checks the direction. Open any of them."
            ),
        ),
        Step(
            claim="Small p-values may favour the other system",
            reason=(
                "POS tagging in 23 languages. Some of the small p-values belong to languages where "
                "MIMICK has the lower score."
            ),
        ),
        Step(
            claim="Your own data",
            reason=(
                "Load both systems' results on every example, or a paper's table of p-values. You "
                "read how many datasets, which ones, and under which assumption."
            ),
        ),
    )


def combination_rules() -> tuple[tuple[str, str], ...]:
    """Title of each combination, and when it holds, what it does and whom it can name."""
    return tuple((each.title, _rule(each)) for each in all_combinations())


def _rule(combination: Combination) -> str:
    holds = (
        f"If {combination.condition}" if combination.condition else "Whatever the datasets share"
    )
    names = procedure_named(combination.procedure).full_title
    return f"{holds}. {combination.rule} The datasets it can name are those of {names}."


def report_answer(alpha: float) -> str:
    """How to report, in one sentence."""
    return (
        "First what was fixed before looking; then the count with its "
        f"{format_confidence(alpha)} confidence and its assumption; then the names."
    )


CHECKLIST = (
    "Both systems, the metric, and every dataset with its number of examples: also those left out, "
    "and why.",
    "The test on each dataset, one-sided or two-sided, with its resamples and seed.",
    "α and what is assumed on dependence, with the reason, chosen before looking.",
    "The count with its confidence and combination; then the names with their procedure.",
    "Every p-value with its digits (of “< .001” only the bound can be used), and the difference in scores.",
    "Everything that was tried, and the signature that reproduces the result.",
)
TO_AVOID = (
    "Reporting how many p-values are at most α, as if that were a result: it has no guarantee.",
    "Choosing α, the test, the combination or the datasets after looking at the results.",
    "One-sided p-values beside two-sided ones, or p-values that do not say which they are.",
    "“A and B perform alike” where nothing was shown: that is not evidence that they are equal.",
    "Fisher's count with Holm's names in one sentence, as if one confidence covered both.",
)


def names(alpha: float) -> Section:
    """Why fewer datasets can be named than are counted."""
    return Section(
        key="names",
        heading="Why are fewer datasets named than counted?",
        answer=(
            "That A is better on at least u datasets can be shown while it stays open on which."
        ),
        label="How names and count belong together",
        details=(
            f"Holm's list has at most a {format_errors(alpha)} chance of any false positive, "
            "whatever the dependence. A count and a list hold together only if one closed test "
            "gives both.",
        ),
        pages=("Counting", "Identification"),
    )


POOLING = Section(
    key="pooling",
    heading="Could the datasets be one?",
    answer=(
        "If they are samples of one kind of data and the question is about that kind as a whole, "
        "pool their examples and test once."
    ),
    label="What pooling gains and loses",
    details=(
        "Three test sets that differ only in the week they were collected are such a case: put "
        "their examples into one dataset and run one test. There is nothing to count then.",
        "Gained: all examples speak together, so that a smaller difference can be shown than on "
        "any part (Dror et al. 2017, section 7).",
        "Lost: the answer is about the mixture as pooled, in which the largest dataset weighs most. "
        "It says neither on how many parts A is better nor on which, and A may be behind on some.",
        "An example that is in two datasets enters the pool once. Choose between pooling and "
        "counting before looking.",
    ),
    pages=("Upload", "Tests"),
)
ACROSS = Section(
    key="across",
    heading="What do tests across datasets answer?",
    answer=(
        "Wilcoxon, sign and Friedman tests over the N scores ask whether A tends to score better "
        "over datasets like these, not on how many of them. A t-test asks about the average."
    ),
    label="How a tendency differs from “on at least one”",
    details=(
        "Demšar (2006) takes the datasets as a sample, one score each. Wilcoxon signed-rank: the "
        "differences lie symmetrically around 0. Sign test: either system is ahead on a dataset "
        "equally often. Friedman, for several systems: all have the same average rank.",
        "Dror et al. (2017) describe these as tests of “on at least one dataset”. That follows if "
        "they reject, but it is not what they ask. Where A is better on half of the datasets and "
        "as much worse on the other half, A is better on some without a tendency. And a large "
        "gain on a single dataset hardly moves a test over ranks.",
        "They see no examples: a difference on 100 examples counts as much as one on 100,000. In "
        "return the answer reaches beyond these datasets, if they are a sample of all that are "
        "meant.",
    ),
    pages=("Effect size", "Counting"),
)
EQUIVALENCE = Section(
    key="equivalence",
    heading="Are two systems equivalent if nothing was found between them?",
    answer=(
        "No: a large p-value also comes from too few examples. Claim “not worse by more than a "
        "margin” or “equivalent within a margin”, and test that."
    ),
    label="Why a large p-value is not equivalence, and what to claim instead",
    details=(
        "On 240 examples a model that is worse by 2 points gets a p-value above α more often than not. "
        "Read as “the same”, it rewards a small test set. A claim at a margin turns this "
        "round: the null hypothesis is that A is worse by the margin or more, and too few examples "
        "leave it standing.",
        "Choose the claim and its margin in the sidebar before you look: the largest loss that "
        "would not matter, such as 0.5 points for a model that is half as large. A margin chosen "
        "afterwards carries no guarantee. Every claim that was tried is in the report.",
        "“Not worse” needs one test on each dataset, “equivalent” two, of which the larger p-value "
        "counts; “better by” asks for a gain of at least the margin. Counts, names and their "
        "guarantee are those of any other claim.",
        "On 0/1 outcomes the test is exact (Fay and Lumbard 2021), with Tango's (1998) as the usual "
        "approximation. Other means are shifted by the margin and then tested as always; other "
        "metrics use the bootstrap. Printed p-values carry no margin.",
        "The sample “A quantised model” has 12 tasks. On 11 of them its difference is small beside "
        "chance; that it is not worse by 1 point is shown on 8, and it is truly worse on one of the "
        "other three.",
    ),
    pages=("Upload", "Counting", "Tests"),
)
LIMITS = Section(
    key="limits",
    heading="What can this not do?",
    answer=(
        "It speaks of two trained systems on these test sets, and can repair neither a test set nor "
        "a test."
    ),
    label="The limits one by one",
    details=(
        "Training: the systems are taken as they were given. Another seed or another training run "
        "is another system; its variation is not in any p-value here.",
        "Contamination: if test examples were in a system's training data, the difference is real "
        "and says nothing on new data.",
        "Quality of a test set: wrong gold labels, or a metric that does not measure what is meant, "
        "stay what they are.",
        "Size: a difference that is shown may still be too small to matter.",
        "One dataset: counting needs several. With one there is a single test.",
        "Rounding: p-values printed with few digits stand for a range; a printed 0 is an upper "
        "bound.",
        "A count is a lower bound. A low one, even none, is not evidence that the systems are "
        "equal.",
        validity_sentence(),
    ),
    pages=("Effect size", "Reliability", "Check a paper"),
)
SOURCES = (
    REFERENCE,
    "Berg-Kirkpatrick, Burkett and Klein, EMNLP-CoNLL 2012, 995–1005 (Systems).",
    "Søgaard, “Estimating Effect Size Across Datasets”, NAACL 2013 (Effect size).",
    "Søgaard, Johannsen, Plank, Hovy and Martínez Alonso, “What's in a p-value in NLP?”, CoNLL 2014 "
    "(Reliability).",
    "Demšar, “Statistical Comparisons of Classifiers over Multiple Data Sets”, JMLR 2006 (Effect "
    "size).",
)
