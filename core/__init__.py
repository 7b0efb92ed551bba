"""Replicability analysis: on at least how many datasets is A better than B, and on which?

The public names, loaded where they are first used: `import core` is quick and
a name costs only what it needs.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from core.version import __version__

if TYPE_CHECKING:
    from core.analysis import Analysis, AnalysisSettings, analyse
    from core.analysis.joint import count_jointly, identify_jointly
    from core.claims.check import check_claims
    from core.claims.claim import Claim
    from core.claims.claim_report import ClaimReport
    from core.claims.possible import possible_p_values
    from core.data.effect_table import EffectTable
    from core.data.p_value_table import PValueTable
    from core.data.reading import read_results
    from core.data.result_set import ResultSet
    from core.data.score_table import ScoreTable
    from core.effects.across import compare_across
    from core.effects.dataset_effects import DatasetEffects
    from core.effects.friedman import friedman
    from core.effects.from_results import dataset_effects
    from core.effects.meta_analysis import MetaAnalysis, meta_analysis
    from core.errors import DataError
    from core.export.as_json import as_json, to_json
    from core.export.bundle import compare_with_bundle, read_bundle, restore_bundle, write_bundle
    from core.export.html import html_report
    from core.metrics.registry import StatisticMetric
    from core.reliability.across_domains import across_domains
    from core.reliability.prior_odds import positive_predictive_value
    from core.reliability.repeated_runs import run_to_run
    from core.reliability.sample_size import subsample_significance
    from core.replicability.assessment import assess
    from core.replicability.closed_testing import count_in_group
    from core.replicability.counting import (
        Counting,
        count_by_common_practice,
        count_datasets,
        partial_conjunction_p_values,
    )
    from core.replicability.direction import one_sided_p_values
    from core.replicability.identification import Identification, identify_datasets
    from core.significance.choose import advise
    from core.significance.known_tests import significance_tests
    from core.significance.result import SignificanceResult
    from core.significance.run import run_dataset_tests
    from core.significance.settle import settle
    from core.significance.single import run_significance_test
    from core.simulation.runs import Simulation, simulate_k_hat
    from core.simulation.scenarios import Block, Scenario
    from core.systems.all_pairs import compare_all_pairs
    from core.systems.comparisons import PairComparisons

_HOMES = {
    "Analysis": "core.analysis",
    "AnalysisSettings": "core.analysis",
    "analyse": "core.analysis",
    "count_jointly": "core.analysis.joint",
    "identify_jointly": "core.analysis.joint",
    "Claim": "core.claims.claim",
    "ClaimReport": "core.claims.claim_report",
    "check_claims": "core.claims.check",
    "possible_p_values": "core.claims.possible",
    "as_json": "core.export.as_json",
    "to_json": "core.export.as_json",
    "compare_with_bundle": "core.export.bundle",
    "read_bundle": "core.export.bundle",
    "restore_bundle": "core.export.bundle",
    "write_bundle": "core.export.bundle",
    "html_report": "core.export.html",
    "Block": "core.simulation.scenarios",
    "ResultSet": "core.data.result_set",
    "Scenario": "core.simulation.scenarios",
    "SignificanceResult": "core.significance.result",
    "Simulation": "core.simulation.runs",
    "StatisticMetric": "core.metrics.registry",
    "advise": "core.significance.choose",
    "run_dataset_tests": "core.significance.run",
    "run_significance_test": "core.significance.single",
    "settle": "core.significance.settle",
    "significance_tests": "core.significance.known_tests",
    "simulate_k_hat": "core.simulation.runs",
    "Counting": "core.replicability.counting",
    "DataError": "core.errors",
    "Identification": "core.replicability.identification",
    "PValueTable": "core.data.p_value_table",
    "assess": "core.replicability.assessment",
    "count_by_common_practice": "core.replicability.counting",
    "count_datasets": "core.replicability.counting",
    "count_in_group": "core.replicability.closed_testing",
    "identify_datasets": "core.replicability.identification",
    "one_sided_p_values": "core.replicability.direction",
    "partial_conjunction_p_values": "core.replicability.counting",
    "DatasetEffects": "core.effects.dataset_effects",
    "MetaAnalysis": "core.effects.meta_analysis",
    "compare_across": "core.effects.across",
    "dataset_effects": "core.effects.from_results",
    "friedman": "core.effects.friedman",
    "meta_analysis": "core.effects.meta_analysis",
    "across_domains": "core.reliability.across_domains",
    "positive_predictive_value": "core.reliability.prior_odds",
    "run_to_run": "core.reliability.repeated_runs",
    "subsample_significance": "core.reliability.sample_size",
    "PairComparisons": "core.systems.comparisons",
    "compare_all_pairs": "core.systems.all_pairs",
    "EffectTable": "core.data.effect_table",
    "ScoreTable": "core.data.score_table",
    "read_results": "core.data.reading",
}

__all__ = [
    "Analysis",
    "AnalysisSettings",
    "Block",
    "Claim",
    "ClaimReport",
    "Counting",
    "DataError",
    "DatasetEffects",
    "EffectTable",
    "Identification",
    "MetaAnalysis",
    "PValueTable",
    "PairComparisons",
    "ResultSet",
    "Scenario",
    "ScoreTable",
    "SignificanceResult",
    "Simulation",
    "StatisticMetric",
    "__version__",
    "across_domains",
    "advise",
    "analyse",
    "as_json",
    "assess",
    "check_claims",
    "compare_across",
    "compare_all_pairs",
    "compare_with_bundle",
    "count_by_common_practice",
    "count_datasets",
    "count_in_group",
    "count_jointly",
    "dataset_effects",
    "friedman",
    "html_report",
    "identify_datasets",
    "identify_jointly",
    "meta_analysis",
    "one_sided_p_values",
    "partial_conjunction_p_values",
    "positive_predictive_value",
    "possible_p_values",
    "read_bundle",
    "read_results",
    "restore_bundle",
    "run_dataset_tests",
    "run_significance_test",
    "run_to_run",
    "settle",
    "significance_tests",
    "simulate_k_hat",
    "subsample_significance",
    "to_json",
    "write_bundle",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
