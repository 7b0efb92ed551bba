"""The whole check: the order of findings, the report's forms, and what is refused."""

from __future__ import annotations

from typing import get_args

import pytest

import core
from core.analysis import AnalysisSettings, analyse
from core.claims.check import check_claims
from core.claims.findings import Check, RowKey, VerdictKey
from core.data import ResultSet, read_results, read_sample
from core.data.p_value_table import PValueTable
from core.export.as_json import as_json
from core.export.claims import review_text, verdicts_grid
from core.export.markdown_report import markdown_report
from tests.core.claims.made_tables import keys, p_table

LINES = "exactly 10 by fisher\nnamed K→D; E→D by holm at .01 for A\nat least 2 for B"


def sentiment() -> core.ClaimReport:
    described, content = read_sample("sentiment")
    table = read_results(content, roles={"alternative": described.alternative})
    assert isinstance(table, PValueTable)
    return check_claims(table, LINES, metric="accuracy")


def test_findings_on_the_claims_come_first_and_in_their_order() -> None:
    report = sentiment()
    assert [f.claim for f in report.findings[:3]] == list(report.claims)
    assert tuple(report.findings[:3]) == report.verdicts
    assert {f.check for f in report.findings} <= set(get_args(Check))
    known = {None, *get_args(VerdictKey), *get_args(RowKey)}
    assert {f.key for f in report.findings} <= known
    # As printed two can be counted, and none of them for B.
    assert keys(report) == ("contradicted", "holds", "not-shown")


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
    assert len({report.signature for report in reports}) == len(reports)
    assert reports[0].signature == check_claims(table, "at least 1").signature


def test_rows_of_an_earlier_check_stand_for_the_same_rows() -> None:
    first = sentiment()
    described, content = read_sample("sentiment")
    table = read_results(content, roles={"alternative": described.alternative})
    assert isinstance(table, PValueTable)
    again = check_claims(table, "at least 1 for A", metric="accuracy", rows=first.rows)
    assert again.rows == first.rows
    assert again.rows


def test_arguments_are_checked() -> None:
    table = p_table("0.1", "0.2")
    with pytest.raises(ValueError, match=r"`alpha` must lie strictly between 0 and 1; got 1\.5"):
        check_claims(table, alpha=1.5)
    with pytest.raises(ValueError, match="`dependence` must be one of"):
        check_claims(table, dependence="some")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`metric` must be one of"):
        check_claims(table, metric="f1")  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"`table` must be a PValueTable or a ScoreTable; got list\."
    ):
        check_claims([0.1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`n_examples` must have one entry a dataset, 2; got 1"):
        check_claims(table, n_examples=[10])
    with pytest.raises(ValueError, match="`system_a` and `system_b` must be None"):
        check_claims(table, system_a="A")


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
        said = [report.lead(), review_text(report), *map(str, verdicts_grid(report).rows)]
        said += [finding.reason for finding in report.findings]
        said += [markdown_report(analysis), *[q.key for q in analysis.questions]]
        assert not [one for one in said if "printed" in one.lower()]
        written = as_json(analysis)
        assert written["assessment"]["n_printed_at_most_alpha"] is None
        assert {row["printed"] for row in written["datasets"]} == {None}
