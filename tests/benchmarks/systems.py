"""All pairs of many systems beside what drawing and multiplying alone take."""

from __future__ import annotations

import io
import os
import time

import numpy as np

from core import ResultSet, ScoreTable, read_results, run_significance_test
from core.effects.critical_difference import nemenyi_quantile
from core.significance.settings import Method
from core.systems.all_pairs import compare_all_pairs
from core.systems.bootstrap import resample_counts
from core.systems.comparisons import standings
from core.systems.counting import tiers
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


def as_it_is_written(values: np.ndarray) -> float:
    """The same as numpy is commonly asked for it: 64-bit indices and 64-bit scores."""
    rng = np.random.default_rng(1)
    n, rows = values.shape[0], 250
    total = 0.0
    for _ in range(0, N_RESAMPLES, rows):
        drawn = rng.integers(0, n, (rows, n)) + n * np.arange(rows)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n)
        total += float((counts.astype(np.float64) @ values)[0, 0])
    return total


def main() -> None:
    """Print times and ratios of medians."""
    print(f"Load of the machine while pairs are timed: {os.getloadavg()[0]:.1f}")
    for kind, method in KINDS:
        values = scores(kind)
        given = ResultSet.from_scores({"d": {f"s{k}": values[:, k] for k in range(N_SYSTEMS)}})
        # The file's name, as it is part of every report; taken once, before any comparison.
        assert given.fingerprint
        exact_in_32 = values if kind == "continuous" else np.rint(10 * values).astype(np.float32)

        def ours(given: ResultSet = given, method: Method = method) -> object:
            return compare_all_pairs(
                given, test="paired-bootstrap", method=method, n_resamples=N_RESAMPLES
            )

        def alone(values: np.ndarray = exact_in_32) -> object:
            return drawing_alone(values)

        def written(values: np.ndarray = values) -> object:
            return as_it_is_written(values)

        def counts_alone() -> None:
            for _ in resample_counts(N_EXAMPLES, N_RESAMPLES, np.random.default_rng(1)):
                pass

        own, peer, plain, counts = medians(ours, alone, written, counts_alone)
        title = f"{N_SYSTEMS * (N_SYSTEMS - 1) // 2:,} pairs, {kind}, {method}"
        line(
            title,
            own,
            own / peer,
            "times drawing and multiplying, narrow numbers",
            own <= DRAWING_AT_MOST * peer,
            f"at most {DRAWING_AT_MOST:g}",
        )
        line(title, own, own / plain, "times the same as commonly written")
        line(title, own, own / counts, "times drawing alone")
        columns = [values[:, k] for k in range(N_SYSTEMS)]
        start = time.perf_counter()
        for k in range(N_SINGLE_PAIRS):
            run_significance_test(
                columns[k],
                columns[k + 1],
                test="paired-bootstrap",
                method=method,
                n_resamples=N_RESAMPLES,
                rng=1,
            )
        loop = (time.perf_counter() - start) / N_SINGLE_PAIRS * N_SYSTEMS * (N_SYSTEMS - 1) / 2
        line(
            title,
            own,
            loop / own,
            f"times as fast as single tests, from {N_SINGLE_PAIRS}",
            loop >= SINGLE_AT_LEAST * own,
            f"at least {SINGLE_AT_LEAST:g}",
        )
        if method == "monte-carlo":
            what = "times as fast as single tests if nothing but drawn and multiplied"
            line(title, peer, loop / peer, what)
    _wilcoxon()
    _published()
    for asked in (
        (100, 2_000, 1, 10_000),
        (300, 2_000, 3, 10_000),
        (300, 50, 57, 99),
        (300, 50, 100, 99),
    ):
        peak = grown_by(_WORK, *asked, before=_PROGRAM)
        m, n, d, b = asked
        print(
            f"{m} systems, {n:,} examples, {d} datasets, {b:,} resamples: {peak:.0f} MiB at most "
            f"beyond the scores; asked for: at most {MEBIBYTES_AT_MOST}, "
            f"{verdict(peak <= MEBIBYTES_AT_MOST)}"
        )


def _wilcoxon(n_systems: int = 14, n_examples: int = 700) -> None:
    """Exact p-values of pairs without ties, which share one distribution."""
    columns = np.random.default_rng(1).random((n_examples, n_systems))
    given = ResultSet.from_scores({"d": {f"s{k}": columns[:, k] for k in range(n_systems)}})
    assert given.fingerprint

    def single() -> None:
        for k in range(n_systems - 1):
            run_significance_test(columns[:, k], columns[:, k + 1], test="wilcoxon")

    own, some = medians(lambda: compare_all_pairs(given, test="wilcoxon"), single)
    n_pairs = n_systems * (n_systems - 1) // 2
    loop = some / (n_systems - 1) * n_pairs
    title = f"{n_pairs} pairs, Wilcoxon's exact test, {n_examples} examples without ties"
    line(title, own, loop / own, "times as fast as single tests")


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
        grouped = tiers(separated, systems=found.systems, order=found.mean_ranks)
        return grouped.letters, found.to_frame()

    own, reading = medians(ranked, lambda: read_results(content))
    line(
        f"ranks, wins and tiers of {n_systems} systems on {n_datasets} datasets",
        own,
        own / reading,
        "times reading the file",
        own <= READING_AT_MOST * reading,
        f"at most {READING_AT_MOST:g}",
    )
