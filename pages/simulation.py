"""How often does each count over-claim?."""

from pages.ui.frame import page
from pages.ui.frame.sections import details
from pages.ui.simulation import examples, form, planning, questions, results, studies

page.enter()
studies.run_linked()
results.lead()
results.picture()
form.show()
results.show()
details(
    [
        ("One study at a time", results.draws),
        ("Wrong names", questions.names),
        ("Wins where there are none", questions.over_claims),
    ],
    key="lab",
    label="Look closer",
)
details(
    [
        ("How often would a claim be made?", planning.power),
        ("How many datasets?", planning.needed),
        ("How many examples at a margin?", examples.show),
    ],
    key="lab-plan",
    label="Plan a study",
)
