"""Headings that may name datasets and systems together are asked about, and read as answered."""

from collections.abc import Callable
from hashlib import sha256

import numpy as np
import pytest

from core.data.layouts.heading_grid import heading_grid
from core.data.overlap.find import find_overlap
from core.data.reading import read_results
from core.data.result_set import ResultSet
from core.errors import DataError

LANGUAGES, SYSTEMS = ("ar", "cs", "de"), ("mbert", "ours")
TEXTS, DIGITS = ("entailment", "neutral", "none"), ("0", "1", "2")
FURTHER: dict[str, Callable[[int], str]] = {
    "id": str,
    "uid": lambda row: sha256(str(row).encode()).hexdigest()[:8],
    "premise": lambda row: f"Premise {row} says so.",
}
NUMBERS = tuple(f"{number / 7:.2f}" for number in range(1, 36))


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


def beside_gold(labels, *, n=60, extra=(), blanks=(), gold="gold"):
    """A file with one gold column, what each language and system says, and further columns."""
    rng = np.random.default_rng(2)
    right = rng.choice(labels, n)
    columns = {name: [FURTHER[name](row) for row in range(n)] for name in extra}
    columns[gold] = right.tolist()
    for language in LANGUAGES:
        for system in SYSTEMS:
            says = np.where(rng.random(n) < 0.6, right, rng.choice(labels, n))
            columns[f"{language}_{system}"] = says.tolist()
    for column, row in blanks:
        columns[column][row] = ""
    lines = [",".join(columns), *map(",".join, zip(*columns.values(), strict=True))]
    return "\n".join(lines).encode(), columns


COUNTED = ("id",)


@pytest.mark.parametrize("labels", [TEXTS, DIGITS, ("0", "1"), NUMBERS])
@pytest.mark.parametrize("extra", [(), COUNTED])
def test_beside_one_gold_column_the_same_question_is_asked(labels, extra):
    error = refused(beside_gold(labels, extra=extra)[0])
    assert [problem.answered_by for problem in error.problems] == ["name_order"]
    (choice,) = error.choices
    assert choice.options == (
        ("dataset, system", "3 datasets × 2 systems (ar, cs, de × mbert, ours)"),
        ("system, dataset", "2 datasets × 3 systems (mbert, ours × ar, cs, de)"),
        ("system", "No, 6 systems on one dataset"),
    )


@pytest.mark.parametrize("labels", [TEXTS, DIGITS, ("0", "1")])
@pytest.mark.parametrize("order", ["dataset, system", "system, dataset"])
def test_each_dataset_is_compared_with_all_of_the_one_gold_column(labels, order):
    content, columns = beside_gold(labels, extra=COUNTED)
    found, reading = read(content, name_order=order)
    names = (LANGUAGES, SYSTEMS) if order == "dataset, system" else (SYSTEMS, LANGUAGES)
    assert (found.datasets, found.systems) == names
    right = np.array(columns["gold"])
    for language in LANGUAGES:
        for system in SYSTEMS:
            place = (language, system) if order == "dataset, system" else (system, language)
            agrees = np.array(columns[f"{language}_{system}"]) == right
            assert found.oriented(*place).tolist() == agrees.tolist(), place
    assert any("compared with the one column 'gold'" in remark for remark in reading.remarks)


def test_numbers_of_each_dataset_are_correlated_with_the_one_gold_column():
    content, columns = beside_gold(NUMBERS, extra=COUNTED)
    found, reading = read(content, name_order="dataset, system")
    assert reading.layout == "numbers to be correlated with gold"
    assert (found.datasets, found.systems) == (LANGUAGES, SYSTEMS)
    assert found.gold_scores is not None
    for place, language in enumerate(LANGUAGES):
        assert found.gold_scores[place].tolist() == [float(text) for text in columns["gold"]]
        own = [float(text) for text in columns[f"{language}_ours"]]
        assert found.values["spearman"][place][:, 1].tolist() == own


def test_the_answer_no_beside_gold_keeps_a_system_to_a_column_and_can_be_changed():
    found, reading = read(beside_gold(TEXTS)[0], name_order="system")
    assert (found.n_datasets, len(found.systems)) == (1, 6)
    assert reading.choices[0].role == "name_order"


def test_labels_that_look_like_nothing_at_the_end_are_labels_and_no_end_of_a_dataset():
    content, columns = beside_gold(TEXTS)
    rows = content.decode().split("\n")
    content = "\n".join([*rows, ",".join(["none"] * len(columns))]).encode()
    found, _ = read(content, name_order="dataset, system")
    assert [found.n_examples(name) for name in LANGUAGES] == [61] * 3
    assert found.oriented("ar", "ours")[-1] == 1


@pytest.mark.parametrize("labels", [TEXTS, DIGITS, NUMBERS])
def test_beside_one_gold_column_blanks_are_missing_and_rule_out_no_order(labels):
    blanks = [("ar_mbert", 59), ("ar_ours", 59), ("cs_ours", 3), ("ar_ours", 3), ("de_ours", 3)]
    content, _ = beside_gold(labels, blanks=blanks)
    assert len(refused(content).choices[0].options) == 3
    error = refused(content, name_order="dataset, system")
    places = {(problem.dataset, problem.line) for problem in error.problems if problem.line}
    assert places == {("ar", 5), ("ar", 61), ("cs", 5), ("de", 5)}
    found, _ = read(content, name_order="dataset, system", incomplete="leave-out")
    assert [found.n_examples(name) for name in LANGUAGES] == [58, 59, 59]


@pytest.mark.parametrize("labels", [TEXTS, NUMBERS])
def test_what_one_system_lacks_everywhere_leaves_the_answer_that_its_columns_are_a_system(labels):
    content, _ = beside_gold(labels, blanks=[(f"{language}_ours", 5) for language in LANGUAGES])
    offered = [value for value, _ in refused(content).choices[0].options]
    assert offered == ["dataset, system", "system, dataset", "system"]


def test_where_gold_is_declared_to_be_none_the_columns_hold_scores_on_each_dataset():
    content, columns = beside_gold(("0", "1"), extra=COUNTED)
    assert refused(content, gold=None).choices[0].role == "name_order"
    found, reading = read(content, gold=None, name_order="dataset, system")
    assert reading.layout == "per-example scores"
    assert found.oriented("cs", "ours").tolist() == [float(text) for text in columns["cs_ours"]]
    assert not any("compared with the one column" in remark for remark in reading.remarks)


@pytest.mark.parametrize("layout", ["per-example scores", "numbers to be correlated with gold"])
def test_beside_few_whole_gold_numbers_both_questions_are_asked_and_both_answers_hold(layout):
    header, *rows = beside_gold(NUMBERS)[0].decode().split("\n")
    lines = [header, *(f"{i % 5},{row.partition(',')[2]}" for i, row in enumerate(rows))]
    content = "\n".join(lines).encode()
    assert [choice.role for choice in refused(content).choices] == ["layout"]
    error = refused(content, layout=layout)
    assert [choice.role for choice in error.choices] == ["name_order"]
    found, reading = read(content, layout=layout, name_order="dataset, system")
    assert reading.layout == layout
    assert (found.datasets, found.systems) == (LANGUAGES, SYSTEMS)
    assert (found.gold_scores is None) == (layout == "per-example scores")


def test_a_gold_column_that_was_chosen_by_hand_is_the_one_of_every_dataset():
    content, columns = beside_gold(TEXTS, gold="wanted")
    assert refused(content, gold="wanted").choices[0].role == "name_order"
    found, _ = read(content, gold="wanted", name_order="dataset, system")
    agrees = np.array(columns["cs_ours"]) == np.array(columns["wanted"])
    assert found.oriented("cs", "ours").tolist() == agrees.tolist()


def test_scores_beside_a_label_that_nothing_predicts_are_asked_about_and_read_as_scores():
    header, *rows = wide((9, 9, 9))[0].decode().split("\n")
    lines = [f"gold,{header}", *(f"{'ab'[i % 2]},{row}" for i, row in enumerate(rows))]
    found, reading = read("\n".join(lines).encode(), name_order="dataset, system")
    assert reading.layout == "per-example scores"
    assert (found.datasets, found.systems) == (LANGUAGES, SYSTEMS)
    assert not any("compared with the one column" in remark for remark in reading.remarks)


@pytest.mark.parametrize("labels", [TEXTS, DIGITS])
def test_beside_gold_and_repeated_runs_the_headings_are_asked_about_as_well(labels):
    header, *rows = beside_gold(labels, n=30)[0].decode().split("\n")
    twice = [f"{row},{seed},{cells}" for row, cells in enumerate(rows) for seed in (1, 2)]
    content = "\n".join([f"id,seed,{header}", *twice]).encode()
    assert "name_order" in [choice.role for choice in refused(content).choices]
    found, _ = read(content, name_order="dataset, system", runs="average")
    assert (found.datasets, found.systems) == (LANGUAGES, SYSTEMS)
    assert [found.n_examples(name) for name in LANGUAGES] == [30] * 3


@pytest.mark.parametrize(("extra", "basis"), [(("id", "premise"), "inputs"), (("uid",), "ids")])
def test_datasets_beside_one_gold_column_share_the_examples_that_the_file_names(extra, basis):
    found, _ = read(beside_gold(TEXTS, extra=extra)[0], name_order="dataset, system")
    overlap = find_overlap(found)
    assert overlap.basis == basis
    assert overlap.pairs.n_common.tolist() == [60, 60, 60]
    assert overlap.recommendation.dependence == "not-known"


@pytest.mark.parametrize("extra", [(), COUNTED])
def test_where_no_id_tells_it_the_order_of_the_one_gold_column_says_that_examples_are_shared(extra):
    found, _ = read(beside_gold(TEXTS, extra=extra)[0], name_order="dataset, system")
    overlap = find_overlap(found)
    assert [(one.members, one.sign) for one in overlap.translations] == [((0, 1, 2), "gold-order")]
    assert overlap.recommendation.dependence == "not-known"


@pytest.mark.parametrize("labels", [TEXTS, DIGITS, NUMBERS])
@pytest.mark.parametrize("order", ["dataset, system", "system, dataset", "system"])
@pytest.mark.parametrize("extra", [(), COUNTED])
def test_the_roles_of_a_reading_beside_gold_give_the_same_results_again(labels, order, extra):
    content, _ = beside_gold(labels, extra=extra)
    first, reading = read(content, name_order=order)
    second, again = read(content, **reading.roles)
    assert again == reading
    assert second.fingerprint == first.fingerprint


def test_a_problem_names_the_heading_that_the_file_has():
    content, _ = wide((5, 9, 7), gaps=[("ar_ours", 2), ("cs_mbert", 8)])
    error = refused(content, name_order="dataset, system")
    assert sorted((problem.column, problem.line) for problem in error.problems) == [
        ("ar_ours", 4),
        ("cs_mbert", 10),
    ]


def test_a_problem_of_a_cell_that_all_datasets_share_is_told_once():
    content, _ = beside_gold(TEXTS, extra=COUNTED, blanks=[("gold", 7), ("de_ours", 3)])
    error = refused(content, name_order="dataset, system")
    told = [(p.dataset, p.column, p.line) for p in error.problems if p.column]
    assert told == [(None, "gold", 9), ("de", "de_ours", 5)]
