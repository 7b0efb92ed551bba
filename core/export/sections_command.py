"""The command line that gives the same answers, and what it cannot say."""

from __future__ import annotations

import shlex

from core.analysis import DEFAULT_RESAMPLES, DEFAULT_SEED, Analysis
from core.analysis.testing import plan_of
from core.data import ResultSet
from core.data.samples import samples
from core.export.content import Paragraph, Part, Verbatim


def command_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The command, and what has to be set besides."""
    parts: list[Part] = [
        Paragraph(text="On the command line, in the folder of this program:"),
        Verbatim(text=command_line(analysis)),
    ]
    beside = not_on_the_command_line(analysis)
    if beside:
        parts.append(
            Paragraph(
                text=f"The command line does not say: {'; '.join(beside)}. Set it on the pages.",
                tone="caution",
            )
        )
    return tuple(parts)


def command_line(analysis: Analysis) -> str:
    """`python -m core` with every setting that differs from the usual one."""
    settings, data, table = analysis.settings, analysis.data, analysis.table
    words = ["python", "-m", "core", *_source(analysis)]
    words += [*_option("--a", table.system_a), *_option("--b", table.system_b)]
    if isinstance(data, ResultSet):
        plan = plan_of(data, settings)
        words += [*_option("--metric", plan.metric), "--test", plan.test]
        if plan.n_resamples != DEFAULT_RESAMPLES:
            words += ["--resamples", str(plan.n_resamples)]
        if plan.seed != DEFAULT_SEED:
            words += ["--seed", str(plan.seed)]
        for option, value, usual in (
            ("--interval", plan.interval, "basic"),
            ("--estimator", plan.estimator, "add-one"),
            ("--zeros", plan.zeros, "wilcox"),
        ):
            if value != usual:
                words += [option, value]
    else:
        words += ["--alternative", data.alternative]
    words += ["--alpha", f"{settings.alpha:.10g}", "--dependence", settings.dependence]
    words += ["--procedure", settings.procedure]
    for name in settings.excluded:
        words += _option("--exclude", name)
    return shlex.join(words)


def not_on_the_command_line(analysis: Analysis) -> list[str]:
    """Settings that the command line has no option for."""
    settings, asked = analysis.settings, analysis.questions
    found = []
    if settings.question and analysis.question.key != asked[0].key:
        found.append("which claim is looked at")
    if isinstance(analysis.data, ResultSet):
        plan = plan_of(analysis.data, settings)
        if not plan.whole_clusters:
            found.append("that examples that belong together are taken apart")
        if plan.extended:
            found.append("which tests were extended")
    return found


def _source(analysis: Analysis) -> list[str]:
    reading, title = analysis.data.reading, analysis.origin.title
    name = reading.source_name if reading is not None else title
    for sample in samples():
        if sample.title == title and sample.file_name == name:
            return ["--sample", sample.key]
    return [f"./{name}" if name.startswith("-") else name or "FILE"]


def _option(option: str, value: str) -> list[str]:
    """An option and its value, joined where the value would be taken for an option."""
    return [f"{option}={value}"] if value.startswith("-") else [option, value]
