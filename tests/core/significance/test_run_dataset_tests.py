"""Running over datasets: each p-value is its own, settings go to the tests that have them."""

from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from core.data import ResultSet
from core.errors import DataError
from core.significance.run import run_dataset_tests, settle
from core.significance.settings import dataset_stream
from core.significance.single import SignificanceResult, run_significance_test

RNG = np.random.default_rng(1908)
SCORES = {
    name: {"ours": RNG.normal(shift, 1, 50), "theirs": RNG.normal(0, 1, 50)}
    for name, shift in (("A", 0.25), ("B", 0.3), ("C", 0.1))
}
# Ties for Wilcoxon's zeros.
for name in SCORES:
    SCORES[name]["ours"][:9] = SCORES[name]["theirs"][:9]
DATA = ResultSet.from_scores(SCORES)
WHOLE = ResultSet.from_scores(
    {
        name: {system: np.round(scores).astype(float) for system, scores in given.items()}
        for name, given in SCORES.items()
    }
)
PAIRS = {name: np.arange(50) // 2 for name in SCORES}
CLUSTERED = ResultSet.from_scores(
    SCORES, clusters={name: [f"doc {i}" for i in own] for name, own in PAIRS.items()}
)
OUTCOMES = {
    name: {
        system: (RNG.random(80) < chance).astype(float)
        for system, chance in (("ours", 0.7), ("theirs", 0.6))
    }
    for name in ("de", "en", "fr")
}
# So few that a note says what they can give.
OUTCOMES["tiny"] = {"ours": np.ones(3), "theirs": np.zeros(3)}


def run(data: ResultSet = DATA, **settings: Any):
    return run_dataset_tests(
        data, **{"a": "ours", "b": "theirs", "n_resamples": 199, "rng": 8, **settings}
    )


def test_the_table_holds_each_datasets_own_test() -> None:
    table = run(ResultSet.from_scores(OUTCOMES, metric="accuracy"))
    assert table.datasets == tuple(OUTCOMES)
    assert (table.system_a, table.system_b, table.metric) == ("ours", "theirs", "accuracy")
    assert table.alternative == "greater"
    assert table.complete
    for i, name in enumerate(table.datasets):
        alone = run_significance_test(*OUTCOMES[name].values(), test="mcnemar")
        own = table.results[i]
        assert own.test == "mcnemar"
        assert own.metric == "accuracy"
        assert table.p_values[i] == own.p_value == alone.p_value_greater
        assert table.p_values_b[i] == alone.p_value_less
        assert table.printed[i] == repr(alone.p_value_greater)
        assert float(table.printed[i]) == table.p_values[i]
        assert [end[i] for end in table.p_value_bounds] == [table.p_values[i]] * 2
        assert table.n_examples[i] == OUTCOMES[name]["ours"].size
        assert table.scores_a[i] == OUTCOMES[name]["ours"].mean()
        assert table.notes[i] == "; ".join(own.notes)
    assert "n = 3" in table.notes[-1]
    assert table.differences == pytest.approx([r.difference for r in table.results])
    assert not table.printed_zeros.any()


def test_a_stream_is_one_of_seed_dataset_and_test() -> None:
    # The hash, spelled out, so that old reports can be reproduced.
    documented = np.random.default_rng(
        int.from_bytes(sha256(b"17|SST-2|paired-bootstrap").digest())
    )
    own = dataset_stream(17, "SST-2", "paired-bootstrap")
    assert own.integers(2**32, size=2).tolist() == documented.integers(2**32, size=2).tolist()
    streams = [
        dataset_stream(*names).integers(2**63)
        for names in [(0, "x", "t"), (1, "x", "t"), (0, "y", "t"), (0, "x", "u"), (10, "x", "t")]
    ]
    assert len(set(streams)) == 5


def test_lower_is_better_turns_the_test_and_not_the_scores() -> None:
    errors = ResultSet.from_scores(SCORES, higher_is_better=False, metric="error")
    table = run(errors, test="wilcoxon")
    turned = run(test="wilcoxon")
    assert not table.higher_is_better
    assert table.p_values == pytest.approx(turned.p_values_b)
    assert np.array_equal(table.scores_a, turned.scores_a)
    assert table.differences == pytest.approx(-turned.differences)
    for result in table.results:
        assert result.score_a - result.score_b == pytest.approx(-result.difference)
        assert not result.higher_is_better
        assert result.metric == "error"


def test_every_dataset_that_does_not_suit_its_test_is_named() -> None:
    other = {"A": {"ours": np.array([0.5, 1.0]), "theirs": np.array([0.0, 2.0])}}
    mixed = ResultSet.from_scores({**OUTCOMES, **SCORES, **other}, metric="f1")
    with pytest.raises(DataError) as caught:
        run(mixed, test="mcnemar")
    assert [problem.dataset for problem in caught.value.problems] == ["A", "B", "C"]
    assert "McNemar" in str(caught.value.problems[0])
    assert "got 0.5" in str(caught.value.problems[0])


def fields_of(result: SignificanceResult) -> dict[str, Any]:
    properties = {name for name, value in vars(type(result)).items() if isinstance(value, property)}
    named = {"test", "metric", "kind", "seed", "higher_is_better", *properties} - {"signature"}
    return {name: getattr(result, name) for name in named}


def same_table(one: Any, other: Any) -> None:
    assert one.datasets == other.datasets
    assert one.fingerprint == other.fingerprint
    assert one.notes == other.notes
    for own, again in zip(one.results, other.results, strict=True):
        assert fields_of(own) == fields_of(again)


MIXED: dict[str, Any] = {"A": "paired-bootstrap", "B": "wilcoxon", "C": "approximate-randomization"}


@pytest.mark.parametrize(
    ("settings", "of"),
    [
        ({"interval": "percentile"}, "ABC"),
        ({"interval": "bca"}, "ABC"),
        ({"estimator": "berg-kirkpatrick"}, "A"),
        ({"resample_size": 30}, "A"),
        ({"zeros": "pratt"}, "B"),
        ({"method": "monte-carlo"}, "AC"),
        ({"method": "normal"}, "B"),
    ],
)
def test_each_test_is_given_the_settings_that_it_has(settings: Any, of: str) -> None:
    table = run(test=MIXED, **settings)
    plain = run(test=MIXED)
    for result, was, (name, test) in zip(table.results, plain.results, MIXED.items(), strict=True):
        alone = run_significance_test(
            *SCORES[name].values(),
            test=test,
            n_resamples=199,
            rng=dataset_stream(8, name, test),
            **(settings if name in of else {}),
        )
        expected = {**fields_of(alone), "metric": "score", "seed": 8}
        assert fields_of(result) == expected
        if name not in of:
            assert fields_of(result) == fields_of(was)
    assert table.notes != plain.notes or table.p_values.tolist() != plain.p_values.tolist()


def test_a_wrong_argument_is_named_before_any_test() -> None:
    told: list[Any] = []
    others = {"A": "sign", "B": "wilcoxon", "C": "sign"}
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"a": "us"}, r"`a` must be one of 'ours', 'theirs'; got 'us'"),
        ({"b": "them"}, r"`b` must be one of 'ours', 'theirs'; got 'them'"),
        ({"b": "ours"}, r"`a` and `b` .* 'ours'"),
        ({"test": "best"}, r"`test` must be one of 'auto', .* got 'best'"),
        ({"test": {"A": "sign"}}, r"`test` must name .* 'B'"),
        ({"test": dict.fromkeys("ABCD", "sign")}, r"unknown dataset 'D'"),
        ({"metric": "bleu"}, r"`metric` must be one of 'score'; got 'bleu'"),
        ({"n_resamples": 0}, r"`n_resamples` .* got 0"),
        ({"rng": None}, r"`rng` .* got None"),
        ({"zeros": "pratt"}, "`zeros` 'pratt' .* 'wilcoxon'; got 'paired-bootstrap'"),
        ({"method": "normal"}, "`method` 'normal' .* 'wilcoxon'"),
        ({"estimator": "berg-kirkpatrick", "test": "sign"}, "`estimator` .* 'paired-bootstrap'"),
        ({"resample_size": 9, "test": others}, "`resample_size` 9 .* 'sign' and 'wilcoxon'"),
        ({"method": "monte-carlo", "test": "sign"}, "'approximate-randomization' or 'paired-boot"),
        ({"method": "quick"}, "`method` must be one of"),
        ({"n_threads": 0}, "`n_threads` .* got 0"),
        ({"n_resamples": {"A": 99, "B": 99}}, "`n_resamples` must name .* 'C'"),
        ({"n_resamples": dict.fromkeys("ABCD", 99)}, "unknown dataset 'D'"),
        ({"n_resamples": {"A": 99, "B": 0, "C": 99}}, "`n_resamples` must be at least 1; got 0"),
    )
    for given, message in wrong:
        with pytest.raises(ValueError, match=message):
            run(**{"test": "paired-bootstrap", "on_progress": lambda *x: told.append(x), **given})
    assert not told


def test_exact_in_vain_is_said_of_every_dataset_before_any_test() -> None:
    told: list[Any] = []
    mixed = ResultSet.from_scores(
        {
            name: {s: (WHOLE if name == "B" else DATA).scores(name, s) for s in DATA.systems}
            for name in DATA.datasets
        }
    )
    with pytest.raises(DataError) as caught:
        run(mixed, test="paired-bootstrap", method="exact", on_progress=lambda *x: told.append(x))
    assert [problem.dataset for problem in caught.value.problems] == ["A", "C"]
    assert "must have an exact distribution" in caught.value.problems[0].what
    assert not told
    table = run(WHOLE, test="paired-bootstrap", method="exact")
    assert all(result.exact for result in table.results)


KINDS_OF_RUNS: tuple[dict[str, Any], ...] = (
    {"test": "paired-bootstrap"},
    {"test": "paired-bootstrap", "interval": "bca", "resample_size": 40},
    {"test": "paired-bootstrap", "estimator": "berg-kirkpatrick", "interval": "percentile"},
    {"test": "paired-bootstrap", "method": "monte-carlo", "data": WHOLE},
    {"test": "approximate-randomization"},
    {"test": "approximate-randomization", "method": "monte-carlo", "interval": "percentile"},
    {"test": "approximate-randomization", "method": "monte-carlo", "data": WHOLE},
    {"test": "auto", "data": CLUSTERED},
    {"test": "auto", "data": CLUSTERED, "method": "monte-carlo", "clusters": PAIRS},
    {"test": "paired-bootstrap", "data": CLUSTERED, "clusters": {}},
    {"test": MIXED, "zeros": "zsplit", "interval": "percentile"},
)


@pytest.mark.parametrize("place", range(len(KINDS_OF_RUNS)))
def test_a_table_settled_in_two_steps_is_made_again_in_one_call(place: int) -> None:
    settings = dict(KINDS_OF_RUNS[place])
    n_threads = 1 + 2 * (place % 2)
    data = settings.pop("data", DATA)
    first = run(data, **settings)
    # A threshold at p is never settled, so that these are extended and the others not.
    p = {
        name: min(0.99, max(0.001, float(p))) for name, p in zip("ABC", first.p_values, strict=True)
    }
    thresholds = {"A": p["A"], "B": p["B"], "C": 0.9999}
    clusters = {"clusters": settings["clusters"]} if "clusters" in settings else {}
    asked = {"thresholds": thresholds, "n_threads": n_threads, **clusters}
    # On the way to as many, some are drawn by themselves.
    between = settle(data, first, up_to=617, **asked)
    found = settle(data, between.table, up_to=1_000, **asked)
    assert found.complete
    numbers = {
        name: result.n_resamples or 199
        for name, result in zip("ABC", found.table.results, strict=True)
    }
    drawn = [name for name, result in zip("ABC", first.results, strict=True) if result.n_resamples]
    assert {name: numbers[name] for name in drawn if name != "C"} == dict.fromkeys(
        [name for name in drawn if name != "C"], 1_000
    )
    assert numbers["C"] == 199
    same_table(found.table, run(data, **{**settings, "n_resamples": numbers}))


def test_the_sets_own_clusters_are_used_unless_others_are_given() -> None:
    own = run(CLUSTERED)
    assert [(r.test, r.n_clusters) for r in own.results] == [("approximate-randomization", 25)] * 3
    same_table(own, run(DATA, clusters=PAIRS))
    none = run(CLUSTERED, clusters={})
    assert [(r.test, r.n_clusters) for r in none.results] == [("paired-t", None)] * 3
    same_table(none, run(DATA))
    tens = np.arange(50) // 5
    one = run(CLUSTERED, clusters={"B": tens})
    assert [result.n_clusters for result in one.results] == [None, 10, None]
    alone = run_significance_test(*SCORES["B"].values(), test=own.results[1].test, clusters=tens)
    assert one.p_values.tolist() == [none.p_values[0], alone.p_value, none.p_values[2]]
    with pytest.raises(DataError) as caught:
        run(CLUSTERED, test="sign")
    assert [problem.dataset for problem in caught.value.problems] == ["A", "B", "C"]
    with pytest.raises(ValueError, match=r"`clusters` must be those .* 'B'"):
        settle(CLUSTERED, run(CLUSTERED), thresholds=0.05, up_to=10_000, clusters={})
