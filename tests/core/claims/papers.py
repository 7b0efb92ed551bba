"""Tables as papers make them: simulated examples, a test that papers run, digits as they print them.

Written from how papers are made, without looking at what a check of claims knows: no function of
`core` is used. Resamples of 0/1 outcomes are drawn as the counts of their three kinds of examples,
which is the same as drawing the examples.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import Any

import numpy as np
from scipy import stats

from tests.core.claims.oracles import fisher_z_p, mcnemar_p, williams_p

DIRECTIONS = ("greater", "two-sided", "toward-higher-score")
# Resamples that papers and their scripts use.
RESAMPLES = (100, 200, 500, 1_000, 1_000, 2_000, 5_000, 10_000)
Rng = np.random.Generator
Row = tuple[str, str, str, str, int]


@dataclass(frozen=True, kw_only=True)
class PaperTable:
    """One paper's table, as printed, and what is behind it.

    p-values, in the paper's direction, and differences, score(A) − score(B), are before rounding.
    `way` is how the paper tests, `metric` "accuracy" or "correlation".
    """

    rows: list[Row]
    p_values: np.ndarray
    differences: np.ndarray
    direction: str
    way: str
    metric: str

    @property
    def datasets(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self.rows)


def accuracy_table(rng: Rng, number: int) -> PaperTable:
    """Shares of right examples of two classifiers, tested in one of the ways papers do."""
    show = list(SCORE_FORMATS.values())[rng.integers(len(SCORE_FORMATS))]

    def compared(test: ZeroOneTest, direction: str, n: int) -> tuple[float, float, float]:
        a, b = outcomes(rng, n)
        return float(a.mean()), float(b.mean()), directed(test, a, b, direction)

    return _printed(rng, number, WAYS, compared, show, most=5_000, metric="accuracy")


def correlation_table(rng: Rng, number: int) -> PaperTable:
    """Correlations of two measures with human scores, Pearson's or Spearman's."""
    ranked, decimals = bool(rng.random() < 0.5), int(rng.integers(2, 5))

    def compared(test: CorrelationTest, direction: str, n: int) -> tuple[float, float, float]:
        gold, a, b = measured(rng, n)
        r_a, r_b = correlation(gold, a, ranked), correlation(gold, b, ranked)

        def both(first: np.ndarray, second: np.ndarray, side: str) -> float:
            return test(gold, first, second, ranked, side)

        return r_a, r_b, directed(both, a, b, direction, ahead=r_a >= r_b)

    def show(r: float) -> str:
        return f"{r:.{decimals}f}"

    return _printed(rng, number, CORRELATION_WAYS, compared, show, most=1_000, metric="correlation")


def _printed(
    rng: Rng,
    number: int,
    ways: dict[str, Callable[[Rng], Any]],
    compared: Callable[[Any, str, int], tuple[float, float, float]],
    show: Callable[[float], str],
    *,
    most: int,
    metric: str,
) -> PaperTable:
    """Two to four datasets of 30 to so many examples, each with both scores and a p-value."""
    direction = DIRECTIONS[number // len(ways) % len(DIRECTIONS)]
    way = list(ways)[number % len(ways)]
    test = ways[way](rng)
    show_p = list(P_FORMATS.values())[rng.integers(len(P_FORMATS))]
    sizes = (
        np.exp(rng.uniform(math.log(30), math.log(most), rng.integers(2, 5))).round().astype(int)
    )
    found = [compared(test, direction, n) for n in sizes.tolist()]
    return PaperTable(
        rows=[
            (f"set-{i}", show(a), show(b), show_p(p), n)
            for i, (n, (a, b, p)) in enumerate(zip(sizes.tolist(), found, strict=True), start=1)
        ],
        p_values=np.array([p for _, _, p in found]),
        differences=np.array([a - b for a, b, _ in found]),
        direction=direction,
        way=way,
        metric=metric,
    )


def directed(
    test: Callable[[np.ndarray, np.ndarray, str], float],
    a: np.ndarray,
    b: np.ndarray,
    direction: str,
    *,
    ahead: bool | None = None,
) -> float:
    """The p-value for A, for either, or for whoever is ahead (A where both are level)."""
    if direction == "toward-higher-score":
        if not (a.mean() >= b.mean() if ahead is None else ahead):
            a, b = b, a
        return test(a, b, "greater")
    return test(a, b, direction)


def outcomes(rng: Rng, n: int) -> tuple[np.ndarray, np.ndarray]:
    """0/1 outcomes of two systems, more or less alike, one of them perhaps better."""
    share = rng.uniform(0.4, 0.97)
    shared = rng.random(n) < share
    alike = rng.choice([0.0, 0.5, 0.85, 0.97])
    gain = rng.choice([0.0, 0.0, 0.01, 0.03, 0.08, -0.03])
    a, b = (
        np.where(rng.random(n) < alike, shared, rng.random(n) < min(0.99, share + more))
        for more in (gain / max(1 - alike, 0.05), 0.0)
    )
    return a, b


# How 0/1 outcomes are tested. Each way draws what its script fixes once for a paper.
ZeroOneTest = Callable[[np.ndarray, np.ndarray, str], float]


def _mcnemar(test: str) -> ZeroOneTest:
    """One of McNemar's tests; the exact one is the sign test without ties."""

    def run(a: np.ndarray, b: np.ndarray, side: str) -> float:
        return mcnemar_p(*_discordant(a, b), test, side)

    return run


def _paired_t(rng: Rng) -> ZeroOneTest:
    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        return _defined(stats.ttest_rel, a.astype(float), b.astype(float), alternative=side)

    return run


def _paired_z(rng: Rng) -> ZeroOneTest:
    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        differences = a.astype(float) - b
        error = differences.std() / math.sqrt(differences.size)
        return _of_z(differences.mean() / error, side) if error > 0 else 1.0

    return run


def _two_samples_t(rng: Rng) -> ZeroOneTest:
    equal = bool(rng.random() < 0.5)

    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        return _defined(
            stats.ttest_ind, a.astype(float), b.astype(float), alternative=side, equal_var=equal
        )

    return run


def _wilcoxon(rng: Rng) -> ZeroOneTest:
    options: dict[str, Any] = {
        "zero_method": str(rng.choice(["wilcox", "wilcox", "pratt", "zsplit"])),
        "correction": bool(rng.random() < 0.4),
        "method": str(rng.choice(["auto", "approx"])),
    }

    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        differences = a.astype(float) - b
        if not differences.any():
            return 1.0
        return float(stats.wilcoxon(differences, alternative=side, **options).pvalue)

    return run


def _two_proportions(rng: Rng) -> ZeroOneTest:
    pooled = bool(rng.random() < 0.7)

    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        n, p_a, p_b = a.size, float(a.mean()), float(b.mean())
        both = (p_a + p_b) / 2
        variance = 2 * both * (1 - both) if pooled else p_a * (1 - p_a) + p_b * (1 - p_b)
        return _of_z((p_a - p_b) / math.sqrt(variance / n), side) if variance > 0 else 1.0

    return run


def _contingency(rng: Rng) -> ZeroOneTest:
    """χ² of right and wrong by system; where a direction is asked for, Fisher's exact test."""
    corrected = bool(rng.random() < 0.6)

    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        table = np.array([[a.sum(), (~a).sum()], [b.sum(), (~b).sum()]])
        if side != "two-sided":
            return float(stats.fisher_exact(table, alternative=side).pvalue)
        if not table.sum(axis=0).all():
            return 1.0
        return float(stats.chi2_contingency(table, correction=corrected).pvalue)

    return run


def _bootstrap(rng: Rng) -> ZeroOneTest:
    """The share of resamples in which A is not ahead (Koehn 2004)."""
    counted = _counted(rng)
    strict = bool(rng.random() < 0.3)

    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        drawn = _resampled(rng, a, b, counted.n)
        behind = (drawn < 0) if strict else (drawn <= 0)
        if side == "greater":
            return counted.p(behind)
        before = (drawn > 0) if strict else (drawn >= 0)
        return min(1.0, 2 * min(counted.p(behind), counted.p(before)))

    return run


def _shifted_bootstrap(rng: Rng) -> ZeroOneTest:
    """The share of resamples that gain twice what was seen (Berg-Kirkpatrick et al. 2012)."""
    counted = _counted(rng)
    strict = bool(rng.random() < 0.4)

    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        wins, losses = _discordant(a, b)
        moved = _resampled(rng, a, b, counted.n) - (wins - losses)
        return counted.beyond(moved, wins - losses, side, strict=strict)

    return run


def _randomization(rng: Rng) -> ZeroOneTest:
    """Outcomes exchanged at random, example by example (Noreen 1989)."""
    counted = _counted(rng)

    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        wins, losses = _discordant(a, b)
        drawn = 2 * rng.binomial(wins + losses, 0.5, counted.n) - (wins + losses)
        return counted.beyond(drawn, wins - losses, side)

    return run


def _shuffled_labels(rng: Rng) -> ZeroOneTest:
    """All 2n outcomes dealt to the systems anew, pairs left aside."""
    counted = _counted(rng)

    def run(a: np.ndarray, b: np.ndarray, side: Any) -> float:
        right, n = int(a.sum() + b.sum()), a.size
        drawn = 2 * rng.hypergeometric(right, 2 * n - right, n, counted.n) - right
        return counted.beyond(drawn, int(a.sum()) - int(b.sum()), side)

    return run


WAYS: dict[str, Callable[[Rng], ZeroOneTest]] = {
    "McNemar, exact": lambda _: _mcnemar("mcnemar"),
    "McNemar, mid-p": lambda _: _mcnemar("mcnemar-mid-p"),
    "McNemar, χ²": lambda rng: _mcnemar(
        str(rng.choice(["mcnemar-chi2", "mcnemar-chi2-corrected"]))
    ),
    "paired t": _paired_t,
    "paired z": _paired_z,
    "t of two samples": _two_samples_t,
    "Wilcoxon": _wilcoxon,
    "z of two proportions": _two_proportions,
    "2 × 2 table": _contingency,
    "bootstrap": _bootstrap,
    "shifted bootstrap": _shifted_bootstrap,
    "randomization": _randomization,
    "shuffled labels": _shuffled_labels,
}


@dataclass(frozen=True)
class _Counted:
    """How a script turns a number of resamples into a p-value."""

    n: int
    one_more: bool

    def p(self, extreme: np.ndarray) -> float:
        return (int(extreme.sum()) + self.one_more) / (self.n + self.one_more)

    def beyond(self, drawn: np.ndarray, seen: float, side: str, *, strict: bool = False) -> float:
        """Of resamples as far toward A as what was seen, or as far either way."""
        if side == "two-sided":
            drawn, seen = np.abs(drawn), abs(seen)
        return self.p(drawn > seen if strict else drawn >= seen)


def _counted(rng: Rng, most: int = 10_000) -> _Counted:
    # 999 with one more is as usual as 1,000.
    one_more = bool(rng.random() < 0.4)
    n = int(rng.choice([n for n in RESAMPLES if n <= most]))
    return _Counted(
        n=n - 1 if one_more and n > 100 and rng.random() < 0.5 else n, one_more=one_more
    )


def _discordant(a: np.ndarray, b: np.ndarray) -> tuple[int, int]:
    return int((a & ~b).sum()), int((b & ~a).sum())


def _resampled(rng: Rng, a: np.ndarray, b: np.ndarray, number: int) -> np.ndarray:
    """A's right examples less B's in each resample of the examples."""
    n = a.size
    wins, losses = _discordant(a, b)
    drawn = rng.multinomial(n, [wins / n, losses / n, max(0.0, (n - wins - losses) / n)], number)
    return drawn[:, 0] - drawn[:, 1]


def _defined(test: Callable[..., Any], *samples: np.ndarray, **options: object) -> float:
    """A p-value of SciPy's; 1 where nothing varies and it has none."""
    with np.errstate(all="ignore"):
        p = float(test(*samples, **options).pvalue)
    return 1.0 if math.isnan(p) else p


def _of_z(z: float, side: str) -> float:
    return float(stats.norm.sf(z) if side == "greater" else 2 * stats.norm.sf(abs(z)))


# How correlations with one gold are compared.
CorrelationTest = Callable[[np.ndarray, np.ndarray, np.ndarray, bool, str], float]


def correlation(x: np.ndarray, y: np.ndarray, ranked: bool) -> float:
    """Pearson's correlation, or Spearman's."""
    if ranked:
        x, y = stats.rankdata(x), stats.rankdata(y)
    return float(np.corrcoef(x, y)[0, 1])


def measured(rng: Rng, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Human scores (continuous, skewed, or of five grades) and two measures that follow them."""
    quality = rng.normal(size=n)
    shared = rng.normal(size=n)
    noise = rng.uniform(0.2, 2.0)
    alike = rng.uniform(0.0, 0.95)
    a, b = (
        quality + noise * (alike * shared + math.sqrt(1 - alike**2) * rng.normal(size=n)) * more
        for more in (1.0, rng.choice([1.0, 1.0, 1.1, 1.4]))
    )
    shape = int(rng.integers(4))
    if shape == 1:
        quality = np.exp(quality)
    elif shape == 2:
        quality = np.clip(np.round(2 * quality), -2, 2)
    elif shape == 3:
        a, b = np.exp(a / a.std()), np.exp(b / b.std())
    return quality, a, b


def _three(gold: np.ndarray, a: np.ndarray, b: np.ndarray, ranked: bool) -> tuple[float, ...]:
    return correlation(gold, a, ranked), correlation(gold, b, ranked), correlation(a, b, ranked)


def _t_of_correlations(rng: Rng) -> CorrelationTest:
    """Hotelling's t, or Williams' (1959), as in Steiger (1980)."""
    williams = bool(rng.random() < 0.5)

    def run(gold: np.ndarray, a: np.ndarray, b: np.ndarray, ranked: bool, side: str) -> float:
        r_a, r_b, r_ab = _three(gold, a, b, ranked)
        n = gold.size
        if williams:
            return float(williams_p(r_a, r_b, r_ab, n, side))
        determinant = 1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab
        t = (r_a - r_b) * math.sqrt((n - 3) * (1 + r_ab) / (2 * determinant))
        return float(stats.t.sf(t, n - 3) if side == "greater" else 2 * stats.t.sf(abs(t), n - 3))

    return run


def _z_of_correlations(rng: Rng) -> CorrelationTest:
    """Dunn and Clark's z, Steiger's with the mean correlation, or Meng, Rosenthal and Rubin's."""
    kind = str(rng.choice(["dunn-clark", "steiger", "meng"]))

    def run(gold: np.ndarray, a: np.ndarray, b: np.ndarray, ranked: bool, side: str) -> float:
        j, k, r_ab = _three(gold, a, b, ranked)
        if kind != "dunn-clark":
            return float(fisher_z_p(j, k, r_ab, gold.size, kind, side))
        covariance = r_ab * (1 - j**2 - k**2) - j * k * (1 - j**2 - k**2 - r_ab**2) / 2
        covariance /= (1 - j**2) * (1 - k**2)
        apart = math.atanh(j) - math.atanh(k)
        return _of_z(apart * math.sqrt((gold.size - 3) / (2 - 2 * covariance)), side)

    return run


def _independent_z(rng: Rng) -> CorrelationTest:
    """Fisher's z as if the two correlations came from different examples."""

    def run(gold: np.ndarray, a: np.ndarray, b: np.ndarray, ranked: bool, side: str) -> float:
        r_a, r_b, _ = _three(gold, a, b, ranked)
        return _of_z((math.atanh(r_a) - math.atanh(r_b)) * math.sqrt((gold.size - 3) / 2), side)

    return run


def _bootstrap_of_correlations(rng: Rng) -> CorrelationTest:
    counted = _counted(rng, most=1_000)
    shifted = bool(rng.random() < 0.5)

    def run(gold: np.ndarray, a: np.ndarray, b: np.ndarray, ranked: bool, side: str) -> float:
        seen = correlation(gold, a, ranked) - correlation(gold, b, ranked)
        rows = rng.integers(gold.size, size=(counted.n, gold.size))
        drawn = _correlations(gold[rows], a[rows], ranked) - _correlations(
            gold[rows], b[rows], ranked
        )
        if shifted:
            return counted.beyond(drawn - seen, seen, side)
        if side == "greater":
            return counted.p(drawn <= 0)
        return min(1.0, 2 * min(counted.p(drawn <= 0), counted.p(drawn >= 0)))

    return run


def _randomization_of_correlations(rng: Rng) -> CorrelationTest:
    """Standardised scores, or ranks, exchanged example by example."""
    counted = _counted(rng, most=1_000)

    def run(gold: np.ndarray, a: np.ndarray, b: np.ndarray, ranked: bool, side: str) -> float:
        first, second = (stats.rankdata(x) if ranked else stats.zscore(x) for x in (a, b))
        seen = correlation(gold, first, ranked) - correlation(gold, second, ranked)
        swap = rng.random((counted.n, gold.size)) < 0.5
        many = np.broadcast_to(gold, swap.shape)
        drawn = _correlations(many, np.where(swap, second, first), ranked)
        drawn -= _correlations(many, np.where(swap, first, second), ranked)
        # Equal but for rounding counts as extreme.
        seen -= 1e-9 * max(1.0, abs(seen))
        return counted.beyond(drawn, seen, side)

    return run


def _correlations(x: np.ndarray, y: np.ndarray, ranked: bool) -> np.ndarray:
    """Row by row; 0 where a row does not vary."""
    if ranked:
        x, y = stats.rankdata(x, axis=1), stats.rankdata(y, axis=1)
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    below = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    r: np.ndarray = np.divide((x * y).sum(axis=1), below, out=np.zeros_like(below), where=below > 0)
    return r


CORRELATION_WAYS: dict[str, Callable[[Rng], CorrelationTest]] = {
    "t of two correlations": _t_of_correlations,
    "z of two correlations": _z_of_correlations,
    "z of independent correlations": _independent_z,
    "bootstrap": _bootstrap_of_correlations,
    "randomization": _randomization_of_correlations,
}


def _threshold(p: float) -> str:
    """In one of its two usual forms: three decimals, or how small it is."""
    return next((f"<{limit}" for limit in (0.0001, 0.001) if p < limit), f"{p:.3f}")


def _cut(number: float, decimals: int) -> str:
    """Digits cut off where others round."""
    return str(Decimal(repr(float(number))).quantize(Decimal(1).scaleb(-decimals), ROUND_DOWN))


P_FORMATS: dict[str, Callable[[float], str]] = {
    "2 decimals": lambda p: f"{p:.2f}",
    "3 decimals": lambda p: f"{p:.3f}",
    "4 decimals": lambda p: f"{p:.4f}",
    "3 digits": lambda p: f"{p:.3g}",
    "scientific": lambda p: f"{p:.1e}",
    "3 decimals or how small": _threshold,
    "3 decimals, cut": lambda p: _cut(p, 3),
}
SCORE_FORMATS: dict[str, Callable[[float], str]] = {
    "2 decimals": lambda score: f"{score:.2f}",
    "3 decimals": lambda score: f"{score:.3f}",
    "4 decimals": lambda score: f"{score:.4f}",
    "percent, 1 decimal": lambda score: f"{100 * score:.1f}",
    "percent, 2 decimals": lambda score: f"{100 * score:.2f}",
    "percent, 1 decimal, cut": lambda score: _cut(100 * score, 1),
}
