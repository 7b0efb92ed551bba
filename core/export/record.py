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

import json
import math
from collections.abc import Mapping
from contextlib import suppress

from ..analysis import Analysis, statements
from ..analysis.settings import TEST_CHOICES, margin_in_words
from ..analysis.testing import COUNTED_JOINTLY, plan_of
from ..comparison import COLUMN
from ..data import ResultSet
from ..data.roles import NEW_NAMES, SEVERAL
from ..data.samples import samples
from ..methods.results import methods_paragraphs, references_of, results_sentences
from ..replicability.combinations import counting_method_named
from ..replicability.identification import procedure_named
from ..sections.parts import Bullets, Paragraph, Part, Records, Value, Verbatim, grid_of, paragraphs
from ..types import ALTERNATIVES
from ..version import INSTALLED, PROGRAM, __version__, made_with
from ..words.counting import DEPENDENCE_ANSWERS
from ..words.formatting import display_name, list_names, sentence_case, shell_word, whole_name
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
        Paragraph(
            text="A choice made after seeing the results has no guarantee. Report everything listed here.",
            tone="caution",
        ),
    )


def repeat_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Signatures, settings, versions, and the command that gives the same."""
    results = [result for result in analysis.table.results or () if result is not None]
    lines = _signatures(analysis, with_names=analysis.table.n_datasets > 1)
    if results:
        of = "the test" if len(results) == 1 else "the test of the first dataset"
        lines[of] = results[0].signature
    parts: list[Part] = []
    for of, line in lines.items():
        parts += [Paragraph(text=f"{sentence_case(of)}:"), Verbatim(text=line)]
    settings, values = zip(*settings_list(analysis), strict=True)
    grid = grid_of(
        {"setting": settings, "value": values},
        caption="What every number depends on.",
        name="settings",
    )
    return (*parts, grid, *command_parts(analysis))


def _signatures(analysis: Analysis, *, with_names: bool = True) -> dict[str, str]:
    lines = statements.signatures(analysis, analysis.question)
    if with_names:
        lines["the names"] = analysis.signature(analysis.question, procedure=analysis.procedure)
    return lines


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
        plan = plan_of(data, settings)
        extended = [f"{name} to {n:,} resamples" for name, n in plan.extended]
        shown = {
            "margin": margin_in_words(data, settings) or "0",
            "test": title_of_test(plan.test, plan.claim),
            "n_resamples": f"{plan.n_resamples:,}",
            "whole_clusters": "kept together" if plan.whole_clusters else "apart",
            "extended": list_names(extended, most=max(1, len(extended))) or "none",
        }
        found.append(("metric", whole_name(plan.metric)))
        # The claim has a line of its own, in words.
        found += [
            (choice.label, shown.get(choice.name, str(getattr(plan, choice.name))))
            for choice in TEST_CHOICES
            if choice.name != "claim"
        ]
    else:
        found.append(("p-values as the table states them", table.alternative))
    found += [("version", __version__), ("made with", made_with())]
    return [(name, value) for name, value in found if value]


def input_parts(analysis: Analysis) -> tuple[Part, ...]:
    """Every p-value in full precision, A and B as in the file."""
    whole, better = analysis.whole, analysis.subject.in_short
    a, b = display_name(whole.system_a), display_name(whole.system_b)
    left_out = set(analysis.settings.excluded)
    columns = {"dataset": [whole_name(name) for name in whole.datasets]}
    if whole.n_examples is not None:
        columns["n"] = [str(n) for n in whole.n_examples.tolist()]
    p_values = {f"p (A {better})": whole.p_values, f"p (B {better})": whole.p_values_b}
    if whole.results is None:
        columns["p as printed"] = [whole_name(text) for text in whole.printed]
        p_values = {"p as taken": whole.p_values}
    for heading, own in p_values.items():
        if own is not None:
            columns[heading] = [repr(p) for p in own.tolist()]
    if left_out:
        columns["counted"] = ["left out" if name in left_out else "yes" for name in whole.datasets]
    caption = "Every p-value as it goes into the answers, in full precision."
    if analysis.assessment.by_flips:
        caption = (
            "Every p-value of a dataset's own test, in full precision; joint flips are counted."
        )
    are = "A and B are" if (a, b) == ("A", "B") else f"A is {a} and B is {b},"
    sentence = f"{are} as in the file"
    if isinstance(analysis.data, ResultSet):
        origin = whole_name(analysis.origin.title) or "the file"
        sentence += (
            f". The results on single examples are not repeated here: they are in {origin}, "
            "which the fingerprint identifies"
        )
    grid = grid_of(columns, caption=caption, name="input")
    return (Paragraph(text=f"{sentence}.", tone="quiet"), grid)


def settings_records(analysis: Analysis) -> Records:
    """The settings and all that was tried, as two columns."""
    rows: list[tuple[Value, ...]] = [
        *settings_list(analysis),
        *((f"signature of {of}", line) for of, line in _signatures(analysis).items()),
        *((f"tried: {kind}", "; ".join(values)) for kind, values in analysis.tried.items()),
    ]
    return Records(header=("setting", "value"), rows=tuple(rows))


_UNKNOWN_FILE = "FILE"
_WHERE = "" if INSTALLED else ", in the folder of this program"


def command_parts(analysis: Analysis) -> tuple[Part, ...]:
    """The command, and what has to be set besides."""
    beside = not_on_the_command_line(analysis)
    where = "Write before each file's name where it lies, if not in that folder."
    return (
        Paragraph(text=f"On the command line{_WHERE}:"),
        Verbatim(text=command_line(analysis)),
        *paragraphs("" if analysis.origin.sample else where, tone="quiet"),
        *paragraphs(
            f"The command does not say: {'; '.join(beside)}." if beside else "", tone="caution"
        ),
    )


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
            option, value = f"--{choice.option}", getattr(plan, choice.name)
            if choice.name == "extended":
                for dataset, n in value:
                    words += _option(option, f"{dataset}={n}")
            # The others but the test itself are left out where they are usual.
            elif value != choice.usual or choice.name == "test":
                if choice.name == "margin" and value != COLUMN:
                    value = margin_in_words(data, settings)
                words += [option] if isinstance(value, bool) else [option, str(value)]
    words += ["--alpha", repr(float(settings.alpha)), "--dependence", settings.dependence]
    for name in ("combination", "joint", "procedure"):
        chosen = getattr(settings, name)
        words += [f"--{name}", chosen] if chosen else []
    if settings.question == analysis.question.key != analysis.questions[0].key:
        words += ["--question", settings.question]
    for name in settings.excluded:
        # Settings may still hold datasets of another reading of the file.
        if name in data.datasets:
            words += _option("--exclude", name)
    return words


def not_on_the_command_line(analysis: Analysis) -> list[str]:
    """What no command can say of this analysis."""
    files, found = analysis.origin.files, []
    if _source(analysis)[0] == _UNKNOWN_FILE:
        found.append("which file the data are from, as they were made by a program")
    if len(set(files)) < len(files):
        found.append("which file is which, where several have the same name")
    return found


def _source(analysis: Analysis) -> list[str]:
    origin, reading = analysis.origin, analysis.data.reading
    name = reading.source_name if reading is not None else ""
    made = [one.key for one in samples() if (one.title, one.file_name) == (origin.title, name)]
    made = [origin.sample.key] if origin.sample else [] if origin.files else made
    if made:
        return ["--sample", made[0]]
    files = origin.files or (name or origin.title or _UNKNOWN_FILE,)
    words = [f"./{name}" if name.startswith("-") else name or _UNKNOWN_FILE for name in files]
    # What data are called may name a dataset in them.
    if origin.title and (origin.title,) != files:
        words += _option("--name", origin.title)
    return words


def _roles(analysis: Analysis) -> list[str]:
    """What was said by hand of how to read the data."""
    origin = analysis.origin
    roles = dict(origin.roles)
    if not (roles or origin.files or origin.sample or isinstance(analysis.data, ResultSet)):
        # Nobody has told what was said by hand: the reading itself does.
        roles = {"alternative": analysis.data.alternative}
    declared = origin.sample.alternative if origin.sample else None
    words = []
    if roles.get("alternative") in ALTERNATIVES:
        alternative = str(roles.pop("alternative"))
        # A sample declares it itself.
        words += ["--alternative", alternative] if alternative != declared else []
    for role, value in roles.items():
        words += ["--role", role_in_words(role, value)]
    return words


def _option(option: str, value: str) -> list[str]:
    """An option and its value, joined where the value would be taken for an option."""
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


def role_in_words(role: str, value: object) -> str:
    """A role and its value in the shortest form that is read back the same."""
    plain = dict(value) if isinstance(value, Mapping) else value
    written = json.dumps(plain, ensure_ascii=False)
    short = "" if value is None else str(value)
    if isinstance(value, bool):
        short = short.lower()
    elif isinstance(value, list | tuple):
        short = ",".join(map(str, value))
    if short.isprintable():
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
    answers_yes = role in ("higher_is_better", "turned")
    if not value:
        return role, None
    if role in NEW_NAMES or (answers_yes and value.startswith("{")):
        return role, _json(role, value, dict)
    if role in SEVERAL and value.startswith("["):
        return role, _json(role, value, list)
    if role in SEVERAL:
        return role, tuple(part.strip() for part in value.split(","))
    if answers_yes:
        return role, {"true": True, "false": False}.get(value.lower(), value)
    # What is no number is refused where roles are checked.
    with suppress(ValueError):
        if role == "zero_reads_below" and not math.isnan(number := float(value)):
            return role, number
    return role, value


def _json(role: str, text: str, kind: type = object) -> object:
    wrong = f"the role {role!r} must be JSON; got {text!r}"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(wrong) from None
    if not isinstance(value, kind):
        raise ValueError(wrong)
    return tuple(value) if isinstance(value, list) else value
