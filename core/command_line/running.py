"""One command from its options to its exit status."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from ..analysis import Analysis, analyse, statements
from ..analysis.statements import group_sentences, open_answers, unsettled_of
from ..data import PValueTable
from ..export.as_json import KIND, to_json
from ..export.bundle import Bundle, is_bundle, read_bundle, restore_bundle, write_bundle
from ..export.bundle_comparison import compare_with_bundle
from ..replicability.counting import count_datasets
from ..significance.known_tests import significance_test_named
from ..version import PROGRAM
from ..words.formatting import list_names
from ..words.reading import files_sentence
from ..words.verdicts import verdict
from .inputs import (
    Failure,
    Files,
    Input,
    check_places,
    complain,
    failing,
    files_of,
    input_of,
    progress,
    say,
    unknown,
    write_file,
)
from .options import BAD_DATA, DONE, NOT_THE_SAME, STANDARD_OUTPUT, TOO_FEW, Options

_OUTPUTS = ("report", "paper", "bundle", "model_card", "every_eval_ever", "json")
# What a bundle brings itself: all but what is read, and what is made of it.
_BESIDE_DATA = ("files", "sample", "group", "markdown", "quiet", "require_at_least", *_OUTPUTS)


def run(options: Options) -> int:
    """Do what was asked for."""
    _check_outputs(options)
    files = files_of(options)
    bundles = [name for name, content in files if is_bundle(content)]
    if bundles and len(files) > 1:
        raise Failure.of_use(f"{bundles[0]} is a bundle, which is read alone.")
    source: Input | Bundle
    status = DONE
    if bundles:
        analysis, source, status = _restored(options, files)
    else:
        source = input_of(options, files)
        analysis = _analysed(options, source)
    datasets = analysis.table.datasets
    for name in (name for group in options.group for name in group):
        if name not in datasets:
            raise unknown("--group", name, "dataset counted", datasets)
    _deliver(options, analysis, source)
    return required_status(options, analysis) or status


def _analysed(options: Options, found: Input) -> Analysis:
    try:
        with failing(f"{found.name} cannot be tested so"), progress(options) as tell:
            analysis = analyse(found.data, found.settings, origin=found.origin, on_progress=tell)
    except ValueError as error:
        raise Failure.of_use(str(error)) from None
    keys = [question.key for question in analysis.questions]
    if options.question is not None and options.question not in keys:
        raise unknown("--question", options.question, "claim", keys)
    if not options.quiet:
        complain(*_unused(options, found, analysis))
    return analysis


def _unused(options: Options, found: Input, analysis: Analysis) -> Iterator[str]:
    """Which options change nothing, and why."""
    if found.unused:
        why = "printed" if isinstance(found.data, PValueTable) else "made of results"
        yield f"{PROGRAM}: not used, as these p-values are {why}: {', '.join(found.unused)}."
    results = [result for result in analysis.table.results or () if result is not None]
    heard = {name for one in results for name in significance_test_named(one.test).settings}
    # Exact p-values have no resamples to draw more of.
    heard |= {"extend" for one in results if one.method == "monte-carlo"}
    unheard = options.given(*(n for n in ("estimator", "zeros", "extend") if n not in heard))
    if results and unheard:
        yield f"{PROGRAM}: not used, as no test here has it: {', '.join(unheard)}."


def _restored(options: Options, files: Files) -> tuple[Analysis, Bundle, int]:
    """The analysis of a bundle, what it holds, and the status of their comparison."""
    beside = options.given(*(name for name in vars(options) if name not in _BESIDE_DATA))
    if beside:
        raise Failure.of_use(f"a bundle brings its settings; leave out {', '.join(beside)}.")
    (name, content) = files[0]
    try:
        with failing(f"{name} cannot be restored"), progress(options) as tell:
            bundle = read_bundle(content)
            analysis = restore_bundle(bundle, on_progress=tell)
    except ValueError as error:
        raise Failure(BAD_DATA, f"{PROGRAM}: {name} cannot be restored: {error}") from None
    comparison = compare_with_bundle(analysis, bundle)
    fine = comparison.same or comparison.only_last_digits
    if not (fine and options.quiet):
        complain(*comparison.sentences)
    return analysis, bundle, DONE if fine else NOT_THE_SAME


def _deliver(options: Options, analysis: Analysis, source: Input | Bundle) -> None:
    """Write what was asked for, once all of it is made."""

    @cache
    def bundle() -> bytes:
        with failing("the bundle cannot be written"):
            return write_bundle(
                analysis,
                files=source.files,
                name=source.name,
                roles=source.roles,
                sample=source.sample,
                claims=source.claims,
            )

    def report() -> bytes:
        from ..export.report import html_report

        return html_report(analysis).encode("utf-8", "xmlcharrefreplace")

    def paper() -> bytes:
        from ..export.paper import paper_zip

        return paper_zip(analysis, bundle=bundle())

    def card() -> bytes:
        from ..export.hub import model_card

        return model_card(analysis).encode("utf-8", "replace")

    def record() -> bytes:
        from ..export.hub import every_eval_ever

        with failing("no record is written"):
            text = every_eval_ever(analysis, timestamp=int(time.time()))
        return text.encode("utf-8", "replace")

    def json() -> bytes:
        return to_json(analysis).encode()

    ways: tuple[Callable[[], bytes], ...] = (report, paper, bundle, card, record, json)
    asked = {getattr(options, name): make for name, make in zip(_OUTPUTS, ways, strict=True)}
    written = {path: make() for path, make in asked.items() if path is not None}
    text = written.pop(STANDARD_OUTPUT, None)
    for path, content in written.items():
        write_file(path, content)
    if text is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
    elif options.markdown:
        from ..export.tables import marked_markdown
        from ..sections.marked import marked_table

        sys.stdout.write(marked_markdown(marked_table(analysis)))
    elif not written and not options.quiet:
        for line in answer_lines(analysis, options.group):
            say(line)
        return
    for sentence in analysis.other_sides:
        complain(f"{PROGRAM}: {sentence}")


def _check_outputs(options: Options) -> None:
    """No output in the place of an input, of another output, or of something else's file."""
    outputs = {
        f"--{name.replace('_', '-')}": getattr(options, name)
        for name in _OUTPUTS
        if name != "json" or options.json != STANDARD_OUTPUT
    }
    check_places(options.files, outputs)
    path = outputs.get("--json")
    if path is None or not Path(path).is_file():
        return
    start = b"what cannot be read"
    with contextlib.suppress(OSError), Path(path).open("rb") as file:
        start = file.read(200)
    # `--json results.csv` is more likely meant as `--json` and a file to read.
    if start.strip() and KIND.encode() not in start:
        raise Failure.of_use(
            f"--json would take the place of {path!r}, which is no analysis. To "
            "read it, put --json after it."
        )


def answer_lines(analysis: Analysis, groups: Sequence[Sequence[str]] = ()) -> Iterator[str]:
    """What the first page says, as plain text, and the bounds for groups of datasets."""
    from ..sections.marked import marked_table

    question, datasets = analysis.question, analysis.table.datasets
    reading, found = analysis.data.reading, verdict(analysis.assessment, analysis.subject)
    lines = [
        statements.what_was_read(analysis),
        "" if reading is None else files_sentence(reading),
    ]
    yield from filter(None, lines)
    for caution in analysis.cautions:
        yield from ("", f"Caution: {caution}")
    for sentence in open_answers(analysis):
        yield from ("", f"Not settled: {sentence}")
    yield from ("", analysis.so_far + found.statement.text)
    for tile in found.tiles:
        yield f"- {tile.heading}: {'; '.join(filter(None, (tile.figure, tile.detail)))}"
    yield from found.notes
    lines = []
    if question.key != analysis.questions[0].key:
        yield ""
        lead = analysis.so_far + statements.lead(analysis, question)
        lines += [lead, statements.condition(analysis, question)]
    if len(datasets) > 1:
        other = statements.other_names(analysis, question, analysis.procedure)
        lines += [marked_table(analysis, question).caption, other]
    yield from filter(None, [*lines, statements.flipped(analysis, question)])
    for group in groups:
        members = [datasets.index(name) for name in dict.fromkeys(group)]
        (sentence,) = group_sentences(analysis, question, {"": members})
        yield f"{list_names(group, most=len(group))}: {sentence}"
    remarks = statements.remarks(analysis)
    if remarks:
        yield from ("", "Notes on your data", *(f"- {remark}" for remark in remarks))
    yield from ("", analysis.signature(question))


def required_status(options: Options, analysis: Analysis) -> int:
    """The status of `--require-at-least`, with a sentence where it is not reached."""
    required, answer = options.require_at_least, analysis.assessment.answer_a
    if required is None:
        return DONE
    a, claim = analysis.subject.system_a, analysis.subject.claim("a-better")
    for question in analysis.questions:
        found = unsettled_of(analysis, question) if question.claim == "a-better" else None
        if not question.headline or found is None:
            continue
        fewest, most = found.k_hat_range
        if fewest < most:
            # Whether more resamples may change the status.
            either = fewest < required <= most
            side = f", on either side of the {required:,} required" if either else ""
            complain(
                f"{PROGRAM}: the count is not settled: with more resamples it may lie from "
                f"{fewest:,} to {most:,}{side}."
            )
    if answer is None:
        complain(
            f"{PROGRAM}: these p-values do not say which system is better, so they cannot show that "
            f"{claim} on {required:,}."
        )
        return TOO_FEW
    k_hat, n = answer.k_hat, analysis.table.n_datasets
    if not analysis.assessment.by_flips:
        p_values = analysis.agreed_p_values(answer, "a-better")
        k_hat = count_datasets(p_values, alpha=answer.alpha, combination=answer.combination).k_hat
    if k_hat < required:
        shown = f"on at least {k_hat:,} of {n:,}" if k_hat else f"on none of {n:,}"
        left = ", not counting those whose scores say otherwise" if k_hat < answer.k_hat else ""
        complain(f"{PROGRAM}: that {claim} is shown {shown} datasets{left}; {required:,} required.")
        return TOO_FEW
    if answer.complement:
        complain(
            f"{PROGRAM}: {a} has no p-values of its own here; the count, from 1 − p, is "
            "approximate and carries no guarantee."
        )
    return DONE
