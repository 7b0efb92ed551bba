"""An analysis as JSON says all of it, strictly and to the last digit."""

import json

import pytest

from core.analysis import AnalysisSettings, analyse, analysis_of
from core.export.as_json import as_json, to_json
from core.significance.single import SignificanceResult
from tests.core.export.samples_of_analyses import of_sample
from tests.core.made import p_value_table

ORDER = [
    *("format", "kind", "versions", "origin", "data", "settings", "compared", "tried"),
    *("what_was_read", "verdict", "cautions", "unsettled", "remarks", "signature"),
    *("datasets", "assessment", "question", "questions"),
]


def analysed(key, **settings):
    return of_sample(key, AnalysisSettings(**settings))


def refuse(text):
    raise AssertionError(f"{text} is no JSON")


def question(found, key):
    return next(each for each in found["questions"] if each["key"] == key)


def test_the_text_is_strict_json_that_comes_back_as_it_was():
    for key in ("pos-tagging", "six-p-values", "simulated-accuracy", "simulated-parsing"):
        analysis = analysed(key, n_resamples=99)
        text = to_json(analysis)
        assert text.endswith("}\n")
        assert json.loads(text, parse_constant=refuse) == as_json(analysis), key
        assert list(json.loads(text)) == ORDER, key


# From the paper's Table 2 and from its equations on Table 4.
def test_the_counts_are_those_of_the_paper():
    for key, question_key, alpha, counts in (
        ("parsing-redshift", "a-better/toward-higher-score", 0.05, (2, 1, 5)),
        ("parsing-redshift", "a-better/toward-higher-score", 0.01, (1, 0, 2)),
        ("parsing-spacy", "a-better/toward-higher-score", 0.01, (7, 7, 7)),
        ("sentiment", "differ", 0.05, (10, 6, 9)),
        ("word-similarity", "differ", 0.01, (6, 4, 6)),
    ):
        found = question(as_json(analysed(key, alpha=alpha)), question_key)
        by = found["counts"]
        shown = (found["common_practice"]["n"], by["bonferroni"]["k_hat"], by["fisher"]["k_hat"])
        assert shown == counts, (key, alpha)
        # The claims that hold are those up to the count.
        for own in by.values():
            holds = [p <= alpha for p in own["partial_conjunction_p_values"]]
            assert holds == sorted(holds, reverse=True), (key, alpha)
            assert sum(holds) == own["k_hat"], (key, alpha)


def test_a_row_has_all_that_a_test_found():
    analysis = analysed("simulated-accuracy", test="approximate-randomization", n_resamples=99)
    for row, result in zip(as_json(analysis)["datasets"], analysis.table.results, strict=True):
        held = row["test"]
        assert {
            name
            for name, value in vars(SignificanceResult).items()
            if isinstance(value, property) and name not in ("known", "too_few_for_skewness")
        } <= set(held)
        assert held["p_value_greater"] == row["p_value"] == result.p_value_greater
        assert held["p_value_less"] == row["p_value_b"] == result.p_value_less
        for name in ("wins", "ties", "losses", "signature"):
            assert held[name] == getattr(result, name), name


def test_all_of_a_row_beside_its_test_speaks_of_the_systems_as_compared():
    settings = {"test": "approximate-randomization", "n_resamples": 99}
    straight = as_json(analysed("simulated-accuracy", **settings))
    swapped = as_json(analysed("simulated-accuracy", swapped=True, **settings))
    assert swapped["compared"]["system_a"] == straight["compared"]["system_b"]
    for one, other in zip(straight["datasets"], swapped["datasets"], strict=True):
        assert (one["p_value"], one["score_a"]) == (other["p_value_b"], other["score_b"])
        assert one["test"] == other["test"]
        assert other["test"]["system_a"] == straight["compared"]["system_a"]
        mine, theirs = one["as_compared"], other["as_compared"]
        low, high = mine["confidence_interval"]
        assert theirs["confidence_interval"] == [-high, -low]
        assert low <= one["difference"] <= high
        assert -high <= other["difference"] <= -low
        assert (theirs["wins"], theirs["losses"]) == (mine["losses"], mine["wins"])
        assert mine["ties"] == theirs["ties"] == one["test"]["ties"]
        assert mine["confidence_interval"] == one["test"]["confidence_interval"]
    odds = [
        as_json(analysed("simulated-accuracy", test="mcnemar", swapped=swapped))["datasets"][0]
        for swapped in (False, True)
    ]
    values = [row["as_compared"]["effect_size"]["value"] for row in odds]
    assert values[0] == pytest.approx(1.0 / values[1])
    assert values[0] != values[1]
    assert {row["as_compared"] for row in as_json(analysed("parsing-spacy"))["datasets"]} == {None}


def test_any_name_comes_back_out_of_the_bytes():
    for name in ["\ud800", "\u2028\x1b[31m", 'a"b\\', "数据", "𝔸"]:
        text = to_json(analyse(p_value_table([0.01, 0.2], datasets=(name, "y"))))
        rows = json.loads(text.encode("utf-8"))["datasets"]
        assert rows[0]["dataset"] == name, name


def test_datasets_not_tested_yet_have_no_test_and_are_said_to_be_missing():
    analysis = analysed("simulated-accuracy")
    whole, done = analysis.whole, analysis.whole.datasets[:4]
    partial = whole.without(whole.datasets[4:]).with_untested(whole.datasets)
    found = as_json(analysis_of(analysis.data, partial, analysis.settings, origin=analysis.origin))
    assert [row["dataset"] for row in found["datasets"] if row["test"] is not None] == list(done)
    assert {row["p_value"] for row in found["datasets"][4:]} == {1.0}
    assert found["compared"]["complete"] is False
    assert "4 of 10" in found["verdict"]["sentence"]
    assert found["questions"][0]["sentences"]["lead"].startswith("So far, 4 of 10")
