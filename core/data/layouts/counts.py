"""Counts that metrics are computed from: which columns hold them, and what their cells say.

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

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from ...errors import quoted
from ...metrics.registry import STATISTIC_METRICS
from ...types import BoolArray, FloatArray
from ..tables.cutting import WHITE_SPACE
from ..tables.headings import folded
from ..tables.number_column import NumberColumn, numbers_of
from ..tables.numbers import UnreadableNumber, grouping_remark, read_number, without_thousands
from ..tables.raw_table import RawTable
from .per_example import ExampleFindings
from .row_units import nothing_texts
from .score_cells import refuse_texts

_SEPARATOR = re.compile(r"[\s_.:/-]")
_SEPARATORS = f"{WHITE_SPACE}_.:/-"
_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
# Before and behind a phrase: an end, or what stands apart, be it by capitals alone ("correctA").
_BEFORE = r"(?:^|(?<=[\s_.:/\-()\[\]])|(?<![A-Z])(?=[A-Z]))"
_BEHIND = r"(?:$|(?=[\s_.:/\-()\[\]])|(?<![A-Z])(?=[A-Z]))"


@lru_cache(maxsize=1 << 10)
def _pattern(phrase: str) -> re.Pattern[str]:
    """The words of a phrase, with spaces, "_", "." and "-" between them or nothing."""
    words = r"[\s_.\-]*".join(map(re.escape, phrase.split()))
    return re.compile(rf"^(?i:{words}){_BEHIND}|{_BEFORE}(?i:{words})$")


def rest_beside(text: str, phrase: str) -> str | None:
    """What a heading has before or after a phrase, '' for the phrase alone; None without it.

    Between the two stand separators, brackets or a change to capitals.
    """
    for found in _pattern(phrase).finditer(text):
        before, after = text[: found.start()], text[found.end() :]
        inside = _IN_BRACKETS.fullmatch(after.strip())
        rest = inside[1] if inside else before.rstrip(_SEPARATORS) or after.lstrip(_SEPARATORS)
        if rest.strip() or not (before or after):
            return rest.strip()
    return None


# A row, or a system's part of it, with the metric it is of ('' where only one is).
Side = tuple[str, str]

# Counts of words may accompany 0/1 scores as a sentence's length.
_LENGTHS = "n tokens, num tokens, tokens, n words, num words, words"
_METRIC_WORDS = {
    word.casefold(): word
    for word in ("UAS", "LAS", "CLAS", "MLAS", "BLEX", "UPOS", "XPOS", "POS", "UFeats", "EM")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Metrics that are computed from the same counts."""

    # Kinds in `metrics.registry`; the first is the default.
    kinds: tuple[str, ...]
    # For each of the registry's statistics the words by which a heading names it, with commas
    # between them.
    phrases: Mapping[str, str]
    # Statistics that one column may hold for every system.
    shared: frozenset[str] = frozenset()
    # Statistics that together show the family.
    signs: tuple[str, ...]

    @property
    def statistics(self) -> tuple[str, ...]:
        """The registry's statistics, in its order."""
        return STATISTIC_METRICS[self.kinds[0]].statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedMetric:
    """One metric and the counts that it is computed from."""

    name: str
    # In `metrics.registry`.
    kind: str
    family: Family
    # What the headings call it, '' where they name no metric.
    label: str
    # For each system, '' where the headings name none, the column of each statistic.
    columns: Mapping[str, Mapping[str, str]]


_MATCHES = ("match", "matches", "ngram match", "ngram matches", "correct", "counts")
_TOTALS = ("total", "totals", "ngram total", "ngram totals")

RATIO = Family(
    kinds=("ratio",),
    phrases={
        "correct": "correct, n correct, num correct, correct tokens, correct words, n right",
        "total": f"total, totals, n total, total tokens, total words, {_LENGTHS}",
    },
    shared=frozenset({"total"}),
    signs=("correct", "total"),
)
F_MEASURE = Family(
    kinds=("f1", "precision", "recall"),
    phrases={
        "tp": "tp, n tp, true positives, true positive",
        "fp": "fp, n fp, false positives, false positive",
        "fn": "fn, n fn, false negatives, false negative",
    },
    signs=("tp", "fp"),
)
AER = Family(
    kinds=("aer",),
    phrases={
        "in_sure": "in sure, matched sure, sure matched, hits sure, sure hits",
        "in_possible": "in possible, matched possible, possible matched, hits possible, possible hits",
        "n_proposed": "proposed, n proposed, proposed links, links, n links, alignments",
        "n_sure": "sure, n sure, sure links, total sure, gold sure",
    },
    shared=frozenset({"n_sure"}),
    signs=("in_sure", "in_possible"),
)
BLEU = Family(
    kinds=("bleu",),
    phrases={
        "sys_len": "sys len, sys length, hyp len, hyp length, hypothesis length",
        "ref_len": "ref len, ref length, reference length",
        **{f"match{n}": ", ".join(f"{word} {n}" for word in _MATCHES) for n in range(1, 5)},
        **{f"total{n}": ", ".join(f"{word} {n}" for word in _TOTALS) for n in range(1, 5)},
    },
    shared=frozenset({"ref_len"}),
    signs=("match1", "total1"),
)
# Their statistics are headings themselves: with the metric's name first, so that no other
# family takes them for its own.
CHRF, TER = (
    Family(
        kinds=(kind,),
        phrases={name: name.replace("_", " ") for name in STATISTIC_METRICS[kind].statistics},
        signs=signs,
    )
    for kind, signs in (("chrf", ("chrf_char1_sys", "chrf_char1_match")), ("ter", ("ter_edits",)))
)
# BLEU first: "total1" is no total of a system "1" where there are lengths as well.
FAMILIES = (BLEU, CHRF, TER, AER, F_MEASURE, RATIO)


def find_counts(
    header: Sequence[str], *, taken: Collection[str], in_rows: bool
) -> list[CountedMetric]:
    """The metrics of the columns of counts, by family; `in_rows` headings name no systems."""
    found = []
    free = [column for column in header if column not in taken]
    for family in FAMILIES:
        columns = _family_columns(family, free, in_rows=in_rows)
        held = {name for named in columns.values() for name in named}
        if not held.issuperset(family.signs):
            continue
        if family is BLEU and not held & {"sys_len", "ref_len", "match4"}:
            # "correct_1" and "total_1" alone are of a system "1".
            continue
        used = {column for named in columns.values() for column in named.values()}
        free = [column for column in free if column not in used]
        for label in dict.fromkeys(label for label, _ in columns):
            own = {system: named for (of, system), named in columns.items() if of == label}
            for kind in family.kinds:
                name = STATISTIC_METRICS[kind].name
                if label:
                    name = label if kind == "ratio" else f"{label} {name}"
                found.append(
                    CountedMetric(name=name, kind=kind, family=family, label=label, columns=own)
                )
    return found


def is_length(column: str) -> bool:
    """Whether a column of totals may be no more than the example's length."""
    return any(rest_beside(column.strip(), phrase) is not None for phrase in _LENGTHS.split(", "))


def _family_columns(
    family: Family, free: Sequence[str], *, in_rows: bool
) -> dict[Side, dict[str, str]]:
    """For each metric and system the column of each statistic."""
    # Of several phrases that fit the longest names the column: "n sure", "in sure".
    held: dict[str, dict[Side, str]] = {name: {} for name in family.statistics}
    for column in free:
        fits = [
            (len(phrase), name, rest)
            for name, phrases in family.phrases.items()
            for phrase in phrases.split(", ")
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
    return columns


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
    words = _SEPARATOR.split(text)
    for word, rest in (
        (text, ""),
        (words[0], text[len(words[0]) :].lstrip(_SEPARATORS)),
        (words[-1], text[: len(text) - len(words[-1])].rstrip(_SEPARATORS)),
    ):
        known = _METRIC_WORDS.get(word.casefold())
        if known is not None and (rest or word == text):
            return known, rest
    return "", text


GIVE_COUNT = "Give the count, or leave this example out for every system."
# Beyond it floats skip whole numbers.
_LARGEST = 2.0**53


def read_counts(
    found: ExampleFindings,
    column: str,
    *,
    missing_allowed: bool = False,
    remedy: str = GIVE_COUNT,
) -> FloatArray:
    """One column's counts; nan, and a problem, where a cell holds none and may not be missing."""
    numbers = numbers_of(found.raw, column)
    wrong = _wrong_texts(numbers)
    told = wrong & ~nothing_texts(numbers.coded) if missing_allowed and wrong.any() else wrong

    def explain(text: str) -> tuple[str, str]:
        try:
            number = read_number(text, decimal_comma=True).value
        except UnreadableNumber:
            return f"{quoted(text)} is not a count.", "Give a whole number such as 12."
        if number < 0:
            return f"{quoted(text)} is below 0.", "A count is 0 or more."
        if number > _LARGEST:
            return f"{quoted(text)} is out of range.", "Give a whole number such as 12."
        return (
            f"{quoted(text)} is not a whole number.",
            "Give counts of whole things; weighted counts and averages are none.",
        )

    refuse_texts(found, column, numbers, told, explain, of="count", give=remedy)
    values = _whole_values(numbers)
    places = np.flatnonzero(~wrong & (values != numbers.text_values))
    if places.size:
        texts = numbers.coded.array.take(pa.array(places)).to_pylist()
        remark = grouping_remark(column, texts, values[places].tolist())
        found.remarks += [remark] if remark not in found.remarks else []
    counts: FloatArray = np.where(wrong, np.nan, values)[numbers.coded.codes]
    return counts


def are_counts(raw: RawTable, column: str) -> bool:
    """Whether every cell of a column that is not blank holds a count."""
    numbers = numbers_of(raw, column)
    wrong = _wrong_texts(numbers) & ~numbers.is_blank
    return bool(not wrong.any() and not numbers.is_blank.all())


def _whole_values(numbers: NumberColumn) -> FloatArray:
    """Each text's number; "1,050" is 1050, as a count has no decimals."""
    places = np.flatnonzero(numbers.is_comma)
    if not places.size:
        return numbers.text_values
    values = numbers.text_values.copy()
    texts = numbers.coded.array.take(pa.array(places)).to_pylist()
    values[places] = [
        float(whole) if (whole := without_thousands(text)) != text else values[place]
        for place, text in zip(places.tolist(), texts, strict=True)
    ]
    return values


def _wrong_texts(numbers: NumberColumn) -> BoolArray:
    """For each text whether it is no count."""
    values = _whole_values(numbers)
    with np.errstate(invalid="ignore"):
        wrong: BoolArray = ~((values >= 0.0) & (values <= _LARGEST) & (values == np.floor(values)))
    return wrong | numbers.is_percent
