"""Sentences about comparisons of two correlations with gold: of few examples, near 1, by the other one."""

from __future__ import annotations

from collections.abc import Sequence

from core.metrics.registry import CORRELATIONS
from core.report.combinations import ASSUMPTION_CLAUSES
from core.report.formatting import list_names
from core.report.questions import Claim
from core.report.subject import Subject
from core.significance import SignificanceResult
from core.significance.choose import CORRELATION_TESTS
from core.types import Combination

# Below so many examples, and beyond such a correlation, rates of rejection were measured apart.
FEW = 30
NEAR_ONE = 0.95
# Of true null hypotheses at α = .05, one-sided, at most; as `core.significance.predictions` and
# `core.significance.correlation` state.
_REJECTED = {
    ("randomization", "spearman"): "up to 7%",
    ("randomization", "pearson"): "up to 7%, on skewed scores 10%",
    ("formula", "spearman"): "up to 15%",
    ("formula", "pearson"): "up to 7%, on skewed scores 30%",
}


def delicate_sentences(
    results: Sequence[SignificanceResult | None], datasets: Sequence[str]
) -> list[str]:
    """State what tests of correlations do on few examples and where a correlation is near 1.

    A sentence for each kind of test that is used there; none of the bootstrap, of
    which `testing.small_bootstrap_sentence` speaks.
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
        where = [f"fewer than {FEW} examples ({list_names(few)})"] * bool(few)
        where += [f"a correlation near 1 ({list_names(near)})"] * bool(near)
        if where:
            rather = "" if family == "randomization" else " Randomization is nearer to 5%."
            sentences.append(
                f"With {' or '.join(where)}, the tests find a difference that is not there in "
                f"{_REJECTED[family, kind]} of studies at α = .05.{rather}"
            )
    return sentences


def _family(result: SignificanceResult) -> str:
    if result.test in CORRELATION_TESTS:
        return "formula"
    return "randomization" if result.test == "approximate-randomization" else ""


def other_correlation_sentence(
    by: str,
    counts: Sequence[tuple[Claim, int]],
    subject: Subject,
    *,
    n_datasets: int,
    combination: Combination,
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
    combination : {"bonferroni", "fisher", "simes"}
        By which is counted, which assumes something of the datasets.
    ranges : sequence of (int, int)
        For each claim the smallest and the largest count that more resamples may give.
    """
    unsettled = [f"{low} to {high}" for low, high in ranges if low < high]
    still_open = (
        f" The count is not settled: more resamples may give {' and '.join(unsettled)}."
        if unsettled
        else ""
    )
    shown = [
        f"{subject.claim(claim)} on {_how_many(count, n_datasets)}"
        for claim, count in counts
        if count
    ]
    if shown:
        assumed = "" if n_datasets == 1 else f", {ASSUMPTION_CLAUSES[combination]}"
        return f"By {by}: {'; '.join(shown)}{assumed}.{still_open}"
    claims = ", nor that ".join(subject.claim(claim) for claim, _ in counts)
    where = "" if n_datasets == 1 else " on any dataset"
    return f"By {by}, the data do not show{where} that {claims}.{still_open}"


def _how_many(count: int, n: int) -> str:
    if n == 1:
        return "the dataset"
    return f"all {n} datasets" if count == n else f"at least {count} of {n} datasets"
