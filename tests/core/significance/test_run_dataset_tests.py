"""Running over datasets: each p-value is its own, and stopping keeps what is done."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from core.data import ResultSet
from core.errors import DataError
from core.significance import run_dataset_tests, run_significance_test
from core.significance.settings import dataset_stream

RNG = np.random.default_rng(2017)
MEASURED = {
    name: {"ours": RNG.normal(0.2, 1, 60), "theirs": RNG.normal(0, 1, 60)}
    for name in ("A1", "B2", "C3", "D4")
}
OUTCOMES = {
    name: {
        "ours": (RNG.random(80) < 0.7).astype(float),
        "theirs": (RNG.random(80) < 0.6).astype(float),
    }
    for name in ("de", "en", "fr")
}


def results(scores=MEASURED, **settings) -> ResultSet:
    return ResultSet.from_scores(scores, **settings)


def run(result_set, **settings):
    settings = {"a": "ours", "b": "theirs", "n_resamples": 499, **settings}
    return run_dataset_tests(result_set, **settings)


def test_the_table_holds_each_datasets_own_test() -> None:
    table = run(results(OUTCOMES, metric="accuracy"))
    assert table.datasets == ("de", "en", "fr")
    assert (table.system_a, table.system_b, table.metric) == ("ours", "theirs", "accuracy")
    assert table.alternative == "greater"
    assert table.complete
    assert table.results is not None
    assert table.p_values_b is not None
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
        assert table.n_examples is not None
        assert table.n_examples[i] == 80
        assert table.scores_a is not None
        assert table.scores_a[i] == OUTCOMES[name]["ours"].mean()
        assert table.notes[i] == "; ".join(own.notes)
    assert table.differences == pytest.approx([r.difference for r in table.results])
    assert not table.printed_zeros.any()


@pytest.mark.parametrize("test", ["paired-bootstrap", "approximate-randomization"])
def test_no_other_dataset_changes_a_p_value(test: str) -> None:
    everything = dict(zip(MEASURED, run(results(), test=test).p_values, strict=True))
    backwards = results({name: MEASURED[name] for name in reversed(MEASURED)})
    fewer = results({name: MEASURED[name] for name in ("B2", "D4")})
    for other in (backwards, fewer):
        for name, p in zip(other.datasets, run(other, test=test).p_values, strict=True):
            assert p == everything[name]


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


def test_zero_is_a_seed_and_neighbouring_seeds_share_nothing() -> None:
    def p_values(rng):
        return run(results(), test="paired-bootstrap", rng=rng).p_values.tolist()

    assert p_values(0) == p_values(0)
    assert p_values(0) != p_values(1)
    drawn = int(np.random.default_rng(4).integers(2**63))
    assert p_values(np.random.default_rng(4)) == p_values(drawn)
    assert run(results(), test="paired-bootstrap", rng=7).results[0].seed == 7


def test_lower_is_better_turns_the_test_and_not_the_scores() -> None:
    table = run(results(higher_is_better=False, metric="error"), test="wilcoxon")
    turned = run(results(), test="wilcoxon")
    assert not table.higher_is_better
    assert table.p_values == pytest.approx(turned.p_values_b)
    assert np.array_equal(table.scores_a, turned.scores_a)
    assert table.differences == pytest.approx(-turned.differences)
    for result in table.results:
        assert result.score_a - result.score_b == pytest.approx(-result.difference)
        assert not result.higher_is_better
        assert result.metric == "error"


def test_another_metric_is_asked_for_by_name() -> None:
    values = {
        "accuracy": (np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]),),
        "loss": (np.array([[0.1, 0.4], [0.2, 0.3], [0.9, 0.8]]),),
    }
    both = ResultSet(
        datasets=("one",),
        systems=("ours", "theirs"),
        values=values,
        higher_is_better={"accuracy": True, "loss": False},
    )
    assert run(both).results[0].test == "mcnemar"
    loss = run(both, metric="loss")
    assert loss.metric == "loss"
    assert not loss.higher_is_better
    assert loss.results[0].wins == 2


def test_progress_is_reported_and_true_or_none_goes_on() -> None:
    seen = []
    table = run(results(), test="paired-bootstrap", on_progress=lambda *now: seen.append(now))
    assert table.complete
    assert seen[0] == (0, 4)
    assert seen[-1] == (4, 4)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    # Also within a dataset.
    assert len(seen) > 5


def test_stopping_keeps_finished_datasets() -> None:
    table = run(results(), test="paired-bootstrap", on_progress=lambda done, total: done < 2)
    assert table.datasets == ("A1", "B2")
    assert not table.complete
    whole = run(results(), test="paired-bootstrap")
    assert table.p_values.tolist() == whole.p_values[:2].tolist()


def test_every_dataset_that_does_not_suit_its_test_is_named() -> None:
    mixed = {**{k: {s: v[:60] for s, v in d.items()} for k, d in OUTCOMES.items()}, **MEASURED}
    mixed["A1"] = {"ours": np.array([0.5, 1.0]), "theirs": np.array([0.0, 2.0])}
    with pytest.raises(DataError) as caught:
        run(results(mixed, metric="f1"), test="mcnemar")
    assert [problem.dataset for problem in caught.value.problems] == ["A1", "B2", "C3", "D4"]
    assert "McNemar" in str(caught.value.problems[0])
    assert "got 0.5" in str(caught.value.problems[0])


def test_a_wrong_argument_is_named() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"a": "us"}, r"`a` must be one of 'ours', 'theirs'; got 'us'"),
        ({"b": "them"}, r"`b` must be one of 'ours', 'theirs'; got 'them'"),
        ({"b": "ours"}, r"`a` and `b` .* 'ours'"),
        ({"test": "best"}, r"`test` must be one of 'auto', .* got 'best'"),
        ({"test": {"A1": "sign"}}, r"`test` must name .* 'B2'"),
        ({"test": dict.fromkeys([*MEASURED, "E5"], "sign")}, r"unknown dataset 'E5'"),
        ({"metric": "bleu"}, r"`metric` must be one of 'score'; got 'bleu'"),
        ({"n_resamples": 0}, r"`n_resamples` .* got 0"),
        ({"rng": None}, r"`rng` .* got None"),
    )
    for changed, message in wrong:
        with pytest.raises(ValueError, match=message):
            run(results(), **changed)


def test_notes_travel_into_the_table() -> None:
    few = {"tiny": {"ours": np.ones(3), "theirs": np.zeros(3)}}
    table = run(results(few))
    assert "n = 3" in table.notes[0]
    assert ".125" in table.notes[0]
    out_of_reach = run(results(few), test="paired-bootstrap")
    assert out_of_reach.p_values[0] == 0.0
    assert "out of the bootstrap's reach" in out_of_reach.notes[0]
    assert out_of_reach.results[0].out_of_reach == (True, False)
