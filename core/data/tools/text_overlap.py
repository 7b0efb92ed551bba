"""ROUGE of each output, by rouge-score where it is installed."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Sequence

from core.data.tools.packages import needed
from core.data.tools.text_scoring import Scored, Texts, Told
from core.errors import Choice

# The package's names, and the columns'.
_MEASURES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
_LETTER = re.compile(r"[^\W\d_]")
_PLAIN = re.compile(r"[A-Za-z]")
_FEW = 0.5
_TOLD_EACH = 200


def overlap_of_texts(texts: Sequence[Texts], told: Told, choices: Sequence[Choice]) -> Scored:
    """The F-measure of each system's segments, of ROUGE-1, ROUGE-2 and ROUGE-L.

    Raises
    ------
    DataError
        If rouge-score is not installed.
    """
    package = needed(
        "rouge_score.rouge_scorer", package="rouge-score", counts="ROUGE scores", choices=choices
    )
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
