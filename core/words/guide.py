"""The guide: the argument in seven steps, an example to move, and a short answer to each question."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from ..data import PValueTable, read_results
from ..data.samples import read_sample
from ..replicability.assessment import Answer, assess
from ..replicability.combinations import combination_named, usual_combination
from ..replicability.counting import Counting, chance_of_a_false_win, partial_conjunction_p_values
from ..simulation.scenarios import TOY_INDEPENDENT
from ..types import Dependence, FloatArray
from ..validation import is_at_most
from .counting import REFERENCE
from .formatting import (
    format_confidence,
    format_errors,
    format_level,
    format_percent,
    p_value_clause,
)
from .subject import Question, Subject, questions
from .verdicts import count_statement, names_sentence, validity_sentence

Reply = Literal["unknown", "no", "yes"]
REPLIES: tuple[Reply, ...] = get_args(Reply)
REPLY_LABELS: Mapping[Reply, str] = {"unknown": "Not checked", "no": "No", "yes": "Yes"}


class DependenceQuestion(NamedTuple):
    """A question about the datasets."""

    key: str
    text: str
    if_yes: str


SHARING_QUESTIONS = (
    DependenceQuestion(
        "examples",
        "Do datasets share texts, translations of the same texts, or examples written by the "
        "same annotators?",
        "Datasets that share texts, translations or annotators share their luck.",
    ),
    DependenceQuestion(
        "union",
        "Is one dataset the union of others, or a part of one?",
        "A dataset and its part hold the same examples, so one result enters twice.",
    ),
    DependenceQuestion(
        "metrics",
        "Does one test set count several times, with several metrics or settings?",
        "Results on one test set depend on each other, whatever is measured on it.",
    ),
)
POSITIVE_QUESTION = DependenceQuestion(
    "positive",
    "Can you argue, not only hope, that what makes one test come out well can only make the "
    "others come out better?",
    "You can argue that the tests depend on each other only positively, so Simes' count holds; "
    "state the argument.",
)


def implied_dependence(replies: Mapping[str, Reply]) -> tuple[Dependence, str]:
    """The answer that follows from replies to the questions, by their keys, and why; none is “not checked”."""
    shared = [q for q in SHARING_QUESTIONS if replies.get(q.key) == "yes"]
    unchecked = [q for q in SHARING_QUESTIONS if replies.get(q.key, "unknown") == "unknown"]
    if not (shared or unchecked):
        nothing = "Nothing is shared, so chance on one dataset says nothing about another."
        return "independent", nothing
    if replies.get(POSITIVE_QUESTION.key) == "yes":
        return "positive", POSITIVE_QUESTION.if_yes
    unknown = "What has not been checked cannot be relied on."
    reason = " ".join(question.if_yes for question in shared) or unknown
    return "not-known", f"{reason} Bonferroni's count holds in any case."


N_DATASETS = TOY_INDEPENDENT.scenario.n_datasets


def example(*, alpha: float) -> tuple[Question, Subject]:
    """Mate and Redshift on seven genres, their p-values read as one-sided for Mate."""
    sample, content = read_sample("parsing-redshift")
    table = read_results(content, name=sample.file_name)
    assert isinstance(table, PValueTable)
    assessment = assess(
        table.p_values,
        table.differences,
        alternative="greater",
        alpha=alpha,
        dependence="independent",
    )
    subject = Subject(system_a=table.system_a, system_b=table.system_b, datasets=table.datasets)
    return questions(assessment)[0], subject


def claim_sentence(answer: Answer, u: int) -> str:
    """State what the largest p-values say of the claim "on at least u", and whether it holds."""
    n = answer.p_values.size
    largest = np.sort(answer.p_values)[u - 1 :]
    aside = {1: "nothing is set aside", 2: "the smallest p-value is set aside"}.get(
        u, f"the {u - 1} smallest p-values are set aside"
    )
    rest = f"all {n} give" if u == 1 else f"the {largest.size} others give"
    rest = "the largest one gives" if largest.size == 1 else rest
    # Those in front where nothing is known of the datasets, and where they are independent.
    shown = usual_combination("not-known"), usual_combination("independent")
    parts = [_shown_by(answer.countings[name], largest, u) for name in shown]
    return f"At least {u} of {n}: {aside}, {rest} {' and '.join(parts)}."


def _shown_by(counting: Counting, largest: FloatArray, u: int) -> str:
    p = partial_conjunction_p_values(largest, combination=counting.combination)[0]
    clause = p_value_clause(float(p), alpha=counting.alpha)
    verdict = "holds" if u <= counting.k_hat else "does not hold"
    if u > counting.k_hat and is_at_most(p, counting.alpha):
        verdict = f"does not hold, as “at least {counting.k_hat + 1}” does not"
    return f"{clause} by {combination_named(counting.combination).title} ({verdict})"


def example_paragraph(question: Question, subject: Subject) -> str:
    """How a paper could report the example."""
    answer = question.answer
    n = answer.p_values.size
    return (
        f"We compared {subject.system_a} with {subject.system_b} on {n} datasets "
        f"({subject.names([True] * n)}). Before looking at any result we fixed the datasets, the "
        f"same one-sided test on each, α = {format_level(answer.alpha)}, and the assumption that the "
        f"datasets are independent. {count_statement(question, subject).text} "
        f"{names_sentence(answer, subject)}"
    ).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A question of the guide that needs nothing but words."""

    heading: str
    answer: str
    details: tuple[str, ...]
    pages: tuple[str, ...] = ()


class Step(NamedTuple):
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
            f"{N_DATASETS} datasets, two equal systems: some p-values are small",
            f"Papers count the datasets with p ≤ {level}. Here every such “win” is wrong.",
        ),
        Step(
            "Study after study, the usual count claims wins that are not there",
            f"A and B are equal on {N_DATASETS} independent datasets. {chance} of studies show "
            f"at least one p ≤ {level} that is one-sided; {usual} of studies show at least one "
            "that is two-sided with A ahead.",
        ),
        Step(
            "“On at least u datasets” asks more of the p-values",
            "Set the u − 1 smallest p-values aside, as if those wins were certain. The others "
            "must show one more. The largest such u is the count, k̂: too high in at most "
            f"{errors} of studies.",
        ),
        Step(
            "Datasets that share a cause break Fisher's promise",
            "Two groups of 33 datasets each share a cause. Fisher assumes independence; "
            "Bonferroni needs no assumption. If unsure, use Bonferroni.",
        ),
        Step(
            "Four published applications: counts as printed, and with direction",
            "Dror et al. (2017), Table 1, ignores which system is ahead. The app counts the "
            "wins of each system and checks the direction. Open any of them.",
        ),
        Step(
            "Small p-values may favour the other system",
            "POS tagging in 23 languages: on some with a small p, MIMICK has the lower score.",
        ),
        Step(
            "Your own data",
            "Load both systems' results on every example, or a paper's table of p-values. You "
            "read how many datasets, which ones, and under which assumption.",
        ),
    )


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
        heading="Why are fewer datasets named than counted?",
        answer=(
            "That A is better on at least u datasets can be shown while it stays open on which."
        ),
        details=(
            f"Holm's list has at most a {format_errors(alpha)} chance of any false positive, "
            "whatever the dependence. A count and a list hold together only if one closed test "
            "gives both.",
        ),
        pages=("Counting", "Identification"),
    )


POOLING = Section(
    heading="Could the datasets be one?",
    answer=(
        "If they are samples of one kind of data and the question is about that kind as a whole, "
        "pool their examples and test once."
    ),
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
    heading="What do tests across datasets answer?",
    answer=(
        "Wilcoxon, sign and Friedman tests over the N scores ask whether A tends to score better "
        "over datasets like these, not on how many of them. A t-test asks about the average."
    ),
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
    pages=("Effect size", "Systems", "Counting"),
)
EQUIVALENCE = Section(
    heading="Are two systems equivalent if nothing was found between them?",
    answer=(
        "No: a large p-value also comes from too few examples. Claim “not worse by more than a "
        "margin” or “equivalent within a margin”, and test that."
    ),
    details=(
        "On 240 examples a model that is worse by 2 points gets a p-value above α more often than not. "
        "Read as “the same”, it rewards a small test set. A claim at a margin turns this "
        "round: the null hypothesis is that A is worse by the margin or more, and too few examples "
        "leave it standing.",
        "Choose the claim and its margin in the sidebar before you look: the largest loss that "
        "would not matter, such as 0.5 points for a model that is half as large. A column “margin” in "
        "the file gives each dataset its own. A margin chosen "
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
    heading="What can this not do?",
    answer=(
        "It speaks of two trained systems on these test sets, and can repair neither a test set nor "
        "a test."
    ),
    details=(
        "Training: the systems are taken as they were given. Another seed or another training run "
        "is another system; its variation is not in any p-value here.",
        "Contamination: if test examples were in a system's training data, the difference is real "
        "and says nothing on new data.",
        "Quality of a test set: wrong gold labels, or a metric that does not measure what is meant, "
        "stay what they are.",
        "Size: a difference that is shown may still be too small to matter.",
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
