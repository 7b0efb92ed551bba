"""Replicability analysis: on at least how many datasets is A better than B, and on which?

The public names, loaded where they are first used: `import core` is quick and
a name costs only what it needs.
"""

import importlib
from typing import TYPE_CHECKING, Any

from .shown import shown_by
from .version import __version__

if TYPE_CHECKING:
    from .analysis import Analysis as Analysis
    from .analysis import AnalysisSettings as AnalysisSettings
    from .analysis import analyse as analyse
    from .analysis.gate import Decision as Decision
    from .analysis.gate import decide as decide
    from .analysis.joint import count_jointly as count_jointly
    from .analysis.joint import identify_jointly as identify_jointly
    from .claims.check import check_claims as check_claims
    from .claims.claim import Claim as Claim
    from .claims.findings import ClaimReport as ClaimReport
    from .claims.possible import possible_p_values as possible_p_values
    from .data.p_value_table import PValueTable as PValueTable
    from .data.reading import read_results as read_results
    from .data.result_set import ResultSet as ResultSet
    from .data.samples import read_sample as read_sample
    from .data.score_table import EffectTable as EffectTable
    from .data.score_table import ScoreTable as ScoreTable
    from .effects.across import compare_across as compare_across
    from .effects.dataset_effects import DatasetEffects as DatasetEffects
    from .effects.friedman import friedman as friedman
    from .effects.from_results import dataset_effects as dataset_effects
    from .effects.meta_analysis import MetaAnalysis as MetaAnalysis
    from .effects.meta_analysis import meta_analysis as meta_analysis
    from .errors import DataError as DataError
    from .export.as_json import as_json as as_json
    from .export.as_json import to_json as to_json
    from .export.bundle import read_bundle as read_bundle
    from .export.bundle import restore_bundle as restore_bundle
    from .export.bundle import write_bundle as write_bundle
    from .export.bundle_comparison import compare_with_bundle as compare_with_bundle
    from .export.report import html_report as html_report
    from .metrics.registry import StatisticMetric as StatisticMetric
    from .reliability.across_domains import across_domains as across_domains
    from .reliability.prior_odds import positive_predictive_value as positive_predictive_value
    from .reliability.repeated_runs import run_to_run as run_to_run
    from .reliability.sample_size import subsample_significance as subsample_significance
    from .replicability.assessment import assess as assess
    from .replicability.counting import Counting as Counting
    from .replicability.counting import count_by_common_practice as count_by_common_practice
    from .replicability.counting import count_datasets as count_datasets
    from .replicability.counting import count_in_group as count_in_group
    from .replicability.counting import partial_conjunction_p_values as partial_conjunction_p_values
    from .replicability.direction import one_sided_p_values as one_sided_p_values
    from .replicability.identification import Identification as Identification
    from .replicability.identification import identify_datasets as identify_datasets
    from .significance.choose import advise as advise
    from .significance.known_tests import significance_tests as significance_tests
    from .significance.run import run_dataset_tests as run_dataset_tests
    from .significance.run import settle as settle
    from .significance.single import SignificanceResult as SignificanceResult
    from .significance.single import run_significance_test as run_significance_test
    from .simulation.results import Simulation as Simulation
    from .simulation.runs import simulate_k_hat as simulate_k_hat
    from .simulation.scenarios import Block as Block
    from .simulation.scenarios import Scenario as Scenario
    from .systems.all_pairs import compare_all_pairs as compare_all_pairs
    from .systems.comparisons import PairComparisons as PairComparisons

# Each module with the public names that are made there.
_HOMES = {
    name: home
    for home, names in {
        ".analysis": "Analysis AnalysisSettings analyse",
        ".analysis.gate": "Decision decide",
        ".analysis.joint": "count_jointly identify_jointly",
        ".claims.check": "check_claims",
        ".claims.claim": "Claim",
        ".claims.findings": "ClaimReport",
        ".claims.possible": "possible_p_values",
        ".data.p_value_table": "PValueTable",
        ".data.reading": "read_results",
        ".data.result_set": "ResultSet",
        ".data.samples": "read_sample",
        ".data.score_table": "EffectTable ScoreTable",
        ".effects.across": "compare_across",
        ".effects.dataset_effects": "DatasetEffects",
        ".effects.friedman": "friedman",
        ".effects.from_results": "dataset_effects",
        ".effects.meta_analysis": "MetaAnalysis meta_analysis",
        ".errors": "DataError",
        ".export.as_json": "as_json to_json",
        ".export.bundle_comparison": "compare_with_bundle",
        ".export.bundle": "read_bundle restore_bundle write_bundle",
        ".export.report": "html_report",
        ".metrics.registry": "StatisticMetric",
        ".reliability.across_domains": "across_domains",
        ".reliability.prior_odds": "positive_predictive_value",
        ".reliability.repeated_runs": "run_to_run",
        ".reliability.sample_size": "subsample_significance",
        ".replicability.assessment": "assess",
        ".replicability.counting": "Counting count_by_common_practice count_datasets count_in_group partial_conjunction_p_values",
        ".replicability.direction": "one_sided_p_values",
        ".replicability.identification": "Identification identify_datasets",
        ".significance.choose": "advise",
        ".significance.known_tests": "significance_tests",
        ".significance.run": "run_dataset_tests settle",
        ".significance.single": "SignificanceResult run_significance_test",
        ".simulation.results": "Simulation",
        ".simulation.runs": "simulate_k_hat",
        ".simulation.scenarios": "Block Scenario",
        ".systems.all_pairs": "compare_all_pairs",
        ".systems.comparisons": "PairComparisons",
    }.items()
    for name in names.split()
}

__all__ = ["__version__", *_HOMES]


shown_by(lambda: importlib.import_module(".notebook", __name__))


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
