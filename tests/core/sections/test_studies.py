"""What was studied on demand stands in the report as the page shows it."""

from dataclasses import replace
from functools import partial

from core.analysis import Analysis
from core.data import ResultSet
from core.export.report import chosen_sections, sections_that_apply
from core.reliability.pairs import metric_study
from core.reliability.sample_size import subsample_significance
from core.sections import reliability, simulation
from core.sections.parts import Grid, Paragraph, Table, Verbatim, printed
from core.sections.reliability import LookedAt
from core.simulation.families import family_of
from core.simulation.planning import datasets_needed, over_claim_curve, power_curve
from core.simulation.runs import simulate_identification, simulate_k_hat
from core.simulation.scenarios import TOY_INDEPENDENT
from tests.core.export.samples_of_analyses import of_sample

SAMPLE = "simulated-lengths"


def studied() -> Analysis:
    data = of_sample(SAMPLE).data
    assert isinstance(data, ResultSet)
    a, b = data.systems[:2]
    found = LookedAt(
        metrics=metric_study(data, a=a, b=b, tests=["auto", "sign"]),
        sizes=subsample_significance(data, a=a, b=b, n_subsamples=10, n_resamples=99),
    )
    scenario = TOY_INDEPENDENT.scenario
    alike = family_of(3, share_better=1.0, effect=4.0)
    power = power_curve(
        lambda n: family_of(int(n), share_better=1.0, effect=4.0),
        [2, 3],
        at_least=lambda k: k,
        n_repetitions=50,
    )
    simulated = (
        partial(
            simulation.counts_parts,
            simulate_k_hat(scenario, n_repetitions=50),
            title="nothing to find",
            independent_nulls=True,
        ),
        partial(
            simulation.names_parts,
            simulate_identification(scenario, n_repetitions=20),
            title="nothing to find",
        ),
        partial(simulation.over_claims_parts, over_claim_curve([1, 5], n_repetitions=20)),
        partial(simulation.power_parts, power, quantity="number of datasets"),
        partial(
            simulation.needed_parts,
            datasets_needed(lambda n: alike, 2, most=3, n_repetitions=50),
        ),
    )
    keys = {reliability.STUDIES: found, simulation.STUDIES: simulated}
    return replace(of_sample(SAMPLE), studies=keys)


def test_every_study_stands_in_the_report_with_its_sentence_table_and_signature() -> None:
    without, analysis = of_sample(SAMPLE), studied()
    keys = [section.key for section in chosen_sections(analysis)]
    assert keys == sections_that_apply(analysis)
    assert set(keys) - set(sections_that_apply(without)) == {"reliability", "simulation"}
    for make, names in (
        (reliability.reliability_parts, {"subsamples"}),
        (
            simulation.simulation_parts,
            {"over-claiming", "simulated-names", "simulated-wins", "simulated-power"},
        ),
    ):
        shown = make(analysis)
        tables = {part.name: part for part in shown if isinstance(part, Table)}
        assert names <= set(tables)
        found = printed(shown)
        grids = {part.name: part for part in found if isinstance(part, Grid)}
        for name, table in tables.items():
            assert grids[name].header == tuple(table.frame.columns), name
            assert len(grids[name].rows) == len(table.frame), name
            assert {len(row) for row in grids[name].rows} == {len(grids[name].numeric)}, name
        assert all(part.text.strip() for part in found if isinstance(part, Paragraph))
        signatures = [part.text for part in found if isinstance(part, Verbatim)]
        assert len(set(signatures)) == len(signatures) >= 2
        assert make(without) == ()


def test_a_table_is_printed_with_rounded_numbers_and_what_is_left_out() -> None:
    import pandas as pd

    frame = pd.DataFrame(
        {"system": [f"s{i}" for i in range(250)], "rank": 1 / 3, "n": 1200, "p": "★ .01"}
    )
    grid, note = Table(frame=frame, name="x", of="system").printed()
    assert isinstance(grid, Grid)
    assert grid.rows[0] == ("s0", "0.33", "1,200", "★ .01")
    assert grid.numeric == (False, True, True, True)
    assert isinstance(note, Paragraph)
    assert "50 further systems" in note.text
