"""Made tables whose scores and p-values come from drawn examples, and counts of them by hand."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from core.claims.findings import ClaimReport, Verdict
from core.claims.printed_scores import read_scores
from core.claims.rows import Row, judge_row
from core.data.p_value_table import PValueTable
from core.data.samples import read_sample
from core.data.tables.numbers import read_p_value
from tests.core.claims.oracles import mcnemar_p
from tests.read_as import read_as

ALPHA = 0.05
# A dataset, the scores of A and B, p and n.
PrintedRow = tuple[str, str, str, str, int]


def read_table(content: bytes | str, alternative: str = "not-stated") -> PValueTable:
    """A table of p-values read as any upload is."""
    content = content.encode() if isinstance(content, str) else content
    return read_as(PValueTable, content, roles={"alternative": alternative})


def sample_table(key: str) -> PValueTable:
    """A published table that comes with the project, as it declares itself."""
    described, content = read_sample(key)
    return read_table(content, described.alternative)


def table_of(
    rows: list[PrintedRow],
    *,
    alternative: str = "not-stated",
    others: tuple[str, ...] = (),
) -> PValueTable:
    """A table of (dataset, A, B, p, n) as printed; `others` are more p."""
    heading = "dataset,A,B,p_value,n_examples"
    lines = [heading, *(",".join(map(str, row)) for row in rows)]
    if others:
        lines = [f"{line},{p}" for line, p in zip(lines, ("p_value other", *others), strict=True)]
    return read_table("\n".join(lines), alternative)


def counts_of(verdict: Verdict) -> dict[str, tuple[int, int]]:
    """The fewest and most datasets by each way to take the p-values."""
    assert verdict.outcome is not None
    return {str(name): (way.fewest, way.most) for name, way in verdict.outcome.taken.items()}


def p_table(*printed: str, alternative: str = "not-stated") -> PValueTable:
    """A table of printed p-values alone."""
    lines = ["dataset,p_value", *(f"d{i},{p}" for i, p in enumerate(printed, start=1))]
    return read_table("\n".join(lines), alternative)


@dataclass(frozen=True)
class Made:
    """One made table: what is printed, and what is behind it."""

    rows: list[PrintedRow]
    p_values: np.ndarray
    alternative: str
    # A second p-value of each dataset, printed and before rounding.
    others: tuple[str, ...] = ()
    other_p_values: np.ndarray | None = None
    # Of the first dataset: score(A) − score(B) for each example, and the decimals to print.
    differences: np.ndarray | None = None
    decimals: int = 4

    @property
    def datasets(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self.rows)


def made(rng: np.random.Generator, alternative: str, *, decimals: int | None = None) -> Made:
    """Scores and exact McNemar p-values of drawn examples, rounded to 2 to 4 decimals."""
    score_decimals = decimals or int(rng.integers(2, 5))
    p_decimals = decimals or int(rng.integers(2, 5))
    rows, p_values, other_p_values = [], [], []
    first = np.zeros(0)
    for i in range(int(rng.integers(3, 8))):
        n = int(rng.integers(60, 900))
        shared = rng.random(n) < rng.uniform(0.4, 0.9)
        effect = rng.choice([0.0, 0.04, 0.08, -0.05])
        redone_a, redone_b = rng.random(n) < 0.15, rng.random(n) < 0.15
        a = np.where(redone_a, rng.random(n) < 0.6 + 3 * effect, shared)
        b = np.where(redone_b, rng.random(n) < 0.6 - 3 * effect, shared)
        p = mcnemar_p(int((a & ~b).sum()), int((b & ~a).sum()), "mcnemar", alternative)
        p_values.append(p)
        # Of some of the examples, as papers print rare words beside all of them.
        rare = slice(0, n // 2)
        wins, losses = int((a & ~b)[rare].sum()), int((b & ~a)[rare].sum())
        other_p_values.append(mcnemar_p(wins, losses, "mcnemar", alternative))
        first = first if i else a.astype(float) - b
        rows.append(
            (
                f"set-{i + 1}",
                f"{a.mean():.{score_decimals}f}",
                f"{b.mean():.{score_decimals}f}",
                f"{p:.{p_decimals}f}",
                n,
            )
        )
    return Made(
        rows=rows,
        p_values=np.array(p_values),
        alternative=alternative,
        others=tuple(f"{p:.{p_decimals}f}" for p in other_p_values),
        other_p_values=np.array(other_p_values),
        differences=first,
        decimals=score_decimals,
    )


def any_by_hand(table: Made, alpha: float = ALPHA) -> int:
    assert table.other_p_values is not None
    return sum(
        min(p, other) <= alpha
        for p, other in zip(table.p_values, table.other_p_values, strict=True)
    )


def interval_of(table: Made) -> tuple[str, str, str]:
    """The mean difference on the first dataset with its normal 95% interval, as printed."""
    mean = float(table.differences.mean())
    half = float(stats.norm.ppf(0.975) * stats.sem(table.differences))
    low, high, estimate = (f"{x:.{table.decimals}f}" for x in (mean - half, mean + half, mean))
    return low, high, estimate


def holm_by_hand(p_values: np.ndarray, alpha: float = ALPHA) -> list[int]:
    named = []
    for step, i in enumerate(np.argsort(p_values, kind="stable")):
        if p_values[i] > alpha / (len(p_values) - step):
            break
        named.append(int(i))
    return sorted(named)


def fisher_by_hand(p_values: np.ndarray, alpha: float = ALPHA) -> int:
    ordered, k_hat = np.sort(p_values), 0
    for u in range(1, len(p_values) + 1):
        # Of p-values that are 0 the logarithm is infinite, and Fisher's p-value 0.
        with np.errstate(divide="ignore"):
            combined = stats.combine_pvalues(ordered[u - 1 :], method="fisher").pvalue
        if combined > alpha:
            break
        k_hat = u
    return k_hat


def benjamini_hochberg_by_hand(p_values: np.ndarray, alpha: float = ALPHA) -> list[int]:
    return np.flatnonzero(stats.false_discovery_control(p_values) <= alpha).tolist()


def keys(report: ClaimReport) -> tuple[str, ...]:
    """The verdict on each claim."""
    return tuple(verdict.key for verdict in report.verdicts)


def judge_texts(a: Any, b: Any, n: int, p_value: str, **settings: Any) -> Row:
    """Judge a printed p-value beside two printed scores; the settings are those of `read_scores`."""
    read = read_p_value(p_value)
    return judge_row(read_scores(a, b, **settings), n, (read.low, read.high))
