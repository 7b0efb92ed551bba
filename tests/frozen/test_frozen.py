"""Numbers, names and readings are those that are stored.

Where one changes on purpose, ``python -m tests.frozen`` stores it anew and prints what changed.
"""

import json
from functools import cache
from typing import Any

import pytest

from core.errors import DataError
from tests.frozen.compare import differences
from tests.frozen.facts import STORED, SUBJECTS, corpus, facts_of, outcome_of_case, plain


@pytest.mark.parametrize("subject", [name for name in SUBJECTS if name != "real"])
def test_facts_are_those_stored(subject):
    stored = json.loads((STORED / f"{subject}.json").read_text(encoding="utf-8"))
    assert list(differences(stored, plain(SUBJECTS[subject]()))) == []


@pytest.mark.real
def test_facts_of_real_data_are_those_stored():
    stored = json.loads((STORED / "real.json").read_text(encoding="utf-8"))
    assert list(differences(stored, plain(SUBJECTS["real"]()))) == []


@cache
def stored_corpus():
    """Every case, and one of each kind of file, by which of its roles hold something."""
    cases, kinds = corpus(), dict[tuple[str, ...], str]()
    for case in cases:
        if "roles" in case["facts"]:
            held = (role for role, given in case["facts"]["roles"].items() if given)
            kinds.setdefault((case["facts"]["layout"], *held), case["title"])
    return cases, set(kinds.values())


# In parts, as it takes longest of all and may be spread over processes.
@pytest.mark.parametrize("part", range(4))
def test_every_file_of_the_corpus_is_read_or_refused_as_stored_and_its_roles_read_it_again(part):
    cases, read_again = stored_corpus()
    changed, otherwise = [], []
    for case in cases[part::4]:
        read = outcome_of_case(case)
        changed += [
            f"{case['title']}: {line}" for line in differences(case["facts"], plain(facts_of(read)))
        ]
        if isinstance(read, DataError):
            assert all(one.what and one.remedy for one in read.problems), case["title"]
        elif case["title"] in read_again:
            again = outcome_of_case(case, read.reading.roles)
            if (
                isinstance(again, DataError)
                or again.reading.roles != read.reading.roles
                or again.fingerprint != read.fingerprint
            ):
                otherwise.append(case["title"])
    assert changed == []
    assert otherwise == []


def test_what_differs_is_found_and_rounding_is_not():
    before: Any = {"a": [1.0, 2e-30, "x"], "b": {"c": 3, "d": None}, "e": True}
    assert list(differences(before, {**before, "a": [1.0 + 1e-12, 2e-30, "x"]})) == []
    changes: Any = [
        {"a": [1.0 + 1e-8, 2e-30, "x"]},
        {"a": [1.0, 2.1e-30, "x"]},
        {"a": [1.0, 2e-30]},
    ]
    for change in [*changes, {"b": {"c": 3.5, "d": None}}, {"b": {"c": 3}}, {"e": 1}, {"new": 1}]:
        assert len(list(differences(before, {**before, **change}))) == 1, change
