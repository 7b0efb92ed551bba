"""Headings that may name datasets and systems together are asked about, and read as answered."""

from collections.abc import Callable
from hashlib import sha256

import numpy as np
import pytest

from core.data.reading import read_results
from core.data.result_set import ResultSet
from core.data.tables.headings import two_parts

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
    assert reading.roles["name_order"] == "dataset, system"


def test_headings_that_are_no_grid_of_datasets_and_systems_are_not_asked_about():
    for headings in [
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
    ]:
        assert two_parts(headings.split()) is None, headings


def test_names_with_the_separator_in_them_are_cut_where_the_grid_is_full():
    found = two_parts(["x_nli_m_bert", "x_nli_ours", "paws_m_bert", "paws_ours"])
    assert found is not None
    assert (found.firsts, found.seconds) == (("x_nli", "paws"), ("m_bert", "ours"))


def test_datasets_that_are_numbered_are_asked_about():
    assert two_parts(["1_ours", "1_base", "2_ours", "2_base"]) is not None


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


def test_each_dataset_is_compared_with_all_of_the_one_gold_column():
    for labels in [TEXTS, DIGITS, ("0", "1")]:
        for order in ["dataset, system", "system, dataset"]:
            content, columns = beside_gold(labels, extra=COUNTED)
            found, reading = read(content, name_order=order)
            names = (LANGUAGES, SYSTEMS) if order == "dataset, system" else (SYSTEMS, LANGUAGES)
            assert (found.datasets, found.systems) == names, (labels, order)
            right = np.array(columns["gold"])
            for language in LANGUAGES:
                for system in SYSTEMS:
                    place = (language, system) if order == "dataset, system" else (system, language)
                    agrees = np.array(columns[f"{language}_{system}"]) == right
                    assert found.oriented(*place).tolist() == agrees.tolist(), place
            assert any(
                "compared with the one column 'gold'" in remark for remark in reading.remarks
            ), (labels, order)


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
