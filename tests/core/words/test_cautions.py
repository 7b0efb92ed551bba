"""What is said of tests of two correlations: few examples, near 1, intervals that hold 0."""

from dataclasses import replace
from typing import Any

import numpy as np

from core.significance.outcome import Sides
from core.significance.single import SignificanceResult, run_significance_test
from core.words.testing import delicate_sentences, interval_over_zero_sentence

RNG = np.random.default_rng(3)


def compared(
    n: int, *, noise: float = 1.0, test: Any = "approximate-randomization", **more: Any
) -> SignificanceResult:
    gold = RNG.normal(size=n)
    a, b = gold + noise * RNG.normal(size=n), gold + noise * RNG.normal(size=n)
    arguments: dict[str, Any] = {"metric": "spearman", "n_resamples": 99, "rng": 0, **more}
    return run_significance_test(a, b, gold=gold, test=test, **arguments)


def said(*results: SignificanceResult | None) -> str:
    return " ".join(delicate_sentences(results, [f"d{i}" for i in range(len(results))]))


def test_what_tests_of_correlations_reject_is_said_of_any_number_of_examples() -> None:
    for test, kind, rates in (
        ("approximate-randomization", "spearman", ("29%", "10%")),
        ("approximate-randomization", "pearson", ("24%", "29%")),
        ("williams", "spearman", ("36%", "25%")),
        ("meng", "pearson", ("23%", "27%")),
    ):
        sentence = said(compared(400, test=test, metric=kind))
        assert all(rate in sentence for rate in rates), (test, kind)
        assert ("swapped" in sentence) == (test == "approximate-randomization"), test
        assert "fewer than" not in sentence, (test, kind)
        assert "near 1" not in sentence, (test, kind)


def test_few_examples_and_correlations_near_1_are_named_with_their_rate() -> None:
    assert "fewer" not in said(compared(30), None)
    few, near = (
        said(compared(60), compared(29)),
        said(compared(60), compared(60), compared(60, noise=0.05)),
    )
    assert "fewer than 30" in few
    assert "d1" in few
    assert "near 1" in near
    assert "d2" in near
    assert "d0" not in few + near
    assert "7%" in few
    assert "10%" in said(compared(12, metric="pearson"))
    for test in ("williams", "steiger", "meng"):
        assert "15%" in said(compared(12, test=test)), test
    # Whole clusters are exchanged: so many are compared.
    assert "fewer than 30" in said(compared(60, clusters=np.arange(60) // 3))
    # Of the bootstrap, and of means, others speak.
    assert said(compared(12, test="paired-bootstrap")) == ""
    mean = run_significance_test([1.0, 0.5], [0.0, 0.2], test="paired-t")
    assert said(mean) == ""


def test_a_small_p_value_beside_an_interval_over_0_is_explained_and_no_other() -> None:
    result = compared(40)
    cases = (
        (0.03, (-0.01, 0.2), True),
        (0.03, (0.01, 0.2), False),
        (0.06, (-0.01, 0.2), False),
        (0.03, None, False),
    )
    for p, interval, explained in cases:
        case = replace(result, p_values=Sides(p, 1.0 - p, 1.0), confidence_interval=interval)
        sentence = interval_over_zero_sentence([None, case], ["x", "y"], alpha=0.05)
        assert bool(sentence) == explained, (p, interval)
        assert (" y:" in sentence) == explained, (p, interval)
    # Of the other system as well.
    turned = replace(result, p_values=Sides(0.99, 0.01, 1.0), confidence_interval=(-0.3, 0.01))
    assert "y" in interval_over_zero_sentence([None, turned], ["x", "y"], alpha=0.05)
