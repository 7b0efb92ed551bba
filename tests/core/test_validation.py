"""What arguments may be, and what is said of those that may not."""

import math
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import core
from core.validation import (
    check_alpha,
    check_choice,
    check_open_share,
    check_p_values,
    check_two_systems,
    names_of,
    read_alpha,
    read_level,
    record_named,
)
from tests.core.made import p_value_table


def test_every_level_strictly_between_zero_and_one_is_kept() -> None:
    for alpha in [1e-12, 0.05, 0.5, 1 - 1e-12]:
        assert check_alpha(alpha) == alpha, alpha


def said_in_whole(said: str) -> Any:
    return pytest.raises(ValueError, match=f"^{re.escape(said)}$")


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.0, -0.05, 5, math.nan, math.inf, -math.inf])
def test_a_level_outside_is_refused_with_its_value(alpha: float) -> None:
    with said_in_whole(f"`alpha` must lie strictly between 0 and 1; got {alpha!r}."):
        check_alpha(alpha)


@pytest.mark.parametrize("share", [0.0, 1.0, 1.5, math.nan, None, "much"])
def test_a_share_outside_or_no_number_is_refused_by_the_name_of_the_argument(share: Any) -> None:
    with said_in_whole(f"`power` must lie strictly between 0 and 1; got {share!r}."):
        check_open_share(share, name="power")
    assert type(check_open_share(np.float64(0.8), name="power")) is float


def test_a_level_is_read_with_either_mark_as_a_share_or_in_percent() -> None:
    for text in (".05", "0,05", " 5 % ", "5E-2"):
        assert read_level(text) == 0.05, text
    assert (read_level("1e-9"), read_level("99.9%")) == (1e-9, 0.999)
    # Divided by 100 as a float it would be 0.006999999999999999.
    assert read_level(".7%") == 0.007


def test_what_is_no_level_is_not_read_as_one() -> None:
    no_numbers = ("", "five", "nan", "inf", "%", ".05 x", "0,0,5", "1_0%", "٠.٥")
    for text in (*no_numbers, "0", "1", "100%", "1,000%", "-.05", "1e-999"):
        assert read_level(text) is None, text
        assert read_alpha(text) is None, text


def test_the_level_of_an_analysis_has_a_range_with_both_its_ends() -> None:
    assert [read_alpha(text) for text in ("0.0001", ".01%", "0,5", "50%")] == [1e-4, 1e-4, 0.5, 0.5]
    assert [read_alpha(text) for text in ("0.00009", "0.51", "90%")] == [None] * 3


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("x", "y", "`a` must be one of 'ours', 'theirs'; got 'x'."),
        ("ours", "y", "`b` must be one of 'ours', 'theirs'; got 'y'."),
        ("ours", "ours", "`a` and `b` must be different systems; both are 'ours'."),
    ],
)
def test_two_systems_are_known_ones_and_not_the_same(a: str, b: str, said: str) -> None:
    with said_in_whole(said):
        check_two_systems(a, b, ("ours", "theirs"))
    check_two_systems("theirs", "ours", ("ours", "theirs"))


def test_p_values_are_copied_and_the_copy_is_read_only() -> None:
    given = np.array([0.1, 0.2])
    checked = check_p_values(given)
    given[0] = 0.9
    assert checked.tolist() == [0.1, 0.2]
    with pytest.raises(ValueError, match="read-only"):
        checked[0] = 0.5
    assert given.flags.writeable


@pytest.mark.parametrize(
    ("p_values", "said"),
    [
        ([], "hold at least one p-value; got none"),
        (0.5, "be one-dimensional; got 0 dimensions"),
        ([[0.1, 0.2]], "be one-dimensional; got 2 dimensions"),
        ([[]], "be one-dimensional; got 2 dimensions"),
        ([0.1, math.nan], "lie between 0 and 1; got nan at index 1"),
        ([0.3, -0.1], "lie between 0 and 1; got -0.1 at index 1"),
        ([math.inf], "lie between 0 and 1; got inf at index 0"),
        ([1 + 1e-15], "lie between 0 and 1; got 1.000000000000001 at index 0"),
        ([None], "lie between 0 and 1; got nan at index 0"),
    ],
)
def test_wrong_p_values_are_refused_with_what_came_and_where(p_values: Any, said: str) -> None:
    with said_in_whole(f"`p_values` must {said}."):
        check_p_values(p_values)


@pytest.mark.parametrize("value", ["Fisher", "", "fisher ", None, 3])
def test_what_is_no_choice_is_refused_with_what_came_and_all_that_may_be_chosen(
    value: Any,
) -> None:
    with said_in_whole(f"`combination` must be one of 'bonferroni', 'fisher'; got {value!r}."):
        check_choice(value, ("bonferroni", "fisher"), name="combination")


def test_a_record_is_found_by_its_name_alone() -> None:
    records = (SimpleNamespace(name="b", place=1), SimpleNamespace(name="a", place=2))
    assert names_of(records) == ("b", "a")
    assert record_named(records, "a", argument="letter").place == 2
    with pytest.raises(ValueError, match=r"^`letter` must be one of 'b', 'a'; got 'A'\.$"):
        record_named(records, "A", argument="letter")


SCORES = [0.1, 0.2, 0.4, 0.5, 0.9, 0.7]
TAKES_A_DIRECTION: dict[str, Callable[[Any], object]] = {
    "run_significance_test": lambda higher: core.run_significance_test(
        SCORES, SCORES[::-1], test="sign", higher_is_better=higher
    ),
    "ResultSet.from_scores": lambda higher: core.ResultSet.from_scores(
        {"x": {"P": SCORES, "Q": SCORES[::-1]}}, higher_is_better=higher
    ),
    "ScoreTable": lambda higher: core.ScoreTable(
        datasets=("x",), systems=("P", "Q"), values=np.array([[1.0, 2.0]]), higher_is_better=higher
    ),
    "PValueTable": lambda higher: p_value_table([0.1], higher_is_better=higher),
    "run_to_run": lambda higher: core.run_to_run(SCORES, SCORES[::-1], higher_is_better=higher),
    "compare_across": lambda higher: core.compare_across(
        SCORES, SCORES[::-1], higher_is_better=higher
    ),
    "friedman": lambda higher: core.friedman(
        [[score, 1.0 - score, 0.3] for score in SCORES], higher_is_better=[higher] * len(SCORES)
    ),
}


@pytest.mark.parametrize("function", list(TAKES_A_DIRECTION))
def test_an_unclear_answer_to_whether_higher_is_better_turns_nothing_round(function: str) -> None:
    take = TAKES_A_DIRECTION[function]
    for clear in (True, False, np.False_):
        take(clear)
    for unclear in ("lower", "false", 0, {"score": False}):
        with said_in_whole(f"`higher_is_better` must be True or False; got {unclear!r}."):
            take(unclear)


def test_what_is_masked_or_complex_is_refused_by_every_function_that_takes_numbers() -> None:
    """The number below a mask, or the real part, would be taken for what somebody meant."""
    fine: Any = [0.25, 0.5]
    calls: dict[str, Callable[[Any], object]] = {
        "p_values": core.count_datasets,
        "two_sided_p_values": lambda given: core.one_sided_p_values(given, fine),
        "differences": lambda given: core.one_sided_p_values(fine, given),
        "a": lambda given: core.run_significance_test(given, fine, test="sign"),
        "b": lambda given: core.run_significance_test(fine, given, test="paired-bootstrap"),
        "effects": lambda given: core.meta_analysis(given, fine),
        "variances": lambda given: core.meta_analysis(fine, given),
        "alpha": core.positive_predictive_value,
        "prior_odds": lambda given: core.positive_predictive_value(0.05, prior_odds=given),
        "scores['x']['A']": lambda given: core.ResultSet.from_scores(
            {"x": {"B": fine, "A": given}}
        ),
    }
    for given, said in (
        (np.ma.masked_array(fine, [True, False]), "have no masked entries"),
        (np.array([1j, 0.5]), r"be .*number.*; got array\(\[0"),
    ):
        for name, call in calls.items():
            with pytest.raises(ValueError, match=rf"^`{re.escape(name)}` must {said}"):
                call(given)


def test_an_entry_is_missing_also_where_a_table_of_pandas_says_so() -> None:
    labels: Any = pd.Series([pd.NA, "x"], dtype="string")
    others: list[Any] = [[None, "x"], [np.nan, "x"]]
    for given in (labels, *others):
        of_labels: Any = {"gold": ["x", "x"], "metric": "accuracy", "test": "mcnemar"}
        with pytest.raises(ValueError, match=r"`a` must have a label for each .*; none at index 0"):
            core.run_significance_test(given, ["x", "x"], **of_labels)
        of_clusters: Any = {"clusters": given, "test": "approximate-randomization"}
        with pytest.raises(ValueError, match="`clusters` must have a label"):
            core.run_significance_test([1, 0], [0, 0], **of_clusters)


def test_what_is_no_results_on_examples_is_refused_by_name() -> None:
    table: Any = core.read_results(b"dataset,A,B,p_value\nx,2,1,.01\n")
    calls = (core.run_dataset_tests, core.dataset_effects, core.subsample_significance)
    for call in (*calls, core.count_jointly, core.identify_jointly):
        with pytest.raises(
            TypeError, match=r"^`result_set` must be a ResultSet.*; got PValueTable"
        ):
            call(table, a="A", b="B")


def test_labels_of_pandas_in_another_order_are_refused_wherever_entries_are_paired() -> None:
    """By position, the score of one question would be compared with that of another."""
    one = pd.Series([0.25, 0.5, 0.75], index=["x", "y", "z"])
    in_part = one.rename({"x": "w"})
    of_other_rows = one.set_axis(["r", "s", "t"])
    of_two_levels = one.set_axis(pd.MultiIndex.from_product([["d"], ["x", "y", "z"]]))
    pairs: dict[str, Callable[[Any, Any], object]] = {
        "a": lambda a, b: core.run_significance_test(a, b, test="sign"),
        "b": lambda b, gold: core.run_significance_test(
            one.to_numpy(), b, gold=gold, metric="pearson", test="steiger"
        ),
        "two_sided_p_values": core.one_sided_p_values,
        "p_values": lambda p_values, differences: core.assess(
            p_values, differences, alternative="two-sided"
        ),
        "effects": core.meta_analysis,
        "scores['d']['A']": lambda a, b: core.ResultSet.from_scores({"d": {"A": a, "B": b}}),
        "scores['d']['B']": lambda b, labels: core.ResultSet.from_scores(
            {"d": {"B": b}}, clusters={"d": labels}
        ),
        "gold['d']": lambda gold, labels: core.ResultSet.from_predictions(
            {"d": gold.astype(str)}, {"d": {"A": labels.astype(str)}}
        ),
    }
    for name, call in pairs.items():
        call(one, one + 0.125)
        call(one, of_other_rows)
        call(of_two_levels, one)
        with pytest.raises(ValueError, match="same order"):
            call(of_two_levels, of_two_levels[::-1])
        call(one.to_numpy(), one[::-1])
        for other in (one[::-1], in_part):
            with pytest.raises(
                ValueError, match=rf"^`{re.escape(name)}` and `.*same order"
            ) as said:
                call(one, other)
            assert ".to_numpy()" in str(said.value)
