"""Results kept for one session: few, and only for exactly the same input."""

from __future__ import annotations

import numpy as np

from core.analysis.memory import key_of
from pages.ui.frame.session import Results


def test_a_result_is_computed_once_and_handed_out_as_it_is() -> None:
    results, made = Results(), []

    def compute() -> list[int]:
        made.append(object())
        return [1]

    first = results.remember(key_of("a"), compute)
    assert results.remember(key_of("a"), compute) is first
    assert len(made) == 1


def test_no_more_results_are_kept_than_allowed_and_the_least_used_goes_first() -> None:
    results = Results(most=3)
    computed: list[str] = []

    def remember(name: str) -> None:
        results.remember(key_of(name), lambda: computed.append(name))

    for name in "abc":
        remember(name)
    remember("a")
    remember("d")  # in the place of b, the longest unused
    computed.clear()
    for name in "acd":
        remember(name)
    assert computed == []
    remember("b")
    assert computed == ["b"]
    assert len(results._kept) == 3


def test_inputs_that_differ_in_anything_have_different_keys() -> None:
    for one, other in (
        ((np.zeros(4),), (np.zeros((2, 2)),)),
        ((np.zeros(4),), (np.zeros(4, dtype=np.int64),)),
        ((np.zeros(4),), (-np.zeros(4),)),
        ((np.zeros(4), "greater"), (np.zeros(4), "less")),
        ((np.zeros(4), 0.05), (np.zeros(4), 0.01)),
        ((np.zeros(4), None), (np.zeros(4),)),
        ((np.zeros(2), np.zeros(2)), (np.zeros(4),)),
    ):
        assert key_of(*one) != key_of(*other), (one, other)


def test_two_users_share_no_result() -> None:
    one, other = Results(), Results()
    one.remember(key_of("a"), lambda: "of one")
    assert other.remember(key_of("a"), lambda: "of the other") == "of the other"
