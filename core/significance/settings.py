"""What a test is given besides the scores, checked, and its stream of random numbers.

Each stream comes from a hash of its own names, the seed, the dataset and the test: adding,
dropping or reordering datasets changes no other dataset's p-value, and no two seeds share one.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, get_args

import numpy as np

from ..comparison import BETTER, checked_margin, comparison_named
from ..validation import check_choice, check_open_share, check_whole
from .stopping import KeepGoing

TestAlternative = Literal["greater", "less", "two-sided"]
Direction = Literal["greater", "less"]
Method = Literal["auto", "exact", "monte-carlo", "normal"]
Estimator = Literal["add-one", "berg-kirkpatrick"]
Zeros = Literal["wilcox", "pratt", "zsplit"]
IntervalKind = Literal["basic", "percentile", "bca"]
# Beside a claim at a margin: what the test itself does not reject.
Own = Literal["own"]
MethodUsed = Literal["exact", "monte-carlo", "normal", "student"]

TEST_ALTERNATIVES: tuple[TestAlternative, ...] = get_args(TestAlternative)
METHODS: tuple[Method, ...] = get_args(Method)
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)
ZEROS: tuple[Zeros, ...] = get_args(Zeros)
INTERVAL_KINDS: tuple[IntervalKind, ...] = get_args(IntervalKind)
OWN: Own = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of tests, as `run_significance_test` describes them; not all tests have all."""

    alternative: TestAlternative = "greater"
    method: Method = "auto"
    n_resamples: int = 9999
    resample_size: int | None = None
    estimator: Estimator = "add-one"
    zeros: Zeros = "wilcox"
    confidence_level: float = 0.95
    interval: IntervalKind = "basic"
    with_interval: bool = True
    claim: str = BETTER
    margin: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "margin", checked_margin(self.claim, self.margin))
        if comparison_named(self.claim).takes_margin:
            if self.alternative != "greater":
                raise ValueError(
                    f"`alternative` must be 'greater' with `claim` {self.claim!r}; got "
                    f"{self.alternative!r}. What is claimed of B has a p-value in the result."
                )
            if self.estimator != "add-one":
                raise ValueError(
                    f"`estimator` must be 'add-one' with `claim` {self.claim!r}, as the other one "
                    f"reproduces published p-values; got {self.estimator!r}."
                )
        check_choice(self.alternative, TEST_ALTERNATIVES, name="alternative")
        check_choice(self.estimator, ESTIMATORS, name="estimator")
        check_choice(self.zeros, ZEROS, name="zeros")
        check_choice(self.interval, INTERVAL_KINDS, name="interval")
        check_choice(self.method, METHODS, name="method")
        n_resamples = check_whole(self.n_resamples, name="n_resamples", least=1)
        object.__setattr__(self, "n_resamples", n_resamples)
        if self.resample_size is not None:
            resample_size = check_whole(self.resample_size, name="resample_size", least=1)
            object.__setattr__(self, "resample_size", resample_size)
        level = check_open_share(self.confidence_level, name="confidence_level")
        object.__setattr__(self, "confidence_level", level)

    @property
    def strict(self) -> bool:
        """Whether the bootstrap's event is >, and p = s/b."""
        return self.estimator == "berg-kirkpatrick"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """What a kernel is asked besides the scores."""

    settings: Settings
    rng: np.random.Generator
    keep_going: KeepGoing = None


Rng = int | np.integer | np.random.Generator


def dataset_stream(seed: int, dataset: str, test: str) -> np.random.Generator:
    """The stream of one dataset under one seed and test."""
    digest = sha256(f"{seed}|{dataset}|{test}".encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest))


def seed_of(rng: Rng) -> int:
    """The seed itself, 0 included; of a Generator, one drawn from it."""
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    raise ValueError(f"`rng` must be a seed of at least 0 or a Generator; got {rng!r}.")


def seed_or_new(rng: Rng | None) -> int:
    """As `seed_of`, and of None a seed that differs each time."""
    return seed_of(np.random.default_rng() if rng is None else rng)


def generator_of(rng: Rng | None) -> tuple[np.random.Generator, int | None]:
    """A Generator for one test, and its seed, a new one for None; a Generator given has none."""
    if isinstance(rng, np.random.Generator):
        return rng, None
    seed = seed_or_new(rng)
    return np.random.default_rng(seed), seed
