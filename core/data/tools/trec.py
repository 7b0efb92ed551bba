"""Scores by query: what tools of retrieval have in common, and files of trec_eval and ir_measures.

Rankings and judgements hold no scores; they are named, with the command that scores them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...errors import DataError, Problem
from ..sources.given import SourceFile
from ..sources.name_grid import common_folder, find_grid, stems_of, without_ending
from ..tables.text import decode_text
from ..words import listed, quoted
from .gathered import HEAD_BYTES, Averages, Gathered, Scores, Tool

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
# Names that nothing but a measure of retrieval has: those with a depth, and trec_eval's own.
_PLAIN = re.compile(
    r"[^@]+@[\d.]+(-l\d+)?|(nd?cg|map)_cut_\d+|iprec_at_recall_[\d.]+|ircl_prn\.[\d.]+|recip_rank"
    r"|gm_(map|bpref)|set_(P|recall|map|F)(_.*)?|P_\d+|recall_\d+|success_\d+|11-?pt_avg(_.*)?",
    re.IGNORECASE,
)
# Names that every table of scores may have.
_ANYBODYS = re.compile(
    r"acc|accuracy|f1|p|r|g|hit|hits|precision|recall|success|err|compat|inst|set[prf]|utility.*",
    re.IGNORECASE,
)
_USUAL_IN_TABLES = re.compile(r"acc|accuracy|f1|p|r|hit", re.IGNORECASE)
_LOWER_IS_BETTER = re.compile(r"unj_?\d+|Runj|num_?(q|ret|rel).*", re.IGNORECASE)
ALL_QUERIES = ("all", "All")
# What a dataset is called whose name no file says.
QUERIES = "queries"
# Two systems on one dataset share at least this share of the queries of the shorter file.
_SHARED = 0.5


def is_trec_name(name: str) -> bool:
    """Whether trec_eval calls something so in its first column."""
    return _NO_MEASURE.fullmatch(name) is not None or _TREC_EVAL.fullmatch(name) is not None


def is_measure(name: str) -> bool:
    """Whether it is the name of a measure, as any of the tools writes it."""
    if _NO_MEASURE.fullmatch(name):
        return False
    return _TREC_EVAL.fullmatch(name) is not None or _AT.fullmatch(name) is not None


def is_no_measure(name: str) -> bool:
    """Whether trec_eval prints it beside measures, without its being a score."""
    return _NO_MEASURE.fullmatch(name) is not None


def is_plain_measure(name: str) -> bool:
    """Whether a name can be nothing else than that of a measure of retrieval."""
    return _PLAIN.fullmatch(name) is not None and is_measure(name)


def is_anybodys(name: str) -> bool:
    """Whether a measure's name says nothing of retrieval, as 'precision' without a depth."""
    return _ANYBODYS.fullmatch(name) is not None


def is_usual_in_tables(name: str) -> bool:
    """Whether it is so usual a heading that it tells nothing of who wrote a file."""
    return _USUAL_IN_TABLES.fullmatch(name) is not None


def lower_is_better(name: str) -> bool:
    """Whether the measure counts what should not be."""
    return _LOWER_IS_BETTER.fullmatch(name) is not None


@dataclass(slots=True)
class QueryScores:
    """One system's scores by query, while its file is read."""

    path: str
    system: str = ""
    # By measure, then by query.
    cells: dict[str, dict[str, str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def queries(self) -> frozenset[str]:
        """What the file is of, by which files of one dataset are known."""
        return frozenset(self.lines)

    @property
    def called(self) -> str:
        """What its system is called: as the file says, else as the file itself is."""
        return self.system or stem(self.path)

    def scores(self, dataset: str, system: str) -> Scores:
        """A row for each query, of a dataset and a system of these names."""
        queries = list(self.lines)
        return Scores(
            path=self.path,
            dataset=dataset,
            system=system,
            examples=queries,
            columns={
                measure: [cells.get(query, "") for query in queries]
                for measure, cells in self.cells.items()
            },
            lines=list(self.lines.values()),
        )


def stem(path: str) -> str:
    """A file's name without folders and ending."""
    return without_ending(path.rpartition("/")[2])


def name_files(files: Sequence[QueryScores], found: Gathered) -> list[tuple[str, str]]:
    """Dataset and system of each file by its name; its own name of its system counts more.

    Raises
    ------
    DataError
        If the names do not tell which file is which.
    """
    paths = [file.path for file in files]
    if len(files) == 1:
        return [(QUERIES, files[0].system or stem(paths[0]))]
    stems = stems_of(paths)
    whole = common_folder(paths) or QUERIES
    order = found.given.get("name_order")
    try:
        grid = find_grid(stems, _kinds(files), whole=whole, order=order)
    except DataError:
        # Whatever is wrong with the queries shows where examples are matched.
        grid = find_grid(stems, [1] * len(files), whole=whole, order=order)
    by_place = {place: pair for pair, place in grid.places.items()}
    pairs = [by_place[position] for position in range(len(files))]
    own = [file.system for file in files]
    remark = grid.remark
    if len(grid.datasets) == 1 and all(own) and len(set(own)) == len(own):
        pairs = [(dataset, system) for (dataset, _), system in zip(pairs, own, strict=True)]
        remark = "Each file is read as a system, by the name of the run that stands in it."
    found.settle("name_order", grid.order, *grid.choices, remark)
    return pairs


def _kinds(files: Sequence[QueryScores]) -> list[int]:
    """A number for each file, the same for files that share most of their queries."""
    kinds: list[int] = []
    firsts: list[frozenset[str]] = []
    for file in files:
        for kind, queries in enumerate(firsts, start=1):
            shorter = min(len(queries), len(file.queries))
            if len(queries & file.queries) > _SHARED * shorter:
                kinds.append(kind)
                break
        else:
            firsts.append(file.queries)
            kinds.append(len(firsts))
    return kinds


KIND = "scores by query (trec_eval -q)"
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(nan|inf)", re.I)
# So many lines show whose a file is.
_LINES_LOOKED_AT = 40
_MOST_PROBLEMS = 20
_OF_THE_COLLECTION = ("num_q", "num_rel")
_REMEDY = "Write the file again with 'trec_eval -q', or remove what does not belong to it."
RUN = "ranking of documents (TREC run)"
JUDGEMENTS = "judgements of documents (qrels)"
_RUN_LINE = re.compile(
    r"\S+[ \t]+(?i:q?0)[ \t]+\S+[ \t]+-?\d+[ \t]+[+-]?(\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t]+\S+"
)
_JUDGEMENT_LINE = re.compile(r"\S+[ \t]+((?i:q)?0)[ \t]+(\S+)[ \t]+-?\d+")
# What a file is called that somebody keeps judgements in.
_NAMED_JUDGEMENTS = re.compile(r"qrels?\b|qrels?[._-]|judg(e)?ments", re.IGNORECASE)


@dataclass(slots=True)
class _Printed(QueryScores):
    """What one file holds."""

    averages: dict[str, str] = field(default_factory=dict)
    first_average: int = 1
    # What the judgements alone decide, by its name: equal in all runs on one collection.
    collection: dict[str, str] = field(default_factory=dict)
    passed: dict[str, None] = field(default_factory=dict)

    @property
    def queries(self) -> frozenset[str]:
        """Where the file holds averages alone, their collection's numbers stand for queries."""
        return frozenset(self.lines) or frozenset(map(str, self.collection.items()))


def _is_of(file: SourceFile, head: bytes) -> bool:
    if b"\x00" in head or head[:2] == b"PK":
        return False
    lines = head.decode("utf-8", "replace").splitlines()
    if len(lines) > 1 and len(file.content) > len(head):
        lines.pop()
    looked_at = [line for line in lines if line.strip()][:_LINES_LOOKED_AT]
    rows = [_row(line) for line in looked_at]
    return len(rows) > 0 and all(row is not None for row in rows)


def _row(line: str) -> tuple[str, str, str] | None:
    """Measure, query and value of one line, None where it is no such line."""
    parts = line.split("\t") if "\t" in line else line.split()
    if len(parts) != 3:
        return None
    first, second, value = (part.strip() for part in parts)
    if not first or not second:
        return None
    if is_trec_name(first) and (_NUMBER.fullmatch(value) or is_no_measure(first)):
        return first, second, value
    if "\t" in line and _NUMBER.fullmatch(value) and is_measure(second):
        return second, first, value
    return None


def _gather(files: Sequence[SourceFile], found: Gathered) -> None:
    printed = found.read_each(files, _read)
    by_query = [one for one in printed if one.cells]
    averaged = [one for one in printed if not one.cells and one.averages]
    # Averages beside scores by query are of no use and need no names that fit theirs.
    named = by_query or averaged
    pairs = dict(
        zip((one.path for one in named), name_files(named, found) if named else (), strict=True)
    )
    found.scores += [one.scores(*pairs[one.path]) for one in by_query]
    found.averages += [
        Averages(path=one.path, dataset=dataset, system=system, scores=one.averages, line=line)
        for one in averaged
        for dataset, system in [pairs.get(one.path, (QUERIES, one.called))]
        for line in [one.first_average]
    ]
    found.higher_is_better = {
        measure: not lower_is_better(measure)
        for one in printed
        for measure in (*one.cells, *one.averages)
    }
    for one in printed:
        if not one.cells and not one.averages:
            found.leave(
                one.path,
                "It holds no measure: run trec_eval with '-q' and a measure, such as '-m map'.",
            )
    found.remarks += _remarks(printed)


def _read(file: SourceFile) -> _Printed:
    found = _Printed(path=file.name)
    problems: list[Problem] = []
    text = decode_text(file.content).text
    for line, content in enumerate(text.splitlines(), start=1):
        if not content.strip():
            continue
        row = _row(content)
        if row is None:
            problems.append(
                Problem(
                    f"The line {quoted(content.strip())} is not a measure, a query and a "
                    "value, as the others are.",
                    _REMEDY,
                    line=line,
                )
            )
        else:
            problems.extend(_take(found, *row, line))
        if len(problems) >= _MOST_PROBLEMS:
            break
    if problems:
        raise DataError(problems)
    return found


def _take(found: _Printed, measure: str, query: str, value: str, line: int) -> Iterable[Problem]:
    if measure == "runid":
        found.system = value
    if measure in _OF_THE_COLLECTION and query in ALL_QUERIES:
        found.collection[measure] = value
    if is_no_measure(measure):
        found.passed[measure] = None
        return
    is_average = query in ALL_QUERIES
    held = found.averages if is_average else found.cells.setdefault(measure, {})
    key = measure if is_average else query
    if key in held:
        yield Problem(
            f"{quoted(measure)} of the query {quoted(query)} stands in the file twice.",
            "Give each run a file of its own.",
            line=line,
        )
        return
    # A measure that is not defined for a query has no score there.
    held[key] = value if value[-1:].isdigit() or math.isfinite(float(value)) else ""
    if not is_average:
        found.lines.setdefault(query, line)
    elif len(held) == 1:
        found.first_average = line


def _remarks(printed: Sequence[_Printed]) -> list[str]:
    remarks = []
    n_averages = sum(bool(one.averages and one.cells) for one in printed)
    if n_averages:
        remarks.append(
            "The rows 'all' are averages over the queries, not a query's score, and are left aside."
        )
    passed = list(dict.fromkeys(name for one in printed for name in one.passed if name != "runid"))
    if passed:
        remarks.append(
            f"Counts and descriptions that are no scores are left aside: {listed(passed)}."
        )
    return remarks


TREC_SCORES = Tool(name=KIND, is_of=_is_of, gather=_gather)


def _claims(files: Sequence[SourceFile]) -> list[int]:
    runs = [position for position, file in enumerate(files) if _all_lines(file, _RUN_LINE)]
    judgements = [
        position
        for position, file in enumerate(files)
        if position not in runs
        and _all_lines(file, _JUDGEMENT_LINE)
        and (bool(runs) or _NAMED_JUDGEMENTS.search(file.name) is not None or _has_words(file))
    ]
    return sorted([*runs, *judgements])


def _all_lines(file: SourceFile, pattern: re.Pattern[str]) -> bool:
    """Whether every line at a file's start is of this kind."""
    lines = _start(file)
    return len(lines) > 0 and all(pattern.fullmatch(line) for line in lines)


def _start(file: SourceFile) -> list[str]:
    head = file.content[:HEAD_BYTES]
    if b"\x00" in head:
        return []
    lines = head.decode("utf-8", "replace").splitlines()
    if len(lines) > 1 and len(file.content) > len(head):
        lines.pop()
    return [line.strip() for line in lines if line.strip()][:_LINES_LOOKED_AT]


def _has_words(file: SourceFile) -> bool:
    """Whether documents have names with letters, as no table of numbers has."""
    found = [_JUDGEMENT_LINE.fullmatch(line) for line in _start(file)]
    return all(one is not None and re.search("[A-Za-z]", one[2]) for one in found)


def _gather_runs(files: Sequence[SourceFile], found: Gathered) -> None:
    """Nothing but what each file is, and how it becomes scores."""
    runs = [file for file in files if _all_lines(file, _RUN_LINE)]
    judgements = [file for file in files if file not in runs]
    for file in files:
        is_run = file in runs
        found.leave(
            file.name,
            _run_reason(file, judgements) if is_run else _judgement_reason(runs),
            content=_content(file, is_run=is_run),
            kind=RUN if is_run else JUDGEMENTS,
        )


def _content(file: SourceFile, *, is_run: bool) -> str:
    lines = [line.split(None, 1)[0] for line in file.content.splitlines() if line.strip()]
    n, n_queries = len(lines), len(set(lines))
    what = "ranked documents" if is_run else "judgements"
    return f"{n:,} {what}, {n_queries:,} quer{'y' if n_queries == 1 else 'ies'}"


def _run_reason(file: SourceFile, judgements: Sequence[SourceFile]) -> str:
    qrels = judgements[0].name if len(judgements) == 1 else "QRELS"
    where = (
        "with the judgements beside it"
        if len(judgements) == 1
        else "with the judgements (qrels) of its collection, in a file QRELS,"
    )
    scores = f"{without_ending(file.name)}.eval"
    return (
        f"A ranking has no score before it is judged: {where} "
        f"'trec_eval -q {qrels} {file.name} > {scores}' writes one for each query, as does "
        "ranx.evaluate(qrels, run, metrics, return_mean=False) in Python; give that file."
    )


def _judgement_reason(runs: Sequence[SourceFile]) -> str:
    if runs:
        return "Judgements say which documents are right; they are no result of a system."
    return (
        "Judgements say which documents are right; they are no result of a system. Give what "
        "'trec_eval -q' prints for each system's run."
    )


TREC_RUNS = Tool(
    name="rankings and judgements (TREC)",
    is_of=lambda file, head: False,
    gather=_gather_runs,
    claims=_claims,
)
