"""Texts to be scored and what scoring them gives, whatever scores them."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...metrics.registry import STATISTIC_METRICS
from ...types import FloatArray
from ..words import quoted
from .gathered import needed

# Letters of scripts that write no spaces between words.
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
# Told the share that is done; raises where the caller wants no more.
Told = Callable[[float], None]
# In the order in which they are offered, with about how long each takes beside the others.
_METRICS = {"bleu": 0.1, "chrf": 0.2, "ter": 0.7}
_LETTER = re.compile(r"[^\W\d_]")
_MANY = 0.3
_MOST = 5
# Columns of BLEU's statistics, by order.
_MATCHES, _TOTALS = slice(2, 6), slice(6, 10)
# The package's names, and the columns'.
_MEASURES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
_PLAIN = re.compile(r"[A-Za-z]")
_FEW = 0.5
_TOLD_EACH = 200


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Texts:
    """Outputs on one dataset and what they are compared with.

    Attributes
    ----------
    dataset : str
        Its name.
    references : tuple of tuple of str
        One or several sets, each with one text a segment.
    outputs : mapping of str to tuple of str
        For each system one text a segment.
    """

    dataset: str
    references: tuple[tuple[str, ...], ...]
    outputs: Mapping[str, tuple[str, ...]]

    @property
    def n_segments(self) -> int:
        """How many segments there are."""
        return len(self.references[0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """Scores or counts of every system on every segment.

    Attributes
    ----------
    columns : mapping of (dataset, system) to mapping of column to cells
        One cell a segment.
    remarks : tuple of str
        What the owner should know of how they were scored.
    higher_is_better : mapping of str to bool
        The direction of each score.
    """

    columns: Mapping[tuple[str, str], Mapping[str, Sequence[str]]]
    remarks: tuple[str, ...]
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)


def count_texts(texts: Sequence[Texts], told: Told, *, with_ter: bool = True) -> Scored:
    """The counts of each system's segments, with a column for each; TER's take most of the time.

    Raises
    ------
    DataError
        If sacrebleu is not installed.
    """
    package = needed("sacrebleu.metrics", package="sacrebleu", counts="BLEU, chrF and TER")
    makers = {"bleu": package.BLEU, "chrf": package.CHRF, "ter": package.TER}
    kinds = [kind for kind in _METRICS if with_ter or kind != "ter"]
    counted: dict[str, dict[tuple[str, str], FloatArray]] = {kind: {} for kind in kinds}
    signatures: dict[str, list[str]] = {kind: [] for kind in kinds}
    made: dict[str, Any] = {}
    n_all = sum(
        _METRICS[kind] * own.n_segments * len(own.outputs) for own in texts for kind in kinds
    )
    done = 0.0
    for own in texts:
        for kind in kinds:
            # Tokenized texts are told of with the files; sacrebleu writes it to a log.
            settings = {"force": True} if kind == "bleu" else {}
            metric = made[kind] = makers[kind](references=[*own.references], **settings)
            for system, output in own.outputs.items():
                # The counts of a segment have no public name; they add up to the public score.
                counts = metric._extract_corpus_statistics(output, None)
                array = np.array(counts, dtype=np.float64)
                if kind == "ter":
                    # It divides by the references' average length, which is no whole number.
                    array = np.rint(array * len(own.references))
                counted[kind][own.dataset, system] = array
                done += _METRICS[kind] * own.n_segments / n_all
                told(min(done, 1.0))
            signature = metric.get_signature().format()
            if signature not in signatures[kind]:
                signatures[kind].append(signature)
    remarks = [
        f"{STATISTIC_METRICS[kind].name} is counted by sacrebleu: {' and '.join(own)}."
        for kind, own in signatures.items()
    ]
    short = _without_orders(counted["bleu"])
    if short is not None:
        kinds.remove("bleu")
        remarks.append(
            f"BLEU is left out: no output of {quoted(short[1])} on {quoted(short[0])} has "
            "the four words that its 4-grams need."
        )
    else:
        remarks += _smoothed(counted["bleu"], made["bleu"])
    if with_ter and any(len(own.references) > 1 for own in texts):
        remarks.append(
            "Where there are several references, TER's edits and lengths are those of sacrebleu "
            "times the number of references, so that they are whole numbers; the rate is the same."
        )
    if _is_unspaced(texts):
        remarks.append(
            "Many letters are of scripts that write no spaces between words, which sacrebleu's "
            "default tokenizer leaves uncut: BLEU and TER then count whole clauses as words. "
            "Compare by chrF, or cut the texts into words first."
        )
    return Scored(
        columns={
            pair: {
                name: _cells(counted[kind][pair][:, index])
                for kind in kinds
                for index, name in enumerate(STATISTIC_METRICS[kind].statistics)
            }
            for pair in counted["chrf"]
        },
        remarks=tuple(remarks),
    )


def _cells(counts: FloatArray) -> list[str]:
    return [str(count) for count in counts.astype(np.int64).tolist()]


def _without_orders(counted: Mapping[tuple[str, str], FloatArray]) -> tuple[str, str] | None:
    """The first dataset and system with no n-gram of some order."""
    for pair, counts in counted.items():
        if not counts[:, _TOTALS].sum(axis=0).all():
            return pair
    return None


def _smoothed(counted: Mapping[tuple[str, str], FloatArray], bleu: Any) -> list[str]:
    """Remarks where sacrebleu smooths a score that is 0 here."""
    printed = []
    for (dataset, system), counts in counted.items():
        sums = counts.sum(axis=0)
        if not sums[_MATCHES].all() and sums[_MATCHES].any():
            score = bleu._compute_score_from_stats([int(count) for count in sums]).score
            printed.append(f"{score:.2f} for {quoted(system)} on {quoted(dataset)}")
    if not printed:
        return []
    more = f", and others for {len(printed) - _MOST} more" if len(printed) > _MOST else ""
    return [
        "Where no n-gram of some length matches, BLEU is 0; sacrebleu smooths it and prints "
        f"{', '.join(printed[:_MOST])}{more}."
    ]


def _is_unspaced(texts: Sequence[Texts]) -> bool:
    sample = "".join(line for own in texts for line in own.references[0][:200])
    letters = len(_LETTER.findall(sample))
    return letters > 0 and len(UNSPACED.findall(sample)) > _MANY * letters


def overlap_of_texts(texts: Sequence[Texts], told: Told) -> Scored:
    """The F-measure of each system's segments, of ROUGE-1, ROUGE-2 and ROUGE-L.

    Raises
    ------
    DataError
        If rouge-score is not installed.
    """
    package = needed("rouge_score.rouge_scorer", package="rouge-score", counts="ROUGE scores")
    scorer = package.RougeScorer(list(_MEASURES), use_stemmer=False)
    columns: dict[tuple[str, str], dict[str, list[str]]] = {}
    n_all = sum(own.n_segments * len(own.outputs) for own in texts)
    done = 0
    for own in texts:
        references = list(zip(*own.references, strict=True))
        for system, output in own.outputs.items():
            cells: dict[str, list[str]] = {column: [] for column in _MEASURES.values()}
            for right, said in zip(references, output, strict=True):
                scores = scorer.score_multi(right, said)
                for measure, column in _MEASURES.items():
                    cells[column].append(repr(float(scores[measure].fmeasure)))
                done += 1
                if done % _TOLD_EACH == 0:
                    told(done / n_all)
            columns[own.dataset, system] = cells
    version = importlib.metadata.version("rouge-score")
    remarks = [
        f"ROUGE is the F-measure of each segment by rouge-score {version}, without its stemmer, "
        "averaged over segments; texts are put in lower case and cut at all but letters and digits."
    ]
    if any(len(own.references) > 1 for own in texts):
        remarks.append("Of several references the one with the highest F-measure counts, for each.")
    if _is_foreign(texts):
        remarks.append(
            "Many letters of the references are not among a to z, which are all that rouge-score "
            "counts: its scores then say little. Compare by chrF."
        )
    return Scored(
        columns=columns,
        remarks=tuple(remarks),
        higher_is_better=dict.fromkeys(_MEASURES.values(), True),
    )


def _is_foreign(texts: Sequence[Texts]) -> bool:
    sample = "".join(line for own in texts for line in own.references[0][:200])
    letters = len(_LETTER.findall(sample))
    return letters > 0 and len(_PLAIN.findall(sample)) < _FEW * letters
