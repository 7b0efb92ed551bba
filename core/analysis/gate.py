"""A claim about at least K of N datasets, decided for a build: shown, contradicted, or neither.

Vocabulary
----------
claim
    What must hold on at least K of the N datasets: that A is better, better by a margin, not
    worse by more than a margin, or equivalent to B within a margin.
opposite
    Its negation on one dataset, shown by a test of its own: of "A is not worse than B by more
    than m", that B is better than A by m.

The claim is shown if k̂ of it is at least K, and contradicted if k̂ of the opposite is at least
N − K + 1. Each is a count at level alpha. Only one of the two can be false, as exactly one of "on
at least K datasets" and "on fewer" is true; so whichever is stated, it is false in at most a
share alpha of studies.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..comparison import comparison_named
from ..data import ResultSet
from ..effects.from_results import dataset_effects
from ..errors import DataError
from ..reliability.power import ExamplesNeeded, StatedEffect, examples_needed, tests_of_known_power
from ..replicability.counting import Counting, count_datasets
from ..shown import Shown
from ..significance.known_tests import significance_test_named
from ..significance.single import SignificanceResult
from ..simulation.batch import BatchCounter
from ..types import FloatArray
from .analysis import Analysis, Origin, analyse
from .settings import AnalysisSettings, margins_of, metric_of, systems_of

Outcome = Literal["shown", "contradicted", "not decided"]

# Opposite of a claim, with A and B exchanged; two sides where the claim itself has two.
OPPOSITE = {
    "better": "better",
    "better-by": "not-worse",
    "not-worse": "better-by",
    "equivalent": "better-by",
}
POWER = 0.8
_STUDIES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What decides a claim that is not decided, for a true difference that is stated.

    `power` is the chance that these sizes show the claim if A and B are equally good on every dataset,
    by the normal approximation with the standard errors of these results, and so many `examples` on
    every dataset raise it to 80%, planned for the test of the `dataset` where it takes the most: nan and
    None where the claim is false then. From the `gain` on, the same difference on every dataset and in
    the metric's units, these sizes show the claim with a chance of 80%; nan for an equivalence.
    """

    power: float
    examples: ExamplesNeeded | None
    dataset: str
    gain: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decision(Shown):
    """What the results say of a claim about at least K datasets.

    Attributes
    ----------
    outcome : {"shown", "contradicted", "not decided"}
        False in at most a share alpha of studies where it is one of the first two.
    at_least : int
        K.
    results : ResultSet
        Of both systems.
    settings : AnalysisSettings
        The claim, its margin, and how it is tested and counted.
    datasets : tuple of str
        All N.
    analysis : Analysis or None
        Of the claim; None where the tests are refused.
    count, opposite : Counting or None
        Of the datasets on which the claim is shown, and its opposite.
    refused : DataError or None
        Why the tests are refused: then nothing is decided.
    """

    outcome: Outcome
    at_least: int
    results: ResultSet
    settings: AnalysisSettings
    datasets: tuple[str, ...]
    analysis: Analysis | None = None
    count: Counting | None = None
    opposite: Counting | None = None
    refused: DataError | None = None

    @property
    def systems(self) -> tuple[str, str]:
        """Names of A and B."""
        places = systems_of(self.settings, len(self.results.systems))
        first, second = (self.results.systems[place] for place in places)
        return (second, first) if self.settings.swapped else (first, second)

    @property
    def needed_to_contradict(self) -> int:
        """On how many datasets the opposite must be shown."""
        return len(self.datasets) - self.at_least + 1


def decide(
    results: ResultSet,
    at_least: int,
    settings: AnalysisSettings | None = None,
    *,
    origin: Origin | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Decision:
    """Decide whether a claim holds on at least K datasets.

    Parameters
    ----------
    results : ResultSet
        Results of both systems on every example.
    at_least : int
        K, from 1 to the number of datasets.
    settings : AnalysisSettings, optional
        The claim with its margin, which systems are A and B, and how to test and count.
    origin : Origin, optional
        Where the data come from.
    on_progress : callable, optional
        As `run_dataset_tests` calls it; once through for each of two claims.

    Returns
    -------
    Decision
        Shown or contradicted, each falsely in at most a share alpha of studies, or not decided.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> from replicability import AnalysisSettings, decide, read_results, read_sample
    >>> sample, content = read_sample("simulated-accuracy")
    >>> settings = AnalysisSettings(claim="not-worse", margin=0.1)
    >>> decide(read_results(content), 5, settings).outcome
    'shown'
    """
    chosen = settings or AnalysisSettings()
    names = tuple(name for name in results.datasets if name not in chosen.excluded)
    if not 1 <= at_least <= len(names):
        raise ValueError(
            f"`at_least` must lie between 1 and the number of datasets, {len(names)}; got {at_least}."
        )
    decision = Decision(
        outcome="not decided",
        at_least=at_least,
        results=results,
        settings=chosen,
        datasets=names,
    )
    try:
        analysis = analyse(results, chosen, origin=origin, on_progress=on_progress)
        against = _opposite_p_values(analysis, on_progress)
    except DataError as refused:
        return replace(decision, refused=refused)
    count, opposite = (
        count_datasets(p_values, alpha=chosen.alpha, combination=chosen.counted_by)
        for p_values in (_p_values(analysis, "a-better"), against)
    )
    outcome: Outcome = "not decided"
    if count.k_hat >= at_least:
        outcome = "shown"
    elif opposite.k_hat >= decision.needed_to_contradict:
        outcome = "contradicted"
    return replace(decision, outcome=outcome, analysis=analysis, count=count, opposite=opposite)


def _p_values(analysis: Analysis, side: Literal["a-better", "b-better"]) -> FloatArray:
    found = analysis.assessment
    answer = found.answer_a if side == "a-better" else found.answer_b
    assert answer is not None  # tests made here have a direction
    return analysis.agreed_p_values(answer, side)


def _opposite_p_values(
    analysis: Analysis, on_progress: Callable[[int, int], object] | None
) -> FloatArray:
    results, settings = analysis.data, analysis.settings
    assert isinstance(results, ResultSet)
    claim = OPPOSITE[settings.claim]
    if claim == settings.claim:
        return _p_values(analysis, "b-better")
    both_sides = comparison_named(settings.claim).both_sides
    swapped = settings.swapped != (not both_sides)
    against = replace(settings, claim=claim, swapped=swapped)
    opposite = analyse(results, against, on_progress=on_progress)
    found = _p_values(opposite, "a-better")
    if both_sides:
        # Apart by the margin on either side: the smaller of two p-values, doubled.
        found = np.minimum(1.0, 2.0 * np.minimum(found, _p_values(opposite, "b-better")))
    return found


def need_of(decision: Decision) -> Need | None:
    """What would decide a claim that is not decided.

    None where the tests are refused, or the results of a dataset do not vary: then there is no
    standard error to plan by.
    """
    from scipy.special import ndtr, ndtri

    settings, analysis = decision.settings, decision.analysis
    if analysis is None:
        return None
    a, b = decision.systems
    effects = dataset_effects(
        decision.results,
        a=a,
        b=b,
        metric=metric_of(decision.results, settings),
        clusters=None if settings.whole_clusters else {},
        datasets=decision.datasets,
        rng=settings.seed,
    )
    errors = effects.standard_errors
    if errors is None or len(errors) < len(decision.datasets) or not effects.has_variance.all():
        return None
    comparison, own = comparison_named(settings.claim), margins_of(decision.results, settings)
    margins = np.array([own.get(name, 0.0) for name in decision.datasets])
    counter = BatchCounter(errors.size, alpha=settings.alpha)
    noise = np.random.default_rng(0).standard_normal((_STUDIES, errors.size))
    by = settings.counted_by

    def shown(above: FloatArray, below: FloatArray) -> float:
        """How often the claim is, by how many standard errors each end of it is away."""
        z = noise + above
        if comparison.both_sides:
            z = np.minimum(z, below - noise)
        counts = counter.k_hat(ndtr(-z), (by,))[by]
        return float(np.mean(counts >= decision.at_least))

    def power(difference: float) -> float:
        above = (difference + comparison.shift * margins) / errors
        return shown(above, (margins - difference) / errors)

    gain = math.nan
    if not comparison.both_sides:
        high = float(errors.max())
        while power(high) < POWER:
            high *= 2.0
        gain = _first(lambda difference: power(difference) >= POWER, -margins.max(), high)
    if comparison.shift <= 0:
        # Of equally good systems the claim is false.
        return Need(power=math.nan, examples=None, dataset="", gain=gain)
    # How many standard errors of every dataset the margin must be, and how often its test then
    # shows "not worse" on one dataset, at the whole level. An equivalence is two of these, and as
    # one claim may be shown on no dataset alone where datasets are combined.
    far = _first(lambda z: shown(np.full(errors.size, z), np.full(errors.size, z)) >= POWER, 0, 99)
    alone = float(ndtr(far + ndtri(settings.alpha)))
    sizes = np.array([decision.results.n_examples(name) for name in decision.datasets])
    with np.errstate(divide="ignore"):
        place = int(np.argmax(errors**2 * sizes / margins**2))
    return Need(
        power=power(0.0),
        examples=_examples(analysis, place, float(errors[place]), alone),
        dataset=decision.datasets[place],
        gain=gain,
    )


def _examples(analysis: Analysis, place: int, error: float, power: float) -> ExamplesNeeded:
    """How many of one dataset its test of "not worse" needs, where the systems are equally good."""
    assert analysis.table.results is not None
    result = analysis.table.results[place]
    assert isinstance(result, SignificanceResult)
    test, differing, deviation = result.test, None, None
    if significance_test_named(test).p_at_margin is not None:
        differing = (result.wins + result.losses) / result.n_examples
    else:
        deviation = error * math.sqrt(result.n_examples)
        # Of other scores, and of clusters, as of a mean.
        test = test if test in tests_of_known_power() else "paired-t"
    return examples_needed(
        StatedEffect(
            effect=0.0,
            test=test,
            alpha=analysis.settings.alpha,
            disagreement=differing,
            standard_deviation=deviation,
            claim="not-worse",
            margin=result.margin,
        ),
        power,
    )


def _first(reaches: Callable[[float], bool], low: float, high: float) -> float:
    """Where it is reached first between two ends, the higher of which reaches it."""
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high
