"""Which metrics are compared: those that all datasets have, else as chosen."""

from dataclasses import replace
from typing import Any

import pytest

from core.data.tools.gathered import EACH_OWN, OWN_MEASURE, Scores, average, settle_measures
from core.errors import DataError
from tests.core.data.tools.files_of import nothing_yet


def scores(dataset: str, *metrics: str, system: str = "a") -> Scores:
    return Scores(
        path=f"{system}/{dataset}.json",
        dataset=dataset,
        system=system,
        examples=["1"],
        columns={metric: [f"0.{place}"] for place, metric in enumerate(metrics, start=1)},
        lines=[1],
    )


def averages(dataset: str, system: str = "a", **metrics: str) -> Scores:
    return average(f"{system}.json", dataset, system, metrics)


def measured(found: Any, directions: dict[str, bool], given: dict[str, object]) -> Any:
    """What is settled, and what was noted on the way."""
    whole = nothing_yet(**given)
    whole.higher_is_better = directions
    return settle_measures(found, whole)[0], whole


def asked(found, directions, given):
    with pytest.raises(DataError) as caught:
        measured(found, directions, given)
    return caught.value


def test_metrics_of_all_datasets_are_compared_and_the_others_said():
    found = [scores("rte", "acc", "f1"), scores("boolq", "f1", "acc", "mcc")]
    settled, whole = measured(found, {}, {})
    assert [*settled[0].columns] == ["acc", "f1"]
    assert ["'mcc'" in remark for remark in whole.remarks] == [True]
    assert whole.choices == []


MIXED = [scores("rte", "acc", "f1"), scores("squad", "em"), scores("boolq", "acc")]


def test_without_a_common_metric_it_is_asked_with_each_ones_own_first():
    error = asked(MIXED, {}, {})
    assert "'rte' has 'acc', 'f1'" in str(error)
    (choice,) = error.choices
    assert choice.role == "measure"
    options = dict(choice.options)
    assert list(options) == [EACH_OWN, "only:acc", "only:f1", "only:em"]
    assert "2 of 3" in options["only:acc"]


def test_each_ones_own_first_is_compared_under_one_name():
    settled, whole = measured(MIXED, {}, {"measure": EACH_OWN})
    assert [list(one.columns.items()) for one in settled] == [[("score", ["0.1"])]] * 3
    assert whole.higher_is_better == {"score": True}
    assert whole.roles == {"measure": EACH_OWN}
    assert "'acc' of 'rte', 'boolq'; 'em' of 'squad'" in whole.remarks[0]


def test_of_own_metrics_those_whose_direction_nothing_says_are_named():
    _, whole = measured([scores("x", "gap"), scores("y", "acc")], {}, {"measure": EACH_OWN})
    assert "higher or lower values of 'gap' are better" in whole.remarks[1]


def test_metrics_of_different_directions_are_not_one():
    for directions in [{"em": False}, {"acc": False, "em": True}]:
        error = asked(MIXED, directions, {})
        assert EACH_OWN not in dict(error.choices[0].options), directions
        error = asked(MIXED, directions, {"measure": EACH_OWN})
        assert "no metric 'each-own'" in str(error), directions
        assert error.choices, directions


def test_names_say_directions_where_tools_do_not():
    found = [scores("lambada", "ppl"), scores("rte", "acc")]
    assert EACH_OWN not in dict(asked(found, {}, {}).choices[0].options)
    found = [scores("lambada", "ppl"), scores("c4", "loss")]
    _, whole = measured(found, {}, {"measure": EACH_OWN})
    assert whole.higher_is_better == {"score": False}


def test_of_several_common_metrics_averages_ask():
    found = [averages(name, acc="0.5", loss="0.25") for name in ("rte", "boolq")]
    error = asked(found, {}, {})
    assert "'rte', 'boolq' have 'acc', 'loss'" in str(error)
    settled, whole = measured(found, {}, {"measure": "only:loss"})
    assert [*settled[0].columns] == ["loss"]
    assert "left aside, as chosen: 'acc'" in whole.remarks[0]


def test_systems_without_a_common_metric_are_told_each_with_its_own_and_no_question():
    for found in (
        [scores("rte", "match"), scores("rte", "graded", system="b")],
        [averages("rte", match="1"), averages("rte", "b", graded="1")],
    ):
        error = asked(found, {}, {})
        (problem,) = error.problems
        assert "'a' has 'match'; 'b' has 'graded'" in problem.what
        assert problem.dataset == "rte"
        assert error.choices == ()


def test_a_dataset_without_a_common_metric_stands_beside_the_question_about_others():
    found = [
        scores("rte", "match"),
        scores("rte", "graded", system="b"),
        scores("boolq", "acc"),
        scores("boolq", "acc", system="b"),
    ]
    error = asked(found, {}, {})
    assert [one.dataset for one in error.problems] == [None, "rte"]
    (choice,) = error.choices
    assert [answer for answer, _ in choice.options] == ["only:acc"]


def test_each_ones_own_metric_keeps_its_p_value():
    held = [
        replace(averages("de", "s", BLEU="30"), p_values={"BLEU": "0.01", "TER": "0.5"}),
        replace(averages("fr", "s", chrF="50"), p_values={"chrF": "0.02"}),
    ]
    found, _ = measured(held, {}, {"measure": EACH_OWN})
    assert [one.p_values for one in found] == [{OWN_MEASURE: "0.01"}, {OWN_MEASURE: "0.02"}]
