"""What printed p-values can be, by hand: of A ahead, behind and level, by each reading and for each claim."""

import numpy as np
import pytest

from core.claims.checked import CheckedTable, as_they_stand, contested, readings_of, toward
from core.claims.claim import ANY, COUNT, Claim
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.significance.run import run_dataset_tests
from tests.core.claims.made_tables import p_table, read_table, table_of
from tests.core.claims.test_check_direction import gains_and_rare_losses

# Printed .04 lies from .035 to .045, and .97 from .965 to .975.
ROWS = [("ahead", ".9", ".8", ".04", 90), ("behind", ".8", ".9", ".04", 90),
        ("level", ".9", ".9", ".04", 90), ("large", ".9", ".9", ".97", 90)]  # fmt: skip
AT_LEAST, COUNTED = Claim(kind="at-least", k=1), Claim(kind="exactly", k=1, method=COUNT)


def checked(table: PValueTable) -> CheckedTable:
    return CheckedTable(table=table, alpha=0.05, dependence="not-known")


def differ(claim: Claim) -> Claim:
    return Claim(kind=claim.kind, k=claim.k, method=claim.method, better="differ")


def spans(ends: tuple[np.ndarray, np.ndarray]) -> list[tuple[float, float]]:
    return [(float(low), float(high)) for low, high in zip(*ends, strict=True)]


def test_one_sided_p_values_of_a_lie_where_each_reading_puts_them() -> None:
    table = checked(table_of(ROWS))
    # Where the scores are level either may lead, and p is at most 1.
    for reading, expected in (
        ("greater", [(0.035, 0.045)] * 3 + [(0.965, 0.975)]),
        ("two-sided", [(0.0175, 0.0225), (0.9775, 0.9825), (0.0175, 1), (0.4825, 1)]),
        ("toward-higher-score", [(0.035, 0.045), (0.955, 0.965), (0.035, 1), (0.025, 1)]),
    ):
        for found, span in zip(spans(toward(table, reading)), expected, strict=True):  # type: ignore[arg-type]
            assert found == pytest.approx(span), reading
    assert [end.tolist() for end in table.ahead] == [[1, 0, 0, 0], [1, 0, 1, 1]]
    assert contested(table, 0.04).tolist() == [0, 1, 0, 0]


def test_without_scores_every_p_value_may_be_for_either_system() -> None:
    table = checked(p_table(".04", ".97"))
    ((way,),) = readings_of(table, AT_LEAST)
    assert spans((way.low, way.high)) == [pytest.approx((0.0175, 1)), pytest.approx((0.025, 1))]
    assert [end.tolist() for end in table.ahead] == [[0, 0], [1, 1]]


def test_that_systems_differ_is_said_of_p_and_of_twice_a_one_sided_one() -> None:
    stand, doubled = [(0.035, 0.045), (0.965, 0.975)], [(0.07, 0.09), (1, 1)]
    of_the_smaller_tail = [(0.07, 0.09), (0.05, 0.07)]
    for alternative, expected in (
        ("two-sided", [stand]),
        ("toward-higher-score", [stand, doubled]),
        ("greater", [stand, of_the_smaller_tail]),
        ("not-stated", [stand, doubled, of_the_smaller_tail]),
    ):
        rows = [(name, ".9", ".8", p, 90) for name, p in (("u", ".04"), ("v", ".97"))]
        table = checked(table_of(rows, alternative=alternative))
        (ways,) = readings_of(table, differ(AT_LEAST))
        assert len(ways) == len(expected)
        for way, ends in zip(ways, expected, strict=True):
            for found, span in zip(spans((way.low, way.high)), ends, strict=True):
                assert found == pytest.approx(span), alternative


def test_of_tests_run_here_the_smaller_p_value_is_doubled_and_counts_take_the_two_sided_one() -> (
    None
):
    results = read_results(read_sample("simulated-sentences")[1])
    assert isinstance(results, ResultSet)
    # A bootstrap is not symmetric: twice the smaller p-value is not its two-sided one.
    table = run_dataset_tests(results, a="ours", b="baseline", test="paired-bootstrap", rng=0)
    both = np.array([table.p_values, table.p_values_b])
    doubled = as_they_stand(checked(table), differ(AT_LEAST))
    assert doubled.low.tolist() == doubled.high.tolist() == np.minimum(1, 2 * both.min(0)).tolist()
    counted = as_they_stand(checked(table), differ(COUNTED))
    assert counted.low.tolist() == counted.high.tolist() == list(table.p_values_two_sided)
    assert as_they_stand(checked(table), AT_LEAST).low.tolist() == both[0].tolist()
    (ways,) = readings_of(checked(table), AT_LEAST)
    assert [(way.name, way.low.tolist()) for way in ways] == [("greater", both[0].tolist())]
    (_, own) = readings_of(checked(table), COUNTED)[0]
    assert (own.name, own.low.tolist()) == ("where-ahead", list(table.p_values_two_sided))
    favoured = (both[0] < both[1]) & (table.differences > 0.0)
    assert [end.tolist() for end in checked(table).ahead] == [favoured.tolist()] * 2
    # A system is ahead where its mean is higher and p is smaller for it.
    ranks = run_dataset_tests(gains_and_rare_losses(), a="ours", b="base", test="wilcoxon", rng=0)
    for table, lead in ((ranks, [0, 0, 0, 0, 1]), (ranks.swapped(), [0] * 5)):
        assert [end.tolist() for end in checked(table).ahead] == [lead] * 2


def test_by_any_of_some_columns_a_dataset_has_its_smallest_p_value_of_these() -> None:
    lines = ["dataset,p_value,p_value_x,p_value_y", "u,.04,.06,.2", "v,.30,.05,.01"]
    table = checked(read_table("\n".join(lines)))
    for columns, expected in (
        ((), [(0.035, 0.045), (0.005, 0.015)]),
        (("p_value", "p_value_x"), [(0.035, 0.045), (0.045, 0.055)]),
    ):
        claim = Claim(kind="at-least", k=1, method=ANY, columns=columns)
        way = as_they_stand(table, claim)
        assert spans((way.low, way.high)) == [pytest.approx(span) for span in expected]
        ((either,),) = readings_of(table, claim)
        # One-sided for A it is half of a two-sided one, or 1 less one for B.
        assert either.low == pytest.approx([low / 2 for low, _ in expected])


def test_printed_digits_may_be_cut_off_or_rounded_up_and_bounds_are_none() -> None:
    table = checked(p_table(".05", "<.05", ".00", "1.00")).however_rounded().table
    low, high = table.p_value_bounds
    assert low == pytest.approx([0.04, 0.0, 0.0, 0.99])
    assert high == pytest.approx([0.06, 0.05, 0.01, 1.0])
    # Neither end itself is printed so, but 1 is.
    assert low[0] > 0.04
    assert (high[0] < 0.06, high[3] == 1.0) == (True, True)
