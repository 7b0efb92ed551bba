"""Thirteen word-similarity benchmarks and 25 published triples: tests of two correlations with gold.

Reference values from the R packages cocor and psych: expected.json and README.md beside the data.
"""

from typing import Any

import pytest

from core.data import ResultSet, read_results
from core.significance.known_tests import correlation_test_named
from core.significance.run import run_dataset_tests
from core.significance.single import run_significance_test
from core.types import FloatArray
from tests.real.cases import DATA, expected, numbers_of

pytestmark = pytest.mark.real

FOLDER = "real/r08_wordsim_correlations"
TRIPLES = "published/c03_dependent_correlations"
REFERENCES = {"steiger": "steiger1980", "williams": "williams1959", "meng": "meng1992"}
every_test = pytest.mark.parametrize("test", tuple(REFERENCES))
both_kinds = pytest.mark.parametrize("kind", ["pearson", "spearman"])


def scores() -> dict[str, FloatArray]:
    return numbers_of(f"{FOLDER}/data.csv", "score_a", "score_b", "gold")


def agree(p: float, reference: float) -> bool:
    """To nine digits; R forms small tails by subtraction, which leaves 2e-16 of noise."""
    return p == pytest.approx(reference, rel=1e-9, abs=1e-15)


@every_test
@both_kinds
def test_each_test_is_that_of_cocor_in_both_directions(test: str, kind: str) -> None:
    assert len(scores()) == 13
    for name, (a, b, gold) in scores().items():
        reference = expected(FOLDER)["per_dataset"][name][kind]
        ours = reference["tests"][REFERENCES[test]]
        for first, second, sign in ((a, b, 1.0), (b, a, -1.0)):
            result = run_significance_test(
                first,
                second,
                test=test,
                correlation=kind,  # type: ignore[arg-type]
                gold=gold,
                n_resamples=99,
                rng=0,
            )
            assert result.n_examples == expected(FOLDER)["per_dataset"][name]["n"]
            assert result.statistic == pytest.approx(sign * ours["statistic"], rel=1e-9)
            forwards, backwards = result.p_value_greater, result.p_value_less
            if sign < 0:
                forwards, backwards = backwards, forwards
            assert agree(forwards, ours["p_greater"])
            assert agree(backwards, 1.0 - ours["p_greater"])
            assert agree(result.p_value_two_sided, ours["p_two"])
            r = (result.score_a, result.score_b)
            assert r[:: int(sign)] == pytest.approx((reference["r_ga"], reference["r_gb"]))
            assert result.correlation_ab == pytest.approx(reference["r_ab"])


@both_kinds
def test_williams_is_that_of_psych(kind: str) -> None:
    for name, (a, b, gold) in scores().items():
        ours = expected(FOLDER)["per_dataset"][name][kind]["tests"]["psych_r.test"]
        result = run_significance_test(
            a, b, test="williams", metric=kind, gold=gold, n_resamples=99, rng=0
        )
        assert result.statistic == pytest.approx(ours["t"], rel=1e-9)
        assert agree(result.p_value_two_sided, ours["p_two"])


@every_test
def test_published_triples_from_their_correlations_alone(test: str) -> None:
    assert len(expected(TRIPLES)["cases"]) == 25
    for case in expected(TRIPLES)["cases"]:
        ours = case["cocor"][REFERENCES[test]]
        correlations = case["r_ga"], case["r_gb"], case["r_ab"]
        result = correlation_test_named(test).outcome(*correlations, case["n"])
        assert result.statistic == pytest.approx(ours["statistic"], rel=1e-9), case["name"]
        assert agree(result.p_values.greater, ours["p_greater"])
        assert agree(result.p_values.two_sided, ours["p_two"])
        printed = case["published"].get(REFERENCES[test], {}).get("z")
        if printed is not None:
            digits = len(repr(printed).partition(".")[2])
            assert abs(abs(printed) - abs(result.statistic or 0.0)) <= 0.51 * 10.0**-digits


def test_auto_compares_correlations_by_randomization_and_williams_is_cocors() -> None:
    data = read_results(DATA / FOLDER / "data.csv")
    assert isinstance(data, ResultSet)
    settings: dict[str, Any] = {"a": "score_a", "b": "score_b", "metric": "spearman"}
    settings["n_resamples"] = 99
    by_default = run_dataset_tests(data, **settings)
    assert {result.test for result in by_default.results or ()} == {"approximate-randomization"}
    table = run_dataset_tests(data, test="williams", **settings)
    for name, p in zip(data.datasets, table.p_values, strict=True):
        reference = expected(FOLDER)["per_dataset"][name]["spearman"]["tests"]
        assert agree(p, reference["williams1959"]["p_greater"])
