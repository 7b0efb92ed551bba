"""What is too much to go through, and that a check can be stopped."""

from __future__ import annotations

import pytest

from core.claims import printed_scores as splits_module
from core.claims.check import check_claims
from core.claims.possible import possible_p_values
from core.significance import Stopped
from tests.core.claims.made_tables import table_of

ROWS = [(f"x{i}", "0.7", "0.7", ".04", 1_000_000) for i in range(5)]


def test_a_row_with_too_many_possibilities_is_possible_and_says_that_they_were_not_gone_through() -> (
    None
):
    report = check_claims(table_of(ROWS, alternative="two-sided"), metric="accuracy")
    found = [f for f in report.of("possible-p-values") if f.dataset]
    assert [f.key for f in found] == ["possible"] * 5
    assert "among 1,000,000 examples" in found[0].reason
    assert "was not gone through" in found[0].reason


def test_the_range_of_many_differences_is_that_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for a, b, n in ((".7", ".6", 90), (".5", ".5", 40), (".2", ".9", 33), ("1.0", ".9", 50)):
        for side in ("greater", "two-sided"):
            monkeypatch.setattr(splits_module, "MOST_DIFFERENCES", 20_000)
            exact = possible_p_values(a, b, n, alternative=side)
            monkeypatch.setattr(splits_module, "MOST_DIFFERENCES", 0)
            quick = possible_p_values(a, b, n, alternative=side)
            for test, possible in exact.items():
                assert (quick[test].low, quick[test].high) == pytest.approx(
                    (possible.low, possible.high), rel=1e-12
                )


@pytest.mark.parametrize("after", [0, 1, 3, 6])
def test_a_check_ends_where_its_progress_says_so(after: int) -> None:
    asked: list[tuple[int, int]] = []

    def goes_on(done: int, total: int) -> bool:
        asked.append((done, total))
        return len(asked) <= after

    table = table_of([("x", "0.90", "0.80", "0.01", 100), ("y", "0.90", "0.80", "0.01", 100)])
    with pytest.raises(Stopped):
        check_claims(table, "at least 1", metric="accuracy", on_progress=goes_on)
    assert len(asked) == after + 1
    assert all(done <= total for done, total in asked)
