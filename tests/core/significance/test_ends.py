"""The ends of p-values of tables on which not every p-value is a test's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.data import PValueTable, ResultSet
from core.replicability.sensitivity import find_unsettled
from core.significance import p_value_ends, run_dataset_tests, run_significance_test
from core.significance.settings import TEST_ALTERNATIVES
from core.significance.settle import settle

RNG = np.random.default_rng(4)
SCORES = {
    "drawn": {"ours": RNG.normal(0.3, 1, 40), "theirs": RNG.normal(0, 1, 40)},
    # A is always ahead by the same: no resample has twice that.
    "constant": {"ours": np.arange(40.0) + 1.0, "theirs": np.arange(40.0)},
    "other": {"ours": RNG.normal(-0.3, 1, 40), "theirs": RNG.normal(0, 1, 40)},
    # Far ahead everywhere: no resample reaches twice of it, and none can.
    "far": {"ours": 10.0 + RNG.random(40), "theirs": RNG.random(40)},
}
DATA = ResultSet.from_scores(SCORES)


def run(stop_at: int = 4) -> PValueTable:
    return run_dataset_tests(
        DATA,
        a="ours",
        b="theirs",
        test="paired-bootstrap",
        n_resamples=199,
        on_progress=lambda done, _: done < stop_at,
    )


def kept_out(table: PValueTable) -> PValueTable:
    """As a page takes p-values that are out of a bootstrap's reach."""
    assert table.p_values_b is not None
    reach = [(False, False) if r is None else r.out_of_reach for r in table.results or ()]
    out_a, out_b = np.array(reach).T
    p = np.where(out_a, 1.0, table.p_values)
    return replace(
        table,
        p_values=p,
        p_values_b=np.where(out_b, 1.0, table.p_values_b),
        p_value_bounds=(p, p),
    )


def pairs(table: PValueTable) -> dict[str, tuple[float, float]]:
    low, high = p_value_ends(table)
    return dict(zip(table.datasets, zip(low.tolist(), high.tolist(), strict=True), strict=True))


def test_untested_and_kept_out_p_values_stay_at_one() -> None:
    whole = run()
    assert [r.out_of_reach[0] for r in whole.results or ()] == [False, True, False, True]
    plain = pairs(whole)
    assert plain["constant"] == (0.0, 0.0)
    ends = pairs(kept_out(whole))
    assert ends["constant"] == ends["far"] == (1.0, 1.0)
    assert (ends["drawn"], ends["other"]) == (plain["drawn"], plain["other"])
    half = pairs(kept_out(run(stop_at=2).with_untested(DATA.datasets)))
    assert half == {
        "drawn": plain["drawn"],
        "constant": (1.0, 1.0),
        "other": (1.0, 1.0),
        "far": (1.0, 1.0),
    }
    low, high = p_value_ends(kept_out(whole))
    found = find_unsettled(low, high)
    assert not found.to_extend[[1, 3]].any()


@pytest.mark.parametrize("stop_at", [2, 4])
def test_the_same_after_a_and_b_were_exchanged(stop_at: int) -> None:
    table = run(stop_at).with_untested(DATA.datasets)
    there, back = pairs(kept_out(table)), pairs(kept_out(table).swapped())
    assert table.results is not None
    for name, result in zip(table.datasets, table.results, strict=True):
        if result is None:
            assert back[name] == (1.0, 1.0)
        elif name in ("constant", "far"):
            # B's p-value is its own: nothing is out of reach there.
            assert there[name] == (1.0, 1.0)
            assert back[name][1] == 1.0
            assert result.p_value_less == 1.0
        else:
            assert back[name] != there[name]
            assert back[name][0] < result.p_value_less < back[name][1]


def test_scores_tell_the_sides_apart_where_p_values_do_not() -> None:
    # Kept out, A's p-value is 1; B's own is 1 as well, and not certain.
    alone = ResultSet.from_scores({"far": SCORES["far"]})
    table = run_dataset_tests(alone, a="ours", b="theirs", test="paired-bootstrap", n_resamples=199)
    assert table.results is not None
    assert table.results[0].n_resamples == 199
    kept = kept_out(table)
    assert kept.p_values_b is not None
    assert kept.p_values.tolist() == kept.p_values_b.tolist() == [1.0]
    assert pairs(kept) == {"far": (1.0, 1.0)}
    low, high = pairs(kept.swapped())["far"]
    assert low < high == 1.0


@pytest.mark.parametrize("estimator", ["add-one", "berg-kirkpatrick"])
def test_either_side_has_the_ends_that_its_own_test_is_told_with(estimator: Any) -> None:
    a, b = SCORES["drawn"].values()
    of_either: list[tuple[float, float]] = []
    for alternative in TEST_ALTERNATIVES:
        result = run_significance_test(
            a,
            b,
            test="paired-bootstrap",
            alternative=alternative,
            estimator=estimator,
            n_resamples=199,
            rng=3,
        )
        assert result.monte_carlo_interval is not None
        of_either.append(result.monte_carlo_interval)
    # Each result knows those of the others, as all come from the same resamples.
    assert [result.ends_of(alternative) for alternative in TEST_ALTERNATIVES] == of_either
    assert len(set(of_either)) == 3


def test_a_table_without_scores_has_the_same_ends() -> None:
    table = run()
    bare = replace(table, scores_a=None, scores_b=None)
    assert pairs(bare) == pairs(table)


def test_such_a_table_cannot_go_on_as_it_is() -> None:
    for table in (kept_out(run()), run(2).with_untested(DATA.datasets)):
        with pytest.raises(ValueError, match="`table` must be as `run_dataset_tests` made it"):
            settle(DATA, table, thresholds=0.05, up_to=999)


def test_p_values_of_something_else_are_noticed() -> None:
    table = kept_out(run())
    others: Any = np.where(table.p_values < 1.0, 0.5, 1.0)
    with pytest.raises(ValueError, match="`table` must have the p-values of its results"):
        p_value_ends(replace(table, p_values=others, p_value_bounds=(others, others)))
    # 1 stands for what was kept out or not tested, and for no other dataset.
    kept = np.ones(4)
    with pytest.raises(ValueError, match="`table` must have the p-values of its results"):
        p_value_ends(replace(table, p_values=kept, p_value_bounds=(kept, kept)))
    untested = run(2).with_untested(DATA.datasets)
    lower = untested.p_values.copy()
    lower[3] = 0.5
    with pytest.raises(ValueError, match="`table` must have the p-values of its results"):
        p_value_ends(replace(untested, p_values=lower, p_value_bounds=(lower, lower)))
