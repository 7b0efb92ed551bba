"""Each problem has its remedies; one that is chosen is applied, told, and read again the same."""

from typing import Any

import pytest

from core.data import read_results
from core.data.roles import with_answer
from core.errors import DataError, lines_in_words, lines_of_words

EXAMPLES = "dataset,example,A,B\n" + "".join(
    f"{d},{i},{i % 2},{(i // 2) % 2}\n" for d in "xy" for i in range(6)
)
TABLE = "dataset,A,B,p\nx,91,90,.01\ny,92,90.5,.2\nz,80,81,.7\n"
EFFECTS = "dataset,effect,se\nx,.1,.2\ny,.3,.1\n"
IN_ROWS = "dataset,example,system,score\n" + "".join(
    f"{d},{i},{s},{(i + (s == 'A')) % 2}\n" for d in "xy" for i in range(4) for s in "AB"
)


def read(text, roles=None):
    results: Any = read_results(text.encode(), name="mine.csv", roles=roles)
    again: Any = read_results(text.encode(), name="mine.csv", roles=results.reading.roles)
    assert again.fingerprint == results.fingerprint
    assert again.reading.roles == results.reading.roles
    return results


def refused(text, roles=None):
    with pytest.raises(DataError) as caught:
        read_results(text.encode(), name="mine.csv", roles=roles)
    return caught.value


def answers(error):
    """What can be chosen beside each problem, as role and value."""
    return [
        [(choice.role, value) for choice in finding.choices for value, _ in choice.options]
        for finding in error.findings
    ]


# What is wrong, the answer that is pressed, and a file that says the same without the mistake.
MENDED = {
    "an unreadable score": (TABLE + "w,8o,81,.7\n", ("left_out", "5"), TABLE),
    "a p-value in words": (TABLE + "w,80,81,high\n", ("left_out", "5"), TABLE),
    "a p-value beyond 1": (TABLE + "w,80,81,1.7\n", ("incomplete", "leave-out"), TABLE),
    "a system without a score": (TABLE + "w,80,n/a,.1\n", ("left_out", "5"), TABLE),
    "a baseline without most of its scores": (
        TABLE.replace("90,", ",").replace("90.5,", "-,"),
        ("unused", ("B",)),
        TABLE.replace(",B", "").replace("90,", "").replace("90.5,", "").replace("81,", ""),
    ),
    "a third system without most of its scores": (
        "dataset,A,B,C\nx,91,90,89\ny,92,90.5,\nz,80,81,n/a\n",
        ("unused", ("C",)),
        "dataset,A,B\nx,91,90\ny,92,90.5\nz,80,81\n",
    ),
    "a third system without most of its answers": (
        EXAMPLES.replace("\n", ",\n").replace("B,\n", "B,C\n").replace("x,1,1,0,", "x,1,1,0,1"),
        ("unused", ("C",)),
        EXAMPLES,
    ),
    "a dataset without its effect": (EFFECTS + "w,,.1\n", ("left_out", "4"), EFFECTS),
    "a dataset twice": (TABLE + "x,80,81,.7\n", ("left_out", "5"), TABLE),
    "an id twice": (EXAMPLES + "y,5,1,1\n", ("left_out", "14"), EXAMPLES),
    "rows that are copies": (EXAMPLES + EXAMPLES.partition("\n")[2], ("copies", "first"), EXAMPLES),
    "an unreadable score in a row of its own": (
        IN_ROWS.replace("x,3,B,1", "x,3,B,l"),
        ("left_out", "8-9"),
        IN_ROWS.replace("x,3,A,0\nx,3,B,1\n", ""),
    ),
    "no answer": (
        EXAMPLES.replace("x,3,1,1", "x,3,,1"),
        ("incomplete", "wrong"),
        EXAMPLES.replace("x,3,1,1", "x,3,0,1"),
    ),
    "no answer, left out": (
        EXAMPLES.replace("x,3,1,1", "x,3,,1"),
        ("incomplete", "leave-out"),
        EXAMPLES.replace("x,3,1,1\n", ""),
    ),
    "no row of an answer": (
        IN_ROWS.replace("x,3,B,1\n", ""),
        ("incomplete", "wrong"),
        IN_ROWS.replace("x,3,B,1\n", "").replace("x,3,A,0\n", "x,3,A,0\nx,3,B,0\n"),
    ),
    "percent beside fractions": (
        "dataset,A,B,p\nx,91.5 ± 0.3,.90,.01\ny,92,.905,.2\n",
        ("divided", ("A",)),
        "dataset,A,B,p\nx,0.915 ± 0.003,.90,.01\ny,0.92,.905,.2\n",
    ),
    "systems in rows, perhaps metrics": (
        "model,CoNLL,GENIA\nBERT,90,80\nours,91,82\n",
        ("turned", True),
        "dataset,BERT,ours\nCoNLL,90,91\nGENIA,80,82\n",
    ),
    "sizes, at which systems are measured": (
        "model,224,384,512\nresnet,76,78,79\nvit,77,80,81\n",
        ("turned", True),
        "dataset,resnet,vit\n224,76,77\n384,78,80\n512,79,81\n",
    ),
    "what describes systems": (
        "model,image_size,CoNLL,GENIA\nBERT,224,90,80\nours,384,91,82\n",
        ("turned", True),
        "dataset,BERT,ours\nimage_size,224,384\nCoNLL,90,91\nGENIA,80,82\n",
    ),
    "models that are each asked in several ways": (
        "model,zero-shot,few-shot,+CoT\ngpt,70,72,73\nllama,60,62,61\n",
        ("dataset", "model"),
        "dataset,zero-shot,few-shot,+CoT\ngpt,70,72,73\nllama,60,62,61\n",
    ),
    "names that may be systems": (
        "thing,CoNLL,GENIA\nBERT,90,80\nours,91,82\n",
        ("turned", True),
        "dataset,BERT,ours\nCoNLL,90,91\nGENIA,80,82\n",
    ),
    "p-values under another heading": (
        "dataset,A,B,prob\nx,91,90,.001\ny,92,90.5,.2\n",
        ("p_value", "prob"),
        "dataset,A,B,p\nx,91,90,.001\ny,92,90.5,.2\n",
    ),
    "something else under another heading": (
        "dataset,A,B,prob\nx,91,90,.001\ny,92,90.5,.2\n",
        ("unused", ("prob",)),
        "dataset,A,B\nx,91,90\ny,92,90.5\n",
    ),
    "a number beside the systems that is none": (
        EXAMPLES.replace("A,B", "A,B,zork").replace("0\n", "0,17\n").replace("1\n", "1,23\n"),
        ("unused", ("zork",)),
        EXAMPLES,
    ),
    "texts without gold": (
        "dataset,example,right,A,B\n" + "".join(f"x,e{i},b{i % 2},b0,b1\n" for i in range(12)),
        ("gold", "right"),
        "dataset,example,gold,A,B\n" + "".join(f"x,e{i},b{i % 2},b0,b1\n" for i in range(12)),
    ),
    "an unknown heading of datasets": (
        EXAMPLES.replace("dataset", "comparison"),
        ("dataset", "comparison"),
        EXAMPLES,
    ),
}


@pytest.mark.parametrize(("text", "answer", "mended"), MENDED.values(), ids=MENDED)
def test_the_remedy_beside_a_problem_reads_the_file_as_if_it_were_mended(text, answer, mended):
    error = refused(text)
    assert any(answer in offered for offered in answers(error))
    results = read(text, with_answer({}, *answer))
    assert results.fingerprint == read(mended).fingerprint
    assert getattr(results, "has_spreads", 0) == getattr(read(mended), "has_spreads", 0)
    if answer[0] not in ("p_value", "dataset", "systems", "gold"):
        assert len(results.reading.remarks) > len(read(mended).reading.remarks)


def test_a_system_is_left_aside_only_as_a_column_of_the_file_and_beside_two_others():
    # Turned around, the file has a column for each dataset and none for a system.
    turned = "model,CoNLL,GENIA,BC5\nBERT,90,80,70\nours,91,82,72\nold,,,60\n"
    offered = [one for each in answers(refused(turned, {"turned": True})) for one in each]
    assert ("incomplete", "leave-out") in offered
    assert "unused" not in dict(offered)
    lone = refused("dataset,A,B\nx,91,90\ny,92,90.5\nz,80,\n")
    assert answers(lone) == [[("incomplete", "leave-out")]]


@pytest.mark.parametrize("text", ["genre,result,who\nw,1,a\nw,0,b\n", "dataset,x\na,1\nb,2\n"])
def test_columns_that_are_not_understood_are_told_the_long_layout(text):
    assert "'dataset', 'example', 'system' and 'score'" in str(refused(text))


def test_leaving_out_is_no_remedy_where_no_row_would_be_left():
    wrong = "dataset,A,B,p\nx,1,2,high\ny,2,1,low\n"
    assert answers(refused(wrong)) == [[], []]
    assert answers(refused(wrong + "z,3,1,.2\n")) == [[("left_out", "2")], [("left_out", "3")]]


def test_answers_to_several_problems_join():
    text = TABLE + "v,80,81,high\nw,8o,81,.7\n"
    roles: dict[str, Any] = {}
    while True:
        try:
            results = read(text, roles)
            break
        except DataError as error:
            roles = with_answer(roles, *answers(error)[0][0])
    assert roles["left_out"] == "5-6"
    assert results.fingerprint == read(TABLE).fingerprint


def test_findings_are_told_from_the_most_frequent_and_lines_are_written_as_stretches():
    error = refused(TABLE + "v,80,81,1.7\nw,8o,81,.7\nu,8o,81,.7\nt,8o,81,.7\n")
    assert [finding.n_places for finding in error.findings] == sorted(
        (finding.n_places for finding in error.findings), reverse=True
    )
    by_file = {None: [(3, 3), (9, 12), (4, 5)], "a: b.csv": [(1, 1)]}
    text = lines_in_words(by_file)
    assert text == "3-5, 9-12; a: b.csv: 1"
    assert lines_of_words(text) == {None: [(3, 5), (9, 12)], "a: b.csv": [(1, 1)]}


def test_of_a_system_without_an_answer_on_a_dataset_none_counts_as_wrong():
    lines = [line[: line.rindex(",") + 1] if line[0] == "y" else line for line in EXAMPLES.split()]
    assert "wrong" not in dict(refused("\n".join(lines)).choices[-1].options)
    error = refused("\n".join(lines).replace("x,3,1,1", "x,3,,1"), {"incomplete": "wrong"})
    assert [(problem.dataset, problem.column) for problem in error.problems] == [("y", "B")] * 6


def test_a_system_that_answers_none_lacks_no_answer():
    rows = [f"x,{i},yes,{('none', 'yes')[i % 2]},yes,yes" for i in range(5)]
    error = refused("\n".join(["dataset,example,gold,A,B,C", *rows, "x,9,yes,none,,yes"]))
    assert error.choices[-1].options == ((("B",), "Leave 'B' aside, and keep every example"),)
