"""Names of measures of retrieval, as the tools that evaluate it write them."""

from __future__ import annotations

import re

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
