"""Human scores of two systems on different examples: paired by id, the others counted and refused."""

import numpy as np
import pytest

from core.data import ResultSet, read_results
from core.errors import DataError
from tests.read_as import read_as
from tests.real import cases

pytestmark = pytest.mark.real

CASE = cases.DATA / "real" / "r14_wmt22_human_da_unbalanced"


@pytest.fixture(scope="module")
def expected():
    return cases.expected(CASE)


@pytest.fixture(scope="module")
def left_out():
    return read_as(ResultSet, CASE / "data_long.csv", roles={"incomplete": "leave-out"})


def test_unmatched_examples_are_refused_with_their_numbers(expected):
    with pytest.raises(DataError) as caught:
        read_results(CASE / "data_long.csv")
    said = {(p.dataset, p.what.split("'")[1]): p.what for p in caught.value.problems}
    assert len(said) == len(caught.value.problems) == 12
    total = 0
    for dataset, counts in expected["pairing"].items():
        every = counts["n_common"] + counts["only_a"] + counts["only_b"]
        total += counts["only_a"] + counts["only_b"]
        for system, n in (("Online-A", counts["only_b"]), ("Online-G", counts["only_a"])):
            assert f"lacks {n:,} of {every:,} examples: '" in said[dataset, system]
    (choice,) = caught.value.choices
    assert choice.role == "incomplete"
    assert choice.options == (("leave-out", f"Leave out {total:,} examples"),)


def test_what_is_left_is_the_intersection(expected, left_out):
    paired = read_as(ResultSet, CASE / "data_paired_intersection.csv")
    assert left_out.systems == (expected["system_a"], expected["system_b"])
    assert left_out.datasets == paired.datasets == tuple(expected["pairing"])
    for dataset, counts in expected["pairing"].items():
        assert left_out.n_examples(dataset) == counts["n_common"]
        own = np.column_stack([left_out.scores(dataset, s) for s in left_out.systems])
        other = np.column_stack([paired.scores(dataset, s) for s in paired.systems])
        np.testing.assert_array_equal(own[np.lexsort(own.T)], other[np.lexsort(other.T)])
        reference = expected["per_dataset"][dataset]
        assert own[:, 0].mean() == pytest.approx(reference["mean_a"], rel=1e-12)
        assert own[:, 1].mean() == pytest.approx(reference["mean_b"], rel=1e-12)


def test_each_pair_has_the_two_scores_of_its_id(left_out):
    rows = (CASE / "data_long.csv").read_text(encoding="utf-8").splitlines()[1:]
    by_key = {tuple(row.split(",")[:3]): float(row.split(",")[3]) for row in rows}
    for dataset in left_out.datasets:
        for system in left_out.systems:
            own = [by_key[dataset, system, one] for one in left_out.examples(dataset)]
            assert left_out.scores(dataset, system).tolist() == own
