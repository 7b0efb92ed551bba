"""The command line that gives the same answers, and what it cannot say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...analysis import Analysis
from ...analysis.settings import TEST_CHOICES, Choice, points_of
from ...analysis.testing import plan_of
from ...comparison import written_margin
from ...data import ResultSet
from ...data.samples import samples
from ...types import ALTERNATIVES
from ...validation import LARGEST_ALPHA, SMALLEST_ALPHA
from ...version import INSTALLED, PROGRAM
from ..content import Paragraph, Part, Verbatim
from ..escapes import shell_word
from ..role_words import role_in_words

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
                value = written_margin(value, points_of(data, plan.metric))
            words += _words_of(choice, value)
    if _is_typed(settings.alpha):
        words += ["--alpha", repr(float(settings.alpha))]
    words += ["--dependence", settings.dependence]
    words += ["--combination", settings.combination] if settings.combination else []
    words += ["--joint", settings.joint] if settings.joint else []
    words += ["--procedure", settings.procedure]
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
    if not roles and not origin.files and not origin.sample:
        # Nobody has told what was said by hand: the reading itself does.
        roles = _as_read(analysis)
    words = []
    alternative = roles.get("alternative")
    if alternative in ALTERNATIVES:
        del roles["alternative"]
        words += ["--alternative", str(alternative)]
    for role, value in roles.items():
        words += ["--role", role_in_words(role, value)]
    return words


def _as_read(analysis: Analysis) -> dict[str, object]:
    if isinstance(analysis.data, ResultSet):
        return {}
    return {"alternative": analysis.data.alternative}


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
