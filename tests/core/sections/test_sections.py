"""What a report contains."""

import re
from dataclasses import replace

import numpy as np
import pytest

from core.analysis import Analysis, AnalysisSettings, analyse
from core.analysis.statements import unsettled_statements
from core.data import ResultSet
from core.effects.dataset_effects import combine_effects
from core.effects.from_results import dataset_effects
from core.export.report import SECTION_TITLES, chosen_sections, markdown_report
from core.sections.answers import claims_records
from core.sections.effects import effects_parts, lead_sentence
from core.sections.marked import results_records
from core.sections.parts import (
    Bullets,
    Figure,
    Grid,
    Paragraph,
    Section,
    Verbatim,
    grid_of,
    printed,
)
from tests.core.export.samples_of_analyses import of_sample, resampled
from tests.core.made import p_value_table

PUBLISHED, TESTED, UNDIRECTED = "pos-tagging", "simulated-accuracy", "six-p-values"


def section(analysis: Analysis, key: str) -> Section:
    (found,) = chosen_sections(analysis, [key])
    return found


def grid(analysis: Analysis, key: str, name: str = "") -> Grid:
    parts = section(analysis, key).parts
    found = [part for part in parts if isinstance(part, Grid) and part.name == (name or key)]
    assert len(found) == 1
    return found[0]


def texts(found: Section) -> list[str]:
    said = [part.text for part in found.parts if isinstance(part, Paragraph | Verbatim)]
    items = [item for part in found.parts if isinstance(part, Bullets) for item in part.items]
    return said + items


def big_table(n: int) -> Analysis:
    return analyse(p_value_table(np.random.default_rng(3).beta(0.3, 1.0, size=n)))


def test_sections_come_in_reading_order_and_every_grid_is_whole() -> None:
    for key in [PUBLISHED, TESTED, UNDIRECTED]:
        sections = chosen_sections(of_sample(key))
        keys = [one.key for one in sections]
        assert keys == [known for known in SECTION_TITLES if known in keys], key
        assert keys[0] == "verdict", key
        assert keys[-1] == "input", key
        for one in sections:
            for part in one.parts:
                if isinstance(part, Grid):
                    assert (
                        {len(row) for row in part.rows} == {len(part.header)} == {len(part.numeric)}
                    ), key
                    assert len(set(part.header)) == len(part.header), key
                    assert len(part.marked) in (0, len(part.rows)), key
                if isinstance(part, Paragraph):
                    assert part.text.strip(), key


@pytest.mark.parametrize("p_value", [0.01, 0.3])
def test_one_datasets_report_states_its_test_and_counts_and_corrects_nothing(
    p_value: float,
) -> None:
    report = markdown_report(analyse(p_value_table([p_value])))
    # The answer stands at the top and is quoted whole further down.
    assert report.count(f"on d0{': ' if p_value < 0.05 else ' ('}p = {f'{p_value:.4f}'[1:]}") == 2
    unneeded = "Holm|Bonferroni|Guarantee|Common practice|at least|1 of 1|shown|depend on each"
    unneeded += "|adjusted p|threshold"
    assert not re.search(unneeded, report), re.search(f".*({unneeded}).*", report)


def test_a_verdict_that_counts_has_its_figures_as_a_table_also_where_all_counts_are_alike() -> None:
    analysis = analyse(p_value_table([0.0001] * 5 + [0.5] * 2))
    assert "at least 5 of 7 datasets" in texts(section(analysis, "verdict"))[0]
    figures = [row[1] for row in grid(analysis, "verdict").rows]
    assert figures == ["at least 5 of 7", "5 of 7"]


def test_chosen_sections_keep_their_order_and_unknown_keys_are_refused() -> None:
    analysis = of_sample(UNDIRECTED)
    chosen = chosen_sections(analysis, ["input", "verdict"])
    assert [one.key for one in chosen] == ["verdict", "input"]
    with pytest.raises(ValueError, match="`chosen` must hold keys of sections"):
        chosen_sections(analysis, ["verdicts"])


def test_exchanging_the_systems_turns_every_number_of_a_test() -> None:
    settings = AnalysisSettings(dependence="independent")
    straight = results_records(of_sample(TESTED, settings))
    turned = results_records(of_sample(TESTED, replace(settings, swapped=True)))
    for one, other in zip(straight.rows, turned.rows, strict=True):
        a = dict(zip(straight.header, one, strict=True))
        b = dict(zip(turned.header, other, strict=True))
        for name in ("p_value_{}_better", "score_{}"):
            assert a[name.format("a")] == b[name.format("b")]
            assert a[name.format("b")] == b[name.format("a")]
        assert (a["wins"], a["losses"]) == (b["losses"], b["wins"])
        assert a["interval_low"] == -float(str(b["interval_high"]))
        assert a["interval_high"] == -float(str(b["interval_low"]))
        assert a["difference"] == -float(str(b["difference"]))
        # An odds ratio turned is its inverse.
        assert float(str(a["effect_size"])) * float(str(b["effect_size"])) == pytest.approx(1.0)


def test_extreme_resamples_are_those_of_the_side_shown() -> None:
    for swapped in [False, True]:
        for estimator in ["add-one", "berg-kirkpatrick"]:
            analysis = resampled(estimator=estimator, swapped=swapped)
            found = results_records(analysis)
            rows = [dict(zip(found.header, row, strict=True)) for row in found.rows]
            assert {(row["system_a"], row["system_b"]) for row in rows} == {
                ("base", "ours") if swapped else ("ours", "base")
            }, (swapped, estimator)
            assert {row["signature_system_a"] for row in rows} == {"ours"}, (swapped, estimator)
            counted = 0
            for row, result in zip(rows, analysis.table.results or (), strict=True):
                assert result is not None, (swapped, estimator)
                n_extreme, n_resamples = row["n_extreme_a_better"], row["n_resamples"]
                if n_resamples is None:
                    assert n_extreme is None, (swapped, estimator)
                    continue
                counted += 1
                s, b = int(str(n_extreme)), int(str(n_resamples))
                p = s / b if estimator == "berg-kirkpatrick" else (s + 1) / (b + 1)
                assert row["p_value_a_better"] == pytest.approx(p, abs=1e-12), (swapped, estimator)
                if not swapped:
                    assert s == result.n_extreme, (swapped, estimator)
            assert counted == len(rows), (swapped, estimator)


def test_what_is_not_settled_is_a_caution_beside_the_verdict_and_in_the_methods() -> None:
    analysis = resampled()
    told = unsettled_statements(analysis, analysis.questions[0])
    assert told
    cautions = [
        part.text
        for part in section(analysis, "verdict").parts
        if isinstance(part, Paragraph) and part.tone == "caution"
    ]
    assert set(told) <= set(cautions)
    settled = of_sample(TESTED)
    assert not unsettled_statements(settled, settled.questions[0])


def test_the_chart_of_differences_is_left_out_where_its_rows_could_not_be_told_apart() -> None:
    for n in [200, 201]:
        rng = np.random.default_rng(1)
        scores = {f"d{i}": {"a": rng.normal(size=4), "b": rng.normal(size=4)} for i in range(n)}
        data = ResultSet.from_scores(scores, metric="m")
        found = section(analyse(data, AnalysisSettings(test="paired-t")), "results")
        drawn = [part for part in found.parts if isinstance(part, Figure)]
        assert len(drawn) == (n <= 200), n
        assert ("A chart of the differences is left out" in " ".join(texts(found))) == (n > 200), n
        (rows,) = [part.rows for part in found.parts if isinstance(part, Grid)]
        assert len(rows) == n, n


def test_no_sentence_speaks_of_a_place_on_a_page() -> None:
    for key in (PUBLISHED, TESTED, "simulated-similarity"):
        straight = of_sample(key)
        strict = replace(straight.settings, alpha=1e-6, n_resamples=199)
        for analysis in (straight, of_sample(key, strict)):
            for found in chosen_sections(analysis):
                for text in texts(found):
                    assert "sidebar" not in text, key
                    assert "How we read your file" not in text, key


def test_a_long_list_of_claims_is_cut_with_a_sentence_that_says_so() -> None:
    analysis = big_table(600)
    found = grid(analysis, "counting", "claims")
    assert [int(row[0]) for row in found.rows] == list(range(1, 201))
    assert "400 further claims" in " ".join(texts(section(analysis, "counting")))
    # In full it holds those of both systems, as the lead speaks of both.
    assert [row[:2] for row in claims_records(analysis).rows] == [
        (f"{better} is better than {other}", u)
        for better, other in ("AB", "BA")
        for u in range(1, 601)
    ]
    for key in ("procedures", "sensitivity"):
        cut = grid(analysis, key)
        assert len(cut.rows) == 200
        assert "400 further datasets" in " ".join(texts(section(analysis, key)))
    for key in ("results", "identification", "input"):
        assert len(grid(analysis, key).rows) == 600


def test_of_two_datasets_the_other_one_is_left() -> None:
    for p_value, said in ((0.9, "the count of the other is 0."), (0.001, "other lies between 0 (")):
        analysis = analyse(p_value_table([p_value, 0.9]), AnalysisSettings())
        assert said in " ".join(texts(section(analysis, "sensitivity")))


def test_a_dagger_marks_what_only_the_counts_assumption_names_and_is_explained_there_alone():
    table = p_value_table([0.004, 0.011, 0.013, 0.6])
    analysis = analyse(table, AnalysisSettings(dependence="positive", procedure="bonferroni"))
    answer = analysis.question.answer
    only = answer.named & ~analysis.identification(analysis.question, "bonferroni").rejected
    assert only.any()
    marks = [row[-1] for row in grid(analysis, "identification").rows]
    assert [mark.startswith("†") for mark in marks] == only.tolist()
    assert any("† marks datasets" in text for text in texts(section(analysis, "identification")))
    for settings in (AnalysisSettings(), AnalysisSettings(dependence="positive")):
        found = section(analyse(table, settings), "identification")
        assert not any("†" in text for text in texts(found)), settings.dependence


def test_charts_tell_their_answer_in_words_and_can_be_drawn() -> None:
    from core.charts.theme import DARK, LIGHT

    figures = [
        part
        for one in chosen_sections(of_sample(TESTED))
        for part in one.parts
        if isinstance(part, Figure)
    ]
    names = ["staircase", "ladder", "both-sides", "differences", "forest"]
    assert [one.name for one in figures] == names
    for figure in figures:
        assert figure.alt.endswith(".")
        assert figure.draw(theme=LIGHT).to_dict() != figure.draw(theme=DARK).to_dict()


def of_effects(analysis: Analysis) -> tuple[str, Grid]:
    """The first sentence, and the table of averages."""
    parts = printed(effects_parts(analysis))
    said = [part.text for part in parts if isinstance(part, Paragraph)]
    return said[0], next(part for part in parts if isinstance(part, Grid))


def test_results_on_examples_get_the_meta_analysis_in_closed_form() -> None:
    analysis = of_sample(TESTED)
    data = analysis.data
    assert isinstance(data, ResultSet)
    a, b = data.systems[:2]
    expected = combine_effects(dataset_effects(data, a=a, b=b))
    assert of_effects(analysis)[0] == lead_sentence(expected, a=a, b=b)
    assert "random effects" in [row[0] for row in of_effects(analysis)[1].rows]


def test_effects_follow_datasets_left_out_and_exchanged_systems() -> None:
    whole = of_sample(TESTED)
    names = whole.table.datasets
    of_whole, averages_of_whole = of_effects(whole)
    # As a session does, they remember in one place.
    fewer = replace(of_sample(TESTED, AnalysisSettings(excluded=names[:1])), memory=whole.memory)
    assert f"these {len(names) - 1} " in of_effects(fewer)[0]
    swapped = replace(of_sample(TESTED, AnalysisSettings(swapped=True)), memory=whole.memory)
    said, averages = of_effects(swapped)
    assert said == of_whole
    assert averages.rows[0][1] == averages_of_whole.rows[0][1].replace("+", "−")


def test_signs_and_p_values_are_spoken_of_only_where_they_stand() -> None:
    tested = texts(section(of_sample(TESTED), "results"))
    assert "mark" not in grid(of_sample(TESTED), "results").header
    assert not any("marked" in text for text in tested)
    assert any("an interval may contain 0 although p ≤ α" in text for text in tested)
    # Systems that are called A and B need no letters.
    assert grid(of_sample(UNDIRECTED), "results").caption == "The table as printed."
    assert "A is A" not in " ".join(texts(section(of_sample(UNDIRECTED), "input")))


def test_where_joint_flips_count_each_table_of_other_p_values_says_so() -> None:
    for joint in ("example-id", ""):
        settings = AnalysisSettings(joint=joint, n_resamples=199)
        analysis = of_sample("simulated-translations", settings)
        said = {
            "input": grid(analysis, "input").caption,
            **{
                key: " ".join(texts(section(analysis, key))) for key in ("procedures", "dependence")
            },
        }
        assert all(("own test" in text) == bool(joint) for text in said.values()), joint
        counting = " ".join(texts(section(analysis, "counting")))
        assert ("All counts but that by joint flips assume" in counting) == bool(joint)
        # What is done already is not offered.
        assert ("count those jointly" in said["dependence"]) == (not joint)


def test_joint_counting_is_not_offered_where_it_is_refused() -> None:
    settings = AnalysisSettings(claim="not-worse", margin=1.0)
    at_margin = of_sample("simulated-translations", settings)
    of_correlations = of_sample("simulated-similarity")
    for analysis in (at_margin, of_correlations):
        for key in ("data", "dependence"):
            said = " ".join(texts(section(analysis, key)))
            assert "“Not known, or yes” is the safe answer" in said
            assert "count those jointly" not in said


def test_however_many_digits_stand_before_a_letter_a_column_is_one_of_text() -> None:
    columns = {"dataset": ["d"], "n": ["1,200 of 3,000"], "note": ["1" * 60 + "x"]}
    assert grid_of(columns).numeric == (False, True, False)
