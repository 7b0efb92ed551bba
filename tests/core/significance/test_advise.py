"""Advice: the fixed rule, and remarks on what the data look like."""

from typing import Any

import numpy as np
import pytest

from core.significance.choose import advise, choose_test, suitable_tests
from core.significance.single import run_significance_test

RNG = np.random.default_rng(2014)


def remarks(a: Any, b: Any, **settings: Any) -> str:
    return " ".join(advise(a, b, **settings).remarks)


def measured(n: int) -> tuple[np.ndarray, np.ndarray]:
    return RNG.normal(size=n), RNG.normal(size=n)


def test_the_test_and_its_reason_are_those_of_the_fixed_rule() -> None:
    pairs: Any = (measured(30), (RNG.integers(0, 2, 30) * 1.0, RNG.integers(0, 2, 30) * 1.0))
    for a, b in pairs:
        advice = advise(a, b)
        assert (advice.test, advice.reason) == choose_test(a, b)
    gold = RNG.normal(size=30)
    assert "gold scores" in advise(*measured(30), gold=gold).reason
    # Of gold labels there is no correlation.
    assert advise(*measured(30), gold=np.array(["x", "y"] * 15)).test == "paired-t"
    clustered = advise(*measured(60), clusters=np.arange(60) // 3)
    assert clustered.test == "approximate-randomization"
    assert "clusters" in clustered.reason
    assert clustered.remarks == ()
    assert "6 clusters" in remarks(*measured(60), clusters=np.arange(60) // 10)


def test_at_a_margin_the_rule_takes_and_offers_what_has_a_form_there() -> None:
    gold = RNG.normal(size=60)
    assert choose_test(*measured(60), kind="pearson", gold=gold, margin=0.1)[0] == (
        "paired-bootstrap"
    )
    a, b = measured(60)
    for margin, named in ((0.1, "so the melded test"), (0.0, "so the exact McNemar test")):
        outcomes: Any = (a > 0) * 1.0, (b > 0) * 1.0
        test, reason = choose_test(*outcomes, margin=margin)
        assert (test, named in reason) == ("mcnemar", True)
    # Differences of whole numbers stay on a lattice that is shifted by one half.
    grades: Any = RNG.integers(0, 5, (2, 60)) * 1.0
    for margin, test in ((0.5, "approximate-randomization"), (0.5**0.5, "paired-t")):
        assert choose_test(*grades, margin=margin)[0] == test
    for kind, given, suited in (
        ("pearson", {}, ("paired-bootstrap",)),
        ("f1", {"clustered": True}, ("paired-bootstrap",)),
        ("mean", {}, ("mcnemar", "tango")),
        ("mean", {"clustered": True}, ("approximate-randomization", "paired-bootstrap")),
    ):
        assert suitable_tests(kind, margin=True, **given) == suited
    of_means = ("approximate-randomization", "paired-t", "wilcoxon", "paired-bootstrap")
    assert suitable_tests("mean", zero_one=False, margin=True) == of_means
    assert suitable_tests("mean", zero_one=False) == (*of_means, "sign")


@pytest.mark.parametrize("kind", ["mean", "ratio", "f1", "macro-f1", "spearman", "pearson"])
def test_clusters_leave_the_tests_that_can_keep_them_together(kind: str) -> None:
    tests = suitable_tests(kind, clustered=True)
    assert tests == ("approximate-randomization", "paired-bootstrap")
    assert tests[0] == choose_test(*measured(30), kind=kind, clustered=True)[0]
    with pytest.raises(ValueError, match="`kind` must be one of"):
        suitable_tests("UAS", clustered=True)


@pytest.mark.parametrize(("n", "warned"), [(199, True), (200, False)])
def test_fewer_than_200_examples_speak_against_the_bootstrap(n: int, warned: bool) -> None:
    a, b = measured(n)
    told = remarks(a, b)
    assert ("Søgaard et al. 2014" in told) == warned
    assert ("Those of the paired t-test or randomization do not have that fault." in told) == warned
    outcomes = remarks((a > 0) * 1.0, (b > 0) * 1.0)
    assert ("the exact McNemar test" in outcomes) == warned
    counts = np.column_stack([np.abs(a), np.abs(a) + 1]), np.column_stack([np.abs(b)] * 2)
    assert (
        "Those of randomization do not have that fault." in remarks(*counts, kind="ratio")
    ) == warned


def test_at_a_margin_remarks_name_tests_that_are_there_and_ties_are_evidence() -> None:
    a, b = measured(60)
    told = remarks(a, b, margin=0.1)
    assert told == remarks(a, b)
    assert "Those of the paired t-test or randomization do not have that fault." in told
    # Exchanging A and B would say that outcomes are equally likely; of counts there is no other test.
    outcomes = remarks((a > 0) * 1.0, (b > 0) * 1.0, margin=0.1)
    assert outcomes.endswith("Those of the exact McNemar test do not have that fault.")
    counts = np.column_stack([np.abs(a), np.abs(a) + 1]), np.column_stack([np.abs(b)] * 2)
    assert "Søgaard" in remarks(*counts, kind="ratio", margin=0.1)
    assert "Prefer" not in remarks(*counts, kind="ratio", margin=0.1)
    # Equal systems are the best evidence that none is much worse.
    same = (a > 0) * 1.0
    assert "p = 1" in remarks(same, same)
    assert "p = 1" not in remarks(same, same, margin=0.1)
    found = run_significance_test(same, same, test="mcnemar", claim="not-worse", margin=0.1)
    assert found.p_value < 0.01


def test_heavy_ties_are_remarked() -> None:
    a, b = measured(300)
    b[:151] = a[:151]
    assert "151 of 300 differences are zero: Wilcoxon drops them" in remarks(a, b)
    assert "have the same size" not in remarks(a, b)
    b[150] += 1.0
    assert "are zero" not in remarks(a, b)
    steps = np.where(np.arange(300) < 160, 0.5, np.arange(300) / 7.0)
    assert "160 of the 300 differences that are not zero have the same size" in remarks(
        steps, np.zeros(300)
    )
    pair = remarks([0.5, 0.5, 0.9], [0.0, 0.0, 0.0])
    assert "2 of the 3 differences that are not zero have the same size" in pair
    # Half of them, a few, or the only one are not remarkable.
    for most, n in ((150, 300), (3, 300), (1, 1)):
        steps = np.where(np.arange(n) < most, 0.5, np.arange(n) / 7.0)
        assert "have the same size" not in remarks(steps, np.zeros(n))
    # Decimals that tie on paper tie here: .3 − .2 and .2 − .1.
    tied = remarks([0.3, 0.2] * 100 + [0.9], [0.2, 0.1] * 100 + [0.1])
    assert "200 of the 201 differences" in tied


def test_few_differing_examples_bound_the_p_value() -> None:
    a = np.zeros(300)
    b = a.copy()
    b[:3] = 1.0
    assert "Only 3 of 300 examples differ: the smallest attainable p is .125" in remarks(a, b)
    assert "smallest attainable p is .25" in remarks(a, b, alternative="two-sided")
    assert run_significance_test(b, a, test="mcnemar").p_value == 0.125
    assert remarks(a, a) == "All 300 differences are zero: each test gives p = 1."
    counted = [np.column_stack([x, np.ones(300)]) for x in (a, b)]
    assert "Only 3 of 300 examples differ" in remarks(*counted, kind="ratio")
    labels = np.arange(300) // 10
    assert "Only 1 of 30 clusters differs" in remarks(*counted, kind="ratio", clusters=labels)
    assert "Only 1 of 30 clusters differs: the smallest attainable p is .5" in remarks(
        a, b, clusters=labels
    )


def test_what_speaks_of_another_test_is_not_remarked() -> None:
    # Of outcomes most tie, which McNemar's test is made for.
    a = (np.arange(300) < 200) * 1.0
    b = (np.arange(300) < 180) * 1.0
    assert advise(a, b).test == "mcnemar"
    assert remarks(a, b) == ""
    # Tests of correlations have no smallest p-value that few differing predictions bound.
    gold = RNG.normal(size=300)
    near, same = gold + RNG.normal(size=300), gold.copy()
    same[3:] = near[3:]
    for kind in ("mean", "pearson"):
        assert "gold scores" in advise(near, same, gold=gold, kind=kind).reason
        assert remarks(near, same, gold=gold, kind=kind) == ""
    together = advise(near, same, gold=gold, kind="pearson", clusters=np.arange(300) // 3)
    assert together.remarks == ()


def test_a_wrong_argument_is_named() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"a": [1.0], "b": [1.0, 2.0]}, r"got \(1,\) and \(2,\)"),
        ({"a": [], "b": []}, "at least one example"),
        ({"a": 1.0, "b": 0.0}, "at least one example"),
        ({"a": np.ones((0, 2)), "b": np.ones((0, 2)), "kind": "ratio"}, "at least one example"),
        ({"kind": "UAS"}, "`kind` must be one of"),
        ({"alternative": "better"}, "`alternative` must be one of"),
        ({"clusters": ["x"]}, "`clusters` must .* 2 of them; got 1"),
    )
    for arguments, message in wrong:
        with pytest.raises(ValueError, match=message):
            advise(**{"a": [1.0, 0.5], "b": [0.0, 0.5], **arguments})
