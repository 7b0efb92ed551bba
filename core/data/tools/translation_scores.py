"""Scores of translations: of whole test sets by sacrebleu, of each segment by COMET.

Of sacrebleu its JSON is read, of one system or of several with their p-values; of COMET what
comet-score prints, and the JSON of comet-score and comet-compare.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...errors import DataError, Problem, first_of, listed, quoted, stop_at
from ...types import grouped
from ..sources.files import SourceFile
from ..sources.json_values import (
    MEND,
    Entry,
    ToolJson,
    each_read,
    hash_of,
    list_at,
    part,
    required,
    text_at,
)
from ..sources.name_grid import (
    FILE,
    ONE_DATASET,
    SYSTEM_FIRST,
    find_grid,
    order_choice,
    stems_of,
    systems_of_names,
    without_ending,
)
from ..tables.text import decode_text
from .agreement import grid_of_files, other_mean
from .gathered import Gathered, Scores, Tool, average, each, first_lines

_OF_SACREBLEU = rb'"(?:BLEU|TER|chrF\d*\+{0,2})"'
_OF_ONE = re.compile(rb'\s*(?:\[\s*)?\{\s*"name"\s*:\s*' + _OF_SACREBLEU + rb'\s*,\s*"score"\s*:')
_OF_SEVERAL = re.compile(
    rb'\s*\[\s*\{\s*"system"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*' + _OF_SACREBLEU + rb"\s*:"
)
_BASELINE = "Baseline: "
# By metric how it was computed, as far as files say it.
_Signatures = dict[str, set[str]]


def _gather_sacrebleu(files: Sequence[SourceFile], gathered: Gathered) -> None:
    signatures: _Signatures = {}
    read = gathered.read_each(
        files,
        lambda f: (
            _several_systems(f) if _OF_SEVERAL.match(f.content) else [_one_system(f, signatures)]
        ),
    )
    averages = gathered.scores
    tables = [own for own in read if own[0].system]
    # By what tells their files apart.
    names = stems_of([own[0].path for own in tables])
    averages += [replace(o, dataset=n) for own, n in zip(tables, names, strict=True) for o in own]
    if tables:
        gathered.remarks.append(
            f"Each table of sacrebleu is read as a dataset, by its file: {listed(names)}."
        )
    singles = [own[0] for own in read if not own[0].system]
    averages += [one for one in singles if one.dataset]
    untold = [one for one in singles if not one.dataset]
    if untold:
        stems, order = stems_of([one.path for one in untold]), gathered.given.get("name_order")
        if order is None and all("/" in stem for stem in stems):
            # A folder is taken for a system.
            order = SYSTEM_FIRST
        grid = find_grid(stems, [1] * len(stems), whole="test set", order=order)
        choices = grid.choices if grid.order == ONE_DATASET else (order_choice(FILE),)
        gathered.settle("name_order", grid.order, *choices, grid.remark)
        for (dataset, system), one in zip(grid.pairs, untold, strict=True):
            averages.append(replace(one, dataset=dataset, system=system))
    gathered.remarks += [
        f"{quoted(metric)} was not computed alike in all files: {listed(sorted(own))}."
        for metric, own in signatures.items()
        if len(own) > 1
    ]
    gathered.higher_is_better = {
        metric: metric != "TER" for one in averages for metric in one.columns
    }


def _several_systems(file: SourceFile) -> list[Scores]:
    """A table of several systems, with p-values where a test was made."""

    def read(entry: Entry) -> Scores:
        name, value = required(entry.value, "system"), part(entry.value)
        scores = {
            metric: _score(own, metric, name) for metric, own in value.items() if metric != "system"
        }
        called = without_ending(name.removeprefix(_BASELINE).strip())
        p_values = {m: text_at(part(own).get("p_value")) for m, own in value.items()}
        return replace(
            average(file.name, "", called, scores, line=entry.line),
            p_values={metric: p for metric, p in p_values.items() if p},
            is_baseline=name.startswith(_BASELINE),
        )

    return [*each_read(ToolJson(file).records(), read)]


def _one_system(file: SourceFile, signatures: _Signatures) -> Scores:
    """The scores of one system, one object for each metric, on the test set that the file may name."""
    scores: dict[str, str] = {}
    test_sets: list[str] = []

    def read(entry: Entry) -> None:
        name = required(entry.value, "name")
        if name in scores:
            raise DataError.of("It occurs twice.", MEND, column=name)
        scores[name] = _score(entry.value, name, name)
        # The test set is no setting.
        settings = text_at(entry.value, "signature").split("|")
        kept = [p for p in settings if p.split(":")[0] not in ("test", "lang")]
        signatures.setdefault(name, set()).add("|".join(kept))
        told = [text_at(entry.value, key) for key in ("test", "lang")]
        test_sets.append(" ".join(filter(None, told)))

    list(each_read(ToolJson(file).entries(), read))
    return average(file.name, next(filter(None, test_sets), ""), "", scores)


def _score(value: Any, metric: str, name: str) -> str:
    """The score as written of what is called so."""
    score = text_at(value.get("score") if isinstance(value, dict) else value)
    if not score:
        raise DataError.of(f"There is no score of {quoted(name)}.", MEND, column=metric)
    return score


SACREBLEU_SCORES = Tool(
    name="sacrebleu scores",
    claims=each(lambda _, head: bool(_OF_ONE.match(head) or _OF_SEVERAL.match(head))),
    gather=_gather_sacrebleu,
)


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


def _is_of_comet(file: SourceFile, head: bytes) -> bool:
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


def _gather_comet(files: Sequence[SourceFile], found: Gathered) -> None:
    """A row for each segment, numbered from 1 as lines are; averages where no segments are printed."""
    read = found.read_each(files, lambda file: _read(file, found))
    systems = [one for own in read for one in own]
    for one, (dataset, name) in zip(systems, _named(systems, found), strict=True):
        found.scores.append(replace(one, dataset=dataset, system=name))
    found.higher_is_better = {_METRIC: True}


def _segments(
    path: str, name: str, cells: Sequence[str], lines: Sequence[int], content: Sequence[str] = ()
) -> Scores:
    """One system's segments, of no dataset yet."""
    return Scores(
        path=path,
        dataset="",
        system=name,
        examples=[str(number) for number in range(1, len(cells) + 1)],
        columns={_METRIC: cells},
        lines=lines,
        content=content,
    )


def _named(systems: Sequence[Scores], found: Gathered) -> list[tuple[str, str]]:
    """Dataset and system of each: files with several systems are datasets, others are read by names."""
    by_file = grouped((one.path, one) for one in systems)
    names = [one.system for one in systems]
    if all(len(own) == 1 for own in by_file.values()):
        told = names if len(set(names)) == len(names) else [one.path for one in systems]
        sizes = [len(one.examples) for one in systems]
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
    short = [name for own in by_file.values() for name in stems_of([one.system for one in own])]
    return list(zip(datasets, short, strict=True))


def _read(file: SourceFile, found: Gathered) -> list[Scores]:
    text = decode_text(file.content).text
    if not text.lstrip().startswith("{"):
        return _of_lines(file.name, text, found)
    members = list(ToolJson(file).walk())
    by_key = {member.key: member for member in members}
    if by_key.keys() >= {"statistical_results", "translations"}:
        return list(_of_comparison(file.name, by_key))
    return [*each_read(members, lambda member: _of_member(file.name, member))]


def _of_lines(path: str, text: str, found: Gathered) -> list[Scores]:
    """The systems whose segments are printed in turn, and their averages behind them."""
    # Of each system every segment's score and line, and those of its average.
    segments: dict[str, list[tuple[str, int]]] = {}
    totals: dict[str, tuple[str, int]] = {}
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
        own = segments.setdefault(told["name"], [])
        if segment is None:
            totals[told["name"]] = told["score"], line
        elif int(segment["number"]) != len(own):
            what = (
                f"Segment {segment['number']} of {quoted(told['name'])} stands where segment "
                f"{len(own)} is expected."
            )
            problems.append(Problem(what, _AS_PRINTED, line=line))
            break
        else:
            own.append((told["score"], line))
    for name, (average_told, line) in {} if problems else totals.items():
        mean = other_mean((score for score, _ in segments[name]), average_told)
        if mean is not None and segments[name]:
            what = (
                f"The mean of the {len(segments[name]):,} segments of {quoted(name)} is "
                f"{mean:.4f}, but its last line says {average_told}."
            )
            problems.append(Problem(what, _AS_PRINTED, line=line))
    stop_at(problems)
    if beside:
        lines = first_of(beside)
        found.remarks.append(f"{quoted(path)}: left aside, as lines without a score: {lines}.")
    if any(segments[name] for name in totals):
        found.remarks.append(
            "COMET's last lines, 'score: …' without a segment, are averages and left aside; they "
            "agree with the segments."
        )
    if segments.keys() - totals.keys():
        found.remarks.append(
            f"{quoted(path)} lacks COMET's last line, which gives the average: the file may be cut "
            "off."
        )
    return [
        _segments(path, name, *zip(*own, strict=True))
        if own
        else average(path, "", name, {_METRIC: totals[name][0]}, line=totals[name][1])
        for name, own in segments.items()
    ]


def _of_member(path: str, member: Entry) -> Scores:
    """A system of comet-score's JSON, with its segments' texts and scores."""
    held = member.value if isinstance(member.value, list) else []
    if not held:
        raise DataError.of(f"{quoted(member.key)} has no segment scores.", MEND)
    cells = [required(one, _METRIC) for one in held]
    content = [hash_of([text_at(one, "src"), text_at(one, "ref")]) for one in held]
    return _segments(path, member.key, cells, [member.line] * len(held), content)


def _of_comparison(path: str, members: Mapping[str, Entry]) -> Iterator[Scores]:
    """The systems of comet-compare's JSON; its own tests are not read."""
    whole = {key: member.value for key, member in members.items()}
    line = members["translations"].line
    sources = list_at(whole, "source")
    references = list_at(whole, "reference") or [""] * len(sources)
    content = [hash_of(list(pair)) for pair in zip(sources, references, strict=False)]
    for system in list_at(whole, "translations"):
        scores = list_at(system, "scores")
        if not scores or len(scores) != len(content):
            what = "A system has not one score for each source."
            raise DataError.of(what, MEND, line=line)
        cells = [text_at(score) for score in scores]
        yield _segments(path, required(system, "name"), cells, [line] * len(scores), content)


COMET = Tool(name="COMET", claims=each(_is_of_comet), gather=_gather_comet)
