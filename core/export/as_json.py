"""An analysis as JSON: the same for the page, the command line and the library.

The format, number 1
--------------------
data
    What was loaded, A and B as in the file.
settings, compared, tried
    What was chosen, what came of it, and everything that was tried.
verdict, cautions, remarks, unsettled
    The sentences that are shown; `unsettled` says what more resamples could change.
datasets
    A row for each dataset that counts. Its scores are as given, its `difference` is A − B turned so
    that a positive one favours A, also where lower scores are better, and its `p_value` is of the
    claim for A. `as_compared` has A and B like these; `test` is the test as it was run, with systems
    of its own: the first in the file is its A.
assessment, question, questions
    The readings of the p-values, the key of the question looked at, and for each question its
    counts, names, p-values and sentences. A list of names is in the order of the file.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ..analysis import Analysis, AnalysisSettings, statements
from ..analysis.settings import CHOICES
from ..analysis.statements import open_answers
from ..data import ResultSet
from ..replicability.assessment import Answer
from ..replicability.counting import closed_names
from ..significance.single import SignificanceResult
from ..types import BoolArray
from ..version import versions
from ..words.subject import Question
from ..words.verdicts import verdict

# By so much of its size a number may differ between two machines. Processors add up, and compute
# exponentials, otherwise in the last digits: by up to 6e-12, in exact tails of many examples.
TOLERANCE = 1e-9
TOLERANCE_IN_WORDS = "1 part in 10⁹"
# The same where what is left of a difference is rounding: of the size of what was subtracted.
_ROUNDING = 1e-12
_HALVES_OF_LETTERS = re.compile("[\ud800-\udfff]")


def same_number(one: float, other: float, *, scale: float = 0.0) -> bool:
    """Whether two finite numbers of analyses are the same, if they come from two machines.

    They are where they are apart by at most `TOLERANCE` of the larger. `scale` is the size of what
    they are differences of: beside it, they are also the same where only rounding parts them. It is 0
    of p-values, which keep their digits however small they are.
    """
    apart = abs(one - other)
    return apart <= max(TOLERANCE * max(abs(one), abs(other)), _ROUNDING * scale)


def plain(value: object) -> object:
    """A value as JSON has it: null for NaN, "Infinity" and "-Infinity" as strings.

    What has no place in an analysis is a `TypeError`.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return None if math.isnan(value) else "Infinity" if value > 0.0 else "-Infinity"
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, Sequence):
        return [plain(entry) for entry in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"`value` must be made of plain values; got {type(value).__name__}.")


def written(value: object) -> str:
    """JSON with keys in the order given, letters as they are and a newline at its end."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    # Half of a letter cannot be written in UTF-8, and comes back from its escape.
    return _HALVES_OF_LETTERS.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n"


_OF_A_TEST = (
    "test", "metric", "kind", "alternative", "p_value", "p_value_greater", "p_value_less",
    "p_value_two_sided", "exact", "n_resamples", "n_extreme", "monte_carlo_interval",
    "n_examples", "score_a", "score_b", "difference", "correlation_ab", "confidence_interval",
    "confidence_level", "interval", "wins", "ties", "losses", "statistic", "notes",
    "higher_is_better", "method", "method_asked", "estimator", "resample_size", "zeros", "seed",
    "unreachable", "n_clusters", "effect_size", "skewness", "claim", "margin",
)  # fmt: skip


_AS_COMPARED = ("confidence_interval", "wins", "ties", "losses", "effect_size")


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


def rows_as_json(analysis: Analysis) -> list[dict[str, object]]:
    """Every dataset that counts, in the order of the file."""
    table, whole = analysis.table, analysis.whole
    low, high = table.p_value_bounds
    n = table.n_datasets
    columns = {
        "score_a": table.scores_a,
        "score_b": table.scores_b,
        "printed_score_a": table.printed_scores_a,
        "printed_score_b": table.printed_scores_b,
        "difference": table.differences,
        "p_value": table.p_values,
        "p_value_low": low,
        "p_value_high": high,
        "p_value_b": table.p_values_b,
        "printed": None if table.results is not None else table.printed,
        "printed_as_zero": table.printed_zeros,
        "n_examples": table.n_examples,
        "note": table.notes,
    }
    lists: dict[str, Any] = {
        name: [None] * n if values is None else plain(values) for name, values in columns.items()
    }
    lists["test"] = [
        None if result is None else _test(result, a=whole.system_a, b=whole.system_b)
        for result in table.results or (None,) * n
    ]
    # What a test found beside scores and p-values, with A and B as the rest of the row has them.
    lists["as_compared"] = [
        None if found is None else {name: plain(getattr(found, name)) for name in _AS_COMPARED}
        for found in analysis.compared
    ]
    return [
        {"dataset": dataset, **{name: values[i] for name, values in lists.items()}}
        for i, dataset in enumerate(table.datasets)
    ]


def _test(result: SignificanceResult, *, a: str, b: str) -> dict[str, object]:
    """A test with all it found, as it was run: of the two systems the first in the file is its A."""
    greater, less = result.out_of_reach
    return {
        "system_a": a,
        "system_b": b,
        **{name: plain(getattr(result, name)) for name in _OF_A_TEST},
        "out_of_reach": {"greater": greater, "less": less},
        "signature": result.signature,
    }


def assessment_as_json(analysis: Analysis) -> dict[str, object]:
    """How p-values may be read, and the counts in front."""
    found = analysis.assessment
    datasets = analysis.table.datasets
    fronts = {"a_better": found.answer_a, "b_better": found.answer_b, "differ": found.undirected}
    return {
        "declared": found.declared,
        "readings": [reading.alternative for reading in found.readings],
        "ruled_out": [
            {
                "reading": entry.alternative,
                "small": [datasets[i] for i in entry.small],
                "large": [datasets[i] for i in entry.large],
            }
            for entry in found.ruled_out
        ],
        "beside_lower_score": [datasets[i] for i in found.beside_lower_score],
        "shows_both_sides": found.shows_both_sides,
        "n_printed_at_most_alpha": found.n_printed if analysis.printed else None,
        "in_front": {
            claim: None if answer is None else _in_front(answer, datasets)
            for claim, answer in fronts.items()
        },
    }


def _question(analysis: Analysis, question: Question) -> dict[str, object]:
    answer, datasets = question.answer, analysis.table.datasets
    procedure = analysis.procedure
    names = analysis.identification(question, procedure)
    return {
        "key": question.key,
        "claim": question.claim,
        "reading": question.reading,
        "headline": question.headline,
        **_in_front(answer, datasets),
        "p_values": plain(answer.p_values),
        "counts": {
            combination: {
                "k_hat": counting.k_hat,
                "partial_conjunction_p_values": plain(counting.partial_conjunction_p_values),
            }
            for combination, counting in answer.countings.items()
        },
        "identification": {
            "procedure": procedure,
            "named": _names(names.rejected, datasets),
            "adjusted_p_values": plain(names.adjusted_p_values),
            "thresholds": plain(names.thresholds),
        },
        "joint": _joint(analysis, question),
        "sentences": {
            "lead": analysis.so_far + statements.lead(analysis, question),
            "condition": statements.condition(analysis, question),
            "about_the_count": list(statements.about_the_count(analysis, question)),
            "names": statements.significant(analysis, question, procedure),
        },
        "signatures": {
            "count": analysis.signature(question),
            "names": analysis.signature(question, procedure=procedure),
        },
    }


def _joint(analysis: Analysis, question: Question) -> dict[str, object] | None:
    """Counts and names by joint flips of shared examples, where they were asked for."""
    found, datasets = analysis.joint(question), analysis.table.datasets
    if found is None:
        return None
    return {
        "k_hat": found.count.k_hat,
        "settled": found.settled,
        "partial_conjunction_p_values": plain(found.count.partial_conjunction_p_values),
        "named": _names(found.named.rejected, datasets),
        "adjusted_p_values": plain(found.named.adjusted_p_values),
        "named_by_step_down": _names(found.step_down.rejected, datasets),
        "step_down_adjusted_p_values": plain(found.step_down.adjusted_p_values),
        "p_values": plain(found.count.p_values),
        "n_units": found.units.n_units,
        "n_shared_units": found.units.n_shared,
        "exact": found.flips.exact,
        "n_flips": found.flips.n_flips,
        "flipped": statements.flipped(analysis, question),
    }


def _in_front(answer: Answer, datasets: tuple[str, ...]) -> dict[str, object]:
    practice = answer.practice
    by_holm = closed_names(answer.p_values, alpha=answer.alpha, combination="bonferroni")
    return {
        "k_hat": answer.k_hat,
        "combination": answer.combination,
        "common_practice": {
            "n": practice.n,
            "sidedness": practice.sidedness,
            "only_where_ahead": practice.ahead,
            "chance_of_a_false_win": practice.chance_of_a_false_win(),
        },
        "complement": answer.complement,
        "named_by_closed_test": _names(answer.named, datasets),
        "named_by_holm": _names(by_holm, datasets),
    }


def _names(chosen: BoolArray, datasets: tuple[str, ...]) -> list[str]:
    return [name for name, mark in zip(datasets, chosen.tolist(), strict=True) if mark]


FORMAT = 1
KIND = "replicability-analysis"


def as_json(analysis: Analysis) -> dict[str, Any]:
    """An analysis as an object of plain values, ready for `json.dumps`.

    Parameters
    ----------
    analysis : Analysis
        From `analysis.analyse`, or what a page shows.

    Returns
    -------
    dict
        In the format that this module describes.

    Examples
    --------
    >>> from replicability import analyse, as_json, read_results, read_sample
    >>> sample, content = read_sample("parsing-redshift")
    >>> table = read_results(content, roles={"alternative": sample.alternative})
    >>> as_json(analyse(table))["datasets"][0]["p_value"]
    0.0979
    """
    origin, table, sample = analysis.origin, analysis.table, analysis.origin.sample
    found, kept = verdict(analysis.assessment, analysis.subject), set(table.datasets)
    return {
        "format": FORMAT,
        "kind": KIND,
        "versions": dict(versions()),
        "origin": {
            "title": origin.title,
            "source": sample.source if sample else "",
            "note": sample.note if sample else "",
        },
        "data": data_as_json(analysis),
        "settings": settings_as_json(analysis.settings),
        # What is compared with what, after every choice.
        "compared": {
            "system_a": table.system_a,
            "system_b": table.system_b,
            "metric": table.metric,
            "higher_is_better": analysis.higher_is_better,
            "alternative": table.alternative,
            "n_datasets": table.n_datasets,
            "left_out": [name for name in analysis.whole.datasets if name not in kept],
            "complete": table.complete,
        },
        "tried": plain(analysis.tried),
        "what_was_read": statements.what_was_read(analysis),
        "verdict": {
            "sentence": analysis.so_far + found.statement.text,
            "tiles": [
                {
                    name: getattr(tile, name)
                    for name in ("heading", "figure", "detail", "guaranteed")
                }
                for tile in found.tiles
            ],
            "notes": list(found.notes),
        },
        "cautions": list(analysis.cautions),
        "unsettled": list(open_answers(analysis)),
        "remarks": list(statements.remarks(analysis)),
        "signature": analysis.signature(analysis.questions[0]),
        "datasets": rows_as_json(analysis),
        "assessment": assessment_as_json(analysis),
        "question": analysis.question.key,
        # Every question that can be asked, the headline first.
        "questions": [_question(analysis, question) for question in analysis.questions],
    }


def to_json(analysis: Analysis) -> str:
    """`as_json` as text, with a newline at its end.

    Parameters
    ----------
    analysis : Analysis
        From `analysis.analyse`, or what a page shows.

    Examples
    --------
    >>> import json
    >>> from replicability import analyse, as_json, read_results, read_sample, to_json
    >>> sample, content = read_sample("parsing-redshift")
    >>> table = read_results(content, roles={"alternative": sample.alternative})
    >>> analysis = analyse(table)
    >>> json.loads(to_json(analysis)) == as_json(analysis)
    True
    """
    return written(as_json(analysis))


def settings_as_json(settings: AnalysisSettings) -> dict[str, object]:
    """Every setting by its name."""
    return {name: plain(getattr(settings, name)) for name in CHOICES}
