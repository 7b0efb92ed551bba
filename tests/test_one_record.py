"""A combination is one record and one function: with these it is everywhere, keyed by no other name.

The one appended here, for these tests alone, is Stouffer's test at half the level: valid where
his is, and nobody's. Whatever shows combinations must show it by its title.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis import Analysis, analyse
from core.analysis.settings import USUAL
from core.charts.p_values import staircase
from core.charts.simulation import k_hat_histograms, power_chart
from core.claims.check import check_claims
from core.claims.desk import parse_claims
from core.command_line import main
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.export.as_json import to_json
from core.export.bundle import read_bundle, restore_bundle, write_bundle
from core.export.bundle_comparison import compare_with_bundle
from core.export.report import html_report, markdown_report
from core.replicability.combinations import (
    COMBINATIONS,
    combination_named,
    stouffer_quantile,
    stouffer_tail,
)
from core.replicability.counting import count_datasets, count_in_group
from core.replicability.identification import identify_datasets
from core.replicability.local_tests import LocalTest
from core.replicability.sensitivity import find_sensitivity
from core.simulation.families import family_of
from core.simulation.planning import datasets_needed, power_curve
from core.simulation.runs import simulate_identification, simulate_k_hat
from core.simulation.scenarios import Block, Scenario
from core.systems.all_pairs import compare_all_pairs
from core.systems.counting import count_matrix
from core.types import FloatArray
from core.words.glossary import find_terms
from tests.pages.opened import (
    address,
    answer,
    choose,
    go_to,
    of_class,
    open_app,
    press,
    run,
    selectbox,
    text,
    when_tested,
)

NAME, TITLE = "halved", "Halved"
TABLE = "parsing-redshift"
EXAMPLES = "simulated-labels"


def halved_tail(sum_of_z: FloatArray, n_combined: FloatArray) -> FloatArray:
    """Twice Stouffer's p-value, at most 1."""
    return np.minimum(2.0 * stouffer_tail(sum_of_z, n_combined), 1.0)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    stouffer = combination_named("stouffer")
    local = replace(
        stouffer.local,  # type: ignore[type-var]
        tail=halved_tail,
        quantile=lambda n_combined, alpha: stouffer_quantile(n_combined, alpha / 2.0),
    )
    record = replace(
        stouffer, name=NAME, title=TITLE, test_title="the test at half the level", local=local
    )
    monkeypatch.setattr(COMBINATIONS, "records", (*COMBINATIONS, record))


def analysed(key: str = TABLE, **further: object) -> Analysis:
    sample, content = read_sample(key)
    data = read_results(content, roles={"alternative": sample.alternative})
    assert isinstance(data, PValueTable | ResultSet)
    settings = replace(USUAL, dependence="independent", n_resamples=99)
    return analyse(data, replace(settings, combination=NAME, **further))  # type: ignore[arg-type]


# Numbers: everything that counts or names does so as it does for Stouffer at half the level.


def test_it_counts_names_and_bounds_groups_as_stouffer_does_at_half_the_level() -> None:
    rng = np.random.default_rng(3)
    for n in (1, 2, 9, 40):
        p_values = rng.random(n) ** 3
        half = {"alpha": 0.025, "combination": "stouffer"}
        counted = count_datasets(p_values, combination=NAME)
        assert counted.k_hat == count_datasets(p_values, **half).k_hat  # type: ignore[arg-type]
        named = identify_datasets(p_values, procedure=f"{NAME}-closed")
        expected = identify_datasets(p_values, alpha=0.025, procedure="stouffer-closed")
        assert named.rejected.tolist() == expected.rejected.tolist()
        group = list(range(0, n, 2))
        assert count_in_group(p_values, group, combination=NAME) == count_in_group(
            p_values,
            group,
            **half,  # type: ignore[arg-type]
        )
        found = find_sensitivity(p_values, combination=NAME)
        assert found.named.tolist() == named.rejected.tolist()


def test_simulation_counts_names_and_plans_by_it() -> None:
    scenario = Scenario((Block(3, effect=2.0), Block(5)))
    simulation = simulate_k_hat(scenario, n_repetitions=400, rng=1)
    half = simulate_k_hat(scenario, n_repetitions=400, alpha=0.025, rng=1)
    assert simulation.k_hat[NAME].tolist() == half.k_hat["stouffer"].tolist()
    assert NAME in simulation.proved
    assert TITLE in {trace.name for trace in k_hat_histograms(simulation).data}
    names = simulate_identification(scenario, n_repetitions=400, rng=1)
    halves = simulate_identification(scenario, n_repetitions=400, alpha=0.025, rng=1)
    assert (
        names.summaries[f"{NAME}-closed"].mean_named.value
        == halves.summaries["stouffer-closed"].mean_named.value
    )
    curve = power_curve(
        lambda n: family_of(int(n), effect=2.0), [3, 6], at_least=2, n_repetitions=100, rng=0
    )
    assert TITLE in {trace.name for trace in power_chart(curve, quantity="datasets").data}
    needed = datasets_needed(
        lambda n: family_of(n, effect=3.0), at_least=2, estimator=NAME, n_repetitions=200, rng=0
    )
    assert needed.n_datasets is not None


@dataclass(frozen=True)
class Delegated:
    """A local test of a kind that nothing knows, which asks another one."""

    inner: LocalTest

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


def test_a_local_test_of_an_unknown_kind_is_simulated_study_by_study(monkeypatch) -> None:
    simes = combination_named("simes")
    local: Any = Delegated(simes.local)
    other = replace(simes, name="other", title="Other", own_procedure="", local=local)
    monkeypatch.setattr(COMBINATIONS, "records", (*COMBINATIONS, other))
    scenario = Scenario((Block(2, effect=2.0), Block(4)))
    simulation = simulate_k_hat(scenario, n_repetitions=200, rng=1)
    assert simulation.k_hat["other"].tolist() == simulation.k_hat["simes"].tolist()
    found = simulate_identification(scenario, n_repetitions=200, rng=1).summaries
    assert found["hommel"].mean_named == found["other-closed"].mean_named


def test_pairs_of_many_systems_are_counted_by_it() -> None:
    rng = np.random.default_rng(1)
    data = ResultSet.from_scores(
        {name: {s: rng.integers(0, 2, 30) * 1.0 for s in "xyz"} for name in "defg"}
    )
    pairs = compare_all_pairs(data, test="sign")
    assert count_matrix(pairs, combination=NAME, family="pair").combination == NAME


# What is written.


def test_report_json_and_bundle_have_it() -> None:
    analysis = analysed()
    answered = analysis.question.answer
    assert answered.combination == NAME
    closed = analysis.identification(analysis.question, f"{NAME}-closed")
    assert answered.named.tolist() == closed.rejected.tolist()
    for report in (html_report(analysis), markdown_report(analysis)):
        assert f"({TITLE})" in report
        assert "the closed test of the test at half the level" in report
        assert "the test at half the level" in report
        assert f"--combination {NAME}" in report
    assert TITLE in {
        trace.name.partition(":")[0] for trace in staircase(answered, claim="a-better").data
    }
    document = json.loads(to_json(analysis))
    assert document["settings"]["combination"] == NAME
    assert NAME in document["questions"][0]["counts"]
    sample, content = read_sample(TABLE)
    roles = {"alternative": sample.alternative}
    packed = write_bundle(analysis, files=(("t.csv", content),), name="t.csv", roles=roles)
    bundle = read_bundle(packed)
    assert compare_with_bundle(restore_bundle(bundle), bundle).same


def test_the_command_line_has_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    written = tmp_path / "analysis.json"
    arguments = ["--sample", TABLE, "--dependence", "independent", "--combination", NAME]
    assert main([*arguments, "--json", str(written)]) == 0
    assert json.loads(written.read_text())["settings"]["combination"] == NAME
    assert main(arguments) == 0
    assert f"({TITLE})" in capsys.readouterr().out
    assert main([*arguments, "--procedure", f"{NAME}-closed"]) == 0
    assert f"closed {TITLE} test" in capsys.readouterr().out


def test_a_claim_can_be_checked_by_it() -> None:
    table = analysed().table
    claims = parse_claims(f"exactly 3 by {NAME}\nnamed none by {NAME}-closed")
    report = check_claims(table, claims, dependence="independent")
    assert any(TITLE in finding.reason for finding in report.findings)


def test_guide_and_glossary_explain_it() -> None:
    assert TITLE in find_terms(NAME)


# The pages.


def test_counting_identification_and_report_show_it_and_it_can_be_chosen() -> None:
    app = go_to(open_app(sample=TABLE, dependence="independent"), "pages/counting.py")
    assert any(TITLE in tile for tile in of_class(app, "verdict-tile"))
    choose(app, "Counted by", TITLE)
    assert f"({TITLE})" in answer(app)
    assert address(app)["combination"] == NAME
    go_to(app, "pages/identification.py")
    assert f"Closed {TITLE} test" in selectbox(app, "Identified by").options
    choose(app, "Identified by", f"Closed {TITLE} test")
    assert answer(app).startswith(f"By the closed {TITLE} test")
    assert TITLE in text(go_to(app, "pages/report.py"))


@pytest.mark.parametrize(
    "page", ["guide", "check_a_claim", "systems", "effect_size", "reliability"]
)
def test_every_other_page_opens_with_it(page: str) -> None:
    sample = EXAMPLES if page in ("reliability", "systems", "effect_size") else TABLE
    app: AppTest = open_app(sample=sample, dependence="independent", combination=NAME)
    app.session_state["guide-topic"] = "How are p-values combined?"
    found = text(go_to(app, f"pages/{page}.py"))
    assert found
    if page == "guide":
        assert TITLE in found


def test_the_simulation_page_runs_with_it() -> None:
    app = go_to(open_app(), "pages/simulation.py")
    selectbox(app, "Studies").set_value(1_000)
    assert TITLE in text(when_tested(press(run(app), "Run")))
