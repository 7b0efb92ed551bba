"""Sentences about comparisons of two correlations with gold: of few examples, near 1, by the other one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..metrics.registry import CORRELATIONS
from ..replicability.combinations import combination_named
from ..significance import SignificanceResult
from ..significance.known_tests import of_three_correlations, significance_test_named
from .formatting import how_many, list_names
from .subject import Claim, Subject

# Below so many examples, and beyond such a correlation, rates of rejection were measured apart.
FEW = 30
NEAR_ONE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rates:
    """How often tests reject equal correlations at α = .05, one-sided, at most.

    As `significance.predictions` has them, from ``./run.sh calibrate correlations``.
    """

    alike: str
    unlike: str


_RATES = {
    ("randomization", "spearman"): _Rates(
        alike="up to 7%", unlike="29% of studies with 25 examples and 10% with 100"
    ),
    ("randomization", "pearson"): _Rates(
        alike="up to 7%, or 10% with skewed scores",
        unlike="24% of studies with 25 examples and 29% with 100",
    ),
    ("formula", "spearman"): _Rates(
        alike="up to 15%", unlike="36% of studies with 25 examples and 25% with 100"
    ),
    ("formula", "pearson"): _Rates(
        alike="up to 7%, or 30% with skewed scores",
        unlike="23% of studies with 25 examples and 27% with 100",
    ),
}
_NULLS = {
    "randomization": "Randomization of correlations tests whether the two systems' outputs can be "
    "swapped, a stronger hypothesis than equal correlations.",
    "formula": "These tests of correlations take all scores to be normal.",
}


def delicate_sentences(
    results: Sequence[SignificanceResult | None], datasets: Sequence[str]
) -> list[str]:
    """State what tests of correlations test, and how often they reject equal correlations.

    A sentence for each kind of test that is used there; none of the bootstrap, of
    which `testing.small_bootstrap_sentence` speaks. Few examples, and a
    correlation near 1, are named with the rate for systems that err alike.
    """
    found: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for name, result in zip(datasets, results, strict=False):
        if result is None or result.kind not in CORRELATIONS:
            continue
        family = _family(result)
        if not family:
            continue
        few, near = found.setdefault((family, result.kind), ([], []))
        if (result.n_clusters or result.n_examples) < FEW:
            few.append(name)
        if max(abs(result.score_a), abs(result.score_b)) > NEAR_ONE:
            near.append(name)
    sentences = []
    for (family, kind), (few, near) in found.items():
        rates = _RATES[family, kind]
        told = (
            f"{_NULLS[family]} In simulations of systems with different kinds of error (such as noise on "
            f"some examples), equal correlations gave p ≤ .05 in up to {rates.unlike}."
        )
        where = [f"fewer than {FEW} examples ({list_names(few)})"] * bool(few)
        where += [f"a correlation near 1 ({list_names(near)})"] * bool(near)
        if where:
            rather = "" if family == "randomization" else " Randomization is nearer to 5% there."
            told += (
                f" With {' or '.join(where)}, {rates.alike} of studies have it even if both err "
                f"alike.{rather}"
            )
        sentences.append(told)
    return sentences


def _family(result: SignificanceResult) -> str:
    test = significance_test_named(result.test)
    if of_three_correlations(test):
        return "formula"
    return "randomization" if test.asks == "exchange" else ""


def other_correlation_sentence(
    by: str,
    counts: Sequence[tuple[Claim, int]],
    subject: Subject,
    *,
    n_datasets: int,
    combination: str,
    ranges: Sequence[tuple[int, int]] = (),
) -> str:
    """State what the count would be by another correlation.

    Parameters
    ----------
    by : str
        The other correlation, as a person calls it.
    counts : sequence of (str, int)
        Claims with their counts.
    subject : Subject
        Systems.
    n_datasets : int
        Of how many.
    combination : str
        By which is counted, which assumes something of the datasets.
    ranges : sequence of (int, int)
        For each claim the smallest and the largest count that more resamples may give.

    Raises
    ------
    ValueError
        If the combination is unknown.
    """
    clause = combination_named(combination).clause
    unsettled = [f"{low} to {high}" for low, high in ranges if low < high]
    still_open = (
        f" The count is not settled: more resamples may give {' and '.join(unsettled)}."
        if unsettled
        else ""
    )
    shown = [
        f"{subject.claim(claim)} on {'the dataset' if n_datasets == 1 else how_many(count, n_datasets)}"
        for claim, count in counts
        if count
    ]
    if shown:
        assumed = "" if n_datasets == 1 else f", {clause}"
        return f"By {by}: {'; '.join(shown)}{assumed}.{still_open}"
    claims = ", nor that ".join(subject.claim(claim) for claim, _ in counts)
    where = "" if n_datasets == 1 else " on any dataset"
    return f"By {by}, the data do not show{where} that {claims}.{still_open}"
