"""How often a pair that is ahead on a test set is ahead on the whole too.

Vocabulary
----------
population
    All examples of one large dataset, taken for the truth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..shown import DataFrame, frame_of
from ..signature import short_fingerprint, signature_line
from ..significance.settings import Rng, dataset_stream, positive_number, seed_of
from ..significance.stopping import Progress, Steps, Stopped
from ..simulation.results import Rate
from ..validation import check_choice
from .comparisons import differences
from .gain_confidence import BAND, gain_confidence
from .sizes import compared_on

OF_TEST_SETS = (
    "The interval goes by how the test sets differ, since tests of one test set share its examples and "
    "systems and the same pairs come again in many. It holds for these systems on this dataset, not for "
    "others."
)
NO_INTERVAL = (
    "There is no interval: it goes by how the test sets differ, and needs at least ten with such tests, "
    "and some tests that disagree. The tests are not independent: they share systems and examples."
)
# Fewer say little of how far others would differ.
FEWEST_TEST_SETS = 10


def interval_of_sets(n_held: npt.ArrayLike, n: npt.ArrayLike) -> tuple[float, float] | None:
    """95% interval of a share whose cases come in test sets, which are independent of each other.

    The ratio's standard error by linearization, on the scale of log odds, with Student's quantile.
    """
    from scipy.special import expit, stdtrit

    held, cases = np.asarray(n_held, dtype=np.float64), np.asarray(n, dtype=np.float64)
    k = int(np.count_nonzero(cases))
    if k < FEWEST_TEST_SETS:
        return None
    share = float(held.sum() / cases.sum())
    apart = held - share * cases
    variance = k / (k - 1.0) * float(apart @ apart) / float(cases.sum()) ** 2
    if not 0.0 < share < 1.0 or variance <= 0.0:
        return None
    odds = np.log(share / (1.0 - share))
    room = float(stdtrit(k - 1, 0.975)) * np.sqrt(variance) / (share * (1.0 - share))
    return float(expit(odds - room)), float(expit(odds + room))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IidCalibration:
    """Resampled test sets of one dataset, against all of its examples.

    `agreeing` are, of tests with p around .05, those that have the population's sign;
    `n_without_sign` are of pairs that are equal there, left out; the others are of `n_pairs`
    different pairs.
    """

    dataset: str
    metric: str
    test: str
    size: int
    agreeing: Rate
    interval: tuple[float, float] | None
    n_without_sign: int
    n_pairs: int
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
            band=f"{BAND[0]:g}-{BAND[1]:g}",
            resamples=self.n_resamples,
            seed=self.seed,
            data=short_fingerprint(self.fingerprint) or None,
        )

    def to_frame(self) -> DataFrame:
        """One row."""
        low, high = self.interval or (None, None)
        return frame_of(
            [
                {
                    "dataset": self.dataset,
                    "size": self.size,
                    "n_draws": self.n_draws,
                    "n_tests": self.agreeing.n,
                    "n_agreeing": self.agreeing.count,
                    "share": self.agreeing.rate,
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

    The dataset's examples are taken for the population; a test set has so many of them, drawn with
    replacement. Stopped, the test sets that are done are kept. Berg-Kirkpatrick, Burkett and Klein
    (EMNLP-CoNLL 2012), section 4.2.
    """
    check_choice(dataset, result_set.datasets, name="dataset")
    name = result_set.metrics[0] if metric is None else metric
    check_choice(name, result_set.metrics, name="metric")
    if size < 2:
        raise ValueError(f"`size` must be at least 2; got {size!r}.")
    n_draws = positive_number("n_draws", n_draws)
    seed = seed_of(rng)
    stream = dataset_stream(seed, dataset, f"calibration|{size}")
    steps = Steps(on_progress, total=n_draws)
    n = result_set.n_examples(dataset)
    turn = 1.0 if result_set.is_higher_better(name) else -1.0
    scores = np.array([result_set.score(dataset, system, name) for system in result_set.systems])
    truth = np.sign(differences(scores) * turn)
    tests_of_set: list[int] = []
    held_of_set: list[int] = []
    n_without = 0
    pairs_seen: set[tuple[int, int]] = set()
    used: int | None = None
    for _ in range(n_draws):
        examples = stream.integers(0, n, size=size)
        resampling = int(stream.integers(2**62))
        try:
            compared = compared_on(
                result_set,
                dataset,
                examples,
                metric=name,
                test=test,
                n_resamples=n_resamples,
                rng=resampling,
                steps=steps,
            )
        except Stopped:
            break
        used = compared.n_resamples[0]
        points = gain_confidence(compared)
        inside = (points.p_values > BAND[0]) & (points.p_values < BAND[1])
        ahead, behind = points.ahead[inside], points.behind[inside]
        signs = truth[ahead, behind]
        ahead, behind = ahead[signs != 0.0], behind[signs != 0.0]
        tests_of_set.append(int(np.count_nonzero(signs)))
        held_of_set.append(int(np.count_nonzero(signs > 0.0)))
        n_without += int(np.count_nonzero(signs == 0.0))
        pairs_seen.update(
            zip(np.minimum(ahead, behind).tolist(), np.maximum(ahead, behind).tolist(), strict=True)
        )
        steps.done += 1
    steps.end("The calibration was stopped before one test set was done.")
    return IidCalibration(
        dataset=dataset,
        metric=name,
        test=test,
        size=size,
        agreeing=Rate(n=sum(tests_of_set), count=sum(held_of_set)),
        interval=interval_of_sets(held_of_set, tests_of_set),
        n_without_sign=n_without,
        n_pairs=len(pairs_seen),
        n_draws=steps.done,
        n_asked=n_draws,
        n_resamples=used,
        seed=seed,
        fingerprint=result_set.fingerprint,
    )
