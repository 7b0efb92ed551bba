"""A test is added by one record and one function: everything else reads the record."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.stats.mstats import trimmed_mean, trimmed_stde

import core
from core.analysis import AnalysisSettings, Origin, analyse
from core.command_line import main
from core.data import ResultSet
from core.export.as_json import to_json
from core.export.report import html_report
from core.reliability.choices import simulated_free_choice
from core.reliability.levels import level_study
from core.reliability.pairs import metric_study
from core.reliability.power import StatedEffect, power_at
from core.reliability.repeated_runs import run_to_run
from core.reliability.sample_size import subsample_significance
from core.sections.sizes import power_of_stated
from core.significance import known_tests
from core.significance.choose import suitable_tests
from core.significance.differences import Differences
from core.significance.known_tests import SignificanceTest
from core.significance.outcome import Outcome, Sides
from core.significance.settings import Asked
from core.words.testing import null_hypothesis_lines
from tests.pages.opened import drop, go_to, open_app, text, when_tested

N = 40
RNG = np.random.default_rng(1974)
DATA = ResultSet.from_scores(
    {
        name: {"ours": RNG.normal(shift, 1.0, N), "theirs": RNG.normal(0.0, 1.0, N)}
        for name, shift in (("A", 0.6), ("B", 0.3), ("C", 0.0))
    }
)


def trimmed_t(differences: Differences, asked: Asked) -> Outcome:
    """Yuen's test of the mean of the middle 60% of the differences."""
    values = np.sort(differences.values)
    n = values.size
    cut = int(0.2 * n)
    left = n - 2 * cut
    deviation = float(np.clip(values, values[cut], values[n - 1 - cut]).std(ddof=1))
    if deviation == 0.0:
        return Outcome(p_values=Sides(1.0, 1.0, 1.0), statistic=None)
    t = float(values[cut : n - cut].mean()) * (left / n) * math.sqrt(n) / deviation
    greater = float(stats.t.sf(t, left - 1))
    sides = Sides(greater, 1.0 - greater, 2.0 * min(greater, 1.0 - greater))
    return Outcome(p_values=sides, statistic=t, method="student")


YUEN = SignificanceTest(
    name="yuen",
    title="Yuen's trimmed t-test",
    short_title="Yuen",
    called="Yuen's test",
    full_title="Yuen's t-test of trimmed differences",
    null_hypothesis="the trimmed mean of the differences in favour of A is at most zero",
    rule="Student's t on the middle 60% of the differences. Approximate.",
    references=("student1908probable",),
    asks="mean",
    worth="approximate",
    of_scores=trimmed_t,
)


@pytest.fixture(autouse=True)
def _with_yuen(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = (*known_tests.SIGNIFICANCE_TESTS, YUEN)
    monkeypatch.setattr(known_tests.SIGNIFICANCE_TESTS, "records", tests)


def p_value(dataset: str) -> float:
    values = DATA.scores(dataset, "ours") - DATA.scores(dataset, "theirs")
    t = float(trimmed_mean(values, limits=(0.2, 0.2))) / float(
        trimmed_stde(values, limits=(0.2, 0.2))
    )
    return float(stats.t.sf(t, N - 2 * int(0.2 * N) - 1))


P_VALUES = [p_value(name) for name in "ABC"]


def test_it_is_run_on_every_dataset_and_suits_averaged_scores_alone() -> None:
    table = core.run_dataset_tests(DATA, a="ours", b="theirs", test="yuen")
    assert table.p_values.tolist() == pytest.approx(P_VALUES, rel=1e-9)
    assert {result.method for result in table.results} == {"student"}
    assert all(result.confidence_interval is not None for result in table.results)
    assert "yuen" in suitable_tests("mean", zero_one=False)
    assert not {"yuen"} & {*suitable_tests("f1"), *suitable_tests("spearman")}
    assert "yuen" not in suitable_tests("mean", clustered=True)


def test_the_report_its_methods_the_json_and_the_guide_tell_of_it() -> None:
    analysis = analyse(DATA, AnalysisSettings(test="yuen"), origin=Origin(title="mine"))
    report = html_report(analysis)
    for said in ("Yuen’s trimmed t-test", "Yuen’s t-test of trimmed differences", "trimmed mean"):
        assert said in report.replace("&#x27;", "’").replace("'", "’"), said
    rows = json.loads(to_json(analysis))["datasets"]
    assert [row["test"]["test"] for row in rows] == ["yuen"] * 3
    assert YUEN.null_hypothesis in dict(null_hypothesis_lines())["Yuen's trimmed t-test"]


def test_the_command_line_runs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(as_csv())
    assert main([str(path), "--test", "yuen", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["datasets"]
    assert [row["p_value"] for row in rows] == pytest.approx(P_VALUES, rel=1e-6)


def as_csv() -> str:
    lines = ["dataset,example,ours,theirs"]
    for dataset in DATA.datasets:
        pairs = zip(DATA.scores(dataset, "ours"), DATA.scores(dataset, "theirs"), strict=True)
        lines += [f"{dataset},{i},{float(a)},{float(b)}" for i, (a, b) in enumerate(pairs)]
    return "\n".join(lines) + "\n"


def test_pages_offer_it_run_it_and_show_it() -> None:
    app = drop(open_app(test="yuen"), "mine.csv", as_csv().encode())
    app = when_tested(go_to(app, "pages/per_dataset_tests.py"))
    offered = next(box for box in app.selectbox if box.label == "Test")
    assert "Yuen's trimmed t-test" in offered.options
    assert "Yuen's trimmed t-test" in text(app)


def test_reliability_and_systems_ask_it_sample_by_sample() -> None:
    study: dict[str, Any] = {"a": "ours", "b": "theirs", "rng": 1}
    of_sizes = subsample_significance(DATA, test="yuen", n_subsamples=5, **study)
    assert of_sizes.datasets[0].points[-1].median == pytest.approx(p_value("A"), rel=1e-9)
    assert "power of Yuen's test" in power_of_stated(of_sizes.datasets[0], 0.5)[0]
    with pytest.raises(ValueError, match="`test` must be one of"):
        power_at(StatedEffect(effect=0.5, test="yuen", standard_deviation=1.0), 40)
    by_metric = metric_study(DATA, tests=("all",), **study)
    found = [pair.result.p_value for pair in by_metric.pairs if pair.result.test == "yuen"]
    assert found == pytest.approx(P_VALUES, rel=1e-9)
    halves = {name: np.repeat(["first", "second"], N // 2) for name in "ABC"}
    by_level = level_study(DATA, covariate=halves, test="yuen", **study)
    assert {pair.result.test for pair in by_level.pairs} == {"yuen"}
    flips = simulated_free_choice(DATA, "A", tests=["yuen"], n_repetitions=50, **study)
    assert flips.smallest.shape == (50,)
    runs = run_to_run(
        RNG.normal(0.5, 1.0, (N, 3)), RNG.normal(0.0, 1.0, (N, 3)), test="yuen", rng=1
    )
    assert runs.test == "yuen"
    pairs = core.compare_all_pairs(DATA, test="yuen")
    assert pairs.p_values[:, 0, 1].tolist() == pytest.approx(P_VALUES, rel=1e-9)
