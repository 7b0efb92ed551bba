"""Files and options to data and settings, as the app's pages would have them; and what goes out.

No control characters go to a terminal, and no file is written by halves.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..analysis import AnalysisSettings, Origin
from ..analysis.settings import CHOICES, TEST_CHOICES, metrics_of
from ..comparison import BETTER, COLUMN, Margin, checked_margin, comparison_named, read_margin
from ..data import PValueTable, ResultSet, ScoreTable, read_sample, samples
from ..data.reading import Results
from ..data.sources.files import shared_folders
from ..errors import DataError, rows_choice
from ..export.bundle import read_named
from ..export.record import role_in_words, role_of_words
from ..replicability.combinations import combination_named, combinations_under
from ..replicability.identification import procedure_names
from ..version import PROGRAM
from ..words.formatting import counted, list_names, shell_word, whole_name
from ..words.verdicts import (
    EFFECT_TABLE_REMEDY,
    SCORE_TABLE_REMEDY,
    effect_table_sentence,
    score_table_sentence,
)
from .options import BAD_DATA, BAD_USE, Options


class Failure(Exception):
    """Why a command ends without an answer.

    `lines` are for standard error.
    """

    def __init__(self, status: int, *lines: str) -> None:
        self.status = status
        self.lines = lines
        super().__init__("\n".join(lines))

    @classmethod
    def of_use(cls, what: str) -> Failure:
        """The command is not as described, or does not fit the data."""
        return cls(BAD_USE, f"{PROGRAM}: {what}")


Files = tuple[tuple[str, bytes], ...]
_FOLDER = (
    PROGRAM
    + ": '{}' is a folder. Pack it into a zip archive and give that, or name the files in it."
)

# Of results on examples alone.
_OF_RESULTS = ("metric", "joint", *(choice.option for choice in TEST_CHOICES))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Input:
    """What was read, and how it is to be analysed.

    `files` are as they came and `name` what they are called together; `sample` is a sample's key; `roles`
    come from the options and the sample; `unused` are options that say nothing of such data. There are
    no claims to check.
    """

    files: Files
    name: str
    sample: str
    roles: dict[str, object]
    data: PValueTable | ResultSet
    settings: AnalysisSettings
    unused: tuple[str, ...]
    origin: Origin
    claims: None = None


def files_of(options: Options) -> Files:
    """The files that were named, without the folders that say where they lie."""
    contents, refused = [], []
    for path in options.files:
        try:
            contents.append(Path(path).read_bytes())
        except IsADirectoryError:
            refused.append(_FOLDER.format(path))
        except (OSError, ValueError) as error:
            refused.append(cannot(path, "be read", error))
    if refused:
        raise Failure(BAD_DATA, *refused)
    paths = [Path(path).as_posix() for path in options.files]
    # The innermost folder that all are in stays: it may name a dataset.
    n_dropped = max(0, len(shared_folders(paths)) - 1)
    if len(paths) == 1:
        names = [Path(paths[0]).name]
    else:
        names = ["/".join(path.split("/")[n_dropped:]) for path in paths]
    return tuple(zip(names, contents, strict=True))


def input_of(options: Options, files: Files) -> Input:
    """Read the data and settle every choice."""
    sample = None
    roles: dict[str, object] = {}
    name = options.name
    if options.sample is not None:
        keys = tuple(sample.key for sample in samples())
        if options.sample not in keys:
            raise Failure.of_use(
                f"there is no sample {options.sample!r}; there are {', '.join(keys)}."
            )
        sample, content = read_sample(options.sample)
        name, files = name or sample.file_name, ((sample.file_name, content),)
        roles["alternative"] = sample.alternative
    roles.update(_roles(options))
    try:
        read = read_named(files, name=name, roles=roles)
    except DataError as error:
        title = files[0][0] if len(files) == 1 else f"{len(files)} files"
        raise Failure(BAD_DATA, *reading_lines(error, name=name or title)) from error
    data = _countable(read, options, title=name or files[0][0])
    called = name or (data.reading.source_name if data.reading is not None else files[0][0])
    systems = data.systems if isinstance(data, ResultSet) else (data.system_a, data.system_b)
    places = [systems.index(one) for one in _pair(options, systems)]
    metric = ""
    if isinstance(data, ResultSet) and options.metric not in (None, data.metrics[0]):
        metric = str(options.metric)
        if metric not in metrics_of(data):
            raise unknown("--metric", metric, "metric", metrics_of(data))
    excluded, extended = tuple(dict.fromkeys(options.exclude)), dict(options.extend)
    for option, names in (("--exclude", excluded), ("--extend", tuple(extended))):
        for dataset in names:
            if dataset not in data.datasets:
                raise unknown(option, dataset, "dataset", data.datasets)
    if len(excluded) == len(data.datasets):
        raise Failure.of_use("--exclude must leave at least one dataset.")
    chosen: dict[str, Any] = {
        choice.name: getattr(options, choice.option) for choice in CHOICES.values() if choice.option
    }
    chosen |= {
        "swapped": places != sorted(places),
        "excluded": excluded,
        "pair": tuple(sorted(places)),
        "metric": metric,
        "dependence": options.dependence or (sample.dependence if sample else None),
        "whole_clusters": not options.apart,
        "extended": tuple(extended.items()),
        "margin": _margin(options, data, metric),
    }
    settings = AnalysisSettings(
        **{name: value for name, value in chosen.items() if value is not None}
    )
    if settings.combination not in ("", *combinations_under(settings.dependence)):
        needed = combination_named(settings.combination)
        raise Failure.of_use(
            f"--combination {needed.name} counts only {needed.holds}: say so by "
            f"--dependence {needed.dependence}."
        )
    if settings.procedure not in ("", *procedure_names(joint=bool(settings.joint))):
        raise Failure.of_use(f"--procedure {settings.procedure} needs --joint.")
    unused = options.given("alternative") if isinstance(data, ResultSet) else []
    if isinstance(data, PValueTable):
        unused = options.given(*_OF_RESULTS)
    return Input(
        files=files,
        name=called,
        sample=sample.key if sample else "",
        roles=roles,
        data=data,
        settings=settings,
        unused=tuple(unused),
        origin=Origin.of(sample, roles, name=called, files=files),
    )


def _countable(data: Results, options: Options, *, title: str) -> PValueTable | ResultSet:
    """The data, if they have p-values or what makes them."""
    if isinstance(data, PValueTable | ResultSet):
        return data
    if isinstance(data, ScoreTable):
        a, b = _pair(options, data.systems)
        sentences = (score_table_sentence(data, a=a, b=b), SCORE_TABLE_REMEDY)
    else:
        sentences = (effect_table_sentence(data), EFFECT_TABLE_REMEDY)
    raise Failure(BAD_DATA, f"{PROGRAM}: {title} has no p-values to count.", *sentences)


def _pair(options: Options, systems: Sequence[str]) -> tuple[str, str]:
    """A and B by name; of two systems one says the other, else the first two are meant."""
    a, b = options.a, options.b
    for option, name in (("--a", a), ("--b", b)):
        if name is not None and name not in systems:
            raise unknown(option, name, "system", systems)
    if a is None and b is None:
        return systems[0], systems[1]
    if a == b:
        raise Failure.of_use(f"--a and --b must be two systems; both are {a!r}.")
    others = [name for name in systems if name not in (a, b)]
    if None in (a, b) and len(others) > 1:
        missing, every = "--b" if b is None else "--a", list_names(others, most=100)
        raise Failure.of_use(f"{missing} must say which of {every} is compared.")
    return a or others[0], b or others[0]


def _margin(options: Options, data: PValueTable | ResultSet, metric: str) -> Margin | None:
    """The margin that goes with the claim; None where none is given.

    In the metric's units, or each dataset's own: so it is too where the file has margins and none
    is given.
    """
    if isinstance(data, PValueTable):
        return None
    claim, given = options.claim or BETTER, options.margin
    takes_margin = comparison_named(claim).takes_margin
    if given is None and takes_margin and data.margins is not None and not metric:
        given = COLUMN
    try:
        if given == COLUMN:
            # A file without margins of this metric is refused here.
            data.margin_of(data.datasets[0], metric or None)
            if not takes_margin:
                raise ValueError("`margin` must come with a `claim` that has one.")
            return COLUMN
        margin = 0.0 if given is None else read_margin(given, data.points_of(metric or None))
        if takes_margin and not margin:
            raise ValueError(f"`margin` must be given, above 0, with `claim` {claim!r}.")
        return checked_margin(claim, margin)
    except ValueError as error:
        said = str(error).replace("`margin`", "--margin").replace("`claim`", "--claim")
        raise Failure.of_use(said) from None


def _roles(options: Options) -> dict[str, object]:
    roles: dict[str, object] = {}
    if options.alternative is not None:
        roles["alternative"] = options.alternative
    for text in options.role:
        try:
            role, value = role_of_words(text)
        except ValueError as error:
            raise Failure.of_use(f"{error}.") from None
        if role in roles:
            raise Failure.of_use(f"the role {role!r} is given twice.")
        roles[role] = value
    return roles


def unknown(option: str, name: str, what: str, known: Sequence[str]) -> Failure:
    """A name that these data do not have, with all that they have."""
    are = "is only" if len(known) == 1 else "are"
    every = list_names(known, most=100)
    return Failure.of_use(f"{option} {name!r} is no {what} of these data; there {are} {every}.")


def say(text: str) -> None:
    """One line of plain text, whatever names are in it."""
    sys.stdout.write(f"{whole_name(text)}\n")


def complain(*lines: str) -> None:
    """Lines on standard error."""
    for line in lines:
        # Spaces at the beginning set answers apart.
        indent = line[: len(line) - len(line.lstrip(" "))]
        sys.stderr.write(f"{indent}{whole_name(line)}\n")


def problem_lines(error: DataError, *, title: str) -> list[str]:
    """Every problem of some data, and for each open question the options that answer it."""
    return [f"{PROGRAM}: {title}: {counted(len(error.problems), 'problem')}.", *_told(error)]


@contextlib.contextmanager
def failing(title: str) -> Iterator[None]:
    """What data do not allow ends the command, with every problem below a title."""
    try:
        yield
    except DataError as error:
        raise Failure(BAD_DATA, *problem_lines(error, title=title)) from None


def reading_lines(error: DataError, *, name: str) -> list[str]:
    """As `problem_lines`, of a file that is not read: where only answers are missing, that they are."""
    offered = {choice.role for choice in error.choices if choice.options}
    asked = {problem.answered_by for problem in error.problems}
    if not asked <= offered:
        return problem_lines(error, title=f"{name} cannot be read")
    asks = f"{PROGRAM}: {counted(len(asked), 'question')} before {name} can be read"
    return [f"{asks}; give the command again with an option for each, from below.", *_told(error)]


def _told(error: DataError) -> list[str]:
    lines = [f"- {problem}" for problem in error.problems]
    rows = rows_choice(error.problems)
    for choice in (*error.choices, *([] if rows is None else [rows])):
        lines += [choice.question] if choice.question and choice.question not in lines else []
        for value, words in choice.options:
            option = shell_word(role_in_words(choice.role, value))
            lines.append(f"    --role {option}    {words}")
    return lines


def check_places(inputs: Iterable[str], outputs: Mapping[str, str | None]) -> None:
    """No output, by its option, in the place of an input, within one, or of another output."""
    read = {Path(path).resolve(): path for path in inputs}
    taken = dict(read)
    for option, path in outputs.items():
        if path is None:
            continue
        resolved = Path(path).resolve()
        if resolved in taken:
            raise Failure.of_use(f"{option} {path!r} would take the place of {taken[resolved]!r}.")
        for folder in resolved.parents:
            if folder in read:
                raise Failure.of_use(
                    f"{option} {path!r} would lie in {read[folder]!r}, where the next run reads results."
                )
        taken[resolved] = path


def write_file(path: str, content: bytes) -> None:
    """Write a file whole or not at all."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            # A pipe or a device: there is nothing to put in its place.
            target.write_bytes(content)
            return
        # Through a link, what it leads to is replaced.
        target = target.resolve()
        beside = target.with_name(f".{target.name[:80]}.{os.getpid()}.part")
        try:
            with beside.open("xb") as file:
                file.write(content)
            beside.replace(target)
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise Failure(BAD_DATA, cannot(path, "be written", error)) from None


def cannot(path: str, what: str, error: OSError | ValueError) -> str:
    """A sentence on a file that the system refuses."""
    reason = (error.strerror if isinstance(error, OSError) else None) or "it is no file's name"
    return f"{PROGRAM}: '{path}' cannot {what}: {reason[:1].lower()}{reason[1:]}."


@contextlib.contextmanager
def progress(options: Options) -> Iterator[Callable[[int, int], None]]:
    """How far the tests are, on a terminal only and gone at the end."""
    said = ""

    def tell(done: int, total: int) -> None:
        nonlocal said
        if not options.quiet and sys.stderr.isatty():
            said = f"Testing: {done:,} of {total:,} datasets"
            sys.stderr.write(f"\r{said}")
            sys.stderr.flush()

    try:
        yield tell
    finally:
        if said:
            sys.stderr.write(f"\r{' ' * len(said)}\r")
            sys.stderr.flush()
