"""Sentences and tables of the leaderboard that counts."""

from __future__ import annotations

import numpy as np

from core.data import ResultSet
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons
from core.systems.counting import CountMatrix, count_matrix
from core.words import systems_board as words


def outcomes(n_right: dict[str, int], *, n: int = 200, n_datasets: int = 4) -> ResultSet:
    """Each system right on the first so many examples of every dataset: nested, so p is small."""
    columns = {name: (np.arange(n) < right).astype(float) for name, right in n_right.items()}
    return ResultSet.from_scores({f"d{k}": columns for k in range(n_datasets)}, metric="accuracy")


CLEAR = {"low": 60, "middle": 100, "high": 150, "top": 151}


def compared(data: ResultSet) -> PairComparisons:
    return compare_all_pairs(data)


def test_too_few_resamples_withhold_the_lead_and_name_how_many_are_needed() -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(size=(200, 1))
    scores = base + 0.1 * rng.normal(size=(200, 5)) + np.arange(5)
    data = ResultSet.from_scores({"d": {f"s{k}": scores[:, k] for k in range(5)}})
    test = {"test": "approximate-randomization", "method": "monte-carlo"}

    def joint(resamples: int) -> CountMatrix:
        pairs = compare_all_pairs(data, n_resamples=resamples, **test)  # type: ignore[arg-type]
        return count_matrix(pairs, family="all")

    # Twenty claims at .05: the smallest p, 1/(b + 1), must be at most .0025.
    few = joint(398)
    assert words.withheld(few)
    assert all(number in words.lead_sentence(few) for number in ("398", "20", "399"))
    assert not few.k_hat.any()
    enough = joint(399)
    assert not words.withheld(enough)
    assert enough.k_hat.any()
    assert words.lead_sentence(enough).count("s4")


def test_too_few_resamples_forbid_names_only_where_no_other_dataset_can_be_named_first() -> None:
    rng = np.random.default_rng(4)
    real = rng.normal(size=(60, 3)) + 2.0 * np.arange(3)
    whole = np.round(real)

    def notes(*tables: np.ndarray) -> str:
        data = ResultSet.from_scores(
            {f"d{k}": {f"s{j}": one[:, j] for j in range(3)} for k, one in enumerate(tables)}
        )
        pairs = compare_all_pairs(data, test="approximate-randomization", n_resamples=19)
        return " ".join(count_matrix(pairs, family="all").notes)

    assert "at least 239" in notes(real, real[::-1])
    mixed = notes(real, whole)
    assert "cannot be named" not in mixed
