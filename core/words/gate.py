"""Sentences on a claim about at least K datasets that is decided for a build."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..comparison import BETTER, comparison_named
from ..reliability.power import ExamplesNeeded
from ..significance.known_tests import significance_test_named
from .formatting import display_name, format_confidence, format_percent, how_many
from .subject import Subject


def claim_sentence(subject: Subject, at_least: int) -> str:
    """The claim that is asked about, without a verdict."""
    return f"{subject.claim('a-better')} on {_at_least(at_least, len(subject.datasets))}"


def opposite_claim(subject: Subject) -> str:
    """What contradicts the claim on one dataset: "base is better than head by at least 1 point"."""
    a, b = display_name(subject.system_a), display_name(subject.system_b)
    comparison = comparison_named(subject.comparison)
    if comparison.both_sides:
        return f"{a} and {b} are apart by at least {subject.margin}"
    if comparison.name == BETTER:
        return subject.claim("b-better")
    turned = {"not-worse": "better-by", "better-by": "not-worse"}[comparison.name]
    return comparison_named(turned).statement(b, a, subject.margin)


def shown_sentence(subject: Subject, k_hat: int, at_least: int, *, alpha: float, holds: str) -> str:
    """State that the claim is shown, and how far beyond what was asked for."""
    n = len(subject.datasets)
    beyond = f" The claim asks for {at_least}." if k_hat > at_least else ""
    return (
        f"With {format_confidence(alpha)} confidence, {subject.claim('a-better')} on "
        f"{_at_least(k_hat, n)}. This holds {holds}.{beyond}"
    )


def contradicted_sentence(
    subject: Subject, k_hat: int, at_least: int, *, alpha: float, holds: str
) -> str:
    """State that the opposite is shown on more datasets than the claim leaves."""
    n = len(subject.datasets)
    left = f"at most {n - k_hat}" if k_hat < n else "none"
    return (
        f"With {format_confidence(alpha)} confidence, {opposite_claim(subject)} on "
        f"{_at_least(k_hat, n)}. This holds {holds}. So the claim is true on {left}; it asks for "
        f"{at_least}."
    )


def undecided_sentences(
    subject: Subject, k_hat: int, k_opposite: int, at_least: int, to_contradict: int
) -> list[str]:
    """State how far both counts are from a decision."""
    n = len(subject.datasets)
    return [
        f"{_some(k_hat, n)} that {subject.claim('a-better')}; the claim asks for {at_least}.",
        f"{_some(k_opposite, n)} that {opposite_claim(subject)}; {to_contradict} would contradict "
        "the claim.",
        "Not decided means neither that the claim is true nor that it is false.",
    ]


def need_sentences(
    subject: Subject,
    *,
    power: float,
    examples: ExamplesNeeded | None,
    n_examples: Sequence[int],
    dataset: str,
    gain: float,
    unit: str,
    wanted: float,
) -> list[str]:
    """State what would decide it, for a true difference that is stated.

    Parameters
    ----------
    power, examples, dataset
        As `analysis.gate.Need` has them.
    n_examples : sequence of int
        Of every dataset.
    gain : float
        As `analysis.gate.Need` has it, in the units of `unit`.
    unit : str
        After the number, with a space before it; empty where scores have none.
    wanted : float
        The chance that is planned for.
    """
    a, b = display_name(subject.system_a), display_name(subject.system_b)
    chance = f"a chance of {format_percent(wanted)}"
    found = []
    if examples is not None:
        equal = (
            f"If {a} and {b} are equally good on every dataset, results of this size show the claim"
        )
        if power >= wanted:
            found.append(f"{equal} with a chance of about {format_percent(power)}.")
        elif examples.n_examples is None:
            found.append(
                f"{equal} too rarely, and {examples.most:,} examples on each would not do."
            )
        else:
            low, high = min(n_examples), max(n_examples)
            now = f"{low:,}" if low == high else f"{low:,} to {high:,}"
            most = f"; {display_name(dataset)} takes the most" if len(n_examples) > 1 else ""
            found.append(
                f"{equal} with a chance of about {format_percent(power)}. About "
                f"{examples.n_examples:,} examples on each dataset (now {now}{most}) give {chance}."
            )
    if not math.isnan(gain):
        amount = f"{abs(gain):.2g}{unit}"
        where = f"is ahead by {amount} or more" if gain > 0.0 else f"is behind by at most {amount}"
        found.append(
            f"Results of this size show the claim with {chance} where {a} {where} on every dataset."
        )
    if found:
        approximate = "are normal approximations with the spread of these results"
        if examples is None or power >= wanted or examples.n_examples is None:
            found.append(f"These chances {approximate}.")
        else:
            test = significance_test_named(examples.test).called
            assumed = f" This assumes {examples.approximation}." if examples.approximation else ""
            found.append(
                "Chances of results of this size, and the chance that each dataset needs, "
                f"{approximate}. How many examples give it is computed for {test}.{assumed}"
            )
    return found


def _at_least(k: int, n: int) -> str:
    return "the only dataset" if n == 1 else how_many(k, n)


def _some(k: int, n: int) -> str:
    if not k:
        return "No dataset gives evidence"
    return f"There is evidence on {_at_least(k, n)}"
