"""A paper's claims against its own printed numbers."""

from pages.ui.claims import check, documents, form, verdicts
from pages.ui.frame import page, prose

page.enter()
documents.show()
checked = form.require_table(
    "This page checks a paper's claims against its own printed numbers: whether counts and names "
    "follow from the p-values, for which system they can speak, and whether the scores allow them."
)
inputs = check.read_inputs(checked)
needed = check.missing(checked, inputs)
found = check.report(checked, inputs) if inputs.claims or not needed else None
report = None if isinstance(found, str) else found
unable = needed or (found if isinstance(found, str) else "")
if report is not None:
    prose.lead(checked.so_far + report.lead())
marked = verdicts.marks(checked, inputs.claims if unable else (), in_front=report is None)
if unable and report is None and not marked:
    prose.lead("The table has scores and no p-values.")
if unable and not checked.may_be_accuracies:
    prose.notice(unable)
check.what_is_checked(checked)
check.show_problems(checked, inputs)
if report is not None:
    verdicts.claims(
        report,
        inputs.lines.line_numbers,
        inputs.lines.notes((checked.system_a, checked.system_b)),
    )
    verdicts.doubtful_rows(report)
    verdicts.possible_chart(inputs, report)
    verdicts.review(report)
if could_be := check.reach(checked, inputs):
    verdicts.reachable(could_be)
form.offer(checked)
form.show(checked, inputs)
if report is not None:
    verdicts.behind(report, inputs)
documents.offer_another(checked.lines)
