"""Datasets that count where at least one of several p-values is small."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core.claims.check import check_claims
from core.data import PValueTable, read_results
from core.errors import DataError
from tests.core.claims.made_tables import keys


def table_of(columns: dict[str, list[str]], extra: str = "") -> PValueTable:
    names = list(columns)
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(["dataset", *names])]
    lines += [",".join([f"d{i}", *row]) for i, row in enumerate(rows, start=1)]
    read = read_results("\n".join(lines).encode(), roles={"alternative": "not-stated"})
    assert isinstance(read, PValueTable)
    return read


def test_a_dataset_counts_once_however_many_of_its_p_values_are_small() -> None:
    table = table_of({"p_value": [".01", ".2", ".9"], "p_value_x": [".02", ".04", ".8"]})
    report = check_claims(table, "exactly 2 of 3 by any for differ\nexactly 3 by any for differ")
    assert keys(report) == ("holds", "contradicted")
    assert "d3 (smallest .8) has none" in report.verdicts[0].behind[0]


def test_only_the_columns_that_a_claim_names_are_meant() -> None:
    table = table_of(
        {"p_value": [".01", ".2"], "p_value_x": [".9", ".04"], "p_value_y": ["1", "1"]}
    )
    lines = (
        "exactly 1 by any of p_value for differ\nexactly 1 by any of p_value_x; p_value_y for differ\n"
        "exactly 2 by any of p_value; p_value_x for differ\nexactly 0 by any of p_value_y for differ"
    )
    assert keys(check_claims(table, lines)) == ("holds",) * 4
    with pytest.raises(DataError, match="'p_value_z', which is no column of p-values"):
        check_claims(table, "exactly 1 by any of p_value_z")


def test_the_verdict_holds_for_every_value_within_the_rounding() -> None:
    """Brute force: a grid over what each printed p-value's digits allow."""
    printed = [(".05", ".2"), (".1", ".05"), (".04", ".06"), (".3", ".2")]
    table = table_of({"p_value": [a for a, _ in printed], "p_value_x": [b for _, b in printed]})
    cells = [
        [max(0.0, float(p) - half), float(p), float(p) + half]
        for row in printed
        for p, half in ((p, 0.5 * 10.0 ** -len(p.lstrip("."))) for p in row)
    ]
    counts = {
        int((np.array(choice).reshape(4, 2) <= 0.05).any(axis=1).sum())
        for choice in product(*cells)
    }
    for k in range(5):
        (verdict,) = keys(check_claims(table, f"exactly {k} by any for differ"))
        expected = "contradicted" if k not in counts else "depends"
        assert verdict == (expected if len(counts) > 1 else "holds"), (k, counts)
    at_least = keys(check_claims(table, [f"at least {k} by any for differ" for k in (1, 2, 4)]))
    assert at_least == tuple(
        "holds" if min(counts) >= k else "depends" if max(counts) >= k else "contradicted"
        for k in (1, 2, 4)
    )


def test_the_count_that_allows_for_the_choice_is_that_of_all_pairs() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        n, m = int(rng.integers(2, 6)), int(rng.integers(2, 4))
        p = np.round(rng.random((m, n)) ** 4, 4)
        names = ["p_value", *(f"p_value_{j}" for j in range(1, m))]
        table = table_of(
            {name: [f"{x:.4f}" for x in row] for name, row in zip(names, p, strict=True)}
        )
        report = check_claims(table, "at least 1 by any for differ")
        (found,) = report.of("assumption")
        highs = np.concatenate(_highs(table))
        order = np.argsort(highs)
        holm = 0
        while holm < order.size and highs[order[holm]] <= 0.05 / (order.size - holm):
            holm += 1
        assert found.details["counted"] == holm
        assert found.details["at_least"] == len({int(i) % n for i in order[:holm]})
        assert "No count that needs independence is used" in found.reason


def _highs(table: PValueTable) -> list[np.ndarray]:
    return [table.p_value_bounds[1], *(other.p_value_bounds[1] for other in table.further)]


def test_for_which_system_several_p_values_speak_is_not_decided_by_one_metrics_scores() -> None:
    content = b"dataset,A,B,p_value,p_value_other\nx,.9,.8,.01,.2\ny,.7,.6,.2,.01\n"
    table = read_results(content, roles={"alternative": "not-stated"})
    assert isinstance(table, PValueTable)
    report = check_claims(table, "exactly 2 by any for A", metric="other")
    assert keys(report) == ("depends",)


def test_further_p_values_count_in_the_signature_where_a_claim_is_about_them() -> None:
    one = table_of({"p_value": [".01"], "p_value_x": [".2"]})
    other = table_of({"p_value": [".01"], "p_value_x": [".3"]})
    assert one.fingerprint == other.fingerprint
    line = "exactly 1 by any"
    assert check_claims(one, line).signature != check_claims(other, line).signature
    assert check_claims(one, "at least 1").signature == check_claims(other, "at least 1").signature
