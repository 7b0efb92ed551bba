"""How often does each count over-claim?."""

from pages.ui.frame import page
from pages.ui.frame.widgets import details
from pages.ui.simulation import planning, results, studies

page.enter()
studies.run_linked()
results.lead()
results.form()
results.tables()
details(
    [
        ("One study at a time", results.draws),
        ("Wrong names", results.names),
        ("Wins where there are none", results.over_claims),
    ],
    key="lab",
    label="Look closer",
)
details(
    [
        ("How often would a claim be made?", planning.power),
        ("How many datasets?", planning.needed),
        ("How many examples at a margin?", planning.examples),
    ],
    key="lab-plan",
    label="Plan a study",
)
