"""How often a pair that is ahead at p ≈ .05 on a resampled test set is ahead on the whole.

Vocabulary
----------
population
    All examples of one large dataset, taken for the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.data.result_set import ResultSet
from core.signature import short_fingerprint, signature_line
from core.significance.known_tests import significance_test_named
from core.significance.stopping import Stopped
from core.significance.streams import Rng, dataset_stream, seed_of
from core.systems.all_pairs import compare_all_pairs
from core.systems.equal_scores import differences
from core.systems.gain_confidence import gain_confidence
from core.systems.held_share import NO_INTERVAL, OF_TEST_SETS, HeldShare, interval_of_sets
from core.systems.progress import Progress, Steps
from core.systems.subsets import with_examples
from core.validation import check_choice

if TYPE_CHECKING:
    import pandas as pd

# "Around .05" is low < p < high.
_LOW, _HIGH = 0.04, 0.06


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IidCalibration:
    """Resampled test sets of one dataset, against all of its examples.

    Attributes
    ----------
    dataset, metric, test : str
        What was tested, and how.
    size : int
        Examples of a test set, drawn with replacement.
    agreeing : HeldShare
        Of tests with low < p < high, how many have the population's sign.
    interval : (float, float) or None
        95% interval of their share, by how the test sets differ; None of few test
        sets, or where all tests agree.
    n_without_sign : int
        Tests in the band of pairs that are equal in the population, left out.
    n_pairs : int
        Different pairs among the tests in the band.
    low, high : float
        The band.
    n_draws, n_asked : int
        Test sets done, and asked for.
    n_resamples : int or None
        Of Monte Carlo.
    seed : int
        Of test sets and resamples.
    fingerprint : str
        Of the data.
    """

    dataset: str
    metric: str
    test: str
    size: int
    agreeing: HeldShare
    interval: tuple[float, float] | None
    n_without_sign: int
    n_pairs: int
    low: float
    high: float
    n_draws: int
    n_asked: int
    n_resamples: int | None
    seed: int
    fingerprint: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the share, a sentence each."""
        if not self.agreeing.n:
            return ()
        return (NO_INTERVAL if self.interval is None else OF_TEST_SETS,)

    @property
    def complete(self) -> bool:
        """Whether all test sets asked for were done."""
        return self.n_draws == self.n_asked

    @property
    def signature(self) -> str:
        """The one line that names everything the share depends on."""
        return signature_line(
            analysis="calibration-iid",
            dataset=self.dataset,
            metric=self.metric,
            test=self.test,
            size=self.size,
            draws=self.n_asked,
            done=None if self.complete else self.n_draws,
            band=f"{self.low:g}-{self.high:g}",
            resamples=self.n_resamples,
            seed=self.seed,
            data=short_fingerprint(self.fingerprint) or None,
        )

    def to_frame(self) -> pd.DataFrame:
        """One row."""
        import pandas as pd

        low, high = self.interval or (None, None)
        return pd.DataFrame(
            [
                {
                    "dataset": self.dataset,
                    "size": self.size,
                    "n_draws": self.n_draws,
                    "n_tests": self.agreeing.n,
                    "n_agreeing": self.agreeing.n_held,
                    "share": self.agreeing.share,
                    "low": low,
                    "high": high,
                    "n_without_sign": self.n_without_sign,
                    "n_pairs": self.n_pairs,
                }
            ]
        )


def calibrate_iid(
    result_set: ResultSet,
    dataset: str,
    size: int,
    n_draws: int,
    *,
    test: str = "paired-bootstrap",
    metric: str | None = None,
    n_resamples: int = 9_999,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> IidCalibration:
    """Of pairs with p around .05 on resampled test sets, the share that is right about the whole.

    Parameters
    ----------
    result_set : ResultSet
        With one large dataset.
    dataset : str
        Its examples are taken for the population.
    size : int
        Examples of a test set, drawn with replacement.
    n_draws : int
        Test sets.
    test, metric, n_resamples
        As for `compare_all_pairs`.
    rng : int or Generator
        Seed.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` in test sets. Returning False stops
        and keeps those done.

    Raises
    ------
    ValueError
        If an argument is not as described, or examples come in clusters.
    Stopped
        If it was stopped before one test set was done.

    References
    ----------
    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), section 4.2.
    """
    check_choice(dataset, result_set.datasets, name="dataset")
    name = result_set.metrics[0] if metric is None else metric
    check_choice(name, result_set.metrics, name="metric")
    for argument, number, least in (("size", size, 2), ("n_draws", n_draws, 1)):
        if number < least:
            raise ValueError(f"`{argument}` must be at least {least}; got {number!r}.")
    seed = seed_of(rng)
    stream = dataset_stream(seed, dataset, f"calibration|{size}")
    steps = Steps(on_progress, total=n_draws)
    n = result_set.n_examples(dataset)
    names = result_set.systems
    turn = 1.0 if result_set.is_higher_better(name) else -1.0
    truth = np.sign(_differences(result_set, dataset, names, name) * turn)
    tests_of_set: list[int] = []
    held_of_set: list[int] = []
    n_without = 0
    pairs_seen: set[tuple[int, int]] = set()
    used: int | None = None
    for _ in range(n_draws):
        examples = stream.integers(0, n, size=size)
        resampling = int(stream.integers(2**62))
        try:
            steps.check()
            compared = compare_all_pairs(
                with_examples(result_set, dataset, examples, metric=name),
                test=test,
                metric=name,
                method="monte-carlo" if significance_test_named(test).resamples else "auto",
                n_resamples=n_resamples,
                rng=resampling,
                on_progress=lambda _done, _total: steps.keep_going(),
            )
        except Stopped:
            break
        used = compared.n_resamples[0]
        points = gain_confidence(compared)
        inside = (points.p_values > _LOW) & (points.p_values < _HIGH)
        ahead, behind = points.ahead[inside], points.behind[inside]
        signs = truth[ahead, behind]
        tests_of_set.append(int(np.count_nonzero(signs)))
        held_of_set.append(int(np.count_nonzero(signs > 0.0)))
        n_without += int(np.count_nonzero(signs == 0.0))
        pairs_seen.update(
            zip(np.minimum(ahead, behind).tolist(), np.maximum(ahead, behind).tolist(), strict=True)
        )
        steps.done += 1
    if not steps.done:
        raise Stopped("The calibration was stopped before one test set was done.")
    if steps.done == n_draws:
        steps.finish()
    return IidCalibration(
        dataset=dataset,
        metric=name,
        test=test,
        size=size,
        agreeing=HeldShare(n=sum(tests_of_set), n_held=sum(held_of_set)),
        interval=interval_of_sets(held_of_set, tests_of_set),
        n_without_sign=n_without,
        n_pairs=len(pairs_seen),
        low=_LOW,
        high=_HIGH,
        n_draws=steps.done,
        n_asked=n_draws,
        n_resamples=used,
        seed=seed,
        fingerprint=result_set.fingerprint,
    )


def _differences(
    result_set: ResultSet, dataset: str, systems: tuple[str, ...], metric: str
) -> np.ndarray:
    scores = np.array([result_set.score(dataset, system, metric) for system in systems])
    return differences(scores)
