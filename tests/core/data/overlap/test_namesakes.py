"""Ids that every dataset has for something else are no shared examples; those of one example are."""

from itertools import chain

import numpy as np
import pyarrow as pa

from core.data.overlap.find import find_overlap
from core.data.result_set import ResultSet
from core.data.side_data import Inputs, Labels
from core.words.overlap import contradicted_sentence, overlap_notes
from tests.core.made import set_of
from tests.read_as import read_as

OWN = ("car", "sea", "gem", "boy", "oven", "bird", "tool", "monk", "food", "hill", "rope", "wood")


def correlated(rows, *, inputs=False):
    """Datasets of (id, gold, prediction of A, prediction of B)."""
    ids = [[str(row[0]) for row in given] for given in rows.values()]
    numbers = {text: place for place, text in enumerate(dict.fromkeys(chain(*ids)))}
    codes = tuple(np.array([numbers[name] for name in own]) for own in ids)
    return set_of(
        "spearman",
        *(np.array([row[2:] for row in own]) for own in rows.values()),
        datasets=rows,
        gold_scores=tuple(np.array([row[1] for row in own]) for own in rows.values()),
        example_ids=None if inputs else tuple(pa.array(own) for own in ids),
        inputs=Inputs(columns=("item",), codes=codes) if inputs else None,
    )


def labelled(rows):
    """Datasets of (id, gold, label by A, label by B), labels as positions."""
    labels = Labels(
        names=("no", "yes", "maybe"),
        gold=tuple(np.array([row[1] for row in own]) for own in rows.values()),
        predictions=tuple(np.array([row[2:] for row in own]) for own in rows.values()),
    )
    return set_of(
        "mean",
        *(np.array([[a == g, b == g] for _, g, a, b in own], dtype=float) for own in rows.values()),
        metric="accuracy",
        datasets=rows,
        labels=labels,
        example_ids=tuple(pa.array([row[0] for row in own]) for own in rows.values()),
    )


def drawn(seed, ids):
    """Rows with ids, of gold and predictions that no other seed has."""
    values = np.random.default_rng(seed).normal(size=(len(ids), 3)).tolist()
    return [(name, *row) for name, row in zip(ids, values, strict=True)]


def language_pairs(n, *shared):
    """Datasets whose rows are systems: some of their own, and those in all of them."""
    return {
        f"pair {i}": drawn(i, [*shared, *(f"{w}-{chr(97 + i)}" for w in OWN)]) for i in range(n)
    }


def pairs_of(found):
    """Datasets that share examples, and how many."""
    return list(zip(found.pairs.first, found.pairs.second, found.pairs.n_common, strict=True))


def test_an_id_in_every_dataset_with_other_gold_and_predictions_is_no_shared_example():
    results = correlated(language_pairs(18, "Online-B"))
    found = find_overlap(results)
    assert found.basis == "ids"
    assert not found.shares_any
    assert (found.subsets.size, found.unions, found.translations) == (0, (), ())
    assert (found.dependence, found.reason) == ("not-known", "namesakes")
    assert found.namesakes.ids == ("Online-B",)
    assert found.namesakes.n_examples.tolist() == [1] * 18
    assert found.n_unknown.tolist() == [1] * 18
    assert contradicted_sentence(found) == ""
    assert any("Online-B" in note for note in overlap_notes(found))


def test_ids_with_the_same_gold_are_found_beside_ids_that_stand_for_other_things():
    for inputs in [False, True]:
        rows = language_pairs(6, "Online-B")
        same = drawn(99, [f"{word} of {word}" for word in OWN])
        # As runs differ, so may predictions for one example.
        again = [(name, gold, a + 1.0, b) for name, gold, a, b in same]
        rows["pair 0"] += same
        rows["pair 3"] += again
        if inputs:
            # One row stands twice, so that the column cannot be the ids.
            rows["pair 1"].append(rows["pair 1"][-1])
        found = find_overlap(correlated(rows, inputs=inputs))
        assert found.basis == ("inputs" if inputs else "ids"), inputs
        assert pairs_of(found) == [(0, 3, len(OWN))], inputs
        assert found.reason == "shared", inputs
        assert found.namesakes is not None, inputs
        assert any("something else" in caveat for caveat in overlap_notes(found)), inputs


def test_one_example_that_others_judged_in_another_way_is_found_by_its_predictions():
    one = drawn(1, OWN)
    other = [(name, 10.0 * gold + 3.0, a, b) for name, gold, a, b in one[:7]]
    found = find_overlap(correlated({"x": one, "y": other}))
    assert found.n_common(0, 1) == 7
    assert found.namesakes is None


def test_without_gold_equal_ids_are_one_example_whatever_the_scores():
    rng = np.random.default_rng(0)
    scores = {name: dict(zip("AB", rng.random((2, 12)), strict=True)) for name in ("x", "y", "z")}
    results = ResultSet.from_scores(scores, examples=dict.fromkeys(scores, OWN))
    found = find_overlap(results)
    assert found.namesakes is None
    assert found.pairs.n_common.tolist() == [12, 12, 12]


def test_labels_that_agree_by_chance_do_not_make_rows_of_languages_one_example():
    names = [f"{word}ish" for word in OWN] + [f"{word}ese" for word in OWN]
    for seed in range(20):
        rng = np.random.default_rng(seed)
        features = {
            f"feature {i}": [
                (name, gold, *np.where(rng.random(2) < 0.8, gold, 1 - gold).tolist())
                for name, gold in zip(names, rng.integers(0, 2, len(names)).tolist(), strict=True)
            ]
            for i in range(2 + seed % 3)
        }
        found = find_overlap(labelled(features))
        assert not found.shares_any, seed
        assert found.reason == "namesakes", seed


def test_equal_gold_labels_are_one_example_though_some_were_annotated_anew():
    rng = np.random.default_rng(1)
    names = [f"{word} {other}" for word in OWN for other in OWN[:5]]
    one = [(name, *rng.integers(0, 3, 3).tolist()) for name in names]
    found = find_overlap(labelled({"x": one, "y": one[:40]}))
    assert (found.n_common(0, 1), found.namesakes) == (40, None)
    # A fifth of them with other gold and other predictions.
    other = [
        (name, *((np.array(row) + 1) % 3).tolist()) if i % 5 == 0 else (name, *row)
        for i, (name, *row) in enumerate(one[:40])
    ]
    found = find_overlap(labelled({"x": one, "y": other}))
    assert found.n_common(0, 1) == 32
    assert found.namesakes.n_examples.tolist() == [8, 8]


def test_ids_in_a_column_of_systems_or_languages_are_no_examples():
    for heading, is_named in (("system", True), ("language", True), ("item", False)):
        rows = "".join(f"{d},{name},1,0\n" for d in ("x", "y", "z") for name in OWN)
        table = f"dataset,{heading},A,B\n{rows}".encode()
        results = read_as(ResultSet, table, roles={"example": heading})
        found = find_overlap(results)
        assert found.shares_any is not is_named, heading
        assert (found.reason == "namesakes") is is_named, heading


def test_a_few_labels_that_agree_on_all_ids_of_two_datasets_make_no_shared_example():
    gold = {"x": (0, 1, 0, 1, 1), "y": (0, 1, 0, 1, 1), "z": (1, 0, 1, 0, 0)}
    found = find_overlap(
        labelled(
            {
                name: [
                    *((f"mark {i}", g, (g + i + k) % 2, (g + k) % 2) for i, g in enumerate(own)),
                    *((f"{word} of {name}", 0, 1, 1) for word in OWN),
                ]
                for k, (name, own) in enumerate(gold.items())
            }
        )
    )
    assert found.pairs.first.size == 0
    assert found.namesakes.n_examples.tolist() == [5, 5, 5]


def test_namesakes_are_shown_as_they_are_called_wherever_they_are_first_seen():
    rows = language_pairs(3)
    for place in (1, 2):
        rows[f"pair {place}"].insert(2, drawn(place, ["Online-B"])[0])
    assert find_overlap(correlated(rows)).namesakes.ids == ("Online-B",)


def test_namesakes_stay_where_two_of_their_datasets_do():
    whole = correlated(language_pairs(4, "Online-B"))
    left_out = ["pair 0", "pair 2"]
    assert find_overlap(whole, left_out=left_out).namesakes.n_examples.tolist() == [1, 1]
    assert find_overlap(whole, left_out=[*left_out, "pair 1"]).namesakes is None
