"""An analysis for those who look at models on a hub: a model card, and a record of Every Eval Ever.

A model card's header (`model-index`) has a place for scores and none for their uncertainty, so the
verdict, its condition and the p-values stand in the text below it. Every Eval Ever's record (its
schema 0.3.0) has one for the standard error of a score; what is known of the comparison stands in
its details. The Hub's `.eval_results` hold a value for a registered benchmark and nothing beside
it: none is written.
"""

import json
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from ..analysis import Analysis
from ..analysis.settings import metric_of
from ..analysis.statements import what_was_read
from ..data import ResultSet
from ..errors import DataError
from ..metrics.per_example import summed_metric
from ..metrics.registry import MEAN
from ..sections.marked import marked_table
from ..sections.parts import clean
from ..version import __version__
from ..words.formatting import display_name, markdown
from ..words.verdicts import verdict
from .record import command_line
from .tables import marked_markdown

SCHEMA_VERSION = "0.3.0"
_NAME = "replicability"
# As printed where YAML reads that as the number; with a zero in front a whole one is octal.
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?")


def model_card(analysis: Analysis) -> str:
    """A's scores as the header of a model card, and the comparison with B as its text."""
    found, marked = verdict(analysis.assessment, analysis.subject), marked_table(analysis)
    if analysis.table.n_datasets == 1:
        # The verdict says it.
        marked = replace(marked, caption="")
    a, b = (display_name(name) for name in (analysis.table.system_a, analysis.table.system_b))
    parts = [
        *_header(analysis),
        f"## {markdown(a)} compared with {markdown(b)}",
        markdown(clean(what_was_read(analysis))),
        f"**{markdown(analysis.so_far + found.statement.headline)}** "
        f"{markdown(' '.join((found.statement.condition, found.statement.footnote)))}".rstrip(),
        *(f"> {markdown(caution)}" for caution in analysis.cautions),
        *(markdown(note) for note in found.notes),
        marked_markdown(marked).rstrip(),
        f"Computed by {_NAME} {__version__}:",
        f"    {command_line(analysis)}",
    ]
    return "\n\n".join(parts) + "\n"


def _header(analysis: Analysis) -> list[str]:
    """The scores of A, each dataset's, as YAML; nothing where there are none."""
    table = analysis.table
    if table.scores_a is None:
        return []
    # Without a point YAML 1.1 takes 1e-05 for a text.
    numbers = [re.sub(r"^(-?\d)e", r"\1.0e", repr(score)) for score in table.scores_a.tolist()]
    printed = table.printed_scores_a or numbers
    metric = _quoted(table.metric or "score")
    lines = ["---", "model-index:", f"- name: {_quoted(table.system_a)}", "  results:"]
    for dataset, number, text in zip(table.datasets, numbers, printed, strict=True):
        if number == "nan":
            continue
        name = _quoted(dataset)
        lines += [
            "  - task:",
            "      type: other",
            "    dataset:",
            f"      type: {name}",
            f"      name: {name}",
            "    metrics:",
            f"    - type: {metric}",
            f"      name: {metric}",
            f"      value: {text if _PLAIN.fullmatch(text) else number}",
        ]
    return ["\n".join([*lines, "---"])]


def _quoted(text: str) -> str:
    """A scalar of YAML in double quotation marks, which takes JSON's escapes but for pairs of halves."""
    letters = json.dumps(text, ensure_ascii=False)
    return "".join(
        letter if letter.isprintable() or letter > "\uffff" else f"\\u{ord(letter):04x}"
        for letter in letters
    )


def every_eval_ever(analysis: Analysis, *, timestamp: int) -> str:
    """A's score on every dataset with its standard error, as a record of Every Eval Ever.

    `timestamp` is when it is made, in seconds since 1970. DataError if the data are a published
    table, or the metric's range, which the record must state, is not known.
    """
    data, table, question = analysis.data, analysis.table, analysis.question
    remedy = "Write a model card instead."
    cannot = "A record of Every Eval Ever cannot be written"
    if not isinstance(data, ResultSet):
        raise DataError.of(f"{cannot}: a published table holds no results on examples.", remedy)
    metric = metric_of(data, analysis.settings)
    kind = data.kind_of(metric)
    own = summed_metric(kind)
    config: dict[str, Any] = {
        "metric_name": metric,
        "lower_is_better": not data.is_higher_better(metric),
    }
    if kind == MEAN and data.has_outcomes(metric):
        config |= {"score_type": "binary"}
    elif own is None or own.smallest is None or own.largest is None:
        what = (
            f"{cannot}: the lowest and highest possible {metric} must be stated, and are not known."
        )
        raise DataError.of(what, remedy)
    else:
        ends = {"min_score": own.smallest, "max_score": own.largest}
        config |= {"score_type": "continuous", **ends}
    together = data.clusters is not None and analysis.settings.whole_clusters
    found, marked = verdict(analysis.assessment, analysis.subject), marked_table(analysis)
    names = marked.identification
    assert table.differences is not None  # of results on examples both systems have scores
    results = []
    for place, dataset in enumerate(table.datasets):
        n = data.n_examples(dataset)
        uncertainty: dict[str, Any] = {"num_samples": n}
        # Of a mean over examples that stand alone.
        if kind == MEAN and n > 1 and not together:
            deviation = float(np.std(data.scores(dataset, table.system_a, metric), ddof=1))
            uncertainty["standard_deviation"] = deviation
            error = {"value": deviation / math.sqrt(n), "method": "analytic"}
            uncertainty["standard_error"] = error
        score = {
            "score": data.score(dataset, table.system_a, metric),
            "uncertainty": uncertainty,
            # What is known of the comparison with B; all values are texts here.
            "details": {
                "compared_with": table.system_b,
                "difference": repr(float(table.differences[place])),
                "claim": analysis.subject.claim(question.claim),
                "p_value": repr(float(question.answer.p_values[place])),
                "adjusted_p_value": repr(float(names.adjusted_p_values[place])),
                "procedure": names.procedure,
                "mark": marked.marks[place] or "not significant",
            },
        }
        results.append(
            {
                "evaluation_name": dataset,
                "source_data": {"dataset_name": dataset, "source_type": "other"},
                "metric_config": config,
                "score_details": score,
            }
        )
    record = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"{_NAME}/{table.system_a}/{timestamp}",
        "retrieved_timestamp": str(timestamp),
        "source_metadata": {
            "source_name": analysis.origin.title,
            "source_type": "evaluation_run",
            "source_organization_name": "not stated",
            "evaluator_relationship": "other",
            "additional_details": {
                "verdict": " ".join((analysis.so_far + found.statement.text, *analysis.cautions)),
                "signature": analysis.signature(question),
            },
        },
        "eval_library": {"name": _NAME, "version": __version__},
        "model_info": {
            "name": table.system_a,
            "id": table.system_a,
            # Results do not say how the model was run.
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": results,
    }
    return json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
