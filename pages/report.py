"""The analysis to take away: report, tables, figures, bundle."""

from functools import partial

from core.analysis import statements
from pages.ui.frame import guards, page, prose
from pages.ui.frame.widgets import details
from pages.ui.results import explanations, inputs, parts, report

page.enter()
analysis = guards.require_analysis(
    "This page gathers the answers into a report with a methods paragraph, tables for a paper, and "
    "a bundle that restores the analysis."
)
question = analysis.questions[0]
prose.lead(analysis.so_far + parts.kept(statements.lead, analysis, question))
prose.paragraphs(parts.kept(statements.conditions, analysis, question), quiet=True)
inputs.settle(analysis, question)
report.paper(analysis)
report.whole(analysis)
report.link()


signatures = partial(explanations.signatures, analysis, question)
details([("Signature", signatures), ("Charts", report.figure_format)], key="report")
