"""Repetitions cut into chunks and worked on by both cores, told of as they get done.

Vocabulary
----------
chunk
    Repetitions drawn at once, from a random stream of their own, always whole:
    of the last one a run keeps what it needs. So neither the number of threads,
    nor stopping, nor a later extension changes what a repetition is.
piece
    Chunks that follow upon each other, worked on by one thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Generic, TypeVar

from core.significance.stopping import run_pieces

# More cores gain little: drawing fills the memory's bandwidth.
MOST_THREADS = 2
# Below, starting threads takes longer than they save.
_THREADS_FROM = 32
# Enough work that handing it over costs next to nothing; still told of often.
_CHUNKS_IN_A_PIECE = 4
# What a piece holds at most beside its results.
_PIECE_BYTES = 16 << 20

Worker = TypeVar("Worker")

# Given a chunk's number and its first and last-but-one repetition in the run.
ChunkWork = Callable[[int, int, int], None]
Progress = Callable[[int, int], object]


class Workers(Generic[Worker]):
    """What works on chunks and keeps its memory from one to the next, one for each thread.

    Parameters
    ----------
    make : callable
        Gives a new one. The first is made at once, so that wrong arguments are
        told of by the thread that gave them.
    """

    def __init__(self, make: Callable[[], Worker]) -> None:
        self._make = make
        self._idle = [make()]

    @contextmanager
    def one(self) -> Iterator[Worker]:
        """One that no other thread uses meanwhile."""
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = self._make()
        yield worker
        self._idle.append(worker)


def run_chunks(
    work: ChunkWork,
    *,
    total: int,
    size: int,
    first: int = 0,
    n_threads: int | None = None,
    on_progress: Progress | None = None,
) -> int:
    """Work on the chunks of repetitions `first` to `total`; how many repetitions there are then.

    Parameters
    ----------
    work : callable
        Called as ``work(number, start, stop)`` for each chunk, from any thread.
    total : int
        Repetitions asked for.
    size : int
        Of a chunk.
    first : int
        Repetitions that there are already.
    n_threads : int, optional
        By default 2 where there are two cores and enough to do.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` from the calling thread; when it
        returns False, no more chunks are begun.
    """
    begin, end = first // size, -(-total // size)
    cores = min(MOST_THREADS, os.cpu_count() or 1) if n_threads is None else max(1, n_threads)
    threads = cores if end - begin >= _THREADS_FROM else 1
    step = _CHUNKS_IN_A_PIECE if threads > 1 else 1
    pieces = range(begin, end, step)
    done_pieces: set[int] = set()
    # Those done without a gap: pieces are begun in order and always ended, so that a stop
    # leaves none.
    in_order = 0
    done = first
    going = True

    def run_piece(start: int, _keep_going: Callable[[], bool]) -> None:
        for number in range(start, min(start + step, end)):
            work(number, max(first, number * size), min((number + 1) * size, total))

    def tell(place: int, _result: None) -> None:
        nonlocal done, going, in_order
        done_pieces.add(place)
        while in_order in done_pieces:
            done_pieces.remove(in_order)
            in_order += 1
        now = min(total, max(first, min(end, begin + in_order * step) * size))
        if now > done:
            done = now
            if on_progress is not None and on_progress(done, total) is False:
                going = False

    run_pieces(
        [partial(run_piece, start) for start in pieces],
        n_threads=threads,
        bytes_held=lambda _place: _PIECE_BYTES,
        keep_going=lambda: going,
        on_done=tell,
    )
    return done
