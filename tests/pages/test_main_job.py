"""A table in, a count and names out: every sample, at both levels, on every page."""

from __future__ import annotations

from typing import NamedTuple

from streamlit.testing.v1 import AppTest

from core.data import samples
from core.types import Dependence
from pages.ui.frame.page import PAGES as ENTRIES
from tests.pages.opened import (
    PAGES,
    RolesForm,
    address,
    answer,
    choose,
    go_to,
    of_class,
    open_app,
    open_details,
    results,
    run,
    selectbox,
    set_alpha,
    set_dependence,
    text,
)


class Expected(NamedTuple):
    """What a sample's table gives under the dependence its source declares.

    Counts are from the printed p-values of Dror et al. (TACL 2017), Tables 2 to 5, by Fisher where
    the paper takes the datasets to be independent and by Bonferroni elsewhere; each side by the
    reading of the p-values that gives the smaller count.
    """

    sample: str
    systems: tuple[str, str]
    n: int
    alpha: float
    better_a: int | None
    better_b: int | None
    differ: int
    holm: int
    practice: tuple[int, int] | int
    printed: int


# Holm: of the claim that is stated first. Practice: p ≤ α with A ahead (and with B ahead, where both
# are stated; in either direction, where nothing tells which is ahead), by hand from the tables.
# Printed: p ≤ α in either direction, which is the paper's own common practice.
EXPECTED = (
    Expected("parsing-spacy", ("Mate", "SpaCy"), 7, 0.05, 7, None, 7, 7, 7, 7),
    Expected("parsing-spacy", ("Mate", "SpaCy"), 7, 0.01, 7, None, 7, 7, 7, 7),
    Expected("parsing-redshift", ("Mate", "Redshift"), 7, 0.05, 5, None, 5, 1, 2, 2),
    Expected("parsing-redshift", ("Mate", "Redshift"), 7, 0.01, 2, None, 2, 0, 1, 1),
    Expected("pos-tagging", ("MIMICK", "Char→Tag"), 23, 0.05, 3, 3, 16, 3, (4, 7), 11),
    Expected("pos-tagging", ("MIMICK", "Char→Tag"), 23, 0.01, 2, 2, 13, 3, (4, 3), 7),
    Expected("sentiment", ("AE-SCL-SR", "MSDA"), 12, 0.05, 10, None, 6, 10, 10, 10),
    Expected("sentiment", ("AE-SCL-SR", "MSDA"), 12, 0.01, 5, None, 2, 5, 6, 6),
    Expected("word-similarity", ("W2V", "GloVe"), 12, 0.05, 5, 1, 6, 5, (7, 1), 8),
    Expected("word-similarity", ("W2V", "GloVe"), 12, 0.01, 3, 1, 4, 3, (5, 1), 6),
    Expected("six-p-values", ("A", "B"), 6, 0.05, None, None, 1, 1, 2, 2),
    Expected("six-p-values", ("A", "B"), 6, 0.01, None, None, 1, 1, 1, 1),
)


def test_every_published_sample_is_expected_at_both_levels() -> None:
    keys = [sample.key for sample in samples() if "Dror" in sample.source]
    assert len(keys) >= 6
    assert sorted((e.sample, e.alpha) for e in EXPECTED) == sorted(
        (key, alpha) for key in keys for alpha in (0.01, 0.05)
    )


def tiles_of_practice(app: AppTest) -> str:
    (tile,) = [each for each in of_class(app, "verdict-tile") if "Common practice" in each]
    return tile


def how_many(k_hat: int, n: int) -> str:
    return f"all {n}" if k_hat == n else f"at least {k_hat} of {n}"


def test_each_sample_gives_the_published_counts_on_every_page() -> None:
    app = open_app()
    for expected in EXPECTED:
        case = (expected.sample, expected.alpha)
        if address(app).get("sample") != expected.sample:
            app = open_app(sample=expected.sample)
        set_alpha(go_to(app, "pages/upload.py"), expected.alpha)
        n, (a, b) = expected.n, expected.systems
        tiles = of_class(app, "verdict-tile")
        if expected.better_a is None:
            assert len(tiles) == 2, case
            assert how_many(expected.differ, n) in tiles[0], case
            assert f"{a} and {b} differ on {how_many(expected.differ, n)}" in answer(app), case
        else:
            assert how_many(expected.better_a, n) in tiles[0], case
            assert f"{a} is better than {b} on {how_many(expected.better_a, n)}" in answer(app), (
                case
            )
        if expected.better_b is None:
            assert f"on {expected.practice} of {n}" in tiles[-1], case
        else:
            assert f"{b} better on {how_many(expected.better_b, n)}" in tiles[1], case

        go_to(app, PAGES["Counting"])
        stated = expected.better_a if expected.better_a is not None else expected.differ
        assert how_many(stated, n) in answer(app), case
        in_front = of_class(app, "verdict-tile")[0]
        assert how_many(stated, n) in in_front, case
        assert f"{100 - 100 * expected.alpha:.0f}%" in in_front, case
        if isinstance(expected.practice, int):
            assert f"on {expected.practice} of {n}" in tiles_of_practice(app), case
            assert expected.practice == expected.printed, case
        else:
            of_a, of_b = expected.practice
            assert f"on A {of_a}, B {of_b} of {n}" in tiles_of_practice(app), case
            open_details(app, "counting", "What it means")
            assert f"without direction: {expected.printed})" in text(app), case
        if expected.better_a is not None:
            asked = selectbox(app, "Claim").value
            choose(app, "Claim", "The systems differ")
            assert f"differ on {how_many(expected.differ, n)}" in answer(app), case
            selectbox(app, "Claim").set_value(asked)
            run(app)

        go_to(app, PAGES["Identification"])
        marks = results(app)["significant"].str.startswith("★")
        assert marks.sum() == expected.holm, case


def test_each_reading_of_the_pos_table_gives_its_own_count() -> None:
    app = open_app(sample="pos-tagging")
    for question, alpha, k_hat, holm in (
        ("MIMICK better…as two-sided", 0.05, 4, 3),
        ("Char→Tag better…as two-sided", 0.05, 4, 3),
        ("MIMICK better…toward the higher score", 0.05, 3, 3),
        ("Char→Tag better…toward the higher score", 0.05, 3, 3),
        ("MIMICK better…as two-sided", 0.01, 3, 3),
        ("Char→Tag better…as two-sided", 0.01, 3, 3),
        ("MIMICK better…toward the higher score", 0.01, 2, 3),
        ("Char→Tag better…toward the higher score", 0.01, 2, 2),
    ):
        go_to(set_alpha(app, alpha), PAGES["Counting"])
        choose(app, "Claim", question)
        chosen = selectbox(app, "Claim").value
        assert how_many(k_hat, 23) in answer(app), (question, alpha)
        go_to(app, PAGES["Identification"])
        assert selectbox(app, "Claim").value == chosen, (question, alpha)
        assert f"{holm} of 23" in answer(app), (question, alpha)


def test_a_declared_direction_leaves_only_its_own_reading() -> None:
    app = open_app(sample="parsing-redshift")
    for declared, k_hat, asked in (
        # As printed; and halved, where a two-sided p-value speaks for the system ahead.
        ("greater", 5, 1),
        ("toward-higher-score", 5, 2),
        ("two-sided", 6, 2),
        ("not-stated", 5, 4),
    ):
        form = RolesForm(go_to(app, "pages/upload.py"), "loaded")
        form.direction.set_value(declared)
        form.submit()
        assert how_many(k_hat, 7) in answer(app), declared
        go_to(app, PAGES["Counting"])
        boxes = [box for box in app.selectbox if box.label == "Claim"]
        assert len(boxes[0].options if boxes else [""]) == asked, declared
        assert how_many(k_hat, 7) in answer(app), declared
        open_details(app, "counting", "Copy")
        assert f"stated:{declared}" in app.code[-1].value, declared


def test_the_count_in_front_is_the_one_that_holds_for_the_stated_dependence() -> None:
    app = open_app(sample="parsing-redshift")
    cases: tuple[tuple[Dependence, str, int], ...] = (
        ("independent", "Fisher", 5),
        ("positive", "Simes", 1),
        ("not-known", "Bonferroni", 1),
    )
    for dependence, word, k_hat in cases:
        set_dependence(go_to(app, "pages/upload.py"), dependence)
        assert how_many(k_hat, 7) in answer(app), dependence
        assert word in answer(app), dependence
        go_to(app, PAGES["Counting"])
        first, *others = of_class(app, "verdict-tile")
        assert f"{word}: " in first, dependence
        assert how_many(k_hat, 7) in first, dependence
        assert not any(f"{word}: " in tile for tile in others), dependence


def test_a_chosen_procedure_marks_its_own_datasets_and_stays_chosen() -> None:
    app = go_to(open_app(sample="parsing-redshift"), PAGES["Identification"])
    for option, procedure, n_named in (
        ("Holm", "holm", 1),
        ("Closed Fisher", "fisher-closed", 2),
        ("Benjamini–Hochberg", "benjamini-hochberg", 1),
        ("Bonferroni", "bonferroni", 1),
    ):
        choose(app, "Named by", option)
        assert f"{n_named} of 7" in answer(app), option
        assert results(app)["significant"].str.startswith("★").sum() == n_named, option
        open_details(app, "identification", "Copy")
        assert f"procedure:{procedure}" in app.code[-1].value, option
    go_to(app, PAGES["Counting"])
    open_details(go_to(app, PAGES["Identification"]), "identification", "Copy")
    assert "procedure:bonferroni" in app.code[-1].value


def test_a_sample_of_every_kind_opens_on_every_page() -> None:
    # Of many systems and of what is printed with scores others open them all.
    for key in ("six-p-values", "simulated-parsing", "simulated-labels"):
        app = open_app(sample=key)
        for entry in ENTRIES:
            go_to(app, entry.path)
            assert [title.value for title in app.title] == [entry.heading], key
            assert "Nothing loaded yet" not in text(app), (key, entry.path)
