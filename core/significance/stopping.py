"""How a computation is asked to stop, and several pieces of work at once, told of from one thread."""

import importlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

# Asked between chunks of work. Whatever takes one raises `Stopped` where it says no.
KeepGoing = Callable[[], bool] | None
# Called with how much is done, and of how much; False stops.
Progress = Callable[[int, int], object]


class Stopped(Exception):
    """A computation was asked to stop before it had a result."""


def goes_on(on_progress: Callable[[int, int], object] | None, done: int, total: int) -> bool:
    """Report progress; work stops when the callback returns False."""
    return on_progress is None or on_progress(done, total) is not False


def check_going(keep_going: KeepGoing) -> None:
    """Ask whether to go on."""
    if keep_going is not None and not keep_going():
        raise Stopped("The computation was stopped before it had a result.")


class Steps:
    """Progress through several pieces of work that are reported as one."""

    def __init__(self, on_progress: Progress | None, *, total: int) -> None:
        self._on_progress = on_progress
        self._total = total
        self.done = 0
        self.going = True

    def keep_going(self) -> bool:
        """Tell how much is done, and ask whether to go on."""
        self.going = goes_on(self._on_progress, min(self.done, self._total), self._total)
        return self.going

    def check(self) -> None:
        """As `keep_going`."""
        check_going(self.keep_going)

    def step(self) -> None:
        """One step more is done; `Stopped` is raised if that is to be the last."""
        self.done += 1
        self.check()

    def told_within(self, n_steps: int) -> Callable[[float], None]:
        """What a piece of work of so many steps, begun now, tells its share done to."""
        begun = self.done

        def tell(share: float) -> None:
            self.done = begun + int(share * n_steps)

        return tell

    def beyond(self, before: int) -> Progress:
        """What a piece of work calls as its own progress, after so many steps of earlier ones."""

        def tell(done: int, _total: int) -> bool:
            self.done = before + done
            return self.keep_going()

        return tell

    def finish(self) -> None:
        """Tell that all is done."""
        if self._on_progress is not None:
            self._on_progress(self._total, self._total)

    def end(self, nothing: str) -> bool:
        """Tell that all is done where it is, and return whether; where nothing is, raise `Stopped`."""
        if not self.done:
            raise Stopped(nothing)
        complete = self.done == self._total
        if complete:
            self.finish()
        return complete


Result = TypeVar("Result")
Work = Callable[[Callable[[], bool]], Result]

# What all pieces under way may hold together; one larger than that runs alone.
MOST_BYTES = 64 << 20
# Beyond those that run, so that none waits while results are told of.
_AHEAD = 2
# How often the caller is asked whether to go on.
_SECONDS = 0.1
# Parts that import each other, of those that functions import when they are called.
SCIPY_PARTS = ("scipy.special", "scipy.fft", "scipy.optimize")
_importing = threading.Lock()


def import_scipy() -> None:
    """Import before threads begin what they would else import at once, and one of them find half made."""
    with _importing:
        for part in SCIPY_PARTS:
            importlib.import_module(part)


def in_turn(pieces: Iterator[Result]) -> Callable[[], Result]:
    """What gives the next of these, to one thread after another."""
    lock = threading.Lock()

    def take() -> Result:
        with lock:
            return next(pieces)

    return take


def run_pieces(
    works: Sequence[Work[Result]],
    *,
    n_threads: int,
    bytes_held: Callable[[int], int],
    keep_going: Callable[[], bool],
    on_done: Callable[[int, Result], None],
) -> None:
    """Run pieces of work, begun in their order: in threads, or with one thread in the calling one.

    Each is given a function that says whether to go on; by its place it holds so many bytes.
    `keep_going` is asked, and `on_done` called with a piece's place and result, also of those that
    ended while all were stopping, from the calling thread. What is raised is raised after all threads
    have ended, of several that of the first in order.
    """
    if n_threads == 1:
        for place, work in enumerate(works):
            try:
                if not keep_going():
                    return
                result = work(keep_going)
            except Stopped:
                return
            on_done(place, result)
        return
    # A piece is under way from when it is handed over until it is told of, once. When the caller
    # wants no more, or anything raises, nothing is begun any more: what runs learns of it by
    # `stopped`, is waited for, and is told of only where it ended by itself.
    stopped = False
    under_way: dict[Future[Result], int] = {}
    held: dict[int, int] = {}
    begun = 0
    import_scipy()
    pool = ThreadPoolExecutor(max_workers=n_threads, thread_name_prefix="datasets")
    try:
        while under_way or begun < len(works):
            if not keep_going():
                break
            while begun < len(works) and len(under_way) < n_threads + _AHEAD:
                needed = bytes_held(begun)
                if under_way and sum(held.values()) + needed > MOST_BYTES:
                    break
                held[begun] = needed
                under_way[pool.submit(works[begun], lambda: not stopped)] = begun
                begun += 1
            ended, _ = wait(under_way, timeout=_SECONDS, return_when=FIRST_COMPLETED)
            for future in sorted(ended, key=under_way.__getitem__):
                place = under_way.pop(future)
                del held[place]
                on_done(place, future.result())
    finally:
        stopped = True
        pool.shutdown(wait=True, cancel_futures=True)
    # Only of a stop is something left here.
    for future, place in under_way.items():
        if future.cancelled():
            continue
        try:
            result = future.result()
        except Stopped:
            continue
        on_done(place, result)


def run_counted(
    works: Sequence[Work[Result]],
    *,
    n_threads: int,
    bytes_held: Callable[[int], int],
    on_progress: Progress | None,
    on_done: Callable[[int, Result], None],
    nothing: str,
) -> bool:
    """As `run_pieces`, telling how many pieces are done; whether all are, as of `Steps.end`."""
    steps = Steps(on_progress, total=len(works))

    def count(place: int, result: Result) -> None:
        on_done(place, result)
        steps.done += 1

    run_pieces(
        works,
        n_threads=n_threads,
        bytes_held=bytes_held,
        keep_going=steps.keep_going,
        on_done=count,
    )
    return steps.end(nothing)
