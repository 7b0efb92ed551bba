"""A row for each dataset of an analysis, with the test behind its p-value."""

from __future__ import annotations

from ...analysis import Analysis
from ...data import ResultSet
from ...sections.records import turned
from ...significance.result import SignificanceResult
from .values import plain

_OF_A_TEST = (
    "test",
    "metric",
    "kind",
    "alternative",
    "p_value",
    "p_value_greater",
    "p_value_less",
    "p_value_two_sided",
    "exact",
    "n_resamples",
    "n_extreme",
    "monte_carlo_interval",
    "n_examples",
    "score_a",
    "score_b",
    "difference",
    "correlation_ab",
    "confidence_interval",
    "confidence_level",
    "interval",
    "wins",
    "ties",
    "losses",
    "statistic",
    "notes",
    "higher_is_better",
    "method",
    "method_asked",
    "estimator",
    "resample_size",
    "zeros",
    "seed",
    "unreachable",
    "n_clusters",
    "effect_size",
    "skewness",
    "claim",
    "margin",
)


def data_as_json(analysis: Analysis) -> dict[str, object]:
    """What was loaded, before anything was chosen."""
    data = analysis.data
    reading = data.reading
    common = {
        "fingerprint": data.fingerprint,
        "layout": None if reading is None else reading.layout,
        "roles": None if reading is None else plain(reading.roles),
        "datasets": list(data.datasets),
    }
    if isinstance(data, ResultSet):
        return {
            "kind": "results-on-examples",
            **common,
            "systems": list(data.systems),
            "metrics": [
                {
                    "name": metric,
                    "kind": data.kinds[metric],
                    "higher_is_better": data.higher_is_better[metric],
                }
                for metric in data.metrics
            ],
            "n_examples": [data.n_examples(dataset) for dataset in data.datasets],
        }
    metric = {"name": data.metric, "kind": None, "higher_is_better": data.higher_is_better}
    return {
        "kind": "published-table",
        **common,
        "systems": [data.system_a, data.system_b],
        "metrics": [] if data.metric is None else [metric],
        "n_examples": plain(data.n_examples),
    }


def compared_as_json(analysis: Analysis) -> dict[str, object]:
    """What is compared with what, after every choice."""
    table = analysis.table
    kept = set(table.datasets)
    return {
        "system_a": table.system_a,
        "system_b": table.system_b,
        "metric": table.metric,
        "higher_is_better": analysis.higher_is_better,
        "alternative": table.alternative,
        "n_datasets": table.n_datasets,
        "left_out": [name for name in analysis.whole.datasets if name not in kept],
        "complete": table.complete,
    }


def rows_as_json(analysis: Analysis) -> list[dict[str, object]]:
    """Every dataset that counts, in the order of the file."""
    table, whole = analysis.table, analysis.whole
    low, high = table.p_value_bounds
    n = table.n_datasets
    columns: dict[str, object] = {
        "score_a": plain(table.scores_a),
        "score_b": plain(table.scores_b),
        "printed_score_a": plain(table.printed_scores_a),
        "printed_score_b": plain(table.printed_scores_b),
        "difference": plain(table.differences),
        "p_value": plain(table.p_values),
        "p_value_low": plain(low),
        "p_value_high": plain(high),
        "p_value_b": plain(table.p_values_b),
        "printed": None if table.results is not None else plain(table.printed),
        "printed_as_zero": plain(table.printed_zeros),
        "n_examples": plain(table.n_examples),
        "note": plain(table.notes),
    }
    lists = {
        name: values if isinstance(values, list) else [None] * n for name, values in columns.items()
    }
    results = table.results or (None,) * n
    return [
        {
            "dataset": dataset,
            **{name: values[i] for name, values in lists.items()},
            "test": _test(results[i], a=whole.system_a, b=whole.system_b),
            "as_compared": _as_compared(results[i], swapped=analysis.settings.swapped),
        }
        for i, dataset in enumerate(table.datasets)
    ]


def _as_compared(result: SignificanceResult | None, *, swapped: bool) -> object:
    """What a test found beside scores and p-values, with A and B as the rest of the row has them."""
    if result is None:
        return None
    found = turned(result, swapped)
    return {
        "confidence_interval": plain(found.interval),
        "wins": found.wins,
        "ties": result.ties,
        "losses": found.losses,
        "effect_size": plain(found.effect),
    }


def _test(result: SignificanceResult | None, *, a: str, b: str) -> object:
    """A test with all it found, as it was run: of the two systems the first in the file is its A."""
    if result is None:
        return None
    greater, less = result.out_of_reach
    return {
        "system_a": a,
        "system_b": b,
        **{name: plain(getattr(result, name)) for name in _OF_A_TEST},
        "out_of_reach": {"greater": greater, "less": less},
        "signature": result.signature,
    }
