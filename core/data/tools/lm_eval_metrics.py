"""lm-evaluation-harness' metrics of which lower is better, for samples without their results.

Facts out of its tasks' `higher_is_better` (0.4.13.dev0); a file of results beside
the samples says it itself, and then counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from core.data.tools.directions import unsaid

_LOWER = frozenset(
    {"word_perplexity", "byte_perplexity", "bits_per_byte", "perplexity", "ter", "wer",
     "brier_score", "likelihood_diff", "pct_stereotype", "pct_invalid", "pct_male_preferred",
     "pct_female_preferred", "difference_male_female", "perspective_api_toxicity_score",
     "amb_bias_score", "disamb_bias_score", "bias_score_ambig", "bias_score_disambig", "age_bias",
     "asian_bias", "black_bias", "female_bias", "hispanic_bias", "native_american_bias",
     "non_binary_bias"}
)  # fmt: skip
_LOWER_BEGINS = ("amb_bias_score_", "disamb_bias_score_")
# Beside those whose names say it.
_HIGHER = frozenset(
    {"bert_score", "consistency_rate", "eqbench", "fscore", "math_verify", "numerical_match",
     "options_consistency_rate", "pearsonr", "percent_parseable", "r@1", "r@2",
     "verifiable_reward"}
)  # fmt: skip


def known_directions(metrics: Iterable[str], said: Mapping[str, bool]) -> dict[str, bool]:
    """The directions that files say, and of other metrics those that the harness is known for."""
    known = dict(said)
    for metric in metrics:
        if metric in _LOWER or metric.startswith(_LOWER_BEGINS):
            known.setdefault(metric, False)
        elif metric in _HIGHER:
            known.setdefault(metric, True)
    return known


def undirected(metrics: Collection[str], known: Mapping[str, bool]) -> list[str]:
    """Metrics of which neither files nor the harness' names say the direction."""
    return unsaid(metrics, known)
