"""No tampered number passes as the same, whatever datasets are called, and it is said in words."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.analysis import AnalysisSettings
from core.analysis.analysis import analysis_of
from core.export.as_json import TOLERANCE, as_json, to_json
from core.export.bundle import read_bundle, restore_bundle
from core.export.bundle_comparison import compare_with_bundle
from tests.core.export.bundle.forging import bundled, with_results

# Each a key of the results at some place.
NAMES = ("notes", "sentences", "signatures", "signature", "note", "test", "k_hat", "verdict")
FILE = (
    "dataset,example,ours,base\n"
    + "".join(
        f"{name},{i},{i * 7 % 5 / 4 + i % 3 / 7},{i * 3 % 4 / 4}\n"
        for name in NAMES
        for i in range(24)
    )
).encode()


DRAWN = AnalysisSettings(test="paired-bootstrap", n_resamples=50)
ANALYSIS, PACKED = bundled(FILE, DRAWN, name="f.csv")
BUNDLE = read_bundle(PACKED)


def compared(found, *, version=None):
    changed = with_results(BUNDLE, found, version=version or BUNDLE.version)
    return compare_with_bundle(ANALYSIS, changed)


def results():
    return json.loads(BUNDLE.results)


def numbers(value, path=()):
    """Every place of a number within a value."""
    if isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in entries:
            yield from numbers(entry, (*path, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def at(value, path):
    for key in path:
        value = value[key]
    return value


PLACES = [
    path
    for part in ("datasets", "questions", "assessment", "compared", "settings")
    for path in numbers(results()[part], (part,))
]


def test_a_changed_or_lost_number_is_a_difference_at_every_place_of_one_version():
    assert len(PLACES) > 250
    for path in PLACES[::8]:
        found = results()
        at(found, path[:-1])[path[-1]] += 1
        assert not compared(found).same, path
        del at(found, path[:-1])[path[-1]]
        assert not compared(found).same, path


def test_a_number_is_the_same_within_the_stated_tolerance_and_a_setting_only_if_equal():
    for factor, near in ((1.0 + 0.9 * TOLERANCE, True), (1.0 + 1.1 * TOLERANCE, False)):
        found = results()
        found["datasets"][1]["p_value"] *= factor
        comparison = compared(found)
        assert (comparison.same, comparison.only_last_digits) == (False, near)
    found = results()
    found["settings"]["alpha"] *= 1.0 + 1e-12
    assert not compared(found).only_last_digits


def test_rounding_of_a_difference_is_judged_beside_its_scores_and_of_a_p_value_beside_itself():
    # A difference of equal scores is 0 here, and a rounding of them elsewhere.
    rows = [f"x,{i},{s!r},{s!r}" for i, s in enumerate(np.random.default_rng(2).random(9).tolist())]
    content = "\n".join(["dataset,example,ours,base", *rows]).encode()
    analysis, packed = bundled(content, name="f.csv")
    bundle = read_bundle(packed)
    for place, value, near in (
        ("difference", 1e-17, True),
        ("difference", 1e-9, False),
        ("p_value", 1.0 - 1e-6, False),
    ):
        found = json.loads(bundle.results)
        found["datasets"][0][place] = value
        changed = with_results(bundle, found)
        assert compare_with_bundle(analysis, changed).only_last_digits == near, place


def test_a_count_must_be_the_same_however_near_p_values_are_to_the_level():
    front = ANALYSIS.questions[0].answer.countings["bonferroni"]
    level = float(front.partial_conjunction_p_values[1])
    settings = replace(ANALYSIS.settings, alpha=level)
    here = analysis_of(ANALYSIS.data, ANALYSIS.whole, settings, origin=ANALYSIS.origin)
    p_values = ANALYSIS.whole.p_values * (1.0 + 5e-12)
    moved = replace(ANALYSIS.whole, p_values=p_values, p_value_bounds=(p_values, p_values))
    elsewhere = analysis_of(ANALYSIS.data, moved, settings, origin=ANALYSIS.origin)
    ours, theirs = (each.questions[0].answer.k_hat for each in (here, elsewhere))
    assert ours != theirs
    found = as_json(elsewhere)
    comparison = compare_with_bundle(here, with_results(BUNDLE, found, settings=settings))
    assert not comparison.only_last_digits
    assert f"{ours}, in the bundle {theirs}" in " ".join(comparison.sentences)


def test_computed_p_values_are_not_called_printed_and_older_bundles_may_have_them_so():
    assert {row["printed"] for row in results()["datasets"]} == {None}
    found = results()
    found["datasets"][0]["printed"] = "0.25"
    assert compared(found).same


def test_a_number_beside_the_others_is_a_difference_within_one_version_only():
    found = results()
    found["datasets"][0]["p_value_of_the_future"] = 0.5
    found["reliability"] = {"x": 1}
    here = compared(found)
    assert not here.same
    assert "reliability: nothing, in the bundle an entry." in " ".join(here.sentences)
    assert "cannot restore" not in " ".join(here.sentences)
    there = compared(found, version="9.1.0")
    assert there.same
    assert "cannot restore: datasets notes p_value_of_the_future and reliability" in " ".join(
        there.sentences
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"excluded": NAMES}, "Every dataset was to be left out; none is."),
        ({"excluded": ("nobody",)}, "not in these data: 'nobody'"),
        ({"pair": (0, 7)}, "no systems 1 and 8"),
        ({"metric": "bleu"}, "There is no metric 'bleu'"),
    ],
)
def test_settings_that_the_data_do_not_have_are_said_in_words(changes, said):
    bundle = replace(BUNDLE, settings=replace(BUNDLE.settings, **changes))
    restored = restore_bundle(bundle)
    assert to_json(restored) == to_json(ANALYSIS)
    comparison = compare_with_bundle(restored, bundle)
    assert comparison.same
    assert said in " ".join(comparison.sentences)
