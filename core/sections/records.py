"""Each dataset's own result for programs: one value a cell, in full precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..analysis import Analysis
from ..data import PValueTable
from ..significance import SignificanceResult
from ..significance.outcome import EffectSize, swapped_effect
from .parts import Records, Value

_RECORD_COLUMNS = (
    "dataset",
    "system_a",
    "system_b",
    "n_examples",
    "score_a",
    "score_b",
    "difference",
    "interval_low",
    "interval_high",
    "interval",
    "confidence_level",
    "wins",
    "ties",
    "losses",
    "p_value_a_better",
    "p_value_b_better",
    "p_value_two_sided",
    "test",
    "method",
    "n_resamples",
    "n_extreme_a_better",
    "p_value_a_better_settles_from",
    "p_value_a_better_settles_to",
    "n_clusters",
    "seed",
    "effect_size_name",
    "effect_size",
    "note",
    "signature_system_a",
    "signature",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """A result with A and B as the analysis has them."""

    result: SignificanceResult
    score_a: float
    score_b: float
    difference: float
    interval: tuple[float, float] | None
    wins: int
    losses: int
    p_a: float
    p_b: float
    # Where the p-value of A better may settle with more resamples.
    ends_a: tuple[float, float]
    # Of the resamples those extreme for A better.
    n_extreme_a: int | None
    effect: EffectSize | None


def turned(result: SignificanceResult, swapped: bool) -> Turned:
    """A result as the analysis has it; `swapped` where A and B have changed places."""
    ends, effect = result.confidence_interval, result.effect_size
    if not swapped:
        return Turned(
            result=result,
            score_a=result.score_a,
            score_b=result.score_b,
            difference=result.difference,
            interval=ends,
            wins=result.wins,
            losses=result.losses,
            p_a=result.p_value_greater,
            p_b=result.p_value_less,
            ends_a=result.ends_of("greater"),
            n_extreme_a=result.n_extreme_of("greater"),
            effect=effect,
        )
    return Turned(
        result=result,
        score_a=result.score_b,
        score_b=result.score_a,
        difference=0.0 - result.difference,
        interval=None if ends is None else (0.0 - ends[1], 0.0 - ends[0]),
        wins=result.losses,
        losses=result.wins,
        p_a=result.p_value_less,
        p_b=result.p_value_greater,
        ends_a=result.ends_of("less"),
        n_extreme_a=result.n_extreme_of("less"),
        effect=None
        if effect is None
        else swapped_effect(effect, wins=result.wins, losses=result.losses),
    )


def results_records(analysis: Analysis) -> Records:
    """Each dataset's test in full precision; of one not tested only its name."""
    rows: list[tuple[Value, ...]] = []
    table = analysis.table
    systems = table.system_a, table.system_b
    # Of a test, and so of its signature, A is the system that comes first in the file.
    first = analysis.whole.system_a
    for name, result, note in zip(table.datasets, table.results or (), table.notes, strict=True):
        if result is None:
            nothing = (None,) * (len(_RECORD_COLUMNS) - 6)
            rows.append((name, *systems, *nothing, note, None, None))
            continue
        one = turned(result, analysis.settings.swapped)
        rows.append(
            (
                name,
                *systems,
                result.n_examples,
                one.score_a,
                one.score_b,
                one.difference,
                *(one.interval or (None, None)),
                result.interval,
                result.confidence_level,
                one.wins,
                result.ties,
                one.losses,
                one.p_a,
                one.p_b,
                result.p_value_two_sided,
                result.test,
                result.method,
                result.n_resamples,
                one.n_extreme_a,
                *one.ends_a,
                result.n_clusters,
                result.seed,
                one.effect.name if one.effect is not None else None,
                one.effect.value if one.effect is not None else None,
                note,
                first,
                result.signature,
            )
        )
    return Records(header=_RECORD_COLUMNS, rows=tuple(rows))


def printed_records(table: PValueTable) -> Records:
    """A published table with everything known about it, in full precision."""
    low, high = table.p_value_bounds
    differences = table.differences
    columns: dict[str, Sequence[Value]] = {"dataset": table.datasets}
    if table.n_examples is not None:
        columns["n_examples"] = table.n_examples.tolist()
    for name, printed in (
        ("score_a", table.printed_scores_a),
        ("score_b", table.printed_scores_b),
    ):
        if printed is not None:
            columns[name] = printed
    if differences is not None:
        columns["difference"] = differences.tolist()
    columns["p_value_printed"] = table.printed
    columns["p_value_low"] = low.tolist()
    columns["p_value_high"] = high.tolist()
    columns["p_value"] = table.p_values.tolist()
    columns["note"] = table.notes
    return Records(header=tuple(columns), rows=tuple(zip(*columns.values(), strict=True)))


def intervals_of(analysis: Analysis) -> list[tuple[float, float] | None]:
    """For each dataset the interval of its difference as A and B are chosen; None where unknown."""
    results = analysis.table.results or (None,) * analysis.table.n_datasets
    return [
        None if result is None else turned(result, analysis.settings.swapped).interval
        for result in results
    ]
