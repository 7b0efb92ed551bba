"""Results in a notebook: the sentence, what limits it, and the table, as HTML; and their charts.

Every name comes from files and is escaped where it becomes HTML (`export.report`) or a chart.
"""

from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from . import charts
from .analysis import Analysis
from .analysis.gate import Decision
from .charts.forest import ForestRow, forest
from .charts.theme import LIGHT
from .comparison import BETTER, comparison_named, written_margin
from .data import PValueTable
from .effects.meta_analysis import MetaAnalysis, normal_interval
from .export.gate import gate_sentences
from .export.report import chosen_sections, part_html
from .replicability.assessment import answer_of
from .replicability.combinations import Combination, counting_method_named
from .replicability.counting import Counting
from .replicability.direction import CommonPractice
from .replicability.identification import OF_JOINT_FLIPS, Identification, procedure_named
from .sections.answers import staircase_parts
from .sections.marked import NAMED, marked_table, names_columns, scores_of
from .sections.parts import Bullets, Figure, Paragraph, Part, grid_of, paragraphs, printed
from .sections.results import results_parts
from .validation import at_most, names_of
from .words.counting import guarantee_sentence
from .words.formatting import (
    counted,
    format_confidence,
    format_level,
    format_p_value,
    format_share,
    how_many,
    minus,
    sentence_case,
    whole_name,
)
from .words.reading import DIRECTION_NOT_STATED

# Colours are those of the notebook, light or dark.
_STYLE = """<style>
.replicability { max-width: 60rem; line-height: 1.45; }
.replicability .lead { font-size: 1.1em; font-weight: 600; }
.replicability .quiet { opacity: .75; }
.replicability .caution { border-left: .3rem solid #c2570c; padding: .3rem .8rem; margin: .4rem 0; }
.replicability .table { overflow-x: auto; margin: .6rem 0; }
.replicability table { border-collapse: collapse; margin: 0; }
.replicability caption { text-align: left; font-weight: 600; padding-bottom: .3rem; caption-side: top; }
.replicability th, .replicability td { text-align: left; padding: .2rem .7rem;
  border-bottom: 1px solid rgba(128, 128, 128, .35); }
.replicability tbody th { font-weight: 400; }
.replicability .n { text-align: right; font-variant-numeric: tabular-nums; }
.replicability .marked > * { font-weight: 650; }
</style>"""


def html_of(result: object) -> str:
    """A result as HTML for a notebook."""
    parts = "\n".join(part_html(part) for part in printed(parts_of(result)))
    return f'<div class="replicability">{_STYLE}\n{parts}\n</div>'


@singledispatch
def parts_of(result: object) -> tuple[Part, ...]:
    """What a result shows: paragraphs, lists and tables."""
    raise TypeError(f"A {type(result).__name__} does not show itself.")


@singledispatch
def plot_of(result: object) -> Any:
    """The chart of a result, a plotly figure."""
    raise TypeError(f"A {type(result).__name__} has no chart.")


@parts_of.register
def _(result: Analysis) -> tuple[Part, ...]:
    (section,) = chosen_sections(result, ["verdict"])
    return tuple(part for part in section.parts if not isinstance(part, Figure))


@plot_of.register
def _(result: Analysis) -> Any:
    # Of tests made here the differences with their intervals, of a published table its claims.
    parts = (*results_parts(result), *staircase_parts(result))
    figure = next(part for part in parts if isinstance(part, Figure))
    return figure.draw(theme=LIGHT)


@parts_of.register
def _(result: Decision) -> tuple[Part, ...]:
    first, *rest = gate_sentences(result)
    parts: list[Part] = [Paragraph(text=f"{result.outcome.capitalize()}. {first}", tone="lead")]
    parts += [Bullets(items=tuple(rest))] if rest else []
    if result.analysis is not None:
        parts += [Paragraph(text=each, tone="caution") for each in result.analysis.cautions]
        question = next(q for q in result.analysis.questions if q.claim == "a-better")
        parts.append(marked_table(result.analysis, question).grid())
    return tuple(parts)


@parts_of.register
def _(result: PValueTable) -> tuple[Part, ...]:
    systems = f"{whole_name(result.system_a)} and {whole_name(result.system_b)}"
    speaks = f"P-values are declared as {result.alternative}."
    if result.claim != BETTER:
        known = result.margins[~np.isnan(result.margins)].tolist()
        a, b = whole_name(result.system_a), whole_name(result.system_b)
        claim = comparison_named(result.claim).statement(a, b, written_margin(known, None))
        speaks = f"P-values are of the claim that {claim}, in the metric's units."
    elif result.results is not None:
        speaks = f"P-values are one-sided, for {whole_name(result.system_a)}."
    elif result.alternative == "not-stated":
        speaks = DIRECTION_NOT_STATED
    columns = {"dataset": [whole_name(name) for name in result.datasets]}
    if result.n_examples is not None:
        columns["n"] = [f"{n:,}" for n in result.n_examples.tolist()]
    for _, label, digits, scores in scores_of(result):
        cells = ["–" if np.isnan(score) else minus(f"{score:.4f}") for score in scores]
        columns[f"score of {whole_name(label)}"] = list(digits or cells)
    columns["p"] = [format_p_value(p) for p in result.p_values.tolist()]
    if any(result.notes):
        columns["note"] = [whole_name(note) for note in result.notes]
    said = f"{systems}: {counted(result.n_datasets, 'dataset')}."
    lead, quiet = Paragraph(text=said, tone="lead"), Paragraph(text=speaks, tone="quiet")
    return (lead, quiet, grid_of(columns))


_BETTER = "“A is better than B”"
_TESTED = f"the tested claim (such as {_BETTER})"


@parts_of.register
def _(result: Counting) -> tuple[Part, ...]:
    k, n, several = result.k_hat, result.n_datasets, result.n_datasets > 1
    method = counting_method_named(result.combination)
    # P-values do not say which claim they were made for.
    claim = _TESTED if isinstance(method, Combination) else _BETTER
    any_of = f"any of {n:,} datasets" if several else "the dataset"
    said = f"No evidence at α = {format_level(result.alpha)} that {claim} is true on {any_of}."
    if k:
        where = how_many(k, n) if several else "the dataset"
        holds = f" This holds {method.clause}." if several else ""
        confidence = format_confidence(result.alpha)
        said = f"With {confidence} confidence, {claim} is true on {where}.{holds}"
    p_values = result.partial_conjunction_p_values.tolist()
    claims = [f"at least {u} of {n}" for u in range(1, n + 1)] if n > 1 else ["the dataset"]
    columns = {
        "claim": claims,
        "p": [format_p_value(p, alpha=result.alpha) for p in p_values],
        "mark": ["holds" if u < k else "" for u in range(n)],
    }
    grid = grid_of(columns, marked=tuple(u < k for u in range(n)))
    return (Paragraph(text=said, tone="lead"), grid)


@plot_of.register
def _(result: Counting) -> Any:
    small = at_most(result.p_values, result.alpha)
    practice = CommonPractice(wins=small, alpha=result.alpha, sidedness="one-sided")
    answer = answer_of(result.p_values, result.alpha, "bonferroni", practice=practice)
    countings = {**answer.countings, result.combination: result}
    answer = replace(answer, countings=countings, combination=result.combination)
    return charts.staircase(answer, better="better (or as tested)")


@parts_of.register
def _(result: Identification) -> tuple[Part, ...]:
    n, by = result.p_values.size, procedure_named(result.procedure).correction
    level, many = format_level(result.alpha), f"on {result.n_rejected:,} of {counted(n, 'dataset')}"
    lead = sentence_case(f"{by} (α = {level})" if n > 1 else f"at α = {level}")
    of_flips = result.procedure in names_of(OF_JOINT_FLIPS)
    is_named = "is significant" if result.n_rejected else "is not significant"
    said = f"{lead}, {_BETTER if of_flips else _TESTED} "
    said += f"is significant {many}." if n > 1 else f"{is_named}."
    marks = [NAMED if named else "" for named in result.rejected.tolist()]
    columns = {"dataset": [str(i) for i in range(1, n + 1)], **names_columns(result, "p", marks)}
    guarantee = guarantee_sentence(result.procedure, alpha=result.alpha, n=n)
    grid = grid_of(columns, marked=tuple(result.rejected.tolist()))
    return (Paragraph(text=said, tone="lead"), *paragraphs(guarantee, tone="quiet"), grid)


@plot_of.register
def _(result: Identification) -> Any:
    return charts.ladder(result, [f"dataset {i}" for i in range(1, result.p_values.size + 1)])


@parts_of.register
def _(result: MetaAnalysis) -> tuple[Part, ...]:
    level = format_confidence(1.0 - result.confidence_level)
    low, high = (_number(end) for end in result.interval)
    said = f"Combined effect {_number(result.estimate)}, {level} interval {low} to {high}."
    values = {
        "τ²": _number(result.tau2),
        "I²": format_share(result.i2),
        "Q": _number(result.q),
    }
    expected = result.new_dataset_interval
    if expected is not None:
        values["effect on a new dataset"] = " to ".join(map(_number, expected))
    grid = grid_of({"of the datasets": list(values), "value": list(values.values())})
    notes = tuple(Paragraph(text=note, tone="caution") for note in result.notes)
    return (Paragraph(text=said, tone="lead"), *notes, grid)


@plot_of.register
def _(result: MetaAnalysis) -> Any:
    columns = (result.effects.tolist(), result.variances.tolist(), result.weights.tolist())
    rows = [
        ForestRow(
            kind="dataset",
            name=f"dataset {i}",
            estimate=effect,
            interval=normal_interval(effect, variance, result.confidence_level),
            weight=weight,
        )
        for i, (effect, variance, weight) in enumerate(zip(*columns, strict=True), start=1)
    ]
    combined = ForestRow(
        kind="combined",
        name="combined",
        estimate=result.estimate,
        interval=result.interval,
        prediction=result.new_dataset_interval,
        front=True,
    )
    rows.append(combined)
    level = format_confidence(1.0 - result.confidence_level)
    return forest(rows, effect_label="effect", level=level, sides=("", ""))


def _number(value: float) -> str:
    return minus(f"{value:.4g}")
