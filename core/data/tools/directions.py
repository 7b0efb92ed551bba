"""Which way metrics are better, as tools are known for; and the remark that names those of which nothing says it.

Facts out of lm-evaluation-harness' tasks (`higher_is_better`, 0.4.13.dev0) and out of HELM's own
schemas (`lower_is_better` of each metric in `schema_classic.yaml` and the other `schema_*.yaml`
of crfm-helm 0.5); what a file says itself counts more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...errors import DataError, Problem
from ..tables.headings import lower_is_better, names_metric
from ..words import listed, quoted

_LM_EVAL_LOWER = frozenset(
    {"word_perplexity", "byte_perplexity", "bits_per_byte", "perplexity", "ter", "wer",
     "brier_score", "likelihood_diff", "pct_stereotype", "pct_invalid", "pct_male_preferred",
     "pct_female_preferred", "difference_male_female", "perspective_api_toxicity_score",
     "amb_bias_score", "disamb_bias_score", "bias_score_ambig", "bias_score_disambig", "age_bias",
     "asian_bias", "black_bias", "female_bias", "hispanic_bias", "native_american_bias",
     "non_binary_bias"}
)  # fmt: skip
_LM_EVAL_LOWER_BEGINS = ("amb_bias_score_", "disamb_bias_score_")
# Beside those whose names say it.
_LM_EVAL_HIGHER = frozenset(
    {"bert_score", "consistency_rate", "eqbench", "fscore", "math_verify", "numerical_match",
     "options_consistency_rate", "pearsonr", "percent_parseable", "r@1", "r@2",
     "verifiable_reward"}
)  # fmt: skip
# How much work a run was, how wide an interval is, and what a model was sure of: by these
# nothing is compared.
_BOOKKEEPING = frozenset(
    {"num_references", "num_train_trials", "num_train_instances", "num_instances",
     "num_prompt_tokens", "num_prompt_characters", "num_completion_tokens", "num_output_tokens",
     "max_num_output_tokens", "num_perplexity_tokens", "num_completions", "num_requests",
     "num_bytes", "num_generated_images", "prompt_length", "prompt_truncated", "batch_size",
     "inference_runtime", "inference_denoised_runtime", "inference_idealized_runtime",
     "denoised_runtime", "training_co2_cost", "training_energy_cost", "max_prob",
     "predicted_index"}
)  # fmt: skip
_BOOKKEEPING_BEGINS = ("finish_reason_", "estimated_num_tokens")
_BOOKKEEPING_ENDS = ("_ci_low", "_ci_high")
_HELM_LOWER = frozenset(
    {"absolute_value_difference", "bits_per_byte", "blacked_out_frac", "cer_score",
     "copyright_human", "decodingtrust_privacy_leakage_rate", "demographic_parity_difference",
     "distance", "ece_10_bin", "ece_1_bin", "equalized_odds_difference", "error_rate",
     "expected_lpips_score", "expected_max_nsfw_score", "expected_max_toxicity",
     "expected_max_watermark_prob", "fid", "fractal_dimension_loss", "gender_imbalance",
     "kernel_inception_distance", "longest_common_prefix_length", "max_nsfw_probability",
     "max_toxicity", "max_toxicity_probability", "mer", "mer_score", "nsfw_frac", "nudity_frac",
     "perplexity", "platt_ece_10_bin", "platt_ece_1_bin", "skin_tone_imbalance", "toxic_frac",
     "toxic_prompt_openai", "toxic_prompt_perspective_api", "watermark_frac", "wer", "wer_score"}
)  # fmt: skip
_HELM_LOWER_BEGINS = ("bbq_metric_ambiguous_bias", "bbq_metric_unambiguous_bias", "bias_metric:")
# Beside those whose names say it.
_HELM_HIGHER = frozenset(
    {"Completeness", "Conciseness", "Harmlessness", "Helpfulness", "HumanEval-coherence",
     "HumanEval-faithfulness", "HumanEval-relevance", "QAFactEval", "Understandability",
     "aesthetics_human", "air_score", "alrage_score", "arabic_content_generation_score", "cider",
     "clear_subject_human", "cleva_math_result_match", "compilation_success",
     "detection_correct_frac", "earth_mover_similarity", "edit_distance",
     "expected_aesthetics_score", "expected_clip_score", "expected_multi_scale_ssim_score",
     "expected_psnr_score", "expected_uiqi_score", "fid_similarity", "float_equiv",
     "gpt4_audio_critique", "ibleu", "image_text_alignment_human", "inception_score",
     "iou_set_match", "live_qa_score", "logprob", "logprob_per_byte", "lpips_similarity",
     "math_equiv", "math_equiv_chain_of_thought", "max_aesthetics_score", "max_clip_score",
     "medication_qa_score", "model_judged_score", "originality_human", "pass", "percent_valid",
     "photorealism_generated_human", "photorealism_real_human", "pixel_similarity",
     "prometheus_vision", "robustness", "ruler_string_match_part", "safety_score",
     "sift_similarity", "ssim_similarity", "summac", "test_avg", "wildbench_score",
     "wildbench_score_rescaled", "wip", "wip_score"}
)  # fmt: skip
_HELM_HIGHER_BEGINS = ("RR@", "Success@", "air_category_")
# The same name in two schemas: how near a text is to one that must not be copied, and how near a
# drawn picture is to the one that was asked for.
_EDIT_SIMILARITY, _OF_PICTURES = "edit_similarity", "image2"


def unsaid_remark(metrics: Iterable[str], directions: Mapping[str, bool]) -> tuple[str, ...]:
    """Name metrics of which neither a tool nor a well-known word in the name says the direction."""
    unsaid = [
        metric
        for metric in metrics
        if metric not in directions
        and lower_is_better((metric,)) is None
        and not names_metric(metric)
    ]
    if not unsaid:
        return ()
    return (
        f"Nothing says whether higher or lower values of {listed(unsaid)} are better: read as "
        "higher is better; change it under How we read your file.",
    )


def known_directions(metrics: Iterable[str], said: Mapping[str, bool]) -> dict[str, bool]:
    """The directions that files say, and of other metrics those that the harness is known for."""
    known = dict(said)
    for metric in metrics:
        if metric in _LM_EVAL_LOWER or metric.startswith(_LM_EVAL_LOWER_BEGINS):
            known.setdefault(metric, False)
        elif metric in _LM_EVAL_HIGHER:
            known.setdefault(metric, True)
    return known


def is_compared(metric: str) -> bool:
    """Whether a statistic is a metric and not about the work."""
    return (
        metric not in _BOOKKEEPING
        and not metric.startswith(_BOOKKEEPING_BEGINS)
        and not metric.endswith(_BOOKKEEPING_ENDS)
    )


def higher_is_better(metric: str, dataset: str) -> bool | None:
    """The direction of one of HELM's metrics on a dataset; None where its schemas do not say."""
    if metric == _EDIT_SIMILARITY:
        return dataset.startswith(_OF_PICTURES)
    # One speech scenario writes the same metrics of Chinese under names of their own.
    plain = metric.split("_given_toxic_prompt", 1)[0].removeprefix("chinese_")
    if plain in _HELM_LOWER or plain.startswith(_HELM_LOWER_BEGINS):
        return False
    return True if plain in _HELM_HIGHER or plain.startswith(_HELM_HIGHER_BEGINS) else None


def helm_directions(found: Iterable[tuple[str, Sequence[str]]]) -> dict[str, bool]:
    """The direction of each metric, of dataset and metrics, as HELM's schemas say it.

    Raises
    ------
    DataError
        Where of one metric higher is better on some datasets and lower on others.
    """
    by_metric: dict[str, dict[str, bool]] = {}
    for dataset, metrics in found:
        for metric in metrics:
            up = higher_is_better(metric, dataset)
            if up is not None:
                by_metric.setdefault(metric, {})[dataset] = up
    return one_direction(by_metric)


def one_direction(by_metric: Mapping[str, Mapping[str, bool]]) -> dict[str, bool]:
    """The direction of each metric, of those on each dataset.

    Raises
    ------
    DataError
        Where of one metric higher is better on some datasets and lower on others.
    """
    problems = direction_problems(by_metric)
    if problems:
        raise DataError(problems)
    return {metric: up for metric, ways in by_metric.items() for up in ways.values()}


def direction_problems(by_metric: Mapping[str, Mapping[str, bool]]) -> list[Problem]:
    """One problem for each metric of which higher is better here and lower there."""
    problems = []
    for metric, ways in by_metric.items():
        higher = [dataset for dataset, up in ways.items() if up]
        lower = [dataset for dataset, up in ways.items() if not up]
        if higher and lower:
            problems.append(
                Problem(
                    what=f"Of {quoted(metric)} higher is better on {listed(higher)}, and lower on "
                    f"{listed(lower)}.",
                    remedy="Give the files of datasets with the same direction at a time.",
                )
            )
    return problems
