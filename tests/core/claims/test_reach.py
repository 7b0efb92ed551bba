"""What scores and numbers of examples alone allow: against every split, by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.claims.no_p_values import Reach, marked_datasets, reach_of
from core.data import ScoreTable, read_results


def table(*rows: str) -> ScoreTable:
    read = read_results("\n".join(["dataset,A,B,n", *rows]).encode())
    assert isinstance(read, ScoreTable)
    return read


def reach(read: ScoreTable, **settings: object) -> tuple[Reach, ...]:
    assert read.n_examples is not None
    return reach_of(read, "A", "B", n_examples=read.n_examples, metric="accuracy", **settings)  # type: ignore[arg-type]


def test_the_ends_are_those_of_every_split_and_leads_suffice_as_is_said() -> None:
    rng = np.random.default_rng(7)
    for _ in range(40):
        n = int(rng.integers(8, 60))
        right_a, right_b = (int(x) for x in rng.integers(0, n + 1, 2))
        if right_a == right_b:
            continue
        (row,) = reach(
            table(
                f"u,{right_a / n:.5f},{right_b / n:.5f},{n}",
            )
        )
        d = right_a - right_b
        p_values = [
            stats.binomtest(b, 2 * b - d).pvalue
            for b in range(max(0, d), min(right_a, n - right_b) + 1)
            if 2 * b - d > 0
        ]  # fmt: skip
        assert row.low == pytest.approx(min(p_values))
        assert row.high == pytest.approx(max(p_values))
        expected = (
            "always" if max(p_values) <= 0.05 else "possibly" if min(p_values) <= 0.05 else "never"
        )
        assert row.significant == expected
        # Alone right on 6 of 6 is the first that is significant, two-sided.
        assert row.fewest == 6


def test_a_lead_that_is_sure_is_significant_at_the_most_disagreements() -> None:
    (row,) = reach(table("u,.700,.600,1000"))
    assert row.surely is not None
    for lead, significant in ((row.surely, True), (row.surely - 1, False)):
        most = min(1200 + lead, 2000 - 1200 - lead)
        most -= (most - lead) % 2
        p_value = stats.binomtest((most + lead) // 2, most).pvalue
        assert (p_value <= 0.05) == significant, lead


def test_marks_behind_scores_are_kept_and_sizes_that_are_none_are_not() -> None:
    read = read_results(
        b"dataset,A,B,C\nu,93.1*,92.0,91.0\nv,60.5,58.1\xe2\x80\xa0,57.0\nw,70,66,65**\n"
    )
    assert isinstance(read, ScoreTable)
    assert marked_datasets(read, "A", "B") == ("u", "v")
    assert read.without(["u"]).marks == (("", "†", ""), ("", "", "**"))
    assert table("u,.9,.8,100", "v,.9,.8,20").without(["u"]).n_examples == (20,)
    assert table("u,.9,.8,100", "v,.9,.8,2.5").n_examples is None
