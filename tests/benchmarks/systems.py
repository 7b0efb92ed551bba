"""All pairs of many systems beside what drawing and multiplying alone take."""

import io
import os
import time
from functools import partial
from typing import Any

import numpy as np

from core import ResultSet, ScoreTable, read_results, run_significance_test
from core.effects.post_hoc import groups_not_separated, letters, nemenyi_quantile
from core.significance.settings import Method
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import standings
from tests.benchmarks.timing import grown_by, line, medians, verdict

N_SYSTEMS, N_EXAMPLES, N_RESAMPLES = 100, 2_000, 10_000
N_SINGLE_PAIRS = 50
# Of outcomes "auto" is exact; by Monte Carlo a single pair has three kinds of example only, which
# its own test draws as such: so quick that drawing and multiplying alone may take more than a
# hundredth of the loop.
KINDS: tuple[tuple[str, Method], ...] = (
    ("0/1", "auto"),
    ("0/1", "monte-carlo"),
    ("one decimal", "monte-carlo"),
    ("continuous", "monte-carlo"),
)
DRAWING_AT_MOST = 1.3
SINGLE_AT_LEAST = 100.0
READING_AT_MOST = 10.0
MEBIBYTES_AT_MOST = 512
_PROGRAM = """
import numpy as np
from core import ResultSet
from core.systems.all_pairs import compare_all_pairs
from core.systems.counting import count_matrix
m, n, d, b = map(int, sys.argv[1:])
rng = np.random.default_rng(0)
def results(m, n, d):
    return ResultSet.from_scores(
        {f"d{k}": {f"s{i}": rng.random(n) for i in range(m)} for k in range(d)}
    )
compare_all_pairs(results(4, 50, 1), test="paired-bootstrap", n_resamples=99)
given = results(m, n, d)
"""
_WORK = 'count_matrix(compare_all_pairs(given, test="paired-bootstrap", n_resamples=b))'


def scores(kind: str) -> np.ndarray:
    """Scores of systems that are alike on an example, some a little better than others."""
    rng = np.random.default_rng(2012)
    level = rng.random((N_EXAMPLES, 1))
    own = rng.random((N_EXAMPLES, N_SYSTEMS)) + 0.1 * rng.random(N_SYSTEMS)
    both = 0.6 * level + 0.4 * own
    if kind == "0/1":
        return (both > 0.5).astype(np.float64)
    return np.round(100.0 * both, 1) if kind == "one decimal" else both


def drawing_alone(values: np.ndarray) -> float:
    """Draw the resample counts in chunks, and multiply them by the scores."""
    rng = np.random.default_rng(1)
    rows, n = 256, values.shape[0]
    chunk = 32
    starts = (n * np.arange(chunk))[:, np.newaxis]
    places = np.empty((chunk, n), dtype=np.intp)
    counts = np.empty((rows, n), dtype=values.dtype)
    total = 0.0
    for start in range(0, N_RESAMPLES, rows):
        part = counts[: min(rows, N_RESAMPLES - start)]
        for first in range(0, part.shape[0], chunk):
            own = part[first : first + chunk]
            wide = places[: own.shape[0]]
            np.add(rng.integers(0, n, wide.shape, dtype=np.uint16), starts[: len(own)], out=wide)
            own[:] = np.bincount(wide.ravel(), minlength=own.size).reshape(own.shape)
        total += float((part @ values)[0, 0])
    return total


def main() -> None:
    """Print times and ratios of medians."""
    print(f"Load of the machine while pairs are timed: {os.getloadavg()[0]:.1f}")
    for kind, method in KINDS:
        values = scores(kind)
        columns = values.T
        given = ResultSet.from_scores({"d": {f"s{k}": own for k, own in enumerate(columns)}})
        # The file's name, as it is part of every report; taken once, before any comparison.
        assert given.fingerprint
        exact_in_32 = values if kind == "continuous" else np.rint(10 * values).astype(np.float32)
        asked: dict[str, Any] = {
            "test": "paired-bootstrap",
            "method": method,
            "n_resamples": N_RESAMPLES,
        }
        own, peer = medians(
            partial(compare_all_pairs, given, **asked), partial(drawing_alone, exact_in_32)
        )
        title = f"{N_SYSTEMS * (N_SYSTEMS - 1) // 2:,} pairs, {kind}, {method}"
        multiplying = "times drawing and multiplying, narrow numbers"
        line(title, own, own / peer, multiplying, at_most=DRAWING_AT_MOST)
        start = time.perf_counter()
        for k in range(N_SINGLE_PAIRS):
            run_significance_test(columns[k], columns[k + 1], rng=1, **asked)
        loop = (time.perf_counter() - start) / N_SINGLE_PAIRS * N_SYSTEMS * (N_SYSTEMS - 1) / 2
        singly = f"times as fast as single tests, from {N_SINGLE_PAIRS}"
        line(title, own, loop / own, singly, at_least=SINGLE_AT_LEAST)
    _published()
    for m, n, d, b in (
        (100, 2_000, 1, 10_000),
        (300, 2_000, 3, 10_000),
        (300, 50, 57, 99),
        (300, 50, 100, 99),
    ):
        peak = grown_by(_WORK, m, n, d, b, before=_PROGRAM)
        print(
            f"{m} systems, {n:,} examples, {d} datasets, {b:,} resamples: {peak:.0f} MiB at most "
            f"beyond the scores; asked for: at most {MEBIBYTES_AT_MOST}, "
            f"{verdict(peak <= MEBIBYTES_AT_MOST)}"
        )


def _published(n_systems: int = 300, n_datasets: int = 57) -> None:
    rng = np.random.default_rng(1)
    table = 60.0 + 15.0 * rng.random(n_systems) + 10.0 * rng.normal(size=(n_datasets, n_systems))
    out = io.StringIO()
    out.write(",".join(["dataset", *(f"model-{k}" for k in range(n_systems))]) + "\n")
    for place, row in enumerate(table):
        out.write(",".join([f"task-{place}", *(f"{score:.2f}" for score in row)]) + "\n")
    content = out.getvalue().encode()
    read = read_results(content)
    assert isinstance(read, ScoreTable)

    def ranked() -> object:
        found = standings(read)
        error = float(np.sqrt(n_systems * (n_systems + 1) / (6.0 * n_datasets)))
        apart = np.abs(found.mean_ranks[:, np.newaxis] - found.mean_ranks)
        separated = apart >= nemenyi_quantile(0.05, n_systems) * error
        order = np.argsort(found.mean_ranks, kind="stable").tolist()
        return letters(groups_not_separated(separated, order), n_systems), found.to_frame()

    own, reading = medians(ranked, lambda: read_results(content))
    title = f"ranks, wins and tiers of {n_systems} systems on {n_datasets} datasets"
    line(title, own, own / reading, "times reading the file", at_most=READING_AT_MOST)
