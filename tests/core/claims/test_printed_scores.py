import math
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from core.claims.possible import Variant, possible_p_values
from core.claims.printed_scores import (
    ScoreMetric,
    Splits,
    most_disagreements,
    p_ranges,
    printed_as,
    read_scores,
    splits_of,
)
from tests.core.claims.made_tables import judge_texts
from tests.core.claims.oracles import splits

_EXACT = Variant("mcnemar", "either")


def ends(*scores: float | str, **options: object) -> list[tuple[Fraction, Fraction]]:
    return [(s.low, s.high) for s in read_scores(*scores, **options)]  # type: ignore[arg-type]


def test_a_text_lies_within_half_a_unit_of_its_last_digit() -> None:
    assert ends(".8640", "0.9") == [
        (Fraction(86395, 100000), Fraction(86405, 100000)),
        (Fraction(85, 100), Fraction(95, 100)),
    ]


def test_a_percent_sign_or_a_value_beyond_one_makes_both_scores_percent() -> None:
    fractions = ends(".8640", ".0090")
    assert ends("86.40", "0.90") == fractions
    assert ends("86.40%", "0.90") == fractions
    assert ends("0.90%", "86.40")[0] == fractions[1]
    assert ends("0.9", "0.8", scale="percent") == [
        (Fraction(85, 10000), Fraction(95, 10000)),
        (Fraction(75, 10000), Fraction(85, 10000)),
    ]
    assert ends("-45.5", "0.5", metric="correlation")[0][0] == Fraction(-4555, 10000)
    assert printed_as(["86.40", "0.9"]) == printed_as(["0.86%", "", "1"]) == (2, "percent")
    assert (printed_as(["1.0", ""]), printed_as([])) == ((1, "fraction"), (0, "fraction"))


def test_decimals_restore_zeros_that_software_drops() -> None:
    assert ends("0.864", "0.9", decimals=4)[0] == ends("0.8640", "0.9000")[0]
    assert ends(0.864, 0.9, decimals=4) == ends("0.8640", "0.9000")
    # As sums of floats come out.
    assert ends(0.1 + 0.2, 0.5, decimals=2)[0] == ends("0.30", "0.50")[0]


def test_every_computed_accuracy_is_found_to_be_a_multiple() -> None:
    for n in [1, 2, 3, 7, 30, 999, 2000, 100_000]:
        for right in sorted({0, 1, n // 3, n // 2, n - 1, n}):
            outcomes = np.repeat([1.0, 0.0], [right, n - right])
            for share in (right / n, float(outcomes.mean())):
                for scale, unit in (("fraction", 1), ("percent", 100)):
                    score, _ = read_scores(unit * share, 0.0, scale=scale)  # type: ignore[arg-type]
                    assert score.counts(n) == (right, right), n


def test_a_score_that_no_number_of_right_examples_gives_is_named() -> None:
    # 2,000 examples give .8005 and .8010, none between.
    row = judge_texts(".8007", ".7880", 2000, "0.03")
    assert row.no_multiples == (".8007",)
    assert not row.possible
    assert not row.by_variant
    assert judge_texts(".801", ".788", 2000, "0.03").no_multiples == ()
    assert judge_texts(".57", ".57", 5, "0.03").no_multiples == (".57", ".57")
    # One that is none leaves no split, whatever the other is.
    for a, b, left in ((".8", ".8007", False), (".8007", ".8", False), (".8010", ".7880", True)):
        scores = read_scores(a, b)
        assert bool(splits_of(*scores, 2000).differences.size) == left
        whole, *_ = p_ranges(*scores, np.array([2000]), test="mcnemar", alternative="greater")
        assert whole.tolist() == [left]
    with pytest.raises(ValueError, match=r"`score_b` must be a share of 7 examples; .* 0\.8"):
        possible_p_values(3 / 7, 0.8, 7)


def test_by_any_rounding_a_score_lies_within_a_whole_unit_of_its_last_digit() -> None:
    expected: tuple[tuple[ScoreMetric, str, int, int], ...] = (
        ("accuracy", "0.50", 49, 51),
        ("accuracy", "1.00", 99, 100),
        ("accuracy", "0.00", 0, 1),
        ("correlation", "-1.00", -100, -99),
        ("correlation", "0.00", -1, 1),
    )
    for metric, text, low, high in expected:
        score = read_scores(text, "0.50", metric=metric)[0].by_any_rounding()
        assert (score.low, score.high) == (Fraction(low, 100), Fraction(high, 100)), text


def test_digits_may_be_cut_where_no_share_is_rounded_to_them() -> None:
    # 17/30 = .5666…: printed .566, which no share of 30 is rounded to.
    row = judge_texts(".566", ".433", 30, "0.42")
    assert row.no_multiples == ()
    # 17 and 13 right examples, so 4 more for A.
    splits = row.by_variant[_EXACT].possible.source
    assert isinstance(splits, Splits)
    assert splits.differences.tolist() == [4]
    assert judge_texts(".564", ".433", 30, "0.42").no_multiples == (".564",)


def test_what_is_no_score_is_refused() -> None:
    for score, message in [
        ("", "`score_a` must be a printed number"),
        ("n/a", "`score_a` must be a printed number"),
        ("<0.5", "`score_a` must be a printed number"),
        (math.nan, "`score_a` must be finite"),
        (math.inf, "`score_a` must be finite"),
        (None, "`score_a` must be a number or a printed number"),
        (True, "`score_a` must be a number or a printed number"),
        (-0.1, "`score_a` must lie between 0 and 1 to be an accuracy"),
        ("101", "`score_a` must lie between 0 and 100 to be an accuracy"),
    ]:
        with pytest.raises(ValueError, match=message):
            possible_p_values(score, "0.5", 20)  # type: ignore[arg-type]


def test_a_number_with_more_decimals_than_declared_is_refused() -> None:
    with pytest.raises(ValueError, match=r"`score_b` must have at most 2 decimals; got 0\.123"):
        possible_p_values(0.55, 0.123, 1000, decimals=2)
    with pytest.raises(ValueError, match="`decimals` must be at least the 3 that `score_b`"):
        possible_p_values("0.55", "0.123", 1000, decimals=2)


def test_the_smallest_sets_have_answers() -> None:
    for metric in ["accuracy", "correlation"]:
        for n in [1, 2, 3, 4]:
            for a, b in [("0", "1"), ("1.0", "1.0"), ("0.0", "1.0"), ("0.5", "0.5"), ("1", "0.5")]:
                row = judge_texts(a, b, n, "0.0", metric=metric)
                for found in row.by_variant.values():
                    assert 0.0 <= found.possible.low <= found.possible.high <= 1.0, (metric, n)
            if metric == "correlation" and n < 4:
                row = judge_texts("0.9", "0.1", n, "1.0", metric="correlation")
                assert len(row.with_verdict("attainable")) == 6, (metric, n)
                other = judge_texts("0.9", "0.1", n, "0.5", metric="correlation")
                assert not other.with_verdict("attainable"), (metric, n)


def test_p_values_as_tables_print_them_are_taken() -> None:
    for p_value in ["0.0", "0", "<0.001", "<=.05", "1.0", "1e-320", "0.5", "2·10^-4"]:
        for metric in ("accuracy", "correlation"):
            row = judge_texts("0.90", "0.50", 5000, p_value, metric=metric)
            assert row.by_variant, p_value
        # So large a lead leaves no p-value above the smallest.
        tiny = {"0.0", "0", "<0.001", "<=.05", "1e-320"}
        row = judge_texts("0.90", "0.50", 5000, p_value)
        assert bool(row.with_verdict("attainable")) == (p_value in tiny), p_value


def test_the_most_disagreements_of_each_difference_are_those_that_enumeration_finds() -> None:
    for n in range(1, 6):
        for a, b in product(combinations_with_replacement(range(n + 1), 2), repeat=2):
            most: dict[int, int] = {}
            for x, y in splits(n, range(a[0], a[1] + 1), range(b[0], b[1] + 1)):
                most[x - y] = max(most.get(x - y, 0), x + y)
            differences = np.array(sorted(most))
            found = most_disagreements(differences, n, a, b)
            assert found.tolist() == [most[d] for d in differences.tolist()], (n, a, b)
