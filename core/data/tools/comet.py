"""What comet-score prints, and the JSON of comet-score and comet-compare: a score for each segment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import DataError, Problem, first_of, listed, quoted
from ..sources.given import SourceFile
from ..sources.json_values import (
    MEND,
    Entry,
    ToolJson,
    each_read,
    hash_of,
    list_at,
    required,
    text_at,
)
from ..sources.name_grid import stems_of, systems_of_names
from ..tables.limits import stop_at
from ..tables.text import decode_text
from .agreement import grid_of_files, other_mean
from .gathered import Gathered, Scores, Tool, average, each, first_lines, grouped

_METRIC = "COMET"
_NUMBER = r"(?P<score>[+-]?(?:[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|nan))"
# Older versions print how far the score varies by dropout, which is left aside.
_SEGMENT = re.compile(
    rf"(?P<name>.*\S)\s+Segment (?P<number>[0-9]+)\s+score: {_NUMBER}(?P<rest>\s+variance: .*)?"
)
_TOTAL = re.compile(rf"(?P<name>.*\S)\s+score: {_NUMBER}")
_SCORE = "score: "
# Where `--to_json` has been written is the last that is printed.
_SAVED = "Predictions saved in:"
_OF_SCORES = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*\{\s*"src"\s*:')
_OF_COMPARISON = re.compile(rb'\s*\{\s*"model"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"statistical_results"')
_AS_PRINTED = "Give what comet-score printed, from its first line to its last, or its --to_json."
_SEGMENTS = "segments"


@dataclass(slots=True, kw_only=True, eq=False)
class _System:
    """What one file holds of one system: its translations' path, and each segment's score."""

    path: str
    name: str
    cells: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    content: list[str] = field(default_factory=list)
    total: str = ""
    total_line: int = 1


def _is_of(file: SourceFile, head: bytes) -> bool:
    """Whether a file begins as COMET's JSON does, or as its lines, in whatever follows its log."""
    if _OF_SCORES.match(head):
        return b'"COMET"' in file.content
    if _OF_COMPARISON.match(head):
        return True
    lines = [line.strip() for line in first_lines(file)] if _SCORE.encode() in head else []
    scored = [line for line in lines if _TOTAL.fullmatch(line) or _SEGMENT.fullmatch(line)]
    segments = any(map(_SEGMENT.fullmatch, scored))
    return 2 * len(scored) > sum(map(bool, lines)) and (
        segments or all("\tscore: " in line for line in scored)
    )


def _gather(files: Sequence[SourceFile], found: Gathered) -> None:
    """A row for each segment, numbered from 1 as lines are; averages where no segments are printed."""
    read = found.read_each(files, lambda file: _read(file, found))
    systems = [one for own in read for one in own]
    for one, (dataset, name) in zip(systems, _named(systems, found), strict=True):
        if not one.cells:
            total = {_METRIC: one.total}
            found.averages.append(average(one.path, dataset, name, total, line=one.total_line))
            continue
        found.scores.append(
            Scores(
                path=one.path,
                dataset=dataset,
                system=name,
                examples=[str(number) for number in range(1, len(one.cells) + 1)],
                columns={_METRIC: one.cells},
                lines=one.lines,
                content=one.content,
            )
        )
    found.higher_is_better = {_METRIC: True}
    if any(one.total and one.cells for one in systems):
        found.remarks.append(
            "COMET's last lines, 'score: …' without a segment, are averages and left aside; they "
            "agree with the segments."
        )
    cut = [one.path for own in read for one in own if one.cells and not (one.total or one.content)]
    if cut:
        found.remarks.append(
            f"{listed(list(dict.fromkeys(cut)))} lacks COMET's last line, which gives the average: "
            "the file may be cut off."
        )


def _named(systems: Sequence[_System], found: Gathered) -> list[tuple[str, str]]:
    """Dataset and system of each: files with several systems are datasets, others are read by names."""
    by_file = grouped(systems, lambda one: one.path)
    names = [one.name for one in systems]
    if all(len(own) == 1 for own in by_file.values()):
        told = names if len(set(names)) == len(names) else [one.path for one in systems]
        sizes = [len(one.cells) for one in systems]
        grid = grid_of_files(told, sizes, whole=_SEGMENTS, answers=found)
        found.settle("name_order", grid.order, *grid.choices, grid.remark)
        return list(grid.pairs)
    stems = stems_of([*by_file])
    found.remarks.append(
        f"Each file of COMET with several systems is read as a dataset: {listed(stems)}."
    )
    datasets = [stem for stem, own in zip(stems, by_file.values(), strict=True) for _ in own]
    if len(by_file) > 1 and len(set(names)) == len(names):
        told = systems_of_names(names, datasets)
        if all(told):
            return list(zip(datasets, told, strict=True))
    short = [name for own in by_file.values() for name in stems_of([one.name for one in own])]
    return list(zip(datasets, short, strict=True))


def _read(file: SourceFile, found: Gathered) -> list[_System]:
    text = decode_text(file.content).text
    if not text.lstrip().startswith("{"):
        return _of_lines(file.name, text, found)
    members = list(ToolJson(file).walk())
    by_key = {member.key: member for member in members}
    if by_key.keys() >= {"statistical_results", "translations"}:
        return list(_of_comparison(file.name, by_key))
    return [*each_read(members, lambda member: _of_member(file.name, member))]


def _of_lines(path: str, text: str, found: Gathered) -> list[_System]:
    """The systems whose segments are printed in turn, and their averages behind them."""
    held: dict[str, _System] = {}
    problems: list[Problem] = []
    beside: list[str] = []
    for line, content in enumerate(text.splitlines(), start=1):
        bare = content.strip()
        segment, total = _SEGMENT.fullmatch(bare), _TOTAL.fullmatch(bare)
        told = segment or total
        if told is None and _SCORE not in bare:
            # A log may stand among the scores.
            beside += [f"{line} ({quoted(bare)})"] if bare and not bare.startswith(_SAVED) else []
            continue
        if told is None:
            what = f"The line {quoted(bare)} is neither the score of a segment nor an average."
            problems.append(Problem(what, _AS_PRINTED, line=line))
            continue
        own = held.setdefault(told["name"], _System(path=path, name=told["name"]))
        if segment is None:
            own.total, own.total_line = told["score"], line
        elif int(segment["number"]) != len(own.cells):
            what = (
                f"Segment {segment['number']} of {quoted(own.name)} stands where segment "
                f"{len(own.cells)} is expected."
            )
            problems.append(Problem(what, _AS_PRINTED, line=line))
            break
        else:
            own.cells.append(told["score"])
            own.lines.append(line)
    stop_at(problems or [*_disagreeing(list(held.values()))])
    if beside:
        lines = first_of(beside)
        found.remarks.append(f"{quoted(path)}: left aside, as lines without a score: {lines}.")
    return list(held.values())


def _disagreeing(systems: Sequence[_System]) -> Iterator[Problem]:
    """A problem for each system whose average is not the mean of its segments."""
    for one in systems:
        mean = other_mean(one.cells, one.total)
        if mean is not None:
            yield Problem(
                f"The mean of the {len(one.cells):,} segments of {quoted(one.name)} is "
                f"{mean:.4f}, but its last line says {one.total}.",
                _AS_PRINTED,
                line=one.total_line,
            )


def _of_member(path: str, member: Entry) -> _System:
    """A system of comet-score's JSON, with its segments' texts and scores."""
    segments = member.value if isinstance(member.value, list) else []
    return _System(
        path=path,
        name=member.key,
        cells=[required(segment, _METRIC) for segment in segments],
        lines=[member.line] * len(segments),
        content=[hash_of([text_at(one, "src"), text_at(one, "ref")]) for one in segments],
    )


def _of_comparison(path: str, members: Mapping[str, Entry]) -> Iterator[_System]:
    """The systems of comet-compare's JSON; its own tests are not read."""
    whole = {key: member.value for key, member in members.items()}
    line = members["translations"].line
    sources = list_at(whole, "source")
    references = list_at(whole, "reference") or [""] * len(sources)
    content = [hash_of(list(pair)) for pair in zip(sources, references, strict=False)]
    for system in list_at(whole, "translations"):
        scores = list_at(system, "scores")
        if len(scores) != len(content):
            what = "A system has not one score for each source."
            raise DataError.of(what, MEND, line=line)
        yield _System(
            path=path,
            name=required(system, "name"),
            cells=[text_at(score) for score in scores],
            lines=[line] * len(scores),
            content=content,
        )


COMET = Tool(name="COMET", claims=each(_is_of), gather=_gather)
