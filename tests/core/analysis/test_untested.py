"""What an analysis says while tests are running or were stopped: nothing of what is untested."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis import Analysis, AnalysisSettings, Origin, analysis_of, statements
from core.data import ResultSet
from core.export.report import markdown_report
from core.significance import run_dataset_tests
from core.words.counting import common_practice_sentence, counting_tiles

DATASETS = ("one", "two", "three", "four", "five")


@pytest.fixture
def stopped() -> Analysis:
    """Two of five datasets are tested, with a small p-value on one of them."""
    scores = {
        name: {"ours": [1.0] * 12 if name == "one" else [1.0, 0.0] * 6, "base": [0.0, 1.0] * 6}
        for name in DATASETS
    }
    data = ResultSet.from_scores(scores)
    tested = run_dataset_tests(
        ResultSet.from_scores({name: scores[name] for name in DATASETS[:2]}),
        a="ours",
        b="base",
        rng=0,
    )
    assert (tested.p_values <= 0.05).tolist() == [True, False]
    return analysis_of(data, tested.with_untested(DATASETS), AnalysisSettings(), origin=Origin())


def test_the_common_practice_counts_among_the_datasets_that_are_tested(stopped: Analysis) -> None:
    assert stopped.subject.n_untested == 3
    question = stopped.questions[0]
    tiles = counting_tiles(question.answer, stopped.subject, claim=question.claim)
    assert tiles[-1].figure == "1 of 2 tested so far"
    said = statements.common_practice(stopped, question)
    assert "1 of 2 tested" in said
    assert "3 are not" in said


def test_of_one_that_is_left_and_of_none_that_is_done_it_is_said_in_words_that_fit(
    stopped: Analysis,
) -> None:
    question = stopped.questions[0]
    one_left, none_done = (replace(stopped.subject, n_untested=n) for n in (1, 5))
    said = [
        common_practice_sentence(question.answer, subject, claim=question.claim)
        for subject in (one_left, none_done)
    ]
    assert "1 of 4 tested; 1 is " in said[0]
    assert " of " not in said[1]
    tiles = counting_tiles(question.answer, none_done, claim=question.claim)
    assert tiles[-1].figure == "none tested yet"


def test_nothing_is_said_to_hang_on_a_p_value_that_stands_in_for_a_test(stopped: Analysis) -> None:
    report = markdown_report(stopped)
    assert "Sensitivity is shown once every dataset is tested" in report
    assert "would still show" not in report
    assert "it rises to" not in report


def test_a_whole_table_has_nothing_untested(stopped: Analysis) -> None:
    assert isinstance(stopped.data, ResultSet)
    whole = run_dataset_tests(stopped.data, a="ours", b="base", rng=np.random.default_rng(0))
    analysis = analysis_of(stopped.data, whole, AnalysisSettings(), origin=Origin())
    assert analysis.subject.n_untested == 0
    assert "would still show" in statements.common_practice(analysis, analysis.questions[0])
