"""What tools of retrieval have in common: names of measures, and which dataset and system a file is of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...errors import DataError
from ..sources.name_grid import common_folder, find_grid, stems_of, without_ending
from .gathered import Gathered, Scores

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
