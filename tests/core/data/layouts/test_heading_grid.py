"""Headings that may name datasets and systems together are asked about, and read as answered."""

import numpy as np

from core.data.reading import read_results
from core.data.result_set import ResultSet
from core.data.tables.headings import two_parts

LANGUAGES, SYSTEMS = ("ar", "cs", "de"), ("mbert", "ours")
TEXTS, DIGITS = ("entailment", "neutral", "none"), ("0", "1", "2")
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


COUNTED = ("id",)
