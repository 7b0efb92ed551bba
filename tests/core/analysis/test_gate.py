"""A claim about at least K datasets is decided with an error of at most α, or not at all."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.analysis import AnalysisSettings
from core.analysis.gate import decide, need_of
from core.comparison import COLUMN
from core.data import ResultSet
from core.export.gate import gate_json, gate_markdown, gate_sentences
from core.replicability.counting import count_datasets
from core.significance.counting import melded_p_values
from core.significance.run import run_dataset_tests

OPPOSITES = {"better": "better", "better-by": "not-worse", "not-worse": "better-by"}


def drawn(rng, n_datasets, n, shift=0.0, *, zero_one=False):
    scores = {}
    for i in range(n_datasets):
        own = shift[i] if isinstance(shift, tuple) else shift
        head, base = rng.normal(size=(2, n))
        if zero_one:
            head, base = rng.random(n) < 0.7 + own, rng.random(n) < 0.7
        else:
            head = head + own
        scores[f"d{i}"] = {"head": np.asarray(head, float), "base": np.asarray(base, float)}
    return ResultSet.from_scores(scores)


def test_unchanged_models_fail_in_at_most_a_share_alpha():
    # "Better everywhere" is false of an unchanged model and stands or falls with one dataset, so
    # that no claim is contradicted more often; paired t on normal scores is exact.
    rng, n_studies, alpha = np.random.default_rng(20), 400, 0.05
    settings = AnalysisSettings(alpha=alpha, test="paired-t", n_resamples=9)
    found = [decide(drawn(rng, 2, 12), 2, settings).outcome for _ in range(n_studies)]
    failed = found.count("contradicted")
    assert failed <= stats.binom.ppf(0.999, n_studies, alpha)
    # Nor never: a gate that cannot fail would pass the line above.
    assert failed >= stats.binom.ppf(0.001, n_studies, 0.6 * alpha)
    assert found.count("shown") <= stats.binom.ppf(0.999, n_studies, alpha)


def test_each_outcome_is_a_count_of_the_claim_or_of_its_opposite():
    rng = np.random.default_rng(3)
    outcomes = set()
    for claim, margin in (("better", 0.0), ("better-by", 0.1), ("not-worse", 0.05)):
        for shift in (0.0, (-0.35, -0.35, 0.0, 0.0, 0.28), (-0.35, 0.0, 0.28, 0.28, 0.28)):
            results = drawn(rng, 5, 120, shift, zero_one=True)
            settings = AnalysisSettings(claim=claim, margin=margin, alpha=0.1)
            own = run_dataset_tests(results, a="head", b="base", claim=claim, margin=margin)
            turned = run_dataset_tests(
                results, a="base", b="head", claim=OPPOSITES[claim], margin=margin
            )
            shown, against = (
                count_datasets(table.p_values, alpha=0.1).k_hat for table in (own, turned)
            )
            for k in (1, 3, 5):
                case = (claim, shift, k)
                outcome = decide(results, k, settings).outcome
                outcomes.add(outcome)
                assert (outcome == "shown") == (k <= shown), case
                assert (outcome == "contradicted") == (against >= 5 - k + 1), case
                if k != 3:
                    continue
                # The same with base and head in the other order.
                other = ResultSet.from_scores(
                    {
                        d: {name: results.scores(d, name) for name in ("base", "head")}
                        for d in results.datasets
                    }
                )
                assert decide(other, k, replace(settings, swapped=True)).outcome == outcome, case
    assert outcomes == {"shown", "contradicted", "not decided"}


def test_an_equivalence_is_contradicted_by_two_sided_evidence_beyond_the_margin():
    rng = np.random.default_rng(5)
    settings = AnalysisSettings(claim="equivalent", margin=0.1)
    for shift in (-0.4, 0.0, 0.29):
        results = drawn(rng, 3, 1_500, shift, zero_one=True)
        decision = decide(results, 3, settings)
        assert decision.outcome == ("contradicted" if shift else "shown"), shift
        sides = [
            run_dataset_tests(results, a=a, b=b, claim="better-by", margin=0.1).p_values
            for a, b in (("head", "base"), ("base", "head"))
        ]
        assert decision.opposite is not None
        wanted = np.minimum(1.0, 2.0 * np.minimum(*sides))
        np.testing.assert_allclose(decision.opposite.p_values, wanted, rtol=1e-12)


def test_ranks_beyond_the_margin_contradict_no_equivalence_of_the_means():
    rng, scores = np.random.default_rng(7), {}
    for name in "xy":
        # Nine in ten gain .02 and one loses .18: the means are the same.
        gain = np.where(rng.permutation(200) < 20, -0.18, rng.uniform(0.01, 0.03, 200))
        base = rng.random(200).round(3)
        scores[name] = {"head": (base + gain).round(3), "base": base}
    results = ResultSet.from_scores(scores)
    for test, outcome in (("auto", "shown"), ("wilcoxon", "not decided")):
        settings = AnalysisSettings(claim="equivalent", margin=0.01, test=test)
        assert decide(results, 1, settings).outcome == outcome, test


def test_what_it_takes_is_that_of_a_z_test_on_one_dataset():
    results = drawn(np.random.default_rng(8), 1, 150)
    d = results.scores("d0", "head") - results.scores("d0", "base")
    error = d.std(ddof=1) / math.sqrt(d.size)
    margin = 0.9 * error
    need = need_of(decide(results, 1, AnalysisSettings(claim="not-worse", margin=margin)))
    assert need is not None
    assert need.examples is not None
    reached = stats.norm.ppf(0.95) + stats.norm.ppf(0.8)
    assert need.power == pytest.approx(stats.norm.cdf(0.9 - stats.norm.ppf(0.95)), abs=0.04)
    assert need.examples.n_examples == pytest.approx((reached / 0.9) ** 2 * d.size, rel=0.06)
    assert need.gain == pytest.approx((reached - 0.9) * error, rel=0.06)
    better = need_of(decide(results, 1, AnalysisSettings()))
    assert better is not None
    assert better.gain == pytest.approx(reached * error, rel=0.06)
    assert math.isnan(better.power)
    assert better.examples is None


def test_as_many_examples_as_are_planned_show_the_claim_four_times_in_five():
    # Each dataset at its own margin; what is planned is for the one that takes the most.
    rng, n_studies, margins = np.random.default_rng(9), 400, np.array([0.16, 0.2, 0.24])
    results = replace(drawn(rng, 3, 40, zero_one=True), margins=margins)
    for claim, k in (("not-worse", 3), ("not-worse", 1), ("equivalent", 2)):
        settings = AnalysisSettings(claim=claim, margin=COLUMN)
        need = need_of(decide(results, k, settings))
        assert need is not None
        assert need.examples is not None
        n, differing = need.examples.n_examples, need.examples.stated.disagreement
        assert n is not None
        assert differing is not None
        assert need.examples.stated.margin == margins[results.datasets.index(need.dataset)]
        # All three datasets as that one, which is planned for.
        m, halves = need.examples.stated.margin, [differing / 2, differing / 2, 1 - differing]
        wins, losses, _ = rng.multinomial(n, halves, size=(n_studies, 3)).transpose(2, 0, 1)
        p = melded_p_values(wins, losses, n, margin=m, claim="not-worse")
        if claim == "equivalent":
            p = np.maximum(p, melded_p_values(losses, wins, n, margin=m, claim="not-worse"))
        shown = np.mean([count_datasets(own).k_hat >= k for own in p])
        assert 0.72 < shown < 0.88, (claim, k, n, shown)
    assert json.loads(gate_json(decide(results, 1, settings)))["margins"] == margins.tolist()
    # By Fisher one of many is shown where none is shown alone.
    settings = AnalysisSettings(
        claim="equivalent", margin=0.1, test="paired-t", dependence="independent"
    )
    decision = decide(drawn(rng, 12, 30), 1, settings)
    need = need_of(decision)
    assert need is not None
    assert need.examples is not None
    n, spread = need.examples.n_examples, need.examples.stated.standard_deviation
    assert n is not None
    assert spread is not None
    error, by = spread / math.sqrt(n), settings.counted_by
    z = rng.normal(size=(n_studies, 12))
    p = stats.norm.sf(0.1 / error - np.abs(z))
    shown = np.mean([count_datasets(own, combination=by).k_hat >= 1 for own in p])
    assert 0.72 < shown < 0.88, (n, shown)


def test_tests_that_are_refused_decide_nothing_and_say_why():
    scores = {"x": {"head": [0.25] * 9 + [0.5], "base": [0.25] * 10}}
    settings = AnalysisSettings(claim="not-worse", margin=0.01)
    decision = decide(ResultSet.from_scores(scores), 1, settings)
    assert (decision.outcome, decision.analysis, need_of(decision)) == ("not decided", None, None)
    assert decision.refused is not None
    assert decision.refused.problems[0].what in gate_sentences(decision)[0]
    with pytest.raises(ValueError, match="between 1 and the number of datasets, 1; got 2"):
        decide(ResultSet.from_scores(scores), 2, settings)


def test_names_are_harmless_in_the_markdown_of_a_comment():
    hostile = "<img src=x>[a](b) @team"
    scores = {f"d|{hostile}": {f"{hostile}!": [1.0] * 30, hostile: [0.0] * 30}}
    text = gate_markdown(decide(ResultSet.from_scores(scores), 1))
    assert text.startswith("### ✅ Shown: ")
    for mark in ("<img", "[a", "@team"):
        assert 0 < text.count(mark) == text.count(f"\\{mark}"), mark
