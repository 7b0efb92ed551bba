"""Which real datasets share examples, against plain sets of Python."""

from itertools import permutations

import pandas as pd
import pytest

from core.data import ResultSet
from core.data.overlap.find import find_overlap
from core.words.overlap import overlap_sentence
from tests.core.data.overlap.test_overlap import matrix
from tests.read_as import read_as
from tests.real.cases import DATA

pytestmark = pytest.mark.real

REAL = DATA / "real"
WORD_PAIRS = REAL / "r08_wordsim_correlations"
MULTILINGUAL = REAL / "r05_multilingual_marc_xnli"


def read(path):
    return read_as(ResultSet, path)


@pytest.mark.parametrize("file", ["as it is", "each pair once"])
def test_benchmarks_of_word_similarity_share_the_pairs_that_sets_share(file, tmp_path):
    frame = pd.read_csv(WORD_PAIRS / "data.csv", dtype=str, keep_default_na=False)
    path = WORD_PAIRS / "data.csv"
    if file != "as it is":
        # One pair stands twice in WS-353, so that this column cannot serve as ids.
        frame, path = frame.drop_duplicates(["dataset", "item"]), tmp_path / "once.csv"
        frame.to_csv(path, index=False)
    results = read(path)
    found = find_overlap(results)
    assert found.basis == ("inputs" if file == "as it is" else "ids")
    assert found.n_repeated.sum() == (1 if file == "as it is" else 0)
    items = {name: set(part["item"]) for name, part in frame.groupby("dataset")}
    sets = [items[name] for name in results.datasets]
    assert matrix(found) == [[len(one & other) for other in sets] for one in sets]
    (union,) = found.unions
    assert results.datasets[union.whole] == "WS-353-ALL"
    assert {results.datasets[i] for i in union.parts} == {"WS-353-REL", "WS-353-SIM"}
    whole, rel, sim = (items[f"WS-353-{part}"] for part in ("ALL", "REL", "SIM"))
    assert rel | sim == whole
    assert union.n_covered == len(whole)
    inside = {
        (one, other)
        for one, other in permutations(range(len(sets)), 2)
        if len(sets[one] & sets[other]) >= 0.95 * len(sets[one])
    }
    assert {tuple(pair) for pair in found.subsets.tolist()} == inside
    assert (found.dependence, found.reason) == ("not-known", "union")
    assert overlap_sentence(found) == "WS-353-ALL is the union of WS-353-REL and WS-353-SIM."
    # Gold of other judges leaves a pair the same example.
    gold = frame.groupby("item")["gold"].nunique()
    assert (gold > 1).sum() > 100
    assert found.namesakes is None


@pytest.fixture(scope="module")
def rows_of_models(tmp_path_factory):
    """MTEB, a dataset for each task and a row for each model: does its mean on the other tasks
    tell its score better than its score on one task does?"""
    scores = pd.read_csv(REAL / "r11_mteb_datasets_by_models" / "data.csv", index_col="dataset")
    one, others = scores.iloc[0], scores.iloc[1:]
    path = tmp_path_factory.mktemp("mteb") / "rows_of_models.csv"
    pd.DataFrame(
        {
            "dataset": task,
            "item": model,
            "gold": others.loc[task, model],
            "mean": round(others.drop(index=task)[model].mean(), 3),
            "one": one[model],
        }
        for task in others.index
        for model in scores.columns
    ).to_csv(path, index=False)
    return path


def test_models_that_are_rows_of_every_task_are_no_shared_examples(rows_of_models):
    results = read(rows_of_models)
    assert (results.n_datasets, results.systems) == (49, ("mean", "one"))
    found = find_overlap(results)
    assert not found.shares_any
    assert (found.subsets.size, found.unions) == (0, ())
    assert found.reason == "namesakes"
    assert found.namesakes.n_examples.tolist() == [13] * 49
    assert set(found.namesakes.ids) <= set(results.examples(results.datasets[0]))


def test_translations_show_by_their_gold_labels_but_these_alone_prove_nothing():
    results = read(MULTILINGUAL / "data_gold_pred.csv")
    found = find_overlap(results)
    (group,) = found.translations
    assert group.sign == "gold-order"
    assert {results.datasets[i] for i in group.members} == {"xnli-en", "xnli-es", "xnli-zh"}
    # The reviews have the same gold labels too, but sorted: first every "Yes", then every "No".
    golds = {tuple(results.gold(name)) for name in results.datasets if "marc" in name}
    assert golds == {("Yes",) * 2000 + ("No",) * 2000}
    assert found.reason == "nothing-compared"
