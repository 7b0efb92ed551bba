"""Headings by which the columns of per-example results are known."""

from __future__ import annotations

import re
import unicodedata

from core.data.tables.columns import NO_SCORE_HEADINGS, P_VALUE_HEADINGS, SIZE_HEADINGS, heading
from core.data.tables.covariate_headings import CATEGORY_HEADINGS, MEASURE_HEADINGS

# These say that a row is an example.
EXAMPLE_HEADINGS = (
    "example",
    "example id",
    "exampleid",
    "example no",
    "example number",
    "ex id",
    "item",
    "item id",
    "instance",
    "instance id",
    "sentence id",
    "sent id",
    "sentence no",
    "sentence number",
    "segment",
    "segment id",
    "seg id",
    "seg",
    "question id",
    "qid",
    "query id",
    "pair id",
    "word pair",
    "pair",
    "document id",
    "doc id",
    "uid",
    "guid",
)
# These may say that a row is an example: where they tell the rows of a dataset apart.
UNIT_HEADINGS = (
    "sample",
    "sample id",
    "sample no",
    "sent",
    "sentence num",
    "sent no",
    "sent num",
    "utterance",
    "utterance id",
    "utt",
    "utt id",
    "turn",
    "turn id",
    "query",
    "query no",
    "question no",
    "question number",
    "story",
    "story id",
    "doc",
    "docid",
    "document no",
    "dialog",
    "dialog id",
    "dialogue",
    "dialogue id",
    "conversation",
    "conversation id",
    "position",
)
# These say which examples belong together, such as sentences of one document; the first
# that groups any counts.
CLUSTER_HEADINGS = (
    "cluster",
    "cluster id",
    "document",
    "document id",
    "documentid",
    "doc",
    "doc id",
)
# Without a heading of its own a column is named so, often the count of a data frame's rows.
NO_HEADING = ("unnamed 0", "unnamed 0 1", "level 0")
# These count rows, of examples or of anything else.
COUNTER_HEADINGS = (
    "id",
    "ids",
    "index",
    "idx",
    "line",
    "line no",
    "row",
    "no",
    "nr",
    "#",
    "id num",
    "id no",
    "id number",
    "num id",
    "row id",
    "row no",
    "row number",
    "line number",
    *NO_HEADING,
)
GOLD_HEADINGS = (
    "gold",
    "gold label",
    "gold labels",
    "gold standard",
    "gold score",
    "y true",
    "true label",
    "correct label",
    "correct answer",
    "ground truth",
    "truth",
    "label",
    "labels",
    "target",
    "answer",
    "answers",
    "expected",
    "reference",
)
# Headings with which one column says whose score a row holds.
SYSTEM_HEADINGS = (
    "system",
    "systems",
    "system name",
    "model",
    "models",
    "model name",
    "method",
    "methods",
    "approach",
    "modell",
    "methode",
    "verfahren",
    "système",
    "modèle",
    "méthode",
    "sistema",
    "modelo",
    "método",
)
# Headings with which one column says of which metric a row's scores are.
METRIC_NAME_HEADINGS = ("metric", "metrics", "metric name", "measure", "score type")
# Headings of one column of scores that do not name their metric.
PLAIN_SCORE_HEADINGS = frozenset(
    {"score", "scores", "value", "values", "result", "results", "performance", "correct",
     "is correct", "right", "outcome"}
)  # fmt: skip
# Headings of one column of what a system gave out, which is no score.
PREDICTION_HEADINGS = frozenset(
    {"prediction", "predictions", "predicted", "predicted label", "pred", "preds", "y pred",
     "output", "response", "system label", "model answer"}
)  # fmt: skip
# Headings that tell repeated runs of the same examples apart.
RUN_HEADINGS = (
    "seed",
    "random seed",
    "rng seed",
    "run",
    "run id",
    "trial",
    "repeat",
    "repetition",
    "replicate",
    "replication",
)
# Headings that say whose score of an example a row holds: each example has a row for each.
SLOT_HEADINGS = frozenset({*SYSTEM_HEADINGS, *METRIC_NAME_HEADINGS, *RUN_HEADINGS})
# Headings that tell parts of a dataset apart.
SPLIT_HEADINGS = frozenset(
    {"split", "splits", "data split", "subset", "subsets", "partition", "portion"}
)
# Words by which a heading names a metric.
_METRIC_WORDS = frozenset(
    {"accuracy", "acc", "f1", "f", "precision", "recall", "em", "exact", "bleu", "sacrebleu",
     "chrf", "meteor", "rouge", "rougel", "rouge1", "rouge2", "bertscore", "comet", "bleurt",
     "mcc", "auc", "auroc", "auprc", "map", "mrr", "ndcg", "uas", "las", "kappa", "spearman",
     "pearson", "correctness"}
)  # fmt: skip
# What stands beside the systems' scores and describes neither them nor the example.
_BESIDE_SCORES = frozenset(
    {
        "seed",
        "run",
        "epoch",
        "step",
        "batch",
        "time",
        "seconds",
        "duration",
        "timestamp",
        "date",
        "weight",
        "cluster",
    }
)
_TEXTS = frozenset(
    {
        "text",
        "sentence",
        "sentence1",
        "sentence2",
        "sentence 1",
        "sentence 2",
        "premise",
        "hypothesis",
        "question",
        "context",
        "passage",
        "document",
        "source",
        "source text",
        "input",
        "prompt",
        "comment",
        "comments",
        "note",
        "notes",
        "url",
        "title",
        "explanation",
    }
)
_LOWER_IS_BETTER = frozenset(
    {"loss", "losses", "nll", "perplexity", "perplexities", "ppl", "aer", "wer", "cer", "ter",
     "error", "errors", "err", "errs", "mistakes", "mse", "rmse", "mae", "mape", "nmse", "nrmse",
     "msle", "surprisal", "distance", "divergence", "entropy", "hter", "eer", "fpr", "fnr", "brier",
     "ece", "bpc", "bpb", "bpt", "bpw", "fid", "mcd", "rtf", "latency", "runtime", "toxicity",
     "cost", "costs", "regret", "deviation", "hallucination", "hallucinations", "disagreement"}
)  # fmt: skip
# Words of every day otherwise: these count in capitals, or where they are the whole name.
_ACRONYMS = frozenset({"DER", "PER", "MER", "FAR", "FRR", "WIL"})
_LOWER_PHRASES = re.compile(
    r"\b(bits|nats) (per \w+|char|character|byte|token|word|dim)\b|\btime to \w+|\bmean rank\b"
)
# With these a word is no score of which lower is better: 'error reduction',
# 'hallucination detection', 'cost-sensitive', 'toxicity F1'.
_TURNED = frozenset(
    {"reduction", "reduced", "reducing", "improvement", "detection", "detected", "detector",
     "correction", "corrected", "recovery", "savings", "free", "non", "no", "without", "inverse",
     "negative", "sensitive", "aware", "based", "augmented", "weighted", "guided", "robust",
     "tolerant", "regularized", "minimized", "avoidance", "accuracy", "acc", "f1", "precision",
     "recall", "auc", "auroc", "map", "mcc", "kappa", "correlation", "similarity", "agreement"}
)  # fmt: skip


def is_covariate(column: str) -> bool:
    """Whether a column's heading says that it holds no system's results."""
    known = heading(column)
    return (
        known in MEASURE_HEADINGS
        or known in CATEGORY_HEADINGS
        or known in _BESIDE_SCORES
        or known in _TEXTS
        or known in NO_SCORE_HEADINGS
        or known in P_VALUE_HEADINGS
        or known in SIZE_HEADINGS
        or known in COUNTER_HEADINGS
        or known in EXAMPLE_HEADINGS
        or known in UNIT_HEADINGS
        or known in RUN_HEADINGS
        or known in CLUSTER_HEADINGS
    )


def lower_is_better(names: tuple[str, ...]) -> str | None:
    """The word, as written, by which every one of these names says that lower is better."""
    found = [_lower_words(name) for name in names]
    return found[0][0] if found and all(found) else None


def names_metric(name: str) -> bool:
    """Whether some word of a name is that of a well-known metric."""
    found = {word.casefold() for word in words(name)}
    return not found.isdisjoint(_METRIC_WORDS) or bool(_lower_words(name))


def _lower_words(name: str) -> list[str]:
    """The words of one name that say that lower is better."""
    own = words(name)
    if not _TURNED.isdisjoint(word.casefold() for word in own):
        return []
    found = [
        word
        for word in own
        if word in _ACRONYMS
        or (len(own) == 1 and word.upper() in _ACRONYMS)
        or (word.casefold() in _LOWER_IS_BETTER and word.upper() not in _ACRONYMS)
    ]
    phrase = _LOWER_PHRASES.search(" ".join(own).casefold())
    return [*found, phrase[0]] if phrase is not None else found


def words(name: str) -> list[str]:
    """The words of a heading, those in brackets too, also where capitals divide them."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unicodedata.normalize("NFKC", name))
    return re.findall(r"[^\W_]+", plain)
