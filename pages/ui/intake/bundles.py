"""Analyses restored from bundles: what is read of one, and whether its numbers came out again."""

from __future__ import annotations

from core.analysis import Analysis, AnalysisSettings
from core.data import samples
from core.errors import DataError, Problem
from core.export.bundle import compare_with_bundle, read_bundle
from core.validation import LARGEST_ALPHA, SMALLEST_ALPHA
from pages.ui.frame import limits, prose, state
from pages.ui.frame.session import Attempt, Source


def attempt_of(name: str, content: bytes) -> Attempt:
    """The files and settings of a bundle.

    Raises
    ------
    DataError
        If it is damaged, or has settings that this server does not take.
    """
    bundle = read_bundle(content)
    problems = _problems(bundle.settings)
    if problems:
        raise DataError(problems)
    sample = next((sample for sample in samples() if sample.key == bundle.sample), None)
    source = Source(name=bundle.name or name, files=bundle.files, sample=sample, roles=bundle.roles)
    return Attempt(source=source, settings=bundle.settings, bundle=bundle)


def show(analysis: Analysis) -> None:
    """The comparison, once every test is done; nothing where there is no bundle."""
    loaded = state.session().loaded
    if loaded is None or loaded.bundle is None or not analysis.table.complete:
        return
    bundle = loaded.bundle
    if analysis.settings != bundle.settings:
        prose.paragraph(
            "Restored from a bundle; settings were changed since, so its numbers are not compared.",
            quiet=True,
        )
        return
    comparison = analysis.remember("bundle", lambda: compare_with_bundle(analysis, bundle))
    for sentence in comparison.sentences:
        if comparison.same or comparison.only_last_digits:
            prose.paragraph(sentence, quiet=True)
        else:
            prose.notice(sentence)


def _problems(settings: AnalysisSettings) -> list[Problem]:
    remedy = "Restore it with the command line, which has no such limit: python -m core FILE."
    found = []
    most = max([settings.n_resamples, *(n for _, n in settings.extended)])
    if most > limits.MAX_RESAMPLES:
        found.append(
            f"Its tests draw {most:,} resamples; this server takes {limits.MAX_RESAMPLES:,}."
        )
    if not SMALLEST_ALPHA <= settings.alpha <= LARGEST_ALPHA:
        found.append(
            f"Its level α is {settings.alpha:.10g}; this server takes {SMALLEST_ALPHA} to "
            f"{LARGEST_ALPHA}."
        )
    return [Problem(what=what, remedy=remedy) for what in found]
