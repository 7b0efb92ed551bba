"""Marks in cells and names, the legend that explains them, and words around a table."""

from typing import Any

import numpy as np
import pytest

from core.data import read_results
from core.data.p_value_table import PValueTable
from core.data.score_table import ScoreTable
from core.data.tables.marks import levels_in
from core.errors import DataError

MARKED = "dataset,BERT,XLM\nSST,91.2,92.3*\nMNLI,86.0**,84.1\nRTE,66.0,65.1\n"


def is_a(results: object, kind: type) -> bool:
    return isinstance(results, kind)


def read(text: str, **roles: str) -> Any:
    return read_results(text.encode(), name="t.csv", roles=roles or None)


@pytest.mark.parametrize(
    ("legend", "levels"),
    [
        ("* p < .05, ** p ≤ 0.01", {"*": "<.05", "**": "≤.01"}),
        ("*: p-value<0.05; **: p-value<0.01", {"*": "<.05", "**": "<.01"}),
        (r"$^{*}p<0.05$, $^{\dagger}p<0.1$", {"*": "<.05", "†": "<.1"}),
        ("∗ denotes a significant gain with p < 0,05", {"*": "<.05"}),
        ("** significant at the .01 level, * significant at 5%", {"**": "≤.01", "*": "≤.05"}),
        (
            "Signif. codes: 0 ‘***’ 0.001 ‘**’ 0.01 ‘*’ 0.05",
            {"***": "≤.001", "**": "≤.01", "*": "≤.05"},
        ),
        ("* p < 5%, ** p < 1.0 %, *** p < 0,1%", {"*": "<.05", "**": "<.010", "***": "<.001"}),
        (
            "*, **, and *** denote p<.05, p<.01 and p<.001 (paired t-test)",
            {"*": "<.05", "**": "<.01", "***": "<.001"},
        ),
        ("*/**/***: p < 0.1/0.05/0.01", {"*": "<.1", "**": "<.05", "***": "<.01"}),
        (
            "*** , ** and * indicate significance at the 1%, 5% and 10% levels, respectively",
            {"***": "≤.01", "**": "≤.05", "*": "≤.10"},
        ),
        ("* and † mark p < .05, on dev and test", {"*": "<.05", "†": "<.05"}),
        (r"$\dagger$: significantly better than XLM-R large ($p<0.05$).", {"†": "<.05"}),
        ("* marks a statistically significant gain over BERT with p < 0.01", {"*": "<.01"}),
        ("* p < .05 on dev, * p < .01 on test", {}),
        ("Table 2: accuracy of 5 runs, best in bold", {}),
    ],
)
def test_a_legend_is_read_as_papers_write_it(legend, levels):
    assert levels_in([legend]) == levels


@pytest.mark.parametrize(
    "line",
    [
        "* , " * 5_000,
        "*/" * 5_000,
        f"*{' ' * 20_000}x",
        f"* significant at level{' ' * 20_000}x",
        f"x{' ' * 20_000}x",
        f"*{' , .05' * 5_000}x",
    ],
    ids=["commas", "slashes", "spaces", "level", "no mark", "levels"],
)
def test_a_long_line_of_marks_or_spaces_is_no_legend_and_takes_no_time(line):
    assert levels_in([f"{line}…"]) == {}


@pytest.mark.parametrize(
    ("mark", "legend"),
    [
        ("**", "* p < .05 (t test), ** p < .05 (bootstrap)"),
        ("‡", "* p < .05\n‡: better than T5 (p < .05)"),
    ],
)
def test_marks_of_one_level_are_asked_about_and_read_as_declared(mark, legend):
    text = f"{MARKED.replace('**', mark)}{legend}\n"
    asked = read(text)
    assert is_a(asked, ScoreTable)
    assert any(f"'*', '{mark}' state the same level of p" in r for r in asked.reading.remarks)
    (choice,) = asked.reading.choices
    (none, _), (own, _), *_ = choice.options
    assert (choice.role, none) == ("marks", "none")
    assert read(text, marks=own).p_values.tolist() == [0.05, 0.05, 1.0]
    assert read(text, marks=f"* p<.05, {mark} p<.01").p_values.tolist() == [0.05, 0.01, 1.0]


def test_many_stars_behind_a_number_take_no_time():
    with pytest.raises(DataError, match="is not a number"):
        read(f"{MARKED}QNLI,91.0{'*' * 1_000}x,90.0\n* p < .05\n")


@pytest.mark.parametrize("legend", ["* p < .05, ** p < .01\n", '"* p < .05, ** p < .01",,\n'])
def test_stars_bound_p_by_the_tables_own_legend_without_overlap_and_no_star_counts_as_1(legend):
    table = read(MARKED + legend)
    assert is_a(table, PValueTable)
    assert table.p_values.tolist() == [0.05, 0.01, 1.0]
    low, high = table.p_value_bounds
    np.testing.assert_allclose([low, high], [[0.01, 0.0, 0.05], [0.05, 0.01, 1.0]])
    # Each is counted once: one star is not also p ≤ .01, and no star is not also p ≤ .05.
    assert (low > [0.01, -1.0, 0.05]).all()
    assert (table.printed_scores_a, table.printed_scores_b) == (
        ("91.2", "86.0", "66.0"),
        ("92.3", "84.1", "65.1"),
    )
    assert table.alternative == "not-stated"
    assert read(MARKED + legend.replace("* p", "Two-sided; * p", 1)).alternative == "two-sided"
    assert "Line 5 was read as a legend" in table.reading.remarks[0]
    again = read(MARKED + legend, **table.reading.roles)
    np.testing.assert_array_equal(again.p_values, table.p_values)
    assert isinstance(read(MARKED + legend, marks="none"), ScoreTable)


@pytest.mark.parametrize(
    "text",
    [
        # Both systems against a third one, daggers that nobody explains, metrics.
        MARKED.replace("91.2", "91.2*"),
        "dataset,A,B\nSST,1.5,2.5†\nMNLI,1.5,2.5\n",
        MARKED.replace("BERT,XLM", "accuracy,F1"),
    ],
)
def test_marks_that_no_pair_of_systems_has_are_no_p_values(text):
    roles: dict[str, Any] = {"systems": ("accuracy", "F1")} if "accuracy" in text else {}
    table = read(text if "†" in text else f"{text}* p < .05, ** p < .01\n", **roles)
    assert is_a(table, ScoreTable)
    assert not table.reading.choices


def test_of_more_than_two_systems_stars_are_read_of_the_pair_that_is_chosen():
    text = "dataset,A,B,C,D\nSST,1.5,2.5*,3.5,9.5\nMNLI,1.5,2.5,3.5**,9.5\nRTE,1.5,2.5,3.5,9.5\n"
    legend = "* p < .05, ** p < .01\n"
    asked = read(text + legend)
    assert is_a(asked, ScoreTable)
    offered = {
        choice.role: [value for value, _ in choice.options] for choice in asked.reading.choices
    }
    assert offered == {"system_a": ["B", "C"], "system_b": ["A", "D"]}
    for given, pair, p_values in (
        ({"system_a": "B"}, ("B", "A"), [0.05, 1.0, 1.0]),
        ({"system_a": "C"}, ("C", "A"), [1.0, 0.01, 1.0]),
        ({"system_b": "D"}, ("B", "D"), [0.05, 1.0, 1.0]),
        ({"system_a": "C", "system_b": "D"}, ("C", "D"), [1.0, 0.01, 1.0]),
    ):
        table = read(text + legend, **given)
        assert (table.system_a, table.system_b) == pair, given
        assert table.p_values.tolist() == p_values, given
        assert offered.keys() <= {choice.role for choice in table.reading.choices}, given
        again = read(text + legend, **table.reading.roles)
        assert again.fingerprint == table.fingerprint, given
    # Without a legend that is asked first.
    assert [choice.role for choice in read(text).reading.choices] == ["marks"]
    # Where every system has a mark, nothing says whom they compare.
    assert not read(text.replace("1.5,", "1.5*,").replace("9.5", "9.5*") + legend).reading.choices


@pytest.mark.parametrize("name", ["**XLM**", "XLM†", r"\textbf{XLM}$^\dagger$", "XLM<sup>*</sup>"])
@pytest.mark.parametrize("score", ["**92.3**", r"\textbf{92.3}", "<b>92.3</b>", "$92.3^{a}$"])
def test_marks_and_emphasis_are_no_part_of_names_and_numbers(name, score):
    table = read(f"dataset,BERT,{name},p\nSST†,91.2,{score},.03\nMNLI,84.1,86.0,.2\n")
    assert (table.system_a, table.system_b) == ("BERT", "XLM")
    assert table.datasets == ("SST", "MNLI")
    assert table.scores_b.tolist() == [92.3, 86.0]
    said = " ".join(table.reading.remarks)
    assert name in said
    assert score in said


@pytest.mark.parametrize(
    "name", ["in **bold**", "$5 to $6", "a$x$b", "$x$", '<b y="1">y</b>', "so **bold** a"]
)
def test_signs_within_a_name_are_its_own(name):
    table = read(f"dataset\tA\tB\n{name}\t1\t2\nother\t3\t4\n")
    assert table.datasets == (name, "other")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Table 3: accuracy, best in bold.", "title"),
        ("Note: best in bold.", "footnote"),
        ("† Trained with more data", "footnote"),
        ("The best result of each row is bold", "footnote"),
    ],
)
def test_words_below_a_file_are_set_apart_with_their_line(words, kind):
    rows = "dataset,BERT,XLM,p\nSST,91.2,92.3,.03\nMNLI,84.1,86.0,.2\n"
    for text in (f"{rows}{words}\n", f"{rows}\n{words},,,\n"):
        table = read(text)
        assert table.datasets == ("SST", "MNLI")
        line = text.count("\n")
        assert table.reading.remarks[0].startswith(f"Line {line} was read as a {kind}")
