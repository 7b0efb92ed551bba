"""What an analysis found and how it counted, its methods section in plain text and LaTeX, and the works cited."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ..analysis import Analysis, statements
from ..analysis.settings import metric_of
from ..analysis.testing import BY_ITSELF
from ..comparison import comparison_named
from ..data import PValueTable, ResultSet
from ..replicability.combinations import Combination, counting_method_named
from ..replicability.identification import procedure_named
from ..significance.known_tests import significance_test_named
from ..types import FloatArray
from ..version import __version__
from ..words.counting import practice_counts
from ..words.formatting import (
    display_name,
    format_confidence,
    format_confidence_in_both,
    format_errors,
    format_level,
    format_p_value,
    joined,
    metric_label,
    published_p_value,
    sentence_case,
    signed,
    whole_name,
)
from ..words.overlap import contradicted_sentence
from ..words.subject import Question
from ..words.verdicts import ONE_SIDE_APPROXIMATE
from .bibliography import (
    WORKS,
    Passage,
    Reference,
    Sentence,
    Verbatim,
    cite,
    cited_keys,
    in_latex,
    in_plain_text,
    passage,
)
from .testing import data_passage, testing_passage

_DECIMALS = 4


def results_sentences(analysis: Analysis) -> tuple[str, ...]:
    """Range of effects and p-values, the counts with their guarantee, which datasets, what limits it."""
    question = analysis.question
    asked = statements.stated(analysis, question)
    procedure, several = analysis.procedure, analysis.table.n_datasets > 1
    # Where nothing is named for either system, one sentence says so.
    named = [one for one in asked if analysis.identification(one, procedure).n_rejected]
    found = [
        *analysis.other_sides,
        _range_sentence(analysis, asked),
        f"{analysis.so_far}{statements.lead(analysis, question)}",
        *(
            statements.significant(analysis, one, procedure, in_full=True)
            for one in (named or asked[:1] if several else ())
        ),
        _also_sentence(analysis, asked),
        *statements.open_answers(analysis),
        _practice_sentence(analysis, asked),
        statements.condition(analysis, question),
    ]
    return tuple(dict.fromkeys(sentence for sentence in found if sentence))


def unsettled_sentence(analysis: Analysis) -> str:
    """That resamples leave the answer open, in one sentence; empty where they do not."""
    is_open = statements.open_answers(analysis)
    return "Not settled: more resamples might change the count or a mark." if is_open else ""


def test_titles(table: PValueTable) -> list[str]:
    """The tests that were run here, each once."""
    done = (result for result in table.results or () if result is not None)
    titles = (significance_test_named(r.test).of_claim(r.claim).full_title for r in done)
    return list(dict.fromkeys(titles))


def _range_sentence(analysis: Analysis, asked: Sequence[Question]) -> str:
    table, printed = analysis.table, analysis.printed
    if table.n_datasets == 1:
        return ""
    a, b = display_name(table.system_a), display_name(table.system_b)
    parts: list[str] = []

    def add(what: str, values: FloatArray, write: Callable[[float], str]) -> None:
        if values.size:
            low, high = write(float(values.min())), write(float(values.max()))
            span = f"range from {low} to {high}" if low != high else f"are all {low}"
            parts.append(f"{what if parts else sentence_case(what)} {span}")

    if table.differences is not None:
        first, second = (a, b) if table.higher_is_better else (b, a)
        known = table.differences[np.isfinite(table.differences)]
        of = f"{metric_of_table(analysis)} differences ({first} − {second})".lstrip()
        add(of, known, partial(signed, decimals=decimals_of(analysis)))
    if printed:
        add("the published p-values", table.p_values, published_p_value)
    else:
        tests, p_values = test_titles(table), asked[0].answer.p_values
        which = f"the {comparison_named(table.claim).p_values}"
        which += f" ({tests[0]})" if len(tests) == 1 else ""
        which += f" for {a}" if len(asked) > 1 else ""
        tested = [result is not None for result in table.results or [True] * p_values.size]
        add(which, p_values[tested], format_p_value)
    return f"{' and '.join(parts)}." if parts else ""


def _also_sentence(analysis: Analysis, asked: Sequence[Question]) -> str:
    """What the count's closed test identifies beyond the procedure, under its assumption."""
    subject, further = analysis.subject.in_full, []
    combination = counting_method_named(asked[0].answer.combination)
    for one in asked:
        names = analysis.identification(one, analysis.procedure)
        more = one.answer.named & ~names.rejected
        if combination.condition and more.any() and more.size > 1:
            whose = f" for {subject.sides(one.claim)[0]}" if len(asked) > 1 else ""
            further.append(f"{subject.names(more)}{whose}")
    if not further:
        return ""
    return (
        f"The closed {combination.title} test also identifies {' and '.join(further)}, if "
        f"{combination.condition}."
    )


def _practice_sentence(analysis: Analysis, asked: Sequence[Question]) -> str:
    if all(each.answer.practice.n == each.answer.k_hat for each in asked):
        return ""
    if analysis.table.n_datasets == 1 or analysis.subject.n_untested:
        return ""
    counts, n = practice_counts(asked, analysis.subject), analysis.table.n_datasets
    return f"The usual count, which has no guarantee, is {counts} of {n:,} datasets."


def decimals_of(analysis: Analysis) -> int:
    """Of a printed table as many as it prints."""
    table = analysis.table
    printed = table.printed_scores_a is not None or table.printed_scores_b is not None
    return table.score_decimals if printed else _DECIMALS


def metric_of_table(analysis: Analysis) -> str:
    """The metric's name as a sentence begins with it; empty where a table does not name it."""
    data = analysis.data
    if isinstance(data, ResultSet):
        name = metric_of(data, analysis.settings)
        label = display_name(metric_label(name, data.kind_of(name)))
    else:
        label = display_name(analysis.table.metric or "")
    return sentence_case(label)


def counting_passage(analysis: Analysis) -> Passage:
    """How datasets were counted and identified, under which assumption, in which directions."""
    question = analysis.question
    answer = question.answer
    alpha, n = analysis.settings.alpha, answer.p_values.size
    level = format_level(alpha)
    if n == 1:
        return passage(
            f"With one dataset, its p-value was compared with α = {level}.",
            *_directions(analysis),
            _fixed_or_tried(analysis),
        )
    claim = replace(analysis.subject, system_a="A", system_b="B").claim(question.claim)
    combination = counting_method_named(answer.combination)
    sample = analysis.origin.sample
    reason = whole_name(sample.dependence_reason) if sample else ""
    # p-values are combined, examples flipped.
    is_combined = isinstance(combination, Combination)
    how = "combining p-values" if is_combined else "testing sets of datasets"
    independent, overlap = analysis.settings.dependence == "independent", analysis.overlap
    return passage(
        (
            f"We bounded from below the number of the N = {n:,} datasets on which {claim}, by "
            "replicability analysis with partial conjunction hypotheses",
            cite("dror2017replicability", "benjamini2008screening"),
            f" at α = {level}, {how} by {combination.test_title}",
            cite(*combination.references),
            ".",
        ),
        ONE_SIDE_APPROXIMATE
        if answer.complement
        else f"The bound holds with {format_confidence(alpha)} confidence, {combination.holds}.",
        f"On dependence, the source of the data states: “{reason}”" if reason else "",
        "" if not independent or overlap is None else contradicted_sentence(overlap),
        *_directions(analysis),
        *_identified(analysis),
        statements.flipped(analysis, question),
        _fixed_or_tried(analysis),
    )


def _identified(analysis: Analysis) -> list[Sentence]:
    """Which procedure identified datasets, and how its list and the count belong together."""
    answer, alpha = analysis.question.answer, analysis.settings.alpha
    combination = counting_method_named(answer.combination)
    procedure, own = procedure_named(analysis.procedure), procedure_named(combination.procedure)
    guarantee = procedure.guarantee.format(level=format_errors(alpha))
    by: Sentence = (
        f"Datasets were identified by {procedure.full_title}",
        cite(*procedure.references),
        "." if answer.complement else f" at α = {format_level(alpha)} ({guarantee}).",
    )
    if answer.complement:
        return [by]
    hold = f"hold together with {format_confidence(alpha)} confidence"
    if own == procedure:
        is_cited = procedure.references == combination.closed_references
        works = () if is_cited else combination.closed_references
        closed = "The count and these datasets come from one closed test"
        return [by, (closed, cite(*works), f" and {hold}.")]
    also: list[Sentence] = []
    # Of the closed test behind a count that needs no condition no list is printed.
    if combination.condition:
        both = dict.fromkeys((*own.references, *combination.closed_references))
        found = f"They were also identified by {own.full_title}"
        count = (
            f", on which the count is based; this list and the count {hold}, {combination.holds}."
        )
        also = [(found, cite(*both), count)]
    if procedure.within == combination.name:
        last = f"It identifies every dataset that {procedure.title} does."
        return [by, *also, last if also else f"The count and these datasets {hold}."]
    if not procedure.bounds_each_list:
        which = "The first" if also else "This"
        last = f"{which} list bounds the false discovery rate, which gives no confidence in a single list."
        return [by, *also, last]
    together = format_confidence_in_both(alpha)
    both_hold = f"; both hold together with {together}" if together else ""
    each = "Each list holds separately" if also else "The count and this list each hold"
    return [by, *also, f"{each} with {format_confidence(alpha)} confidence{both_hold}."]


def _fixed_or_tried(analysis: Analysis) -> str:
    """That the choices were fixed, or, where more than one was tried, which ones."""
    runs = analysis.tried.get("tests", ())
    tried = {
        kind: [whole_name(v).rstrip(".") for v in values]
        for kind, values in {**analysis.tried, "tests": _chosen(analysis, runs)}.items()
    }
    several = {kind: values for kind, values in tried.items() if len(values) > 1}
    if not several:
        tests = () if analysis.printed else ("the tests",)
        dependence = ("the assumption on dependence",) if analysis.table.n_datasets > 1 else ()
        return f"We fixed {joined(['the level', *tests, *dependence])} before the analysis."
    listed = "; ".join(
        # Runs of tests are lists themselves.
        f"{kind}: {', '.join(f'“{value}”' if ', ' in value else value for value in values)}"
        for kind, values in several.items()
    )
    return (
        f"Several choices were tried ({listed}); the guarantees assume that the one reported "
        "was not chosen by its results."
    )


def _chosen(analysis: Analysis, runs: Sequence[str]) -> Sequence[str]:
    """The runs of tests that somebody chose.

    Of several systems nobody chose the pair that ran by itself. Once another run changed the
    metric, the test or its settings, what ran by itself is a choice whose results were seen.
    """
    data = analysis.data
    metrics = (*data.metrics, *data.label_metrics) if isinstance(data, ResultSet) else ()
    if len({_without_pair(run, metrics) for run in runs}) > 1:
        return runs
    return [run for run in runs if not run.endswith(BY_ITSELF)]


def _without_pair(run: str, metrics: Sequence[str]) -> tuple[str, str]:
    """Metric, and tests with their settings, of a run in the list of what was tried."""
    measured, _, tests = run.removesuffix(BY_ITSELF).rpartition(": ")
    # Names of systems and of metrics may have commas.
    ends = [metric for metric in metrics if measured.endswith(f", {metric}")]
    return max(ends, key=len, default=""), tests


def _directions(analysis: Analysis) -> list[str]:
    """What testing in both directions costs."""
    assessment = analysis.assessment
    if not assessment.shows_both_sides or analysis.question.claim == "differ":
        return []
    answers = (assessment.answer_a, assessment.answer_b)
    if any(answer is not None and answer.complement for answer in answers):
        return [ONE_SIDE_APPROXIMATE]
    alpha = analysis.settings.alpha
    together = format_confidence_in_both(alpha)
    both = f"; statements for A and B hold together with {together} confidence" if together else ""
    return [f"Both directions were tested, each at α = {format_level(alpha)}{both}."]


NAME = "replicability dashboard"


def methods_passages(analysis: Analysis) -> tuple[Passage, ...]:
    """The methods section, a passage a paragraph: what both renderings and the references take."""
    found = (
        data_passage(analysis),
        testing_passage(analysis),
        counting_passage(analysis),
        passage(
            (
                f"Analyses were made with the {NAME}, version {__version__} (",
                Verbatim(analysis.signature(analysis.question)),
                ").",
            )
        ),
    )
    return tuple(pieces for pieces in found if pieces)


def methods_paragraphs(analysis: Analysis) -> tuple[str, ...]:
    """How the analysis was done, in plain paragraphs with works cited by author and year."""
    return tuple(in_plain_text(pieces) for pieces in methods_passages(analysis))


def methods_latex(analysis: Analysis) -> str:
    r"""The same paragraphs as LaTeX, works cited by ``\citep``.

    `bibtex_of` gives the entries that are cited. Letters
    beyond ASCII in names stay as they are, for an engine that reads UTF-8.
    """
    paragraphs = "\n\n".join(in_latex(pieces) for pieces in methods_passages(analysis))
    return f"% needs \\usepackage[T1]{{fontenc}} and \\usepackage{{natbib}}\n{paragraphs}\n"


def references_of(analysis: Analysis) -> tuple[Reference, ...]:
    """The works of the methods used in this analysis, in the order of their first citation."""
    return tuple(WORKS[key] for key in cited_keys(methods_passages(analysis)))


def bibtex_of(analysis: Analysis) -> str:
    """Their BibTeX entries, in the same order."""
    return "\n".join(work.bibtex + "\n" for work in references_of(analysis))
