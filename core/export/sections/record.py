"""The parts of a report that let it be repeated: methods, what was tried, settings, input."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis import Analysis, statements
from ...analysis.settings import TEST_CHOICES
from ...analysis.testing import TestPlan, plan_of
from ...data import ResultSet
from ...replicability.combinations import combination_named
from ...replicability.procedures import procedure_named
from ...version import __version__
from ...words.counting import DEPENDENCE_ANSWERS, REPORT_WHAT_WAS_TRIED
from ...words.formatting import display_name, list_names, whole_name
from ...words.testing import title_of_test
from ...words.verdicts import question_label
from ..content import Bullets, Grid, Paragraph, Part, Records, Value, Verbatim
from ..methods import (
    bibtex_of,
    methods_paragraphs,
    references_of,
    results_sentences,
)
from ..versions import made_with
from .command import command_parts


def methods_parts(analysis: Analysis) -> tuple[Part, ...]:
    """What was found and what was done, as a paper could say it."""
    return (
        Paragraph(text="Results, to quote:", tone="quiet"),
        Paragraph(text=" ".join(results_sentences(analysis))),
        Paragraph(text="Methods, to quote:", tone="quiet"),
        *(Paragraph(text=text) for text in methods_paragraphs(analysis)),
    )


def references_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The works that the methods cite, and their BibTeX."""
    works = tuple(work.text for work in references_of(analysis))
    return (Bullets(items=works), Verbatim(text=bibtex_of(analysis).strip())) if works else ()


def tried_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Everything that was tried on these data."""
    if not analysis.tried:
        return ()
    lines = tuple(f"{kind}: {'; '.join(values)}" for kind, values in analysis.tried.items())
    return (
        Bullets(items=lines),
        Paragraph(text=REPORT_WHAT_WAS_TRIED, tone="caution"),
    )


def repeat_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Signatures, settings, versions, and the command that gives the same."""
    question, procedure = analysis.question, analysis.settings.procedure
    results = [result for result in analysis.table.results or () if result is not None]
    parts: list[Part] = []
    for of, line in statements.signatures(analysis, question).items():
        parts += [Paragraph(text=f"{of[0].upper()}{of[1:]}:"), Verbatim(text=line)]
    parts += [
        Paragraph(text="The names:"),
        Verbatim(text=analysis.signature(question, procedure=procedure)),
    ]
    if results:
        more = "" if len(results) == 1 else " of the first dataset"
        parts += [Paragraph(text=f"The test{more}:"), Verbatim(text=results[0].signature)]
    return (*parts, settings_grid(analysis), *command_parts(analysis))


def settings_grid(analysis: Analysis) -> Grid:
    """Every setting that a number depends on, with its value."""
    rows = settings_list(analysis)
    return Grid(
        header=("setting", "value"),
        rows=tuple(rows),
        numeric=(False, False),
        caption="What every number depends on.",
        name="settings",
    )


def settings_list(analysis: Analysis) -> list[tuple[str, str]]:
    """Each setting in words, the data's fingerprint and the versions."""
    settings, table, data = analysis.settings, analysis.table, analysis.data
    found = [
        ("data", whole_name(analysis.origin.title)),
        ("fingerprint of the data (SHA-256)", data.fingerprint),
        ("A", display_name(table.system_a)),
        ("B", display_name(table.system_b)),
        ("A and B exchanged", "yes" if settings.swapped else "no"),
        ("level α", f"{settings.alpha:.10g}"),
        ("do the datasets depend on each other?", DEPENDENCE_ANSWERS[settings.dependence].lower()),
        ("counted by", combination_named(settings.counted_by).title),
        ("shared examples counted jointly, matched by", settings.joint),
        ("claim", question_label(analysis.question, analysis.subject, printed=analysis.printed)),
        ("named by", procedure_named(settings.procedure).title),
        ("left out by hand", list_names(settings.excluded, most=len(data.datasets)) or "none"),
    ]
    if isinstance(data, ResultSet):
        found += _plan_lines(plan_of(data, settings))
    else:
        found.append(("p-values as the table states them", table.alternative))
    found.append(("version", __version__))
    found.append(("made with", made_with()))
    return [(name, value) for name, value in found if value]


def _plan_lines(plan: TestPlan) -> list[tuple[str, str]]:
    extended = [f"{name} to {n:,} resamples" for name, n in plan.extended]
    shown = {
        "margin": f"{plan.margin:.10g}",
        "test": title_of_test(plan.test),
        "n_resamples": f"{plan.n_resamples:,}",
        "whole_clusters": "kept together" if plan.whole_clusters else "apart",
        "extended": list_names(extended, most=len(extended)) if extended else "none",
    }
    lines = [(c.label, shown.get(c.name, str(getattr(plan, c.name)))) for c in TEST_CHOICES]
    return [("metric", whole_name(plan.metric)), *lines]


def input_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Every p-value in full precision, A and B as in the file."""
    whole = analysis.whole
    a, b = display_name(whole.system_a), display_name(whole.system_b)
    left_out = set(analysis.settings.excluded)
    columns: dict[str, tuple[bool, Sequence[str]]] = {
        "dataset": (False, [whole_name(name) for name in whole.datasets])
    }
    if whole.n_examples is not None:
        columns["n"] = (True, [str(n) for n in whole.n_examples.tolist()])
    if whole.results is None:
        columns["p as printed"] = (True, [whole_name(text) for text in whole.printed])
        columns["p as taken"] = (True, _in_full(whole.p_values.tolist()))
    else:
        columns[f"p (A {analysis.subject.in_short})"] = (True, _in_full(whole.p_values.tolist()))
        if whole.p_values_b is not None:
            columns[f"p (B {analysis.subject.in_short})"] = (
                True,
                _in_full(whole.p_values_b.tolist()),
            )
    if left_out:
        columns["counted"] = (
            False,
            ["left out" if name in left_out else "yes" for name in whole.datasets],
        )
    origin = whole_name(analysis.origin.title)
    sentence = f"A is {a} and B is {b}, as in the file"
    if isinstance(analysis.data, ResultSet):
        sentence += (
            f". The results on single examples are not repeated here: they are in {origin or 'the file'}, "
            "which the fingerprint identifies"
        )
    return (
        Paragraph(text=f"{sentence}.", tone="quiet"),
        Grid(
            header=tuple(columns),
            rows=tuple(zip(*(cells for _, cells in columns.values()), strict=True)),
            numeric=tuple(numeric for numeric, _ in columns.values()),
            caption="Every p-value as it goes into the answers, in full precision.",
            name="input",
        ),
    )


def settings_records(analysis: Analysis) -> Records:
    """The settings and all that was tried, as two columns."""
    tried: list[tuple[str, Value]] = [
        (f"tried: {kind}", "; ".join(values)) for kind, values in analysis.tried.items()
    ]
    question = analysis.question
    signatures: list[tuple[str, Value]] = [
        *(
            (f"signature of {of}", line)
            for of, line in statements.signatures(analysis, question).items()
        ),
        (
            "signature of the names",
            analysis.signature(question, procedure=analysis.settings.procedure),
        ),
    ]
    return Records(
        header=("setting", "value"), rows=(*settings_list(analysis), *signatures, *tried)
    )


def _in_full(p_values: Sequence[float]) -> list[str]:
    return [repr(float(p)) for p in p_values]
