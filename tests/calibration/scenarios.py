"""Systems of which it is known which is better, if any: what the tests are judged on.

Under `ahead` = 0 the two systems may be exchanged, which makes every test's null hypothesis true.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from core.significance.choose import suitable_tests

# Arguments of `run_significance_test`.
Scores = Mapping[str, Any]
RESAMPLING = ("paired-bootstrap", "approximate-randomization")
OUTCOMES = "0/1 outcomes"
RATINGS = "ratings 1 to 5"
MEASURES = "measurements"
# The thorough run's repetitions in those of the ordinary one.
_TIMES = 20


class Kind(NamedTuple):
    """One kind of scores: how it is drawn, and the tests that are judged on it.

    The planted effect `ahead` is in units of the kind; repetitions go by the number of examples or
    clusters, those of `more` in the thorough run only.
    """

    # From n, `ahead` and a stream; a negative `ahead` is for B.
    draw: Callable[[int, float, np.random.Generator], Scores]
    tests: tuple[str, ...]
    ahead: float
    quick: Mapping[int, int]
    more: Mapping[int, int] = MappingProxyType({})

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of examples, or of clusters, in the ordinary run."""
        return tuple(self.quick)

    @property
    def thorough(self) -> dict[int, int]:
        """Repetitions in the thorough run."""
        return {n: _TIMES * repetitions for n, repetitions in self.quick.items()} | dict(self.more)


def _draw_outcomes(n: int, ahead: float, rng: np.random.Generator) -> Scores:
    """Of .2 that differ, A has the better half; `ahead` in standard errors."""
    shift = 0.5 * ahead / np.sqrt(0.2 * n)
    wins, losses, _ = rng.multinomial(n, [0.2 * (0.5 + shift), 0.2 * (0.5 - shift), 0.8])
    order = np.arange(n)
    return {"a": order < wins, "b": (order >= wins) & (order < wins + losses)}


def _draw_ratings(n: int, ahead: float, rng: np.random.Generator) -> Scores:
    """`ahead` is the mean difference in standard errors."""
    hard = rng.integers(1, 5, n)
    a, b = hard + rng.integers(0, 2, n), hard + rng.integers(0, 2, n)
    # A difference has variance ½; some of the examples that one wins become ties.
    lift = rng.random(n) < abs(ahead) * np.sqrt(0.5 / n) / 0.25
    if ahead < 0:
        return {"a": a, "b": np.where(lift & (b < a), a, b)}
    return {"a": np.where(lift & (a < b), b, a), "b": b}


def _draw_measures(n: int, ahead: float, rng: np.random.Generator) -> Scores:
    """`ahead` is the mean difference in standard errors; A has the larger variance."""
    common = rng.normal(0, 2, n)
    return {
        "a": common + rng.normal(ahead / np.sqrt(n), 0.8, n),
        "b": common + rng.normal(0, 0.6, n),
    }


def _draw_clusters(n: int, ahead: float, rng: np.random.Generator) -> Scores:
    """n documents of 1 to 8 sentences, alike within a document; `ahead` in standard deviations."""
    labels = np.repeat(np.arange(n), rng.integers(1, 9, n))
    a, b = (
        rng.normal(shift, 1, n)[labels] + rng.normal(0, 1, labels.size) for shift in (ahead, 0.0)
    )
    return {"a": a, "b": b, "clusters": labels}


def _two(ahead: float) -> tuple[float, float]:
    return max(ahead, 0.0), max(-ahead, 0.0)


def _draw_ratios(n: int, ahead: float, rng: np.random.Generator) -> Scores:
    """Sentences of different lengths and difficulty, both systems with totals of their own."""
    difficulty = rng.beta(6, 3, n)
    pair = []
    for shift in _two(ahead):
        totals = rng.integers(5, 30, n)
        correct = rng.binomial(totals, np.clip(difficulty + shift, 0.0, 1.0))
        pair.append(np.column_stack([correct, totals]))
    return {"a": pair[0], "b": pair[1], "metric": "ratio"}


def _draw_f1(n: int, ahead: float, rng: np.random.Generator) -> Scores:
    """Entities of each sentence: found, made up and missed."""
    entities, difficulty = rng.integers(0, 6, n), rng.beta(5, 3, n)
    pair = []
    for shift in _two(ahead):
        found = rng.binomial(entities, np.clip(difficulty + shift, 0.0, 1.0))
        pair.append(np.column_stack([found, rng.poisson(0.8, n), entities - found]))
    return {"a": pair[0], "b": pair[1], "metric": "f1"}


def _draw_bleu(n: int, ahead: float, rng: np.random.Generator) -> Scores:
    """Segments of 8 to 40 words, some harder than others."""
    reference, ease = rng.integers(8, 41, n), rng.beta(8, 4, n)
    pair = []
    for shift in _two(ahead):
        length = np.maximum(reference + rng.integers(-2, 3, n), 4)
        totals = length[:, np.newaxis] - np.arange(4)
        share = np.clip(ease + shift, 0.0, 1.0)[:, np.newaxis] ** np.arange(1, 5)
        pair.append(np.column_stack([length, reference, rng.binomial(totals, share), totals]))
    return {"a": pair[0], "b": pair[1], "metric": "bleu"}


def _draw_predictions(kind: str) -> Callable[[int, float, np.random.Generator], Scores]:
    def draw(n: int, ahead: float, rng: np.random.Generator) -> Scores:
        """Normal triples: both systems correlate with gold by .6, or one by `ahead` more."""
        r_a, r_b = (0.6 + shift for shift in _two(ahead))
        covariance = [[1.0, r_a, r_b], [r_a, 1.0, 0.5], [r_b, 0.5, 1.0]]
        gold, a, b = rng.multivariate_normal(np.zeros(3), covariance, size=n).T
        return {"a": a, "b": b, "gold": gold, "metric": kind}

    return draw


def _draw_labels(metric: str) -> Callable[[int, float, np.random.Generator], Scores]:
    def draw(n: int, ahead: float, rng: np.random.Generator) -> Scores:
        """Three classes of different sizes; each system takes some examples for another class."""
        gold = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
        pair = []
        for shift in _two(ahead):
            wrong = rng.random(n) < 0.3 - shift
            pair.append(np.where(wrong, (gold + rng.integers(1, 3, n)) % 3, gold))
        names = np.array(["x", "y", "z"])
        return {"a": names[pair[0]], "b": names[pair[1]], "gold": names[gold], "metric": metric}

    return draw


_ANY_SCORES = tuple(test for test in suitable_tests("mean") if not test.startswith("mcnemar"))
_OF_CORRELATIONS = (*RESAMPLING, "williams", "steiger", "meng")

# By the name of each kind.
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        # A p-value depends on wins and losses only, so that few are computed.
        OUTCOMES: Kind(
            _draw_outcomes, suitable_tests("mean"), 3.0, {50: 5_000, 200: 2_500, 1000: 1_000}
        ),
        RATINGS: Kind(_draw_ratings, _ANY_SCORES, 3.0, {50: 80, 200: 80, 1000: 80}),
        # Wilcoxon's exact distribution takes too long for the ordinary run.
        MEASURES: Kind(_draw_measures, _ANY_SCORES, 3.0, {50: 80, 200: 80}, more={1000: 400}),
        "clustered measurements": Kind(_draw_clusters, RESAMPLING, 0.8, {50: 80}),
        "ratio": Kind(_draw_ratios, RESAMPLING, 0.09, {50: 80}),
        "f1": Kind(_draw_f1, RESAMPLING, 0.2, {50: 80}),
        "bleu": Kind(_draw_bleu, RESAMPLING, 0.06, {50: 80}),
        "macro-f1": Kind(_draw_labels("macro-f1"), RESAMPLING, 0.15, {200: 80}),
        "mcc": Kind(_draw_labels("mcc"), RESAMPLING, 0.15, {200: 80}),
        "pearson": Kind(_draw_predictions("pearson"), _OF_CORRELATIONS, 0.3, {50: 80}),
        "spearman": Kind(_draw_predictions("spearman"), _OF_CORRELATIONS, 0.3, {50: 80}),
    }
)
