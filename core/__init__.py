"""Replicability analysis: on at least how many datasets is A better than B, and on which?

The public names, loaded where they are first used: `import core` is quick and
a name costs only what it needs.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .shown import shown_by
from .version import __version__

if TYPE_CHECKING:
    from .analysis import Analysis, AnalysisSettings, analyse
    from .analysis.gate import Decision, decide
    from .analysis.joint import count_jointly, identify_jointly
    from .claims.check import check_claims
    from .claims.claim import Claim
    from .claims.findings import ClaimReport
    from .claims.possible import possible_p_values
    from .data.p_value_table import PValueTable
    from .data.reading import read_results
    from .data.result_set import ResultSet
    from .data.samples import read_sample
    from .data.score_table import EffectTable, ScoreTable
    from .effects.across import compare_across
    from .effects.dataset_effects import DatasetEffects
    from .effects.friedman import friedman
    from .effects.from_results import dataset_effects
    from .effects.meta_analysis import MetaAnalysis, meta_analysis
    from .errors import DataError
    from .export.as_json import as_json, to_json
    from .export.bundle import compare_with_bundle, read_bundle, restore_bundle, write_bundle
    from .export.report import html_report
    from .metrics.registry import StatisticMetric
    from .reliability.across_domains import across_domains
    from .reliability.prior_odds import positive_predictive_value
    from .reliability.repeated_runs import run_to_run
    from .reliability.sample_size import subsample_significance
    from .replicability.assessment import assess
    from .replicability.counting import (
        Counting,
        count_by_common_practice,
        count_datasets,
        count_in_group,
        partial_conjunction_p_values,
    )
    from .replicability.direction import one_sided_p_values
    from .replicability.identification import Identification, identify_datasets
    from .significance.choose import advise
    from .significance.known_tests import significance_tests
    from .significance.result import SignificanceResult
    from .significance.run import run_dataset_tests
    from .significance.settle import settle
    from .significance.single import run_significance_test
    from .simulation.results import Simulation
    from .simulation.runs import simulate_k_hat
    from .simulation.scenarios import Block, Scenario
    from .systems.all_pairs import compare_all_pairs
    from .systems.comparisons import PairComparisons

_HOMES = {
    "Analysis": ".analysis",
    "AnalysisSettings": ".analysis",
    "analyse": ".analysis",
    "Decision": ".analysis.gate",
    "decide": ".analysis.gate",
    "count_jointly": ".analysis.joint",
    "identify_jointly": ".analysis.joint",
    "Claim": ".claims.claim",
    "ClaimReport": ".claims.findings",
    "check_claims": ".claims.check",
    "possible_p_values": ".claims.possible",
    "as_json": ".export.as_json",
    "to_json": ".export.as_json",
    "compare_with_bundle": ".export.bundle",
    "read_bundle": ".export.bundle",
    "restore_bundle": ".export.bundle",
    "write_bundle": ".export.bundle",
    "html_report": ".export.report",
    "Block": ".simulation.scenarios",
    "ResultSet": ".data.result_set",
    "Scenario": ".simulation.scenarios",
    "SignificanceResult": ".significance.result",
    "Simulation": ".simulation.runs",
    "StatisticMetric": ".metrics.registry",
    "advise": ".significance.choose",
    "run_dataset_tests": ".significance.run",
    "run_significance_test": ".significance.single",
    "settle": ".significance.settle",
    "significance_tests": ".significance.known_tests",
    "simulate_k_hat": ".simulation.runs",
    "Counting": ".replicability.counting",
    "DataError": ".errors",
    "Identification": ".replicability.identification",
    "PValueTable": ".data.p_value_table",
    "assess": ".replicability.assessment",
    "count_by_common_practice": ".replicability.counting",
    "count_datasets": ".replicability.counting",
    "count_in_group": ".replicability.counting",
    "identify_datasets": ".replicability.identification",
    "one_sided_p_values": ".replicability.direction",
    "partial_conjunction_p_values": ".replicability.counting",
    "DatasetEffects": ".effects.dataset_effects",
    "MetaAnalysis": ".effects.meta_analysis",
    "compare_across": ".effects.across",
    "dataset_effects": ".effects.from_results",
    "friedman": ".effects.friedman",
    "meta_analysis": ".effects.meta_analysis",
    "across_domains": ".reliability.across_domains",
    "positive_predictive_value": ".reliability.prior_odds",
    "run_to_run": ".reliability.repeated_runs",
    "subsample_significance": ".reliability.sample_size",
    "PairComparisons": ".systems.comparisons",
    "compare_all_pairs": ".systems.all_pairs",
    "EffectTable": ".data.score_table",
    "ScoreTable": ".data.score_table",
    "read_results": ".data.reading",
    "read_sample": ".data.samples",
}

__all__ = [
    "Analysis",
    "AnalysisSettings",
    "Block",
    "Claim",
    "ClaimReport",
    "Counting",
    "DataError",
    "Decision",
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
    "decide",
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
    "read_sample",
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


shown_by(lambda: importlib.import_module(".notebook", __name__))


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
