"""Where a file leaves open what a column is, it is asked; what is certain is remarked on."""

import pytest

from core.data.tables.headings import lower_is_better


@pytest.mark.parametrize(
    "name",
    ["err", "latency", "FID", "MCD", "bpc", "bits per character", "bits/byte", "toxicity", "EER",
     "DER", "RTF", "cost", "regret", "edit distance", "deviation", "hallucination rate", "WER",
     "Ours ↓", "ours (accuracy loss ↓)"],
)  # fmt: skip
def test_names_of_which_lower_is_better(name):
    assert lower_is_better((name,)) is not None


@pytest.mark.parametrize(
    "name",
    ["error reduction", "hallucination detection", "cost-sensitive BERT", "toxicity F1", "gloss",
     "under", "Qualität der Antwort", "herring", "costume", "fidelity", "distance correlation",
     "loss-free", "accuracy", "CoNLL", "error rate ↑"],
)  # fmt: skip
def test_words_within_others_say_nothing_of_the_direction(name):
    assert lower_is_better((name,)) is None
