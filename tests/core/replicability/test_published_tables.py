"""The counts and names of Dror et al. (TACL 2017) from the p-values that their tables print."""

import pytest

from core.replicability.assessment import assess
from core.replicability.counting import count_by_common_practice, count_datasets
from core.replicability.direction import p_values_toward_a, p_values_toward_b
from core.replicability.identification import identify_datasets
from core.types import Alternative, FloatArray
from tests.core.replicability import published_tables as published
from tests.core.replicability.published_tables import PublishedTable

Counts = tuple[int, int, int]


def _counts(p_values: FloatArray, alpha: float) -> Counts:
    """Common practice, Bonferroni, Fisher: the order of the paper's Table 1."""
    return (
        count_by_common_practice(p_values, alpha=alpha),
        count_datasets(p_values, alpha=alpha, combination="bonferroni").k_hat,
        count_datasets(p_values, alpha=alpha, combination="fisher").k_hat,
    )


def _named(
    table: PublishedTable, p_values: FloatArray, procedure: str, alpha: float = 0.05
) -> set[str]:
    found = identify_datasets(p_values, alpha=alpha, procedure=procedure)
    return {name for name, hit in zip(table.datasets, found.rejected, strict=True) if hit}


@pytest.mark.parametrize(
    ("table", "n", "at_05", "at_01"),
    [
        # Table 1 and its footnote.
        (published.MATE_SPACY, 7, (7, 7, 7), (7, 7, 7)),
        (published.MATE_REDSHIFT, 7, (2, 1, 5), (1, 0, 2)),
        (published.MIMICK_CHARTAG, 23, (11, 6, 16), (7, 5, 13)),
        # Table 1 prints 10 by Fisher at .05; its own equations give 9, see below.
        (published.AESCLSR_MSDA, 12, (10, 6, 9), (6, 2, 8)),
        (published.W2V_GLOVE, 12, (8, 6, 7), (6, 4, 6)),
    ],
)
def test_the_counts_as_printed_without_direction(
    table: PublishedTable, n: int, at_05: Counts, at_01: Counts
) -> None:
    assert len(table.datasets) == n
    for alpha, expected in ((0.05, at_05), (0.01, at_01)):
        assert _counts(table.p_values, alpha) == expected
        # Directions share these among both systems: no scores are equal beside a small p-value.
        found = assess(table.p_values, table.differences, alpha=alpha)
        assert found.n_printed == found.undirected.practice.n == expected[0]
        assert found.answer_a.practice.n + found.answer_b.practice.n == expected[0]


@pytest.mark.parametrize(
    ("table", "toward_b", "alternative", "at_05", "at_01"),
    [
        (published.MIMICK_CHARTAG, False, "two-sided", (7, 3, 4), (4, 3, 3)),
        (published.MIMICK_CHARTAG, False, "toward-higher-score", (4, 3, 3), (4, 3, 2)),
        (published.MIMICK_CHARTAG, True, "two-sided", (8, 3, 4), (4, 3, 3)),
        (published.MIMICK_CHARTAG, True, "toward-higher-score", (7, 3, 3), (3, 2, 2)),
        (published.AESCLSR_MSDA, False, "two-sided", (10, 10, 9), (9, 5, 8)),
        (published.W2V_GLOVE, False, "two-sided", (7, 5, 7), (5, 5, 6)),
    ],
)
def test_the_counts_by_direction(
    table: PublishedTable,
    toward_b: bool,
    alternative: Alternative,
    at_05: Counts,
    at_01: Counts,
) -> None:
    toward = p_values_toward_b if toward_b else p_values_toward_a
    p_values = toward(table.p_values, table.differences, alternative=alternative)
    assert _counts(p_values, 0.05) == at_05
    assert _counts(p_values, 0.01) == at_01


HOLM_AS_PRINTED = {"Tamil", "Hungarian", "Basque", "Indonesian", "Chinese", "Czech"}


def test_holm_names_what_the_tables_mark_when_direction_is_ignored() -> None:
    assert _named(published.MIMICK_CHARTAG, published.MIMICK_CHARTAG.p_values, "holm") == (
        HOLM_AS_PRINTED
    )
    reviews = published.AESCLSR_MSDA
    assert _named(reviews, reviews.p_values, "holm") == {"B→D", "K→B", "K→D", "D→K", "D→E", "E→D"}
    assert _named(reviews, reviews.p_values, "holm", 0.01) == {"K→D", "E→D"}
    words = published.W2V_GLOVE
    at_01 = {"WS353", "WS353-SIM", "MC-30", "YP-130"}
    assert _named(words, words.p_values, "holm") == at_01 | {"MEN", "SimLex999"}
    assert _named(words, words.p_values, "holm", 0.01) == at_01
