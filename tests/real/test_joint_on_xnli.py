"""One test set in three languages, counted under the dependence that its sentences make."""

from __future__ import annotations

import pytest

from core import ResultSet, count_jointly, identify_jointly
from core.data.overlap.units import units_of
from tests.real.cases import expected, numbers_of

pytestmark = pytest.mark.real

FOLDER = "real/r05_multilingual_marc_xnli"


def test_xnli_is_flipped_sentence_by_sentence_with_mcnemars_p_values() -> None:
    outcomes = numbers_of(f"{FOLDER}/data.csv", "score_a", "score_b")
    xnli = {name: own for name, own in outcomes.items() if name.startswith("xnli")}
    ids = {name: [str(i) for i in range(a.size)] for name, (a, _) in xnli.items()}
    data = ResultSet.from_scores(
        {name: {"a": a, "b": b} for name, (a, b) in xnli.items()}, examples=ids
    )
    units = units_of(data, units="example-id")
    assert units.n_units == max(len(own) for own in ids.values())
    assert units.n_shared > 0
    counting = count_jointly(data, a="a", b="b", units="example-id")
    for name, p_value in zip(data.datasets, counting.p_values, strict=True):
        exact = expected(FOLDER)["per_dataset"][name]["mcnemar"]["exact_p_greater"]
        assert abs(p_value - exact) <= 4.0 * (exact * (1.0 - exact) / 9999) ** 0.5 + 1e-4
    assert 0 <= identify_jointly(data, a="a", b="b", units="example-id").n_rejected <= 3
    assert counting.n_datasets == 3
