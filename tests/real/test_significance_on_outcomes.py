"""Two sets of 0/1 results: every test against R, scipy and full convolution.

27 BIG-Bench-Hard tasks; sentiment and inference in six languages.
Reference values and the exact variant of each: expected.json and README.md beside the data.
"""

from typing import Any

import pytest

from core import ResultSet, count_datasets, count_jointly, identify_jointly
from core.data.overlap.find import units_of
from core.significance.run import run_dataset_tests
from core.significance.single import run_significance_test
from core.types import FloatArray
from tests.real.cases import expected, numbers_of

pytestmark = pytest.mark.real

BBH, XNLI = "real/r01_bbh_cot_vs_direct", "real/r05_multilingual_marc_xnli"
both = pytest.mark.parametrize(("folder", "n_datasets"), [(BBH, 27), (XNLI, 9)])


def outcomes(folder: str) -> dict[str, FloatArray]:
    return numbers_of(f"{folder}/data.csv", "score_a", "score_b")


def sided(greater: str, two_sided: str, **others: str) -> dict[str, str]:
    """What a result is called in the references."""
    return {"p_value_greater": greater, "p_value_two_sided": two_sided, **others}


NORMAL = sided("p_greater", "p_two", statistic="W_plus")
EXACT = sided("p_greater", "p_two", statistic="V")
# Test, settings, where the references have it, and what they call it.
CASES: tuple[tuple[str, dict[str, Any], tuple[str, ...], dict[str, str]], ...] = (
    ("mcnemar", {}, ("mcnemar",), sided("exact_p_greater", "exact_p_two", wins="b", losses="c")),
    ("mcnemar-mid-p", {}, ("mcnemar",), sided("midp_greater", "midp_two")),
    ("mcnemar-chi2", {}, ("mcnemar",), sided("p_z_greater", "p_chi2_two")),
    ("mcnemar-chi2-corrected", {}, ("mcnemar",), sided("p_cc_greater", "p_chi2_cc_two")),
    (
        "sign",
        {},
        ("sign",),
        sided("exact_p_greater", "exact_p_two", wins="wins", ties="ties", losses="losses"),
    ),
    ("paired-t", {}, ("t",), sided("p_greater", "p_two", statistic="t")),
    (
        "approximate-randomization",
        {"method": "exact"},
        ("permutation_exact_mean",),
        sided("p_greater", "p_two", p_value_less="p_less"),
    ),
    *(
        ("wilcoxon", {"zeros": zeros, "method": "normal"}, ("wilcoxon", f"{zeros}_nocc"), NORMAL)
        for zeros in ("wilcox", "pratt", "zsplit")
    ),
    *(
        ("wilcoxon", {"zeros": zeros}, ("wilcoxon", f"{zeros}_exact_conditional"), EXACT)
        for zeros in ("wilcox", "pratt")
    ),
    *(
        (
            "paired-bootstrap",
            {"estimator": estimator, "method": "exact"},
            ("bootstrap_exact_mean",),
            {"p_value_greater": key},
        )
        for estimator, key in (
            ("add-one", "bk_ge_2delta"),
            ("berg-kirkpatrick", "bk_gt_2delta"),
        )
    ),
)


@both
@pytest.mark.parametrize(("test", "settings", "path", "names"), CASES)
def test_every_number_is_that_of_the_reference(
    folder: str,
    n_datasets: int,
    test: str,
    settings: dict[str, Any],
    path: tuple[str, ...],
    names: dict[str, str],
) -> None:
    compared = 0
    rel = 1e-9 if folder == XNLI or settings.get("method") == "normal" else 1e-11
    for dataset, (a, b) in outcomes(folder).items():
        reference = expected(folder)["per_dataset"][dataset]
        for key in path:
            reference = reference.get(key, {})
        if not reference:
            continue
        compared += 1
        result = run_significance_test(a, b, test=test, with_interval=False, **settings)
        # The bootstrap's within the references' own error; of "less" 1 − p is all that they have.
        room = 1e-11 if test == "paired-bootstrap" else 0.0
        for name, key in names.items():
            own = 1e-12 if name == "p_value_less" else room
            found = pytest.approx(reference[key], rel=rel, abs=own)
            assert getattr(result, name) == found, (dataset, name)
    # Three datasets have too many examples for R's exact Wilcoxon test.
    assert compared == (6 if folder == XNLI and names is EXACT else n_datasets)


def test_counting_by_exact_mcnemar() -> None:
    results = ResultSet.from_scores(
        {name: {"cot": a, "direct": b} for name, (a, b) in outcomes(BBH).items()}
    )
    table = run_dataset_tests(results, a="cot", b="direct")
    assert {result.test for result in table.results or ()} == {"mcnemar"}
    for combination, k_hat in (("bonferroni", 15), ("simes", 17), ("fisher", 18)):
        assert count_datasets(table.p_values, combination=combination).k_hat == k_hat
    # Direct answering is better on word sorting, and nowhere else by Bonferroni.
    assert count_datasets(table.p_values_b, combination="bonferroni").k_hat == 1


def test_xnli_is_flipped_sentence_by_sentence_with_mcnemars_p_values() -> None:
    xnli = {name: own for name, own in outcomes(XNLI).items() if name.startswith("xnli")}
    ids = {name: [str(i) for i in range(a.size)] for name, (a, _) in xnli.items()}
    data = ResultSet.from_scores(
        {name: {"a": a, "b": b} for name, (a, b) in xnli.items()}, examples=ids
    )
    units = units_of(data, units="example-id")
    assert units.n_units == max(len(own) for own in ids.values())
    assert units.n_shared > 0
    counting = count_jointly(data, a="a", b="b", units="example-id")
    for name, p_value in zip(data.datasets, counting.p_values, strict=True):
        exact = expected(XNLI)["per_dataset"][name]["mcnemar"]["exact_p_greater"]
        assert abs(p_value - exact) <= 4.0 * (exact * (1.0 - exact) / 9999) ** 0.5 + 1e-4
    assert 0 <= identify_jointly(data, a="a", b="b", units="example-id").n_rejected <= 3
    assert counting.n_datasets == 3
