"""A small bundle asks for no large memory, and a large analysis still fits into one."""

import json
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from core.analysis import AnalysisSettings, analyse
from core.data import ResultSet
from core.errors import DataError
from core.export.bundle import read_bundle, restore_bundle, write_bundle
from core.export.bundle_comparison import compare_with_bundle
from tests.core.export.bundle.forging import bundled, forged_of

TABLE = b"dataset,A,B,p_value\nx,2,1,.01\ny,2,1,.2\n"
SCORES = np.array([[1.0, 2.0, 4.0, 3.0], [0.0, 1.0, 1.0, 4.0]])


ANALYSIS, PACKED = bundled(TABLE, name="t.csv")


def traced(work):
    tracemalloc.start()
    try:
        return work(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# Made by the test that asks for one: together they are more than a hundred megabytes.
UNPACKING_TO_MUCH = {
    "objects": lambda: b"[" + b"{}," * 6_000_000 + b"{}]",
    "lists": lambda: b'{"datasets":[' + b"[]," * 6_000_000 + b"[]]}",
    "numbers": lambda: b"[" + b"1," * 9_000_000 + b"1]",
    "texts": lambda: b'["' + b'","' * 6_000_000 + b'"]',
    "signs": lambda: b'"' + b"\\u2605" * 3_000_000 + b'"',
    "nested": lambda: b"[" * 1_000_000 + b"]" * 1_000_000,
    "keys": lambda: b'{"a":' * 1_000_000,
    "open": lambda: b'"' + b'\\"' * 9_000_000,
}


@pytest.mark.parametrize("kind", UNPACKING_TO_MUCH)
def test_results_that_unpack_to_much_are_not_parsed(kind):
    results = UNPACKING_TO_MUCH[kind]()
    content = forged_of(PACKED, results=results)
    bundle, most = traced(lambda: read_bundle(content))
    # What the archive gives, and not a parsed object for every few bytes of it.
    assert most < 4 * len(results) + 5_000_000
    comparison, most = traced(lambda: compare_with_bundle(ANALYSIS, bundle))
    assert not comparison.same
    assert "holds no results of these data" in comparison.sentences[0]
    assert most < 5_000_000


@pytest.mark.parametrize("member", ["settings", "tried", "results"])
def test_few_bytes_with_many_parts_take_little_memory_and_are_none_of_a_bundle(member):
    many = b"[" + b"{}," * 150_000 + b"{}]"
    content = forged_of(PACKED, **{member: many})

    def opened():
        try:
            return compare_with_bundle(ANALYSIS, read_bundle(content)).sentences[0]
        except DataError as refused:
            return str(refused)

    said, most = traced(opened)
    assert "no JSON of the expected kind" in said or "holds no results" in said
    assert most < 40_000_000


@pytest.mark.parametrize("part", ["analysis", "claims"])
def test_settings_of_many_names_are_refused_without_a_problem_for_each(part):
    settings = {"analysis": {}, "roles": {}, part: dict.fromkeys(map(str, range(100_000)))}
    with pytest.raises(DataError) as refused:
        restore_bundle(read_bundle(forged_of(PACKED, settings=json.dumps(settings).encode())))
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize("depth", [400, 900, 100_000])
def test_results_nested_deeply_are_none(depth):
    nested = b'{"datasets":' + b"[" * depth + b"]" * depth + b"}"
    comparison = compare_with_bundle(ANALYSIS, read_bundle(forged_of(PACKED, results=nested)))
    assert not comparison.same
    assert not comparison.only_last_digits


def test_ten_thousand_tested_datasets_fit_with_every_setting_about_them():
    rng = np.random.default_rng(3)
    n = 500
    names = [f"dataset {i}, {{[:" for i in range(10_000)]
    shown = {name: {"A": SCORES[0], "B": SCORES[1][rng.permutation(4)]} for name in names[:n]}
    data = ResultSet.from_scores(shown, metric="m")
    tested = analyse(data, AnalysisSettings(test="paired-t"))
    bundle = read_bundle(write_bundle(tested, files=[("t.csv", TABLE)], name="t.csv", roles={}))
    assert compare_with_bundle(tested, bundle).same
    settings = AnalysisSettings(
        extended=tuple((name, 10**6) for name in names), excluded=tuple(names[1:])
    )
    chosen = replace(ANALYSIS, settings=settings)
    again = read_bundle(write_bundle(chosen, files=[("t.csv", TABLE)], name="t", roles={}))
    assert again.settings == settings
