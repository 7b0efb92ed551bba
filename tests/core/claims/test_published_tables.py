"""What the scores of Dror et al. (2017), Tables 4 and 5, make of the p-values beside them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from core.claims.checked import CheckedTable
from core.claims.possible import Variant, nearest_sizes, possible_p_values
from core.claims.printed_scores import ScoreMetric, read_scores
from core.claims.rows import Row, judge_rows
from core.data.p_value_table import PValueTable
from core.data.reading import read_results
from core.significance.known_tests import of_outcomes, significance_test_names

SAMPLES = Path(__file__).resolve().parents[3] / "sample_data"
CHI2 = Variant("mcnemar-chi2", "either")


@cache
def table(file_name: str) -> PValueTable:
    read = read_results(SAMPLES / file_name)
    assert isinstance(read, PValueTable)
    return read


def rows(printed: PValueTable, metric: ScoreMetric) -> tuple[Row | None, ...]:
    return judge_rows(CheckedTable(table=printed, alpha=0.05, dependence="not-known"), metric)


@cache
def sentiment() -> tuple[Row | None, ...]:
    return rows(table("sentiment_aesclsr_msda.csv"), "accuracy")


@cache
def similarity() -> tuple[Row | None, ...]:
    return rows(table("word_similarity_w2v_glove.csv"), "correlation")


def row(explanation: tuple[Row | None, ...], dataset: str) -> Row:
    (found,) = [r for r in explanation if r is not None and r.dataset == dataset]
    return found


def test_k_to_d_has_424_disagreements_by_chi_squared() -> None:
    found = row(sentiment(), "K→D").by_variant[CHI2]
    assert found.splits.tolist() == [[261, 163]]
    assert found.disagreements == (424, 424)


def test_two_rows_of_table_4_are_impossible_one_sided() -> None:
    for dataset in ["E→B", "E→K"]:
        impossible = row(sentiment(), dataset).with_verdict("impossible")
        assert {v.test for v in impossible if v.speaks_for == "a"} == set(
            significance_test_names(of_outcomes)
        ), dataset


def test_e_to_k_falls_between_two_neighbouring_numbers_of_disagreements() -> None:
    found = row(sentiment(), "E→K").by_variant[CHI2]
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
        assert exact["williams"].high == pytest.approx(float(largest), rel=0.03), dataset
        found = row(similarity(), dataset)
        scores = read_scores(f"{a:.4f}", f"{b:.4f}", metric="correlation")
        williams = Variant("williams", "either")
        sizes = nearest_sizes(scores[0], scores[1], SIZES[dataset], found.bounds, williams)
        assert sizes == (n, None), dataset
