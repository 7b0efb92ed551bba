"""Covariates and runs stay with their examples, are checked, and count only where there are any."""

import copy
import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

from core.data import ResultSet
from core.data.side_data import RepeatedRuns

SCORES = {
    "x": {"A": [1.0, 0.0, 1.0], "B": [0.0, 0.0, 1.0]},
    "y": {"A": [1.0, 1.0], "B": [0.0, 1.0]},
}
GIVEN = {
    "x": {"length": [5, np.nan, 7], "genre": ["news", "", "web"]},
    "y": {"length": [None, 2.5], "genre": ["web", None]},
}


def made(covariates=None, **changes):
    return replace(ResultSet.from_scores(SCORES, covariates=covariates), **changes)


def changed(dataset, name, values):
    return {**GIVEN, dataset: {**GIVEN[dataset], name: values}}


def test_covariates_are_given_back_by_dataset_with_what_is_missing_as_nan_or_empty():
    results = made(GIVEN)
    assert results.covariates == ("length", "genre")
    assert [*map(results.covariate_kind, results.covariates)] == ["numeric", "categorical"]
    np.testing.assert_array_equal(results.covariate("x", "length"), [5.0, np.nan, 7.0])
    np.testing.assert_array_equal(results.covariate("y", "length"), [np.nan, 2.5])
    assert results.covariate("x", "genre").tolist() == ["news", "", "web"]
    assert results.covariate("y", "genre").tolist() == ["web", ""]
    assert results.covariate_values["genre"].levels == ("news", "web")
    assert made().covariates == ()


@pytest.mark.parametrize(
    ("covariates", "expected"),
    [
        ({"x": GIVEN["x"]}, "`covariates` must give the values of every dataset."),
        ({**GIVEN, "y": {"length": [1, 2]}}, "'y' has 'length', the first 'length', 'genre'."),
        (changed("y", "length", [1]), "'length' of dataset 'y' must hold one for each of 2"),
        (changed("y", "length", [1, np.inf]), "'length' must be finite, or nan where missing."),
        (changed("y", "length", [[1], [2]]), "'length' of dataset 'y' must hold one value an"),
        (
            changed("x", "length", np.ma.masked_equal([1, 2, 3], 2)),
            "'x' must hold one value an",
        ),
    ],
)
def test_covariates_that_do_not_fit_are_refused(covariates, expected):
    with pytest.raises(ValueError, match=re.escape(expected)):
        made(covariates)


def test_a_name_that_is_no_covariate_is_refused():
    for results in (made(GIVEN), made()):
        with pytest.raises(ValueError, match="`covariate` must be"):
            results.covariate("x", "topic")
    with pytest.raises(ValueError, match="`dataset` must be"):
        made(GIVEN).covariate("z", "length")


@pytest.mark.parametrize("again", [lambda it: pickle.loads(pickle.dumps(it)), copy.deepcopy])  # noqa: S301
def test_a_copy_has_the_same_covariates_and_runs_and_is_read_only(again):
    results = made(GIVEN, repeated_runs=runs())
    other = again(results)
    assert other.fingerprint == results.fingerprint
    covariates = (other.covariate("x", name) for name in ("length", "genre"))
    for array in (*covariates, other.run_scores("x", "A")):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]


def test_covariates_and_runs_change_the_fingerprint_only_where_there_are_any():
    plain = made().fingerprint
    covariates = [
        GIVEN,
        changed("y", "length", [None, 2.0]),
        changed("y", "length", [0.0, 2.5]),
        changed("y", "genre", ["web", "news"]),
        changed("y", "genre", ["web", "talk"]),
        changed("x", "genre", ["press", "", "web"]),
        {d: {"length": own["length"]} for d, own in GIVEN.items()},
        {d: {"size": own["length"]} for d, own in GIVEN.items()},
    ]
    other_runs = runs(names=(("1", "3"), ("1", "3"))), runs(first=[[1, 1], [0, 0], [0, 1]])
    found = [*map(made, covariates), made(GIVEN, repeated_runs=runs())]
    found += [made(repeated_runs=own) for own in (runs(), *other_runs)]
    assert len({plain, *(one.fingerprint for one in found)}) == 13
    assert made({}).fingerprint == plain
    assert made(GIVEN).fingerprint == made(GIVEN).fingerprint


def runs(names=(("1", "2"), ("1", "2")), first=((1, 1), (0, 0), (1, 1))):
    x = (np.array(first, dtype=float), np.array([[0, 0], [0, 0], [1, 1]], dtype=float))
    return RepeatedRuns(column="seed", names=names, values={"score": (x, None)})


def test_scores_of_runs_are_kept_by_system_and_none_where_a_dataset_lacks_some():
    results = made(repeated_runs=runs(names=(("1", "2"), ("8", "9"))))
    assert results.runs == ("1", "2", "8", "9")
    assert (results.runs_of("A"), results.runs_of("B")) == (("1", "2"), ("8", "9"))
    assert results.run_scores("x", "B").tolist() == [[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]]
    assert results.run_scores("y", "B") is None
    assert made(repeated_runs=runs()).runs == ("1", "2")
