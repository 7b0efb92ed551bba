"""Every two standings are compared as numbers are, ties and all, in every resample once."""

import threading

import numpy as np
import pytest

from core.significance.stopping import Stopped
from core.systems import bootstrap
from core.systems.bootstrap import AveragedColumns, averaged_columns, orders, times_at_least_twice
from tests.core.systems.made import in_turn, resamples, scores_of


def test_standings_as_close_as_the_room_are_ties_and_undefined_ones_count_both_ways():
    steps = np.random.default_rng(2).integers(-3, 4, size=(4_200, 6)).astype(np.float64)
    steps[:1_000, 1] = steps[2_000:2_010, 2] = np.nan
    parts = np.array_split(1_000.0 + 1e-6 * steps, 7)
    ahead = steps[:, :, np.newaxis] - steps[:, np.newaxis] >= -1.0
    either = np.isnan(steps)[:, :, np.newaxis] | np.isnan(steps)[:, np.newaxis]
    assert np.array_equal(sum(orders(part, 1.5e-6) for part in parts), (ahead | either).sum(axis=0))


@pytest.mark.parametrize("largest", [100, 2**17 - 1, 2**21 - 1, 2**24, 2**31])
def test_ties_of_whole_numbers_are_ties_however_large_they_are(monkeypatch, largest):
    # Sums of n such numbers pass what 16- and 32-bit numbers hold, one kind after the other.
    n, b = 60, 500
    rng = np.random.default_rng(largest)
    values = largest - rng.integers(0, 3, size=(n, 5)).astype(np.float64)
    values[0, 0] = 0.0
    columns = AveragedColumns(values=values, step=1.0, means=values.mean(axis=0))
    counts = resamples(n, b)
    monkeypatch.setattr(bootstrap, "resample_counts", lambda *_, **__: in_turn(counts))
    extreme = times_at_least_twice(columns, b, np.random.default_rng(0))
    whole = values.astype(np.int64)
    standings = counts.astype(np.int64) @ whole - 2 * whole.sum(axis=0)
    expected = (standings[:, :, np.newaxis] >= standings[:, np.newaxis]).sum(axis=0)
    off = ~np.eye(5, dtype=bool)
    assert np.array_equal(extreme[off], expected[off])
    tied = (standings[:, :, np.newaxis] == standings[:, np.newaxis]).sum(axis=0)
    assert tied[off].any()


@pytest.mark.parametrize("kind", ["0/1", "one decimal", "continuous"])
def test_threads_change_no_count_and_a_stop_ends_them(monkeypatch, kind):
    columns = averaged_columns(scores_of(kind, 90, 19))
    seen: set[str] = set()
    compared = bootstrap.orders

    def noted(standings, room):
        seen.add(threading.current_thread().name.split("_")[0])
        return compared(standings, room)

    def extreme(threads_from: float, **asked):
        monkeypatch.setattr(bootstrap, "_THREADS_FROM", threads_from)
        seen.clear()
        return times_at_least_twice(columns, 2_001, np.random.default_rng(3), **asked)

    monkeypatch.setattr(bootstrap, "orders", noted)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    shares: list[float] = []
    alone = extreme(np.inf)
    assert seen == {threading.current_thread().name}
    assert np.array_equal(extreme(0, on_share=shares.append), alone)
    assert seen == {"datasets"}
    assert shares == [(k + 1) / 8 for k in range(8)]
    with pytest.raises(Stopped):
        extreme(0, keep_going=lambda: False)
    assert not any(one.name.startswith("datasets") for one in threading.enumerate())
