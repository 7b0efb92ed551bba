"""JSON reads as the table that it stands for, and says where it does not."""

import json

import pytest

from core.data import ResultSet, ScoreTable, read_results
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
    return read_json(
        DecodedText(content=text.encode(), encoding="UTF-8"), name="t.json", **named
    ).raw


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


def test_pairs_of_escapes_are_one_letter_and_backslashes_are_kept():
    raw = table('[{"a":"\\ud83d\\ude00","b":"\\\\beta \\\\ud800"}]')
    assert (raw.cells("a"), raw.cells("b")) == (("😀",), ("\\beta \\ud800",))


def test_what_is_no_letter_is_read_as_a_sign_and_counted():
    raw = table('[{"a":"x\\u0007","b":1},{"a":"\\ud83d","b":2},{"a":"\\b\\ude00\\n","b":3}]')
    assert raw.cells("a") == ("x\ufffd", "\ufffd", "\ufffd\ufffd")
    assert raw.remarks == ("Signs that are no letters are read as \ufffd: 4.",)


def test_what_a_record_lacks_is_blank_and_what_all_records_nest_is_left_aside():
    raw = table('[{"a":1,"b":2,"c":[1]},{"a":3,"b":4,"c":{},"d":"x"},{"a":5,"d":"y","c":[]}]')
    assert raw.header == ("a", "b", "d")
    assert (raw.cells("b"), raw.cells("d")) == (("2", "4", ""), ("", "x", "y"))
    assert raw.remarks == ("Not read, as they hold arrays or objects: 'c'.",)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[{"a":1,"b":2,"c":3},\n{"x":1,"y":2,"z":3}]', 2),
        ('[{"a":1,"b":2,"c":3},\n{"a":1,"b":2,"c":[3]}]', 2),
        ('[{"a":1,"b":2,"gold":[3]},\n{"a":1,"b":2,"gold":[3]}]', 1),
    ],
    ids=["other names", "nested once", "nested gold"],
)
def test_records_of_other_kinds_are_named_by_their_line(text, line):
    with pytest.raises(DataError) as caught:
        table(text)
    assert caught.value.problems[0].line == line


def test_records_beside_what_is_said_of_all_know_their_system():
    raw = table('{"model":"m","config":{"x":1},"results":[{"id":1,"ok":2},{"id":3,"ok":4}]}')
    assert (raw.header, raw.cells("model")) == (("model", "id", "ok"), ("m", "m"))
    assert raw.remarks == ("The records under 'results' are read, not 'config'.",)


def test_a_huge_number_is_no_trouble():
    results = read_results(('[{"dataset":"x","n":' + "9" * 100_000 + ',"p":0.5}]').encode())
    assert results.datasets == ("x",)


def test_records_without_content_are_skipped_and_said():
    raw = table('[{"a":1,"b":2},{"a":null,"b":""},{"a":3,"b":4}]')
    assert raw.cells("a") == ("1", "3")
    assert raw.remarks == ("Records without any content are skipped: 1.",)


@pytest.mark.parametrize("order", ["mds", "msd", "dms", "smd", "dsm", "sdm"])
def test_names_of_metrics_are_metrics_wherever_they_are_nested(order):
    nested: dict = {}
    for d, dataset in enumerate(("en-de", "en-fr")):
        for s, system in enumerate(("ours", "base")):
            for m, metric in enumerate(("bleu", "ter")):
                names = {"d": dataset, "s": system, "m": metric}
                first, second, third = (names[level] for level in order)
                score = 100 * m + 10 * d + s
                nested.setdefault(first, {}).setdefault(second, {})[third] = score
    found = read_results(json.dumps(nested).encode(), name="r.json", roles={"metric": "ter"})
    assert isinstance(found, ScoreTable)
    assert (found.datasets, found.systems) == (("en-de", "en-fr"), ("ours", "base"))
    assert found.values.tolist() == [[100, 101], [110, 111]]
    assert not found.higher_is_better


@pytest.mark.parametrize("none", ["[]", "{}"])
def test_names_without_a_score_are_told_of(none):
    with pytest.raises(DataError, match="The JSON holds no scores"):
        table(f'{{"x": {{"ours": {none}, "base": {none}}}}}')
