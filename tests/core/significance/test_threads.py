"""Several datasets at once give what one after the other gives."""

import itertools
import re
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from core.data import ResultSet
from core.significance import run as runner
from core.significance.plan import planned_tests
from core.significance.run import run_dataset_tests
from core.significance.single import run_significance_test
from core.significance.stopping import (
    MOST_BYTES,
    SCIPY_PARTS,
    Steps,
    Stopped,
    run_counted,
    run_pieces,
)
from tests.core.significance.test_run_dataset_tests import same_table
from tests.pages.opened import ROOT, open_app

RNG = np.random.default_rng(2_000)
# Of very different sizes, so that later ones end first.
SIZES = {"long": 9_000, "short": 40, "middle": 900, "tiny": 12, "even": 300, "last": 30}
DATA = ResultSet.from_scores(
    {
        name: {"ours": RNG.normal(0.1, 1, n), "theirs": RNG.normal(0, 1, n)}
        for name, n in SIZES.items()
    }
)


def run(**settings: Any):
    return run_dataset_tests(
        DATA, **{"a": "ours", "b": "theirs", "n_resamples": 499, "rng": 2, **settings}
    )


IN_THREADS = f"""
import sys
from core.significance.stopping import run_pieces
run_pieces([lambda _: [m in sys.modules for m in {SCIPY_PARTS}]], n_threads=2,
           bytes_held=lambda _: 0, keep_going=lambda: True, on_done=lambda _, result: print(result))
"""


def test_no_thread_meets_a_part_of_scipy_that_another_is_importing() -> None:
    """Of two that import such parts at once one may find `scipy` half made, and fail."""
    done = subprocess.run(
        [sys.executable, "-c", IN_THREADS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[-2] == str([True] * len(SCIPY_PARTS))


@pytest.mark.parametrize(
    ("room", "work", "parameters"),
    [
        ("pages.ui.frame.page", "background.watch", {}),
        ("pages.ui.intake.loading", "load_sample", {"sample": "pos-tagging"}),
    ],
)
def test_pages_which_are_threads_import_them_before_they_work(
    room: str, work: str, parameters: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(f"{room}.import_scipy", lambda: done.append("import"))
    monkeypatch.setattr(f"{room}.{work}", lambda *_: done.append("work"))
    open_app(**parameters)
    assert done[:2] == ["import", "work"]


def test_parts_of_scipy_that_import_each_other_are_imported_before_threads_begin() -> None:
    used = {
        part
        for room in ("core", "pages")
        for path in (ROOT / room).rglob("*.py")
        for part in re.findall(r"^ *from (scipy[.a-z]+) import", path.read_text("utf-8"), re.M)
    }
    # These are imported by none of the others, and each is entered at one place.
    assert used - {"scipy.stats", "scipy.sparse.csgraph"} == set(SCIPY_PARTS)


def test_threads_change_nothing() -> None:
    for test, n_threads in (
        ("paired-bootstrap", 2),
        ("approximate-randomization", 3),
        ("auto", 8),
    ):
        many = run(test=test, n_threads=n_threads)
        assert many.complete
        same_table(run(test=test), many)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_the_caller_alone_is_told_and_in_the_order_of_the_file(n_threads: int) -> None:
    tellers: set[int] = set()
    told: list[tuple[int, int]] = []
    seen: list[tuple[str, ...]] = []
    inside = 0

    def telling(add: Callable[[], None]) -> None:
        nonlocal inside
        inside += 1
        assert inside == 1
        tellers.add(threading.get_ident())
        add()
        inside -= 1

    table = run(
        test="paired-bootstrap",
        n_threads=n_threads,
        on_progress=lambda *now: telling(lambda: told.append(now)),
        on_result=lambda part: telling(lambda: seen.append(part.datasets)),
    )
    assert tellers == {threading.get_ident()}
    assert told[0] == (0, 6)
    assert told[-1] == (6, 6)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    # One thread tells within a dataset as well.
    assert n_threads > 1 or len(told) > 8
    assert table.complete
    assert [len(names) for names in seen] == [1, 2, 3, 4, 5, 6]
    for names in seen:
        assert list(names) == [name for name in SIZES if name in names]
    assert seen[-1] == table.datasets == tuple(SIZES)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_stopping_keeps_what_is_finished_as_it_would_be(n_threads: int) -> None:
    whole = run(test="paired-bootstrap")
    rows = dict(zip(whole.datasets, whole.p_values.tolist(), strict=True))
    seen: list[Any] = []
    table = run(
        test="paired-bootstrap",
        n_threads=n_threads,
        on_progress=lambda done, total: done < 2,
        on_result=seen.append,
    )
    assert not table.complete
    assert 2 <= table.n_datasets < 6
    assert list(table.datasets) == [name for name in SIZES if name in table.datasets]
    for name, p in zip(table.datasets, table.p_values.tolist(), strict=True):
        assert p == rows[name]
    same_table(seen[-1], table)
    with pytest.raises(Stopped, match="before one dataset was done"):
        run(n_threads=n_threads, on_progress=lambda *_: False)


def test_a_stop_reaches_every_thread_within_its_dataset() -> None:
    before = threading.active_count()
    began = time.monotonic()
    asked = itertools.count(1)
    with pytest.raises(Stopped):
        run_dataset_tests(
            ResultSet.from_scores(
                {
                    name: {"a": RNG.normal(size=3_000), "b": RNG.normal(size=3_000)}
                    for name in ("one", "two")
                }
            ),
            a="a",
            b="b",
            test="paired-bootstrap",
            n_resamples=10_000_000,
            n_threads=2,
            on_progress=lambda *_: next(asked) < 3,
        )
    # Minutes otherwise; no thread is left.
    assert time.monotonic() - began < 30
    assert threading.active_count() == before


@pytest.mark.parametrize("where", ["work", "on_progress", "on_result"])
def test_an_error_ends_all_threads_and_reaches_the_caller(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = threading.active_count()

    def fails(*given: Any) -> None:
        raise RuntimeError(where)

    settings: dict[str, Any] = {} if where == "work" else {where: fails}
    if where == "work":
        genuine = run_significance_test

        def test(a: Any, b: Any, **rest: Any) -> Any:
            if len(a) == SIZES["middle"]:
                raise RuntimeError(where)
            return genuine(a, b, **rest)

        monkeypatch.setattr("core.significance.plan.run_significance_test", test)
    with pytest.raises(RuntimeError, match=where):
        run(test="paired-bootstrap", n_threads=2, **settings)
    assert threading.active_count() == before


def measured_and_labelled(n: int, n_classes: int) -> tuple[ResultSet, ResultSet]:
    rng = np.random.default_rng(n)
    gold = rng.normal(size=n)
    predicted = gold[:, np.newaxis] + rng.normal(size=(n, 2))
    kinds = {"rating": "mean", "UAS": "ratio", "F1": "f1", "rho": "spearman", "r": "pearson"}
    counted = {"UAS": rng.uniform([0.0, 1.0], [1.0, 2.0], (n, 2, 2)), "F1": rng.random((n, 2, 3))}
    measured = ResultSet(
        datasets=("one",),
        systems=("ours", "theirs"),
        values={metric: (counted.get(metric, predicted),) for metric in kinds},
        higher_is_better=dict.fromkeys(kinds, True),
        kinds=kinds,
        gold_scores=(gold,),
    )
    right, *guessed = (rng.integers(0, n_classes, n).astype(str).tolist() for _ in range(3))
    said = dict(zip(measured.systems, guessed, strict=True))
    return measured, ResultSet.from_predictions({"one": right}, {"one": said})


def held_and_told(data: ResultSet, *, n_resamples: int, **settings: Any) -> tuple[int, int]:
    """What one dataset's test holds at most, and what threads are told that it holds."""
    settings |= {"a": "ours", "b": "theirs"}
    plan = planned_tests(data, **settings)["one"]
    settings |= {"method": "monte-carlo"}
    run_dataset_tests(data, **settings, n_resamples=3)
    tracemalloc.start()
    run_dataset_tests(data, **settings, n_resamples=n_resamples)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most, runner.bytes_held(data, "one", plan, a="ours")


@pytest.mark.parametrize("test", ["paired-bootstrap", "approximate-randomization"])
@pytest.mark.parametrize(("n", "n_resamples", "n_classes"), [(300, 1_200, 40), (3_000, 120, 5)])
def test_a_test_holds_about_as_much_memory_as_threads_are_told(
    n: int, n_resamples: int, n_classes: int, test: Any
) -> None:
    measured, labelled = measured_and_labelled(n, n_classes)
    pairs = {"one": np.arange(n) // 2}
    asked: list[tuple[ResultSet, str, Any]] = [
        (measured, metric, None) for metric in measured.metrics
    ]
    asked += [(measured, metric, pairs) for metric in ("rating", "rho", "r")]
    asked += [(labelled, metric, None) for metric in ("macro-F1", "MCC")]
    for data, metric, clusters in asked:
        most, told = held_and_told(
            data, metric=metric, test=test, clusters=clusters, n_resamples=n_resamples
        )
        assert 0.6 * told <= most <= 1.2 * told, metric


def pieces(
    works: Sequence[Callable[[Callable[[], bool]], int]],
    *,
    n_threads: int,
    bytes_held: Callable[[int], int] = lambda _: 1,
    keep_going: Callable[[], bool] = lambda: True,
) -> dict[int, int]:
    """What pieces of work give that are done, by their places."""
    found: dict[int, int] = {}
    run_pieces(
        works,
        n_threads=n_threads,
        bytes_held=bytes_held,
        keep_going=keep_going,
        on_done=found.__setitem__,
    )
    return found


def test_no_more_runs_at_once_than_threads_and_memory_allow() -> None:
    def most_at_once(n_threads: int, held: list[int]) -> int:
        under_way: list[int] = []
        most = 0
        lock = threading.Lock()

        def work(place: int, _: Callable[[], bool]) -> int:
            nonlocal most
            with lock:
                under_way.append(place)
                most = max(most, len(under_way))
                if len(under_way) > 1:
                    assert sum(held[i] for i in under_way) <= MOST_BYTES
            time.sleep(0.02)
            with lock:
                under_way.remove(place)
            return place * place

        works = [partial(work, i) for i in range(len(held))]
        found = pieces(works, n_threads=n_threads, bytes_held=held.__getitem__)
        assert found == {i: i * i for i in range(len(held))}
        return most

    assert most_at_once(3, [1] * 12) == 3
    assert most_at_once(4, [MOST_BYTES // 2] * 8) == 2
    # Larger than all there is: alone.
    assert most_at_once(4, [2 * MOST_BYTES] * 3 + [1]) == 1


def test_what_ends_while_all_are_stopping_is_kept() -> None:
    going = iter([True, False])

    def unheeding(place: int, _: Callable[[], bool]) -> int:
        time.sleep(0.3)
        return place

    def heeding(place: int, asked: Callable[[], bool]) -> int:
        while asked():
            time.sleep(0.01)
        raise Stopped("as asked")

    works = [partial(work, i) for i, work in enumerate([unheeding, heeding, unheeding, unheeding])]
    # The fourth was waiting for a thread, and is not begun.
    assert pieces(works, n_threads=3, keep_going=lambda: next(going)) == {0: 0, 2: 2}


def test_one_thread_is_the_callers_own_and_several_run_at_once() -> None:
    def threads_of(n_threads: int, work: Callable[[Callable[[], bool]], int]) -> set[int]:
        found = pieces([work, work], n_threads=n_threads)
        assert set(found) == {0, 1}
        return set(found.values())

    assert threads_of(1, lambda _: threading.get_ident()) == {threading.get_ident()}
    both = threading.Barrier(2, timeout=60.0)

    def with_the_other(_: Callable[[], bool]) -> int:
        both.wait()
        return threading.get_ident()

    theirs = threads_of(2, with_the_other)
    assert len(theirs) == 2
    assert threading.get_ident() not in theirs


def test_pieces_of_work_are_told_of_as_one_and_end_as_they_were_left() -> None:
    told: list[tuple[int, int]] = []

    def on_progress(done: int, total: int) -> bool:
        told.append((done, total))
        return done < 9

    steps = Steps(on_progress, total=10)
    assert steps.going
    with pytest.raises(Stopped, match="nothing is done"):
        steps.end("nothing is done")
    steps.check()
    steps.done = 2
    within = steps.told_within(4)
    for share in (0.5, 1.0):
        within(share)
        assert steps.keep_going()
    # A piece of 4 steps of its own after 4 of others; never beyond the total.
    own = steps.beyond(6)
    assert own(1, 4)
    assert not steps.end("not all is done")
    assert not own(9, 4)
    assert not steps.going
    with pytest.raises(Stopped):
        steps.check()
    steps.done = 10
    assert steps.end("all is done")
    assert told == [(done, 10) for done in (0, 4, 6, 7, 10, 10, 10)]
    # Nobody need be told.
    alone = Steps(None, total=1)
    assert alone.keep_going()
    alone.finish()


@pytest.mark.parametrize("n_threads", [1, 2])
def test_pieces_are_counted_and_that_all_are_done_is_told_once(n_threads: int) -> None:
    told: list[int] = []
    found: dict[int, int] = {}

    def run_until(stop: int) -> bool:
        def on_progress(done: int, total: int) -> bool:
            assert total == 3
            told.append(done)
            return done < stop

        return run_counted(
            [lambda _: 7] * 3,
            n_threads=n_threads,
            bytes_held=lambda _: MOST_BYTES,
            on_progress=on_progress,
            on_done=found.__setitem__,
            nothing="stopped",
        )

    assert run_until(4)
    assert found == {0: 7, 1: 7, 2: 7}
    assert told == sorted(told)
    assert told.count(3) == 1
    told.clear()
    found.clear()
    assert not run_until(1)
    assert 3 not in told
    assert 0 in found
