"""What the scores of Dror et al. (2017), Tables 4 and 5, make of the p-values beside them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from core.claims.explain import (
    RowExplanation,
    Variant,
    explain_row,
    explain_table,
)
from core.claims.possible import possible_p_values
from core.claims.sizes import n_at_which_possible
from core.data.p_value_table import PValueTable
from core.data.reading import read_results
from core.significance.known_tests import of_outcomes, significance_test_names

SAMPLES = Path(__file__).resolve().parents[3] / "sample_data"
CHI2 = Variant("mcnemar-chi2", "two-sided")


@cache
def table(file_name: str) -> PValueTable:
    read = read_results(SAMPLES / file_name)
    assert isinstance(read, PValueTable)
    return read


@cache
def sentiment() -> tuple[RowExplanation | None, ...]:
    return explain_table(table("sentiment_aesclsr_msda.csv"), metric="accuracy")


@cache
def similarity() -> tuple[RowExplanation | None, ...]:
    return explain_table(table("word_similarity_w2v_glove.csv"), metric="correlation")


def row(explanation: tuple[RowExplanation | None, ...], dataset: str) -> RowExplanation:
    (found,) = [r for r in explanation if r is not None and r.dataset == dataset]
    return found


def test_every_accuracy_of_table_4_is_a_share_of_two_thousand() -> None:
    assert len(sentiment()) == 12
    for each in sentiment():
        assert each is not None
        assert each.no_multiples == ()
        assert len(each.by_variant) == 8


def test_k_to_d_has_424_disagreements_by_chi_squared() -> None:
    found = row(sentiment(), "K→D").by_variant[CHI2]
    assert found.attainment.splits.tolist() == [[261, 163]]
    assert found.attainment.disagreements == (424, 424)


def test_two_rows_of_table_4_are_impossible_one_sided() -> None:
    for dataset in ["E→B", "E→K"]:
        impossible = row(sentiment(), dataset).with_verdict("impossible")
        assert {v.test for v in impossible if v.alternative == "greater"} == set(
            significance_test_names(of_outcomes)
        ), dataset


def test_e_to_k_falls_between_two_neighbouring_numbers_of_disagreements() -> None:
    found = row(sentiment(), "E→K").by_variant[CHI2].attainment
    assert found.verdict == "not-attainable"
    assert found.below is not None
    assert found.above is not None
    assert (sum(found.below[:2]), round(found.below[2], 4)) == (261, 0.9506)
    assert (sum(found.above[:2]), round(found.above[2], 4)) == (263, 0.9508)


SIZES = {"WS353": 353, "WS353-SIM": 203, "WS353-REL": 252, "MC-30": 30, "RG-65": 65, "RW": 2034,
         "MEN": 3000, "MTurk-287": 287, "MTurk-771": 771, "YP-130": 130, "SimLex999": 999,
         "Verb-143": 143}  # fmt: skip


def test_the_largest_possible_p_and_the_n_at_which_the_printed_one_is() -> None:
    for dataset, a, b, largest, n in [
        ("WS353-REL", 0.6814, 0.5706, "0.0634", 114),
        ("RW", 0.4819, 0.4144, "0.033", 614),
        ("MEN", 0.7960, 0.7362, "1.1e-09", 772),
    ]:
        exact = possible_p_values(
            a, b, SIZES[dataset], metric="correlation", alternative="two-sided"
        )
        assert exact["williams"].high == pytest.approx(float(largest), rel=0.03), (
            dataset,
            a,
            b,
            largest,
            n,
        )
        found = row(similarity(), dataset)
        sizes = n_at_which_possible(
            f"{a:.4f}",
            f"{b:.4f}",
            SIZES[dataset],
            (found.p_low, found.p_high),
            test="williams",
            alternative="two-sided",
        )
        assert (sizes.possible, sizes.largest_below, sizes.smallest_above) == (False, n, None), (
            dataset,
            a,
            b,
            largest,
            n,
        )


def test_two_rows_of_table_5_need_models_that_almost_agree() -> None:
    variant = Variant("williams", "two-sided")
    ((low, high),) = row(similarity(), "YP-130").by_variant[variant].attainment.correlations
    assert round(low, 3) == 0.996
    assert high > 0.999
    ((low, high),) = row(similarity(), "MC-30").by_variant[variant].attainment.correlations
    assert 0.992 < low < 0.9935 < high < 0.995


def test_lower_is_better_exchanges_the_systems() -> None:
    plain = PValueTable(
        datasets=("x", "y"),
        p_values=[0.03, 0.2],  # type: ignore[arg-type]
        p_value_bounds=(np.array([0.025, 0.15]), np.array([0.035, 0.25])),
        alternative="greater",
        printed=("0.03", "0.2"),
        system_a="A",
        system_b="B",
        scores_a=np.array([0.10, 0.40]),
        scores_b=np.array([0.12, 0.35]),
        printed_scores_a=("0.10", "0.40"),
        printed_scores_b=("0.12", "0.35"),
        higher_is_better=False,
        n_examples=np.array([500, 60]),
    )
    errors = explain_table(plain, metric="accuracy")
    for found, (a, b, n, p) in zip(
        errors, [("0.90", "0.88", 500, "0.03"), ("0.60", "0.65", 60, "0.2")], strict=True
    ):
        assert found is not None
        # Shares of wrong examples leave the same splits open as shares of right ones.
        assert found.explained_by == explain_row(a, b, n, p).explained_by


def test_what_a_table_lacks_is_said() -> None:
    sample = table("six_p_values.csv")
    with pytest.raises(ValueError, match="`n_examples` must be given"):
        explain_table(sample, metric="accuracy")
    with pytest.raises(ValueError, match="`n_examples` must have one entry a dataset, 6; got 1"):
        explain_table(sample, metric="accuracy", n_examples=[20])
    with pytest.raises(ValueError, match="`table` must have the scores of both systems"):
        explain_table(sample, metric="accuracy", n_examples=[20] * 6)


def test_rows_without_a_score_are_left_open() -> None:
    text = b"dataset,A,B,p_value,n_examples\nx,90.5,,0.04,200\ny,88.5,80.5,0.01,200\n"
    read = read_results(text, roles={"alternative": "greater"})
    assert isinstance(read, PValueTable)
    found = explain_table(read, metric="accuracy")
    assert [r is None for r in found] == [True, False]
    # The scale is that of the whole table, and so are the decimals.
    assert found[1] is not None
    assert found[1].score_a.counts(200) == (177, 177)
