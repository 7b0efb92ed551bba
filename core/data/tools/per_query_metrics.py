"""Names of measures of retrieval, as the tools that evaluate it write them."""

from __future__ import annotations

import re

# What trec_eval prints of a query beside measures: counts, and what only describes the run or the
# judgements.
_NO_MEASURE = re.compile(
    r"runid|num_(q|ret|rel|rel_ret|unj|nonrel_judged_ret|nonjudged_ret)|relstring(_\d+)?"
    r"|prefs_num_.*|ideal_dcg|exact_.*"
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


def lower_is_better(name: str) -> bool:
    """Whether the measure counts what should not be."""
    return _LOWER_IS_BETTER.fullmatch(name) is not None
