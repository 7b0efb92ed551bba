"""What an analysis says in front: the same on every page, and only of the datasets in use."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis import Analysis, AnalysisSettings, Origin, analyse, statements
from core.charts import LIGHT
from core.data import PValueTable, ResultSet, read_results
from core.export.content import Figure, Grid, Paragraph
from core.export.markdown_report import markdown_report
from core.export.methods import methods_paragraphs, result_paragraph
from core.export.sections.answers import counting_parts
from core.export.sections.effects import effects_parts
from core.export.sections.record import settings_records
from core.report.verdicts import verdict


def of_examples(*wins: tuple[int, int], n: int = 40) -> bytes:
    """A dataset for each pair: examples that only the first system has right, and only the second."""
    lines = ["dataset,example,ours,base"]
    for d, (first, second) in enumerate(wins):
        for i in range(n):
            one = i < first
            other = first <= i < first + second
            lines.append(f"w{d},{i},{int(one)},{int(other)}")
    return ("\n".join(lines) + "\n").encode()


def of(
    content: bytes, settings: AnalysisSettings | None = None, *, name: str = "mine.csv"
) -> Analysis:
    data = read_results(content, name=name)
    assert isinstance(data, PValueTable | ResultSet)
    return analyse(data, settings, origin=Origin(title=name))


B_AHEAD = of_examples((3, 3), (2, 14), (1, 15), (4, 6))


def test_where_b_alone_is_shown_to_be_better_every_lead_says_so_in_the_same_words() -> None:
    analysis = of(B_AHEAD)
    question = analysis.questions[0]
    # What charts and tables begin with is the claim that is shown.
    assert question.claim == analysis.question.claim == "b-better"
    said = statements.lead(analysis, question)
    assert said == verdict(analysis.assessment, analysis.subject).sentence
    assert said.startswith("base is better than ours on at least 2 of 4 datasets")
    assert result_paragraph(analysis).startswith(said)
    report = markdown_report(analysis)
    assert report.count(said.replace("(", "\\(").replace(")", "\\)")) + report.count(said) >= 2
    # A claim that was chosen has a lead of its own.
    chosen = next(q for q in analysis.questions if q.claim == "a-better")
    assert statements.lead(analysis, chosen).startswith("The data do not show that ours is better")
    assert statements.stated(analysis, chosen) == (chosen,)
    assert [q.claim for q in statements.stated(analysis, question)] == ["a-better", "b-better"]


def test_names_and_the_common_practice_are_said_of_both_systems_where_the_lead_is() -> None:
    analysis = of(B_AHEAD)
    said = statements.about_the_count(analysis, analysis.questions[0])
    assert "That ours is better than base: Holm names none." in said
    assert any(
        text.startswith("That base is better than ours: Holm names w1 and w2.") for text in said
    )
    assert any(
        "two-sided p ≤ .05 with ours ahead on 0 and with base ahead on 2, of 4." in text
        for text in said
    )


def test_where_the_lead_speaks_of_both_systems_each_count_has_its_signature() -> None:
    analysis = of(B_AHEAD)
    question = analysis.questions[0]
    other = statements.stated(analysis, question)[0]
    lines = statements.signatures(analysis, question)
    assert lines == {
        "the count for ours": analysis.signature(other),
        "the count for base": analysis.signature(question),
    }
    assert ["claim:a-better" in line for line in lines.values()] == [True, False]
    report = " ".join(methods_paragraphs(analysis))
    assert f"is reproduced by “{lines['the count for ours']}”, the count for base by" in report
    of_settings = {row[0]: row[1] for row in settings_records(analysis).rows}
    assert of_settings["signature of the count for base"] == lines["the count for base"]
    # A claim that was chosen has its own alone.
    assert statements.signatures(analysis, other) == {"the count": analysis.signature(other)}


def test_where_b_alone_is_shown_to_be_better_its_claims_are_drawn_and_listed() -> None:
    analysis = of(B_AHEAD)
    found = {type(part).__name__: part for part in counting_parts(analysis)}
    picture, table = found["Figure"], found["Grid"]
    assert isinstance(picture, Figure)
    assert isinstance(table, Grid)
    assert "base is better than ours on at least 2 of 4 datasets" in picture.alt
    assert picture.draw(LIGHT).layout.xaxis.title.text == "u: B better on at least u of 4"
    assert "“base is better than ours on at least u of 4”" in table.caption
    assert table.marked == (True, True, False, False)
    assert table.records is not None
    holds = [(row[0], row[1]) for row in table.records.rows if row[3] == "yes"]
    assert holds == [("base is better than ours", 1), ("base is better than ours", 2)]
    # Where both are shown A's comes first.
    both = of(of_examples((3, 3), (2, 14), (15, 1)))
    assert [q.claim for q in both.questions] == ["a-better", "b-better"]


def test_what_stands_in_for_a_test_is_said_of_each_system_by_name_and_of_no_difference() -> None:
    table = b"dataset,ours,base,p_value\nx,1,2,.001\ny,3,2,.001\nz,5,3,.001\n"
    data = read_results(table, name="mine.csv", roles={"alternative": "two-sided"})
    assert isinstance(data, PValueTable)
    analysis = analyse(data, AnalysisSettings(), origin=Origin(title="mine.csv"))
    said = " ".join(statements.about_the_count(analysis, analysis.questions[0]))
    assert (
        "Where base is not behind (1 of 3), 1 − p/2 stands in for a test that ours is bet" in said
    )
    assert (
        "Where ours is not behind (2 of 3), 1 − p/2 stands in for a test that base is bet" in said
    )
    differ = next(question for question in analysis.questions if question.claim == "differ")
    assert "stands in" not in " ".join(statements.about_the_count(analysis, differ))


def test_of_one_dataset_the_other_way_round_is_never_the_verdict_again() -> None:
    analysis = of(of_examples((1, 15)))
    question = analysis.questions[0]
    lead = statements.lead(analysis, question)
    assert lead.startswith("One dataset: base is better than ours there")
    other = statements.other_count(analysis, question)
    assert "the data do not show that ours is better than base" in other
    assert "base is better than ours there" not in other


def test_only_examples_of_the_datasets_in_use_are_counted() -> None:
    content = of_examples((3, 3), (2, 14), (5, 5), n=30) + b"last,1,1,0\nlast,2,1,0\n"
    whole = statements.what_was_read(of(content))
    assert "4 datasets, 2 systems, 92 examples" in whole
    part = statements.what_was_read(of(content, AnalysisSettings(excluded=("w0", "last"))))
    assert "2 of 4 datasets, 2 systems, 60 examples" in part


def test_datasets_that_one_system_wins_on_every_example_decide_the_average() -> None:
    # The lead was once of the three others alone: base ahead.
    rows = of_examples(*[(100, 0)] * 4, *[(0, 5)] * 2, (0, 6), n=100)
    (lead, differing, *_) = (
        part.text for part in effects_parts(of(rows)) if isinstance(part, Paragraph)
    )
    average = (4.0 - 0.05 - 0.05 - 0.06) / 7.0
    assert lead.startswith(
        f"ours is ahead of base by {average:.2f} in accuracy on average over 7 datasets"
    )
    assert "Q and I² leave out 4 that have no variance: they speak for 3 datasets." in differing


@pytest.mark.parametrize(
    ("content", "name", "is_open"),
    [
        ("dataset,ours,base,p\na,10,12,.01\nb,9,10,.02\n", "mine.csv", True),
        ("dataset,ours,base,p\na,10,12,.01\nb,9,10,.02\n", "f1.csv", False),
        ("dataset,ours,base,p\na,10,12,.01\nb,9,10,.02\n", "error_analysis.csv", True),
        ("dataset,ours accuracy,base accuracy,p\na,10,12,.01\nb,9,10,.02\n", "mine.csv", False),
        ("dataset,ours wer,base wer,p\na,10,12,.01\nb,9,10,.02\n", "mine.csv", False),
        ("dataset,metric,ours,base,p\na,Q,10,12,.01\nb,Q,9,10,.02\n", "mine.csv", False),
        ("dataset,p\na,.01\nb,.02\n", "mine.csv", False),
    ],
)
def test_the_better_score_is_asked_for_where_no_name_says_it(
    content: str, name: str, is_open: bool
) -> None:
    assert statements.leaves_direction_open(of(content.encode(), name=name)) is is_open


def test_scores_on_examples_without_a_name_leave_open_which_is_better() -> None:
    rng = np.random.default_rng(4)
    rows = "dataset,example,ours,base\n" + "".join(
        f"d{d},{i},{rng.random():.3f},{rng.random():.3f}\n" for d in range(3) for i in range(12)
    )
    plain = of(rows.encode())
    assert statements.leaves_direction_open(plain)
    right = of(B_AHEAD)
    assert not statements.leaves_direction_open(right)
