"""A role written for the command line is read back the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.roles import COLUMN_ROLES, DECLARATIONS, SCORES, SYSTEMS
from core.export.record import role_in_words, role_of_words

NAMES = st.text(max_size=6) | st.sampled_from(
    ["a,b", " a ", '["x"]', '{"x":1}', "true", "1", "=", ":", "", "\n", "\udc80", "\u202e"]
)
VALUES = (
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | NAMES
    | st.lists(NAMES, max_size=4).map(tuple)
    | st.dictionaries(NAMES, st.booleans(), max_size=3)
)


@given(st.sampled_from([*COLUMN_ROLES, SYSTEMS, SCORES, "layout", *DECLARATIONS]), VALUES)
def test_every_value_of_every_role_comes_back(role, value):
    words = role_in_words(role, value)
    assert words.isprintable()
    found_role, found = role_of_words(words)
    assert found_role == role
    assert type(found) is type(value) or isinstance(value, float)
    assert found == value


def test_the_short_form_is_taken_where_it_says_the_same():
    for role, value, words in [
        ("cluster", None, "cluster="),
        ("higher_is_better", False, "higher_is_better=false"),
        ("systems", ("a", "b"), "systems=a,b"),
        ("systems", ("a,b", "c"), 'systems:=["a,b", "c"]'),
        ("dataset", "", 'dataset:=""'),
        ("higher_is_better", {"ter": False}, 'higher_is_better:={"ter": false}'),
        ("zero_reads_below", 0.001, "zero_reads_below=0.001"),
    ]:
        assert role_in_words(role, value) == words, (role, value, words)


def test_what_is_no_role_is_refused_with_what_it_should_be():
    for text in ["", "metric", "=x", ":=1", "a:=", "a:=[1", "systems=[1"]:
        with pytest.raises(ValueError, match="must be"):
            role_of_words(text)
