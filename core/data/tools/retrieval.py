"""Scores by query, as tools of retrieval write them: trec_eval, ir_measures, ranx and pytrec_eval.

Rankings and judgements hold no scores; they are named, with the command that scores them.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from ...errors import DataError, Problem, listed, quoted, stop_at
from ..roles import Roles
from ..sources.files import SourceFile
from ..sources.json_values import Entry, cell, each_read, is_json, members_of, part
from ..sources.name_grid import common_folder, stem_of, without_ending
from ..tables.number_column import decimals_of
from ..tables.text import decode_text
from .agreement import grid_of_files, kinds_of, other_mean
from .gathered import (
    HEAD_BYTES,
    Gathered,
    Scores,
    Tool,
    average,
    each,
    first_lines,
    left_aside_tool,
)

# What trec_eval prints of a query beside measures: counts, and what only describes the run or the
# judgements.
_NO_MEASURE = re.compile(
    r"runid|num_(q|ret|rel|rel_ret|unj|nonrel_judged_ret|nonjudged_ret)|relstring(_\d+)?"
    r"|prefs_num_.*|ideal_dcg|exact_(relative_)?(unranked_avg_)?(prec|recall)|exact_utility.*"
)
# Of trec_eval, from its version 7 on, and of pytrec_eval.
_TREC_EVAL = re.compile(
    r"(gm_)?(map|bpref)|ap|R-?prec(_mult)?([_.-].*)?|recip_rank|iprec_at_recall_[\d.]+"
    r"|ircl_prn\.[\d.]+|P_?\d+|P_avgjg.*|recall_?\d+|recall|infAP|utility.*|11-?pt_avg(_.*)?"
    r"|(bin)?G(_.*)?|R?ndcg([_.-].*)?|n?dcg\d*|ndcg_(rel|cut_\d+)|map_(cut_\d+|avgjg)"
    r"|relative_P_?\d+|success_?\d+|set_(P|relative_P|recall|map|F).*|prefs_.*|yaap|rbp.*"
    r"|unj_?\d+|Runj",
)
# Of ranx and ir_measures, in either way of writing capitals: "ndcg@10-l2", "P(rel=2)@10".
_AT = re.compile(
    r"(hits|hit_rate|precision|p|recall|r|f1|r-?precision|rprec|mrr|rr|map|ap|dcg|dcg_burges|ndcg"
    r"|ndcg_burges|bpref|rbp(\.\d+)?|success|err|nerr\d*|set(p|r|f|ap)|judged|accuracy|iprec"
    r"|infap|num(ret|rel)|sdcg|inst|bpm|compat|alpha_[\w]*|hit|acc|rank_biased_precision)"
    r"(\([^()\s]*(\([^()]*\))?[^()]*\))?(@[\d.]+)?(-l\d+)?",
    re.IGNORECASE,
)
# Names that every table of scores may have.
_ANYBODYS = re.compile(
    r"acc|accuracy|f1|p|r|g|hit|hits|precision|recall|success|err|compat|inst|set[prf]|utility.*",
    re.IGNORECASE,
)
_LOWER_IS_BETTER = re.compile(r"unj_?\d+|Runj|num_?(q|ret|rel).*", re.IGNORECASE)
# How an average over all queries is told; also with a capital.
_ALL = "all"
# What JSON has where a measure is not defined for a query.
_UNDEFINED = ("NaN", "Infinity", "-Infinity")
# What a dataset is called whose name no file says.
_QUERIES = "queries"


def is_measure(name: str) -> bool:
    """Whether it is the name of a measure, as any of the tools writes it."""
    if _NO_MEASURE.fullmatch(name):
        return False
    return _TREC_EVAL.fullmatch(name) is not None or _AT.fullmatch(name) is not None


def _directions(measures: Iterable[str]) -> dict[str, bool]:
    """Higher is better, but of those that count what should not be."""
    return {measure: _LOWER_IS_BETTER.fullmatch(measure) is None for measure in measures}


@dataclass(slots=True)
class _Run:
    """What one file says of one system."""

    path: str
    system: str = ""
    # By measure, then by query; of all queries the average.
    cells: dict[str, dict[str, str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    # What the judgements alone decide, by its name: equal in all runs on one collection.
    collection: dict[str, str] = field(default_factory=dict)
    # What trec_eval prints that is no score.
    passed: dict[str, None] = field(default_factory=dict)

    @property
    def queries(self) -> list[str]:
        """Every query with a score of its own."""
        return [query for query in self.lines if query != _ALL]

    @property
    def averages(self) -> dict[str, str]:
        """Each measure's average over all queries."""
        return {measure: own[_ALL] for measure, own in self.cells.items() if _ALL in own}

    @property
    def called(self) -> str:
        """What its system is called: as the file says, else as the file itself is."""
        return self.system or stem_of(self.path)

    def put(self, measure: str, query: str, text: str, line: int) -> None:
        """Keep a score; '' where a measure is not defined for a query."""
        self.cells.setdefault(measure, {})[query] = text
        self.lines.setdefault(query, line)

    def scores(self, dataset: str, system: str) -> Scores:
        """A row for each query, or the averages where there is none."""
        queries = self.queries
        if not queries:
            return average(self.path, dataset, system, self.averages, line=self.lines[_ALL])
        return Scores(
            path=self.path,
            dataset=dataset,
            system=system,
            examples=queries,
            columns={
                measure: [cells.get(query, "") for query in queries]
                for measure, cells in self.cells.items()
                if cells.keys() != {_ALL}
            },
            lines=[self.lines[query] for query in queries],
        )


def _name_files(files: Sequence[_Run], found: Gathered) -> list[tuple[str, str]]:
    """Dataset and system of each file by its name; its own name of its system counts more."""
    if any(one.averages for one in files if one.queries):
        found.remarks.append(
            "The rows 'all' are averages over the queries, not a query's score, and are left aside."
        )
    found.remarks += [remark for one in files if (remark := _other_average(one))]
    paths = [file.path for file in files]
    if len(files) == 1:
        return [(_QUERIES, files[0].called)]
    whole = common_folder(paths) or _QUERIES
    # Averages alone are of one dataset by the numbers of their collection.
    kinds = kinds_of([frozenset(o.queries or map(str, o.collection.items())) for o in files])
    try:
        grid = grid_of_files(paths, kinds, whole=whole, answers=found)
    except DataError:
        # Whatever is wrong with the queries shows where examples are matched.
        grid = grid_of_files(paths, [1] * len(files), whole=whole, answers=found)
    pairs, remark = list(grid.pairs), grid.remark
    own = [file.system for file in files]
    if len(grid.datasets) == 1 and all(own) and len(set(own)) == len(own):
        pairs = [(dataset, system) for (dataset, _), system in zip(pairs, own, strict=True)]
        remark = "Each file is read as a system, by the name of the run that stands in it."
    found.settle("name_order", grid.order, *grid.choices, remark)
    return pairs


_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf)", re.I)
# So many lines show whose a file is.
_LINES_SHOWING = 40
_OF_THE_COLLECTION = ("num_q", "num_rel")
_REMEDY = "Write the file again with 'trec_eval -q', or remove what does not belong to it."
_UNSCORED = (
    "Rankings and judgements (qrels) hold no scores: 'trec_eval -q QRELS RUN > RUN.eval' writes one "
    "for each query, as does ranx.evaluate(qrels, run, metrics, return_mean=False) in Python; give "
    "that file of each system."
)
_RUN_LINE = re.compile(
    r"\S+[ \t]+(?i:q?0)[ \t]+\S+[ \t]+-?\d+[ \t]+[+-]?(\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t]+\S+"
)
_JUDGEMENT_LINE = re.compile(r"\S+[ \t]+((?i:q)?0)[ \t]+(\S+)[ \t]+-?\d+")
# What a file is called that somebody keeps judgements in.
_NAMED_JUDGEMENTS = re.compile(r"qrels?\b|qrels?[._-]|judg(e)?ments", re.IGNORECASE)


def _is_printed(file: SourceFile, _: bytes) -> bool:
    rows = [_row(line) for line in _start(file)]
    return len(rows) > 0 and None not in rows


def _start(file: SourceFile) -> list[str]:
    """The first lines of a file that hold something."""
    lines = (line.strip() for line in first_lines(file))
    return list(islice(filter(None, lines), _LINES_SHOWING))


def _row(line: str) -> tuple[str, str, str] | None:
    """Measure, query and value of one line, None where it is no such line."""
    parts = line.split("\t") if "\t" in line else line.split()
    if len(parts) != 3:
        return None
    first, second, value = (part.strip() for part in parts)
    if not first or not second:
        return None
    if _NO_MEASURE.fullmatch(first) or (_TREC_EVAL.fullmatch(first) and _NUMBER.fullmatch(value)):
        return first, second, value
    if "\t" in line and _NUMBER.fullmatch(value) and is_measure(second):
        return second, first, value
    return None


def _gather_printed(files: Sequence[SourceFile], found: Gathered) -> None:
    printed = found.read_each(files, _read)
    by_query = [one for one in printed if one.queries]
    averaged = [one for one in printed if one.lines and not one.queries]
    # Averages beside scores by query are of no use and need no names that fit theirs.
    named = by_query or averaged
    names = _name_files(named, found) if named else ()
    pairs = dict(zip((one.path for one in named), names, strict=True))
    found.scores += [one.scores(*pairs[one.path]) for one in by_query]
    found.scores += [one.scores(*pairs.get(one.path, (_QUERIES, one.called))) for one in averaged]
    found.higher_is_better = _directions(measure for one in printed for measure in one.cells)
    for one in printed:
        if not one.lines:
            found.leave(
                one.path,
                "It holds no measure: run trec_eval with '-q' and a measure, such as '-m map'.",
            )
    passed = list(dict.fromkeys(name for one in printed for name in one.passed if name != "runid"))
    if passed:
        found.remarks.append(
            f"Counts and descriptions that are no scores are left aside: {listed(passed)}."
        )


def _other_average(run: _Run) -> str:
    """A remark on the first average that is not the mean of the file's queries; '' if all are."""
    for measure, said in run.averages.items():
        cells = [cell for query, cell in run.cells[measure].items() if query != _ALL]
        is_mean = "e" not in said.casefold() and not measure.startswith("gm")
        mean = other_mean(cells, said) if is_mean else None
        if mean is not None:
            return (
                f"{quoted(run.path)}: {quoted(measure)} is {said} on average over all queries, but "
                f"{mean:.{decimals_of(said)}f} over the {sum(map(bool, cells)):,} in the file. It "
                "may be cut off, or queries without results count as 0 in the average."
            )
    return ""


def _read(file: SourceFile) -> _Run:
    found = _Run(path=file.name)
    lines = enumerate(decode_text(file.content).text.splitlines(), start=1)
    filled = (Entry(line, "", content) for line, content in lines if content.strip())
    for _ in each_read(filled, lambda entry: _take(found, entry)):
        pass
    return found


def _take(found: _Run, entry: Entry) -> None:
    row = _row(entry.value)
    if row is None:
        raise DataError.of(
            f"The line {quoted(entry.value.strip())} is not a measure, a query and a value, as the "
            "others are.",
            _REMEDY,
        )
    measure, query, value = row
    if measure == "runid":
        found.system = value
    query = _ALL if query.casefold() == _ALL else query
    if measure in _OF_THE_COLLECTION and query == _ALL:
        found.collection[measure] = value
    if _NO_MEASURE.fullmatch(measure):
        found.passed[measure] = None
        return
    if query in found.cells.get(measure, {}):
        raise DataError.of(
            f"{quoted(measure)} of the query {quoted(query)} stands in the file twice.",
            "Give each run a file of its own.",
        )
    # A measure that is not defined for a query has no score there.
    is_defined = value[-1:].isdigit() or math.isfinite(float(value))
    found.put(measure, query, value if is_defined else "", entry.line)


TREC_SCORES = Tool(
    name="scores by query (trec_eval -q)", claims=each(_is_printed), gather=_gather_printed
)


def _claims_runs(files: Sequence[SourceFile], _: Roles) -> list[int]:
    starts = list(map(_start, files))
    runs = [place for place, lines in enumerate(starts) if _all_are(_RUN_LINE, lines)]
    judgements = [
        place
        for place, lines in enumerate(starts)
        if place not in runs
        and _all_are(_JUDGEMENT_LINE, lines)
        and (
            bool(runs)
            or _NAMED_JUDGEMENTS.search(files[place].name) is not None
            # Documents have names with letters, as no table of numbers has.
            or all(re.search("[A-Za-z]", line.split()[2]) for line in lines)
        )
    ]
    return sorted([*runs, *judgements])


def _all_are(pattern: re.Pattern[str], lines: Sequence[str]) -> bool:
    return len(lines) > 0 and all(map(pattern.fullmatch, lines))


TREC_RUNS = left_aside_tool("rankings and judgements (TREC)", _claims_runs, _UNSCORED)


# So many names are those of queries; fewer may as well be datasets, of which these are averages.
_MANY = 30
_NAME = rb'"((?:[^"\\]|\\.)*)"'
_NESTED = re.compile(
    rb"\s*\{\s*" + _NAME + rb"\s*:\s*\{\s*" + _NAME + rb"\s*:\s*(?:-?[0-9]|null|NaN)"
)
_REPORT_NAMES = (b'"metrics"', b'"model_names"', b'"scores"', b'"comparisons"')
_NAMES_IN = re.compile(_NAME + rb"\s*:\s*(\{)?")
_SHAPE = "Write scores by query as {measure: {query: score}} or {query: {measure: score}}."


class _Names(NamedTuple):
    """The names at a file's start: the measures and what they were taken of."""

    measures: frozenset[str]
    n_others: int
    # Whether each measure stands once, with everything that it was taken of inside.
    measures_outside: bool


def _claims_json(files: Sequence[SourceFile], _: Roles) -> list[int]:
    """The positions of reports, and of files with scores of many names by measures of retrieval alone."""
    held: list[int] = []
    measured: dict[int, _Names] = {}
    for position, file in enumerate(files):
        head = file.content[:HEAD_BYTES]
        if is_json(head) and all(name in head for name in _REPORT_NAMES):
            held.append(position)
        elif is_json(head) and (names := _names_in(head)) is not None:
            measured[position] = names
    known = [
        names
        for names in measured.values()
        if names.n_others >= _MANY
        and not all(map(_ANYBODYS.fullmatch, names.measures))
        # One file with a system or a query each alone is a table like others.
        and (names.measures_outside or len(measured) > 1)
    ]
    # A shorter file is of the same kind as those that its measures stand in as well.
    held += [
        position
        for position, own in measured.items()
        if any(
            own.measures & names.measures and own.measures_outside == names.measures_outside
            for names in known
        )
    ]
    return sorted(held)


def _names_in(head: bytes) -> _Names | None:
    """The names at a file's start, None where none of them is a measure's."""
    if _NESTED.match(head) is None:
        return None
    found: tuple[set[str], set[str]] = (set(), set())
    for name, opens in _NAMES_IN.findall(head):
        found[0 if opens else 1].add(name.decode("utf-8", "replace"))
    outer, inner = found
    outer_are, inner_are = (
        len(names) > 0 and all(is_measure(n) or _NO_MEASURE.fullmatch(n) for n in names)
        for names in found
    )
    measures, others = (outer, inner) if outer_are else (inner, outer)
    if outer_are == inner_are or not any(map(is_measure, measures)):
        return None
    return _Names(frozenset(measures), len(others), outer_are)


def _gather_json(files: Sequence[SourceFile], found: Gathered) -> None:
    runs: list[_Run] = []
    compared: list[str] = []

    def take(file: SourceFile) -> None:
        members = members_of(decode_text(file.content).text, _SHAPE)
        # ranx.Report.save writes averages of each system, with comparisons.
        if not any(one.key == "model_names" and isinstance(one.value, list) for one in members):
            runs.append(_by_query(file, members))
            return
        found.scores.extend(_report(file, members))
        if any(part(member.value).get("comparisons") for member in members):
            compared.append(file.name)

    found.read_each(files, take)
    pairs = _name_files(runs, found) if runs else ()
    found.scores += [run.scores(*pair) for run, pair in zip(runs, pairs, strict=True)]
    found.higher_is_better = _directions(m for one in found.scores for m in one.columns)
    if compared:
        found.remarks.append(
            f"The p-values in ranx's 'comparisons' are not read: {listed(compared)}. The scores are "
            "read as averages; for tests, give the scores by query, or a table with the p-values of "
            "one pair of systems."
        )


def _report(file: SourceFile, members: Sequence[Entry]) -> Iterator[Scores]:
    named = {member.key: member for member in members}
    systems = named["model_names"]
    for system in map(str, systems.value):
        member = named.get(system, Entry(systems.line, system, None))
        scores = part(member.value).get("scores")
        if not isinstance(scores, dict):
            what = f"The report names the system {quoted(system)} and holds no scores of it."
            raise DataError.of(what, _SHAPE, line=systems.line)
        cells = {measure: cell(score) or "" for measure, score in scores.items()}
        yield average(file.name, without_ending(file.name), system, cells, line=member.line)


def _by_query(file: SourceFile, members: Sequence[Entry]) -> _Run:
    """The scores of a file, in either order of its names."""
    outer_are_measures = all(is_measure(member.key) for member in members)
    run = _Run(path=file.name)
    problems: list[Problem] = []
    for line, outer, own in members:
        if not isinstance(own, dict):
            problems.append(Problem(f"{quoted(outer)} holds no scores by name.", _SHAPE, line=line))
            continue
        for inner, score in own.items():
            measure, query = (outer, inner) if outer_are_measures else (inner, outer)
            text = cell(score)
            if text is None:
                what = f"{quoted(measure)} of the query {quoted(query)} is no number."
                problems.append(Problem(what, _SHAPE, line=line))
            elif not _NO_MEASURE.fullmatch(measure):
                run.put(measure, query.strip(), "" if text in _UNDEFINED else text, line)
    stop_at(problems)
    return run


PER_QUERY_JSON = Tool(
    name="scores by query (JSON of ranx or pytrec_eval)",
    claims=_claims_json,
    gather=_gather_json,
)
