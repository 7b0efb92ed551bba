"""chrF and TER of translations, from texts, counted by sacrebleu where it is installed.

sacrebleu counts n-grams and edits of each example; the score of a sum is computed
here, so that resampling is as quick as for other statistics. It is no requirement
of this project.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..types import FloatArray
from ..validation import check_choice
from .registry import STATISTIC_METRICS, StatisticMetric
from .registry import chrf as chrf_of_sums

TEXT_METRICS: tuple[str, ...] = ("chrf", "chrf++", "ter")
_WORD_ORDERS = {"chrf": 0, "chrf++": 2}


def text_statistics(
    hypotheses: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]],
    *,
    metric: str,
) -> tuple[StatisticMetric, FloatArray]:
    """The metric and one system's statistics, for `run_significance_test`.

    Parameters
    ----------
    hypotheses : sequence of str, length n
        The system's translations.
    references : sequence of str, or sequence of such
        Of each example, in the same order; several sets of them for several
        references an example.
    metric : {"chrf", "chrf++", "ter"}
        With the settings that sacrebleu has by default.

    Returns
    -------
    (StatisticMetric, ndarray of shape (n, s))

    Raises
    ------
    ImportError
        If sacrebleu is not installed.
    ValueError
        If there is no such metric, or there is not one text an example.

    References
    ----------
    Popović (WMT 2015, 2017); Snover et al. (AMTA 2006); Post (WMT 2018).
    """
    check_choice(metric, TEXT_METRICS, name="metric")
    own = _texts(hypotheses, "hypotheses")
    several = [references] if all(isinstance(text, str) for text in references) else references
    sets = [_texts(texts, "references") for texts in several]
    for texts in sets:
        if len(texts) != len(own):
            raise ValueError(
                "`hypotheses` and `references` must have one text for each example, in the same "
                f"order; got {len(own)} and {len(texts)}."
            )
    if not own or not sets:
        raise ValueError("`hypotheses` and `references` must hold at least one example; got none.")
    counting = _counting(metric)
    # The statistics of an example have no public name; they add up to the public score.
    counted = np.array(
        counting._extract_corpus_statistics(own, [list(texts) for texts in sets]), dtype=np.float64
    )
    return (ter() if metric == "ter" else chrf(word_orders=_WORD_ORDERS[metric])), counted


def chrf(*, word_orders: int = 0, beta: float = 2.0) -> StatisticMetric:
    """The F score of counted n-grams: how many there are, in the reference, and in both.

    Parameters
    ----------
    word_orders : int
        0 for chrF, 2 for chrF++; characters have six orders.
    beta : float
        How much recall weighs.
    """
    known = STATISTIC_METRICS["chrf"]
    plain = word_orders == 0
    return replace(
        known,
        key="chrf" if plain else "chrf++",
        name="chrF" if plain else "chrF++",
        statistics=known.statistics
        + tuple(
            f"chrf_word{order}_{what}"
            for order in range(1, word_orders + 1)
            for what in ("sys", "ref", "match")
        ),
        formula=f"100 · F_{beta:g} of mean n-gram precision and recall, of the sums",
        score=partial(chrf_of_sums, beta=beta),
    )


def ter() -> StatisticMetric:
    """Translation edit rate of counted edits and the length of the references."""
    return STATISTIC_METRICS["ter"]


def _counting(metric: str) -> Any:
    try:
        metrics = importlib.import_module("sacrebleu.metrics")
    except ImportError:
        raise ImportError(
            f"Metric '{metric}' is counted by the package sacrebleu, which is not installed: "
            "`pip install sacrebleu`, or count with another tool and give the statistics."
        ) from None
    made: Callable[..., Any] = metrics.TER if metric == "ter" else metrics.CHRF
    return made() if metric == "ter" else made(word_order=_WORD_ORDERS[metric])


def _texts(given: Any, name: str) -> list[str]:
    texts = list(given)
    wrong = [i for i, text in enumerate(texts) if not isinstance(text, str)]
    if isinstance(given, str) or wrong:
        at = f" at index {wrong[0]}" if wrong else ""
        raise ValueError(f"`{name}` must be texts, one an example; got something else{at}.")
    return texts
