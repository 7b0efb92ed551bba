"""Examples have the same number exactly where every column of their input is equal."""

import numpy as np
import pyarrow as pa

from core.data.overlap.known_by import input_columns, inputs_of_rows
from core.data.tables.raw_table import RawTable


def inputs_of(raw, n_first, taken=()):
    """The inputs where the first rows are one dataset, the others another."""
    ends = np.array([n_first, raw.n_rows])
    return inputs_of_rows(raw, np.arange(raw.n_rows), ends, taken)


def table(**columns):
    n_rows = len(next(iter(columns.values())))
    return RawTable(
        header=tuple(columns),
        columns=tuple(pa.array(cells, pa.string()) for cells in columns.values()),
        lines=np.arange(2, n_rows + 2),
        separator=",",
        encoding="utf-8",
    )


def test_an_input_is_known_by_its_heading_and_what_is_said_about_it_is_none():
    inputs = ("text", "Sentence", "sentence1", "premise", "hypothesis", "question", "context")
    about = ("comment", "note", "title", "category", "url", "explanation", "topic", "A", "word")
    for heading in (*inputs, "Sentence 2", *about):
        found = input_columns(table(**{heading: ["a", "b"]}), ())
        assert found == (() if heading in about else (heading,)), heading


def test_a_column_with_a_role_is_no_input():
    raw = table(text=["a", "b"], question=["c", "d"])
    assert input_columns(raw, {"text"}) == ("question",)
    assert inputs_of(raw, 1, {"text", "question"}) is None


# Columns, how many rows are of the first dataset, and equal numbers for equal inputs.
NUMBERED = [
    # All columns together make the input, as they stand in it and letter by letter.
    ({"premise": ["It rains."] * 3 + ["Snow."], "hypothesis": ["Wet.", "Dry.", "Wet.", "Wet."]}, 2,
     [0, 1, 0, 2]),
    ({"premise": ["a", "", "b"], "hypothesis": ["", "a", "a"]}, 1, [0, 1, 2]),
    ({"text": ["Good", "good", "good.", "go od"]}, 2, [0, 1, 2, 3]),
    # An example without any has none.
    ({"premise": ["", "a", ""], "hypothesis": ["", "", "b"]}, 1, [-1, 0, 1]),
    # Ids that are words serve where there is no other input.
    ({"item": ["car|auto", "sea|lake", "car|auto"], "url": ["x", "y", "z"]}, 1, [0, 1, 0]),
]  # fmt: skip


def test_examples_have_one_number_where_all_of_their_input_is_equal():
    for columns, n_first, expected in NUMBERED:
        codes = np.concatenate(inputs_of(table(**columns), n_first).codes).tolist()
        places: dict[int, int] = {-1: -1}
        assert [places.setdefault(code, len(places) - 1) for code in codes] == expected, columns
    assert input_columns(table(item=["1", "2"]), ()) == ()
    assert input_columns(table(item=["car", "sea"], text=["x", "y"]), ()) == ("text",)


def test_a_column_that_repeats_through_a_dataset_does_not_hide_equal_texts():
    # Beside the name of its source the same text would look like two.
    texts = [f"text {i}" for i in range(40)]
    raw = table(text=texts * 2, source=["imdb"] * 40 + ["yelp"] * 40)
    inputs = inputs_of(raw, 40)
    assert inputs.columns == ("text",)
    assert np.array_equal(inputs.codes[0], inputs.codes[1])


def test_an_instruction_alone_is_no_input():
    raw = table(prompt=["Is it good?"] * 40 + ["Is it bad?"] * 40)
    assert inputs_of(raw, 40) is None


def test_the_number_of_a_question_is_no_input():
    for form in ["{}", "#{}", "{}.0"]:
        numbers = [form.format(i) for i in range(9)]
        assert inputs_of(table(question=numbers), 4) is None, form
        sums = table(question=[f"{i} + 4 = ?" for i in range(9)])
        assert inputs_of(sums, 4) is not None, form


def test_the_rows_go_to_their_datasets_as_they_are_split():
    raw = table(text=["a", "b", "c"])
    inputs = inputs_of_rows(raw, np.array([2, 0, 1]), np.array([2, 3]), ())
    assert [part.tolist() for part in inputs.codes] == [[2, 0], [1]]
