"""What an analysis is: data, settings and the record of what was tried, and every answer they give.

The pages, the command line, the report and the bundle all make their numbers
here, so that they are the same numbers.
"""

from .analysis import Analysis, Origin, analyse, analysis_of
from .settings import AnalysisSettings
from .testing import TestPlan, plan_of, run_plan

__all__ = [
    "Analysis",
    "AnalysisSettings",
    "Origin",
    "TestPlan",
    "analyse",
    "analysis_of",
    "plan_of",
    "run_plan",
]
