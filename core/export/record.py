"""The parts of a report that let it be repeated: methods, what was tried, settings, input, command.

A role as the command line's `--role` has it
--------------------------------------------
ROLE=TEXT
    A text; nothing is None. Of "systems" and "scores" names parted by commas
    or a JSON list, of "higher_is_better" true, false or a JSON object, of
    "turned" true or false, of new names a JSON object, of "zero_reads_below" a number.
ROLE:=JSON
    Any value, as JSON: what the first form cannot say.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..analysis import Analysis, statements
from ..analysis.settings import TEST_CHOICES, Choice, margin_in_words
from ..analysis.testing import COUNTED_JOINTLY, TestPlan, plan_of
from ..comparison import COLUMN
from ..data import ResultSet
from ..data.roles import SEVERAL
from ..data.samples import samples
from ..methods.results import methods_paragraphs, references_of, results_sentences
from ..replicability.combinations import counting_method_named
from ..replicability.identification import procedure_named
from ..sections.parts import Bullets, Paragraph, Part, Records, Value, Verbatim, grid_of
from ..types import ALTERNATIVES
from ..validation import LARGEST_ALPHA, SMALLEST_ALPHA
from ..version import INSTALLED, PROGRAM, __version__, made_with
from ..words.counting import DEPENDENCE_ANSWERS, REPORT_WHAT_WAS_TRIED
from ..words.formatting import (
    display_name,
    list_names,
    sentence_case,
    shell_word,
    whole_name,
)
from ..words.testing import title_of_test
from ..words.verdicts import question_label


def methods_parts(analysis: Analysis) -> tuple[Part, ...]:
    """What was found and what was done, as a paper could say it."""
    return (
        Paragraph(text="Results, to quote:", tone="quiet"),
        Paragraph(text=" ".join(results_sentences(analysis))),
        Paragraph(text="Methods, to quote:", tone="quiet"),
        *(Paragraph(text=text) for text in methods_paragraphs(analysis)),
    )


def references_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The works that the methods cite; a paper's pieces have their BibTeX."""
    works = tuple(work.text for work in references_of(analysis))
    return (Bullets(items=works),) if works else ()


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
    question, procedure = analysis.question, analysis.procedure
    results = [result for result in analysis.table.results or () if result is not None]
    lines = dict(statements.signatures(analysis, question))
    if analysis.table.n_datasets > 1:
        lines["the names"] = analysis.signature(question, procedure=procedure)
    if results:
        of = "the test" if len(results) == 1 else "the test of the first dataset"
        lines[of] = results[0].signature
    copied = (
        (Paragraph(text=f"{sentence_case(of)}:"), Verbatim(text=s)) for of, s in lines.items()
    )
    parts = (part for pair in copied for part in pair)
    settings, values = zip(*settings_list(analysis), strict=True)
    grid = grid_of(
        {"setting": settings, "value": values},
        caption="What every number depends on.",
        name="settings",
    )
    return (*parts, grid, *command_parts(analysis))


def settings_list(analysis: Analysis) -> list[tuple[str, str]]:
    """Each setting in words, the data's fingerprint and the versions."""
    settings, table, data = analysis.settings, analysis.table, analysis.data
    several = table.n_datasets > 1
    dependence = DEPENDENCE_ANSWERS[settings.dependence].lower()
    counted_by = counting_method_named(analysis.question.answer.combination).title
    jointly: str = settings.joint
    if jointly and not analysis.assessment.by_flips:
        jointly += " (asked for, not done)"
    found = [
        ("data", whole_name(analysis.origin.title)),
        ("fingerprint of the data (SHA-256)", data.fingerprint),
        ("A", display_name(table.system_a)),
        ("B", display_name(table.system_b)),
        ("A and B exchanged", "yes" if settings.swapped else "no"),
        ("level α", f"{settings.alpha:.10g}"),
        ("do the datasets depend on each other?", dependence if several else ""),
        ("counted by", counted_by if several else ""),
        (f"{COUNTED_JOINTLY}, matched by", jointly if several else ""),
        ("claim", question_label(analysis.question, analysis.subject, printed=analysis.printed)),
        ("named by", procedure_named(analysis.procedure).title if several else ""),
        ("left out by hand", list_names(settings.excluded, most=len(data.datasets)) or "none"),
    ]
    if isinstance(data, ResultSet):
        found += _plan_lines(plan_of(data, settings), margin_in_words(data, settings) or "0")
    else:
        found.append(("p-values as the table states them", table.alternative))
    found.append(("version", __version__))
    found.append(("made with", made_with()))
    return [(name, value) for name, value in found if value]


def _plan_lines(plan: TestPlan, margin: str) -> list[tuple[str, str]]:
    extended = [f"{name} to {n:,} resamples" for name, n in plan.extended]
    shown = {
        "margin": margin,
        "test": title_of_test(plan.test, plan.claim),
        "n_resamples": f"{plan.n_resamples:,}",
        "whole_clusters": "kept together" if plan.whole_clusters else "apart",
        "extended": list_names(extended, most=len(extended)) if extended else "none",
    }
    # The claim has a line of its own, in words.
    choices = [choice for choice in TEST_CHOICES if choice.name != "claim"]
    lines = [(c.label, shown.get(c.name, str(getattr(plan, c.name)))) for c in choices]
    return [("metric", whole_name(plan.metric)), *lines]


def input_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Every p-value in full precision, A and B as in the file."""
    whole = analysis.whole
    a, b = display_name(whole.system_a), display_name(whole.system_b)
    left_out = set(analysis.settings.excluded)
    columns = {"dataset": [whole_name(name) for name in whole.datasets]}
    if whole.n_examples is not None:
        columns["n"] = [str(n) for n in whole.n_examples.tolist()]
    if whole.results is None:
        columns["p as printed"] = [whole_name(text) for text in whole.printed]
        columns["p as taken"] = [repr(p) for p in whole.p_values.tolist()]
    else:
        better = analysis.subject.in_short
        columns[f"p (A {better})"] = [repr(p) for p in whole.p_values.tolist()]
        if whole.p_values_b is not None:
            columns[f"p (B {better})"] = [repr(p) for p in whole.p_values_b.tolist()]
    if left_out:
        counted = ["left out" if name in left_out else "yes" for name in whole.datasets]
        columns["counted"] = counted
    caption = "Every p-value as it goes into the answers, in full precision."
    if analysis.assessment.by_flips:
        caption = (
            "Every p-value of a dataset's own test, in full precision; joint flips are counted."
        )
    origin = whole_name(analysis.origin.title)
    are = "A and B are" if (a, b) == ("A", "B") else f"A is {a} and B is {b},"
    sentence = f"{are} as in the file"
    if isinstance(analysis.data, ResultSet):
        sentence += (
            f". The results on single examples are not repeated here: they are in {origin or 'the file'}, "
            "which the fingerprint identifies"
        )
    return (
        Paragraph(text=f"{sentence}.", tone="quiet"),
        grid_of(
            columns,
            caption=caption,
            name="input",
        ),
    )


def settings_records(analysis: Analysis) -> Records:
    """The settings and all that was tried, as two columns."""
    question = analysis.question
    signatures = statements.signatures(analysis, question)
    signatures["the names"] = analysis.signature(question, procedure=analysis.procedure)
    rows: list[tuple[Value, ...]] = [
        *settings_list(analysis),
        *((f"signature of {of}", line) for of, line in signatures.items()),
        *((f"tried: {kind}", "; ".join(values)) for kind, values in analysis.tried.items()),
    ]
    return Records(header=("setting", "value"), rows=tuple(rows))


_UNKNOWN_FILE = "FILE"
_WHERE = "" if INSTALLED else ", in the folder of this program"


def command_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The command, and what has to be set besides."""
    parts: list[Part] = [
        Paragraph(text=f"On the command line{_WHERE}:"),
        Verbatim(text=command_line(analysis)),
    ]
    if not analysis.origin.sample:
        parts.append(
            Paragraph(
                text="Write before each file's name where it lies, if not in that folder.",
                tone="quiet",
            )
        )
    beside = not_on_the_command_line(analysis)
    if beside:
        parts.append(
            Paragraph(text=f"The command does not say: {'; '.join(beside)}.", tone="caution")
        )
    return tuple(parts)


def command_line(analysis: Analysis) -> str:
    """The command of this program with every setting that differs from the usual one."""
    return " ".join([PROGRAM, *map(shell_word, _words(analysis))])


def _words(analysis: Analysis) -> list[str]:
    settings, data, table = analysis.settings, analysis.data, analysis.table
    words = [*_source(analysis), *_roles(analysis)]
    words += [*_option("--a", table.system_a), *_option("--b", table.system_b)]
    if isinstance(data, ResultSet):
        plan = plan_of(data, settings)
        words += _option("--metric", plan.metric)
        for choice in TEST_CHOICES:
            value = getattr(plan, choice.name)
            if choice.name == "margin" and value:
                value = value if value == COLUMN else margin_in_words(data, settings)
            words += _words_of(choice, value)
    if _is_typed(settings.alpha):
        words += ["--alpha", repr(float(settings.alpha))]
    words += ["--dependence", settings.dependence]
    words += ["--combination", settings.combination] if settings.combination else []
    words += ["--joint", settings.joint] if settings.joint else []
    words += ["--procedure", settings.procedure] if settings.procedure else []
    if settings.question == analysis.question.key != analysis.questions[0].key:
        words += ["--question", settings.question]
    for name in settings.excluded:
        # Settings may still hold datasets of another reading of the file.
        if name in data.datasets:
            words += _option("--exclude", name)
    return words


def _words_of(choice: Choice, value: Any) -> list[str]:
    """A setting of tests as options; none where it is usual, but for the test itself."""
    option = f"--{choice.option}"
    if choice.name == "extended":
        return [word for dataset, n in value for word in _option(option, f"{dataset}={n}")]
    if value == choice.usual and choice.name != "test":
        return []
    return [option] if isinstance(value, bool) else [option, str(value)]


def not_on_the_command_line(analysis: Analysis) -> list[str]:
    """What no command can say of this analysis."""
    origin = analysis.origin
    found = []
    if _source(analysis)[:1] == [_UNKNOWN_FILE]:
        found.append("which file the data are from, as they were made by a program")
    if len(set(origin.files)) < len(origin.files):
        found.append("which file is which, where several have the same name")
    if not _is_typed(analysis.settings.alpha):
        found.append(
            f"the level, as one that is typed lies from {SMALLEST_ALPHA} to {LARGEST_ALPHA}"
        )
    unwritable = [word for word in _words(analysis) if _is_unwritable(word)]
    if unwritable:
        found.append("names that hold what is no character")
    return found


def _is_typed(alpha: float) -> bool:
    return SMALLEST_ALPHA <= alpha <= LARGEST_ALPHA


def _source(analysis: Analysis) -> list[str]:
    origin, reading = analysis.origin, analysis.data.reading
    if origin.sample:
        return ["--sample", origin.sample]
    files: Sequence[str] = origin.files
    if not files:
        name = reading.source_name if reading is not None else ""
        for sample in samples():
            if sample.title == origin.title and sample.file_name == name:
                return ["--sample", sample.key]
        files = [name or origin.title or _UNKNOWN_FILE]
    words = [f"./{name}" if name.startswith("-") else name or _UNKNOWN_FILE for name in files]
    # What data are called may name a dataset in them.
    if origin.title and [origin.title] != list(files):
        words += _option("--name", origin.title)
    return words


def _roles(analysis: Analysis) -> list[str]:
    """What was said by hand of how to read the data."""
    origin = analysis.origin
    roles = dict(origin.roles)
    for sample in samples():
        if sample.key == origin.sample and roles.get("alternative") == sample.alternative:
            # The sample declares it itself.
            del roles["alternative"]
    is_made = not origin.files and not origin.sample
    if not roles and is_made and not isinstance(analysis.data, ResultSet):
        # Nobody has told what was said by hand: the reading itself does.
        roles = {"alternative": analysis.data.alternative}
    words = []
    alternative = roles.get("alternative")
    if alternative in ALTERNATIVES:
        del roles["alternative"]
        words += ["--alternative", str(alternative)]
    for role, value in roles.items():
        words += ["--role", role_in_words(role, value)]
    return words


def _option(option: str, value: str) -> list[str]:
    """An option and its value, joined where the value would be taken for an option."""
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


def _is_unwritable(word: str) -> bool:
    """Whether a word cannot be handed to a program: half of a letter, or a zero byte, is in it."""
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return "\0" in word


def role_in_words(role: str, value: object) -> str:
    """A role and its value in the shortest form that is read back the same."""
    plain = dict(value) if isinstance(value, Mapping) else value
    written = json.dumps(plain, ensure_ascii=False)
    short = _short(value)
    if short is not None and short.isprintable():
        text = f"{role}={short}"
        with suppress(ValueError):
            # A list is a tuple there, and 1 is not true.
            if json.dumps(role_of_words(text)[1], ensure_ascii=False) == written:
                return text
    # Controls and halves of letters come back from their escapes.
    return f"{role}:={written if written.isprintable() else json.dumps(plain)}"


def role_of_words(text: str) -> tuple[str, object]:
    """A role and its value; ValueError, with the reason, if it is neither form, or its JSON is none."""
    role, equals, value = text.partition("=")
    if not equals or role in ("", ":"):
        raise ValueError(f"--role must be ROLE=VALUE or ROLE:=JSON; got {text!r}")
    if role.endswith(":"):
        role = role.removesuffix(":")
        return role, _json(role, value)
    return role, _value(role, value)


def _value(role: str, text: str) -> object:
    if not text:
        return None
    if role in SEVERAL:
        if text.startswith("["):
            return _json(role, text, list)
        return tuple(part.strip() for part in text.split(","))
    if role in ("higher_is_better", "turned"):
        if text.startswith("{"):
            return _json(role, text, dict)
        return {"true": True, "false": False}.get(text.lower(), text)
    if role in ("dataset_names", "system_names"):
        return _json(role, text, dict)
    if role == "zero_reads_below":
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        # What is no number is refused where roles are checked.
        return text if math.isnan(value) else value
    return text


def _json(role: str, text: str, kind: type = object) -> object:
    wrong = f"the role {role!r} must be JSON; got {text!r}"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(wrong) from None
    if not isinstance(value, kind):
        raise ValueError(wrong)
    return tuple(value) if isinstance(value, list) else value


def _short(value: object) -> str | None:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence) and all(isinstance(entry, str) for entry in value):
        return ",".join(value)
    return None
