"""What is laid out to be checked: claims read from lines of text, what the scores are, and how many examples."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import cast, get_args

from ..data.samples import SAMPLE_FOLDER
from ..errors import DataError, Problem, listed, quoted
from ..validation import WRITTEN_LEVEL
from ..words.formatting import display_name, list_names
from ..words.subject import Subject
from .claim import ANY, Better, Claim, ClaimKind, ClaimMetric, Method, count_methods
from .claim_words import Read, understand
from .grammar import level_of
from .printed_scores import MOST_EXAMPLES, ScoreMetric
from .vocabulary import (
    NO_NAMES,
    NotUnderstood,
    TableNames,
    begins_in_words,
    meanings_of,
    method_called,
    nearest,
    nearest_method,
    own_side,
)

_PRINTED = r"[-−]?[0-9]*\.?[0-9]+"
# A line with keywords; its names go as far as what follows allows.
_LINE = re.compile(
    rf"""(?:
        interval:?\s+\[?\s*(?P<low>{_PRINTED})\s*%?\s*(?:to|,|;)\s*(?P<high>{_PRINTED})\s*%?\s*\]?
            \s*%?\s+(?:about|around)\s+(?P<estimate>{_PRINTED})\s*%?
        |(?:better\s+on\s+)?(?P<counted>at\ least|exactly)\s+(?P<k>[0-9]{{1,6}})
            (?:\s+(?:out\s+)?of\s+(?:the\s+)?(?P<n>[0-9]{{1,6}}))?(?:\s+datasets?)?
        |(?P<listed>named|significant|not[\ -]significant)(?::|(?=\s))(?:\s*(?P<names>.+?))??
    )
    (?:\s+by\s+(?:any\s+of\s+(?P<columns>.+?)|(?P<method>common\ practice|[a-z][a-z-]*)))?
    (?:\s+at\s+(?P<alpha>{WRITTEN_LEVEL}))?
    (?:\s+for\s+(?P<better>a|b|differ))?\s*""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
# So many words of a line are replaced at most.
_MOST_MENDED = 4
_AS_THE_TABLE = "Write it as the table does."
_NEEDS_A_TABLE = Problem(
    what="Without a table only intervals can be checked.",
    remedy="Load the table, or state an interval: interval 3.9 to 5.2 about 4.6 at .05.",
)
_WHOLE = re.compile(r"[0-9]{1,9}|[0-9]{1,3}(?:[,  ][0-9]{3}){1,2}")
_REMEDY_SIZES = (
    f"Write one number from 1 to {MOST_EXAMPLES:,} for all datasets, or a line such as “SST-2: 872” "
    "for each."
)
_COUNT_OF_WHAT = "An exact count needs its method: 'by count' is the number of p ≤ α."


def parse_claims(text: str, names: TableNames = NO_NAMES) -> tuple[Claim, ...]:
    """Read claims from lines, one each; empty lines and those that begin with # are passed over.

    A line is one of ::

        exactly K [of N] by METHOD [at ALPHA] [for A | for B | for differ]
        exactly K [of N] by any [of COLUMN; COLUMN; …] [at ALPHA] [for …]
        [better on] at least K [of N] [datasets] [by METHOD] [at ALPHA] [for …]
        named NAME; NAME; … by PROCEDURE [at ALPHA] [for …]
        significant NAME; NAME; … [by PROCEDURE] [at ALPHA] [for …]
        not significant NAME; NAME; … [at ALPHA]
        interval LOW to HIGH about ESTIMATE [at ALPHA]

    or a sentence as papers have it: "Ours significantly outperforms BERT on 9 of 12 datasets
    (p < .05)", "better on all but two", "no significant difference on CoLA"
    (`claims.vocabulary`).

    ALPHA is written .05, 5% or 1e-3. The keywords may be written with capital letters. Without
    "for" the claim is about A; a sentence without a system is about the one that is called as
    authors call their own, if one is. "named none by holm" says that nothing is named. Names of
    systems may stand for A and B: "at least 5 for Ours"; a line that can be read without them is. A
    `DataError` has every line that is none of these.
    """
    read = read_lines(text, names)
    if read.problems:
        raise DataError(read.problems)
    return tuple(each.claim for each in read.reads.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLines:
    """Lines of claims: what could be read of them, by line, and every problem of the others.

    `mended` are those of the others that are claims in the nearest known words, or as several lines.
    """

    reads: Mapping[int, Read]
    problems: tuple[Problem, ...]
    mended: Mapping[int, str]

    @property
    def line_numbers(self) -> Mapping[Claim, tuple[int, ...]]:
        """Each claim once, with where it stands."""
        found: dict[Claim, tuple[int, ...]] = {}
        for number, read in self.reads.items():
            found[read.claim] = (*found.get(read.claim, ()), number)
        return found

    def notes(self, systems: Sequence[str] = ()) -> dict[Claim, str]:
        """Where each claim stands, and what its lines leave out or was left aside, once where they agree."""
        found = {}
        for claim, numbers in self.line_numbers.items():
            said = {number: _note(self.reads[number], systems) for number in numbers}
            if len(set(said.values())) > 1:
                said = {number: f"Line {number}: {note}" for number, note in said.items() if note}
            parts = dict.fromkeys(said.values())
            if len(self.reads) > 1:
                at = list_names(list(map(str, numbers)), most=len(numbers))
                parts = {f"Line{'s' if len(numbers) > 1 else ''} {at}.": None, **parts}
            found[claim] = " ".join(filter(None, parts))
        return found


def _note(read: Read, systems: Sequence[str]) -> str:
    said = f"Read without {listed(read.passed_over)}." if read.passed_over else ""
    if read.is_assumed:
        system, other = map(display_name, systems[:: -1 if read.claim.better == "b" else 1])
        said += f" It names no system: read for {system}. End with “for {other}” if that is meant."
    return said.lstrip()


def read_lines(
    text: str,
    names: TableNames = NO_NAMES,
    *,
    columns: Sequence[str] | None = None,
    has_table: bool = True,
) -> ReadLines:
    """Read claims a line each; those that cannot be read do not keep back the others.

    With the `columns` of p-values also the names of datasets and columns are looked up. Without a
    table only intervals can be judged.
    """
    reads: dict[int, Read] = {}
    problems: list[Problem] = []
    nearest: dict[int, str] = {}
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if not line or line.startswith("#"):
            continue
        try:
            if not has_table and not line.lower().startswith("interval"):
                raise DataError([_NEEDS_A_TABLE])
            read = read_line(line, names)
            if columns is not None:
                check_names((read.claim,), names.datasets, columns)
        except DataError as error:
            problems += [replace(problem, line=number) for problem in error.problems]
        except ValueError as error:
            remedy = getattr(error, "remedy", "") or _remedy(line, names)
            # Whoever writes lines knows no arguments.
            what = re.sub("^`([a-z_]+)`", r"The \1", str(error)).replace("`", "'")
            problems.append(Problem(what=what, remedy=remedy, line=number))
            if near := mended(line, names):
                nearest[number] = near
        else:
            reads[number] = read
    return ReadLines(reads=reads, problems=tuple(problems), mended=nearest)


def read_claims(
    claims: Claim | str | Iterable[Claim | str], names: TableNames
) -> tuple[Claim, ...]:
    """Claims as objects, whether given as such or as lines about these systems and datasets."""
    found: list[Claim] = []
    for claim in (claims,) if isinstance(claims, str | Claim) else claims:
        if isinstance(claim, str):
            found += parse_claims(claim, names)
        elif isinstance(claim, Claim):
            found.append(claim)
        else:
            raise ValueError(f"`claims` must be claims or lines of text; got {claim!r}.")
    return tuple(found)


def mended(line: str, names: TableNames = NO_NAMES) -> str:
    """The line with what is not known replaced by the nearest, or as several; empty where that is no claim."""
    text = line.strip()
    for _ in range(_MOST_MENDED):
        try:
            for each in text.split("\n"):
                read_line(each, names)
        except ValueError as error:
            word, near = getattr(error, "meant", None) or ("", "")
            if word not in text or not word:
                return ""
            text = text.replace(word, near, 1)
        else:
            return text
    return ""


def read_line(line: str, names: TableNames = NO_NAMES) -> Read:
    """Read a line in keywords, or else as a sentence.

    A `ValueError` says why it is no claim.
    """
    datasets = names.datasets
    read, refused = None, None
    # A system's name may stand for its letter.
    lettered = line
    for side, name in zip("AB", names.systems, strict=False):
        if name not in ("A", "B") and line.lower().endswith(f" for {name}".lower()):
            lettered = f"{line[: -len(name)]}{side}"
    try:
        read = _claim_of(lettered)
    except ValueError as error:
        refused = error
    named = () if read is None else read.datasets
    if datasets:
        strangers = not set(named) <= set(datasets)
    else:
        strangers = bool(named) and begins_in_words(named[0])
    if read is not None and not strangers:
        n = read.n_datasets or len(datasets)
        # An exact count is judged in any case.
        if read.kind == "at-least" and 0 < n < (read.k or 0):
            there = "is" if n == 1 else "are"
            raise NotUnderstood(
                f"It speaks of {read.k} datasets, and there {there} {n}.", f"Write at most {n}."
            )
        return Read(claim=read)
    if refused is not None and line.lower().startswith("named"):
        raise refused
    try:
        return understand(line, names)
    except NotUnderstood as error:
        if read is not None and not (datasets and begins_in_words(named[0])):
            return Read(claim=read)
        # A line in the keywords' form gets the reason why that form is wrong.
        raise (refused or error) from None


def _claim_of(line: str) -> Claim | None:
    """Read a line with keywords; None where it has none of their forms."""
    found = _LINE.fullmatch(line)
    if found is None or (found["listed"] and not found["names"]):
        return None
    # An interval is of no method and of no system.
    if found["low"] and (found["method"] or found["columns"] or found["better"]):
        return None
    alpha = None if found["alpha"] is None else level_of(found["alpha"])
    if found["low"]:
        low, high, estimate = (
            found[name].replace("−", "-") for name in ("low", "high", "estimate")
        )
        return Claim(kind="interval", interval=(low, high), estimate=estimate, alpha=alpha)
    kind = cast(ClaimKind, (found["counted"] or found["listed"]).lower().replace(" ", "-"))
    columns = _names(found["columns"] or "")
    method = ANY if columns else _method(found["method"])
    if kind == "exactly" and method is None:
        raise ValueError(_COUNT_OF_WHAT)
    names = _names(found["names"] or "")
    if found["listed"] and not names:
        raise ValueError("No dataset is named: 'none' says that there is none.")
    return Claim(
        kind=kind,
        k=None if found["k"] is None else int(found["k"]),
        n_datasets=None if found["n"] is None else int(found["n"]),
        datasets=() if names == ("none",) else names,
        method=method,
        better=cast(Better, (found["better"] or "a").lower()),
        alpha=alpha,
        columns=columns,
    )


def _method(text: str | None) -> Method | None:
    if not text:
        return None
    method = ANY if text.lower() == ANY else method_called(text)
    if method is None:
        near = nearest_method(text)
        known = ", ".join(quoted(each) for each in (*count_methods(), ANY))
        raise NotUnderstood(
            f"There is no method “{display_name(text)}”.",
            f"{near}? Write one of {known}." if near else f"Write one of {known}.",
            (text, method_called(near) or "") if near else None,
        )
    return method


def systems_in(line: str, systems: Sequence[str], datasets: Sequence[str]) -> tuple[str, ...]:
    """Which of a table's systems a line names, in its order."""
    named = meanings_of(line, TableNames(datasets=tuple(datasets), others=tuple(systems)))
    return tuple(dict.fromkeys(m.value for m in named if m.kind == "other"))


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(";") if name.strip())


def examples(names: TableNames, *, of_several: bool = False) -> list[tuple[str, str]]:
    """Lines that could be typed about a table, in its own names, with what they say; the last needs no table."""
    a, b = names.systems[:2] or ("A", "B")
    # Papers claim that their own system is better.
    own, other = (b, a) if own_side((a, b)) == "b" else (a, b)
    n = len(names.datasets) or 12
    half = max(1, n // 2)
    listed = names.datasets[:2] or ("Tamil", "Czech")
    lines = [
        f"{own} significantly outperforms {other} on {half} of {n} datasets (p < .05)",
        f"significant on {' and '.join(listed)} after Holm correction",
        f"no significant difference on {listed[0]}",
        f"at least {half} by Fisher for {own}",
        *([f"exactly {half} of {n} by any at .05 for differ"] if of_several else []),
        "interval 3.9 to 5.2 about 4.6 at .05",
    ]
    subject = Subject(system_a=a, system_b=b, datasets=names.datasets)
    found = []
    for line in lines:
        # Whatever cannot be read, for an odd name, is no example.
        with suppress(ValueError):
            found.append((line, read_line(line, names).claim.words(subject, alpha=0.05)))
    return found


def _remedy(line: str, names: TableNames) -> str:
    """An example of what the line seems to be meant for, or one of each."""
    lines = [f"“{each}”" for each, _ in examples(names)]
    start = f"“{line.lower().split(' ')[0]}"
    *others, last = [each for each in lines if each.startswith(start)] or lines
    return f"Write for example {', '.join(others)}{' or ' if others else ''}{last}."


def check_names(claims: Sequence[Claim], datasets: Sequence[str], columns: Sequence[str]) -> None:
    """Raise a `DataError` with each dataset or column of p-values that a claim names and the table lacks."""
    problems = []
    # With one column nobody can choose among several.
    for name in dict.fromkeys(name for claim in claims for name in claim.columns):
        if len(columns) > 1 and name not in columns:
            what = f"A claim names {quoted(name)}, which is no column of p-values of the table."
            problems.append(Problem(what=what, remedy=f"Choose among {listed(columns)}."))
    for name in dict.fromkeys(name for claim in claims for name in claim.datasets):
        if name not in datasets:
            near = nearest(name, sorted(datasets))
            problems.append(
                Problem(
                    what="A claim names this dataset, which the table does not have.",
                    remedy=f"{display_name(near)}? {_AS_THE_TABLE}" if near else _AS_THE_TABLE,
                    dataset=name,
                )
            )
    if problems:
        raise DataError(problems)


METRICS: tuple[ClaimMetric, ...] = get_args(ClaimMetric)
# Both texts together must fit into an address beside a small table.
LONGEST_TEXT = 4_000
# What stands for "no claims" in an address, where an empty text is left out: a comment.
_NONE = "#"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimDesk:
    """What is laid out for a check.

    `lines` is None while nobody wrote any: a sample's own then hold. `metric` is None for what table
    or sample says, `sizes` are as typed, empty for the table's own. `swapped`: A and B were exchanged
    when the lines were written.
    """

    lines: str | None = None
    metric: ClaimMetric | None = None
    sizes: str = ""
    swapped: bool = False

    def facing(self, *, swapped: bool, names: TableNames = NO_NAMES) -> ClaimDesk:
        """The same claims about the same systems, with A and B as they now are."""
        if swapped == self.swapped:
            return self
        turned = None if self.lines is None else exchanged(self.lines, names)
        return replace(self, lines=turned, swapped=swapped)

    def to_parameters(self) -> dict[str, str]:
        """As the address carries it."""
        written = {
            "claims": "" if self.lines is None else self.lines.strip("\n") or _NONE,
            "scores": self.metric or "",
            "sizes": self.sizes.strip(),
        }
        too_long = sum(map(len, written.values())) > LONGEST_TEXT
        return {"scores": written["scores"]} if too_long else written


def may_be_typed(character: str) -> bool:
    """Whether a character may stand in claims and sizes that come from elsewhere."""
    # Names may hold any space or mark of direction, but nothing that controls a terminal.
    return character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs")


def exchanged(lines: str, names: TableNames = NO_NAMES) -> str:
    """The same claims where A and B, now of these names, are in each other's place.

    What cannot be read stays, and what says the same of the systems by their names.
    """
    turned: dict[Better, Better] = {"a": "b", "b": "a", "differ": "differ"}
    before = read_lines(lines, replace(names, systems=names.systems[::-1])).reads
    now = read_lines(lines, names).reads
    found = lines.splitlines()
    for number, read in before.items():
        meant = replace(read.claim, better=turned[read.claim.better])
        if number not in now or now[number].claim != meant:
            found[number - 1] = meant.line()
    return "\n".join(found)


def read_sizes(text: str, datasets: Sequence[str]) -> tuple[int, ...]:
    """Read numbers of examples: one for all, or a line ``name: n`` for each dataset.

    A `DataError` has every line that cannot be read and every dataset without a number.
    """
    lines = [(i, line.strip()) for i, line in enumerate(text.splitlines(), start=1)]
    lines = [(i, line) for i, line in lines if line]
    if len(lines) == 1 and (one := _whole(lines[0][1])) is not None:
        return (one,) * len(datasets)
    problems: list[Problem] = []
    found: dict[str, int] = {}
    for number, line in lines:
        name, colon, n_text = line.rpartition(":")
        name, n = name.strip(), _whole(n_text.strip())
        if not colon or n is None:
            what = f"This is no name with a whole number of examples up to {MOST_EXAMPLES:,}."
            remedy, name = _REMEDY_SIZES, ""
        elif name not in datasets:
            what, remedy = "The table does not have this dataset.", _AS_THE_TABLE
        elif found.setdefault(name, n) != n:
            what = f"It has two numbers of examples, {found[name]:,} and {n:,}."
            remedy = "Leave one of them."
        else:
            continue
        problems.append(Problem(what=what, remedy=remedy, line=number, dataset=name or None))
    if not problems and (without := [name for name in datasets if name not in found]):
        names = list_names(without, most=len(without))
        what = f"There is no number of examples for {names}."
        problems.append(Problem(what=what, remedy="Add a line with each name and its number."))
    if problems:
        raise DataError(problems)
    return tuple(found[dataset] for dataset in datasets)


def _whole(text: str) -> int | None:
    if not _WHOLE.fullmatch(text):
        return None
    n = int(re.sub("[^0-9]", "", text))
    return n if 1 <= n <= MOST_EXAMPLES else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedClaims:
    """A paper's claims, one a line, about a sample or, with a title, about printed intervals alone.

    `metric` is what the scores of a sample with sizes are, which its file does not say.
    """

    key: str
    source: str
    lines: str
    metric: ScoreMetric | None = None
    title: str = ""
    description: str = ""
    note: str = ""


@cache
def sample_claims(key: str) -> tuple[Claim, ...]:
    """The paper's claims about a sample; none where it makes none that are recorded."""
    recorded = _recorded().get(key)
    return () if recorded is None else parse_claims(recorded.lines)


def samples_without_table() -> tuple[RecordedClaims, ...]:
    """Claims that need no table, in the order in which to offer them."""
    return tuple(recorded for recorded in _recorded().values() if recorded.title)


def sample_metric(key: str) -> ScoreMetric | None:
    """What a sample's scores are, where p-values can be checked against them."""
    recorded = _recorded().get(key)
    return None if recorded is None else recorded.metric


@cache
def _recorded() -> dict[str, RecordedClaims]:
    entries = tomllib.loads((SAMPLE_FOLDER / "claims.toml").read_text(encoding="utf-8"))
    return {
        key: RecordedClaims(key=key, lines=entry.pop("claims").strip(), **entry)
        for key, entry in entries.items()
    }
