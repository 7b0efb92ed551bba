"""JSON reads as the table that it stands for, and says where it does not."""

import json

import pytest

from core.data import ResultSet, read_results
from core.data.sources.json_table import read_json
from core.data.tables.text import DecodedText
from core.errors import DataError

ROWS = [
    {"dataset": "x", "example": "1", "ours": 1, "base": 0},
    {"dataset": "x", "example": "2", "ours": 0.25, "base": 1},
    {"dataset": "y", "example": "1", "ours": 1, "base": 1},
]
CSV = b"dataset,example,ours,base\nx,1,1,0\nx,2,0.25,1\ny,1,1,1\n"


def table(text, **named):
    return read_json(DecodedText(text=text, encoding="UTF-8"), name="t.json", **named).raw


def read(content, **named):
    results = read_results(content, **named)
    assert isinstance(results, ResultSet)
    return results


def refusal(text, **named):
    with pytest.raises(DataError) as caught:
        read_results(text.encode(), **named)
    return caught.value


def by_columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2).replace("\n", "\r\n"),
        "\n".join(map(json.dumps, ROWS)),
        "\n\n".join(map(json.dumps, ROWS)) + "\n",
        json.dumps(by_columns(ROWS)),
        json.dumps({n: {str(i): v for i, v in enumerate(c)} for n, c in by_columns(ROWS).items()}),
        json.dumps({"x": [{k: r[k] for k in r if k != "dataset"} for r in ROWS[:2]],
                    "y": [{k: r[k] for k in r if k != "dataset"} for r in ROWS[2:]]}),
        json.dumps({"x": {"ours": {"1": 1, "2": 0.25}, "base": {"2": 1, "1": 0}},
                    "y": {"ours": {"1": 1}, "base": {"1": 1}}}),
    ],
    ids=["array", "indented", "lines", "spaced lines", "columns", "columns of pandas",
         "records by dataset", "by dataset, system and example"],
)  # fmt: skip
def test_every_form_reads_as_the_same_table_in_csv(text):
    results, plain = read_results(text.encode()), read_results(CSV)
    assert isinstance(results, ResultSet)
    assert results.fingerprint == plain.fingerprint


def test_numbers_keep_their_digits():
    digits = ["0.10", "1e-05", "123456789012345678901234567890", "-0", "1.0E+2"]
    raw = table("[" + ",".join(f'{{"a":"k","b":{number}}}' for number in digits) + "]")
    assert raw.cells("b") == tuple(digits)


def test_words_of_json_become_cells():
    raw = table('[{"a":"k","b":null},{"a":"l","b":true},{"a":" m ","b":NaN}]')
    assert raw.cells("b") == ("", "true", "NaN")
    assert raw.cells("a") == ("k", "l", "m")


def test_rows_know_the_lines_of_their_records():
    assert table('[\n{"a":1,"b":2},\n\n{"a":\n3,"b":4}, {"a":5,"b":6}]').lines.tolist() == [2, 4, 5]
    assert table('{"a":1,"b":2}\n\n{"b":3,"a":4}\n').lines.tolist() == [1, 3]


def test_records_may_order_their_names_in_any_way():
    assert table('[{"a":1,"b":2},{"b":4,"a":3}]').cells("a") == ("1", "3")


def test_every_wrong_record_is_named_by_its_line():
    text = (
        '{"dataset":"x","ours":1,"base":1}\n'
        '{"dataset":"x","ours":1\n'
        '{"dataset":"x","ours":1,"ours":2,"base":1}\n'
        '{"dataset":"x","ours":1,"more":3}\n'
        '{"dataset":"x","ours":[1],"base":1}\n'
        "7\n"
    )
    problems = refusal(text).problems
    assert [problem.line for problem in problems] == [2, 3, 4, 5, 6]
    for part, problem in zip(
        ("no JSON", "'ours' stands twice", "lacks 'base' and has 'more' besides", "an array or an",
         "no record"),
        problems, strict=True,
    ):  # fmt: skip
        assert part in problem.what


@pytest.mark.parametrize("order", ["dataset, system", "system, dataset"])
def test_nested_scores_read_by_their_lengths_whatever_is_outside(order):
    scores = {
        ("x", "ours"): [1, 0, 1],
        ("x", "base"): [0, 0, 1],
        ("y", "ours"): [1],
        ("y", "base"): [0],
    }
    nested: dict[str, dict[str, list[int]]] = {}
    for (dataset, system), values in scores.items():
        first, second = (dataset, system) if order == "dataset, system" else (system, dataset)
        nested.setdefault(first, {})[second] = values
    results = read(json.dumps(nested).encode())
    assert results.datasets == ("x", "y")
    assert results.systems == ("ours", "base")
    for (dataset, system), values in scores.items():
        assert results.scores(dataset, system).tolist() == values
    assert results.reading is not None
    assert results.reading.choices == ()
    assert results.reading.roles["name_order"] == order


def test_nested_scores_that_fit_both_ways_are_a_question():
    text = b'{"a": {"u": [1, 0], "v": [0, 1]}, "b": {"u": [1, 1], "v": [0, 0]}}'
    usual = read_results(text)
    assert usual.datasets == ("a", "b")
    assert usual.reading is not None
    assert "the other way as well" in usual.reading.remarks[0]
    (choice,) = usual.reading.choices
    assert choice.role == "name_order"
    other = read(text, roles={"name_order": "system, dataset"})
    assert other.datasets == ("u", "v")
    assert other.scores("v", "b").tolist() == [0, 0]
    assert other.reading is not None
    assert other.reading.remarks == ()


def test_gold_labels_say_which_names_are_systems():
    nested = {"gold": {"x": ["p", "n"], "y": ["p", "p"]}, "s1": {"x": ["p", "p"], "y": ["n", "p"]},
              "s2": {"x": ["n", "n"], "y": ["p", "p"]}}  # fmt: skip
    results = read(json.dumps(nested).encode())
    assert results.datasets == ("x", "y")
    assert results.systems == ("s1", "s2")
    gold = results.gold("x")
    assert gold is not None
    assert gold.tolist() == ["p", "n"]


def test_nested_scores_of_different_lengths_name_dataset_and_counts():
    error = refusal('{"x":{"ours":[1,0],"base":[1]},\n"y":{"ours":[1,0,1]}}')
    first, second = error.problems
    assert (first.dataset, first.line) == ("x", 1)
    assert "'ours' 2, 'base' 1" in first.what
    assert (second.dataset, second.line) == ("y", 2)
    assert "no scores of 'base'" in second.what
    assert error.choices[0].role == "name_order"


def test_a_missing_score_is_named_by_its_entry():
    error = refusal('{"x":{"ours":[1,0,1],"base":[1,null,0]},"y":{"ours":[1],"base":[0]}}')
    (problem,) = error.problems
    assert (problem.dataset, problem.column, problem.line) == ("x", "base", 1)
    assert problem.file is not None
    assert problem.file.endswith("entry 2")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('[{"a":' + "[" * 100_000, "nested too deeply"),
        ('[{"a":1,"b":2}', "no JSON"),
        ('[{"a":1,"b":2}] x', "after the end"),
        ('[{"a":1,"b":"\\ud800"}]', "no letter"),
        ('[{"a":1,"b":"\\ud800x\\ud83d\\ude00"}]', "no letter"),
        ('[{"a":1,"b":"\\u0007"}]', "no letter"),
        ('{"a":[1,2],"b":[1]}', "'a' 2, 'b' 1"),
        ('{"a":[1,[2]],"b":[1,2]}', "Entry 2 is an array"),
        ('{"a":[1,2],"b":3}', "different kinds"),
        ('{"a":1,"a":2}', "'a' stands twice"),
        ('{"x":{"a":[1],"a":[2]}}', "'a' stands twice"),
        ("[]", "no record"),
        ("{}", "different kinds"),
        ('[{"":1,"b":2}]', "no name"),
        ('["a"]', "no record"),
    ],
)
def test_what_is_no_table_says_why(text, reason):
    assert reason in str(refusal(text[:200_000]))


def test_pairs_of_escapes_are_one_letter_and_backslashes_are_kept():
    raw = table('[{"a":"\\ud83d\\ude00","b":"\\\\beta \\\\ud800"}]')
    assert (raw.cells("a"), raw.cells("b")) == (("😀",), ("\\beta \\ud800",))


def test_a_huge_number_is_no_trouble():
    results = read_results(('[{"dataset":"x","n":' + "9" * 100_000 + ',"p":0.5}]').encode())
    assert results.datasets == ("x",)


@pytest.mark.parametrize(
    "text",
    [
        '{"SST": {"A": [1], "B": [0]}, "SST ": {"A": [1], "B": [0]}}',
        '{"A": {"SST": [1], "SST ": [1, 0]}, "B": {"SST": [0], "SST ": [1, 0]}}',
        '{"SST": [{"A": 1, "B": 0}], "SST ": [{"A": 0, "B": 0}]}',
        '{"SST": {"A": 90.5, "B": 80}, " SST": {"A": 91, "B": 80}}',
        '{"x": {"A": [1], "A\\t": [0], "B": [1]}, "y": {"A": [1], "A\\t": [0], "B": [1]}}',
    ],
)
@pytest.mark.parametrize("order", [None, "dataset, system", "system, dataset"])
def test_names_that_differ_in_outer_white_space_alone_are_a_problem(text, order):
    with pytest.raises(DataError, match="differ in outer white space alone") as caught:
        read_results(text.encode(), roles={"name_order": order})
    assert len(caught.value.problems) == 1
