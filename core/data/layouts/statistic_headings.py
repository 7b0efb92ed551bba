"""Which columns hold the counts that a metric is computed from: by their headings.

Vocabulary
----------
family
    Metrics of the same counts: F1, precision and recall have one.
rest
    What a heading has beside the name of its counts: the system ("tp_bert"),
    or the metric ("uas_correct").
shared
    Counts of the gold standard, which hold for every system.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.data.layouts.heading_parts import first_part, last_part, rest_beside
from core.data.tables.columns import folded
from core.metrics.registry import STATISTIC_METRICS

# A row, or a system's part of it, with the metric it is of ('' where only one is).
Side = tuple[str, str]

# Counts of words may stand beside 0/1 scores as a sentence's length.
_LENGTHS = ("n tokens", "num tokens", "tokens", "n words", "num words", "words")
_METRIC_WORDS = {
    word.casefold(): word
    for word in ("UAS", "LAS", "CLAS", "MLAS", "BLEX", "UPOS", "XPOS", "POS", "UFeats", "EM")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Metrics that are computed from the same counts.

    Attributes
    ----------
    kinds : tuple of str
        Kinds in `core.metrics.registry`; the first is the default.
    phrases : mapping of str to tuple of str
        For each of the registry's statistics, in its order, the words by which
        a heading names it.
    shared : frozenset of str
        Statistics that one column may hold for every system.
    signs : tuple of str
        Statistics that together show the family.
    """

    kinds: tuple[str, ...]
    phrases: Mapping[str, tuple[str, ...]]
    shared: frozenset[str] = frozenset()
    signs: tuple[str, ...]

    @property
    def statistics(self) -> tuple[str, ...]:
        """The registry's statistics, in its order."""
        return STATISTIC_METRICS[self.kinds[0]].statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCounts:
    """The columns of one family.

    Attributes
    ----------
    family : Family
        Whose counts they are.
    columns : mapping of (metric, system) to mapping of statistic to column
        Metric and system are '' where the headings name none.
    """

    family: Family
    columns: Mapping[Side, Mapping[str, str]] = field(default_factory=dict)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that headings name, each once."""
        return tuple(dict.fromkeys(metric for metric, _ in self.columns))

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that headings name, each once."""
        return tuple(dict.fromkeys(system for _, system in self.columns))


def _ordered(*phrases: str) -> tuple[str, ...]:
    """Longer ones first: a heading "n correct" names no system "n"."""
    return tuple(sorted(phrases, key=len, reverse=True))


def _numbered(*words: str) -> dict[int, tuple[str, ...]]:
    return {order: _ordered(*(f"{word} {order}" for word in words)) for order in range(1, 5)}


_MATCHES = _numbered("match", "matches", "ngram match", "ngram matches", "correct", "counts")
_TOTALS = _numbered("total", "totals", "ngram total", "ngram totals")

RATIO = Family(
    kinds=("ratio",),
    phrases={
        "correct": _ordered(
            "correct", "n correct", "num correct", "correct tokens", "correct words", "n right"
        ),
        "total": _ordered("total", "totals", "n total", "total tokens", "total words", *_LENGTHS),
    },
    shared=frozenset({"total"}),
    signs=("correct", "total"),
)
F_MEASURE = Family(
    kinds=("f1", "precision", "recall"),
    phrases={
        "tp": _ordered("tp", "n tp", "true positives", "true positive"),
        "fp": _ordered("fp", "n fp", "false positives", "false positive"),
        "fn": _ordered("fn", "n fn", "false negatives", "false negative"),
    },
    signs=("tp", "fp"),
)
AER = Family(
    kinds=("aer",),
    phrases={
        "in_sure": _ordered("in sure", "matched sure", "sure matched", "hits sure", "sure hits"),
        "in_possible": _ordered(
            "in possible", "matched possible", "possible matched", "hits possible", "possible hits"
        ),
        "n_proposed": _ordered(
            "proposed", "n proposed", "proposed links", "links", "n links", "alignments"
        ),
        "n_sure": _ordered("sure", "n sure", "sure links", "total sure", "gold sure"),
    },
    shared=frozenset({"n_sure"}),
    signs=("in_sure", "in_possible"),
)
BLEU = Family(
    kinds=("bleu",),
    phrases={
        "sys_len": _ordered("sys len", "sys length", "hyp len", "hyp length", "hypothesis length"),
        "ref_len": _ordered("ref len", "ref length", "reference length"),
        **{f"match{order}": phrases for order, phrases in _MATCHES.items()},
        **{f"total{order}": phrases for order, phrases in _TOTALS.items()},
    },
    shared=frozenset({"ref_len"}),
    signs=("match1", "total1"),
)
# Their statistics are headings themselves: with the metric's name first, so that no other
# family takes them for its own.
CHRF, TER = (
    Family(
        kinds=(kind,),
        phrases={name: (name.replace("_", " "),) for name in STATISTIC_METRICS[kind].statistics},
        signs=signs,
    )
    for kind, signs in (("chrf", ("chrf_char1_sys", "chrf_char1_match")), ("ter", ("ter_edits",)))
)
# BLEU first: "total1" is no total of a system "1" where lengths stand beside it.
FAMILIES = (BLEU, CHRF, TER, AER, F_MEASURE, RATIO)


def find_counts(
    header: Sequence[str], *, taken: Collection[str], in_rows: bool
) -> tuple[FoundCounts, ...]:
    """The columns of counts, by family; () where no family shows.

    Parameters
    ----------
    header : sequence of str
        The file's columns.
    taken : collection of str
        Columns with another role.
    in_rows : bool
        Whether a column names the system of each row, so that headings do not.
    """
    found = []
    free = [column for column in header if column not in taken]
    for family in FAMILIES:
        counts = _family_columns(family, free, in_rows=in_rows)
        held = {name for named in counts.columns.values() for name in named}
        if not held.issuperset(family.signs):
            continue
        if family is BLEU and not held & {"sys_len", "ref_len", "match4"}:
            # "correct_1" and "total_1" alone are of a system "1".
            continue
        used = {column for named in counts.columns.values() for column in named.values()}
        free = [column for column in free if column not in used]
        found.append(counts)
    return tuple(found)


def is_length(column: str) -> bool:
    """Whether a column of totals may be no more than the example's length."""
    return any(rest_beside(column.strip(), phrase) is not None for phrase in _LENGTHS)


def _family_columns(family: Family, free: Sequence[str], *, in_rows: bool) -> FoundCounts:
    # Of several phrases that fit the longest names the column: "n sure", "in sure".
    held: dict[str, dict[Side, str]] = {name: {} for name in family.statistics}
    for column in free:
        fits = [
            (len(phrase), name, rest)
            for name, phrases in family.phrases.items()
            for phrase in phrases
            if (rest := _rest_or_metric(column, phrase, family, in_rows=in_rows)) is not None
        ]
        if fits:
            _, name, side = max(fits, key=lambda fit: fit[0])
            held[name].setdefault(side, column)
    own = [side for name in family.statistics if name not in family.shared for side in held[name]]
    # "Bert" and "bert" in two headings of one file are one system.
    spelled: dict[tuple[str, str], Side] = {}
    for side in own:
        spelled.setdefault((folded(side[0]), folded(side[1])), side)
    columns: dict[Side, dict[str, str]] = {}
    for key, side in spelled.items():
        columns[side] = {}
        for name in family.statistics:
            by_key = {(folded(m), folded(s)): column for (m, s), column in held[name].items()}
            shared = (key, (key[0], ""), ("", key[1]), ("", ""))
            for place in shared if name in family.shared else (key,):
                if place in by_key:
                    columns[side][name] = by_key[place]
                    break
    return FoundCounts(family=family, columns=columns)


def _rest_or_metric(column: str, phrase: str, family: Family, *, in_rows: bool) -> Side | None:
    """The metric and the system that a heading names beside a phrase; None if it has not the phrase."""
    if family is not RATIO:
        rest = rest_beside(column.strip(), phrase)
        return None if rest is None else ("", rest) if not in_rows else (rest, "")
    metric, bare = _without_metric(column)
    rest = rest_beside(bare.strip(), phrase)
    if rest is None:
        return None
    if not metric:
        metric, rest = _without_metric(rest)
    if in_rows:
        return (metric or rest, "")
    return (metric, rest)


def _without_metric(text: str) -> tuple[str, str]:
    """A word for a metric at either end of a text, and the text without it."""
    known = _METRIC_WORDS.get(text.casefold())
    if known is not None:
        return known, ""
    word, rest = first_part(text)
    if rest and word.casefold() in _METRIC_WORDS:
        return _METRIC_WORDS[word.casefold()], rest
    rest, word = last_part(text)
    if rest and word.casefold() in _METRIC_WORDS:
        return _METRIC_WORDS[word.casefold()], rest
    return "", text
