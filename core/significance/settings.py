"""What a test is told besides the scores, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from core.significance.choose import (
    CORRELATION_TESTS,
    RESAMPLING_TESTS,
    SignificanceTest,
    significance_tests,
)
from core.significance.intervals import INTERVAL_KINDS, IntervalKind
from core.significance.result import (
    ESTIMATORS,
    METHODS,
    TEST_ALTERNATIVES,
    ZEROS,
    Estimator,
    Method,
    TestAlternative,
    Zeros,
)
from core.validation import check_choice, check_open_share

# Settings that only some tests have. Of many datasets' tests, the others take the usual one.
TESTS_HAVING: Mapping[str, tuple[SignificanceTest, ...]] = {
    "estimator": ("paired-bootstrap",),
    "zeros": ("wilcoxon",),
    "resample_size": ("paired-bootstrap",),
}
_APPROXIMATE = ("paired-t", "mcnemar-chi2", "mcnemar-chi2-corrected", *CORRELATION_TESTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of one test, as `run_significance_test` describes them.

    Raises
    ------
    ValueError
        If one is not as described or does not go with the test.
    """

    test: str
    alternative: TestAlternative
    method: Method
    n_resamples: int
    resample_size: int | None
    estimator: Estimator
    zeros: Zeros
    confidence_level: float
    interval: IntervalKind = "basic"
    with_interval: bool = True

    def __post_init__(self) -> None:
        check_choice(self.test, significance_tests, name="test")
        check_choice(self.alternative, TEST_ALTERNATIVES, name="alternative")
        check_choice(self.estimator, ESTIMATORS, name="estimator")
        check_choice(self.zeros, ZEROS, name="zeros")
        check_choice(self.interval, INTERVAL_KINDS, name="interval")
        _check_method(self.method, self.test)
        n_resamples = positive_number("n_resamples", self.n_resamples)
        object.__setattr__(self, "n_resamples", n_resamples)
        if self.resample_size is not None:
            resample_size = positive_number("resample_size", self.resample_size)
            object.__setattr__(self, "resample_size", resample_size)
        _check_bootstrap_settings(self.test, self.resample_size, self.estimator)
        level = check_open_share(self.confidence_level, name="confidence_level")
        object.__setattr__(self, "confidence_level", level)

    @property
    def strict(self) -> bool:
        """Whether the bootstrap's event is >, and p = s/b."""
        return self.estimator == "berg-kirkpatrick"


class OwnSettings(TypedDict):
    """Those of one test, as `run_significance_test` takes them by name."""

    method: Method
    interval: IntervalKind
    estimator: Estimator
    zeros: Zeros
    resample_size: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSettings:
    """Settings for tests on many datasets: each test is given those that it has.

    Raises
    ------
    ValueError
        If one is not as `run_significance_test` describes it.
    """

    method: Method = "auto"
    interval: IntervalKind = "basic"
    estimator: Estimator = "add-one"
    zeros: Zeros = "wilcox"
    resample_size: int | None = None

    def __post_init__(self) -> None:
        check_choice(self.method, METHODS, name="method")
        check_choice(self.interval, INTERVAL_KINDS, name="interval")
        check_choice(self.estimator, ESTIMATORS, name="estimator")
        check_choice(self.zeros, ZEROS, name="zeros")
        if self.resample_size is not None:
            resample_size = positive_number("resample_size", self.resample_size)
            object.__setattr__(self, "resample_size", resample_size)

    def of(self, test: str) -> OwnSettings:
        """Those that a test has; of the others the defaults.

        Raises
        ------
        ValueError
            If there is no such test.
        """
        check_choice(test, significance_tests, name="test")
        usual = SharedSettings()
        given = {name: self if test in having else usual for name, having in TESTS_HAVING.items()}
        return OwnSettings(
            method=self.method if test in _tests_with(self.method) else usual.method,
            interval=self.interval,
            estimator=given["estimator"].estimator,
            zeros=given["zeros"].zeros,
            resample_size=given["resample_size"].resample_size,
        )

    def check_used(self, tests: Iterable[str]) -> None:
        """Check that each setting that is not the default is one of some test's.

        Raises
        ------
        ValueError
            If it is not.
        """
        planned = tuple(dict.fromkeys(tests))
        for test in planned:
            check_choice(test, significance_tests, name="test")
        usual = SharedSettings()
        for name, having in {"method": _tests_with(self.method), **TESTS_HAVING}.items():
            value = getattr(self, name)
            if value != getattr(usual, name) and not set(having) & set(planned):
                raise ValueError(
                    f"`{name}` {value!r} must come with `test` {_listed(having)} on some dataset; "
                    f"the tests are {_listed(planned, 'and')}."
                )


def _tests_with(method: Method) -> tuple[str, ...]:
    if method == "monte-carlo":
        return RESAMPLING_TESTS
    if method == "normal":
        return ("wilcoxon",)
    if method == "exact":
        return tuple(test for test in significance_tests if test not in _APPROXIMATE)
    return significance_tests


def _listed(names: tuple[str, ...], word: str = "or") -> str:
    quoted = [f"'{name}'" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"


def positive_number(name: str, value: int) -> int:
    """Return `value` if it is a whole number of at least 1.

    Raises
    ------
    ValueError
        If it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"`{name}` must be a whole number of at least 1; got {value!r}.")
    return int(value)


def _check_method(method: Method, test: str) -> None:
    check_choice(method, METHODS, name="method")
    if test in _tests_with(method):
        return
    if method == "monte-carlo":
        raise ValueError(
            "`method` 'monte-carlo' must come with `test` 'paired-bootstrap' or "
            f"'approximate-randomization'; got {test!r}."
        )
    if method == "normal":
        raise ValueError(f"`method` 'normal' must come with `test` 'wilcoxon'; got {test!r}.")
    raise ValueError(f"`method` 'exact' must come with another `test` than {test!r}.")


def _check_bootstrap_settings(test: str, resample_size: int | None, estimator: str) -> None:
    asked = {
        "resample_size": "" if resample_size is None else "`resample_size`",
        "estimator": "" if estimator == "add-one" else f"`estimator` {estimator!r}",
    }
    for name, words in asked.items():
        having = TESTS_HAVING[name]
        if words and test not in having:
            raise ValueError(f"{words} must come with `test` {_listed(having)}; got {test!r}.")
