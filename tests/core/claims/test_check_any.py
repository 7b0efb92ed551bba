"""Datasets that count where at least one of several p-values is small."""

from __future__ import annotations

from itertools import product

import numpy as np

from core.claims.check import check_claims
from core.data import PValueTable, read_results
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
