"""Headings that may name datasets and systems together are asked about, and read as answered."""

import numpy as np
import pytest

from core.data.layouts.heading_grid import heading_grid
from core.data.reading import read_results
from core.data.result_set import ResultSet
from core.errors import DataError

LANGUAGES, SYSTEMS = ("ar", "cs", "de"), ("mbert", "ours")


def wide(sizes, *, separator="_", ids=False, gaps=()):
    """A file with a column for each language and system, and the scores that stand in it."""
    rng = np.random.default_rng(1)
    scores = {
        (language, system): rng.integers(0, 2, size)
        for language, size in zip(LANGUAGES, sizes, strict=True)
        for system in SYSTEMS
    }
    n = max(sizes)
    columns = {
        f"{language}{separator}{system}": [*map(str, own.tolist()), *[""] * (n - own.size)]
        for (language, system), own in scores.items()
    }
    for column, row in gaps:
        columns[column][row] = ""
    if ids:
        columns = {"id": [str(row) for row in range(1, n + 1)], **columns}
    lines = [",".join(columns), *map(",".join, zip(*columns.values(), strict=True))]
    return "\n".join(lines).encode(), scores


def read(content, **roles):
    results = read_results(content, name="wide.csv", roles=roles)
    assert isinstance(results, ResultSet)
    assert results.reading is not None
    return results, results.reading


def refused(content, **roles):
    with pytest.raises(DataError) as caught:
        read_results(content, name="wide.csv", roles=roles)
    return caught.value


@pytest.mark.parametrize("ids", [False, True])
def test_a_full_grid_of_headings_is_asked_about_both_ways_round(ids):
    error = refused(wide((9, 9, 9), ids=ids)[0])
    assert len(error.problems) == 1
    (choice,) = error.choices
    assert choice.role == error.problems[0].answered_by == "name_order"
    assert choice.options == (
        ("dataset, system", "3 datasets × 2 systems (ar, cs, de × mbert, ours)"),
        ("system, dataset", "2 datasets × 3 systems (mbert, ours × ar, cs, de)"),
        ("system", "No, 6 systems on one dataset"),
    )


@pytest.mark.parametrize("separator", ["_", "-", ".", "/", ":", "|", " "])
@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("sizes", [(9, 9, 9), (5, 9, 7)])
def test_as_answered_every_score_stands_with_its_dataset_and_system(separator, ids, sizes):
    content, scores = wide(sizes, separator=separator, ids=ids)
    found, reading = read(content, name_order="dataset, system")
    assert (found.datasets, found.systems) == (LANGUAGES, SYSTEMS)
    for language, size in zip(LANGUAGES, sizes, strict=True):
        assert found.n_examples(language) == size
        for place, system in enumerate(SYSTEMS):
            own = found.oriented(language, system)
            assert own.tolist() == scores[language, system].tolist(), place
    assert any("The headings are read as dataset and system" in r for r in reading.remarks)


def test_the_other_way_round_datasets_and_systems_change_places():
    content, scores = wide((9, 9, 9))
    found, _ = read(content, name_order="system, dataset")
    assert (found.datasets, found.systems) == (SYSTEMS, LANGUAGES)
    assert found.oriented("ours", "cs").tolist() == scores["cs", "ours"].tolist()


def test_the_answer_no_keeps_a_system_to_a_column_and_can_be_changed():
    found, reading = read(wide((9, 9, 9))[0], name_order="system")
    assert (found.n_datasets, len(found.systems)) == (1, 6)
    assert reading.choices[0].role == "name_order"
    assert reading.roles["name_order"] == "system"


def test_lengths_rule_out_an_order_and_blanks_are_no_missing_scores_before_the_answer():
    error = refused(wide((5, 9, 7))[0])
    assert [value for value, _ in error.choices[0].options] == ["dataset, system", "system"]
    assert [choice.role for choice in error.choices] == ["name_order"]


def test_answered_wrongly_the_question_stays_beside_the_problems():
    error = refused(wide((5, 9, 7))[0], name_order="system")
    assert len(error.problems) > 1
    assert "name_order" in [choice.role for choice in error.choices]


def test_a_blank_within_a_column_is_a_missing_score():
    content, _ = wide((5, 9, 7), gaps=[("ar_ours", 2), ("cs_mbert", 8)])
    error = refused(content, name_order="dataset, system")
    assert sorted((problem.dataset, problem.line) for problem in error.problems) == [
        ("ar", 4),
        ("cs", 10),
    ]


@pytest.mark.parametrize(
    "headings",
    [
        "model_a model_b",
        "model_a model_b model_c model_d",
        "ar_mbert ar_ours cs_mbert",
        "bert-base bert-large roberta-base roberta-large",
        "ours_seed1 ours_seed2 base_seed1 base_seed2",
        "ours_1 ours_2 base_1 base_2",
        "llama-7b llama-13b opt-7b opt-13b",
        "seed1_ours seed1_base seed2_ours seed2_base",
        "acc_a acc_b f1_a f1_b",
        "a_a a_b b_a b_b",
        "ar_ ar_ours cs_ cs_ours",
        "_mbert _ours ar_mbert ar_ours",
    ],
)
def test_headings_that_are_no_grid_of_datasets_and_systems_are_not_asked_about(headings):
    assert heading_grid(headings.split()) is None


def test_names_with_the_separator_in_them_are_cut_where_the_grid_is_full():
    found = heading_grid(["x_nli_m_bert", "x_nli_ours", "paws_m_bert", "paws_ours"])
    assert found is not None
    assert (found.firsts, found.seconds) == (("x_nli", "paws"), ("m_bert", "ours"))


@pytest.mark.parametrize("separator", [" | ", "__", " - ", ": "])
def test_blanks_and_further_separators_between_the_parts_belong_to_no_name(separator):
    content, scores = wide((9, 9, 9), separator=separator)
    found, _ = read(content, name_order="dataset, system")
    assert (found.datasets, found.systems) == (LANGUAGES, SYSTEMS)
    assert found.oriented("cs", "ours").tolist() == scores["cs", "ours"].tolist()


def test_datasets_that_are_numbered_are_asked_about():
    assert heading_grid(["1_ours", "1_base", "2_ours", "2_base"]) is not None


def test_a_column_of_datasets_or_chosen_systems_leave_nothing_to_ask():
    content, _ = wide((9, 9, 9))
    lines = content.decode().split("\n")
    named = "\n".join(["dataset," + lines[0], *(f"all,{line}" for line in lines[1:])])
    assert len(read(named.encode())[0].systems) == 6
    chosen, _ = read(content, systems=("ar_mbert", "ar_ours"))
    assert chosen.systems == ("ar_mbert", "ar_ours")


@pytest.mark.parametrize("column", ["seed", "again"])
def test_beside_repeated_runs_the_headings_are_asked_about_as_well(column):
    content, scores = wide((9, 9, 9))
    header, *lines = content.decode().split("\n")
    rows = [f"{row // 3},{row % 3},{line}" for row, line in enumerate(lines)]
    content = "\n".join([f"id,{column},{header}", *rows]).encode()
    run = {} if column == "seed" else {"run": column}
    assert "name_order" in [choice.role for choice in refused(content, **run).choices]
    found, _ = read(content, **run, name_order="dataset, system", runs="average")
    assert (found.datasets, found.systems) == (LANGUAGES, SYSTEMS)
    means = scores["cs", "ours"].reshape(3, 3).mean(axis=1)
    assert found.oriented("cs", "ours") == pytest.approx(means)


@pytest.mark.parametrize("order", ["dataset, system", "system, dataset", "system"])
@pytest.mark.parametrize("ids", [False, True])
def test_the_roles_of_a_reading_give_the_same_results_again(order, ids):
    content, _ = wide((9, 9, 9), ids=ids)
    first, reading = read(content, name_order=order)
    second, again = read(content, **reading.roles)
    assert again == reading
    assert second.fingerprint == first.fingerprint
