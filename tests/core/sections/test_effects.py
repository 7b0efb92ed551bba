"""The section of a report about the size of the effect."""

from __future__ import annotations

from core.analysis import AnalysisSettings
from core.data import ResultSet, read_sample
from core.data.reading import read_results
from core.effects.combined import combine_effects
from core.effects.from_results import dataset_effects
from core.sections.effects import effects_parts
from core.sections.parts import Grid, Paragraph
from core.words.effects import lead_sentence
from tests.core.export.samples_of_analyses import of_sample

TESTED = "simulated-accuracy"


def sentences(analysis) -> list[str]:
    return [part.text for part in effects_parts(analysis) if isinstance(part, Paragraph)]


def grid(analysis) -> Grid:
    return next(part for part in effects_parts(analysis) if isinstance(part, Grid))


def test_results_on_examples_get_the_meta_analysis_in_closed_form() -> None:
    analysis = of_sample(TESTED)
    _, content = read_sample(TESTED)
    data = read_results(content)
    assert isinstance(data, ResultSet)
    a, b = data.systems[:2]
    expected = combine_effects(dataset_effects(data, a=a, b=b))
    assert sentences(analysis)[0] == lead_sentence(expected, a=a, b=b)
    assert "random effects" in [row[0] for row in grid(analysis).rows]


def test_datasets_left_out_and_exchanged_systems_are_followed() -> None:
    whole = of_sample(TESTED)
    names = whole.table.datasets
    fewer = of_sample(TESTED, AnalysisSettings(excluded=names[:1]))
    assert f"these {len(names) - 1} " in sentences(fewer)[0]
    swapped = of_sample(TESTED, AnalysisSettings(swapped=True))
    assert sentences(swapped)[0] == sentences(whole)[0]
    assert grid(swapped).rows[0][1] == grid(whole).rows[0][1].replace("+", "−")
