"""The whole check: the order of findings, the forms of the report, what is refused, costs, and that true claims are not doubted."""

from typing import get_args

import numpy as np
import pytest
from scipy import stats

import core
from core.analysis import AnalysisSettings, analyse
from core.claims.check import check_claims
from core.claims.findings import Check, RowKey, VerdictKey
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.export.as_json import as_json
from core.export.claims import review_text
from core.export.report import markdown_report
from core.significance.stopping import Stopped
from tests.core.claims.honest import HONEST
from tests.core.claims.made_tables import keys, made, p_table, read_table, sample_table, table_of
from tests.core.claims.planted import PLANTED

LINES = "exactly 10 by fisher\nnamed K→D; E→D by holm at .01 for A\nat least 2 for B"


def sentiment() -> core.ClaimReport:
    return check_claims(sample_table("sentiment"), LINES, metric="accuracy")


def test_findings_on_the_claims_come_first_and_in_their_order() -> None:
    report = sentiment()
    assert [f.claim for f in report.findings[:3]] == list(report.claims)
    assert tuple(report.findings[:3]) == report.verdicts
    assert {f.check for f in report.findings} <= set(get_args(Check))
    known = {None, *get_args(VerdictKey), *get_args(RowKey)}
    assert {f.key for f in report.findings} <= known
    assert [f.verdict for f in report.findings] == [f.key for f in report.findings]
    # As printed two can be counted, none of them for B, whose score is the lower one on all but 1.
    assert keys(report) == ("contradicted", "holds", "contradicted")


def test_the_signature_changes_with_all_that_the_findings_depend_on() -> None:
    table = p_table("0.01", "0.2")
    reports = [
        check_claims(table, "at least 1"),
        check_claims(table, "at least 2"),
        check_claims(table, "at least 1", alpha=0.01),
        check_claims(table, "at least 1", dependence="positive"),
        check_claims(table, "at least 1", metric="accuracy"),
        check_claims(p_table("0.01", "0.3"), "at least 1"),
    ]
    # Further p-values count where a claim is about any of them.
    two = [columns_of({"p_value": [".01"], "p_value_x": [x]}) for x in (".2", ".3")]
    reports += [check_claims(further, "at least 1 by any for differ") for further in two]
    assert len({report.signature for report in reports}) == len(reports)
    assert len({check_claims(further, "at least 1").signature for further in two}) == 1
    assert reports[0].signature == check_claims(table, "at least 1").signature


def test_rows_of_an_earlier_check_stand_for_the_same_rows() -> None:
    first = sentiment()
    table = sample_table("sentiment")
    again = check_claims(table, "at least 1 for A", metric="accuracy", rows=first.rows)
    assert again.rows == first.rows
    assert again.rows


def test_arguments_are_checked() -> None:
    table, scores = p_table("0.1", "0.2"), read_results(b"dataset,A,B\nu,.95,.50\n")
    for given, settings, message in (
        (table, {"alpha": 1.5}, r"`alpha` must lie strictly between 0 and 1; got 1\.5"),
        (table, {"dependence": "some"}, "`dependence` must be one of"),
        (table, {"metric": "f1"}, "`metric` must be one of"),
        ([0.1], {}, r"`table` must be a PValueTable or a ScoreTable; got list\."),
        (table, {"n_examples": [10]}, "`n_examples` must have one entry a dataset, 2; got 1"),
        (table, {"system_a": "A"}, "`system_a` and `system_b` must be None"),
        (scores, {"system_b": "A"}, "`system_a` and `system_b` must differ; both are 'A'"),
        (None, {}, "`table` must be given for claims that are not about an interval"),
        (None, {"claims": "at least 1"}, "`table` must be given"),
    ):
        with pytest.raises(ValueError, match=message):
            check_claims(given, **settings)  # type: ignore[arg-type]


def test_p_values_that_were_computed_are_never_called_printed() -> None:
    results = read_results(read_sample("simulated-accuracy")[1])
    assert isinstance(results, ResultSet)
    for swapped in (False, True):
        analysis = analyse(results, AnalysisSettings(swapped=swapped))
        first = analysis.table.datasets[0]
        lines = (
            "at least 1 for A\nexactly 1 by count for A\nexactly 2 by fisher for B\n"
            f"named {first} by holm for A\nsignificant {first} for B\nat least 9 for differ\n"
            "exactly 1 by holm for differ"
        )
        report = check_claims(analysis.table, lines)
        assert report.made == "computed"
        assert not report.of("possible-p-values")
        said = [report.lead(), review_text(report)]
        said += [finding.reason for finding in report.findings]
        said += [markdown_report(analysis), *[q.key for q in analysis.questions]]
        assert not [one for one in said if "printed" in one.lower()]
        written = as_json(analysis)
        assert written["assessment"]["n_printed_at_most_alpha"] is None
        assert {row["printed"] for row in written["datasets"]} == {None}


MANY_ROWS = [(f"x{i}", "0.7", "0.7", ".04", 1_000_000) for i in range(5)]


def test_a_row_with_too_many_possibilities_to_go_through_is_possible_by_their_range() -> None:
    report = check_claims(table_of(MANY_ROWS, alternative="two-sided"), metric="accuracy")
    found = [f for f in report.of("possible-p-values") if f.dataset]
    assert [f.key for f in found] == ["possible"] * 5
    assert "disagreements" not in found[0].reason


@pytest.mark.parametrize("after", [0, 1, 3, 5])
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


def columns_of(columns: dict[str, list[str]]) -> PValueTable:
    names = list(columns)
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(["dataset", *names])]
    lines += [",".join([f"d{i}", *row]) for i, row in enumerate(rows, start=1)]
    return read_table("\n".join(lines))


def test_a_dataset_counts_once_however_many_of_its_p_values_are_small() -> None:
    table = columns_of({"p_value": [".01", ".2", ".9"], "p_value_x": [".02", ".04", ".8"]})
    report = check_claims(table, "exactly 2 of 3 by any for differ\nexactly 3 by any for differ")
    assert keys(report) == ("holds", "contradicted")
    assert "d3 (smallest .8) has none" in report.verdicts[0].behind[0]


def test_the_count_that_allows_for_the_choice_is_that_of_all_pairs() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        n, m = int(rng.integers(2, 6)), int(rng.integers(2, 4))
        p = np.round(rng.random((m, n)) ** 4, 4)
        names = ["p_value", *(f"p_value_{j}" for j in range(1, m))]
        table = columns_of(
            {name: [f"{x:.4f}" for x in row] for name, row in zip(names, p, strict=True)}
        )
        report = check_claims(table, "at least 1 by any for differ")
        (found,) = report.of("assumption")
        highs = np.concatenate(_highs(table))
        order = np.argsort(highs)
        holm = 0
        while holm < order.size and highs[order[holm]] <= 0.05 / (order.size - holm):
            holm += 1
        on = len({int(i) % n for i in order[:holm]})
        verb = "is" if holm == 1 else "are"
        said = f"in one family, {holm} {verb} significant after Holm correction at level .05, on {on} of"
        assert (said if holm else "in one family, none is significant") in found.reason
        assert "No count that needs independence is used" in found.reason


def _highs(table: PValueTable) -> list[np.ndarray]:
    return [table.p_value_bounds[1], *(other.p_value_bounds[1] for other in table.further)]


# Every way of testing in every direction once; of scores alone, every way once.
N_HONEST = {"accuracies": 39, "correlations": 15, "scores alone": 13}
N_PLANTED = 8
# A share is taken to be at least so large unless a binomial test speaks against it this clearly.
MARGIN = 1e-3


def test_honest_tables_and_true_claims_raise_no_doubt() -> None:
    for kind in HONEST:
        rng = np.random.default_rng([2017, len(kind)])
        verdicts: list[str] = []
        for number in range(N_HONEST[kind]):
            table, report = HONEST[kind](rng, number)
            assert not report.doubts, (report.doubts[0].reason, table.rows)
            verdicts += keys(report)
        # Most of what is true is confirmed, and the rest left open: a checker that never decides fails.
        least = 0.05 if kind == "scores alone" else 0.5
        assert verdicts.count("holds") > least * len(verdicts), kind


def test_planted_errors_are_found_at_least_so_often() -> None:
    for error, finds, least in PLANTED:
        rng = np.random.default_rng(41)
        tables = [made(rng, "two-sided", decimals=4) for _ in range(N_PLANTED)]
        n_found = sum(finds(table, rng) for table in tables)
        assert stats.binom.cdf(n_found, N_PLANTED, least) > MARGIN, (error, n_found)
