"""How large an effect is over many datasets, and tests of whether it is there on average."""

from __future__ import annotations

from core.effects.averages import Average, macro_average, micro_average
from core.effects.dataset_effects import (
    DEFAULT_RESAMPLES,
    PAPER_RESAMPLES,
    VARIANCES,
    dataset_effects,
)
from core.effects.distributions import DistributionTest, distribution_tests
from core.effects.effect_list import EFFECTS, DatasetEffects, LeftOut
from core.effects.gumbel import GumbelFit, fit_gumbel
from core.effects.heterogeneity import Heterogeneity
from core.effects.influence import Influence, leave_one_out
from core.effects.meta_analysis import MODELS, MetaAnalysis, meta_analysis
from core.effects.pooled import PooledEffect, pooled_effect
from core.effects.prediction import (
    FEWEST_FOR_EXPERIMENT,
    PredictionExperiment,
    prediction_experiment,
)
from core.effects.subgroups import GroupAnalyses, group_analyses
from core.effects.table_effects import effects_of_table, score_differences
from core.effects.tau2 import TAU2_METHODS, Tau2Method

__all__ = [
    "DEFAULT_RESAMPLES",
    "EFFECTS",
    "FEWEST_FOR_EXPERIMENT",
    "MODELS",
    "PAPER_RESAMPLES",
    "TAU2_METHODS",
    "VARIANCES",
    "Average",
    "DatasetEffects",
    "DistributionTest",
    "GroupAnalyses",
    "GumbelFit",
    "Heterogeneity",
    "Influence",
    "LeftOut",
    "MetaAnalysis",
    "PooledEffect",
    "PredictionExperiment",
    "Tau2Method",
    "dataset_effects",
    "distribution_tests",
    "effects_of_table",
    "fit_gumbel",
    "group_analyses",
    "leave_one_out",
    "macro_average",
    "meta_analysis",
    "micro_average",
    "pooled_effect",
    "prediction_experiment",
    "score_differences",
]
