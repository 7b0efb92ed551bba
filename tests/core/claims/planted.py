"""Errors planted into honest tables, and how often a check finds each at least."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from core.claims.check import check_claims
from core.claims.claim import Better, Claim, ClaimKind
from core.claims.findings import SEVERE, ClaimReport, Finding, RowFinding
from tests.core.claims.made_tables import (
    ALPHA,
    Made,
    PrintedRow,
    any_by_hand,
    fisher_by_hand,
    holm_by_hand,
    interval_of,
    keys,
    table_of,
)


def swapped_p_values(table: Made) -> Made:
    """Two printed p-values exchanged: the smallest and the largest."""
    order = np.argsort(table.p_values)
    rows = list(table.rows)
    i, j = int(order[0]), int(order[-1])
    rows[i], rows[j] = (
        (*rows[i][:3], rows[j][3], rows[i][4]),
        (*rows[j][:3], rows[i][3], rows[j][4]),
    )
    return replace(table, rows=rows)


def checked(table: Made, *claims: Claim) -> ClaimReport:
    rows = rows_judged(tuple(table.rows), table.alternative)
    read = table_of(table.rows, alternative=table.alternative)
    return check_claims(read, claims, metric="accuracy", rows=rows)


# Most errors are in claims on the same rows.
@lru_cache(maxsize=64)
def rows_judged(rows: tuple[PrintedRow, ...], alternative: str) -> tuple[Finding, ...]:
    return check_claims(table_of([*rows], alternative=alternative), metric="accuracy").rows


def denied(report: ClaimReport) -> bool:
    """Whether its one claim is, as one of more than all datasets is too."""
    (key,) = keys(report)
    return key in SEVERE


def denies(table: Made, kind: ClaimKind, better: Better = "differ", **parts: Any) -> bool:
    return denied(checked(table, Claim(kind=kind, better=better, **parts)))


def found_wrong_count(table: Made, rng: np.random.Generator) -> bool:
    return denies(
        table, "exactly", k=_off_by_one(fisher_by_hand(table.p_values), rng), method="fisher"
    )


def found_too_many(table: Made, rng: np.random.Generator) -> bool:
    too_many = len(holm_by_hand(table.p_values)) + 1
    return denies(table, "at-least", k=too_many, method="bonferroni")


def found_wrong_name(table: Made, rng: np.random.Generator) -> bool:
    named = set(holm_by_hand(table.p_values)) ^ {int(rng.integers(len(table.rows)))}
    names = tuple(table.datasets[i] for i in sorted(named))
    return denies(table, "named", datasets=names, method="holm")


def found_large_p(table: Made, rng: np.random.Generator) -> bool:
    large = int(np.argmax(table.p_values))
    if table.p_values[large] <= ALPHA:
        return True
    return denies(table, "significant", datasets=(table.datasets[large],))


def found_wrong_side(table: Made, rng: np.random.Generator) -> bool:
    small = [i for i in holm_by_hand(table.p_values) if table.rows[i][1] != table.rows[i][2]]
    if not small:
        return True
    row = table.rows[small[0]]
    better: Better = "b" if float(row[1]) > float(row[2]) else "a"
    behind = Claim(kind="named", datasets=(row[0],), method="holm", better=better)
    report = checked(table, behind)
    (verdict,) = report.verdicts
    # The score is said to be the lower one there, or the two-sided p-value the other's.
    said = " ".join((verdict.why, *verdict.behind))
    return denied(report) and row[0] in said and ("lower" in said or "in favour of" in said)


def found_size(table: Made, rng: np.random.Generator) -> bool:
    """A tenth too large."""
    row = table.rows[0]
    return _doubted(_first_as(table, (*row[:4], round(1.1 * row[4]))))


def told_exchange(table: Made, rng: np.random.Generator) -> bool:
    report = checked(swapped_p_values(table))
    return any(_told(found) for found in report.rows if found.dataset)


def found_digit_of_score(table: Made, rng: np.random.Generator) -> bool:
    row = table.rows[0]
    return _doubted(_first_as(table, (row[0], other_digit(row[1], rng), *row[2:])))


def told_digit_of_p(table: Made, rng: np.random.Generator) -> bool:
    row = table.rows[0]
    return _told(_first_as(table, (*row[:3], other_digit(row[3], rng), row[4])))


def found_large_p_beside_a_clear_gain(table: Made, rng: np.random.Generator) -> bool:
    """Right on 15 points more of 2,000 examples, and p = .5."""
    share = rng.uniform(0.3, 0.8)
    row = ("set-1", f"{share + 0.15:.4f}", f"{share:.4f}", "0.5000", 2000)
    return _doubted(_first_as(table, row))


def found_tiny_p_beside_a_small_gain(table: Made, rng: np.random.Generator) -> bool:
    """Right on 10 examples more of 2,000, and p = 1e-9."""
    right = int(rng.integers(600, 1600))
    row = ("set-1", f"{(right + 10) / 2000:.4f}", f"{right / 2000:.4f}", "1e-9", 2000)
    return _doubted(_first_as(table, row))


def found_one_more_for_a(table: Made, rng: np.random.Generator) -> bool:
    """A count for A beyond every reading: one more than all p/2 <= .05 where A may be ahead."""
    largest = sum(
        float(p) / 2 <= ALPHA + 5e-5 and float(a) >= float(b) for _, a, b, p, _ in table.rows
    )
    every = sum(float(p) <= ALPHA + 5e-5 for *_, p, _ in table.rows)
    return denies(table, "exactly", "a", k=max(largest, every) + 1, method="count")


def found_fisher_one_more_for_a(table: Made, rng: np.random.Generator) -> bool:
    """Fisher's count for A, one more than p/2 and 1 - p/2 give, and than p as it stands."""
    lead = np.array([float(row[1]) - float(row[2]) for row in table.rows])
    one_sided = np.where(lead > 0, table.p_values / 2, 1 - table.p_values / 2)
    k = max(fisher_by_hand(one_sided), fisher_by_hand(table.p_values)) + 1
    return denies(table, "exactly", "a", k=k, method="fisher")


def _off_by_one(k: int, rng: np.random.Generator) -> int:
    return k - 1 if k and rng.random() < 0.5 else k + 1


def _first_as(table: Made, row: PrintedRow) -> Finding:
    """What is found of a table's first row, printed so and alone: no other row bears on it."""
    (found,) = [f for f in rows_judged((row,), table.alternative) if f.dataset]
    return found


def _doubted(found: Finding) -> bool:
    """Whether a row is said not to be by a test on its examples."""
    return found.key == "impossible"


def _told(found: Finding) -> bool:
    """Whether a row is said not to be by McNemar's tests, which is information and no doubt."""
    return found.key == "impossible" or (isinstance(found, RowFinding) and not found.attainable)


def found_wrong_any(table: Made, rng: np.random.Generator) -> bool:
    wrong = _off_by_one(any_by_hand(table), rng)
    read = table_of(table.rows, alternative=table.alternative, others=table.others)
    claim = Claim(kind="exactly", k=wrong, method="any", better="differ")
    return denied(check_claims(read, claim, metric="other"))


def found_interval(table: Made, rng: np.random.Generator) -> bool:
    """The estimate moved by a tenth of the interval's width."""
    low, high, estimate = interval_of(table)
    moved = float(estimate) + rng.choice([-0.1, 0.1]) * (float(high) - float(low))
    claim = Claim(kind="interval", interval=(low, high), estimate=f"{moved:.4f}")
    return "not-shown" in keys(check_claims(None, claim))


def other_digit(text: str, rng: np.random.Generator) -> str:
    """A printed number with another digit in one of its decimals, at most 1 if it was."""
    point = text.index(".")
    place = int(rng.integers(point + 1, len(text)))
    digit = (int(text[place]) + int(rng.integers(1, 10))) % 10
    # 1.0000 would become more than 1: its whole part is what is mistaken then.
    whole = "0" if text[:point] == "1" else text[:point]
    return f"{whole}{text[point:place]}{digit}{text[place + 1 :]}"


# An error, how it is looked for, and the share of tables in which it is found at least: a little
# below what is measured on tables with four decimals.
PLANTED: tuple[tuple[str, Callable[[Made, np.random.Generator], bool], float], ...] = (
    ("Fisher's count off by one", found_wrong_count, 0.98),
    ("at least one more than Holm names", found_too_many, 0.97),
    ("a wrong name in Holm's list", found_wrong_name, 0.98),
    ("a large p called small", found_large_p, 0.99),
    ("a name for the system behind", found_wrong_side, 0.99),
    ("for A one more than any reading counts", found_one_more_for_a, 0.97),
    ("for A one more than Fisher by any reading", found_fisher_one_more_for_a, 0.97),
    ("n a tenth too large", found_size, 0.9),
    ("another digit in a score", found_digit_of_score, 0.9),
    ("p = .5 beside 15 points on 2,000 examples", found_large_p_beside_a_clear_gain, 0.99),
    ("p = 1e-9 beside 10 of 2,000 examples", found_tiny_p_beside_a_small_gain, 0.99),
    ("not by McNemar: two p-values exchanged", told_exchange, 0.92),
    ("not by McNemar: another digit in p", told_digit_of_p, 0.72),
    ("count by any of several off by one", found_wrong_any, 0.97),
    ("an estimate beside its interval's middle", found_interval, 0.75),
)
