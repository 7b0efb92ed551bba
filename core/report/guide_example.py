"""The guide's example: two parsers on seven genres, a claim to move and a paragraph to quote."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data import PValueTable, read_results
from ..data.samples import read_sample
from ..replicability.assessment import Answer, assess
from ..replicability.combinations import combination_named, usual_combination
from ..replicability.counting import Counting, partial_conjunction_p_values
from ..replicability.decision import at_most
from ..types import FloatArray
from .formatting import format_level, p_value_clause
from .sentences import count_sentence, names_sentence
from .subject import Subject

EXAMPLE_SAMPLE = "parsing-redshift"
EXAMPLE_SOURCE = (
    "Two parsers, Mate and Redshift, on seven genres (Dror et al. 2017, Table 2; p-values read as "
    "one-sided), the smallest p-value first."
)
EXAMPLE_NOTE = "An example, with the figures of the two parsers above:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A published comparison read as one-sided tests of independent datasets."""

    answer: Answer
    subject: Subject


def example(*, alpha: float) -> Example:
    """Mate and Redshift on seven genres, their p-values read as one-sided for Mate."""
    sample, content = read_sample(EXAMPLE_SAMPLE)
    table = read_results(content, name=sample.file_name)
    assert isinstance(table, PValueTable)
    assessment = assess(
        table.p_values,
        table.differences,
        alternative="greater",
        alpha=alpha,
        dependence="independent",
    )
    assert assessment.answer_a is not None
    subject = Subject(system_a=table.system_a, system_b=table.system_b, datasets=table.datasets)
    return Example(answer=assessment.answer_a, subject=subject)


def shown_combinations() -> tuple[str, ...]:
    """Those in front where nothing is known of the datasets, and where they are independent."""
    return usual_combination("not-known"), usual_combination("independent")


def claim_sentence(shown: Example, u: int) -> str:
    """State what the largest p-values say of the claim "on at least u", and whether it holds."""
    answer = shown.answer
    n = answer.p_values.size
    largest = np.sort(answer.p_values)[u - 1 :]
    aside = {1: "nothing is set aside", 2: "the smallest p-value is set aside"}.get(
        u, f"the {u - 1} smallest p-values are set aside"
    )
    rest = f"all {n} give" if u == 1 else f"the {largest.size} others give"
    rest = "the largest one gives" if largest.size == 1 else rest
    parts = [_shown_by(answer.countings[name], largest, u) for name in shown_combinations()]
    return f"At least {u} of {n}: {aside}, {rest} {' and '.join(parts)}."


def _shown_by(counting: Counting, largest: FloatArray, u: int) -> str:
    p = partial_conjunction_p_values(largest, combination=counting.combination)[0]
    clause = p_value_clause(float(p), alpha=counting.alpha)
    verdict = "holds" if u <= counting.k_hat else "does not hold"
    if u > counting.k_hat and bool(at_most(p, counting.alpha)):
        verdict = f"does not hold, as “at least {counting.k_hat + 1}” does not"
    return f"{clause} by {combination_named(counting.combination).title} ({verdict})"


def example_names_sentence(shown: Example) -> str:
    """Count and names of the example, each under its assumption."""
    sentence = names_sentence(shown.answer, shown.subject)
    return f"In the example above: {sentence[:1].lower()}{sentence[1:]}" if sentence else ""


def example_paragraph(shown: Example) -> str:
    """How a paper could report the example."""
    answer, subject = shown.answer, shown.subject
    n = answer.p_values.size
    # The count is stated by its own sentence.
    count_again = (
        f"At least {answer.k_hat} of {n}, {combination_named(answer.combination).clause}. "
    )
    return (
        f"We compared {subject.system_a} with {subject.system_b} on {n} datasets "
        f"({subject.names([True] * n)}). Before looking at any result we fixed the datasets, the "
        f"same one-sided test on each, α = {format_level(answer.alpha)}, and the assumption that the "
        f"datasets are independent. {count_sentence(answer, subject, claim='a-better')} "
        f"{names_sentence(answer, subject).removeprefix(count_again)}"
    ).strip()
