"""What names say together: whether lower scores are better, and which system, dataset, metric or run each is of.

`lower_word` answers for one text; how much of it speaks of the scores depends on the place where it
stands. Of headings with two parts that all go together, such as 'acc_a' and 'f1_b', one may be a
metric; of 'ar_mbert', 'ar_xlmr' a file does not say whether these are systems on one dataset: its
owner is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from ..roles import DATASET_FIRST
from .headings import METRIC_WORDS, OF_A_SPLIT, TITLE, VOCABULARY, folded, heading, is_named, words
from .numbers import ascii_dashes

# As the name of a metric or the heading over scores; as the name of a dataset or the heading over
# these; as a title or note of a table.
Place = Literal["metric", "dataset", "title"]

# Names of metrics, and of nothing else, of which lower is better.
ERROR_METRICS = frozenset(
    {"nll", "perplexity", "perplexities", "ppl", "aer", "wer", "cer", "ter", "mse", "rmse", "mae",
     "mape", "nmse", "nrmse", "msle", "hter", "eer", "fpr", "fnr", "bpc", "bpb", "bpt", "bpw", "fid",
     "brier"}
)  # fmt: skip
_LOWER_IS_BETTER = r"(?:lower|smaller|less)(?: scores| values| numbers)?(?: is| are)? better"
_PHRASES = (
    r"error rates?|(?:calibration|squared|absolute|percentage) errors?|(?:edit|levenshtein) distances?|time to \w+|mean rank"
    r"|(?:bits|nats) (?:per \w+|char|character|byte|token|word|dim)|neg(?:ative)? log ?likelihoods?"
    r"|false (?:positive|negative|alarm|acceptance|rejection) rate"
    r"|(?:accuracy|acc|f1|bleu|performance|score) (?:drop|degradation)"
    rf"|{_LOWER_IS_BETTER}"
)
_ERRORS = rf"(?:{'|'.join(sorted(ERROR_METRICS))}|{_PHRASES})"
# Behind other words these may be something else: 'NTCIR ECE' is a task, 'SCAN MCD' a way to split
# data, and 'Hearing loss' what a dataset is about.
_ALONE = r"(?:loss|losses|latency|runtime|seconds|surprisal|rtf|ece|mcd)"
# Words of every day otherwise: these count in capitals, or where they are the whole name.
_ACRONYMS = "DER|PER|MER|FAR|FRR|WIL"
_OF_METRICS = (
    "(?:errors?|errs?|mistakes|distance|divergence|entropy|deviation"
    rf"|(?-i:{_ACRONYMS})|^(?:{_ACRONYMS})$)"
)
# Of a dataset these are what its examples are about.
_TOPICS = "(?:toxicity|hallucinations?|costs?|disagreement|regret|energy|emissions|co2)"
_ANYWHERE = re.compile(rf"\b(?:{_ERRORS}|{_ALONE}|{_OF_METRICS}|{_TOPICS})\b", re.IGNORECASE)
_IN_BRACKETS = re.compile(
    rf"\b{_ERRORS}\b|\b(?:{_ALONE}|{_OF_METRICS})$|^(?:ms|msec|secs?|milliseconds)$", re.IGNORECASE
)
_OUTSIDE = re.compile(
    rf"\b(?:{_ERRORS}|^{_ALONE}|(?:{'|'.join(OF_A_SPLIT)}) loss)(?=(?: scores?| values?| results?)?$)",
    re.IGNORECASE,
)
# In a title behind any words, where names of metrics stand in capitals.
_IN_TITLES = re.compile(
    rf"\b(?:(?:{'|'.join(map(str.upper, sorted(ERROR_METRICS)))})s?"
    rf"|(?i:perplexit(?:y|ies)|{_PHRASES}))\b"
)
_HIGHER_IS_BETTER = re.compile(r"\b(?:higher|larger|greater|more) (?:is )?better\b", re.IGNORECASE)
# What a title is about stands before these: 'Word error rates (%) on three sets'.
_AFTER_HEAD = re.compile(r"[,;:.]\s|\s(?:on|of|for|in|by|with|without|over|across|at|from|and)\s")
_LAST_BRACKETS = re.compile(r"[(\[]([^()\[\]]+)[)\]]\s*$")
# Signs of the direction in which a score is better.
UP, DOWN = "↑", "↓"
# Of such a share the rest is wrong: '1-WER', 'ours (100 - TER)'; 'Model-1-WER' is the WER of a model.
_COMPLEMENT = re.compile(r"(?:(?:^|[\s(\[/])1(?:00)?-|(?:^|[(\[]|: )1(?:00)? - )(?=[^\W\d])")
# Behind a name in a heading; 'low rank' is a kind of system, of a reciprocal rank higher is better.
_RANK_OR_TIME = re.compile(
    r"(?:.+(?<!\blow)(?<!\bfull)(?<!\brecip)(?<!\breciprocal) |(?=rank))(ranks?|time)"
)
# What a title speaks of: 'Average ranks of five classifiers', 'Training time (hours)'.
_RANKS_OR_TIMES = re.compile(
    r"(?:(?:mean|average|avg\.?|median) )?(ranks)"
    r"|(?:(?:training|inference|decoding|execution|response|processing|computation)[ -]|run)(times?)"
    r"(?: \(.*\))?",
    re.IGNORECASE,
)
# 'rank A' and 'rank_A'; 'Rank-BERT' and 'RankT5' are names, 'rank_1' and 'rank_corr' accuracies and
# correlations.
_RANK_BEFORE = re.compile(r"(rank)[ _](?=\w)(?!\d|corr|ic\b|score|biserial)", re.IGNORECASE)
# With these a word is no score of which lower is better: 'error reduction',
# 'hallucination detection', 'cost-sensitive', 'toxicity F1'.
_TURNED = frozenset(
    {"reduction", "reductions", "reduced", "reducing", "improvement", "improvements", "gain",
     "gains", "detection", "detected", "detector", "correction", "corrected", "recovery", "savings",
     "free", "non", "no", "without", "inverse", "negative", "neg", "sensitive", "aware", "based",
     "augmented", "weighted", "guided", "robust", "tolerant", "regularized", "minimized",
     "avoidance", "accuracy", "acc", "f1", "precision", "recall", "auc", "auroc", "map", "mcc",
     "kappa", "correlation", "similarity", "agreement"}
)  # fmt: skip
# Words of metrics of which higher is better; alone they may be names of anything.
_HIGHER_WORDS = frozenset(
    {"cider", "spice", "iou", "miou", "dice", "pesq", "stoi", "mos", "pass", "hits", "hit",
     "reward", "win", "elo", "rating", "r2", "similarity", "correlation", "agreement", "faithfulness",
     "fluency", "adequacy", "coherence", "relevance", "helpfulness", "readability", "quality",
     "preference", "throughput", "speedup", "ap", "likelihood", "logprob", "solved", "resolved"}
)  # fmt: skip


def lower_word(text: str, place: Place = "metric") -> str | None:
    """The word or arrow, as written, by which a text says that lower scores are better."""
    if place == "title":
        # Markdown puts signs around it.
        text = text.strip(" #*_>")
    if UP in text or (DOWN not in text and _COMPLEMENT.search(ascii_dashes(text))):
        return None
    brackets = _LAST_BRACKETS.search(text)
    inside, outside = brackets[1] if brackets else "", _LAST_BRACKETS.sub("", text)
    if place == "metric":
        rank = _RANK_OR_TIME.fullmatch(heading(text)) or _RANK_BEFORE.match(text)
        found = _said(text, _ANYWHERE) or _said(inside, _IN_BRACKETS) or (rank[1] if rank else None)
    elif place == "dataset":
        found = _said(outside, _OUTSIDE) or _said(inside, _IN_BRACKETS)
    else:
        found = _said_in_title(text, inside)
    return found or (DOWN if DOWN in text else None)


def _said(part: str, pattern: re.Pattern[str]) -> str | None:
    """What is found in a part of a text, unless another word turns it."""
    plain = " ".join(words(part))
    found = pattern.search(plain)
    if found is None:
        return None
    rest = re.sub(_PHRASES, " ", plain.casefold()).split()
    is_turned = not _TURNED.isdisjoint(rest) or _HIGHER_IS_BETTER.search(plain)
    return None if is_turned and DOWN not in part else found[0]


def _said_in_title(title: str, inside: str) -> str | None:
    """The metric that a title or a note names alone, if lower is better; of several nobody can tell."""
    named = {word.casefold() for word in words(title)}
    if not named.isdisjoint(METRIC_WORDS - {"f", "map", "em"} | {"higher"}):
        return None
    said = re.search(rf"\b{_LOWER_IS_BETTER}\b", title, re.IGNORECASE)
    numbered = TITLE.match(title)
    if numbered and named.isdisjoint(_TURNED | {"by"}):
        said = said or _IN_TITLES.search(title)
    head = _AFTER_HEAD.split(title[numbered.end() if numbered else 0 :].strip())[0]
    ranked = _RANKS_OR_TIMES.fullmatch(head)
    return (said[0] if said else lower_word(head, "dataset") or _said(inside, _IN_BRACKETS)) or (
        ranked[ranked.lastindex or 0] if ranked else None
    )


# "Accuracy with p-values" and "p-values in brackets" stand over scores.
_OF_P_VALUES = re.compile(
    r"(?!.*\b(?:with|and|in|beside) (?:brackets|parenthes|p[- ]?val)).*\bp[- ]?values?\b",
    re.IGNORECASE,
)


def tells_p_values(title: str) -> bool:
    """Whether a title says that the numbers of its table are p-values, and names no metric."""
    numbered = TITLE.match(title)
    head = re.split(r"[.;]\s", title[numbered.end() :])[0] if numbered else ""
    return _OF_P_VALUES.match(head) is not None and not names_metric(head)


def lower_is_better(*given: Sequence[str]) -> str | None:
    """The word or arrow by which every one of the first names that do says that lower is better."""
    for names in given:
        found = [lower_word(name) for name in names]
        if found and all(found):
            return found[0]
    return None


def lower_metric(names: Sequence[str]) -> str | None:
    """As `lower_is_better`, where it is the name of a metric and no arrow."""
    word = lower_is_better(names)
    return None if word == DOWN else word


# No dataset is called so.
_NO_DATASETS = frozenset(
    {"latency", "runtime", "seconds", "perplexity", "ppl", "wer", "mse", "rmse"}
)


def lower_datasets(names: Sequence[str]) -> list[str]:
    """Those datasets that are named by a score of which lower is better, or by a loss of something."""
    acronyms = _ACRONYMS.split("|")
    are_metrics = all(names_metric(name) and name.upper() not in acronyms for name in names)
    found: dict[str, str | None] = {}
    for name in names:
        if len(words(name)) > 1 or DOWN in name:
            found[name] = lower_word(name, "dataset")
        # A bare word such as 'loss' counts where each name is that of a metric.
        elif are_metrics and not METRIC_WORDS.isdisjoint(map(str.casefold, names)):
            found[name] = lower_word(name)
        elif are_metrics or name.casefold() in _NO_DATASETS:
            found[name] = lower_word(f"({name})", "dataset")
        if may_be_a_loss_of_something(name):
            found[name] = name
    # An acronym that is a word otherwise, as in 'NER (PER)', counts where all names say so.
    every = len([word for word in found.values() if word]) == len(names)
    return [name for name, word in found.items() if word and (every or word not in acronyms)]


# On these language models are compared by perplexity, recognisers of speech by word errors and
# forecasts by squared errors.
_OF_ERRORS = re.compile(
    r"\b(?:wiki ?text ?-?(?:2|103)?|ptb|penn treebank|c4|enwik8|text8|openwebtext|lm1b"
    r"|libri ?speech|ted ?-?lium|giga ?speech|spgi ?speech|earnings ?2[12]|vox ?populi|ami|switchboard|callhome"
    r"|common ?voice|fleurs|covost2?|mls"
    r"|ett[hm][12]|electricity|ecl|traffic|weather|exchange(?: rate)?|ili)\b",
    re.IGNORECASE,
)


def usually_of_errors(names: Sequence[str]) -> list[str]:
    """Those datasets whose usual metric is an error, where they are the most of at least two."""
    found = [name for name in names if _OF_ERRORS.search(re.sub(r"[_/-]+", " ", name))]
    return found if len(found) >= 2 and len(names) < 2 * len(found) else []


def may_be_a_loss_of_something(name: str) -> bool:
    """Whether a dataset's name ends in a loss that may be no metric: 'Hearing loss', not 'test loss'."""
    *_, before, last = ["", "", *map(str.casefold, words(name))]
    return last == "loss" and bool(before) and before not in OF_A_SPLIT


# Beside a metric's name in a heading these say where it was measured, or nothing.
_NO_METRIC = frozenset(
    {"train", "eval", "test", "dev", "predict", "score", "measure", "match", "mean", "avg", "l",
     "lsum", "ms", "sec", "secs"}
)  # fmt: skip


def are_metrics(columns: Sequence[str], *, fewest: int = 2) -> bool:
    """Whether headings name metrics alone: "P" and "R", "Primary P" and "Primary R", "eval/acc"."""
    ordered = [
        [word.casefold() for word in words(column) if not word.isdigit()] for column in columns
    ]
    known = METRIC_WORDS | _HIGHER_WORDS | {"p", "r"}

    def is_metric(word: str) -> bool:
        return word in known or _ANYWHERE.fullmatch(word) is not None

    last = {own[-1] if own else "" for own in ordered}
    if len(columns) >= fewest and len(last) > 1 and all(len(w) > 1 and is_metric(w) for w in last):
        return True
    shared = set.intersection(*map(set, ordered)) if len(ordered) > 1 else set()
    named = [set(own) - _NO_METRIC - {w for w in shared if not is_metric(w)} for own in ordered]
    return len(named) >= fewest and all(own and all(map(is_metric, own)) for own in named)


# Of these metrics no score lies below 0, nor beyond 100 in percent.
_SHARES = frozenset(
    {"accuracy", "acc", "f1", "precision", "recall", "em", "bleu", "chrf", "uas", "las"}
)


def names_share(name: str, *, is_metric: bool = False) -> bool:
    """Whether a heading names a metric of which scores are shares; alone it may be a system's name."""
    own = {word.casefold() for word in words(name)}
    return (
        (is_metric or len(own) > 1)
        and not own.isdisjoint(_SHARES)
        and own.isdisjoint({*VOCABULARY["difference"], "improvement"})
    )


# "pass@1", "hits@10", "top-5": of the best so many answers.
_OF_THE_BEST = re.compile(r"[^\W_]@ ?[0-9]+|\btop[ _-]?[0-9]+\b", re.IGNORECASE)


def names_metric(name: str) -> bool:
    """Whether some word of a name is that of a well-known metric."""
    if _OF_THE_BEST.search(name):
        return True
    found = {word.casefold() for word in words(name)}
    return not found.isdisjoint(METRIC_WORDS) or lower_word(name) is not None


def says_direction(metric: str) -> bool:
    """Whether a metric's name says which score is better, by a word that is known."""
    own = {word.casefold() for word in words(metric)}
    return names_metric(metric) or not own.isdisjoint(_HIGHER_WORDS)


def names_score(column: str) -> bool:
    """Whether a heading says that its numbers are scores, be it without their metric."""
    return names_metric(column) or is_named(column, "score")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingGrid:
    """Columns of which each heading is a first part and a second part, on a full grid."""

    # Two or more of each, in the order of the columns.
    firsts: tuple[str, ...]
    seconds: tuple[str, ...]
    # Complete ((first, second) to column).
    columns: dict[tuple[str, str], str]

    def by_dataset(self, order: object) -> HeadingGrid:
        """The grid whose first parts are the datasets, where they stand in this order."""
        return self if order == DATASET_FIRST else self.turned

    @property
    def turned(self) -> HeadingGrid:
        """The same with the parts of each heading exchanged."""
        columns = {(second, first): column for (first, second), column in self.columns.items()}
        return HeadingGrid(firsts=self.seconds, seconds=self.firsts, columns=columns)


def metric_grid(columns: Sequence[str]) -> HeadingGrid | None:
    """The columns as metrics × systems, in this order; None unless every heading takes part in a complete grid.

    One of the metrics must be well known, and of several ways to cut the headings the one with
    plainer metrics counts: in 'acc_bert_base' the metric is 'acc' and not 'acc_bert'.
    """
    grids = [
        grid
        for grid in _grids(columns)
        if any(map(names_metric, grid.firsts)) and not any(map(names_metric, grid.seconds))
    ]

    def n_other_words(grid: HeadingGrid) -> int:
        return sum(not names_metric(word) for metric in grid.firsts for word in words(metric))

    return min(grids, key=n_other_words, default=None)


_SEPARATORS = "|/:._- (["
# With such endings headings name variants of a system: 'bert-base', 'bert-large'.
_VARIANTS = frozenset(
    {"tiny", "mini", "small", "medium", "base", "large", "huge", "xl", "xxl", "cased", "uncased"}
)
_NUMBERED = re.compile(r"v?[0-9.]+[bmk]?")


def two_parts(columns: Sequence[str]) -> HeadingGrid | None:
    """Headings cut at one separator into parts that all go together; None where no cut does that."""
    if len(columns) < 4 or metric_grid(columns) is not None:
        return None
    for grid in islice(_grids(columns), 0, None, 2):
        # Variants are numbered or sized: '1', 'v2', '7b', 'large'.
        are_variants = all(
            p in _VARIANTS or _NUMBERED.fullmatch(p) for p in map(str.lower, grid.seconds)
        )
        if not (are_variants or _are_runs(grid.firsts) or _are_runs(grid.seconds)):
            return grid
    return None


def complete_splits(
    names: Sequence[str], separators: Sequence[str]
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Every separator that splits all names, with first and second parts that all go together."""
    given = set(names)
    for separator in separators:
        for cut in re.finditer(re.escape(separator), names[0]):
            left, right = names[0][: cut.start()], names[0][cut.end() :]
            seconds = [name[len(left) + 1 :] for name in names if name.startswith(left + separator)]
            firsts = [name[: -len(right) - 1] for name in names if name.endswith(separator + right)]
            if not all(firsts) or not all(seconds) or len(firsts) * len(seconds) != len(names):
                continue
            if {f"{one}{separator}{other}" for one in firsts for other in seconds} == given:
                yield separator, firsts, seconds


def _grids(columns: Sequence[str]) -> Iterator[HeadingGrid]:
    """Headings as the grid of each cut that leaves two or more parts on either side, and that grid turned."""
    for separator, firsts, seconds in complete_splits(columns, _SEPARATORS) if columns else ():
        # What else separates belongs to no name: 'ar | mbert', 'ar__mbert', 'ar (mbert)'.
        found = {
            (_bare(first), _bare(second)): f"{first}{separator}{second}"
            for first in firsts
            for second in seconds
        }
        ones, others = (tuple(dict.fromkeys(own)) for own in zip(*found, strict=True))
        # A part that is empty, as in '_x' and 'ar_x', names nothing; two that look alike name one.
        names = {folded(name) for name in (*ones, *others)} - {""}
        is_whole = len(found) == len(columns) and len(names) == len(ones) + len(others)
        if min(len(ones), len(others)) > 1 and is_whole:
            grid = HeadingGrid(firsts=ones, seconds=others, columns=found)
            yield from (grid, grid.turned)


def _bare(part: str) -> str:
    return part.strip(_SEPARATORS + ")]")


def runs_or_splits(columns: Sequence[str]) -> HeadingGrid | None:
    """Headings that all name one of several systems and one of its runs, folds or splits."""
    for grid in _grids(columns):
        known = {heading(part).rstrip("0123456789= ") for part in grid.seconds}
        if known <= {*_RUNS, "split", "s"} or known <= OF_A_SPLIT:
            return grid
    return None


def runs_of_names(names: Sequence[str]) -> HeadingGrid | None:
    """As `runs_or_splits`, where the parts are runs or folds with their numbers: 'ours/seed1'."""
    grid = runs_or_splits(names)
    return grid if grid is not None and slot_of_names(grid.seconds) == "run" else None


_RUNS = (*VOCABULARY["run"], *VOCABULARY["fold"], "rep")


_NAMES_RUN = re.compile(rf"\b({'|'.join(_RUNS)}) ?[0-9]+\b")


def slot_of_names(names: Sequence[str]) -> str | None:
    """What tells files or sheets of these names apart: "run", "metric", or neither."""
    plain = [heading(name) for name in names]
    if all(map(_NAMES_RUN.search, plain)):
        return "run"
    return "metric" if all(map(names_metric, plain)) else None


def _are_runs(parts: Sequence[str]) -> bool:
    """Whether parts of headings say which run of a system it is: 'seed1', 'seed2'."""
    return all(is_named(heading(part).rstrip("0123456789"), "run") for part in parts)
